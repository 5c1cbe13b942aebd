"""ShareGroupCurrentMemberAssignmentValue, generated from schemas/ShareGroupCurrentMemberAssignmentValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT32,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_compact_array,
    read_uuid,
    write_compact_array,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ShareGroupCurrentMemberAssignmentValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ShareGroupCurrentMemberAssignmentValue, versions 0.

    What one member of a share group reads at the moment (KIP-932). Partitions are shared, so nothing
    has to be given back before others can have it.

    Attributes:
        member_epoch (int32): The epoch that the member has reached. Version 0; default 0.
        previous_member_epoch (int32): The epoch before that, for a member whose answer was lost.
            Version 0; default 0.
        state (int8): What the member has to do next. Version 0; default 0.
        assigned_partitions ([]TopicPartitions): The partitions that it reads. Version 0; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "ShareGroupCurrentMemberAssignmentValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 14
    FRAMING = Framing("version", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ShareGroupCurrentMemberAssignmentValue, versions 0.

        Partitions of one topic.

        Attributes:
            topic_id (uuid): The topic, by its id. Version 0; default UUID(int=0).
            partitions ([]int32): The numbers of its partitions. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        topic_id: UUID = ZERO_UUID
        partitions: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.partitions) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    member_epoch: int = 0
    previous_member_epoch: int = 0
    state: int = 0
    assigned_partitions: tuple[ShareGroupCurrentMemberAssignmentValue.TopicPartitions, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("assigned_partitions", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.assigned_partitions) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            member_epoch: int = ...,
            previous_member_epoch: int = ...,
            state: int = ...,
            assigned_partitions: Iterable[
                ShareGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            member_epoch: int = ...,
            previous_member_epoch: int = ...,
            state: int = ...,
            assigned_partitions: Iterable[
                ShareGroupCurrentMemberAssignmentValue.TopicPartitions
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicPartitions = ShareGroupCurrentMemberAssignmentValue.TopicPartitions


def _read_topic_partitions_v0(data: bytes, pos: int) -> tuple[_TopicPartitions, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartitions(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_topic_partitions_v0(item: _TopicPartitions, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitions:
        raise OddValue
    write_uuid(item.topic_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ShareGroupCurrentMemberAssignmentValue, int]:
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (previous_member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    (state,), pos = INT8.unpack(data, pos), pos + 1
    assigned_partitions, pos = read_compact_array(data, pos, _read_topic_partitions_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ShareGroupCurrentMemberAssignmentValue(
        member_epoch=member_epoch,
        previous_member_epoch=previous_member_epoch,
        state=state,
        assigned_partitions=assigned_partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: ShareGroupCurrentMemberAssignmentValue, parts: list[bytes]) -> None:
    INT32.write(message.member_epoch, parts)
    INT32.write(message.previous_member_epoch, parts)
    INT8.write(message.state, parts)
    write_compact_array(message.assigned_partitions, parts, _write_topic_partitions_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ShareGroupCurrentMemberAssignmentValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
ShareGroupCurrentMemberAssignmentValue._by_header = {
    0: _read_v0,
}
ShareGroupCurrentMemberAssignmentValue._headers = {
    0: b"\x00\x00",
}
