"""Read title, text and links of a PDF file, where the ``[pdf]`` extra (pypdf) is installed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from homing.model import Link, Page
from homing.parse.fingerprint import fingerprint
from homing.parse.outline import MAX_TEXT
from homing.urls import canonical, words_of

if TYPE_CHECKING:
    from pypdf import PageObject

MAX_PAGES = 100
MAX_SECONDS = 10.0
"""Checked after each page; the engine kills a worker that hangs within one."""
MAX_LINKS = 1_000

logger = logging.getLogger(__name__)


def read_pdf(body: bytes, url: str, *, clock: Callable[[], float] = time.monotonic) -> Page:
    """Return the page in a PDF file, read within the limits; an empty one without the extra."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return Page(url=url)
    title, texts, targets = "", [], dict[str, None]()
    deadline = clock() + MAX_SECONDS
    # pypdf reports damage as warnings in its own log; thousands a file, and none that we could fix.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(body), strict=False)
        title = str((reader.metadata and reader.metadata.title) or "").strip()
        for page in reader.pages[:MAX_PAGES]:
            texts.append(page.extract_text())
            targets.update(dict.fromkeys(_targets(page)))
            if clock() > deadline or sum(map(len, texts)) > MAX_TEXT or len(targets) > MAX_LINKS:
                break
    except Exception as error:
        # A broken file makes pypdf fail in as many ways as files are broken (TypeError, KeyError,
        # RecursionError ...). What was read before is still good.
        logger.debug("PDF not read to its end: %s: %s", type(error).__name__, error)
    text = "\n".join(texts)[:MAX_TEXT].encode("utf-8", "replace").decode()
    links = _links(list(targets)[:MAX_LINKS], url)
    return Page(url=url, title=title, text=text, links=links, fingerprint=fingerprint(text))


def _links(targets: Iterable[str], url: str) -> tuple[Link, ...]:
    urls = dict.fromkeys(filter(None, (canonical(target, url) for target in targets)))
    return tuple(
        Link(url=target, anchor=words_of(target), around=words_of(target), place=place)
        for place, target in enumerate(urls)
        if target != url
    )


def _targets(page: PageObject) -> list[str]:
    """Return the URLs that a page links to."""
    found = []
    for reference in page.get("/Annots") or ():
        action = reference.get_object().get("/A")
        if action is not None and "/URI" in (action := action.get_object()):
            found.append(str(action["/URI"]))
    return found
