"""The baseline that scores a link by the page it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from homing.model import Priority, Proposal, Visit
from homing.strategies.base import Strategy


class BestFirst(Strategy):
    """Follows the links of the most relevant pages first.

    Pages on a topic link to pages on the topic, so a link is worth what its page was judged to be. All
    links of a page are worth the same; a URL found on several pages has the best of their scores.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.random_order import RandomOrder
    >>> harvest(BestFirst(), pages=60) > harvest(RandomOrder(), pages=60)
    True

    References
    ----------
    Liu, Milios 2012, Probabilistic models for focused web crawling (its best-first baseline). The paper
    scores a page by its highest cosine to an example; here the crawl's judge does, whichever it is.
    """

    name = "best-first"
    paper: ClassVar[str] = "Liu, Milios 2012, Probabilistic models for focused web crawling"

    def score(self, visit: Visit) -> Iterator[Proposal]:
        score = visit.judgement.score
        priority = Priority(score=score)
        why = (("page", score),)
        for link in visit.page.links:
            yield Proposal(url=link.url, priority=priority, why=why)
