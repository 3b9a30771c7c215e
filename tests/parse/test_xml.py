from homing.parse.xml import read_xml


class _Heard:
    def __init__(self, limit: int = 1_000) -> None:
        self.elements: list[tuple[str, str]] = []
        self.full = False
        self._limit = limit

    def start(self, name: str, attributes: dict[str, str], prefix: str) -> None:
        pass

    def end(self, name: str, text: str) -> None:
        self.elements.append((name, text))
        self.full = len(self.elements) >= self._limit


def _heard(body: str | bytes, content_type: str = "", limit: int = 1_000) -> list[tuple[str, str]]:
    reader = _Heard(limit)
    read_xml(body.encode() if isinstance(body, str) else body, content_type, reader)
    return reader.elements


def test_names_come_without_prefix_and_in_lower_case() -> None:
    assert _heard("<x:A><y:B>1</y:B></x:A>") == [("b", "1"), ("a", "")]


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "moths"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'
    assert _heard(bomb) == []


def test_an_external_entity_is_refused() -> None:
    assert _heard('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>') == []
    assert _heard('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]><a>1</a>') == []


def test_a_document_type_alone_is_fine_and_never_fetched() -> None:
    assert _heard('<!DOCTYPE a PUBLIC "-//X" "http://127.0.0.1:1/x.dtd"><a>1</a>') == [("a", "1")]


def test_what_was_read_before_an_error_counts() -> None:
    assert _heard("<a><b>1</b><b>2</b><b>3</a>") == [("b", "1"), ("b", "2")]


def test_bare_ampersands_and_entities_of_html_are_repaired() -> None:
    assert _heard("<a>x?b=1&c=2 &nbsp;&eacute; &lt; &#60; &#x41; &nonsense; &#0; &</a>") == [
        ("a", "x?b=1&c=2 \xa0é < < A &nonsense; \ufffd &")
    ]


def test_repair_works_across_pieces() -> None:
    text = "<a>" + "&amp; &eacute; " * 20_000 + "</a>"
    ((_, heard),) = _heard(text)
    assert heard.split() == ["&", "é"] * 20_000


def test_control_characters_are_left_out() -> None:
    assert _heard("<a>x\x0by\x00z</a>") == [("a", "xyz")]


def test_the_declared_encoding_is_heeded() -> None:
    assert _heard('<?xml version="1.0" encoding="windows-1251"?><a>жук</a>'.encode("windows-1251")) == [
        ("a", "жук")
    ]
    assert _heard("\ufeff<a>жук</a>".encode("utf-16-le")) == [("a", "жук")]


def test_endless_nesting_is_refused() -> None:
    assert _heard("<a>" * 100_000) == []


def test_a_full_reader_is_not_told_more() -> None:
    many = "<a>" + "<b/>" * 100_000 + "</a>"
    assert 10 <= len(_heard(many, limit=10)) < 20_000
