"""The rehearsal: a few ordinary messages, by which an adapter that is wrong is told from a client
that is.

What is wrong in every ordinary answer, in one way that no decoder of these bytes has a reason for,
is the adapter's: names in hex, two replies to a question, no reply at all.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..codec import EncodeError
from ..codec.dialect.spec import Field, Spec
from ..codec.runtime.registry import spec_of
from .defined import defined
from .guarantees.cases import Case, breakages, write
from .guarantees.comparison import as_json, brief
from .line_protocol import advice_for
from .mutators.messages import split
from .renderings import are_renderings_of_null, rendering_of, rendering_of_base64
from .subject import (
    Failed,
    Failure,
    JsonObject,
    Read,
    ReadAnswer,
    Subject,
    Unsupported,
    WriteAnswer,
    Written,
)


def rehearse(subject: Subject, names: Iterable[str]) -> str | None:
    """Return what is wrong with an adapter, and what to change, from its answers to ordinary
    messages, to one whose topic is no UTF-8, to some with bytes behind them, and to ordinary
    values; None if nothing is. A client may refuse some of them, and may die of one.
    """
    messages = list(_ordinary(names))
    newest = {case.name: case for case in messages}.values()
    odd = [case for message in newest for case in breakages(message) if case.kind == "utf-8"][:1]
    longer = [Case(case.name, case.data + _BEHIND, case.version) for case in newest if case.clamped]
    reads = ((case, _decoded(subject, case)) for case in [*messages, *odd, *longer])
    writes = [(case, _written(subject, case)) for case in map(_value_of, newest)]
    return (
        _mistake(reads, "message")
        or _other_form(subject, messages)
        or _other_remainder(subject, [*messages, *longer])
        or _mistake(writes, "value to write")
        or _other_bytes(writes)
    )


def absent_operations(subject: Subject, names: Iterable[str]) -> list[str]:
    """Return the operations that a subject claims to have, and for which it answers that it has no
    API to every ordinary message, in every version.
    """
    return [
        op
        for op, ask in _OPERATIONS.items()
        if all(_is_claim(ask(subject, case)) for case in _ordinary(names))
    ]


def _is_claim(answer: ReadAnswer | WriteAnswer) -> bool:
    return isinstance(answer, Unsupported) and answer.is_claimed


def _decoded(subject: Subject, case: Case) -> ReadAnswer:
    return subject.decode(case.name, case.data, case.version)


def _written(subject: Subject, case: Case) -> WriteAnswer:
    assert case.value is not None and case.version is not None
    return subject.encode(case.name, case.version, case.value)


_OPERATIONS: dict[str, Callable[[Subject, Case], ReadAnswer | WriteAnswer]] = {
    "decode": _decoded,
    "encode": lambda subject, case: _written(subject, _value_of(case)),
    "rewrite": lambda subject, case: subject.rewrite(case.name, case.data, case.version),
}


# -- ordinary messages

_NAMES = ("Orders-b", "payments", "EU", "Clicks_of.2024")
_DATA = (b"\0\xffUser", b"data", b"USER", b"abcdefgh")
_BEHIND = b"\xfe\0\xff\x10\x20"
"""Bytes behind a message, whose base64 is not hex."""
_MOST_REHEARSED = 4  # messages


def _ordinary(names: Iterable[str]) -> Iterator[Case]:
    """Yield messages in each version: with all fields at their defaults, and with a value in every
    field, a name in no other version.
    """
    for data in defined(sorted(names)[:_MOST_REHEARSED]):
        route, payload = split(data)
        if route is not None:
            yield _with_own_values(Case(route.cls.NAME, payload, route.body_version))


def _with_own_values(case: Case) -> Case:
    version = case.truth.schema_version
    number = 0 if version is None else case.message.LATEST - version
    name, data = _NAMES[number % len(_NAMES)], _DATA[number % len(_DATA)]
    value = _replaced(case.truth.value, {"text": name, _base64(b"bytes"): _base64(data)})
    return Case(case.name, _bytes_of(case, value) or case.data, case.version)


def _bytes_of(case: Case, value: JsonObject) -> bytes | None:
    """Return a value in the version of a case as a writer encodes it; None if it cannot."""
    version = case.truth.schema_version if case.value is None else case.version
    with suppress(EncodeError):
        return write(case.message.from_json(value, version), version or 0)
    return None


def _replaced(value: Any, texts: Mapping[str, str]) -> Any:
    match value:
        case dict():
            return {key: _replaced(item, texts) for key, item in value.items()}
        case list():
            return [_replaced(item, texts) for item in value]
        case str():
            return texts.get(value, value)
        case _:
            return value


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _value_of(message: Case) -> Case:
    """Return the case that asks for the value of a message to be written in its version."""
    return Case(message.name, b"", message.truth.schema_version, value=message.truth.value)


# -- what is no answer

_REHEARSED = 3  # failures without any answer, after which no more is asked
_LOOK = "ask one question with --ask HEX, and look at its standard error"


def _mistake(answers: Iterable[tuple[Case, ReadAnswer | WriteAnswer]], sort: str) -> str | None:
    """Return what the answers to cases of one sort show to be wrong with an adapter."""
    failures: list[Failed] = []
    has_answer = False
    for case, answer in answers:
        if not isinstance(answer, Failed):
            has_answer |= not isinstance(answer, Unsupported)
            continue
        if answer.how in (Failure.ADAPTER, Failure.LIE):
            return f"{answer.detail} (for {case})"
        if answer.how is Failure.SKIPPED:  # the run's time is up, which is no mistake
            continue
        failures.append(answer)
        if len(failures) >= _REHEARSED and not has_answer:
            break
    if has_answer or not failures:
        return None
    how, detail = failures[0]
    return f"{how.value} for every ordinary {sort}: {detail}; {advice_for(how, detail) or _LOOK}"


# -- what is shown in another form


class _Shown(NamedTuple):
    """What an adapter showed for a text, or for bytes."""

    path: str
    """The field, as in "ownedPartitions[].topic"."""
    is_text: bool
    right: str | None
    shown: str | None


def _other_form(subject: Subject, messages: Sequence[Case]) -> str | None:
    """Return which fields are shown in another form in every message, and in which."""
    by_path: dict[str, list[_Shown]] = defaultdict(list)
    for case in messages:
        answer = _decoded(subject, case)
        if isinstance(answer, Read) and case.truth.accept:
            spec = spec_of(case.message)
            for item in _texts(case.truth.value, answer.value, spec.fields, spec):
                by_path[item.path].append(item)
    by_words: dict[str, list[_Shown]] = defaultdict(list)
    for items in by_path.values():
        if words := _form_of(items):
            by_words[words].append(next(item for item in items if item.shown != item.right))
    for words, examples in by_words.items():
        paths = " and ".join(example.path for example in examples)
        verb = "is" if len(examples) == 1 else "are"
        _, is_text, right, text = examples[0]
        give = "null" if right is None else "the text itself" if is_text else "its base64"
        meant = brief(right) if is_text or right is None else f"bytes {b64decode(right).hex(' ')}"
        return (
            f"{paths} {verb} {words}, in every ordinary message: {brief(text)} for {meant}; "
            f"give {give}"
        )
    return None


def _form_of(items: Sequence[_Shown]) -> str:
    """Return the form in which a field is shown, "" if some of it is shown right or as null."""
    pairs = [(item.shown, item.right) for item in items if item.right]
    nulls = [item.shown or "" for item in items if item.right is None]
    if pairs and all(text and text != right for text, right in pairs):
        if items[0].is_text:
            words = rendering_of([(text or "", (right or "").encode()) for text, right in pairs])
        else:
            data = [(text or "", b64decode(right or "")) for text, right in pairs]
            words = rendering_of_base64(data)
        if words:
            return words
    return "null as a text" if are_renderings_of_null(nulls) else ""


def _texts(
    right: Mapping[str, Any],
    shown: Mapping[str, Any],
    fields: Sequence[Field],
    spec: Spec,
    path: str = "",
) -> Iterator[_Shown]:
    """Yield the texts and bytes of a value, beside what was shown for each."""
    for field in fields:
        name = field.camel
        if name not in right or name not in shown:
            continue
        items, shown_items = right[name], shown[name]
        end = "[]" if field.type.array else ""
        if not field.type.array:
            items, shown_items = [items], [shown_items]
        for item, shown_item in zip(items or (), shown_items or (), strict=False):
            yield from _texts_of_item(item, shown_item, field.type.name, spec, f"{path}{name}{end}")


def _texts_of_item(item: Any, value: Any, kind: str, spec: Spec, path: str) -> Iterator[_Shown]:
    if kind in spec.structs:
        if isinstance(item, Mapping) and isinstance(value, Mapping):
            yield from _texts(item, value, spec.structs[kind].fields, spec, f"{path}.")
    elif kind in _KINDS and isinstance(value, str | None):
        yield _Shown(path, kind != "bytes", item, value)


_KINDS = ("string", "modified-utf-8", "utf-16", "bytes")


def _other_remainder(subject: Subject, messages: Sequence[Case]) -> str | None:
    """Return that the remainder is not what is left, if it is the other part in every message."""
    answers = [(case, _decoded(subject, case)) for case in messages if case.truth.accept]
    reads = [(case, answer) for case, answer in answers if isinstance(answer, Read)]
    if reads and all(answer.remainder in _other_parts(case) for case, answer in reads):
        return "the remainder is what was read, in every ordinary message: give what is left"
    return None


def _other_parts(case: Case) -> tuple[bytes, bytes]:
    return case.data, case.data[: len(case.data) - case.truth.left]


def _other_bytes(writes: Sequence[tuple[Case, WriteAnswer]]) -> str | None:
    """Return in which other form every value is written."""
    written = [(case, answer.data) for case, answer in writes if isinstance(answer, Written)]
    pairs = [
        (data.decode("latin-1"), right)
        for case, data in written
        if (right := _bytes_of(case, case.value or {}))
    ]
    if any(text.encode("latin-1") == right for text, right in pairs):
        return None
    words = rendering_of(pairs, "the message")
    if words:
        return f"encode gives {words} for every ordinary value: give the message, in hex once"
    if written and all(data == _with_base64_as_bytes(case) for case, data in written):
        case = written[0][0]
        return (
            "encode writes the base64 of bytes in the place of the bytes, for every ordinary "
            f"value: decode the base64 first (for {as_json(case.value)[:200]})"
        )
    return None


def _with_base64_as_bytes(case: Case) -> bytes | None:
    texts = {_base64(data): _base64(_base64(data).encode()) for data in _DATA}
    value = _replaced(case.value, texts)
    return None if value == case.value else _bytes_of(case, value)
