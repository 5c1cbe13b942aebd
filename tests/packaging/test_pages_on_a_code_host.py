"""README and the pages of docs/ read on a code host, too: what is made from the code stands in
them, and each local link leads to a file and a heading of the raw Markdown."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]

_BLOCK = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(rf"{_BLOCK.pattern}|`[^`\n]+`", _BLOCK.flags)
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?![a-z]+:)(?P<path>[^)#\s]*)#?(?P<anchor>[^)\s]*)\)")


def test_what_is_made_from_the_code_is_what_the_code_says() -> None:
    """`make generate` writes it anew."""
    program = (
        "import made\n"
        "texts = {page: page.read_text('utf-8') for page in made.DOCS.rglob('*.md')}\n"
        "assert sum(made.END in text for text in texts.values()) > 10\n"
        "for page, text in texts.items():\n"
        "    if text != made.kept(text):\n"
        "        print(page.relative_to(made.DOCS))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / "docs" / "_ext",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), f"make generate: {done.stdout}{done.stderr}"


def test_links_lead_somewhere() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {link[0]}"
        for page in PAGES
        for link in _LINK.finditer(_without_code(page))
        if not _leads_somewhere(page, link["path"], link["anchor"]) or not link["text"]
    ]
    assert not dead


def _leads_somewhere(page: Path, path: str, anchor: str) -> bool:
    target = page.parent / path if path else page
    is_page = target.suffix == ".md" and target.exists()
    return anchor in _anchors(target.resolve()) if anchor and is_page else target.exists()


@cache
def _without_code(page: Path) -> str:
    return _CODE.sub("code", page.read_text("utf-8"))


@cache
def _anchors(page: Path) -> set[str]:
    """What a code host makes of the headings."""
    anchors: Counter[str] = Counter()
    text = _BLOCK.sub("", page.read_text("utf-8"))
    for heading in re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchors[re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")] += 1
    numbered = (f"{name}-{number}" for name in anchors for number in range(1, anchors[name]))
    return {*anchors, *numbered}
