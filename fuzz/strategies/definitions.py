"""Strategies for message definitions of the dialect: any, and successors of a given one.

A legal successor keeps every rule of `codec.dialect.evolution`: new versions, whose new fields are
at the end. An illegal one breaks one of the rules, and says which.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ... import schemas
from ...codec import Message, SchemaError, compile_definition, message_class
from ...codec.dialect import spec as specs
from ...codec.dialect.evolution import RULES, compare
from ...codec.runtime.registry import built_in_framing, spec_of
from ...schemas import loads
from ..guarantees.cases import CLAMPED, Case, Recorded, known_names
from ..subject import CONSUMER_PROTOCOL
from .messages import Given, messages

Definition = dict[str, Any]
"""A parsed JSON definition."""

_PRIMITIVES = "int32 string bool int8 int16 uint16 uint32 int64 float64 uuid bytes".split()
_NAMES = "Topic Partitions UserData Epoch Host Port Rack Tags Members Count".split()
_DEFAULTS: dict[str, list[Any]] = {"bool": ["true"], "float64": ["1.5"], "string": ["none"]}
_MAX_DEPTH = 2


def definitions(*, flexible: bool | None = None, clamped: bool = False) -> st.SearchStrategy[Any]:
    """Return a strategy for parsed definitions of one to three versions.

    `flexible` says whether the newest version is (None: either). `clamped` ones are like the
    consumer protocol's: a version in front, every version a prefix of the next.
    """
    return _clamped() if clamped else _definitions(flexible)


@st.composite
def _clamped(draw: st.DrawFn) -> Definition:
    highest = draw(st.integers(0, 2))
    names = draw(st.lists(st.sampled_from(_NAMES), unique=True, min_size=1, max_size=5))
    writer = _Fields(draw, 0)
    fields = [writer.field(name, "0+", depth=0) for name in names]
    since = sorted(draw(st.integers(0, highest)) for _ in fields)
    for field, first in zip(fields, since, strict=True):
        _only_since(field, first)
    return {
        "type": "data",
        "name": "Made",
        "validVersions": f"0-{highest}",
        "flexibleVersions": "none",
        "framing": "version",
        "newerVersions": "clamp",
        "fields": fields,
    }


def _only_since(field: Definition, first: int) -> None:
    for key in ("versions", "nullableVersions"):
        if key in field:
            field[key] = f"{first}+"


@st.composite
def _definitions(draw: st.DrawFn, flexible: bool | None) -> Definition:
    highest = draw(st.integers(0, 2))
    is_flexible = draw(st.booleans()) if flexible is None else flexible
    first_flexible = draw(st.integers(0, highest)) if is_flexible else None
    fields = _Fields(draw, highest, first_flexible).fields(depth=0)
    return {
        "type": "data",
        "name": "Made",
        "validVersions": f"0-{highest}",
        "flexibleVersions": "none" if first_flexible is None else f"{first_flexible}+",
        "framing": "none",
        "fields": fields,
    }


class _Fields:
    """Draws the fields of one definition."""

    def __init__(self, draw: st.DrawFn, highest: int, first_flexible: int | None = None) -> None:
        self.draw = draw
        self.highest = highest
        self.first_flexible = first_flexible
        self.structs = 0

    def fields(self, depth: int) -> list[Definition]:
        names = self.draw(st.lists(st.sampled_from(_NAMES), unique=True, min_size=1, max_size=4))
        fields = [self.field(name, self._versions(depth), depth) for name in names]
        tag = 0
        for field in fields[1:]:  # an array's elements take a byte at least
            if self.first_flexible is not None and self.draw(st.booleans()):
                since = f"{self.first_flexible}+"
                field |= {"tag": tag, "taggedVersions": since, "versions": since}
                if "nullableVersions" in field:
                    field["nullableVersions"] = since
                tag += 1
        return fields

    def _versions(self, depth: int) -> str:
        first = 0 if depth else self.draw(st.integers(0, self.highest))
        return f"{first}+"

    def field(self, name: str, versions: str, depth: int) -> Definition:
        kinds = [*_PRIMITIVES, "struct"] if depth < _MAX_DEPTH else _PRIMITIVES
        base = self.draw(st.sampled_from(kinds))
        field: Definition = {"name": name, "type": base, "versions": versions, "ignorable": True}
        if base == "struct":
            self.structs += 1
            field["type"] = f"Part{self.structs}"
            field["fields"] = self.fields(depth + 1)
        array = self.draw(st.booleans())
        if array:
            field["type"] = f"[]{field['type']}"
        if array or base in ("string", "bytes"):
            if self.draw(st.booleans()):
                field |= {"nullableVersions": versions, "default": "null"}
        elif base in _DEFAULTS and self.draw(st.booleans()):
            field["default"] = self.draw(st.sampled_from(_DEFAULTS[base]))
        return field


class Future(NamedTuple):
    """A successor of a definition, and the class that it makes."""

    definition: Definition
    cls: type[Message]
    ahead: int
    """How many versions it adds to the definition before it."""
    rule: str | None
    """The rule that it breaks (a key of `codec.evolution.RULES`); None for a legal one."""


def future_definitions(
    *,
    of: Mapping[str, Any] | str | None = None,
    versions_ahead: Sequence[int] = (1, 2, 3),
    legal: bool = True,
) -> st.SearchStrategy[Future]:
    """Return a strategy for successors of a definition: a parsed one, the name of a built-in one,
    or None for either of the consumer protocol's. With `legal=False` each breaks at least the rule
    that it names. Raises ValueError for a name of no definition.
    """
    ahead = _ahead(versions_ahead)
    if of is None:
        names = st.sampled_from(CONSUMER_PROTOCOL)
        return names.flatmap(lambda name: _futures(_parse(name), ahead, legal))
    definition = _parse(of) if isinstance(of, str) else dict(of)
    return _futures(definition, ahead, legal)


def _ahead(versions: Sequence[int]) -> tuple[int, ...]:
    if not versions or min(versions) < 1:
        raise ValueError(f"versions_ahead={versions!r}: expected one or more, each at least 1")
    return tuple(versions)


def _parse(name: str) -> Definition:
    known_names([name])
    definition: Definition = loads(schemas.text(name))
    return definition


@st.composite
def _futures(
    draw: st.DrawFn, definition: Definition, versions_ahead: tuple[int, ...], legal: bool
) -> Future:
    successor = copy.deepcopy(definition)
    ahead = draw(st.sampled_from(versions_ahead))
    lowest, highest = _version_range(successor)
    successor["validVersions"] = f"{lowest}-{highest + ahead}"
    first = highest + 1
    for number in range(draw(st.integers(0, 3))):
        first = draw(st.integers(first, highest + ahead))
        successor["fields"].append(_new_field(draw, successor, number, first))
    if legal:
        return Future(successor, compile_definition(successor), ahead, None)
    return _broken(draw, definition, successor, ahead)


def _version_range(definition: Definition) -> tuple[int, int]:
    low, _, high = definition["validVersions"].partition("-")
    return int(low), int(high or low)


_NEW_TYPES = (
    "int32", "string", "bytes", "bool", "int64", "uuid", "[]int32", "[]string", "int16", "float64",
)  # fmt: skip


def _new_field(draw: st.DrawFn, successor: Definition, number: int, first: int) -> Definition:
    type_ = draw(st.sampled_from([*_NEW_TYPES, "struct", "[]struct"]))
    field: Definition = {"name": f"New{number}", "type": type_, "versions": f"{first}+"}
    field["ignorable"] = True
    if type_.endswith("struct"):
        field["type"] = type_.replace("struct", f"NewPart{number}")
        inner = {"name": "Inner", "type": "string", "versions": f"{first}+"}
        field["fields"] = [inner, {"name": "Count", "type": "int32", "versions": f"{first}+"}]
    elif type_ in ("string", "bytes") and draw(st.booleans()):
        field |= {"nullableVersions": f"{first}+", "default": "null"}
    if _flexible_at(successor, first) and draw(st.booleans()):
        field |= {"tag": _next_tag(successor), "taggedVersions": f"{first}+"}
    return field


def _flexible_at(successor: Definition, version: int) -> bool:
    flexible = successor.get("flexibleVersions", "none")
    return flexible.endswith("+") and int(flexible[:-1]) <= version


def _next_tag(successor: Definition) -> int:
    return 1 + max((field.get("tag", -1) for field in successor["fields"]), default=-1)


# -- illegal ones


def _broken(draw: st.DrawFn, old: Definition, successor: Definition, ahead: int) -> Future:
    """Draw a break that can be done to this definition; `compare` says which rule it breaks."""
    old_spec = _spec(old)
    possible = []
    for name in sorted(BREAKS):
        changed = copy.deepcopy(successor)
        if BREAKS[name](changed, _version_range(old)[1]):
            rules = _broken_rules(old_spec, changed)
            if name in rules:
                possible.append((name, changed))
    name, changed = draw(st.sampled_from(possible))
    return Future(changed, compile_definition(changed), ahead, name)


def _spec(definition: Definition) -> specs.Spec:
    return specs.parse(definition, framing_of=built_in_framing)


def _broken_rules(old_spec: specs.Spec, changed: Definition) -> set[str]:
    try:
        new_spec = _spec(changed)
    except SchemaError:
        return set()
    return {change.rule for change in compare(old_spec, new_spec) if RULES[change.rule].breaks}


def _first_field(
    definition: Definition, matches: Callable[[Definition], bool]
) -> Definition | None:
    return next(filter(matches, definition["fields"]), None)


def _removed(successor: Definition, highest: int) -> bool:
    if len(successor["fields"]) < 2:
        return False
    del successor["fields"][0]
    return True


def _added(successor: Definition, highest: int) -> bool:
    successor["fields"].append({"name": "Sneaked", "type": "int32", "versions": f"{highest}+"})
    return True


def _inserted(successor: Definition, highest: int) -> bool:
    new = {"name": "Between", "type": "int32", "versions": f"{highest + 1}+"}
    successor["fields"].insert(0, new)
    return True


def _reordered(successor: Definition, highest: int) -> bool:
    successor["fields"][:2] = reversed(successor["fields"][:2])
    return True


def _retyped(successor: Definition, highest: int) -> bool:
    field = next(
        (candidate for candidate in successor["fields"] if candidate["type"] in _RETYPED), None
    )
    if field is None:
        return False
    field["type"] = _RETYPED[field["type"]]
    return True


_RETYPED = {"int32": "int64", "[]string": "[]int32", "string": "bytes", "bool": "int16"}


def _nullability(successor: Definition, highest: int) -> bool:
    field = _first_field(successor, lambda field: "nullableVersions" in field)
    if field is None:
        return False
    del field["nullableVersions"]
    field.pop("default", None)
    return True


def _null_for_old_readers(successor: Definition, highest: int) -> bool:
    field = next(
        (candidate for candidate in successor["fields"] if "nullableVersions" not in candidate),
        None,
    )
    if field is None or not (field["type"] in ("string", "bytes") or field["type"][0] == "["):
        return False
    field["nullableVersions"] = f"{highest + 1}+"
    return True


def _made_flexible(successor: Definition, highest: int) -> bool:
    successor["flexibleVersions"] = f"{highest + 1}+"
    return True


def _version_dropped(successor: Definition, highest: int) -> bool:
    _, newest = _version_range(successor)
    successor["validVersions"] = f"1-{newest}"
    return highest > 0


def _framing(successor: Definition, highest: int) -> bool:
    successor |= {"framing": "version", "newerVersions": "refuse"}
    return True


def _tag_changed(successor: Definition, highest: int) -> bool:
    field = _first_field(successor, lambda field: "tag" in field)
    if field is None:
        return False
    field["type"] = "bool" if field["type"] != "bool" else "int16"
    for key in ("nullableVersions", "default", "fields"):
        field.pop(key, None)
    return True


def _api_key(successor: Definition, highest: int) -> bool:
    if "apiKey" not in successor:
        return False
    successor["apiKey"] += 1
    return True


BREAKS: dict[str, Callable[[Definition, int], bool]] = {
    "removed": _removed,
    "added": _added,
    "inserted": _inserted,
    "reordered": _reordered,
    "retyped": _retyped,
    "nullability": _nullability,
    "null-for-old-readers": _null_for_old_readers,
    "flexible": _made_flexible,
    "version-dropped": _version_dropped,
    "framing": _framing,
    "tag-changed": _tag_changed,
    "api-key": _api_key,
}
"""How to break each rule; the highest published version is given. Returns False if it cannot be
done.
"""


# -- what a future writer sends


def future_bytes(
    *, names: Sequence[str] = CONSUMER_PROTOCOL, versions_ahead: Sequence[int] = (1, 2, 3)
) -> st.SearchStrategy[Case]:
    """Return a strategy for bytes of writers ahead of these definitions; the case knows what they
    wrote.

    Raises ValueError for a message whose readers do not read newer versions: nobody sends those.
    """
    for name in known_names(names):
        if message_class(name).FRAMING.newer != CLAMPED:
            clamped = " and ".join(CONSUMER_PROTOCOL)
            raise ValueError(f"readers of {name} are sent no newer version; those of {clamped} are")
    return _future_bytes(tuple(names), _ahead(versions_ahead))


@st.composite
def _future_bytes(draw: st.DrawFn, names: tuple[str, ...], versions_ahead: tuple[int, ...]) -> Case:
    name = draw(st.sampled_from(names))
    future = draw(future_definitions(of=name, versions_ahead=versions_ahead))
    cls = message_class(name)
    version = draw(st.integers(cls.LATEST + 1, future.cls.LATEST))
    sample = draw(messages(classes=st.just(future.cls), versions=[version]))
    return _case(name, cls, sample)


def _case(name: str, cls: type[Message], sample: Given) -> Case:
    """Return the case of a message as a reader of today reads it: with the fields that it knows."""
    fields = sample.message.to_json(sample.version)
    camel = {field.camel for field in spec_of(cls).fields}
    value = {key: part for key, part in fields.items() if key in camel}
    left = len(sample.data) - _known_bytes(sample, camel)
    return Case(name, sample.data, None, "future", "a future writer", Recorded(True, value, left))


def _known_bytes(sample: Given, camel: set[str]) -> int:
    """Return where the known fields end: where the same message with new fields at their defaults
    does.
    """
    fields = [field for field in spec_of(sample.cls).fields if field.camel in camel]
    message = sample.cls(**{field.snake: getattr(sample.message, field.snake) for field in fields})
    latest = max(v for v in sample.cls.VERSIONS if not _new_at(sample.cls, v, camel))
    return len(message.to_body(latest)) + sample.cls.FRAMING.header_bytes


def _new_at(cls: type[Message], version: int, camel: set[str]) -> bool:
    return any(
        version in field.versions for field in spec_of(cls).fields if field.camel not in camel
    )
