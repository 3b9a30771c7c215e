"""Real pages in many languages: two each, one on butterflies in the garden, one on railways.

Half of them are in the charsets that such pages were written in before UTF-8.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from homing.judge import JUDGES, Brief
from homing.judge.keywords import Keywords
from homing.judge.words.background import guess_language
from homing.model import Page, Reply
from homing.parse import PageParser
from homing.text.words import bag, is_paired, primary, terms, words

FOLDER = Path(__file__).parents[1] / "data" / "languages"


@dataclass(frozen=True)
class Spoken:
    """A language as the tests need it."""

    code: str
    topic: str
    """What the first page is about, said as a user would."""
    small: str
    """Words of the first page that say nothing of its topic."""
    kin: tuple[str, ...] = ()
    """Forms of one word, where somebody knows the language's stems."""
    pairs: tuple[str, ...] = ()
    """Pairs of characters that the first page must have, where words have no blanks between them."""


LANGUAGES = [
    Spoken("ar", "الفراشات في الحديقة", "من على التي", kin=("حديقة", "الحديقة")),
    Spoken("cs", "motýli na zahradě", "které než kde", kin=("motýl", "motýli", "motýlům")),
    Spoken("de", "Schmetterlinge im Garten", "der und ihre", kin=("Garten", "Gärten")),
    Spoken("el", "πεταλούδες στον κήπο", "της και τους", kin=("πεταλούδα", "πεταλούδες")),
    Spoken("en", "butterflies in the garden", "the and which", kin=("butterfly", "butterflies")),
    Spoken("es", "mariposas en el jardín", "las que donde", kin=("mariposa", "mariposas")),
    Spoken("fa", "پروانه‌ها در باغ", "برای که می‌کند", kin=("پروانه", "پروانه‌ها")),
    Spoken("fi", "perhoset puutarhassa", "ja jotka niiden", kin=("perhoset", "perhosia")),
    Spoken("fr", "papillons au jardin", "les leurs dont", kin=("papillon", "papillons")),
    Spoken("he", "פרפרים בגינה", "את גם כי"),
    Spoken("hi", "बगीचे में तितलियाँ", "में और जिन्हें", kin=("तितली", "तितलियाँ", "तितलियों")),
    Spoken("id", "kupu-kupu di taman", "yang untuk dari", kin=("makan", "dimakan")),
    Spoken("it", "farfalle in giardino", "le della che", kin=("giardino", "giardini")),
    Spoken("ja", "庭の蝶", "は を から", pairs=("幼虫", "野草", "ニン", "ンジ", "ジン")),
    Spoken("ko", "정원의 나비", "까지 많은 때문", pairs=("나비", "정원", "애벌", "벌레")),
    Spoken("nl", "vlinders in de tuin", "de een zulke", kin=("vlinder", "vlinders")),
    Spoken("pl", "motyle w ogrodzie", "się które niż", kin=("motyl", "motyle", "motylom")),
    Spoken("pt", "borboletas no jardim", "as que uma", kin=("borboleta", "borboletas")),
    Spoken("ru", "бабочки в саду", "и за которые", kin=("сад", "саду", "садах", "сада")),
    Spoken("sv", "fjärilar i trädgården", "som och deras", kin=("fjäril", "fjärilar", "fjärilen")),
    Spoken("th", "ผีเสื้อในสวน", "ใน ให้ และ", pairs=("ผีเ", "เสื้", "สื้อ")),
    Spoken("tr", "bahçede kelebekler", "bir ve için", kin=("kelebek", "kelebekler")),
    Spoken("uk", "метелики в саду", "які що від"),
    Spoken("vi", "bướm trong vườn", "của và những"),
    Spoken("zh-Hans", "花园里的蝴蝶", "它们 因为 许多", pairs=("蝴蝶", "花园", "幼虫")),
    Spoken("zh-Hant", "花園裡的蝴蝶", "它們 因為 許多", pairs=("蝴蝶", "花園", "幼蟲")),
]  # fmt: skip

ONE_A_SCRIPT = ("ar", "el", "de", "hi", "ja", "ko", "ru", "th", "zh-Hant")
"""A judge that learns reads a language's whole word list first, which takes a second."""

each_language = pytest.mark.parametrize("spoken", LANGUAGES, ids=lambda spoken: spoken.code)


def read(name: str, *, declared: bool = True) -> Page:
    body = (FOLDER / f"{name}.html").read_bytes()
    if not declared:
        body = re.sub(rb' lang="[^"]*"', b"", body)
    here = f"http://a.example/{name}"
    headers = (("content-type", "text/html"),)
    return PageParser().read(Reply(url=here, final_url=here, status=200, headers=headers, body=body))


def both(spoken: Spoken) -> tuple[Page, Page]:
    return read(f"{spoken.code}-butterflies"), read(f"{spoken.code}-railways")


def test_every_page_is_of_a_language_that_is_tested() -> None:
    written = {f"{spoken.code}-{subject}" for spoken in LANGUAGES for subject in ("butterflies", "railways")}
    assert {path.stem for path in FOLDER.glob("*.html")} == written


def test_many_charsets_are_among_the_pages() -> None:
    labels = {re.search(rb'charset="?([\w-]+)', path.read_bytes())[1] for path in FOLDER.glob("*.html")}  # type: ignore[index]
    assert len(labels) >= 15


@each_language
def test_pages_are_read_whole_in_their_charset_and_language(spoken: Spoken) -> None:
    for page in both(spoken):
        assert "\ufffd" not in page.text
        assert page.title in page.headings
        assert page.language == primary(spoken.code)
        assert len(words(page.text)) >= 120


@each_language
def test_the_language_is_told_from_the_text_where_the_page_does_not_say_it(spoken: Spoken) -> None:
    for subject in ("butterflies", "railways"):
        assert read(f"{spoken.code}-{subject}", declared=False).language == primary(spoken.code)


@each_language
def test_small_words_are_left_out(spoken: Spoken) -> None:
    page, _ = both(spoken)
    said, kept = set(words(page.text)), set(terms(page.text, page.language))
    small = {word for text in spoken.small.split() for word in words(text)}
    assert small <= said
    assert small.isdisjoint(kept)
    assert len(kept) < len(said)


@pytest.mark.parametrize("spoken", [each for each in LANGUAGES if each.kin], ids=lambda spoken: spoken.code)
def test_the_forms_of_a_word_meet_in_one_stem(spoken: Spoken) -> None:
    page, _ = both(spoken)
    meeting = {term for form in spoken.kin for term in terms(form, page.language)}
    assert len(meeting) == 1
    said = words(page.text)
    occurring = sum(said.count(word) for form in spoken.kin for word in words(form))
    assert bag(page.text, page.language)[meeting.pop()] >= occurring > 0


@pytest.mark.parametrize("spoken", [each for each in LANGUAGES if each.pairs], ids=lambda spoken: spoken.code)
def test_where_words_have_no_blanks_pairs_of_characters_stand_for_them(spoken: Spoken) -> None:
    page, _ = both(spoken)
    found = bag(page.text, page.language)
    assert all(page.text.count(pair) == found[pair] > 0 for pair in spoken.pairs)
    for term in filter(is_paired, found):
        # The marks that lengthen or repeat belong to no script of their own.
        assert (
            len(
                {unicodedata.name(letter).split()[0] for letter in term}
                - {"KATAKANA-HIRAGANA", "IDEOGRAPHIC"}
            )
            <= 1
        )


@each_language
def test_the_language_of_a_topic_is_told_from_its_few_words(spoken: Spoken) -> None:
    assert guess_language(spoken.topic) == primary(spoken.code)


@each_language
def test_a_topic_said_in_the_language_tells_the_pages_apart(spoken: Spoken) -> None:
    butterflies, railways = both(spoken)
    judge = Keywords(Brief(text=spoken.topic, language=spoken.code))
    assert judge.judge(butterflies).relevant
    assert not judge.judge(railways).relevant


@pytest.mark.parametrize(
    "spoken", [each for each in LANGUAGES if each.code in ONE_A_SCRIPT], ids=lambda spoken: spoken.code
)
def test_an_example_in_the_language_tells_the_pages_apart(spoken: Spoken) -> None:
    butterflies, railways = both(spoken)
    example, unseen = _halves(butterflies)
    _, other = _halves(railways)
    judge = JUDGES.get("examples")(Brief(examples=(example,)))
    assert judge.judge(unseen).score > judge.judge(other).score


def _halves(page: Page) -> tuple[Page, Page]:
    """The first two paragraphs of a page, and the last one, as pages without a title."""
    *first, last = filter(None, page.text.splitlines())
    bare = replace(page, title="", headings=())
    return replace(bare, text="\n".join(first)), replace(bare, text=last)
