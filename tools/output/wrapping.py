"""Lines for people in the width of their terminal: broken between words, and continued under the
column that they were in."""

from __future__ import annotations

import io
import re
from textwrap import fill, wrap

TYPE_CHECKING = False  # `kproto --help` needs this module, and importing typing takes longer
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

__all__ = ["WrappingOutput", "in_lines", "wrapped", "wrapped_paragraphs", "wrapped_usage"]

_COLUMN = re.compile(r"(?<=\S) {2,}(?=\S)")
_OPTION = re.compile(r"\[[^\[\]]* [^\[\]]*\]")
_LEAST = 30  # columns that a text has under its column, or it goes back to the left


def wrapped(line: str, columns: int, deeper: int = 2) -> str:
    """Return a line in lines of at most `columns`: those after the first begin under the last
    column, or `deeper` than the first. A word that is longer has a line of its own.

    >>> print(wrapped("KP001  error  A negative length that is read as null", 45))
    KP001  error  A negative length that is read
                  as null
    """
    if len(line) <= columns:
        return line
    margin = len(line) - len(line.lstrip())
    ends = [match.end() for match in _COLUMN.finditer(line)]
    indent = ends[-1] if ends and columns - ends[-1] >= _LEAST else margin + deeper
    return fill(
        line.lstrip(),
        columns,
        initial_indent=line[:margin],
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def in_lines(text: str, columns: int) -> list[str]:
    """Return a text as lines of at most `columns`, broken between words alone."""
    words = " ".join(text.split())
    return wrap(words, columns, break_long_words=False, break_on_hyphens=False)


def wrapped_paragraphs(text: str, columns: int) -> str:
    """Return a text whose paragraphs are filled anew; indented lines and lists stay lines."""
    return "\n".join(wrapped(line, columns, deeper=0) for line in _lines(text))


def wrapped_usage(usage: str, columns: int) -> str:
    """Return a usage in lines of at most `columns`, an option with its value in one; as it is where
    its lines are not longer."""
    if max(map(len, usage.splitlines()), default=0) <= columns:
        return usage
    room = columns - _USAGE_INDENT

    def in_one(option: re.Match[str]) -> str:
        text = option[0]
        return text.replace(" ", "\0") if len(text) <= room else text.replace(",", ", ")

    starts = [part for part in usage.strip().split("\n       kproto ") if part]
    lines = [_OPTION.sub(in_one, " ".join(part.split())) for part in starts]
    lines[1:] = [f"       kproto {line}" for line in lines[1:]]
    text = "\n".join(wrapped(line, columns, _USAGE_INDENT + 1) for line in lines)
    return text.replace("\0", " ") + "\n\n"


_USAGE_INDENT = 7  # behind "usage: "


def _lines(text: str) -> Iterator[str]:
    """The lines of a text; those of one paragraph are one. Examples and tables stay lines."""
    paragraph: list[str] = []
    for line in [*text.splitlines(), ""]:
        is_prose = line.strip() and line[0] != " " and not _TABULAR.match(line)
        if paragraph and not is_prose:
            yield " ".join(paragraph)
            paragraph.clear()
        if is_prose:
            paragraph.append(line.strip())
        else:
            yield line


_TABULAR = re.compile(r"kproto \w|.*\S {3,}\S")


class WrappingOutput(io.TextIOBase):
    """A stream that writes whole lines to another one, wrapped."""

    def __init__(self, output: TextIO, columns: int) -> None:
        self._output = output
        self._columns = columns
        self._line = ""

    def write(self, text: str) -> int:
        """Write text; a line is written when it ends."""
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._output.write(wrapped(line, self._columns) + "\n")
        return len(text)

    def flush(self) -> None:
        """Write what was held back."""
        self._output.write(self._line)
        self._line = ""
        self._output.flush()

    def isatty(self) -> bool:
        """Return whether the lines go to a terminal."""
        return self._output.isatty()
