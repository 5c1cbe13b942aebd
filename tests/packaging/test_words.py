"""Docstrings and file names as a stranger would expect them: what a lint can hold of that."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = (
    "capture", "clients", "codec", "fuzz", "inspector", "package", "pipeline", "rebalance", "tools",
)  # fmt: skip
GENERATED = ROOT / "codec" / "messages"
FRAGMENTS = frozenset(
    """
    A All An Another As By Each Every Everything For From How It Its No None Nothing Of One So The
    Those Until What Whatever Where Whether Which Who Why
    """.split()
)
"""First words of a function's docstring that say neither what it returns nor what it does."""
FEWEST_WORDS = 4
PHRASES = (
    "held together", "stands for itself", "told apart by itself", "comes again", "ever so often",
    "as the one inside", "what stands in front says",
)  # fmt: skip
VAGUE = frozenset({"base", "common", "core", "helpers", "misc", "util", "utils"})
MOST_NAMESAKES = 4


class Docstring(NamedTuple):
    """The docstring of a public class or function."""

    name: str
    text: str
    of_function: bool

    @property
    def first(self) -> list[str]:
        """The words of its first paragraph."""
        return self.text.split("\n\n")[0].split()


def files(room: str) -> list[Path]:
    """Return the modules of a room that people write."""
    paths = (ROOT / room).rglob("*.py")
    return sorted(path for path in paths if GENERATED not in path.parents)


def docstrings(node: ast.Module | ast.ClassDef) -> Iterator[Docstring]:
    """Yield the docstrings of what is public in a module or class."""
    for child in node.body:
        if not isinstance(child, ast.ClassDef | ast.FunctionDef) or child.name.startswith("_"):
            continue
        if text := ast.get_docstring(child):
            yield Docstring(child.name, text, _is_function(child))
        if isinstance(child, ast.ClassDef):
            yield from docstrings(child)


def _is_function(node: ast.ClassDef | ast.FunctionDef) -> bool:
    """Whether calls of it have parentheses: no class, no property."""
    decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
    computed = "property" in decorators or "once" in decorators
    return isinstance(node, ast.FunctionDef) and not computed


@pytest.fixture(scope="module", params=ROOMS)
def modules(request: pytest.FixtureRequest) -> dict[str, ast.Module]:
    """The modules of a room, by their paths."""
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8"))
        for path in files(request.param)
    }


def test_a_docstring_begins_with_what_is_returned_or_done(modules: dict[str, ast.Module]) -> None:
    fragments = [
        (path, doc.name, " ".join(doc.first))
        for path, module in modules.items()
        for doc in docstrings(module)
        if (doc.of_function and doc.first[0] in FRAGMENTS) or len(doc.first) < FEWEST_WORDS
    ]
    assert not fragments


def test_a_module_says_what_it_is_in_plain_words(modules: dict[str, ast.Module]) -> None:
    for path, module in modules.items():
        text = ast.get_docstring(module) or ""
        assert text.split("\n\n")[0].rstrip().endswith((".", ":", "?")), path
        texts = [text, *(doc.text for doc in docstrings(module))]
        phrases = [phrase for phrase in PHRASES for text in texts if phrase in text.lower()]
        assert not phrases, path


def test_file_names_say_what_is_in_them() -> None:
    paths = [path for room in ROOMS for path in files(room)]
    names = Counter(path.stem for path in paths if not path.stem.startswith("__"))
    assert not VAGUE & names.keys()
    assert not {name: count for name, count in names.items() if count > MOST_NAMESAKES}
