"""The part of a page that matches a query, with the matching words marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import compress
from operator import not_

from homing.text.words import WORD, chunk_terms, chunks, is_paired

Part = tuple[str, bool]
"""A piece of text, and whether it is marked."""
_Span = tuple[int, int]

LENGTH = 240
"""Characters of a snippet."""
_LEAD = 60
"""Maximum characters before the first marked word."""
_MOST = 2_000
"""Maximum matches examined in one page: a long page on the topic has more, all alike."""
_BLANKS = re.compile(r"\s+")
_MORE = "…"


def marks_of(parts: Iterable[Part]) -> tuple[str, list[tuple[int, int]]]:
    """Return a snippet as one text, and where its marks begin and end.

    >>> marks_of((("Plant nectar for ", False), ("moths", True), (".", False)))
    ('Plant nectar for moths.', [(17, 22)])
    """
    text, marks = "", list[tuple[int, int]]()
    for piece, is_marked in parts:
        if is_marked:
            marks.append((len(text), len(text) + len(piece)))
        text += piece
    return text, marks


def snippet(text: str, wanted: frozenset[str], language: str, length: int = LENGTH) -> tuple[Part, ...]:
    """Cut out where most of the wanted terms stand together; the beginning if none of them does.

    >>> snippet("Plant nectar for moths.", frozenset({"moth"}), "en")
    (('Plant nectar for ', False), ('moths', True), ('.', False))
    """
    spans = places(text, wanted, language)
    start, end = _window(text, spans, length)
    parts = [(f"{_MORE} ", False)] if start else []
    at = start
    for first, last in spans:
        if first >= start and last <= end:
            parts += [(text[at:first], False), (text[first:last], True)]
            at = last
    parts.append((text[at:end], False))
    if end < len(text):
        parts.append((f" {_MORE}", False))
    return _joined(parts)


def places(text: str, wanted: frozenset[str], language: str) -> list[_Span]:
    """Return where words stand that match a wanted term, in order and without overlaps."""
    pairs = [re.escape(term) for term in wanted if is_paired(term)]
    forms = sorted(map(re.escape, _forms(text, wanted, language)), key=len, reverse=True)
    # An underscore parts words here, as it does for the tokenizer.
    patterns = [rf"(?<![^\W_])(?:{'|'.join(forms)})(?![^\W_])"] if forms else []
    # Looked ahead for, because pairs of a longer word overlap.
    patterns += [f"(?=({'|'.join(pairs)}))"] if pairs else []
    spans: list[_Span] = []
    if patterns:
        for match in re.finditer("|".join(patterns), text, re.IGNORECASE):
            start, end = match.span(1) if pairs and match[1] else match.span()
            if spans and start <= spans[-1][1] and pairs and match[1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
            if len(spans) >= _MOST:
                break
    return spans


def _forms(text: str, wanted: frozenset[str], language: str) -> set[str]:
    """Return the words of the text, as written there, that match a wanted term."""
    if all(map(is_paired, wanted)):
        return set()
    terms_of, found = chunk_terms(language), set()
    distinct = set(chunks(text))
    # No Python code runs for each word: a third of the time.
    others = map(wanted.isdisjoint, map(terms_of.__getitem__, distinct))
    for chunk in compress(distinct, map(not_, others)):
        if chunk.isascii():
            found.add(chunk.decode())
        else:
            words = WORD.findall(chunk.decode())
            found.update(word for word in words if not wanted.isdisjoint(terms_of[word.encode()]))
    return found


def _window(text: str, spans: list[_Span], length: int) -> _Span:
    """Return the stretch of that length with the most different words marked, then with more marks."""
    if not spans:
        return 0, _back_to_blank(text, length)
    best, best_start = (0, 0), spans[0][0]
    inside: Counter[str] = Counter()
    last = 0
    for first, (start, _) in enumerate(spans):
        while last < len(spans) and spans[last][1] <= start + length - _LEAD:
            inside[text[slice(*spans[last])].lower()] += 1
            last += 1
        value = (len(inside), last - first)
        if value > best:
            best, best_start = value, start
        if last > first:
            word = text[slice(*spans[first])].lower()
            inside[word] -= 1
            if not inside[word]:
                del inside[word]
        else:
            last = first + 1
    start = 0 if best_start <= _LEAD else _on_to_blank(text, best_start - _LEAD, best_start)
    return start, _back_to_blank(text, start + length)


def _on_to_blank(text: str, start: int, latest: int) -> int:
    blank = _BLANKS.search(text, start, latest)
    return blank.end() if blank else start


def _back_to_blank(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", end - _LEAD, end)
    return blank if blank > 0 else end


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """Put the pieces in one line, without empty ones."""
    tidy = ((_BLANKS.sub(" ", text), marked) for text, marked in parts)
    return tuple(part for part in tidy if part[0])
