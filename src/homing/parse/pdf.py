"""Read title, text and links of a PDF file, where the ``[pdf]`` extra (pypdf) is installed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdf import PageObject

MAX_PAGES = 100
MAX_SECONDS = 10.0
"""Checked after each page; the engine kills a worker that hangs within one."""
MAX_TEXT = 500_000
MAX_LINKS = 1_000

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Document:
    """Title, text and link targets of a PDF file."""

    title: str = ""
    text: str = ""
    targets: tuple[str, ...] = ()


def read_pdf(body: bytes, *, clock: Callable[[], float] = time.monotonic) -> Document:
    """Read a PDF file within the limits; return an empty document without the extra."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return Document()
    title, texts, targets = "", [], dict[str, None]()
    deadline = clock() + MAX_SECONDS
    # pypdf reports damage as warnings in its own log; thousands a file, and none that we could mend.
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
    return Document(title, text, tuple(targets)[:MAX_LINKS])


def _targets(page: PageObject) -> list[str]:
    """Return the URLs that a page links to."""
    found = []
    for reference in page.get("/Annots") or ():
        action = reference.get_object().get("/A")
        if action is not None and "/URI" in (action := action.get_object()):
            found.append(str(action["/URI"]))
    return found
