"""ApiVersionsResponse, generated from schemas/ApiVersionsResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace as _replace

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import Tags, read_tags, read_unknown_tags, write_tags, write_unknown_tags
from ..wire.primitives import (
    INT16,
    INT32,
    INT64,
    OddBytes,
    OddValue,
    read_array,
    read_bool,
    read_compact_array,
    read_compact_string,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class ApiVersionsResponse(Message, frozen=True, kw_only=True, gc=False):
    """ApiVersionsResponse, versions 0-5.

    Which versions of which requests the broker takes. The header of this response is never flexible,
    so that every client can read it.

    Version 1 (KIP-124): throttling. Version 2 (KIP-219): throttled after the answer, not before it.
    Version 3 (KIP-482, KIP-584): flexible, and the features of the cluster. Version 4: features from
    version 0 on are told. Version 5 (KIP-1242): the wrong broker or cluster is an error.

    Attributes:
        error_code (int16): Why the versions are not told; 0 if they are. Versions 0-5; default 0.
        api_keys ([]ApiVersion): The requests that the broker takes. Versions 0-5; default ().
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 1-5; default 0; other versions leave it out.
        supported_features ([]SupportedFeatureKey): What this broker could do (KIP-584). Versions 3-5;
            default (); tag 0 in versions 3-5; other versions leave it out.
        finalized_features_epoch (int64): Grows with every change of the cluster's features; -1 if not
            known. Versions 3-5; default -1; tag 1 in versions 3-5; other versions leave it out.
        finalized_features ([]FinalizedFeatureKey): What the whole cluster does (KIP-584). Versions
            3-5; default (); tag 2 in versions 3-5; other versions leave it out.
        zk_migration_ready (bool): Whether a cluster with ZooKeeper is ready to move to KRaft
            (KIP-866). Versions 3-5; default False; tag 3 in versions 3-5; other versions leave it
            out.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Versions 3-5; default ().
    """

    NAME = "ApiVersionsResponse"
    VERSIONS = VersionRange(0, 5)
    LATEST = 5
    API_KEY = 18
    FRAMING = Framing("none", "refuse")

    class ApiVersion(MessagePart, frozen=True, kw_only=True, gc=False):
        """ApiVersion of ApiVersionsResponse, versions 0-5.

        The requests that the broker takes.

        Attributes:
            api_key (int16): The API key. Versions 0-5; default 0.
            min_version (int16): The lowest version that it takes. Versions 0-5; default 0.
            max_version (int16): The highest version that it takes. Versions 0-5; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-5; default ().
        """

        api_key: int = 0
        min_version: int = 0
        max_version: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                api_key: int = ...,
                min_version: int = ...,
                max_version: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                api_key: int = ...,
                min_version: int = ...,
                max_version: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class SupportedFeatureKey(MessagePart, frozen=True, kw_only=True, gc=False):
        """SupportedFeatureKey of ApiVersionsResponse, versions 3-5.

        What this broker could do (KIP-584).

        Attributes:
            name (string): The feature. Versions 3-5; default ''.
            min_version (int16): The lowest level that it supports. Versions 3-5; default 0.
            max_version (int16): The highest level that it supports. Versions 3-5; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-5; default ().
        """

        name: str = ""
        min_version: int = 0
        max_version: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                min_version: int = ...,
                max_version: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                min_version: int = ...,
                max_version: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class FinalizedFeatureKey(MessagePart, frozen=True, kw_only=True, gc=False):
        """FinalizedFeatureKey of ApiVersionsResponse, versions 3-5.

        What the whole cluster does (KIP-584).

        Attributes:
            name (string): The feature. Versions 3-5; default ''.
            max_version_level (int16): The level that the cluster runs at. Versions 3-5; default 0.
            min_version_level (int16): The lowest level that it allows. Versions 3-5; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Versions 3-5; default ().
        """

        name: str = ""
        max_version_level: int = 0
        min_version_level: int = 0
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("unknown_tagged_fields",)

        def __post_init__(self) -> None:
            if type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                max_version_level: int = ...,
                min_version_level: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                max_version_level: int = ...,
                min_version_level: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    error_code: int = 0
    api_keys: tuple[ApiVersionsResponse.ApiVersion, ...] = ()
    throttle_time_ms: int = 0
    supported_features: tuple[ApiVersionsResponse.SupportedFeatureKey, ...] = ()
    finalized_features_epoch: int = -1
    finalized_features: tuple[ApiVersionsResponse.FinalizedFeatureKey, ...] = ()
    zk_migration_ready: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("api_keys", "supported_features", "finalized_features", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if (
            type(self.api_keys) is not tuple
            or type(self.supported_features) is not tuple
            or type(self.finalized_features) is not tuple
            or type(self.unknown_tagged_fields) is not tuple
        ):
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            error_code: int = ...,
            api_keys: Iterable[ApiVersionsResponse.ApiVersion] = ...,
            throttle_time_ms: int = ...,
            supported_features: Iterable[ApiVersionsResponse.SupportedFeatureKey] = ...,
            finalized_features_epoch: int = ...,
            finalized_features: Iterable[ApiVersionsResponse.FinalizedFeatureKey] = ...,
            zk_migration_ready: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            error_code: int = ...,
            api_keys: Iterable[ApiVersionsResponse.ApiVersion] = ...,
            throttle_time_ms: int = ...,
            supported_features: Iterable[ApiVersionsResponse.SupportedFeatureKey] = ...,
            finalized_features_epoch: int = ...,
            finalized_features: Iterable[ApiVersionsResponse.FinalizedFeatureKey] = ...,
            zk_migration_ready: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_ApiVersion = ApiVersionsResponse.ApiVersion
_FinalizedFeatureKey = ApiVersionsResponse.FinalizedFeatureKey
_SupportedFeatureKey = ApiVersionsResponse.SupportedFeatureKey


def _read_api_version_v0_2(data: bytes, pos: int) -> tuple[_ApiVersion, int]:
    (api_key,), pos = INT16.unpack(data, pos), pos + 2
    (min_version,), pos = INT16.unpack(data, pos), pos + 2
    (max_version,), pos = INT16.unpack(data, pos), pos + 2
    return _ApiVersion(api_key=api_key, min_version=min_version, max_version=max_version), pos


def _write_api_version_v0_2(item: _ApiVersion, parts: list[bytes]) -> None:
    if type(item) is not _ApiVersion:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.api_key, parts)
    INT16.write(item.min_version, parts)
    INT16.write(item.max_version, parts)


def _read_v0(data: bytes, pos: int) -> tuple[ApiVersionsResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    api_keys, pos = read_array(data, pos, _read_api_version_v0_2)
    if pos > len(data):
        raise OddBytes
    return ApiVersionsResponse(error_code=error_code, api_keys=api_keys), pos


def _write_v0(message: ApiVersionsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_array(message.api_keys, parts, _write_api_version_v0_2)


def _read_v1_2(data: bytes, pos: int) -> tuple[ApiVersionsResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    api_keys, pos = read_array(data, pos, _read_api_version_v0_2)
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    if pos > len(data):
        raise OddBytes
    return ApiVersionsResponse(
        error_code=error_code, api_keys=api_keys, throttle_time_ms=throttle_time_ms
    ), pos


def _write_v1_2(message: ApiVersionsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT16.write(message.error_code, parts)
    write_array(message.api_keys, parts, _write_api_version_v0_2)
    INT32.write(message.throttle_time_ms, parts)


def _read_api_version_v3_5(data: bytes, pos: int) -> tuple[_ApiVersion, int]:
    (api_key,), pos = INT16.unpack(data, pos), pos + 2
    (min_version,), pos = INT16.unpack(data, pos), pos + 2
    (max_version,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _ApiVersion(
        api_key=api_key,
        min_version=min_version,
        max_version=max_version,
        unknown_tagged_fields=unknown,
    ), pos


def _write_api_version_v3_5(item: _ApiVersion, parts: list[bytes]) -> None:
    if type(item) is not _ApiVersion:
        raise OddValue
    INT16.write(item.api_key, parts)
    INT16.write(item.min_version, parts)
    INT16.write(item.max_version, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_supported_feature_key_v3_5(data: bytes, pos: int) -> tuple[_SupportedFeatureKey, int]:
    name, pos = read_compact_string(data, pos)
    (min_version,), pos = INT16.unpack(data, pos), pos + 2
    (max_version,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _SupportedFeatureKey(
        name=name, min_version=min_version, max_version=max_version, unknown_tagged_fields=unknown
    ), pos


def _write_supported_feature_key_v3_5(item: _SupportedFeatureKey, parts: list[bytes]) -> None:
    if type(item) is not _SupportedFeatureKey:
        raise OddValue
    write_compact_string(item.name, parts)
    INT16.write(item.min_version, parts)
    INT16.write(item.max_version, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_finalized_feature_key_v3_5(data: bytes, pos: int) -> tuple[_FinalizedFeatureKey, int]:
    name, pos = read_compact_string(data, pos)
    (max_version_level,), pos = INT16.unpack(data, pos), pos + 2
    (min_version_level,), pos = INT16.unpack(data, pos), pos + 2
    unknown, pos = read_unknown_tags(data, pos)
    return _FinalizedFeatureKey(
        name=name,
        max_version_level=max_version_level,
        min_version_level=min_version_level,
        unknown_tagged_fields=unknown,
    ), pos


def _write_finalized_feature_key_v3_5(item: _FinalizedFeatureKey, parts: list[bytes]) -> None:
    if type(item) is not _FinalizedFeatureKey:
        raise OddValue
    write_compact_string(item.name, parts)
    INT16.write(item.max_version_level, parts)
    INT16.write(item.min_version_level, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


_TAGS_v3_5: Tags = {
    0: (
        "supported_features",
        lambda data, pos: read_compact_array(data, pos, _read_supported_feature_key_v3_5),
    ),
    1: ("finalized_features_epoch", INT64.read),
    2: (
        "finalized_features",
        lambda data, pos: read_compact_array(data, pos, _read_finalized_feature_key_v3_5),
    ),
    3: ("zk_migration_ready", read_bool),
}


def _read_v3_5(data: bytes, pos: int) -> tuple[ApiVersionsResponse, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    api_keys, pos = read_compact_array(data, pos, _read_api_version_v3_5)
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    tagged, unknown, pos = read_tags(data, pos, _TAGS_v3_5, ())
    if pos > len(data):
        raise OddBytes
    read = ApiVersionsResponse(
        error_code=error_code,
        api_keys=api_keys,
        throttle_time_ms=throttle_time_ms,
        unknown_tagged_fields=unknown,
    )
    return (_replace(read, **tagged) if tagged else read), pos


def _write_v3_5(message: ApiVersionsResponse, parts: list[bytes]) -> None:
    INT16.write(message.error_code, parts)
    write_compact_array(message.api_keys, parts, _write_api_version_v3_5)
    INT32.write(message.throttle_time_ms, parts)
    tags: dict[int, list[bytes]] = {}
    if message.supported_features != ():
        write_compact_array(
            message.supported_features, tags.setdefault(0, []), _write_supported_feature_key_v3_5
        )
    if message.finalized_features_epoch != -1:
        INT64.write(message.finalized_features_epoch, tags.setdefault(1, []))
    if message.finalized_features != ():
        write_compact_array(
            message.finalized_features, tags.setdefault(2, []), _write_finalized_feature_key_v3_5
        )
    if message.zk_migration_ready != False:
        write_bool(message.zk_migration_ready, tags.setdefault(3, []))
    write_tags(tags, message.unknown_tagged_fields, parts, (0, 1, 2, 3))


ApiVersionsResponse._codecs = {
    0: Codec(_read_v0, _write_v0),
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3_5, _write_v3_5),
    4: Codec(_read_v3_5, _write_v3_5),
    5: Codec(_read_v3_5, _write_v3_5),
}
