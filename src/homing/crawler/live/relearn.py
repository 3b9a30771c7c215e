"""People say which pages are right and which are wrong, and the judge learns from it while the crawl goes on.

The judge is made anew from the topic and the pages that were labelled. Then every page that the archive
holds is judged again, in the order in which it came, and a strategy that knows nothing yet learns from it and
scores its links, as if the new judge had been there from the beginning. When they have caught up with the
crawl, the new priorities replace those of the URLs that wait, and the new strategy the old one.

It is done in portions between the turns of the engine (``Engine.chores``). The labelled pages are kept in the
crawl folder, so that the next run wakes up with the same judge. A crawl that stops half-way has the wish
still in its inbox, and the next run begins anew with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace as exchanged
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from homing.config import Config
from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.crawler.live.rescoring import Words
from homing.crawler.page_reader import UNREADABLE
from homing.errors import UsageError
from homing.model import Entry, Judgement, Page, Topic, Visit
from homing.ports import Strategy
from homing.records import Record, write_records
from homing.store.folder import Layout
from homing.store.views.reader import Reader
from homing.topic import gathered as topic
from homing.urls import key

PORTION = 20
"""Pages between two turns of the engine: some 100 milliseconds, in which the network goes on."""
SHOWN = 5
"""So many URLs of each kind are named in the answer."""

MakeStrategy = Callable[[Topic], Strategy]
Answer = Callable[[str], None]


class Relearning:
    """Makes the chores by which a crawl learns from labels.

    Parameters
    ----------
    make_strategy
        Makes the crawl's strategy as it was at the very beginning, for a topic.
    every
        Learn by itself after so many labels; 0 for only when asked.
    """

    def __init__(
        self, engine: Engine, config: Config, folder: Path, make_strategy: MakeStrategy, *, every: int = 0
    ) -> None:
        self._engine = engine
        self._config = config
        self._layout = Layout(folder)
        self._make_strategy = make_strategy
        self._every = every
        self._labels = 0

    def labelled(self) -> None:
        """Somebody has labelled a page."""
        self._labels += 1
        if self._every and self._labels >= self._every:
            self.begin(lambda answer: self._engine.tell(Noted(name="relearnt", detail=answer)))

    def begin(self, answer: Answer) -> None:
        """Learn beside the crawl; ``answer`` is told what came of it."""
        self._labels = 0
        self._engine.chores.append(self._learn(answer))

    def _learn(self, answer: Answer) -> Iterator[None]:
        engine, store = self._engine, self._engine.parts.store
        if self._config.topic.model:
            answer("nothing learnt: the judge is a model; teach it with homing train, and crawl anew with it")
            return
        records = self._labelled_pages()
        try:
            if not records:
                raise UsageError("no labelled page has its text in the archive; call some right or wrong")
            judge = topic.load(self._config, self._layout, records).judge(self._config)
        except UsageError as error:
            answer(f"nothing learnt: {error}")
            return
        strategy = self._make_strategy(judge.topic())
        write_records(self._layout.taught_pages, records)
        engine.parts.workers.teach(judge)
        store.note("judge", judge.name)
        store.commit()
        yield
        changes, words = Changes(), Words()
        for url in store.roots():
            seq = engine.parts.frontier.seq_of(key(url))
            if seq is not None:
                words.hear(strategy, seq, strategy.start(url))
        step = 0
        while portion := list(islice(store.visits_since(step), PORTION)):
            for step, entry, reply, before in portion:
                if before.judge != UNREADABLE:
                    page = engine.parts.workers.desk.parser.read(reply)
                    self._meet(strategy, words, step, entry, page, before, changes)
            yield
        self._change_over(strategy, words)
        engine.counters.relevant += changes.to_relevant - changes.to_irrelevant
        store.note("relearnt", changes.facts(store.fact("relearnt"), step))
        store.commit()
        answer(changes.told(records))

    def _labelled_pages(self) -> list[Record]:
        """What people have said, with the pages as they were when they were last fetched."""
        labels = self._engine.parts.store.labels()
        self._engine.parts.store.commit()  # the reader sees nothing else
        names = {True: topic.EXAMPLE, False: topic.NEGATIVE}
        with Reader(self._layout.root) as reader:
            rows = ((reader.visit(seq), names[relevant]) for seq, relevant in labels.items())
            replies = ((reader.reply(row), name) for row, name in rows if row is not None)
            return [Record(reply=reply, labels=(name,)) for reply, name in replies if reply is not None]

    def _meet(
        self,
        strategy: Strategy,
        words: Words,
        step: int,
        entry: Entry,
        page: Page,
        before: Judgement,
        changes: Changes,
    ) -> None:
        """A page that was visited is visited again, as far as judge and strategy can tell."""
        parts = self._engine.parts
        judgement = parts.workers.desk.judgement(page)
        parts.store.rejudge(step, judgement)
        parts.offers.view.judge(entry.seq, judgement.score)
        changes.note(entry.url, before, judgement)
        entry = words.as_said(entry)
        words.spend(entry.seq)
        seqs = self._links(page, entry)
        page = replace(page, links=tuple(link for link in page.links if link.url in seqs))
        visit = Visit(step=step, entry=entry, page=page, judgement=judgement)
        strategy.learn(visit)
        for proposal in strategy.score(visit):
            seq = seqs.get(proposal.url)
            if seq is None:  # a page that was known before, or one that the crawl does not know
                seq = parts.frontier.seq_of(key(proposal.url))
            if seq is not None:
                words.hear(strategy, seq, proposal)

    def _links(self, page: Page, entry: Entry) -> dict[str, int]:
        """Where a page led: to what is known and was not turned down."""
        frontier = self._engine.parts.frontier
        known = ((link.url, frontier.seq_of(key(link.url))) for link in page.links if not page.nofollow)
        return {
            url: seq
            for url, seq in known
            if seq is not None and seq != entry.seq and not frontier.is_refused(seq)
        }

    def _change_over(self, strategy: Strategy, words: Words) -> None:
        """What was learnt takes effect. URLs of which nothing was said now keep the priority they have."""
        engine, parts = self._engine, self._engine.parts
        seqs, ranking = words.ranking(parts.frontier)
        parts.frontier.overwrite(ranking)
        engine.use(exchanged(parts, strategy=strategy))
        changed = [parts.store.entry(seq) for seq in seqs.tolist() if seq in words.memos]
        parts.store.update([words.as_said(entry) for entry in changed])
        if strategy.rerank_every:
            engine.rerank()
        # A crash brings the priorities back as they are now; a clean stop saves them again.
        parts.store.save_strategy(engine.counters.pages, strategy.state())
        parts.store.save_ranking(parts.frontier.ranking())


class Changes:
    """Whom the new judge has changed sides."""

    def __init__(self) -> None:
        self.pages = self.to_relevant = self.to_irrelevant = 0
        self._named: dict[bool, list[str]] = {True: [], False: []}

    def note(self, url: str, before: Judgement, after: Judgement) -> None:
        self.pages += 1
        if before.relevant == after.relevant:
            return
        self.to_relevant += after.relevant
        self.to_irrelevant += not after.relevant
        if len(self._named[after.relevant]) < SHOWN:
            self._named[after.relevant].append(url)

    def facts(self, before: object, step: int) -> dict[str, object]:
        """What the catalog notes; ``times`` tells others that all verdicts may have changed."""
        times = before.get("times", 0) if isinstance(before, dict) else 0
        return {
            "times": int(times) + 1,
            "step": step,
            "to_relevant": self.to_relevant,
            "to_irrelevant": self.to_irrelevant,
        }

    def told(self, records: list[Record]) -> str:
        """In a line or two for the person who asked."""
        right = sum(topic.EXAMPLE in record.labels for record in records)
        learnt = f"learnt from {right} right and {len(records) - right} wrong"
        found = f"{self.to_relevant:,} became relevant{self._names(self.to_relevant, self._named[True])}"
        lost = f"{self.to_irrelevant:,} irrelevant{self._names(self.to_irrelevant, self._named[False])}"
        return f"{learnt}; of {self.pages:,} pages, {found} and {lost}"

    @staticmethod
    def _names(count: int, urls: list[str]) -> str:
        return f" ({', '.join(urls)}{' ...' * (count > len(urls))})" if urls else ""
