"""Turn the reply of a host into a page: text, title, language, headings and links.

Begin with ``page``: ``PageParser`` tells by the media type which of the readers below reads a reply.

    >>> from homing.model import Reply
    >>> from homing.parse import PageParser
    >>> url = "http://a.org/"
    >>> page = PageParser().read(Reply(url=url, final_url=url, status=200, body=b"<a href=/moth>Moths</a>"))
    >>> page.text, [(link.url, link.anchor) for link in page.links]
    ('Moths', [('http://a.org/moth', 'Moths')])

Any reply:

- ``media``: the media type, by Content-Type and first bytes.
- ``charset``: bytes to text.
- ``directives``: noindex and nofollow, from meta elements and ``X-Robots-Tag``.
- ``fingerprint``: simhash of a page, for near-duplicates.

HTML, in this order:

- ``html``: the reader of HTML; it calls all the others.
- ``nesting_guard``: rewrite markup that would take a parser too long, by the regular expressions of
  ``tag_grammar``.
- ``tree``: parse and walk the tree once, by lexbor, into an ``outline``: flat text, headings, anchors.
- ``boilerplate``: menus, footers and the like, left out of the main text.
- ``links``: anchors to links, each with its context: words around it, block, headings.

Other types:

- ``feeds`` and ``sitemaps`` (by ``xml`` and ``gzip``), ``pdf``.
"""

from homing.parse.page import PageParser

__all__ = ["PageParser"]
