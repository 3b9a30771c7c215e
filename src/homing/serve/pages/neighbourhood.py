"""The link neighbourhood of a page as a picture: its inlinks on the left, its outlinks on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from homing import urls
from homing.model import Standing
from homing.store.views.browsing import Neighbour

SIDE = 9
"""Maximum neighbours drawn per side; more would be illegible."""

WIDTH, _BOX, _ROW, _HEIGHT = 1040, 300, 44, 32
_LETTERS = 35
"""Letters of a title that fit into a box."""

Sort = Literal["relevant", "other", "queued", "failed"]
MARKS: dict[Sort, str] = {"relevant": "✓", "other": "·", "queued": "…", "failed": "✕"}
"""Signs in addition to the colours, for those who cannot tell them apart."""


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
    """Boxes and the lines between them."""

    height: int
    boxes: tuple[Box, ...]
    lines: tuple[tuple[int, int, int, int], ...]
    """x and y of both ends, from left to right."""
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


def best(neighbours: Sequence[Neighbour], without: int, most: int = SIDE) -> list[Neighbour]:
    """Return the neighbours to show first: judged pages by score, then queued URLs, then the rest."""
    order = {Standing.DONE: 0, Standing.WAITING: 1}
    others = [neighbour for neighbour in neighbours if neighbour.seq != without]
    others.sort(key=lambda each: (order.get(each.standing, 2), -(each.score or 0.0), each.seq))
    return others[:most]


def sort_of(neighbour: Neighbour) -> Sort:
    """Return how a neighbour is marked."""
    if neighbour.standing is Standing.WAITING:
        return "queued"
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
    """Shorten a URL: without its scheme, and of a long one its end, which says most."""
    plain = url.partition("://")[2] or url
    host = urls.host(url)
    if len(plain) <= _LETTERS or len(host) > _LETTERS - 12:
        return plain
    room = _LETTERS - len(host) - 1
    return f"{host}…{plain[-room:]}"
