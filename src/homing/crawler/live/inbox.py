"""Commands of other processes: they come through the inbox and are carried out within a second."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from homing.crawler.events import Listener, Noted
from homing.crawler.live.commands import Commands
from homing.crawler.live.pulse import Heart
from homing.crawler.live.verbs import (
    AddSeeds,
    Block,
    Label,
    Pause,
    Relearn,
    Resume,
    SetPace,
    Snapshot,
    Stop,
    Unblock,
    Verb,
    read_verb,
)
from homing.errors import UsageError
from homing.ports import Store
from homing.store.inbox import Command, Inbox

Answer = Callable[[str], None]


class InboxReader:
    """Takes commands from the inbox between two turns.

    Each is answered. What takes long is answered when it is done; if the crawl stops before, the command is
    still open and is carried out by the next run.
    """

    def __init__(self, inbox: Inbox, commands: Commands, heart: Heart, store: Store, tell: Listener) -> None:
        self._inbox = inbox
        self._commands = commands
        self._heart = heart
        self._store = store
        self._tell = tell
        self._under_way: set[int] = set()

    def apply(self) -> None:
        """Carry out the commands that are new, in their order, and answer them."""
        for command in self._inbox.take():
            if command.number in self._under_way:
                continue
            if command.kind == Snapshot.verb():  # every ten seconds, and nothing changes: not worth a line
                self._heart.watch(command.sent_at)
                self._inbox.applied([command.number], "done")
                continue
            try:
                verb = read_verb(command.kind, command.payload)
                answer = self._carry_out(verb, partial(self._answer, command))
            except UsageError as error:
                answer = str(error)
            if answer is None:
                self._under_way.add(command.number)
            else:
                self._answer(command, answer)

    def _answer(self, command: Command, answer: str) -> None:
        self._store.commit()  # what is called done must outlive a crash
        self._inbox.applied([command.number], answer)
        self._tell(Noted(name="command", detail=f"{command.kind}: {answer}"))

    def _carry_out(self, verb: Verb, later: Answer) -> str | None:
        """Return the answer; ``None`` if that is given later."""
        commands = self._commands
        match verb:
            case Pause():
                commands.pause()
            case Resume():
                commands.resume()
            case Stop():
                commands.stop()
            case AddSeeds(urls=urls):
                return f"{commands.add_seeds(urls)} of {len(urls)} taken"
            case Block(pattern=pattern):
                commands.block(pattern, _counted(later, "queued", "removed"))
                return None
            case Unblock(pattern=pattern):
                commands.unblock(pattern, _counted(later, "refused", "queued again"))
                return None
            case Label(url=url, relevant=relevant):
                commands.label(url, relevant)
            case SetPace(delay=delay, rate=rate, reset=reset):
                return commands.set_pace(delay=delay, pages_per_second=rate, reset=reset)
            case Relearn():
                commands.relearn(later)
                return None
        return "done"


def _counted(answer: Answer, kind: str, outcome: str) -> Callable[[int], None]:
    """Return what answers with a number of URLs."""
    return lambda count: answer(f"done; {count:,} {kind} URL{'s' * (count != 1)} {outcome}")
