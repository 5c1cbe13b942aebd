"""A group as it is and as it would be, in one table: what it costs, and who would own what."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...escaping import escaped
from ...inspector.shapes.group_shapes import Future, Group
from ...inspector.views import theme
from ...inspector.views.summary_line import Brief
from ...inspector.views.theme import HangingIndent, glyphs_for
from ...wording import counted
from .columns import Cell, Columns
from .member_names import ClientNames

_HEADS = ("", "assignor", "moved", "nobody has", "most", "fewest", "rebalances", "paused")
_RIGHT = _HEADS[2:]
_MEMBERS = 40
_LEGEND = (
    "moved: partitions that get another owner; nobody has: those without one; most, fewest: how "
    "many the member with most has, and the one with fewest; rebalances: until it is settled; "
    "paused: seconds in which a partition has no reader, of all partitions together; "
    "-: not simulated"
)


class FutureView:
    """The futures of a group, the first of them the present."""

    def __init__(self, group: Group, futures: Sequence[Future], *, full: bool = False) -> None:
        self._group = group
        self._futures = futures
        self._full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        brief = Brief(glyphs, full=self._full)
        yield Text(brief.text(self._group.group_id, "group_id"), theme.TITLE)
        yield Columns(_HEADS, [_cost(future, brief) for future in self._futures], _RIGHT)
        yield HangingIndent(Text(), Text(_LEGEND, theme.QUIET))
        notes: dict[str, list[str]] = {}
        for future in self._futures:
            for note in future.notes:
                notes.setdefault(note, []).append(brief.text(future.name, "name"))
        for note, names in notes.items():
            is_of_all = len(names) == len(self._futures) - 1
            prefix = "" if is_of_all else f"{'; '.join(names)}: "
            text = escaped(note, ascii_only=glyphs.ascii_only)
            yield HangingIndent(Text(f"{glyphs.dot} ", theme.QUIET), Text(f"{prefix}{text}"))
        for future in self._futures:
            yield Text()
            yield Text(brief.text(future.name, "name"), theme.TITLE)
            yield Columns(("member", "has"), self._owned(future, brief))

    def _owned(self, future: Future, brief: Brief) -> list[list[Cell]]:
        names = ClientNames(self._group.members).of(self._group.members)
        rows: list[list[Cell]] = []
        shares_by_member = list(future.owned.items())
        for member_id, shares in shares_by_member if self._full else shares_by_member[:_MEMBERS]:
            name = brief.text(names.get(member_id) or member_id, "client_id")
            previous = self._futures[0].owned.get(member_id)
            changed = previous is not None and previous != shares
            style = theme.WARN if changed else theme.ADDED if previous is None else theme.PLAIN
            name += " (new)" * (previous is None)
            rows.append([(name, theme.PLAIN), (brief.shares(shares), style)])
        if len(shares_by_member) > len(rows):
            more = f"{counted(len(shares_by_member) - len(rows), 'more member')}: --full shows all"
            rows.append([(more, theme.QUIET), ("", theme.PLAIN)])
        return rows


def _cost(future: Future, brief: Brief) -> list[Cell]:
    def text(value: float | None) -> str:
        return "-" if value is None else f"{value:,}"

    numbers = (future.nobody, future.most, future.fewest, future.rebalances, future.paused)
    return [
        (brief.text(future.name, "name"), theme.TITLE),
        (brief.text(future.assignor, "protocol"), theme.PLAIN),
        (_moved(future), theme.PLAIN),
        *((text(value), theme.PLAIN) for value in numbers),
    ]


def _moved(future: Future) -> str:
    """Return how many partitions move: from fewest to most, where that depends on new ids."""
    fewest, most = future.moved_fewest, future.moved_most
    if fewest is None or most is None or fewest == most:
        return f"{future.moved:,}"
    return f"{fewest:,} to {most:,}"
