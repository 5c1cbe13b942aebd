"""Which examples of the documents lead to the page where one pastes, and to what in it."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest

from kproto.rebalance.simulation.scenarios.scenario_files import built_in_scenarios

from .pages import DOCS

EXAMPLES = json.loads((DOCS.parent / "browser" / "examples.json").read_text(encoding="utf-8"))
STATES = {
    "kproto decode 00000000000100066f7264657273ffffffff": "view=read&text=0000000000010006",
    "kproto explain KP040": "view=explain&code=KP040",
    "kproto explain unreadable-member": "view=explain&code=unreadable-member",
    "kproto diff 000000000001000161ffffffff 000000000001000162ffffffff": (
        "view=diff&text=000000000001000161ffffffff&other=000000000001000162ffffffff"
    ),
    "kproto simulate rolling-bounce --members 4 --assignor range": (
        "view=simulate&scenario=rolling-bounce&members=4&assignor=range"
    ),
    "kproto simulate --list": None,
    "kproto simulate compare range sticky": None,
    "kproto group mixed --from tests/vectors/reports/mixed.save": (
        "view=read&example=two-applications"
    ),
    "kproto story app.log": None,
}


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(DOCS / "_ext")
    return importlib.import_module("open_in_page")


@pytest.mark.parametrize(("line", "expected"), STATES.items(), ids=STATES)
def test_the_state_of_an_example(extension: ModuleType, line: str, expected: str | None) -> None:
    state = extension._state_of(f"$ {line}\nwhat it prints\n")
    assert (state is None) == (expected is None)
    assert state is None or state.replace("&amp;", "&").startswith(expected)


def test_the_page_has_what_the_links_name(extension: ModuleType) -> None:
    blocks = [path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")]
    states = [
        extension._state_of(f"$ {line}") for text in blocks for line in text.split("\n$ ")[1:]
    ]
    values = [dict(part.split("=") for part in state.split("&amp;")) for state in states if state]
    assert len(values) > 40
    assert {entry["example"] for entry in values if "example" in entry} <= EXAMPLES.keys()
    scenarios = {entry["scenario"] for entry in values if "scenario" in entry}
    assert scenarios <= built_in_scenarios().keys()
