"""ConsumerGroupDescribeResponse, generated from schemas/ConsumerGroupDescribeResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import field as _field

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
_pack_b = packed("b")
_pack_h = packed("h")
_pack_i = packed("i")
_pack_ii = packed("ii")
_pack_numbers_i = pack_numbers("i")
_pack_uuid = packed("16s")
_unpack_bu_b = fixed("bB")
_unpack_hu_b = fixed("hB")
_unpack_iiu_b = fixed("iiB")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")
_unpack_uuid_u_b = fixed("16sB")


class ConsumerGroupDescribeResponse(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupDescribeResponse, versions 0-1."""

    NAME = "ConsumerGroupDescribeResponse"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 69
    FRAMING = Framing("none", "refuse")

    class TopicPartitions(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartitions of ConsumerGroupDescribeResponse, versions 0-1."""

        topic_id: UUID = ZERO_UUID
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
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_id: UUID = ...,
                topic_name: str = ...,
                partitions: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Assignment(MessagePart, frozen=True, kw_only=True, gc=False):
        """Assignment of ConsumerGroupDescribeResponse, versions 0-1."""

        topic_partitions: tuple[ConsumerGroupDescribeResponse.TopicPartitions, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topic_partitions", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.topic_partitions) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                topic_partitions: Iterable[ConsumerGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                topic_partitions: Iterable[ConsumerGroupDescribeResponse.TopicPartitions] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Member(MessagePart, frozen=True, kw_only=True, gc=False):
        """Member of ConsumerGroupDescribeResponse, versions 0-1."""

        member_id: str = ""
        instance_id: str | None = None
        rack_id: str | None = None
        member_epoch: int = 0
        client_id: str = ""
        client_host: str = ""
        subscribed_topic_names: tuple[str, ...] = ()
        subscribed_topic_regex: str | None = None
        assignment: ConsumerGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        target_assignment: ConsumerGroupDescribeResponse.Assignment = _field(
            default_factory=lambda: _DEFAULT_Assignment
        )
        member_type: int = -1
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("subscribed_topic_names", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.subscribed_topic_names) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                member_id: str = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                subscribed_topic_regex: str | None = ...,
                assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                target_assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                member_type: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                member_id: str = ...,
                instance_id: str | None = ...,
                rack_id: str | None = ...,
                member_epoch: int = ...,
                client_id: str = ...,
                client_host: str = ...,
                subscribed_topic_names: Iterable[str] = ...,
                subscribed_topic_regex: str | None = ...,
                assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                target_assignment: ConsumerGroupDescribeResponse.Assignment = ...,
                member_type: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribedGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribedGroup of ConsumerGroupDescribeResponse, versions 0-1."""

        error_code: int = 0
        error_message: str | None = None
        group_id: str = ""
        group_state: str = ""
        group_epoch: int = 0
        assignment_epoch: int = 0
        assignor_name: str = ""
        members: tuple[ConsumerGroupDescribeResponse.Member, ...] = ()
        authorized_operations: int = -2147483648
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("members", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.members) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                assignor_name: str = ...,
                members: Iterable[ConsumerGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                group_id: str = ...,
                group_state: str = ...,
                group_epoch: int = ...,
                assignment_epoch: int = ...,
                assignor_name: str = ...,
                members: Iterable[ConsumerGroupDescribeResponse.Member] = ...,
                authorized_operations: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    groups: tuple[ConsumerGroupDescribeResponse.DescribedGroup, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[ConsumerGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            groups: Iterable[ConsumerGroupDescribeResponse.DescribedGroup] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Assignment = ConsumerGroupDescribeResponse.Assignment
_DescribedGroup = ConsumerGroupDescribeResponse.DescribedGroup
_Member = ConsumerGroupDescribeResponse.Member
_TopicPartitions = ConsumerGroupDescribeResponse.TopicPartitions
_DEFAULT_Assignment: ConsumerGroupDescribeResponse.Assignment = (
    ConsumerGroupDescribeResponse.Assignment()
)


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hu_b(data, pos)
        pos += 3
        if error_message_size > 127:
            error_message_size, pos = read_varint(data, pos - 1)
        if error_message_size < 1:
            error_message = None
        elif error_message_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + error_message_size - 1
            error_message = data[pos:end].decode()
            pos = end
        (group_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        group_epoch, assignment_epoch, assignor_name_size = _unpack_iiu_b(data, pos)
        pos += 9
        if assignor_name_size > 127:
            assignor_name_size, pos = read_varint(data, pos - 1)
        if assignor_name_size < 1 or assignor_name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + assignor_name_size - 1
        assignor_name = data[pos:end].decode()
        pos = end
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_Member] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_id_size > 127:
                member_id_size, pos = read_varint(data, pos - 1)
            if member_id_size < 1 or member_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + member_id_size - 1
            member_id = data[pos:end].decode()
            pos = end
            (instance_id_size,) = _unpack_u_b(data, pos)
            pos += 1
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
            member_epoch, client_id_size = _unpack_iu_b(data, pos)
            pos += 5
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            (subscribed_topic_names_count,) = _unpack_u_b(data, pos)
            pos += 1
            if subscribed_topic_names_count > 127:
                subscribed_topic_names_count, pos = read_varint(data, pos - 1)
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
            (topic_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if topic_partitions_count > 127:
                topic_partitions_count, pos = read_varint(data, pos - 1)
            topic_partitions_count -= 1
            if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_partitions_list: list[_TopicPartitions] = []
            for _ in range(topic_partitions_count):
                topic_id_raw, topic_name_size = _unpack_uuid_u_b(data, pos)
                pos += 17
                topic_id = uuid_of(topic_id_raw)
                if topic_name_size > 127:
                    topic_name_size, pos = read_varint(data, pos - 1)
                if topic_name_size < 1 or topic_name_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_name_size - 1
                topic_name = data[pos:end].decode()
                pos = end
                (partitions_count,) = _unpack_u_b(data, pos)
                pos += 1
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
                        topic_name=topic_name,
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
            assignment = _Assignment(
                topic_partitions=topic_partitions, unknown_tagged_fields=unknown_tagged_fields_2
            )
            (topic_partitions_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if topic_partitions_2_count > 127:
                topic_partitions_2_count, pos = read_varint(data, pos - 1)
            topic_partitions_2_count -= 1
            if not 0 <= topic_partitions_2_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_partitions_2_list: list[_TopicPartitions] = []
            for _ in range(topic_partitions_2_count):
                topic_id_2_raw, topic_name_2_size = _unpack_uuid_u_b(data, pos)
                pos += 17
                topic_id_2 = uuid_of(topic_id_2_raw)
                if topic_name_2_size > 127:
                    topic_name_2_size, pos = read_varint(data, pos - 1)
                if topic_name_2_size < 1 or topic_name_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_name_2_size - 1
                topic_name_2 = data[pos:end].decode()
                pos = end
                (partitions_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_2_count > 127:
                    partitions_2_count, pos = read_varint(data, pos - 1)
                partitions_2_count -= 1
                partitions_2 = (
                    _few_numbers_i[partitions_2_count]
                    if 0 <= partitions_2_count < 256
                    else _numbers_i[partitions_2_count]
                )(data, pos)
                pos += partitions_2_count * 4
                (count_3,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
                if count_3:
                    unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
                topic_partitions_2_list.append(
                    _TopicPartitions(
                        topic_id=topic_id_2,
                        topic_name=topic_name_2,
                        partitions=partitions_2,
                        unknown_tagged_fields=unknown_tagged_fields_3,
                    )
                )
            topic_partitions_2 = tuple(topic_partitions_2_list)
            (count_4,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
            if count_4:
                unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
            target_assignment = _Assignment(
                topic_partitions=topic_partitions_2, unknown_tagged_fields=unknown_tagged_fields_4
            )
            (count_5,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
            if count_5:
                unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
            members_list.append(
                _Member(
                    member_id=member_id,
                    instance_id=instance_id,
                    rack_id=rack_id,
                    member_epoch=member_epoch,
                    client_id=client_id,
                    client_host=client_host,
                    subscribed_topic_names=subscribed_topic_names,
                    subscribed_topic_regex=subscribed_topic_regex,
                    assignment=assignment,
                    target_assignment=target_assignment,
                    unknown_tagged_fields=unknown_tagged_fields_5,
                )
            )
        members = tuple(members_list)
        authorized_operations, count_6 = _unpack_iu_b(data, pos)
        pos += 5
        unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
        if count_6:
            unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                error_message=error_message,
                group_id=group_id,
                group_state=group_state,
                group_epoch=group_epoch,
                assignment_epoch=assignment_epoch,
                assignor_name=assignor_name,
                members=members,
                authorized_operations=authorized_operations,
                unknown_tagged_fields=unknown_tagged_fields_6,
            )
        )
    groups = tuple(groups_list)
    (count_7,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
    if count_7:
        unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_7,
    ), pos


def _write_v0(message: ConsumerGroupDescribeResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        add(_pack_h(groups_item.error_code))
        error_message = groups_item.error_message
        if error_message is None:
            add(b"\x00")
        else:
            error_message_raw = error_message.encode()
            if len(error_message_raw) > MAX_STRING:
                raise OddValue
            error_message_size = len(error_message_raw) + 1
            add(
                VARINT[error_message_size]
                if error_message_size < 128
                else varint(error_message_size)
            )
            add(error_message_raw)
        group_id_raw = groups_item.group_id.encode()
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        if type(groups_item.group_epoch) is bool:
            raise OddValue
        if type(groups_item.assignment_epoch) is bool:
            raise OddValue
        assignor_name_raw = groups_item.assignor_name.encode()
        add(_pack_ii(groups_item.group_epoch, groups_item.assignment_epoch))
        if len(assignor_name_raw) > MAX_STRING:
            raise OddValue
        assignor_name_size = len(assignor_name_raw) + 1
        add(VARINT[assignor_name_size] if assignor_name_size < 128 else varint(assignor_name_size))
        add(assignor_name_raw)
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _Member:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            if len(member_id_raw) > MAX_STRING:
                raise OddValue
            member_id_size = len(member_id_raw) + 1
            add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
            add(member_id_raw)
            instance_id = members_item.instance_id
            if instance_id is None:
                add(b"\x00")
            else:
                instance_id_raw = instance_id.encode()
                if len(instance_id_raw) > MAX_STRING:
                    raise OddValue
                instance_id_size = len(instance_id_raw) + 1
                add(
                    VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size)
                )
                add(instance_id_raw)
            rack_id = members_item.rack_id
            if rack_id is None:
                add(b"\x00")
            else:
                rack_id_raw = rack_id.encode()
                if len(rack_id_raw) > MAX_STRING:
                    raise OddValue
                rack_id_size = len(rack_id_raw) + 1
                add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
                add(rack_id_raw)
            if type(members_item.member_epoch) is bool:
                raise OddValue
            client_id_raw = members_item.client_id.encode()
            add(_pack_i(members_item.member_epoch))
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            subscribed_topic_names = members_item.subscribed_topic_names
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
            subscribed_topic_regex = members_item.subscribed_topic_regex
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
            assignment = members_item.assignment
            if type(assignment) is not _Assignment:
                raise OddValue
            topic_partitions = assignment.topic_partitions
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
                topic_name_raw = topic_partitions_item.topic_name.encode()
                add(_pack_uuid(topic_partitions_item.topic_id.bytes))
                if len(topic_name_raw) > MAX_STRING:
                    raise OddValue
                topic_name_size = len(topic_name_raw) + 1
                add(VARINT[topic_name_size] if topic_name_size < 128 else varint(topic_name_size))
                add(topic_name_raw)
                partitions = topic_partitions_item.partitions
                if type(partitions) is not tuple:
                    raise OddValue
                partitions_size = len(partitions) + 1
                add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
                add(_pack_numbers_i[len(partitions)](*partitions))
                add(
                    write_tags([], topic_partitions_item.unknown_tagged_fields, ())
                    if topic_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], assignment.unknown_tagged_fields, ())
                if assignment.unknown_tagged_fields
                else b"\0"
            )
            target_assignment = members_item.target_assignment
            if type(target_assignment) is not _Assignment:
                raise OddValue
            topic_partitions_2 = target_assignment.topic_partitions
            if type(topic_partitions_2) is not tuple:
                raise OddValue
            topic_partitions_size_2 = len(topic_partitions_2) + 1
            add(
                VARINT[topic_partitions_size_2]
                if topic_partitions_size_2 < 128
                else varint(topic_partitions_size_2)
            )
            for topic_partitions_item_2 in topic_partitions_2:
                if type(topic_partitions_item_2) is not _TopicPartitions:
                    raise OddValue
                topic_name_raw_2 = topic_partitions_item_2.topic_name.encode()
                add(_pack_uuid(topic_partitions_item_2.topic_id.bytes))
                if len(topic_name_raw_2) > MAX_STRING:
                    raise OddValue
                topic_name_size_2 = len(topic_name_raw_2) + 1
                add(
                    VARINT[topic_name_size_2]
                    if topic_name_size_2 < 128
                    else varint(topic_name_size_2)
                )
                add(topic_name_raw_2)
                partitions_2 = topic_partitions_item_2.partitions
                if type(partitions_2) is not tuple:
                    raise OddValue
                partitions_size_2 = len(partitions_2) + 1
                add(
                    VARINT[partitions_size_2]
                    if partitions_size_2 < 128
                    else varint(partitions_size_2)
                )
                add(_pack_numbers_i[len(partitions_2)](*partitions_2))
                add(
                    write_tags([], topic_partitions_item_2.unknown_tagged_fields, ())
                    if topic_partitions_item_2.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], target_assignment.unknown_tagged_fields, ())
                if target_assignment.unknown_tagged_fields
                else b"\0"
            )
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    throttle_time_ms, groups_count = _unpack_iu_b(data, pos)
    pos += 5
    if groups_count > 127:
        groups_count, pos = read_varint(data, pos - 1)
    groups_count -= 1
    if not 0 <= groups_count <= MAX_ELEMENTS:
        raise OddBytes
    groups_list: list[_DescribedGroup] = []
    for _ in range(groups_count):
        error_code, error_message_size = _unpack_hu_b(data, pos)
        pos += 3
        if error_message_size > 127:
            error_message_size, pos = read_varint(data, pos - 1)
        if error_message_size < 1:
            error_message = None
        elif error_message_size > MAX_STRING + 1:
            raise OddBytes
        else:
            end = pos + error_message_size - 1
            error_message = data[pos:end].decode()
            pos = end
        (group_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_id_size > 127:
            group_id_size, pos = read_varint(data, pos - 1)
        if group_id_size < 1 or group_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_id_size - 1
        group_id = data[pos:end].decode()
        pos = end
        (group_state_size,) = _unpack_u_b(data, pos)
        pos += 1
        if group_state_size > 127:
            group_state_size, pos = read_varint(data, pos - 1)
        if group_state_size < 1 or group_state_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + group_state_size - 1
        group_state = data[pos:end].decode()
        pos = end
        group_epoch, assignment_epoch, assignor_name_size = _unpack_iiu_b(data, pos)
        pos += 9
        if assignor_name_size > 127:
            assignor_name_size, pos = read_varint(data, pos - 1)
        if assignor_name_size < 1 or assignor_name_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + assignor_name_size - 1
        assignor_name = data[pos:end].decode()
        pos = end
        (members_count,) = _unpack_u_b(data, pos)
        pos += 1
        if members_count > 127:
            members_count, pos = read_varint(data, pos - 1)
        members_count -= 1
        if not 0 <= members_count <= MAX_ELEMENTS:
            raise OddBytes
        members_list: list[_Member] = []
        for _ in range(members_count):
            (member_id_size,) = _unpack_u_b(data, pos)
            pos += 1
            if member_id_size > 127:
                member_id_size, pos = read_varint(data, pos - 1)
            if member_id_size < 1 or member_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + member_id_size - 1
            member_id = data[pos:end].decode()
            pos = end
            (instance_id_size,) = _unpack_u_b(data, pos)
            pos += 1
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
            member_epoch, client_id_size = _unpack_iu_b(data, pos)
            pos += 5
            if client_id_size > 127:
                client_id_size, pos = read_varint(data, pos - 1)
            if client_id_size < 1 or client_id_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_id_size - 1
            client_id = data[pos:end].decode()
            pos = end
            (client_host_size,) = _unpack_u_b(data, pos)
            pos += 1
            if client_host_size > 127:
                client_host_size, pos = read_varint(data, pos - 1)
            if client_host_size < 1 or client_host_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + client_host_size - 1
            client_host = data[pos:end].decode()
            pos = end
            (subscribed_topic_names_count,) = _unpack_u_b(data, pos)
            pos += 1
            if subscribed_topic_names_count > 127:
                subscribed_topic_names_count, pos = read_varint(data, pos - 1)
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
            (topic_partitions_count,) = _unpack_u_b(data, pos)
            pos += 1
            if topic_partitions_count > 127:
                topic_partitions_count, pos = read_varint(data, pos - 1)
            topic_partitions_count -= 1
            if not 0 <= topic_partitions_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_partitions_list: list[_TopicPartitions] = []
            for _ in range(topic_partitions_count):
                topic_id_raw, topic_name_size = _unpack_uuid_u_b(data, pos)
                pos += 17
                topic_id = uuid_of(topic_id_raw)
                if topic_name_size > 127:
                    topic_name_size, pos = read_varint(data, pos - 1)
                if topic_name_size < 1 or topic_name_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_name_size - 1
                topic_name = data[pos:end].decode()
                pos = end
                (partitions_count,) = _unpack_u_b(data, pos)
                pos += 1
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
                        topic_name=topic_name,
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
            assignment = _Assignment(
                topic_partitions=topic_partitions, unknown_tagged_fields=unknown_tagged_fields_2
            )
            (topic_partitions_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if topic_partitions_2_count > 127:
                topic_partitions_2_count, pos = read_varint(data, pos - 1)
            topic_partitions_2_count -= 1
            if not 0 <= topic_partitions_2_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_partitions_2_list: list[_TopicPartitions] = []
            for _ in range(topic_partitions_2_count):
                topic_id_2_raw, topic_name_2_size = _unpack_uuid_u_b(data, pos)
                pos += 17
                topic_id_2 = uuid_of(topic_id_2_raw)
                if topic_name_2_size > 127:
                    topic_name_2_size, pos = read_varint(data, pos - 1)
                if topic_name_2_size < 1 or topic_name_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + topic_name_2_size - 1
                topic_name_2 = data[pos:end].decode()
                pos = end
                (partitions_2_count,) = _unpack_u_b(data, pos)
                pos += 1
                if partitions_2_count > 127:
                    partitions_2_count, pos = read_varint(data, pos - 1)
                partitions_2_count -= 1
                partitions_2 = (
                    _few_numbers_i[partitions_2_count]
                    if 0 <= partitions_2_count < 256
                    else _numbers_i[partitions_2_count]
                )(data, pos)
                pos += partitions_2_count * 4
                (count_3,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
                if count_3:
                    unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
                topic_partitions_2_list.append(
                    _TopicPartitions(
                        topic_id=topic_id_2,
                        topic_name=topic_name_2,
                        partitions=partitions_2,
                        unknown_tagged_fields=unknown_tagged_fields_3,
                    )
                )
            topic_partitions_2 = tuple(topic_partitions_2_list)
            (count_4,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
            if count_4:
                unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
            target_assignment = _Assignment(
                topic_partitions=topic_partitions_2, unknown_tagged_fields=unknown_tagged_fields_4
            )
            member_type, count_5 = _unpack_bu_b(data, pos)
            pos += 2
            unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
            if count_5:
                unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
            members_list.append(
                _Member(
                    member_id=member_id,
                    instance_id=instance_id,
                    rack_id=rack_id,
                    member_epoch=member_epoch,
                    client_id=client_id,
                    client_host=client_host,
                    subscribed_topic_names=subscribed_topic_names,
                    subscribed_topic_regex=subscribed_topic_regex,
                    assignment=assignment,
                    target_assignment=target_assignment,
                    member_type=member_type,
                    unknown_tagged_fields=unknown_tagged_fields_5,
                )
            )
        members = tuple(members_list)
        authorized_operations, count_6 = _unpack_iu_b(data, pos)
        pos += 5
        unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
        if count_6:
            unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
        groups_list.append(
            _DescribedGroup(
                error_code=error_code,
                error_message=error_message,
                group_id=group_id,
                group_state=group_state,
                group_epoch=group_epoch,
                assignment_epoch=assignment_epoch,
                assignor_name=assignor_name,
                members=members,
                authorized_operations=authorized_operations,
                unknown_tagged_fields=unknown_tagged_fields_6,
            )
        )
    groups = tuple(groups_list)
    (count_7,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
    if count_7:
        unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupDescribeResponse(
        throttle_time_ms=throttle_time_ms,
        groups=groups,
        unknown_tagged_fields=unknown_tagged_fields_7,
    ), pos


def _write_v1(message: ConsumerGroupDescribeResponse, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.throttle_time_ms) is bool:
        raise OddValue
    groups = message.groups
    if type(groups) is not tuple:
        raise OddValue
    add(_pack_i(message.throttle_time_ms))
    groups_size = len(groups) + 1
    add(VARINT[groups_size] if groups_size < 128 else varint(groups_size))
    for groups_item in groups:
        if type(groups_item) is not _DescribedGroup:
            raise OddValue
        if type(groups_item.error_code) is bool:
            raise OddValue
        add(_pack_h(groups_item.error_code))
        error_message = groups_item.error_message
        if error_message is None:
            add(b"\x00")
        else:
            error_message_raw = error_message.encode()
            if len(error_message_raw) > MAX_STRING:
                raise OddValue
            error_message_size = len(error_message_raw) + 1
            add(
                VARINT[error_message_size]
                if error_message_size < 128
                else varint(error_message_size)
            )
            add(error_message_raw)
        group_id_raw = groups_item.group_id.encode()
        if len(group_id_raw) > MAX_STRING:
            raise OddValue
        group_id_size = len(group_id_raw) + 1
        add(VARINT[group_id_size] if group_id_size < 128 else varint(group_id_size))
        add(group_id_raw)
        group_state_raw = groups_item.group_state.encode()
        if len(group_state_raw) > MAX_STRING:
            raise OddValue
        group_state_size = len(group_state_raw) + 1
        add(VARINT[group_state_size] if group_state_size < 128 else varint(group_state_size))
        add(group_state_raw)
        if type(groups_item.group_epoch) is bool:
            raise OddValue
        if type(groups_item.assignment_epoch) is bool:
            raise OddValue
        assignor_name_raw = groups_item.assignor_name.encode()
        add(_pack_ii(groups_item.group_epoch, groups_item.assignment_epoch))
        if len(assignor_name_raw) > MAX_STRING:
            raise OddValue
        assignor_name_size = len(assignor_name_raw) + 1
        add(VARINT[assignor_name_size] if assignor_name_size < 128 else varint(assignor_name_size))
        add(assignor_name_raw)
        members = groups_item.members
        if type(members) is not tuple:
            raise OddValue
        members_size = len(members) + 1
        add(VARINT[members_size] if members_size < 128 else varint(members_size))
        for members_item in members:
            if type(members_item) is not _Member:
                raise OddValue
            member_id_raw = members_item.member_id.encode()
            if len(member_id_raw) > MAX_STRING:
                raise OddValue
            member_id_size = len(member_id_raw) + 1
            add(VARINT[member_id_size] if member_id_size < 128 else varint(member_id_size))
            add(member_id_raw)
            instance_id = members_item.instance_id
            if instance_id is None:
                add(b"\x00")
            else:
                instance_id_raw = instance_id.encode()
                if len(instance_id_raw) > MAX_STRING:
                    raise OddValue
                instance_id_size = len(instance_id_raw) + 1
                add(
                    VARINT[instance_id_size] if instance_id_size < 128 else varint(instance_id_size)
                )
                add(instance_id_raw)
            rack_id = members_item.rack_id
            if rack_id is None:
                add(b"\x00")
            else:
                rack_id_raw = rack_id.encode()
                if len(rack_id_raw) > MAX_STRING:
                    raise OddValue
                rack_id_size = len(rack_id_raw) + 1
                add(VARINT[rack_id_size] if rack_id_size < 128 else varint(rack_id_size))
                add(rack_id_raw)
            if type(members_item.member_epoch) is bool:
                raise OddValue
            client_id_raw = members_item.client_id.encode()
            add(_pack_i(members_item.member_epoch))
            if len(client_id_raw) > MAX_STRING:
                raise OddValue
            client_id_size = len(client_id_raw) + 1
            add(VARINT[client_id_size] if client_id_size < 128 else varint(client_id_size))
            add(client_id_raw)
            client_host_raw = members_item.client_host.encode()
            if len(client_host_raw) > MAX_STRING:
                raise OddValue
            client_host_size = len(client_host_raw) + 1
            add(VARINT[client_host_size] if client_host_size < 128 else varint(client_host_size))
            add(client_host_raw)
            subscribed_topic_names = members_item.subscribed_topic_names
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
            subscribed_topic_regex = members_item.subscribed_topic_regex
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
            assignment = members_item.assignment
            if type(assignment) is not _Assignment:
                raise OddValue
            topic_partitions = assignment.topic_partitions
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
                topic_name_raw = topic_partitions_item.topic_name.encode()
                add(_pack_uuid(topic_partitions_item.topic_id.bytes))
                if len(topic_name_raw) > MAX_STRING:
                    raise OddValue
                topic_name_size = len(topic_name_raw) + 1
                add(VARINT[topic_name_size] if topic_name_size < 128 else varint(topic_name_size))
                add(topic_name_raw)
                partitions = topic_partitions_item.partitions
                if type(partitions) is not tuple:
                    raise OddValue
                partitions_size = len(partitions) + 1
                add(VARINT[partitions_size] if partitions_size < 128 else varint(partitions_size))
                add(_pack_numbers_i[len(partitions)](*partitions))
                add(
                    write_tags([], topic_partitions_item.unknown_tagged_fields, ())
                    if topic_partitions_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], assignment.unknown_tagged_fields, ())
                if assignment.unknown_tagged_fields
                else b"\0"
            )
            target_assignment = members_item.target_assignment
            if type(target_assignment) is not _Assignment:
                raise OddValue
            topic_partitions_2 = target_assignment.topic_partitions
            if type(topic_partitions_2) is not tuple:
                raise OddValue
            topic_partitions_size_2 = len(topic_partitions_2) + 1
            add(
                VARINT[topic_partitions_size_2]
                if topic_partitions_size_2 < 128
                else varint(topic_partitions_size_2)
            )
            for topic_partitions_item_2 in topic_partitions_2:
                if type(topic_partitions_item_2) is not _TopicPartitions:
                    raise OddValue
                topic_name_raw_2 = topic_partitions_item_2.topic_name.encode()
                add(_pack_uuid(topic_partitions_item_2.topic_id.bytes))
                if len(topic_name_raw_2) > MAX_STRING:
                    raise OddValue
                topic_name_size_2 = len(topic_name_raw_2) + 1
                add(
                    VARINT[topic_name_size_2]
                    if topic_name_size_2 < 128
                    else varint(topic_name_size_2)
                )
                add(topic_name_raw_2)
                partitions_2 = topic_partitions_item_2.partitions
                if type(partitions_2) is not tuple:
                    raise OddValue
                partitions_size_2 = len(partitions_2) + 1
                add(
                    VARINT[partitions_size_2]
                    if partitions_size_2 < 128
                    else varint(partitions_size_2)
                )
                add(_pack_numbers_i[len(partitions_2)](*partitions_2))
                add(
                    write_tags([], topic_partitions_item_2.unknown_tagged_fields, ())
                    if topic_partitions_item_2.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], target_assignment.unknown_tagged_fields, ())
                if target_assignment.unknown_tagged_fields
                else b"\0"
            )
            if type(members_item.member_type) is bool:
                raise OddValue
            add(_pack_b(members_item.member_type))
            add(
                write_tags([], members_item.unknown_tagged_fields, ())
                if members_item.unknown_tagged_fields
                else b"\0"
            )
        if type(groups_item.authorized_operations) is bool:
            raise OddValue
        add(_pack_i(groups_item.authorized_operations))
        add(
            write_tags([], groups_item.unknown_tagged_fields, ())
            if groups_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


ConsumerGroupDescribeResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
