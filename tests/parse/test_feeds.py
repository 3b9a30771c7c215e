from collections.abc import Callable

import pytest

from homing.model import Page

Read = Callable[..., Page]

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="c" xmlns:media="m"><channel>
<title>Moth news</title><link>http://example.org/</link><language>en-gb</language>
<atom:link href="http://example.org/feed" rel="self"/>
<description>News of moths &amp;amp; more</description>
<image><title>Logo</title><link>http://example.org/logo</link></image>
<item><title>Hawk &amp;amp; silk moths</title><link>http://example.org/1?a=1&amp;b=2</link>
<media:title>Photo</media:title>
<description><![CDATA[<p>They <b>fly</b> at night.</p>]]></description></item>
<item><title><![CDATA[Second]]></title><link><![CDATA[/2?a=1&b=2]]></link></item>
<item><title>Third</title><guid>http://example.org/3</guid></item>
<item><title>Nowhere</title><guid isPermaLink="false">tag:x</guid></item>
<item><title>Again</title><link>/3</link></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Falter</title>
<subtitle>Alles</subtitle>
<link href="http://example.org/"/><link rel="self" href="http://example.org/atom"/>
<entry><title type="html">Ein &lt;b&gt;Schwärmer&lt;/b&gt;</title><link rel="edit" href="/edit"/>
<link href="/1"/>
<summary>Er fliegt nachts.</summary></entry></feed>"""

RDF = """<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>Old</title>
<items><rdf:Seq><rdf:li resource="/1"/></rdf:Seq></items></channel>
<item rdf:about="/1"><title>First</title><link>http://example.org/1</link></item></rdf:RDF>"""


@pytest.mark.parametrize("content_type", ["application/rss+xml", "text/xml", "text/html", ""])
def test_an_rss_feed_is_a_page_with_links(read: Read, content_type: str) -> None:
    page = read(RSS, content_type)
    assert (page.title, page.description, page.language) == ("Moth news", "News of moths & more", "en")
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://example.org/1?a=1&b=2", "Hawk & silk moths"),
        ("http://example.org/2?a=1&b=2", "Second"),
        ("http://example.org/3", "Third"),
    ]


def test_the_context_of_an_item_is_its_description(read: Read) -> None:
    link = read(RSS, "text/xml").links[0]
    assert link.block == link.around == "Hawk & silk moths They fly at night."
    assert link.headings == ("Moth news",)
    assert "They fly at night." in read(RSS, "text/xml").text


def test_an_atom_feed_is_a_page_with_links(read: Read) -> None:
    page = read(ATOM, "application/atom+xml")
    assert (page.title, page.description, page.language) == ("Falter", "Alles", "de")
    (link,) = page.links
    assert (link.url, link.anchor) == ("http://example.org/1", "Ein Schwärmer")
    assert link.around == "Ein Schwärmer Er fliegt nachts."


def test_the_oldest_feeds_are_read_too(read: Read) -> None:
    page = read(RDF, "application/rdf+xml")
    assert page.title == "Old"
    assert [link.url for link in page.links] == ["http://example.org/1"]


def test_a_feed_in_place_of_a_sitemap_gives_nothing_but_links(read: Read) -> None:
    page = read(RSS, "text/xml", kind="sitemap")
    assert len(page.links) == 3
    assert (page.title, page.text) == ("", "")


def test_an_item_without_title_has_the_words_of_its_address(read: Read) -> None:
    page = read("<rss><channel><item><link>/hawk-moths</link></item></channel></rss>", "text/xml")
    assert page.links[0].anchor == "hawk moths"


def test_a_broken_feed_gives_what_came_before(read: Read) -> None:
    page = read("<rss><channel><title>T</title><item><link>/1</link></item><item><link>/2<", "text/xml")
    assert (page.title, [link.url for link in page.links]) == ("T", ["http://example.org/1"])
