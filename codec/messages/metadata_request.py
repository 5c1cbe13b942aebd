"""MetadataRequest, generated from schemas/MetadataRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    ZERO_UUID,
    OddBytes,
    OddValue,
    read_array,
    read_bool,
    read_compact_nullable_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_array,
    read_string,
    read_uuid,
    required,
    write_array,
    write_bool,
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


class MetadataRequest(Message, frozen=True, kw_only=True, gc=False):
    """MetadataRequest, versions 0-13.

    Asks which brokers and topics there are. Every client asks this before anything else.

    Version 1: null for all topics. Versions 2 and 3 (KIP-78, KIP-124): as version 1; the answer
    changes. Version 4 (KIP-204): whether a missing topic may be created. Versions 5 to 7 (KIP-112,
    KIP-219, KIP-320): as version 4. Version 8 (KIP-430): authorized operations. Version 9 (KIP-482):
    flexible. Version 10 (KIP-516): topics by id, which brokers do not answer before version 12.
    Version 11 (KIP-700): a cluster's operations are asked for elsewhere. Version 12 (KIP-516):
    topics by id. Version 13: as version 12.

    Attributes:
        topics ([]MetadataRequestTopic): The topics that are asked about; null, and empty in version
            0, for all. Versions 0-13; may be null in versions 1-13; default ().
        allow_auto_topic_creation (bool): Whether the broker may create a topic that is missing
            (KIP-204). Versions 4-13; default True; other versions cannot hold it.
        include_cluster_authorized_operations (bool): Whether to tell what the asker may do with the
            cluster (KIP-430). Versions 8-10; default False; other versions cannot hold it.
        include_topic_authorized_operations (bool): Whether to tell what the asker may do with each
            topic (KIP-430). Versions 8-13; default False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 9-13; default ().
    """

    NAME = "MetadataRequest"
    VERSIONS = VersionRange(0, 13)
    LATEST = 13
    API_KEY = 3
    FRAMING = Framing("none", "refuse")

    class MetadataRequestTopic(MessagePart, frozen=True, kw_only=True, gc=False):
        """MetadataRequestTopic of MetadataRequest, versions 0-13.

        The topics that are asked about; null, and empty in version 0, for all.

        Attributes:
            topic_id (uuid): The topic's id (KIP-516); zero where the name says which. Versions 10-13;
                default UUID(int=0); other versions leave it out.
            name (string): The topic's name; null where the id says which. Versions 0-13; may be null
                in versions 10-13; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 9-13; default ().
        """

        topic_id: UUID = ZERO_UUID
        name: str | None = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_id: UUID = ...,
                name: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                name: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    topics: tuple[MetadataRequest.MetadataRequestTopic, ...] | None = ()
    allow_auto_topic_creation: bool = True
    include_cluster_authorized_operations: bool = False
    include_topic_authorized_operations: bool = False
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
            topics: Iterable[MetadataRequest.MetadataRequestTopic] | None = ...,
            allow_auto_topic_creation: bool = ...,
            include_cluster_authorized_operations: bool = ...,
            include_topic_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[MetadataRequest.MetadataRequestTopic] | None = ...,
            allow_auto_topic_creation: bool = ...,
            include_cluster_authorized_operations: bool = ...,
            include_topic_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_MetadataRequestTopic = MetadataRequest.MetadataRequestTopic


def _read_metadata_request_topic_v0_8(data: bytes, pos: int) -> tuple[_MetadataRequestTopic, int]:
    name, pos = read_string(data, pos)
    return _MetadataRequestTopic(name=name), pos


def _write_metadata_request_topic_v0_8(item: _MetadataRequestTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataRequestTopic:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(required(item.name), parts)


def _read_v0(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_array(data, pos, _read_metadata_request_topic_v0_8)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(topics=topics), pos


def _write_v0(message: MetadataRequest, parts: list[bytes]) -> None:
    if message.allow_auto_topic_creation is not True:
        raise OddValue
    if message.include_cluster_authorized_operations is not False:
        raise OddValue
    if message.include_topic_authorized_operations is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(required(message.topics), parts, _write_metadata_request_topic_v0_8)


def _read_v1_3(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_nullable_array(data, pos, _read_metadata_request_topic_v0_8)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(topics=topics), pos


def _write_v1_3(message: MetadataRequest, parts: list[bytes]) -> None:
    if message.allow_auto_topic_creation is not True:
        raise OddValue
    if message.include_cluster_authorized_operations is not False:
        raise OddValue
    if message.include_topic_authorized_operations is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_nullable_array(message.topics, parts, _write_metadata_request_topic_v0_8)


def _read_v4_7(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_nullable_array(data, pos, _read_metadata_request_topic_v0_8)
    allow_auto_topic_creation, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(topics=topics, allow_auto_topic_creation=allow_auto_topic_creation), pos


def _write_v4_7(message: MetadataRequest, parts: list[bytes]) -> None:
    if message.include_cluster_authorized_operations is not False:
        raise OddValue
    if message.include_topic_authorized_operations is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_nullable_array(message.topics, parts, _write_metadata_request_topic_v0_8)
    write_bool(message.allow_auto_topic_creation, parts)


def _read_v8(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_nullable_array(data, pos, _read_metadata_request_topic_v0_8)
    allow_auto_topic_creation, pos = read_bool(data, pos)
    include_cluster_authorized_operations, pos = read_bool(data, pos)
    include_topic_authorized_operations, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(
        topics=topics,
        allow_auto_topic_creation=allow_auto_topic_creation,
        include_cluster_authorized_operations=include_cluster_authorized_operations,
        include_topic_authorized_operations=include_topic_authorized_operations,
    ), pos


def _write_v8(message: MetadataRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_nullable_array(message.topics, parts, _write_metadata_request_topic_v0_8)
    write_bool(message.allow_auto_topic_creation, parts)
    write_bool(message.include_cluster_authorized_operations, parts)
    write_bool(message.include_topic_authorized_operations, parts)


def _read_metadata_request_topic_v9(data: bytes, pos: int) -> tuple[_MetadataRequestTopic, int]:
    name, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataRequestTopic(name=name, unknown_tagged_fields=unknown), pos


def _write_metadata_request_topic_v9(item: _MetadataRequestTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataRequestTopic:
        raise OddValue
    write_compact_string(required(item.name), parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v9(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_compact_nullable_array(data, pos, _read_metadata_request_topic_v9)
    allow_auto_topic_creation, pos = read_bool(data, pos)
    include_cluster_authorized_operations, pos = read_bool(data, pos)
    include_topic_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(
        topics=topics,
        allow_auto_topic_creation=allow_auto_topic_creation,
        include_cluster_authorized_operations=include_cluster_authorized_operations,
        include_topic_authorized_operations=include_topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v9(message: MetadataRequest, parts: list[bytes]) -> None:
    write_compact_nullable_array(message.topics, parts, _write_metadata_request_topic_v9)
    write_bool(message.allow_auto_topic_creation, parts)
    write_bool(message.include_cluster_authorized_operations, parts)
    write_bool(message.include_topic_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_metadata_request_topic_v10_13(data: bytes, pos: int) -> tuple[_MetadataRequestTopic, int]:
    topic_id, pos = read_uuid(data, pos)
    name, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _MetadataRequestTopic(topic_id=topic_id, name=name, unknown_tagged_fields=unknown), pos


def _write_metadata_request_topic_v10_13(item: _MetadataRequestTopic, parts: list[bytes]) -> None:
    if type(item) is not _MetadataRequestTopic:
        raise OddValue
    write_uuid(item.topic_id, parts)
    write_compact_nullable_string(item.name, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v10(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_compact_nullable_array(data, pos, _read_metadata_request_topic_v10_13)
    allow_auto_topic_creation, pos = read_bool(data, pos)
    include_cluster_authorized_operations, pos = read_bool(data, pos)
    include_topic_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(
        topics=topics,
        allow_auto_topic_creation=allow_auto_topic_creation,
        include_cluster_authorized_operations=include_cluster_authorized_operations,
        include_topic_authorized_operations=include_topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v10(message: MetadataRequest, parts: list[bytes]) -> None:
    write_compact_nullable_array(message.topics, parts, _write_metadata_request_topic_v10_13)
    write_bool(message.allow_auto_topic_creation, parts)
    write_bool(message.include_cluster_authorized_operations, parts)
    write_bool(message.include_topic_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v11_13(data: bytes, pos: int) -> tuple[MetadataRequest, int]:
    topics, pos = read_compact_nullable_array(data, pos, _read_metadata_request_topic_v10_13)
    allow_auto_topic_creation, pos = read_bool(data, pos)
    include_topic_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return MetadataRequest(
        topics=topics,
        allow_auto_topic_creation=allow_auto_topic_creation,
        include_topic_authorized_operations=include_topic_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v11_13(message: MetadataRequest, parts: list[bytes]) -> None:
    if message.include_cluster_authorized_operations is not False:
        raise OddValue
    write_compact_nullable_array(message.topics, parts, _write_metadata_request_topic_v10_13)
    write_bool(message.allow_auto_topic_creation, parts)
    write_bool(message.include_topic_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


MetadataRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_3, _write_v1_3),
    2: Codec(_read_v1_3, _write_v1_3),
    3: Codec(_read_v1_3, _write_v1_3),
    4: Codec(_read_v4_7, _write_v4_7),
    5: Codec(_read_v4_7, _write_v4_7),
    6: Codec(_read_v4_7, _write_v4_7),
    7: Codec(_read_v4_7, _write_v4_7),
    8: Codec(_read_v8, _write_v8),
    9: Codec(_read_v9, _write_v9),
    10: Codec(_read_v10, _write_v10),
    11: Codec(_read_v11_13, _write_v11_13),
    12: Codec(_read_v11_13, _write_v11_13),
    13: Codec(_read_v11_13, _write_v11_13),
}
