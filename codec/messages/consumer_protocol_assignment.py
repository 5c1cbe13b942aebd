"""ConsumerProtocolAssignment, generated from schemas/ConsumerProtocolAssignment.json; change that file and run `make generate`."""

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
_pack_h_string_i = pack_strings("h", "i")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_short_string_u_i = short_strings("I")
_unpack_i = fixed("i")
_unpack_u_i = fixed("I")


class ConsumerProtocolAssignment(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolAssignment, versions 0-3."""

    NAME = "ConsumerProtocolAssignment"
    VERSIONS = VersionRange(0, 3)
    LATEST = 3
    API_KEY = None
    FRAMING = Framing("version", "clamp")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolAssignment, versions 0-3."""

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

    assigned_partitions: tuple[ConsumerProtocolAssignment.TopicPartition, ...] = ()
    user_data: bytes | None = None

    _sequences = ("assigned_partitions",)
    _blobs = ("user_data",)

    def __post_init__(self) -> None:
        if type(self.assigned_partitions) is not tuple or (
            self.user_data is not None and type(self.user_data) is not bytes
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignment.TopicPartition] = ...,
            user_data: bytes | None = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            assigned_partitions: Iterable[ConsumerProtocolAssignment.TopicPartition] = ...,
            user_data: bytes | None = ...,
        ) -> Self: ...


_TopicPartition = ConsumerProtocolAssignment.TopicPartition


def _read_v0_3(data: bytes, pos: int) -> tuple[ConsumerProtocolAssignment, int]:
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
    (user_data_size,) = _unpack_i(data, pos)
    pos += 4
    if user_data_size < 0:
        user_data = None
    else:
        end = pos + user_data_size
        user_data = data[pos:end]
        pos = end
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolAssignment(
        assigned_partitions=assigned_partitions, user_data=user_data
    ), pos


def _write_v0_3(message: ConsumerProtocolAssignment, parts: list[bytes]) -> None:
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


ConsumerProtocolAssignment._codecs = {
    0: Codec(_read_v0_3, _write_v0_3),
    1: Codec(_read_v0_3, _write_v0_3),
    2: Codec(_read_v0_3, _write_v0_3),
    3: Codec(_read_v0_3, _write_v0_3),
}
ConsumerProtocolAssignment._by_header = {
    0: _read_v0_3,
    1: _read_v0_3,
    2: _read_v0_3,
    3: _read_v0_3,
}
ConsumerProtocolAssignment._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
}
