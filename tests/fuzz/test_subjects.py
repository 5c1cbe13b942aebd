"""Subjects in this process: an author's functions, and kproto's own readers."""

from __future__ import annotations

import copy
import sys
import threading
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription, DecodeError
from kproto.fuzz.guarantees import subjects
from kproto.fuzz.guarantees.subjects import (
    CONSTRUCT,
    DIAGNOSTIC,
    GENERATED,
    Decode,
    Generated,
    measured,
    subject_of,
)
from kproto.fuzz.subject import (
    Failed,
    Failure,
    JsonObject,
    Read,
    Refused,
    Subject,
    Unsupported,
    Written,
)

# -- the author's functions


def nothing(name: str, data: bytes) -> Mapping[str, Any]:
    return {}


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "a text for names": (
        lambda: subject_of(nothing, names="ConsumerProtocolSubscription"), "is not a list of"
    ),
    "no names": (lambda: subject_of(nothing, names=[]), "is not a list of"),
    "a name of nothing": (lambda: subject_of(nothing, names=["Nope"]), "no message 'Nope'"),
    "a list of errors": (
        lambda: subject_of(nothing, errors=[ValueError]),  # type: ignore[arg-type]
        "not a class of exceptions",
    ),
    "an error that is none": (
        lambda: subject_of(nothing, errors=int),  # type: ignore[arg-type]
        "not a class of exceptions",
    ),
    "no function": (lambda: subject_of("x"), "a decoder takes"),  # type: ignore[arg-type]
    "too few arguments": (lambda: subject_of(lambda data: {}), "a decoder takes"),
    "an encoder of the same": (
        lambda: subject_of(encode=lambda value: b""),  # type: ignore[misc, arg-type]
        "an encoder takes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_told_at_once(what: str) -> None:
    call, words = MISTAKES[what]
    with pytest.raises((TypeError, ValueError), match=words):
        call()


def test_an_encoder_may_change_what_it_is_given() -> None:
    def encode(name: str, version: int, value: JsonObject) -> bytes:
        value["topics"].sort()
        value.clear()
        return b"x"

    value = {"topics": ["b", "a"], "userData": None}
    before = copy.deepcopy(value)
    assert subject_of(encode=encode).encode("ConsumerProtocolSubscription", 0, value) == Written(
        b"x"
    )
    assert value == before


LABELLED, BARE = "ConsumerProtocolSubscription", "JoinGroupRequest"
NUMBERS = {LABELLED: "generationId", BARE: "sessionTimeoutMs"}


@pytest.mark.parametrize(
    ("decode", "labelled", "bare"),
    [
        (lambda name, data: {NUMBERS[name]: 2}, 2, None),
        (lambda name, data, version: {NUMBERS[name]: version}, None, 9),
        (lambda name, data, version=7: {NUMBERS[name]: version}, 7, 9),
        (lambda *given: {NUMBERS[given[0]]: len(given)}, 2, 3),
    ],
)
def test_who_takes_a_version_is_given_one(
    decode: Decode, labelled: int | None, bare: int | None
) -> None:
    subject = subject_of(decode, names=[LABELLED, BARE])
    assert subject.decode(LABELLED, b"") == Read({NUMBERS[LABELLED]: labelled})
    answer = subject.decode(BARE, b"", 9)
    assert (
        isinstance(answer, Unsupported) if bare is None else answer == Read({NUMBERS[BARE]: bare})
    )


def test_a_decoder_in_c_that_does_not_say_what_it_takes_is_given_two() -> None:
    subject = subject_of(max, names=[LABELLED, BARE])
    assert isinstance(subject.decode(LABELLED, b""), Failed)  # called, and not told in advance
    assert isinstance(subject.decode(BARE, b"", 9), Unsupported)


def test_a_decoder_that_ends_the_process_is_a_finding() -> None:
    answer = subject_of(lambda name, data: sys.exit(3)).decode(LABELLED, b"")
    assert answer == Failed(Failure.CRASH, "SystemExit: 3")


def raises(error: BaseException) -> Callable[..., Any]:
    def function(*question: Any) -> Any:
        raise error

    return function


class Short(ValueError):
    """An error of an author's own."""


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ValueError("no"), Refused("ValueError: no", "ValueError")),
        (Short("no"), Refused("Short: no", "ValueError")),
        (EOFError("end"), Refused("EOFError: end", "EOFError")),
        (NotImplementedError("later"), Unsupported("later")),
        (MemoryError("4 GB"), Failed(Failure.MEMORY, "MemoryError: 4 GB")),
        (KeyError(3), Failed(Failure.CRASH, "KeyError: 3")),
    ],
)
def test_what_an_exception_is(error: BaseException, answer: Any) -> None:
    errors = (EOFError, ValueError)
    subject = subject_of(raises(error), raises(error), errors=errors, names=[LABELLED, BARE])
    assert subject.decode(LABELLED, b"") == answer
    assert subject.encode(LABELLED, 0, {}) == answer
    one = subject_of(raises(error), errors=ValueError).decode(LABELLED, b"")
    assert one == (answer if "EOF" not in str(answer) else Failed(Failure.CRASH, "EOFError: end"))


@pytest.mark.parametrize("written", [b"\1", bytearray(b"\1"), memoryview(b"\1")])
def test_what_an_encoder_may_return(written: Any) -> None:
    answer = subject_of(encode=lambda *given: written).encode(LABELLED, 0, {})
    assert answer == Written(b"\1") and type(answer.data) is bytes


def test_what_an_encoder_returns_of_another_form() -> None:
    answer = subject_of(encode=lambda *given: "AQ" * 50).encode(LABELLED, 0, {})  # type: ignore[arg-type]
    words = f"encode returned '{'AQ' * 29}A (str): return bytes"
    assert answer == Failed(Failure.ADAPTER, words)
    refused = subject_of(encode=lambda *given: Refused("no"))  # type: ignore[arg-type]
    assert refused.encode(LABELLED, 0, {}) == Refused("no")


def test_values_are_shown_in_kafkas_json_form() -> None:
    value = {"topics": ("a", "b"), "userData": memoryview(b"\1\2"),
             "ownedPartitions": [{"topic": "a", "partitions": (1,)}]}  # fmt: skip
    assert subject_of(lambda name, data: value).decode(LABELLED, b"") == Read({
        "topics": ["a", "b"], "userData": "AQI=",
        "ownedPartitions": [{"topic": "a", "partitions": [1]}],
    })  # fmt: skip


def test_what_functions_are_not_asked() -> None:
    reader = subject_of(nothing)
    assert reader.decode(BARE, b"") == Unsupported("no decoder of JoinGroupRequest")
    assert reader.encode(LABELLED, 0, {}) == Unsupported(f"no encoder of {LABELLED}")
    assert reader.rewrite(LABELLED, b"") == Unsupported("functions that read or write")
    assert reader.decode(LABELLED, b"", 3) == Unsupported("a decoder that takes no version")
    writer = subject_of(encode=lambda *given: b"")
    assert writer.decode(LABELLED, b"") == Unsupported(f"no decoder of {LABELLED}")
    assert writer.encode(BARE, 0, {}) == Unsupported("no encoder of JoinGroupRequest")


def test_an_encoder_is_given_name_version_and_value() -> None:
    subject = subject_of(encode=lambda *given: repr(given).encode())
    assert subject.encode(LABELLED, 2, {"a": 1}) == Written(repr((LABELLED, 2, {"a": 1})).encode())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: subject_of(nothing, errors=(ValueError, 3)),  # type: ignore[arg-type]
         f"the errors are ({ValueError!r}, 3), not a class of exceptions or a tuple of such"),
        (lambda: subject_of(lambda data: {}),
         "a decoder takes (name, data) or (name, data, version)"),
        (lambda: subject_of(encode=lambda value: b""),  # type: ignore[misc, arg-type]
         "an encoder takes (name, version, value)"),
    ],
)  # fmt: skip
def test_the_words_of_a_mistake(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value) == words


# -- what a call costs


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the whole process takes depends on the tests before."""
    monkeypatch.setattr(subjects, "_resident_peak", lambda: 0)


@pytest.mark.usefixtures("no_process")
def test_a_call_is_measured_while_others_trace_memory_too() -> None:
    for tracing in (False, True):
        kept = []
        if tracing:
            tracemalloc.start()
            kept = [bytes(8 << 20)]  # is no part of it
        try:
            cost = measured(lambda: (bytes(3 << 20), threading.Event().wait(0.02)))
            assert tracemalloc.is_tracing() is tracing
        finally:
            tracemalloc.stop()
        assert cost.memory is not None and 3 << 20 <= cost.memory < 4 << 20
        assert 0.02 <= cost.seconds < 2
        del kept


def test_what_the_process_takes_counts_where_it_is_more(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter((100 << 20, 150 << 20))
    monkeypatch.setattr(subjects, "_resident_peak", lambda: next(peaks))
    assert measured(lambda: bytes(3 << 20)).memory == 50 << 20


@pytest.mark.usefixtures("no_process")
def test_the_cost_is_that_of_the_same_question() -> None:
    def decode(name: str, data: bytes, version: int) -> Any:
        bytes(2 << 20 if (name, data, version) == (BARE, b"1", 9) else 9 << 20)
        return {}

    cost = subject_of(decode, names=[BARE]).cost(BARE, b"1", 9)
    assert cost is not None and cost.memory is not None and 2 << 20 <= cost.memory < 3 << 20


# -- kproto's own

READERS = {"generated": GENERATED, "diagnostic": DIAGNOSTIC, "construct": CONSTRUCT}
TWO = bytes.fromhex("0002 00000001 0001 61 00000001 05 00000001 0001 74 00000001 00000003 00000007")
VALUE_2 = {
    "topics": ["a"], "userData": "BQ==",
    "ownedPartitions": [{"topic": "t", "partitions": [3]}], "generationId": 7,
}  # fmt: skip
TYPE = bytes.fromhex("0002 0001 67")
HEARTBEAT = bytes.fromhex("0001 67 00000001 0001 6d")
BEAT = {"groupId": "g", "generationId": 1, "memberId": "m"}


@pytest.mark.parametrize("subject", READERS.values(), ids=list(READERS))
def test_every_reader_of_kproto_reads(subject: Subject) -> None:
    answer = subject.decode(LABELLED, TWO + b"\7")
    assert isinstance(answer, Read) and (answer.version, answer.remainder) == (2, b"\7")
    shown = {**VALUE_2, "rackId": None} if subject is GENERATED else VALUE_2
    assert answer.value == shown
    assert subject.decode("GroupMetadataKey", TYPE) == Read({"group": "g"}, 0, b"")
    assert subject.decode("HeartbeatRequest", HEARTBEAT, 0) == Read(BEAT, 0, b"")
    assert subject.decode("Nope", b"") == Unsupported("kproto has no definition of that name")


@pytest.mark.parametrize("subject", READERS.values(), ids=list(READERS))
@pytest.mark.parametrize(
    ("name", "hex_digits", "version", "kind", "offset"),
    [
        (LABELLED, "0000 00000001 0001", None, "truncated", 6),
        (LABELLED, "0000 ffffffff ffffffff", None, "null-not-allowed", 2),
        ("HeartbeatRequest", "0001 67 00", 0, "truncated", 3),
        ("GroupMetadataValue", "0063", None, "unsupported-version", 0),
        (LABELLED, "00", None, "truncated", 0),
    ],
)
def test_every_reader_of_kproto_refuses(
    subject: Subject, name: str, hex_digits: str, version: int | None, kind: str, offset: int
) -> None:
    answer = subject.decode(name, bytes.fromhex(hex_digits), version)
    assert isinstance(answer, Refused)
    assert answer.kind == kind
    if subject is not CONSTRUCT or answer.error:  # construct has another order of its checks
        assert (answer.offset, answer.error) == (offset, "DecodeError")
        assert answer.reason.startswith(f"{kind} at byte {offset} in ")


def test_a_head_alone_is_not_read_by_the_others() -> None:
    head = bytes.fromhex("0000000c 0000000c")
    assert isinstance(GENERATED.decode("SubscriptionInfoData", head), Read)
    for subject in (DIAGNOSTIC, CONSTRUCT):
        assert subject.decode("SubscriptionInfoData", head) == Unsupported("a head alone")
    assert GENERATED.rewrite("SubscriptionInfoData", head) == Unsupported(
        "only the head of a newer version could be read"
    )


@pytest.mark.parametrize("subject", [DIAGNOSTIC, CONSTRUCT])
def test_two_of_them_do_not_write(subject: Subject) -> None:
    assert subject.encode(LABELLED, 0, {}) == Unsupported("a reader alone")
    assert subject.rewrite(LABELLED, TWO) == Unsupported("a reader alone")


def test_the_generated_one_writes() -> None:
    assert GENERATED.encode(LABELLED, 2, VALUE_2) == Written(TWO)
    assert GENERATED.encode("GroupMetadataKey", 0, {"group": "g"}) == Written(TYPE)
    assert GENERATED.encode("HeartbeatRequest", 0, BEAT) == Written(HEARTBEAT)
    assert GENERATED.rewrite(LABELLED, b"\0\4" + TWO[2:] + b"\xff\xff\7") == Written(
        b"\0\4" + TWO[2:] + b"\xff\xff\7"
    )
    assert GENERATED.rewrite("HeartbeatRequest", HEARTBEAT, 0) == Written(HEARTBEAT)
    for answer in (GENERATED.encode("Nope", 0, {}), GENERATED.rewrite("Nope", b"")):
        assert answer == Unsupported("kproto has no definition of that name")


def test_what_the_generated_one_refuses_is_told_in_its_own_words() -> None:
    answer = GENERATED.encode(LABELLED, 0, {**VALUE_2, "topics": ["a" * 32_768]})
    assert isinstance(answer, Refused) and answer.error == "EncodeError"
    assert "topics" in answer.reason
    with pytest.raises(DecodeError) as error:
        ConsumerProtocolSubscription.from_bytes(b"\0")
    assert GENERATED.rewrite(LABELLED, b"\0") == Refused(
        str(error.value), "DecodeError", "truncated", 0
    )


def test_one_that_knows_nothing_newer() -> None:
    old = Generated(0)
    assert old.decode(LABELLED, TWO) == Read({"topics": ["a"], "userData": "BQ=="}, 2, TWO[-19:])
    assert old.decode("HeartbeatRequest", bytes.fromhex("0267 00000001 026d 00 00"), 4) == Read(
        {**BEAT, "groupInstanceId": None}, 4, b""
    )


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize("subject", READERS.values(), ids=list(READERS))
def test_the_cost_of_reading_is_that_of_these_bytes(subject: Subject) -> None:
    """User data of a megabyte is in memory at least once."""
    large = bytes.fromhex("0000 00000000 00100000") + bytes(1 << 20)
    cost = subject.cost(LABELLED, large)
    assert cost is not None and cost.memory is not None and cost.memory >= 1 << 20
    small = subject.cost("HeartbeatRequest", HEARTBEAT, 0)
    assert small is not None and small.memory is not None and small.memory < 1 << 20
