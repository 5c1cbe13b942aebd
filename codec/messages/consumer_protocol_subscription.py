"""ConsumerProtocolSubscription, generated from schemas/ConsumerProtocolSubscription.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, VersionedMessage
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_array,
    read_nullable_bytes,
    read_nullable_string,
    read_string,
    read_string_array,
    write_array,
    write_nullable_bytes,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerProtocolSubscription(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolSubscription, versions 0-3.

    What a consumer tells the leader of its group, inside JoinGroup: protocol type "consumer",
    one of these under the name of every assignor that it supports. Brokers pass it on unread.

    Version 0: topics and the assignor's own data.
    Version 1 (KIP-429): the partitions that the member owns, for cooperative rebalancing.
    Version 2 (KIP-792): the generation in which it got them; older claims are stale.
    Version 3 (KIP-881): the member's rack, for assignments close to the data.

    A reader takes a version newer than it knows as the newest that it knows and ignores the rest.
    So fields are only ever added at the end: none is removed, moved or changed.

    Attributes:
        topics ([]string): The topics that the member subscribes to. Versions 0-3; default ().
        user_data (bytes): The assignor's own data, passed from the member to the leader. Versions
            0-3; may be null; default None.
        owned_partitions ([]TopicPartition): The partitions that the member owns at this moment
            (KIP-429). Versions 1-3; default (); other versions leave it out.
        generation_id (int32): The generation in which the member got what it owns; -1 if in none
            (KIP-792). Versions 2-3; default -1; other versions leave it out.
        rack_id (string): The rack that the member runs in; null if not told (KIP-881). Version 3; may
            be null; default None; other versions leave it out.
    """

    NAME = "ConsumerProtocolSubscription"
    VERSIONS = VersionRange(0, 3)
    LATEST = 3
    API_KEY = None
    FRAMING = Framing("version", "clamp")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolSubscription, versions 1-3.

        The partitions that the member owns at this moment (KIP-429).

        Attributes:
            topic (string): The topic's name. Versions 1-3; default ''.
            partitions ([]int32): The numbers of its partitions. Versions 1-3; default ().
        """

        topic: str = ""
        partitions: tuple[int, ...] = ()

        _sequences = ("partitions",)

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic: str = ...,
                partitions: Iterable[int] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic: str = ...,
                partitions: Iterable[int] = ...,
            ) -> Self: ...

    topics: tuple[str, ...] = ()
    user_data: bytes | None = None
    owned_partitions: tuple[ConsumerProtocolSubscription.TopicPartition, ...] = ()
    generation_id: int = -1
    rack_id: str | None = None

    _sequences = ("topics", "owned_partitions")
    _blobs = ("user_data",)

    def __post_init__(self) -> None:
        if (
            type(self.topics) is not tuple
            or type(self.owned_partitions) is not tuple
            or (self.user_data is not None and type(self.user_data) is not bytes)
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topics: Iterable[str] = ...,
            user_data: bytes | None = ...,
            owned_partitions: Iterable[ConsumerProtocolSubscription.TopicPartition] = ...,
            generation_id: int = ...,
            rack_id: str | None = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[str] = ...,
            user_data: bytes | None = ...,
            owned_partitions: Iterable[ConsumerProtocolSubscription.TopicPartition] = ...,
            generation_id: int = ...,
            rack_id: str | None = ...,
        ) -> Self: ...


_TopicPartition = ConsumerProtocolSubscription.TopicPartition


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics, pos = read_string_array(data, pos)
    user_data, pos = read_nullable_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(topics=topics, user_data=user_data), pos


def _write_v0(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    write_array(message.topics, parts, write_string)
    write_nullable_bytes(message.user_data, parts)


def _read_topic_partition_v1_3(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = INT32.read_array(data, pos)
    return _TopicPartition(topic=topic, partitions=partitions), pos


def _write_topic_partition_v1_3(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_string(item.topic, parts)
    INT32.write_array(item.partitions, parts)


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics, pos = read_string_array(data, pos)
    user_data, pos = read_nullable_bytes(data, pos)
    owned_partitions, pos = read_array(data, pos, _read_topic_partition_v1_3)
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(
        topics=topics, user_data=user_data, owned_partitions=owned_partitions
    ), pos


def _write_v1(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    write_array(message.topics, parts, write_string)
    write_nullable_bytes(message.user_data, parts)
    write_array(message.owned_partitions, parts, _write_topic_partition_v1_3)


def _read_v2(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics, pos = read_string_array(data, pos)
    user_data, pos = read_nullable_bytes(data, pos)
    owned_partitions, pos = read_array(data, pos, _read_topic_partition_v1_3)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(
        topics=topics,
        user_data=user_data,
        owned_partitions=owned_partitions,
        generation_id=generation_id,
    ), pos


def _write_v2(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    write_array(message.topics, parts, write_string)
    write_nullable_bytes(message.user_data, parts)
    write_array(message.owned_partitions, parts, _write_topic_partition_v1_3)
    INT32.write(message.generation_id, parts)


def _read_v3(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics, pos = read_string_array(data, pos)
    user_data, pos = read_nullable_bytes(data, pos)
    owned_partitions, pos = read_array(data, pos, _read_topic_partition_v1_3)
    (generation_id,), pos = INT32.unpack(data, pos), pos + 4
    rack_id, pos = read_nullable_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(
        topics=topics,
        user_data=user_data,
        owned_partitions=owned_partitions,
        generation_id=generation_id,
        rack_id=rack_id,
    ), pos


def _write_v3(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    write_array(message.topics, parts, write_string)
    write_nullable_bytes(message.user_data, parts)
    write_array(message.owned_partitions, parts, _write_topic_partition_v1_3)
    INT32.write(message.generation_id, parts)
    write_nullable_string(message.rack_id, parts)


ConsumerProtocolSubscription._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3, _write_v3),
}
ConsumerProtocolSubscription._by_header = {
    0: _read_v0,
    1: _read_v1,
    2: _read_v2,
    3: _read_v3,
}
ConsumerProtocolSubscription._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
}
