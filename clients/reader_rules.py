"""Tell by the rules of a client's decoder what becomes of some bytes, and if it reads what Kafka
does.

>>> outcome_by_rules("sarama", SUBSCRIPTION, bytes.fromhex("000000000000ffffffff"))
'reads it'
>>> outcome_by_rules("kafka-protocol", ASSIGNMENT, bytes.fromhex("00007fffffff"))
'does not survive it'

`RULES` has a row for each client with a decoder of its own: how far it reads, what it refuses, what
it makes of the fields, and how much memory it reserves for a count that the bytes only claim.
Apache Kafka's own readers, those of Connect and Streams too, do what `decode` does with the newest
version that the release knows (`RELEASES`); that is compared with them, input by input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from struct import unpack
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeVar

from ..codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    SubscriptionInfoData,
    field_versions,
    message_class,
)
from ..codec.errors import DecodeError, ErrorKind
from ..codec.read.decoding import decode
from .consequences import FAILS, NOT_KNOWN, READS, READS_OTHERWISE, REFUSES, TAKES

SUBSCRIPTION, ASSIGNMENT = ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME
_OWNED, _GENERATION, _RACK_ID = (
    field_versions(ConsumerProtocolSubscription, name).lowest
    for name in ("owned_partitions", "generation_id", "rack_id")
)


def outcome_by_rules(reader: str, name: str, data: bytes) -> str:
    """Return what that reader's code does with the bytes as the message of that name."""
    if reader in RELEASES:
        return _outcome_of_release(RELEASES[reader], name, data)
    walk = _Walk(RULES[reader], data)
    outcome = walk.outcome_of(name)
    if outcome != READS:
        return outcome
    value = _value_in_kafka(name, data)
    if value is None:
        return TAKES
    return READS if all(_same_fields(walk, value)) else READS_OTHERWISE


# -- Apache Kafka's releases


class Release(NamedTuple):
    """A release of Apache Kafka, and the newest version that it knows of its messages."""

    client: str
    newest: int
    messages: tuple[str, ...] = (SUBSCRIPTION, ASSIGNMENT)
    refuses_newer: bool = False
    trusts_counts: bool = False
    """Whether it reserves memory for the counts of an AssignmentInfo unchecked."""


_CONNECT = ConnectProtocolMetadata.NAME, ConnectProtocolAssignment.NAME
_STREAMS = SubscriptionInfoData.NAME, AssignmentInfo.NAME

RELEASES: Mapping[str, Release] = MappingProxyType({
    "java": Release("kafka-clients (Java)", 3),
    "java-2.4": Release("kafka-clients (ConsumerProtocol)", 1),
    "java-2.8": Release("kafka-clients (ConsumerProtocol)", 1),
    "java-3.9": Release("kafka-clients (ConsumerProtocol)", 3),
    "java-4.4": Release("kafka-clients (ConsumerProtocol)", 3),
    "connect-2.2": Release("Kafka Connect 2.2.2", 0, _CONNECT),
    "connect-2.3": Release("Kafka Connect 2.3.1", 2, _CONNECT),
    "connect-4.3": Release("Kafka Connect 4.3.1", 2, _CONNECT),
    "streams-1.1": Release(
        "Kafka Streams 1.1.1", 2, _STREAMS, refuses_newer=True, trusts_counts=True
    ),
    "streams-2.8": Release("Kafka Streams 2.8.2", 9, _STREAMS, trusts_counts=True),
    "streams-4.3": Release("Kafka Streams 4.3.1", 11, _STREAMS),
})  # fmt: skip

_NEWEST = {
    name: max(release.newest for release in RELEASES.values() if name in release.messages)
    for name in (SUBSCRIPTION, ASSIGNMENT, *_CONNECT, *_STREAMS)
}
"""The newest version that a release knows. A definition may have a version that none has yet."""


def _outcome_of_release(release: Release, name: str, data: bytes) -> str:
    try:
        if not _is_read(release, name, data):
            return REFUSES
    except DecodeError as error:
        claims = error.kind is ErrorKind.COUNT_EXCEEDS_INPUT and name == AssignmentInfo.NAME
        return NOT_KNOWN if claims and release.trusts_counts else REFUSES
    return READS if _is_read_today(name, data) else TAKES


def _is_read(release: Release, name: str, data: bytes) -> bool:
    cls = message_class(name)
    result = decode(data, cls, reader_version=min(release.newest, cls.LATEST))
    is_newer = result.version is not None and result.version > release.newest
    if is_newer and release.refuses_newer:
        return False
    message = result.message
    if isinstance(message, ConnectProtocolMetadata) and message.allocation is not None:
        decode(message.allocation, ConnectProtocolAssignment)  # what a worker runs
    return True


def _is_read_today(name: str, data: bytes) -> bool:
    try:
        return _is_read(Release("Apache Kafka", _NEWEST[name]), name, data)
    except DecodeError:
        return False


# -- decoders written by hand


_GO = (1 << 23, 1 << 30)
"""Go needs as much again to grow its heap, and may still hold what earlier messages cost."""


Entry = tuple[bytes | None, list[int]]
"""A topic, null as None, and its partitions."""


class Rules(NamedTuple):
    """How a client's decoder, in the release that was measured, reads a subscription and an
    assignment; `source` names its file. Without options: as Apache Kafka, but it refuses what is
    cut short alone, takes -1 for null, and any negative count for none.
    """

    source: str
    body: Callable[[int], int] = lambda label: label
    """The version whose fields it reads, from the version that the bytes name. Fields that this
    project's walk does not know are not read by any of these clients."""
    labels: range = range(-(1 << 15), 1 << 15)
    """The versions that it does not refuse."""
    negative: tuple[str, str, str] = ("null", "null", "null")
    """What it makes of the negative length of a string, of user data, and of the rack: "refused";
    "null", where -1 is null and others are refused; "empty", where all are null or empty."""
    utf8: bool = False
    """Whether it refuses strings that are no UTF-8."""
    least: tuple[int | None, int | None, int | None] = (None, None, None)
    """The lowest count of topics, of entries, and of partitions that it does not refuse; None: any
    negative count is none."""
    most: tuple[int, int, int] = (1 << 31, 1 << 31, 1 << 31)
    """The highest count of topics, of entries, and of partitions that it does not refuse."""
    counts_fit: bool = False
    """Whether it refuses a count that is higher than the number of bytes left."""
    size: tuple[int, int, int] = (0, 0, 0)
    """The bytes that it reserves for each topic, entry, and partition that a count claims."""
    map_slot: int = 0
    """The bytes of a slot of the map that it makes as large as the count of entries claims."""
    memory: tuple[int, int] = (15 << 27, 2 << 30)
    """Bytes that the client can reserve when it is measured, with an address space of 2 GiB, and
    bytes that it cannot: between them it depends on what else the process holds."""
    reads_whole: tuple[str, ...] = ()
    """The messages that it refuses where bytes are left over."""
    empty: tuple[int, int] = (0, 0)
    """A subscription, and an assignment, of fewer bytes is read as one without fields."""
    optional: str = ""
    """"fields": those that are missing at the end have their defaults, with "fields of a
    subscription" in that message alone; "owned": the owned partitions have theirs where their count
    is missing or too high, and then nothing else is read."""
    pads: bool = False
    """Whether an array ends where the bytes end, and its other elements are zero."""
    jumps: str = ""
    """"anywhere": the length of a string moves the position, backwards and beyond the end, too, and
    only a number has to be inside; "inside": not beyond the end."""
    retries: str = ""
    """Of a subscription that it cannot read, "label 1" is read as version 0, and any "but label 1"
    is left as far as it was read."""
    panics: bool = False
    """Whether a negative count of topics, and of owned partitions, ends the process."""
    only_last: str = ""
    """The name of the message in which a topic's last entry replaces the ones before."""
    lost: tuple[str, ...] = ()
    """The topics that are lost there."""
    malformed: str = "surrogateescape"
    """How a string that is no UTF-8 is read: this gives a character for each byte."""
    ends_at_nul: bool = False
    """Whether a name ends at its first zero byte."""
    only_topics: bool = False
    """Whether the client shows of a subscription the topics alone."""
    aborts_without_bytes: bool = False
    """Whether a subscription of no bytes ends the process."""
    take_partitions: Callable[[Sequence[Entry]], str] = lambda entries: READS
    """What becomes of an assignment that it has read, when it starts to consume from it."""


def _version_0(_: int) -> int:
    return 0


def _version_1(_: int) -> int:
    return 1


_AIOKAFKA = Rules(
    "aiokafka/coordinator/protocol.py and protocol/types.py; kafka-python 2 has the same",
    body=_version_0, negative=("empty", "empty", "empty"), utf8=True,
)  # fmt: skip
_KMSG = Rules(
    "franz-go's kmsg/generated.go and internal/kbin: a count has at least a byte an element",
    negative=("refused", "empty", "empty"), counts_fit=True,
)  # fmt: skip
_SARAMA = Rules(
    "Sarama's consumer_group_members.go and real_decoder.go, which leave no byte unread",
    least=(-1, -1, 0), counts_fit=True, optional="owned", only_last=ASSIGNMENT,
    reads_whole=(SUBSCRIPTION, ASSIGNMENT),
)  # fmt: skip
_KAFKAJS = Rules(
    "KafkaJS's protocol/decoder.js",
    body=_version_0, least=(-1, -1, -1), jumps="anywhere", empty=(0, 2), only_last=ASSIGNMENT,
    lost=("__proto__",), malformed="replace",
)  # fmt: skip
_KAFKA_PROTOCOL = Rules(
    "the Rust crate's protocol/types.rs and its generated messages: versions 0 to 3 alone, and "
    "memory as a count says",
    labels=range(4), negative=("refused", "null", "null"), utf8=True, least=(0, 0, 0),
    size=(32, 56, 4),
)  # fmt: skip

# librdkafka's topics are 512 bytes long at most, and a longer name of a partition that is assigned
# is a null pointer to it (rdkafka_topic.c, rd_kafka_topic_new0).
_LONGEST_TOPIC = 512
_MOST_ASSIGNED = 15_000
"""Partitions; with more of them it depends on the machine how long librdkafka needs, since the time
grows with their square where the cluster does not have them."""


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _assign(entries: Sequence[Entry]) -> str:
    """rdkafka_assignment.c, rd_kafka_assignment_add: partitions in order, a duplicate refused."""
    if sum(len(partitions) for _, partitions in entries) > _MOST_ASSIGNED:
        return NOT_KNOWN
    previous = None
    for partition in sorted((topic or b"", number) for topic, ids in entries for number in ids):
        if partition == previous:
            return REFUSES
        if len(partition[0]) > _LONGEST_TOPIC:
            return FAILS
        previous = partition
    return READS


def _has_text(entries: Sequence[Entry]) -> bool:
    return all(_is_utf8(topic or b"") for topic, partitions in entries if partitions)


def _assign_in_python(entries: Sequence[Entry]) -> str:
    """The binding makes text of names before it assigns, and raises UnicodeDecodeError."""
    return _assign(entries) if _has_text(entries) else REFUSES


def _assign_in_rust(entries: Sequence[Entry]) -> str:
    """The binding makes text of names that were assigned, and panics."""
    outcome = _assign(entries)
    return FAILS if outcome == READS and not _has_text(entries) else outcome


def _assign_in_node(entries: Sequence[Entry]) -> str:
    """The binding has U+FFFD in names, refuses one of no characters, and makes -1 of negative
    partitions."""
    replaced: list[Entry] = [
        ((topic or b"").decode(errors="replace").encode(), [max(-1, number) for number in numbers])
        for topic, numbers in entries
        if numbers
    ]
    return _assign(replaced) if all(topic for topic, _ in replaced) else REFUSES


_LIBRDKAFKA = Rules(
    "librdkafka's rdkafka_cgrp.c, rd_kafka_group_MemberMetadata_consumer_read and "
    "rd_kafka_cgrp_handle_SyncGroup_memberstate; rdkafka_request.c, "
    "rd_kafka_buf_read_topic_partitions",
    least=(1, 0, -1), most=(10_000, 1_000_000, 100_000), size=(0, 4 * 104, 0), empty=(0, 1),
    ends_at_nul=True, only_topics=True, aborts_without_bytes=True, take_partitions=_assign,
)  # fmt: skip

RULES: Mapping[str, Rules] = MappingProxyType({
    "aiokafka": _AIOKAFKA,
    "confluent-kafka-go": _LIBRDKAFKA,
    "franz-go-kgo": _KMSG._replace(
        source="franz-go's kgo/group_balancer.go", retries="label 1", only_last=ASSIGNMENT
    ),
    "franz-go-kgo-1.14": _KMSG._replace(
        source="the same of franz-go 1.14: of a failure it takes note with label 1 alone",
        retries="but label 1", only_last=ASSIGNMENT,
    ),
    "franz-go-kmsg": _KMSG,
    "franz-go-kmsg-1.6": _KMSG,
    "kafka-go-client": Rules(
        "kafka-go's protocol/decode.go: memory as counts and lengths say",
        body=_version_1, negative=("empty", "empty", "empty"), size=(16, 40, 4), memory=_GO,
        pads=True, only_last=SUBSCRIPTION,
    ),
    "kafka-go-describe": Rules(
        "kafka-go's describegroups.go",
        body=lambda label: int(label == 1), negative=("empty", "empty", "empty"), memory=_GO,
        optional="fields of a subscription", empty=(1, 1), reads_whole=(SUBSCRIPTION, ASSIGNMENT),
    ),
    "kafka-go-reader": Rules(
        "kafka-go's read.go, joingroup.go and syncgroup.go",
        body=_version_0, negative=("empty", "empty", "empty"), memory=_GO, map_slot=41,
        empty=(0, 1), reads_whole=(SUBSCRIPTION,), only_last=ASSIGNMENT,
    ),
    "kafka-javascript": _LIBRDKAFKA._replace(malformed="replace", take_partitions=_assign_in_node),
    "kafka-protocol": _KAFKA_PROTOCOL,
    "kafka-python": Rules(
        "kafka/protocol/api_data.py and data_container.py: Kafka's definitions, interpreted",
        labels=range(1 << 15), negative=("empty", "empty", "empty"), utf8=True,
    ),
    "kafka-python-2": _AIOKAFKA,
    "kafkajs": _KAFKAJS,
    "kafkajs-1.16": _KAFKAJS,
    "kio": _KAFKA_PROTOCOL._replace(
        source="kio's kio.serial: compiled from Rust, it reserves a pointer for each element",
        least=(-1, -1, -1), size=(8, 8, 8),
    ),
    "krafka": Rules(
        "krafka's src/protocol/messages/consumer_protocol.rs, primitives.rs and mod.rs",
        labels=range(1 << 15), negative=("refused", "null", "null"), utf8=True, least=(0, 0, 0),
        most=(100_000, 100_000, 100_000), empty=(1, 1),
    ),
    "librdkafka": _LIBRDKAFKA._replace(take_partitions=_assign_in_python),
    "platformatic": _KAFKAJS._replace(
        source="@platformatic/kafka's consumer-protocol.js and dynamic-buffer",
        body=lambda label: label, least=(None, None, None), jumps="inside", empty=(0, 1),
        optional="fields", only_last="", lost=(),
    ),
    "rdkafka": _LIBRDKAFKA._replace(malformed="replace", take_partitions=_assign_in_rust),
    "sarama": _SARAMA,
    "sarama-1.40": _SARAMA._replace(
        source="the same of Sarama 1.40, which reserves memory for topics unchecked",
        body=lambda label: min(label, 1), least=(None, None, 0), most=(1 << 31, 131_070, 1 << 31),
        size=(16, 0, 0), memory=_GO, panics=True,
    ),
})  # fmt: skip


_Element = TypeVar("_Element")

_STEPS = 100_000
"""Elements that are read from no bytes: beyond, the outcome depends on how long somebody waits."""
_HEAP = 1 << 26  # elements of 8 bytes: 512 MiB, the heap of node
_LABEL, _INT16, _INT32 = 2, 2, 4  # bytes
_TEXT, _USER_DATA, _RACK = 0, 1, 2  # places in `Rules.negative`
_TOPICS, _ENTRIES, _PARTITIONS = 0, 1, 2  # places in `Rules.least` and `Rules.size`
_SURROGATES = re.compile("[\ud800-\udfff]")


class _End(Exception):
    """The client's code ends here, with that outcome."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome


class _Walk:
    """A walk through some bytes, as the rules say."""

    def __init__(self, rules: Rules, data: bytes) -> None:
        self.rules = rules
        self._data = data
        self._at = 0
        self._reserved = 0
        self._is_short = False
        """Whether a padded array has an element that is cut short."""
        self._zeros = 0
        """The number of elements that padding added."""
        self.topics: list[bytes | None] = []
        self.entries: list[Entry] | None = None
        """Those of either message; None if the client does not read them."""
        self.generation: int | None = None
        self.rack: bytes | None = None

    def outcome_of(self, name: str) -> str:
        """Return what becomes of the bytes as a message: `READS` where its fields were read."""
        try:
            if name == SUBSCRIPTION:
                self._subscription_with_retry()
            else:
                self._assignment()
            outcome = self._outcome_at_end(name)
        except _End as end:
            outcome = end.outcome
        uncertain = outcome != FAILS and self._reserved > self.rules.memory[0]
        return NOT_KNOWN if uncertain else outcome

    def text(self, string: bytes | None) -> str:
        """Return the characters that the client reads; none for null."""
        characters = (string or b"").decode(errors=self.rules.malformed)
        return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", characters)

    # messages

    def _subscription_with_retry(self) -> None:
        if self.rules.aborts_without_bytes and not self._data:
            raise _End(FAILS)
        has_label_1 = self._data.startswith(b"\0\1")
        try:
            self._subscription()
        except _End:
            if self.rules.retries == "label 1" and has_label_1:
                self._data, self._at = b"\0\0" + self._data[_LABEL:], 0
                self.topics, self.entries = [], []
                self._subscription()
            elif self.rules.retries != "but label 1" or has_label_1:
                raise

    def _subscription(self) -> None:
        if len(self._data) < self.rules.empty[0]:
            return
        version = self.rules.body(self._label())
        self._read_into(self.topics, _TOPICS, self._string)
        self._sized(_INT32, _USER_DATA)
        if version >= _OWNED and self._has_field():
            if self._lacks_owned():
                return
            self.entries = self._read_into([], _ENTRIES, self._entry)
        if version >= _GENERATION and self._has_field():
            self.generation = self._number(_INT32)
        if version >= _RACK_ID and self._has_field():
            self.rack = self._string(_RACK)

    def _assignment(self) -> None:
        if len(self._data) < self.rules.empty[1]:
            return
        self._label()
        if self.rules.optional != "fields" or self._left:
            self.entries = self._read_into([], _ENTRIES, self._entry)
        if self.rules.optional != "fields" or self._left:
            self._sized(_INT32, _USER_DATA)

    def _outcome_at_end(self, name: str) -> str:
        if self._is_short or (self._left and name in self.rules.reads_whole):
            return REFUSES
        if name == ASSIGNMENT and self.entries:
            return self.rules.take_partitions(self.entries)
        return NOT_KNOWN if self._zeros > _STEPS else READS

    # fields

    def _has_field(self) -> bool:
        return bool(self._left) or not self.rules.optional.startswith("fields")

    def _lacks_owned(self) -> bool:
        """Return whether the count of owned partitions is cut short or exceeds what follows; then
        nothing is left to read.
        """
        if self.rules.optional != "owned":
            return False
        count = int.from_bytes(self._data[self._at : self._at + _INT32], "big", signed=True)
        if self.rules.panics and self._left >= _INT32 and count < 0:
            raise _End(FAILS)  # makeslice: len out of range
        lacks = self._left < _INT32 or count > self._left - _INT32
        if lacks:
            self._at = len(self._data)
        return lacks

    def _label(self) -> int:
        label = self._number(_LABEL)
        if label not in self.rules.labels:
            self._refuse()
        return label

    def _string(self, place: int = _TEXT) -> bytes | None:
        string = self._sized(_INT16, place)
        if self.rules.utf8 and string is not None and not _is_utf8(string):
            self._refuse()
        return string.partition(b"\0")[0] if string and self.rules.ends_at_nul else string

    def _sized(self, width: int, place: int) -> bytes | None:
        """Return bytes with their length in front, None for null."""
        size, negative = self._number(width), self.rules.negative[place]
        if negative == "empty":
            size = max(size, 0)
        if negative == "null" and size == -1:
            return None
        if self.rules.pads and place == _USER_DATA:
            self._reserve(size)
        return self._jump(size) if self.rules.jumps else self._take(size)

    def _entry(self) -> Entry:
        return self._string(), self._partitions()

    def _partitions(self) -> list[int]:
        if self.rules.pads:
            return self._read_into([], _PARTITIONS, lambda: self._number(_INT32))
        count = max(self._count(_PARTITIONS), 0)
        return list(unpack(f">{count}i", self._take(_INT32 * count)))

    def _read_into(
        self, elements: list[_Element], place: int, read: Callable[[], _Element]
    ) -> list[_Element]:
        """Read an array; with jumps its elements may be the same bytes again."""
        count = self._count(place)
        while len(elements) < count:
            if self.rules.pads and not self._left:
                self._zeros += count - len(elements)
                break
            if self.rules.jumps and len(elements) > _STEPS + len(self._data):
                raise _End(FAILS if count > _HEAP else NOT_KNOWN)
            elements.append(read())
        return elements

    def _count(self, place: int) -> int:
        count, least = self._number(_INT32), self.rules.least[place]
        if self.rules.panics and place == _TOPICS and count < 0:
            raise _End(FAILS)
        if least is not None and count < least:
            self._refuse()
        if count > self.rules.most[place]:
            self._refuse()
        self._reserve(count * self.rules.size[place])
        if self.rules.map_slot and place == _ENTRIES:
            self._reserve(self.rules.map_slot << (max(count, 0) * 8 // 7).bit_length())
        if self.rules.counts_fit and count > self._left:
            self._refuse()
        return count

    # bytes

    @property
    def _left(self) -> int:
        return len(self._data) - self._at

    def _number(self, size: int) -> int:
        return int.from_bytes(self._take(size), "big", signed=True)

    def _take(self, size: int) -> bytes:
        """Return the next bytes, which have to be there."""
        if self.rules.pads and size > self._left:
            self._is_short, self._at = True, len(self._data)
            return bytes(_INT32)
        if self._at < 0 or not 0 <= size <= self._left:
            self._refuse()
        self._at += size
        return self._data[self._at - size : self._at]

    def _jump(self, size: int) -> bytes:
        """Move by that many bytes; return those passed over."""
        self._at += size
        if self.rules.jumps == "inside" and self._left < 0:
            self._refuse()
        return self._data[self._at - size : self._at] if size > 0 else b""

    def _reserve(self, size: int) -> None:
        """Note that the client reserves that many bytes of memory, which it then keeps."""
        self._reserved += max(size, 0)
        if self._reserved > self.rules.memory[1]:
            raise _End(FAILS)

    def _refuse(self) -> NoReturn:
        raise _End(REFUSES)


# -- what Kafka reads


class _Value(NamedTuple):
    """What Kafka reads. A field that the version does not have is None."""

    name: str
    topics: tuple[str, ...] | None
    entries: dict[str, set[int]] | None
    generation: int | None
    rack: str | None


def _value_in_kafka(name: str, data: bytes) -> _Value | None:
    """Return the value that Kafka reads, or None if it refuses the bytes."""
    try:
        result = decode(data, message_class(name), reader_version=_NEWEST[name])
    except DecodeError:
        return None
    message, version = result.message, result.schema_version
    if isinstance(message, ConsumerProtocolAssignment):
        entries = [(entry.topic, entry.partitions) for entry in message.assigned_partitions]
        return _Value(name, None, _by_topic(entries), None, None)
    assert isinstance(message, ConsumerProtocolSubscription) and version is not None
    owned = [(entry.topic, entry.partitions) for entry in message.owned_partitions]
    return _Value(
        name,
        message.topics,
        _by_topic(owned) if version >= _OWNED else None,
        max(message.generation_id, -1) if version >= _GENERATION else None,
        message.rack_id or "" if version >= _RACK_ID else None,
    )


def _same_fields(walk: _Walk, value: _Value) -> Iterator[bool]:
    """Yield, for each field that both read, whether they read the same in it. What many clients'
    types lose does not count: order, repetition, null or empty.
    """
    if value.topics is not None:
        yield set(map(walk.text, walk.topics)) == set(value.topics)
    if value.topics is not None and walk.rules.only_topics:
        return
    if value.entries is not None and walk.entries is not None:
        entries = [(walk.text(topic), partitions) for topic, partitions in walk.entries]
        if walk.rules.only_last == value.name:
            entries = [item for item in dict(entries).items() if item[0] not in walk.rules.lost]
        yield _by_topic(entries) == value.entries
    if value.generation is not None and walk.generation is not None:
        yield max(walk.generation, -1) == value.generation
    if value.rack is not None and walk.rack is not None:
        yield walk.text(walk.rack) == value.rack


def _by_topic(entries: Iterable[tuple[str, Sequence[int]]]) -> dict[str, set[int]]:
    topics: dict[str, set[int]] = {}
    for topic, partitions in entries:
        if partitions:
            topics.setdefault(topic, set()).update(partitions)
    return topics
