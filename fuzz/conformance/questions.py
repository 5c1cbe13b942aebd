"""One question to a subject, and its answer in a line."""

from __future__ import annotations

import json

from ..guarantees import comparison as comparing
from ..guarantees.cases import Case
from ..subject import Failed, Read, Refused, Subject, Unsupported, Written


def asked(text: str, name: str, version: int | None = None) -> Case:
    """Return the case of a question: bytes in hex, or a value in Kafka's JSON form to be written.
    Raises ValueError for anything else.
    """
    if text.lstrip().startswith("{"):
        return Case(name, b"", version or 0, value=json.loads(text))
    return Case(name, bytes.fromhex(text), version)


def answered(subject: Subject, case: Case) -> str:
    """Return a subject's answer to a question, in a line."""
    return said(subject, case) if case.value is None else wrote(subject, case)


def said(subject: Subject, case: Case) -> str:
    """Return a subject's answer to the bytes of a case, in a line; "" if the case has none."""
    if case.value is not None:
        return ""
    answer = subject.decode(case.name, case.data, case.version)
    if isinstance(answer, Read):
        label = "" if answer.version is None else f" version {comparing.brief(answer.version)}"
        left = f", {len(answer.remainder)} bytes left" if answer.remainder else ""
        return f"reads{label} {answer.value!r}{left}"
    return _did_not(answer)


def wrote(subject: Subject, case: Case) -> str:
    """Return what a subject writes for the value of a case, in a line."""
    assert case.value is not None and case.version is not None
    answer = subject.encode(case.name, case.version, case.value)
    return f"writes {answer.data.hex()}" if isinstance(answer, Written) else _did_not(answer)


def _did_not(answer: Refused | Failed | Unsupported) -> str:
    match answer:
        case Refused(reason):
            return f"refuses: {reason}"
        case Failed(how, detail):
            return f"{how.value}: {detail}"
        case Unsupported(what):
            return f"has no way to that: {what}"
