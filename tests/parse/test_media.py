import pytest

from homing.parse.media import Media, media_of

XML = b'<?xml version="1.0"?>\n<!-- hello -->\n'


@pytest.mark.parametrize(
    ("content_type", "body", "media"),
    [
        ("text/html", b"anything", Media.HTML),
        ("Text/HTML; charset=x", b"<p>", Media.HTML),
        ("application/xhtml+xml", XML + b"<html xmlns='x'>", Media.HTML),
        ("text/html", XML + b"<rss version='2.0'>", Media.FEED),
        ("text/xml", XML + b"<feed>", Media.FEED),
        ("application/rdf+xml", XML + b"<rdf:RDF>", Media.FEED),
        ("application/atom+xml", b"\xef\xbb\xbf<feed>", Media.FEED),
        ("application/xml", XML + b"<!DOCTYPE urlset [<!ELEMENT a (b)>]><urlset>", Media.SITEMAP),
        ("application/xml", "\ufeff<sitemapindex>".encode("utf-16-le"), Media.SITEMAP),
        ("application/xml", b"<html>", Media.HTML),
        ("image/svg+xml", b"<svg>", Media.OTHER),
        ("text/html", b"\x89PNG\r\n\x1a\n", Media.OTHER),
        ("text/plain", b"<p>not html", Media.TEXT),
        ("application/pdf", b"?", Media.PDF),
        ("application/json", b"{}", Media.OTHER),
        ("image/png", b"<html>", Media.OTHER),
        ("", b"<!DOCTYPE html><p>", Media.HTML),
        ("", b"some <b>bold</b> words", Media.HTML),
        ("application/octet-stream", b"%PDF-1.4", Media.PDF),
        ("application/octet-stream", b"PK\x03\x04", Media.OTHER),
        ("", b"just words", Media.TEXT),
        ("", b"words\x00\x01\x02", Media.OTHER),
        ("", b"", Media.TEXT),
    ],
)
def test_what_a_body_is(content_type: str, body: bytes, media: Media) -> None:
    assert media_of(content_type, body) is media
