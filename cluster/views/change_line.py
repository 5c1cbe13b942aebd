"""A change of a watched group in one line; on a terminal, the group above its latest changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ...escaping import escaped
from ...inspector.shapes.group_shapes import Group, GroupChange
from ...inspector.views import theme
from ...inspector.views.theme import HangingIndent, glyphs_for
from ..watching import ALL_OF_IT_S
from .group_view import GroupView
from .member_names import ClientNames

_STYLES: dict[str, Style] = {
    "member-left": theme.WARN,
    "gone": theme.WARN,
    "remark": theme.WARN,
    "unanswered": theme.FAILED,
    "rebalance-began": theme.WARN,
    "member-joined": theme.ADDED,
    "appeared": theme.ADDED,
}
LATEST = 12
"""Changes below the group, in the live view, at most, and at most a third of the screen."""


class ChangeLine:
    """The line of a `GroupChange`: time, group or member, what happened. `names` are those of the
    members that were seen so far."""

    def __init__(
        self, change: GroupChange, names: ClientNames | None = None, *, named: bool = True
    ) -> None:
        self._change = change
        self._names = ClientNames() if names is None else names
        self._named = named

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        ascii_only = glyphs_for(options.encoding).ascii_only
        change = self._change
        when = f"{datetime.fromtimestamp(change.at, UTC):%H:%M:%S.%f}"[:-3]
        line = Text()
        member = self._names.name(change.who, change.name)
        for name in (change.group if self._named else "", member):
            if name:
                line.append(f"{escaped(name, ascii_only=ascii_only)}  ", theme.TITLE)
        text = escaped(change.text, ascii_only=ascii_only)
        line.append(text, _STYLES.get(change.what, theme.PLAIN))
        start = Text(f"{when}  ", theme.QUIET)
        yield HangingIndent(start, line) if console.is_terminal else start.append_text(line)


class LiveGroup:
    """A group as it is now, and what changed last."""

    def __init__(
        self,
        group: Group | None,
        changes: Sequence[GroupChange],
        names: ClientNames | None = None,
    ) -> None:
        self._group = group
        self._changes = changes
        self._names = names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        height = console.size.height if console.is_terminal else None
        latest = min(LATEST, (height or 3 * LATEST) // 3)
        below = [
            line
            for change in self._changes[-latest:]
            for line in console.render_lines(
                ChangeLine(change, self._names, named=False), options, pad=False
            )
        ][-latest:]
        if self._group is not None:
            age = f"offsets and lag are asked for every {ALL_OF_IT_S:.0f} s, and after changes"
            views = (GroupView(self._group, level="warning"), Text(age, theme.QUIET))
            lines = [
                line for view in views for line in console.render_lines(view, options, pad=False)
            ]
            room = len(lines) if height is None else height - len(below) - 3
            for line in lines[:room]:
                yield from line
                yield Segment.line()
            if len(lines) > room:
                glyphs = glyphs_for(options.encoding)
                yield Text(f"{glyphs.ellipsis} {len(lines) - room:,} lines more", theme.QUIET)
            yield Text()
        for line in below:
            yield from line
            yield Segment.line()
