"""Puts what is made from the code where a page has a mark for it.

A page says `<!-- made: NAME ARGUMENT -->` in a line of its own; `MAKERS` has the names. What is
made is Markdown, and is read as part of the page. Where the page has `<!-- made until here -->`
below, what is made stands between the two, for those who read the page without the site; a test
compares it with the code, and `make generate` writes it anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from sources import MAKERS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
END = "<!-- made until here -->"
MARK = re.compile(
    r"^(?P<mark><!-- made: (?P<name>\S+)(?: (?P<words>[^>]*?))? -->)$"
    rf"(?P<kept>(?:\n(?!<!-- made: ).*)*?\n{END}$)?",
    re.MULTILINE,
)


def filled(text: str) -> str:
    """Returns a page with every mark replaced by what it names."""
    return MARK.sub(_made, text)


def kept(text: str) -> str:
    """Returns a page in which what stands between marks is what the code makes now."""

    def between(mark: re.Match[str]) -> str:
        return f"{mark['mark']}\n\n{_made(mark).strip()}\n\n{END}" if mark["kept"] else mark[0]

    return MARK.sub(between, text)


def _made(mark: re.Match[str]) -> str:
    with patch.dict(os.environ, {"COLUMNS": "80"}):  # usages are as wide
        return MAKERS[mark["name"]](*(mark["words"] or "").split())


def _read(_app: Sphinx, _name: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension with Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def main() -> None:
    """Writes what is made into the pages that keep it."""
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text("utf-8")
        if (now := kept(text)) != text:
            page.write_text(now, "utf-8")


if __name__ == "__main__":
    main()
