"""What the command prints as JSON, as types: every key of every output, and its JSON Schema."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from .shape import schema_of_type

__all__ = ["SHAPES", "json_schema", "shape_types"]

SHAPES: dict[str, tuple[str, ...]] = {
    "decode": ("decoded.Message", "decoded.Frame", "decoded.Record", "decoded.Field"),
    "diff": ("decoded.Compared",),
    "lint": ("decoded.Linted",),
    "explain": ("checks.Explained", "checks.ExplainedError", "checks.ExplainedLine"),
    "compat": ("checks.Change",),
    "conform": ("checks.Run",),
    "simulate": ("checks.Event", "checks.Outcome", "checks.ComparedRun"),
    "audit": ("checks.Audited",),
    "audit-follow": ("checks.FindingChange",),
    "groups": ("group_shapes.Listed",),
    "group": ("group_shapes.Group",),
    "group-save": (
        "group_shapes.SavedFrame",
        "group_shapes.SavedHistory",
        "group_shapes.SavedRecord",
        "group_shapes.RedactedGroup",
        "group_shapes.RedactedList",
    ),
    "group-watch": ("group_shapes.GroupChange",),
    "group-what-if": ("group_shapes.Future",),
    "group-plan": ("group_shapes.Plan",),
    "migrate": ("group_shapes.Migration",),
    "story": ("story_shapes.StoryOfGroups",),
    "story-follow": ("story_shapes.FollowedEvent",),
}
"""The classes of what an output's lines can be, by the name that `json_schema` takes."""


def shape_types(name: str) -> tuple[type[Any], ...]:
    """Return the classes of what a line of an output can be."""
    parts = [path.split(".") for path in SHAPES[name]]
    return tuple(getattr(import_module(f".{module}", __name__), cls) for module, cls in parts)


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an output's lines."""
    references, definitions = msgspec.json.schema_components(
        shape_types(name), schema_hook=schema_of_type, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"kproto: {name}",
        **(next(iter(references)) if len(references) == 1 else {"anyOf": list(references)}),
        "$defs": definitions,
    }
