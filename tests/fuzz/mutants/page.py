"""The page of what finds which fault: docs/reference/faults.md, a section from each command."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "faults.md"
_HEAD = """\
# Faults that the kit finds

<!-- written by: make mutants -->

Each row is a decoder and encoder with one fault, put to the questions of
`kproto conform --recommended`. *Found by* has the [guarantee](guarantees.md) that it breaks first,
*seconds* the time until then. *Whose* names the client, the commit that mended it, or the report.
"""


def write_section(title: str, lines: Iterable[str]) -> None:
    """Write a section of the page in the place of the one with its title, or behind the others."""
    text = PAGE.read_text("utf-8")
    sections = dict.fromkeys(re.findall(r"^## (.+)$", text, re.MULTILINE), "")
    for name in sections:
        sections[name] = text.partition(f"## {name}\n")[2].partition("\n## ")[0].strip("\n")
    sections[title] = "\n".join(lines).strip("\n")
    parts = [_HEAD, *(f"## {name}\n\n{body}\n" for name, body in sections.items())]
    PAGE.write_text("\n".join(parts), "utf-8")
