"""The closed set of causes is that of `tests/vectors/causes.md`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.history.causes import CAUSES, ROOTS, TRIGGERS

TABLES = Path(__file__).parents[1] / "vectors" / "causes.md"


def rows(title: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each word of a table, with what happened and what proves it."""
    section = TABLES.read_text().partition(f"\n## {title}")[2].partition("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "cause":
            yield from ((word, (cells[1], cells[2])) for word in cells[0].split(", "))


@pytest.mark.parametrize(("title", "table"), [("Triggers", TRIGGERS), ("Roots", ROOTS)])
def test_the_tables_are_those_of_the_closed_set(title: str, table: dict) -> None:  # type: ignore[type-arg]
    assert {word: facts[:2] for word, facts in table.items()} == dict(rows(title))


def test_rivals_are_other_causes() -> None:
    for word, facts in CAUSES.items():
        assert set(facts.rivals) <= CAUSES.keys() - {word}


def test_what_records_make_likely_has_rivals() -> None:
    """A guess says what else it may be."""
    likely = {word for word, facts in CAUSES.items() if facts.in_records == "likely"}
    assert {word for word in likely if not CAUSES[word].rivals} == set()
