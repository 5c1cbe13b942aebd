"""ListGroupsRequest, generated from schemas/ListGroupsRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
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


class ListGroupsRequest(Message, frozen=True, kw_only=True, gc=False):
    """ListGroupsRequest, versions 0-5.

    Asks a broker for the groups that it coordinates.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes. Version 3 (KIP-482):
    flexible. Version 4 (KIP-518): by state. Version 5 (KIP-848): by type.

    Attributes:
        states_filter ([]string): Only groups in these states; all if empty (KIP-518). Versions 4-5;
            default (); other versions cannot hold it.
        types_filter ([]string): Only groups of these types; all if empty (KIP-848). Version 5;
            default (); other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-5; default ().
    """

    NAME = "ListGroupsRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 16
    FRAMING = Framing("none", "refuse")

    states_filter: tuple[str, ...] = ()
    types_filter: tuple[str, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("states_filter", "types_filter", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.states_filter) is not tuple
            or type(self.types_filter) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            states_filter: Iterable[str] = ...,
            types_filter: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            states_filter: Iterable[str] = ...,
            types_filter: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[ListGroupsRequest, int]:
    if pos > len(data):
        raise OddBytes
    return ListGroupsRequest(), pos


def _write_v0_2(message: ListGroupsRequest, parts: list[bytes]) -> None:
    if message.states_filter != ():
        raise OddValue
    if message.types_filter != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3(data: bytes, pos: int) -> tuple[ListGroupsRequest, int]:
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsRequest(unknown_tagged_fields=unknown), pos


def _write_v3(message: ListGroupsRequest, parts: list[bytes]) -> None:
    if message.states_filter != ():
        raise OddValue
    if message.types_filter != ():
        raise OddValue
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[ListGroupsRequest, int]:
    states_filter, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsRequest(states_filter=states_filter, unknown_tagged_fields=unknown), pos


def _write_v4(message: ListGroupsRequest, parts: list[bytes]) -> None:
    if message.types_filter != ():
        raise OddValue
    write_compact_array(message.states_filter, parts, write_compact_string)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[ListGroupsRequest, int]:
    states_filter, pos = read_compact_array(data, pos, read_compact_string)
    types_filter, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ListGroupsRequest(
        states_filter=states_filter, types_filter=types_filter, unknown_tagged_fields=unknown
    ), pos


def _write_v5(message: ListGroupsRequest, parts: list[bytes]) -> None:
    write_compact_array(message.states_filter, parts, write_compact_string)
    write_compact_array(message.types_filter, parts, write_compact_string)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ListGroupsRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
    5: Codec(_read_v5, _write_v5),
}
