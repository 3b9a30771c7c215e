"""Regular expressions for tags, as browsers split them: where a tag ends, and what its attributes are.

For the two modules that read markup before it is parsed: ``nesting_guard`` and ``charset``, which looks for a
meta element that names the encoding. All repetitions are possessive and every construct may end with the
page, so the time is linear in the page, whatever it holds.

https://html.spec.whatwg.org/#tokenization
"""

from __future__ import annotations

import re

_SPACE = r"[ \t\n\f\r]"
_VALUE = r"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)"""
_ATTRIBUTE = rf"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+(?:{_SPACE}*+={_SPACE}*+{_VALUE}?+)?+"
_ATTRIBUTES = rf"(?:[ \t\n\f\r/]++|{_ATTRIBUTE})*+"
_END = r"(?:>|\Z)"

ATTRIBUTE = re.compile(
    rf"(?P<name>[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)(?:{_SPACE}*+={_SPACE}*+(?P<value>{_VALUE})?+)?+"
)
"""One attribute; its value with the quotes it has."""

MANY_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^ \t\n\f\r/>]*+(?:[ \t\n\f\r/]*+{_ATTRIBUTE}){{256}}")
"""The beginning of a tag with very many attributes."""

_COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))"
_BOGUS_COMMENT = rf"<(?:[!?]|/[^a-zA-Z])[^>]*+{_END}"
_TAG = rf"<(?P<slash>/?)(?P<name>[a-zA-Z][^ \t\n\f\r/>]*+)(?P<attributes>{_ATTRIBUTES}){_END}"
_RAW = rf"""
    <(?P<raw>(?i:iframe|noembed|noframes|script|style|textarea|title|xmp))(?=[ \t\n\f\r/>])
    (?P<raw_attributes>{_ATTRIBUTES})
    (?:>(?P<content>.*?)(?:</(?i:(?P=raw))(?=[ \t\n\f\r/>]){_ATTRIBUTES}{_END}|\Z)|\Z)"""

TAG = re.compile(rf"{_COMMENT}|{_BOGUS_COMMENT}|{_TAG}", re.DOTALL)
"""A tag, or a comment or the like, in which case no group matches."""

TOKEN = re.compile(rf"{_COMMENT}|{_BOGUS_COMMENT}|{_RAW}|{_TAG}", re.DOTALL | re.VERBOSE)
"""The same, or a whole element whose content is no markup."""
