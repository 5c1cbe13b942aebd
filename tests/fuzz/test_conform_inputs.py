"""What the made-up inputs are for: faults that only sizes, labels and odd texts show, and what is
no fault at all."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from kproto.fuzz.conformance.inputs import MAX_BYTES, inputs, questions
from kproto.fuzz.conformance.judging import judge
from kproto.fuzz.conformance.matrix.measure import representatives
from kproto.fuzz.conformance.results import Example, Result
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.subjects import Generated
from kproto.fuzz.guarantees.table import BY_ID, Scope, of_scope
from kproto.fuzz.subject import Failed, Failure, JsonObject, Read, ReadAnswer, Refused, Subject

from .mutants.codec import ASSIGNMENT, SUBSCRIPTION, Codec, CodecError


class CutsUserData(Codec):
    def blob(self) -> bytes | None:
        raw = super().blob()
        return None if raw is None else raw[:32_767]


class ReadsAtMostAHundred(Codec):
    def array(self, element: Any) -> list[Any]:
        return super().array(element)[:100]


class WritesAtMostAHundred(Codec):
    def put_array(self, items: list[bytes]) -> bytes:
        return super().put_array(items[:100])


class WritesACountInAByte(Codec):
    def put_array(self, items: list[bytes]) -> bytes:
        return self.put_int32(len(items) & 0xFF) + b"".join(items)


class RefusesLongNames(Codec):
    def string(self) -> str:
        name = super().string()
        if len(name) > 249:
            raise CodecError("no name of a topic")
        return name


class WritesUserDataInAnInt16(Codec):
    def put_blob(self, blob: str | None) -> bytes:
        written = super().put_blob(blob)
        if len(written) - 4 > 32_767:
            raise CodecError("too much user data")
        return written


class StripsAByteOrderMark(Codec):
    def text(self, raw: bytes) -> str:
        return super().text(raw.removeprefix(b"\xef\xbb\xbf"))


class Normalises(Codec):
    def text(self, raw: bytes) -> str:
        return unicodedata.normalize("NFC", super().text(raw))


class ReadsAByteOfTheLabel(Codec):
    def clamped(self, label: int) -> int:
        return min(label & 0xFF, 3)

    def remainder(self) -> bytes | None:
        return None


class HasAnEmptyRackByDefault(Codec):
    def subscription(self, version: int) -> JsonObject:
        value = super().subscription(version)
        return value if version >= 3 else {**value, "rackId": ""}


FAULTS: dict[type[Codec], str] = {
    CutsUserData: "G03",
    ReadsAtMostAHundred: "G03",
    RefusesLongNames: "G03",
    WritesAtMostAHundred: "G12",
    WritesACountInAByte: "G12",
    WritesUserDataInAnInt16: "G12",
    StripsAByteOrderMark: "G03",
    Normalises: "G03",
    ReadsAByteOfTheLabel: "G04",
    HasAnEmptyRackByDefault: "G20",
}


@cache
def systematic() -> list[Case]:
    """Of one seed, those that are no drawn ones: every seed has them."""
    other = {(case.name, case.data) for case in inputs((SUBSCRIPTION, ASSIGNMENT), seed=1)}
    return [
        case
        for case in inputs((SUBSCRIPTION, ASSIGNMENT), seed=0)
        if (case.name, case.data) in other and case.kind in ("large", "valid", "version")
    ]


@pytest.mark.parametrize("make", FAULTS, ids=lambda make: make.__name__)
def test_every_seed_finds(make: type[Codec]) -> None:
    results, _ = judge(make(), systematic(), [BY_ID[FAULTS[make]]])
    assert any(one.violations for one in results)


@pytest.mark.slow
def test_the_same_codec_without_a_fault_keeps_everything_required() -> None:
    results, _ = judge(Codec(), systematic(), of_scope(Scope.REQUIRED))
    assert [one.guarantee.title for one in results if one.violations] == []


def test_what_is_large_is_a_handful_and_no_input_of_the_readers_table() -> None:
    large = [case for case in systematic() if case.kind == "large"]
    assert len(large) < 50 and max(len(case.data) for case in large) > 65_535 > MAX_BYTES
    assert not any(case.kind == "large" for case in representatives(systematic()))


@pytest.mark.parametrize(
    "names", [(SUBSCRIPTION, ASSIGNMENT), (SUBSCRIPTION,), ("HeartbeatRequest",)]
)
def test_a_run_that_ends_early_has_judged_every_guarantee(names: tuple[str, ...]) -> None:
    cases = questions(names, seed=0)
    assert len({case.id for case in cases}) == len(cases) >= len(inputs(names, seed=0))
    rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
    by_all = {row for row in rows if any(map(row.is_about, cases))}
    assert len(by_all) > 12
    assert by_all == {row for row in rows if any(map(row.is_about, cases[: len(by_all)]))}


# -- what is no fault


class Shows:
    """A reader that shows some of the fields that another reads."""

    def __init__(self, reader: Subject, *fields: str) -> None:
        self._reader = reader
        self._fields = fields

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        answer = self._reader.decode(name, data, version)
        if not isinstance(answer, Read):
            return answer
        return answer._replace(value={key: answer.value[key] for key in self._fields})


UNKNOWN_TO_OLD = {
    "G23": "0001 00000001 0001 61 ffffffff ffffffff",  # null where only version 1 looks
    "G24": "0001 00000001 0001 61 ffffffff fffffffe",
}


@pytest.mark.parametrize("guarantee", UNKNOWN_TO_OLD)
def test_an_old_reader_is_not_accused_of_what_it_does_not_know(guarantee: str) -> None:
    case = Case(SUBSCRIPTION, bytes.fromhex(UNKNOWN_TO_OLD[guarantee]))
    check = BY_ID[guarantee].check
    assert not check(Generated(0), case)

    class Null(Codec):
        def null_array(self, count: int) -> list[Any]:
            return []

    with pytest.raises(Broken, match="accepted"):
        check(Null(), case)  # it knows that field, and takes null


def test_who_does_not_show_a_rack_is_not_accused_of_one() -> None:
    shy: Subject = Shows(HasAnEmptyRackByDefault(), "topics", "userData")  # type: ignore[assignment]
    case = Case(SUBSCRIPTION, bytes.fromhex("0000 00000001 0001 61 ffffffff"))
    assert BY_ID["G20"].check(shy, case)
    with pytest.raises(Broken, match='rackId is "", not null'):
        BY_ID["G20"].check(HasAnEmptyRackByDefault(), case)


def test_nothing_is_judged_where_there_is_no_api() -> None:
    results, _ = judge(_Deaf(), systematic()[:60], of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
    assert sum(one.checks for one in results) == 0


def test_a_client_that_refuses_what_could_show_it_omits_nothing() -> None:
    class Old(Codec):
        """Tells the version, and refuses every newer one than it knows."""

        def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
            if int.from_bytes(data[:2], signed=True) > 3:
                return Refused("unknown version")
            answer = super().decode(name, data, version)
            if not isinstance(answer, Read):
                return answer
            return answer._replace(version=int.from_bytes(data[:2]))

    (result,) = judge(Old(), [case for case in systematic() if case.name == SUBSCRIPTION],
                      [BY_ID["G22"]])[0]  # fmt: skip
    assert result.why == "the client reads no input that can show it: refuses: unknown version"


class _Dies(Codec):
    """Gives no answer to bytes that begin with a version of some sort."""

    def __init__(self, sort: Callable[[int], bool]) -> None:
        self._is_deadly = sort

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        if version is None and self._is_deadly(int.from_bytes(data[:2], signed=True)):
            return Failed(Failure.CRASH, "KeyError: 4")
        return super().decode(name, data, version)


CRASH = "crash: KeyError: 4"
NOT_READ, NEITHER = f"not read: {CRASH}", f"neither read nor refused: {CRASH}"


def told_of_deaths(sort: Callable[[int], bool]) -> tuple[dict[str, Example], dict[str, Result]]:
    """What breaks a required guarantee where some bytes get no answer, and all results."""
    cases = [case for case in systematic() if case.name == SUBSCRIPTION]
    results, _ = judge(_Dies(sort), cases, of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
    by_id = {result.guarantee.id: result for result in results}
    required = [one for one in results if one.guarantee.scope is Scope.REQUIRED]
    return {one.guarantee.id: one.examples[0] for one in required if one.violations}, by_id


def test_a_client_that_dies_of_newer_versions_breaks_what_says_that_they_are_read() -> None:
    broken, results = told_of_deaths(lambda version: version > 3)
    assert {key: one.complaint for key, one in broken.items()} == {"G01": CRASH, "G04": NOT_READ}
    assert results["G22"].why == f"the client reads no input that can show it: {CRASH}"
    assert results["G10"].passes > results["G10"].unanswered > 0  # others were refused


def test_a_client_that_dies_of_negative_versions_does_not_refuse_them() -> None:
    broken, _ = told_of_deaths(lambda version: version < 0)
    assert {key: one.complaint for key, one in broken.items()} == {"G01": CRASH, "G07": NEITHER}
    assert broken["G07"].follows == "G01"


def test_a_client_that_dies_of_all_bytes_breaks_what_is_about_any_answer() -> None:
    broken, results = told_of_deaths(lambda version: True)
    assert broken.keys() == {"G01", "G03", "G04", "G06", "G07", "G10", "G11"}
    follows = {key: one.follows for key, one in broken.items()}
    assert follows == {**dict.fromkeys(broken, "G01"), "G01": ""}
    assert results["G14"].why == f"the client reads no input that can show it: {CRASH}"


class _Deaf(Codec):
    """Has no API for anything, not even for the name of a message that it knows."""

    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        return super().decode("", data, version)

    def encode(self, name: str, version: int, value: JsonObject) -> Any:
        return super().encode("", version, value)

    def rewrite(self, name: str, data: bytes, version: int | None = None) -> Any:
        return super().rewrite("", data, version)


def test_what_an_adapter_says_at_length_is_cut() -> None:
    class Huge(Codec):
        def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
            answer = super().decode(name, data, version)
            return answer._replace(version=10**3999) if isinstance(answer, Read) else answer

    results, _ = judge(Huge(), systematic()[:60], of_scope(Scope.REQUIRED, Scope.RECOMMENDED))
    shown = [f"{one.complaint} {one.answer}" for result in results for one in result.examples]
    assert shown and not any("0" * 200 in one for one in shown)
