"""Puts what is made from the code where a page has a mark for it.

A page says `<!-- made: NAME ARGUMENT -->` in a line of its own; `MAKERS` has the names. What is
made is Markdown, and is read as part of the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sources import MAKERS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = re.compile(r"^<!-- made: (\S+)(?: ([^>]*?))? -->$", re.MULTILINE)


def filled(text: str) -> str:
    """Returns a page with every mark replaced by what it names."""
    return MARK.sub(lambda mark: MAKERS[mark[1]](*(mark[2] or "").split()), text)


def _read(_app: Sphinx, _name: str, source: list[str]) -> None:
    source[0] = filled(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension with Sphinx."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
