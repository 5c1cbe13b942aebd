"""Strategies for message definitions of the dialect."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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
    wanted = draw(st.booleans()) if flexible is None else flexible
    first_flexible = draw(st.integers(0, highest)) if wanted else None
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
        made = [self.field(name, self._versions(depth), depth) for name in names]
        tag = 0
        for field in made[1:]:  # an array's elements take a byte at least
            if self.first_flexible is not None and self.draw(st.booleans()):
                since = f"{self.first_flexible}+"
                field |= {"tag": tag, "taggedVersions": since, "versions": since}
                if "nullableVersions" in field:
                    field["nullableVersions"] = since
                tag += 1
        return made

    def _versions(self, depth: int) -> str:
        first = 0 if depth else self.draw(st.integers(0, self.highest))
        return f"{first}+"

    def field(self, name: str, versions: str, depth: int) -> Definition:
        kinds = [*_PRIMITIVES, "struct"] if depth < _MAX_DEPTH else _PRIMITIVES
        base = self.draw(st.sampled_from(kinds))
        made: Definition = {"name": name, "type": base, "versions": versions, "ignorable": True}
        if base == "struct":
            self.structs += 1
            made["type"] = f"Part{self.structs}"
            made["fields"] = self.fields(depth + 1)
        array = self.draw(st.booleans())
        if array:
            made["type"] = f"[]{made['type']}"
        if array or base in ("string", "bytes"):
            if self.draw(st.booleans()):
                made |= {"nullableVersions": versions, "default": "null"}
        elif base in _DEFAULTS and self.draw(st.booleans()):
            made["default"] = self.draw(st.sampled_from(_DEFAULTS[base]))
        return made
