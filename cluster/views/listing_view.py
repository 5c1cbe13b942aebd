"""The view of a list of groups: a line a group, the worst remark at its end."""

from __future__ import annotations

import time
from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...escaping import cut, escaped
from ...history.finding_sentences import clock_time, finding_sentences
from ...inspector.shapes.group_shapes import Listed, Listing
from ...inspector.views import theme
from ...inspector.views.theme import Glyphs, HangingIndent, glyphs_for
from ...wording import counted
from .columns import Cell, Columns

LEVEL_STYLES = {"error": theme.FAILED, "warning": theme.WARN, "note": theme.QUIET, "": theme.PLAIN}
HEADS = ("group", "kind", "state", "protocol", "members", "lag", "remark")
_LONGEST = 10_000  # characters of a text
_SETTLED = frozenset({"Stable", "Empty", ""})


class ListingView:
    """The rows of a `Listing`, and what could not be asked."""

    def __init__(self, listing: Listing, unread: str = "", order: str = "") -> None:
        """`unread` is what the list does not tell, `order` how its groups follow each other."""
        self._listing = listing
        self._unread = unread
        self._order = order

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        glyphs = glyphs_for(options.encoding)
        groups = self._listing.groups
        if groups:
            rows = [_row(row, glyphs) for row in groups]
            labels = [_labels(row) for row in rows]
            yield Columns(HEADS, rows, ("members", "lag"), labels, sentences=True)
        order = self._order if len(groups) > 1 else ""
        yield Text(counted(len(groups), "group") + order, theme.QUIET)
        if self._unread:
            head = Text(f"{glyphs.dot} ", theme.QUIET)
            yield HangingIndent(head, Text(self._unread, theme.QUIET))
        yield from problem_lines(self._listing.problems, glyphs)


def problem_lines(problems: tuple[str, ...], glyphs: Glyphs) -> Iterator[HangingIndent]:
    """Yield a paragraph for each question that was not answered."""
    for problem in problems:
        text = escaped(problem, ascii_only=glyphs.ascii_only)
        yield HangingIndent(Text(f"{glyphs.warn} ", theme.WARN), Text(text, theme.WARN))


def _row(row: Listed, glyphs: Glyphs) -> list[Cell]:
    def shown(text: str) -> str:
        return cut(escaped(text, ascii_only=glyphs.ascii_only), _LONGEST)

    level = LEVEL_STYLES[row.worst]
    sign = {"error": glyphs.failed, "warning": glyphs.warn}.get(row.worst, "")
    text = row.remark if row.since is None else f"{_since(row)}: {_in_short(row)}"
    is_style = row.worst == "note" and row.code.startswith("KP")
    # Notes on style (KP061 and so on) are for `kproto group NAME --level note`.
    remark = "" if is_style else f"{sign} {shown(text)}".strip()
    state = theme.PLAIN if row.state in _SETTLED else theme.WARN
    return [
        (shown(row.group_id), theme.TITLE),
        (row.kind, theme.PLAIN),
        (shown(row.state), state),
        (shown(row.protocol), theme.PLAIN),
        (number(row.members), theme.PLAIN),
        (number(row.lag), theme.PLAIN),
        (remark, level),
    ]


def _labels(row: list[Cell]) -> dict[str, list[str]]:
    """Return what a row is chosen by on a page: all but its name, numbers and remark."""
    texts = {head: text for head, (text, _) in zip(HEADS, row, strict=True)}
    kinds = ("kind", "state", "protocol")
    remark = "some" if texts["remark"] else "none"
    return {kind: [texts[kind]] for kind in kinds if texts[kind]} | {"remark": [remark]}


def _in_short(row: Listed) -> str:
    """Return what happened, and the word of its cause: the view of the group tells the rest."""
    is_likely = f"probable cause {row.cause}" in row.remark
    event = finding_sentences(row.remark, row.cause, "likely" if is_likely else "certain").event
    if row.cause is None or row.cause == "unknown":
        return event
    return f"{event}; {'probably' if is_likely else 'cause:'} {row.cause}"


def _since(row: Listed) -> str:
    began = int((row.since or 0) * 1000)
    return f"{row.code} since {clock_time(began, int(time.time() * 1000))}"


def number(value: int | None) -> str:
    """Return a number, "-" for one that is not known."""
    return "-" if value is None else f"{value:,}"
