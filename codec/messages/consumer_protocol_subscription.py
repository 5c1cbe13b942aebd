"""ConsumerProtocolSubscription, generated from schemas/ConsumerProtocolSubscription.json; change that file and run `make generate`."""

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
    strings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

_few_numbers_i = few_numbers("i")
_numbers_i = numbers("i")
_pack_h_string = pack_strings("h")
_pack_h_string_i = pack_strings("h", "i")
_pack_i = packed("i")
_pack_numbers_i = pack_numbers("i")
_short_string_u_i = short_strings("I")
_string_i = strings("i")
_string_iu_i = strings("iI")
_string_u_h = strings("H")
_unpack_i = fixed("i")
_unpack_ih = fixed("ih")
_unpack_iu_i = fixed("iI")
_unpack_u_i = fixed("I")
_unpack_u_iu_h = fixed("IH")


class ConsumerProtocolSubscription(VersionedMessage, frozen=True, kw_only=True, gc=False):
    """ConsumerProtocolSubscription, versions 0-3."""

    NAME = "ConsumerProtocolSubscription"
    VERSIONS = VersionRange(0, 3)
    LATEST = 3
    API_KEY = None
    FRAMING = Framing("version", "clamp")

    class TopicPartition(MessagePart, frozen=True, kw_only=True, gc=False):
        """TopicPartition of ConsumerProtocolSubscription, versions 1-3."""

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

    topics: tuple[str, ...] = ()
    user_data: bytes | None = None
    owned_partitions: tuple[ConsumerProtocolSubscription.TopicPartition, ...] = ()
    generation_id: int = -1
    rack_id: str | None = None

    _sequences = ("topics", "owned_partitions")
    _blobs = ("user_data",)

    def __post_init__(self) -> None:
        if (
            type(self.topics) is not tuple
            or type(self.owned_partitions) is not tuple
            or (self.user_data is not None and type(self.user_data) is not bytes)
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            topics: Iterable[str] = ...,
            user_data: bytes | None = ...,
            owned_partitions: Iterable[ConsumerProtocolSubscription.TopicPartition] = ...,
            generation_id: int = ...,
            rack_id: str | None = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            topics: Iterable[str] = ...,
            user_data: bytes | None = ...,
            owned_partitions: Iterable[ConsumerProtocolSubscription.TopicPartition] = ...,
            generation_id: int = ...,
            rack_id: str | None = ...,
        ) -> Self: ...


_TopicPartition = ConsumerProtocolSubscription.TopicPartition


def _read_v0(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics_count, size = _unpack_u_iu_h(data, pos)
    pos += 6
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[str] = []
    for _ in range(topics_count - 1):
        raw, following = _string_u_h[size](data, pos)
        pos += size + 2
        topics_list.append(raw.decode())
        size = following
    if topics_count:
        raw, user_data_size = _string_i[size](data, pos)
        pos += size + 4
        topics_list.append(raw.decode())
    else:
        pos -= 2
        (user_data_size,) = _unpack_i(data, pos)
        pos += 4
    topics = tuple(topics_list)
    if user_data_size < 0:
        user_data = None
    else:
        end = pos + user_data_size
        user_data = data[pos:end]
        pos = end
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(topics=topics, user_data=user_data), pos


def _write_v0(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        raw_2 = topics_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    user_data = message.user_data
    if user_data is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(user_data)))
        add(user_data)


def _read_v1(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics_count, size = _unpack_u_iu_h(data, pos)
    pos += 6
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[str] = []
    for _ in range(topics_count - 1):
        raw, following = _string_u_h[size](data, pos)
        pos += size + 2
        topics_list.append(raw.decode())
        size = following
    if topics_count:
        raw, user_data_size, owned_partitions_count = _string_iu_i[size](data, pos)
        pos += size + 8
        topics_list.append(raw.decode())
    else:
        pos -= 2
        user_data_size, owned_partitions_count = _unpack_iu_i(data, pos)
        pos += 8
    topics = tuple(topics_list)
    if user_data_size < 0:
        user_data = None
    else:
        pos -= 4
        end = pos + user_data_size
        user_data = data[pos:end]
        (owned_partitions_count,) = _unpack_u_i(data, end)
        pos = end + 4
    if owned_partitions_count > MAX_ELEMENTS:
        raise OddBytes
    owned_partitions_list: list[_TopicPartition] = []
    for _ in range(owned_partitions_count):
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
        owned_partitions_list.append(_TopicPartition(topic=topic, partitions=partitions))
    owned_partitions = tuple(owned_partitions_list)
    return ConsumerProtocolSubscription(
        topics=topics, user_data=user_data, owned_partitions=owned_partitions
    ), pos


def _write_v1(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        raw_2 = topics_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    user_data = message.user_data
    if user_data is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(user_data)))
        add(user_data)
    owned_partitions = message.owned_partitions
    if type(owned_partitions) is not tuple:
        raise OddValue
    add(_pack_i(len(owned_partitions)))
    for owned_partitions_item in owned_partitions:
        if type(owned_partitions_item) is not _TopicPartition:
            raise OddValue
        topic_raw = owned_partitions_item.topic.encode()
        partitions = owned_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))


def _read_v2(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics_count, size = _unpack_u_iu_h(data, pos)
    pos += 6
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[str] = []
    for _ in range(topics_count - 1):
        raw, following = _string_u_h[size](data, pos)
        pos += size + 2
        topics_list.append(raw.decode())
        size = following
    if topics_count:
        raw, user_data_size, owned_partitions_count = _string_iu_i[size](data, pos)
        pos += size + 8
        topics_list.append(raw.decode())
    else:
        pos -= 2
        user_data_size, owned_partitions_count = _unpack_iu_i(data, pos)
        pos += 8
    topics = tuple(topics_list)
    if user_data_size < 0:
        user_data = None
    else:
        pos -= 4
        end = pos + user_data_size
        user_data = data[pos:end]
        (owned_partitions_count,) = _unpack_u_i(data, end)
        pos = end + 4
    if owned_partitions_count > MAX_ELEMENTS:
        raise OddBytes
    owned_partitions_list: list[_TopicPartition] = []
    for _ in range(owned_partitions_count):
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
        owned_partitions_list.append(_TopicPartition(topic=topic, partitions=partitions))
    owned_partitions = tuple(owned_partitions_list)
    (generation_id,) = _unpack_i(data, pos)
    pos += 4
    return ConsumerProtocolSubscription(
        topics=topics,
        user_data=user_data,
        owned_partitions=owned_partitions,
        generation_id=generation_id,
    ), pos


def _write_v2(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        raw_2 = topics_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    user_data = message.user_data
    if user_data is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(user_data)))
        add(user_data)
    owned_partitions = message.owned_partitions
    if type(owned_partitions) is not tuple:
        raise OddValue
    add(_pack_i(len(owned_partitions)))
    for owned_partitions_item in owned_partitions:
        if type(owned_partitions_item) is not _TopicPartition:
            raise OddValue
        topic_raw = owned_partitions_item.topic.encode()
        partitions = owned_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_i(message.generation_id))


def _read_v3(data: bytes, pos: int) -> tuple[ConsumerProtocolSubscription, int]:
    topics_count, size = _unpack_u_iu_h(data, pos)
    pos += 6
    if topics_count > MAX_ELEMENTS:
        raise OddBytes
    topics_list: list[str] = []
    for _ in range(topics_count - 1):
        raw, following = _string_u_h[size](data, pos)
        pos += size + 2
        topics_list.append(raw.decode())
        size = following
    if topics_count:
        raw, user_data_size, owned_partitions_count = _string_iu_i[size](data, pos)
        pos += size + 8
        topics_list.append(raw.decode())
    else:
        pos -= 2
        user_data_size, owned_partitions_count = _unpack_iu_i(data, pos)
        pos += 8
    topics = tuple(topics_list)
    if user_data_size < 0:
        user_data = None
    else:
        pos -= 4
        end = pos + user_data_size
        user_data = data[pos:end]
        (owned_partitions_count,) = _unpack_u_i(data, end)
        pos = end + 4
    if owned_partitions_count > MAX_ELEMENTS:
        raise OddBytes
    owned_partitions_list: list[_TopicPartition] = []
    for _ in range(owned_partitions_count):
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
        owned_partitions_list.append(_TopicPartition(topic=topic, partitions=partitions))
    owned_partitions = tuple(owned_partitions_list)
    generation_id, rack_id_size = _unpack_ih(data, pos)
    pos += 6
    if rack_id_size < 0:
        rack_id = None
    else:
        end = pos + rack_id_size
        rack_id = data[pos:end].decode()
        pos = end
    if pos > len(data):
        raise OddBytes
    return ConsumerProtocolSubscription(
        topics=topics,
        user_data=user_data,
        owned_partitions=owned_partitions,
        generation_id=generation_id,
        rack_id=rack_id,
    ), pos


def _write_v3(message: ConsumerProtocolSubscription, parts: list[bytes]) -> None:
    add = parts.append
    topics = message.topics
    if type(topics) is not tuple:
        raise OddValue
    add(_pack_i(len(topics)))
    for topics_item in topics:
        raw_2 = topics_item.encode()
        add(_pack_h_string[len(raw_2)](len(raw_2), raw_2))
    user_data = message.user_data
    if user_data is None:
        add(b"\xff\xff\xff\xff")
    else:
        add(_pack_i(len(user_data)))
        add(user_data)
    owned_partitions = message.owned_partitions
    if type(owned_partitions) is not tuple:
        raise OddValue
    add(_pack_i(len(owned_partitions)))
    for owned_partitions_item in owned_partitions:
        if type(owned_partitions_item) is not _TopicPartition:
            raise OddValue
        topic_raw = owned_partitions_item.topic.encode()
        partitions = owned_partitions_item.partitions
        if type(partitions) is not tuple:
            raise OddValue
        add(_pack_h_string_i[len(topic_raw)](len(topic_raw), topic_raw, len(partitions)))
        add(_pack_numbers_i[len(partitions)](*partitions))
    if type(message.generation_id) is bool:
        raise OddValue
    add(_pack_i(message.generation_id))
    rack_id = message.rack_id
    if rack_id is None:
        add(b"\xff\xff")
    else:
        rack_id_raw = rack_id.encode()
        add(_pack_h_string[len(rack_id_raw)](len(rack_id_raw), rack_id_raw))


ConsumerProtocolSubscription._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
    2: Codec(_read_v2, _write_v2),
    3: Codec(_read_v3, _write_v3),
}
ConsumerProtocolSubscription._by_header = {
    0: _read_v0,
    1: _read_v1,
    2: _read_v2,
    3: _read_v3,
}
ConsumerProtocolSubscription._headers = {
    0: b"\x00\x00",
    1: b"\x00\x01",
    2: b"\x00\x02",
    3: b"\x00\x03",
}
