"""The inspector: one message, whole. What it is; its bytes beside its fields; what deviates; why it
was refused.

The hex stands left of the tree where there is room for both, above it where there is not.
"""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec.errors import ErrorKind
from ..diagnose.fingerprints import fingerprint
from ..identification.identify import Examined
from . import style as palette
from .deviation_list import DeviationList
from .display_tree import Anatomy
from .field_path import narrowed
from .field_tree import FieldTree
from .hex_view import HexView, width_of
from .redaction import Redaction
from .refusal import ErrorReport
from .style import Beside, Glyphs, Hanging, glyphs
from .values import count

MAX_INSPECTED = 1 << 20
"""Bytes of the longest message that is taken apart: a tree costs many times its input."""

_BESIDE_FROM = 100  # columns; below, the hex stands above the tree
_TREE_WANTS = 56
_NAMED = 4  # rivals


class Inspection:
    """`with_hex`: the bytes too; without, the tree alone. `full`: nothing is folded. `field`: that
    one alone, by its path; `redaction`: with names and user data hidden."""

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
        signs = glyphs(options.encoding)
        yield title(self._examined, signs)
        yield from self._rivals()
        yield from self._writers()
        if len(self._examined.decoded.data) <= MAX_INSPECTED:
            yield from self._parts(signs, options.max_width)
        else:
            limit = f"only messages of up to {MAX_INSPECTED:,} bytes are taken apart here; "
            yield Text(f"{limit}--json has them whole", palette.QUIET)
        if self._examined.error is not None and self._field is None:
            yield Text()
            yield ErrorReport(self._examined, signs)

    def _parts(self, signs: Glyphs, width: int) -> RenderResult:
        anatomy = self._anatomy(signs)
        styles = palette.field_styles(line.key for line, _ in anatomy.walk() if line.key)
        tree = FieldTree(anatomy, styles, signs)
        yield Text()
        if self._with_hex and anatomy.data:
            error = self._examined.error
            missing = error is not None and error.kind is ErrorKind.TRUNCATED
            beside, per_row = _arranged(width, anatomy.window[1], tree.natural_width())
            view = HexView(anatomy, styles, signs, per_row=per_row, missing=missing)
            if beside:
                yield Beside(view, view.width, tree)
            else:
                yield view
                yield Text()
                yield tree
        else:
            yield tree
        if anatomy.deviations:
            yield Text()
            yield DeviationList(anatomy.deviations, signs, full=self._full)

    def _anatomy(self, signs: Glyphs) -> Anatomy:
        """Folded, unless the field that is asked for is in a fold."""
        anatomy = Anatomy(self._examined, signs, full=self._full)
        if self._redaction is not None:
            self._redaction.apply(anatomy)
        if self._field is None or narrowed(anatomy, self._field) or self._full:
            return anatomy
        return Inspection(
            self._examined, full=True, field=self._field, redaction=self._redaction
        )._anatomy(signs)

    def _rivals(self) -> RenderResult:
        names = self._examined.rivals
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            body = f"{', '.join(names[:_NAMED])}{more}: --as NAME"
            yield Hanging(Text("also readable as ", palette.QUIET), Text(body, palette.QUIET))

    def _writers(self) -> RenderResult:
        """Who could have written these bytes, where clients can be told apart by them."""
        seen = self._examined.decoded
        if self._field is not None or len(seen.data) > MAX_INSPECTED:
            return
        found = fingerprint(seen)
        if found.could:
            body = ", ".join(found.in_short)
            yield Hanging(Text("could have been written by ", palette.QUIET), Text(body))
        elif found.ruled_out and seen.complete:
            yield Text("no client that was measured writes these bytes", palette.QUIET)


def title(examined: Examined, signs: Glyphs) -> Text:
    """Return what it is, and whether it was read to its end."""
    seen = examined.decoded
    facts = [count(len(seen.data), "byte"), "complete" if seen.complete else "not complete"]
    if seen.schema_version not in (None, seen.version):
        facts.insert(0, f"read as {seen.schema_version}")
    version = "" if seen.version is None else f" version {seen.version}"
    about = "".join(f" {signs.dot} {fact}" for fact in facts)
    name = f"{seen.message_class.NAME}{version}"
    return Text.assemble((name, palette.TITLE), (about, palette.QUIET))


def _arranged(width: int, size: int, tree: int) -> tuple[bool, int]:
    """Whether hex and tree stand side by side, and the bytes in a row of hex.

    Rather short rows of hex than a tree whose values wrap.
    """
    if width < _BESIDE_FROM:
        return False, 16 if width >= width_of(size, 16) else 8
    room = {per_row: width - width_of(size, per_row) - 2 for per_row in (16, 8)}
    fitting = [per_row for per_row in (16, 8) if room[per_row] >= tree]
    return True, fitting[0] if fitting else 16 if room[16] >= _TREE_WANTS else 8
