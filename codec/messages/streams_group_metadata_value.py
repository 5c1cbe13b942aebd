"""StreamsGroupMetadataValue, generated from schemas/StreamsGroupMetadataValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_raw_tag, read_tags, write_tags
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    MAX_TAGS,
    VARINT,
    OddBytes,
    OddValue,
    fixed,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_pack_i = packed("i")
_pack_iq = packed("iq")
_unpack_i = fixed("i")
_unpack_iqu_b = fixed("iqB")
_unpack_u_b = fixed("B")


class StreamsGroupMetadataValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupMetadataValue, versions 0."""

    NAME = "StreamsGroupMetadataValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 17
    FRAMING = Framing("version", "refuse")

    class LastAssignmentConfig(MessagePart, frozen=True, kw_only=True, gc=False):
        """LastAssignmentConfig of StreamsGroupMetadataValue, versions 0."""

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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupMetadataValue, int]:
    epoch, metadata_hash, count = _unpack_iqu_b(data, pos)
    pos += 13
    validated_topology_epoch: int = -1
    last_assignment_configs: tuple[_LastAssignmentConfig, ...] | None = ()
    stored_description_topology_epoch: int = -1
    failed_description_topology_epoch: int = -1
    unknown: list[RawTaggedField] = []
    if count > 127:
        count, pos = read_varint(data, pos - 1)
        if not 0 <= count <= MAX_TAGS:
            raise OddBytes
    for _ in range(count):
        tag = data[pos]
        pos += 1
        if tag > 127:
            tag, pos = read_varint(data, pos - 1)
        if tag == 0:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (validated_topology_epoch,) = _unpack_i(data, pos)
            pos += 4
        elif tag == 1:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (last_assignment_configs_count,) = _unpack_u_b(data, pos)
            pos += 1
            if last_assignment_configs_count > 127:
                last_assignment_configs_count, pos = read_varint(data, pos - 1)
            if last_assignment_configs_count < 1:
                last_assignment_configs = None
            else:
                last_assignment_configs_count -= 1
                if not 0 <= last_assignment_configs_count <= MAX_ELEMENTS:
                    raise OddBytes
                last_assignment_configs_list: list[_LastAssignmentConfig] = []
                for _ in range(last_assignment_configs_count):
                    (key_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if key_size > 127:
                        key_size, pos = read_varint(data, pos - 1)
                    if key_size < 1 or key_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + key_size - 1
                    key = data[pos:end].decode()
                    pos = end
                    (value_size,) = _unpack_u_b(data, pos)
                    pos += 1
                    if value_size > 127:
                        value_size, pos = read_varint(data, pos - 1)
                    if value_size < 1 or value_size > MAX_STRING + 1:
                        raise OddBytes
                    end = pos + value_size - 1
                    value = data[pos:end].decode()
                    pos = end
                    (count_2,) = _unpack_u_b(data, pos)
                    pos += 1
                    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
                    if count_2:
                        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
                    last_assignment_configs_list.append(
                        _LastAssignmentConfig(
                            key=key, value=value, unknown_tagged_fields=unknown_tagged_fields_2
                        )
                    )
                last_assignment_configs = tuple(last_assignment_configs_list)
        elif tag == 2:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (stored_description_topology_epoch,) = _unpack_i(data, pos)
            pos += 4
        elif tag == 3:
            pos += 1
            if data[pos - 1] > 127:
                _, pos = read_varint(data, pos - 1)
            (failed_description_topology_epoch,) = _unpack_i(data, pos)
            pos += 4
        else:
            known, pos = read_raw_tag(data, pos, tag)
            unknown.append(known)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupMetadataValue(
        epoch=epoch,
        metadata_hash=metadata_hash,
        validated_topology_epoch=validated_topology_epoch,
        last_assignment_configs=last_assignment_configs,
        stored_description_topology_epoch=stored_description_topology_epoch,
        failed_description_topology_epoch=failed_description_topology_epoch,
        unknown_tagged_fields=tuple(unknown),
    ), pos


def _write_v0(message: StreamsGroupMetadataValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.epoch) is bool:
        raise OddValue
    if type(message.metadata_hash) is bool:
        raise OddValue
    add(_pack_iq(message.epoch, message.metadata_hash))
    fields: list[tuple[int, bytes]] = []
    validated_topology_epoch = message.validated_topology_epoch
    if validated_topology_epoch != -1:
        tagged: list[bytes] = []
        add = tagged.append
        if type(validated_topology_epoch) is bool:
            raise OddValue
        add(_pack_i(validated_topology_epoch))
        fields.append((0, b"".join(tagged)))
        add = parts.append
    last_assignment_configs = message.last_assignment_configs
    if last_assignment_configs != ():
        tagged_2: list[bytes] = []
        add = tagged_2.append
        last_assignment_configs_2 = last_assignment_configs
        if last_assignment_configs_2 is None:
            add(b"\x00")
        else:
            if type(last_assignment_configs_2) is not tuple:
                raise OddValue
            last_assignment_configs_size = len(last_assignment_configs_2) + 1
            add(
                VARINT[last_assignment_configs_size]
                if last_assignment_configs_size < 128
                else varint(last_assignment_configs_size)
            )
            for last_assignment_configs_item in last_assignment_configs_2:
                if type(last_assignment_configs_item) is not _LastAssignmentConfig:
                    raise OddValue
                key_raw = last_assignment_configs_item.key.encode()
                if len(key_raw) > MAX_STRING:
                    raise OddValue
                key_size = len(key_raw) + 1
                add(VARINT[key_size] if key_size < 128 else varint(key_size))
                add(key_raw)
                value_raw = last_assignment_configs_item.value.encode()
                if len(value_raw) > MAX_STRING:
                    raise OddValue
                value_size = len(value_raw) + 1
                add(VARINT[value_size] if value_size < 128 else varint(value_size))
                add(value_raw)
                add(
                    write_tags([], last_assignment_configs_item.unknown_tagged_fields, ())
                    if last_assignment_configs_item.unknown_tagged_fields
                    else b"\0"
                )
        fields.append((1, b"".join(tagged_2)))
        add = parts.append
    stored_description_topology_epoch = message.stored_description_topology_epoch
    if stored_description_topology_epoch != -1:
        tagged_3: list[bytes] = []
        add = tagged_3.append
        if type(stored_description_topology_epoch) is bool:
            raise OddValue
        add(_pack_i(stored_description_topology_epoch))
        fields.append((2, b"".join(tagged_3)))
        add = parts.append
    failed_description_topology_epoch = message.failed_description_topology_epoch
    if failed_description_topology_epoch != -1:
        tagged_4: list[bytes] = []
        add = tagged_4.append
        if type(failed_description_topology_epoch) is bool:
            raise OddValue
        add(_pack_i(failed_description_topology_epoch))
        fields.append((3, b"".join(tagged_4)))
        add = parts.append
    add(write_tags(fields, message.unknown_tagged_fields, (0, 1, 2, 3)))


StreamsGroupMetadataValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupMetadataValue._by_header = {
    0: _read_v0,
}
StreamsGroupMetadataValue._headers = {
    0: b"\x00\x00",
}
