"""Hypothesis strategies: definitions of every shape that the dialect allows, and their messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from kproto.codec import Message, compile_definition, message_class
from kproto.codec.runtime.registry import built_in_names

from .mutations import mutated
from .values import random_message

if TYPE_CHECKING:
    from random import Random

PRIMITIVES = "bool int8 int16 uint16 int32 uint32 int64 float64 uuid string bytes records".split()
NAMES = "Topic Partitions UserData Size Data Pos Raw Tag Known End Add Self Item Type Count".split()
DEFAULTS: dict[str, list[Any]] = {
    "bool": ["true", False],
    "float64": ["1.5", 2],
    "string": ["none", '"quoted" \\ {braces}\n'],
    "uuid": ["AAAAAAAAAAAAAAAAAAAAAQ"],
    "bytes": [""],
    "records": [""],
}
NUMBER_DEFAULTS = [7, "7", "0x7f"]
ENCODINGS = ["modified-utf-8", "utf-16"]
MAX_DEPTH = 3


class Given(NamedTuple):
    """A class, one of its versions, and a message that this version can hold."""

    cls: type[Message]
    version: int
    message: Message

    @property
    def body(self) -> bytes:
        return self.message.to_body(self.version)


def definitions() -> st.SearchStrategy[dict[str, Any]]:
    """Definitions of up to three versions; flexible ones, tags and nullable structs among them."""
    return _definitions()


@st.composite
def _definitions(draw: st.DrawFn) -> dict[str, Any]:
    highest = draw(st.integers(0, 2))
    first_flexible = draw(st.integers(0, highest + 1))
    writer = _Writer(draw, highest, first_flexible)
    fields = writer.fields(depth=0, must_have_width=False)
    if not writer.flexible:  # the message may end early
        for field in fields[len(fields) - draw(st.integers(0, len(fields))) :]:
            field["optionalVersions"] = "0+"
    return {
        "type": "data",
        "name": "Made",
        "validVersions": f"0-{highest}",
        "flexibleVersions": f"{first_flexible}+" if writer.flexible else "none",
        "fields": fields,
    }


class _Writer:
    """Draws the fields of one definition."""

    def __init__(self, draw: st.DrawFn, highest: int, first_flexible: int) -> None:
        self.draw = draw
        self.highest = highest
        self.first_flexible = first_flexible
        self.structs = 0

    @property
    def flexible(self) -> bool:
        return self.first_flexible <= self.highest

    def fields(self, depth: int, must_have_width: bool) -> list[dict[str, Any]]:
        names = self.draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
        fields = [self.field(name, depth) for name in names]
        tag = 0
        for field in fields:
            if self.flexible and self.draw(st.integers(0, 2)) == 0:
                field |= {"tag": tag, "taggedVersions": f"{self.first_flexible}+"}
                field["versions"] = self.draw(st.sampled_from(["0+", f"{self.first_flexible}+"]))
                if "nullableVersions" in field:
                    field["nullableVersions"] = "0+"
                tag += 1
        if must_have_width:  # an array's elements take a byte at least
            fields.append({"name": "Always", "type": "int8", "versions": "0+"})
        return fields

    def field(self, name: str, depth: int) -> dict[str, Any]:
        kinds = [*PRIMITIVES, "struct"] if depth < MAX_DEPTH else PRIMITIVES
        base = self.draw(st.sampled_from(kinds))
        array = self.draw(st.booleans())
        first = self.draw(st.integers(0, self.highest))
        made: dict[str, Any] = {"name": name, "type": base, "ignorable": self.draw(st.booleans())}
        made["versions"] = self.draw(st.sampled_from(["0+", f"{first}+", f"0-{first}", "7+"]))
        if base == "struct":
            self.structs += 1
            made["type"] = f"Struct{self.structs}"
            made["fields"] = self.fields(depth + 1, must_have_width=array)
            made["versions"] = "0+" if depth else made["versions"]
        if array:
            made["type"] = f"[]{made['type']}"
        if base == "string" and not array and not self.flexible and self.draw(st.booleans()):
            made["encoding"] = self.draw(st.sampled_from(ENCODINGS))
        elif array or base in ("struct", "string", "bytes", "records"):
            self.nullable(made)
        elif self.draw(st.booleans()):
            made["default"] = self.draw(st.sampled_from(DEFAULTS.get(base, NUMBER_DEFAULTS)))
        return made

    def nullable(self, made: dict[str, Any]) -> None:
        choice = self.draw(st.sampled_from(["no", "sometimes", "always", "default"]))
        if choice == "sometimes":
            made["nullableVersions"] = made["versions"]
        elif choice != "no":
            made["nullableVersions"] = "0+"
        if choice == "default":
            made["default"] = "null"


def run_time_classes() -> st.SearchStrategy[type[Message]]:
    """Classes of random definitions."""
    return definitions().map(compile_definition)


def built_in_classes() -> st.SearchStrategy[type[Message]]:
    """The built-in classes."""
    return st.sampled_from(built_in_names()).map(message_class)


@st.composite
def messages(draw: st.DrawFn, classes: st.SearchStrategy[type[Message]]) -> Given:
    """A message of one of the classes, for one of its versions."""
    cls = draw(classes)
    version = draw(st.sampled_from(list(cls.VERSIONS)))
    rng: Random = draw(st.randoms(use_true_random=False))
    return Given(cls, version, random_message(rng, cls, version))


@st.composite
def bodies(draw: st.DrawFn, classes: st.SearchStrategy[type[Message]]) -> tuple[Given, bytes]:
    """A message, and bytes: anything at all, or its body broken."""
    given = draw(messages(classes))
    return given, draw(st.binary(max_size=64) | broken(given.body))


def broken(data: bytes) -> st.SearchStrategy[bytes]:
    """The data with one change, now and then with two, or as it is."""
    return st.randoms(use_true_random=False).map(lambda rng: mutated(rng, data))
