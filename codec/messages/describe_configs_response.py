"""DescribeConfigsResponse, generated from schemas/DescribeConfigsResponse.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    INT16,
    INT32,
    OddBytes,
    OddValue,
    read_array,
    read_bool,
    read_compact_array,
    read_compact_nullable_string,
    read_compact_string,
    read_nullable_string,
    read_string,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeConfigsResponse(Message, frozen=True, kw_only=True, gc=False):
    """DescribeConfigsResponse, versions 1-4.

    The settings of brokers, topics and groups.

    Version 1 (KIP-226): where a value comes from, and synonyms. Version 2 (KIP-219): throttled after
    the answer, not before it. Version 3 (KIP-569): types and documentation. Version 4 (KIP-482):
    flexible.

    Attributes:
        throttle_time_ms (int32): How long the broker held the answer back (quotas); milliseconds.
            Versions 1-4; default 0.
        results ([]DescribeConfigsResult): The answer about each thing that was asked about. Versions
            1-4; default ().
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "DescribeConfigsResponse"
    VERSIONS = VersionRange(1, 4)
    LATEST = 4
    API_KEY = 32
    FRAMING = Framing("none", "refuse")

    class DescribeConfigsSynonym(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeConfigsSynonym of DescribeConfigsResponse, versions 1-4.

        The settings that the value could come from.

        Attributes:
            name (string): The setting. Versions 1-4; default ''.
            value (string): Its value. Versions 1-4; may be null; default ''.
            source (int8): Where that comes from. Versions 1-4; default 0.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 4; default ().
        """

        name: str = ""
        value: str | None = ""
        source: int = 0
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
                value: str | None = ...,
                source: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                value: str | None = ...,
                source: int = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribeConfigsResourceResult(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeConfigsResourceResult of DescribeConfigsResponse, versions 1-4.

        The settings.

        Attributes:
            name (string): The setting. Versions 1-4; default ''.
            value (string): Its value; null for one that is secret. Versions 1-4; may be null; default
                ''.
            read_only (bool): Whether it cannot be changed while the broker runs. Versions 1-4;
                default False.
            config_source (int8): Where the value comes from: 5 is the default, 8 the group's own.
                Versions 1-4; default -1.
            is_sensitive (bool): Whether its value is secret. Versions 1-4; default False.
            synonyms ([]DescribeConfigsSynonym): The settings that the value could come from. Versions
                1-4; default ().
            config_type (int8): The type of its value: 1 a bool, 2 a string, 5 an int64, 9 a password.
                Versions 3-4; default 0; other versions leave it out.
            documentation (string): What the setting is for. Versions 3-4; may be null; default '';
                other versions leave it out.
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 4; default ().
        """

        name: str = ""
        value: str | None = ""
        read_only: bool = False
        config_source: int = -1
        is_sensitive: bool = False
        synonyms: tuple[DescribeConfigsResponse.DescribeConfigsSynonym, ...] = ()
        config_type: int = 0
        documentation: str | None = ""
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("synonyms", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.synonyms) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                name: str = ...,
                value: str | None = ...,
                read_only: bool = ...,
                config_source: int = ...,
                is_sensitive: bool = ...,
                synonyms: Iterable[DescribeConfigsResponse.DescribeConfigsSynonym] = ...,
                config_type: int = ...,
                documentation: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                name: str = ...,
                value: str | None = ...,
                read_only: bool = ...,
                config_source: int = ...,
                is_sensitive: bool = ...,
                synonyms: Iterable[DescribeConfigsResponse.DescribeConfigsSynonym] = ...,
                config_type: int = ...,
                documentation: str | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    class DescribeConfigsResult(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeConfigsResult of DescribeConfigsResponse, versions 1-4.

        The answer about each thing that was asked about.

        Attributes:
            error_code (int16): Why its settings are not told; 0 if they are. Versions 1-4; default 0.
            error_message (string): The error in words. Versions 1-4; may be null; default ''.
            resource_type (int8): What it is: 2 a topic, 4 a broker, 32 a group. Versions 1-4; default
                0.
            resource_name (string): The topic's or group's name, the broker's id. Versions 1-4;
                default ''.
            configs ([]DescribeConfigsResourceResult): The settings. Versions 1-4; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 4; default ().
        """

        error_code: int = 0
        error_message: str | None = ""
        resource_type: int = 0
        resource_name: str = ""
        configs: tuple[DescribeConfigsResponse.DescribeConfigsResourceResult, ...] = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("configs", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if type(self.configs) is not tuple or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                resource_type: int = ...,
                resource_name: str = ...,
                configs: Iterable[DescribeConfigsResponse.DescribeConfigsResourceResult] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                error_code: int = ...,
                error_message: str | None = ...,
                resource_type: int = ...,
                resource_name: str = ...,
                configs: Iterable[DescribeConfigsResponse.DescribeConfigsResourceResult] = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    throttle_time_ms: int = 0
    results: tuple[DescribeConfigsResponse.DescribeConfigsResult, ...] = ()
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("results", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.results) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            throttle_time_ms: int = ...,
            results: Iterable[DescribeConfigsResponse.DescribeConfigsResult] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            throttle_time_ms: int = ...,
            results: Iterable[DescribeConfigsResponse.DescribeConfigsResult] = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_DescribeConfigsResourceResult = DescribeConfigsResponse.DescribeConfigsResourceResult
_DescribeConfigsResult = DescribeConfigsResponse.DescribeConfigsResult
_DescribeConfigsSynonym = DescribeConfigsResponse.DescribeConfigsSynonym


def _read_describe_configs_synonym_v1_3(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsSynonym, int]:
    name, pos = read_string(data, pos)
    value, pos = read_nullable_string(data, pos)
    (source,), pos = INT8.unpack(data, pos), pos + 1
    return _DescribeConfigsSynonym(name=name, value=value, source=source), pos


def _write_describe_configs_synonym_v1_3(item: _DescribeConfigsSynonym, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsSynonym:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_nullable_string(item.value, parts)
    INT8.write(item.source, parts)


def _read_describe_configs_resource_result_v1_2(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsResourceResult, int]:
    name, pos = read_string(data, pos)
    value, pos = read_nullable_string(data, pos)
    read_only, pos = read_bool(data, pos)
    (config_source,), pos = INT8.unpack(data, pos), pos + 1
    is_sensitive, pos = read_bool(data, pos)
    synonyms, pos = read_array(data, pos, _read_describe_configs_synonym_v1_3)
    return _DescribeConfigsResourceResult(
        name=name,
        value=value,
        read_only=read_only,
        config_source=config_source,
        is_sensitive=is_sensitive,
        synonyms=synonyms,
    ), pos


def _write_describe_configs_resource_result_v1_2(
    item: _DescribeConfigsResourceResult, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeConfigsResourceResult:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_nullable_string(item.value, parts)
    write_bool(item.read_only, parts)
    INT8.write(item.config_source, parts)
    write_bool(item.is_sensitive, parts)
    write_array(item.synonyms, parts, _write_describe_configs_synonym_v1_3)


def _read_describe_configs_result_v1_2(data: bytes, pos: int) -> tuple[_DescribeConfigsResult, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_nullable_string(data, pos)
    (resource_type,), pos = INT8.unpack(data, pos), pos + 1
    resource_name, pos = read_string(data, pos)
    configs, pos = read_array(data, pos, _read_describe_configs_resource_result_v1_2)
    return _DescribeConfigsResult(
        error_code=error_code,
        error_message=error_message,
        resource_type=resource_type,
        resource_name=resource_name,
        configs=configs,
    ), pos


def _write_describe_configs_result_v1_2(item: _DescribeConfigsResult, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsResult:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_nullable_string(item.error_message, parts)
    INT8.write(item.resource_type, parts)
    write_string(item.resource_name, parts)
    write_array(item.configs, parts, _write_describe_configs_resource_result_v1_2)


def _read_v1_2(data: bytes, pos: int) -> tuple[DescribeConfigsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    results, pos = read_array(data, pos, _read_describe_configs_result_v1_2)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsResponse(throttle_time_ms=throttle_time_ms, results=results), pos


def _write_v1_2(message: DescribeConfigsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.results, parts, _write_describe_configs_result_v1_2)


def _read_describe_configs_resource_result_v3(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsResourceResult, int]:
    name, pos = read_string(data, pos)
    value, pos = read_nullable_string(data, pos)
    read_only, pos = read_bool(data, pos)
    (config_source,), pos = INT8.unpack(data, pos), pos + 1
    is_sensitive, pos = read_bool(data, pos)
    synonyms, pos = read_array(data, pos, _read_describe_configs_synonym_v1_3)
    (config_type,), pos = INT8.unpack(data, pos), pos + 1
    documentation, pos = read_nullable_string(data, pos)
    return _DescribeConfigsResourceResult(
        name=name,
        value=value,
        read_only=read_only,
        config_source=config_source,
        is_sensitive=is_sensitive,
        synonyms=synonyms,
        config_type=config_type,
        documentation=documentation,
    ), pos


def _write_describe_configs_resource_result_v3(
    item: _DescribeConfigsResourceResult, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeConfigsResourceResult:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    write_string(item.name, parts)
    write_nullable_string(item.value, parts)
    write_bool(item.read_only, parts)
    INT8.write(item.config_source, parts)
    write_bool(item.is_sensitive, parts)
    write_array(item.synonyms, parts, _write_describe_configs_synonym_v1_3)
    INT8.write(item.config_type, parts)
    write_nullable_string(item.documentation, parts)


def _read_describe_configs_result_v3(data: bytes, pos: int) -> tuple[_DescribeConfigsResult, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_nullable_string(data, pos)
    (resource_type,), pos = INT8.unpack(data, pos), pos + 1
    resource_name, pos = read_string(data, pos)
    configs, pos = read_array(data, pos, _read_describe_configs_resource_result_v3)
    return _DescribeConfigsResult(
        error_code=error_code,
        error_message=error_message,
        resource_type=resource_type,
        resource_name=resource_name,
        configs=configs,
    ), pos


def _write_describe_configs_result_v3(item: _DescribeConfigsResult, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsResult:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_nullable_string(item.error_message, parts)
    INT8.write(item.resource_type, parts)
    write_string(item.resource_name, parts)
    write_array(item.configs, parts, _write_describe_configs_resource_result_v3)


def _read_v3(data: bytes, pos: int) -> tuple[DescribeConfigsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    results, pos = read_array(data, pos, _read_describe_configs_result_v3)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsResponse(throttle_time_ms=throttle_time_ms, results=results), pos


def _write_v3(message: DescribeConfigsResponse, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    INT32.write(message.throttle_time_ms, parts)
    write_array(message.results, parts, _write_describe_configs_result_v3)


def _read_describe_configs_synonym_v4(data: bytes, pos: int) -> tuple[_DescribeConfigsSynonym, int]:
    name, pos = read_compact_string(data, pos)
    value, pos = read_compact_nullable_string(data, pos)
    (source,), pos = INT8.unpack(data, pos), pos + 1
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeConfigsSynonym(
        name=name, value=value, source=source, unknown_tagged_fields=unknown
    ), pos


def _write_describe_configs_synonym_v4(item: _DescribeConfigsSynonym, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsSynonym:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_nullable_string(item.value, parts)
    INT8.write(item.source, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_configs_resource_result_v4(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsResourceResult, int]:
    name, pos = read_compact_string(data, pos)
    value, pos = read_compact_nullable_string(data, pos)
    read_only, pos = read_bool(data, pos)
    (config_source,), pos = INT8.unpack(data, pos), pos + 1
    is_sensitive, pos = read_bool(data, pos)
    synonyms, pos = read_compact_array(data, pos, _read_describe_configs_synonym_v4)
    (config_type,), pos = INT8.unpack(data, pos), pos + 1
    documentation, pos = read_compact_nullable_string(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeConfigsResourceResult(
        name=name,
        value=value,
        read_only=read_only,
        config_source=config_source,
        is_sensitive=is_sensitive,
        synonyms=synonyms,
        config_type=config_type,
        documentation=documentation,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_configs_resource_result_v4(
    item: _DescribeConfigsResourceResult, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeConfigsResourceResult:
        raise OddValue
    write_compact_string(item.name, parts)
    write_compact_nullable_string(item.value, parts)
    write_bool(item.read_only, parts)
    INT8.write(item.config_source, parts)
    write_bool(item.is_sensitive, parts)
    write_compact_array(item.synonyms, parts, _write_describe_configs_synonym_v4)
    INT8.write(item.config_type, parts)
    write_compact_nullable_string(item.documentation, parts)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_describe_configs_result_v4(data: bytes, pos: int) -> tuple[_DescribeConfigsResult, int]:
    (error_code,), pos = INT16.unpack(data, pos), pos + 2
    error_message, pos = read_compact_nullable_string(data, pos)
    (resource_type,), pos = INT8.unpack(data, pos), pos + 1
    resource_name, pos = read_compact_string(data, pos)
    configs, pos = read_compact_array(data, pos, _read_describe_configs_resource_result_v4)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeConfigsResult(
        error_code=error_code,
        error_message=error_message,
        resource_type=resource_type,
        resource_name=resource_name,
        configs=configs,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_configs_result_v4(item: _DescribeConfigsResult, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsResult:
        raise OddValue
    INT16.write(item.error_code, parts)
    write_compact_nullable_string(item.error_message, parts)
    INT8.write(item.resource_type, parts)
    write_compact_string(item.resource_name, parts)
    write_compact_array(item.configs, parts, _write_describe_configs_resource_result_v4)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[DescribeConfigsResponse, int]:
    (throttle_time_ms,), pos = INT32.unpack(data, pos), pos + 4
    results, pos = read_compact_array(data, pos, _read_describe_configs_result_v4)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsResponse(
        throttle_time_ms=throttle_time_ms, results=results, unknown_tagged_fields=unknown
    ), pos


def _write_v4(message: DescribeConfigsResponse, parts: list[bytes]) -> None:
    INT32.write(message.throttle_time_ms, parts)
    write_compact_array(message.results, parts, _write_describe_configs_result_v4)
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeConfigsResponse._codecs = {
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
