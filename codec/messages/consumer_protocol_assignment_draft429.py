"""ConsumerProtocolAssignmentDraft429, generated from schemas/ConsumerProtocolAssignmentDraft429.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, VersionedMessage
from ..versions import VersionRange
from ..wire import (
    MAX_ELEMENTS,
    OddBytes,
    OddValue,
    few_numbers,
    fixed,
    numbers,
    pack_numbers,
    pack_strings,
    packed,
    short_strings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_h = packed("h")
_pack_h_string_i = pack_strings("h", "i")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_short_string_u_i = short_strings("I")
_unpack_h = fixed("h")
_unpack_iu_i = fixed("iI")
_unpack_u_i = fixed("I")


class ConsumerProtocolAssignmentDraft429(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolAssignmentDraft429, versions 1."""

    NAME = "ConsumerProtocolAssignmentDraft429"
    VERSIONS = VersionRange(1, 1)
    LATEST = 1
    API_KEY = None
    FRAMING = Framing("version", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolAssignmentDraft429, versions 1."""

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


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerProtocolAssignmentDraft429, int]:
    (assigned_partitions_count,) = _unpack_u_i(data, pos)
    pos += 4
    if assigned_partitions_count > MAX_ELEMENTS:
        raise OddBytes
    assigned_partitions_list: list[_TopicPartition] = []
    for _ in range(assigned_partitions_count):
        topic_size = data[pos + 1]
        high, raw, partitions_count = _short_string_u_i[topic_size](data, pos)
        if high:
            raise OddBytes
        pos += topic_size + 6
        topic = raw.decode()
        partitions = (
            _few_numbers_i[partitions_count]
            if partitions_count < 256
            else _numbers_i[partitions_count]
        )(data, pos)
        pos += partitions_count * 4
        assigned_partitions_list.append(_TopicPartition(topic=topic, partitions=partitions))
    assigned_partitions = tuple(assigned_partitions_list)
    user_data_size, revoked_partitions_count = _unpack_iu_i(data, pos)
    pos += 8
    if user_data_size < 0:
        user_data = None
    else:
        pos -= 4
        end = pos + user_data_size
        user_data = data[pos:end]
        (revoked_partitions_count,) = _unpack_u_i(data, end)
        pos = end + 4
    if revoked_partitions_count > MAX_ELEMENTS:
        raise OddBytes
    revoked_partitions_list: list[_TopicPartition] = []
    for _ in range(revoked_partitions_count):
        topic_2_size = data[pos + 1]
        high, raw, partitions_2_count = _short_string_u_i[topic_2_size](data, pos)
        if high:
            raise OddBytes
        pos += topic_2_size + 6
        topic_2 = raw.decode()
        partitions_2 = (
            _few_numbers_i[partitions_2_count]
            if partitions_2_count < 256
            else _numbers_i[partitions_2_count]
        )(data, pos)
        pos += partitions_2_count * 4
        revoked_partitions_list.append(_TopicPartition(topic=topic_2, partitions=partitions_2))
    revoked_partitions = tuple(revoked_partitions_list)
    (error_code,) = _unpack_h(data, pos)
    pos += 2
    return ConsumerProtocolAssignmentDraft429(
        assigned_partitions=assigned_partitions,
        user_data=user_data,
        revoked_partitions=revoked_partitions,
        error_code=error_code,
    ), pos


def _write_v1(message: ConsumerProtocolAssignmentDraft429, parts: list[bytes]) -> None:
    add = parts.append
    assigned_partitions = message.assigned_partitions
    if type(assigned_partitions) is not tuple:
        raise OddValue
    add(_pack_i(len(assigned_partitions)))
    for assigned_partitions_item in assigned_partitions:
        if type(assigned_partitions_item) is not _TopicPartition:
            raise OddValue
        topic_raw = assigned_partitions_item.topic.encode()
        partitions = assigned_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))
    user_data = message.user_data
    if user_data is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(user_data)))
        add(user_data)
    revoked_partitions = message.revoked_partitions
    if type(revoked_partitions) is not tuple:
        raise OddValue
    add(_pack_i(len(revoked_partitions)))
    for revoked_partitions_item in revoked_partitions:
        if type(revoked_partitions_item) is not _TopicPartition:
            raise OddValue
        topic_raw_2 = revoked_partitions_item.topic.encode()
        partitions_2 = revoked_partitions_item.partitions
        if type(partitions_2) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw_2)](len(topic_raw_2), topic_raw_2, len(partitions_2)))
        add(_pack_numbers_i[len(partitions_2)](*partitions_2))
    if type(message.error_code) is bool:
        raise OddValue
    add(_pack_h(message.error_code))


ConsumerProtocolAssignmentDraft429._codecs = {
    1: Codec(_read_v1, _write_v1),
}
ConsumerProtocolAssignmentDraft429._by_header = {
    1: _read_v1,
}
ConsumerProtocolAssignmentDraft429._headers = {
    1: b"\x00\x01",
}
