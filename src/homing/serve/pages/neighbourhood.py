"""The link neighbourhood of a page as a picture: who links to it on the left, where it leads on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from homing import urls
from homing.model import Standing
from homing.store.views.browsing import Neighbour

SIDE = 9
"""At most so many on each side: more cannot be read."""

WIDTH, _BOX, _ROW, _HEIGHT = 1040, 300, 44, 32
_LETTERS = 35
"""As many of a title fit into a box."""

Sort = Literal["relevant", "other", "waiting", "failed"]
MARKS: dict[Sort, str] = {"relevant": "✓", "other": "·", "waiting": "…", "failed": "✕"}
"""So that nobody has to go by the colour."""


class Box(Struct, frozen=True, kw_only=True):
    """A page in the picture."""

    seq: int
    x: int
    y: int
    label: str
    whole: str
    """Title and URL, unabridged."""
    sort: Sort
    is_centre: bool = False

    @property
    def mark(self) -> str:
        return MARKS[self.sort]


class Picture(Struct, frozen=True, kw_only=True):
    """Boxes, and the lines between them."""

    height: int
    boxes: tuple[Box, ...]
    lines: tuple[tuple[int, int, int, int], ...]
    """x and y of both ends; each leads from the left to the right."""
    width: int = WIDTH
    box_width: int = _BOX
    box_height: int = _HEIGHT


def draw(page: Neighbour, before: Sequence[Neighbour], after: Sequence[Neighbour]) -> Picture:
    """Place a page and its best neighbours."""
    left, right = best(before, page.seq), best(after, page.seq)
    rows = max(len(left), len(right), 1)
    height = rows * _ROW + 12
    middle = height // 2
    centre_x, right_x = (WIDTH - _BOX) // 2, WIDTH - _BOX - 1
    boxes = [_box(page, centre_x, middle, is_centre=True)]
    lines = []
    for place, neighbour in enumerate(left):
        y = _y(place, len(left), height)
        boxes.append(_box(neighbour, 1, y))
        lines.append((1 + _BOX, y, centre_x, middle))
    for place, neighbour in enumerate(right):
        y = _y(place, len(right), height)
        boxes.append(_box(neighbour, right_x, y))
        lines.append((centre_x + _BOX, middle, right_x, y))
    return Picture(height=height, boxes=tuple(boxes), lines=tuple(lines))


def best(neighbours: Sequence[Neighbour], but: int, most: int = SIDE) -> list[Neighbour]:
    """Those worth showing first: judged pages by their score, then what still waits, then the rest."""
    order = {Standing.DONE: 0, Standing.WAITING: 1}
    others = [neighbour for neighbour in neighbours if neighbour.seq != but]
    others.sort(key=lambda each: (order.get(each.standing, 2), -(each.score or 0.0), each.seq))
    return others[:most]


def sort_of(neighbour: Neighbour) -> Sort:
    """What it is to the crawl."""
    if neighbour.standing is Standing.WAITING:
        return "waiting"
    if neighbour.standing in (Standing.FAILED, Standing.REFUSED):
        return "failed"
    return "relevant" if neighbour.relevant else "other"


def _y(place: int, count: int, height: int) -> int:
    return round(height * (place + 0.5) / count)


def _box(neighbour: Neighbour, x: int, y: int, *, is_centre: bool = False) -> Box:
    label = neighbour.title.strip() or _short(neighbour.url)
    return Box(
        seq=neighbour.seq,
        x=x,
        y=y,
        label=label if len(label) <= _LETTERS else label[: _LETTERS - 1] + "…",
        whole=f"{neighbour.title}\n{neighbour.url}".strip(),
        sort=sort_of(neighbour),
        is_centre=is_centre,
    )


def _short(url: str) -> str:
    """A URL without its scheme; of a long one the end, where it says most."""
    plain = url.partition("://")[2] or url
    host = urls.host(url)
    if len(plain) <= _LETTERS or len(host) > _LETTERS - 12:
        return plain
    room = _LETTERS - len(host) - 1
    return f"{host}…{plain[-room:]}"
