"""Split texts with several messages: into lines, blocks between blank lines, and runs of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["COLOUR", "Part", "blocks", "full_lines", "lines", "runs"]

COLOUR = re.compile(rb"\x1b\[[0-9;]*+[A-Za-z]")
"""What programs print to colour what follows on a terminal."""

Part = tuple[int, int, str]
"""The line and the column where a part of a text begins, and the part."""


_SHORT = 1 << 20  # characters


def lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without their ends, one at a time.

    `str.splitlines` would also split at characters that editors do not count as line ends; the
    lines of a long text are never held all at once.
    """
    if len(text) <= _SHORT:
        *rows, rest = text.split("\n")
        yield from (row.removesuffix("\r") for row in rows) if "\r" in text else rows
        if rest:
            yield rest
        return
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end].removesuffix("\r")
        start = end + 1
    if start < len(text):
        yield text[start:]


def full_lines(text: str) -> Iterator[Part]:
    """Yield each line that is not blank, without the blanks around it."""
    for number, line in enumerate(lines(text), start=1):
        if bare := line.strip():
            yield number, len(line) - len(line.lstrip()) + 1, bare


def blocks(text: str) -> Iterator[Part]:
    """Yield each block; blank lines separate blocks."""
    stripped = text.strip()
    if "\n\n" not in stripped and "\n\r\n" not in stripped and "\n " not in stripped:
        if stripped:
            at = len(text) - len(text.lstrip())
            yield text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), stripped
        return
    block: list[str] = []
    start = (1, 1)
    for number, line in enumerate(lines(text), start=1):
        if line.strip():
            if not block:
                start = (number, len(line) - len(line.lstrip()) + 1)
            block.append(line)
        elif block:
            yield *start, "\n".join(block).strip()
            block = []
    if block:
        yield *start, "\n".join(block).strip()


def runs(text: str) -> Iterator[Part]:
    """Yield each run of lines that ends with a shorter one."""
    for first, column, block in blocks(text):
        start, width = first, 0
        run: list[str] = []
        for number, line in enumerate(lines(block), start=first):
            length = len(line.rstrip())
            run.append(line)
            if width and length < width:
                yield start, column, "\n".join(run)
                run, width, start = [], 0, number + 1
            else:
                width = length
        if run:
            yield start, column, "\n".join(run)
