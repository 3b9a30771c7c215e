import sys
from collections.abc import Callable
from io import BytesIO

import pytest
from pypdf import PdfWriter
from pypdf.annotations import Link
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from homing.model import Page
from homing.parse.pdf import MAX_SECONDS, read_pdf

Read = Callable[..., Page]


def _pdf(pages: int = 1) -> bytes:
    writer = PdfWriter()
    writer.add_metadata({"/Title": "Hawk moths"})
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for number in range(pages):
        page = writer.add_blank_page(300, 300)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        content = DecodedStreamObject()
        content.set_data(b"BT /F1 12 Tf 20 200 Td (Page %d tells of moths that fly at night.) Tj ET" % number)
        page[NameObject("/Contents")] = writer._add_object(content)
        writer.add_annotation(number, Link(rect=(0, 0, 9, 9), url=f"http://example.org/hawk-moths-{number}"))
    writer.add_annotation(0, Link(rect=(0, 0, 9, 9), url="mailto:moth@example.org"))
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize("content_type", ["application/pdf", "application/octet-stream", ""])
def test_a_pdf_file_has_title_text_and_links(read: Read, content_type: str) -> None:
    page = read(_pdf(), content_type)
    assert page.title == "Hawk moths"
    assert page.text == "Page 0 tells of moths that fly at night."
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://example.org/hawk-moths-0", "hawk moths")
    ]
    assert page.language == "en"


def test_reading_ends_when_the_time_is_up() -> None:
    times = iter([0.0, 1.0, MAX_SECONDS + 1.0])
    page = read_pdf(_pdf(pages=5), "http://example.org/", clock=lambda: next(times))
    assert page.text.count("Page") == 2


@pytest.mark.parametrize("cut", [20, 200, 400])
def test_a_broken_pdf_file_is_recorded(read: Read, cut: int) -> None:
    page = read(_pdf()[:-cut], "application/pdf")
    assert page.digest


def test_without_the_extra_it_is_recorded_with_no_text(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    page = read(_pdf(), "application/pdf")
    assert page == Page(url=page.url, digest=page.digest)
