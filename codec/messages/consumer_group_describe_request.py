"""ConsumerGroupDescribeRequest, generated from schemas/ConsumerGroupDescribeRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    OddBytes,
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


class ConsumerGroupDescribeRequest(Message, frozen=True, kw_only=True, gc=False):
    """ConsumerGroupDescribeRequest, versions 0-1.

    An operator's look into groups of the new consumer group protocol (KIP-848).

    Version 1 (KIP-1099): as version 0; the answer changes.

    Attributes:
        group_ids ([]string): The groups to describe. Versions 0-1; default ().
        include_authorized_operations (bool): Whether to tell what the asker may do with each group.
            Versions 0-1; default False.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 0-1; default ().
    """

    NAME = "ConsumerGroupDescribeRequest"
    VERSIONS = VersionRange(0, 1)
    LATEST = 1
    API_KEY = 69
    FRAMING = Framing("none", "refuse")

    group_ids: tuple[str, ...] = ()
    include_authorized_operations: bool = False
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
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            group_ids: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_1(data: bytes, pos: int) -> tuple[ConsumerGroupDescribeRequest, int]:
    group_ids, pos = read_compact_array(data, pos, read_compact_string)
    include_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ConsumerGroupDescribeRequest(
        group_ids=group_ids,
        include_authorized_operations=include_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v0_1(message: ConsumerGroupDescribeRequest, parts: list[bytes]) -> None:
    write_compact_array(message.group_ids, parts, write_compact_string)
    write_bool(message.include_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ConsumerGroupDescribeRequest._codecs = {
    0: Codec(_read_v0_1, _write_v0_1),
    1: Codec(_read_v0_1, _write_v0_1),
}
