"""The table of guarantees, and kproto's own decoders put through it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given

from kproto.codec.runtime.registry import built_in_names
from kproto.fuzz.conformance.judging import judge
from kproto.fuzz.guarantees.cases import FILES, Case, recorded_cases
from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.subjects import CONSTRUCT, DIAGNOSTIC, GENERATED, Generated
from kproto.fuzz.guarantees.table import BY_ID, GUARANTEES, Scope, of_scope
from kproto.fuzz.strategies import broken_bytes, future_bytes, nearly_valid_bytes, valid_bytes
from kproto.fuzz.subject import Read, Refused, Subject

ROOT = Path(__file__).parents[2]


@cache
def vectors() -> tuple[Case, ...]:
    return tuple(recorded_cases())


def test_the_table_is_well_formed() -> None:
    assert len(BY_ID) == len(GUARANTEES)
    assert [row.id for row in GUARANTEES] == sorted(BY_ID)
    assert {row.scope for row in GUARANTEES} == set(Scope)
    for row in GUARANTEES:
        assert row.statement.endswith(".") and row.source and row.families and row.versions
        assert row.name == row.name.lower() and " " not in row.name


def test_the_vectors_that_ship_are_those_of_the_tests() -> None:
    import json

    from kproto.fuzz.guarantees.cases import lines

    for file in FILES:
        text = (ROOT / "tests" / "vectors" / file).read_text("utf-8")
        assert list(lines(file)) == [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param(GENERATED, id="generated"),
        pytest.param(DIAGNOSTIC, id="careful", marks=pytest.mark.slow),
        pytest.param(CONSTRUCT, id="construct", marks=pytest.mark.slow),
        *(pytest.param(Generated(newest), id=f"knows 0-{newest}") for newest in range(3)),
    ],
)
def test_kafkas_recorded_answers(subject: Subject) -> None:
    """Of Kafka's own vectors each of the three keeps every guarantee, and so do older readers."""
    older = isinstance(subject, Generated) and subject.reader_version is not None
    rows = of_scope(Scope.REQUIRED) if older else GUARANTEES
    known = [case for case in vectors() if not older or case.clamped]
    results, _ = judge(subject, known, rows)
    assert [
        (result.guarantee.title, result.examples) for result in results if result.violations
    ] == []


def test_every_guarantee_but_writing_ones_is_judged_by_the_vectors() -> None:
    """A property that never has anything to say would hold for everybody."""
    results, _ = judge(GENERATED, vectors(), GUARANTEES)
    judged = {result.guarantee.id for result in results if result.checks}
    assert BY_ID.keys() - judged == {"G08", "G13", "G33"}  # newer records, values that do not fit


@given(
    valid_bytes(names=built_in_names())
    | future_bytes()
    | nearly_valid_bytes(names=built_in_names())
    | broken_bytes()
)
def test_kproto_keeps_all_of_them(case: Case) -> None:
    for row in GUARANTEES:
        row.check(GENERATED, case)


class Always:
    """A decoder that gives one answer to everything."""

    def __init__(self, answer: Read | Refused) -> None:
        self._answer = answer

    def __getattr__(self, name: str) -> object:
        return getattr(GENERATED, name)

    def decode(self, name: str, data: bytes, version: int | None = None) -> Read | Refused:
        return self._answer


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        (Refused("no", "Error"), {"G03", "G04", "G06", "G11", "G24", "G25"}),
        (Read({"topics": []}), {"G03", "G04", "G06", "G07", "G10", "G11", "G23", "G24"}),
        (Read({"topics": [], "ownedPartitions": []}), {"G03", "G04", "G07", "G10", "G24", "G26"}),
    ],
)
def test_one_answer_to_everything_is_found_out(answer: Read | Refused, broken: set[str]) -> None:
    subject: Subject = Always(answer)  # type: ignore[assignment]
    some = [case for case in vectors() if case.name == "ConsumerProtocolSubscription"]
    results, _ = judge(subject, some, of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
    assert broken <= {result.guarantee.id for result in results if result.violations}


@pytest.mark.parametrize(
    ("topic", "is_right"),
    [
        *(("a\ufffdb", True), ("a\ufffd\ufffd\ufffdb", True), ("a\ufffd\ufffdb", True)),
        *(("ab", False), ("\ufffdb", False), ("a\xed\xa0\x80b", False), ("\ufffda\ufffdb", False)),
        *(("", False), ("a\ufffd", False)),
    ],
)
def test_text_that_is_no_utf_8_may_have_any_number_of_replacements(
    topic: str, is_right: bool
) -> None:
    case = Case(
        "ConsumerProtocolSubscription", bytes.fromhex("0000000000010005 61eda08062 ffffffff")
    )
    subject = Always(Read({"topics": [topic], "userData": None}))
    if is_right:
        assert BY_ID["G25"].check(subject, case)  # type: ignore[arg-type]
    else:
        with pytest.raises(Broken):
            BY_ID["G25"].check(subject, case)  # type: ignore[arg-type]


def test_a_broken_guarantee_says_what_was_seen() -> None:
    case = Case("ConsumerProtocolSubscription", bytes.fromhex("ffff00000000ffffffff"))
    with pytest.raises(Broken, match=r"accepted.*version -1"):
        BY_ID["G07"].check(Always(Read({"topics": []})), case)  # type: ignore[arg-type]
