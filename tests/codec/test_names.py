"""Names that clash: with Python, with the bases, with what generated code uses itself.

Every one is legal in a definition, so its class has to work like any other.
"""

from __future__ import annotations

import builtins
import keyword
import typing
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from kproto.codec import Message, SchemaError, VersionedMessage, compile_definition, decode
from kproto.codec.runtime import message as message_module
from kproto.codec.runtime import tags
from kproto.codec.wire import primitives as wire

BUILTINS = [name for name in dir(builtins) if name.isalnum()]
RUNTIME = [
    name
    for module in (message_module, wire, tags, typing)
    for name in vars(module)
    if name.isalnum()
]
CAPITALS = sorted(
    {name for name in (*BUILTINS, *RUNTIME, *keyword.kwlist) if name[0].isupper()}
    | {name.capitalize() for name in keyword.kwlist}
    | set("Made NAME VERSIONS LATEST FRAMING API UUID Framing VersionRange Iterable Int".split())
)
FIELDS = sorted(
    {name.capitalize() for name in (*keyword.kwlist, *BUILTINS)}
    | set(
        "Self Len Type Range Data Pos Parts Raw Size Tag Tags Known Count End Message Required "
        "ToJson FromJson ToBody FromBody ToBytes FromBytes Replace UnknownTaggedFields Freeze "
        "Sequences Blobs Codecs Unknown Unknown2 Fields Tagged Item Struct Field Version "
        "Varint Data2".split()
    )
    | {
        "".join(word.capitalize() for word in name.split("_"))  # of snake_case again, as a field
        for module in (wire, tags)
        for name in vars(module)
        if name.startswith(("read_", "write_"))
    }
)
TYPES = ("string", "[]string", "[]int32", "bytes", "int32", "bool", "uuid", "[]Inner", "Inner")
VALUES = {
    "string": "a", "[]string": ("a", "b"), "[]int32": (1, 2), "bytes": b"b", "int32": 3,
    "bool": True,
}  # fmt: skip


def define(name: str = "Made", fields: list[dict[str, object]] | None = None) -> type[Message]:
    return compile_definition(
        {
            "type": "data",
            "name": name,
            "validVersions": "0-1",
            "flexibleVersions": "1+",
            "framing": "version",
            "fields": fields or [],
            "commonStructs": [
                {
                    "name": "Inner",
                    "versions": "0+",
                    "fields": [{"name": "Number", "type": "int8", "versions": "0+"}],
                }
            ],
        }
    )


def check(cls: type[Message], **values: object) -> None:
    """Every part of the face, once."""
    assert issubclass(cls, VersionedMessage)
    message = cls(**values)
    for version in (0, 1):
        data = message.to_bytes(version)
        assert cls.from_bytes(data) == message
        assert decode(data, cls).message == message
        assert cls.from_body(data[2:], version) == message
        assert cls.from_json(message.to_json(version), version) == message
    for name, value in values.items():
        assert getattr(message, name) == value
        assert message.replace(**{name: value}) == message


@pytest.mark.no_cover
@pytest.mark.parametrize("type_", TYPES)
def test_field_names(type_: str) -> None:
    """All of them in one message, so that they meet each other, too."""
    fields: list[dict[str, object]] = [
        {"name": name, "type": type_, "versions": "0+"} for name in FIELDS
    ]
    cls = define(fields=fields)
    value = VALUES.get(type_)
    if type_.endswith("Inner"):
        inner = cls.Inner(number=5)  # type: ignore[attr-defined]
        value = (inner,) if type_.startswith("[]") else inner
    values = {} if value is None else dict.fromkeys(cls.__struct_fields__[:-1], value)
    check(cls, **values)


def struct_names() -> Iterator[ParameterSet]:
    """Each name once here, and in `make slow` the other way, too."""
    for number, name in enumerate(CAPITALS):
        for tagged in (False, True):
            marks = [pytest.mark.slow] if tagged == bool(number % 2) else []
            yield pytest.param(name, tagged, marks=marks, id=f"{name}-{tagged}")


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "tagged"), list(struct_names()))
def test_struct_names(name: str, tagged: bool) -> None:
    inner = {"name": "Id", "type": "uuid", "versions": "0+", "default": "AAAAAAAAAAAAAAAAAAAAAQ"}
    fields: list[dict[str, object]] = [
        {"name": "One", "type": name, "versions": "0+", "fields": [inner]},
        {"name": "Many", "type": f"[]{name}", "versions": "0+"},
        {"name": "Other", "type": "[]Later", "versions": "0+", "fields": [inner]},
        {"name": "Flag", "type": "bool", "versions": "0+", "default": "true"},
        {"name": "Id", "type": "uuid", "versions": "0+", "default": "AAAAAAAAAAAAAAAAAAAAAg"},
    ]
    if tagged:
        fields[0] |= {"tag": 0, "taggedVersions": "1+", "nullableVersions": "0+"}
    cls = define(fields=fields)
    made = getattr(cls, cls().one.__class__.__name__)  # type: ignore[attr-defined]
    check(cls, one=made(), many=(made(), made()), flag=False)


SMALL = "data pos raw size text many one id message numbers strings varint field".split()


@pytest.mark.no_cover
@pytest.mark.parametrize("name", sorted({*CAPITALS, *BUILTINS, *RUNTIME, *SMALL}))
def test_message_names(name: str) -> None:
    fields: list[dict[str, object]] = [
        {"name": "Id", "type": "uuid", "versions": "0+", "default": "AAAAAAAAAAAAAAAAAAAAAg"},
        {"name": "One", "type": "Inner", "versions": "0+"},
        {"name": "Many", "type": "[]Inner", "versions": "0+"},
        {"name": "Text", "type": "[]string", "versions": "0+"},
    ]
    cls = define(name, fields)
    assert name == cls.NAME
    assert cls.__name__ == (f"{name}_" if keyword.iskeyword(name) else name)
    check(cls, text=("a", "b"))


@pytest.mark.parametrize(
    ("name", "python"),
    [
        ("From", "from_"), ("Class", "class_"), ("ToJson", "to_json_"), ("Replace", "replace_"),
        ("Self", "self"), ("Len", "len"), ("ACLType", "acl_type"), ("topicIDs", "topic_i_ds"),
        ("UnknownTaggedFields", "unknown_tagged_fields_"),
    ],
)  # fmt: skip
def test_what_fields_are_called(name: str, python: str) -> None:
    cls = define(fields=[{"name": name, "type": "int8", "versions": "0+"}])
    assert cls.__struct_fields__[0] == python


def test_equal_names_in_python_are_refused() -> None:
    fields: list[dict[str, object]] = [
        {"name": name, "type": "int8", "versions": "0+"} for name in ("TopicId", "topicId")
    ]
    with pytest.raises(SchemaError):
        define(fields=fields)


def test_structs_of_equal_names_in_snake_case() -> None:
    """Each has its own reader and writer."""
    inner = {"ACLType": "int8", "AclType": "int32", "AClType": "string"}
    cls = define(
        fields=[
            {
                "name": f"Field{number}",
                "type": f"[]{name}",
                "versions": "0+",
                "fields": [{"name": "Value", "type": type_, "versions": "0+"}],
            }
            for number, (name, type_) in enumerate(inner.items())
        ]
    )
    values = dict(zip(inner, (1, 2, "three"), strict=True))
    names = cls.__struct_fields__
    parts = [(getattr(cls, name)(value=value),) for name, value in values.items()]
    check(cls, **dict(zip(names, parts, strict=False)))
