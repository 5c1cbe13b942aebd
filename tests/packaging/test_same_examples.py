"""`make test` draws the same examples in every run, whatever was imported before."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CONSTANTS = "\n".join(f"NUMBER_{n}, TEXT_{n} = {10**9 + n}, 'constant {n}'" for n in range(100))


def drawn() -> list[tuple[int, str]]:
    found = []

    @settings(max_examples=300)
    @given(st.integers(), st.text())
    def draw(number: int, text: str) -> None:
        found.append((number, text))

    draw()
    return found


@pytest.mark.skipif(not settings().derandomize, reason="every run draws anew in this profile")
def test_constants_of_imported_modules_are_not_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    (tmp_path / "module_with_constants.py").write_text(CONSTANTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("module_with_constants")
    try:
        assert drawn() == before
    finally:
        del sys.modules["module_with_constants"]


UNSEEDED = re.compile(
    r"Random\(\)|SystemRandom|default_rng\(\)|urandom|secrets\.token"
    r"|random\.(?:choices?|getrandbits|randbytes|randint|random|randrange|sample|shuffle|uniform)\("
)
TESTS = Path(__file__).parent.parent


def test_no_test_draws_without_a_seed() -> None:
    """The fixture `rng` is seeded with the test's name; `make fuzz` varies it."""
    for path in TESTS.rglob("test_*.py"):
        if path != Path(__file__):
            assert not UNSEEDED.findall(path.read_text(encoding="utf-8")), path
