"""Dumps: rows of an offset, units, and in some tools the characters next to them.

`LAYOUTS` is a table of what xxd, hexdump, od, Wireshark and PowerShell print. hexdump and od print
words in the byte order of the machine; `*` means rows equal to the one above; the last offset,
alone on its line, is the true length, which the padding of an odd word hides; and the characters
next to the units may look like hex.

The offsets are checked, so that a missing row is an error and not a shorter message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..chunks import CLEAN, MOST_LEFT_OUT, Chunk, Content, Judge, check_size, label
from ..errors import CaptureError
from ..form import Form, Signs, Units
from ..lines import lines

__all__ = ["FORMS", "Dump", "Layout", "Rows", "without_spare"]

_OFFSET = r"[0-9a-fA-F]{4,16}"
_PAIR = r"[0-9a-fA-F]{2}"
_GROUPS = rf"(?>(?:{_PAIR})+)(?>(?: (?>(?:{_PAIR})+))*)"
# Pairs with one blank between them, and hexdump's wider gap after the eighth.
_HALVES = rf"{_PAIR}(?: {_PAIR}){{7}}  {_PAIR}(?: {_PAIR}){{0,7}}|{_PAIR}(?: {_PAIR}){{0,7}}"
_PAIRS = rf"(?:{_PAIR}(?: {_PAIR}){{7}}  {_PAIR}(?: {_PAIR}){{0,7}}|{_PAIR}(?>(?: {_PAIR})*))"


class RowUnits(NamedTuple):
    """How the units of a row are read and written; `pattern` matches one unit of `size` bytes."""

    pattern: str
    size: int
    read: Callable[[str], bytes]
    write: Callable[[bytes], str]


def _numbers(pattern: str, base: int, size: int, order: str, width: int) -> RowUnits:
    """Units that are numbers of `size` bytes; negative numbers are in two's complement."""
    little = order == "little"
    form = {2: "b", 8: "o", 10: "d", 16: "x"}[base]
    fill = "" if pattern.startswith("-") else "0"
    prefix = "0x" if pattern.startswith("0x") else ""
    limit = 1 << (8 * size)

    def read(units: str) -> bytes:
        parts = []
        for unit in units.split():
            value = int(unit, base)
            if not -limit // 2 <= value < limit:
                raise ValueError(f"{unit} does not fit {size} bytes")
            parts.append((value % limit).to_bytes(size, "little" if little else "big"))
        return b"".join(parts)

    def write(row: bytes) -> str:
        values = (
            int.from_bytes(row[at : at + size].ljust(size, b"\0"), "little" if little else "big")
            for at in range(0, len(row), size)
        )
        return "".join(f" {prefix}{value:{fill}{width}{form}}" for value in values)

    return RowUnits(pattern, size, read, write)


def _grouped(size: int, gap_at: int = 0) -> RowUnits:
    """Units that are hex in groups of `size` bytes, in the order of memory."""

    def write(row: bytes) -> str:
        groups = [" " + row[at : at + size].hex() for at in range(0, len(row), size)]
        if gap_at:
            groups.insert(gap_at, " ")
        return "".join(groups)

    return RowUnits(_PAIR, 1, bytes.fromhex, write)


class Layout(NamedTuple):
    """The layout of a tool's rows.

    `row` matches a row, with groups for its offset and its units. `radixes` are those that the
    offset may be in, the likelier first. `final`: the last line is an offset. `bare` matches a row
    without an offset, where the tool can print one. `blanks`: blanks at the end of a row are bytes,
    which an editor may have removed. `pieces`: single bytes that a text may consist of. `before` is
    in front of the offset; `around` begins the lines of a border around the rows. `word` is the
    size of the words in which a debugger prints memory, whatever follows the message in the last
    one.
    """

    name: str
    about: str
    row: str
    units: RowUnits
    radixes: tuple[int, ...]
    aliases: tuple[str, ...] = ()
    final: bool = False
    offset: str = "08x"
    after_offset: str = " "
    characters: tuple[str, str] | None = None
    bare: str = ""
    blanks: bool = False
    pieces: tuple[Units, ...] = ()
    before: str = ""
    around: str = ""
    per_row: int = 16
    word: int = 1

    def matcher(self) -> re.Pattern[str]:
        return re.compile(self.row, re.ASCII)


_OCTAL_FIRST = (8, 10, 16)


def _plain(unit: str) -> str:
    """A pattern of rows of units with any blanks between them, and od's `>characters<` after
    them."""
    return rf"\s*({_OFFSET})((?>(?:\s+{unit})+))\s*(?:>.*)?"


def _hexdump(name: str, about: str, units: RowUnits, aliases: tuple[str, ...] = ()) -> Layout:
    return Layout(name, about, _plain(units.pattern), units, (16,), aliases, True, "07x", "")


def _od(name: str, about: str, units: RowUnits, aliases: tuple[str, ...] = ()) -> Layout:
    row, bare = _plain(units.pattern), rf"((?>(?:\s+{units.pattern})+))\s*(?:>.*)?"
    return Layout(name, about, row, units, _OCTAL_FIRST, aliases, True, "07o", "", None, bare)


_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}
_BY_ESCAPE = {name: byte for byte, name in _ESCAPES.items()}
_SLOT = 4  # characters of a byte
_CHARACTERS = r"(?: {3}[ -~]| {2}\\[0abtnvfr]| [0-3][0-7]{2})"


def _read_characters(units: str) -> bytes:
    slots = (units[at : at + _SLOT] for at in range(0, len(units), _SLOT))
    return bytes(_character(slot[1:].lstrip() or " ") for slot in slots)


def _character(slot: str) -> int:
    if len(slot) == 3:
        return int(slot, 8)
    return ord(slot) if len(slot) == 1 else _BY_ESCAPE[slot]


def _write_characters(row: bytes) -> str:
    return "".join(
        f"{chr(byte) if 32 <= byte < 127 else _ESCAPES.get(byte, f'{byte:03o}'):>{_SLOT}}"
        for byte in row
    )


def _gdb(
    letters: str, about: str, units: RowUnits, word: int = 1, aliases: tuple[str, ...] = ()
) -> Layout:
    """Rows of gdb's x/FMT, also of lldb's `memory read --format`: an address is no byte."""
    row = rf"\s*0x({_OFFSET})(?: <[^<>]*>)?:((?>(?:\s+{units.pattern})+))\s*"
    tabbed = units._replace(write=lambda row: _BEFORE_UNIT.sub("\t", units.write(row)))
    return Layout(f"gdb{letters}", f"gdb's x/{about}", row, tabbed, (16,), aliases,
                  offset="#016x", after_offset=":", per_row=8 if word == 1 else 16,
                  word=word)  # fmt: skip


_BEFORE_UNIT = re.compile(r" (?=[-0-9])")


def _gdb_words(size: int) -> RowUnits:
    """Little-endian words, and bytes for the rest that is no word."""

    def write(row: bytes) -> str:
        words = [row[at : at + size] for at in range(0, len(row) - size + 1, size)]
        rest = row[len(words) * size :]
        return "".join(
            f" 0x{unit[::-1].hex()}" for unit in (*words, *(bytes((byte,)) for byte in rest))
        )

    def read(units: str) -> bytes:
        return b"".join(bytes.fromhex(unit[2:])[::-1] for unit in units.split())

    return RowUnits(rf"0x(?:(?:{_PAIR}){{{size}}}|{_PAIR})(?![0-9a-fA-F])", 1, read, write)


_CODE = re.compile(r"(-?\d{1,3}) '")
_X1 = RowUnits(
    rf"0x{_PAIR}", 1, lambda units: bytes.fromhex(units.replace("0x", "")),
    lambda row: "".join(f" 0x{byte:02x}" for byte in row),
)  # fmt: skip
_C1 = RowUnits(
    r"-?\d{1,3} '(?:\\[0-7]{1,3}|\\.|[^\\])'", 1,
    lambda units: bytes(int(code) % 256 for code in _CODE.findall(units)),
    lambda row: "".join(f" {byte} '\\{byte:03o}'" for byte in row),
)  # fmt: skip
_O1 = _numbers("[0-3][0-7]{2}", 8, 1, "big", 3)
_X2 = _numbers("[0-9a-fA-F]{4}", 16, 2, "little", 4)
_O2 = _numbers("[01][0-7]{5}", 8, 2, "little", 6)
_OCTAL_BYTES = Units(
    re.compile(r"([\s,;|]*+)([0-3][0-7]{2}(?![0-9a-fA-F]))"),
    lambda text: int(text, 8),
    (" ", ""),
)

LAYOUTS: tuple[Layout, ...] = (
    Layout("hexdump-py", "Python's package hexdump: an offset, a colon, a wider gap after 8 bytes",
           rf"\s*({_OFFSET}): ({_HALVES})(?:\s{{2}}.*|\s*)", _grouped(1, 8), (16,), offset="08X",
           after_offset=":", characters=("  ", "")),
    Layout("netty", "Netty's LoggingHandler and ByteBufUtil: a table with borders",
           rf".*\|({_OFFSET})\| ({_PAIR}(?: {_PAIR})*) *\|.*", _grouped(1), (16,),
           after_offset="|", characters=(" |", "|"), before="|", around="+"),
    _gdb("", "8xb: an address, perhaps a symbol, and bytes with 0x", _X1, aliases=("gdb-xb",)),
    _gdb("-ub", "8ub, x/8db: decimal bytes", _numbers(r"-?(?:0|[1-9]\d{0,2})", 10, 1, "big", 1)),
    _gdb("-ob", "8ob: octal bytes", _numbers("0[0-7]{0,3}", 8, 1, "big", 4)),
    _gdb("-tb", "8tb: bits", _numbers("[01]{8}", 2, 1, "big", 8)),
    _gdb("-cb", "8cb: characters", _C1),
    _gdb("-xh", "8xh: little-endian words of two bytes", _gdb_words(2), 2),
    _gdb("-xw", "4xw: little-endian words of four bytes", _gdb_words(4), 4),
    _gdb("-xg", "2xg: little-endian words of eight bytes", _gdb_words(8), 8),
    Layout("hexyl", "hexyl: a table with borders",
           rf".*\u2502({_OFFSET})\u2502 ({_PAIR}(?:[ \u250a]+{_PAIR})*)[ \u250a]*\u2502.*",
           RowUnits(_PAIR, 1, lambda units: bytes.fromhex(units.replace("\u250a", "")),
                    lambda row: "".join(f"{byte:02x} " for byte in row)), (16,),
           after_offset="\u2502 ", characters=("\u2502", "\u2502"), before="\u2502",
           around="\u250c\u2514"),
    Layout("xxd-bits", "xxd -b", rf"\s*({_OFFSET}):((?>(?: [01]{{8}})+))(?:\s{{2}}.*|\s*)",
           _numbers("[01]{8}", 2, 1, "big", 8), (16,), ("xxd-b",), after_offset=":",
           characters=("  ", "")),
    Layout("xxd", "xxd, xxd -d; tcpdump -x and -X",
           rf"\s*(?:0x)?({_OFFSET})h?:\s{{1,2}}({_GROUPS})(?:\s{{2}}(.*)|\s*)",
           _grouped(2), (16, 10), ("tcpdump",), after_offset=":", characters=("  ", "")),
    Layout("hexdump-C", "hexdump -C, hd; Go's hex.Dump",
           rf"\s*({_OFFSET})  ({_PAIRS})\s*(?:\|.*)?", _grouped(1, 8), (16,), ("hd",), True,
           characters=("  |", "|")),
    Layout("wireshark", "Wireshark's copy as hex dump, with text or without; tshark -x",
           rf"\s*(?:0x)?({_OFFSET})\s{{1,4}}({_PAIRS})(?:\s{{2}}.*|\s*)", _grouped(1), (16,),
           ("tshark",), offset="04x", after_offset="  ", characters=("   ", "")),
    Layout("openssl", "OpenSSL's dumps, and WinDbg's db: a dash after the eighth byte",
           rf"\s*(?:[0-9a-f]{{8}}`)?({_OFFSET})(?: - |  )({_PAIR}(?:[ -]{_PAIR})*)-?"
           r"(?:\s{2}.*|\s*)",
           RowUnits(_PAIR, 1, lambda units: bytes.fromhex(units.replace("-", " ")),
                    lambda row: f" {row[:8].hex(' ')}{'-' * (len(row) > 7)}{row[8:].hex(' ')}"),
           (16,), ("windbg",), offset="04x", after_offset=" -", characters=("   ", "")),
    Layout("format-hex", "PowerShell's Format-Hex",
           rf"({_OFFSET}) ({_PAIR}(?: {_PAIR}){{15}}(?= |$)|"
           rf"{_PAIR}(?: {_PAIR}){{0,14}}(?=  |\s*$)).*",
           _grouped(1), (16,), offset="016X", after_offset="", characters=(" ", "")),
    _hexdump("hexdump", "hexdump: little-endian words of two bytes", _X2, ("hexdump-x",)),
    _hexdump("hexdump-b", "hexdump -b: octal bytes", _O1),
    _hexdump("hexdump-d", "hexdump -d: decimal little-endian words",
             _numbers(r"\d{5}", 10, 2, "little", 5)),
    _hexdump("hexdump-o", "hexdump -o: octal little-endian words", _O2),
    _od("od", "od: octal little-endian words of two bytes", _O2, ("od-o",)),
    _od("od-tx1", "od -tx1, od -tx1z: hex bytes", _numbers(_PAIR, 16, 1, "big", 2)),
    _od("od-b", "od -b: octal bytes", _O1)._replace(pieces=(_OCTAL_BYTES,)),
    _od("od-x", "od -x: hex little-endian words of two bytes", _X2),
    _od("od-x-big", "od -tx2 --endian=big: hex big-endian words",
        _numbers("[0-9a-fA-F]{4}", 16, 2, "big", 4)),
    _od("od-tx4", "od -tx4: hex little-endian words of four bytes",
        _numbers("[0-9a-fA-F]{8}", 16, 4, "little", 8)),
    _od("od-tx8", "od -tx8: hex little-endian words of eight bytes",
        _numbers("[0-9a-fA-F]{16}", 16, 8, "little", 16)),
    _od("od-td1", "od -td1, od -tu1: decimal bytes",
        _numbers(r"-?(?:0|[1-9]\d{0,2})", 10, 1, "big", 4), ("od-tu1",)),
    _od("od-d", "od -d, od -td2: decimal little-endian words",
        _numbers(r"-?(?:0|[1-9]\d{0,4})", 10, 2, "little", 6), ("od-td2",)),
    Layout("od-c", "od -c, hexdump -c: characters and octal bytes",
           rf"\s*({_OFFSET})({_CHARACTERS}++)\s*",
           RowUnits(_CHARACTERS, 1, _read_characters, _write_characters),
           _OCTAL_FIRST, final=True, offset="07o", after_offset="",
           bare=rf"({_CHARACTERS}++)\s*", blanks=True),
)  # fmt: skip

_PADDED = (
    "the last {} may be padding of the dump, which prints words and lacks its last line, "
    "the length: print it with hexdump -C or xxd"
)
_REPEATED_TO_ITS_END = (
    "the dump ends with *, and lacks its last line, the length: the rows that * stands for are "
    "missing"
)
_ROW = 16
_FINAL = re.compile(rf"\s*({_OFFSET})\s*", re.ASCII)
_HEX = "0123456789abcdefABCDEF"
_FURTHEST = 256  # characters of a line, in front of an offset
_FIRST_ROW = re.compile(rb"[ \t]*+(?:0[xX])?0{4,16}+h?:?[ \t]")
_ROW_LIKE = re.compile(
    rf"\s*+(?:0x|[0-9a-f]{{8}}`)?{_OFFSET}h?:?\s++[-!-~]"
    rf"|\s*+0x{_OFFSET}(?: <[^<>]*>)?:\t[-0-9]",
    re.ASCII,
)
_ROW_IN_FRAME = re.compile(rf"[|\u2502]{_OFFSET}[|\u2502] {_PAIR} ", re.ASCII)


def _is_row_like(row: str) -> bool:
    """Whether a line may be a row of a dump. A line may be all of a large text: it is looked
    through where it has a frame alone."""
    has_frame = "|" in row or "\u2502" in row
    return bool(_ROW_LIKE.match(row) or (has_frame and _ROW_IN_FRAME.search(row)))


_ADDRESS = re.compile(
    r"\s*0x[0-9a-f]{4,16}(?: <[^<>]*>)?:(?:\t-?[0-9]|(?: (?:0x)?[0-9a-f]{2}){2}\b| 0x[0-9a-f])"
)


_LAST_BYTE = re.compile(r"\b0x[0-9a-fA-F]{2}\s*\Z")
_NOT_OF_THE_MESSAGE = "it is printed in whole words: the last {} not of the message"
_ENDS_ELSEWHERE = "; it could also be {}: print it in bytes, with x/xb, hexdump -C or xxd"


_MORE_BYTES = re.compile(rf"{_PAIR}(?: {_PAIR}){{2,}}(?: |\Z)")  # behind a wider gap


class _Broken(Exception):
    """A row that does not continue its dump."""


class _Run:
    """The rows of one dump, read in one layout."""

    def __init__(self, layout: Layout, max_bytes: int) -> None:
        self.layout = layout
        self.data = bytearray()
        self.complete = False
        pattern = layout.matcher()
        self._match = pattern.fullmatch
        self._groups = pattern.groups
        self._starts: dict[int, int] = {}
        self._last = b""
        self._ends_in_byte = False
        self._star = False
        self._left_out = 0
        self._max_bytes = max_bytes

    def feed(self, row: str) -> bool:
        """Take a row; False if it is no row of this layout. Raises `_Broken` where rows are
        missing."""
        if self.complete:
            return False
        if row.strip() == "*":
            repeats = bool(self._last) and not self._star
            self._star = self._star or repeats
            return repeats
        if match := self._match(row):
            characters = match[3] if self._groups > 2 else None
            return self._take(match[1], match[2], characters or "")
        final = self.layout.final and self.data and _FINAL.fullmatch(row)
        return bool(final) and self._finish(final[1] if final else "")

    def _take(self, offset: str, units: str, characters: str) -> bool:
        try:
            row = self.layout.units.read(units)
        except ValueError:
            return False
        if len(characters) > len(row) and _MORE_BYTES.match(characters):
            return False
        if characters and _is_swapped(row, units.find(" ") // 2, characters):
            raise CaptureError(
                "the characters next to the bytes are those of little-endian words: this is "
                "xxd -e, which does not say the order of an odd rest; print it without -e"
            )
        if not self._starts:
            self._starts = dict(_offsets(offset, self.layout.radixes))
            if not self._starts:
                return False
        else:
            self._reach(offset, len(self._last))
        check_size(len(self.data) + len(row), self._max_bytes)
        self.data += row
        self._last = row
        self._ends_in_byte = _LAST_BYTE.search(units) is not None
        return True

    def _reach(self, offset: str, width: int) -> None:
        """Check that the rows so far end at the offset, and after a `*` repeat the last row up to
        it."""
        fits: dict[int, int] = {}
        for radix, at in _offsets(offset, self._starts):
            gap = at - self._starts[radix] - len(self.data)
            if gap == 0 or (self._star and gap > 0 and gap % width == 0):
                fits[radix] = gap
                if self._star:
                    break
        if not fits and self._pad(offset):
            return
        if not fits:
            raise _Broken
        self._starts = {radix: self._starts[radix] for radix in fits}
        self._repeat(max(fits.values()))

    def _pad(self, offset: str) -> bool:
        """Put back the blanks that an editor removed from the end of the row above."""
        for radix, at in _offsets(offset, self._starts):
            gap = at - self._starts[radix] - len(self.data)
            if self.layout.blanks and 0 < gap < _ROW and not self._star:
                self.data += b" " * gap
                self._starts = {radix: self._starts[radix]}
                return True
        return False

    def _repeat(self, gap: int) -> None:
        self._star = False
        self._check_left_out(gap)
        if gap:
            self.data += self._last * (gap // len(self._last))

    def _finish(self, offset: str) -> bool:
        """Take the last offset, which is the length of the dump, and cut padding beyond it."""
        for radix, at in _offsets(offset, self._starts):
            total = at - self._starts[radix]
            spare = len(self.data) - total
            if 0 <= spare < self.layout.units.size or self._is_filled(spare):
                del self.data[total:]
                break
            if self._star and spare < 0:
                self._repeat_to(total)
                break
        else:
            if not self._pad(offset):
                raise _Broken
        self.complete = True
        return True

    def _is_filled(self, spare: int) -> bool:
        """Whether so many bytes are blanks with which hexdump -c fills its last row."""
        return self.layout.blanks and 0 < spare < _ROW and not self.data[-spare:].strip(b" ")

    def _check_left_out(self, size: int) -> None:
        check_size(len(self.data) + size, self._max_bytes)
        self._left_out += size
        if self._left_out > MOST_LEFT_OUT:
            raise CaptureError(
                f"a dump that leaves out {self._left_out:,} bytes of equal rows; the limit is "
                f"{MOST_LEFT_OUT:,}",
                too_large=True,
            )

    def _repeat_to(self, total: int) -> None:
        self._check_left_out(total - len(self.data))
        times = -(-(total - len(self.data)) // len(self._last))
        self.data += self._last * times
        del self.data[total:]
        self._star = False

    def chunk(self, line: int, column: int, text: str) -> Chunk:
        # Words without the last offset may hide the padding of a length, and a dump that ends in
        # `*` lacks the repeated rows.
        data, spare = bytes(self.data), self._spare()
        is_padded = self.layout.word == 1 and spare > 0
        remark = _padded(spare) if is_padded else _REPEATED_TO_ITS_END if self._star else ""
        return Chunk(
            data, self.layout.name, line, column, text, None if remark else 0, remark, spare=spare
        )

    def _spare(self) -> int:
        """The number of bytes at the end that may be no part of the message: in the last word,
        a debugger prints whatever follows, and bytes where no word is left; other tools print
        zeros, and then the length."""
        if self.layout.word > 1:
            return 0 if self._ends_in_byte else self.layout.word - 1
        return 0 if self.complete else _padding(self.data, self.layout.units.size)


def _padding(data: bytes | bytearray, word: int) -> int:
    """The number of zeros at the end with which a tool may have filled its last word."""
    return min(len(data) - len(data.rstrip(b"\0")), word - 1)


def _padded(spare: int) -> str:
    return _PADDED.format("zero byte" if spare == 1 else f"{spare} zero bytes")


def _characters_of(row: bytes) -> str:
    """The characters that a dump prints next to its bytes."""
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)


def _is_swapped(row: bytes, size: int, characters: str) -> bool:
    """Whether the characters are those of the row with the bytes of each group swapped."""
    if size < 2 or len(characters) < len(row) or characters[: len(row)] == _characters_of(row):
        return False
    groups = (row[at : at + size][::-1] for at in range(0, len(row), size))
    return characters[: len(row)] == _characters_of(b"".join(groups))


def _offsets(text: str, radixes: Sequence[int] | dict[int, int]) -> Iterator[tuple[int, int]]:
    for radix in tuple(radixes):
        try:
            yield radix, int(text, radix)
        except ValueError:
            continue


class Rows:
    """Finds dumps in lines that are fed to it one by one.

    `fresh`: a dump begins at offset 0, so that a line that begins with a year begins none.
    """

    def __init__(self, layouts: Sequence[Layout], max_bytes: int, *, fresh: bool = False) -> None:
        self._layouts = layouts
        self._max_bytes = max_bytes
        self._fresh = fresh
        self._runs: list[_Run] = []
        self._first = (0, 0)
        self._label = ""
        self.above = ""
        """The line above the next one, which labels a dump that begins there."""

    @property
    def inside(self) -> bool:
        return bool(self._runs)

    def feed(self, number: int, row: str) -> tuple[bool, Chunk | None]:
        """Return whether the line is part of a dump, and the dump that it ends, if it ends one."""
        if self._runs:
            if self._advance(number, row):
                return True, None
            dump = self.flush()
            return self._begin(number, row), dump
        return self._begin(number, row), None

    def _advance(self, number: int, row: str) -> bool:
        broken = False
        alive = []
        for run in self._runs:
            try:
                if run.feed(row):
                    alive.append(run)
            except _Broken:
                broken = True
            except CaptureError as refusal:
                self._runs = []
                raise refusal.on_line(number) from None
        if alive:
            self._runs = alive
            return True
        if broken and not _starts_anew(row):
            self._runs = []
            raise CaptureError(
                "this row's offset is not where the row above ends: rows are missing, "
                "or stand twice",
                line=number,
            )
        return False

    def _begin(self, number: int, row: str) -> bool:
        above, self.above = self.above, row
        if not _is_row_like(row) or (self._fresh and not _starts_anew(row)):
            return False
        runs = []
        for layout in self._layouts:
            run = _Run(layout, self._max_bytes)
            try:
                if run.feed(row):
                    runs.append(run)
            except CaptureError as refusal:
                raise refusal.on_line(number) from None
        if runs:
            self._runs = runs
            self._first = (number, len(row) - len(row.lstrip()) + 1)
            self._label = label(above)
            self.above = ""
        return bool(runs)

    def flush(self) -> Chunk | None:
        """Return the dump that the last line ended, None if there is none."""
        if not self._runs:
            return None
        run = self._runs[0]
        self._runs = []
        return run.chunk(*self._first, self._label)


def without_spare(chunk: Chunk, judge: Judge) -> Chunk:
    """Return a chunk without the bytes behind the message in the last word, where decoding tells
    them. Where it may end at several places, the one with the fewest deviations is taken, and the
    others are named."""
    size = len(chunk.data)
    ends = [
        end
        for end in range(size, max(size - chunk.spare - 1, 0), -1)
        if judge.weigh(chunk.data[:end]) >= (CLEAN - 1) * end
    ]
    if not chunk.spare or not ends:
        return chunk
    readings = [(end, *judge.describe(chunk.data[:end])) for end in ends]
    readings.sort(
        key=lambda reading: (-judge.weigh(chunk.data[: reading[0]]) / reading[0], reading[2])
    )
    (end, name, _), *rivals = readings
    remark = "" if end == size else _NOT_OF_THE_MESSAGE.format(_bytes_are(size - end))
    starts = {rival: at for at, rival, _ in rivals if rival and rival != name}
    if starts:
        names = ", or ".join(f"--as {rival}, {_without(size - at)}" for rival, at in starts.items())
        remark += _ENDS_ELSEWHERE.format(names)
    return chunk._replace(data=chunk.data[:end], cut=0, remark=remark.removeprefix("; "))


def _bytes_are(number: int) -> str:
    return "byte is" if number == 1 else f"{number} bytes are"


def _without(number: int) -> str:
    return f"without the last {number}" if number else "with all bytes"


def _is_in_first_row(block: bytes, at: int) -> object:
    """Whether the line of a position begins as the first row of a dump does."""
    start = block.rfind(b"\n", max(0, at - _FURTHEST), at) + 1
    return (start or at <= _FURTHEST) and _FIRST_ROW.match(block, start)


def _starts_anew(row: str) -> bool:
    if "|00000000| " in row or "\u250200000000\u2502 " in row or _ADDRESS.match(row):
        return True
    return not row.split(maxsplit=1)[0].removeprefix("0x").rstrip("h:").strip("0")


_GROUPS_ALONE = re.compile(r"\s*+(?P<first>[0-9a-fA-F]{4,16})(?>(?: [0-9a-fA-F]++)+)\s*+")
_LEAST_WIDTH = 8  # bytes of a row


def _is_in_groups(text: str) -> bool:
    """Whether a text is a single row of groups of hex whose first one is no offset."""
    match = _GROUPS_ALONE.fullmatch(text)
    return (
        match is not None
        and "\n" not in text.strip()
        and int(match["first"], 16) % _LEAST_WIDTH > 0
    )


def _has_its_characters(row: str, data: bytes) -> bool:
    """Whether a row ends with the characters of its bytes, so many that it is no accident."""
    return len(data) >= _LEAST_WIDTH and row.endswith(f" {_characters_of(data)}")


_FIRST_WORD = range(len("0000"), 33)
"""Characters of the first word of a dump, its offset with what belongs to it."""


class Dump(Form):
    """Dumps in one layout. In a log, `Rows` reads them, since they go over several lines."""

    preference = 100
    signs = Signs({b"0000": _is_in_first_row, b"|00000000| ": None})

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout.name, layout.about, layout.aliases)
        self.units = layout.pieces
        self._layout = layout

    def may_begin(self, line: str) -> bool:
        if self._layout.around:
            return line[:1] in (*self._layout.around, self._layout.before)
        return line[:1] in _HEX and len(line.split(maxsplit=1)[0]) in _FIRST_WORD

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        """Return whether rows are a dump: a single one without marks, or the characters of its
        bytes next to them, may as well be hex in groups."""
        rows = [row for line in lines(text) if (row := line.strip())]
        if len(rows) >= 2 * len(chunks) or ":" in text or any("  " in row for row in rows):
            return True
        return len(rows) == 1 and _has_its_characters(rows[0], chunks[0].data)

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        if self._layout.bare and (bare := self._read_bare(text, max_bytes)):
            return bare
        rows = Rows([self._layout], max_bytes)
        chunks: list[Chunk] = []
        rest: tuple[int, int] | None = None
        for number, row in enumerate(lines(text), start=1):
            belongs, dump = rows.feed(number, row)
            if dump:
                chunks.append(dump)
            borders = (*self._layout.around, self._layout.before)
            is_border = bool(self._layout.around) and row.lstrip()[:1] in borders
            if not belongs and row.strip() and not is_border and rest is None:
                rest = (number, 1)
                if may_stop:
                    break
        if last := rows.flush():
            chunks.append(last)
        if _is_in_groups(text):
            raise CaptureError("the first group of this row is no offset of a dump")
        return Content(chunks, rest)

    def _read_bare(self, text: str, max_bytes: int) -> Content | None:
        """The dumps in rows without offsets, as `od -An` prints them: a blank line, or a row
        shorter than the first, ends one."""
        layout = self._layout
        match = re.compile(layout.bare, re.ASCII).fullmatch
        dumps: list[list[Chunk]] = []
        ended = True
        for number, row in enumerate(lines(text), start=1):
            if not row:
                ended = True
                continue
            units = match(row)
            try:
                data = layout.units.read(units[1]) if units else b""
            except ValueError:
                return None
            if not data:
                return None
            if ended or len(dumps[-1][-1].data) < len(dumps[-1][0].data):
                dumps.append([])
            column = len(row) - len(row.lstrip()) + 1
            dumps[-1].append(Chunk(data, layout.name, number, column))
            ended = False
        return self._bare(dumps, max_bytes) if dumps else None

    def _bare(self, dumps: Sequence[Sequence[Chunk]], max_bytes: int) -> Content:
        size = self._layout.units.size
        chunks = []
        for rows in dumps:
            data = b"".join(row.data for row in rows)
            check_size(len(data), max_bytes, rows[-1].line)
            spare = _padding(data, size)
            cut, remark = (None, _padded(spare)) if spare else (0, "")
            chunks.append(rows[0]._replace(data=data, cut=cut, remark=remark, spare=spare))
        return Content(chunks, rows=[row for rows in dumps for row in rows], padding=size - 1)

    def write(self, data: bytes) -> str:
        layout = self._layout
        width = layout.per_row
        rows = [self._row(at, data[at : at + width]) for at in range(0, len(data), width)]
        if layout.final:
            rows.append(f"{len(data):{layout.offset}}")
        return "\n".join(rows)

    def _row(self, at: int, row: bytes) -> str:
        layout = self._layout
        front = f"{layout.before}{at:{layout.offset}}{layout.after_offset}"
        text = f"{front}{layout.units.write(row)}"
        if layout.characters is None:
            return text
        width = len(f"{front}{layout.units.write(bytes(layout.per_row))}")
        return f"{text:{width}}{layout.characters[0]}{_characters_of(row)}{layout.characters[1]}"


FORMS: tuple[Form, ...] = tuple(map(Dump, LAYOUTS))
