"""Messages of the consumer protocol, drawn at random by class, that readers are asked about.

A class is a way in which messages differ that clients are known to differ by; `CLASSES` has all of
them. A message is drawn from what the protocol says, not from the inputs of the matrix nor from the
rules of `clients/reader_rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from kproto.fuzz.guarantees.cases import Case

SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"

Partitions = tuple[tuple[bytes | None, tuple[int, ...]], ...]


class Content(NamedTuple):
    """The content of a message of either kind; `topics`, `generation` and `rack` are of a
    subscription alone."""

    version: int
    topics: tuple[bytes | None, ...]
    entries: Partitions
    user_data: bytes | None = None
    generation: int = -1
    rack: bytes | None = None

    def written(self, name: str, layout: int | None = None) -> bytes:
        """Return the bytes, with the fields of a layout, by default of the version."""
        layout = self.version if layout is None else layout
        head = _int(self.version, 2)
        if name == ASSIGNMENT:
            return head + _entries(self.entries) + _sized(self.user_data, 4)
        parts = [head, _int(len(self.topics), 4)]
        parts += [_sized(topic, 2) for topic in self.topics]
        parts.append(_sized(self.user_data, 4))
        if layout >= 1:
            parts.append(_entries(self.entries))
        if layout >= 2:
            parts.append(_int(self.generation, 4))
        if layout >= 3:
            parts.append(_sized(self.rack, 2))
        return b"".join(parts)


def _int(number: int, size: int) -> bytes:
    return (number % (1 << 8 * size)).to_bytes(size, "big")


def _sized(data: bytes | None, width: int) -> bytes:
    return _int(-1, width) if data is None else _int(len(data), width) + data


def _entries(entries: Partitions) -> bytes:
    parts = [_int(len(entries), 4)]
    for topic, partitions in entries:
        parts += [_sized(topic, 2), _int(len(partitions), 4)]
        parts += [_int(partition, 4) for partition in partitions]
    return b"".join(parts)


# -- what contents are drawn from

_WORDS = "orders payments a b clicks.v2 user_events 日本語 größe t-7 тема".split()
_ODD_NAMES = (
    *("", " ", "a\0b", "\0", "orders ", "null", "..", "a/b", "7", "^a.*", "%s%n", "a\nb"),
    *("__proto__", "constructor", "toString", "length", "hasOwnProperty"),
    *("\ufeffa", "e\u0301", "\U0001d11e"),
)
_NO_UTF8 = (b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe6\x97z")
_LENGTHS = (
    *(0, 1, 2, 127, 128, 129, 248, 249, 250, 254, 255, 256, 257, 511, 512, 513, 514, 1023, 1024),
    *(1025, 2047, 2048, 4095, 4096, 4097, 16_384, 32_766, 32_767),
)
_PARTITIONS = (0, 0, 1, 2, 3, 5, 8, 11, 63, 99, 1000, 99_999, (1 << 31) - 1)
_USER_DATA_LENGTHS = (
    *(1, 2, 127, 128, 255, 256, 4095, 4096, 32_767, 32_768, 65_535, 65_536, 70_001),
    *(262_144, 1_000_000, 1_048_576),
)
_ODD_NUMBERS = (
    *(-(1 << 31), -2, -1, 0, 1, 2, 7, 100, 255, 256, 10_000, 10_001, 32_767, 65_536, 99_999),
    *(100_001, 999_999, 1_000_001, 1 << 24, (1 << 31) - 1),
)


def _name(random: Random) -> bytes:
    if random.random() < 0.7:
        return random.choice(_WORDS).encode()
    return "".join(
        random.choices("abcdefghijklmnopqrstuvwxyz.-_0189é水", k=random.randint(1, 30))
    ).encode()


def _partitions(random: Random) -> tuple[int, ...]:
    if random.random() < 0.6:
        return tuple(range(random.randint(1, 6)))
    return tuple(dict.fromkeys(random.choices(_PARTITIONS, k=random.randint(1, 4))))


def _content(random: Random) -> Content:
    topics = tuple(dict.fromkeys(_name(random) for _ in range(random.randint(1, 5))))
    entries = tuple((topic, _partitions(random)) for topic in topics if random.random() < 0.7)
    entries = entries or ((topics[0], (0,)),)
    return Content(
        random.randint(0, 3), topics, entries,
        random.choice((None, b"", random.randbytes(random.randint(1, 40)))),
        random.choice((-1, 0, 7, (1 << 31) - 1)),
        random.choice((None, b"", b"eu-west-1a", "größe".encode())),
    )  # fmt: skip


def _renamed(content: Content, random: Random, name: bytes | None) -> Content:
    """Return the content with another name for one of its topics, wherever it is."""
    topic = random.choice(content.topics)
    topics = tuple(name if one == topic else one for one in content.topics)
    entries = tuple((name if one == topic else one, parts) for one, parts in content.entries)
    where = random.randrange(3)
    if where == 0:
        return content._replace(topics=topics)
    if where == 1 and any(one == topic for one, _ in content.entries):
        return content._replace(entries=entries)
    return content._replace(topics=topics, entries=entries)


# -- classes


def _ordinary(name: str, random: Random) -> bytes:
    return _content(random).written(name)


def _long_name(name: str, random: Random) -> bytes:
    length = random.choice(_LENGTHS) if random.random() < 0.7 else random.randint(0, 2000)
    letters = "ab水" if random.random() < 0.3 else "ab.x"
    text = (
        "".join(random.choices(letters, k=length))
        .encode()[:length]
        .decode(errors="ignore")
        .encode()
    )
    content = _content(random)
    topic = text.ljust(length, b"z")
    if name == ASSIGNMENT:
        entries = ((topic, random.choice(((), (0,), (0, 1)))), *content.entries[1:])
        return content._replace(entries=entries).written(name)
    return _renamed(content, random, topic).written(name)


def _odd_name(name: str, random: Random) -> bytes:
    odd = random.choice(_ODD_NAMES).encode() if random.random() < 0.7 else random.choice(_NO_UTF8)
    content = _content(random)
    if name == ASSIGNMENT:
        entries = (*content.entries[1:], (odd, _partitions(random)))
        return content._replace(entries=entries).written(name)
    if random.random() < 0.2:
        return content._replace(rack=odd, version=3).written(name)
    return _renamed(content, random, odd).written(name)


def _newer_version(name: str, random: Random) -> bytes:
    version = random.choice((4, 5, 6, 100, 255, 256, 257, 511, 32_766, 32_767))
    version = version if random.random() < 0.6 else random.randint(4, 32_767)
    data = _content(random)._replace(version=version).written(name, 3)
    more = random.choice((b"", b"", b"\0", random.randbytes(random.randint(1, 12))))
    return data + more


def _other_layout(name: str, random: Random) -> bytes:
    """A version in front of the fields of another, and negative versions."""
    content = _content(random)
    version = random.choice((-1, -2, -32_768, 0, 1, 2, 3, 0x0100, 0x0300))
    data = content._replace(version=version).written(name, random.randint(0, 3))
    return data + random.choice((b"", b"", b"\0", random.randbytes(random.randint(1, 9))))


def _empty(name: str, random: Random) -> bytes:
    """No bytes, a version alone, no topics, no entries, empty and null user data."""
    if random.random() < 0.3:
        return random.choice((b"", b"\0", b"\0\0", b"\0\1", b"\0\3", b"\0\0\0\0\0\0", b"\0" * 10))
    content = _content(random)._replace(user_data=random.choice((None, b"")))
    if random.random() < 0.6:
        content = content._replace(entries=())
    if random.random() < 0.6:
        content = content._replace(topics=())
    return content.written(name)


def _duplicates(name: str, random: Random) -> bytes:
    """A topic twice, a partition twice, an entry twice."""
    content = _content(random)
    topic, partitions = random.choice(content.entries)
    entry = (
        topic,
        random.choice((partitions, (), _partitions(random), (*partitions, partitions[0]))),
    )
    place = random.randint(0, len(content.entries))
    entries = (*content.entries[:place], entry, *content.entries[place:])
    topics = (*content.topics, random.choice(content.topics))
    if random.random() < 0.3:
        entries = content.entries
    elif random.random() < 0.3:
        topics = content.topics
    return content._replace(topics=topics, entries=entries).written(name)


def _no_partitions(name: str, random: Random) -> bytes:
    content = _content(random)
    entries = tuple(
        (topic, () if random.random() < 0.6 else parts) for topic, parts in content.entries
    )
    return content._replace(
        entries=((random.choice(content.topics), ()), *entries[1:]),
        version=content.version if name == ASSIGNMENT else random.randint(1, 3),
    ).written(name)


def _user_data(name: str, random: Random) -> bytes:
    length = random.choice(_USER_DATA_LENGTHS)
    if random.random() < 0.3:
        length = random.randint(0, 1 << 20)
    return _content(random)._replace(user_data=random.randbytes(length)).written(name)


def _number(name: str, random: Random) -> bytes:
    """A count, a length or a partition that is odd: too large, negative, null."""
    content = _content(random)._replace(user_data=b"uu", rack=b"rr")
    data = bytearray(content.written(name))
    places = [2, data.rindex(b"uu") - 4]
    if name == SUBSCRIPTION and content.version >= 1:
        places.append(data.rindex(b"uu") + 2)
    strings = [place - 2 for topic, _ in content.entries if topic
               for place in [data.find(topic)] if place >= 0]  # fmt: skip
    if random.random() < 0.35 and strings:
        place = random.choice(strings)
        length = random.choice((-32_768, -2, -1, 0, 1, 255, 512, 513, 32_767))
        data[place : place + 2] = _int(length, 2)
    elif random.random() < 0.35 and strings:
        place = strings[-1] + 2 + len(content.entries[-1][0] or b"")
        data[place : place + 4] = _int(random.choice(_ODD_NUMBERS), 4)
    else:
        place = random.choice(places)
        data[place : place + 4] = _int(random.choice(_ODD_NUMBERS), 4)
    return bytes(data)


def _damaged(name: str, random: Random) -> bytes:
    """One to three bytes changed, put in or taken out."""
    data = bytearray(_content(random).written(name))
    for _ in range(random.randint(1, 3)):
        place = random.randint(0, len(data))
        byte = random.choice((0, 1, 2, 3, 0x61, 0x7F, 0x80, 0xFF, random.randrange(256)))
        data[place : place + random.randint(0, 1)] = bytes([byte]) if random.random() < 0.8 else b""
    return bytes(data)


def _cut(name: str, random: Random) -> bytes:
    """Cut short at any place."""
    data = random.choice((_ordinary, _ordinary, _no_partitions, _odd_name))(name, random)
    return data[: random.randrange(len(data))]


CLASSES: Mapping[str, Callable[[str, Random], bytes]] = MappingProxyType({
    "ordinary": _ordinary,
    "name lengths": _long_name,
    "odd names": _odd_name,
    "versions from 4": _newer_version,
    "other layouts": _other_layout,
    "empty": _empty,
    "duplicates": _duplicates,
    "no partitions": _no_partitions,
    "user data to 1 MB": _user_data,
    "odd numbers": _number,
    "damaged": _damaged,
    "cut short": _cut,
})  # fmt: skip
"""The classes, each with a function that draws a message of that name."""


def draw_messages(count: int, seed: int) -> Iterator[tuple[str, Case]]:
    """Yield `count` messages of each class with its name, half of them subscriptions."""
    for label, draw in CLASSES.items():
        random = Random(f"{label} {seed}")  # noqa: S311
        for number in range(count):
            name = (SUBSCRIPTION, ASSIGNMENT)[number % 2]
            yield label, Case(name, draw(name, random), kind=label)
