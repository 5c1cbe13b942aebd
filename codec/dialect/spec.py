"""Message definitions: `parse` reads Kafka's JSON dialect and returns checked, frozen values.

A definition may come from anywhere. Everything in it is checked here, once, so that code made from
it is safe: names are plain words, versions are ranges, defaults fit their types, structs are
declared once and do not contain themselves. A definition that breaks a rule raises `SchemaError`
with file, field and rule.

    Spec ── fields ──> Field ── type ──> FieldType ("int32", "[]string", "TopicPartition", ...)
      └──── structs ─> Struct ── fields ──> Field

A field's versions may be wider than its message's, or outside of them; `layout` intersects them.
Source: Kafka's generator (MessageSpec, FieldSpec, StructRegistry) and
KIP-482 for flexible versions and tagged fields.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar
from uuid import UUID

import msgspec

from ... import schemas
from ..errors import SchemaError
from ..wire.primitives import ZERO_UUID, parse_uuid
from .framing import Framing
from .names import camel, class_name, short_repr, snake
from .versions import VersionRange

INTEGER_RANGES = {
    "int8": range(-(1 << 7), 1 << 7),
    "int16": range(-(1 << 15), 1 << 15),
    "uint16": range(1 << 16),
    "int32": range(-(1 << 31), 1 << 31),
    "uint32": range(1 << 32),
    "int64": range(-(1 << 63), 1 << 63),
}
FIXED_BYTES = {
    "bool": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8,
    "float64": 8, "uuid": 16,
}  # fmt: skip
SIZED = ("string", "bytes", "records")  # a length, then that many bytes
ENCODINGS = ("modified-utf-8", "utf-16")  # of strings that are not UTF-8: see `wire.utf8`
PRIMITIVES = (*FIXED_BYTES, *SIZED)

MESSAGE_TYPES = (
    "request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value",
)  # fmt: skip
FRAMING_BY_TYPE = {
    "coordinator-key": Framing("record-type"),
    "coordinator-value": Framing("version"),
}
LISTENERS = ("broker", "controller", "zkBroker")

MAX_STRUCTS_A_BYTE = 4  # in one value; limits the memory that reading a byte can take
MAX_DEPTH = 16  # structs within structs; Kafka's own definitions reach 5
MAX_EXPANDED_FIELDS = 4096  # fields after every struct is written out where it is used
MAX_WRITTEN_OUT = 1 << 15  # the same of message and structs in all versions; Kafka's reach 3,000

# Names that the base classes use; a field or struct of that name gets a trailing `_`.
RESERVED_FIELDS = frozenset(
    "from_body from_bytes from_json replace to_body to_bytes to_json unknown_tagged_fields".split()
)
RESERVED_STRUCTS = frozenset("FRAMING LATEST MessagePart NAME VERSIONS".split())

Default = bool | int | float | str | bytes | UUID | tuple[()] | None


class FieldType(msgspec.Struct, frozen=True):
    """A primitive or struct name, or an array of one."""

    name: str
    array: bool = False

    @property
    def is_struct(self) -> bool:
        """Whether a value, or an element, is a struct."""
        return self.name not in PRIMITIVES

    @property
    def can_be_null(self) -> bool:
        """Whether the wire has a null for the type."""
        return self.array or self.is_struct or self.name in SIZED

    def __str__(self) -> str:
        return f"[]{self.name}" if self.array else self.name


class Field(msgspec.Struct, frozen=True):
    """A field as its definition declares it.

    `default` is None where it is null, and for a struct whose default is a struct of defaults: then
    `default_is_null` is False. `optional` (versions in which a message may end before the field)
    and `encoding` (of a string that is not UTF-8) are extensions of Kafka's dialect.
    """

    name: str
    snake: str
    camel: str
    type: FieldType
    versions: VersionRange
    nullable: VersionRange = VersionRange.NONE
    tagged: VersionRange = VersionRange.NONE
    tag: int | None = None
    flexible: VersionRange | None = None
    optional: VersionRange = VersionRange.NONE
    encoding: str = ""
    default: Default = None
    default_is_null: bool = False
    ignorable: bool = False
    map_key: bool = False
    entity_type: str = ""
    about: str = ""


class Struct(msgspec.Struct, frozen=True):
    """A struct: its name in the definition and in Python, its versions, its fields."""

    name: str
    class_name: str
    versions: VersionRange
    fields: tuple[Field, ...]
    about: str = ""


class Spec(msgspec.Struct, frozen=True):
    """A message definition that has been checked.

    `structs` holds every struct by name, whether declared inside a field or common, each after the
    structs that it uses. `text` is the definition as canonical JSON. `written_out` counts the
    fields of message and structs in all versions: it limits the code that is generated.
    """

    name: str
    class_name: str
    type: str
    versions: VersionRange
    flexible: VersionRange
    framing: Framing
    fields: tuple[Field, ...]
    structs: dict[str, Struct]
    api_key: int | None
    latest_unstable: bool
    about: str
    source: str
    text: str
    written_out: int = 0

    UNKNOWN_SOURCE: ClassVar[str] = "<definition>"


def parse(
    definition: str | Mapping[str, Any],
    *,
    source: str = Spec.UNKNOWN_SOURCE,
    framing: Framing | None = None,
    framing_of: Callable[[str], Framing | None] = lambda name: None,
) -> Spec:
    """Return the definition in a text, or in the JSON object parsed from it. Raises SchemaError.

    `framing` overrides what the definition says. `framing_of` returns the framing of the built-in
    definition of a name, for `data` messages that declare none.
    """
    if isinstance(definition, str):
        try:
            definition = schemas.loads(definition)
        except ValueError as error:
            raise SchemaError(source, "", f"not a JSON definition: {error}") from None
    if not isinstance(definition, Mapping):
        raise SchemaError(source, "", "a definition is one JSON object")
    return _Reader(source).message(definition, framing, framing_of)


# The keys of the dialect, each with its JSON type.
_Keys = dict[str, type | tuple[type, ...]]
_ANY_DEFAULT = (str, int, float, bool, type(None))
_MESSAGE_KEYS: _Keys = {
    "type": str, "name": str, "validVersions": str, "flexibleVersions": str, "apiKey": int,
    "fields": list, "commonStructs": list, "listeners": list, "latestVersionUnstable": bool,
    "deprecatedVersions": str, "about": str, "framing": str, "newerVersions": str,
}  # fmt: skip
_FIELD_KEYS: _Keys = {
    "name": str, "type": str, "versions": str, "nullableVersions": str, "default": _ANY_DEFAULT,
    "ignorable": bool, "tag": int, "taggedVersions": str, "mapKey": bool, "entityType": str,
    "zeroCopy": bool, "flexibleVersions": str, "about": str, "fields": list,
    "optionalVersions": str, "encoding": str,
}  # fmt: skip
_STRUCT_KEYS: _Keys = {"name": str, "versions": str, "fields": list, "about": str}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_MAX_NAME = 128


class _Reader:
    """Reads one definition: its source for error messages, and the structs found so far."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.structs: dict[str, Struct] = {}
        self.depth = 0

    def refuse(self, where: str, rule: str) -> SchemaError:
        return SchemaError(self.source, where, rule)

    # -- the message

    def message(
        self,
        obj: Mapping[str, Any],
        framing: Framing | None,
        framing_of: Callable[[str], Framing | None],
    ) -> Spec:
        self.check_keys("", obj, _MESSAGE_KEYS, required=("type", "name", "validVersions"))
        name = self.name("", obj["name"])
        if obj["type"] not in MESSAGE_TYPES:
            raise self.refuse("", f"unknown message type {short_repr(obj['type'])}")
        versions = self.versions("", obj, "validVersions")
        flexible = self.versions("", obj, "flexibleVersions")
        self.versions("", obj, "deprecatedVersions")
        api_key = self.int16("apiKey", obj)
        self.listeners(obj.get("listeners", []))
        for struct in obj.get("commonStructs", []):
            self.common_struct(struct)
        fields = self.fields("", obj.get("fields", []), versions)
        spec = Spec(
            name=name,
            class_name=class_name(name),
            type=obj["type"],
            versions=versions,
            flexible=flexible & versions,
            framing=framing or self.framing(obj, framing_of(name)),
            fields=fields,
            structs=self.structs,
            api_key=api_key,
            latest_unstable=_flag(obj, "latestVersionUnstable"),
            about=obj.get("about", ""),
            source=self.source,
            text=json.dumps(obj, separators=(",", ":"), default=dict),
        )
        return _Checker(spec).checked()

    def framing(self, obj: Mapping[str, Any], built_in: Framing | None) -> Framing:
        if "framing" not in obj:
            if "newerVersions" in obj:
                raise self.refuse("", "newerVersions without framing")
            default = FRAMING_BY_TYPE.get(obj["type"], Framing("none"))
            return built_in if built_in and obj["type"] == "data" else default
        try:
            return Framing(obj["framing"], obj.get("newerVersions", "refuse"))
        except ValueError as error:
            raise self.refuse("", str(error)) from None

    def listeners(self, names: list[Any]) -> None:
        for name in names:
            if name not in LISTENERS:
                raise self.refuse("listeners", f"unknown listener {short_repr(name)}")

    # -- structs

    def common_struct(self, obj: Any) -> None:
        where = "commonStructs"
        if not isinstance(obj, Mapping):
            raise self.refuse(where, "a struct is a JSON object")
        self.check_keys(where, obj, _STRUCT_KEYS, required=("name", "versions", "fields"))
        versions = self.versions(where, obj, "versions")
        self.struct(obj["name"], versions, obj["fields"], obj.get("about", ""))

    def struct(self, name: str, versions: VersionRange, fields: list[Any], about: str) -> None:
        self.name(name, name)
        if not name[0].isupper() or name in PRIMITIVES:
            raise self.refuse(name, "a struct's name begins with a capital letter")
        if name in self.structs:
            raise self.refuse(name, "struct declared twice")
        read = self.fields(name, fields, versions)
        if name in self.structs:
            raise self.refuse(name, "a struct is declared inside itself")
        python_name = class_name(name, RESERVED_STRUCTS)
        self.structs[name] = Struct(name, python_name, versions, read, about)

    # -- fields

    def fields(self, owner: str, objs: list[Any], outer: VersionRange) -> tuple[Field, ...]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.refuse(owner, f"structs nested more than {MAX_DEPTH} deep")
        fields = tuple(self.field(owner, obj, outer) for obj in objs)
        self.depth -= 1
        self.check_names(owner, fields)
        self.check_tags(owner, fields)
        return fields

    def check_names(self, owner: str, fields: tuple[Field, ...]) -> None:
        names: dict[str, str] = {}
        for field in fields:
            if field.snake in names:
                rule = f"two fields of this name: {names[field.snake]} is {field.snake}, too"
                raise self.refuse(_dotted(owner, field.name), rule)
            names[field.snake] = field.name

    def check_tags(self, owner: str, fields: tuple[Field, ...]) -> None:
        tagged = [(field.tag, field.name) for field in fields if field.tag is not None]
        for number, (tag, name) in enumerate(sorted(tagged)):
            if tag != number:
                rule = (
                    f"tag {short_repr(tag)} where {number} comes next: tags are contiguous from 0"
                )
                raise self.refuse(_dotted(owner, name), rule)

    def field(self, owner: str, obj: Any, outer: VersionRange) -> Field:
        if not isinstance(obj, Mapping):
            raise self.refuse(owner, "a field is a JSON object")
        label = obj.get("name")
        where = _dotted(owner, label) if isinstance(label, str) else owner
        self.check_keys(where, obj, _FIELD_KEYS, required=("name", "type"))
        name = self.name(where, obj["name"])
        type_ = self.field_type(where, obj["type"])
        tagged = self.versions(where, obj, "taggedVersions")
        versions = self.versions(where, obj, "versions") if "versions" in obj else tagged
        if not versions:
            raise self.refuse(where, "versions are missing")
        nullable = self.versions(where, obj, "nullableVersions")
        self.check_nullable(where, type_, versions, nullable)
        tag = self.tag(where, obj, versions, tagged)
        default, is_null = self.default(where, obj, type_, versions, nullable)
        if "fields" in obj:
            if not type_.is_struct:
                raise self.refuse(where, f"{type_} has no fields of its own")
            self.struct(type_.name, versions, obj["fields"], "")
        return Field(
            name=name,
            snake=snake(name, RESERVED_FIELDS),
            camel=camel(name),
            type=type_,
            versions=versions,
            nullable=nullable & versions,
            tagged=tagged & versions,
            tag=tag,
            flexible=self.field_flexible(where, obj, type_),
            optional=self.versions(where, obj, "optionalVersions") & versions,
            encoding=self.encoding(where, obj, type_, nullable),
            default=default,
            default_is_null=is_null,
            ignorable=_flag(obj, "ignorable"),
            map_key=_flag(obj, "mapKey"),
            entity_type=obj.get("entityType", ""),
            about=obj.get("about", ""),
        )

    def field_type(self, where: str, text: str) -> FieldType:
        name = text.removeprefix("[]")
        if name not in PRIMITIVES and not (_NAME.fullmatch(name) and name[0].isupper()):
            raise self.refuse(where, f"unknown type {short_repr(text)}")
        return FieldType(name, array=text.startswith("[]"))

    def field_flexible(
        self, where: str, obj: Mapping[str, Any], type_: FieldType
    ) -> VersionRange | None:
        if "flexibleVersions" not in obj:
            return None
        if type_.array or type_.name not in ("string", "bytes"):
            raise self.refuse(where, f"flexibleVersions is for string and bytes, not for {type_}")
        return self.versions(where, obj, "flexibleVersions")

    def encoding(
        self, where: str, obj: Mapping[str, Any], type_: FieldType, nullable: VersionRange
    ) -> str:
        encoding: str = obj.get("encoding", "")
        if not encoding:
            return ""
        if encoding not in ENCODINGS:
            raise self.refuse(
                where, f"encoding {short_repr(encoding)} is none of {', '.join(ENCODINGS)}"
            )
        if type_ != FieldType("string") or nullable:
            raise self.refuse(where, "encoding is for a string that is never null")
        return encoding

    def check_nullable(
        self, where: str, type_: FieldType, versions: VersionRange, nullable: VersionRange
    ) -> None:
        if not nullable:
            return
        if not type_.can_be_null:
            raise self.refuse(where, f"{type_} cannot be null")
        if not nullable & versions:
            raise self.refuse(where, f"nullableVersions {nullable} cover none of {versions}")

    def tag(
        self, where: str, obj: Mapping[str, Any], versions: VersionRange, tagged: VersionRange
    ) -> int | None:
        if ("tag" in obj) != bool(tagged):
            raise self.refuse(where, "tag and taggedVersions need each other")
        if not tagged:
            return None
        if not tagged & versions:
            raise self.refuse(where, f"taggedVersions {tagged} cover none of {versions}")
        return int(obj["tag"])

    # -- defaults

    def default(
        self,
        where: str,
        obj: Mapping[str, Any],
        type_: FieldType,
        versions: VersionRange,
        nullable: VersionRange,
    ) -> tuple[Default, bool]:
        """Return the default value, and whether it is null; a JSON null declares no default."""
        field_default = obj.get("default")
        if field_default == "null":
            if versions & nullable != versions:
                raise self.refuse(where, "default null, but not nullable in every version")
            return None, True
        if type_.array or type_.is_struct:
            if field_default not in (None, ""):
                raise self.refuse(
                    where, f"default {short_repr(field_default)} does not fit {type_}"
                )
            return (() if type_.array else None), False
        try:
            return _DEFAULTS[type_.name](type_.name, field_default), False
        except (ValueError, OverflowError):
            raise self.refuse(
                where, f"default {short_repr(field_default)} does not fit {type_}"
            ) from None

    # -- small things

    def check_keys(
        self, where: str, obj: Mapping[str, Any], keys: _Keys, required: tuple[str, ...]
    ) -> None:
        for key, value in obj.items():
            if key not in keys:
                raise self.refuse(where, f"unknown key {short_repr(key)}")
            if _in_quotes(keys[key], value):
                continue
            wrong_bool = isinstance(value, bool) and keys[key] is int
            if wrong_bool or not isinstance(value, keys[key]):
                raise self.refuse(
                    where, f"{key!r} has a value of the wrong kind: {short_repr(value)}"
                )
        for key in required:
            if key not in obj:
                raise self.refuse(where, f"{key!r} is missing")

    def name(self, where: str, name: str) -> str:
        if not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
            raise self.refuse(where, f"{short_repr(name)} is not a name: letters and digits only")
        return name

    def versions(self, where: str, obj: Mapping[str, Any], key: str) -> VersionRange:
        try:
            return VersionRange.parse(obj.get(key, "none"))
        except ValueError as error:
            raise self.refuse(where, f"{key}: {error}") from None

    def int16(self, key: str, obj: Mapping[str, Any]) -> int | None:
        value = int(obj[key]) if key in obj else None
        if value is not None and value not in INTEGER_RANGES["int16"]:
            raise self.refuse(key, f"{short_repr(value)} is not an int16")
        return value


def _dotted(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner else name


_NUMBER_IN_QUOTES = r"[0-9]{1,5}"


def _in_quotes(kind: type | tuple[type, ...], value: Any) -> bool:
    """Return whether a value is a bool or number in quotes; Kafka 3.9 has `"tag": "0"`."""
    if not isinstance(value, str):
        return False
    if kind is int:
        return re.fullmatch(_NUMBER_IN_QUOTES, value) is not None
    return kind is bool and value in ("true", "false")


def _flag(obj: Mapping[str, Any], key: str) -> bool:
    return obj.get(key, False) in (True, "true")


class _Weight(msgspec.Struct, frozen=True):
    """The fewest bytes that a value takes, and how many structs it consists of then.

    Structs that take no bytes share one default and do not count.
    """

    width: int
    objects: int


class _Checker:
    """Checks what needs the whole definition: structs exist, end, are small, take up bytes."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.done: dict[str, tuple[int, int]] = {}  # struct -> (fields when expanded, depth)
        self.weights: dict[tuple[str, int], _Weight] = {}  # of a struct in a version

    def refuse(self, where: str, rule: str) -> SchemaError:
        return SchemaError(self.spec.source, where, rule)

    def checked(self) -> Spec:
        written_out = self.check_size()
        if self.spec.framing.kind == "version32":
            self.check_version32()
        if self.spec.framing.kind == "record-type" and self.spec.api_key is None:
            raise self.refuse("", "framing record-type needs an apiKey")
        for owner, field in self.all_fields():
            self.check_field(owner, field)
        self.check_optional()
        ordered = {name: self.spec.structs[name] for name in self.done}
        return msgspec.structs.replace(self.spec, structs=ordered, written_out=written_out)

    def all_fields(self) -> Iterator[tuple[str, Field]]:
        yield from (("", field) for field in self.spec.fields)
        for struct in self.spec.structs.values():
            yield from ((struct.name, field) for field in struct.fields)

    def check_size(self) -> int:
        size, _ = self.measure("", self.spec.fields, ())
        for name, struct in self.spec.structs.items():
            if name not in self.done:  # used nowhere
                self.done[name] = self.measure(name, struct.fields, (name,))
        size += sum(below for below, _ in self.done.values())
        versions = self.spec.versions.highest - self.spec.versions.lowest + 1
        if size * versions > MAX_WRITTEN_OUT:
            rule = f"{size} fields in {versions} versions, at most {MAX_WRITTEN_OUT} altogether"
            raise self.refuse("", rule)
        return max(size, 1) * versions

    def measure(
        self, owner: str, fields: tuple[Field, ...], inside: tuple[str, ...]
    ) -> tuple[int, int]:
        size, depth = len(fields), 0
        for field in fields:
            if field.type.is_struct:
                below_size, below_depth = self.measure_struct(owner, field, inside)
                size, depth = size + below_size, max(depth, below_depth + 1)
        if size > MAX_EXPANDED_FIELDS or depth > MAX_DEPTH:
            limits = f"{MAX_EXPANDED_FIELDS} fields, {MAX_DEPTH} deep"
            raise self.refuse(owner, f"too large when its structs are written out: {limits}")
        return size, depth

    def measure_struct(self, owner: str, field: Field, inside: tuple[str, ...]) -> tuple[int, int]:
        name = field.type.name
        where = _dotted(owner, field.name)
        if name not in self.spec.structs:
            raise self.refuse(where, f"struct {name} is not declared")
        if name in inside:
            raise self.refuse(where, f"struct {name} contains itself")
        if name not in self.done:
            if len(inside) >= MAX_DEPTH:
                raise self.refuse(where, f"structs nested more than {MAX_DEPTH} deep")
            struct = self.spec.structs[name]
            self.done[name] = self.measure(name, struct.fields, (*inside, name))
        return self.done[name]

    def check_field(self, owner: str, field: Field) -> None:
        where = _dotted(owner, field.name)
        outside = [v for v in field.tagged & self.spec.versions if v not in self.spec.flexible]
        if outside:
            raise self.refuse(where, f"tagged in version {outside[0]}, which is not flexible")
        if not field.type.is_struct:
            return
        struct = self.spec.structs[field.type.name]
        for version in field.versions & self.spec.versions:
            if version not in struct.versions:  # Kafka's generator takes it, and its code throws
                raise self.refuse(where, f"struct {struct.name} has no version {version}")
            weight = self.weight(struct, version)
            width, objects = weight.width, weight.objects
            if field.type.array and width == 0:
                rule = f"elements take no bytes in version {version}, so that a count has no limit"
                raise self.refuse(where, rule)
            if objects > MAX_STRUCTS_A_BYTE * max(width, 1):
                rule = f"{objects} structs within structs from {width} bytes in version {version}"
                raise self.refuse(where, rule)

    def weight(self, struct: Struct, version: int) -> _Weight:
        """Return the weight of a value of the struct in this version, tag section included."""
        key = struct.name, version
        if key not in self.weights:
            present = [
                f for f in struct.fields if version in f.versions and version not in f.tagged
            ]
            inner = [self.field_weight(field, version) for field in present]
            width = sum(weight.width for weight in inner) + (version in self.spec.flexible)
            objects = 1 + sum(weight.objects for weight in inner) if width else 0
            self.weights[key] = _Weight(width, objects)
        return self.weights[key]

    def field_weight(self, field: Field, version: int) -> _Weight:
        if field.type.array or field.type.name in SIZED or version in field.nullable:
            return _Weight(width=1, objects=0)
        if field.type.is_struct:
            return self.weight(self.spec.structs[field.type.name], version)
        return _Weight(FIXED_BYTES[field.type.name], objects=0)

    def check_optional(self) -> None:
        """Refuse optional fields except at the end of a message, without a tag section behind."""
        for owner, field in self.all_fields():
            where = _dotted(owner, field.name)
            if owner and field.optional:
                raise self.refuse(where, "optionalVersions is for fields of the message itself")
            if field.encoding and field.versions & self.spec.flexible:
                raise self.refuse(where, "encoding is for versions that are not flexible")
            if field.optional & self.spec.flexible:
                raise self.refuse(where, "optionalVersions is for versions that are not flexible")
        for previous, successor in itertools.pairwise(self.spec.fields):
            still = previous.optional & successor.versions & self.spec.versions
            if still & successor.optional != still:
                rule = f"has to be optional, since {previous.name} in front of it is"
                raise self.refuse(successor.name, rule)

    def check_version32(self) -> None:
        names = ["version", "latest_supported_version"]
        needed_names = names if self.spec.framing.newer == "head" else names[:1]
        highest = self.spec.versions.highest
        first = [field for field in self.spec.fields if highest in field.versions][
            : len(needed_names)
        ]
        plain = all(field.type == FieldType("int32") and not field.tagged for field in first)
        always = first and first[0].versions & self.spec.versions == self.spec.versions
        if not (always and plain and [field.snake for field in first] == needed_names):
            rule = f"framing version32 needs int32 fields in front: {', '.join(needed_names)}"
            raise self.refuse("", rule)


# -- defaults by type


def _bool_default(_: str, field_default: Any) -> bool:
    """Return a bool, also from its name in upper or lower case, as Kafka's generator does."""
    if field_default is None or isinstance(field_default, bool):
        return bool(field_default)
    spellings = {"false": False, "true": True, "": False}
    if not isinstance(field_default, str) or field_default.lower() not in spellings:
        raise ValueError
    return spellings[field_default.lower()]


def _integer_default(type_: str, field_default: Any) -> int:
    if field_default is None or field_default == "":
        return 0
    value = _integer(field_default) if isinstance(field_default, str) else field_default
    if isinstance(value, bool) or not isinstance(value, int) or value not in INTEGER_RANGES[type_]:
        raise ValueError
    return value


_INTEGER = r"[-+]?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})"


def _integer(text: str) -> int:
    """Return a number from decimal or hex digits, as Java's Long.decode reads them."""
    if not re.fullmatch(_INTEGER, text):
        raise ValueError
    return int(text, 16 if "x" in text.lower() else 10)


def _float_default(_: str, field_default: Any) -> float:
    if isinstance(field_default, bool):
        raise ValueError
    if isinstance(field_default, str) and "_" in field_default:
        raise ValueError
    if isinstance(field_default, float) and not math.isfinite(
        field_default
    ):  # allowed as text: JSON has none
        raise ValueError
    return float(field_default or 0.0)


def _string_default(_: str, field_default: Any) -> str:
    if field_default is not None and not isinstance(field_default, str):
        raise ValueError
    text = field_default or ""
    if len(text.encode()) > 32767:
        raise ValueError
    return text


def _bytes_default(_: str, field_default: Any) -> bytes:
    if field_default not in (None, ""):
        raise ValueError
    return b""


def _uuid_default(_: str, field_default: Any) -> UUID:
    if field_default is None or field_default == "":
        return ZERO_UUID
    if not isinstance(field_default, str):
        raise ValueError
    return parse_uuid(field_default)


_DEFAULTS: dict[str, Callable[[str, Any], Default]] = {
    **dict.fromkeys(INTEGER_RANGES, _integer_default),
    "bool": _bool_default,
    "float64": _float_default,
    "uuid": _uuid_default,
    "string": _string_default,
    "bytes": _bytes_default,
    "records": _bytes_default,
}
