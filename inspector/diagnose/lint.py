"""The findings on a message and on the messages inside of it.

A finding is a deviation, or the reason why the bytes are refused, with a level. For a message that
is too large to be taken apart (`is_large`) only that reason is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from ...codec.read.decoding import Decoded
from ...codec.read.deviations import CODES, REFUSALS, Deviation
from ..candidates import (
    EACH_WITH_USER_DATA,
    WITHOUT_USER_DATA,
    is_each_with_user_data,
    is_newer_of_streams,
    is_without_user_data,
)
from ..nested_bytes import NOTHING, Around, Opened, all_deviations, is_large, open_inside
from .fingerprints import Fingerprint, fingerprint
from .levels import level_of

_EXPLAIN_THE_ERROR = {f"KP0{number}" for number in (10, 11, 12, 13, 14, 15, 16, 40)}


class Finding(msgspec.Struct, frozen=True):
    """A finding. `offset` and `path` are places within the message, as those of a deviation."""

    code: str
    class_: str
    level: str
    offset: int
    path: str
    count: int
    explanation: str


class Judged(NamedTuple):
    """The findings on a message. For a message inside another one, `path` is that of its field from
    the outermost message on, and `start` is where it begins in the outermost message's bytes."""

    path: str
    start: int
    decoded: Decoded[Any]
    findings: tuple[Finding, ...]
    fingerprint: Fingerprint

    def identity(self, finding: Finding) -> str:
        """Return an identifier of the finding: the same for the same code, path and bytes
        anywhere."""
        facts = f"{finding.code}\0{finding.path}\0{self.decoded.message_class.NAME}\0"
        return sha256(facts.encode("utf-8", "surrogatepass") + self.decoded.data).hexdigest()[:32]


def judge(
    result: Decoded[Any], around: Around = NOTHING, equals: tuple[str, ...] = ()
) -> Iterator[Judged]:
    """Yield the findings on the message, then on those inside of it, in the order of the bytes.

    `equals` are the messages that the bytes are as well as `result` (`Examined.equals`).
    """
    yield from _judge(result, open_inside(result, around), around, "", 0, equals)


def _judge(
    result: Decoded[Any],
    inside: tuple[Opened, ...],
    around: Around,
    path: str,
    start: int,
    equals: tuple[str, ...] = (),
) -> Iterator[Judged]:
    deviations = all_deviations(result, inside, around)
    if is_each_with_user_data(result):  # what was read after the first topic is no field
        deviations = ()
    findings = [*map(_finding, deviations), *_refusal(result), *_mistakes(inside)]
    findings.sort(key=lambda finding: (finding.offset, finding.code))
    writers = fingerprint(result, around.protocol, equals)
    yield Judged(path, start, result, tuple(findings), writers)
    for inner in inside:
        if inner.decoded is not None:
            below = f"{path}.{inner.path}" if path else inner.path
            yield from _judge(inner.decoded, inner.opened, inner.around, below, start + inner.start)


# -- the bytes themselves


def _finding(deviation: Deviation) -> Finding:
    level = level_of(deviation.code, deviation.class_)
    where = (deviation.offset, deviation.path, deviation.count)
    return Finding(deviation.code, deviation.class_, level, *where, deviation.explanation)


def _refusal(result: Decoded[Any]) -> Iterator[Finding]:
    """The reason why the bytes are refused, where no deviation gives it."""
    error = result.error
    if is_newer_of_streams(result):  # its readers know it
        return
    deviations = () if is_large(result) else result.deviations
    if error is not None and not any(
        deviation.code in _EXPLAIN_THE_ERROR for deviation in deviations
    ):
        code = CODES[REFUSALS[error.kind]]
        explanation = f"{code.explanation}: {error.reason}"
        if is_without_user_data(result):
            explanation = WITHOUT_USER_DATA
        elif is_each_with_user_data(result):
            explanation = EACH_WITH_USER_DATA
        level = level_of(code.code, code.class_)
        yield Finding(code.code, code.class_, level, error.offset, error.path, 1, explanation)


def _mistakes(inside: tuple[Opened, ...]) -> Iterator[Finding]:
    """A finding for each message inside that is in a layout which programs write by mistake."""
    code = CODES["KP080"]
    for inner in inside:
        if inner.name == EACH_WITH_USER_DATA:
            level = level_of(code.code, code.class_)
            yield Finding(code.code, code.class_, level, inner.start, inner.path, 1, inner.name)
