r"""Bytes that a program did not print, or not all of them, and how to make it print them.

`advice` says what cut a print of bytes short: what is around them tells the program. `hidden` finds
what programs print in the place of bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..wording import counted

__all__ = ["DOTS", "advice", "doubtful_end", "doubtful_middle", "hidden", "without_mark"]

# What a print that is cut has in it or in front of it, and what to do.
_NODE_BUFFER = (
    "Node prints 50 bytes of a Buffer: buffer.toString('hex') has all, and "
    "require('buffer').INSPECT_MAX_BYTES = Infinity prints all"
)
_NODE_ARRAY = (
    "Node prints 100 items of an array: util.inspect(value, {maxArrayLength: null}) prints all"
)
_NODE_STRING = (
    "Node prints the beginning of a string: util.inspect(value, {maxStringLength: null}) prints all"
)
_ELIXIR = (
    "Elixir prints 50 bytes: inspect(value, limit: :infinity) prints all, in IEx "
    "IEx.configure(inspect: [limit: :infinity]); Erlang prints all with ~w"
)
_DELVE = (
    "Delve prints 64 items: config max-array-values 100000 prints all, or "
    'call fmt.Sprintf("%x", value)'
)
_INTELLIJ = (
    "the debugger of IntelliJ shows the first items: evaluate "
    "java.util.HexFormat.of().formatHex(value) and copy the result"
)
_BROWSER = "the browser prints 100 items: Array.from(value).join() has all"
_PANDAS = "pandas prints 50 characters: pandas.set_option('display.max_colwidth', None) prints all"
_LLDB = (
    "lldb prints the beginning of a string: memory read --format x --size 1 --count N --force "
    "ADDRESS prints all"
)
_PROTOBUF = "protobuf's ByteString prints 50 bytes: TextFormat.escapeBytes(value) prints all"
_OKIO = "okio's ByteString prints 64 bytes: value.hex() has all"
_GDB = "gdb prints 200 elements: set print elements 0 prints all"
_GDB_INCOMPLETE = (
    "gdb leaves out a byte in front of what it calls an incomplete sequence: print/x has all"
)
_WIRESHARK = (
    "Wireshark cuts long fields: tshark -T pdml or -T json -x has all, and so has Copy, as a Hex "
    "Stream"
)
_CLIENT = (
    "kafka-python 2 and aiokafka log repr(value[:100] + b'...'): the whole is in a packet capture "
    "(tcpdump -s 0), and a running group has it: kproto group NAME"
)
_PRINTERS = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r"\A[bB]([\"']).*\.\.\.\1\Z", _CLIENT),
        (r"<(?:Slow)?Buffer|Uint8Contents", _NODE_BUFFER),
        (r"more items?", _NODE_ARRAY),
        (r"[\"'`]\.\.\. [0-9]+ more characters?\Z", _NODE_STRING),
        (r"ByteString@", _PROTOBUF),
        (r"\[size=[0-9]+ hex=", _OKIO),
        (r"<<", _ELIXIR),
        (r"\[\]u?int8 len:", _DELVE),
        (r"\+ ?[0-9]+ more\]|byte\[[0-9]+\]", _INTELLIJ),
        (r"Uint8Array|\u2026\]", _BROWSER),
        (r"\A[bB][\"'].*(?:\.\.\.|\u2026)\s*\Z", _PANDAS),
        (r"\(char \*\)|\(const char|\$[0-9]+ = 0x|\(lldb\)", _LLDB),
        (r"<incomplete sequence ", _GDB_INCOMPLETE),
        (r"[\"'>]\.\.\.\Z|<repeats |[0-9a-f]\.\.\.}", _GDB),
        (
            r"(?i)(?:data|assignment|value|subscription): [0-9a-f]{16,}(?:\.{3}|\u2026)\Z",
            _WIRESHARK,
        ),
    )
)
_LOOKED_AT = 60  # characters in front


def advice(printed: str, front: str, cut: int | None) -> str:
    """Return the sentence about a print of bytes of which `cut` bytes are missing, None for an
    unknown number; "" where none is. `front` is the text before it."""
    if cut == 0:
        return ""
    number = "bytes" if cut is None else counted(cut, "byte")
    missing = f"{number} {'is' if cut == 1 else 'are'} missing"
    around = f"{front[-_LOOKED_AT:]}{printed}"
    text = next(
        (text for pattern, text in _PRINTERS if pattern.search(printed) or pattern.search(around)),
        "",
    )
    sentence = f"cut short by the program that printed it, {missing}"
    return f"{sentence}; {text}" if text else sentence


_MARK = re.compile(
    r"(?:\s?[\[(<]?(?:\.{3}|\u2026)[\])>]?(?:\s?[\[(<][^\[\]()<>\n]{1,40}[\])>])?"
    r"|\s?[\[(<](?:\.{3}|\u2026)?\s?trunc[^\[\]()<>\n]{0,40}[\])>])\Z"
)
"""What programs and people write in the place of what they left out at the end."""


def without_mark(text: str) -> str:
    """Return a text without the mark at its end that says that more is missing; all of it where
    there is none."""
    bare = text.rstrip()
    mark = _MARK.search(bare, max(0, len(bare) - _LOOKED_AT))
    return text if mark is None else bare[: mark.start()]


DOTS = b"..."
"""What kafka-python 2 and aiokafka print behind each value, whole or cut."""
_ELLIPSES = (DOTS, "\u2026".encode())


def doubtful_end(data: bytes) -> str:
    """Return what is said of bytes that end in dots; "" of others."""
    return _MAY_BE_CUT if data.endswith(_ELLIPSES) else ""


def doubtful_middle(data: bytes) -> str:
    """Return what is said of bytes that do not decode and have dots among them; "" of others."""
    return _MAY_LACK_BYTES if any(dots in data for dots in _ELLIPSES) else ""


_MAY_BE_CUT = "its last bytes are dots, which may stand for bytes that were cut off"
_MAY_LACK_BYTES = "it has dots in it, which may stand for bytes that are missing"


class _Hidden(NamedTuple):
    """What is printed in the place of bytes: a literal that the line has, and a pattern that finds
    it."""

    literal: str
    pattern: re.Pattern[str]
    text: str


_FILTERED = "a buffer that KafkaJS hides: it prints it with KAFKAJS_DEBUG_PROTOCOL_BUFFERS=1"
_SPARK = "bytes that Spark has cut after 20 characters: show(truncate=False) prints them"
_HEAP_BUFFER = (
    "the size of a buffer and not its bytes, as Java's clients up to 2.3 log it: a packet capture "
    "has them, and a running group: kproto group NAME"
)
_JAVA_ARRAY = (
    "the name of a Java array and not its bytes: java.util.Arrays.toString(value) prints them"
)
_NET_ARRAY = "the type of a .NET array and not its bytes: Convert.ToHexString(value) prints them"
_MEMORYVIEW = "the address of a Python memoryview and not its bytes: bytes(value).hex() prints them"
_NSDATA = (
    "bytes of NSData, which leaves out those in the middle: value.base64EncodedString() has all"
)
_NUMPY = "an array of which numpy leaves out the middle: value.tobytes().hex() prints all"
_FOLLOWED = (
    "a connection that was printed as characters, which stand for some of its bytes only: "
    "tshark -z follow,tcp,raw,0 prints all"
)
_TCPDUMP = "packets as characters, which stand for some of their bytes only: tcpdump -X prints all"
_SEGMENT = "the name of a segment's file and not its bytes: give the file itself"
_HIDDEN = (
    _Hidden(
        "00000",
        re.compile(r"\A\s*(?:\S*/)?[0-9]{20}\.(?:log|index|timeindex|txnindex|snapshot)\s*\Z"),
        _SEGMENT,
    ),
    _Hidden('"[filtered]"', re.compile(r'"\[filtered\]"'), _FILTERED),
    _Hidden(
        "...|",
        re.compile(r"\|\s*(?:\[(?:[0-9A-F]{2} ){3,}[0-9A-F]?|[\w+/-]{17})\.\.\.\|"),
        _SPARK,
    ),
    _Hidden(
        "HeapByteBuffer[",
        re.compile(r"java\.nio\.HeapByteBuffer\[pos=[0-9]+ lim=[0-9]+ cap=[0-9]+\]"),
        _HEAP_BUFFER,
    ),
    _Hidden("Follow: ", re.compile(r"Follow: \w+,(?:ascii|ebcdic|utf-8)\b"), _FOLLOWED),
    _Hidden("@.", re.compile(r"\AE\..{4}@\."), _TCPDUMP),
    _Hidden("[B@", re.compile(r"(?<![\w\[])\[B@[0-9a-f]{4,8}\b"), _JAVA_ARRAY),
    _Hidden("bytes = 0x", re.compile(r"\{length = [0-9]+, bytes = 0x[0-9a-f ]+ \.\.\. "), _NSDATA),
    _Hidden("System.Byte[]", re.compile(r"\bSystem\.Byte\[\]"), _NET_ARRAY),
    _Hidden("<memory at 0x", re.compile(r"<memory at 0x[0-9a-fA-F]+>"), _MEMORYVIEW),
    _Hidden(
        " ...", re.compile(r"\[ *(?:[0-9]{1,3},? +){3}\.\.\.,? +[0-9]{1,3}(?![\w.])"), _NUMPY
    ),
)  # fmt: skip
_LOST = re.compile(r"\\ufffd|\ufffd", re.IGNORECASE)
_ZERO = re.compile(r"\\u0000|\\x00|\\0|\0")


def hidden(line: str) -> Iterator[str]:
    """Yield what a line has in the place of bytes, and how to get them."""
    for row in _HIDDEN:
        if row.literal in line and row.pattern.search(line):
            yield row.text
    if ("\ufffd" in line or "\\ufffd" in line.lower()) and _ZERO.search(line):
        yield (
            f"bytes that a program read as text: {len(_LOST.findall(line)):,} or more are lost, "
            "for which U+FFFD stands; print them as hex or base64 where they come from"
        )
