"""The decoders of clients, as walks through bytes.

Each class follows the decoder of one client, in the release that was measured; its docstring names
the source. What counts is how far the code reads, what makes it refuse, what it makes of the
fields, and how much memory it reserves for a count that the bytes only claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from struct import unpack
from typing import NoReturn, TypeVar

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription

SUBSCRIPTION, ASSIGNMENT = ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME
Entry = tuple[bytes | None, list[int]]
"""A topic, null as None, and its partitions."""
_Element = TypeVar("_Element")


class Walked(Enum):
    """How a client's code ends."""

    READ = "read"
    READ_OTHERWISE = "read otherwise"
    """Kafka reads something else."""
    TAKEN = "taken"
    """Kafka refuses it."""
    REFUSED = "refused"
    DIED = "died"
    UNCERTAIN = "uncertain"
    """It depends on more than the bytes: the memory that is left, how long somebody waits."""


class End(Exception):
    """The client's code ends here, in that way."""

    def __init__(self, how: Walked) -> None:
        self.how = how


_STEPS = 100_000
"""Elements that are read from no bytes: beyond, the outcome depends on how long somebody waits."""
_HEADER, _INT32, _COUNT = 2, 4, 4  # bytes
_NEWEST = 3  # version
_SURROGATES = re.compile("[\ud800-\udfff]")


class Walk:
    """A walk through some bytes. This one refuses what is cut short and takes -1 for null."""

    survived, died = 15 << 27, 2 << 30
    """Bytes that the client can reserve when it is measured, with an address space of 2 GiB, and
    bytes that it cannot: between them it depends on what else the process holds."""

    only_last = ""
    """The name of the message in which a topic's last entry replaces the ones before."""
    lost: tuple[str, ...] = ()
    """The topics that are lost there."""
    malformed = "surrogateescape"
    """How a string that is no UTF-8 is read: this gives a character for each byte."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.reserved = 0
        self.topics: list[bytes | None] = []
        self.owned: list[Entry] | None = None
        """The entries of either message; None if the client does not read them."""
        self.generation: int | None = None
        self.rack: bytes | None = None

    @property
    def left(self) -> int:
        """The number of bytes not yet read."""
        return len(self.data) - self.at

    def refuse(self) -> NoReturn:
        """End the walk: the client refuses the bytes."""
        raise End(Walked.REFUSED)

    def take(self, size: int) -> bytes:
        """Return the next bytes, which have to be there."""
        if not 0 <= size <= self.left:
            self.refuse()
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int) -> int:
        """Return a signed number of that many bytes."""
        return int.from_bytes(self.take(size), "big", signed=True)

    def reserve(self, size: int) -> None:
        """Note that the client reserves that many bytes of memory, which it then keeps."""
        self.reserved += max(size, 0)
        if self.reserved > self.died:
            raise End(Walked.DIED)

    def utf8(self, size: int) -> bytes:
        """Return a string of that many bytes, which has to be UTF-8."""
        text = self.take(size)
        try:
            text.decode()
        except UnicodeDecodeError:
            self.refuse()
        return text

    def string(self, text: bytes | None) -> str:
        """Return the characters that the client reads; none for null."""
        found = (text or b"").decode(errors=self.malformed)
        return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", found)

    def text(self) -> bytes | None:
        """Return the bytes of a string, None for null."""
        size = self.number(_HEADER)
        return None if size == -1 else self.take(size)

    def nullable(self) -> bytes | None:
        """Return the rack, a string that may be null."""
        return self.text()

    def blob(self) -> None:
        """Read the user data."""
        size = self.number(_COUNT)
        if size != -1:
            self.take(size)

    def count(self) -> int:
        """Return the number of elements of an array; a negative one is none."""
        return self.number(_COUNT)

    def strings(self) -> None:
        """Read the topics of a subscription."""
        for _ in range(self.count()):
            self.topics.append(self.text())

    def integers(self) -> list[int]:
        """Return the partitions of a topic."""
        return self.unpacked(self.count())

    def unpacked(self, count: int) -> list[int]:
        """Return that many numbers, which have to be there."""
        count = max(count, 0)
        return list(unpack(f">{count}i", self.take(_INT32 * count)))

    def entries(self) -> None:
        """Read topics with their partitions."""
        self.owned = [self.entry() for _ in range(self.count())]

    def entry(self) -> Entry:
        """Return a topic with its partitions."""
        return self.text(), self.integers()

    def subscription(self) -> None:
        """Read a subscription, with the fields of its label's version."""
        label = self.number(_HEADER)
        self.strings()
        self.blob()
        if label >= 1:
            self.entries()
        if label >= 2:
            self.generation = self.number(_INT32)
        if label >= 3:
            self.rack = self.nullable()

    def assignment(self) -> None:
        """Read an assignment, whatever the version of its label."""
        self.number(_HEADER)
        self.entries()
        self.blob()

    def end(self) -> Walked:
        """Return what becomes of bytes whose fields were read."""
        return Walked.READ


class _Go(Walk):
    """Go needs as much again to grow its heap, and may still hold what earlier messages cost."""

    survived, died = 1 << 23, 1 << 30


class _OldFields(Walk):
    """The fields of version 0, whatever the label says."""

    def subscription(self) -> None:
        self.number(_HEADER)
        self.strings()
        self.blob()


class _NegativeIsNone(Walk):
    """Strings and bytes of any negative length are null or empty."""

    def text(self) -> bytes:
        return self.take(max(self.number(_HEADER), 0))

    def blob(self) -> None:
        self.take(max(self.number(_COUNT), 0))


class _Python(_NegativeIsNone):
    """Strings have to be UTF-8."""

    def text(self) -> bytes:
        return self.utf8(max(self.number(_HEADER), 0))


class Aiokafka(_Python, _OldFields):
    """aiokafka/coordinator/protocol.py and protocol/types.py; kafka-python 2 has the same."""


class KafkaPython(_Python):
    """kafka/protocol/api_data.py and data_container.py: Kafka's definitions, interpreted, and no
    negative version.
    """

    def end(self) -> Walked:
        negative = int.from_bytes(self.data[:_HEADER], "big", signed=True) < 0
        return Walked.REFUSED if negative else super().end()


class Kmsg(_NegativeIsNone):
    """franz-go's kmsg/generated.go and internal/kbin: a count has at least a byte an element."""

    def text(self) -> bytes:
        return self.take(self.number(_HEADER))

    def nullable(self) -> bytes:
        return super().text()

    def count(self) -> int:
        count = super().count()
        if count > self.left:
            self.refuse()
        return count


class Kgo(Kmsg):
    """franz-go's kgo/group_balancer.go: what fails with label 1 is read as version 0."""

    only_last = ASSIGNMENT

    def subscription(self) -> None:
        try:
            super().subscription()
        except End:
            if not self.data.startswith(b"\0\1"):
                raise
            self.data, self.at, self.topics, self.owned = b"\0\0" + self.data[_HEADER:], 0, [], []
            super().subscription()


class OlderKgo(Kmsg):
    """The same of franz-go 1.14: of a failure it takes note with label 1 alone."""

    only_last = ASSIGNMENT

    def subscription(self) -> None:
        try:
            super().subscription()
        except End:
            if self.data.startswith(b"\0\1"):
                raise


class Sarama(Walk):
    """Sarama's consumer_group_members.go and real_decoder.go, which leave no byte unread."""

    only_last = ASSIGNMENT

    def count(self) -> int:
        count = super().count()
        if count < -1 or count > self.left:
            self.refuse()
        return count

    def integers(self) -> list[int]:
        count = self.count()
        if count < 0:
            self.refuse()
        return self.unpacked(count)

    def subscription(self) -> None:
        label = self.number(_HEADER)
        self.strings()
        self.blob()
        if label >= 1:
            if self.owned_is_missing():
                return
            self.entries()
        self.newer(label)

    def newer(self, label: int) -> None:
        """Read the fields of versions 2 and 3."""
        if label >= 2:
            self.generation = self.number(_INT32)
        if label >= 3:
            self.rack = self.nullable()

    def owned_is_missing(self) -> bool:
        """Return whether the count of owned partitions is cut short or exceeds what follows: then
        there are none, and nothing is left to read.
        """
        count = int.from_bytes(self.data[self.at : self.at + _COUNT], "big", signed=True)
        missing = self.left < _COUNT or count > self.left - _COUNT
        if missing:
            self.at = len(self.data)
        return missing

    def end(self) -> Walked:
        return Walked.REFUSED if self.left else super().end()


class OlderSarama(_Go, Sarama):
    """Sarama 1.40, which reserves memory for topics unchecked, and has versions 0 and 1."""

    _MOST, _STRING = 131_070, 16  # elements; bytes

    def count(self) -> int:
        count = self.number(_COUNT)
        if count > self.left or count > self._MOST:
            self.refuse()
        return count

    def unsigned(self) -> int:
        """Return a count that is never negative."""
        return self.number(_COUNT) % (1 << 32)

    def strings(self) -> None:
        count = self.unsigned()
        self.reserve(count * self._STRING)
        self.topics = [self.text() for _ in range(count)]

    def integers(self) -> list[int]:
        return self.unpacked(self.unsigned())

    def owned_is_missing(self) -> bool:
        count = int.from_bytes(self.data[self.at : self.at + _COUNT], "big", signed=True)
        if self.left >= _COUNT and count < 0:
            raise End(Walked.DIED)  # makeslice: len out of range
        return super().owned_is_missing()

    def newer(self, label: int) -> None:
        """Read nothing: this release has no later versions."""


class KafkaGoReader(_Go, _NegativeIsNone, _OldFields):
    """kafka-go's read.go, joingroup.go and syncgroup.go: the map of an assignment is made as large
    as the count says.
    """

    only_last = ASSIGNMENT
    _SLOT = 41  # bytes of a map's key, value and control byte

    def subscription(self) -> None:
        super().subscription()
        if self.left:
            self.refuse()

    def assignment(self) -> None:
        if self.data:
            super().assignment()

    def count(self) -> int:
        return max(super().count(), 0)

    def entries(self) -> None:
        count = self.count()
        self.reserve(self._SLOT << (count * 8 // 7).bit_length())
        self.owned = [self.entry() for _ in range(count)]


class KafkaGoDescribe(_Go, _NegativeIsNone):
    """kafka-go's describegroups.go: owned partitions with the label 1, and no byte is left."""

    def subscription(self) -> None:
        if not self.data:
            return
        label = self.number(_HEADER)
        self.strings()
        self.blob()
        if label == 1 and self.left:
            self.entries()

    def assignment(self) -> None:
        if self.data:
            super().assignment()

    def end(self) -> Walked:
        return Walked.REFUSED if self.left else super().end()


class KafkaGoClient(_Go, _NegativeIsNone):
    """kafka-go's protocol/decode.go: version 1 whatever the label, memory as counts and lengths
    say, and an array ends where the bytes end, its other elements zero.
    """

    only_last = SUBSCRIPTION
    _STRING, _ENTRY = 16, 40  # bytes of an element

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.short = False
        self.zeros = 0

    def take(self, size: int) -> bytes:
        if size > self.left:
            self.short, self.at = True, len(self.data)
            return bytes(_COUNT)
        return super().take(size)

    def blob(self) -> None:
        size = max(self.number(_COUNT), 0)
        self.reserve(size)
        self.take(size)

    def elements(self, width: int, read: Callable[[], _Element]) -> list[_Element]:
        """Return an array whose elements have that many bytes in memory."""
        count = self.number(_COUNT)
        self.reserve(count * width)
        found: list[_Element] = []
        while len(found) < count and self.left:
            found.append(read())
        self.zeros += max(count - len(found), 0)
        return found

    def strings(self) -> None:
        self.topics.extend(self.elements(self._STRING, self.text))

    def integers(self) -> list[int]:
        return self.elements(_INT32, lambda: self.number(_INT32))

    def entries(self) -> None:
        self.owned = self.elements(self._ENTRY, self.entry)

    def subscription(self) -> None:
        self.number(_HEADER)
        self.strings()
        self.blob()
        self.entries()

    def end(self) -> Walked:
        if self.short:
            return Walked.REFUSED
        return Walked.UNCERTAIN if self.zeros > _STEPS else super().end()


class KafkaJs(_OldFields):
    """KafkaJS's protocol/decoder.js: lengths move the position, forwards, backwards and beyond the
    end; only a number has to be inside.
    """

    only_last = ASSIGNMENT
    malformed = "replace"
    _HEAP = 1 << 26  # elements of 8 bytes: 512 MiB
    lost: tuple[str, ...] = ("__proto__",)

    def take(self, size: int) -> bytes:
        if self.at < 0:
            self.refuse()
        return super().take(size)

    def moved(self, size: int) -> bytes:
        """Move by that many bytes; return those passed over."""
        self.at += size
        return self.data[self.at - size : self.at] if size > 0 else b""

    def text(self) -> bytes | None:
        size = self.number(_HEADER)
        return None if size == -1 else self.moved(size)

    def blob(self) -> None:
        size = self.number(_COUNT)
        self.moved(0 if size == -1 else size)

    def count(self) -> int:
        count = super().count()
        if count < -1:
            self.refuse()  # RangeError: Invalid array length
        return count

    def strings(self) -> None:
        self.topics.extend(self.repeated(self.text))

    def entries(self) -> None:
        self.owned = self.repeated(self.entry)

    def repeated(self, read: Callable[[], _Element]) -> list[_Element]:
        """Return an array, whose elements may be the same bytes again."""
        found: list[_Element] = []
        count = self.count()
        for _ in range(count):
            if len(found) > _STEPS + len(self.data):  # a length leads back, again and again
                raise End(Walked.DIED if count > self._HEAP else Walked.UNCERTAIN)
            found.append(read())
        return found

    def assignment(self) -> None:
        if len(self.data) >= _HEADER:
            super().assignment()


class Platformatic(KafkaJs):
    """@platformatic/kafka's consumer-protocol.js and dynamic-buffer: a length may lead backwards,
    and not beyond the end; fields that are missing at the end have their defaults.
    """

    only_last = ""
    lost = ()

    def moved(self, size: int) -> bytes:
        passed = super().moved(size)
        if self.left < 0:
            self.refuse()
        return passed

    def count(self) -> int:
        return self.number(_COUNT)

    def subscription(self) -> None:
        label = self.number(_HEADER)
        self.strings()
        self.blob()
        if label >= 1 and self.left:
            self.entries()
        if label >= 2 and self.left:
            self.generation = self.number(_INT32)
        if label >= 3 and self.left:
            self.rack = self.text()

    def assignment(self) -> None:
        if not self.data:
            return
        self.number(_HEADER)
        if self.left:
            self.entries()
        if self.left:
            self.blob()


class KafkaProtocol(Walk):
    """The Rust crate's protocol/types.rs and its generated messages: null for user data and rack
    alone, UTF-8 alone, versions 0 to 3 alone, and memory as a count says.
    """

    string_size, entry_size, integer_size = 32, 56, 4
    """Bytes of an element in memory."""

    def text(self) -> bytes:
        return self.utf8(self.number(_HEADER))

    def nullable(self) -> bytes | None:
        size = self.number(_HEADER)
        return None if size == -1 else self.utf8(size)

    def counted(self, width: int) -> int:
        """Return the count of elements of that many bytes, for which memory is there."""
        count = self.number(_COUNT)
        if count < 0:
            self.refuse()
        self.reserve(count * width)
        return count

    def strings(self) -> None:
        self.topics = [self.text() for _ in range(self.counted(self.string_size))]

    def integers(self) -> list[int]:
        return self.unpacked(self.counted(self.integer_size))

    def entries(self) -> None:
        self.owned = [self.entry() for _ in range(self.counted(self.entry_size))]

    def subscription(self) -> None:
        self.known()
        super().subscription()

    def assignment(self) -> None:
        self.known()
        super().assignment()

    def known(self) -> None:
        """Refuse a version that the crate does not have."""
        if int.from_bytes(self.data[:_HEADER], "big") > _NEWEST:
            self.refuse()


class Kio(KafkaProtocol):
    """kio's kio.serial: its reader is compiled from Rust, and differs from that crate's in null,
    which is an array, too, and in the size of an element, which is that of a pointer.
    """

    string_size = entry_size = integer_size = 8

    def counted(self, width: int) -> int:
        count = self.number(_COUNT)
        if count < -1:
            self.refuse()
        self.reserve(count * width)
        return count
