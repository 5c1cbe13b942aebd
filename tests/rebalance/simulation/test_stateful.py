"""Groups under a hostile fate: examples that are the same in every run, and what was found once.

Fresh examples are drawn by `make explore`; what it has found is in found/, and played back here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.rebalance.simulation.explore import setup_of
from tests.rebalance.simulation.fate import Fate
from tests.rebalance.simulation.history import play_back, read_history

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))

TestFate = Fate.TestCase
TestFate.settings = settings(max_examples=40, stateful_step_count=25)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_once(path: Path) -> None:
    history = read_history(path)
    play_back(history, setup_of(history))
