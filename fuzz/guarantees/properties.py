"""The properties: how each guarantee of `table` is checked on a subject.

A property returns True if it was judged and holds, False if the case has nothing to do with it (or
the subject has no API), and raises `Broken`. A subject that gives no answer (G01 reports it) breaks
what says that the bytes are read; for all else such a case is not judged. A reader may be older
than the bytes, and a client shows what it knows: only shown fields are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn, TypeGuard

from ...codec import Decoded, ErrorKind, Message, Policy, decode
from ...codec.dialect.spec import Spec
from ...codec.json_form import unknown_tags_to_json
from ...codec.runtime.registry import spec_of
from ..subject import Failed, Failure, JsonObject, Read, Refused, Subject, Unsupported, Written
from . import comparison as comparing
from .cases import Case, first_versions, full_value, other_versions, value_of, write
from .subjects import CONSTRUCT, DIAGNOSTIC


class Broken(AssertionError):
    """A guarantee does not hold; the message says what was seen."""


def answer_of(subject: Subject, case: Case) -> Read | Refused | None:
    """Return the subject's answer; None if it gave none."""
    answer = subject.decode(case.name, case.data, case.version)
    return None if isinstance(answer, Unsupported | Failed) else answer


def _reading_of(subject: Subject, case: Case, *, complaint: str = "") -> Read | Refused | None:
    """Return the answer to bytes that are to be read; None if the subject has no API or was not
    asked, or if what its adapter said is no answer. Raises `Broken` if it failed to answer; the
    complaint begins with `complaint`.
    """
    answer = subject.decode(case.name, case.data, case.version)
    match answer:
        case Failed(Failure.SKIPPED | Failure.ADAPTER | Failure.LIE) | Unsupported():
            return None
        case Failed(how, detail):
            raise Broken(f"{complaint}not read: {how.value}: {detail}")
        case _:
            return answer


# -- no case breaks the reader


def answers(subject: Subject, case: Case) -> bool:
    """Check that any bytes get an answer, and that nothing in it is made up (G01)."""
    if case.value is not None:
        return False
    answer = subject.decode(case.name, case.data, case.version)
    match answer:
        case Failed(Failure.SKIPPED | Failure.ADAPTER) | Unsupported():
            return False
        case Failed(how, detail):
            raise Broken(f"{how.value}: {detail}")
        case Read():
            _check_nothing_made_up(case, answer)
        case Refused():
            pass
    return True


def _check_nothing_made_up(case: Case, answer: Read) -> None:
    fields = {field.camel for field in _spec(case).fields}
    for key in answer.value.keys() - fields:
        raise Broken(f"shows a field {comparing.as_json(key)}, which {case.name} does not have")
    if answer.remainder is not None and not case.data.endswith(answer.remainder):
        raise Broken(f"left {_hex(answer.remainder)}, with which the bytes do not end")


def _spec(case: Case) -> Spec:
    return spec_of(case.message)


MEMORY_ALLOWED = 32 << 20
"""Bytes that reading any input may take, in addition to `MEMORY_FACTOR` times its length."""
MEMORY_FACTOR = 1000
"""Bytes that reading may take for each byte of the input."""
SECONDS_ALLOWED = 1.0
"""Seconds that reading any input may take, in addition to fifty per megabyte; measured on busy
machines, in an interpreter that notes every allocation, and in real consumers, which set up every
partition that they are given. Time that grows with the square is found apart from this.
"""
_NO_MEMORY = ("memoryerror", "outofmemory", "out of memory", "bad_alloc", "cannot allocate")


def in_proportion(subject: Subject, case: Case) -> bool:
    """Check that time and memory are in proportion to the input (G02)."""
    if case.value is not None:
        return False
    answer = subject.decode(case.name, case.data, case.version)
    match answer:
        case Failed(Failure.MEMORY, detail):
            raise Broken(detail)
        case Failed(Failure.ADAPTER) | Unsupported():
            return False
        case Refused(reason, error):
            refusal = f"{error or ''} {reason}".lower()
            if any(word in refusal for word in _NO_MEMORY):
                raise Broken(f"ran out of memory: {reason}")
        case _:
            pass
    cost = subject.cost(case.name, case.data, case.version)
    if cost is None:
        return False
    size = len(case.data)
    if cost.memory is not None and cost.memory > MEMORY_ALLOWED + MEMORY_FACTOR * size:
        raise Broken(f"took {cost.memory >> 20} MiB for {size} bytes")
    if cost.seconds > SECONDS_ALLOWED + size / 2e4:
        raise Broken(f"took {cost.seconds:.1f} s for {size} bytes")
    return True


# -- reading what is right


def reads_valid(subject: Subject, case: Case) -> bool:
    """Check that valid bytes of a known version are read, with the value that was written (G03)."""
    return (
        _readable(case) and case.is_known_version and not case.truth.left and _reads(subject, case)
    )


def old_reader(subject: Subject, case: Case) -> bool:
    """Check that a newer version is read as the highest known one, with the value that was written
    (G04).
    """
    return _readable(case) and _newer(case) and _reads(subject, case)


def trailing_bytes(subject: Subject, case: Case) -> bool:
    """Check that bytes after the last known field change nothing, and are reported as left
    (G06).
    """
    left = _readable(case) and case.clamped and case.is_known_version and case.truth.left > 0
    return left and _reads(subject, case)


def _readable(case: Case) -> bool:
    return case.value is None and case.truth.accept and case.truth.clean


def _newer(case: Case) -> bool:
    return case.clamped and not case.is_known_version


def _reads(subject: Subject, case: Case) -> bool:
    answer = _reading_of(subject, case)
    if answer is None:
        return False
    if isinstance(answer, Refused):
        raise Broken(f"refused: {answer.reason}")
    _check_read(case, answer, case.truth.value)
    return True


def _check_read(case: Case, answer: Read, reference: JsonObject) -> None:
    difference = comparing.difference(reference, answer.value, exactly=False)
    if difference:
        raise Broken(difference)
    if answer.version not in (None, case.truth.version) and case.is_known_version:
        version = comparing.brief(answer.version)
        raise Broken(f"reports version {version}, not {case.truth.version}")
    if answer.remainder is not None:
        _check_remainder(case, answer.value, len(answer.remainder))


def _check_remainder(case: Case, value: JsonObject, left: int) -> None:
    """Check what is left against the oldest and the newest version that a reader may know."""
    keys = value.keys() & case.truth.value.keys()  # others may be shown at their defaults
    allowed = {case.truth.left, *(len(reading.remainder) for reading in _older(case, keys))}
    if left not in allowed:
        raise Broken(f"says that {left} bytes are left; it is {_listed(allowed)}")


def _older(case: Case, keys: Iterable[str]) -> Iterator[Decoded[Message]]:
    """Yield the bytes as older readers read them that know all the fields that are shown."""
    if case.prefixed:
        first = first_versions(case.message)
        oldest = max((first.get(key, 0) for key in keys), default=0)
        for version in range(oldest, case.truth.schema_version or 0):
            reading = case.readable_as(version)
            if reading is not None:
                yield reading


def _listed(numbers: set[int]) -> str:
    return " or ".join(map(str, sorted(numbers)))


def new_reader(subject: Subject, case: Case) -> bool:
    """Check that shown fields which the version lacks are at their defaults (G05)."""
    if not (_readable(case) and case.clamped and case.is_known_version):
        return False
    message = case.reading.message
    answer = answer_of(subject, case)
    full = None if message is None else full_value(message)
    if full is None or not isinstance(answer, Read):
        return False
    beyond = {key: value for key, value in full.items() if key not in case.truth.value}
    if not beyond.keys() & answer.value.keys():
        return False
    difference = comparing.difference(beyond, answer.value, exactly=False)
    if difference:
        raise Broken(
            f"{difference}, the default of a field that version {case.truth.version} lacks"
        )
    return True


def version_changes_nothing(subject: Subject, case: Case) -> bool:
    """Check that fields are the same under the oldest version and under the next one (G09)."""
    if not _readable(case):
        return False
    version = case.truth.version or 0
    first = first_versions(case.message)
    versions = other_versions(case)
    answer = answer_of(subject, case) if versions else None
    if not isinstance(answer, Read):
        return False
    is_judged = False
    for other in versions:
        changed = answer_of(subject, case.with_version(other))
        if not isinstance(changed, Read):
            continue
        common = {k: v for k, v in answer.value.items() if first.get(k, 0) <= min(version, other)}
        difference = comparing.difference(common, changed.value, exactly=True)
        if difference:
            text = f"under version {other}, which kproto put in place of {version}"
            raise Broken(f"{text}, {difference}")
        is_judged = True
    return is_judged


def opaque_user_data(subject: Subject, case: Case) -> bool:
    """Check that user data comes back byte for byte (G14)."""
    user_data = case.truth.value.get("userData") if _readable(case) and case.clamped else None
    answer = answer_of(subject, case) if user_data else None
    if not isinstance(answer, Read) or "userData" not in answer.value:
        return False
    difference = comparing.difference({"userData": user_data}, answer.value, exactly=True)
    if difference:
        raise Broken(difference)
    return True


# -- refusing what is wrong


def negative_version(subject: Subject, case: Case) -> bool:
    """Check that a negative version is refused (G07)."""
    version = case.truth.version if case.value is None and case.has_version else None
    return version is not None and version < 0 and _refuses(subject, case)


def refused_version(subject: Subject, case: Case) -> bool:
    """Check that an unknown version is refused in families that older readers cannot read (G08)."""
    if case.value is not None or not case.has_version or case.message.FRAMING.newer != "refuse":
        return False
    version = case.truth.version
    return version is not None and version > case.message.LATEST and _refuses(subject, case)


_SHORT = (ErrorKind.TRUNCATED, ErrorKind.COUNT_EXCEEDS_INPUT)


def truncated(subject: Subject, case: Case) -> bool:
    """Check that bytes which end before the fields of the oldest version do are refused (G10)."""
    if case.value is not None or case.truth.error not in _SHORT:
        return False
    return not _oldest_is_there(case) and _refuses(subject, case)


def cut_later(subject: Subject, case: Case) -> bool:
    """Check that bytes which end later, within the fields that their version promises, are refused
    by those who read these fields (G26).
    """
    if case.value is not None or case.truth.error not in _SHORT or not _oldest_is_there(case):
        return False
    answer = answer_of(subject, case)
    is_older = _is_read_as_older(answer, case) and _shows_no_more(subject, case, answer)
    return not is_older and _refuses(subject, case)


def _shows_no_more(subject: Subject, case: Case, answer: Read) -> bool:
    """Return whether a reader shows no more fields of a message that has all of them."""
    whole = answer_of(subject, Case(case.name, write(case.message(), case.message.LATEST)))
    return not isinstance(whole, Read) or whole.value.keys() <= answer.value.keys()


def _oldest_is_there(case: Case) -> bool:
    return case.prefixed and case.readable_as(case.message.VERSIONS.lowest) is not None


def null_not_allowed(subject: Subject, case: Case) -> bool:
    """Check that null is refused where the definition does not allow it (G23)."""
    if case.value is not None or case.truth.error is not ErrorKind.NULL_NOT_ALLOWED:
        return False
    return _as_kafka(subject, case)


def _refuses(subject: Subject, case: Case) -> bool:
    answer = answer_of(subject, case)
    if isinstance(answer, Read):
        why = f"; Kafka refuses it: {case.reading.error}"
        raise Broken(f"accepted, as {comparing.brief(answer.value)}{why}")
    return answer is not None


# -- as Kafka does


def null_and_empty(subject: Subject, case: Case) -> bool:
    """Check that null and empty are shown as they are (G20)."""
    if not _readable(case):
        return False
    message = case.reading.message
    absent = None if message is None or not case.is_known_version else full_value(message)
    telling = {k: v for k, v in case.truth.value.items() if v is None or v == ""}
    telling |= {k: v for k, v in (absent or {}).items() if v is None and k not in case.truth.value}
    return _shows_exactly(subject, case, telling)


def as_it_stands(subject: Subject, case: Case) -> bool:
    """Check that entries are shown in the order of the bytes, duplicates included (G21)."""
    if not _readable(case):
        return False
    lists = {k: v for k, v in case.truth.value.items() if isinstance(v, list)}
    return _shows_exactly(subject, case, lists)


def _shows_exactly(subject: Subject, case: Case, reference: JsonObject) -> bool:
    answer = answer_of(subject, case) if reference else None
    if not isinstance(answer, Read) or not answer.value.keys() & reference.keys():
        return False
    difference = comparing.difference(reference, answer.value, exactly=True)
    if difference:
        raise Broken(difference)
    return True


def tells_the_version(subject: Subject, case: Case) -> bool:
    """Check that the reported version is the one in the bytes, also if it is newer than known
    (G22).
    """
    answer = answer_of(subject, case) if _readable(case) and _newer(case) else None
    if not isinstance(answer, Read) or answer.version is None:
        return False
    if answer.version != case.truth.version:
        version = comparing.brief(answer.version)
        raise Broken(f"reports version {version}, and {case.truth.version} is in the bytes")
    return True


_NEGATIVE, _INVALID_UTF8 = "KP001", "KP002"


def _oddities(case: Case) -> set[str]:
    return {
        deviation.code for deviation in case.reading.deviations if deviation.class_ == "encoding"
    }


def negative_lengths(subject: Subject, case: Case) -> bool:
    """Check that a negative length other than -1 is null, or refused, as in Kafka (G24)."""
    if case.value is not None:
        return False
    odd = _NEGATIVE in _oddities(case) or case.truth.error is ErrorKind.NEGATIVE_LENGTH
    return odd and _INVALID_UTF8 not in _oddities(case) and _as_kafka(subject, case)


def invalid_utf8(subject: Subject, case: Case) -> bool:
    """Check that text which is no UTF-8 is read, with U+FFFD for what is wrong in it (G25)."""
    if case.value is not None or not case.truth.accept or _INVALID_UTF8 not in _oddities(case):
        return False
    answer = _reading_of(subject, case)
    if answer is None:
        return False
    if isinstance(answer, Refused):
        raise Broken(f"refused: {answer.reason}; Kafka reads it")
    values = map(comparing.with_single_replacements, (case.truth.value, answer.value))
    difference = comparing.difference(*values, exactly=False)
    if difference:
        raise Broken(difference)
    return True


_TOLD_ELSEWHERE = (*_SHORT, ErrorKind.NULL_NOT_ALLOWED, ErrorKind.NEGATIVE_LENGTH)


def kafkas_verdict(subject: Subject, case: Case) -> bool:
    """Check Kafka's verdict and value for all oddities that no other guarantee is about (G27)."""
    if case.value is not None or _oddities(case) & {_NEGATIVE, _INVALID_UTF8}:
        return False
    truth = case.truth
    if truth.accept:
        elsewhere = truth.clean and (case.is_known_version or case.clamped)
    else:
        negative = truth.version is not None and truth.version < 0
        elsewhere = truth.error in _TOLD_ELSEWHERE or negative
    return not elsewhere and _as_kafka(subject, case)


def _as_kafka(subject: Subject, case: Case) -> bool:
    if not case.truth.accept:
        is_older = _is_read_as_older(answer_of(subject, case), case)
        return not is_older and _refuses(subject, case)
    answer = _reading_of(subject, case)
    if isinstance(answer, Refused):
        raise Broken(f"refused: {answer.reason}; Kafka reads it")
    if answer is None:
        return False
    difference = comparing.difference(case.truth.value, answer.value, exactly=True)
    if difference:
        raise Broken(difference)
    return True


def _is_read_as_older(answer: Read | Refused | None, case: Case) -> TypeGuard[Read]:
    """Return whether an answer is right for a reader that knows no more than the fields which it
    shows: what is wrong in the bytes may be where it never looks.
    """
    return isinstance(answer, Read) and next(_older(case, answer.value), None) is not None


REFUSALS = (
    negative_version,
    refused_version,
    truncated,
    cut_later,
    null_not_allowed,
    negative_lengths,
    kafkas_verdict,
)
"""The properties which say that bytes are refused: a subject that never answers keeps none."""


def one_error(subject: Subject, case: Case) -> bool:
    """Check that every refusal is the error that bytes which end too early get (G28)."""
    if case.value is not None:
        return False
    answer = answer_of(subject, case)
    usual = answer_of(subject, Case(case.name, b"\0\0" if case.has_version else b"", case.version))
    if not (isinstance(answer, Refused) and isinstance(usual, Refused)):
        return False
    if answer.error is None or usual.error is None:
        return False
    if answer.error != usual.error:
        raise Broken(f"{answer.error} here, {usual.error} for bytes that end too early")
    return True


# -- writing


class Attempt(NamedTuple):
    """A value that a subject was asked to write, and its answer."""

    version: int
    value: JsonObject
    answer: Written | Refused


def _attempt(subject: Subject, case: Case) -> Attempt | None:
    """Return the attempt to write the value of a valid case at the version it was read as."""
    truth = case.truth
    if (
        not (_readable(case) and case.is_known_version)
        or truth.schema_version is None
        or _tags(case)
    ):
        return None
    answer = _encode(subject, case.name, truth.schema_version, truth.value)
    return None if answer is None else Attempt(truth.schema_version, truth.value, answer)


def _encode(
    subject: Subject, name: str, version: int, value: JsonObject
) -> Written | Refused | None:
    """Return the subject's answer to a value; None if it has no API, or was not asked."""
    answer = subject.encode(name, version, value)
    match answer:
        case Unsupported() | Failed(Failure.SKIPPED | Failure.ADAPTER):
            return None
        case Failed(how, detail):
            raise Broken(f"writing ended in a {how.value}: {detail}")
        case Written() | Refused():
            return answer


def _write_value(subject: Subject, case: Case) -> tuple[int, JsonObject, bytes] | None:
    """Return version, value and bytes of the attempt, if the subject wrote them."""
    attempt = _attempt(subject, case)
    if attempt is None or isinstance(attempt.answer, Refused):
        return None
    return attempt.version, attempt.value, attempt.answer.data


def _tags(case: Case) -> bool:
    message, version = case.reading.message, case.truth.schema_version
    return (
        message is not None and version is not None and bool(unknown_tags_to_json(message, version))
    )


def _again(case: Case, data: bytes) -> Case:
    return Case(case.name, data, case.version, case.kind, case.origin)


def round_trip(subject: Subject, case: Case) -> bool:
    """Check that the subject reads back what it writes, with nothing left over (G11)."""
    attempt = _write_value(subject, case)
    if attempt is None or not comparing.canonical(attempt[1]):
        return False
    _, value, data = attempt
    back = _again(case, data)
    answer = _reading_of(subject, back, complaint=f"wrote {_hex(data)}, which is ")
    if isinstance(answer, Refused):
        raise Broken(f"wrote {_hex(data)} and refuses to read it: {answer.reason}")
    if answer is None:
        return False
    difference = comparing.difference(value, answer.value, exactly=False)
    if difference:
        raise Broken(f"wrote {_hex(data)}, and {difference}")
    if answer.remainder is not None:
        _check_remainder(back, answer.value, len(answer.remainder))
    return True


def writes_for_others(subject: Subject, case: Case) -> bool:
    """Check that another reader gets the value that the subject writes, with nothing left over
    (G12).
    """
    attempt = _attempt(subject, case)
    if attempt is None or not comparing.canonical(attempt.value):
        return False
    if isinstance(attempt.answer, Refused):
        raise Broken(f"refuses to write what fits: {attempt.answer.reason}")
    _check_written(_again(case, attempt.answer.data), attempt.version, attempt.value, exactly=False)
    return True


def writes_what_it_is_given(subject: Subject, case: Case) -> bool:
    """Check that the value is written exactly: order, duplicates, null and empty (G29)."""
    attempt = _write_value(subject, case)
    if attempt is None:
        return False
    version, value, data = attempt
    _check_written(_again(case, data), version, value, exactly=True)
    return True


def _check_written(case: Case, version: int, value: JsonObject, *, exactly: bool) -> None:
    """Check that another reader gets this value of this version, and nothing is left."""
    reading = case.reading
    if reading.error is not None:
        _wrote(case, f"which nobody can read: {reading.error}")
    if reading.version != version:
        _wrote(case, f"under version {reading.version}, asked for {version}")
    if reading.remainder:
        _wrote(case, f"with {len(reading.remainder)} bytes too many")
    difference = comparing.difference(value, value_of(reading), exactly=exactly)
    if difference:
        _wrote(case, f"where {difference}")


def _wrote(case: Case, complaint: str) -> NoReturn:
    raise Broken(f"wrote {_hex(case.data)}, {complaint}")


def _hex(data: bytes) -> str:
    digits = data.hex()
    return digits if len(digits) < 200 else f"{digits[:180]}... ({len(data)} bytes)"


def refuses_to_write(subject: Subject, case: Case) -> bool:
    """Check that a value which does not fit is refused, or written whole (G13)."""
    if case.value is None or case.version is None or case.version not in case.message.VERSIONS:
        return False
    answer = _encode(subject, case.name, case.version, case.value)
    if isinstance(answer, Written):
        body = case.version if case.message.FRAMING.kind == "none" else None
        again = Case(case.name, answer.data, body)
        _check_written(again, case.version, case.value, exactly=False)
    return answer is not None


def unknown_version_to_write(subject: Subject, case: Case) -> bool:
    """Check that a version which is not known is refused, or written under its own version, never
    another version without a word (G33).
    """
    version = case.version
    if case.value is None or version is None or version in case.message.VERSIONS:
        return False
    answer = _encode(subject, case.name, version, case.value)
    if isinstance(answer, Written):
        written = Case(case.name, answer.data)
        if version < 0:
            _wrote(written, f"asked for version {version}, which nobody reads")
        reading = written.reading
        if reading.error is not None:
            _wrote(written, f"which nobody can read: {reading.error}")
        if reading.version != version:
            _wrote(written, f"under version {reading.version}, asked for {version}")
        difference = comparing.difference(case.value, value_of(reading), exactly=False)
        if difference:
            _wrote(written, f"where {difference}")
    return answer is not None


def idempotent(subject: Subject, case: Case) -> bool:
    """Check that what was read and written again is written the same from then on (G30)."""
    attempt = _write_value(subject, case)
    if attempt is None:
        return False
    version, value, first = attempt
    answer = answer_of(subject, _again(case, first))
    if not isinstance(answer, Read) or not value.keys() <= answer.value.keys():
        return False
    shown_fields = {key: field_value for key, field_value in answer.value.items() if key in value}
    second = _encode(subject, case.name, version, shown_fields)
    if not isinstance(second, Written):
        return False
    if first != second.data:
        raise Broken(f"wrote {_hex(first)}, read that and wrote {_hex(second.data)}")
    return True


def rewrites_the_future(subject: Subject, case: Case) -> bool:
    """Check that bytes of a newer writer are written back identically (G31)."""
    if not (_readable(case) and case.clamped and (_newer(case) or case.truth.left)):
        return False
    answer = subject.rewrite(case.name, case.data, case.version)
    if not isinstance(answer, Written):
        return False
    if answer.data != case.data:
        raise Broken(f"wrote back {_hex(answer.data)}")
    return True


def keeps_unknown_tags(subject: Subject, case: Case) -> bool:
    """Check that unknown tagged fields survive reading and writing (G32)."""
    if not (_readable(case) and case.is_known_version and _tags(case)):
        return False
    answer = subject.rewrite(case.name, case.data, case.version)
    if not isinstance(answer, Written):
        return False
    reading = decode(answer.data, case.message, policy=Policy.LENIENT, body_version=case.version)
    version = case.truth.schema_version
    assert case.reading.message is not None and version is not None
    tags = unknown_tags_to_json(case.reading.message, version)
    tags_again = [] if reading.message is None else unknown_tags_to_json(reading.message, version)
    if tags != tags_again:
        raise Broken(
            f"unknown tagged fields {comparing.brief(tags)} became {comparing.brief(tags_again)}"
        )
    return True


# -- kproto's own


def same_as_construct(subject: Subject, case: Case) -> bool:
    """Check that the construct definition agrees: verdict, value, what is left (G40)."""
    return _same_as(CONSTRUCT, subject, case)


def same_as_diagnostic_reader(subject: Subject, case: Case) -> bool:
    """Check that the diagnostic reader agrees: verdict, reason, where it stopped (G41)."""
    return _same_as(DIAGNOSTIC, subject, case)


def _same_as(reference: Subject, subject: Subject, case: Case) -> bool:
    if case.value is not None:
        return False
    reference_answer, answer = answer_of(reference, case), answer_of(subject, case)
    if reference_answer is None or answer is None:
        return False
    match reference_answer, answer:
        case Read(), Read():
            difference = comparing.difference(reference_answer.value, answer.value, exactly=True)
            if difference:
                raise Broken(difference)
            if None not in (answer.remainder, reference_answer.remainder) and (
                answer.remainder != reference_answer.remainder
            ):
                raise Broken(f"left {answer.remainder!r}, not {reference_answer.remainder!r}")
        case Refused(), Refused():
            _check_same_refusal(reference_answer, answer)
        case _:
            raise Broken(f"{answer!r:.80}, and the other {reference_answer!r:.80}")
    return True


def _check_same_refusal(reference: Refused, answer: Refused) -> None:
    for aspect, value, second in (
        ("kind", answer.kind, reference.kind),
        ("offset", answer.offset, reference.offset),
    ):
        if value is not None and second is not None and value != second:
            raise Broken(f"{aspect} {value}, and the other {second}")
