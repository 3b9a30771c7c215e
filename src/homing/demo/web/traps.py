"""Two crawler traps, generated on request: an endless calendar, and a shop with session ids."""

from __future__ import annotations

import hashlib
import re

_MONTH = re.compile(r"/calendar/(\d{4})/(\d{2})(?:/(\d{2}))?")
_SHOP = re.compile(r"/shop/(?:item-(\d))?(?:\?sid=([0-9a-f]+))?")
_ITEMS = 8
_DAYS = 28

Trap = tuple[str, str, list[tuple[str, str]]]
"""Title, a sentence, and links as (path, anchor)."""


def calendar(target: str) -> Trap | None:
    """Return a month or a day of the calendar: there is always a next one, and never an entry.

    >>> title, text, links = calendar("/calendar/2026/12")
    >>> title, links[1]
    ('Calendar for 12/2026', ('/calendar/2027/01', 'next month'))
    """
    match = _MONTH.fullmatch(target)
    if not match:
        return None
    year, month, day = int(match[1]), int(match[2]), match[3]
    if not (1 <= month <= 12 and 1 < year < 9999 and (day is None or 1 <= int(day) <= _DAYS)):
        return None
    before = (year, month - 1) if month > 1 else (year - 1, 12)
    after = (year, month + 1) if month < 12 else (year + 1, 1)
    links = [
        (f"/calendar/{before[0]:04}/{before[1]:02}", "previous month"),
        (f"/calendar/{after[0]:04}/{after[1]:02}", "next month"),
    ]
    links += [(f"/calendar/{year:04}/{month:02}/{number:02}", str(number)) for number in range(1, _DAYS + 1)]
    title = f"Calendar for {month:02}/{year:04}" + (f", day {int(day)}" if day else "")
    return title, "Nothing has been entered here yet.", links


def shop(target: str) -> Trap | None:
    """Return a page of the shop, with a new session in every link: few pages under endless addresses."""
    match = _SHOP.fullmatch(target)
    if not match or (match[1] and not 1 <= int(match[1]) <= _ITEMS):
        return None
    item, session = match[1], match[2] or ""
    links = []
    for number in range(1, _ITEMS + 1):
        fresh = hashlib.sha1(f"{session}/{item}/{number}".encode(), usedforsecurity=False).hexdigest()[:12]
        links.append((f"/shop/item-{number}?sid={fresh}", f"item {number}"))
    title = f"Shop: item {item}" if item else "Shop"
    return title, "Calendars, mugs and tea towels, sent by post on Fridays.", links
