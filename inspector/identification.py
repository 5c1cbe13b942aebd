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

from ..codec.dialect.framing import HEADER_BYTES
from ..codec.dialect.layout import HEAD
from ..codec.dialect.names import counted
from ..codec.errors import DecodeError, ErrorKind
from ..codec.messages import message_class as built_in
from ..codec.messages.programs import PROGRAMS
from ..codec.read.decoding import Decoded, Policy, decode, older_body, read_fields
from ..codec.read.diagnostic_reader import FieldNode
from ..codec.read.shape import shape_of
from ..codec.read.version_label import VersionLabel
from ..codec.runtime.message import Buffer, Message, as_bytes

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
            self._seen = _decode_as(self._data, built_in(self.name), self.version)
        return self._seen


def identify(data: Buffer) -> tuple[Candidate, ...]:
    """Return the built-in readings of `data`, best first; never fails for bytes.

    Empty where the bytes resemble no built-in message.
    """
    raw = as_bytes(data)
    rated_rows: list[tuple[Evidence, _Ranked]] = []
    results: dict[str, Decoded[Any]] = {}
    best: Evidence | None = None
    for name in candidate_names(raw):
        first = next(readings(raw, built_in(name)), None)
        if first is None:
            continue
        version, result = first
        if not is_credible(result):
            continue
        rated = evidence(result)
        rated_rows.append((rated, _Ranked(0, name, version, _reason(result))))
        is_best = best is None or rated < best
        if is_best:
            best = rated
        if len(raw) <= ALL_KEPT:
            results[name] = result
        elif is_best:
            results = {name: result}
        del first, result  # trees of large messages are large, and one of them is enough
    rated_rows.sort(key=itemgetter(0))
    ranks = {
        rated: rank for rank, rated in enumerate(sorted({row[0] for row in rated_rows}), start=1)
    }
    return tuple(
        _candidate(row._replace(rank=ranks[rated]), raw, results.get(row.name))
        for rated, row in rated_rows
    )


def _candidate(row: _Ranked, data: bytes, result: Decoded[Any] | None) -> Candidate:
    candidate = Candidate(*row)
    candidate._data, candidate._seen = data, result
    return candidate


def readings(data: bytes, cls: type[Message]) -> Iterator[tuple[int, Decoded[Any]]]:
    """Yield the version and the result of decoding `data` as a `cls`.

    A labelled message is decoded once, as labelled, and yields nothing where its label is refused;
    any other message is decoded in every version, newest first, and yields those that use all
    bytes.
    """
    if cls.FRAMING.kind != "none":
        result = decode(data, cls, policy=Policy.LENIENT)
        if result.schema_version is not None and result.version is not None:
            yield result.version, result
        return
    for version in range(cls.VERSIONS.highest, cls.VERSIONS.lowest - 1, -1):
        result = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        if result.complete and not result.remainder:
            yield version, result


def _decode_as(data: bytes, cls: type[Message], version: int) -> Decoded[Any]:
    body_version = version if cls.FRAMING.kind == "none" else None
    return decode(data, cls, policy=Policy.LENIENT, body_version=body_version)


def evidence(result: Decoded[Any]) -> Evidence:
    """Return how credible a reading is: the smaller, the better (see the module)."""
    framing = result.message_class.FRAMING
    deviations = _deviations(result)
    mislabelled = any(code == "KP040" for code, _ in deviations)
    clamped = result.version != result.schema_version and framing.newer == "clamp"
    is_whole = result.complete and (not result.remainder or clamped)
    if result.error is not None and result.error.kind is not ErrorKind.TRUNCATED:
        return 2, -result.error.offset
    text = _text_read(result.fields if len(result.data) <= LOOKED_INTO else ())
    worst = max((_CLASSES.index(class_) for _, class_ in deviations), default=0)
    if framing.kind != "none" and (is_whole or mislabelled):
        return 0, -text, not result.complete, worst, len(result.remainder)
    return 1, -text, not is_whole, worst


def _text_read(nodes: Iterable[FieldNode]) -> int:
    """Characters of printable text."""
    size = 0
    for node in nodes:
        if isinstance(node.value, str) and node.value.isprintable():
            size += len(node.value)
        size += _text_read(node.children)
    return size


def _deviations(result: Decoded[Any]) -> list[tuple[str, str]]:
    """Code and class of each deviation; of long inputs none but what costs nothing to find."""
    if len(result.data) <= LOOKED_INTO:
        return [(deviation.code, deviation.class_) for deviation in result.deviations]
    return [("KP021", "evolution")] if result.complete and result.remainder else []


def _reason(result: Decoded[Any]) -> str:
    if result.error is not None:
        parts = [str(result.error)]
    elif result.remainder:
        parts = [f"complete, with {counted(len(result.remainder), 'byte')} left"]
    else:
        parts = ["read to the last byte"]
    if result.version != result.schema_version:
        parts.append(f"version {result.version} read as {result.schema_version}")
    codes = sorted({code for code, _ in _deviations(result)})
    return "; ".join([*parts, ", ".join(codes)] if codes else parts)


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
        """Whether a label names a known version, and the bytes are that to the last one, or the
        label alone is wrong (KP040)."""
        decoded = self.decoded
        if not self.identified or decoded.message_class.FRAMING.kind == "none":
            return False
        if decoded.complete:
            return not decoded.remainder and decoded.version == decoded.schema_version
        return older_body(decoded) is not None


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
    result = None
    if reader_version is None and body_version is None and candidates:
        result = candidates[0].decoded
    if message_class.FRAMING.kind == "none" and body_version is None:
        if result is None:
            body_version, result = next(readings(data, message_class), (message_class.LATEST, None))
        else:
            body_version = result.version
    versions = {"reader_version": reader_version, "body_version": body_version}
    if result is None or reader_version is not None:
        result = decode(data, message_class, policy=Policy.LENIENT, **versions)
    error, is_refused = verdict(result, policy, **versions)
    if not identified and not is_credible(result):
        return Examined(result, error, policy is not Policy.LENIENT, (), identified=False)
    equals = tuple(rival.name for rival in candidates[1:] if rival.rank == 1)
    rivals = tuple(rival.name for rival in candidates[1:]) if result.complete else equals
    return Examined(result, error, is_refused, rivals, equals=equals)


def verdict(
    result: Decoded[Any],
    policy: Policy,
    *,
    reader_version: int | None = None,
    body_version: int | None = None,
) -> tuple[DecodeError | None, bool]:
    """Return why the policy refuses bytes that were read leniently, or why reading stopped; and
    whether they are refused. The versions are those that the bytes were read with.
    """
    error = result.error
    if error is None and policy is Policy.STRICT:
        versions = {"reader_version": reader_version, "body_version": body_version}
        try:
            decode(result.data, result.message_class, policy=policy, **versions)
        except DecodeError as refusal:
            error = refusal
    return error, error is not None and policy is not Policy.LENIENT


MOST_COMMON = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
"""The messages that people meet most often, which are tried first."""
MEMBERSHIP = frozenset({11, 12, 13, 14, 15, 68, 69, 76, 77, 88, 89})
"""API keys of requests that are about members. Bodies of other requests, of which a few bytes would
do for many, are identified in frames alone."""
_DOUBTFUL = 4  # messages of those that leave bytes over, and of those that fail

Ranked = list[tuple[int, str]]
Walk = tuple[bool, int | None]
"""Whether bytes fit a shape, and where they end; None where a walk over long bytes gave up."""


def candidate_names(data: bytes) -> list[str]:
    """Return the names of the messages that `data` may be, the most common ones first.

    Labelled messages that use every byte come first, among them those whose label is wrong for a
    body that is whole; then messages without a label that use every byte. Where there is no
    labelled one, the few that get furthest follow.
    """
    whole: list[str] = []
    unlabelled: list[str] = []
    left_over: Ranked = []
    failing: Ranked = []
    for name in dict.fromkeys([*MOST_COMMON, *PROGRAMS]):
        walked = _walked(data, name)
        ends = [end for fits, end in walked.walks if fits]
        furthest = max((end or len(data) for _, end in walked.walks), default=0)
        # A message whose walk gave up, because it is long, is taken to fit.
        if None in ends or len(data) in ends or (ends and walked.clamped):
            (whole if walked.labelled else unlabelled).append(name)
        elif walked.labelled and ends:
            left_over.append((furthest, name))
        elif walked.labelled and walked.walks:
            failing.append((furthest, name))
            if (True, len(data)) in walked.older:
                whole.append(name)
    return [*whole, *unlabelled, *([] if whole else _doubtful(left_over, failing))]


def _doubtful(left_over: Ranked, failing: Ranked) -> list[str]:
    names = [name for _, name in failing if name in MOST_COMMON]
    for ranked in (left_over, failing):
        furthest = sorted(ranked, key=itemgetter(0), reverse=True)
        names += [name for _, name in furthest[:_DOUBTFUL]]
    return list(dict.fromkeys(names))


def message_ends(data: bytes) -> set[int]:
    """Return the positions where a labelled message that begins with the first byte may end.

    The versions below its label are tried too: labels may be wrong.
    """
    found: set[int] = set()
    for name in PROGRAMS:
        walked = _walked(data, name)
        if walked.labelled:
            found.update(end for fits, end in (*walked.walks, *walked.older) if fits and end)
    return found


class _Walked(NamedTuple):
    """The walks over some bytes in the versions that a message's label allows.

    `clamped`: the label is above every known version, which explains bytes behind the known
    fields. `older`: the walks in the versions below the label.
    """

    labelled: bool
    clamped: bool
    walks: list[Walk]
    older: Iterator[Walk]


def _walked(data: bytes, name: str) -> _Walked:
    (kind, newer, api_key), _, versions, head, _ = PROGRAMS[name]
    walk = shape_of(name).end
    start = HEADER_BYTES[kind]
    layouts = {number: layout for number, layout, _ in versions}
    if kind == "none" and api_key is not None and api_key not in MEMBERSHIP:
        return _Walked(False, False, [], iter(()))
    if kind == "none":
        distinct = {layout: number for number, layout in layouts.items()}
        return _Walked(
            False, False, [walk(version, data, 0) for version in distinct.values()], iter(())
        )
    width = start or 4
    highest = max(layouts, default=-1)
    label = int.from_bytes(data[:width], "big", signed=True) if len(data) >= width else -1
    if kind == "record-type":
        label = highest if label == api_key else -1
    beyond = label > highest
    if label < 0 or (beyond and newer == "refuse"):
        return _Walked(True, False, [], iter(()))
    version = min(label, highest)
    if beyond and head is not None:
        version = head[0]
    walks = [walk(version, data, start)] if version == HEAD or version in layouts else []
    below = {layout: number for number, layout in layouts.items() if number < version}
    older = {number for layout, number in below.items() if layout != layouts.get(version)}
    return _Walked(
        True,
        beyond and newer == "clamp",
        walks,
        (walk(number, data, start) for number in sorted(older)),
    )


SHORT = 64
"""Bytes up to which a known label is enough: people write such bytes by hand, and cut them."""
LOOKED_INTO = 64 << 10
"""Bytes of the beginning that are looked into for text: more than one string can have."""
NEWER = 256
"""Labels from here on are hardly versions of a client to come: the fields have to show it."""
HIGHEST = 0x7FFF
"""The highest label of all, which tests of clients use for "newer than any"."""
_READABLE = 0.8  # of the characters of a message's text, at least
_UNREAD = 4  # a cut field of bytes is at most so many times as long as what is there

_BEGINNINGS = (
    (b"\x7fELF", "an ELF program or library"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"\xac\xed\x00\x05", "a serialized Java object"),
    (b"PAR1", "a parquet file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"Obj\x01", "an Avro file"),
    (b"\x1f\x8b\x08", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"!<arch>\n", "an ar archive"),
)


def begins_like(data: bytes) -> str | None:
    """Return what kind of file begins with these bytes, with its article; None if not known."""
    return next((kind for magic, kind in _BEGINNINGS if data.startswith(magic)), None)


def resembles_nothing(data: bytes) -> str:
    """Return the sentence about bytes that were not identified."""
    kind = begins_like(data)
    beginning = "" if kind is None else f"; they begin like {kind}"
    return f"the bytes resemble no built-in message{beginning}"


def is_credible(seen: Decoded[Any]) -> bool:  # noqa: PLR0911  # a rule each
    """Return whether `seen`, decoded under LENIENT, is more than any bytes would give."""
    version, cls = seen.version, seen.message_class
    if version is None:
        return bool(len(seen.data) < cls.FRAMING.header_bytes)
    if begins_like(seen.data) is not None and (cls.FRAMING.kind == "none" or not _whole(seen)):
        return False
    if version < 0:
        return _negative_label(seen, version)
    if NEWER <= version < HIGHEST:
        return seen.complete and _has_text(seen)
    if _whole(seen) or (version in cls.VERSIONS and len(seen.data) <= SHORT):
        return True
    if seen.complete and seen.version != seen.schema_version:
        return 2 * len(seen.remainder) <= len(seen.data) or _has_text(seen)
    return _has_text(seen) or (seen.error is not None and _cut_in_bytes(seen.error, seen))


def _whole(seen: Decoded[Any]) -> bool:
    """Return whether the fields of the label's own version take every byte."""
    if seen.complete:
        return not seen.remainder and seen.version == seen.schema_version
    return seen.as_older_body is not None


def _negative_label(seen: Decoded[Any], version: int) -> bool:
    """Return whether the bytes are a message but for a label below 0."""
    if version >= -2 and len(seen.data) <= SHORT:
        return True
    cls = seen.message_class
    return any(_fits(seen, VersionLabel(number, number, 2, newer=False)) for number in cls.VERSIONS)


def _fits(seen: Decoded[Any], label: VersionLabel) -> bool:
    try:
        return read_fields(seen.message_class, seen.data, label)[1] == len(seen.data)
    except DecodeError:
        return False


def _has_text(seen: Decoded[Any]) -> bool:
    """Return whether text was read, nearly all of it readable."""
    head = seen
    if len(seen.data) > LOOKED_INTO:
        body = seen.version if seen.message_class.FRAMING.kind == "none" else None
        beginning = seen.data[:LOOKED_INTO]
        head = decode(beginning, seen.message_class, policy=Policy.LENIENT, body_version=body)
    text = "".join(_texts(head.fields))
    readable = sum(character.isprintable() and character != "\ufffd" for character in text)
    return bool(text) and readable >= _READABLE * len(text)


def _texts(nodes: Iterable[FieldNode]) -> Iterable[str]:
    for node in nodes:
        if isinstance(node.value, str):
            yield node.value
        yield from _texts(node.children)


def _cut_in_bytes(error: DecodeError, seen: Decoded[Any]) -> bool:
    """Return whether the input ends inside a field of bytes that need not be much longer."""
    if error.kind is not ErrorKind.TRUNCATED or seen.version not in seen.message_class.VERSIONS:
        return False
    at = error.offset
    size = int.from_bytes(seen.data[at : at + 4], "big", signed=True)
    return error.reason.startswith("bytes of") and size <= _UNREAD * len(seen.data)
