"""Which built-in messages some bytes may be, and how credible each reading is.

Walking over the bytes by the shape of every message finds the few that are worth decoding
(`candidate_names`). A reading is more credible (`evidence`) the less it has to explain away, and
the more text it finds, because text does not come about by chance:

0. labelled, and every byte is used, or left over as a newer version may, or the label alone is
   wrong (deviation KP040); or the bytes are the beginning of a message, with text in it. Those with
   text come first, and in this order: no deviation; deviations of style; cut short, with no
   deviation before the cut; others
1. not labelled, and every byte is used: a layout without a label reads almost anything; or
   labelled, and bytes are left over, or the input ends too early
2. it fails otherwise; the one that gets furthest first
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache
from operator import itemgetter
from struct import Struct
from typing import Any

import msgspec

from ..codec.dialect.framing import HEADER_BYTES
from ..codec.dialect.layout import HEAD
from ..codec.errors import DecodeError, ErrorKind
from ..codec.messages import message_class
from ..codec.messages.programs import PROGRAMS
from ..codec.read.decoding import Decoded, Policy, decode, older_body, read_fields
from ..codec.read.diagnostic_reader import FieldNode
from ..codec.read.shape import Shapes, shape_of, shapes_of
from ..codec.read.version_field import VersionField
from ..codec.runtime.message import Message

Evidence = tuple[int, ...]


def readings(data: bytes, cls: type[Message]) -> Iterator[tuple[int, Decoded[Any]]]:
    """Yield the version and the result of decoding `data` as a `cls`.

    A labelled message is decoded once, as labelled, and yields nothing where its label is refused;
    any other message is decoded in every version, newest first, and yields those that use all
    bytes.
    """
    if cls.FRAMING.kind != "none":
        result = decode(data, cls, policy=Policy.LENIENT)
        is_read = result.schema_version is not None or result.complete
        if is_read and result.version is not None:
            yield result.version, result
        return
    for version in range(cls.VERSIONS.highest, cls.VERSIONS.lowest - 1, -1):
        result = decode(data, cls, policy=Policy.LENIENT, body_version=version)
        if result.complete and not result.remainder:
            yield version, result


def decode_as(data: bytes, cls: type[Message], version: int) -> Decoded[Any]:
    """Decode leniently; a message without a label in that version."""
    body_version = version if cls.FRAMING.kind == "none" else None
    return decode(data, cls, policy=Policy.LENIENT, body_version=body_version)


CLASSES = ("", "style", "content", "evolution", "encoding")
"""Classes of deviations: the later, the less credible."""
LIKELY = 3
"""The severity up to which a labelled message with text is taken for what the bytes are."""
CUT_SHORT = 2
"""The severity of a reading that was cut short without a deviation."""
_SEVERITY = {"": 0, "style": 1, "content": 3, "evolution": 4, "encoding": 6}
_DRAFTS = ("ConsumerProtocolAssignmentDraft429",)
_OF_DRAFTS = 4  # what is added for a layout that was proposed and never released


def evidence(result: Decoded[Any], *, foreign: bool = False) -> Evidence:
    """Return how credible a reading is: the smaller, the better (see the module). `foreign`: the
    user data in it is in no layout that is known (KP073)."""
    framing = result.message_class.FRAMING
    error = result.error
    if error is not None and error.kind is not ErrorKind.TRUNCATED:
        is_cut = error.kind is ErrorKind.COUNT_EXCEEDS_INPUT and framing.kind != "none"
        proof = _of_beginning(result, foreign=foreign) if is_cut else None
        return proof or (2, -error.offset)
    if framing.kind != "none":
        proof = _of_labelled(result, foreign=foreign)
        if proof is not None:
            return proof
    text = text_read(_fields_of(result))
    # The bytes at the end of a message that is not complete are the beginning of nothing.
    worst = _worst(deviations_of(result)) if result.complete else "encoding"
    is_unlikely = worst in ("evolution", "encoding")
    is_partial = not result.complete or bool(result.remainder)
    return 1, is_unlikely, -text, is_partial, CLASSES.index(worst)


def _of_labelled(result: Decoded[Any], *, foreign: bool) -> Evidence | None:
    """The evidence for a labelled message that takes all bytes, or is the beginning of one."""
    framing = result.message_class.FRAMING
    is_short = len(result.data) <= LOOKED_INTO
    if not result.complete and not (is_short and older_body(result) is not None):
        return _of_beginning(result, foreign=foreign)
    text = text_read(_fields_of(result))
    deviations = deviations_of(result)
    if not result.complete:
        worst = _worst(deviation for deviation in deviations if deviation[0] != "KP040")
        mislabelled = CUT_SHORT + (worst == "style" or not text)
        severity = max(mislabelled, _SEVERITY[worst]) + _of_draft(result)
        return 0, not text, severity, -text, 0, 0
    is_newer = result.version != result.schema_version
    # A layout of which any version is accepted has to find text to be believed.
    is_clamped = is_newer and (framing.newer == "clamp" or (framing.newer == "accept" and text))
    is_clamped |= is_newer_of_streams(result)
    if result.remainder and not is_clamped:
        return None
    severity = max(_SEVERITY[_worst(deviations)], CUT_SHORT * foreign) + _of_draft(result)
    if not is_plausible(_fields_of(result)):
        severity = max(severity, LIKELY)
    return 0, not text, severity, -text, 0, len(result.remainder)


def _of_beginning(result: Decoded[Any], *, foreign: bool) -> Evidence | None:
    """The evidence for a labelled message that was cut; None where the bytes are none."""
    beginning = beginning_of(result)
    if beginning is None:
        return None
    text = text_read(_fields_of(beginning.decoded)) + beginning.text
    worst = _worst(deviations_of(beginning.decoded))
    if text and worst in ("", "style"):
        severity = CUT_SHORT + 2 * (worst == "style" or foreign) + _of_draft(result)
        return 0, False, severity, -text, 0, 0
    return 1, worst in ("evolution", "encoding"), -text, True, CLASSES.index(worst)


def _of_draft(result: Decoded[Any]) -> int:
    return _OF_DRAFTS * (result.message_class.NAME in _DRAFTS)


_NEWER_BY = 32  # versions that a layout to come may be ahead
_LEAST_OF_STREAMS = 24  # bytes: two versions and the process id


def is_newer_of_streams(result: Decoded[Any]) -> bool:
    """Return whether bytes are user data of Streams in a version that is newer than those known:
    any four bytes are some version, and the next four are the latest one that the member knows."""
    cls = result.message_class
    if cls.FRAMING.kind != "version32" or result.version is None:
        return False
    latest = int.from_bytes(result.data[4:8], "big")
    is_next = cls.LATEST < result.version <= latest <= cls.LATEST + _NEWER_BY
    return is_next and len(result.data) >= _LEAST_OF_STREAMS


_STORED = tuple(
    name for name, (framing, *_) in PROGRAMS.items() if framing[:2] == ("version", "refuse")
)
_NEVER_NEWER = (*_DRAFTS, "LegacyOffsetCommitValue")
_MANY = 10  # messages that a name of a field may mean
_MOST_LEFT = 2  # parts of a record that are known, for each that its newer version may add


def newer_record(data: bytes, expected: Collection[str] = ()) -> Decoded[Any] | None:
    """Return bytes as a value of the offsets topic in a version that is newer than those known,
    read as `Decoded.as_newest_known` says; None where none is likely: the fields have text, and
    little follows them. `expected` is as for `identify`."""
    label = int.from_bytes(data[:2], "big")
    if not data or len(data) > LOOKED_INTO or data[0]:
        return None
    best: tuple[tuple[bool, int], Decoded[Any]] | None = None
    for name in _STORED:
        highest = _plan(name).highest
        if name in _NEVER_NEWER or not highest < label <= highest + _NEWER_BY:
            continue
        fits, end = _plan(name).walk(highest, data, _plan(name).start)
        if not fits or (end is not None and _is_mostly_left(len(data) - end, data)):
            continue
        cls = message_class(name)
        reading = decode(data, cls, policy=Policy.LENIENT).as_newest_known
        is_expected = name in expected and not is_vague(expected)
        if reading is None or not _is_likely_record(reading, is_expected=is_expected):
            continue
        rating = is_expected, text_read(reading.fields)
        if best is None or rating > best[0]:
            best = rating, reading
    return None if best is None else best[1]


def is_vague(expected: Collection[str]) -> bool:
    """Return whether a name says little: anything may be called key, value or payload."""
    return len(expected) >= _MANY


def _is_mostly_left(left: int, data: bytes) -> bool:
    """Return whether more of a record is left over than its newer version may add."""
    return _MOST_LEFT * left > len(data)


def _is_likely_record(reading: Decoded[Any], *, is_expected: bool) -> bool:
    text, left = text_read(reading.fields), len(reading.remainder)
    has_text = text >= _LEAST_OF_RECORD and _has_text(reading)
    is_known = not _is_mostly_left(left, reading.data)
    if not is_known or not (has_text or (not left and (is_expected or _has_time(reading.fields)))):
        return False
    is_sound = _worst(deviations_of(reading)) in ("", "style", "content")
    return is_sound and is_plausible(reading.fields)


_LEAST_OF_RECORD = 4  # characters
_TIMES = range(1_200_000_000_000, 4_000_000_000_000)  # milliseconds: 2008 to 2096
_LIKE_A_TIME = 3  # characters that come about by chance as rarely as such a time


def _has_time(nodes: Iterable[FieldNode]) -> bool:
    """Return whether a field is the time of a commit or of a group's state."""
    return any(map(_is_time, nodes))


def _is_time(node: FieldNode) -> bool:
    return node.name.endswith("_timestamp") and node.value in _TIMES


def is_newer_record(reading: Decoded[Any]) -> bool:
    """Return whether a reading is a guess at a record of a newer version."""
    error = reading.error
    is_refused = error is not None and error.kind is ErrorKind.UNSUPPORTED_VERSION
    return is_refused and reading.schema_version is not None


def _worst(deviations: Iterable[tuple[str, str]]) -> str:
    """The least credible class of some deviations; "" for none."""
    return max((class_ for _, class_ in deviations), key=CLASSES.index, default="")


def _fields_of(result: Decoded[Any]) -> Iterable[FieldNode]:
    return result.fields if len(result.data) <= LOOKED_INTO else ()


def text_read(nodes: Iterable[FieldNode]) -> int:
    """Return the number of characters of printable text; times count like text."""
    size = 0
    for node in nodes:
        if _is_time(node):
            size += _LIKE_A_TIME
        elif isinstance(node.value, str) and node.value.isprintable():
            size += len(node.value) - node.value.count("\ufffd")  # no character of the bytes
        size += text_read(node.children)
    return size


def deviations_of(result: Decoded[Any]) -> list[tuple[str, str]]:
    """Return code and class of each deviation; of long inputs none but what costs nothing to
    find."""
    if len(result.data) <= LOOKED_INTO:
        return [(deviation.code, deviation.class_) for deviation in result.deviations]
    return [("KP021", "evolution")] if result.complete and result.remainder else []


# -- messages that were cut short

_MOST_PARTITIONS = 1 << 20  # a number of a partition beyond it is not one
_MOST_RECORDS = 1 << 48  # an offset beyond it is not one: a million records a second for 8 years
_LONGEST_CUT = 1 << 16  # elements, and bytes, that are missing at most
_ARRAY_COUNT = 4  # bytes of a count
_DEEPEST = 3  # arrays in each other
_LONGEST_STRING = 4096
"""Bytes of a string that is cut, at most. Names of topics have 249, and what commits carry besides
has 4,096 unless a broker is told otherwise (offset.metadata.max.bytes)."""


class Beginning(msgspec.Struct, frozen=True):
    """The reading of the beginning of a message, and the characters of the text that is cut."""

    decoded: Decoded[Any]
    text: int = 0


def beginning_of(result: Decoded[Any]) -> Beginning | None:
    """Return the reading of bytes that may be the beginning of the message; None where what stands
    at their end cannot be the beginning of anything.

    A count of more elements than there are bytes is refused before the elements are read. Here they
    are read as far as they go, and so are those of an array in the last one.
    """
    error = result.error
    if error is None or len(result.data) > LOOKED_INTO or result.version is None:
        return None
    for _ in range(_DEEPEST):
        if error is None or error.kind is not ErrorKind.COUNT_EXCEEDS_INPUT:
            break
        fitting = _fitting_count(result.data, error.offset)
        if fitting is None or result.version is None:
            break
        result = decode_as(fitting, result.message_class, result.version)
        error = result.error
    if error is None or error.kind is not ErrorKind.TRUNCATED or not is_plausible(result.fields):
        return None
    rest = result.data[error.offset :]
    if error.reason.startswith("string of"):
        if error.size is None or error.size > _LONGEST_STRING:
            return None
        text = _beginning_of_text(rest[2:])
        return None if text is None else Beginning(result, len(text))
    if error.reason.startswith("bytes of"):
        is_likely = int.from_bytes(rest[:4], "big", signed=True) <= _LONGEST_CUT
        return Beginning(result) if is_likely else None
    return Beginning(result)


def _fitting_count(data: bytes, at: int) -> bytes | None:
    """The bytes with as large a count at a position as is not refused, or cut in front of a count
    without any element; None where the count is none that was cut."""
    count = int.from_bytes(data[at : at + _ARRAY_COUNT], "big")
    room = len(data) - at - _ARRAY_COUNT
    if not 0 <= room < count <= _LONGEST_CUT:
        return None
    return data[:at] + (room.to_bytes(_ARRAY_COUNT, "big") + data[at + _ARRAY_COUNT :]) * bool(room)


def _beginning_of_text(data: bytes) -> str | None:
    """The text that is cut, without a character that is cut; None for what is no text."""
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        if problem.reason != "unexpected end of data":
            return None
        text = data[: problem.start].decode()
    return text if text.isprintable() else None


_ABOUT_URLS = {"url": True, "leader_url": True, "protocol_type": False}
"""Whether the text of a field is a URL, as that of a Connect worker is."""


def is_plausible(nodes: Iterable[FieldNode]) -> bool:
    """Return whether texts are printable, and URLs, and partitions and offsets have numbers that a
    topic can have. In the key of a record they may have any number: its type and its names, which
    come first, say what it is."""
    is_key = False
    for node in nodes:
        is_key |= node.name == "record_type"
        value = node.value
        if isinstance(value, str) and not value.isprintable():
            return False
        is_told = node.name == "url" or (value and node.name in _ABOUT_URLS)
        if is_told and _ABOUT_URLS[node.name] != ("://" in (value or "")):
            return False
        is_partition = isinstance(value, int) and node.path.rpartition(".")[2][:9] == "partition"
        is_offset = isinstance(value, int) and node.name == "offset"
        is_beyond = is_partition and value >= _MOST_PARTITIONS
        if not is_key and (is_beyond or (is_offset and value >= _MOST_RECORDS)):
            return False
        if not is_plausible(node.children):
            return False
    return True


# -- which messages are worth decoding

MOST_COMMON = ("ConsumerProtocolSubscription", "ConsumerProtocolAssignment")
"""The messages that people meet most often, which are tried first."""
MEMBERSHIP = frozenset({11, 12, 13, 14, 15, 68, 69, 76, 77, 88, 89})
"""API keys of requests that are about members. Bodies of other requests, of which a few bytes would
do for many, are identified in frames alone."""
_DOUBTFUL = 4  # messages of those that leave bytes over, and of those that fail

Ranked = list[tuple[int, str]]
Walk = tuple[bool, int | None]
"""Whether bytes fit a shape, and where they end; None where a walk over long bytes gave up."""


def _is_considered(name: str) -> bool:
    (kind, _, api_key), *_ = PROGRAMS[name]
    return kind != "none" or api_key is None or api_key in MEMBERSHIP


_CONSIDERED = tuple(dict.fromkeys((*MOST_COMMON, *filter(_is_considered, PROGRAMS))))
_LABELLED = tuple(name for name in _CONSIDERED if PROGRAMS[name][0][0] != "none")
_UNLABELLED = tuple(name for name in _CONSIDERED if PROGRAMS[name][0][0] == "none")
_LABEL = 4  # bytes of the longest label


class CandidateNames(msgspec.Struct, frozen=True):
    """The names of the messages that some bytes may be, the most common ones first.

    `whole` are labelled messages that use every byte, among them those whose version is wrong for a
    body that is whole; `unlabelled` are messages without a label that use every byte; `doubtful`
    are the labelled ones that leave bytes over or fail, the few that get furthest.
    """

    whole: list[str]
    unlabelled: list[str]
    doubtful: list[str]

    @property
    def likely(self) -> list[str]:
        """Those worth decoding first: doubtful ones only where no labelled message is whole."""
        return [*self.whole, *self.unlabelled, *([] if self.whole else self.doubtful)]


def candidate_names(data: bytes) -> CandidateNames:
    """Return the names of the messages that `data` may be."""
    return (_names_of_short if len(data) <= _REMEMBERED else _names)(data)


_REMEMBERED = 256  # bytes: a text is judged first, and its messages are identified then


def _names(data: bytes) -> CandidateNames:
    names = CandidateNames(
        [], [_UNLABELLED[number] for number in _unlabelled_shapes().whole(data)], []
    )
    left_over: Ranked = []
    failing: Ranked = []
    for name, label in _labelled(data[:_LABEL]):
        walked = _walked(data, name, label)
        ends = [end for fits, end in walked.walks if fits]
        furthest = max((end or len(data) for _, end in walked.walks), default=0)
        # A message whose walk gave up, because it is long, is taken to fit.
        if None in ends or len(data) in ends or (ends and walked.clamped):
            names.whole.append(name)
        elif ends:
            left_over.append((furthest, name))
        elif walked.walks:
            failing.append((furthest, name))
            if (True, len(data)) in walked.older:
                names.whole.append(name)
    names.doubtful.extend(_doubtful(left_over, failing))
    return names


_names_of_short = lru_cache(maxsize=256)(_names)


@cache
def _unlabelled_shapes() -> Shapes:
    return shapes_of((name, _plan(name).distinct) for name in _UNLABELLED)


@lru_cache(maxsize=1024)
def _labelled(label: bytes) -> list[tuple[str, int]]:
    """Return the names of the labelled messages that may have a label, the first bytes of which
    are given, with the version that it has."""
    versions = ((name, _version_in(label, name)) for name in _LABELLED)
    return [(name, version) for name, version in versions if version is not None]


def _doubtful(left_over: Ranked, failing: Ranked) -> list[str]:
    names = [name for _, name in failing if name in MOST_COMMON or _is_key(name)]
    for ranked in (left_over, failing):
        furthest = sorted(ranked, key=itemgetter(0), reverse=True)
        names += [name for _, name in furthest[:_DOUBTFUL]]
    return list(dict.fromkeys(names))


def _is_key(name: str) -> bool:
    """Whether a message is a record's key, which has little in front of a text."""
    return PROGRAMS[name][0][0] == "record-type"


def message_ends(data: bytes) -> set[int]:
    """Return the positions where a labelled message that begins with the first byte may end.

    The versions below its label are tried too: labels may be wrong.
    """
    positions: set[int] = set()
    for name, label in _labelled(data[:_LABEL]):
        walked = _walked(data, name, label)
        positions.update(end for fits, end in (*walked.walks, *walked.older) if fits and end)
    return positions


class _Walked(msgspec.Struct, frozen=True):
    """The walks over some bytes in the versions that a message's label allows.

    `clamped`: the label is above every known version, which explains bytes behind the known
    fields. `older`: the walks in the versions below the label.
    """

    clamped: bool
    walks: list[Walk]
    older: Iterator[Walk]


class _Plan(msgspec.Struct, frozen=True):
    """What the walks over a message's bytes need of its program: `layouts` has the layout of each
    version, `distinct` a version of each layout, `width` is the bytes of the label."""

    kind: str
    is_refused_beyond: bool
    is_clamped_beyond: bool
    api_key: int | None
    layouts: dict[int, int]
    distinct: tuple[int, ...]
    highest: int
    head: int | None
    start: int
    width: int
    walk: Callable[[int, bytes, int], Walk]


@cache
def _plan(name: str) -> _Plan:
    (kind, newer, api_key), _, versions, head, _ = PROGRAMS[name]
    layouts = {number: layout for number, layout, _ in versions}
    start = HEADER_BYTES[kind]
    return _Plan(
        kind,
        newer == "refuse",
        newer == "clamp",
        api_key,
        layouts,
        tuple({layout: number for number, layout in layouts.items()}.values()),
        max(layouts, default=-1),
        None if head is None else head[0],
        start,
        start or 4,
        shape_of(name).end,
    )


@cache
def _older_versions(name: str, version: int) -> tuple[int, ...]:
    """Return a version below `version` of each layout that is another than its own."""
    layouts = _plan(name).layouts
    below = {layout: number for number, layout in layouts.items() if number < version}
    return tuple(
        sorted(number for layout, number in below.items() if layout != layouts.get(version))
    )


def _version_in(label: bytes, name: str) -> int | None:
    """Return the version in the label of a message; None where it is none that a reader takes."""
    plan = _plan(name)
    version = -1
    if len(label) >= plan.width:
        version = int.from_bytes(label[: plan.width], "big", signed=True)
    if plan.kind == "record-type":
        version = plan.highest if version == plan.api_key else -1
    is_refused = version < 0 or (version > plan.highest and plan.is_refused_beyond)
    return None if is_refused else version


def _walked(data: bytes, name: str, label: int) -> _Walked:
    """Walk over the bytes of a message with a label that its readers take."""
    plan = _plan(name)
    walk, start = plan.walk, plan.start
    beyond = label > plan.highest
    version = min(label, plan.highest)
    if beyond and plan.head is not None:
        version = plan.head
    walks = [walk(version, data, start)] if version == HEAD or version in plan.layouts else []
    return _Walked(
        beyond and plan.is_clamped_beyond,
        walks,
        (walk(number, data, start) for number in _older_versions(name, version)),
    )


# -- whether a reading is more than any bytes would give

SHORT = 64
"""Bytes up to which a known label is enough: people write such bytes by hand, and cut them."""
LOOKED_INTO = 64 << 10
"""Bytes of the beginning that are looked into for text: more than one string can have."""
NEWER = 256
"""Labels from here on are hardly versions of a client to come: the fields have to show it."""
HIGHEST = 0x7FFF
"""The highest label of all, which tests of clients use for "newer than any"."""
_READABLE = 0.8  # of the characters of a message's text, at least
_LEAST_OF_CUT_TEXT = 32  # characters
_UNREAD = 4  # a cut field of bytes is at most so many times as long as what is there

_BEGINNINGS = (
    (b"\x7fELF", "an ELF program or library"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive: unpack it"),
    (b"\xca\xfe\xba\xbe", "a Java class"),
    (b"\xac\xed\x00\x05", "a serialized Java object"),
    (
        b"PAR1",
        "a parquet file, of which kproto audit reads key and value: print a value as hex to decode",
    ),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"Obj\x01", "an Avro file"),
    (b"\x1f\x8b\x08", "a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"BZh", "a bzip2 archive"),
    (b"!<arch>\n", "an ar archive: unpack it"),
)
_MAGICS = tuple(magic for magic, _ in _BEGINNINGS)


def begins_like(data: bytes) -> str | None:
    """Return what kind of file begins with these bytes, with its article and what to do with it;
    None if not known."""
    if not data.startswith(_MAGICS):
        return None
    return next(kind for magic, kind in _BEGINNINGS if data.startswith(magic))


def is_credible(seen: Decoded[Any]) -> bool:  # noqa: PLR0911  # a rule each
    """Return whether `seen`, decoded under LENIENT, is more than any bytes would give."""
    version, cls = seen.version, seen.message_class
    if version is None:
        return bool(len(seen.data) < cls.FRAMING.header_bytes)
    if begins_like(seen.data) is not None and (cls.FRAMING.kind == "none" or not _whole(seen)):
        return False
    if version < 0:
        return _negative_label(seen, version)
    if version >= NEWER and version != HIGHEST:
        return seen.complete and _has_text(seen)
    if _whole(seen) or is_newer_of_streams(seen):
        return True
    if version in cls.VERSIONS and len(seen.data) <= SHORT:
        return True
    if seen.complete and seen.version != seen.schema_version:
        return 2 * len(seen.remainder) <= len(seen.data) or _has_text(seen)
    return (
        _has_text(seen)
        or (seen.error is not None and _cut_in_bytes(seen.error, seen))
        or _is_cut_in_text(seen)
    )


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
    return any(_fits(seen, VersionField(number, number, 2, newer=False)) for number in cls.VERSIONS)


def _fits(seen: Decoded[Any], version_field: VersionField) -> bool:
    try:
        return read_fields(seen.message_class, seen.data, version_field)[1] == len(seen.data)
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
    if text.isprintable() and "\ufffd" not in text:
        return bool(text)
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
    size = int.from_bytes(seen.data[at : at + 4], "big")
    return error.reason.startswith("bytes of") and size <= _UNREAD * len(seen.data)


def _is_cut_in_text(seen: Decoded[Any]) -> bool:
    """Return whether the input ends inside a text, most of which is there."""
    beginning = beginning_of(seen)
    return beginning is not None and beginning.text >= _LEAST_OF_CUT_TEXT


# -- layouts that programs are known to write by mistake, and what is said of them

WITHOUT_USER_DATA = (
    "the user data field is missing, and nothing else: @platformatic/kafka 1.33 to 1.35 writes "
    "such assignments. Java fails with BufferUnderflowException; update the writer"
)
EACH_WITH_USER_DATA = (
    "an assignment with user data after every topic instead of once at the end, as zilla (#617) "
    "and kafka_ex (#161) have written it; other clients fail, or read other topics"
)


def is_without_user_data(decoded: Decoded[Any]) -> bool:
    """Return whether an assignment lacks its user data, and nothing else."""
    error = decoded.error
    return (
        decoded.message_class.NAME == "ConsumerProtocolAssignment"
        and error is not None
        and error.path == "user_data"
        and error.offset == len(decoded.data)
    )


_FRONT = Struct(">hi")  # version, number of topics
_MOST_TOPICS = 10_000


def with_one_user_data(data: bytes) -> bytes | None:
    """Return an assignment with its user data at the end, of bytes with user data after every
    topic; None for any other bytes, and for one topic, which is laid out alike."""
    try:
        version, number = _FRONT.unpack_from(data)
        if version not in range(4) or number not in range(2, _MOST_TOPICS):
            return None
        parts, at = [data[: _FRONT.size]], _FRONT.size
        user_data = b""
        for _ in range(number):
            end = at + 2 + _length(data, at, ">h")
            end += 4 + 4 * _length(data, end, ">i")
            parts.append(data[at:end])
            at = end + 4 + _length(data, end, ">i")
            user_data = data[end:at]
    except (struct.error, ValueError):
        return None
    return b"".join((*parts, user_data)) if at == len(data) else None


def is_each_with_user_data(decoded: Decoded[Any]) -> bool:
    """Return whether an assignment is refused, and has user data after every topic."""
    is_assignment = decoded.message_class.NAME == "ConsumerProtocolAssignment"
    is_refused = is_assignment and decoded.error is not None
    return is_refused and with_one_user_data(decoded.data) is not None


def _length(data: bytes, at: int, form: str) -> int:
    (length,) = struct.unpack_from(form, data, at)
    if not -1 <= length <= len(data):
        raise ValueError("no length")
    return max(int(length), 0)
