"""StickyAssignorUserData, generated from schemas/StickyAssignorUserData.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_array,
    read_string,
    write_array,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StickyAssignorUserData(Message, frozen=True, kw_only=True, gc=False):
    """StickyAssignorUserData, versions 0-1.

    The user data of a subscription under Java's `sticky` assignor: what the member owned before it
    revoked everything, as an eager member must. There is no version field: a reader tries version 1,
    then version 0, then goes on without (StickyAssignor.memberData). franz-go and librdkafka write
    these bytes under `cooperative-sticky` as well.

    Version 1 (KAFKA-7026): the generation, by which stale claims are told.

    Attributes:
        previous_assignment ([]TopicPartition): The partitions that the member owned in its last
            generation. Versions 0-1; default ().
        generation (int32): The generation in which it owned them; -1 if in none. Version 1; default
            -1; other versions leave it out.
    """

    NAME = "StickyAssignorUserData"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = None
    FRAMING = Framing("none", "refuse")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of StickyAssignorUserData, versions 0-1.

        The partitions that the member owned in its last generation.

        Attributes:
            topic (string): The topic's name. Versions 0-1; default ''.
            partitions ([]int32): The numbers of its partitions. Versions 0-1; default ().
        """

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


def _read_topic_partition_v0_1(data: bytes, pos: int) -> tuple[_TopicPartition, int]:
    topic, pos = read_string(data, pos)
    partitions, pos = INT32.read_array(data, pos)
    return _TopicPartition(topic=topic, partitions=partitions), pos


def _write_topic_partition_v0_1(item: _TopicPartition, parts: list[bytes]) -> None:
    if type(item) is not _TopicPartition:
        raise OddValue
    write_string(item.topic, parts)
    INT32.write_array(item.partitions, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StickyAssignorUserData, int]:
    previous_assignment, pos = read_array(data, pos, _read_topic_partition_v0_1)
    if pos > len(data):
        raise OddBytes
    return StickyAssignorUserData(previous_assignment=previous_assignment), pos


def _write_v0(message: StickyAssignorUserData, parts: list[bytes]) -> None:
    write_array(message.previous_assignment, parts, _write_topic_partition_v0_1)


def _read_v1(data: bytes, pos: int) -> tuple[StickyAssignorUserData, int]:
    previous_assignment, pos = read_array(data, pos, _read_topic_partition_v0_1)
    (generation,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return StickyAssignorUserData(
        previous_assignment=previous_assignment, generation=generation
    ), pos


def _write_v1(message: StickyAssignorUserData, parts: list[bytes]) -> None:
    write_array(message.previous_assignment, parts, _write_topic_partition_v0_1)
    INT32.write(message.generation, parts)


StickyAssignorUserData._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
