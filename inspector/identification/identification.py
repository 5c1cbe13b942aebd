"""Finding out what bytes are: every built-in message is tried, and the readings are ranked.

Some bytes are several things: `000000000000ffffffff` is an empty subscription and an empty
assignment. So nothing is decided here; readings that the bytes do not tell apart share a rank, and
stand in the order of how often people meet them.

A reading is judged by how little it has to explain away, and by how much text it finds, because
text is no accident:

0. labelled, and every byte is used, or left over as a newer version may, or the label alone is
   wrong (deviation KP040)
1. not labelled, and every byte is used: a layout with nothing in front reads almost anything; or
   labelled, and bytes are left over, or the input ends too early
2. it fails otherwise; the one that comes furthest first

Among equals those without a deviation come first, then by the worst class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from ...codec.dialect.names import counted
from ...codec.errors import ErrorKind
from ...codec.messages import message_class
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import Buffer, Message, as_bytes
from .candidates import plausible

LOOKED_INTO = 64 << 10
"""Bytes up to which deviations count as evidence: finding them costs many times the input."""

_CLASSES = ("", "style", "content", "evolution", "encoding")  # the later, the less credible

Evidence = tuple[int, ...]


class Candidate(NamedTuple):
    """One reading of some bytes. `rank` counts from 1, and equals share it; `version` is the label
    that the bytes carry, or, where nothing stands in front, the version they were read as."""

    rank: int
    name: str
    version: int
    reason: str


def identify(data: Buffer) -> tuple[Candidate, ...]:
    """Return the built-in readings of `data`, best first; never fails for bytes.

    Empty where no built-in message begins like this.
    """
    raw = as_bytes(data)
    found: list[tuple[Evidence, str, int, str]] = []
    for name in plausible(raw):
        for version, seen in readings(raw, message_class(name)):
            found.append((evidence(seen), name, version, _reason(seen)))
            break
    found.sort(key=itemgetter(0))
    ranks = {key: rank for rank, key in enumerate(sorted({one[0] for one in found}), start=1)}
    return tuple(Candidate(ranks[key], name, at, reason) for key, name, at, reason in found)


def readings(data: bytes, cls: type[Message]) -> Iterator[tuple[int, Decoded[Any]]]:
    """`data` as a `cls`, with the version: as labelled, or else in every version that uses it all,
    the newest first. What the label rules out is no reading."""
    if cls.FRAMING.kind != "none":
        seen = decode(data, cls, policy=Policy.LENIENT)
        if seen.schema_version is not None and seen.version is not None:
            yield seen.version, seen
        return
    for version in range(cls.VERSIONS.highest, cls.VERSIONS.lowest - 1, -1):
        seen = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        if seen.complete and not seen.remainder:
            yield version, seen


def evidence(seen: Decoded[Any]) -> Evidence:
    """Return how credible a reading is: the smaller, the better (see the module)."""
    framing = seen.message_class.FRAMING
    found = _deviations(seen)
    mislabelled = any(code == "KP040" for code, _ in found)
    clamped = seen.version != seen.schema_version and framing.newer == "clamp"
    whole = seen.complete and (not seen.remainder or clamped)
    if seen.error is not None and seen.error.kind is not ErrorKind.TRUNCATED:
        return 2, -seen.error.offset
    text = _text_read(seen.fields if len(seen.data) <= LOOKED_INTO else ())
    worst = max((_CLASSES.index(class_) for _, class_ in found), default=0)
    if framing.kind != "none" and (whole or mislabelled):
        return 0, -text, not seen.complete, worst, len(seen.remainder)
    return 1, -text, not whole, worst


def _text_read(nodes: Iterable[FieldNode]) -> int:
    """Characters of printable text."""
    size = 0
    for node in nodes:
        if isinstance(node.value, str) and node.value.isprintable():
            size += len(node.value)
        size += _text_read(node.children)
    return size


def _deviations(seen: Decoded[Any]) -> list[tuple[str, str]]:
    """Code and class of each deviation; of long inputs none but what costs nothing to find."""
    if len(seen.data) <= LOOKED_INTO:
        return [(deviation.code, deviation.class_) for deviation in seen.deviations]
    return [("KP021", "evolution")] if seen.complete and seen.remainder else []


def _reason(seen: Decoded[Any]) -> str:
    if seen.error is not None:
        said = [str(seen.error)]
    elif seen.remainder:
        said = [f"complete, with {counted(len(seen.remainder), 'byte')} left"]
    else:
        said = ["read to the last byte"]
    if seen.version != seen.schema_version:
        said.append(f"version {seen.version} read as {seen.schema_version}")
    codes = sorted({code for code, _ in _deviations(seen)})
    return "; ".join([*said, ", ".join(codes)] if codes else said)
