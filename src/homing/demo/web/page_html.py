"""The pages of the little web as HTML, by kind."""

from __future__ import annotations

from collections.abc import Sequence

from homing.demo.web.hrefs import Hrefs
from homing.demo.web.layout import Layout
from homing.demo.web.link_plan import LinkList, Outlinks, outlinks
from homing.demo.web.page_frame import document
from homing.demo.web.prose import write_article, write_introduction
from homing.demo.web.site_pages import Kind
from homing.demo.web.sites import Role, Site
from homing.demo.web.vocabulary import everyday
from homing.demo.web.wear import OddLink, Wear

_BODY = 2


def planned_page(layout: Layout, wear: Wear, number: int) -> bytes:
    """Return the HTML of a page of the layout."""
    site = layout.sites[layout.site[number]]
    title = layout.title[number]
    hrefs = Hrefs(layout, wear, site, layout.url[number])
    content = _Writer(layout, number, hrefs).content(outlinks(layout, number))
    return document(
        layout,
        number,
        hrefs,
        title=title if layout.kind[number] == Kind.HOME else f"{title} – {site.title}",
        summary=layout.summary[number],
        content=content + _odd_links(wear.odd.get(number, ()), hrefs),
        directives=directives(layout, number),
    )


def simple_page(
    layout: Layout,
    wear: Wear,
    url: str,
    site: Site,
    title: str,
    text: str,
    links: Sequence[tuple[str, str]] = (),
) -> bytes:
    """Return a page outside the layout: a title, paragraphs, and links as (path, anchor)."""
    hrefs = Hrefs(layout, wear, site, url)
    items = "".join(
        f'<li><a href="{hrefs.of(site.root + path)}">{anchor}</a></li>\n' for path, anchor in links
    )
    return document(
        layout,
        layout.site_pages[site.number].home,
        hrefs,
        title=f"{title} – {site.title}",
        summary=f"{title} at {site.title}.",
        content=f"<h1>{title}</h1>\n<p>{text}</p>\n" + (f"<ul>\n{items}</ul>\n" if links else ""),
    )


def directives(layout: Layout, number: int) -> list[str]:
    """Return the directives of a page's ``meta robots``."""
    known = (("noindex", layout.noindex), ("nofollow", layout.nofollow))
    return [word for word, pages in known if number in pages]


class _Writer:
    """Writes the content of one page."""

    def __init__(self, layout: Layout, number: int, hrefs: Hrefs) -> None:
        self._layout = layout
        self._number = number
        self._hrefs = hrefs
        self._dice = layout.dice(number, _BODY)
        self._site = layout.sites[layout.site[number]]

    def content(self, links: Outlinks) -> str:
        title = f"<h1>{self._layout.title[self._number]}</h1>\n"
        onward = "".join(f'<p class="onward">{self._hrefs.link(page)}</p>\n' for page in links.onward)
        if self._layout.kind[self._number] == Kind.ARTICLE:
            return title + self._article(links) + onward + self._related(links)
        return title + self._introduction() + "".join(self._list(part) for part in links.lists) + onward

    def _article(self, links: Outlinks) -> str:
        dice = self._dice
        date = f"{dice.randint(2009, 2025)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        byline = f'<p class="byline">By {dice.choice(everyday().authors)}, <time>{date}</time></p>\n'
        figure = ""
        if dice.random() < 0.3:
            caption = self._layout.title[self._number]
            figure = (
                f'<figure><img src="{self._hrefs.image()}" width="24" height="24" alt="{caption}"></figure>\n'
            )
        return byline + figure + write_article(self._layout, self._number, links, self._hrefs.link, dice)

    def _introduction(self) -> str:
        """Return the text of a page that consists mainly of links."""
        dice, site = self._dice, self._site
        portal = site.role is Role.PORTAL
        match Kind(self._layout.kind[self._number]):
            case Kind.HOME if portal:
                return _paragraphs(everyday().directory_texts)
            case Kind.SHELF:
                return _paragraphs([dice.choice(everyday().directory_texts)])
            case Kind.HOME:
                topic = site.topic or dice.choice(self._layout.topics[1:])
                about = site.topic or "whatever comes along"
                welcome = (
                    dice.choice(everyday().welcomes).replace("{topic}", about).replace("{site}", site.title)
                )
                return _paragraphs([welcome]) + write_introduction(topic, dice.randint(3, 6), dice)
            case Kind.NOTICE:
                chosen = everyday().portal_notices if portal else everyday().notices
                texts = [*dice.sample(chosen, len(chosen)), *dice.sample(everyday().asides, 5)]
                return _paragraphs([text.replace("{site}", site.title) for text in texts])
            case Kind.SECTION:
                return write_introduction(self._layout.topic[self._number], dice.randint(3, 5), dice)
            case _:
                return _paragraphs(dice.sample(everyday().asides, 2))

    def _list(self, links: LinkList) -> str:
        """Return a list of links: mostly titles, some with a summary, some images or ``read more``."""
        layout, dice = self._layout, self._dice
        items = []
        for page in links.pages:
            href, title, summary = self._hrefs.to(page), layout.title[page], layout.summary[page]
            draw = dice.random()
            if draw < 0.5:
                item = f'<a href="{href}">{title}</a> <span>{summary}</span>'
            elif draw < 0.77:
                item = f'<a href="{href}">{title}</a>'
            elif draw < 0.92:
                item = f'{summary} <a href="{href}">{dice.choice(everyday().more)}</a>'
            else:
                picture = f'<img src="{self._hrefs.image()}" width="24" height="24" alt="{title}">'
                item = f'<a href="{href}">{picture}</a>'
            items.append(f"<li>{item}</li>\n")
        heading = f"<h2>{links.heading}</h2>\n" if links.heading else ""
        return f"{heading}<ul>\n{''.join(items)}</ul>\n"

    def _related(self, links: Outlinks) -> str:
        items = "".join(f"<li>{self._hrefs.link(page)}</li>\n" for page in links.related)
        heading = self._dice.choice(everyday().related)
        return f'<div class="related">\n<h2>{heading}</h2>\n<ul>\n{items}</ul>\n</div>\n'


def _odd_links(links: Sequence[OddLink], hrefs: Hrefs) -> str:
    if not links:
        return ""
    items = ""
    for link in links:
        rel = f' rel="{link.rel}"' if link.rel else ""
        items += f'<li><a href="{hrefs.of(link.url)}"{rel}>{link.anchor}</a></li>\n'
    return f'<div class="also">\n<h2>Also</h2>\n<ul>\n{items}</ul>\n</div>\n'


def _paragraphs(texts: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>\n" for text in texts)
