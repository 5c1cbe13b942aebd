"""The other forms of input: files and texts, definitions of the dialect, and frames.

A frame is a request or response with its size in front, behind a line that says which it is:

    request\\n            a request, whose header says of which API and version it is
    response 11 9\\n      the response to a request of API key 11, version 9
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from ...capture import Frame, decode_request, decode_response
from ...capture.frames.api_keys import apis
from .messages import Prefix, resized, splices_of_decoded
from .splices import EDGES, Splice, ends_and_tails, thinned

_MOST_BLOBS = 2000
_NUMBER = 4


class Blobs:
    """The form of files and texts: edges over aligned numbers, tokens over and between the
    bytes.
    """

    raw_every = 2

    def __init__(self, tokens: Iterable[bytes] = ()) -> None:
        self._tokens = tuple(tokens)

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        size = len(data)
        places = range(0, size, max(1, size // 128))
        splices = [
            Splice(at, min(size, at + len(new)) if over else at, new, f"{new!r} at {at}")
            for at in places
            for new in (*EDGES, *self._tokens)
            for over in (True, False)
        ]
        splices += [Splice(at, min(size, at + _NUMBER), b"", f"without {at}") for at in places]
        splices += [Splice(at, at, data[at : at + 16], f"{at} twice") for at in places]
        return thinned(splices, _MOST_BLOBS) + ends_and_tails(size, places)

    def head(self, data: bytes) -> int:
        """Return 0: nothing in front says what the rest is."""
        return 0

    def tokens(self) -> Iterable[bytes]:
        """Return the edges and the tokens of the form."""
        return (*EDGES, *self._tokens)


_MOST_DEFINITIONS = 2500
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
        splices: list[Splice] = []
        for match in _TOKEN.finditer(text):
            splices += _of_token(match[0], *match.span())
        cuts = [splice.start for splice in splices]
        return thinned(splices, _MOST_DEFINITIONS) + ends_and_tails(len(data), thinned_places(cuts))

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
    words = [json.dumps(term) for term in _WORDS] if word.startswith('"') else []
    return [_put(start, end, new, f"{new} for {word}"[:80]) for new in (*words, *_VALUES)]


def _put(start: int, end: int, new: str, description: str) -> Splice:
    return Splice(start, end, new.encode(), description)


DEFINITIONS = _Definitions()


_HEAD = re.compile(rb"request|response (\d{1,3}) (\d{1,3})")
_MOST_FRAMES = 1500


def frame_of(data: bytes) -> tuple[Frame | None, bytes]:
    """Return the frame that the input is, read with its size, and its bytes; the frame is None if
    the head is none.
    """
    head, _, payload = data.partition(b"\n")
    match = _HEAD.fullmatch(head)
    if match is None:
        return None, payload
    if match[1] is None:
        return decode_request(payload, sized=True), payload
    return decode_response(payload, int(match[1]), int(match[2]), sized=True), payload


class _Frames:
    """The form of inputs that are a head and a frame."""

    raw_every = 4

    def splices(self, data: bytes) -> Sequence[Splice]:
        """Return the splices that are worth trying (see `Form`)."""
        frame, payload = frame_of(data)
        size = len(data) - len(payload)
        if frame is None:
            return [Splice(0, size, b"request\n", "as request")]
        heads = [
            Splice(0, size, b"response %d %d\n" % (key, version), f"as response {key} {version}")
            for key, api in sorted(apis().items())
            for version in api.response.VERSIONS
        ]
        splices = [splice.moved(size) for splice in _in_frame(frame)]
        return thinned(heads, 40) + thinned(splices, _MOST_FRAMES)

    def head(self, data: bytes) -> int:
        """Return the length of the first line."""
        return data.find(b"\n") + 1

    def tokens(self) -> Iterable[bytes]:
        """Return the edges, and each API key as in a request's header."""
        return (*EDGES, *(b"\0" + bytes([key]) for key in apis()))


def _in_frame(frame: Frame) -> list[Splice]:
    end = min(4, len(frame.data))
    size = Prefix(0, end, 4, int.from_bytes(frame.data[:end], "big", signed=True))
    splices = ends_and_tails(len(frame.data), (0, 3, 4, 6, 8, 12, 14, frame.body_start))
    splices += [Splice(0, end, size.encode(size.value + by), f"size {by:+}") for by in (-1, 1, 9)]
    splices += [
        Splice(0, end, edge, f"size {edge.hex()}") for edge in EDGES if len(edge) == size.width
    ]
    for part, start in ((frame.header, size.width), (frame.body, frame.body_start)):
        if part is not None:
            inner = (splice.moved(start) for splice in splices_of_decoded(part))
            splices += [resized(frame.data, splice, size) for splice in inner]
    return splices


FRAMES = _Frames()
