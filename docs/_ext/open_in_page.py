"""Puts the page where one pastes into the site, and leads to it from every example with bytes.

Without `make page` before there is no page, and nothing leads to it.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

SITE = Path(__file__).parents[2] / "build" / "page" / "site"
FOLDER = "paste"
ENTRANCES = {"index", "how-to/paste-in-a-browser", "how-to/bytes-in-my-log"}
"""The documents that lead to the page below their title."""

_EXAMPLE = re.compile(r"^\$ kproto (decode|lint|explain) ([0-9a-f]{8,}|KP\d+)$", re.MULTILINE)
_STATES = {
    "decode": "view=read&amp;text",
    "lint": "view=lint&amp;text",
    "explain": "view=explain&amp;code",
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("doctree-resolved", add_links)
    app.connect("build-finished", copy_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_links(app: Sphinx, document: nodes.document, name: str) -> None:
    """Add a link behind each example, and one below the title of the entrances."""
    if app.builder.format != "html" or not SITE.exists():
        return
    address = f"{'../' * name.count('/')}{FOLDER}/index.html"
    for block in list(document.findall(nodes.literal_block)):
        example = _EXAMPLE.search(block.astext())
        if example is not None:
            state = f"{_STATES[example[1]]}={example[2]}"
            _insert(block, address, state, "open in the page")
    if name in ENTRANCES:
        title = next(iter(document.findall(nodes.title)))
        _insert(title, address, "view=read", "Paste it here: nothing leaves your machine")


def _insert(node: nodes.Element, address: str, state: str, text: str) -> None:
    html = f'<p class="open-in-page"><a href="{address}#{state}">{text}</a></p>'
    parent = node.parent
    assert parent is not None
    parent.insert(parent.index(node) + 1, nodes.raw("", html, format="html"))


def copy_page(app: Sphinx, error: Exception | None) -> None:
    """Copy the page beside the documents."""
    if error is None and app.builder.format == "html" and SITE.exists():
        ignored = shutil.ignore_patterns("kproto.html")  # for those who have no server
        shutil.copytree(SITE, Path(app.outdir) / FOLDER, dirs_exist_ok=True, ignore=ignored)
