"""Print the page of a code or an audit rule: what it is, and what it means for a running group.

Without a code all of them are listed.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from textwrap import fill

from ..inspector.diagnose.explanations import Page
from ..inspector.diagnose.levels import level_of
from .output.failures import WRONG_USE, Failure

# Each gives its `pages()`; no code is in two of them.
_ROOMS = ("inspector.diagnose.explanations", "pipeline.audit.explanations")
_WIDTH = 88
_INDENT = "    "


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto explain`."""
    parser.epilog = "exit status: 0 printed; 2 wrong use: a code that there is not"
    parser.add_argument(
        "code", metavar="CODE", nargs="*", help="KP007, rebalance-storm; default: list all"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a code")


def run(arguments: Namespace) -> int:
    """Print the pages that were asked for, or the list."""
    known = _pages()
    chosen = [_page(code, known) for code in arguments.code] or list(known.values())
    if arguments.json:
        for page in chosen:
            print(json.dumps(_as_json(page)))
    elif arguments.code:
        print("\n\n".join("\n".join(_lines(page)) for page in chosen))
    else:
        wide = max(len(page.code) for page in chosen)
        for page in chosen:
            level = level_of(page.code, page.class_)
            print(f"{page.code:{wide}}  {level:8}  {page.class_:9}  {page.title}")
    return 0


def _pages() -> dict[str, Page]:
    """By code, in capitals."""
    found: dict[str, Page] = {}
    for room in _ROOMS:
        found |= import_module(f"..{room}", __package__).pages()
    return {code.upper(): page for code, page in found.items()}


def _page(code: str, known: dict[str, Page]) -> Page:
    if code.upper() not in known:
        raise Failure(f"there is no code {code!r}; kproto explain lists all", WRONG_USE)
    return known[code.upper()]


def _lines(page: Page) -> Iterator[str]:
    yield fill(f"{page.code}: {page.title}", _WIDTH)
    yield ", ".join(dict.fromkeys((page.class_, level_of(page.code, page.class_))))
    parts = (
        ("What it is", page.what),
        ("What it means for a running group", page.group),
        ("Who writes it", page.writers),
        ("What to do first", page.action),
        ("See", ", ".join(page.see)),
    )
    for title, text in parts:
        if text:
            yield f"\n{title}"
            yield fill(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _as_json(page: Page) -> dict[str, object]:
    return {
        "code": page.code,
        "class": page.class_,
        "level": level_of(page.code, page.class_),
        "title": page.title,
        "what": page.what,
        "group": page.group,
        "writers": page.writers,
        "action": page.action,
        "see": list(page.see),
    }
