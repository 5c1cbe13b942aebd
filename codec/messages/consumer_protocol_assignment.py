"""ConsumerProtocolAssignment, generated from schemas/ConsumerProtocolAssignment.json; change that file and run `make generate`."""

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
    read_string,
    write_array,
    write_nullable_bytes,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerProtocolAssignment(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolAssignment, versions 0-3.

    What the leader of a group gives a member, inside SyncGroup. Brokers pass it on unread.

    Versions 1 to 3 have the layout of version 0: they exist so that subscription and assignment can
    carry one version. Newer versions are read as the newest known, as with the subscription.

    Attributes:
        assigned_partitions ([]TopicPartition): The partitions that the member owns from now on.
            Versions 0-3; default ().
        user_data (bytes): The assignor's own data, passed from the leader to the member. Versions
            0-3; may be null; default None.
    """

    NAME = "ConsumerProtocolAssignment"
    VERSIONS = VersionRange(0, 3)
    LATEST = 3
    API_KEY = None
    FRAMING = Framing("version", "clamp")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolAssignment, versions 0-3.

        The partitions that the member owns from now on.

        Attributes:
            topic (string): The topic's name. Versions 0-3; default ''.
            partitions ([]int32): The numbers of its partitions. Versions 0-3; default ().
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

    assigned_partitions: tuple[ConsumerProtocolAssignment.TopicPartition, ...] = ()
    user_data: bytes | None = None

    _sequences = ("assigned_partitions",)
    _blobs = ("user_data",)

    def __post_init__(self) -> None:
        if type(self.assigned_partitions) is not tuple or (
            self.user_data is not None and type(self.user_data) is not bytes
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignment.TopicPartition] = ...,
            user_data: bytes | None = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignment.TopicPartition] = ...,
            user_data: bytes | None = ...,
        ) -> Self: ...


_TopicPartition = ConsumerProtocolAssignment.TopicPartition


def _read_topic_partition_v0_3(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = INT32.read_array(data, pos)
    return _TopicPartition(topic=topic, partitions=partitions), pos


def _write_topic_partition_v0_3(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_string(item.topic, parts)
    INT32.write_array(item.partitions, parts)


def _read_v0_3(data: bytes, pos: int) -> tuple[ConsumerProtocolAssignment, int]:
    assigned_partitions, pos = read_array(data, pos, _read_topic_partition_v0_3)
    user_data, pos = read_nullable_bytes(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolAssignment(
        assigned_partitions=assigned_partitions, user_data=user_data
    ), pos


def _write_v0_3(message: ConsumerProtocolAssignment, parts: list[bytes]) -> None:
    write_array(message.assigned_partitions, parts, _write_topic_partition_v0_3)
    write_nullable_bytes(message.user_data, parts)


ConsumerProtocolAssignment._codecs = {
    0: Codec(_read_v0_3, _write_v0_3),
    1: Codec(_read_v0_3, _write_v0_3),
    2: Codec(_read_v0_3, _write_v0_3),
    3: Codec(_read_v0_3, _write_v0_3),
}
ConsumerProtocolAssignment._by_header = {
    0: _read_v0_3,
    1: _read_v0_3,
    2: _read_v0_3,
    3: _read_v0_3,
}
ConsumerProtocolAssignment._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
}
