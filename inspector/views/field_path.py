"""Paths of fields, `owned_partitions[3].topic` or as JSON spells them, and what is printed of a
field."""

from __future__ import annotations

import re

from ...codec.dialect.names import snake
from ...codec.read.diagnostic_reader import FieldNode
from ...wording import counted
from ..reports.json_value import error_name_of, json_value, known_fields
from ..shapes.decoded import Part
from .display_tree import DisplayTree, Line
from .redaction import Redaction, redacted_part

_INDEX = re.compile(r"\[([^\]]*)\]")
_PARTS = re.compile(r"\[\d+\]|[^.\[\]]+")
_STEP = re.compile(r"([A-Za-z_]\w*)((?:\[\d+\])*)")


def normal_path(text: str) -> str:
    """Return a path in snake_case. Raises ValueError for a text that is no path.

    >>> normal_path("ownedPartitions[3].Topic")
    'owned_partitions[3].topic'
    """
    steps = [_STEP.fullmatch(step) for step in text.strip().split(".")]
    if not all(steps):
        index = next((part for part in _INDEX.findall(text) if not part.isdecimal()), None)
        wrong = "" if index is None else f"[{index}] is no index, which counts from 0; "
        raise ValueError(f"{text!r} is no path of a field: {wrong}owned_partitions[3].topic is one")
    return ".".join(snake(step[1]) + step[2] for step in steps if step)


def known_paths(tree: DisplayTree) -> list[str]:
    """Return the paths of the fields that were read, without those inside of arrays."""
    read = [line.path for line, _ in tree.walk() if line.node is not None]
    return [path for path in read if "[" not in path]


def why_not_there(tree: DisplayTree, path: str) -> str | None:
    """Return which step of a path fails, and what there is instead; None if it is the first one.

    >>> from kproto.inspector import examine
    >>> from kproto.inspector.views.theme import UNICODE
    >>> tree = DisplayTree(examine(bytes.fromhex("000000000001000161ffffffff")), UNICODE, full=True)
    >>> why_not_there(tree, "topics[3]")
    'topics has 1 item, [0]'
    """
    above: FieldNode | None = None
    reached = ""
    for step in _PARTS.findall(path):
        path_of_step = reached + step if step.startswith("[") else f"{reached}.{step}".lstrip(".")
        line = tree.line_at(path_of_step)
        if line is None or line.node is None:
            break
        reached, above = path_of_step, line.node
    else:
        return None
    if above is None:
        return None
    if not above.type.startswith("[]"):
        names = ", ".join(child.name for child in known_fields(above))
        return f"{reached} is of type {above.type}" + (f", which has {names}" if names else "")
    if not step.startswith("["):
        return f"{reached} is an array: {reached}[0].{step}"
    if above.value is None and above.complete:
        return f"{reached} is null"
    size = len(above.children)
    last = {0: "", 1: ", [0]"}.get(size, f", [0] to [{size - 1}]")
    return f"{reached} has {counted(size, 'item')}{last}"


def field_part(tree: DisplayTree, line: Line, redaction: Redaction | None = None) -> Part:
    """Return what is printed of one field. `value` is in Kafka's JSON form, as far as it was
    read."""
    assert line.node is not None
    part = Part(
        start=line.start,
        end=line.end,
        hex=tree.data[line.start : line.end].hex(),
        value=json_value(line.node),
        error_name=error_name_of(line.node),
    )
    return part if redaction is None else redacted_part(part, line.path, redaction)
