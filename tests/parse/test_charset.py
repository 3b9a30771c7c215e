import pytest

from homing.parse.charset import decode, encoding_of
from homing.text.encodings import codec_of


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b"\xef\xbb\xbfx", "text/html; charset=koi8-r", "utf-8"),
        (b"\xff\xfex\x00", "text/html; charset=utf-8", "utf-16-le"),
        (b"\xfe\xff\x00x", "", "utf-16-be"),
    ],
)
def test_a_byte_order_mark_beats_the_header(body: bytes, content_type: str, expected: str) -> None:
    assert encoding_of(body, content_type) == expected
    assert decode(body, content_type) == "x"


def test_the_header_beats_the_meta_element() -> None:
    assert encoding_of(b'<meta charset="koi8-r">', "text/html; charset=windows-1251") == "cp1251"


def test_a_header_with_an_unknown_label_is_passed_over() -> None:
    assert encoding_of(b'<meta charset="koi8-r">', "text/html; charset=martian") == "koi8-r"


@pytest.mark.parametrize(
    "markup",
    [
        b"<meta charset=koi8-r>",
        b"<META CHARSET = 'KOI8-R' >",
        b'<html><head><title>x</title><meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        b"<meta content='text/html;charset=\"koi8-r\"' http-equiv=content-type>",
        b"<?xml version='1.0' encoding='koi8-r'?><html>",
        b'<!-- <meta charset="utf-8"> --><p title=">"><meta charset=koi8-r>',
    ],
)
def test_a_page_names_its_encoding(markup: bytes) -> None:
    assert encoding_of(markup + b"\xc1") == "koi8-r"


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be"])
def test_utf_16_in_a_meta_element_means_utf_8(label: str) -> None:
    assert encoding_of(f'<meta charset="{label}">'.encode()) == "utf-8"


@pytest.mark.parametrize(
    "label", ["utf-7", "UTF-7", "x-unicode-2-0-utf-7", "base64", "rot13", "idna", "hex", ""]
)
def test_what_is_no_encoding_of_the_web_is_refused(label: str) -> None:
    assert codec_of(label) is None


def test_utf_7_can_not_smuggle_a_tag() -> None:
    assert decode(b"+ADw-script+AD4-", "text/html; charset=utf-7") == "+ADw-script+AD4-"


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("iso-8859-1", "cp1252"),
        (" ASCII ", "cp1252"),
        ("gb2312", "gb18030"),
        ("shift_jis", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("x-user-defined", "cp1252"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, codec: str) -> None:
    assert codec_of(label) == codec


def test_bytes_without_meaning_are_replaced() -> None:
    assert decode(b"a\xffb", "text/html; charset=utf-8") == "a\ufffdb"


def test_without_any_hint_valid_utf_8_is_utf_8() -> None:
    assert decode("größer".encode()) == "größer"


def test_a_body_cut_within_a_letter_is_still_utf_8() -> None:
    assert encoding_of("größer, schöner, weiter ü".encode()[:-1]) == "utf-8"


def test_without_any_hint_russian_is_guessed() -> None:
    text = "Бабочки летают над лугами, и цветы открываются им навстречу каждое утро. " * 5
    assert decode(text.encode("windows-1251")) == text
