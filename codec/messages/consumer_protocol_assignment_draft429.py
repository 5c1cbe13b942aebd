"""ConsumerProtocolAssignmentDraft429, generated from schemas/ConsumerProtocolAssignmentDraft429.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, VersionedMessage
from ..wire.primitives import (
    INT16,
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


class ConsumerProtocolAssignmentDraft429(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolAssignmentDraft429, versions 1.

    Superseded: what the first draft of KIP-429 put into an assignment. No release of Kafka
    writes or reads it; the published version 1 has the layout of version 0. It is kept because the
    draft still shows what its successor does without: here the leader tells a member what to revoke,
    there the member finds out by itself, from what it owns and what it is given.

    The draft names the content but not the bytes. This layout is this project's own: that of version
    0, so that an old reader finds what it knows, then what the draft adds.

    Attributes:
        assigned_partitions ([]TopicPartition): The partitions that the member owns from now on.
            Version 1; default ().
        user_data (bytes): The assignor's own data, passed from the leader to the member. Version 1;
            may be null; default None.
        revoked_partitions ([]TopicPartition): The partitions that the member has to give up. Version
            1; default ().
        error_code (int16): 0: go on; else the member rejoins at once, or fails. Version 1; default 0.
    """

    NAME = "ConsumerProtocolAssignmentDraft429"
    VERSIONS = VersionRange(1, 1)
    LATEST = 1
    API_KEY = None
    FRAMING = Framing("version", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolAssignmentDraft429, versions 1.

        Partitions of one topic.

        Attributes:
            topic (string): The topic's name. Version 1; default ''.
            partitions ([]int32): The numbers of its partitions. Version 1; default ().
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

    assigned_partitions: tuple[ConsumerProtocolAssignmentDraft429.TopicPartition, ...] = ()
    user_data: bytes | None = None
    revoked_partitions: tuple[ConsumerProtocolAssignmentDraft429.TopicPartition, ...] = ()
    error_code: int = 0

    _sequences = ("assigned_partitions", "revoked_partitions")
    _blobs = ("user_data",)

    def __post_init__(self) -> None:
        if (
            type(self.assigned_partitions) is not tuple
            or type(self.revoked_partitions) is not tuple
            or (self.user_data is not None and type(self.user_data) is not bytes)
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignmentDraft429.TopicPartition] = ...,
            user_data: bytes | None = ...,
            revoked_partitions: Iterable[ConsumerProtocolAssignmentDraft429.TopicPartition] = ...,
            error_code: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignmentDraft429.TopicPartition] = ...,
            user_data: bytes | None = ...,
            revoked_partitions: Iterable[ConsumerProtocolAssignmentDraft429.TopicPartition] = ...,
            error_code: int = ...,
        ) -> Self: ...


_TopicPartition = ConsumerProtocolAssignmentDraft429.TopicPartition


def _read_topic_partition_v1(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = INT32.read_array(data, pos)
    return _TopicPartition(topic=topic, partitions=partitions), pos


def _write_topic_partition_v1(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_string(item.topic, parts)
    INT32.write_array(item.partitions, parts)


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerProtocolAssignmentDraft429, int]:
    assigned_partitions, pos = read_array(data, pos, _read_topic_partition_v1)
    user_data, pos = read_nullable_bytes(data, pos)
    revoked_partitions, pos = read_array(data, pos, _read_topic_partition_v1)
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolAssignmentDraft429(
        assigned_partitions=assigned_partitions,
        user_data=user_data,
        revoked_partitions=revoked_partitions,
        error_code=error_code,
    ), pos


def _write_v1(message: ConsumerProtocolAssignmentDraft429, parts: list[bytes]) -> None:
    write_array(message.assigned_partitions, parts, _write_topic_partition_v1)
    write_nullable_bytes(message.user_data, parts)
    write_array(message.revoked_partitions, parts, _write_topic_partition_v1)
    INT16.write(message.error_code, parts)


ConsumerProtocolAssignmentDraft429._codecs = {
    1: Codec(_read_v1, _write_v1),
}
ConsumerProtocolAssignmentDraft429._by_header = {
    1: _read_v1,
}
ConsumerProtocolAssignmentDraft429._headers = {
    1: b"\x00\x01",
}
