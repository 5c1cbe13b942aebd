"""StickyAssignorUserData, generated from schemas/StickyAssignorUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, Message, MessagePart
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


class StickyAssignorUserData(Message, frozen=True, kw_only=True, gc=False):
    """StickyAssignorUserData, versions 0-1."""

    NAME = "StickyAssignorUserData"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = None
    FRAMING = Framing("none", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of StickyAssignorUserData, versions 0-1."""

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

    previous_assignment: tuple[StickyAssignorUserData.TopicPartition, ...] = ()
    generation: int = -1

    _sequences = ("previous_assignment",)

    def __post_init__(self) -> None:
        if type(self.previous_assignment) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            previous_assignment: Iterable[StickyAssignorUserData.TopicPartition] = ...,
            generation: int = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            previous_assignment: Iterable[StickyAssignorUserData.TopicPartition] = ...,
            generation: int = ...,
        ) -> Self: ...


_TopicPartition = StickyAssignorUserData.TopicPartition


def _read_v0(data: bytes, pos: int) -> tuple[StickyAssignorUserData, int]:
    (previous_assignment_count,) = _unpack_u_i(data, pos)
    pos += 4
    if previous_assignment_count > MAX_ELEMENTS:
        raise OddBytes
    previous_assignment_list: list[_TopicPartition] = []
    for _ in range(previous_assignment_count):
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
        previous_assignment_list.append(_TopicPartition(topic=topic, partitions=partitions))
    previous_assignment = tuple(previous_assignment_list)
    return StickyAssignorUserData(previous_assignment=previous_assignment), pos


def _write_v0(message: StickyAssignorUserData, parts: list[bytes]) -> None:
    add = parts.append
    previous_assignment = message.previous_assignment
    if type(previous_assignment) is not tuple:
        raise OddValue
    add(_pack_i(len(previous_assignment)))
    for previous_assignment_item in previous_assignment:
        if type(previous_assignment_item) is not _TopicPartition:
            raise OddValue
        topic_raw = previous_assignment_item.topic.encode()
        partitions = previous_assignment_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))


def _read_v1(data: bytes, pos: int) -> tuple[StickyAssignorUserData, int]:
    (previous_assignment_count,) = _unpack_u_i(data, pos)
    pos += 4
    if previous_assignment_count > MAX_ELEMENTS:
        raise OddBytes
    previous_assignment_list: list[_TopicPartition] = []
    for _ in range(previous_assignment_count):
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
        previous_assignment_list.append(_TopicPartition(topic=topic, partitions=partitions))
    previous_assignment = tuple(previous_assignment_list)
    (generation,) = _unpack_i(data, pos)
    pos += 4
    return StickyAssignorUserData(
        previous_assignment=previous_assignment, generation=generation
    ), pos


def _write_v1(message: StickyAssignorUserData, parts: list[bytes]) -> None:
    add = parts.append
    previous_assignment = message.previous_assignment
    if type(previous_assignment) is not tuple:
        raise OddValue
    add(_pack_i(len(previous_assignment)))
    for previous_assignment_item in previous_assignment:
        if type(previous_assignment_item) is not _TopicPartition:
            raise OddValue
        topic_raw = previous_assignment_item.topic.encode()
        partitions = previous_assignment_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))
    if type(message.generation) is bool:
        raise OddValue
    add(_pack_i(message.generation))


StickyAssignorUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
