"""DescribeConfigsRequest, generated from schemas/DescribeConfigsRequest.json; change that file and run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dialect.framing import Framing
from ..dialect.versions import VersionRange
from ..runtime.message import Codec, Message, MessagePart, RawTaggedField
from ..runtime.tags import read_unknown_tags, write_unknown_tags
from ..wire.primitives import (
    INT8,
    OddBytes,
    OddValue,
    read_array,
    read_bool,
    read_compact_array,
    read_compact_nullable_array,
    read_compact_string,
    read_nullable_array,
    read_string,
    write_array,
    write_bool,
    write_compact_array,
    write_compact_nullable_array,
    write_compact_string,
    write_nullable_array,
    write_string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class DescribeConfigsRequest(Message, frozen=True, kw_only=True, gc=False):
    """DescribeConfigsRequest, versions 1-4.

    Asks for the settings of brokers, topics and groups.

    Version 1 (KIP-226): synonyms. Version 2 (KIP-219): throttled after the answer, not before it.
    Version 3 (KIP-569): types and documentation. Version 4 (KIP-482): flexible.

    Attributes:
        resources ([]DescribeConfigsResource): What is asked about. Versions 1-4; default ().
        include_synonyms (bool): Whether to tell the other settings that a value could come from.
            Versions 1-4; default False.
        include_documentation (bool): Whether to tell what each setting is for. Versions 3-4; default
            False; other versions cannot hold it.
        unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
            (KIP-482). Version 4; default ().
    """

    NAME = "DescribeConfigsRequest"
    VERSIONS = VersionRange(1, 4)
    LATEST = 4
    API_KEY = 32
    FRAMING = Framing("none", "refuse")

    class DescribeConfigsResource(MessagePart, frozen=True, kw_only=True, gc=False):
        """DescribeConfigsResource of DescribeConfigsRequest, versions 1-4.

        What is asked about.

        Attributes:
            resource_type (int8): What it is: 2 a topic, 4 a broker, 32 a group. Versions 1-4; default
                0.
            resource_name (string): The topic's or group's name, the broker's id. Versions 1-4;
                default ''.
            configuration_keys ([]string): The settings that are asked for; null for all. Versions
                1-4; may be null; default ().
            unknown_tagged_fields: Tagged fields that the definition does not know, as they were read
                (KIP-482). Version 4; default ().
        """

        resource_type: int = 0
        resource_name: str = ""
        configuration_keys: tuple[str, ...] | None = ()
        unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

        _sequences = ("configuration_keys", "unknown_tagged_fields")

        def __post_init__(self) -> None:
            if (
                self.configuration_keys is not None and type(self.configuration_keys) is not tuple
            ) or type(self.unknown_tagged_fields) is not tuple:
                self._freeze()

        if TYPE_CHECKING:

            def __init__(
                self,
                *,
                resource_type: int = ...,
                resource_name: str = ...,
                configuration_keys: Iterable[str] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> None: ...

            def replace(
                self,
                *,
                resource_type: int = ...,
                resource_name: str = ...,
                configuration_keys: Iterable[str] | None = ...,
                unknown_tagged_fields: Iterable[RawTaggedField] = ...,
            ) -> Self: ...

    resources: tuple[DescribeConfigsRequest.DescribeConfigsResource, ...] = ()
    include_synonyms: bool = False
    include_documentation: bool = False
    unknown_tagged_fields: tuple[RawTaggedField, ...] = ()

    _sequences = ("resources", "unknown_tagged_fields")

    def __post_init__(self) -> None:
        if type(self.resources) is not tuple or type(self.unknown_tagged_fields) is not tuple:
            self._freeze()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            resources: Iterable[DescribeConfigsRequest.DescribeConfigsResource] = ...,
            include_synonyms: bool = ...,
            include_documentation: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> None: ...

        def replace(
            self,
            *,
            resources: Iterable[DescribeConfigsRequest.DescribeConfigsResource] = ...,
            include_synonyms: bool = ...,
            include_documentation: bool = ...,
            unknown_tagged_fields: Iterable[RawTaggedField] = ...,
        ) -> Self: ...


_DescribeConfigsResource = DescribeConfigsRequest.DescribeConfigsResource


def _read_describe_configs_resource_v1_3(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsResource, int]:
    (resource_type,), pos = INT8.unpack(data, pos), pos + 1
    resource_name, pos = read_string(data, pos)
    configuration_keys, pos = read_nullable_array(data, pos, read_string)
    return _DescribeConfigsResource(
        resource_type=resource_type,
        resource_name=resource_name,
        configuration_keys=configuration_keys,
    ), pos


def _write_describe_configs_resource_v1_3(
    item: _DescribeConfigsResource, parts: list[bytes]
) -> None:
    if type(item) is not _DescribeConfigsResource:
        raise OddValue
    if item.unknown_tagged_fields:
        raise OddValue
    INT8.write(item.resource_type, parts)
    write_string(item.resource_name, parts)
    write_nullable_array(item.configuration_keys, parts, write_string)


def _read_v1_2(data: bytes, pos: int) -> tuple[DescribeConfigsRequest, int]:
    resources, pos = read_array(data, pos, _read_describe_configs_resource_v1_3)
    include_synonyms, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsRequest(resources=resources, include_synonyms=include_synonyms), pos


def _write_v1_2(message: DescribeConfigsRequest, parts: list[bytes]) -> None:
    if message.include_documentation is not False:
        raise OddValue
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.resources, parts, _write_describe_configs_resource_v1_3)
    write_bool(message.include_synonyms, parts)


def _read_v3(data: bytes, pos: int) -> tuple[DescribeConfigsRequest, int]:
    resources, pos = read_array(data, pos, _read_describe_configs_resource_v1_3)
    include_synonyms, pos = read_bool(data, pos)
    include_documentation, pos = read_bool(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsRequest(
        resources=resources,
        include_synonyms=include_synonyms,
        include_documentation=include_documentation,
    ), pos


def _write_v3(message: DescribeConfigsRequest, parts: list[bytes]) -> None:
    if message.unknown_tagged_fields:
        raise OddValue
    write_array(message.resources, parts, _write_describe_configs_resource_v1_3)
    write_bool(message.include_synonyms, parts)
    write_bool(message.include_documentation, parts)


def _read_describe_configs_resource_v4(
    data: bytes, pos: int
) -> tuple[_DescribeConfigsResource, int]:
    (resource_type,), pos = INT8.unpack(data, pos), pos + 1
    resource_name, pos = read_compact_string(data, pos)
    configuration_keys, pos = read_compact_nullable_array(data, pos, read_compact_string)
    unknown, pos = read_unknown_tags(data, pos)
    return _DescribeConfigsResource(
        resource_type=resource_type,
        resource_name=resource_name,
        configuration_keys=configuration_keys,
        unknown_tagged_fields=unknown,
    ), pos


def _write_describe_configs_resource_v4(item: _DescribeConfigsResource, parts: list[bytes]) -> None:
    if type(item) is not _DescribeConfigsResource:
        raise OddValue
    INT8.write(item.resource_type, parts)
    write_compact_string(item.resource_name, parts)
    write_compact_nullable_array(item.configuration_keys, parts, write_compact_string)
    write_unknown_tags(item.unknown_tagged_fields, parts)


def _read_v4(data: bytes, pos: int) -> tuple[DescribeConfigsRequest, int]:
    resources, pos = read_compact_array(data, pos, _read_describe_configs_resource_v4)
    include_synonyms, pos = read_bool(data, pos)
    include_documentation, pos = read_bool(data, pos)
    unknown, pos = read_unknown_tags(data, pos)
    if pos > len(data):
        raise OddBytes
    return DescribeConfigsRequest(
        resources=resources,
        include_synonyms=include_synonyms,
        include_documentation=include_documentation,
        unknown_tagged_fields=unknown,
    ), pos


def _write_v4(message: DescribeConfigsRequest, parts: list[bytes]) -> None:
    write_compact_array(message.resources, parts, _write_describe_configs_resource_v4)
    write_bool(message.include_synonyms, parts)
    write_bool(message.include_documentation, parts)
    write_unknown_tags(message.unknown_tagged_fields, parts)


DescribeConfigsRequest._codecs = {
    1: Codec(_read_v1_2, _write_v1_2),
    2: Codec(_read_v1_2, _write_v1_2),
    3: Codec(_read_v3, _write_v3),
    4: Codec(_read_v4, _write_v4),
}
