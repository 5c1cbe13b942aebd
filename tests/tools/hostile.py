"""Inputs of any size that are to cost much: a row for each place where foreign data enters.

A row is a generator: it makes an input of about `size` bytes, and says how the command is called
with it. Texts are made of what the forms and the patterns themselves look for, since those are what
an input would repeat.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import re
import struct
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

import cramjam
import pyarrow as pa
import pyarrow.parquet as pq

from kproto.capture.compression import _STREAMS, CODECS
from kproto.capture.forms import FORMS
from kproto.capture.logs.reader import FAMILIES
from kproto.capture.packets.layers import LINK_TYPES
from kproto.capture.tool_outputs.views import VIEWS
from kproto.codec import (
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    VersionedMessage,
    built_in_names,
    message_class,
)
from kproto.pipeline.sources.tables.table_files import _FORMS as TABLES
from kproto.tools.main import COMMANDS

from ..capture.test_segments import batch, recompressed, sealed
from ..capture.wires import captured, heartbeats, ip_packet

codes: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
SUBSCRIPTION = ConsumerProtocolSubscription(topics=["orders"]).to_bytes()
KEY = OffsetCommitKey(group="g", topic="t", partition=0).to_bytes()
VALUE = OffsetCommitValue(offset=1, metadata="", commit_timestamp=1).to_bytes(version=3)


class Row(NamedTuple):
    """A place where data enters, the words of the command, the end of the file's name, and what
    makes its content. FILE, OUT and SEGMENT are paths, the last of a segment with one record.
    `seconds` of the processor are what 100 KB may take, on the machine of `test_costs.py`."""

    place: str
    words: tuple[str, ...]
    suffix: str
    make: Callable[[int], bytes]
    seconds: float = 1


def _repeated(part: bytes, size: int, front: bytes = b"", tail: bytes = b"") -> bytes:
    return front + part * max(1, size // len(part)) + tail


def places() -> set[str]:
    """The places that have to have a row, by what is registered."""
    return (
        {f"form {form.name}" for form in FORMS}
        | {f"compression {number}" for number in CODECS if number}
        | {f"stream {name}" for name in _STREAMS.values()}
        | {f"link type {number}" for number in LINK_TYPES}
        | {f"log {family.name}" for family in FAMILIES}
        | {f"table {view.tool} {view.name}" for view in VIEWS}
        | {f"file {suffix}" for suffix in TABLES}
        | {"settings of a connection", "answers of a broker", "answers of an adapter"}
        | {"defaults of options", "facts beside an audit"}
        | {
            "messages of a text",
            "lists of groups",
            "many members of a group",
            "records that a tool printed",
            "what a text leaves out",
            "compressed inputs",
        }
        | {f"command {name}" for name in COMMANDS if name not in NO_INPUT}
    )


NO_INPUT = {"completion", "page"}
"""Commands that read no data."""


# -- texts


def _texts() -> Iterator[Row]:
    for form in FORMS:
        words = ("decode", "--json", "FILE")
        text = form.write(SUBSCRIPTION)
        yield Row(f"form {form.name}", words, ".txt", _of_long_message(form))
        for char in sorted({*text, *" \t,:%\\\"'[({<=-.0aA|"})[:40]:
            for mark in (*form.marks[:2], text[: max(2, len(text) // 3)]):
                yield Row(f"form {form.name}", words, ".txt", _of_run(mark, char))


def _of_long_message(form: Any) -> Callable[[int], bytes]:
    return lambda size: form.write(
        ConsumerProtocolSubscription(topics=["t" * (size // 6)]).to_bytes()
    ).encode("utf-8", "surrogateescape")


def _of_run(mark: str, char: str) -> Callable[[int], bytes]:
    return lambda size: f"x {mark} {char * size}~\n".encode("utf-8", "surrogateescape")


def _of_messages() -> Iterator[Row]:
    """Texts of a message a line: each has other topics, or all are the same message."""
    for make in (_different, _alike):
        for words in (
            ("decode", "--json", "FILE"),
            ("decode", "FILE"),
            ("lint", "--json", "FILE"),
            ("diff", "--json", "FILE", "FILE"),
        ):
            seconds = _OF_MANY if words[0] == "diff" else 1
            yield Row("messages of a text", words, ".txt", make, seconds)
    yield Row("messages of a text", ("lint", "FILE", "--readers", "all"), ".txt", _alike)
    frame = bytes.fromhex("0000000a000c000000000001ffff") + b"\n"
    requests = lambda size: _repeated(frame.hex().encode() + b"\n", size)  # noqa: E731
    yield Row("messages of a text", ("decode", "--json", "FILE"), ".txt", requests)
    numbers = lambda size: _repeated(b"1,", size, b"[", b"1]")  # noqa: E731
    yield Row("messages of a text", ("lint", "FILE"), ".txt", numbers)
    for line in ("{:04x}", "{:08x}", "0000{:08x}", "{:020x}", "0000{:04x}0005ff", "{:012x}0000"):
        numbered = partial(_numbered, line)
        for command in ("decode", "lint"):
            yield Row("messages of a text", (command, "FILE"), ".txt", numbered)
    committed = partial(_numbered, _COMMITTED)
    yield Row("messages of a text", ("decode", "FILE"), ".txt", committed, _OF_MANY)
    responses = partial(_numbered, "0000000c{0:08x}{0:016x}")  # each is compared with every API
    yield Row("messages of a text", ("decode", "FILE"), ".txt", responses)
    for words in (("decode", "--json", "FILE"), ("lint", "FILE")):
        for of_each in (_refused, _refused_otherwise):
            yield Row("messages of a text", words, ".txt", of_each, _OF_REFUSED)
        for each in _LINES:
            yield Row("messages of a text", words, ".txt", partial(_repeated, each), _OF_MANY)
        for cut in (_cut_numbers, _cut_strings):
            yield Row("messages of a text", words, ".txt", cut, _OF_REFUSED)
    for part in (
        b"{}\n", b'""', b'{"key":\n', b"\t.byte\t0x1,0x2\n", b"201\n", _OF_A_MAIL, _UNSEEN,
    ):  # fmt: skip
        nothing = lambda size, part=part: _repeated(part, size)  # noqa: E731
        yield Row("messages of a text", ("decode", "FILE"), ".txt", nothing)


_OF_MANY, _OF_REFUSED, _OF_LISTS = 1.5, 2.5, 4
"""Seconds: 4,000 messages, each of which is identified or compared, or texts of as many that fit
many forms; 3,300, each of which is diagnosed; and 8,000 groups, each of which is shown."""
_LINES = (
    " ".join(f"{byte:08b}" for byte in SUBSCRIPTION).encode() + b"\n",
    b"00000000 00000001\n", b"00000000\n", b"00\n", b"0000\n", b"[0,1]\n", b"1,2\n",
)  # fmt: skip
"""Messages, or parts of them, in binary, hex and decimal: each fits many forms."""
_UNSEEN = "\ufeff".encode()
_OF_A_MAIL = b"x =00=01=00=00=" + b"=03a" * 10 + b"\n"
_COMMITTED = f"{KEY[:-4].hex()}{{:08x}}"


def _numbered(line: str, size: int) -> bytes:
    """Lines of numbers, each another message, or none."""
    count = max(1, size // len(line.format(0) + "\n"))
    return "".join(f"{line.format(number)}\n" for number in range(count)).encode()


def _different(size: int) -> bytes:
    names = (f"{number:06}" for number in range(max(1, size // 50)))
    messages = (ConsumerProtocolSubscription(topics=[name]).to_bytes(version=1) for name in names)
    return b"".join(message.hex().encode() + b"\n" for message in messages)


def _refused(size: int) -> bytes:
    """Messages that lack their end, each with another number behind the topics."""
    return _numbered(f"{SUBSCRIPTION[:-4].hex()}{{:04x}}", size)


def _refused_otherwise(size: int) -> bytes:
    """Messages with a count of more than there is."""
    return _numbered(f"{SUBSCRIPTION[:-4].hex()}{{:08x}}ff", size)


def _cut_numbers(size: int) -> bytes:
    """Lists of numbers with the beginning of a message, each with another count."""
    lists = (f"[0, 1, 0, 0, 0, {number % 256}, 0, 6, 111]\n" for number in range(size // 30))
    return "".join(lists).encode()


def _cut_strings(size: int) -> bytes:
    """The same in strings with octal escapes."""
    front, end = r'"\000\001\000\000\000', r'\000\006orders\377"'
    return "".join(f"{front}\\{number % 256:03o}{end}\n" for number in range(size // 50)).encode()


def _alike(size: int) -> bytes:
    return _repeated(SUBSCRIPTION.hex().encode() + b"\n", size)


def _of_omissions() -> Iterator[Row]:
    """What debuggers and dumps write once, and how often it is there."""
    words = ("decode", "--json", "FILE")
    row = b"00000000  " + b"00 " * 16 + b"\n*\n"
    zeros = b"0 <repeats 999999 times>, "
    quoted = b"'\\000' <repeats 999999 times>, "
    for make in (
        lambda size: _repeated(zeros, size, b"$1 = {", b"0}\n"),
        lambda size: _repeated(quoted, size, b"$1 = ", b'"abc"...\n'),
        lambda size: _repeated(row + b"05f00000\n\n", size),
        lambda size: row + b"%08x\n" % (size << 10),
    ):
        yield Row("what a text leaves out", words, ".txt", make)


def _of_compressed() -> Iterator[Row]:
    """Inputs that are compressed as a whole: a byte unpacks to a thousand."""
    zeros = lambda size: bytes(size * 1000)  # noqa: E731
    lines = lambda size: _alike(size * 40)  # noqa: E731
    for command in ("decode", "lint"):
        yield Row("compressed inputs", (command, "FILE"), ".gz", _compressed_messages)
    for content in (zeros, lines):
        for suffix, pack in ((".gz", gzip.compress), (".zst", cramjam.zstd.compress)):
            make = lambda size, content=content, pack=pack: bytes(pack(content(size)))  # noqa: E731
            yield Row("compressed inputs", ("decode", "--json", "FILE"), suffix, make)
    for bombs in (_bombs, _packed_bombs):
        for words in (("decode", "--json", "FILE"), ("lint", "FILE")):
            yield Row("compressed inputs", words, ".txt", bombs, _OF_REFUSED)
    document = lambda size: gzip.compress(b'{"key":"' + b"0" * (size * 900) + b'"}')  # noqa: E731
    quotes = lambda size: gzip.compress(b'[{"a":"' + b'\\"' * (size * 450))  # noqa: E731
    for log in (document, quotes):  # of 10 MB
        yield Row("compressed inputs", ("story", "FILE"), ".log.gz", log, _OF_MANY)


@cache
def _bomb() -> bytes:
    return b"2026-01-01 INFO got " + gzip.compress(bytes(2 << 20)).hex().encode() + b"\n"


def _bombs(size: int) -> bytes:
    """A log with messages that unpack to 2 MiB each."""
    return _repeated(_bomb(), size)


def _packed_bombs(size: int) -> bytes:
    """The same, compressed itself; as much as one that is unpacked."""
    return gzip.compress(_bombs(size * 10))


def _compressed_messages(size: int) -> bytes:
    return gzip.compress(_alike(size * 80))


_PRINTED_MEMBER = "MemberMetadata(memberId=m, groupInstanceId=None, clientId=c, clientHost=h, "
_PRINTED = (
    ("g::GroupMetadata(", _PRINTED_MEMBER[:24]),
    ("g::GroupMetadata(", _PRINTED_MEMBER[:58]),
    ("g::GroupMetadata(", f"{_PRINTED_MEMBER}sessionTimeoutMs=1, "),
    ("g::GroupMetadata(", f"{_PRINTED_MEMBER}sessionTimeoutMs=1, supportedProtocols=List(range))"),
    ("", "[g,t,0]::OffsetAndMetadata(offset=1, leaderEpoch=Optional[0], metadata="),
    (" key: offset_commit::group=", ",partition=a-1"),
    (" key: group_metadata::group=b payload: assignment={", ", "),
    (" key: group_metadata::group=b payload: assignment={", ", a=["),
    ("", ('| offset: 1 CreateTime: 1 key: {"type":"1","data":{"group":"g","topic":"t",'
         '"partition":0}} payload: {"version":"3","data":{"offset":1,"leaderEpoch":-1,'
         '"metadata":"","commitTimestamp":1}}\n')),
    ("", '{"key":{"type":"1","data":{"group":"g","topic":"t","partition":0}},"value":null}'),
)  # fmt: skip
"""What Kafka's tools print in front of a part of a record, and the part."""


def _of_printed_records() -> Iterator[Row]:
    for front, part in _PRINTED:
        make = lambda size, front=front, part=part: _repeated(  # noqa: E731
            part.encode(), size, front.encode(), b"\n"
        )
        for words in (("decode", "--json", "FILE"), ("migrate", "FILE")):
            yield Row("records that a tool printed", words, ".txt", make)


def _of_lines() -> Iterator[Row]:
    story = ("story", "--json", "FILE")
    for family in FAMILIES:
        for sign in family.signs:
            for part in (b"a", b" ", b"1", sign, b"=", sign + b" a, "):
                make = lambda size, sign=sign, part=part: _repeated(part, size, sign, b"~\n")  # noqa: E731
                yield Row(f"log {family.name}", story, ".log", make)
    for view in VIEWS:
        header = "  ".join(column.title for column in view.columns).encode()
        for part in (b"a ", b"1  ", b"-", b"a", b"a(1,2), "):
            make = lambda size, header=header, part=part: _repeated(  # noqa: E731
                part, size, header + b"\n", b"\n"
            )
            yield Row(f"table {view.tool} {view.name}", story, ".txt", make)


_CONSUMER = "[2026-01-01 00:00:00,000] INFO [Consumer clientId=c, groupId=g] "
_CONFIG = """[2026-01-01 00:00:00,000] INFO ConsumerConfig values:
\tclient.id = c{0}
\tgroup.id = g
\tgroup.instance.id = i
"""
_ROWS = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
_COUNTS = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\n"
_SHARES = _COUNTS.replace("\n", " ASSIGNMENT\n")


def _of_many_members() -> Iterator[Row]:
    """Logs and tables of one group with many members, or with members of many partitions."""
    for front, part, tail in (
        (_CONSUMER + "Finished assignment for group at generation 1: {",
         "c{0}-x=Assignment(partitions=[t-{0}]), ", "}"),
        ("", _CONFIG, ""),
        (_ROWS, "g t {0} 1 2 1 m{0} /1.1.1.1 c\n", ""),
        (_COUNTS, "g m{0} /1.1.1.1 c 9{0:08}\n", ""),
        (_SHARES, "g m{0} /1.1.1.1 c 2 t(9{0:08})\n", ""),
    ):  # fmt: skip
        make = lambda size, front=front, part=part, tail=tail: (  # noqa: E731
            front + "".join(map(part.format, range(size // len(part)))) + tail
        ).encode()
        yield Row("many members of a group", ("story", "--json", "FILE"), ".txt", make)


def _of_lists() -> Iterator[Row]:
    """A cluster's list of groups, in columns that are not as wide as their titles, and a segment of
    groups of which each is empty."""
    make = lambda size: b"GROUP STATE\n" + _numbered("g{:04} Stable", size)  # noqa: E731
    for words in (("migrate", "FILE"), ("story", "FILE"), ("group", "--from", "FILE")):
        yield Row("lists of groups", words, ".txt", make, _OF_LISTS)
    for command in ("migrate", "story"):
        yield Row("lists of groups", (command, "FILE"), ".log", _empty_groups, _OF_LISTS)


def _empty_groups(size: int) -> bytes:
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol=None, leader=None,
        current_state_timestamp=1, members=[],
    ).to_bytes(version=3)  # fmt: skip
    keys = [GroupMetadataKey(group=f"{number:04}").to_bytes() for number in range(size // 50)]
    return batch(0, [value] * len(keys), keys=keys)


# -- what patterns repeat


def patterns() -> dict[str, re.Pattern[Any]]:  # noqa: C901  # a kind of value each
    """The regular expressions of `capture` and of the command's input, by themselves."""
    found: dict[str, re.Pattern[Any]] = {}

    def collect(value: Any, depth: int) -> None:
        if isinstance(value, re.Pattern):
            found[str(value.pattern)] = value
        elif depth and isinstance(value, dict):
            for item in value.values():
                collect(item, depth - 1)
        elif depth and isinstance(value, list | tuple | frozenset):
            for item in value:
                collect(item, depth - 1)
        elif depth and type(value).__module__.startswith("kproto"):
            for name in (*getattr(value, "__dict__", ()), *getattr(value, "_fields", ())):
                collect(getattr(value, name, None), depth - 1)

    for room in ("capture", "tools.input", "history"):
        package = import_module(f"kproto.{room}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(import_module(module.name)).values():
                collect(value, 4)
    for family in FAMILIES:
        for row in getattr(getattr(family, "table", None), "rows", ()):
            found[row._source] = row._expression
    return found


_CATEGORIES = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_WORD: "-"}


class _Sample:
    """A text that a pattern matches, more or less, and what it repeats in it."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.repeated: list[tuple[str, str]] = []

    def of(self, sequence: Any, text: str = "") -> str:
        for code, argument in sequence:
            text = self._part(code, argument, text)
        return text

    def _part(self, code: Any, argument: Any, text: str) -> str:  # noqa: PLR0911  # a kind of part each
        match code:
            case codes.LITERAL:
                return text + chr(argument)
            case codes.NOT_LITERAL | codes.ANY:
                return text + "a"
            case codes.IN:
                return text + self._of_set(argument)
            case codes.BRANCH:
                return self.of(self._rng.choice(argument[1]), text)
            case codes.SUBPATTERN:
                return self.of(argument[3], text)
            case codes.ATOMIC_GROUP:
                return self.of(argument, text)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                least, most, body = argument
                once = self.of(body, text)[len(text) :]
                if most > 40 and once:
                    self.repeated.append((text, once))
                return str(text + once * max(least, self._rng.randint(0, 1)))
            case _:
                return text

    def _of_set(self, items: Any) -> str:
        members = [
            chr(value if code is codes.LITERAL else value[0])
            for code, value in items
            if code in (codes.LITERAL, codes.RANGE)
        ]
        members += [_CATEGORIES.get(value, "a") for code, value in items if code is codes.CATEGORY]
        if items[0][0] is codes.NEGATE:
            return next((char for char in 'a 0.-"\\:=x,' if char not in members), "~")
        return str(self._rng.choice(members or ["a"]))


@cache
def _pumps() -> list[tuple[str, str]]:
    rng = random.Random(7)  # noqa: S311
    pumps = set()
    for text, pattern in sorted(patterns().items(), key=lambda item: item[0]):
        flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
        sample = _Sample(rng)
        for _ in range(8):
            sample.of(parser.parse(pattern.pattern, flags))
        for front, part in sample.repeated[:12]:
            pumps |= {(front[-200:], part[:60]), ("", f"{front[-40:]}{part}"[:60])}
        assert text
    return sorted(pumps)


def _of_patterns() -> Iterator[Row]:
    for front, part in _pumps():
        make = lambda size, front=front, part=part: _repeated(  # noqa: E731
            part.encode("utf-8", "replace"), size, front.encode("utf-8", "replace"), b"~\n"
        )
        for words in (("decode", "--json", "FILE"), ("story", "--json", "FILE")):
            yield Row("patterns", words, ".log", make)


# -- captures and segments


def _compressions() -> Iterator[Row]:
    compress: dict[int, Callable[[bytes], bytes]] = {
        1: gzip.compress,
        2: lambda data: bytes(cramjam.snappy.compress_raw(data)),
        3: lambda data: bytes(cramjam.lz4.compress(data)),
        4: lambda data: bytes(cramjam.zstd.compress(data)),
    }
    words = ("decode", "--json", "FILE")
    for codec in CODECS:
        if not codec:
            continue
        whole = compress[codec](bytes(1 << 17))
        damaged = recompressed(codec, whole[:-1] + bytes([whole[-1] ^ 1]))
        for part in (damaged, recompressed(codec, whole[:12]), recompressed(codec, whole)):
            make = lambda size, part=part: _repeated(part, size)  # noqa: E731
            yield Row(f"compression {codec}", words, ".log", make)
    members = gzip.compress(b"", mtime=0)
    for part in (members, gzip.compress(bytes(1 << 16))):
        make = lambda size, part=part: recompressed(1, _repeated(part, size))  # noqa: E731
        yield Row("compression 1", words, ".log", make)
        make = lambda size, part=part: _repeated(part, size)  # noqa: E731
        yield Row("compression 1", words, ".gz", make)
    yield Row("compression 1", words, ".log", lambda size: _repeated(batch(0, [VALUE]), size))
    yield Row(
        "compression 4", words, ".zst", lambda size: _repeated(compress[4](bytes(1 << 16)), size)
    )
    junk = sealed(batch(0, [VALUE]))[:-1] + b"\0"
    yield Row("compression 1", words, ".log", lambda size: _repeated(junk, size))


def _streams() -> Iterator[Row]:
    """Logs that are compressed."""
    for name, pack in (("gzip", gzip.compress), ("bzip2", bz2.compress), ("xz", lzma.compress)):
        for part in (b"", bytes(1 << 16)):
            packed = pack(part)
            make = lambda size, packed=packed: _repeated(packed, size)  # noqa: E731
            yield Row(f"stream {name}", ("story", "FILE"), ".log", make)


def _captures() -> Iterator[Row]:
    words = ("decode", "--json", "FILE")
    ethernet = bytes(12)
    nested = bytes.fromhex("8847") + bytes.fromhex("00000100") + bytes(4) + bytes(12)
    for link_type in LINK_TYPES:
        place = f"link type {link_type}"
        for fill in (b"\0", nested, bytes.fromhex("81000001"), b"\x45\0", b"\x60"):

            def many(size: int, fill: bytes = fill, link_type: int = link_type) -> bytes:
                return captured(
                    [_repeated(fill, 900, ethernet)] * (size // 900 + 1), link_type
                ).getvalue()

            def deep(size: int, fill: bytes = fill, link_type: int = link_type) -> bytes:
                return captured([_repeated(fill, size, ethernet)], link_type).getvalue()

            yield Row(place, words, ".pcap", many)
            yield Row(place, words, ".pcap", deep)
    yield Row(
        "link type 101", words, ".pcap", lambda size: captured(heartbeats(size // 80)).getvalue()
    )
    yield Row(
        "link type 101",
        words,
        ".pcap",
        lambda size: captured(
            [ip_packet(b"\0", 1000 + 2 * number) for number in range(size // 60)]
        ).getvalue(),
    )
    block = struct.pack("<III", 0x0A0D0D0A, 28, 0x1A2B3C4D) + struct.pack("<HHqI", 1, 0, -1, 28)
    yield Row("link type 1", words, ".pcapng", lambda size: _repeated(block, size))
    empty = struct.pack("<III", 6, 12, 12)
    yield Row("link type 1", words, ".pcapng", lambda size: _repeated(empty, size, block))
    frame = json.dumps({"source": "h:1", "request": "000c0000000000010001"}).encode() + b"\n"
    yield Row("command decode", words, ".jsonl", lambda size: _repeated(frame, size))
    yield Row(
        "command decode", words, ".bin", lambda size: _repeated(b"\0\0\0\x0a" + bytes(10), size)
    )


# -- tables, and what the other commands read


def _parquet(size: int) -> bytes:
    count = max(1, size // 20)
    table = pa.table(
        {
            "key": pa.array([KEY] * count, pa.binary()),
            "value": pa.array([VALUE] * count, pa.binary()),
            "partition": pa.array([0] * count),
            "offset": pa.array(range(count)),
        }
    )
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def _parquet_of_one_value(size: int) -> bytes:
    file = io.BytesIO()
    value = pa.array([bytes(1 << 20)], pa.binary())
    values = pa.DictionaryArray.from_arrays(pa.array([0] * (size // 20), pa.int32()), value)
    pq.write_table(pa.table({"key": values, "value": values}), file, compression="zstd")
    return file.getvalue()


def _parquet_of_row_groups(size: int) -> bytes:
    """Row groups that unpack to a megabyte each."""
    file = io.BytesIO()
    schema = pa.schema({"key": pa.binary(), "value": pa.binary()})
    row = pa.table({"key": [KEY], "value": [bytes(1 << 20)]}, schema=schema)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for _ in range(max(1, size // 350)):
            writer.write_table(row)
    return file.getvalue()


def _parquet_of_one_place(size: int) -> bytes:
    """Row groups that lie on the same bytes: the metadata names the first one again and again."""
    file = io.BytesIO()
    row = pa.table({"key": [KEY], "value": [VALUE + bytes(1 << 18)]})
    pq.write_table(row, file, compression="zstd", write_statistics=False)
    data = file.getvalue()
    footer = int.from_bytes(data[-8:-4], "little")
    body, metadata = data[: -8 - footer], data[-8 - footer : -8]
    # A list of one struct, of field 4: 0x19 0x1c; of more than 14 structs their number follows.
    at = metadata.index(b"\x19\x1c\x19")
    end = metadata.index(b"\x19\x1c\x18", at + 3)  # the next field: metadata of keys and values
    groups = metadata[at + 2 : end]
    count = min(max(15, size // len(groups)), 16_000)
    number = bytes([count & 0x7F | 0x80, count >> 7])
    many = metadata[:at] + b"\x19\xfc" + number + groups * count + metadata[end:]
    return body + many + len(many).to_bytes(4, "little") + b"PAR1"


def _parquet_of_prefixes(size: int) -> bytes:
    """Values of 16 KiB that share all but their first: DELTA_BYTE_ARRAY has each prefix once."""
    file = io.BytesIO()
    count = size // 20
    table = pa.table({"key": [KEY] * count, "value": [VALUE + bytes(1 << 14)] * count})
    encodings = {"key": "PLAIN", "value": "DELTA_BYTE_ARRAY"}
    pq.write_table(table, file, compression="zstd", use_dictionary=False, column_encoding=encodings)
    return file.getvalue()


def _parquet_of_fixed_size(size: int) -> bytes:
    """A dictionary of values of a fixed size, which is repeated for each row."""
    file = io.BytesIO()
    count = size // 20
    value = pa.array([VALUE.ljust(1 << 14, b"\0")] * count, pa.binary(1 << 14))
    pq.write_table(pa.table({"key": [KEY] * count, "value": value}), file, compression="zstd")
    return file.getvalue()


def _parquet_in_reverse(size: int) -> bytes:
    """Row groups that each belong before the one in front of them."""
    file = io.BytesIO()
    schema = pa.schema({"key": pa.binary(), "value": pa.binary(), "offset": pa.int64()})
    with pq.ParquetWriter(file, schema, write_statistics=False) as writer:
        for number in reversed(range(max(1, size // 1000))):
            row = {"key": [KEY] * 9, "value": [VALUE] * 9, "offset": [number] * 9}
            writer.write_table(pa.table(row, schema))
    return file.getvalue()


def _parquet_of_truths(size: int) -> bytes:
    """The header of the page is in the value: lists of lists of more booleans than it has bytes."""
    lists = b"\xf9\xf9\xff\xff\x03" + b"\xf1\x80\x80\x04" * (size // 4)
    stored = io.BytesIO()
    pq.write_table(
        pa.table({"key": [lists], "value": [b""]}), stored, compression="none",
        use_dictionary=False, write_statistics=False,
    )  # fmt: skip
    file = stored.getvalue()
    place = 2 * file.index(lists)  # as zigzag writes it
    assert place < 128
    return file.replace(b"\x26\x08", bytes((0x26, place)))


def _partitions(size: int) -> bytes:
    """Records without times, each in a partition of its own."""
    rows = (b"%s,,%d,1\n" % (KEY.hex().encode(), number) for number in range(max(1, size // 40)))
    return b"key,value,partition,offset\n" + b"".join(rows)


def _tables() -> Iterator[Row]:
    words = ("audit", "FILE", "--out", "OUT", "--fail-on", "never")
    line = json.dumps(
        {"key": KEY.hex(), "value": VALUE.hex(), "partition": 0, "offset": 1}
    ).encode()
    for suffix in TABLES:
        if suffix == ".parquet":
            for table in (
                _parquet, _parquet_of_one_value, _parquet_of_row_groups, _parquet_of_one_place,
                _parquet_of_prefixes, _parquet_of_fixed_size, _parquet_in_reverse,
                _parquet_of_truths,
            ):  # fmt: skip
                yield Row(f"file {suffix}", words, suffix, table)
        elif suffix == ".csv":
            yield Row(f"file {suffix}", words, suffix, _partitions)
            row = f"{KEY.hex()},{VALUE.hex()},0,1\n".encode()
            make = lambda size, row=row: _repeated(row, size, b"key,value,partition,offset\n")  # noqa: E731
            yield Row(f"file {suffix}", words, suffix, make)
            yield Row(
                f"file {suffix}", words, suffix, lambda size: _repeated(b'""', size, b"key,value\n")
            )
            yield Row(f"file {suffix}", words, f"{suffix}.zst", _compressed_blanks)
        else:
            yield Row(f"file {suffix}", words, suffix, lambda size: _repeated(line + b"\n", size))
            yield Row(f"file {suffix}", words, suffix, lambda size: _repeated(b"[", size))


def _compressed_blanks(size: int) -> bytes:
    """Lines of a table without anything in them."""
    return bytes(cramjam.zstd.compress(b"key,value\n" + b"\n" * (size * 90)))


_MESSAGE = {
    "topics": ["t"],
    "userData": None,
    "ownedPartitions": [],
    "generationId": -1,
    "rackId": None,
}
_DEFINITION = {"type": "data", "name": "X", "validVersions": "0", "flexibleVersions": "none"}
_SCENARIO = b"duration = 1\n[topics]\nt = 1\n[[members]]\nstart = 1\n"


def _definition(size: int) -> bytes:
    fields = [
        {"name": f"F{number}", "type": "int32", "versions": "0+"} for number in range(size // 60)
    ]
    return json.dumps(_DEFINITION | {"fields": fields}).encode()


def _message(size: int) -> bytes:
    return json.dumps(_MESSAGE | {"topics": ["t"] * (size // 5)}).encode()


def _members_of_one_id(size: int) -> bytes:
    """A segment with a group whose members all have one id."""
    member = GroupMetadataValue.MemberMetadata(
        member_id="m", client_id="c", client_host="/h", rebalance_timeout=1, session_timeout=1,
        subscription=SUBSCRIPTION, assignment=b"",
    )  # fmt: skip
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader="m",
        current_state_timestamp=1, members=[member] * (size // 60),
    ).to_bytes(version=3)  # fmt: skip
    return batch(0, [value], keys=[GroupMetadataKey(group="g").to_bytes()])


def _tombstones(size: int) -> bytes:
    """A segment of as many records as it can have that name something."""
    count = max(1, size // 30)
    return batch(0, [None] * count, keys=[KEY] * count)


def _newcomers(size: int) -> bytes:
    """A segment of generations of one group, a second apart, each with a client that nobody has
    seen before: 100 bytes of the size for each, of which it has as many."""
    member = GroupMetadataValue.MemberMetadata
    values: list[bytes | None] = [
        GroupMetadataValue(
            protocol_type="consumer", generation=number, protocol="range", leader="m",
            current_state_timestamp=1000 * number,
            members=[member(
                member_id=f"m{number}", client_id=f"c{number}", client_host="h",
                rebalance_timeout=1, session_timeout=1, subscription=b"", assignment=b"",
            )],
        ).to_bytes(version=3)
        for number in range(1, size // 100 + 1)
    ]  # fmt: skip
    return batch(0, values, keys=[GroupMetadataKey(group="g").to_bytes()] * len(values))


def _records_of_all_types(size: int) -> bytes:
    """A segment with records of each type, all of one group, and their tombstones."""
    keys: list[bytes] = []
    values: list[bytes | None] = []
    for name in (name[:-3] for name in built_in_names() if name.endswith("Key")):
        key, value = message_class(f"{name}Key")(), message_class(f"{name}Value")()
        assert isinstance(key, VersionedMessage)
        assert isinstance(value, VersionedMessage)
        keys += [key.to_bytes()] * 2
        values += [value.to_bytes(), None]
    each = batch(0, values, keys=keys)
    return _repeated(each, size)


def _members_of_many_topics(size: int) -> bytes:
    """A scenario in which every member subscribes to every topic."""
    topics = b"".join(b"t%d = 1\n" % number for number in range(size // 30))
    return b"duration = 1\n[topics]\n" + topics + b"[[members]]\nstart = 1\n" * (size // 30)


def _members_of_many_partitions(size: int) -> bytes:
    """A scenario of which each step is about all partitions that there may be."""
    members = min(900, size // 100)
    return b"duration = 60\n[topics]\nt = 10000\n" + b"[[members]]\nstart = 1\n" * members


def _commands() -> Iterator[Row]:
    hexadecimal = lambda size: _repeated(SUBSCRIPTION, size).hex().encode()  # noqa: E731
    nest = lambda size: _repeated(b"[", size)  # noqa: E731
    batches = lambda size: _repeated(batch(0, [VALUE]), size)  # noqa: E731
    yield Row("command decode", ("decode", "FILE"), ".log", _tombstones)
    for name, words, suffix, makes in (
        ("lint", ("lint", "--json", "FILE"), ".txt", (hexadecimal,)),
        ("diff", ("diff", "--json", "FILE", "FILE"), ".txt", (hexadecimal,)),
        ("encode", ("encode", "ConsumerProtocolSubscription", "FILE"), ".json", (_message, nest)),
        ("explain", ("explain", "FILE"), ".txt", (hexadecimal,)),
        ("compat", ("compat", "FILE", "FILE"), ".json", (_definition, nest)),
        ("codegen", ("codegen", "FILE"), ".json", (_definition, nest)),
        ("schemas", ("schemas", "--definitions", "FILE"), ".json", (_definition, nest)),
        ("conform", ("conform", "--kept", "FILE"), ".json", (nest, hexadecimal)),
        ("fuzz", ("fuzz", "replay", "FILE"), ".json", (nest, hexadecimal)),
        ("group", ("group", "--from", "FILE"), ".jsonl", (nest, hexadecimal)),
        ("migrate", ("migrate", "FILE"), ".log", (batches, _members_of_one_id)),
        ("audit", ("audit", "FILE", "--out", "OUT", "--fail-on", "never"), ".log", (
            batches, _records_of_all_types, _newcomers,
        )),
        ("story", ("story", "FILE"), ".log", (
            hexadecimal, nest, _records_of_all_types, _newcomers,
        )),
        ("decode", ("decode", "FILE"), ".txt", (hexadecimal, nest)),
        ("simulate", ("simulate", "FILE"), ".toml", (
            lambda size: ".".join("a" * (size // 2)).encode() + b" = 1",
            lambda size: b"[" + ".".join("a" * (size // 2)).encode() + b"]",
            lambda size: b'summary = """\n[' + b" " * size + b'\n"""\nx = 1\n',
            lambda size: _SCENARIO + b"#" * size,
            lambda size: b"x = " + b"{a=" * (size // 3),
            lambda size: b"x = " + b"9" * size,
            lambda size: _repeated(b"[[members]]\n", size),
            _members_of_many_topics,
        )),
    ):  # fmt: skip
        for make in makes:
            yield Row(f"command {name}", words, suffix, make)
    yield Row("command simulate", ("simulate", "FILE"), ".toml", _members_of_many_partitions, 4)


def _settings_of_a_call() -> Iterator[Row]:
    """Files in TOML and JSON that options name."""
    audit = ("audit", "SEGMENT", "--out", "OUT", "--fail-on", "never")
    dotted = lambda size: b".".join([b"a"] * (size // 2)) + b" = 1"  # noqa: E731
    for make in (dotted, lambda size: b"a = " + b"[" * size, lambda size: b"a = " + b"9" * size):
        yield Row("defaults of options", ("decode", "00", "--config", "FILE"), ".toml", make)
    for part in (b"[", b'{"a":', b"9"):
        make = lambda size, part=part: _repeated(part, size)  # noqa: E731
        for option in ("--topics", "--teams", "--baseline", "--settings"):
            value = "@FILE" if option == "--topics" else "FILE"
            yield Row("facts beside an audit", (*audit, option, value), ".json", make)
        for words in (("lint", "00", "--baseline", "FILE"), ("fuzz", "run", "--baseline", "FILE")):
            yield Row("facts beside an audit", words, ".json", make)


def _so_many(name: str, each: int, size: int) -> bytes:
    """What BROKER is asked to have, of which each takes so many bytes."""
    return json.dumps({name: size // each}).encode()


_TRUSTED = b"security.protocol=SSL\nssl.truststore.certificates="


def _connections() -> Iterator[Row]:
    """Settings of clients, and what programs answer: a broker with so many members, topics that it
    does not know, or partitions, as FILE says, and an adapter that prints FILE."""
    settings = ("group", "--bootstrap-server", "127.0.0.1:1", "--timeout", "1s")
    for part in (b"a=b\n", b"a\\\n", b"\\u0041", b"sasl.jaas.config=a b=", b' x="', b"#"):
        make = lambda size, part=part: _repeated(part, size)  # noqa: E731
        words = (*settings, "--command-config", "FILE")
        yield Row("settings of a connection", words, ".properties", make)
    for part in (b"-----BEGIN A-----", b"-----BEGIN A-----a-----END B-----", b"-----BEGIN A "):
        make = lambda size, part=part: _repeated(part, size, _TRUSTED)  # noqa: E731
        words = (*settings, "--command-config", "FILE")
        yield Row("settings of a connection", words, ".properties", make)
    for more in ((), ("--json",)):
        words = ("group", "payments", "--bootstrap-server", "BROKER", *more)
        for name, each in (("members", 100), ("unknown", 10), ("partitions", 26)):
            yield Row("answers of a broker", words, ".json", partial(_so_many, name, each))
    many = partial(_so_many, "offsets", 400)
    audit = ("audit", "kafka://BROKER", "--out", "OUT", "--fail-on", "never")
    yield Row("answers of a broker", audit, ".json", many)
    yield Row("answers of a broker", ("story", "kafka://BROKER"), ".json", many)
    hello = b'{"id":1,"ok":true,"protocol":1,"client":"c","release":"0","ops":["decode"],"names":['
    for part in (b'"a",', b"[", b" "):
        make = lambda size, part=part: _repeated(part, size, hello, b'"a"]}\n')  # noqa: E731
        yield Row("answers of an adapter", ("conform", "--", "cat", "FILE"), ".jsonl", make)


@cache
def rows() -> tuple[Row, ...]:
    """All rows."""
    return (
        *_texts(), *_of_messages(), *_of_printed_records(), *_of_omissions(), *_of_compressed(),
        *_of_lines(), *_of_many_members(), *_of_lists(), *_of_patterns(), *_compressions(),
        *_streams(), *_captures(),
        *_tables(), *_commands(), *_connections(), *_settings_of_a_call(),
    )  # fmt: skip
