"""The promise about finding out the type, measured, as docs/explanation/identification.md says.

`KPROTO_WRITE_GOLDEN=1` writes the tables of the document anew; then look at them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kproto.codec.dialect.layout import LayoutRow
from kproto.codec.dialect.spec import FIXED_BYTES
from kproto.codec.messages.programs import PROGRAMS
from kproto.fuzz.oracles.java import JavaOracle

from . import measured
from .measured import Answers, Sample, answers

DOCUMENT = Path(__file__).parents[2] / "docs" / "explanation" / "identification.md"
PROMISED = 0.95
SEED = partial(Random, 39)
SOURCES: dict[str, Callable[[], Iterable[Sample]]] = {
    "Apache Kafka's classes (vectors)": measured.from_vectors,
    "keys and values in a broker's log": measured.from_logs,
    "what consumers of twelve clients said and were given": measured.from_clients,
    "assignments of one topic with the partitions 0 and N": measured.pairs,
    "subscriptions cut anywhere": lambda: measured.cut(
        SEED(), measured.subscriptions(SEED(), 1000)
    ),
    "assignments cut anywhere": lambda: measured.cut(SEED(), measured.assignments(SEED(), 1000)),
}


@pytest.fixture(scope="module")
def counted() -> dict[str, Answers]:
    return {source: answers(samples()) for source, samples in SOURCES.items()}


def documented(section: str, text: str) -> None:
    """Compare a table of the document, or write it."""
    found = re.compile(rf"(<!-- {section}: [^\n]*-->\n)(.*?)(<!-- end -->)", re.DOTALL)
    whole = DOCUMENT.read_text(encoding="utf-8")
    if os.environ.get("KPROTO_WRITE_GOLDEN") == "1":
        whole = found.sub(lambda match: f"{match[1]}\n{text}\n{match[3]}", whole)
        DOCUMENT.write_text(whole, encoding="utf-8")
    match = found.search(whole)
    assert match is not None
    assert match[2].strip() == text.strip()


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


@pytest.mark.parametrize("source", SOURCES)
def test_the_promise_is_kept(source: str, counted: dict[str, Answers]) -> None:
    assert counted[source].asked >= 200
    assert counted[source].share >= PROMISED, counted[source].wrong


def test_for_random_messages_that_java_writes(java_oracle: JavaOracle, rng: Random) -> None:
    # A rate over many, which Java writes in batches: no single one fails.
    found = answers(measured.from_java(rng, java_oracle, each=8))
    assert found.asked >= 200
    assert found.share >= PROMISED, found.wrong


def test_for_each_type_of_the_log(counted: dict[str, Answers]) -> None:
    """Not only on the whole: of no type that a broker stores most are missed."""
    every = [
        sample for source, found in counted.items() for sample in found.wrong if "cut" not in source
    ]
    missed = {name: len(list(each)) for name, each in groupby(sorted(every), lambda one: one.name)}
    assert all(number <= 2 for number in missed.values()), missed


def test_the_shares_are_documented(counted: dict[str, Answers]) -> None:
    rows = [
        (
            source,
            f"{found.asked:,}",
            f"{100 * (found.share - found.ties / found.asked):.1f} %",
            f"{100 * found.ties / found.asked:.1f} %",
            f"{100 * (1 - found.share):.1f} %",
        )
        for source, found in counted.items()
    ]
    head = ("written by", "messages", "first and alone", "called a tie", "wrong")
    documented("shares", table(head, rows))


def test_layouts_that_nothing_tells_apart_are_documented() -> None:
    rows = [(", ".join(names), str(version)) for version, names in _twins()]
    documented("layouts", table(("messages", "version"), rows))


def test_what_some_bytes_do_not_tell_apart_is_documented(counted: dict[str, Answers]) -> None:
    twins = {frozenset(names) for _, names in _twins()}
    met: dict[str, set[str]] = {}
    for source, found in counted.items():
        for name, others in found.alike.items() if "cut" not in source else ():
            own = {o for o in others if not any({name, o} <= names for names in twins)}
            if own:
                met.setdefault(name, set()).update(own)
    rows = [(name, ", ".join(sorted(others))) for name, others in sorted(met.items())]
    documented("met", table(("message", "may also be"), rows))


def _twins() -> list[tuple[int, list[str]]]:
    """Messages of one shape behind one version, which is all that stands in front of them."""
    alike: dict[tuple[int, str], list[str]] = {}
    for name, ((kind, _, _), layouts, versions, _, _) in PROGRAMS.items():
        if kind == "version":
            for version, layout, _ in versions:
                alike.setdefault((version, repr(_wire(layouts, layout))), []).append(name)
    return sorted((version, names) for (version, _), names in alike.items() if len(names) > 1)


def _wire(layouts: tuple[LayoutRow, ...], number: int) -> list[Any]:
    """What a layout says of bytes, whatever its fields mean."""
    _, flexible, slots, _, _, _, _ = layouts[number]
    found: list[Any] = []
    for _, base, flags, element in slots:
        if base == "struct" and not flags:
            found += _wire(layouts, element)
        elif base == "struct":
            found.append((flags, _wire(layouts, element)))
        elif flags or base not in FIXED_BYTES:
            found.append((flags, FIXED_BYTES.get(base, base)))
        elif found and isinstance(found[-1], int):
            found[-1] += FIXED_BYTES[base]
        else:
            found.append(FIXED_BYTES[base])
    return [*found, "tags"] if flexible else found
