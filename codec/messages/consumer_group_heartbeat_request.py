"""ConsumerGroupHeartbeatRequest, generated from schemas/ConsumerGroupHeartbeatRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ..framing import Framing
from ..message import Codec, Message, MessagePart, RawTaggedField
from ..tags import read_tags, write_tags
from ..uuids import ZERO_UUID, uuid_of
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    MAX_STRING,
    VARINT,
    OddBytes,
    OddValue,
    few_numbers,
    fixed,
    numbers,
    pack_numbers,
    packed,
    read_varint,
    varint,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ConsumerGroupHeartbeatRequest(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupHeartbeatRequest, versions 0-1."""

    NAME = "ConsumerGroupHeartbeatRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 68
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupHeartbeatRequest, versions 0-1."""

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


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    (member_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    member_epoch, instance_id_size = _unpack_iu_b(data, pos)
    pos += 5
    if instance_id_size > 127:
        instance_id_size, pos = read_varint(data, pos - 1)
    if instance_id_size < 1:
        instance_id = None
    elif instance_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + instance_id_size - 1
        instance_id = data[pos:end].decode()
        pos = end
    (rack_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if rack_id_size > 127:
        rack_id_size, pos = read_varint(data, pos - 1)
    if rack_id_size < 1:
        rack_id = None
    elif rack_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + rack_id_size - 1
        rack_id = data[pos:end].decode()
        pos = end
    rebalance_timeout_ms, subscribed_topic_names_count = _unpack_iu_b(data, pos)
    pos += 5
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, pos = read_varint(data, pos - 1)
    if subscribed_topic_names_count < 1:
        subscribed_topic_names = None
    else:
        subscribed_topic_names_count -= 1
        if not 0 <= subscribed_topic_names_count <= MAX_ELEMENTS:
            raise OddBytes
        subscribed_topic_names_list: list[str] = []
        for _ in range(subscribed_topic_names_count):
            (subscribed_topic_names_item_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subscribed_topic_names_item_size > 127:
                subscribed_topic_names_item_size, pos = read_varint(data, pos - 1)
            if (
                subscribed_topic_names_item_size < 1
                or subscribed_topic_names_item_size > MAX_STRING + 1
            ):
                raise OddBytes
            end = pos + subscribed_topic_names_item_size - 1
            subscribed_topic_names_list.append(data[pos:end].decode())
            pos = end
        subscribed_topic_names = tuple(subscribed_topic_names_list)
    (server_assignor_size,) = _unpack_u_b(data, pos)
    pos += 1
    if server_assignor_size > 127:
        server_assignor_size, pos = read_varint(data, pos - 1)
    if server_assignor_size < 1:
        server_assignor = None
    elif server_assignor_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + server_assignor_size - 1
        server_assignor = data[pos:end].decode()
        pos = end
    (topic_partitions_count,) = _unpack_u_b(data, pos)
    pos += 1
    if topic_partitions_count > 127:
        topic_partitions_count, pos = read_varint(data, pos - 1)
    if topic_partitions_count < 1:
        topic_partitions = None
    else:
        topic_partitions_count -= 1
        if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
            raise OddBytes
        topic_partitions_list: list[_TopicPartitions] = []
        for _ in range(topic_partitions_count):
            topic_id_raw, partitions_count = _unpack_uuid_u_b(data, pos)
            pos += 17
            topic_id = uuid_of(topic_id_raw)
            if partitions_count > 127:
                partitions_count, pos = read_varint(data, pos - 1)
            partitions_count -= 1
            partitions = (
                _few_numbers_i[partitions_count]
                if 0 <= partitions_count < 256
                else _numbers_i[partitions_count]
            )(data, pos)
            pos += partitions_count * 4
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            topic_partitions_list.append(
                _TopicPartitions(
                    topic_id=topic_id,
                    partitions=partitions,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        topic_partitions = tuple(topic_partitions_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
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
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v0(message: ConsumerGroupHeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    if message.subscribed_topic_regex is not None:
        raise OddValue
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    add(_pack_i(message.member_epoch))
    instance_id = message.instance_id
    if instance_id is None:
        add(b"\x00")
    else:
        instance_id_raw = instance_id.encode()
        if len(instance_id_raw) > MAX_STRING:
            raise OddValue
        instance_id_size = len(instance_id_raw) + 1
        add(VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size))
        add(instance_id_raw)
    rack_id = message.rack_id
    if rack_id is None:
        add(b"\x00")
    else:
        rack_id_raw = rack_id.encode()
        if len(rack_id_raw) > MAX_STRING:
            raise OddValue
        rack_id_size = len(rack_id_raw) + 1
        add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
        add(rack_id_raw)
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    add(_pack_i(message.rebalance_timeout_ms))
    subscribed_topic_names = message.subscribed_topic_names
    if subscribed_topic_names is None:
        add(b"\x00")
    else:
        if type(subscribed_topic_names) is not tuple:
            raise OddValue
        subscribed_topic_names_size = len(subscribed_topic_names) + 1
        add(
            VARINT[subscribed_topic_names_size]
            if subscribed_topic_names_size < 128
            else varint(subscribed_topic_names_size)
        )
        for subscribed_topic_names_item in subscribed_topic_names:
            raw_2 = subscribed_topic_names_item.encode()
            if len(raw_2) > MAX_STRING:
                raise OddValue
            subscribed_topic_names_size_2 = len(raw_2) + 1
            add(
                VARINT[subscribed_topic_names_size_2]
                if subscribed_topic_names_size_2 < 128
                else varint(subscribed_topic_names_size_2)
            )
            add(raw_2)
    server_assignor = message.server_assignor
    if server_assignor is None:
        add(b"\x00")
    else:
        server_assignor_raw = server_assignor.encode()
        if len(server_assignor_raw) > MAX_STRING:
            raise OddValue
        server_assignor_size = len(server_assignor_raw) + 1
        add(
            VARINT[server_assignor_size]
            if server_assignor_size < 128
            else varint(server_assignor_size)
        )
        add(server_assignor_raw)
    topic_partitions = message.topic_partitions
    if topic_partitions is None:
        add(b"\x00")
    else:
        if type(topic_partitions) is not tuple:
            raise OddValue
        topic_partitions_size = len(topic_partitions) + 1
        add(
            VARINT[topic_partitions_size]
            if topic_partitions_size < 128
            else varint(topic_partitions_size)
        )
        for topic_partitions_item in topic_partitions:
            if type(topic_partitions_item) is not _TopicPartitions:
                raise OddValue
            partitions = topic_partitions_item.partitions
            if type(partitions) is not tuple:
                raise OddValue
            add(_pack_uuid(topic_partitions_item.topic_id.bytes))
            partitions_size = len(partitions) + 1
            add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
            add(_pack_numbers_i[len(partitions)](*partitions))
            add(
                write_tags([], topic_partitions_item.unknown_tagged_fields, ())
                if topic_partitions_item.unknown_tagged_fields
                else b"\0"
            )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    (group_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if group_id_size > 127:
        group_id_size, pos = read_varint(data, pos - 1)
    if group_id_size < 1 or group_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + group_id_size - 1
    group_id = data[pos:end].decode()
    pos = end
    (member_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if member_id_size > 127:
        member_id_size, pos = read_varint(data, pos - 1)
    if member_id_size < 1 or member_id_size > MAX_STRING + 1:
        raise OddBytes
    end = pos + member_id_size - 1
    member_id = data[pos:end].decode()
    pos = end
    member_epoch, instance_id_size = _unpack_iu_b(data, pos)
    pos += 5
    if instance_id_size > 127:
        instance_id_size, pos = read_varint(data, pos - 1)
    if instance_id_size < 1:
        instance_id = None
    elif instance_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + instance_id_size - 1
        instance_id = data[pos:end].decode()
        pos = end
    (rack_id_size,) = _unpack_u_b(data, pos)
    pos += 1
    if rack_id_size > 127:
        rack_id_size, pos = read_varint(data, pos - 1)
    if rack_id_size < 1:
        rack_id = None
    elif rack_id_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + rack_id_size - 1
        rack_id = data[pos:end].decode()
        pos = end
    rebalance_timeout_ms, subscribed_topic_names_count = _unpack_iu_b(data, pos)
    pos += 5
    if subscribed_topic_names_count > 127:
        subscribed_topic_names_count, pos = read_varint(data, pos - 1)
    if subscribed_topic_names_count < 1:
        subscribed_topic_names = None
    else:
        subscribed_topic_names_count -= 1
        if not 0 <= subscribed_topic_names_count <= MAX_ELEMENTS:
            raise OddBytes
        subscribed_topic_names_list: list[str] = []
        for _ in range(subscribed_topic_names_count):
            (subscribed_topic_names_item_size,) = _unpack_u_b(data, pos)
            pos += 1
            if subscribed_topic_names_item_size > 127:
                subscribed_topic_names_item_size, pos = read_varint(data, pos - 1)
            if (
                subscribed_topic_names_item_size < 1
                or subscribed_topic_names_item_size > MAX_STRING + 1
            ):
                raise OddBytes
            end = pos + subscribed_topic_names_item_size - 1
            subscribed_topic_names_list.append(data[pos:end].decode())
            pos = end
        subscribed_topic_names = tuple(subscribed_topic_names_list)
    (subscribed_topic_regex_size,) = _unpack_u_b(data, pos)
    pos += 1
    if subscribed_topic_regex_size > 127:
        subscribed_topic_regex_size, pos = read_varint(data, pos - 1)
    if subscribed_topic_regex_size < 1:
        subscribed_topic_regex = None
    elif subscribed_topic_regex_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + subscribed_topic_regex_size - 1
        subscribed_topic_regex = data[pos:end].decode()
        pos = end
    (server_assignor_size,) = _unpack_u_b(data, pos)
    pos += 1
    if server_assignor_size > 127:
        server_assignor_size, pos = read_varint(data, pos - 1)
    if server_assignor_size < 1:
        server_assignor = None
    elif server_assignor_size > MAX_STRING + 1:
        raise OddBytes
    else:
        end = pos + server_assignor_size - 1
        server_assignor = data[pos:end].decode()
        pos = end
    (topic_partitions_count,) = _unpack_u_b(data, pos)
    pos += 1
    if topic_partitions_count > 127:
        topic_partitions_count, pos = read_varint(data, pos - 1)
    if topic_partitions_count < 1:
        topic_partitions = None
    else:
        topic_partitions_count -= 1
        if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
            raise OddBytes
        topic_partitions_list: list[_TopicPartitions] = []
        for _ in range(topic_partitions_count):
            topic_id_raw, partitions_count = _unpack_uuid_u_b(data, pos)
            pos += 17
            topic_id = uuid_of(topic_id_raw)
            if partitions_count > 127:
                partitions_count, pos = read_varint(data, pos - 1)
            partitions_count -= 1
            partitions = (
                _few_numbers_i[partitions_count]
                if 0 <= partitions_count < 256
                else _numbers_i[partitions_count]
            )(data, pos)
            pos += partitions_count * 4
            (count,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
            if count:
                unknown_tagged_fields, pos = read_tags(data, pos - 1)
            topic_partitions_list.append(
                _TopicPartitions(
                    topic_id=topic_id,
                    partitions=partitions,
                    unknown_tagged_fields=unknown_tagged_fields,
                )
            )
        topic_partitions = tuple(topic_partitions_list)
    (count_2,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
    if count_2:
        unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
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
        unknown_tagged_fields=unknown_tagged_fields_2,
    ), pos


def _write_v1(message: ConsumerGroupHeartbeatRequest, parts: list[bytes]) -> None:
    add = parts.append
    group_id_raw = message.group_id.encode()
    if len(group_id_raw) > MAX_STRING:
        raise OddValue
    group_id_size = len(group_id_raw) + 1
    add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
    add(group_id_raw)
    member_id_raw = message.member_id.encode()
    if len(member_id_raw) > MAX_STRING:
        raise OddValue
    member_id_size = len(member_id_raw) + 1
    add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
    add(member_id_raw)
    if type(message.member_epoch) is bool:
        raise OddValue
    add(_pack_i(message.member_epoch))
    instance_id = message.instance_id
    if instance_id is None:
        add(b"\x00")
    else:
        instance_id_raw = instance_id.encode()
        if len(instance_id_raw) > MAX_STRING:
            raise OddValue
        instance_id_size = len(instance_id_raw) + 1
        add(VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size))
        add(instance_id_raw)
    rack_id = message.rack_id
    if rack_id is None:
        add(b"\x00")
    else:
        rack_id_raw = rack_id.encode()
        if len(rack_id_raw) > MAX_STRING:
            raise OddValue
        rack_id_size = len(rack_id_raw) + 1
        add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
        add(rack_id_raw)
    if type(message.rebalance_timeout_ms) is bool:
        raise OddValue
    add(_pack_i(message.rebalance_timeout_ms))
    subscribed_topic_names = message.subscribed_topic_names
    if subscribed_topic_names is None:
        add(b"\x00")
    else:
        if type(subscribed_topic_names) is not tuple:
            raise OddValue
        subscribed_topic_names_size = len(subscribed_topic_names) + 1
        add(
            VARINT[subscribed_topic_names_size]
            if subscribed_topic_names_size < 128
            else varint(subscribed_topic_names_size)
        )
        for subscribed_topic_names_item in subscribed_topic_names:
            raw_2 = subscribed_topic_names_item.encode()
            if len(raw_2) > MAX_STRING:
                raise OddValue
            subscribed_topic_names_size_2 = len(raw_2) + 1
            add(
                VARINT[subscribed_topic_names_size_2]
                if subscribed_topic_names_size_2 < 128
                else varint(subscribed_topic_names_size_2)
            )
            add(raw_2)
    subscribed_topic_regex = message.subscribed_topic_regex
    if subscribed_topic_regex is None:
        add(b"\x00")
    else:
        subscribed_topic_regex_raw = subscribed_topic_regex.encode()
        if len(subscribed_topic_regex_raw) > MAX_STRING:
            raise OddValue
        subscribed_topic_regex_size = len(subscribed_topic_regex_raw) + 1
        add(
            VARINT[subscribed_topic_regex_size]
            if subscribed_topic_regex_size < 128
            else varint(subscribed_topic_regex_size)
        )
        add(subscribed_topic_regex_raw)
    server_assignor = message.server_assignor
    if server_assignor is None:
        add(b"\x00")
    else:
        server_assignor_raw = server_assignor.encode()
        if len(server_assignor_raw) > MAX_STRING:
            raise OddValue
        server_assignor_size = len(server_assignor_raw) + 1
        add(
            VARINT[server_assignor_size]
            if server_assignor_size < 128
            else varint(server_assignor_size)
        )
        add(server_assignor_raw)
    topic_partitions = message.topic_partitions
    if topic_partitions is None:
        add(b"\x00")
    else:
        if type(topic_partitions) is not tuple:
            raise OddValue
        topic_partitions_size = len(topic_partitions) + 1
        add(
            VARINT[topic_partitions_size]
            if topic_partitions_size < 128
            else varint(topic_partitions_size)
        )
        for topic_partitions_item in topic_partitions:
            if type(topic_partitions_item) is not _TopicPartitions:
                raise OddValue
            partitions = topic_partitions_item.partitions
            if type(partitions) is not tuple:
                raise OddValue
            add(_pack_uuid(topic_partitions_item.topic_id.bytes))
            partitions_size = len(partitions) + 1
            add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
            add(_pack_numbers_i[len(partitions)](*partitions))
            add(
                write_tags([], topic_partitions_item.unknown_tagged_fields, ())
                if topic_partitions_item.unknown_tagged_fields
                else b"\0"
            )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupHeartbeatRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
