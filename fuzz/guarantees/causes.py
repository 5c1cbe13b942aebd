"""What a broken guarantee follows from: the same message, without what the guarantee is about,
breaks another one.

A client that refuses version 4 refuses it also where a name in it is no UTF-8, and where a length
in it is below -1. That is one fault, and it has nothing to do with text or lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from ...codec import EncodeError, ErrorKind, Message
from ...codec.counterexample import sample
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.registry import spec_of
from ..subject import JsonObject, Subject, Written
from .cases import Case, first_versions, other_versions, write
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
                    cause = cause_of(subject, id_, rest) or id_
                    if cause != guarantee_id:
                        return cause
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


def _with_filled_entries(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the message with names that differ, and as many partitions in each entry, at least one,
    that no other has: what is shown in any order then tells whether something is missing.
    """
    value = case.truth.value
    return _written_anew(case, meaning({key: _filled(part) for key, part in value.items()}))


def _filled(part: Any) -> Any:
    if not isinstance(part, list):
        return part
    return [
        {**item, "partitions": [*range(at << 20, (at << 20) + max(1, len(item["partitions"])))]}
        if isinstance(item, dict)
        else f"{item}{at}"
        for at, item in enumerate(part)
    ]


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


def _behind_a_known_version(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the message of a known version with the bytes behind it."""
    for rest in _of_a_known_version(subject, case) if case.reading.remainder else ():
        yield _like(case, rest.data + case.reading.remainder)


def _in_the_latest_version(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the message with the fields that its version lacks, at their defaults."""
    if case.reading.message is not None:
        yield _like(case, write(case.reading.message, case.message.LATEST))


def _under_other_versions(subject: Subject, case: Case) -> Iterator[Case]:
    yield case
    yield from map(case.with_version, other_versions(case))


def _ordinary(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield a message of the same version with a short value in every field."""
    version = case.version if case.value is not None else case.truth.schema_version
    if version is not None and version in case.message.VERSIONS:
        body = version if case.message.FRAMING.kind == "none" else None
        yield Case(case.name, write(sample(case.message, version), version), body, case.kind)


def _with_null_for_negative(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the bytes with -1 in the place of a length that is refused, be it of a text or not."""
    error = case.reading.error
    if error is not None and error.kind is ErrorKind.NEGATIVE_LENGTH:
        for size in (2, 4):
            front, behind = case.data[: error.offset], case.data[error.offset + size :]
            yield _like(case, front + b"\xff" * size + behind)


def _in_ascii(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the bytes with letters in the place of what is no ASCII in texts that are no UTF-8."""
    data = bytearray(case.data)
    for node in _invalid_texts(case.reading.fields):
        text = slice(node.start + _LENGTH, node.end)
        data[text] = bytes(min(byte, ord("x")) for byte in data[text])
    yield _like(case, bytes(data))


_LENGTH = 2  # bytes in front of a text


def _invalid_texts(nodes: Iterable[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        if isinstance(node.value, str) and "\ufffd" in node.value:
            yield node
        yield from _invalid_texts(node.children)


def _cut_earlier(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield the message of the oldest version without its last byte, and no bytes at all."""
    oldest = _oldest(case)
    if oldest is not None:
        yield _like(case, write(oldest, case.message.VERSIONS.lowest)[:-1])
        yield _like(case, b"")


def _oldest(case: Case) -> Message | None:
    """Return the message that a reader of the oldest version finds; None if it finds none."""
    reading = case.readable_as(case.message.VERSIONS.lowest) if case.prefixed else None
    return None if reading is None else reading.message


def _with_later_fields(subject: Subject, case: Case) -> Iterator[Case]:
    """Yield a whole message with a value in the fields alone that the oldest version lacks, where
    the bytes are wrong in these.
    """
    label, version, oldest = case.truth.version, case.truth.schema_version, _oldest(case)
    if label is not None and version is not None and oldest is not None:
        full = sample(case.message, version)
        older = {name for name, first in first_versions(case.message).items() if not first}
        value = full.to_json(version)
        empty = case.message().to_json(version)
        later = {key: empty[key] if key in older else item for key, item in value.items()}
        whole = _like(case, write(case.message.from_json(later, version), version))
        yield whole.with_version(label) if case.has_version else whole


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
_WRITING = ("G29", "G12")
_ROWS = {
    "G03": _Without("its user data is not shown as it is", ((_same, ("G14",)),)),
    "G04": _Without(
        "the same message of a known version is not read right, or not with bytes behind it",
        ((_of_a_known_version, ("G03",)), (_behind_a_known_version, ("G06",))),
    ),
    "G05": _Without(
        "the same values in the latest version are not read right",
        ((_in_the_latest_version, ("G03",)),),
    ),
    "G06": _Without(
        "the same message without bytes behind it is not read right",
        ((_of_a_known_version, ("G03",)),),
    ),
    "G09": _Without(
        "the same message under one of these versions is not read right",
        ((_under_other_versions, _SHOWING),),
    ),
    "G11": _Without(
        "the value is written wrong, or is read wrong from anybody's bytes",
        ((_same, ("G12",)), (_what_it_wrote, ("G03",))),
    ),
    "G13": _Without("an ordinary value is written wrong", ((_ordinary, ("G12",)),)),
    "G14": _Without(
        "the same message without user data is not read right", ((_without_user_data, _READING),)
    ),
    "G20": _Without(
        "the same message without null and empty values is not read right",
        ((_without_null_and_empty, _READING),),
    ),
    "G21": _Without(
        "it is not read right in any order, or not without duplicates and empty entries",
        ((_same, _READING), (_without_order, _READING), (_with_filled_entries, _READING)),
    ),
    "G23": _Without(
        "a whole message with these fields is not read right",
        ((_with_later_fields, _READING),),
    ),
    "G24": _Without(
        "the same message with ordinary lengths is not read right, or null or a cut is not refused",
        (
            (_usual, _SHOWING),
            (_with_later_fields, _READING),
            (_with_null_for_negative, ("G23",)),
            (_same, ("G10", "G26")),
        ),
    ),
    "G25": _Without(
        "the same message in valid UTF-8 is not read right",
        ((_usual, _SHOWING), (_in_ascii, ("G24",))),
    ),
    "G26": _Without(
        "a whole message with these fields is not read right, or earlier cuts are not refused",
        ((_with_later_fields, _READING), (_cut_earlier, ("G10",))),
    ),
    "G27": _Without(
        "the same message as others encode it is not read right", ((_usual, _SHOWING),)
    ),
    "G29": _Without(
        "an ordinary value, or the same in order and with nothing empty, is written wrong",
        ((_without_order, ("G12",)), (_with_filled_entries, ("G12",)), (_ordinary, ("G12",))),
    ),
    "G30": _Without(
        "what it wrote is not read as it stands, or was not written as it was given",
        ((_what_it_wrote, _SHOWING), (_same, _WRITING)),
    ),
    "G31": _Without(
        "it is not read as it stands, or a known version is not written as it was given",
        (
            (_same, (*_SHOWING, "G22")),
            (_of_a_known_version, _WRITING),
            (_ordinary, ("G12",)),
        ),
    ),
    "G32": _Without("an ordinary value is written wrong", ((_ordinary, ("G12",)),)),
}
