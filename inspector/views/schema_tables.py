"""Message definitions as tables: a list of all, a search for a word, and the fields of one message.

The fields of a message are a table for each layout that its versions have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ...codec.dialect.framing import Framing
from ...codec.dialect.layout import Layout, Slot
from ...codec.dialect.spec import Spec
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of, spec_of
from ...escaping import escaped, prose
from . import theme
from .theme import HangingIndent

_WRAPPED_FROM = 28  # columns that the last column gets at least; otherwise it is below the others
_LIST_HEADS = ("message", "versions", "in front")
_LIST_GAP = 3

_IN_FRONT = {
    "none": "nothing",
    "version": "int16 version",
    "record-type": "int16 record type",
    "version32": "int32 version, a field",
}
_NEWER = {
    "refuse": "",
    "clamp": ", newer read as newest",
    "accept": ", newer accepted",
    "head": ", of newer ones the head",
}


class SchemaList:
    """A list of message classes, one line each."""

    def __init__(self, classes: Iterable[type[Message]]) -> None:
        self._classes = classes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = [(cls.NAME, str(cls.VERSIONS), in_front(cls.FRAMING)) for cls in self._classes]
        if not _fits((_LIST_HEADS, *rows), _LIST_GAP, options.max_width):
            for name, versions, front in rows:
                yield Text(name, theme.TITLE).append(f"  {versions}", theme.PLAIN)
                yield HangingIndent(Text("    "), Text(front, theme.QUIET))
            return
        styles = (theme.TITLE, theme.PLAIN, theme.QUIET)
        yield _table(_LIST_HEADS, rows, styles, _LIST_GAP)


def in_front(framing: Framing) -> str:
    """Return what comes before the fields of a message, in words."""
    return _IN_FRONT[framing.kind] + _NEWER[framing.newer]


def _fits(rows: Sequence[Sequence[str]], gap: int, width: int) -> bool:
    """Whether the columns leave room for the last one, so that no word is cut."""
    *columns, last = zip(*rows, strict=True)
    room = width - sum(gap + max(map(cell_len, column)) for column in columns)
    words = (cell_len(word) for cell in last for word in cell.split())
    return room >= max(min(_WRAPPED_FROM, max(map(cell_len, last))), max(words, default=0))


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], styles: Sequence[Style], gap: int
) -> Table:
    """A table of which the last column wraps."""
    table = Table(box=None, pad_edge=False, header_style=theme.QUIET, padding=(0, gap, 0, 0))
    for head, style in zip(heads, styles, strict=True):
        table.add_column(head, style=style, no_wrap=head != heads[-1])
    for row in rows:
        table.add_row(*map(Text, row))
    return table


class Hit(NamedTuple):
    """A place where a word was found. `where` is a field ("OwnedPartitions.Topic"), "" for the
    message or a comment; `text` is its description; `since` are the versions that have the
    field."""

    where: str
    text: str
    since: str = ""


class SchemaSearch:
    """The hits of `word`, in any case, by message. `comments` are the comment lines of the built-in
    definitions, by name."""

    def __init__(
        self, word: str, classes: Iterable[type[Message]], comments: dict[str, list[str]]
    ) -> None:
        self._word = word
        self.hits = {
            cls.NAME: hits
            for cls in classes
            if (hits := list(_hits(word, spec_of(cls), comments.get(cls.NAME, []))))
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for name, hits in self.hits.items():
            yield self._marked(name, theme.TITLE)
            for hit in hits:
                yield HangingIndent(Text("  "), self._line(hit))

    def _line(self, hit: Hit) -> Text:
        line = self._marked(hit.where, theme.PLAIN)
        if hit.since:
            line.append(f" {hit.since}", theme.QUIET)
        if hit.where and hit.text:
            line.append("  ")
        return line.append_text(self._marked(hit.text, theme.QUIET))

    def _marked(self, text: str, style: Style) -> Text:
        marked = Text(prose(text), style)
        marked.highlight_words([self._word], theme.FOUND, case_sensitive=False)
        return marked


def _hits(word: str, spec: Spec, comments: list[str]) -> Iterator[Hit]:
    lowered = word.lower()
    if lowered in spec.name.lower() or lowered in spec.about.lower():
        yield Hit("", spec.about)
    owners = [
        ("", spec.fields),
        *((f"{struct.name}.", struct.fields) for struct in spec.structs.values()),
    ]
    for owner, fields in owners:
        for field in fields:
            if lowered in f"{field.name} {field.snake} {field.about}".lower():
                yield Hit(f"{owner}{field.name}", field.about, str(field.versions))
    yield from (Hit("", line) for line in comments if lowered in line.lower())


_HEADS = ("field", "type", "null", "default", "about")
_STYLES = (theme.PLAIN,) * 4 + (theme.QUIET,)
_GAP = 2


class SchemaTables:
    """The fields of a message class, in a table for each layout that its versions have. The
    descriptions are those of the definition.

    `version`: only the table of that version.
    """

    def __init__(self, message_class: type[Message], version: int | None = None) -> None:
        self._class = message_class
        self._version = version

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cls = self._class
        about = spec_of(cls).about
        yield Text(f"{cls.NAME}  ", theme.TITLE).append(
            f"versions {cls.VERSIONS}, in front: {in_front(cls.FRAMING)}", theme.QUIET
        )
        if about:
            yield Text(prose(about))
        layouts = list(self._layouts())
        tables = [[_row(*slot, layout) for slot in _slots(layout, 0)] for layout, _ in layouts]
        in_columns = all(_fits((_HEADS, *rows), _GAP, options.max_width) for rows in tables)
        for (layout, versions), rows in zip(layouts, tables, strict=True):
            yield Text()
            yield Text(_heading(versions, layout), theme.TITLE)
            if in_columns:
                yield _table(_HEADS, rows, _STYLES, _GAP)
            else:
                yield from _list(layout)

    def _layouts(self) -> Iterator[tuple[Layout, list[int]]]:
        """The layouts that are shown, each with the versions that have it."""
        cls = self._class
        for layout, group in groupby(cls.VERSIONS, key=lambda version: layout_of(cls, version)):
            versions = list(group)
            if self._version is None or self._version in versions:
                yield layout, versions


def _heading(versions: list[int], layout: Layout) -> str:
    listed = ", ".join(map(str, versions)) if len(versions) < 6 else f"{versions[0]}-{versions[-1]}"
    flexible = ", flexible (KIP-482)" if layout.flexible else ""
    return f"version{'s' * (len(versions) > 1)} {listed}{flexible}"


def _row(slot: Slot, depth: int, layout: Layout) -> tuple[str, ...]:
    name = "  " * depth + _name(slot, layout)
    null = "null" if slot.nullable else ""
    return name, _type(slot), null, _default(slot), prose(slot.field.about)


def _list(layout: Layout) -> Iterator[Text | HangingIndent]:
    """The same where there is no room for columns: the description is below the field."""
    for slot, depth in _slots(layout, 0):
        yield HangingIndent(
            Text("  " * depth), Text(f"{_name(slot, layout)}  ").append(_facts(slot))
        )
        if slot.field.about:
            yield HangingIndent(
                Text("  " * depth + "    "), Text(prose(slot.field.about), theme.QUIET)
            )


def _facts(slot: Slot) -> str:
    facts = [_type(slot), "nullable" * slot.nullable]
    default = _default(slot)
    return ", ".join(filter(None, [*facts, default and f"default {default}"]))


def _name(slot: Slot, layout: Layout) -> str:
    tag = f" (tag {slot.field.tag})" if slot in layout.tagged else ""
    return slot.field.snake + tag


def _type(slot: Slot) -> str:
    return f"{'compact ' * slot.compact}{slot.field.type}"


def _slots(layout: Layout, depth: int) -> Iterator[tuple[Slot, int]]:
    for slot in (*layout.slots, *layout.tagged):
        yield slot, depth
        if slot.element is not None:
            yield from _slots(slot.element, depth + 1)


def _default(slot: Slot) -> str:
    """The default of a field; "" for zero, empty and the like."""
    field = slot.field
    if field.default_is_null:
        return "null"
    return escaped(str(field.default)) if field.default else ""
