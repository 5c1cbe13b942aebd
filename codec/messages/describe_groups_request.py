"""DescribeGroupsRequest, generated from schemas/DescribeGroupsRequest.json; change that file and run `make generate`."""

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
    read_string_array,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeGroupsRequest(Message, frozen=True, kw_only=True, gc=False):
    """DescribeGroupsRequest, versions 0-6.

    An operator's look into classic groups: who is in them, and what each member said and was given.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes.
    Version 3 (KIP-430): authorized operations. Version 4 (KIP-345): as version 3; the answer
    changes.
    Version 5 (KIP-482): flexible. Version 6 (KIP-1043): as version 5; the answer changes.

    Attributes:
        groups ([]string): The groups to describe. Versions 0-6; default ().
        include_authorized_operations (bool): Whether to tell what the asker may do with each group
            (KIP-430). Versions 3-6; default False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 5-6; default ().
    """

    NAME = "DescribeGroupsRequest"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 15
    FRAMING = Framing("none", "refuse")

    groups: tuple[str, ...] = ()
    include_authorized_operations: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("groups", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.groups) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            groups: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            groups: Iterable[str] = ...,
            include_authorized_operations: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    groups, pos = read_string_array(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsRequest(groups=groups), pos


def _write_v0_2(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    if message.include_authorized_operations is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.groups, parts, write_string)


def _read_v3_4(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    groups, pos = read_string_array(data, pos)
    include_authorized_operations, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsRequest(
        groups=groups, include_authorized_operations=include_authorized_operations
    ), pos


def _write_v3_4(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.groups, parts, write_string)
    write_bool(message.include_authorized_operations, parts)


def _read_v5_6(data: bytes, pos: int) -> tuple[DescribeGroupsRequest, int]:
    groups, pos = read_compact_array(data, pos, read_compact_string)
    include_authorized_operations, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeGroupsRequest(
        groups=groups,
        include_authorized_operations=include_authorized_operations,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v5_6(message: DescribeGroupsRequest, parts: list[bytes]) -> None:
    write_compact_array(message.groups, parts, write_compact_string)
    write_bool(message.include_authorized_operations, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeGroupsRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
    5: Codec(_read_v5_6, _write_v5_6),
    6: Codec(_read_v5_6, _write_v5_6),
}
