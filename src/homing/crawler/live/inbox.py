"""Commands of other processes: they come through the inbox and are carried out within a second.

=====================  =====================================  ======================================
kind                   payload                                command
=====================  =====================================  ======================================
``pause`` ``go-on``                                           ``pause`` ``resume``
``stop``                                                      ``stop``
``seeds``              ``urls``                               ``add_seeds``
``block`` ``unblock``  ``pattern``: a host, or a glob         ``block`` ``unblock``
``delay``              ``seconds``                            ``set_pace``
``pages-per-second``   ``pages``; null for no limit           ``set_pace``
``label``              ``url``, ``relevant``                  ``label``
``relearn``                                                   ``relearn``
``watch``                                                     writes the pulse for some seconds
=====================  =====================================  ======================================
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.crawler.live.commands import Commands
from homing.crawler.live.pulse import Heart
from homing.errors import UsageError
from homing.store.inbox import Command, Inbox

Answer = Callable[[str], None]


class InboxReader:
    """Takes commands from the inbox between two turns.

    Each is answered. What takes long is answered when it is done; if the crawl stops before, the command is
    still open and is carried out by the next run.
    """

    def __init__(self, inbox: Inbox, commands: Commands, engine: Engine, heart: Heart) -> None:
        self._inbox = inbox
        self._commands = commands
        self._engine = engine
        self._heart = heart
        self._under_way: set[int] = set()

    def apply(self) -> None:
        """Carry out what has come in since the last time, in its order, and answer it."""
        for command in self._inbox.take():
            if command.number in self._under_way:
                continue
            if command.kind == "watch":  # comes every ten seconds, changes nothing and is not worth a line
                self._heart.watch(command.sent_at)
                self._inbox.applied([command.number], "done")
                continue
            try:
                answer = self._carry_out(command)
            except UsageError as error:
                answer = str(error)
            if answer is None:
                self._under_way.add(command.number)
            else:
                self._answer(command, answer)

    def _answer(self, command: Command, answer: str) -> None:
        self._engine.parts.store.commit()  # what is called done must outlive a crash
        self._inbox.applied([command.number], answer)
        self._engine.tell(Noted(name="wish", detail=f"{command.kind}: {answer}"))

    def _carry_out(self, command: Command) -> str | None:
        """Return the answer; ``None`` if that is given later."""
        commands, later = self._commands, partial(self._answer, command)
        match command.kind, command.payload:
            case "pause", _:
                commands.pause()
            case "go-on", _:
                commands.resume()
            case "stop", _:
                commands.stop("asked to stop")
            case "seeds", {"urls": list(given)}:
                return f"{commands.add_seeds(map(str, given))} of {len(given)} taken"
            case "block", {"pattern": str(pattern)} if pattern:
                commands.block(pattern, _counted(later, "waiting", "left the queue"))
                return None
            case "unblock", {"pattern": str(pattern)} if pattern:
                commands.unblock(pattern, _counted(later, "refused", "queued again"))
                return None
            case "delay", {"seconds": int(seconds) | float(seconds)}:
                commands.set_pace(delay=seconds)
            case "pages-per-second", {"pages": None}:
                commands.set_pace(pages_per_second=math.inf)
            case "pages-per-second", {"pages": int(pages) | float(pages)}:
                commands.set_pace(pages_per_second=pages)
            case "label", {"url": str(url), "relevant": bool(relevant)}:
                commands.label(url, relevant)
            case "relearn", _:
                commands.relearn(later)
                return None
            case _:
                return "not understood"
        return "done"


def _counted(answer: Answer, kind: str, outcome: str) -> Callable[[int], None]:
    """Return what answers with a number of URLs."""
    return lambda count: answer(f"done; {count:,} {kind} URL{'s' * (count != 1)} {outcome}")
