"""Files of a site: robots.txt, sitemaps, feeds, an image."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterable, Sequence

from homing.demo.web.sites import Quirk, Site


def robots(site: Site) -> str:
    """Return the robots.txt of a site."""
    lines = ["User-agent: *"]
    if Quirk.PRIVATE in site.quirks:
        lines.append("Disallow: /private/")
    if Quirk.CRAWL_DELAY in site.quirks:
        lines.append("Crawl-delay: 1")
    if len(lines) == 1:
        lines.append("Disallow:")
    if Quirk.SITEMAP in site.quirks:
        lines.append(f"Sitemap: {site.root}/sitemap.xml")
    if Quirk.SITEMAP_INDEX in site.quirks:
        lines.append(f"Sitemap: {site.root}/sitemap-index.xml")
    return "\n".join(lines) + "\n"


def sitemap(urls: Iterable[str]) -> bytes:
    """Return a sitemap of pages."""
    entries = "".join(f"<url><loc>{_escape(url)}</loc></url>\n" for url in urls)
    return _xml(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n')


def sitemap_index(urls: Iterable[str]) -> bytes:
    """Return a sitemap of sitemaps."""
    entries = "".join(f"<sitemap><loc>{_escape(url)}</loc></sitemap>\n" for url in urls)
    return _xml(
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</sitemapindex>\n'
    )


def gzipped(data: bytes) -> bytes:
    """Compress without a time stamp, so that the same seed gives the same bytes."""
    return gzip.compress(data, mtime=0)


def rss(site: Site, items: Sequence[tuple[str, str, str]]) -> bytes:
    """Return an RSS feed of (url, title, summary)."""
    entries = "".join(
        f"<item><title>{title}</title><link>{_escape(url)}</link><description>{summary}</description></item>\n"
        for url, title, summary in items
    )
    channel = (
        f"<title>{site.title}</title>\n<link>{site.root}/</link>\n<description>All that is new.</description>"
    )
    return _xml(f'<rss version="2.0"><channel>\n{channel}\n{entries}</channel></rss>\n')


def atom(site: Site, items: Sequence[tuple[str, str, str]]) -> bytes:
    """Return an Atom feed of (url, title, summary)."""
    entries = "".join(
        f'<entry><id>{_escape(url)}</id><title>{title}</title><link href="{_escape(url)}"/>'
        f"<updated>2025-06-01T00:00:00Z</updated><summary>{summary}</summary></entry>\n"
        for url, title, summary in items
    )
    head = f"<id>{site.root}/</id><title>{site.title}</title><updated>2025-06-01T00:00:00Z</updated>"
    return _xml(f'<feed xmlns="http://www.w3.org/2005/Atom">\n{head}\n{entries}</feed>\n')


def leaf(size: int = 24) -> bytes:
    """Draw a green leaf as a PNG file."""
    rows = []
    for y in range(size):
        row = bytearray(b"\0")
        for x in range(size):
            inside = (x - size / 2) ** 2 + (y - x * 0.6 - 3) ** 2 < (size / 3) ** 2
            row += b"\x4c\x9a\x3f" if inside else b"\xff\xff\xff"
        rows.append(bytes(row))
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _xml(text: str) -> bytes:
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + text.encode()


def _escape(url: str) -> str:
    return url.replace("&", "&amp;")
