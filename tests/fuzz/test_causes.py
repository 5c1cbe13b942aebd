"""A guarantee that is broken because another one is: which, and that it is broken by itself where
nothing else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.conformance.inputs import questions
from kproto.fuzz.conformance.judging import judge
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.subjects import GENERATED, Generated, subject_of
from kproto.fuzz.guarantees.table import Scope, of_scope
from kproto.fuzz.subject import SUBSCRIPTION, Read, ReadAnswer, Refused, Subject

from .mutants.faults import FAULTS as CODECS
from .mutants.hunt import cases, names

CASES = [case for case in questions([SUBSCRIPTION], seed=0) if len(case.data) < 300]
Change = Callable[[Case, ReadAnswer], ReadAnswer]


class Changed(Generated):
    """kproto's reader, with something wrong in it."""

    def __init__(self, change: Change) -> None:
        super().__init__()
        self._change = change

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        answer = super().decode(name, data, version)
        return self._change(Case(name, data, version), answer)


def refuses_version_4(case: Case, answer: ReadAnswer) -> ReadAnswer:
    is_newer = isinstance(answer, Read) and (answer.version or 0) > 3
    return Refused("unsupported version") if is_newer else answer


def refuses_bytes_behind(case: Case, answer: ReadAnswer) -> ReadAnswer:
    has_rest = isinstance(answer, Read) and answer.remainder and answer.version == 0
    return Refused("bytes are left") if has_rest else answer


def names_in_hex(case: Case, answer: ReadAnswer) -> ReadAnswer:
    if not isinstance(answer, Read):
        return answer
    topics = [topic.encode().hex() for topic in answer.value["topics"]]
    return answer._replace(value={**answer.value, "topics": topics})


def refuses_invalid_text(case: Case, answer: ReadAnswer) -> ReadAnswer:
    is_odd = any(deviation.code == "KP002" for deviation in case.reading.deviations)
    return Refused("no UTF-8") if is_odd and isinstance(answer, Read) else answer


def refuses_both(case: Case, answer: ReadAnswer) -> ReadAnswer:
    return refuses_version_4(case, refuses_invalid_text(case, answer))


def nothing_for_null(case: Case, answer: ReadAnswer) -> ReadAnswer:
    if not isinstance(answer, Read) or answer.value.get("userData") is not None:
        return answer
    return answer._replace(value={**answer.value, "userData": ""})


def reverses_the_topics(case: Case, answer: ReadAnswer) -> ReadAnswer:
    if not isinstance(answer, Read):
        return answer
    return answer._replace(value={**answer.value, "topics": answer.value["topics"][::-1]})


def never_reads_what_it_owned(case: Case, answer: ReadAnswer) -> ReadAnswer:
    """Reads the fields of version 0, and shows that of version 1 as empty."""
    oldest = case.readable_as(0) if case.prefixed else None
    if oldest is None or oldest.message is None or case.truth.version not in (1, 2, 3):
        return answer
    value = {**oldest.message.to_json(0), "ownedPartitions": []}
    return Read(value, case.truth.version, None)


def reads_cut_bytes(case: Case, answer: ReadAnswer) -> ReadAnswer:
    return never_reads_what_it_owned(case, answer) if isinstance(answer, Refused) else answer


FAULTS: dict[str, tuple[Change, dict[str, str | None]]] = {
    "version 4": (refuses_version_4, {"G04": "", "G24": "G04", "G25": "G04"}),
    "bytes behind": (refuses_bytes_behind, {"G06": "", "G24": "G06", "G25": "G06"}),
    "names in hex": (names_in_hex, {"G03": "", "G04": "G03", "G06": "G03", "G21": "G03"}),
    "text": (refuses_invalid_text, {"G25": ""}),
    "order": (reverses_the_topics, {"G21": "", "G24": "G21"}),
    "a field that is not read": (never_reads_what_it_owned, {"G03": "", "G26": "G03"}),
    "cut bytes": (reads_cut_bytes, {"G03": None, "G26": ""}),
    "two faults": (refuses_both, {"G04": "", "G25": ""}),
    "null": (nothing_for_null, {"G20": "", "G30": "G20"}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("change", "expected"), FAULTS.values(), ids=list(FAULTS))
def test_what_follows_from_another(change: Change, expected: dict[str, str | None]) -> None:
    causes = causes_of(Changed(change), CASES)
    assert {key: causes.get(key) for key in expected} == expected


def causes_of(subject: Subject, of: Iterable[Case]) -> dict[str, str]:
    """The guarantees that are broken, with what each follows from."""
    results, _ = judge(subject, of, of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
    broken = sorted((row for row in results if row.violations), key=lambda row: bool(row.follows))
    return {row.guarantee.id: row.follows for row in reversed(broken)}


ONE_CAUSE = {
    "refuses bytes left over": {"G06": "", "G04": "G06"},
    "says that nothing is left": {"G06": "", "G04": "G06", "G31": "G06"},
    "clamps to one below the highest": {"G03": "", "G26": "G03", "G31": "G03"},
    "reports the clamped version": {"G22": "", "G31": "G22"},
    "the generation is unsigned": {"G03": "", "G05": "G03"},
    "invents zeros at the end": {"G10": "", "G24": "G10", "G26": "G10"},
    "refuses user data of length -2": {"G24": "", "G25": "G24"},
    "null strings are empty": {"G23": "", "G24": "G23"},
    "user data is taken for text": {"G14": "", "G03": "G14", "G31": "G14"},
    "drops the last of many elements": {"G03": "", "G21": "G03", "G31": "G03"},
    "merges duplicate topics": {"G21": "", "G31": "G21"},
    "owned partitions are never written": {"G12": "", "G13": "G12", "G29": "G12", "G31": "G12"},
    "an int16 in front of user data": {"G12": "", "G29": "G12", "G31": "G12"},
    "writes empty user data as null": {"G29": "", "G31": "G29"},
    "writes compact lengths without + 1": {"G12": "", "G32": "G12"},
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", ONE_CAUSE)
def test_one_fault_is_told_as_one(fault: str) -> None:
    """Of a codec with one fault, all guarantees that it breaks follow from one of them."""
    (codec,) = (codec for codec in CODECS if codec.what == fault)
    short = (case for case in cases(names(codec)) if len(case.data) < 300)
    causes = causes_of(codec.subject(), short)
    assert [key for key, cause in causes.items() if not cause] == [*ONE_CAUSE[fault]][:1]
    assert ONE_CAUSE[fault].items() <= causes.items()


def test_a_writer_that_writes_wrong() -> None:
    """It reads well, and writes another version: what it reads back is wrong because of that."""

    def encode(name: str, version: int, value: dict[str, Any]) -> bytes:
        return ConsumerProtocolSubscription.from_json(value, version).to_bytes(version)[:-1]

    def decode(name: str, data: bytes) -> Any:
        answer = GENERATED.decode(name, data)
        if isinstance(answer, Refused):
            raise ValueError(answer.reason)
        return answer

    valid = [case for case in CASES if case.kind == "valid"][:40]
    subject = subject_of(decode, encode, names=[SUBSCRIPTION])
    assert causes_of(subject, valid) == {"G11": "G12", "G12": "", "G29": "G12"}
