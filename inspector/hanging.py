"""Text beside a head, its further lines indented to where it begins."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text


class Hanging:
    """`head`, then `body`, which wraps below itself; in a narrow place below the head, by two."""

    def __init__(self, head: Text, body: Text) -> None:
        self._head = head
        self._body = body

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indent = self._head.cell_len
        if indent > options.max_width // 3:
            yield self._head
            yield Hanging(Text("  "), self._body)
            return
        lines = self._body.wrap(console, options.max_width - indent, overflow="fold")
        for number, line in enumerate(lines):
            line.rstrip()
            start = self._head if number == 0 else Text(" " * indent)
            yield Text.assemble(start, line, no_wrap=True)
