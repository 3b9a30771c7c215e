"""The judge ``keywords``: the words of the topic, weighted by rarity."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import ClassVar

from homing.errors import UsageError
from homing.judge.base import RELEVANT, Judge
from homing.judge.words.background import Usage, guess_language, usage
from homing.judge.words.spotting import Spotter
from homing.model import Judgement, Page, Topic, Why
from homing.parameters import parameter
from homing.text.words import is_paired, primary, stem, stop_words, words

_SEPARATORS = re.compile(r"[,;\n、，；]+")

# Tuned on the development topics of a recorded encyclopedia, where small changes of them have no effect.
_ORDINARY_SHARE = 1e-4
_RARITY_EXPONENT = 0.3
_LENGTH_SHARE = 0.5
_ORDINARY_WORDS = 1500
_ALTERNATIVES = 3
"""Exponent of the norm that combines phrases: a single strong phrase is enough, several are better."""
_HALF = 0.5
"""Strength from which on a page is relevant: half of a phrase's weight."""
_BORDER_SHARE = 1e-2
"""Share assumed for a pair of characters that is no word but shares one with a pair that is: it spans the
border of two words, and must not weigh more than they do just because it is not listed."""
_UNLISTED_SHARE = 1e-5
"""Share assumed for other pairs that are no word: names, and traditional characters, which the Chinese list
lacks."""

_CHARACTERS_A_WORD = 6
_WINDOW = 130
"""Characters in twenty words."""


class Keywords(Judge):
    """Looks for the topic's words: rare ones weigh more, and several count more than one often.

    The words of the topic are weighed by how rare they are in ordinary text of its language, so that a
    sentence is enough. A page's score grows with each mention, ever more slowly; more mentions are
    needed of a common word, and in a long page. A title counts several mentions. Words of the same
    family (chemistry, chemist) count for less than the word itself. Commas separate alternatives:
    within ``"gardening that attracts butterflies"`` each word should be there, of ``"moths, butterflies"``
    one is enough.

    Examples
    --------
    >>> judge = Keywords("gardening that attracts butterflies")
    >>> page = Page(url="http://a.example/", title="A butterfly garden",
    ...             text="Many gardens can attract butterflies. Grow nectar plants.")
    >>> judgement = judge.judge(page)
    >>> judgement.relevant, judgement.why[0][0]
    (True, 'butterflies')
    >>> judge.judge(Page(url="http://b.example/", text="She left like a butterfly.")).relevant
    False
    >>> [round(rating, 1) for rating in judge.rate(["plants that attract butterflies", "contact us"])]
    [0.7, 0.0]

    References
    ----------
    Robertson, Zaragoza 2009, The probabilistic relevance framework: BM25 and beyond. We take the
    rarity of a word from general word counts, as there is no collection yet, and bring the sum to 0..1.
    """

    name = "keywords"
    paper: ClassVar[str] = "Robertson, Zaragoza 2009, The probabilistic relevance framework: BM25 and beyond"

    mentions: float = parameter(
        "How many mentions of an ordinary word, in a page of 1,500 words, make half of its weight.",
        default=4.5,
        within=(0.1, 1000),
    )
    coverage: float = parameter(
        "How much the words of a phrase are needed together: 0 any of them, 1 all of them.",
        default=0.7,
        within=(0, 1),
    )
    title: float = parameter(
        "How many mentions in the text one in the title is worth.",
        default=8.0,
        within=(0, 1000),
    )
    headings: float = parameter(
        "The same for one in a heading or in the page's own description.",
        default=1.0,
        within=(0, 1000),
    )
    relatives: float = parameter(
        "What a word is worth that only shares its beginning with a word of the topic.",
        default=0.4,
        within=(0, 1),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        said = [*_SEPARATORS.split(self.brief.text), *self.brief.keywords]
        self.language = (
            primary(self.brief.language) if self.brief.language else guess_language(" ".join(said))
        )
        phrases = [phrase for text in said if (phrase := self._content(text))]
        if not phrases:
            raise UsageError('the judge "keywords" needs a topic: a sentence, or some words')
        self._weigh(phrases)

    def _content(self, text: str) -> dict[str, str]:
        """Return the stems of a phrase without stop words, or else all, each with its word in the phrase."""
        stems = {word: stem(word, self.language) for word in words(text)}
        meant = {word: root for word, root in stems.items() if word not in stop_words(self.language)}
        return {root: word for word, root in reversed((meant or stems).items())}

    def _weigh(self, phrases: list[dict[str, str]]) -> None:
        words_of = {root: word for phrase in phrases for root, word in phrase.items()}
        used = usage(frozenset(words_of), self.language)
        terms = tuple(words_of)
        self._words = tuple(words_of.values())
        self._phrases = tuple(
            tuple((terms.index(root), weight) for root, weight in self._weights(phrase, used).items())
            for phrase in phrases
        )
        # Never as few that a single mention makes a page relevant, however rare the word.
        self._enough = [
            self.mentions * min(2.0, max(0.5, (used[term].share / _ORDINARY_SHARE) ** _RARITY_EXPONENT))
            for term in terms
        ]
        forms = {term: used[term].forms for term in terms}
        self._spotter = Spotter(terms, forms, language=self.language, relatives=self.relatives)
        self._characters_a_word = 2 if all(map(is_paired, terms)) else _CHARACTERS_A_WORD

    def _weights(self, phrase: Iterable[str], used: Mapping[str, Usage]) -> dict[str, float]:
        """Return what each term adds to its phrase: together one, or more if the coverage is below one."""
        rarities = _rarities(phrase, used)
        heaviest = max(rarities.values())
        full = heaviest * (sum(rarities.values()) / heaviest) ** self.coverage
        return {term: rarity / full for term, rarity in rarities.items()}

    def judge(self, page: Page) -> Judgement:
        length = len(page.text) / self._characters_a_word
        stretch = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _ORDINARY_WORDS
        count = self._spotter.count
        in_text = count(page.text)
        in_title = count(page.title)
        in_headings = count("\n".join((*page.headings, page.description, page.keywords)))
        saturation = [0.0] * len(in_text)
        for place, enough in enumerate(self._enough):
            mentions = in_text[place] + self.title * in_title[place] + self.headings * in_headings[place]
            saturation[place] = mentions / (mentions + enough * stretch)
        score, strengths = self._score(saturation)
        why = self._why(score, strengths, saturation)
        return Judgement(score=score, relevant=score >= RELEVANT, judge=self.name, why=why)

    def rate(self, texts: list[str]) -> list[float]:
        ratings = [0.0] * len(texts)
        for number, counts in self._spotter.count_each(texts).items():
            # One mention in twenty words is two thirds of a word's weight.
            enough = 0.3 + 0.1 * len(texts[number]) / _WINDOW
            ratings[number], _ = self._score([mentions / (mentions + enough) for mentions in counts])
        return ratings

    # Every page is judged, and every link of it rated: loops, where a comprehension would be another call.

    def _score(self, saturation: list[float]) -> tuple[float, list[float]]:
        """Return the score and the strength of each phrase, from the saturation of each term, 0 to 1."""
        strengths = []
        total = 0.0
        for phrase in self._phrases:
            strength = 0.0
            for place, weight in phrase:
                strength += weight * saturation[place]
            strengths.append(strength)
            total += strength**_ALTERNATIVES
        square = strengths[0] ** 2 if len(strengths) == 1 else total ** (2 / _ALTERNATIVES)
        return square / (square + _HALF**2), strengths

    def _why(self, score: float, strengths: list[float], saturation: list[float]) -> Why:
        """Split the score into parts, one a word."""
        total = 0.0
        for strength in strengths:
            total += strength**_ALTERNATIVES
        parts: dict[str, float] = {}
        for phrase, strength in zip(self._phrases, strengths, strict=True):
            for place, weight in phrase:
                if saturation[place]:
                    share = strength ** (_ALTERNATIVES - 1) / total
                    word = self._words[place]
                    parts[word] = parts.get(word, 0.0) + score * share * weight * saturation[place]
        return tuple(sorted(parts.items(), key=itemgetter(1), reverse=True))

    def topic(self) -> Topic:
        weights = [0.0] * len(self._words)
        for phrase in self._phrases:
            for place, weight in phrase:
                weights[place] = max(weights[place], weight)
        heaviest = max(weights)
        ranked = sorted(zip(self._words, weights, strict=True), key=lambda word: -word[1])
        listed = ", ".join(f"{word} {weight / heaviest:.2f}" for word, weight in ranked)
        return Topic(
            text=self.brief.text or ", ".join(self.brief.keywords),
            keywords=tuple(word for word, _ in ranked),
            language=self.language,
            description=f"words in {self.language}, heaviest first: {listed}",
            examples=self.brief.examples,
            codes=self.brief.codes,
            rate=self.rate,
        )


def _rarities(phrase: Iterable[str], used: Mapping[str, Usage]) -> dict[str, float]:
    """Return the weight of each term of a phrase, by its rarity in ordinary text."""
    rarities = {}
    words_of_two = [term for term in phrase if is_paired(term) and used[term].forms]
    for term in phrase:
        share = used[term].share
        if is_paired(term) and not used[term].forms:
            borders = any(term[0] == word[-1] or term[-1] == word[0] for word in words_of_two)
            share = _BORDER_SHARE if borders else _UNLISTED_SHARE
        rarities[term] = max(0.3, -math.log10(share) - 1)
    return rarities
