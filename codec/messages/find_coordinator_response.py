"""FindCoordinatorResponse, generated from schemas/FindCoordinatorResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class FindCoordinatorResponse(Message, frozen=True, kw_only=True, gc=False):
    """FindCoordinatorResponse, versions 0-6.

    Which broker looks after a group, a transaction or a share partition.

    Version 1 (KIP-124): throttling, and the error in words. Version 2 (KIP-219): throttled after the
    answer, not before it. Version 3 (KIP-482): flexible. Version 4 (KIP-699): several coordinators.
    Version 5 (KIP-890): TRANSACTION_ABORTABLE. Version 6 (KIP-932): share partitions.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 1-6; default 0; other versions leave it out.
        error_code (int16): Why the coordinator is not told; 0 if it is. Versions 0-3; default 0;
            other versions cannot hold it.
        error_message (string): The same in words; null if there is nothing to say. Versions 1-3; may
            be null; default ''; other versions leave it out.
        node_id (int32): The broker's id; -1 with an error. Versions 0-3; default 0; other versions
            cannot hold it.
        host (string): The name that the broker advertises. Versions 0-3; default ''; other versions
            cannot hold it.
        port (int32): The port that the broker advertises. Versions 0-3; default 0; other versions
            cannot hold it.
        coordinators ([]Coordinator): An answer for each key (KIP-699). Versions 4-6; default ();
            other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-6; default ().
    """

    NAME = "FindCoordinatorResponse"
    VERSIONS = VersionRange(0, 6)
    LATEST = 6
    API_KEY = 10
    FRAMING = Framing("none", "refuse")

    class Coordinator(MessagePart, frozen=True, kw_only=True, gc=False):
        """Coordinator of FindCoordinatorResponse, versions 4-6.

        An answer for each key (KIP-699).

        Attributes:
            key (string): The key that was asked about. Versions 4-6; default ''.
            node_id (int32): The broker's id; -1 with an error. Versions 4-6; default 0.
            host (string): The name that the broker advertises. Versions 4-6; default ''.
            port (int32): The port that the broker advertises. Versions 4-6; default 0.
            error_code (int16): Why this coordinator is not told; 0 if it is. Versions 4-6; default 0.
            error_message (string): The same in words; null if there is nothing to say. Versions 4-6;
                may be null; default ''.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-6; default ().
        """

        key: str = ""
        node_id: int = 0
        host: str = ""
        port: int = 0
        error_code: int = 0
        error_message: str | None = ""
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
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                key: str = ...,
                node_id: int = ...,
                host: str = ...,
                port: int = ...,
                error_code: int = ...,
                error_message: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    error_code: int = 0
    error_message: str | None = ""
    node_id: int = 0
    host: str = ""
    port: int = 0
    coordinators: tuple[FindCoordinatorResponse.Coordinator, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("coordinators", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.coordinators) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            node_id: int = ...,
            host: str = ...,
            port: int = ...,
            coordinators: Iterable[FindCoordinatorResponse.Coordinator] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            error_code: int = ...,
            error_message: str | None = ...,
            node_id: int = ...,
            host: str = ...,
            port: int = ...,
            coordinators: Iterable[FindCoordinatorResponse.Coordinator] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_Coordinator = FindCoordinatorResponse.Coordinator


def _read_v0(data: bytes, pos: int) -> tuple[FindCoordinatorResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorResponse(
        error_code=error_code, node_id=node_id, host=host, port=port
    ), pos


def _write_v0(message: FindCoordinatorResponse, parts: list[bytes]) -> None:
    if message.coordinators != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    INT32.write(message.node_id, parts)
    write_string(message.host, parts)
    INT32.write(message.port, parts)


def _read_v1_2(data: bytes, pos: int) -> tuple[FindCoordinatorResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_nullable_string(data, pos)
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        node_id=node_id,
        host=host,
        port=port,
    ), pos


def _write_v1_2(message: FindCoordinatorResponse, parts: list[bytes]) -> None:
    if message.coordinators != ():
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_nullable_string(message.error_message, parts)
    INT32.write(message.node_id, parts)
    write_string(message.host, parts)
    INT32.write(message.port, parts)


def _read_v3(data: bytes, pos: int) -> tuple[FindCoordinatorResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_compact_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=error_code,
        error_message=error_message,
        node_id=node_id,
        host=host,
        port=port,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3(message: FindCoordinatorResponse, parts: list[bytes]) -> None:
    if message.coordinators != ():
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    INT16.write(message.error_code, parts)
    write_compact_nullable_string(message.error_message, parts)
    INT32.write(message.node_id, parts)
    write_compact_string(message.host, parts)
    INT32.write(message.port, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_coordinator_v4_6(data: bytes, pos: int) -> tuple[_Coordinator, int]:
    key, pos = read_compact_string(data, pos)
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    host, pos = read_compact_string(data, pos)
    (port,), pos = INT32.unpack(data, pos), pos + 4
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _Coordinator(
        key=key,
        node_id=node_id,
        host=host,
        port=port,
        error_code=error_code,
        error_message=error_message,
        unknown_tagged_fields=unknown,
    ), pos


def _write_coordinator_v4_6(item: _Coordinator, parts: list[bytes]) -> None:
    if type(item) is not _Coordinator:
        raise OddValue
    write_compact_string(item.key, parts)
    INT32.write(item.node_id, parts)
    write_compact_string(item.host, parts)
    INT32.write(item.port, parts)
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4_6(data: bytes, pos: int) -> tuple[FindCoordinatorResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    coordinators, pos = read_compact_array(data, pos, _read_coordinator_v4_6)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return FindCoordinatorResponse(
        throttle_time_ms=throttle_time_ms, coordinators=coordinators, unknown_tagged_fields=unknown
    ), pos


def _write_v4_6(message: FindCoordinatorResponse, parts: list[bytes]) -> None:
    if message.error_code != 0:
        raise OddValue
    if message.node_id != 0:
        raise OddValue
    if message.host != "":
        raise OddValue
    if message.port != 0:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.coordinators, parts, _write_coordinator_v4_6)
    write_unknown_tags(message.unknown_tagged_fields, parts)


FindCoordinatorResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4_6, _write_v4_6),
    5: Codec(_read_v4_6, _write_v4_6),
    6: Codec(_read_v4_6, _write_v4_6),
}
