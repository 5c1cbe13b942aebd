"""Identify bytes: decode them as every built-in message that they can be, and rank the readings.

Some bytes are several messages: `000000000000ffffffff` is an empty subscription and an empty
assignment. Readings that the bytes do not tell apart share a rank, and are listed in the order of
how often people meet them.

A reading ranks higher the less it has to explain away, and the more text it finds, because text
does not come about by chance:

0. labelled, and every byte is used, or left over as a newer version may, or the label alone is
   wrong (deviation KP040)
1. not labelled, and every byte is used: a layout without a label reads almost anything; or
   labelled, and bytes are left over, or the input ends too early
2. it fails otherwise; the one that gets furthest first

Among equals, readings without a deviation rank first, then by the worst class of deviation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from ...codec.dialect.names import counted
from ...codec.errors import DecodeError, ErrorKind
from ...codec.messages import message_class as built_in
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.read.diagnostic_reader import FieldNode
from ...codec.runtime.message import Buffer, Message, as_bytes
from .candidates import candidate_names
from .resemblance import LOOKED_INTO, is_credible

FALLBACK = "ConsumerProtocolSubscription"
"""The message that bytes are decoded as where they begin like no built-in message."""
ALL_KEPT = 4 << 10
"""Bytes up to which `identify` keeps what it decoded for every candidate, beyond for the best."""

_CLASSES = ("", "style", "content", "evolution", "encoding")  # the later, the less credible

Evidence = tuple[int, ...]


class _Ranked(NamedTuple):
    rank: int
    name: str
    version: int
    reason: str


class Candidate(_Ranked):
    """A reading of some bytes as a built-in message: `rank`, `name`, `version`, `reason`.

    `rank` counts from 1, and equals share it. `version` is the label that the bytes carry, or, for
    a message without a label, the version that they were read as.
    """

    _data: bytes
    _seen: Decoded[Any] | None

    @property
    def decoded(self) -> Decoded[Any]:
        """The decoded bytes, under policy LENIENT. Of bytes beyond `ALL_KEPT` only the best
        candidate's result is kept; another candidate decodes them when it is asked."""
        if self._seen is None:
            self._seen = _decoded(self._data, built_in(self.name), self.version)
        return self._seen


def identify(data: Buffer) -> tuple[Candidate, ...]:
    """Return the built-in readings of `data`, best first; never fails for bytes.

    Empty where the bytes resemble no built-in message.
    """
    raw = as_bytes(data)
    found: list[tuple[Evidence, _Ranked]] = []
    kept: dict[str, Decoded[Any]] = {}
    best: Evidence | None = None
    for name in candidate_names(raw):
        first = next(readings(raw, built_in(name)), None)
        if first is None:
            continue
        version, seen = first
        if not is_credible(seen):
            continue
        rated = evidence(seen)
        found.append((rated, _Ranked(0, name, version, _reason(seen))))
        is_best = best is None or rated < best
        if is_best:
            best = rated
        if len(raw) <= ALL_KEPT:
            kept[name] = seen
        elif is_best:
            kept = {name: seen}
        del first, seen  # trees of large messages are large, and one of them is enough
    found.sort(key=itemgetter(0))
    ranks = {rated: rank for rank, rated in enumerate(sorted({row[0] for row in found}), start=1)}
    return tuple(
        _candidate(row._replace(rank=ranks[rated]), raw, kept.get(row.name)) for rated, row in found
    )


def _candidate(row: _Ranked, data: bytes, seen: Decoded[Any] | None) -> Candidate:
    made = Candidate(*row)
    made._data, made._seen = data, seen
    return made


def readings(data: bytes, cls: type[Message]) -> Iterator[tuple[int, Decoded[Any]]]:
    """Yield the version and the result of decoding `data` as a `cls`.

    A labelled message is decoded once, as labelled, and yields nothing where its label is refused;
    any other message is decoded in every version, newest first, and yields those that use all
    bytes.
    """
    if cls.FRAMING.kind != "none":
        seen = decode(data, cls, policy=Policy.LENIENT)
        if seen.schema_version is not None and seen.version is not None:
            yield seen.version, seen
        return
    for version in range(cls.VERSIONS.highest, cls.VERSIONS.lowest - 1, -1):
        seen = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        if seen.complete and not seen.remainder:
            yield version, seen


def _decoded(data: bytes, cls: type[Message], version: int) -> Decoded[Any]:
    body_version = version if cls.FRAMING.kind == "none" else None
    return decode(data, cls, policy=Policy.LENIENT, body_version=body_version)


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


# -- with the verdict of a policy


class Examined(NamedTuple):
    """Decoded bytes and the verdict of a policy on them.

    `error` is why the policy refuses the bytes (`refused`); under LENIENT, which refuses nothing,
    it is still why reading stopped. `rivals` are the names of the other messages that the bytes can
    be, where the type was identified: those of rank 1, or all if the bytes were read completely.
    `identified` is False where the type was to be identified and the bytes resemble no built-in
    message: `decoded` is then what they would be as a `FALLBACK`, and the policy refuses them.
    `equals` are those of the rivals that the bytes do not tell apart from `decoded`.
    """

    decoded: Decoded[Any]
    error: DecodeError | None
    refused: bool
    rivals: tuple[str, ...]
    identified: bool = True
    equals: tuple[str, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether a label names a known version, and the bytes are that to the last one."""
        decoded = self.decoded
        return (
            self.identified
            and decoded.complete
            and not decoded.remainder
            and decoded.message_class.FRAMING.kind != "none"
            and decoded.version == decoded.schema_version
        )


def examine(
    data: bytes,
    message_class: type[Message] | None = None,
    *,
    policy: Policy = Policy.KAFKA,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> Examined:
    """Decode as much of `data` as can be read, under any policy; the policy decides what is
    refused.

    Without `message_class` the type is identified. A message without a label is read in the newest
    version that uses every byte, unless `body_version` names one. Raises ValueError as `decode`
    does for a version that does not exist.
    """
    candidates = identify(data) if message_class is None else ()
    identified = bool(candidates) or message_class is not None
    if message_class is None:
        message_class = built_in(candidates[0].name if candidates else FALLBACK)
    seen = None
    if reader_version is None and body_version is None and candidates:
        seen = candidates[0].decoded
    if message_class.FRAMING.kind == "none" and body_version is None:
        if seen is None:
            body_version, seen = next(readings(data, message_class), (message_class.LATEST, None))
        else:
            body_version = seen.version
    versions = {"reader_version": reader_version, "body_version": body_version}
    if seen is None or reader_version is not None:
        seen = decode(data, message_class, policy=Policy.LENIENT, **versions)
    error, refused = verdict(seen, policy, **versions)
    if not identified and not is_credible(seen):
        return Examined(seen, error, policy is not Policy.LENIENT, (), identified=False)
    equals = tuple(other.name for other in candidates[1:] if other.rank == 1)
    rivals = tuple(other.name for other in candidates[1:]) if seen.complete else equals
    return Examined(seen, error, refused, rivals, equals=equals)


def verdict(
    seen: Decoded[Any],
    policy: Policy,
    *,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> tuple[DecodeError | None, bool]:
    """Return why the policy refuses bytes that were read leniently, or why reading stopped; and
    whether they are refused. The versions are those that the bytes were read with.
    """
    error = seen.error
    if error is None and policy is Policy.STRICT:
        versions = {"reader_version": reader_version, "body_version": body_version}
        try:
            decode(seen.data, seen.message_class, policy=policy, **versions)
        except DecodeError as refusal:
            error = refusal
    return error, error is not None and policy is not Policy.LENIENT
