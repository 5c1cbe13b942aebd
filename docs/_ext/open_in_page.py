"""Puts the page where one pastes into the site, and leads to it from every example with bytes.

Without `make page` before there is no page, and nothing leads to it.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx

SITE = Path(__file__).parents[2] / "build" / "page" / "site"
FOLDER = "paste"
ENTRANCES = {"index", "how-to/paste-in-a-browser", "how-to/bytes-in-my-log"}
"""The documents that lead to the page below their title."""

_EXAMPLE = re.compile(
    r"^\$ kproto (decode|lint|explain)(?: --json)?"
    r" (?:\"(?P<quoted>[^\"\n]+)\""
    r"|(?P<word>(?:0x)?[0-9a-f]{8,}|[\w+/]{8,}={1,2}|KP\d+|[a-z]+-[a-z-]+))"
    r" *(?:$|\||--(?:readers|redact)\b)",
    re.MULTILINE,
)
_FILE_EXAMPLE = re.compile(r"^\$ kproto (?:decode|story|group)\b[^\n]*? (\w+/\S+)", re.MULTILINE)
_DIFF_EXAMPLE = re.compile(
    r"^\$ kproto diff(?: --json)? ([0-9a-f]{8,}) ([0-9a-f]{8,})$", re.MULTILINE
)
_SIMULATION = re.compile(
    r"^\$ kproto simulate ([a-z][a-z0-9-]*)((?: --(?:members|partitions|seed|assignor) [\w-]+)*)$",
    re.MULTILINE,
)
_FILES = {
    example["path"]: name
    for name, example in json.loads(
        (Path(__file__).parents[2] / "browser" / "examples.json").read_text("utf-8")
    ).items()
    if "path" in example
}
"""The examples of the page that are files, by their paths."""
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
        state = _state_of(block.astext())
        if state is not None:
            _insert(block, address, state, "open in the page")
    if name in ENTRANCES:
        title = next(iter(document.findall(nodes.title)))
        _insert(title, address, "view=read", "Paste it here: nothing leaves your machine")


def _state_of(text: str) -> str | None:
    """Return the state of the page that answers the first example of a text; None if none does."""
    example = _EXAMPLE.search(text)
    if example is not None:
        data = quote(example["quoted"] or example["word"], safe="")
        return f"{_STATES[example[1]]}={data}"
    pair = _DIFF_EXAMPLE.search(text)
    if pair is not None:
        return f"view=diff&amp;text={pair[1]}&amp;other={pair[2]}"
    simulation = _SIMULATION.search(text)
    if simulation is not None:
        options = re.findall(r"--(\w+) (\S+)", simulation[2])
        return "&amp;".join(["view=simulate", f"scenario={simulation[1]}", *map("=".join, options)])
    file = _FILE_EXAMPLE.search(text)
    name = _FILES.get(file[1]) if file is not None else None
    return None if name is None else f"view=read&amp;example={name}"


def _insert(node: nodes.Element, address: str, state: str, text: str) -> None:
    html = f'<p class="open-in-page"><a href="{address}#{state}">{text}</a></p>'
    parent = node.parent
    assert parent is not None
    parent.insert(parent.index(node) + 1, nodes.raw("", html, format="html"))


def copy_page(app: Sphinx, error: Exception | None) -> None:
    """Copy the page beside the documents, in both of its forms: they are opened as files, too."""
    if error is None and app.builder.format == "html" and SITE.exists():
        shutil.copytree(SITE, Path(app.outdir) / FOLDER, dirs_exist_ok=True)
