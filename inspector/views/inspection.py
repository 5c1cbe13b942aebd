"""The view of a whole message: its type, its bytes and its fields side by side, its deviations, and
why it was refused.

The hex has 16 bytes in a row wherever they fit. It is on the left of the tree where there is room
for both, and above it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ... import clients
from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoding import older_body
from ...codec.read.deviations import Deviation
from ...escaping import escaped
from ...wording import counted, some_of
from ..candidates import WITHOUT_USER_DATA, is_without_user_data
from ..diagnose.fingerprints import fingerprint
from ..identification import Examined, resembles_nothing
from ..nested_bytes import remark_on_version
from . import theme
from .display_tree import DisplayTree, Line, bytes_text
from .theme import Glyphs, HangingIndent, SideBySide, glyphs_for

if TYPE_CHECKING:
    from .redaction import Redaction


MAX_INSPECTED = 1 << 20
"""Bytes of the longest message that is shown field by field: a tree takes many times its input."""

_TREE_WANTS = 56  # columns; a tree that is wider wraps
_NAMED = 4  # rivals
_NAME_IT = (
    "--as NAME reads them as a message that you know them to be, --body-version N one without its "
    "label; `kproto schemas` lists the names."
)


class Inspection:
    """The view of one message, a `rich` renderable.

    `with_hex`: the bytes are shown too, not the tree alone. `full`: nothing is folded. `field`: the
    path of the field to show alone. `redaction`: names and user data are hidden.
    """

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
        glyphs = glyphs_for(options.encoding)
        yield title(self._examined, glyphs)
        if not self._examined.identified:
            yield from self._unidentified(glyphs)
            return
        yield from self._rivals()
        yield from self._writers()
        examined = self._examined
        if remark := examined.doubt or examined.remark or remark_on_version(examined.decoded):
            yield HangingIndent(Text("note ", theme.QUIET), Text(remark))
        if len(self._examined.decoded.data) <= MAX_INSPECTED:
            yield from self._parts(glyphs, options.max_width, console.color_system)
        else:
            limit = f"only messages of up to {MAX_INSPECTED:,} bytes are taken apart here; "
            yield Text(f"{limit}--json has them whole", theme.QUIET)
        if self._examined.error is not None and self._field is None:
            yield Text()
            yield ErrorReport(self._examined, glyphs)

    def _unidentified(self, glyphs: Glyphs) -> RenderResult:
        data = self._examined.decoded.data
        yield Text()
        if self._redaction is None:
            text = bytes_text(data, glyphs, full=self._full).partition(": ")[2]
            yield HangingIndent(Text("  bytes  ", theme.QUIET), Text(text))
        yield HangingIndent(Text("  why    ", theme.QUIET), Text(resembles_nothing(data)))
        yield HangingIndent(Text("  next   ", theme.QUIET), Text(_NAME_IT))

    def _parts(self, glyphs: Glyphs, width: int, color_system: str | None) -> RenderResult:
        tree = self._display_tree(glyphs)
        keys = (line.key for line, _ in tree.walk() if line.key)
        styles = theme.field_styles(keys, color_system)
        fields = FieldTree(tree, styles, glyphs)
        yield Text()
        if self._with_hex and tree.data:
            error = self._examined.error
            missing = error is not None and error.kind is ErrorKind.TRUNCATED
            side_by_side, per_row = _arranged(width, tree.window[1], fields.natural_width())
            view = HexView(tree, styles, glyphs, per_row=per_row, missing=missing)
            if side_by_side:
                yield SideBySide(view, view.width, fields)
            else:
                yield view
                yield Text()
                yield fields
            yield from theme.legend(view.signs())
        else:
            yield fields
        if tree.deviations:
            yield Text()
            yield DeviationList(tree, glyphs, full=self._full)

    def _display_tree(self, glyphs: Glyphs) -> DisplayTree:
        """The tree, folded unless the field that is asked for is in a fold."""
        tree = DisplayTree(self._examined, glyphs, full=self._full)
        if self._redaction is not None:
            self._redaction.apply(tree)
        if self._field is None or tree.narrow_to(self._field) or self._full:
            return tree
        return Inspection(
            self._examined, full=True, field=self._field, redaction=self._redaction
        )._display_tree(glyphs)

    def _rivals(self) -> RenderResult:
        names = self._examined.rivals
        if names:
            body = f"{some_of(names, _NAMED)}: --as NAME"
            yield HangingIndent(Text("also readable as ", theme.QUIET), Text(body, theme.QUIET))

    def _writers(self) -> RenderResult:
        """The clients that could have written these bytes, where that can be told."""
        result = self._examined.decoded
        is_repaired = bool(self._examined.repair)
        if self._field is not None or is_repaired or len(result.data) > MAX_INSPECTED:
            return
        writers = fingerprint(result, equals=self._examined.equals)
        if writers.could:
            body = ", ".join(writers.in_short)
            yield HangingIndent(Text("could have been written by ", theme.QUIET), Text(body))
        elif writers.ruled_out and result.complete:
            yield Text("no client that was measured writes these bytes", theme.QUIET)


def heading_line(console: Console, title: str) -> list[Segment]:
    """Return a heading with a line behind it, as `rich.rule.Rule` draws it, which takes as long for
    it as for a short message; one that is too long has lines of its own."""
    options = console.options
    rest = options.max_width - cell_len(title) - 1
    if rest < 1:
        lines = Text(title).wrap(console, options.max_width, overflow="fold")
        return [Segment(f"{line.plain.rstrip()}\n") for line in lines]
    line = "-" if options.ascii_only else "\u2500"
    return [Segment(f"{title} {line * rest}\n")]


def is_not_shown(side: Examined) -> bool:
    """Return whether a side has no tree of fields: it is too large, or resembles no message."""
    return not side.identified or len(side.decoded.data) > MAX_INSPECTED


def title(examined: Examined, glyphs: Glyphs) -> Text:
    """Return the title: type, version, size, and whether the message was read to its end."""
    result = examined.decoded
    if not examined.identified:
        size = counted(len(result.data), "byte")
        return Text.assemble(("no message", theme.TITLE), (f" {glyphs.dot} {size}", theme.QUIET))
    facts = [counted(len(result.data), "byte"), "complete" if result.complete else "not complete"]
    if result.schema_version not in (None, result.version):
        facts.insert(0, f"read as {result.schema_version}")
    version = "" if result.version is None else f" version {result.version}"
    about = "".join(f" {glyphs.dot} {fact}" for fact in facts)
    name = f"{result.message_class.NAME}{version}"
    return Text.assemble((name, theme.TITLE), (about, theme.QUIET))


def _arranged(width: int, size: int, tree: int) -> tuple[bool, int]:
    """Whether hex and tree are side by side, and the bytes in a row of hex: 16 wherever so many
    fit, and the tree beside them where it fits, too."""
    needed = width_of(size, 16)
    if width < needed:
        return False, 8
    return width - needed - 2 >= min(tree, _TREE_WANTS), 16


_LEAST_VALUE = 16  # cells that a value gets at least


class FieldTree:
    """The tree of fields. `styles` has each field's colour, by its key."""

    def __init__(self, tree: DisplayTree, styles: Mapping[str, Style], glyphs: Glyphs) -> None:
        self._lines = list(tree.walk())
        self._styles = styles
        self._glyphs = glyphs
        self._ranges = max((len(_range(line)) for line, _ in self._lines), default=0)
        self._labels = max((self._label(*pair).cell_len for pair in self._lines), default=0)

    def natural_width(self) -> int:
        """Return the width at which nothing wraps."""
        values = max((self._value(line).cell_len for line, _ in self._lines), default=0)
        return self._ranges + self._labels + values + 4

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        labels = min(self._labels, max(width // 2 - self._ranges, width - self._ranges - 40))
        for line, guides in self._lines:
            first = Text.assemble((_range(line).rjust(self._ranges), theme.QUIET), "  ")
            first.append_text(self._label(line, guides))
            first.pad_right(self._ranges + 2 + labels - first.cell_len)
            below = Text(" " * (self._ranges + 2)).append_text(self._below(line, guides))
            value = self._value(line)
            if value and width - first.cell_len - 2 < min(_LEAST_VALUE, value.cell_len):
                yield from _fitted(first, console, width)
                first = below.copy()
            first.append("  ")
            below.pad_right(first.cell_len - below.cell_len)
            wrapped = value.wrap(console, max(width - first.cell_len, 1), overflow="fold")
            for text in wrapped or [Text()]:
                yield from _fitted(first.append_text(text), console, width)
                first = below.copy()

    def _label(self, line: Line, guides: tuple[bool, ...]) -> Text:
        glyphs = self._glyphs
        text = Text()
        if len(guides) > 1:
            between = (glyphs.pipe if more else glyphs.blank for more in guides[1:-1])
            turn = glyphs.branch if guides[-1] else glyphs.last
            text.append("".join(between) + turn, theme.QUIET)
        mark = f"{glyphs.failed} " if line.state == "failed" else ""
        return text.append(mark + line.name, self._style(line))

    def _below(self, line: Line, guides: tuple[bool, ...]) -> Text:
        """The guides of the second and later lines of a value."""
        glyphs = self._glyphs
        text = "".join(glyphs.pipe if more else glyphs.blank for more in guides[1:])
        return Text.assemble((text + glyphs.pipe * bool(line.children), theme.QUIET))

    def _value(self, line: Line) -> Text:
        failed = line.state == "failed"
        quiet = line.state in ("fold", "rest") or bool(line.children)
        style = theme.FAILED if failed else theme.QUIET if quiet else theme.PLAIN
        text = Text.assemble((line.text, style))
        for code in line.codes:
            text.append("  " if text else "").append(code, theme.WARN)
        return text

    def _style(self, line: Line) -> Style:
        if line.state == "failed":
            return theme.FAILED
        if line.state in ("fold", "rest"):
            return theme.REST
        return self._styles.get(line.key, theme.PLAIN)


def _range(line: Line) -> str:
    return f"{line.start}:{line.end}"


def _fitted(text: Text, console: Console, width: int) -> Iterable[Segment]:
    text.rstrip()
    return _cropped(text, console, width)


def _cropped(text: Text, console: Console, width: int) -> Iterable[Segment]:
    """The segments of a line, cropped. `rich` would look for places to wrap it."""
    if text.cell_len > width:
        text.rstrip_end(width)
        text.truncate(width, overflow="crop")
    return text.render(console, "\n")


_OVERHEAD, _REST, _FAILED = range(3)  # a byte's style; those of fields follow, two each
_PRINTABLE = range(0x20, 0x7F)
_MASK = "xx"


class HexView:
    """The bytes in hex, `per_row` (8 or 16) in a row. `missing`: the input ends too early."""

    def __init__(
        self,
        tree: DisplayTree,
        styles: Mapping[str, Style],
        glyphs: Glyphs,
        *,
        per_row: int,
        missing: bool = False,
    ) -> None:
        self._data = tree.data
        self._masked = tree.masked
        self._from, self._to = tree.window
        self._glyphs = glyphs
        self._per_row = per_row
        self._missing = missing
        self._error_span = tree.error_span or (-1, -1)
        self._table = [theme.QUIET, theme.REST, theme.FAILED_BYTES]
        number: dict[Style, int] = {}  # fields share styles, and a byte has room for 256
        for style in styles.values():
            if style not in number:
                number[style] = len(self._table)
                self._table += (style, theme.prefix_style(style))
        self._ids, self._hidden = _paint(tree, {key: number[styles[key]] for key in styles})
        self._digits = _digits(self._to)

    @property
    def width(self) -> int:
        return width_of(self._to, self._per_row)

    def signs(self) -> Iterator[str]:
        """Yield what each sign among the bytes means that is not a word, for those that occur."""
        if self._from <= self._error_span[0] < self._to:
            yield "[00] refused"
        if self._missing_cell:
            yield "-- missing"
        if self._masked is not None and any(self._masked[self._from : self._to]):
            yield f"{_MASK} hidden"
        if any(folded for _, _, folded in self._rows()):
            yield f"{self._glyphs.gap} left out (--full)"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for folded, rows in groupby(self._rows(), key=itemgetter(2)):
            if folded:
                yield self._gap(sum(end - start for start, end, _ in rows))
            else:
                for start, end, _ in rows:
                    yield from _cropped(self._row(start, end), console, options.max_width)

    @property
    def _missing_cell(self) -> bool:
        """Whether a cell behind the last byte marks the missing ones."""
        return self._missing and self._to == len(self._data)

    def _rows(self) -> Iterator[tuple[int, int, bool]]:
        """Start and end of each row, and whether the tree folds all of it."""
        cells = self._to + self._missing_cell
        for start in range(self._from, cells, self._per_row):
            end = min(start + self._per_row, cells)
            folded = start < len(self._data) and self._hidden[start:end].count(0) == 0
            yield start, end, folded

    def _gap(self, size: int) -> Text:
        text = f"{self._glyphs.gap.rjust(self._digits)}   {counted(size, 'byte')}"
        return Text(text, theme.QUIET, no_wrap=True)

    def _row(self, start: int, end: int) -> Text:
        parts: list[tuple[str, Style]] = [(f"{start:{self._digits}} ", theme.QUIET)]
        for at in range(start, end):
            separator = self._separator(at)
            if at - start == self._per_row // 2:
                parts.append((" ", separator[1] if separator[0] == " " else theme.PLAIN))
            parts += (separator, self._cell(at))
        parts.append(("]" if end == self._error_end else " ", theme.FAILED))
        unused = 3 * (self._per_row - end + start) + (end - start <= self._per_row // 2)
        parts.append((" " * (unused + 1), theme.PLAIN))
        for at in range(start, min(end, len(self._data))):
            parts.append((self._char(at), self._table[self._ids[at]]))
        return Text.assemble(*_joined(parts))

    @property
    def _error_end(self) -> int:
        return self._error_span[1] + self._missing

    def _separator(self, at: int) -> tuple[str, Style]:
        if at == self._error_span[0]:
            return "[", theme.FAILED
        if at == self._error_end:
            return "]", theme.FAILED
        inside = self._error_span[0] < at < self._error_end and (at - self._from) % self._per_row
        return " ", theme.FAILED_BYTES if inside else self._cell(at)[1]

    def _cell(self, at: int) -> tuple[str, Style]:
        if at == len(self._data):
            return "--", theme.FAILED_BYTES
        text = _MASK if self._is_masked(at) else f"{self._data[at]:02x}"
        return text, self._table[self._ids[at]]

    def _char(self, at: int) -> str:
        shown = self._data[at] in _PRINTABLE and not self._is_masked(at)
        return chr(self._data[at]) if shown else self._glyphs.dot

    def _is_masked(self, at: int) -> bool:
        return self._masked is not None and bool(self._masked[at])


def width_of(end: int, per_row: int) -> int:
    """Return the width, in cells, of a hex view of the bytes up to `end`."""
    return _digits(end) + 4 + 4 * per_row


def _digits(end: int) -> int:
    return len(str(max(end - 1, 0)))


def _paint(tree: DisplayTree, number: Mapping[str, int]) -> tuple[bytearray, bytearray]:
    """For each byte the number of its style, and whether a fold hides it; `number` has the style of
    each field, that of its prefix behind it."""
    ids = bytearray(len(tree.data))
    hidden = bytearray(len(tree.data))

    def paint(start: int, end: int, style: int) -> None:
        ids[start:end] = bytes([style]) * (end - start)

    for line, _ in tree.walk():
        if line.state == "rest":
            paint(line.start, line.end, _REST)
        elif line.key in number:
            paint(line.start, line.head, number[line.key] + 1)
            if all(child.state == "failed" for child in line.children):
                paint(line.head, line.end, number[line.key])
        if line.hidden is not None:
            start, end = line.hidden
            hidden[start:end] = b"\1" * (end - start)
    if tree.error_span is not None:
        start, end = tree.error_span
        paint(start, end, _FAILED)
        hidden[start : start + 1] = b"\0" * (start < end)
    return ids, hidden


def _joined(parts: list[tuple[str, Style]]) -> Iterator[tuple[str, Style]]:
    """Neighbours of one style joined, so that less is written to the terminal."""
    for style, alike in groupby(parts, key=itemgetter(1)):
        yield "".join(text for text, _ in alike), style


_LISTED = 5  # of one code
_TEXT = 240  # characters of an explanation, which can quote a captured name


class DeviationList:
    """The list of deviations: all of them if `full`, else the first few of each code."""

    def __init__(self, tree: DisplayTree, glyphs: Glyphs, *, full: bool) -> None:
        self._tree = tree
        self._deviations = tree.deviations
        self._glyphs = glyphs
        self._full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        listed: dict[str, int] = {}
        for deviation in self._deviations:
            listed[deviation.code] = listed.get(deviation.code, 0) + 1
            if self._full or listed[deviation.code] <= _LISTED:
                yield self._entry(deviation, first=listed[deviation.code] == 1)
        for code, number in listed.items():
            if number > _LISTED and not self._full:
                more = f"{number - _LISTED:,} more in other arrays (--full)"
                yield HangingIndent(Text(f"{code}  ", theme.WARN), Text(more, theme.QUIET))

    def _entry(self, deviation: Deviation, *, first: bool) -> HangingIndent:
        head = Text.assemble((deviation.code, theme.WARN), f"  {deviation.class_:9}  ")
        explanation = deviation.explanation
        if len(explanation) > _TEXT:
            explanation = explanation[:_TEXT] + self._glyphs.ellipsis
        body = Text(escaped(explanation, ascii_only=self._glyphs.ascii_only))
        place = f"{deviation.path} at byte" if deviation.path else "at byte"
        often = f", {deviation.count:,} times" if deviation.count > 1 else ""
        place = f" {self._glyphs.dot} {place} {deviation.offset}{often}"
        body.append(place, theme.QUIET)
        if first:
            message = self._tree.message_at(deviation.path)
            body.append(f"\n{clients.meaning_for_group(deviation.code, message)}", theme.QUIET)
        return HangingIndent(head, body)


# -- why bytes were refused

_ANOTHER_TYPE = "These bytes may be something else: `kproto schemas` lists what --as takes"
_WHOLE = "compare with the whole bytes as they were sent; tools cut long values"


class ErrorReport:
    """The report on `examined.error`: what and where, why, and what to do next."""

    def __init__(self, examined: Examined, glyphs: Glyphs) -> None:
        self._examined = examined
        self._glyphs = glyphs

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        error = self._examined.error
        assert error is not None
        at = f" in {error.path}" if error.path else ""
        verdict = "Refused" if self._examined.refused else "Not complete"
        head = f"{self._glyphs.failed} {verdict}: {error.kind.value} at byte {error.offset}{at}"
        yield Text(head, theme.FAILED)
        yield HangingIndent(Text("  why   ", theme.QUIET), Text(error.reason))
        yield HangingIndent(Text("  next  ", theme.QUIET), Text(advice(self._examined)))


def advice(examined: Examined) -> str:
    """Return one or two sentences on what a person can do about the error."""
    error = examined.error
    assert error is not None
    older = older_body(examined.decoded)
    if older is not None:
        return _relabelled(examined, older)
    if is_without_user_data(examined.decoded):
        return f"{WITHOUT_USER_DATA[:1].upper()}{WITHOUT_USER_DATA[1:]}."
    if examined.rivals and not examined.decoded.complete:
        return f"Try another reading: --as {examined.rivals[0]}."
    return f"{_of_kind(error)}."


def _relabelled(examined: Examined, older: int) -> str:
    """How to read a body whose version field is wrong."""
    seen = examined.decoded
    header = seen.reading.start if seen.reading is not None else 0
    drop = f" without the first {header} bytes" if header else ""
    return (
        f"The version field is wrong, the body is whole: read it{drop} with "
        f"--as {seen.message_class.NAME} --body {older}."
    )


def _of_kind(error: DecodeError) -> str:  # noqa: PLR0911  # a closed set, one line each
    kind = error.kind
    match kind:
        case ErrorKind.TRUNCATED:
            return f"The input ends too early: {_WHOLE}. {_ANOTHER_TYPE}"
        case ErrorKind.COUNT_EXCEEDS_INPUT | ErrorKind.STRING_TOO_LONG:
            return f"A length that cannot be: bytes are missing before it or {_ANOTHER_TYPE[6:]}"
        case ErrorKind.NEGATIVE_LENGTH | ErrorKind.NULL_NOT_ALLOWED:
            return "Readers differ here: some take it as empty, Apache Kafka refuses it"
        case ErrorKind.VARINT_TOO_LONG | ErrorKind.BAD_TAGGED_FIELD:
            return f"The bytes are damaged, or of a version without tagged fields. {_ANOTHER_TYPE}"
        case ErrorKind.UNSUPPORTED_VERSION:
            return f"If there is no version field, name the version: --body N. {_ANOTHER_TYPE}"
        case ErrorKind.UNKNOWN_RECORD_TYPE:
            return _ANOTHER_TYPE
        case ErrorKind.REMAINDER | ErrorKind.DEVIATION:
            return "Apache Kafka accepts these bytes: --policy kafka does too"
        case _:
            assert_never(kind)
