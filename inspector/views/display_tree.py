"""One message as a tree of lines for the views, each with the range of its bytes.

It is the tree of what was read, with three additions: user data is opened in its place, the item
that failed has a line where it failed, and what follows (a remainder, or bytes not read) has a line
too. Long arrays and values are folded; a fold never hides what failed. The bytes of an error begin
at its offset and cover the primitive that was refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from ... import capture
from ...codec.dialect.framing import HEADER_BYTES
from ...codec.dialect.layout import Layout, Slot
from ...codec.dialect.spec import FIXED_BYTES
from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoding import Decoded
from ...codec.read.deviations import Deviation
from ...codec.read.diagnostic_reader import FIXED, FieldNode
from ...codec.runtime.message import Message, MessagePart, RawTaggedField
from ...codec.runtime.registry import layout_of
from ...codec.wire.primitives import format_uuid, read_varint
from ...escaping import escaped
from ...wording import counted
from ..candidates import is_newer_record
from ..identification import Examined
from ..nested_bytes import Opened, all_deviations, open_committed, open_inside
from .theme import UNICODE, Glyphs

TEXT_SHOWN = 120  # characters of a string, where it is folded
BYTES_SHOWN = 16  # bytes of a bytes field
NUMBERS_SHOWN = 24  # elements of an array of numbers


def value_text(value: Any, glyphs: Glyphs, *, full: bool) -> str:
    """Return the text of a value that is neither a struct nor an array of structs or strings."""
    match value:
        case None | True | False:
            text = {None: "null", True: "true", False: "false"}[value]
        case str():
            text = _string(value, glyphs, full)
        case bytes():
            text = bytes_text(value, glyphs, full=full)
        case tuple():
            text = _numbers(value, glyphs, full)
        case UUID():
            text = format_uuid(value)
        case dict() | MessagePart() if not isinstance(value, RawTaggedField):
            text = "none"  # a tag section without tags, a struct without fields
        case RawTaggedField():
            text = f"tag {value.tag}: {bytes_text(value.data, glyphs, full=full)}"
        case _:
            text = str(value)
    return text


def bytes_text(value: bytes, glyphs: Glyphs, *, full: bool) -> str:
    """Return bytes as text, cut short unless `full`: `3 bytes: 00 01 02`."""
    if not value:
        return "0 bytes"
    part = value if full else value[:BYTES_SHOWN]
    cut = "" if len(part) == len(value) else f" {glyphs.ellipsis}"
    return f"{counted(len(value), 'byte')}: {part.hex(' ')}{cut}"


def opened_text(inner: Opened, glyphs: Glyphs) -> str:
    """Return what a payload was opened as: `StickyAssignorUserData v1 (or …)`, `text "lab-1"`."""
    alternatives = f" (or {', '.join(inner.rivals)})" if inner.rivals else ""
    if inner.decoded is None:
        return f"{inner.name}{alternatives}{_user_text(inner.value, glyphs)}"
    version = "" if inner.version is None else f" v{inner.version}"
    note = f"; {inner.note}" if inner.note else ""
    error = inner.decoded.error
    failed = "" if error is None else f", not complete: {error}"
    return f"{inner.name}{version}{failed}{alternatives}{note}"


def _user_text(value: Any, glyphs: Glyphs) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f" {_string(text, glyphs, full=False)}"


def _string(value: str, glyphs: Glyphs, full: bool) -> str:
    part = value if full else value[:TEXT_SHOWN]
    text = f'"{escaped(part, ascii_only=glyphs.ascii_only)}"'
    if len(part) == len(value):
        return text
    return f"{text}{glyphs.ellipsis} {len(value):,} characters"


def _numbers(values: tuple[Any, ...], glyphs: Glyphs, full: bool) -> str:
    part = values if full else values[:NUMBERS_SHOWN]
    items = [value_text(value, glyphs, full=full) for value in part]
    if len(part) < len(values):
        items.append(f"{glyphs.ellipsis} {len(values) - len(part):,} more")
    return f"[{', '.join(items)}]"


_TO_THE_END = {ErrorKind.TRUNCATED, ErrorKind.REMAINDER}
_HEX_IDS = {"process_id"}
_IN_FRONT = {ErrorKind.UNSUPPORTED_VERSION, ErrorKind.UNKNOWN_RECORD_TYPE}


def error_span(result: Decoded[Message], error: DecodeError) -> tuple[int, int]:
    """Return start and end of the bytes that `error` refuses; an empty range where bytes are
    missing at the end."""
    start = error.offset
    if error.kind in _TO_THE_END:
        return start, len(result.data)
    if error.kind in _IN_FRONT:
        return start, start + (HEADER_BYTES[result.message_class.FRAMING.kind] or 4)
    node = _node_at(result.fields, error)
    return start, start + _prefix_width(result, error) if node is None else node.end


def _node_at(nodes: Iterable[FieldNode], error: DecodeError) -> FieldNode | None:
    """The node that was read at the error, where the policy alone refuses it."""
    for node in nodes:
        if node.path == error.path and node.start == error.offset:
            return node
        if node.start <= error.offset < node.end:
            return _node_at(node.children, error)
    return None


def _prefix_width(result: Decoded[Message], error: DecodeError) -> int:
    """The bytes of the length, count or marker that was refused."""
    slot = _slot_at(result, error.path)
    element = error.path.endswith("]")
    if slot is not None and not slot.compact:
        if slot.field.type.array and not element:
            return 4
        return FIXED_BYTES.get(slot.base) or {"string": 2, "struct": 1}.get(slot.base, 4)
    return _varint_width(result.data, error.offset)


def _slot_at(result: Decoded[Message], path: str) -> Slot | None:
    if result.schema_version is None:
        return None
    layout: Layout | None = layout_of(result.message_class, result.schema_version)
    slot = None
    for name in path.split("."):
        if layout is None:
            return None
        field_name = name.partition("[")[0]
        slots = (*layout.slots, *layout.tagged)
        slot = next((candidate for candidate in slots if candidate.field.snake == field_name), None)
        layout = slot.element if slot is not None else None
    return slot


def _varint_width(data: bytes, start: int) -> int:
    for width in range(1, 5):
        if data[start + width - 1 : start + width] < b"\x80":
            return width
    return 5


FOLDED_FROM = 12  # elements of an array of strings or structs
FIRST_SHOWN, LAST_SHOWN = 8, 1


class Line:
    """One line of the tree, for `data[start:end]`, of which the bytes up to `head` are a length or
    count.

    `key` is the path without indexes ("owned_partitions.topic"); lines with one key have one
    colour. `state` is "field", "fold", "failed" or "rest"; `hidden` is the range that a fold leaves
    out of the hex; `node` is what was read, with offsets that count from the beginning of its
    message.
    """

    __slots__ = (
        "children", "codes", "end", "head", "hidden", "key", "name", "node", "path", "start",
        "state", "text",
    )  # fmt: skip

    def __init__(self, name: str, path: str, key: str, start: int, end: int) -> None:
        self.name = name
        self.path = path
        self.key = key
        self.start = start
        self.end = end
        self.head = start
        self.text = ""
        self.state = "field"
        self.hidden: tuple[int, int] | None = None
        self.node: FieldNode | None = None
        self.codes: list[str] = []
        self.children: list[Line] = []


class DisplayTree:
    """The lines of one message and its deviations, those of opened user data included.

    `window` is the range of the bytes that are shown; `masked`, where not None, has a 1 for each
    byte whose value is hidden.
    """

    def __init__(self, examined: Examined, glyphs: Glyphs, *, full: bool = False) -> None:
        result = examined.decoded
        self.data = result.data
        self.window = 0, len(result.data)
        self.masked: bytearray | None = None
        self.error_span = None if examined.error is None else error_span(result, examined.error)
        inside = (*open_inside(result), *open_committed(result))
        contents = tuple(_flatten(inside))
        self._messages = {inner.path: inner.name for inner in contents}
        self._messages[""] = result.message_class.NAME
        self.ends_early = result.error is not None and result.error.kind is not ErrorKind.REMAINDER
        self.deviations = _all_deviations(all_deviations(result, inside), contents)
        self.lines = _Builder(result.data, contents, glyphs, full).message(
            examined, self.error_span
        )
        by_path = {line.path: line for line, _ in self.walk() if line.state != "fold"}
        for deviation in self.deviations:
            _mark(by_path, deviation)
        if examined.error is not None and examined.error.path in by_path:
            by_path[examined.error.path].state = "failed"

    def message_at(self, path: str) -> str:
        """Return the name of the message that a field is in, the innermost one."""
        while path and path not in self._messages:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._messages[path]

    def walk(self) -> Iterator[tuple[Line, tuple[bool, ...]]]:
        """Yield every line, from top to bottom, with its guides: for each level, whether another
        line follows.
        """
        return _walk(self.lines, ())

    def line_at(self, path: str) -> Line | None:
        """Return the line of a field, or of an element of an array of numbers; None if it was not
        read or is in a fold.
        """
        by_path = {line.path: line for line, _ in self.walk() if line.node is not None}
        if path in by_path:
            return by_path[path]
        array, index = path[: max(path.rfind("["), 0)], path[path.rfind("[") :]
        above = by_path.get(array)
        if above is None or above.node is None:
            return None
        base = above.start - above.node.start
        for node in above.node.children:
            if node.name == index and node.complete and node.type in FIXED:
                line = Line(index, path, above.key, base + node.start, base + node.end)
                line.node, line.text = node, value_text(node.value, UNICODE, full=True)
                return line
        return None

    def narrow_to(self, path: str) -> Line | None:
        """Drop all lines but that of the field at `path` and those below it, and return that line;
        None, and drop nothing, if the field was not read.
        """
        line = self.line_at(path)
        if line is None:
            return None
        line.name = line.path
        self.lines = [line]
        self.window = line.start, line.end
        inside = (line.path + ".", line.path + "[")
        self.deviations = tuple(
            deviation for deviation in self.deviations if (deviation.path + ".").startswith(inside)
        )
        return line


def _walk(lines: list[Line], above: tuple[bool, ...]) -> Iterator[tuple[Line, tuple[bool, ...]]]:
    for line in lines:
        guides = (*above, line is not lines[-1])
        yield line, guides
        yield from _walk(line.children, guides)


def _flatten(contents: tuple[Opened, ...], path: str = "", start: int = 0) -> Iterator[Opened]:
    """All that was opened, at any depth, with paths and offsets of the outermost message."""
    for inner in contents:
        placed = replace(inner, path=below(path, inner.path), start=start + inner.start)
        yield placed
        yield from _flatten(inner.opened, placed.path, placed.start)


def _all_deviations(
    own: tuple[Deviation, ...], contents: tuple[Opened, ...]
) -> tuple[Deviation, ...]:
    deviations = list(own)
    for inner in contents:
        deviations += (
            replace(
                deviation,
                offset=inner.start + deviation.offset,
                path=below(inner.path, deviation.path),
            )
            for deviation in _of_opened(inner)
        )
    return tuple(sorted(deviations, key=lambda deviation: (deviation.offset, deviation.code)))


def _of_opened(inner: Opened) -> tuple[Deviation, ...]:
    result = inner.decoded
    return () if result is None else all_deviations(result, inner.opened, inner.around)


def below(path: str, inner: str) -> str:
    """Return the path of a field inside another: `user_data` and `topics[0]` give
    `user_data.topics[0]`."""
    return f"{path}.{inner}" if path and inner else path or inner


def _mark(by_path: dict[str, Line], deviation: Deviation) -> None:
    """Put the code on the line at its path, or on the nearest one above that is shown."""
    path = deviation.path
    while path not in by_path:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
        if not path:
            return
    if deviation.code not in by_path[path].codes:
        by_path[path].codes.append(deviation.code)


class _Builder:
    """Makes the lines of fields. `base` and `prefix` are offset and path of the message that is
    being added, which may be an opened one."""

    def __init__(
        self, data: bytes, contents: tuple[Opened, ...], glyphs: Glyphs, full: bool
    ) -> None:
        self.data = data
        self.opened = {inner.path: inner for inner in contents}
        self.glyphs = glyphs
        self.full = full
        self.base = 0
        self.prefix = ""
        self.failure: Line | None = None

    def message(self, examined: Examined, error_span: tuple[int, int] | None) -> list[Line]:
        result, error = examined.decoded, examined.error
        if error is not None and error_span is not None and result.error is not None:
            self.failure = self.failed(error, error_span)
        failing_span = (
            None if self.failure is None else error_span
        )  # a label that is refused was read, too
        complete = (node for node in result.fields if (node.start, node.end) != failing_span)
        lines = [self.field(node, "") for node in complete]
        is_guess = is_newer_record(result)  # then the fields are behind what is refused
        if self.failure is not None:
            lines.insert(0 if is_guess else len(lines), self.failure)
        end = len(result.data) - len(result.remainder)
        lines += self.rest(result.complete or is_guess, end, error_span)
        return lines

    def failed(self, error: DecodeError, error_span: tuple[int, int]) -> Line:
        line = Line(error.path, error.path, "", *error_span)
        line.state = "failed"
        line.text = f"{error.kind.value}: {error.reason}"
        return line

    def rest(
        self, complete: bool, start: int, error_span: tuple[int, int] | None
    ) -> Iterator[Line]:
        """The line of the bytes behind the fields, or behind what failed."""
        start = start if complete or error_span is None else error_span[1]
        if start < len(self.data):
            line = Line("remainder" if complete else "not read", "", "", start, len(self.data))
            line.state = "rest"
            line.text = bytes_text(self.data[start:], self.glyphs, full=self.full)
            self.hide(line, start + BYTES_SHOWN)
            yield line

    def field(self, node: FieldNode, above: str) -> Line:
        key = above if node.name.startswith("[") else below(above, node.name)
        path = below(self.prefix, node.path)
        line = Line(node.name, path, key, self.base + node.start, self.base + node.end)
        line.node = node
        if path in self.opened:
            self.open(line, self.opened[path])
        elif node.type.startswith("[]") and node.children:
            self.array(line, node)
        elif node.children:
            line.head = self.base + node.children[0].start
            line.children = [self.field(child, key) for child in node.children]
        else:
            self.leaf(line, node)
        self.place_failure(line, node)
        return line

    def open(self, line: Line, inner: Opened) -> None:
        """Add the lines of the message that is inside of a field."""
        line.head = inner.start
        line.text = f"{counted(line.end - line.head, 'byte')}: {opened_text(inner, self.glyphs)}"
        if inner.decoded is None:
            self.hide(line, line.head + _bytes_shown(line.end - line.head, inner.value))
            return
        outer = self.base, self.prefix
        self.base, self.prefix = inner.start, line.path
        line.children = [self.field(node, line.key) for node in inner.decoded.fields]
        self.base, self.prefix = outer

    def array(self, line: Line, node: FieldNode) -> None:
        line.head = self.base + node.children[0].start
        complete = [child for child in node.children if child.complete]
        if node.type[2:] in FIXED:
            values = tuple(child.value for child in complete)
            line.text = value_text(values, self.glyphs, full=self.full)
            if len(complete) > NUMBERS_SHOWN:
                self.hide(line, self.base + complete[NUMBERS_SHOWN].start)
        else:
            line.text = counted(len(node.children), "item")
            line.children = self.elements(node, line.key)
        if not node.complete:
            items = "" if line.children or not complete else f": {line.text}"
            line.text = f"{len(complete):,} of {self.declared(line):,} read{items}"

    def declared(self, line: Line) -> int:
        """The number of elements that an array's count promises."""
        head = self.data[line.start : line.head]
        return int.from_bytes(head, "big") if len(head) == 4 else read_varint(head, 0)[0] - 1

    def elements(self, node: FieldNode, key: str) -> list[Line]:
        children = node.children
        if self.full or len(children) <= FOLDED_FROM:
            return [self.field(child, key) for child in children]
        hidden = children[FIRST_SHOWN:-LAST_SHOWN]
        start, end = self.base + hidden[0].start, self.base + hidden[-1].end
        fold = Line(self.glyphs.ellipsis, "", key, start, end)
        fold.state = "fold"
        fold.text = f"{len(hidden):,} more (--full)"
        fold.hidden = (start, end)
        first = [self.field(child, key) for child in children[:FIRST_SHOWN]]
        return [*first, fold, *(self.field(child, key) for child in children[-LAST_SHOWN:])]

    def leaf(self, line: Line, node: FieldNode) -> None:
        line.text = self.leaf_text(node)
        line.head = line.start + self.prefix_width(line, node)
        self.hide(line, line.head + _bytes_shown(line.end - line.head, node.value))

    def leaf_text(self, node: FieldNode) -> str:
        if not node.complete:
            return ""
        if node.type.startswith("[]") and not node.value:
            return "null" if node.value is None else counted(0, "item")
        text = value_text(node.value, self.glyphs, full=self.full)
        if node.name == "error_code" and node.value:
            return f"{text} {capture.error_name(node.value, node.type)}"
        # Kafka prints ids of its own in base64, and Streams prints its processes' in hex.
        return f"{text} ({node.value})" if self.is_hex_id(node) else text

    def is_hex_id(self, node: FieldNode) -> bool:
        return node.name in _HEX_IDS and isinstance(node.value, UUID)

    def prefix_width(self, line: Line, node: FieldNode) -> int:
        """The number of bytes that a value's length takes. Where the value does not tell (a string
        of invalid UTF-8), an int16 that fits is the length: no varint looks like one."""
        size = line.end - line.start
        if node.value is None or node.type.startswith("[]"):
            return size
        if isinstance(node.value, bytes):
            return size - len(node.value)
        if isinstance(node.value, RawTaggedField):
            return size - len(node.value.data)
        if not isinstance(node.value, str):
            return 0
        if int.from_bytes(self.data[line.start : line.start + 2], "big") == size - 2:
            return 2
        return next(w for w in (1, 2, 3, 4, 5) if self.data[line.start + w - 1] < 0x80)

    def hide(self, line: Line, start: int) -> None:
        if not self.full and start < line.end:
            line.hidden = (start, line.end)

    def place_failure(self, line: Line, node: FieldNode) -> None:
        """Put the line of what failed into the innermost item that was begun."""
        if self.failure is not None and not node.complete:
            self.failure.name = self.failure.path.removeprefix(node.path).removeprefix(".")
            line.children.append(self.failure)
            self.failure = None


def _bytes_shown(size: int, value: Any) -> int:
    """The number of bytes, of `size`, that a line shows of a value."""
    if not isinstance(value, str | list | dict) or not value:
        return BYTES_SHOWN
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return size * TEXT_SHOWN // len(text)  # whatever the encoding
