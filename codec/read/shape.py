"""Shapes: where a message would end, found by walking over bytes without reading values.

`identify` decides by them which of the built-in messages are worth decoding. No message class is
imported, so all of them can be tried on an input in a few milliseconds; with the compiled core, in
microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, Protocol

from ..dialect.layout import ARRAY, COMPACT, NULLABLE, OPTIONAL, LayoutRow, Program, SlotRow
from ..dialect.spec import FIXED_BYTES
from ..messages.programs import PROGRAMS
from ..runtime.engine import CORE
from ..wire.primitives import MAX_ELEMENTS, MAX_STRING, MAX_TAGS, OddBytes, read_varint

STEPS: Final = 2000
"""The elements and tagged fields after which Python's walk gives up, and says that they fit."""


class Shape(Protocol):
    """The layouts of one message."""

    def end(self, version: int, data: bytes, start: int) -> tuple[bool, int | None]:
        """Return whether `data` has the fields of `version` from `start` on, and where they end.

        Where they do not fit, the offset is that of the primitive that cannot be read. Where the
        walk gave up, the answer is True and None.
        """


class Shapes(Protocol):
    """The layouts of many messages, which are tried on the same bytes."""

    def whole(self, data: bytes) -> list[int]:
        """Return the numbers of the messages one version of which has all of `data` as its fields,
        or those of which the walk gave up."""


@cache
def shape_of(name: str) -> Shape:
    """Return the shape of a built-in message. Raises KeyError for an unknown name."""
    program = PROGRAMS[name]
    if CORE is None:
        return PythonShape(program)
    shape: Shape = CORE.Shape(*program[:4])
    return shape


def shapes_of(versions: Iterable[tuple[str, Iterable[int]]]) -> Shapes:
    """Return the shapes of built-in messages in some versions, in this order."""
    rows = [(shape_of(name), tuple(numbers)) for name, numbers in versions]
    if CORE is None:
        return PythonShapes(rows)
    shapes: Shapes = CORE.Shapes(rows)
    return shapes


class _MisfitError(Exception):
    """Raised where the bytes do not fit the layout, at offset `at`."""

    def __init__(self, at: int) -> None:
        self.at = at


class _GaveUpError(Exception):
    """Raised after `STEPS`; up to there the bytes fit."""


class PythonShape:
    """A shape whose walk is Python, for use without the compiled core."""

    def __init__(self, program: Program) -> None:
        _, self._layouts, versions, head, _ = program
        self._versions = {row[0]: row[1] for row in (*versions, *((head,) if head else ()))}

    def end(self, version: int, data: bytes, start: int) -> tuple[bool, int | None]:
        """Return what `Shape.end` returns."""
        if version not in self._versions:
            return False, start
        walk = _Walk(self._layouts, data, start)
        try:
            walk.fields(self._layouts[self._versions[version]])
        except _MisfitError as misfit:
            return False, misfit.at
        except _GaveUpError:
            return True, None
        return True, walk.pos


class PythonShapes:
    """Shapes whose walks are Python."""

    def __init__(self, rows: list[tuple[Shape, tuple[int, ...]]]) -> None:
        self._rows = rows

    def whole(self, data: bytes) -> list[int]:
        """Return what `Shapes.whole` returns."""
        ends = ((True, len(data)), (True, None))
        return [
            number
            for number, (shape, versions) in enumerate(self._rows)
            if any(shape.end(version, data, 0) in ends for version in versions)
        ]


class _Walk:
    def __init__(self, layouts: tuple[LayoutRow, ...], data: bytes, pos: int) -> None:
        self.layouts = layouts
        self.data = data
        self.pos = pos
        self.steps = STEPS

    @property
    def left(self) -> int:
        return len(self.data) - self.pos

    def fields(self, layout: LayoutRow) -> None:
        _, flexible, slots, tagged, foreign, _, _ = layout
        for slot in slots:
            if slot[2] & OPTIONAL and not self.left:
                break
            self.slot(slot, tagged=False)
        if flexible:
            self.tags(dict(tagged), foreign)

    def slot(self, slot: SlotRow, *, tagged: bool) -> None:
        _, base, flags, element = slot
        if flags & ARRAY:
            self.array(base, flags, element)
        elif base == "struct" and flags & NULLABLE:
            if self.varint() > 0 if tagged else self.number(1) >= 0:
                self.struct(element)
        else:
            self.value(base, flags, element)

    def array(self, base: str, flags: int, element: int) -> None:
        start = self.pos
        count = self.length(4, flags)
        if count > min(self.left, MAX_ELEMENTS):
            raise _MisfitError(start)
        if base in FIXED_BYTES:
            width = FIXED_BYTES[base]
            if count * width > self.left:
                raise _MisfitError(self.pos + self.left // width * width)
            self.pos += count * width
            return
        for _ in range(count):
            self.step()
            self.value(base, flags & COMPACT, element)

    def value(self, base: str, flags: int, element: int) -> None:
        start = self.pos
        if base == "struct":
            self.struct(element)
        elif base in FIXED_BYTES:
            self.skip(FIXED_BYTES[base], start)
        elif base == "modified-utf-8":
            self.skip(self.number(2) & 0xFFFF, start)
        elif base == "utf-16":
            self.skip(2 * max(self.number(4), 0), start)
        else:
            size = self.length(2 if base == "string" else 4, flags)
            if base == "string" and size > MAX_STRING:
                raise _MisfitError(start)
            self.skip(size, start)

    def struct(self, element: int) -> None:
        self.fields(self.layouts[element])

    def tags(self, rows: dict[int, SlotRow], foreign: tuple[int, ...]) -> None:
        start = self.pos
        count = self.varint()
        if not 0 <= count <= min(self.left, MAX_TAGS):
            raise _MisfitError(start)
        for _ in range(count):
            self.step()
            start = self.pos
            tag = self.varint()
            if tag in rows:
                self.varint()
                self.slot(rows[tag], tagged=True)
            elif tag in foreign:
                raise _MisfitError(start)
            else:
                start = self.pos
                self.skip(self.varint(), start)

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise _GaveUpError

    def length(self, width: int, flags: int) -> int:
        """Return a length or count of `width` bytes, or a compact one; 0 for null."""
        start = self.pos
        size = self.varint() - 1 if flags & COMPACT else self.number(width)
        if size < 0 and not flags & NULLABLE:
            raise _MisfitError(start)
        return max(size, 0)

    def number(self, width: int) -> int:
        start = self.pos
        self.skip(width, start)
        return int.from_bytes(self.data[start : self.pos], "big", signed=True)

    def varint(self) -> int:
        try:
            value, self.pos = read_varint(self.data, self.pos)
        except (IndexError, OddBytes):
            raise _MisfitError(self.pos) from None
        return value

    def skip(self, size: int, start: int) -> None:
        if not 0 <= size <= self.left:
            raise _MisfitError(start)
        self.pos += size
