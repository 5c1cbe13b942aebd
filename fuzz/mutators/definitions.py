"""Definitions of the dialect: JSON whose values, keys and fields are exchanged for others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from .splices import Splice, ends_and_tails, thinned

_MOST = 2500
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+|true|false|null|[{}\[\]:,]')
_WORDS = (
    "bool", "int8", "uint16", "int32", "float64", "uuid", "string", "bytes", "records", "[]int32",
    "[]string", "Inner", "[]Inner", "[][]int32", "0+", "1+", "0-2", "none", "2-1", "0-32767",
    "99999999999", "name", "type", "versions", "nullableVersions", "taggedVersions", "tag",
    "default", "ignorable", "mapKey", "fields", "flexibleVersions", "validVersions", "framing",
    "newerVersions", "encoding", "optionalVersions", "version", "version32", "record-type", "clamp",
    "head", "utf-16", "modified-utf-8", "data", "request", "coordinator-key", "commonStructs",
    "apiKey", "class", "__init__", "to_bytes", "Made", "a\"b", "'''", "\\u0000", "{x}", "\n",
)  # fmt: skip
_VALUES = (
    "null", "true", "0", "-1", "1", "32768", "2147483648", "1e999", "0.5", "[]", "{}", '""',
    '"null"', '"-1"', '"0x7f"', "NaN", "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]", "1" * 300,
)  # fmt: skip
_FIELDS = tuple(
    f'{{"name":"More","type":"{kind}","versions":"0+"}}'
    for kind in ("int32", "[]string", "bytes", "uuid")
)
_STRUCT = f'{{"name":"Part","type":"[]Inner","versions":"0+","fields":[{_FIELDS[0]}]}}'
_TAGGED = '{"name":"Late","type":"string","versions":"0+","tag":0,"taggedVersions":"0+"}'


class _Definitions:
    """The form of inputs that are the text of one definition."""

    raw_every = 4

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        text = data.decode("latin-1")  # one character a byte: places are those of the bytes
        found: list[Splice] = []
        for match in _TOKEN.finditer(text):
            found += _of_token(match[0], *match.span())
        cuts = [splice.start for splice in found]
        return thinned(found, _MOST) + ends_and_tails(len(data), thinned_places(cuts))

    def head(self, data: bytes) -> int:
        """Return 0: nothing in front says what the rest is."""
        return 0

    def tokens(self) -> Iterable[bytes]:
        """Return the words of the dialect as JSON strings."""
        return (json.dumps(word).encode() for word in _WORDS)


def thinned_places(places: Sequence[int]) -> Sequence[int]:
    """Return about fifty of the places, evenly spread."""
    return places[:: max(1, len(places) // 50)]


def _of_token(word: str, start: int, end: int) -> list[Splice]:
    if word in ("[", ","):  # a field more, in front or between
        more = [field if word == "," else f"{field}," for field in (*_FIELDS, _STRUCT, _TAGGED)]
        return [_put(end, end, field if word == "[" else f"{field},", "one more") for field in more]
    if word in ("{", "}", "]", ":"):
        return [_put(start, end, "", f"without {word}")]
    words = [json.dumps(other) for other in _WORDS] if word.startswith('"') else []
    return [_put(start, end, new, f"{new} for {word}"[:80]) for new in (*words, *_VALUES)]


def _put(start: int, end: int, new: str, what: str) -> Splice:
    return Splice(start, end, new.encode(), what)


DEFINITIONS = _Definitions()
