"""StreamsGroupDescribeRequest, generated from schemas/StreamsGroupDescribeRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    OddBytes,
    OddValue,
    read_bool,
    read_compact_array,
    read_compact_string,
    write_bool,
    write_compact_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class StreamsGroupDescribeRequest(Message, frozen=True, kw_only=True, gc=False):
    """StreamsGroupDescribeRequest, versions 0-1.

    An operator's look into Streams groups (KIP-1071).

    Version 1 (KIP-1331): whether to tell the topology's description.

    Attributes:
        group_ids ([]string): The groups to describe. Versions 0-1; default ().
        include_authorized_operations (bool): Whether to tell what the asker may do with each group.
            Versions 0-1; default False.
        include_topology_description (bool): Whether to tell the whole processing graph (KIP-1331).
            Version 1; default False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "StreamsGroupDescribeRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 89
    FRAMING = Framing("none", "refuse")

    group_ids: tuple[str, ...] = ()
    include_authorized_operations: bool = False
    include_topology_description: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("group_ids", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.group_ids) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            group_ids: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            include_topology_description: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_ids: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            include_topology_description: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[StreamsGroupDescribeRequest, int]:
    group_ids, pos = read_compact_array(data, pos, read_compact_string)
    include_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeRequest(
        group_ids=group_ids,
        include_authorized_operations=include_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0(message: StreamsGroupDescribeRequest, parts: list[bytes]) -> None:
    if message.include_topology_description is not False:
        raise OddValue
    write_compact_array(message.group_ids, parts, write_compact_string)
    write_bool(message.include_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v1(data: bytes, pos: int) -> tuple[StreamsGroupDescribeRequest, int]:
    group_ids, pos = read_compact_array(data, pos, read_compact_string)
    include_authorized_operations, pos = read_bool(data, pos)
    include_topology_description, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return StreamsGroupDescribeRequest(
        group_ids=group_ids,
        include_authorized_operations=include_authorized_operations,
        include_topology_description=include_topology_description,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v1(message: StreamsGroupDescribeRequest, parts: list[bytes]) -> None:
    write_compact_array(message.group_ids, parts, write_compact_string)
    write_bool(message.include_authorized_operations, parts)
    write_bool(message.include_topology_description, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


StreamsGroupDescribeRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1, _write_v1),
}
