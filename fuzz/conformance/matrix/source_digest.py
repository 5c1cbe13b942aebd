"""The digest of the code that a matrix was measured with.

A committed matrix is compared with it: what judges, and what puts the questions, may have changed
since. Comments, docstrings and imports do not count.
"""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

_PACKAGE = Path(__file__).parents[3]
_MEASURING = (
    "clients/reports.json",
    "fuzz/guarantees",
    "fuzz/conformance/client",
    "fuzz/conformance/endurance.py",
    "fuzz/conformance/judging.py",
    "fuzz/conformance/matrix/captured.json",
    "fuzz/conformance/matrix/captured.py",
    "fuzz/conformance/matrix/outcomes.py",
    "fuzz/conformance/matrix/pairs.py",
    "fuzz/conformance/matrix/reported.py",
    "fuzz/conformance/questions.py",
    "fuzz/testees",
)
"""Files and folders of the package. The inputs have a digest of their own."""
_SUFFIXES = {".go", ".java", ".json", ".mjs", ".mod", ".py", ".rs", ".toml", ".txt", ".xml"}


def source_digest() -> str:
    """Return a digest of the code that asks clients and judges what they answer."""
    digest = hashlib.sha256()
    for file in sorted(_files(), key=lambda file: file.relative_to(_PACKAGE).as_posix()):
        text = file.read_text("utf-8")
        code = code_of(text) if file.suffix == ".py" else text
        digest.update(f"{file.relative_to(_PACKAGE).as_posix()}\n{code}\n".encode())
    return digest.hexdigest()[:16]


def _files() -> Iterator[Path]:
    for name in _MEASURING:
        path = _PACKAGE / name
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.suffix in _SUFFIXES and file.is_file():
                yield file


def code_of(text: str) -> str:
    """Return the lines of a Python module without comments, docstrings, imports and empty lines. It
    is the same under each version of Python, as a dump of the syntax tree is not.
    """
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _is_text(node: ast.AST) -> TypeGuard[ast.Expr]:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
