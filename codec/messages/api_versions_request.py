"""ApiVersionsRequest, generated from schemas/ApiVersionsRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT32,
    OddBytes,
    OddValue,
    read_compact_nullable_string,
    read_compact_string,
    write_compact_nullable_string,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ApiVersionsRequest(Message, frozen=True, kw_only=True, gc=False):
    """ApiVersionsRequest, versions 0-5.

    The first request of a connection: which versions of which requests does the broker take? A
    broker that does not know this version answers in version 0.

    Versions 1 and 2 (KIP-124, KIP-219): as version 0; the answer changes. Version 3 (KIP-482,
    KIP-511): flexible, and the client says what software it is. Version 4: as version 3. Version 5
    (KIP-1242): which broker the client believes to speak to.

    Attributes:
        client_software_name (string): The client's software, such as apache-kafka-java (KIP-511).
            Versions 3-5; default ''; other versions leave it out.
        client_software_version (string): The release of that software (KIP-511). Versions 3-5;
            default ''; other versions leave it out.
        cluster_id (string): The cluster that the client expects (KIP-1242); null if any. Version 5;
            may be null; default None; other versions leave it out.
        node_id (int32): The broker that the client expects (KIP-1242); -1 if any. Version 5; default
            -1; other versions leave it out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-5; default ().
    """

    NAME = "ApiVersionsRequest"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 18
    FRAMING = Framing("none", "refuse")

    client_software_name: str = ""
    client_software_version: str = ""
    cluster_id: str | None = None
    node_id: int = -1
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("unknown_tagged_fields",)

    def __post_init__(self) -> None:
        if type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            client_software_name: str = ...,
            client_software_version: str = ...,
            cluster_id: str | None = ...,
            node_id: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            client_software_name: str = ...,
            client_software_version: str = ...,
            cluster_id: str | None = ...,
            node_id: int = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


def _read_v0_2(data: bytes, pos: int) -> tuple[ApiVersionsRequest, int]:
    if pos > len(data):
        raise OddBytes
    return ApiVersionsRequest(), pos


def _write_v0_2(message: ApiVersionsRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue


def _read_v3_4(data: bytes, pos: int) -> tuple[ApiVersionsRequest, int]:
    client_software_name, pos = read_compact_string(data, pos)
    client_software_version, pos = read_compact_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ApiVersionsRequest(
        client_software_name=client_software_name,
        client_software_version=client_software_version,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v3_4(message: ApiVersionsRequest, parts: list[bytes]) -> None:
    write_compact_string(message.client_software_name, parts)
    write_compact_string(message.client_software_version, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


def _read_v5(data: bytes, pos: int) -> tuple[ApiVersionsRequest, int]:
    client_software_name, pos = read_compact_string(data, pos)
    client_software_version, pos = read_compact_string(data, pos)
    cluster_id, pos = read_compact_nullable_string(data, pos)
    (node_id,), pos = INT32.unpack(data, pos), pos + 4
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return ApiVersionsRequest(
        client_software_name=client_software_name,
        client_software_version=client_software_version,
        cluster_id=cluster_id,
        node_id=node_id,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v5(message: ApiVersionsRequest, parts: list[bytes]) -> None:
    write_compact_string(message.client_software_name, parts)
    write_compact_string(message.client_software_version, parts)
    write_compact_nullable_string(message.cluster_id, parts)
    INT32.write(message.node_id, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


ApiVersionsRequest._codecs = {
    0: Codec(_read_v0_2, _write_v0_2),
    1: Codec(_read_v0_2, _write_v0_2),
    2: Codec(_read_v0_2, _write_v0_2),
    3: Codec(_read_v3_4, _write_v3_4),
    4: Codec(_read_v3_4, _write_v3_4),
    5: Codec(_read_v5, _write_v5),
}
