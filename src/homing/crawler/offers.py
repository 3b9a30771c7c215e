"""Step 8 of a page: which links may be followed, and how proposals reach frontier and store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from msgspec import Struct, field
from msgspec.structs import replace

from homing.crawler.parts import Parts
from homing.crawler.traps.sitemap_quota import SitemapQuota
from homing.crawler.view import SITEMAPS_FIRST, CrawlView
from homing.frontier.domains import EARNED_BY_DUPLICATE
from homing.model import Entry, Failure, Kind, Page, Proposal, Visit
from homing.ports import Merges
from homing.steps import KeepBetter
from homing.urls import canonical, host, key, site

Keys = Mapping[str, int]
"""The keys of the links of a page that may be followed, by their URL."""

KEEP_BETTER = KeepBetter()
_URL_AND_ANCHOR = attrgetter("url", "anchor")


class Found(Struct, frozen=True, kw_only=True):
    """Where a URL was found. Default: nowhere, it is a seed."""

    depth: int = 0
    parent: int | None = None
    anchors: Mapping[str, str] = field(default_factory=dict)
    """The words of the link, by URL."""
    kind: Kind = "page"
    hops: int = 0


class Offers:
    """Takes proposals to the frontier, and what changed there to the store."""

    def __init__(self, parts: Parts) -> None:
        self.view = CrawlView(parts.frontier, parts.store)
        self._parts = parts
        self._quota = SitemapQuota()

    # -- which links may be followed

    def refusal(self, entry: Entry) -> Failure | None:
        """Return why a queued URL may no longer be requested; ``None`` if it may. A seed is no trap."""
        scope, traps = self._parts.scope, self._parts.traps
        is_free = entry.parent is None or entry.kind == "sitemap"
        if reason := scope.blocked(entry.url) if is_free else scope.refusal(entry.url, entry.depth):
            return Failure(url=entry.url, kind="scope", detail=reason, requested=False)
        trap = "" if is_free or traps is None else traps.refusal(entry.url)
        return Failure(url=entry.url, kind="trap", detail=trap, requested=False) if trap else None

    def followable(self, page: Page, entry: Entry) -> tuple[Page, Keys]:
        """Return the page with only those links the crawl may follow, and the keys of these."""
        keys: dict[str, int] = {}
        if self._parts.follow_links and not page.nofollow:
            for link in page.links:
                if self._parts.follow_nofollow or "nofollow" not in link.rel:
                    number = key(link.url)
                    if self._may_follow(link.url, number, entry):
                        keys[link.url] = number
        if len(keys) == len(page.links):
            return page, keys
        return replace(page, links=tuple([link for link in page.links if link.url in keys])), keys

    def followed(self, page: Page, entry: Entry) -> Page:
        """Return the page with the links that could be followed when it was visited."""
        targets = frozenset(self._parts.store.targets(entry.seq))

        def was_followed(url: str) -> bool:
            known = self._parts.frontier.urls.seq_of(key(url))
            return not self._parts.scope.refusal(url, entry.depth + 1) if known is None else known in targets

        return replace(page, links=tuple(link for link in page.links if was_followed(link.url)))

    def _may_follow(self, url: str, number: int, entry: Entry) -> bool:
        urls, traps = self._parts.frontier.urls, self._parts.traps
        known = urls.seq_of(number)
        if known is not None:
            return known != entry.seq and not urls.is_refused(known)
        if self._parts.scope.refusal(url, entry.depth + 1):
            return False
        return traps is None or traps.lets_pass(url)

    # -- what is offered

    def offer(self, proposals: Iterable[Proposal], visit: Visit, keys: Keys, *, is_new: bool = True) -> None:
        """Offer what the strategy proposes after a visit, and remember where the page leads.

        A strategy may know of URLs that stand on no page of the crawl, such as the links of examples; the
        same rules hold for these. ``is_new``: the page is no near-duplicate of an earlier one.
        """
        entry, seq_of = visit.entry, self._parts.frontier.urls.seq_of
        allowed: list[tuple[int, Proposal]] = []
        first_new = len(self._parts.frontier.urls)
        for each in proposals:
            number = keys.get(each.url)
            if number is None:
                number = key(each.url)
                if seq_of(number) is None and not self._may_follow(each.url, number, entry):
                    continue
            allowed.append((number, each))
        anchors = dict(map(_URL_AND_ANCHOR, visit.page.links))
        self._offer(allowed, Found(depth=entry.depth + 1, parent=entry.seq, anchors=anchors))
        targets = self._link(entry.seq, keys.values())
        if entry.kind == "page":
            if is_new:
                self._parts.frontier.linked(entry.seq, targets, first_new)
            else:
                self._parts.frontier.earn(entry.seq, EARNED_BY_DUPLICATE)
            if self._parts.strategy.rerank_every:
                self.view.judge(entry.seq, visit.judgement.score)

    def seeds(self, urls: Iterable[str], *, again: bool = False) -> None:
        """Offer seeds, which are always in scope; with ``again``, also those that have failed."""
        for url in urls:
            self._parts.scope.root(url)
            self._enter(replace(self._parts.strategy.start(url), revisit=again), Found())

    def again(self, proposals: Iterable[Proposal]) -> None:
        """Queue known URLs to be fetched again, whatever the strategy thinks of it."""
        revisits = ((key(proposal.url), replace(proposal, revisit=True)) for proposal in proposals)
        self._offer(revisits, None, KEEP_BETTER)

    def sitemaps(self, urls: Iterable[str], entry: Entry) -> None:
        """Offer sitemaps that robots.txt or another sitemap names; only those of the same site count.

        A sitemap that another sitemap lists may list none itself: the protocol has no deeper levels.
        """
        own = site(host(entry.url))
        if not self._parts.follow_links or self._is_listed(entry):
            return
        for url in urls:
            address = canonical(url, entry.url)
            if not address or site(host(address)) != own:
                continue
            if self._parts.frontier.urls.seq_of(key(address)) is None and not self._quota.may_name(own):
                return
            proposal = Proposal(url=address, priority=SITEMAPS_FIRST, why=(("sitemap", 1.0),))
            self._enter(proposal, Found(depth=entry.depth, parent=entry.seq, kind="sitemap"))

    def _is_listed(self, entry: Entry) -> bool:
        """Is it a sitemap that another sitemap named?"""
        if entry.kind != "sitemap" or entry.parent is None:
            return False
        return self._parts.store.entry(entry.parent).kind == "sitemap"

    def from_sitemap(self, page: Page, entry: Entry) -> tuple[Page, Keys]:
        """Return the links of a sitemap to pages of its own site; other sitemaps are offered at once."""
        self.sitemaps((link.url for link in page.links if link.rel == "sitemap"), entry)
        own = site(host(entry.url))
        links = [link for link in page.links if link.rel != "sitemap" and site(host(link.url)) == own]
        return self.followable(replace(page, links=tuple(links[: self._quota.take(own, len(links))])), entry)

    def in_place_of(self, entry: Entry, target: str) -> None:
        """Offer what a redirect leads to in the URL's place: same priority, depth and parent."""
        if entry.parent is None:
            self._parts.scope.root(target)
        elif self._parts.scope.refusal(target, entry.depth) and entry.kind == "page":
            return
        proposal = Proposal(url=target, priority=entry.priority, memo=entry.memo, why=entry.why)
        found = Found(
            depth=entry.depth,
            parent=entry.parent,
            anchors={target: entry.anchor},
            kind=entry.kind,
            hops=entry.hops + 1,
        )
        self._enter(proposal, found)
        self._link(entry.seq, [key(target)])

    def hand_back(self, proposals: Iterable[Proposal]) -> None:
        """Offer the credit that a failed fetch returns; it goes to known URLs only."""
        numbered = ((key(proposal.url), proposal) for proposal in proposals)
        known = (
            (number, p) for number, p in numbered if self._parts.frontier.urls.seq_of(number) is not None
        )
        self._offer(known, None)

    def _link(self, seq: int, keys: Iterable[int]) -> list[int]:
        """Keep where a page or a redirect leads, and return it."""
        seq_of = self._parts.frontier.urls.seq_of
        targets = [target for target in map(seq_of, keys) if target is not None]
        self._parts.store.link(seq, targets)
        if self._parts.strategy.rerank_every:  # no other strategy looks at the graph
            self.view.link(seq, targets)
        return targets

    def _enter(self, proposal: Proposal, found: Found) -> None:
        self._offer([(key(proposal.url), proposal)], found)

    def _offer(
        self, proposals: Iterable[tuple[int, Proposal]], found: Found | None, rule: Merges | None = None
    ) -> None:
        """Offer, and keep what is new and what has changed; without ``found``, of known URLs only."""
        rule = rule or self._parts.strategy
        batch: dict[int, Proposal] = {}
        for number, proposal in proposals:
            if number in batch:  # a second proposal for one URL: the store must know of the first
                self._offer_each(batch, found, rule)
                batch = {}
            batch[number] = proposal
        self._offer_each(batch, found, rule)

    def _offer_each(self, batch: Mapping[int, Proposal], found: Found | None, rule: Merges) -> None:
        store = self._parts.store
        changes = self._parts.frontier.offer(batch.items(), rule, store.entry)
        if changes.hosts:
            store.add_hosts(changes.hosts)
        if changes.new and found:
            entries = [_entry(seq, proposal, found) for seq, _, proposal in changes.new]
            store.add(entries, [number for _, number, _ in changes.new])
        if changes.changed:
            entries = [
                _entry(seq, proposal, found)
                if found and not old
                else _as_merged(old or store.entry(seq), proposal)
                for seq, proposal, old in changes.changed
            ]
            store.update(entries, revisits=changes.revisits)


def _as_merged(old: Entry, proposal: Proposal) -> Entry:
    """Return an entry with a new priority; where it was found stays the same."""
    return replace(old, priority=proposal.priority, memo=proposal.memo, why=proposal.why)


def _entry(seq: int, proposal: Proposal, found: Found) -> Entry:
    return Entry(
        key=key(proposal.url),
        url=proposal.url,
        priority=proposal.priority,
        memo=proposal.memo,
        why=proposal.why,
        depth=found.depth,
        parent=found.parent,
        anchor=found.anchors.get(proposal.url, ""),
        seq=seq,
        kind=found.kind,
        hops=found.hops,
    )
