"""Reads what stands around a link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from homing.model import Priority, Proposal, Topic, Visit
from homing.parameters import parameter
from homing.strategies.base import Strategy


class LinkContext(Strategy):
    """Weighs the words around a link together with the page it stands on.

    A link is worth a quarter of what its page was judged to be and three quarters of what the twenty
    words around it, the anchor among them, say of the topic. A URL found in several places has the best
    of their scores. Of the simple methods it is the hardest to beat.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(LinkContext(), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Pant, Srinivasan 2006, Link contexts in classifier-guided topical crawlers; weights and window as in
    the paper on On-line Topical Importance Estimation (OTIE), where it is called
    link-context-prediction. There one classifier rates pages and windows; here the judge rates short
    texts on a scale of their own, because twenty words never look like a whole page.
    """

    name = "link-context"
    paper: ClassVar[str] = "Pant, Srinivasan 2006, Link contexts in classifier-guided topical crawlers"

    page_weight: float = parameter(
        "How much the page counts, 0 to 1; the words around the link have the rest (the paper's beta).",
        default=0.25,
        within=(0, 1),
    )

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate

    def score(self, visit: Visit) -> Iterator[Proposal]:
        links = visit.page.links
        page = self.page_weight * visit.judgement.score
        of_page = ("page", page)
        context_weight = 1 - self.page_weight
        for link, rating in zip(links, self._rate([link.around for link in links]), strict=True):
            context = context_weight * rating
            yield Proposal(
                url=link.url,
                priority=Priority(score=page + context),
                why=(of_page, ("context", context)),
            )
