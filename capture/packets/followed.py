r"""Frames in the text that Wireshark and tshark print of a connection that they followed, in "raw"
form: `tshark -r FILE -q -o tls.keylog_file:KEYS -z follow,tls,raw,0`. They decrypt; this does not.

    ===================================================================
    Follow: tls,raw
    Filter: tcp.stream eq 0
    Node 0: 192.0.2.7:49152
    Node 1: 192.0.2.9:9093
    00000058000b0002…
    \t00000042000000010000…

A line is a part of what one side sent, in hex; a tab begins those of node 1. In "hex" form it is a
row of a dump with an offset. Several connections may follow each other. The addresses are not
always right, so the data tell which side asks.

Wireshark and `-z follow,tcp,yaml,0` print YAML instead: peers, and packets with base64. What
`ngrep -x` and `socat -x` print is of the same kind: a heading names the side, rows of hex follow.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator, Mapping
from struct import Struct
from typing import BinaryIO, NamedTuple

from ..frames.api_keys import Api, apis
from ..frames.frame import Connection, Frame
from ..frames.splitter import MAX_FRAME, MAX_HELD
from ..summary import Summary
from .conversation import Exchange, Moment

__all__ = ["is_followed", "read_followed"]

_TITLES = tuple(
    f"Follow: {layer},{form}".encode() for layer in ("tls", "tcp", "ssl") for form in ("raw", "hex")
)
_ROW = re.compile(rb"[0-9A-F]{8}  ((?:[0-9a-f]{2} {1,2}){1,16}) ", re.IGNORECASE)
_YAML = re.compile(
    rb"^(?:peers|packets):\s*\n(?:.*\n)*? *-? ?(?:peer|packet): [0-9]+\s*$", re.MULTILINE
)
_YAML_ITEM = re.compile(
    rb"- peer: (?P<number>\d+)\s+host: (?P<host>\S+)\s+port: (?P<port>\d+)"
    rb"|peer: (?P<node>\d{1,9})\s+(?:index: \d+\s+)?(?:timestamp: \S+\s+)?"
    rb"data: !!binary \|\r?\n(?P<data>(?:[ \t]+[A-Za-z0-9+/=]+[ \t]*\r?(?:\n|\Z))+)"
)
_FILTER, _NODE = b"Filter: tcp.stream eq ", b"Node "
_RULE = b"=" * 20
_LONGEST = 2 * MAX_FRAME
_REQUEST = Struct(">ihhih")  # size, API key, API version, correlation id, length of the client id
_KEYS, _VERSIONS = 128, 64

_NGREP = re.compile(
    rb"^T (?:\d{4}/\d\d/\d\d [\d:.]+ |\+[\d.]+ )?(\S+:\d+) -> (\S+:\d+) \[(?P<flags>[A-Z]+)\]"
    rb"(?: #\d+)?\r?\n(?=  [0-9a-f]{2} )",
    re.MULTILINE,
)
_PADDING = 2 * 6  # digits: ngrep shows what Ethernet adds to a packet without data
_SOCAT = re.compile(rb"([<>]) \d{4}/\d\d/\d\d \S+  length=\d+ from=\d+ to=\d+")


class _Part(NamedTuple):
    """Bytes that a node sent."""

    node: int
    data: bytes


def is_followed(head: bytes) -> bool:
    """Return whether a file that begins with `head` is a connection that was followed."""
    rule, _, title = head.lstrip().partition(b"\n")
    if rule.startswith(_RULE):
        return title.lstrip().startswith(_TITLES)
    has_yaml = b"!!binary" in head and _YAML.search(head) is not None
    return has_yaml or _NGREP.search(head) is not None or _SOCAT.match(head.lstrip()) is not None


def read_followed(
    file: BinaryIO, source: str, summary: Summary, definitions: Mapping[int, Api] | None = None
) -> Iterator[Frame]:
    """Yield the frames, connection by connection; lines that are no hex go to `summary`.

    `definitions` are the APIs whose bodies are decoded, by default those that are built in.
    """
    apis_by_key = apis() if definitions is None else definitions
    followed: _Followed | None = None
    for number, line in enumerate(_lines(file), start=1):
        bare = line.strip()
        if bare.startswith(_TITLES):
            if followed is not None:
                yield from followed.close()
            followed = _Followed(source, summary, apis_by_key)
        elif followed is None or not bare or bare.startswith(_RULE):
            continue
        elif bare.startswith((_FILTER, _NODE)):
            followed.describe(bare.decode("ascii", "replace"))
        else:
            try:
                row = _ROW.match(bare + b"   ")
                digits = (row[1] if row else bare).decode("ascii")
                part = _Part(int(line.startswith(b"\t")), bytes.fromhex(digits))
            except ValueError:
                summary.skip("line that is no hex", f"{source}, line {number:,}", len(line))
                continue
            yield from followed.feed(part)
    if followed is not None:
        yield from followed.close()


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of YAML, the lines that the raw form would have."""
    first = file.readline(_LONGEST)
    if not first.strip() or first.lstrip().startswith((b"=", b"Follow")):
        while first:
            yield first
            first = file.readline(_LONGEST)
        return
    text = first + file.read()
    if _NGREP.search(text) is not None:
        yield from _of_ngrep(text)
    elif _SOCAT.match(text.lstrip()) is not None:
        yield _TITLES[0] + b"\n"
        yield from _of_socat(text)
    else:
        yield from _of_yaml(text)


def _of_yaml(text: bytes) -> Iterator[bytes]:
    yield _TITLES[0] + b"\n"
    has_packets = False
    for match in _YAML_ITEM.finditer(text):
        if match["data"]:
            has_packets = True
            yield _line(int(match["node"]) > 0, _bytes_of(match["data"]).hex().encode())
        else:
            if has_packets:  # another connection
                yield _TITLES[0] + b"\n"
                has_packets = False
            yield _NODE + match["number"] + b": " + match["host"] + b":" + match["port"] + b"\n"


def _bytes_of(base64: bytes) -> bytes:
    """Return the bytes of base64, as far as it goes: it may be cut."""
    digits = base64.translate(None, b"= \t\r\n")
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    return a2b_base64(digits + b"=" * (-len(digits) % 4))


def _of_ngrep(text: bytes) -> Iterator[bytes]:
    """The connections, one behind the other; of each, node 0 is the side that is seen first."""
    connections: dict[frozenset[bytes], list[tuple[bytes, bytes]]] = {}
    headings = list(_NGREP.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        end = len(text) if following is None else following.start()
        rows = text[heading.end() : end].splitlines()
        digits = b"".join(row[2:25] + b" " + row[29:52] for row in rows if row[:2] == b"  ")
        digits = digits.replace(b" ", b"")
        if b"P" not in heading["flags"] and len(digits) <= _PADDING and not digits.strip(b"0"):
            continue
        sides = connections.setdefault(frozenset(heading.group(1, 2)), [])
        sides.append((heading[1], digits))
    for ends, sides in connections.items():
        first = sides[0][0]
        yield _TITLES[0] + b"\n" + _NODE + b"0: " + first + b"\n"
        yield from (_NODE + b"1: " + end + b"\n" for end in ends - {first})
        yield from (_line(side != first, digits) for side, digits in sides)


def _of_socat(text: bytes) -> Iterator[bytes]:
    is_answer = False
    for row in text.splitlines():
        if heading := _SOCAT.match(row):
            is_answer = heading[1] == b"<"
        elif row.startswith(b" ") and row.strip():
            yield _line(is_answer, row.strip(b" ").partition(b"  ")[0].replace(b" ", b""))


def _line(is_of_node_1: bool, digits: bytes) -> bytes:  # what a tab says
    return b"\t" * is_of_node_1 + digits + b"\n"


class _Followed:
    """One connection."""

    def __init__(self, source: str, summary: Summary, definitions: Mapping[int, Api]) -> None:
        self._source = source
        self._moment: Moment = (None, None, source)
        self._summary = summary
        self._definitions = definitions
        self._number = 0
        self._nodes = ["", ""]
        self._exchange: Exchange | None = None
        self._client = 0

    def describe(self, line: str) -> None:
        """Take a line of the heading."""
        name, _, value = line.partition(": ")
        if name in ("Node 0", "Node 1"):
            self._nodes[int(name[-1])] = "" if value == ":0" else value
        elif value := line.removeprefix(_FILTER.decode()):
            self._number = int(value) if value.isdecimal() and len(value) < 10 else 0

    def feed(self, part: _Part) -> Iterator[Frame]:
        if self._exchange is None:
            self._client = part.node if _asks(part.data) else 1 - part.node
            self._exchange = self._begun()
        asks = part.node == self._client
        yield from self._exchange.feed([part.data], self._moment, asks=asks)

    def _begun(self) -> Exchange:
        self._summary.count("connections")
        client, broker = self._nodes[self._client], self._nodes[1 - self._client]
        return Exchange(
            Connection(self._number, client or "client", broker),
            self._source,
            self._summary,
            synced=True,
            max_frame=MAX_FRAME,
            max_held=MAX_HELD,
            definitions=self._definitions,
        )

    def close(self) -> list[Frame]:
        return [] if self._exchange is None else self._exchange.close(self._moment)


def _asks(data: bytes) -> bool:
    """Return whether a stream begins as a client's does."""
    if len(data) < _REQUEST.size:
        return False
    size, key, version, _, length = _REQUEST.unpack_from(data)
    client_id = data[_REQUEST.size : _REQUEST.size + max(length, 0)]
    return (
        size >= _REQUEST.size - 4
        and 0 <= key < _KEYS
        and 0 <= version < _VERSIONS
        and -1 <= length <= size
        and all(0x20 <= byte < 0x7F for byte in client_id)
    )
