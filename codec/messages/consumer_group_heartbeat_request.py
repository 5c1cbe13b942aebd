"""ConsumerGroupHeartbeatRequest, generated from schemas/ConsumerGroupHeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_compact_nullable_array,
    read_compact_nullable_string,
    read_compact_string,
    read_uuid,
    write_compact_nullable_array,
    write_compact_nullable_string,
    write_compact_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ConsumerGroupHeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupHeartbeatRequest, versions 0-1.

    The one request of the new consumer group protocol (KIP-848): join, report, acknowledge, leave.
    The broker assigns; there is no leader and there are no opaque bytes. To save bytes a member says
    only what has changed since its last heartbeat: null and -1 stand for "as before".

    Version 1: subscription by pattern, matched by the broker (KIP-848); the member makes its own id
    (KIP-1082).

    Attributes:
        group_id (string): The group's id. Versions 0-1; default ''.
        member_id (string): The member's id, a uuid as text; since version 1 made by the member
            itself. Versions 0-1; default ''.
        member_epoch (int32): The epoch that the member has reached. Versions 0-1; default 0.
        instance_id (string): The name of a static member; null if dynamic or as before. Versions 0-1;
            may be null; default None.
        rack_id (string): The rack that the member runs in; null if not told or as before. Versions
            0-1; may be null; default None.
        rebalance_timeout_ms (int32): How long it may take to give partitions back; -1: as before.
            Versions 0-1; default -1.
        subscribed_topic_names ([]string): The topics that it subscribes to; null: as before. Versions
            0-1; may be null; default None.
        subscribed_topic_regex (string): The pattern that it subscribes by (RE2); null: as before.
            Version 1; may be null; default None; other versions cannot hold it.
        server_assignor (string): The assignor it would like, "uniform" or "range"; null: as before.
            Versions 0-1; may be null; default None.
        topic_partitions ([]TopicPartitions): The partitions that it owns at this moment; null: as
            before. Versions 0-1; may be null; default None.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "ConsumerGroupHeartbeatRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 68
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupHeartbeatRequest, versions 0-1.

        The partitions that it owns at this moment; null: as before.

        Attributes:
            topic_id (uuid): The topic, by its id. Versions 0-1; default UUID(int=0).
            partitions ([]int32): The numbers of its partitions. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
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

    group_id: str = ""
    member_id: str = ""
    member_epoch: int = 0
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    subscribed_topic_names: tuple[str, ...] | None = None
    subscribed_topic_regex: str | None = None
    server_assignor: str | None = None
    topic_partitions: tuple[ConsumerGroupHeartbeatRequest.TopicPartitions, ...] | None = None
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("subscribed_topic_names", "topic_partitions", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            (
                self.subscribed_topic_names is not None
                and type(self.subscribed_topic_names) is not tuple
            )
            or (self.topic_partitions is not None and type(self.topic_partitions) is not tuple)
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            rebalance_timeout_ms: int = ...,
            subscribed_topic_names: Iterable[str] | None = ...,
            subscribed_topic_regex: str | None = ...,
            server_assignor: str | None = ...,
            topic_partitions: Iterable[ConsumerGroupHeartbeatRequest.TopicPartitions] | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            member_id: str = ...,
            member_epoch: int = ...,
            instance_id: str | None = ...,
            rack_id: str | None = ...,
            rebalance_timeout_ms: int = ...,
            subscribed_topic_names: Iterable[str] | None = ...,
            subscribed_topic_regex: str | None = ...,
            server_assignor: str | None = ...,
            topic_partitions: Iterable[ConsumerGroupHeartbeatRequest.TopicPartitions] | None = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_TopicPartitions = ConsumerGroupHeartbeatRequest.TopicPartitions


def _read_topic_partitions_v0_1(data: bytes, pos: int) -> tuple[_TopicPartitions, int]:
    topic_id, pos = read_uuid(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicPartitions(
        topic_id=topic_id, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_topic_partitions_v0_1(item: _TopicPartitions, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartitions:
        raise OddValue
    write_uuid(item.topic_id, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    subscribed_topic_names, pos = read_compact_nullable_array(data, pos, read_compact_string)
    server_assignor, pos = read_compact_nullable_string(data, pos)
    topic_partitions, pos = read_compact_nullable_array(data, pos, _read_topic_partitions_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupHeartbeatRequest(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=instance_id,
        rack_id=rack_id,
        rebalance_timeout_ms=rebalance_timeout_ms,
        subscribed_topic_names=subscribed_topic_names,
        server_assignor=server_assignor,
        topic_partitions=topic_partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: ConsumerGroupHeartbeatRequest, parts: list[bytes]) -> None:
    if message.subscribed_topic_regex is not None:
        raise OddValue
    write_compact_string(message.group_id, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    write_compact_nullable_string(message.instance_id, parts)
    write_compact_nullable_string(message.rack_id, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_compact_nullable_array(message.subscribed_topic_names, parts, write_compact_string)
    write_compact_nullable_string(message.server_assignor, parts)
    write_compact_nullable_array(message.topic_partitions, parts, _write_topic_partitions_v0_1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    instance_id, pos = read_compact_nullable_string(data, pos)
    rack_id, pos = read_compact_nullable_string(data, pos)
    (rebalance_timeout_ms,), pos = INT32.unpack(data, pos), pos + 4
    subscribed_topic_names, pos = read_compact_nullable_array(data, pos, read_compact_string)
    subscribed_topic_regex, pos = read_compact_nullable_string(data, pos)
    server_assignor, pos = read_compact_nullable_string(data, pos)
    topic_partitions, pos = read_compact_nullable_array(data, pos, _read_topic_partitions_v0_1)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupHeartbeatRequest(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=instance_id,
        rack_id=rack_id,
        rebalance_timeout_ms=rebalance_timeout_ms,
        subscribed_topic_names=subscribed_topic_names,
        subscribed_topic_regex=subscribed_topic_regex,
        server_assignor=server_assignor,
        topic_partitions=topic_partitions,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v1(message: ConsumerGroupHeartbeatRequest, parts: list[bytes]) -> None:
    write_compact_string(message.group_id, parts)
    write_compact_string(message.member_id, parts)
    INT32.write(message.member_epoch, parts)
    write_compact_nullable_string(message.instance_id, parts)
    write_compact_nullable_string(message.rack_id, parts)
    INT32.write(message.rebalance_timeout_ms, parts)
    write_compact_nullable_array(message.subscribed_topic_names, parts, write_compact_string)
    write_compact_nullable_string(message.subscribed_topic_regex, parts)
    write_compact_nullable_string(message.server_assignor, parts)
    write_compact_nullable_array(message.topic_partitions, parts, _write_topic_partitions_v0_1)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupHeartbeatRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
