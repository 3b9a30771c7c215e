"""Turn the reply of a host into a page: text, title, language, headings and links.

Begin with ``page``: ``PageParser`` reads HTML there, step by step, and hands every other type to its reader.

    >>> from homing.model import Reply
    >>> from homing.parse import PageParser
    >>> url = "http://a.org/"
    >>> page = PageParser().read(Reply(url=url, final_url=url, status=200, body=b"<a href=/moth>Moths</a>"))
    >>> page.text, [(link.url, link.anchor) for link in page.links]
    ('Moths', [('http://a.org/moth', 'Moths')])

A page of HTML goes through these, in this order:

- ``media``: the media type, by Content-Type and first bytes.
- ``charset``: bytes to text.
- ``tree``: parse the text by lexbor and walk the tree once, into an ``outline``.
- ``outline``: flat text, headings, anchors; the main text is that without boilerplate: menus, footers and the
  like, told by class and role here and by tag in ``tree``.
- ``links``: anchors to links, each with its context: words around it, block, headings.
- ``fingerprint``: simhash of a page, for near-duplicates.

Few pages need these:

- ``nesting_guard``: rewrite markup that would take a parser too long, by the regular expressions of
  ``tag_grammar``.
- ``feeds`` and ``sitemaps`` (by ``xml`` and ``gzip``), ``pdf``: readers of the other types.
"""

from homing.parse.page import PageParser

__all__ = ["PageParser"]
