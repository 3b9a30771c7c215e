"""The pages a strategy remembers, in outline, to be fitted on later."""

from __future__ import annotations

from msgspec import convert, to_builtins
from msgspec.structs import replace

from homing.model import Link, Page, Visit
from homing.trails import LocalGraph

_MAX_TEXT = 1_500
_MAX_HEADINGS = 20
_MAX_LINKS = 100
_MAX_BLOCK = 300
_MAX_AROUND = 300


class Memory:
    """The pages of a crawl in outline: at most ``size`` of them, half for those that were relevant.

    When it is full, the oldest page is dropped, among the relevant ones if they are the larger half.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._relevant: dict[str, Page] = {}
        self._others: dict[str, Page] = {}

    def __len__(self) -> int:
        return len(self._relevant) + len(self._others)

    def keep(self, visit: Visit) -> None:
        """Remember a page; one visited again as it is now."""
        sketch = outline_of(visit.page)
        for pages in (self._relevant, self._others):
            pages.pop(sketch.url, None)
        (self._relevant if visit.judgement.relevant else self._others)[sketch.url] = sketch
        if len(self) > self.size:
            crowded = self._relevant if len(self._relevant) > self.size // 2 else self._others
            del crowded[next(iter(crowded))]

    def graph(self) -> LocalGraph:
        """Return the pages as training data: the relevant ones are the targets."""
        return LocalGraph([*self._relevant.values(), *self._others.values()], self._relevant.keys())

    def state(self) -> dict[str, object]:
        return {
            "relevant": to_builtins(list(self._relevant.values())),
            "others": to_builtins(list(self._others.values())),
        }

    def restore(self, state: object) -> None:
        kept = convert(state, dict[str, list[Page]])
        self._relevant = {page.url: page for page in kept["relevant"]}
        self._others = {page.url: page for page in kept["others"]}


def outline_of(page: Page) -> Page:
    """Return the page with only the beginning of its texts, as text that any JSON can hold."""
    return replace(
        page,
        title=_plain(page.title),
        description=_plain(page.description),
        keywords=_plain(page.keywords),
        alts=_plain(page.alts[:_MAX_BLOCK]),
        text=_plain(page.text[:_MAX_TEXT]),
        headings=tuple(map(_plain, page.headings[:_MAX_HEADINGS])),
        links=tuple(map(_outline_of_link, page.links[:_MAX_LINKS])),
    )


def _outline_of_link(link: Link) -> Link:
    return replace(
        link,
        anchor=_plain(link.anchor[:_MAX_AROUND]),
        around=_plain(link.around[:_MAX_AROUND]),
        block=_plain(link.block[:_MAX_BLOCK]),
        headings=tuple(map(_plain, link.headings)),
    )


def _plain(text: str) -> str:
    """Replace half surrogate pairs, which only Python takes for characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
