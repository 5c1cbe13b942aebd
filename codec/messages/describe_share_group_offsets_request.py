"""DescribeShareGroupOffsetsRequest, generated from schemas/DescribeShareGroupOffsetsRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_nullable_array,
    read_compact_string,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeShareGroupOffsetsRequest(Message, frozen=True, kw_only=True, gc=False):
    """DescribeShareGroupOffsetsRequest, versions 0-1.

    Asks where share groups read, and how far they are behind (KIP-932).

    Version 1 (KIP-1226): the answer tells the lag.

    Attributes:
        groups ([]DescribeShareGroupOffsetsRequestGroup): The groups that are asked about. Versions
            0-1; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "DescribeShareGroupOffsetsRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 90
    FRAMING = Framing("none", "refuse")

    class DescribeShareGroupOffsetsRequestTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeShareGroupOffsetsRequestTopic of DescribeShareGroupOffsetsRequest, versions 0-1.

        The partitions that are asked about, by topic; null for all.

        Attributes:
            topic_name (string): The topic's name. Versions 0-1; default ''.
            partitions ([]int32): The partitions. Versions 0-1; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        topic_name: str = ""
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
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribeShareGroupOffsetsRequestGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeShareGroupOffsetsRequestGroup of DescribeShareGroupOffsetsRequest, versions 0-1.

        The groups that are asked about.

        Attributes:
            group_id (string): The group. Versions 0-1; default ''.
            topics ([]DescribeShareGroupOffsetsRequestTopic): The partitions that are asked about, by
                topic; null for all. Versions 0-1; may be null; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 0-1; default ().
        """

        group_id: str = ""
        topics: (
            tuple[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic, ...]
            | None
        ) = ()
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
                topics: Iterable[
                    DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic
                ]
                | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                group_id: str = ...,
                topics: Iterable[
                    DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic
                ]
                | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    groups: tuple[DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            groups: Iterable[
                DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            groups: Iterable[
                DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
            ] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_DescribeShareGroupOffsetsRequestGroup = (
    DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
)
_DescribeShareGroupOffsetsRequestTopic = (
    DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestTopic
)


def _read_describe_share_group_offsets_request_topic_v0_1(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsRequestTopic, int]:
    topic_name, pos = read_compact_string(data, pos)
    partitions, pos = INT32.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsRequestTopic(
        topic_name=topic_name, partitions=partitions, unknown_tagged_fields=unknown
    ), pos


def _write_describe_share_group_offsets_request_topic_v0_1(
    item: _DescribeShareGroupOffsetsRequestTopic, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsRequestTopic:
        raise OddValue
    write_compact_string(item.topic_name, parts)
    INT32.write_compact_array(item.partitions, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_share_group_offsets_request_group_v0_1(
    data: bytes, pos: int
) -> tuple[_DescribeShareGroupOffsetsRequestGroup, int]:
    group_id, pos = read_compact_string(data, pos)
    topics, pos = read_compact_nullable_array(
        data, pos, _read_describe_share_group_offsets_request_topic_v0_1
    )
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeShareGroupOffsetsRequestGroup(
        group_id=group_id, topics=topics, unknown_tagged_fields=unknown
    ), pos


def _write_describe_share_group_offsets_request_group_v0_1(
    item: _DescribeShareGroupOffsetsRequestGroup, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeShareGroupOffsetsRequestGroup:
        raise OddValue
    write_compact_string(item.group_id, parts)
    write_compact_nullable_array(
        item.topics, parts, _write_describe_share_group_offsets_request_topic_v0_1
    )
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0_1(data: bytes, pos: int) -> tuple[DescribeShareGroupOffsetsRequest, int]:
    groups, pos = read_compact_array(
        data, pos, _read_describe_share_group_offsets_request_group_v0_1
    )
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeShareGroupOffsetsRequest(groups=groups, unknown_tagged_fields=unknown), pos


def _write_v0_1(message: DescribeShareGroupOffsetsRequest, parts: list[bytes]) -> None:
    write_compact_array(
        message.groups, parts, _write_describe_share_group_offsets_request_group_v0_1
    )
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeShareGroupOffsetsRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
