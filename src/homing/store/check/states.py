"""What a later run resumes from: the state of the strategy, the ranking, the inbox."""

from __future__ import annotations

from homing.errors import BrokenStateError, HomingError
from homing.store.catalog.ranking import select_ranking
from homing.store.catalog.strategy_state import select_state
from homing.store.check.finding import Checked, Finding, Findings
from homing.store.inbox import examine

_LAST_STEP = "SELECT coalesce(max(step), 0) FROM visits"


def check_states(checked: Checked) -> Findings:
    """Read each of them."""
    database = str(checked.layout.database)
    try:
        saved = checked.select(select_state)
        ((last,),) = checked.rows(_LAST_STEP)
        if saved is not None and saved[0] > last:
            problem = f"the saved state is of page {saved[0]:,}, and there are {last:,}"
            yield Finding(part="strategy", place=database, problem=problem)
    except BrokenStateError as error:
        yield Finding(part="strategy", place=database, problem=str(error))
    try:
        checked.select(select_ranking)
    except ValueError as error:
        yield Finding(part="ranking", place=database, problem=f"the saved ranking is damaged ({error})")
    inbox = checked.layout.inbox
    try:
        if inbox.exists():
            examine(inbox)
    except HomingError as error:
        yield Finding(part="inbox", place=str(inbox), problem=str(error))
