"""The JSON object of two messages compared, as `kproto diff --json` prints it."""

from __future__ import annotations

from typing import Any

from ..identification.identify import Examined
from .difference import Pair, changes, difference
from .display_tree import DisplayTree, Line
from .field_path import field_report
from .inspection import is_not_shown
from .redaction import Redaction
from .theme import UNICODE


def diff_report(
    left: Examined, right: Examined, redaction: Redaction | None = None
) -> dict[str, Any]:
    """Return the JSON object of a comparison.

    It has `same`; `a` and `b`, which say what each message is; and `differences`: `path`, `change`
    (changed, added, removed, reordered) and the values in `a` and `b`. `differences` is null where
    a message is too long to be taken apart.
    """
    sides = (left, right)
    made: dict[str, Any] = {"same": left.decoded.data == right.decoded.data}
    made |= {name: _about(side) for name, side in zip("ab", sides, strict=True)}
    if any(is_not_shown(side) for side in sides):
        return made | {"differences": None}
    trees = [DisplayTree(side, UNICODE, full=True) for side in sides]
    found = changes(difference(*trees))
    return made | {"differences": [_change(pair, trees, redaction) for pair in found]}


def _about(side: Examined) -> dict[str, Any]:
    seen = side.decoded
    return {
        "name": seen.message_class.NAME if side.identified else None,
        "version": seen.version if side.identified else None,
        "bytes": len(seen.data),
        "error": None if seen.error is None or not side.identified else str(seen.error),
    }


def _change(pair: Pair, trees: list[DisplayTree], redaction: Redaction | None) -> dict[str, Any]:
    return {
        "path": pair.line.path or pair.line.name,
        "change": pair.change,
        "a": _side(pair.left, trees[0], redaction),
        "b": _side(pair.right, trees[1], redaction),
    }


def _side(
    line: Line | None, tree: DisplayTree, redaction: Redaction | None
) -> dict[str, Any] | None:
    """The range, bytes and value of one side; None where it lacks the field, and null as bytes and
    value for what is no field."""
    if line is None:
        return None
    if line.node is None:
        return {"start": line.start, "end": line.end, "hex": None, "value": None}
    made = field_report(tree, line, redaction)
    return {key: made[key] for key in ("start", "end", "hex", "value")}
