"""FindCoordinatorRequest, generated from schemas/FindCoordinatorRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_string,
    read_string,
    write_compact_array,
    write_compact_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class FindCoordinatorRequest(Message, frozen=True, kw_only=True, gc=False):
    """FindCoordinatorRequest, versions 0-6.

    Asks which broker looks after a group, a transaction or a share partition.

    Version 1 (KIP-98): transactions have coordinators, too. Version 2 (KIP-219): as version 1.
    Version 3 (KIP-482): flexible. Version 4 (KIP-699): several keys at once. Version 5 (KIP-890): as
    version 4; the answer has one error more. Version 6 (KIP-932): share partitions.

    Attributes:
        key (string): The group's id, or the transactional id. Versions 0-3; default ''; other
            versions cannot hold it.
        key_type (int8): What the keys are: 0 groups, 1 transactions, 2 share partitions. Versions
            1-6; default 0; other versions cannot hold it.
        coordinator_keys ([]string): Groups, transactional ids, or "groupId:topicId:partition"
            (KIP-699). Versions 4-6; default (); other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-6; default ().
    """

    NAME = "FindCoordinatorRequest"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 10
    FRAMING = Framing("none", "refuse")

    key: str = ""
    key_type: int = 0
    coordinator_keys: tuple[str, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("coordinator_keys", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.coordinator_keys) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str = ...,
            key_type: int = ...,
            coordinator_keys: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            key: str = ...,
            key_type: int = ...,
            coordinator_keys: Iterable[str] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0(data: bytes, pos: int) -> tuple[FindCoordinatorRequest, int]:
    key, pos = read_string(data, pos)
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorRequest(key=key), pos


def _write_v0(message: FindCoordinatorRequest, parts: list[bytes]) -> None:
    if message.key_type != 0:
        raise OddValue
    if message.coordinator_keys != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.key, parts)


def _read_v1_2(data: bytes, pos: int) -> tuple[FindCoordinatorRequest, int]:
    key, pos = read_string(data, pos)
    (key_type,), pos = INT8.unpack(data, pos), pos + 1
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorRequest(key=key, key_type=key_type), pos


def _write_v1_2(message: FindCoordinatorRequest, parts: list[bytes]) -> None:
    if message.coordinator_keys != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_string(message.key, parts)
    INT8.write(message.key_type, parts)


def _read_v3(data: bytes, pos: int) -> tuple[FindCoordinatorRequest, int]:
    key, pos = read_compact_string(data, pos)
    (key_type,), pos = INT8.unpack(data, pos), pos + 1
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorRequest(key=key, key_type=key_type, unknown_tagged_fields=unknown), pos


def _write_v3(message: FindCoordinatorRequest, parts: list[bytes]) -> None:
    if message.coordinator_keys != ():
        raise OddValue
    write_compact_string(message.key, parts)
    INT8.write(message.key_type, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v4_6(data: bytes, pos: int) -> tuple[FindCoordinatorRequest, int]:
    (key_type,), pos = INT8.unpack(data, pos), pos + 1
    coordinator_keys, pos = read_compact_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorRequest(
        key_type=key_type, coordinator_keys=coordinator_keys, unknown_tagged_fields=unknown
    ), pos


def _write_v4_6(message: FindCoordinatorRequest, parts: list[bytes]) -> None:
    if message.key != "":
        raise OddValue
    INT8.write(message.key_type, parts)
    write_compact_array(message.coordinator_keys, parts, write_compact_string)
    write_unknown_tags(message.unknown_tagged_fields, parts)


FindCoordinatorRequest._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4_6, _write_v4_6),
    5: Codec(_read_v4_6, _write_v4_6),
    6: Codec(_read_v4_6, _write_v4_6),
}
