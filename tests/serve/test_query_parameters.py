"""Query parameters of the search, as forms send them."""

from __future__ import annotations

import pytest

from homing.errors import UsageError
from homing.serve.query_parameters import SearchQuery
from homing.store.index import Filters


def test_empty_fields_set_no_filter() -> None:
    assert SearchQuery(host=" ", score=" ").filters() == Filters()


def test_blanks_around_values_do_not_count() -> None:
    query = SearchQuery(host=" a.example ", language=" en", score=" 0.5 ")
    assert query.filters() == Filters(host="a.example", language="en", score=0.5)


@pytest.mark.parametrize("score", ["-0.1", "1.1", "nan", "high"])
def test_a_score_that_is_no_share_is_refused(score: str) -> None:
    with pytest.raises(UsageError, match="score must be from 0 to 1"):
        SearchQuery(score=score).filters()
