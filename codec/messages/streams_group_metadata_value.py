"""StreamsGroupMetadataValue, generated from schemas/StreamsGroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import Tags, read_tags, read_unknown_tags, write_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    INT64,
    OddBytes,
    OddValue,
    read_compact_nullable_array,
    read_compact_string,
    write_compact_nullable_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupMetadataValue, versions 0.

    The state of a Streams group (KIP-1071): how often it has changed, with which topics, and which
    of its topologies have been checked and described.

    Attributes:
        epoch (int32): Grows with every change of members, topology or topics. Version 0; default 0.
        metadata_hash (int64): A hash of the topics that the topology uses. Version 0; default 0.
        validated_topology_epoch (int32): The topology whose topics were found in order; -1 if none.
            Version 0; default -1; tag 0 in version 0.
        last_assignment_configs ([]LastAssignmentConfig): The configuration of the last assignment.
            Version 0; may be null; default (); tag 1 in version 0.
        stored_description_topology_epoch (int32): The topology whose description is kept; -1 if none.
            Version 0; default -1; tag 2 in version 0.
        failed_description_topology_epoch (int32): The topology whose description was refused; -1 if
            none. Version 0; default -1; tag 3 in version 0.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 17
    FRAMING = Framing("version", "refuse")

    class LastAssignmentConfig(MessagePart, frozen=True, kw_only=True, gc=False):
        """LastAssignmentConfig of StreamsGroupMetadataValue, versions 0.

        One setting.

        Attributes:
            key (string): The setting's name. Version 0; default ''.
            value (string): The setting's value. Version 0; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        key: str = ""
        value: str = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                key: str = ...,
                value: str = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    epoch: int = 0
    metadata_hash: int = 0
    validated_topology_epoch: int = -1
    last_assignment_configs: tuple[StreamsGroupMetadataValue.LastAssignmentConfig, ...] | None = ()
    stored_description_topology_epoch: int = -1
    failed_description_topology_epoch: int = -1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("last_assignment_configs", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            self.last_assignment_configs is not None
            and type(self.last_assignment_configs) is not tuple
        ) or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            epoch: int = ...,
            metadata_hash: int = ...,
            validated_topology_epoch: int = ...,
            last_assignment_configs: Iterable[StreamsGroupMetadataValue.LastAssignmentConfig]
            | None = ...,
            stored_description_topology_epoch: int = ...,
            failed_description_topology_epoch: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            epoch: int = ...,
            metadata_hash: int = ...,
            validated_topology_epoch: int = ...,
            last_assignment_configs: Iterable[StreamsGroupMetadataValue.LastAssignmentConfig]
            | None = ...,
            stored_description_topology_epoch: int = ...,
            failed_description_topology_epoch: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_LastAssignmentConfig = StreamsGroupMetadataValue.LastAssignmentConfig


def _read_last_assignment_config_v0(data: bytes, pos: int) -> tuple[_LastAssignmentConfig, int]:
    key, pos = read_compact_string(data, pos)
    value, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _LastAssignmentConfig(key=key, value=value, unknown_tagged_fields=unknown), pos


def _write_last_assignment_config_v0(item: _LastAssignmentConfig, parts: list[bytes]) -> None:
    if type(item) is not _LastAssignmentConfig:
        raise OddValue
    write_compact_string(item.key, parts)
    write_compact_string(item.value, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v0: Tags = {
    0: ("validated_topology_epoch", INT32.read),
    1: (
        "last_assignment_configs",
        lambda data, pos: read_compact_nullable_array(data, pos, _read_last_assignment_config_v0),
    ),
    2: ("stored_description_topology_epoch", INT32.read),
    3: ("failed_description_topology_epoch", INT32.read),
}


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupMetadataValue, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    (metadata_hash,), pos = INT64.unpack(data, pos), pos + 8
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v0, ())
    if pos > len(data):
        raise OddBytes
    read = StreamsGroupMetadataValue(
        epoch=epoch, metadata_hash=metadata_hash, unknown_tagged_fields=unknown
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v0(message: StreamsGroupMetadataValue, parts: list[bytes]) -> None:
    INT32.write(message.epoch, parts)
    INT64.write(message.metadata_hash, parts)
    tags: dict[int, list[bytes]] = {}
    if message.validated_topology_epoch != -1:
        INT32.write(message.validated_topology_epoch, tags.setdefault(0, []))
    if message.last_assignment_configs != ():
        write_compact_nullable_array(
            message.last_assignment_configs,
            tags.setdefault(1, []),
            _write_last_assignment_config_v0,
        )
    if message.stored_description_topology_epoch != -1:
        INT32.write(message.stored_description_topology_epoch, tags.setdefault(2, []))
    if message.failed_description_topology_epoch != -1:
        INT32.write(message.failed_description_topology_epoch, tags.setdefault(3, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1, 2, 3))


StreamsGroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupMetadataValue._by_header = {
    0: _read_v0,
}
StreamsGroupMetadataValue._headers = {
    0: b"\x00\x00",
}
