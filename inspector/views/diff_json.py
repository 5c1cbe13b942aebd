"""Two messages compared, as `kproto diff --json` prints them."""

from __future__ import annotations

from ..identification import Examined, resembles_nothing
from ..reports.message_report import error_shape, unread_error
from ..shapes import decoded as shapes
from .difference import Pair, changes, difference
from .display_tree import DisplayTree, Line
from .field_path import field_part
from .inspection import is_not_shown
from .redaction import Redaction
from .theme import UNICODE


def diff_report(
    left: Examined, right: Examined, redaction: Redaction | None = None, place: str = ""
) -> shapes.Compared:
    """Return the report on a comparison; `differences` is None where a message is too long to be
    taken apart. `place` is that of the pair in its file."""
    differences = None
    if not is_not_shown(left) and not is_not_shown(right):
        trees = [DisplayTree(side, UNICODE, full=True) for side in (left, right)]
        pairs = changes(difference(*trees))
        differences = [_difference(pair, trees, redaction) for pair in pairs]
    return shapes.Compared(
        place=place,
        same=left.decoded.data == right.decoded.data,
        a=_side(left),
        b=_side(right),
        differences=differences,
    )


def _side(side: Examined) -> shapes.Side:
    decoded = side.decoded
    size = len(decoded.data)
    if not side.identified:
        error = unread_error(None, resembles_nothing(decoded.data))
        return shapes.Side(name=None, version=None, size=size, error=error)
    return shapes.Side(
        name=decoded.message_class.NAME,
        version=decoded.version,
        size=size,
        error=None if decoded.error is None else error_shape(decoded.error),
    )


def _difference(
    pair: Pair, trees: list[DisplayTree], redaction: Redaction | None
) -> shapes.Difference:
    return shapes.Difference(
        path=pair.line.path or pair.line.name,
        change=pair.change,
        a=_part(pair.left, trees[0], redaction),
        b=_part(pair.right, trees[1], redaction),
    )


def _part(line: Line | None, tree: DisplayTree, redaction: Redaction | None) -> shapes.Part | None:
    """The range, bytes and value of one side; None where it lacks the field, and None as bytes and
    value for what is no field."""
    if line is None:
        return None
    if line.node is None:
        return shapes.Part(start=line.start, end=line.end, hex=None, value=None)
    return field_part(tree, line, redaction)
