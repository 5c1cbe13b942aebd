"""Random messages, and texts as people and tools write them: in every form, one to five of them.

An `Arrangement` says what stands between messages and within one; `texts` pairs it with each form
that can be written so.
"""

from __future__ import annotations

import base64
import json
import random
import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st

from kproto.capture.text import FORMS, form_named
from kproto.codec import ConsumerProtocolAssignment as Assignment
from kproto.codec import ConsumerProtocolSubscription as Subscription

from ..tools.packet_printers import converse
from ..tools.printers import draw

Chance = random.Random
Write = Callable[[bytes, Chance], str]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = _LETTERS + "0123456789.-_"


def message(chance: Chance, multiple_of: int = 1) -> bytes:
    """A subscription or an assignment of any version, as members send them, with as much user data
    as makes its size a multiple of a number.
    """
    said, version = _said(chance)
    if missing := -len(said.to_bytes(version)) % multiple_of:
        said = said.replace(user_data=(said.user_data or b"") + b"u" * missing)
    return said.to_bytes(version)


def _said(chance: Chance) -> tuple[Assignment | Subscription, int]:
    topics = sorted({_name(chance) for _ in range(chance.choice((0, 1, 1, 2, 3, 8)))})
    version = chance.randint(0, 3)
    if chance.random() < 0.5:
        return Assignment(
            assigned_partitions=[
                Assignment.TopicPartition(topic=topic, partitions=_partitions(chance))
                for topic in topics
            ],
            user_data=_user_data(chance),
        ), version
    return Subscription(
        topics=topics,
        user_data=_user_data(chance),
        owned_partitions=[
            Subscription.TopicPartition(topic=topic, partitions=_partitions(chance))
            for topic in topics
            if version and chance.random() < 0.5
        ],
        generation_id=chance.randint(-1, 300) if version > 1 else -1,
        rack_id=_name(chance) if version > 2 and chance.random() < 0.5 else None,
    ), version


def messages(*, multiple_of: int = 1) -> st.SearchStrategy[bytes]:
    """A strategy for what `message` gives."""
    return st.randoms(use_true_random=False).map(lambda chance: message(chance, multiple_of))


def _name(chance: Chance) -> str:
    rest = "".join(chance.choices(_NAME, k=chance.choice((1, 5, 12, 30, 120))))
    return chance.choice(_LETTERS) + rest


def _partitions(chance: Chance) -> list[int]:
    first = chance.randint(0, 300)
    return list(range(first, first + chance.choice((1, 2, 5, 20))))


def _user_data(chance: Chance) -> bytes | None:
    return chance.choice(
        (None, None, b"", chance.randbytes(4), chance.randbytes(chance.randint(1, 80)))
    )


# -- how one message is written


def _hex(data: bytes, chance: Chance) -> str:
    return data.hex()


def _base64(data: bytes, chance: Chance) -> str:
    return base64.b64encode(data).decode()


def _base64url(data: bytes, chance: Chance) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _as(form: str) -> Write:
    return lambda data, chance: form_named(form).write(data)


def _signed(data: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in data]


ONE_LINE: dict[str, Write] = {
    "hex": _hex,
    "HEX": lambda data, chance: data.hex().upper(),
    "0xHEX": lambda data, chance: f"0x{data.hex()}",
    "hex, pairs": lambda data, chance: data.hex(" "),
    "hex, colons": lambda data, chance: data.hex(":"),
    "hex, underscores": lambda data, chance: data.hex("_"),
    "hex, 0x00 0x01": lambda data, chance: " ".join(f"0x{byte:02x}" for byte in data),
    "base64": _base64,
    "base64url": _base64url,
    "Python b''": _as("python"),
    "Java, signed list": lambda data, chance: str(_signed(data)),
    "Go %v": lambda data, chance: f"[{' '.join(map(str, data))}]",
    "C array": _as("c"),
    "C string": lambda data, chance: '"' + "".join(f"\\{byte:03o}" for byte in data) + '"',
    "Node Buffer": _as("javascript"),
    "Erlang": _as("erlang"),
    "\\x escapes": _as("escaped"),
    "percent": lambda data, chance: quote_from_bytes(data, safe=""),
    "numbers": lambda data, chance: " ".join(map(str, data)),
}
"""Forms that have a message on one line."""

PACKED = ("hex", "HEX", "base64")
"""Forms without a blank, a comma or a mark of their own: anything may stand between two."""

ANYWHERE = ("\\x escapes", "hex, 0x00 0x01", "percent", "Erlang", "C array", "Java, signed list")
"""Forms that are no digits alone, and that a person wraps where the line is full."""

SPACED = ("hex, pairs", "hex, 0x00 0x01", "\\x escapes", "Python b''", "Java, signed list")
"""Forms whose messages people put on one line with something between them."""

DUMPS = (
    "xxd", "xxd-bits", "hexdump-C", "wireshark", "format-hex", "hexdump", "hexdump-b", "hexdump-d",
    "hexdump-o", "od", "od-tx1", "od-b", "od-x", "od-x-big", "od-tx4", "od-tx8", "od-td1", "od-d",
    "od-c",
)  # fmt: skip

WITHOUT_OFFSETS = ("od", "od-tx1", "od-b", "od-x", "od-td1", "od-c")
"""What `od -An` prints."""


def _bare(form: str, data: bytes) -> str:
    rows = form_named(form).write(data).split("\n")[:-1]
    return "\n".join(row[len("0000000") :] for row in rows)


# -- how several stand in a text


class Text(NamedTuple):
    """A text, what it is called in the table, and the messages in it."""

    form: str
    arrangement: str
    text: str
    messages: list[bytes]


def _wrap(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def _by_hand(text: str, chance: Chance) -> str:
    """Wrapped at other places in each line, in the middle of a byte too."""
    rows = []
    while text:
        width = chance.randint(20, 70)
        rows.append(text[:width])
        text = text[width:]
    return "\n".join(rows)


def _numbered(parts: list[str], chance: Chance) -> str:
    style = chance.choice(("{}. {}", "{}) {}", "{}: {}", "{:6}\t{}", "{}:{}"))
    return "\n".join(style.format(number, part) for number, part in enumerate(parts, start=1))


Between = Callable[[list[str], Chance], str]
BETWEEN: dict[str, Between] = {
    "a line each": lambda parts, chance: "\n".join(parts),
    "blank lines between": lambda parts, chance: "\n\n".join(parts),
}
SURROUNDED: dict[str, Between] = {
    "a name in front": lambda parts, chance: "\n".join(
        f"{chance.choice(('metadata', 'member', 'sub'))} {number}: {part}"
        for number, part in enumerate(parts)
    ),
    "quoted in a mail": lambda parts, chance: "\n".join(f"> {part}" for part in parts),
    "between prose": lambda parts, chance: "\n".join(
        f"This was sent by consumer {number}\n{part}" for number, part in enumerate(parts)
    ),
    "rules between": lambda parts, chance: f"\n{chance.choice(('---', '=====', '***'))}\n".join(
        parts
    ),
    "in a code fence": lambda parts, chance: "```\n" + "\n".join(parts) + "\n```",
    "in a diff": lambda parts, chance: "\n".join(
        ("@@ -1 +1 @@", *(f"+{row}" for part in parts for row in part.split("\n")))
    ),
    "in a chat": lambda parts, chance: "\n".join(
        f"[10:{chance.randint(10, 59)}:{chance.randint(10, 59)}] <jane> {row}"
        for part in parts
        for row in part.split("\n")
    ),
    "in HTML": lambda parts, chance: "<pre>" + "\n".join(parts) + "</pre>",
}
BETWEEN_WORDS: dict[str, Between] = {
    "commas between": lambda parts, chance: chance.choice((",", ", ", ",\n")).join(parts),
    "blanks between": lambda parts, chance: " ".join(parts),
    "numbered": _numbered,
}
STRINGS: dict[str, Between] = {
    "in a JSON array": lambda parts, chance: json.dumps(parts, indent=chance.choice((None, 1, 4))),
    "in JSON lines": lambda parts, chance: "\n".join(map(json.dumps, parts)),
    "in JSON objects": lambda parts, chance: "\n".join(
        json.dumps({"member": f"consumer-{number}", "isLeader": False, "metadata": part})
        for number, part in enumerate(parts)
    ),
    "in JSON in JSON": lambda parts, chance: json.dumps(
        {"log": json.dumps({f"member-{number}": part for number, part in enumerate(parts)})}
    ),
    "in a Python list": lambda parts, chance: repr(parts),
}
"""Texts with messages in strings, so that their quotes and backslashes are escaped."""

_TOOLS = (32, 60, 64, 76, 80)
Within = Callable[[str, Chance], str]
WITHIN: dict[str, Within] = {
    "wrapped by a tool": lambda text, chance: _wrap(text, chance.choice(_TOOLS)),
    "wrapped by hand": _by_hand,
}


def texts(chance: Chance, count: int) -> Iterator[Text]:
    """Yields one text of `count` messages for every form and arrangement, some as on Windows."""
    for text in _texts(chance, count):
        ended = text.text + chance.choice(("", "\n"))
        yield text._replace(text=ended.replace("\n", chance.choice(("\n", "\n", "\r\n"))))


def _texts(chance: Chance, count: int) -> Iterator[Text]:
    found = [message(chance) for _ in range(count)]
    for form, write in ONE_LINE.items():
        parts = [write(data, chance) for data in found]
        for name, between in BETWEEN.items():
            yield Text(form, name, between(parts, chance), found)
        yield from _by_people(form, parts, chance, found)
        for name, between in STRINGS.items():
            yield Text(form, name, between(parts, chance), found)
        if form in PACKED:
            for name, between in BETWEEN_WORDS.items():
                yield Text(form, name, between(parts, chance), found)
            yield from _wrapped(form, parts, chance, found)
        if form == "hex, pairs":
            parts = [textwrap.fill(part, 3 * 16 - 1) for part in parts]
            for name, between in BETWEEN.items():
                yield Text(form, f"16 a row, {name}", between(parts, chance), found)
    yield from _dumps(chance, found)
    yield from _frames(chance)
    yield from _of_every_form(chance, found[0])


def _dumps(chance: Chance, found: list[bytes]) -> Iterator[Text]:
    for form in DUMPS:
        written = [_as(form)(data, chance) for data in found]
        yield Text(form, "a dump each", "\n".join(written), found)
        rows = written[0].rstrip("\n").split("\n")
        for name in ("quoted in a mail", "in a diff", "in a chat"):
            yield Text(form, name, SURROUNDED[name](rows, chance), found[:1])
        yield Text(form, "in HTML", SURROUNDED["in HTML"](written[:1], chance), found[:1])
        yield Text(form, "in cat -n", _by_cat_n(rows), found[:1])
    for form in WITHOUT_OFFSETS:
        bare = [_bare(form, data) for data in found]
        yield Text(form, "without offsets, blank lines between", "\n\n".join(bare), found)
        yield Text(form, "without offsets", "\n".join(bare), found)


def _by_cat_n(rows: list[str]) -> str:
    return "\n".join(f"{number:6}\t{row}" for number, row in enumerate(rows, start=1))


FRAMED = ("hex", "base64", "Python b''", "Java, signed list", "Go %v", "\\x escapes")
"""Forms in which frames are written, too."""


def _frames(chance: Chance) -> Iterator[Text]:
    """A request and its response, each with its size, that carry a message."""
    frames = [sent.data for sent in converse(chance, [draw(chance)])[:2]]
    for form in FRAMED:
        parts = [ONE_LINE[form](frame, chance) for frame in frames]
        yield Text(form, "a request and its response", "\n".join(parts), frames)
    for form in DUMPS:
        parts = [_as(form)(frame, chance) for frame in frames]
        yield Text(form, "a request and its response", "\n".join(parts), frames)


IN_NO_TEXT = ("raw", "log", "kafka-dump-log")
"""Forms that are no way to write bytes, or write more than one message."""
_LEAST_CUT = 12  # bytes


def _of_every_form(chance: Chance, data: bytes) -> Iterator[Text]:
    """A message, whole and cut short, in every form that there is."""
    cut = data[: chance.randint(min(_LEAST_CUT, len(data)), len(data))]
    for form in FORMS:
        if form.name not in IN_NO_TEXT:
            name = f"--format {form.name}"
            yield Text(name, "alone", form.write(data), [data])
            yield Text(name, "cut anywhere", form.write(cut), [cut])


def _wrapped(form: str, parts: list[str], chance: Chance, found: list[bytes]) -> Iterator[Text]:
    for how, within in WITHIN.items():
        wrapped = [within(part, chance) for part in parts]
        for name, between in BETWEEN.items():
            what = "blank lines between" if "blank" in name else "nothing between"
            yield Text(form, f"{how}, {what}", between(wrapped, chance), found)
        for name in ("between prose", "in a code fence"):
            yield Text(form, f"{how}, {name}", SURROUNDED[name](wrapped, chance), found)


def _by_people(form: str, parts: list[str], chance: Chance, found: list[bytes]) -> Iterator[Text]:
    """Texts as people pass them on, with something around messages or between them."""
    for name, between in SURROUNDED.items():
        yield Text(form, name, between(parts, chance), found)
    if form in ANYWHERE:
        wrapped = [_by_hand(part, chance) for part in parts]
        yield Text(form, "wrapped by hand, blank lines between", "\n\n".join(wrapped), found)
    if form in SPACED and len(found) > 1:
        for separator in ("; ", "\t", " | "):
            name = f"{separator.strip() or 'tabs'} between"
            yield Text(form, name, separator.join(parts), found)
