"""The site shows every diagram and table that is drawn of the simulated machines."""

from __future__ import annotations

import importlib
import re

import pytest

from .pages import DOCS


def test_the_documentation_shows_everything_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    drawings = importlib.import_module("machines").draw_machines()
    text = (DOCS / "explanation" / "rebalancing.md").read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- made: simulation ([a-z ]+) -->", text)) == drawings.keys()
