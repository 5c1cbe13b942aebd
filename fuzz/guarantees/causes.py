"""What a broken guarantee follows from: the same message, without what the guarantee is about,
breaks another one.

A client that refuses version 4 refuses it also where a name in it is no UTF-8, and where a length
in it is below -1. That is one fault, and it has nothing to do with text or lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from ...codec import EncodeError
from ...codec.counterexample import sample
from ...codec.runtime.registry import spec_of
from ..subject import JsonObject, Subject, Written
from .cases import Case, first_versions, write
from .comparison import meaning
from .properties import Broken
from .table import BY_ID

_Cases = Callable[[Subject, Case], Iterator[Case]]


class _Without(NamedTuple):
    """How to take away what a guarantee is about."""

    words: str
    """What is said of the message that is left."""
    ways: tuple[tuple[_Cases, tuple[str, ...]], ...]
    """The messages that are left, and the guarantees that each of them may break."""


def cause_of(subject: Subject, guarantee_id: str, case: Case) -> str:
    """Return the id of the guarantee from which it follows that a case breaks this one; "" if from
    none.
    """
    row = _ROWS.get(guarantee_id)
    for make, ids in () if row is None else row.ways:
        for rest in make(subject, case):
            for id_ in ids:
                if _is_broken(subject, id_, rest):
                    return cause_of(subject, id_, rest) or id_
    return ""


def _is_broken(subject: Subject, guarantee_id: str, case: Case) -> bool:
    try:
        BY_ID[guarantee_id].check(subject, case)
    except Broken:
        return True
    return False


def told(guarantee_id: str, cause: str) -> str:
    """Return a sentence that says what a broken guarantee follows from."""
    words = "there is no answer" if cause == "G01" else _ROWS[guarantee_id].words
    return f"follows from {BY_ID[cause].title}: {words}"


def _written_anew(case: Case, value: JsonObject | None = None) -> Iterator[Case]:
    """Yield the case as a usual writer encodes it, with another value if one is given: under the
    same version, with the same bytes behind it.
    """
    reading, version = case.reading, case.truth.schema_version
    if not (case.truth.accept and reading.complete) or reading.message is None or version is None:
        return
    with suppress(EncodeError):  # the value does not fit, such as a null that is not allowed
        message = reading.message
        if value is not None:
            message = case.message.from_json(value, version)
        yield _like(case, reading.with_message(message))


def _like(case: Case, data: bytes) -> Case:
    return Case(case.name, data, case.version, case.kind, case.origin)


def _usual(subject: Subject, case: Case) -> Iterator[Case]:
    return _written_anew(case)


def _without_order(subject: Subject, case: Case) -> Iterator[Case]:
    return _written_anew(case, meaning(case.truth.value))


def _without_user_data(subject: Subject, case: Case) -> Iterator[Case]:
    return _written_anew(case, {**case.truth.value, "userData": None})


_SOMETHING = {"string": "x", "bytes": "eA=="}


def _without_null_and_empty(subject: Subject, case: Case) -> Iterator[Case]:
    fillings = {
        field.camel: _SOMETHING[field.type.name]
        for field in spec_of(case.message).fields
        if field.type.name in _SOMETHING and not field.type.array
    }
    value = case.truth.value
    return _written_anew(
        case, {key: item or fillings.get(key, item) for key, item in value.items()}
    )


def _of_a_known_version(subject: Subject, case: Case) -> Iterator[Case]:
    message, version = case.reading.message, case.truth.schema_version
    if message is not None and version is not None:
        yield _like(case, write(message, version))


def _with_later_fields(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield a whole message with a value in the fields alone that the oldest version lacks."""
    version = case.truth.version
    if version is not None and version in case.message.VERSIONS:
        full = sample(case.message, version)
        older = {name for name, first in first_versions(case.message).items() if not first}
        value = full.to_json(version)
        empty = case.message().to_json(version)
        later = {key: empty[key] if key in older else item for key, item in value.items()}
        yield _like(case, write(case.message.from_json(later, version), version))


def _same(subject: Subject, case: Case) -> Iterator[Case]:
    yield case


def _what_it_wrote(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield what the client writes for the value of a case."""
    version = case.truth.schema_version
    if version is not None:
        answer = subject.encode(case.name, version, case.truth.value)
        if isinstance(answer, Written):
            yield _like(case, answer.data)


_READING = ("G03", "G04", "G06")
_SHOWING = (*_READING, "G20", "G21")
_ROWS = {
    "G04": _Without(
        "the same message of a known version is not read right",
        ((_of_a_known_version, ("G03",)),),
    ),
    "G06": _Without(
        "the same message without bytes behind it is not read right",
        ((_of_a_known_version, ("G03",)),),
    ),
    "G11": _Without(
        "the value is written wrong, or is read wrong from anybody's bytes",
        ((_same, ("G12",)), (_what_it_wrote, ("G03",))),
    ),
    "G14": _Without(
        "the same message without user data is not read right", ((_without_user_data, _READING),)
    ),
    "G20": _Without(
        "the same message without null and empty values is not read right",
        ((_without_null_and_empty, _READING),),
    ),
    "G21": _Without(
        "the same message in order and without duplicates is not read right",
        ((_without_order, _READING),),
    ),
    "G24": _Without(
        "the same message with ordinary lengths is not read right", ((_usual, _SHOWING),)
    ),
    "G25": _Without("the same message in valid UTF-8 is not read right", ((_usual, _SHOWING),)),
    "G26": _Without(
        "a whole message with these fields is not read right", ((_with_later_fields, ("G03",)),)
    ),
    "G27": _Without(
        "the same message as others encode it is not read right", ((_usual, _SHOWING),)
    ),
    "G29": _Without(
        "the same value in order, without duplicates or empty parts, is written wrong",
        ((_without_order, ("G12",)),),
    ),
    "G30": _Without(
        "what it wrote is not read as it stands, or was not written as it was given",
        ((_what_it_wrote, _SHOWING), (_same, ("G29", "G12"))),
    ),
}
