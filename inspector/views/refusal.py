"""Why bytes were refused: what, where, why, and what to do next."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ..diagnose.advice import advice
from ..identification.identify import Examined
from . import style as palette
from .style import Glyphs, Hanging


class ErrorReport:
    """Three lines on `examined.error`."""

    def __init__(self, examined: Examined, signs: Glyphs) -> None:
        self._examined = examined
        self._signs = signs

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        error = self._examined.error
        assert error is not None
        at = f" in {error.path}" if error.path else ""
        verdict = "Refused" if self._examined.refused else "Not complete"
        head = f"{self._signs.failed} {verdict}: {error.kind.value} at byte {error.offset}{at}"
        yield Text(head, palette.FAILED)
        yield Hanging(Text("  why   ", palette.QUIET), Text(error.reason))
        yield Hanging(Text("  next  ", palette.QUIET), Text(advice(self._examined)))
