"""What a text form is: an object that reads, writes and finds bytes that are written in one way.

Each module of `forms` has one form, or a family of them. To read a text, `text.detect` tries every
form whose `may_begin` agrees. To read a log, `text.log` calls `find` on the lines that
`text.prefilter` picks out by the forms' `signs`.

Bytes in the middle of a log line are judged by these rules, since most hex, words and numbers of a
log are no message: bytes whose notation says that they are bytes count from `LEAST_MARKED` on,
strings from `LEAST_QUOTED`, and anything else from `LEAST` on, if it begins as messages do. A `Hit`
that is `short` counts only if it decodes.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from .chunks import Chunk, Content
from .lines import blocks

__all__ = [
    "FEWEST",
    "LEAST",
    "LEAST_MARKED",
    "LEAST_QUOTED",
    "Check",
    "Form",
    "Hit",
    "Parting",
    "Signs",
    "Units",
    "begins_like_messages",
    "is_message_start",
    "shape",
]

LEAST, FEWEST, LEAST_MARKED, LEAST_QUOTED = 12, 6, 4, 8  # bytes; see the module
_LEAST_WORD = 10  # bytes of a message that is one word among others

Parting = Literal["blocks", "lines", "words", "runs"]
"""What parts the messages of a text: blank lines, line ends, blanks or commas, or a line that is
shorter than the one above it."""

Check = Callable[[bytes, int], object]
"""Returns whether bytes may be at a position of a block of lines, where a literal was found."""


class Hit(NamedTuple):
    """A span of a line: bytes, or the reason why they are skipped. `short`: so few bytes count only
    if they decode. `rivals` are the bytes by the rules of other languages."""

    start: int
    end: int
    data: bytes = b""
    format: str = ""
    cut: int | None = 0
    reason: str = ""
    remark: str = ""
    short: bool = False
    rivals: tuple[bytes, ...] = ()


class Signs(NamedTuple):
    """What a line has in which a form may be found. A line with a sign may hold no bytes; a line
    without any holds none.

    `literals` are searched for all at once; where one has a `Check`, that has to agree. `digits`
    are literals for the block in which every hex digit is an `h` (see `prefilter`). A list in
    brackets of `least_list` characters or more is a sign, and one that goes on on the next line.
    """

    literals: Mapping[bytes, Check | None] = {}
    digits: Sequence[bytes] = ()
    least_list: int | None = None


class Units(NamedTuple):
    """How single bytes are written, in a text of nothing but them. `pattern` matches the gap before
    a byte, and the byte, which `value` reads.

    `joints`: what takes the place of a line's end. `mark`: a text without it has no such units.
    `may_end_in_half`: half a byte at its end means that the text was cut there.
    """

    pattern: re.Pattern[str]
    value: Callable[[str], int]
    joints: tuple[str, ...] = ("",)
    mark: str = ""
    may_end_in_half: bool = False


class Form(ABC):
    """A text form, by its name for `--format`; `about` describes it.

    Where several forms do equally well, the one with the lowest `preference` is taken. `per_line`:
    each line is a message, so that a stream can be read as it comes.
    """

    preference: int
    parting: Parting = "blocks"
    per_line = False
    marks: tuple[str, ...] = ()
    """`find` is called for a line that has one of these."""
    signs = Signs()
    units: tuple[Units, ...] = ()
    run: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    """What matches the first line, and each further line, of a message on several lines of a
    log."""

    def __init__(self, name: str, about: str, aliases: tuple[str, ...] = ()) -> None:
        self.name = name
        self.about = about
        self.aliases = aliases

    def __repr__(self) -> str:
        return f"<form {self.name}>"

    @abstractmethod
    def may_begin(self, line: str) -> bool:
        """Return whether a text with this first line could be in the form, by a cheap test."""

    @abstractmethod
    def read(self, text: str, max_bytes: int, *, may_stop: bool = False) -> Content:
        """Return the messages in a text. Raises CaptureError where it is not in the form.

        `may_stop`: a text that is not all in this form will not be used, so that reading may stop
        at the first text that does not belong to it.
        """

    @abstractmethod
    def write(self, data: bytes) -> str:
        """Return bytes written in this form."""

    def find(self, line: str) -> Iterator[Hit]:
        """Yield the bytes in a line of a log. Of a family whose forms are alike in a line, one form
        finds those of all."""
        return iter(())

    def is_credible(self, text: str, chunks: Sequence[Chunk]) -> bool:
        """Return whether the form is considered where it fits a text that does not decode."""
        return True

    def doubt(self, text: str) -> int:
        """Return how unlikely the form is, for a text that other forms fit equally well."""
        return 2 * (self.parting in ("lines", "words") and shape(text) == "wrapped")

    @property
    def example(self) -> str:
        """A few bytes in this form."""
        return self.write(bytes(range(LEAST)))

    def _parts_are_messages(self, text: str, chunks: Sequence[Chunk]) -> bool:
        """Whether parts of digits are messages: a tool wraps lines at one length, and messages
        begin with zeros."""
        if self.parting == "blocks":
            return True
        if self.parting == "lines":
            ragged = shape(text) == "ragged"
            return len(chunks) > 1 and (ragged or begins_like_messages(chunks))
        long = all(len(chunk.data) >= _LEAST_WORD for chunk in chunks)
        return len(chunks) > 1 and long and begins_like_messages(chunks)


_LEAST_OF_NO_TYPE = b"\x18"  # the record types of the offsets topic go up to 23


def is_message_start(data: bytes) -> bool:
    """Return whether bytes begin as Kafka's messages do, with eleven zero bits: a version, a record
    type, a count or a frame's size."""
    return data[:1] == b"\0" and data[1:2] < _LEAST_OF_NO_TYPE


def begins_like_messages(chunks: Sequence[Chunk]) -> bool:
    """Return whether all chunks begin as messages do."""
    return all(is_message_start(chunk.data) for chunk in chunks)


_TOOLS_WRAP_AT = (60, 64, 76)  # xxd -p, PEM, MIME


def shape(text: str) -> Literal["ragged", "equal", "wrapped"]:
    """Return the shape of a text by the lengths of its lines: that of one message that a tool
    wrapped, or of several."""
    is_wrapped = False
    for _, _, block in blocks(text):
        widths = [len(line.strip()) for line in block.split("\n")]
        if len(widths) > 1 and (len(set(widths[:-1])) > 1 or widths[-1] > widths[0]):
            return "ragged"
        is_wrapped |= widths[-1] < widths[0] or widths[0] in _TOOLS_WRAP_AT
    return "wrapped" if is_wrapped else "equal"
