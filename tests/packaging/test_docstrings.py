"""Examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.rooms import FOLDERS

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = [
    ".".join((package, *path.relative_to(ROOT / folder).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    for package, folder in FOLDERS.items()
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted
    assert not outcome.failed
