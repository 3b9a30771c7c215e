"""From what a user said of the topic to the judge of a crawl.

``crawler/examples.py`` fetches the pages that were named by URL, ``gather`` reads everything else. Both are
saved in the crawl folder, so that ``load`` builds the very same judge when the crawl resumes: without
fetching again, and whatever has become of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from homing.config import Config, TopicSection
from homing.errors import DamagedError, ModelError, UsageError
from homing.extras import check_can_fit
from homing.fetch.wiring import identity_of
from homing.files import whole_file
from homing.judge import JUDGES, Brief, Judge
from homing.judge.model_files import judge_in
from homing.model import Page
from homing.modelfile import Model, read_model
from homing.parse import PageParser
from homing.records import Record, read_records, write_records
from homing.registry import make
from homing.store.folder import Layout
from homing.topic.sources import Fetched, Sample, Sources, urls_in

EXAMPLE, NEGATIVE = "example", "negative"
"""Labels of the pages that are saved."""

WORDS_ONLY = ("keywords", "decimal")
"""Judges that cannot be trained on pages."""

WORDS = 12
"""Maximum keywords shown for a judge that does not describe its topic itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """All that the user said of the topic, with its pages read."""

    brief: Brief
    records: tuple[Record, ...] = ()
    """The pages of the brief as received, labelled ``example`` or ``negative``."""
    model: Model | None = None
    model_name: str = ""
    """Name of its file when the crawl was started."""
    taxonomy: str = ""
    """The file with the judge's taxonomy, if it was given one: the user's, or the crawl's own copy."""
    has_labelled: bool = False
    """Whether some of the pages are the crawl's own, labelled by users."""

    def judge(self, config: Config) -> Judge:
        """Build the judge that the configuration names (``judge_for``).

        A judge of words alone is replaced by one that compares pages, once users have labelled some.
        """
        if self.model is None:
            name, parameters = config.judge.name, config.judge.parameters
            if self.has_labelled and name in WORDS_ONLY:
                name, parameters = "examples", {}
            elif self.taxonomy:
                parameters["taxonomy"] = self.taxonomy
            return make(JUDGES.get(name), parameters, self.brief)
        if self.model.name != config.judge.name:
            raise UsageError(
                f'{self.model.source} is a model of the judge "{self.model.name}",'
                f' not of "{config.judge.name}"; leave the name out'
            )
        return judge_in(self.model)

    def understood(self, judge: Judge) -> str:
        """Return in one line how the topic was understood: by what, and its heaviest words."""
        topic = judge.topic()
        weighty = topic.description or ", ".join(topic.keywords[:WORDS])
        return f"{judge.name} judges by {self._basis()}: {weighty}"

    def _basis(self) -> str:
        if self.model is not None:
            return f"{self.model_name}, {_trained(self.model)}"
        if self.brief.examples:
            off = f" and {_pages(len(self.brief.negatives), 'other')}" * bool(self.brief.negatives)
            return _pages(len(self.brief.examples), "example") + off
        if self.brief.codes:
            return f"code {', '.join(self.brief.codes)}"
        return "the words of the topic"

    def keep(self, layout: Layout) -> None:
        """Save it in a crawl folder, of which the caller holds the lock."""
        if self.records:
            write_records(layout.topic_pages, self.records)
        if self.model:
            with whole_file(layout.topic_model) as file:
                file.write(self.model.content)
        if self.taxonomy:
            with whole_file(layout.topic_taxonomy) as file:
                file.write(Path(self.taxonomy).read_bytes())


def judge_for(config: Config) -> str:
    """Return the name of a crawl's judge: the one configured, or else the one that fits the topic.

    One that cannot be fitted here is refused before its examples are fetched.
    """
    topic = config.topic
    if config.judge.name:
        if not topic.model:
            check_can_fit(JUDGES.get(config.judge.name))
        return config.judge.name
    if topic.model:
        return read_model(Path(topic.model)).name
    if topic.examples:
        return "examples"
    return "decimal" if topic.codes else "keywords"


def example_urls(topic: TopicSection) -> tuple[str, ...]:
    """Return the URLs among examples and negatives."""
    sources = (*topic.examples, *topic.negatives)
    return tuple(dict.fromkeys(url for source in sources for url in urls_in(source)))


def gather(config: Config, fetched: Fetched) -> Gathered:
    """Read all that the user said of the topic. What cannot be read is listed, a line each."""
    topic = config.topic
    if topic.model:
        return _gather_model(topic, Path(topic.model))
    sources = Sources(PageParser(product=identity_of(config).product), fetched)
    examples = list(_with_words(sources, topic.examples))
    negatives = list(_with_words(sources, topic.negatives))
    sources.check()
    return Gathered(
        brief=_brief(topic, [each.page for each in examples], [each.page for each in negatives]),
        records=(
            *(replace(each.record, labels=(EXAMPLE,)) for each in examples),
            *(replace(each.record, labels=(NEGATIVE,)) for each in negatives),
        ),
        taxonomy=str(config.judge.parameters.get("taxonomy", "")),
    )


def load(config: Config, layout: Layout, labelled: Sequence[Record] | None = None) -> Gathered:
    """Load what was gathered when the crawl in a folder was started, and the pages labelled since.

    ``labelled`` are those pages, as records. Default: those that the judge was last trained on.
    """
    topic = config.topic
    try:
        if topic.model:
            return _gather_model(topic, layout.topic_model)
        records = tuple(read_records(layout.topic_pages)) if topic.examples else ()
        if labelled is None:
            labelled = tuple(read_records(layout.taught_pages)) if layout.taught_pages.is_file() else ()
    except (UsageError, ModelError) as error:
        raise DamagedError(f"{error}; restore it from a copy or choose another folder") from None
    parser = PageParser(product=identity_of(config).product)
    relabelled = {record.reply.url for record in labelled}  # the last label counts, also on a first example
    latest = [*(record for record in records if record.reply.url not in relabelled), *labelled]
    pages = [(record, parser.read(record.reply)) for record in latest]
    return Gathered(
        brief=_brief(
            topic,
            [page for record, page in pages if EXAMPLE in record.labels],
            [page for record, page in pages if NEGATIVE in record.labels],
        ),
        records=records,
        taxonomy=str(layout.topic_taxonomy) if config.judge.parameters.get("taxonomy") else "",
        has_labelled=bool(labelled),
    )


def _gather_model(topic: TopicSection, path: Path) -> Gathered:
    return Gathered(brief=_brief(topic, [], []), model=read_model(path), model_name=Path(topic.model).name)


def _with_words(sources: Sources, named: tuple[str, ...]) -> Iterator[Sample]:
    """Yield the pages of these sources that have words; note a source of which none has."""
    seen: set[str] = set()
    for source in named:
        found = list(sources.read(source))
        readable = [sample for sample in found if sample.has_words]
        if found and not readable:
            sources.troubles.append(f"{source} holds no text to learn from")
        for sample in readable:
            if sample.page.url not in seen:
                seen.add(sample.page.url)
                yield sample


def _brief(topic: TopicSection, examples: list[Page], negatives: list[Page]) -> Brief:
    return Brief(
        text=topic.text,
        keywords=topic.keywords,
        language=topic.language,
        examples=tuple(examples),
        negatives=tuple(negatives),
        codes=topic.codes,
    )


def _trained(model: Model) -> str:
    counts = model.trained_on
    on, off = counts.get("positives", 0), counts.get("negatives", 0) + counts.get("unlabelled", 0)
    return f"trained on {_pages(on, 'example')}" + f" and {_pages(off, 'other')}" * bool(off)


def _pages(count: int, kind: str) -> str:
    return f"{count:,} {kind} page{'s' * (count != 1)}"
