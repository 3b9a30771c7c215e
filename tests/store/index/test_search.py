"""What is found, in which order, in which language."""

from pathlib import Path

import pytest
from tests.store.index.conftest import Shelve, names, page

from homing.errors import FolderError, UsageError
from homing.store.index import Filters, Search


def test_words_are_found_in_any_of_their_forms_and_all_of_them_must_be_there(shelve: Shelve) -> None:
    search = shelve(page("a.org/1", "Gardens for butterflies"), page("a.org/2", "A garden of stones"))
    assert names(search, "Butterfly garden") == ["a.org/1"]
    assert set(names(search, "gardening")) == {"a.org/1", "a.org/2"}
    assert names(search, "butterfly stones") == []


def test_phrases_minus_or_and_places(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/1", "A hawk caught the moth", title="Hawks"),
        page("a.org/2", "The hawk moth at dusk", title="Dusk"),
        page("a.org/3", "Wild bees at dusk", title="Bees and moths"),
    )
    assert names(search, '"hawk moth"') == ["a.org/2"]
    assert set(names(search, "hawk -dusk")) == {"a.org/1"}
    assert set(names(search, "bees OR dusk")) == {"a.org/2", "a.org/3"}
    assert names(search, "title:moth") == ["a.org/3"]
    assert set(names(search, "moth -title:moth")) == {"a.org/1", "a.org/2"}


def test_titles_anchors_and_addresses_are_searched_and_titles_count_most(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/1", "About insects, and a moth " + "and more of them " * 5),
        page("a.org/2", "About insects " + "and more of them " * 5, title="The moth"),
        page("a.org/moths-at-night.html", "insects"),
        page("a.org/4", "insects"),
        anchors={3: ["see here", "moths of Europe"]},
    )
    assert names(search, "moth")[0] == "a.org/2"
    assert set(names(search, "moth")) == {"a.org/1", "a.org/2", "a.org/4", "a.org/moths-at-night.html"}
    assert names(search, '"moths of Europe"') == ["a.org/4"]


def test_of_two_equal_pages_the_one_on_the_topic_comes_first(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/1", "Moths", score=0.1),
        page("a.org/2", "Moths", score=0.9),
        page("a.org/3", "Moths", score=0.4),
    )
    assert names(search, "moths") == ["a.org/2", "a.org/3", "a.org/1"]


def test_results_are_sorted_by_topic_or_date(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/1", "moths", score=0.2, at=3),
        page("a.org/2", "moths moths", score=0.9, at=1),
        page("a.org/3", "moths moths moths", score=0.5, at=2),
    )
    assert names(search, "moths", sort="topic") == ["a.org/2", "a.org/3", "a.org/1"]
    assert names(search, "moths", sort="date") == ["a.org/1", "a.org/3", "a.org/2"]
    assert [hit.score for hit in search.search("moths", sort="date").hits] == [None] * 3


def test_filters_leave_out_what_they_say(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/1", "moths", score=0.2, at=0),
        page("news.a.org/2", "moths", score=0.5, at=100),
        page("b.org/3", "moths", score=0.9, at=200, language="de"),
    )
    at = 1_700_000_000.0
    assert set(names(search, "moths", filters=Filters(host="a.org"))) == {"a.org/1", "news.a.org/2"}
    assert names(search, "host:news.a.org") == ["news.a.org/2"]
    assert set(names(search, "moths -host:a.org")) == {"b.org/3"}
    assert names(search, "", filters=Filters(language="de-AT")) == ["b.org/3"]
    assert set(names(search, "", filters=Filters(score=0.5))) == {"news.a.org/2", "b.org/3"}
    assert set(names(search, "", filters=Filters(since=at + 100))) == {"news.a.org/2", "b.org/3"}
    assert names(search, "", filters=Filters(until=at + 100)) == ["a.org/1"]
    with pytest.raises(UsageError, match="no host"):
        search.search("moths", Filters(host="[["))


def test_pages_of_results_follow_each_other_and_know_the_total(shelve: Shelve) -> None:
    search = shelve(*(page(f"a.org/{number}", "moths", at=number) for number in range(25)))
    pages = [search.search("moths", sort="date", offset=offset, limit=10) for offset in (0, 10, 20)]
    assert [found.total for found in pages] == [25] * 3
    urls = [hit.url for found in pages for hit in found.hits]
    assert urls == [f"https://a.org/{number}" for number in reversed(range(25))]
    assert search.search("moths", offset=25).hits == ()
    with pytest.raises(UsageError, match="narrow"):
        search.search("moths", offset=10_000)


def test_each_page_is_asked_in_its_own_language(shelve: Shelve) -> None:
    search = shelve(
        page("a.org/en", "They die young, says the paper"),
        page("a.org/de", "Die Gärten der Schmetterlinge", language="de"),
        page("a.org/fr", "Les papillons volaient dans les jardins", language="fr"),
    )
    assert names(search, "Garten Schmetterling") == ["a.org/de"]
    assert names(search, "papillon jardin") == ["a.org/fr"]
    # A stop word to German pages, which have none; a word to English ones.
    assert names(search, "die Schmetterlinge") == ["a.org/de"]
    assert names(search, "die young") == ["a.org/en"]


CHINESE = "我们在花园里种植了许多吸引蝴蝶的花卉。蝴蝶花园需要阳光,也需要水。猫在树下睡觉。"
JAPANESE = "東京タワーへ行くと、蝶の庭園があります。カタカナのテキストも検索できます。"


def test_chinese_and_japanese_pages_are_found_and_marked(shelve: Shelve) -> None:
    search = shelve(
        page("a.cn/1", CHINESE, title="蝴蝶花园", language="zh"),
        page("a.cn/2", "花卉市场的价格上涨了。蝴蝶结很好看。", language="zh"),
        page("a.jp/1", JAPANESE, title="庭園", language="ja"),
        page("a.org/1", "Gardens in Tokyo"),
    )
    assert names(search, "蝴蝶花园") == ["a.cn/1"]
    assert set(names(search, "蝴蝶")) == {"a.cn/1", "a.cn/2"}
    assert names(search, "蝴蝶 阳光") == ["a.cn/1"]
    assert names(search, "東京タワー") == ["a.jp/1"]
    assert names(search, "テキスト 庭園") == ["a.jp/1"]
    marked = [piece for piece, is_marked in search.search("蝴蝶花园").hits[0].snippet if is_marked]
    assert "蝴蝶花园" in marked


def test_a_single_chinese_character_is_found_within_words(shelve: Shelve) -> None:
    search = shelve(page("a.cn/1", CHINESE, language="zh"), page("a.cn/2", "狗在院子里。", language="zh"))
    assert names(search, "猫") == ["a.cn/1"]
    assert names(search, "子") == ["a.cn/2"]


def test_words_that_say_nothing_are_refused(shelve: Shelve) -> None:
    search = shelve(page("a.org/1", "The moths of the world"))
    assert names(search, "the moths") == ["a.org/1"]
    for query in ("the", '"of the"', "!!!"):
        with pytest.raises(UsageError, match="add others"):
            search.search(query)


def test_no_query_breaks_the_index(shelve: Shelve) -> None:
    search = shelve(page("a.org/1", "C++ and .NET: moths * of [Europe] caf\u00e9 na\u00efve"))
    assert names(search, "moths*") == ["a.org/1"]
    assert names(search, '"[Europe]" ^~?') == ["a.org/1"]
    assert names(search, "moths \udce9 café") == ["a.org/1"]
    assert names(search, "moths) OR (title") == ["a.org/1"]


def test_similar_pages_share_what_sets_a_page_apart(shelve: Shelve) -> None:
    moths = "The hawk moth drinks nectar at dusk and its larva eats bedstraw leaves"
    search = shelve(
        page("a.org/1", moths),
        page("a.org/2", "A larva of the hawk moth on bedstraw leaves, and nectar for the moth at dusk"),
        page("a.org/3", "Football results of the weekend: goals, cards and injuries"),
        page("a.org/4", "The leaves of the book were torn"),
    )
    found = search.similar("https://a.org/1")
    assert found.hits[0].url == "https://a.org/2"
    assert {hit.url for hit in found.hits}.isdisjoint({"https://a.org/1", "https://a.org/3"})
    assert any(marked for _, marked in found.hits[0].snippet)
    with pytest.raises(UsageError, match="not in the index"):
        search.similar("https://a.org/none")


def test_a_page_comes_back_as_it_was_kept(shelve: Shelve) -> None:
    kept = page("a.org/1", "First line\nsecond <b>line</b>", title="<script>alert(1)</script>")
    search = shelve(kept)
    assert search.page_text("HTTPS://a.org:443/1#top") == kept
    assert search.search("first").hits[0].title == "<script>alert(1)</script>"
    with pytest.raises(UsageError, match="no URL"):
        search.page_text("no url")


def test_a_folder_without_a_crawl_or_an_index_is_refused(tmp_path: Path, shelve: Shelve) -> None:
    with pytest.raises(FolderError, match="holds no crawl"):
        Search(tmp_path)
    shelve(page("a.org/1", "moths"))
    (tmp_path / "index" / "homing.json").unlink()
    with pytest.raises(FolderError, match="homing index"):
        Search(tmp_path)
