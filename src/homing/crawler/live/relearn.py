"""Learning from labels: users label pages right or wrong, and the judge is trained again.

The judge is trained on the topic and the labelled pages. Then every archived page is judged again, in the
order in which it was fetched, and a new strategy learns from it and scores its links, as if the new judge had
been there from the beginning. When they have caught up with the crawl, the new priorities replace those of
the queued URLs, and the new strategy the old one.

This is done in portions between the turns of the engine (``Engine.chores``). The labelled pages are kept in
the crawl folder, so that the next run has the same judge. If a crawl stops half-way, the command is still in
its inbox, and the next run begins with it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

from homing.config import Config
from homing.crawler.engine import Engine
from homing.crawler.events import Noted
from homing.crawler.live.rescoring import Rescoring
from homing.crawler.parts import Parts
from homing.crawler.reader import UNREADABLE
from homing.errors import Damage, DamagedRecordError, UsageError
from homing.model import Entry, Judgement, Page, Reply, Topic, Visit
from homing.ports import Strategy
from homing.records import Record, write_records
from homing.store.folder import Layout
from homing.store.views.page_row import PageRow
from homing.store.views.reader import Reader
from homing.topic import gathered as topic

PORTION = 20
"""Pages between two turns of the engine: some 100 milliseconds, in which requests continue."""
SHOWN = 5
"""URLs of each kind that are named in the answer."""

MakeStrategy = Callable[[Topic], Strategy]
Answer = Callable[[str], None]


class Relearning:
    """Creates the chores by which a crawl learns from labels.

    Parameters
    ----------
    make_strategy
        Creates the crawl's strategy as it was at the very beginning, for a topic.
    every
        Learn after this many labels without a command; 0 for never.
    """

    def __init__(
        self,
        engine: Engine,
        parts: Parts,
        config: Config,
        layout: Layout,
        make_strategy: MakeStrategy,
        *,
        every: int = 0,
    ) -> None:
        self._engine = engine
        self._parts = parts
        self._config = config
        self._layout = layout
        self._make_strategy = make_strategy
        self._every = every
        self._labels = 0

    def labelled(self) -> None:
        """Count a label; enough of them, and the crawl learns."""
        self._labels += 1
        if self._every and self._labels >= self._every:
            self.begin(lambda answer: self._engine.tell(Noted(name="relearnt", detail=answer)))

    def begin(self, answer: Answer) -> None:
        """Learn beside the crawl; ``answer`` is told the result."""
        self._labels = 0
        self._engine.chores.append(self._learn(answer))

    def _learn(self, answer: Answer) -> Iterator[None]:
        parts, store = self._parts, self._parts.store
        if self._config.topic.model:
            answer(
                "not trained: the judge is a model; train one with homing train, and start a crawl with it"
            )
            return
        records = self._labelled_pages()
        try:
            if not records:
                raise UsageError("no labelled page has its text in the archive; label some right or wrong")
            judge = topic.load(self._config, self._layout, records).judge(self._config)
        except UsageError as error:
            answer(f"not trained: {error}")
            return
        rescoring = Rescoring(self._make_strategy(judge.topic()), parts.frontier.urls)
        write_records(self._layout.taught_pages, records)
        parts.reader.use(judge)
        store.note("judge", judge.name)
        store.commit()
        yield
        changes = Changes()
        rescoring.begin(store.roots())
        step = 0
        while portion := list(islice(store.visits_since(step, changes.damage.note), PORTION)):
            for step, entry, reply, before in portion:
                if before.judge != UNREADABLE:
                    page = parts.reader.parse(reply, "page")
                    judgement = self._rejudge(step, entry, page)
                    changes.note(entry.url, before, judgement)
                    rescoring.visit(Visit(step=step, entry=entry, page=page, judgement=judgement))
            yield
        self._change_over(rescoring)
        self._engine.counters.relevant = store.tally().relevant
        store.note("relearnt", changes.facts(store.fact("relearnt"), step))
        store.commit()
        answer(changes.answer(records))

    def _labelled_pages(self) -> list[Record]:
        """Return the labelled pages as they were when they were last fetched."""
        labels = self._parts.store.labels()
        self._parts.store.commit()  # the reader sees nothing else
        names = {True: topic.EXAMPLE, False: topic.NEGATIVE}
        with Reader(self._layout.root) as reader:
            rows = ((reader.visit(seq), names[relevant]) for seq, relevant in labels.items())
            replies = ((_reply_of(reader, row), name) for row, name in rows if row is not None)
            return [Record(reply=reply, labels=(name,)) for reply, name in replies if reply is not None]

    def _rejudge(self, step: int, entry: Entry, page: Page) -> Judgement:
        """Judge an archived page with the new judge, and keep the judgement."""
        judgement = self._parts.reader.judge(page)
        self._parts.store.rejudge(step, judgement)
        self._engine.offers.view.judge(entry.seq, judgement.score)
        return judgement

    def _change_over(self, rescoring: Rescoring) -> None:
        """Let the new strategy take over. URLs for which it proposed nothing keep the priority they have."""
        engine, parts, strategy = self._engine, self._parts, rescoring.strategy
        seqs, ranking = rescoring.ranking()
        parts.frontier.overwrite(ranking)
        parts.strategy = strategy
        changed = [parts.store.entry(seq) for seq in seqs.tolist() if seq in rescoring.memos]
        parts.store.update([rescoring.current(entry) for entry in changed])
        if strategy.rerank_every:
            engine.rerank()
        # A crash brings the priorities back as they are now; a clean stop saves them again.
        parts.store.save_strategy(engine.counters.steps, strategy.state())
        parts.store.save_ranking(parts.frontier.urls.ranking())


def _reply_of(reader: Reader, row: PageRow) -> Reply | None:
    """Return the archived reply; ``None`` where there is none, or its record is damaged."""
    with suppress(DamagedRecordError):
        return reader.reply(row)
    return None


class Changes:
    """Pages whose verdict the new judge has changed."""

    def __init__(self) -> None:
        self.pages = 0
        self.damage = Damage()
        self._changed: dict[str, bool] = {}
        """URLs, and whether their page is relevant now."""

    @property
    def to_relevant(self) -> int:
        return sum(self._changed.values())

    @property
    def to_irrelevant(self) -> int:
        return len(self._changed) - self.to_relevant

    def note(self, url: str, before: Judgement, after: Judgement) -> None:
        """Note the verdicts on a visit; of several visits of one page the last counts."""
        self.pages += 1
        self._changed.pop(url, None)
        if before.relevant != after.relevant:
            self._changed[url] = after.relevant

    def facts(self, before: object, step: int) -> dict[str, object]:
        """Return the facts for the catalog; by ``times``, readers see that all verdicts may have changed."""
        times = before.get("times", 0) if isinstance(before, dict) else 0
        return {
            "times": int(times) + 1,
            "step": step,
            "to_relevant": self.to_relevant,
            "to_irrelevant": self.to_irrelevant,
        }

    def answer(self, records: list[Record]) -> str:
        """Return the answer to the user, in a line or two."""
        right = sum(topic.EXAMPLE in record.labels for record in records)
        trained = f"trained on {right} right and {len(records) - right} wrong"
        found = f"{self.to_relevant:,} became relevant{self._names(True)}"
        lost = f"{self.to_irrelevant:,} irrelevant{self._names(False)}"
        damage = f"; {self.damage.line}" if self.damage.count else ""
        return f"{trained}; of {self.pages:,} pages, {found} and {lost}{damage}"

    def _names(self, relevant: bool) -> str:
        urls = [url for url, is_relevant in self._changed.items() if is_relevant is relevant]
        return f" ({', '.join(urls[:SHOWN])}{' ...' * (len(urls) > SHOWN)})" if urls else ""
