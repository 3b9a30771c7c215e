"""The text of articles: paragraphs of a topic's sentences, with links among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from homing.demo.web.layout import Layout
from homing.demo.web.link_plan import Outlinks
from homing.demo.web.vocabulary import Focus, Vocabulary, everyday, vocabulary

Anchor = Callable[[int, str], str]
"""Returns a link to a page with the given words, or with the page's title if there are none."""

_ASIDE = 0.12
_VAGUE = 0.25
_NO_FOCUS: Focus = {}


class Pen:
    """Writes sentences of one topic; all templates are used in random order before any is repeated."""

    def __init__(self, words: Vocabulary, focus: Focus, dice: Random) -> None:
        self._words = words
        self._focus = focus
        self._dice = dice
        self._order = self._templates()

    def _templates(self) -> Iterator[int]:
        order = list(range(len(self._words.sentences)))
        while True:
            self._dice.shuffle(order)
            yield from order

    def sentences(self, count: int) -> list[str]:
        chance = self._dice.random
        asides = everyday().asides
        written = []
        for _ in range(count):
            if chance() < _ASIDE:
                written.append(asides[int(chance() * len(asides))])
            else:
                written.append(self._words.sentences[next(self._order)].fill(chance, self._focus))
        return written

    def tips(self) -> str:
        count = min(self._dice.randint(3, 5), len(self._words.tips))
        chosen = self._dice.sample(self._words.tips, count)
        items = "".join(f"<li>{tip.fill(self._dice.random, self._focus)}</li>\n" for tip in chosen)
        return f"<ul>\n{items}</ul>\n"


def write_article(layout: Layout, page: int, links: Outlinks, anchor: Anchor, dice: Random) -> str:
    """Return the text of an article below its title: paragraphs under headings, and a list of advice."""
    pen = Pen(vocabulary(layout.topic[page]), layout.focus[page], dice)
    paragraphs = [pen.sentences(dice.randint(3, 6)) for _ in range(dice.randint(5, 9))]
    if page in layout.mentions:
        mention = vocabulary(layout.target).mention(layout.topic[page])
        paragraphs[dice.randrange(len(paragraphs))][1:1] = mention.sentences
    for target in links.prose:
        dice.choice(paragraphs).append(_pointer(target, anchor, dice))
    blocks = [_paragraph(sentences) for sentences in paragraphs]
    if layout.second[page]:
        blocks.insert(
            dice.randint(1, len(blocks)), _digression(layout.second[page], links.aside, anchor, dice)
        )
    headings = dice.sample(everyday().headings, len(blocks))
    out = []
    for place, block in enumerate(blocks):
        if place and place % 2 == 0:
            out.append(f"<h2>{headings[place]}</h2>\n")
        out.append(block)
    if dice.random() < 0.6:
        out.insert(dice.randint(2, len(out)), pen.tips())
    return "".join(out)


def write_introduction(topic: str, sentences: int, dice: Random) -> str:
    """Return a paragraph on a topic, for pages that are mainly lists."""
    return _paragraph(Pen(vocabulary(topic), _NO_FOCUS, dice).sentences(sentences))


def _digression(topic: str, targets: Sequence[int], anchor: Anchor, dice: Random) -> str:
    sentences = Pen(vocabulary(topic), _NO_FOCUS, dice).sentences(dice.randint(3, 4))
    for target in targets:
        sentences.insert(dice.randint(1, len(sentences)), _pointer(target, anchor, dice))
    return _paragraph(sentences)


def _pointer(target: int, anchor: Anchor, dice: Random) -> str:
    if dice.random() < _VAGUE:
        link = anchor(target, dice.choice(everyday().vague))
        return dice.choice(everyday().vague_pointers).replace("{link}", link)
    return dice.choice(everyday().pointers).replace("{link}", anchor(target, ""))


def _paragraph(sentences: Sequence[str]) -> str:
    return f"<p>{' '.join(sentences)}</p>\n"
