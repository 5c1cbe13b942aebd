"""The view of a whole message: its type, its bytes and its fields side by side, its deviations, and
why it was refused.

The hex has 16 bytes in a row wherever they fit. It is on the left of the tree where there is room
for both, and above it otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec.errors import ErrorKind
from ..diagnose.fingerprints import fingerprint
from ..identification.identify import Examined
from ..identification.resemblance import resembles_nothing
from . import theme
from .diagnosis import DeviationList, ErrorReport
from .display_tree import DisplayTree
from .field_tree import FieldTree
from .hex_view import HexView, width_of
from .theme import Glyphs, HangingIndent, SideBySide, glyphs_for
from .values import bytes_text, count

if TYPE_CHECKING:
    from .redaction import Redaction

MAX_INSPECTED = 1 << 20
"""Bytes of the longest message that is shown field by field: a tree takes many times its input."""

_TREE_WANTS = 56  # columns; a tree that is wider wraps
_NAMED = 4  # rivals
_NAME_IT = (
    "--as NAME reads them as a message that you know them to be, --body-version N one without its "
    "label; `kproto schemas` lists the names."
)


class Inspection:
    """The view of one message, a `rich` renderable.

    `with_hex`: the bytes are shown too, not the tree alone. `full`: nothing is folded. `field`: the
    path of the field to show alone. `redaction`: names and user data are hidden.
    """

    def __init__(
        self,
        examined: Examined,
        *,
        with_hex: bool = True,
        full: bool = False,
        field: str | None = None,
        redaction: Redaction | None = None,
    ) -> None:
        self._examined = examined
        self._with_hex = with_hex
        self._full = full
        self._field = field
        self._redaction = redaction

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        yield title(self._examined, glyphs)
        if not self._examined.identified:
            yield from self._unidentified(glyphs)
            return
        yield from self._rivals()
        yield from self._writers()
        if len(self._examined.decoded.data) <= MAX_INSPECTED:
            yield from self._parts(glyphs, options.max_width, console.color_system)
        else:
            limit = f"only messages of up to {MAX_INSPECTED:,} bytes are taken apart here; "
            yield Text(f"{limit}--json has them whole", theme.QUIET)
        if self._examined.error is not None and self._field is None:
            yield Text()
            yield ErrorReport(self._examined, glyphs)

    def _unidentified(self, glyphs: Glyphs) -> RenderResult:
        data = self._examined.decoded.data
        yield Text()
        if self._redaction is None:
            shown = bytes_text(data, glyphs, full=self._full).partition(": ")[2]
            yield HangingIndent(Text("  bytes  ", theme.QUIET), Text(shown))
        yield HangingIndent(Text("  why    ", theme.QUIET), Text(resembles_nothing(data)))
        yield HangingIndent(Text("  next   ", theme.QUIET), Text(_NAME_IT))

    def _parts(self, glyphs: Glyphs, width: int, color_system: str | None) -> RenderResult:
        tree = self._display_tree(glyphs)
        keys = (line.key for line, _ in tree.walk() if line.key)
        styles = theme.field_styles(keys, color_system)
        fields = FieldTree(tree, styles, glyphs)
        yield Text()
        if self._with_hex and tree.data:
            error = self._examined.error
            missing = error is not None and error.kind is ErrorKind.TRUNCATED
            side_by_side, per_row = _arranged(width, tree.window[1], fields.natural_width())
            view = HexView(tree, styles, glyphs, per_row=per_row, missing=missing)
            if side_by_side:
                yield SideBySide(view, view.width, fields)
            else:
                yield view
                yield Text()
                yield fields
            yield from theme.legend(view.signs())
        else:
            yield fields
        if tree.deviations:
            yield Text()
            yield DeviationList(tree.deviations, glyphs, full=self._full)

    def _display_tree(self, glyphs: Glyphs) -> DisplayTree:
        """The tree, folded unless the field that is asked for is in a fold."""
        tree = DisplayTree(self._examined, glyphs, full=self._full)
        if self._redaction is not None:
            self._redaction.apply(tree)
        if self._field is None or tree.narrow_to(self._field) or self._full:
            return tree
        return Inspection(
            self._examined, full=True, field=self._field, redaction=self._redaction
        )._display_tree(glyphs)

    def _rivals(self) -> RenderResult:
        names = self._examined.rivals
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            body = f"{', '.join(names[:_NAMED])}{more}: --as NAME"
            yield HangingIndent(Text("also readable as ", theme.QUIET), Text(body, theme.QUIET))

    def _writers(self) -> RenderResult:
        """The clients that could have written these bytes, where that can be told."""
        seen = self._examined.decoded
        if self._field is not None or len(seen.data) > MAX_INSPECTED:
            return
        found = fingerprint(seen, equals=self._examined.equals)
        if found.could:
            body = ", ".join(found.in_short)
            yield HangingIndent(Text("could have been written by ", theme.QUIET), Text(body))
        elif found.ruled_out and seen.complete:
            yield Text("no client that was measured writes these bytes", theme.QUIET)


def is_not_shown(side: Examined) -> bool:
    """Return whether a side has no tree of fields: it is too large, or resembles no message."""
    return not side.identified or len(side.decoded.data) > MAX_INSPECTED


def title(examined: Examined, glyphs: Glyphs) -> Text:
    """Return the title: type, version, size, and whether the message was read to its end."""
    seen = examined.decoded
    if not examined.identified:
        size = count(len(seen.data), "byte")
        return Text.assemble(("no message", theme.TITLE), (f" {glyphs.dot} {size}", theme.QUIET))
    facts = [count(len(seen.data), "byte"), "complete" if seen.complete else "not complete"]
    if seen.schema_version not in (None, seen.version):
        facts.insert(0, f"read as {seen.schema_version}")
    version = "" if seen.version is None else f" version {seen.version}"
    about = "".join(f" {glyphs.dot} {fact}" for fact in facts)
    name = f"{seen.message_class.NAME}{version}"
    return Text.assemble((name, theme.TITLE), (about, theme.QUIET))


def _arranged(width: int, size: int, tree: int) -> tuple[bool, int]:
    """Whether hex and tree are side by side, and the bytes in a row of hex: 16 wherever so many
    fit, and the tree beside them where it fits, too."""
    needed = width_of(size, 16)
    if width < needed:
        return False, 8
    return width - needed - 2 >= min(tree, _TREE_WANTS), 16
