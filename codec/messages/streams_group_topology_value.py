"""StreamsGroupTopologyValue, generated from schemas/StreamsGroupTopologyValue.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..framing import Framing
from ..message import Codec, MessagePart, RawTaggedField, VersionedMessage
from ..tags import read_tags, write_tags
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

_few_numbers_h = few_numbers("h")
_numbers_h = numbers("h")
_pack_i = packed("i")
_pack_ih = packed("ih")
_pack_numbers_h = pack_numbers("h")
_unpack_ihu_b = fixed("ihB")
_unpack_iu_b = fixed("iB")
_unpack_u_b = fixed("B")


class StreamsGroupTopologyValue(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """StreamsGroupTopologyValue, versions 0."""

    NAME = "StreamsGroupTopologyValue"
    VERSIONS = VersionRange(0, 0)
    LATEST = 0
    API_KEY = 23
    FRAMING = Framing("version", "refuse")

    class TopicConfig(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicConfig of StreamsGroupTopologyValue, versions 0."""

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
        """TopicInfo of StreamsGroupTopologyValue, versions 0."""

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
        """CopartitionGroup of StreamsGroupTopologyValue, versions 0."""

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
        """Subtopology of StreamsGroupTopologyValue, versions 0."""

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


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupTopologyValue, int]:
    epoch, subtopologies_count = _unpack_iu_b(data, pos)
    pos += 5
    if subtopologies_count > 127:
        subtopologies_count, pos = read_varint(data, pos - 1)
    subtopologies_count -= 1
    if not 0 <= subtopologies_count <= MAX_ELEMENTS:
        raise OddBytes
    subtopologies_list: list[_Subtopology] = []
    for _ in range(subtopologies_count):
        (subtopology_id_size,) = _unpack_u_b(data, pos)
        pos += 1
        if subtopology_id_size > 127:
            subtopology_id_size, pos = read_varint(data, pos - 1)
        if subtopology_id_size < 1 or subtopology_id_size > MAX_STRING + 1:
            raise OddBytes
        end = pos + subtopology_id_size - 1
        subtopology_id = data[pos:end].decode()
        pos = end
        (source_topics_count,) = _unpack_u_b(data, pos)
        pos += 1
        if source_topics_count > 127:
            source_topics_count, pos = read_varint(data, pos - 1)
        source_topics_count -= 1
        if not 0 <= source_topics_count <= MAX_ELEMENTS:
            raise OddBytes
        source_topics_list: list[str] = []
        for _ in range(source_topics_count):
            (source_topics_item_size,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topics_item_size > 127:
                source_topics_item_size, pos = read_varint(data, pos - 1)
            if source_topics_item_size < 1 or source_topics_item_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + source_topics_item_size - 1
            source_topics_list.append(data[pos:end].decode())
            pos = end
        source_topics = tuple(source_topics_list)
        (source_topic_regex_count,) = _unpack_u_b(data, pos)
        pos += 1
        if source_topic_regex_count > 127:
            source_topic_regex_count, pos = read_varint(data, pos - 1)
        source_topic_regex_count -= 1
        if not 0 <= source_topic_regex_count <= MAX_ELEMENTS:
            raise OddBytes
        source_topic_regex_list: list[str] = []
        for _ in range(source_topic_regex_count):
            (source_topic_regex_item_size,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topic_regex_item_size > 127:
                source_topic_regex_item_size, pos = read_varint(data, pos - 1)
            if source_topic_regex_item_size < 1 or source_topic_regex_item_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + source_topic_regex_item_size - 1
            source_topic_regex_list.append(data[pos:end].decode())
            pos = end
        source_topic_regex = tuple(source_topic_regex_list)
        (state_changelog_topics_count,) = _unpack_u_b(data, pos)
        pos += 1
        if state_changelog_topics_count > 127:
            state_changelog_topics_count, pos = read_varint(data, pos - 1)
        state_changelog_topics_count -= 1
        if not 0 <= state_changelog_topics_count <= MAX_ELEMENTS:
            raise OddBytes
        state_changelog_topics_list: list[_TopicInfo] = []
        for _ in range(state_changelog_topics_count):
            (name_size,) = _unpack_u_b(data, pos)
            pos += 1
            if name_size > 127:
                name_size, pos = read_varint(data, pos - 1)
            if name_size < 1 or name_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + name_size - 1
            name = data[pos:end].decode()
            pos = end
            partitions, replication_factor, topic_configs_count = _unpack_ihu_b(data, pos)
            pos += 7
            if topic_configs_count > 127:
                topic_configs_count, pos = read_varint(data, pos - 1)
            topic_configs_count -= 1
            if not 0 <= topic_configs_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_configs_list: list[_TopicConfig] = []
            for _ in range(topic_configs_count):
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
                (count,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields: tuple[RawTaggedField, ...] = ()
                if count:
                    unknown_tagged_fields, pos = read_tags(data, pos - 1)
                topic_configs_list.append(
                    _TopicConfig(key=key, value=value, unknown_tagged_fields=unknown_tagged_fields)
                )
            topic_configs = tuple(topic_configs_list)
            (count_2,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_2: tuple[RawTaggedField, ...] = ()
            if count_2:
                unknown_tagged_fields_2, pos = read_tags(data, pos - 1)
            state_changelog_topics_list.append(
                _TopicInfo(
                    name=name,
                    partitions=partitions,
                    replication_factor=replication_factor,
                    topic_configs=topic_configs,
                    unknown_tagged_fields=unknown_tagged_fields_2,
                )
            )
        state_changelog_topics = tuple(state_changelog_topics_list)
        (repartition_sink_topics_count,) = _unpack_u_b(data, pos)
        pos += 1
        if repartition_sink_topics_count > 127:
            repartition_sink_topics_count, pos = read_varint(data, pos - 1)
        repartition_sink_topics_count -= 1
        if not 0 <= repartition_sink_topics_count <= MAX_ELEMENTS:
            raise OddBytes
        repartition_sink_topics_list: list[str] = []
        for _ in range(repartition_sink_topics_count):
            (repartition_sink_topics_item_size,) = _unpack_u_b(data, pos)
            pos += 1
            if repartition_sink_topics_item_size > 127:
                repartition_sink_topics_item_size, pos = read_varint(data, pos - 1)
            if (
                repartition_sink_topics_item_size < 1
                or repartition_sink_topics_item_size > MAX_STRING + 1
            ):
                raise OddBytes
            end = pos + repartition_sink_topics_item_size - 1
            repartition_sink_topics_list.append(data[pos:end].decode())
            pos = end
        repartition_sink_topics = tuple(repartition_sink_topics_list)
        (repartition_source_topics_count,) = _unpack_u_b(data, pos)
        pos += 1
        if repartition_source_topics_count > 127:
            repartition_source_topics_count, pos = read_varint(data, pos - 1)
        repartition_source_topics_count -= 1
        if not 0 <= repartition_source_topics_count <= MAX_ELEMENTS:
            raise OddBytes
        repartition_source_topics_list: list[_TopicInfo] = []
        for _ in range(repartition_source_topics_count):
            (name_2_size,) = _unpack_u_b(data, pos)
            pos += 1
            if name_2_size > 127:
                name_2_size, pos = read_varint(data, pos - 1)
            if name_2_size < 1 or name_2_size > MAX_STRING + 1:
                raise OddBytes
            end = pos + name_2_size - 1
            name_2 = data[pos:end].decode()
            pos = end
            partitions_2, replication_factor_2, topic_configs_2_count = _unpack_ihu_b(data, pos)
            pos += 7
            if topic_configs_2_count > 127:
                topic_configs_2_count, pos = read_varint(data, pos - 1)
            topic_configs_2_count -= 1
            if not 0 <= topic_configs_2_count <= MAX_ELEMENTS:
                raise OddBytes
            topic_configs_2_list: list[_TopicConfig] = []
            for _ in range(topic_configs_2_count):
                (key_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if key_2_size > 127:
                    key_2_size, pos = read_varint(data, pos - 1)
                if key_2_size < 1 or key_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + key_2_size - 1
                key_2 = data[pos:end].decode()
                pos = end
                (value_2_size,) = _unpack_u_b(data, pos)
                pos += 1
                if value_2_size > 127:
                    value_2_size, pos = read_varint(data, pos - 1)
                if value_2_size < 1 or value_2_size > MAX_STRING + 1:
                    raise OddBytes
                end = pos + value_2_size - 1
                value_2 = data[pos:end].decode()
                pos = end
                (count_3,) = _unpack_u_b(data, pos)
                pos += 1
                unknown_tagged_fields_3: tuple[RawTaggedField, ...] = ()
                if count_3:
                    unknown_tagged_fields_3, pos = read_tags(data, pos - 1)
                topic_configs_2_list.append(
                    _TopicConfig(
                        key=key_2, value=value_2, unknown_tagged_fields=unknown_tagged_fields_3
                    )
                )
            topic_configs_2 = tuple(topic_configs_2_list)
            (count_4,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_4: tuple[RawTaggedField, ...] = ()
            if count_4:
                unknown_tagged_fields_4, pos = read_tags(data, pos - 1)
            repartition_source_topics_list.append(
                _TopicInfo(
                    name=name_2,
                    partitions=partitions_2,
                    replication_factor=replication_factor_2,
                    topic_configs=topic_configs_2,
                    unknown_tagged_fields=unknown_tagged_fields_4,
                )
            )
        repartition_source_topics = tuple(repartition_source_topics_list)
        (copartition_groups_count,) = _unpack_u_b(data, pos)
        pos += 1
        if copartition_groups_count > 127:
            copartition_groups_count, pos = read_varint(data, pos - 1)
        copartition_groups_count -= 1
        if not 0 <= copartition_groups_count <= MAX_ELEMENTS:
            raise OddBytes
        copartition_groups_list: list[_CopartitionGroup] = []
        for _ in range(copartition_groups_count):
            (source_topics_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topics_2_count > 127:
                source_topics_2_count, pos = read_varint(data, pos - 1)
            source_topics_2_count -= 1
            source_topics_2 = (
                _few_numbers_h[source_topics_2_count]
                if 0 <= source_topics_2_count < 256
                else _numbers_h[source_topics_2_count]
            )(data, pos)
            pos += source_topics_2_count * 2
            (source_topic_regex_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if source_topic_regex_2_count > 127:
                source_topic_regex_2_count, pos = read_varint(data, pos - 1)
            source_topic_regex_2_count -= 1
            source_topic_regex_2 = (
                _few_numbers_h[source_topic_regex_2_count]
                if 0 <= source_topic_regex_2_count < 256
                else _numbers_h[source_topic_regex_2_count]
            )(data, pos)
            pos += source_topic_regex_2_count * 2
            (repartition_source_topics_2_count,) = _unpack_u_b(data, pos)
            pos += 1
            if repartition_source_topics_2_count > 127:
                repartition_source_topics_2_count, pos = read_varint(data, pos - 1)
            repartition_source_topics_2_count -= 1
            repartition_source_topics_2 = (
                _few_numbers_h[repartition_source_topics_2_count]
                if 0 <= repartition_source_topics_2_count < 256
                else _numbers_h[repartition_source_topics_2_count]
            )(data, pos)
            pos += repartition_source_topics_2_count * 2
            (count_5,) = _unpack_u_b(data, pos)
            pos += 1
            unknown_tagged_fields_5: tuple[RawTaggedField, ...] = ()
            if count_5:
                unknown_tagged_fields_5, pos = read_tags(data, pos - 1)
            copartition_groups_list.append(
                _CopartitionGroup(
                    source_topics=source_topics_2,
                    source_topic_regex=source_topic_regex_2,
                    repartition_source_topics=repartition_source_topics_2,
                    unknown_tagged_fields=unknown_tagged_fields_5,
                )
            )
        copartition_groups = tuple(copartition_groups_list)
        (count_6,) = _unpack_u_b(data, pos)
        pos += 1
        unknown_tagged_fields_6: tuple[RawTaggedField, ...] = ()
        if count_6:
            unknown_tagged_fields_6, pos = read_tags(data, pos - 1)
        subtopologies_list.append(
            _Subtopology(
                subtopology_id=subtopology_id,
                source_topics=source_topics,
                source_topic_regex=source_topic_regex,
                state_changelog_topics=state_changelog_topics,
                repartition_sink_topics=repartition_sink_topics,
                repartition_source_topics=repartition_source_topics,
                copartition_groups=copartition_groups,
                unknown_tagged_fields=unknown_tagged_fields_6,
            )
        )
    subtopologies = tuple(subtopologies_list)
    (count_7,) = _unpack_u_b(data, pos)
    pos += 1
    unknown_tagged_fields_7: tuple[RawTaggedField, ...] = ()
    if count_7:
        unknown_tagged_fields_7, pos = read_tags(data, pos - 1)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupTopologyValue(
        epoch=epoch, subtopologies=subtopologies, unknown_tagged_fields=unknown_tagged_fields_7
    ), pos


def _write_v0(message: StreamsGroupTopologyValue, parts: list[bytes]) -> None:
    add = parts.append
    if type(message.epoch) is bool:
        raise OddValue
    subtopologies = message.subtopologies
    if type(subtopologies) is not tuple:
        raise OddValue
    add(_pack_i(message.epoch))
    subtopologies_size = len(subtopologies) + 1
    add(VARINT[subtopologies_size] if subtopologies_size < 128 else varint(subtopologies_size))
    for subtopologies_item in subtopologies:
        if type(subtopologies_item) is not _Subtopology:
            raise OddValue
        subtopology_id_raw = subtopologies_item.subtopology_id.encode()
        if len(subtopology_id_raw) > MAX_STRING:
            raise OddValue
        subtopology_id_size = len(subtopology_id_raw) + 1
        add(
            VARINT[subtopology_id_size]
            if subtopology_id_size < 128
            else varint(subtopology_id_size)
        )
        add(subtopology_id_raw)
        source_topics = subtopologies_item.source_topics
        if type(source_topics) is not tuple:
            raise OddValue
        source_topics_size = len(source_topics) + 1
        add(VARINT[source_topics_size] if source_topics_size < 128 else varint(source_topics_size))
        for source_topics_item in source_topics:
            raw_2 = source_topics_item.encode()
            if len(raw_2) > MAX_STRING:
                raise OddValue
            source_topics_size_2 = len(raw_2) + 1
            add(
                VARINT[source_topics_size_2]
                if source_topics_size_2 < 128
                else varint(source_topics_size_2)
            )
            add(raw_2)
        source_topic_regex = subtopologies_item.source_topic_regex
        if type(source_topic_regex) is not tuple:
            raise OddValue
        source_topic_regex_size = len(source_topic_regex) + 1
        add(
            VARINT[source_topic_regex_size]
            if source_topic_regex_size < 128
            else varint(source_topic_regex_size)
        )
        for source_topic_regex_item in source_topic_regex:
            raw_3 = source_topic_regex_item.encode()
            if len(raw_3) > MAX_STRING:
                raise OddValue
            source_topic_regex_size_2 = len(raw_3) + 1
            add(
                VARINT[source_topic_regex_size_2]
                if source_topic_regex_size_2 < 128
                else varint(source_topic_regex_size_2)
            )
            add(raw_3)
        state_changelog_topics = subtopologies_item.state_changelog_topics
        if type(state_changelog_topics) is not tuple:
            raise OddValue
        state_changelog_topics_size = len(state_changelog_topics) + 1
        add(
            VARINT[state_changelog_topics_size]
            if state_changelog_topics_size < 128
            else varint(state_changelog_topics_size)
        )
        for state_changelog_topics_item in state_changelog_topics:
            if type(state_changelog_topics_item) is not _TopicInfo:
                raise OddValue
            name_raw = state_changelog_topics_item.name.encode()
            if len(name_raw) > MAX_STRING:
                raise OddValue
            name_size = len(name_raw) + 1
            add(VARINT[name_size] if name_size < 128 else varint(name_size))
            add(name_raw)
            if type(state_changelog_topics_item.partitions) is bool:
                raise OddValue
            if type(state_changelog_topics_item.replication_factor) is bool:
                raise OddValue
            topic_configs = state_changelog_topics_item.topic_configs
            if type(topic_configs) is not tuple:
                raise OddValue
            add(
                _pack_ih(
                    state_changelog_topics_item.partitions,
                    state_changelog_topics_item.replication_factor,
                )
            )
            topic_configs_size = len(topic_configs) + 1
            add(
                VARINT[topic_configs_size]
                if topic_configs_size < 128
                else varint(topic_configs_size)
            )
            for topic_configs_item in topic_configs:
                if type(topic_configs_item) is not _TopicConfig:
                    raise OddValue
                key_raw = topic_configs_item.key.encode()
                if len(key_raw) > MAX_STRING:
                    raise OddValue
                key_size = len(key_raw) + 1
                add(VARINT[key_size] if key_size < 128 else varint(key_size))
                add(key_raw)
                value_raw = topic_configs_item.value.encode()
                if len(value_raw) > MAX_STRING:
                    raise OddValue
                value_size = len(value_raw) + 1
                add(VARINT[value_size] if value_size < 128 else varint(value_size))
                add(value_raw)
                add(
                    write_tags([], topic_configs_item.unknown_tagged_fields, ())
                    if topic_configs_item.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], state_changelog_topics_item.unknown_tagged_fields, ())
                if state_changelog_topics_item.unknown_tagged_fields
                else b"\0"
            )
        repartition_sink_topics = subtopologies_item.repartition_sink_topics
        if type(repartition_sink_topics) is not tuple:
            raise OddValue
        repartition_sink_topics_size = len(repartition_sink_topics) + 1
        add(
            VARINT[repartition_sink_topics_size]
            if repartition_sink_topics_size < 128
            else varint(repartition_sink_topics_size)
        )
        for repartition_sink_topics_item in repartition_sink_topics:
            raw_4 = repartition_sink_topics_item.encode()
            if len(raw_4) > MAX_STRING:
                raise OddValue
            repartition_sink_topics_size_2 = len(raw_4) + 1
            add(
                VARINT[repartition_sink_topics_size_2]
                if repartition_sink_topics_size_2 < 128
                else varint(repartition_sink_topics_size_2)
            )
            add(raw_4)
        repartition_source_topics = subtopologies_item.repartition_source_topics
        if type(repartition_source_topics) is not tuple:
            raise OddValue
        repartition_source_topics_size = len(repartition_source_topics) + 1
        add(
            VARINT[repartition_source_topics_size]
            if repartition_source_topics_size < 128
            else varint(repartition_source_topics_size)
        )
        for repartition_source_topics_item in repartition_source_topics:
            if type(repartition_source_topics_item) is not _TopicInfo:
                raise OddValue
            name_raw_2 = repartition_source_topics_item.name.encode()
            if len(name_raw_2) > MAX_STRING:
                raise OddValue
            name_size_2 = len(name_raw_2) + 1
            add(VARINT[name_size_2] if name_size_2 < 128 else varint(name_size_2))
            add(name_raw_2)
            if type(repartition_source_topics_item.partitions) is bool:
                raise OddValue
            if type(repartition_source_topics_item.replication_factor) is bool:
                raise OddValue
            topic_configs_2 = repartition_source_topics_item.topic_configs
            if type(topic_configs_2) is not tuple:
                raise OddValue
            add(
                _pack_ih(
                    repartition_source_topics_item.partitions,
                    repartition_source_topics_item.replication_factor,
                )
            )
            topic_configs_size_2 = len(topic_configs_2) + 1
            add(
                VARINT[topic_configs_size_2]
                if topic_configs_size_2 < 128
                else varint(topic_configs_size_2)
            )
            for topic_configs_item_2 in topic_configs_2:
                if type(topic_configs_item_2) is not _TopicConfig:
                    raise OddValue
                key_raw_2 = topic_configs_item_2.key.encode()
                if len(key_raw_2) > MAX_STRING:
                    raise OddValue
                key_size_2 = len(key_raw_2) + 1
                add(VARINT[key_size_2] if key_size_2 < 128 else varint(key_size_2))
                add(key_raw_2)
                value_raw_2 = topic_configs_item_2.value.encode()
                if len(value_raw_2) > MAX_STRING:
                    raise OddValue
                value_size_2 = len(value_raw_2) + 1
                add(VARINT[value_size_2] if value_size_2 < 128 else varint(value_size_2))
                add(value_raw_2)
                add(
                    write_tags([], topic_configs_item_2.unknown_tagged_fields, ())
                    if topic_configs_item_2.unknown_tagged_fields
                    else b"\0"
                )
            add(
                write_tags([], repartition_source_topics_item.unknown_tagged_fields, ())
                if repartition_source_topics_item.unknown_tagged_fields
                else b"\0"
            )
        copartition_groups = subtopologies_item.copartition_groups
        if type(copartition_groups) is not tuple:
            raise OddValue
        copartition_groups_size = len(copartition_groups) + 1
        add(
            VARINT[copartition_groups_size]
            if copartition_groups_size < 128
            else varint(copartition_groups_size)
        )
        for copartition_groups_item in copartition_groups:
            if type(copartition_groups_item) is not _CopartitionGroup:
                raise OddValue
            source_topics_2 = copartition_groups_item.source_topics
            if type(source_topics_2) is not tuple:
                raise OddValue
            source_topics_size_3 = len(source_topics_2) + 1
            add(
                VARINT[source_topics_size_3]
                if source_topics_size_3 < 128
                else varint(source_topics_size_3)
            )
            add(_pack_numbers_h[len(source_topics_2)](*source_topics_2))
            source_topic_regex_2 = copartition_groups_item.source_topic_regex
            if type(source_topic_regex_2) is not tuple:
                raise OddValue
            source_topic_regex_size_3 = len(source_topic_regex_2) + 1
            add(
                VARINT[source_topic_regex_size_3]
                if source_topic_regex_size_3 < 128
                else varint(source_topic_regex_size_3)
            )
            add(_pack_numbers_h[len(source_topic_regex_2)](*source_topic_regex_2))
            repartition_source_topics_2 = copartition_groups_item.repartition_source_topics
            if type(repartition_source_topics_2) is not tuple:
                raise OddValue
            repartition_source_topics_size_2 = len(repartition_source_topics_2) + 1
            add(
                VARINT[repartition_source_topics_size_2]
                if repartition_source_topics_size_2 < 128
                else varint(repartition_source_topics_size_2)
            )
            add(_pack_numbers_h[len(repartition_source_topics_2)](*repartition_source_topics_2))
            add(
                write_tags([], copartition_groups_item.unknown_tagged_fields, ())
                if copartition_groups_item.unknown_tagged_fields
                else b"\0"
            )
        add(
            write_tags([], subtopologies_item.unknown_tagged_fields, ())
            if subtopologies_item.unknown_tagged_fields
            else b"\0"
        )
    add(
        write_tags([], message.unknown_tagged_fields, ())
        if message.unknown_tagged_fields
        else b"\0"
    )


StreamsGroupTopologyValue._codecs = {
    0: Codec(_read_v0, _write_v0),
}
StreamsGroupTopologyValue._by_header = {
    0: _read_v0,
}
StreamsGroupTopologyValue._headers = {
    0: b"\x00\x00",
}
