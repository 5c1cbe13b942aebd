"""Plain hex: digits in any spacing and case, with or without separators and `0x`.

The digits do not say where a message ends, so there is a form for each way of separating messages:
`hex` (a blank line ends a message), `hex-lines` (each line is a message), `hex-words` (blanks,
commas or line ends are between messages) and `hex-wrapped` (a message has several lines and ends
with one that is shorter than the line above).

In a log, hex of 12 bytes or more is a message, unless it has the length of a UUID or a digest and
does not begin as messages do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ..chunks import Chunk, Content, check_size, first_not_allowed
from ..cuts import advice
from ..errors import CaptureError
from ..form import LEAST, Form, Hit, Parting, Signs, Units, is_message_start
from ..lines import Part, blocks, full_lines, lines, runs

__all__ = ["BITS", "FORMS", "HALF", "ID_LENGTHS", "LIKE_AN_ID", "digits", "names_field"]

ID_LENGTHS = frozenset({12, 16, 20, 24, 28, 32, 48, 64})
"""The lengths, in bytes, of UUIDs, object ids and digests from MD5 to SHA-512."""
LIKE_AN_ID = "hex of the length of an id or a digest"
HALF = "cut in the middle of a byte: the last hex digit, {!r}, was left out"
"""The remark on hex that is cut in the middle of a byte, with a place for the digit."""

_SEPARATORS = dict.fromkeys(map(ord, " \t\v\f\r\n\u00a0:-,;_"))
_TO_BLANKS = dict.fromkeys(_SEPARATORS, " ")
_DIGITS = "0123456789abcdefABCDEF"
_ALLOWED = _DIGITS + "xX \t\v\f\r\n\u00a0:-,;_"
_ZEROS = (
    "the zeros in front are put back, which BigInteger.toString(16) leaves out as it prints a "
    "number"
)
_NUMBER = re.compile("[1-9a-fA-F]00")  # a version or a record type, and the length that follows
_DOTS = re.compile(r"\.{3,}\Z|\u2026\Z")
_MOST_DOTS = 4  # of an ellipsis: more are the characters of a dump
_LEAST_WORD = 4  # bytes
_WORD = re.compile(r"[^\s,;|]+")
_WORDS = re.compile(r"[^,;|]+")
# Numbers up to 255 as they are printed, of one to three digits: nobody spaces hex like this.
_DECIMAL = re.compile(r"\s*+(?>(?:(?:[0-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:,?\s++|\Z)){12,})")
_NUMBERS = re.compile(r"(?<![0-9a-zA-Z])[0-9a-fA-F](?:,| [0-9a-fA-F](?![0-9a-zA-Z]))")
BITS = re.compile(r"\s*+(?>(?:[01]{8}(?:[\s,]++|\Z)){4,})[01]{0,7}\s*+")  # bytes in binary
_OF_ONE_DIGIT, _OF_THREE_DIGITS = re.compile(r"\b\d\b"), re.compile(r"\b\d{3}\b")


def _is_decimal(text: str) -> bool:
    if _DECIMAL.fullmatch(text) is None:
        return False
    return bool(_OF_ONE_DIGIT.search(text) and _OF_THREE_DIGITS.search(text))


def digits(text: str, line: int, column: int, max_bytes: int) -> Chunk:
    """Return the bytes of one run of hex.

    An ellipsis at its end, or an odd number of digits, means that the run was cut there.
    """
    end = text.rstrip()
    dots = _DOTS.search(end)
    is_cut = dots is not None and len(dots[0]) <= _MOST_DOTS
    if dots:
        end = end.rstrip(".\u2026")
    packed = end.translate(_SEPARATORS)
    if "0x" in end or "0X" in end:
        packed = _without_prefixes(end)
    if not packed:
        raise CaptureError("no hex digits", line=line)
    if _NUMBERS.search(end):
        raise CaptureError("these are numbers, with something between them", line=line)
    check_size(len(packed) // 2, max_bytes, line)
    remark = ""
    may_be_number = packed == end and packed[0] != "0"
    if len(packed) % 2 and not may_be_number and _ends_in_half_a_byte(end):
        remark, packed = HALF.format(packed[-1]), packed[:-1]
    try:
        data = bytes.fromhex(packed)
    except ValueError:
        raise _refusal(end, packed, line, column) from None
    cut = None if is_cut or remark else 0
    return Chunk(data, "hex", line, column, cut=cut, remark=remark or advice(text, "", cut))


def _ends_in_half_a_byte(text: str) -> bool:
    """Whether the last byte lacks a digit, and no earlier byte does."""
    *front, last = text.translate(_TO_BLANKS).split()
    return (
        last[-1] in _DIGITS
        and all(len(word) > 1 for word in front)
        and (bool(front) or len(last) > 1)
    )


def _without_prefixes(text: str) -> str:
    """The digits without `0x`, which may come before all of them or before each byte; a byte may
    then be one digit."""
    text = re.sub(r"(?<![^\s:,;_-])0[xX]([0-9a-fA-F])(?![0-9a-fA-F])", r"0\1", text)
    text = re.sub(r"(?<![^\s:,;_-])0[xX](?=[0-9a-fA-F])", "", text)
    return text.translate(_SEPARATORS)


def _refusal(text: str, packed: str, line: int, column: int) -> CaptureError:
    bad = first_not_allowed(text, _ALLOWED, line, column)
    if bad:
        return CaptureError(f"{bad[0]!r} is no hex digit", line=bad[1], column=bad[2])
    if "x" in packed.lower():
        return CaptureError("0x in the middle of hex digits", line=line)
    number = f"{len(packed)} hex digit{'s' * (len(packed) > 1)}, an odd number"
    return CaptureError(f"{number}: one is missing, or one too many", line=line)


def _words(text: str) -> Iterator[Part]:
    """Each word; where words are short, blanks belong to them."""
    sizes = (len(word.translate(_SEPARATORS)) for _, _, word in _matches(text, _WORD))
    is_short = any(size < 2 * _LEAST_WORD for size in sizes)
    yield from _matches(text, _WORDS if is_short else _WORD)


def _matches(text: str, pattern: re.Pattern[str]) -> Iterator[Part]:
    for number, line in enumerate(lines(text), start=1):
        for match in pattern.finditer(line) if line else ():
            if word := match[0].strip():
                yield number, line.index(word, match.start()) + 1, word


# -- in a log

# One word of digits; and pairs with the same separator between them.
_PACKED = re.compile(
    r"(?<![0-9A-Za-z_+/-])(?:0[xX]|\\{1,2}x)?([0-9a-fA-F]{12,}+)( ?(?:\.{3,4}(?!\.)|\u2026))?"
    r"(?![0-9A-Za-z_+/-])"
    r"(?!\.(?:log|index|timeindex|txnindex|snapshot|checkpoint|json|gz)\b)"  # names of files
)
_SPACED = re.compile(
    r"(?<![0-9A-Za-z_:.-])(?:0[xX])?[0-9a-fA-F]{2}(, ?|[ :_|;\t-])(?:0[xX])?[0-9a-fA-F]{2}"
    r"(?>(?:\1(?:0[xX])?[0-9a-fA-F]{2}){4,})(?P<cut>[ :_|;\t-]?(?:\.{3,4}(?!\.)|\u2026))?"
)
# Calls that decode hex, in Python, JavaScript and Go: ids are not decoded.
_FROM_HEX = re.compile(r"(?:fromhex|unhexlify|Buffer\.from|DecodeString)\(\s*b?[\"'`]$")
_CALL = 32  # characters
_COLUMNS = bytes(range(16))
_PAIRS = 9  # dates have fewer; the finder asks for twelve
_SIGNS = tuple(
    separator.join([pair] * _PAIRS) for pair in (b"hh", b"hxhh") for separator in (b" ", b"  ")
)


def _packed(line: str) -> Iterator[Hit]:
    for match in _PACKED.finditer(line):
        if len(match[1]) % 2:
            yield from _half_a_byte(match)
        else:
            yield _hit(match, bytes.fromhex(match[1]), None if match[2] else 0)


def _half_a_byte(match: re.Match[str]) -> Iterator[Hit]:
    """A message that was cut in the middle of a byte, or other digits."""
    packed = match[1]
    data = bytes.fromhex(packed[:-1])
    if len(data) >= LEAST and is_message_start(data):
        yield Hit(*match.span(), data, "hex", None, remark=HALF.format(packed[-1]))
        return
    if _NUMBER.match(packed):
        yield Hit(*match.span(), bytes.fromhex(f"000{packed}"), "hex", remark=_ZEROS, short=True)
    if len(data) >= LEAST and not packed.isdecimal():
        yield Hit(*match.span(), reason="an odd number of hex digits")


def _spaced(line: str) -> Iterator[Hit]:
    for match in _SPACED.finditer(line):
        end = match.start("cut") if match["cut"] else match.end()
        pairs = line[match.start() : end]
        packed = pairs.replace("0x", "").replace("0X", "").replace(match[1], "")
        if line[end : end + 1].isalnum():
            # The last pair is the beginning of a longer word.
            packed = packed[:-2]
        yield _hit(match, bytes.fromhex(packed), None if match["cut"] else 0)


def _of_groups(digits: int, least: int) -> str:
    """Return a pattern of groups of digits with the same separator between them, of which the last
    one may be shorter, or the first one, as Python has it."""
    group = f"[0-9a-fA-F]{{{digits}}}"
    short = f"(?>(?:[0-9a-fA-F]{{2}}){{1,{digits // 2 - 1}}})"
    between = f"(?P=between{digits})"
    return (
        rf"(?:{short}[ :_-])?"
        rf"{group}(?P<between{digits}>[ :_-]){group}(?>(?:{between}{group}){{{least - 2},}})"
        rf"(?:{between}{short})?"
    )


_GROUPED = re.compile(
    rf"(?<![0-9A-Za-z_:.-])(?:{_of_groups(4, 3)}|{_of_groups(8, 2)})"
    r"(?P<cut> ?(?:\.{3,4}(?!\.)|\u2026))?(?![0-9A-Za-z])"
)


def _grouped(line: str) -> Iterator[Hit]:
    """Groups of digits: numbers are written so as well, so that they have to decode, but for those
    behind the name of a field."""
    for match in _GROUPED.finditer(line):
        end = match.start("cut") if match["cut"] else match.end()
        data = bytes.fromhex(line[match.start() : end].translate(_SEPARATORS))
        front = line[max(0, match.start() - _CALL) : match.start()]
        if is_message_start(data):
            cut = None if match["cut"] else 0
            yield Hit(*match.span(), data, "hex", cut, short=not names_field(front))


# What programs call the bytes of a member.
_FIELD = re.compile(
    r"(?i)(?:metadata|assignment|subscription|user_?data)[\"']?(?: ?[=:] ?| )[\[(<{\"']?\Z"
)


def names_field(front: str) -> bool:
    """Return whether a text ends with the name of a field of a member's bytes."""
    return _FIELD.search(front) is not None


def _hit(match: re.Match[str], data: bytes, cut: int | None = 0) -> Hit:
    front = match.string[max(0, match.start() - _CALL) : match.start()]
    reason = "the numbers of a dump's columns" if data == _COLUMNS else ""
    is_call = _FROM_HEX.search(front) is not None
    if not reason and not is_message_start(data) and not is_call and len(data) >= LEAST:
        if len(data) in ID_LENGTHS:
            reason = LIKE_AN_ID
        elif data.hex().isdecimal():
            reason = "a long row of decimal digits"
    is_told = is_call or (cut is None and is_message_start(data) and names_field(front))
    return Hit(*match.span(), data, "hex", cut, reason, short=len(data) < LEAST and not is_told)


# -- the forms


def _hex(text: str) -> int:
    return int(text, 16)


_PAIR = re.compile(
    r"([\s,;|:_-]*+)((?:0[xX](?=[0-9a-fA-F]{2}))?[0-9a-fA-F]{2}|0[xX][0-9a-fA-F](?![0-9a-fA-FxX]))"
)
# One digit behind a pair, at the end, is the half of a byte that was cut.
_SHORT_PAIR = re.compile(
    r"([\s,;|]*+)([0-9a-fA-F]{2}(?![0-9a-fA-F])|[0-9a-fA-F](?=[\s,;|]++[0-9a-fA-F])"
    r"|(?<=(?<![0-9a-fA-F])[0-9a-fA-F][\s,;|])[0-9a-fA-F](?![0-9a-fA-F]))"
)


class _Hex(Form):
    preference = 200

    def __init__(
        self,
        name: str,
        about: str,
        parting: Parting,
        parts: Callable[[str], Iterator[Part]],
        aliases: tuple[str, ...] = (),
    ) -> None:
        super().__init__(name, about, aliases)
        self.parting = parting
        self.per_line = parting == "lines"
        self._parts = parts

    def may_begin(self, line: str) -> bool:
        return line[:1] in _DIGITS

    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        return Content([
            digits(part, line, column, max_bytes)._replace(format=self.name)
            for line, column, part in self._parts(text)
        ])  # fmt: skip

    def write(self, data: bytes) -> str:
        return data.hex()

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        return self._parts_are_messages(text, chunks) and BITS.fullmatch(text) is None

    def doubt(self, text: str) -> int:
        return super().doubt(text) + _is_decimal(text)


class _Blocks(_Hex):
    marks = ("",)
    signs = Signs(digits=_SIGNS)
    run = (
        re.compile(
            r"\s*+(?:(?:0[xX])?[0-9a-fA-F]{20,}+"
            r"|(?>(?:[0-9a-fA-F]{2}[ :]){9,})(?:[0-9a-fA-F]{2})?)\s*+"
        ),
        re.compile(r"\s*+(?:[0-9a-fA-F]++|[0-9a-fA-F]{2}(?>(?:[ :][0-9a-fA-F]{2})*)[ :]?|\*)\s*+"),
    )

    def find(self, line: str) -> Iterator[Hit]:
        yield from _packed(line)
        yield from _spaced(line)
        yield from _grouped(line)


class _Runs(_Hex):
    units = (
        Units(_PAIR, _hex, ("", " "), may_end_in_half=True),
        Units(_SHORT_PAIR, _hex, (" ", ""), may_end_in_half=True),
    )


FORMS: tuple[Form, ...] = (
    _Hex("hex-lines", "hex digits, one message a line", "lines", full_lines),
    _Blocks(
        "hex",
        "hex digits in any spacing; 0x and : - , ; between bytes are allowed",
        "blocks",
        blocks,
        ("xxd-p", "hex-stream"),
    ),
    _Hex("hex-words", "hex digits, blanks, commas or line ends between messages", "words", _words),
    _Runs("hex-wrapped", "hex digits, a shorter line ends a message", "runs", runs),
)
