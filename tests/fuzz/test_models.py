"""Model files from strangers: nothing in them is run, and nothing in them makes a traceback."""

from __future__ import annotations

import hashlib
import json
import math
from functools import cache
from typing import cast

from hypothesis import example, given, settings
from hypothesis import strategies as st

from homing.checks.webs import toy_web
from homing.errors import ModelError
from homing.judge import JUDGES
from homing.judge.keywords import Keywords
from homing.judge.model_files import judge_in
from homing.model import Entry, Judgement, Priority, Visit
from homing.modelfile import FORMAT, Model, parse_model
from homing.strategies import STRATEGIES
from homing.strategies.model_files import check_trained, give
from homing.trails import LocalGraph

WEB = toy_web(seed=0)
TOPIC = Keywords("butterflies").topic()
PARTS = [
    *(name for name in JUDGES.names() if JUDGES.get(name) is not Keywords),
    *("context-graph", "hmm", "layered", "q-learning"),  # those that are fitted in an instant
]
JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.just(10**400),
        st.floats(),
        st.text(max_size=5),
        st.just("é"),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


def signed(document: dict[str, object]) -> bytes:
    """The document with a digest that fits: whoever makes a hostile file can do that too."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    digest = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return json.dumps({**document, "digest": digest}).encode()


@cache
def state_of(name: str) -> str:
    """What a judge or a strategy of that name has learnt from a toy web."""
    if name in JUDGES.names():
        return json.dumps(JUDGES.get(name)(WEB.brief()).state())
    strategy = check_trained(STRATEGIES.get(name)())
    strategy.begin(TOPIC)
    strategy.fit(LocalGraph(WEB.pages.values(), WEB.targets))
    return json.dumps(strategy.model())


def document_of(name: str, state: object) -> dict[str, object]:
    kind = "judge" if name in JUDGES.names() else "strategy"
    about = {"format": FORMAT, "version": 1, "kind": kind, "name": name, "homing": "1", "topic": "moths"}
    return {**about, "trained_on": {}, "report": None, "state": state}


def parse(content: bytes) -> Model | None:
    try:
        return parse_model(content, "a.model")
    except ModelError as error:
        (line,) = error.lines
    assert "a.model" in line
    return None


@given(st.one_of(st.binary(max_size=60), JSON.map(lambda value: json.dumps(value).encode())))
@example(b"[" * 100_000)
@example(b'{"format": "homing-model", "a": ' + b"9" * 5_000 + b"}")
def test_whatever_is_no_model_is_refused_in_one_line(content: bytes) -> None:
    assert parse(content) is None


@settings(max_examples=50)
@given(st.integers(0, 400), st.binary(min_size=1, max_size=4))
def test_a_byte_that_was_changed_is_noticed(place: int, other: bytes) -> None:
    whole = signed(document_of("bayes", {"a": 1}))
    changed = whole[:place] + other + whole[place + len(other) :]
    model = parse(changed)
    assert model is None or json.loads(changed) == json.loads(whole)


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from([*document_of("", {}), "x"]), JSON, max_size=3))
def test_a_document_with_other_values_is_a_model_or_refused(changes: dict[str, object]) -> None:
    model = parse(signed({**document_of("bayes", {}), **changes}))
    if model is not None:
        is_used(model)


@settings(max_examples=20)
@given(st.sampled_from(PARTS), st.integers(0, 2**32), JSON, st.sampled_from(["replace", "drop"]))
@example("decimal", 2, 10**400, "replace")  # a whole number that is beyond all fractions
def test_what_was_learnt_with_anything_in_it_is_used_or_refused(
    name: str, where: int, value: object, how: str
) -> None:
    state = json.loads(state_of(name))
    _change(state, where, value, drop=how == "drop")
    model = parse(signed(document_of(name, state)))
    if model is not None:
        is_used(model)


def is_used(model: Model) -> bool:
    """Does the part it was learnt by take it, and work with it? Or is it refused as it should be?"""
    page = WEB.pages[WEB.home]
    try:
        if model.kind == "strategy":
            strategy = STRATEGIES.get(model.name)()
            strategy.begin(TOPIC)
            give(strategy, model, "")
            judgement = Judgement(score=0.5, relevant=True, judge="test")
            entry = Entry(key=0, url=page.url, priority=Priority())
            proposals = list(strategy.score(Visit(step=1, entry=entry, page=page, judgement=judgement)))
            assert all(math.isfinite(proposal.priority.score) for proposal in proposals)
        else:
            assert 0 <= judge_in(model).judge(page).score <= 1
    except ModelError as error:
        (_,) = error.lines
        return False
    return True


def _change(state: object, where: int, value: object, *, drop: bool) -> None:
    """Somewhere in a tree of plain data, put in something else or leave something out."""
    while isinstance(state, dict | list) and state:
        where, place = divmod(where, len(state))
        key = list(state)[place] if isinstance(state, dict) else place
        inner = cast("dict[object, object]", state)[key]
        if isinstance(inner, dict | list) and inner and where % 4:
            where, state = where // 4, inner
            continue
        if drop:
            del cast("dict[object, object]", state)[key]
        else:
            cast("dict[object, object]", state)[key] = value
        return
