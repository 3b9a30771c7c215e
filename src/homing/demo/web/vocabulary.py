"""The words of the little web: one TOML file per topic, turned into sentences by filling templates.

A template is a sentence with slots, ``"{crop} went in {season}."``; the topic's word lists fill them.
The word lists are written so that any filling is a grammatical sentence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

TOPICS = (
    "butterfly gardening",
    "gardening",
    "insects",
    "sailing",
    "bread baking",
    "astronomy",
    "chess",
    "local history",
    "bicycles",
    "tax law",
)
"""All topics."""

Focus = Mapping[str, str]
"""Words of a page's title by slot, which its text repeats."""

# Probability that a slot repeats a word of the title: less reads incoherent, more reads mechanical.
LOYALTY = 0.4


class Template:
    """A sentence with slots, cut into pieces once so that filling it costs about two microseconds."""

    __slots__ = ("pieces",)

    def __init__(self, text: str, words: Mapping[str, tuple[str, ...]]) -> None:
        if set(text) & set('<>&"'):
            raise ValueError(f"a template may not hold markup: {text}")
        pieces: list[str | tuple[str, tuple[str, ...]]] = []
        for number, piece in enumerate(text.replace("}", "{").split("{")):
            pieces.append((piece, words[piece]) if number % 2 else piece)
        self.pieces = tuple(pieces)

    def fill(self, chance: Callable[[], float], focus: Focus, used: dict[str, str] | None = None) -> str:
        """Return the sentence with words drawn by ``chance`` (0 to 1); they are recorded in ``used``."""
        out: list[str] = []
        for piece in self.pieces:
            if isinstance(piece, str):
                out.append(piece)
                continue
            slot, words = piece
            draw = chance()
            word = focus.get(slot, "") if draw < LOYALTY else ""
            if not word or word in out:
                place = int(chance() * len(words))
                word = words[place]
                if word in out:
                    word = words[place - 1]
            if used is not None:
                used[slot] = word
            out.append(word)
        text = "".join(out)
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """How a page about something else may mention this topic."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of a topic."""

    name: str
    group: str
    """Its shelf in the directory."""
    near: tuple[str, ...]
    """Topics whose pages mention and link to this one now and then."""
    hosts: tuple[str, ...]
    sections: tuple[str, ...]
    titles: tuple[Template, ...]
    summaries: tuple[Template, ...]
    sentences: tuple[Template, ...]
    tips: tuple[Template, ...]
    mentions: Mapping[str, Mention]
    """By the topic of the mentioning page; ``any`` for all others."""

    def mention(self, topic: str) -> Mention:
        return self.mentions.get(topic) or self.mentions["any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyday:
    """Texts that every site shares, whatever its topic."""

    portal_host: str
    portal_title: str
    general_hosts: tuple[str, ...]
    first_words: tuple[str, ...]
    second_words: tuple[str, ...]
    authors: tuple[str, ...]
    asides: tuple[str, ...]
    headings: tuple[str, ...]
    pointers: tuple[str, ...]
    vague_pointers: tuple[str, ...]
    vague: tuple[str, ...]
    more: tuple[str, ...]
    related: tuple[str, ...]
    links_titles: tuple[str, ...]
    welcomes: tuple[str, ...]
    notices: tuple[str, ...]
    footers: tuple[str, ...]
    directory_texts: tuple[str, ...]
    portal_notices: tuple[str, ...]


@cache
def vocabulary(name: str) -> Vocabulary:
    """Return the words of a topic.

    >>> vocabulary("chess").near
    ('astronomy', 'local history')
    """
    if name not in TOPICS:
        raise ValueError(f'no words for the topic "{name}"; there are: {", ".join(TOPICS)}')
    data = _toml(name.replace(" ", "-"))
    words = {slot: tuple(values) for slot, values in data["words"].items()}

    def templates(texts: Iterable[str]) -> tuple[Template, ...]:
        return tuple(Template(text, words) for text in texts)

    return Vocabulary(
        name=data["name"],
        group=data["group"],
        near=tuple(data["near"]),
        hosts=tuple(data["hosts"]),
        sections=tuple(data["sections"]),
        titles=templates(data["titles"]),
        summaries=templates(data["summaries"]),
        sentences=templates(data["sentences"]),
        tips=templates(data["tips"]),
        mentions={
            topic: Mention(title=mention["title"], sentences=tuple(mention["sentences"]))
            for topic, mention in data["mentions"].items()
        },
    )


@cache
def everyday() -> Everyday:
    """Return the texts that every site shares."""
    texts = _toml("everyday")
    texts |= {key: tuple(text) for key, text in texts.items() if isinstance(text, list)}
    return Everyday(**texts)


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "topics" / f"{name}.toml").read_text(encoding="utf-8"))
