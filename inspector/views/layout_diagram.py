"""A drawing of the bytes of one version of a message: offset, size and type of each part, and which
parts repeat.

      at    bytes
                   ┌──────────────────────────────────┐
       0        2  │ version              int16 = 3   │
       2        4  │ topics: count        int32       │
                   │ ┌─ x count ────────────────────┐ │
                2  │ │ topics[i]: length  int16     │ │
           length  │ │ topics[i]          UTF-8     │ │
                   │ └──────────────────────────────┘ │
                   └──────────────────────────────────┘

A part has an offset where no part before it varies in length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...codec.dialect.framing import Framing
from ...codec.dialect.layout import Layout, Slot, width
from ...codec.dialect.spec import FIXED_BYTES
from ...codec.runtime.message import Message
from ...codec.runtime.registry import layout_of
from ...wording import counted
from . import theme
from .theme import glyphs_for

_VARINT = "1-5"  # bytes of an unsigned varint
_TIMES = "\u00d7"
_BOXES = {False: f"┌─┐│└┘{_TIMES}", True: "+-+|++x"}
_LEAST_GAP = 2
_AROUND = 14  # columns of a row besides sizes and its own text
_LEAST_ROOM = 12  # columns for a row's text; in fewer, it is cut


class DiagramRow(NamedTuple):
    """A row of `size` bytes (a number, or a word for one), called `label`, of the type `kind`."""

    size: int | str
    label: str
    kind: str


class Box(NamedTuple):
    """Rows that are repeated, or present, as the `title` says."""

    title: str
    rows: tuple[Row, ...]


Row = DiagramRow | Box


class LayoutDiagram:
    """The drawing of a class in one of its versions. Raises KeyError for another version."""

    def __init__(self, message_class: type[Message], version: int) -> None:
        self._class = message_class
        self._version = version
        self._layout = layout_of(message_class, version)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cls = self._class
        least = width(self._layout) + cls.FRAMING.header_bytes
        yield Text.assemble(
            (f"{cls.NAME} version {self._version}", theme.TITLE),
            (f", as bytes: {counted(least, 'byte')} at least", theme.QUIET),
        )
        rows = (*_front(cls, self._version), *_struct(self._layout))
        glyphs = glyphs_for(options.encoding)
        yield from _Drawing(rows, options.max_width, _BOXES[glyphs.ascii_only]).lines()


# -- rows


def _front(cls: type[Message], version: int) -> Iterator[Row]:
    match cls.FRAMING:
        case Framing(kind="version"):
            yield DiagramRow(2, "version", f"int16 = {version}")
        case Framing(kind="record-type"):
            yield DiagramRow(2, "record_type", f"int16 = {cls.API_KEY}")
        case _:
            pass


def _struct(layout: Layout) -> Iterator[Row]:
    for slot in layout.slots:
        if slot.optional:
            yield DiagramRow("", "(the bytes may end here)", "")
        yield from _slot(slot)
    if layout.tagged:
        yield DiagramRow(_VARINT, "tagged fields: count", "uvarint")
        yield Box("count", tuple(_tags(layout)))
    elif layout.flexible:
        yield DiagramRow("1 or more", "tagged fields (KIP-482)", "none is known")


def _tags(layout: Layout) -> Iterator[Row]:
    yield DiagramRow(_VARINT, "tag", "uvarint")
    yield DiagramRow(_VARINT, "size", "uvarint")
    for slot in layout.tagged:
        yield DiagramRow("size", f"tag {slot.field.tag}: {slot.field.snake}", str(slot.field.type))
    yield DiagramRow("size", "any other tag", "kept as it is")


def _slot(slot: Slot) -> Iterator[Row]:
    name = slot.field.snake
    if slot.field.type.array:
        yield _counter(slot, f"{name}: count", 4)
        if slot.base in FIXED_BYTES:
            size = FIXED_BYTES[slot.base]
            yield DiagramRow("count" if size == 1 else f"{size} {_TIMES} count", name, slot.base)
        elif slot.element is not None:
            yield Box("count", tuple(_struct(slot.element)))
        else:
            yield Box("count", tuple(_box_of(slot, f"{name}[i]", nullable=False)))
    else:
        yield from _box_of(slot, name, nullable=slot.nullable)


def _box_of(slot: Slot, name: str, *, nullable: bool) -> Iterator[Row]:
    """A value, or an element of an array."""
    if slot.element is not None:
        if nullable:
            yield DiagramRow(1, f"{name}: presence", "int8, -1 null")
        yield Box("" if not nullable else "if present", tuple(_struct(slot.element)))
    elif slot.base in FIXED_BYTES:
        yield DiagramRow(FIXED_BYTES[slot.base], name, slot.base)
    else:
        size, unit, content = _CONTENT.get(slot.base, (4, "length", slot.base))
        yield _counter(slot, f"{name}: {unit.rpartition(' ')[2]}", size, nullable=nullable)
        yield DiagramRow(unit, name, content)


# bytes of the length, the size of what follows, and what that is
_CONTENT = {
    "string": (2, "length", "UTF-8"),
    "modified-utf-8": (2, "length", "modified UTF-8"),
    "utf-16": (4, f"2 {_TIMES} length", "UTF-16"),
}


def _counter(slot: Slot, label: str, size: int, *, nullable: bool | None = None) -> DiagramRow:
    null = slot.nullable if nullable is None else nullable
    if slot.compact:
        return DiagramRow(_VARINT, label, "uvarint of it + 1" + ", 0 null" * null)
    return DiagramRow(size, label, f"int{8 * size}" + ", -1 null" * null)


# -- drawing


class _Drawing:
    """The lines of the drawing, as wide as the rows need, or as there is room."""

    def __init__(self, rows: Iterable[Row], room: int, box: str) -> None:
        self._rows = tuple(rows)
        self._corner = box[:1], box[2:3]
        self._dash, self._bar, self._foot, self._times = (
            box[1],
            box[3],
            box[4:6],
            box[6],
        )
        sizes = [self._size_text(part.size) for part, _ in _parts(self._rows, 1)]
        self._sizes = max(map(cell_len, (*sizes, "bytes")))
        self._labels = max(
            (2 * depth + cell_len(part.label) for part, depth in self._all()), default=0
        )
        kinds = max((2 * depth + cell_len(part.kind) for part, depth in self._all()), default=0)
        natural = self._labels + kinds + _LEAST_GAP
        self._inner = max(min(natural, room - self._sizes - _AROUND), _LEAST_ROOM)

    def _all(self) -> Iterator[tuple[DiagramRow, int]]:
        return _parts(self._rows, 1)

    def _size_text(self, size: int | str) -> str:
        return str(size).replace(_TIMES, self._times)

    def lines(self) -> Iterator[Text]:
        yield Text(f"{'at':>6}  {'bytes':>{self._sizes}}", theme.QUIET)
        yield self._border(0, self._corner, "")
        at: int | None = 0
        for row in self._rows:
            yield from self._row(row, at, 1)
            at = None if at is None else _behind(row, at)
        yield self._border(0, (self._foot[0], self._foot[1]), "")

    def _row(self, row: Row, at: int | None, depth: int) -> Iterator[Text]:
        if isinstance(row, DiagramRow):
            yield from self._part(row, at, depth)
            return
        title = f" {self._times} {row.title} " if row.title == "count" else f" {row.title} "
        yield self._border(depth, self._corner, title if row.title else "")
        for inner in row.rows:
            yield from self._row(inner, None, depth + 1)
        yield self._border(depth, (self._foot[0], self._foot[1]), "")

    def _part(self, part: DiagramRow, at: int | None, depth: int) -> Iterator[Text]:
        place, size = "" if at is None else str(at), self._size_text(part.size)
        for body in self._bodies(part, depth):
            text = Text(f"{place:>6}  ", theme.QUIET, no_wrap=True, overflow="crop")
            text.append(f"{size:>{self._sizes}}  ", theme.PLAIN)
            text.append(f"{self._bar} " * depth, theme.QUIET)
            text.append(body, theme.PLAIN)
            yield text.append(f" {self._bar}" * depth, theme.QUIET)
            place = size = ""

    def _bodies(self, part: DiagramRow, depth: int) -> Iterator[str]:
        """Label and type; the type below the label where there is no room beside it."""
        room = max(self._inner - 4 * (depth - 1), 1)
        label = part.label.ljust(self._labels - 2 * (depth - 1)) + " " * _LEAST_GAP
        body = label + part.kind if part.kind else part.label
        if cell_len(body) <= room or room < _LEAST_ROOM:
            yield set_cell_size(body, room)
            return
        for line in wrap(part.label, room):
            yield set_cell_size(line, room)
        for line in wrap(part.kind, room - _LEAST_GAP):
            yield set_cell_size(" " * _LEAST_GAP + line, room)

    def _border(self, depth: int, corners: tuple[str, str], title: str) -> Text:
        dashes = self._inner + 2 - 4 * depth
        line = (self._dash * bool(title) + title).ljust(max(dashes, 0), self._dash)
        text = Text(" " * (self._sizes + 10), no_wrap=True, overflow="crop")
        text.append(f"{self._bar} " * depth + corners[0] + line[: max(dashes, 0)] + corners[1])
        text.append(f" {self._bar}" * depth)
        text.stylize(theme.QUIET)
        return text


def _behind(row: Row, at: int) -> int | None:
    """The end of a row that begins at `at`, None if it varies."""
    return at + row.size if isinstance(row, DiagramRow) and isinstance(row.size, int) else None


def _parts(rows: Iterable[Row], depth: int) -> Iterator[tuple[DiagramRow, int]]:
    for row in rows:
        if isinstance(row, DiagramRow):
            yield row, depth
        else:
            yield from _parts(row.rows, depth + 1)
