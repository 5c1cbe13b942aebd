"""StreamsGroupTopologyValue, generated from schemas/StreamsGroupTopologyValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_string,
    write_compact_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupTopologyValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupTopologyValue, versions 0.

    What a Streams group computes (KIP-1071), as far as assigning tasks asks for it: sub-topologies,
    the topics they read and write, and which topics have to be divided alike.

    Attributes:
        epoch (int32): The topology's own version. Version 0; default 0.
        subtopologies ([]Subtopology): The parts that share no state with one another. Version 0;
            default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 0; default ().
    """

    NAME = "StreamsGroupTopologyValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 23
    FRAMING = Framing("version", "refuse")

    class TopicConfig(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicConfig of StreamsGroupTopologyValue, versions 0.

        One setting of a topic.

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

    class TopicInfo(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicInfo of StreamsGroupTopologyValue, versions 0.

        A topic that the broker creates for the application.

        Attributes:
            name (string): The topic's name. Version 0; default ''.
            partitions (int32): How many partitions; 0 lets the broker choose. Version 0; default 0.
            replication_factor (int16): How many replicas; 0 for the broker's default. Version 0;
                default 0.
            topic_configs ([]TopicConfig): The topic's configuration. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        name: str = ""
        partitions: int = 0
        replication_factor: int = 0
        topic_configs: tuple[StreamsGroupTopologyValue.TopicConfig, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("topic_configs", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                type(self.topic_configs) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                partitions: int = ...,
                replication_factor: int = ...,
                topic_configs: Iterable[StreamsGroupTopologyValue.TopicConfig] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                partitions: int = ...,
                replication_factor: int = ...,
                topic_configs: Iterable[StreamsGroupTopologyValue.TopicConfig] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class CopartitionGroup(MessagePart, frozen=True, kw_only=True, gc=False):
        """CopartitionGroup of StreamsGroupTopologyValue, versions 0.

        Topics that are joined by partition number.

        Attributes:
            source_topics ([]int16): Positions, by name. Version 0; default ().
            source_topic_regex ([]int16): By pattern. Version 0; default ().
            repartition_source_topics ([]int16): Repartition topics. Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        source_topics: tuple[int, ...] = ()
        source_topic_regex: tuple[int, ...] = ()
        repartition_source_topics: tuple[int, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = (
            "source_topics",
            "source_topic_regex",
            "repartition_source_topics",
            "unknown_tagged_fields",
        )

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.source_topic_regex) is not tuple
                or type(self.repartition_source_topics) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                source_topics: Iterable[int] = ...,
                source_topic_regex: Iterable[int] = ...,
                repartition_source_topics: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                source_topics: Iterable[int] = ...,
                source_topic_regex: Iterable[int] = ...,
                repartition_source_topics: Iterable[int] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class Subtopology(MessagePart, frozen=True, kw_only=True, gc=False):
        """Subtopology of StreamsGroupTopologyValue, versions 0.

        The parts that share no state with one another.

        Attributes:
            subtopology_id (string): The part's id, derived from the topology. Version 0; default ''.
            source_topics ([]string): The topics that it reads, by name. Version 0; default ().
            source_topic_regex ([]string): The topics that it reads, by pattern. Version 0; default
                ().
            state_changelog_topics ([]TopicInfo): Topics that back up its state. Version 0; default
                ().
            repartition_sink_topics ([]string): Repartition topics that it writes. Version 0; default
                ().
            repartition_source_topics ([]TopicInfo): Repartition topics that it reads. Version 0;
                default ().
            copartition_groups ([]CopartitionGroup): Topics that are joined by partition number.
                Version 0; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 0; default ().
        """

        subtopology_id: str = ""
        source_topics: tuple[str, ...] = ()
        source_topic_regex: tuple[str, ...] = ()
        state_changelog_topics: tuple[StreamsGroupTopologyValue.TopicInfo, ...] = ()
        repartition_sink_topics: tuple[str, ...] = ()
        repartition_source_topics: tuple[StreamsGroupTopologyValue.TopicInfo, ...] = ()
        copartition_groups: tuple[StreamsGroupTopologyValue.CopartitionGroup, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = (
            "source_topics",
            "source_topic_regex",
            "state_changelog_topics",
            "repartition_sink_topics",
            "repartition_source_topics",
            "copartition_groups",
            "unknown_tagged_fields",
        )

        def __post_init__(self) -> None:
            if (
                type(self.source_topics) is not tuple
                or type(self.source_topic_regex) is not tuple
                or type(self.state_changelog_topics) is not tuple
                or type(self.repartition_sink_topics) is not tuple
                or type(self.repartition_source_topics) is not tuple
                or type(self.copartition_groups) is not tuple
                or type(self.unknown_tagged_fields) is not tuple
            ):
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                source_topic_regex: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupTopologyValue.TopicInfo] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                repartition_source_topics: Iterable[StreamsGroupTopologyValue.TopicInfo] = ...,
                copartition_groups: Iterable[StreamsGroupTopologyValue.CopartitionGroup] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                subtopology_id: str = ...,
                source_topics: Iterable[str] = ...,
                source_topic_regex: Iterable[str] = ...,
                state_changelog_topics: Iterable[StreamsGroupTopologyValue.TopicInfo] = ...,
                repartition_sink_topics: Iterable[str] = ...,
                repartition_source_topics: Iterable[StreamsGroupTopologyValue.TopicInfo] = ...,
                copartition_groups: Iterable[StreamsGroupTopologyValue.CopartitionGroup] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    epoch: int = 0
    subtopologies: tuple[StreamsGroupTopologyValue.Subtopology, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("subtopologies", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.subtopologies) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            epoch: int = ...,
            subtopologies: Iterable[StreamsGroupTopologyValue.Subtopology] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            epoch: int = ...,
            subtopologies: Iterable[StreamsGroupTopologyValue.Subtopology] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_CopartitionGroup = StreamsGroupTopologyValue.CopartitionGroup
_Subtopology = StreamsGroupTopologyValue.Subtopology
_TopicConfig = StreamsGroupTopologyValue.TopicConfig
_TopicInfo = StreamsGroupTopologyValue.TopicInfo


def _read_topic_config_v0(data: bytes, pos: int) -> tuple[_TopicConfig, int]:
    key, pos = read_compact_string(data, pos)
    value, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicConfig(key=key, value=value, unknown_tagged_fields=unknown), pos


def _write_topic_config_v0(item: _TopicConfig, parts: list[bytes]) -> None:
    if type(item) is not _TopicConfig:
        raise OddValue
    write_compact_string(item.key, parts)
    write_compact_string(item.value, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_topic_info_v0(data: bytes, pos: int) -> tuple[_TopicInfo, int]:
    name, pos = read_compact_string(data, pos)
    (partitions,), pos = INT32.unpack(data, pos), pos + 4
    (replication_factor,), pos = INT16.unpack(data, pos), pos + 2
    topic_configs, pos = read_compact_array(data, pos, _read_topic_config_v0)
    unknown, pos = read_unknown_tags(data, pos)
    return _TopicInfo(
        name=name,
        partitions=partitions,
        replication_factor=replication_factor,
        topic_configs=topic_configs,
        unknown_tagged_fields=unknown,
    ), pos


def _write_topic_info_v0(item: _TopicInfo, parts: list[bytes]) -> None:
    if type(item) is not _TopicInfo:
        raise OddValue
    write_compact_string(item.name, parts)
    INT32.write(item.partitions, parts)
    INT16.write(item.replication_factor, parts)
    write_compact_array(item.topic_configs, parts, _write_topic_config_v0)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_copartition_group_v0(data: bytes, pos: int) -> tuple[_CopartitionGroup, int]:
    source_topics, pos = INT16.read_compact_array(data, pos)
    source_topic_regex, pos = INT16.read_compact_array(data, pos)
    repartition_source_topics, pos = INT16.read_compact_array(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _CopartitionGroup(
        source_topics=source_topics,
        source_topic_regex=source_topic_regex,
        repartition_source_topics=repartition_source_topics,
        unknown_tagged_fields=unknown,
    ), pos


def _write_copartition_group_v0(item: _CopartitionGroup, parts: list[bytes]) -> None:
    if type(item) is not _CopartitionGroup:
        raise OddValue
    INT16.write_compact_array(item.source_topics, parts)
    INT16.write_compact_array(item.source_topic_regex, parts)
    INT16.write_compact_array(item.repartition_source_topics, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_subtopology_v0(data: bytes, pos: int) -> tuple[_Subtopology, int]:
    subtopology_id, pos = read_compact_string(data, pos)
    source_topics, pos = read_compact_array(data, pos, read_compact_string)
    source_topic_regex, pos = read_compact_array(data, pos, read_compact_string)
    state_changelog_topics, pos = read_compact_array(data, pos, _read_topic_info_v0)
    repartition_sink_topics, pos = read_compact_array(data, pos, read_compact_string)
    repartition_source_topics, pos = read_compact_array(data, pos, _read_topic_info_v0)
    copartition_groups, pos = read_compact_array(data, pos, _read_copartition_group_v0)
    unknown, pos = read_unknown_tags(data, pos)
    return _Subtopology(
        subtopology_id=subtopology_id,
        source_topics=source_topics,
        source_topic_regex=source_topic_regex,
        state_changelog_topics=state_changelog_topics,
        repartition_sink_topics=repartition_sink_topics,
        repartition_source_topics=repartition_source_topics,
        copartition_groups=copartition_groups,
        unknown_tagged_fields=unknown,
    ), pos


def _write_subtopology_v0(item: _Subtopology, parts: list[bytes]) -> None:
    if type(item) is not _Subtopology:
        raise OddValue
    write_compact_string(item.subtopology_id, parts)
    write_compact_array(item.source_topics, parts, write_compact_string)
    write_compact_array(item.source_topic_regex, parts, write_compact_string)
    write_compact_array(item.state_changelog_topics, parts, _write_topic_info_v0)
    write_compact_array(item.repartition_sink_topics, parts, write_compact_string)
    write_compact_array(item.repartition_source_topics, parts, _write_topic_info_v0)
    write_compact_array(item.copartition_groups, parts, _write_copartition_group_v0)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTopologyValue, int]:
    (epoch,), pos = INT32.unpack(data, pos), pos + 4
    subtopologies, pos = read_compact_array(data, pos, _read_subtopology_v0)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupTopologyValue(
        epoch=epoch, subtopologies=subtopologies, unknown_tagged_fields=unknown
    ), pos


def _write_v0(message: StreamsGroupTopologyValue, parts: list[bytes]) -> None:
    INT32.write(message.epoch, parts)
    write_compact_array(message.subtopologies, parts, _write_subtopology_v0)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupTopologyValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTopologyValue._by_header = {
    0: _read_v0,
}
StreamsGroupTopologyValue._headers = {
    0: b"\x00\x00",
}
