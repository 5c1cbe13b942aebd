"""Files and links that Sphinx does not make by itself, and a check of those that it does not check.

- The page of the matrix is made from its data before the build. A link to it is a plain link; the
  page is copied beside the others, and its links to sources of the site lead to their pages.
- The JSON Schemas are files in the folder `schemas`.
- A name in a signature leads to where its room has it: `Policy` to `kproto.codec.Policy`, whichever
  inner module it is defined in.
- Behind the build every local link of every page has to lead to a file and an anchor.
"""

from __future__ import annotations

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from kproto.fuzz.conformance.matrix.matrix import from_text
from kproto.fuzz.conformance.matrix.matrix_page import findings_in, matrix_page
from kproto.inspector.shapes import SHAPES, json_schema
from kproto.inspector.shapes.shape import json_text

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

COPIED = ("matrix", "ci")
"""Folders of finished files: they are copied as they are."""

_LOG = logging.getLogger(__name__)


def _matrix(app: Sphinx) -> None:
    """Make the page of the matrix; git ignores it."""
    source = Path(app.srcdir)
    matrix = from_text((source / "matrix" / "matrix.json").read_text("utf-8"))
    page = matrix_page(matrix, findings_in(source / "findings"))
    (source / "matrix" / "index.html").write_text(page, "utf-8")


def _plain(app: Sphinx, tree: nodes.document) -> None:
    """Make a link to a copied file a plain one."""
    here = Path(app.env.docname).parent
    for link in list(tree.findall(addnodes.download_reference)):
        target = Path(os.path.normpath(here / link["reftarget"]))
        if target.parts[0] in COPIED:
            uri = os.path.relpath(target, here)
            link.replace_self(nodes.reference("", "", *link.children, refuri=uri, internal=True))


def _public(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.Element
) -> nodes.Element | None:
    """Find what the room of an inner module documents under the same name."""
    parts = node["reftarget"].split(".")
    if node.get("refdomain") != "py" or "".join(parts).islower():
        return None
    first = next(place for place, part in enumerate(parts) if not part.islower())
    scope = node["reftarget"] if parts[0] == "kproto" else node.get("py:module") or ""
    room = ".".join(scope.split(".")[:2])
    tail = ".".join(parts[first:])
    objects = env.domains.python_domain.objects
    fits = [name for name in objects if name.startswith(f"{room}.") and name.endswith(f".{tail}")]
    if not fits:
        return None
    entry = objects[min(fits, key=len)]
    uri = app.builder.get_relative_uri(node["refdoc"], entry.docname)
    return nodes.reference("", "", shown, refuri=f"{uri}#{entry.node_id}", internal=True)


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in {"href", "src"} and value:
                self.links.append(value)


def broken_links(folder: Path) -> list[str]:
    """Returns a line for each local link below `folder` that leads nowhere."""
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for link in sorted(set(page.links)):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            anchor = unquote(parts.fragment)
            is_anchor = anchor and "=" not in anchor  # else it is a state of the page in a browser
            if not target.exists() or (known and is_anchor and anchor not in known.ids):
                found.append(f"{path.relative_to(folder)}: {link} leads nowhere")
    return found


def _lead_to_pages(folder: Path) -> None:
    """Makes the links of copied pages to sources outside of `folder` links to pages of the site."""
    for page in folder.rglob("*.html"):
        text = page.read_text("utf-8")
        page.write_text(re.sub(r'(href="\.\./[^":]+)\.md(["#])', r"\1.html\2", text), "utf-8")


def _finish(app: Sphinx, failed: Exception | None) -> None:
    if failed or app.builder.name != "html":
        return
    out = Path(app.outdir)
    for name in COPIED:
        shutil.copytree(Path(app.srcdir) / name, out / name, dirs_exist_ok=True)
        _lead_to_pages(out / name)
    (out / "schemas").mkdir(exist_ok=True)
    for name in SHAPES:
        (out / "schemas" / f"{name}.json").write_text(json_text(json_schema(name)), "utf-8")
    for line in broken_links(out.resolve()):
        _LOG.warning(line)


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the extension with Sphinx."""
    app.connect("builder-inited", _matrix)
    app.connect("doctree-read", _plain, priority=400)  # before downloads are collected
    app.connect("missing-reference", _public)
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
