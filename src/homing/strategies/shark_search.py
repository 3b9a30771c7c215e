"""Links inherit from their ancestors, and speak for themselves."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack, unpack
from typing import ClassVar, Literal

from homing.model import Priority, Proposal, Topic, Visit
from homing.parameters import parameter
from homing.strategies.base import Strategy


class SharkSearch(Strategy):
    """Follows the scent: links inherit from relevant pages and lose strength on the way through others.

    Half of a link's worth is inherited: a part of what its page was judged to be or, if that is nothing, the
    same part of what the page itself had inherited. So a way through pages off the topic is followed for a
    while, ever less eagerly. The other half is what its anchor says of the topic and, to a fifth, the words
    around it.

    Examples
    --------
    >>> from homing.checks.replays import harvest
    >>> from homing.strategies.breadth_first import BreadthFirst
    >>> harvest(SharkSearch(), pages=60) > harvest(BreadthFirst(), pages=60)
    True

    References
    ----------
    Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim, Ur 1998, The shark-search algorithm: an application,
    tailored web site mapping; named in the papers on the Treasure-Crawler and on probabilistic models. The
    original lets a page count if its similarity is above 0; with weighted terms nearly every page's is,
    hence the threshold. It takes any hit in the anchor for a context of 1, which makes links alike; hence
    ``max``.
    """

    name = "shark-search"
    paper: ClassVar[str] = "Hersovici et al. 1998, The shark-search algorithm"

    decay: float = parameter(
        "What part of a page's score, or of what it inherited, its links inherit (delta).",
        default=0.5,
        within=(0, 1),
    )
    threshold: float = parameter(
        "The score up to which a page counts for nothing, so that its links inherit from further up.",
        default=0.1,
        within=(0, 1),
    )
    inherited_weight: float = parameter(
        "How much of a link's worth is inherited, 0 to 1; anchor and context have the rest (gamma).",
        default=0.5,
        within=(0, 1),
    )
    anchor_weight: float = parameter(
        "How much the anchor counts against the words around it, 0 to 1 (beta).",
        default=0.8,
        within=(0, 1),
    )
    context: Literal["max", "full"] = parameter(
        'What the words around a link count for where its anchor speaks of the topic: "max", as much as the '
        'better of the two; "full", 1 as in the original.',
        default="max",
    )

    def begin(self, topic: Topic) -> None:
        self._rate = topic.rate

    def score(self, visit: Visit) -> Iterator[Proposal]:
        links = visit.page.links
        inherited = self._inherited(visit)
        memo = pack("<f", inherited)
        of_ancestors = self.inherited_weight * inherited
        rest = 1 - self.inherited_weight
        ratings = self._rate([link.anchor for link in links] + [link.around for link in links])
        for link, anchor, context in zip(links, ratings, ratings[len(links) :], strict=False):
            if anchor > 0:
                context = 1.0 if self.context == "full" else max(anchor, context)
            of_anchor = rest * self.anchor_weight * anchor
            of_context = rest * (1 - self.anchor_weight) * context
            yield Proposal(
                url=link.url,
                priority=Priority(score=of_ancestors + of_anchor + of_context),
                memo=memo,
                why=(("inherited", of_ancestors), ("anchor", of_anchor), ("context", of_context)),
            )

    def _inherited(self, visit: Visit) -> float:
        """Return what the links of a page inherit."""
        score = visit.judgement.score
        if score > self.threshold:
            return self.decay * score
        # A seed has no memo: it has inherited nothing.
        before: float = unpack("<f", visit.entry.memo)[0] if visit.entry.memo else 0.0
        return self.decay * before
