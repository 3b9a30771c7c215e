"""Only encodings of the web may pick a codec; as browsers read them: tests/parse/test_charset.py."""

import pytest

from homing.text.encodings import codec_of, own_codec_of

SLOW_OR_NONE = (
    "punycode idna unicode_escape raw_unicode_escape undefined utf-7 utf-32 utf-8-sig cp037 mbcs oem zlib "
    "rot13 base64 hex uu bz2 quopri"
)


@pytest.mark.parametrize("label", [*SLOW_OR_NONE.split(), "", "\x00", "x" * 100_000, "../encodings/punycode"])
def test_no_other_codec_of_python_can_be_named(label: str) -> None:
    for spelling in (label, label.upper(), f" {label} ", label.replace("_", "-")):
        assert codec_of(spelling) is None
        assert own_codec_of(spelling) is None


@pytest.mark.parametrize(
    "label", ["utf-8", "UTF8", "latin-1", "iso-8859-1", "gbk", "Shift_JIS", "koi8-r", "big5"]
)
def test_names_that_python_writes_are_known(label: str) -> None:
    codec = own_codec_of(label)
    assert codec is not None
    assert "moth".encode(codec) == b"moth"
