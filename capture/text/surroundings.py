"""What mails, pages, tables and programs put around the lines of a short text.

Blanks take the place of what is in front of lines, so that columns stay.
"""

from __future__ import annotations

import re

from .arrangements import fronts, quote_mark, without_markup

__all__ = ["CELL", "undoubled", "without_fronts", "without_marks"]

# A cell of CSV, in which quotes are doubled.
CELL = re.compile(r'(?:^|(?<=,))"(?P<body>(?>(?:[^"]+|"")*))"(?=,|\r?$)', re.MULTILINE)
_A_WORD = re.compile(r"[g-zG-Z]")  # which no digits of a dump are


def without_marks(text: str) -> str:
    """Return a text without the marks of a mail that is answered, of a page of HTML, and of cells
    in a table."""
    text = without_markup(text)
    if '""' in text:
        text = CELL.sub(undoubled, text)
    rows = text.split("\n")
    width = quote_mark(rows)
    return _blanked(rows, width) if width else text


def undoubled(cell: re.Match[str]) -> str:
    """Return what is in a cell whose quotes are doubled; any other cell as it is."""
    return cell["body"].replace('""', '"') if '""' in cell["body"] else cell[0]


def without_fronts(text: str) -> str:
    """Return a text without what a program has put in front of each of its lines: a time, a host, a
    name. The text itself where there is nothing of the kind."""
    rows = text.split("\n")
    full = [row for row in rows if row.strip()]
    if len(full) < 2:
        return text
    for width in fronts(rows):
        if _A_WORD.search(full[0], 0, width) and "=" not in full[0][:width]:
            return _blanked(rows, width)
    return text


def _blanked(rows: list[str], width: int) -> str:
    """The rows as a text, each with blanks in the place of its first `width` characters."""
    return "\n".join(" " * min(width, len(row)) + row[width:] for row in rows)
