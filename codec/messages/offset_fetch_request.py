"""OffsetFetchRequest, generated from schemas/OffsetFetchRequest.json; change that file and run `make generate`."""

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
    read_array,
    read_bool,
    read_compact_array,
    read_compact_nullable_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_array,
    read_string,
    read_uuid,
    required,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_array,
    write_string,
    write_uuid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class OffsetFetchRequest(Message, frozen=True, kw_only=True, gc=False):
    """OffsetFetchRequest, versions 1-10.

    A consumer asks from where to go on reading; tools ask how far a group has come.

    Version 2: null for all topics. Versions 3 to 5 (KIP-124, KIP-219, KIP-320): as version 2; the
    answer changes. Version 6 (KIP-482): flexible. Version 7 (KIP-447): offsets of open transactions
    can be waited for. Version 8 (KIP-709): several groups at once. Version 9 (KIP-848): the member
    and its epoch. Version 10 (KIP-848): topics by id.

    Attributes:
        group_id (string): The group's id. Versions 1-7; default ''; other versions cannot hold it.
        topics ([]OffsetFetchRequestTopic): The topics that are asked about; null for all (version 2).
            Versions 1-7; may be null in versions 2-7; default (); other versions cannot hold it.
        groups ([]OffsetFetchRequestGroup): The groups that are asked about (KIP-709). Versions 8-10;
            default (); other versions cannot hold it.
        require_stable (bool): Whether offsets of open transactions are waited for, as an error
            (KIP-447). Versions 7-10; default False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 6-10; default ().
    """

    NAME = "OffsetFetchRequest"
    VERSIONS = VersionRange(1, 10)
    LATEST = 10
    API_KEY = 9
    FRAMING = Framing("none", "refuse")

    class OffsetFetchRequestTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchRequestTopic of OffsetFetchRequest, versions 1-7.

        The topics that are asked about; null for all (version 2).

        Attributes:
            name (string): The topic's name. Versions 1-7; default ''.
            partition_indexes ([]int32): The partitions that are asked about. Versions 1-7; default
                ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        name: str = ""
        partition_indexes: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partition_indexes", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.partition_indexes) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                partition_indexes: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partition_indexes: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchRequestTopics(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchRequestTopics of OffsetFetchRequest, versions 8-10.

        The topics that are asked about; null for all.

        Attributes:
            name (string): The topic's name. Versions 8-9; default ''; other versions leave it out.
            topic_id (uuid): The topic's id (KIP-516). Version 10; default UUID(int=0); other versions
                leave it out.
            partition_indexes ([]int32): The partitions that are asked about. Versions 8-10; default
                ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        name: str = ""
        topic_id: UUID = ZERO_UUID
        partition_indexes: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("partition_indexes", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.partition_indexes) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partition_indexes: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                topic_id: UUID = ...,
                partition_indexes: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class OffsetFetchRequestGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """OffsetFetchRequestGroup of OffsetFetchRequest, versions 8-10.

        The groups that are asked about (KIP-709).

        Attributes:
            group_id (string): The group's id. Versions 8-10; default ''.
            member_id (string): The asking member's id (KIP-848); null of a tool. Versions 9-10; may
                be null; default None; other versions leave it out.
            member_epoch (int32): The asking member's epoch (KIP-848); -1 of a classic member or a
                tool. Versions 9-10; default -1; other versions leave it out.
            topics ([]OffsetFetchRequestTopics): The topics that are asked about; null for all.
                Versions 8-10; may be null; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 6-10; default ().
        """

        group_id: str = ""
        member_id: str | None = None
        member_epoch: int = -1
        topics: tuple[OffsetFetchRequest.OffsetFetchRequestTopics, ...] | None = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topics", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (self.topics is not None and type(self.topics) is not tuple) or type(
                self.unknown_tagged_fields
            ) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                group_id: str = ...,
                member_id: str | None = ...,
                member_epoch: int = ...,
                topics: Iterable[OffsetFetchRequest.OffsetFetchRequestTopics] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                group_id: str = ...,
                member_id: str | None = ...,
                member_epoch: int = ...,
                topics: Iterable[OffsetFetchRequest.OffsetFetchRequestTopics] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    group_id: str = ""
    topics: tuple[OffsetFetchRequest.OffsetFetchRequestTopic, ...] | None = ()
    groups: tuple[OffsetFetchRequest.OffsetFetchRequestGroup, ...] = ()
    require_stable: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("topics", "groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            (self.topics is not None and type(self.topics) is not tuple)
            or type(self.groups) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_id: str = ...,
            topics: Iterable[OffsetFetchRequest.OffsetFetchRequestTopic] | None = ...,
            groups: Iterable[OffsetFetchRequest.OffsetFetchRequestGroup] = ...,
            require_stable: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_id: str = ...,
            topics: Iterable[OffsetFetchRequest.OffsetFetchRequestTopic] | None = ...,
            groups: Iterable[OffsetFetchRequest.OffsetFetchRequestGroup] = ...,
            require_stable: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_OffsetFetchRequestGroup = OffsetFetchRequest.OffsetFetchRequestGroup
_OffsetFetchRequestTopic = OffsetFetchRequest.OffsetFetchRequestTopic
_OffsetFetchRequestTopics = OffsetFetchRequest.OffsetFetchRequestTopics


def _read_offset_fetch_request_topic_v1_5(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestTopic, int]:
    name, pos = read_string(data, pos)
    partition_indexes, pos = INT32.read_array(data, pos)
    return _OffsetFetchRequestTopic(name=name, partition_indexes=partition_indexes), pos


def _write_offset_fetch_request_topic_v1_5(
    item: _OffsetFetchRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    INT32.write_array(item.partition_indexes, parts)


def _read_v1(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    group_id, pos = read_string(data, pos)
    topics, pos = read_array(data, pos, _read_offset_fetch_request_topic_v1_5)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(group_id=group_id, topics=topics), pos


def _write_v1(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.require_stable is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    write_array(required(message.topics), parts, _write_offset_fetch_request_topic_v1_5)


def _read_v2_5(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    group_id, pos = read_string(data, pos)
    topics, pos = read_nullable_array(data, pos, _read_offset_fetch_request_topic_v1_5)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(group_id=group_id, topics=topics), pos


def _write_v2_5(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.require_stable is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.group_id, parts)
    write_nullable_array(message.topics, parts, _write_offset_fetch_request_topic_v1_5)


def _read_offset_fetch_request_topic_v6_7(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestTopic, int]:
    name, pos = read_compact_string(data, pos)
    partition_indexes, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestTopic(
        name=name, partition_indexes=partition_indexes, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_request_topic_v6_7(
    item: _OffsetFetchRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestTopic:
        raise OddValue
    write_compact_string(item.name, parts)
    INT32.write_compact_array(item.partition_indexes, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v6(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_nullable_array(data, pos, _read_offset_fetch_request_topic_v6_7)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(group_id=group_id, topics=topics, unknown_tagged_fields=unknown), pos


def _write_v6(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    if message.require_stable is not False:
        raise OddValue
    write_compact_string(message.group_id, parts)
    write_compact_nullable_array(message.topics, parts, _write_offset_fetch_request_topic_v6_7)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v7(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_nullable_array(data, pos, _read_offset_fetch_request_topic_v6_7)
    require_stable, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(
        group_id=group_id,
        topics=topics,
        require_stable=require_stable,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v7(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.groups != ():
        raise OddValue
    write_compact_string(message.group_id, parts)
    write_compact_nullable_array(message.topics, parts, _write_offset_fetch_request_topic_v6_7)
    write_bool(message.require_stable, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_fetch_request_topics_v8_9(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestTopics, int]:
    name, pos = read_compact_string(data, pos)
    partition_indexes, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestTopics(
        name=name, partition_indexes=partition_indexes, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_request_topics_v8_9(
    item: _OffsetFetchRequestTopics, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestTopics:
        raise OddValue
    write_compact_string(item.name, parts)
    INT32.write_compact_array(item.partition_indexes, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_request_group_v8(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_nullable_array(data, pos, _read_offset_fetch_request_topics_v8_9)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestGroup(
        group_id=group_id, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_request_group_v8(
    item: _OffsetFetchRequestGroup, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_nullable_array(item.topics, parts, _write_offset_fetch_request_topics_v8_9)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v8(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    groups, pos = read_compact_array(data, pos, _read_offset_fetch_request_group_v8)
    require_stable, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(
        groups=groups, require_stable=require_stable, unknown_tagged_fields=unknown
    ), pos


def _write_v8(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.group_id != "":
        raise OddValue
    if message.topics != ():
        raise OddValue
    write_compact_array(message.groups, parts, _write_offset_fetch_request_group_v8)
    write_bool(message.require_stable, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_fetch_request_group_v9(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_nullable_array(data, pos, _read_offset_fetch_request_topics_v8_9)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestGroup(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_offset_fetch_request_group_v9(
    item: _OffsetFetchRequestGroup, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_nullable_string(item.member_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_nullable_array(item.topics, parts, _write_offset_fetch_request_topics_v8_9)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v9(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    groups, pos = read_compact_array(data, pos, _read_offset_fetch_request_group_v9)
    require_stable, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(
        groups=groups, require_stable=require_stable, unknown_tagged_fields=unknown
    ), pos


def _write_v9(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.group_id != "":
        raise OddValue
    if message.topics != ():
        raise OddValue
    write_compact_array(message.groups, parts, _write_offset_fetch_request_group_v9)
    write_bool(message.require_stable, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_offset_fetch_request_topics_v10(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestTopics, int]:
    topic_id, pos = read_uuid(data, pos)
    partition_indexes, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestTopics(
        topic_id=topic_id, partition_indexes=partition_indexes, unknown_tagged_fields=unknown
    ), pos


def _write_offset_fetch_request_topics_v10(
    item: _OffsetFetchRequestTopics, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestTopics:
        raise OddValue
    write_uuid(item.topic_id, parts)
    INT32.write_compact_array(item.partition_indexes, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_offset_fetch_request_group_v10(
    data: bytes, pos: int
) -> tuple[_OffsetFetchRequestGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    member_id, pos = read_compact_nullable_string(data, pos)
    (member_epoch,), pos = INT32.unpack(data, pos), pos + 4
    topics, pos = read_compact_nullable_array(data, pos, _read_offset_fetch_request_topics_v10)
    unknown, pos = read_unknown_tags(data, pos)
    return _OffsetFetchRequestGroup(
        group_id=group_id,
        member_id=member_id,
        member_epoch=member_epoch,
        topics=topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_offset_fetch_request_group_v10(
    item: _OffsetFetchRequestGroup, parts: list[bytes]
) -> None:
    if type(item) is not _OffsetFetchRequestGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_nullable_string(item.member_id, parts)
    INT32.write(item.member_epoch, parts)
    write_compact_nullable_array(item.topics, parts, _write_offset_fetch_request_topics_v10)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[OffsetFetchRequest, int]:
    groups, pos = read_compact_array(data, pos, _read_offset_fetch_request_group_v10)
    require_stable, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return OffsetFetchRequest(
        groups=groups, require_stable=require_stable, unknown_tagged_fields=unknown
    ), pos


def _write_v10(message: OffsetFetchRequest, parts: list[bytes]) -> None:
    if message.group_id != "":
        raise OddValue
    if message.topics != ():
        raise OddValue
    write_compact_array(message.groups, parts, _write_offset_fetch_request_group_v10)
    write_bool(message.require_stable, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


OffsetFetchRequest._codecs = {
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2_5, _write_v2_5),
    3: Codec(_read_v2_5, _write_v2_5),
    4: Codec(_read_v2_5, _write_v2_5),
    5: Codec(_read_v2_5, _write_v2_5),
    6: Codec(_read_v6, _write_v6),
    7: Codec(_read_v7, _write_v7),
    8: Codec(_read_v8, _write_v8),
    9: Codec(_read_v9, _write_v9),
    10: Codec(_read_v10, _write_v10),
}
