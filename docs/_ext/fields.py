"""Shows the fields of a message, which its docstring lists under `Attributes:`, as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ROW = re.compile(r"(\w+)(?: \(([^)]+)\))?: (.*)")
_NAMED_TUPLES_OWN = re.compile(r"Alias for field number \d+")


def with_table(lines: list[str]) -> list[str]:
    """Returns the docstring with a table in the place of its list of fields, if it has one."""
    if "Attributes:" not in lines:
        return lines
    at = lines.index("Attributes:")
    head = [".. list-table::", "   :header-rows: 1", ""]
    return [*lines[:at], *head, *_row("field", "type", "what"), *_rows(lines[at + 1 :]), ""]


def _rows(lines: list[str]) -> Iterator[str]:
    for text in re.split(r"\n(?=    \w)", "\n".join(lines).rstrip()):
        found = _ROW.fullmatch(" ".join(text.split()))
        assert found is not None, text
        yield from _row(f"``{found[1]}``", f"``{found[2]}``" if found[2] else "", found[3])


def _row(*cells: str) -> Iterator[str]:
    for number, cell in enumerate(cells):
        yield f"   {'* ' if not number else '  '}- {cell}"


def _process(
    _app: Sphinx, what: str, _name: str, _obj: Any, _options: Any, lines: list[str]
) -> None:
    if what == "class":
        lines[:] = with_table(lines)
    elif lines and _NAMED_TUPLES_OWN.fullmatch(lines[0]):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension with Sphinx."""
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
