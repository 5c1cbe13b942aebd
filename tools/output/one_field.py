"""Show one field of each message, for `--field PATH`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from ...inspector.identification import Examined
from ...inspector.shapes.decoded import Field
from ...inspector.views.display_tree import DisplayTree
from ...inspector.views.field_path import field_part, known_paths, normal_path, why_not_there
from ...inspector.views.inspection import MAX_INSPECTED
from ...inspector.views.redaction import Redaction
from ...inspector.views.theme import UNICODE
from ...wording import near_names
from .failures import WRONG_USE, Failure, say

_NAMED = 12  # fields, where the one that was asked for is not there


def field_path(text: str) -> str:
    """Return the path in snake_case. Raises Failure for a text that is no path."""
    try:
        return normal_path(text)
    except ValueError as error:
        raise Failure(str(error), WRONG_USE) from None


def has_field(examined: Examined, path: str) -> bool:
    """Return whether the field was read."""
    return _display_tree(examined).line_at(path) is not None


def is_there(place: str, examined: Examined, path: str) -> bool:
    """Return whether the field was read; if not, say so, and name those that were."""
    if not examined.identified:  # which is said whatever was asked for
        return False
    tree = _display_tree(examined)
    if tree.line_at(path) is not None:
        return True
    why = why_not_there(tree, path)
    if why is None:
        paths = known_paths(tree)
        near = near_names(path, paths) or paths[:_NAMED]
        why = f"there are: {', '.join(near) or 'none'}"
    where = f"{place}: " if place else ""
    name = examined.decoded.message_class.NAME
    say(f"{where}no field {path} was read in this {name}; {why}")
    return False


def field_json(
    place: str,
    about: dict[str, Any],
    examined: Examined,
    path: str,
    redaction: Redaction | None,
) -> Field | None:
    """Return what is printed of the field, `about` being where the message is; None if the field
    was not read.
    """
    if not is_there(place, examined, path):
        return None
    tree = _display_tree(examined)
    line = tree.narrow_to(path)
    assert line is not None
    assert line.node is not None
    part = field_part(tree, line, redaction)
    return Field(
        **about,
        **asdict(part),
        name=examined.decoded.message_class.NAME,
        version=examined.decoded.version,
        path=line.path,
        type=line.node.type,
        codes=sorted({deviation.code for deviation in tree.deviations}),
    )


def _display_tree(examined: Examined) -> DisplayTree:
    size = len(examined.decoded.data)
    if size > MAX_INSPECTED:
        raise Failure(f"only messages of up to {MAX_INSPECTED:,} bytes are taken apart for --field")
    return DisplayTree(examined, UNICODE, full=True)
