"""Cases: some bytes under the name of a message, and what is true of them.

Every guarantee is checked with cases, so whatever makes bytes (a vector, a strategy, a fuzzer)
serves all of them. What is true of a case comes from its maker, if that knows better (Kafka's
recorded answer, the value that a future writer wrote), else from kproto's decoder under policy
KAFKA.

Kafka's recorded answers ship with the package, in vectors.zip: the same lines as
tests/vectors/*.jsonl. This packs them again:

    python -m kproto.fuzz.guarantees.cases tests/vectors

`breakages` are all ways to break a valid message at one place, by what readers get wrong. The
places come from the tree of fields that was read, so that each result is wrong in one respect and
right in all others. Mutators that wander freely find more; these find it at once, and a person can
say what each one is.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from ...clients.reader_rules import RELEASES
from ...codec import (
    Decoded,
    ErrorKind,
    FieldNode,
    Message,
    Policy,
    VersionedMessage,
    decode,
    message_class,
)
from ...codec.runtime.registry import built_in_names, layout_of
from ..subject import JsonObject
from .comparison import as_json

NESTED = {"ConnectProtocolMetadata": ("allocation", "ConnectProtocolAssignment")}
"""The bytes that Kafka's reader of a message opens at once, and the message in them: it refuses all
if it cannot read that one.
"""
CLAMPED = "clamp"
"""The framing of the consumer protocol: a newer version is read as the highest known one."""


class Recorded(NamedTuple):
    """What the maker of the bytes knows about them better than kproto does."""

    accept: bool
    value: JsonObject | None = None
    left: int | None = None
    """The number of bytes that a reader of the newest version leaves unread."""


class Truth(NamedTuple):
    """What is true of a case's bytes."""

    accept: bool
    """Whether Kafka accepts them."""
    version: int | None
    """The version field; None if the bytes end before it."""
    schema_version: int | None
    """The version that they are read as."""
    value: JsonObject
    """The fields of that version; {} if refused."""
    left: int
    """The number of bytes left unread; if refused, from where reading stopped."""
    clean: bool
    """Whether a conforming writer could have encoded them so."""
    error: ErrorKind | None
    """Why they are refused; None if they are not."""


@dataclass(frozen=True, eq=False)
class Case:
    """An input for a guarantee.

    `version` is that of a body with nothing in front, else None. `kind` is the sort of bytes
    ("valid", "cut", "future" ...), `origin` says where they are from, for a person. With `value`
    the case is about writing alone: `data` is empty, and `version` the one to write.
    """

    name: str
    data: bytes = b""
    version: int | None = None
    kind: str = "bytes"
    origin: str = ""
    recorded: Recorded | None = None
    value: JsonObject | None = None

    @cached_property
    def id(self) -> str:
        """Eight hex digits by which a person names the input; the same bytes have the same id."""
        identity = (self.name, self.version, self.data.hex(), self.value)
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]

    @cached_property
    def message(self) -> type[Message]:
        """The class of the message."""
        return message_class(self.name)

    @cached_property
    def reading(self) -> Decoded[Message]:
        """The bytes as kproto reads them under LENIENT, which never raises."""
        return decode(self.data, self.message, policy=Policy.LENIENT, body_version=self.version)

    @cached_property
    def truth(self) -> Truth:
        """What is true of the bytes."""
        reading = self.reading
        recorded = self.recorded or Recorded(
            reading.complete and _opens(self.name, reading.message)
        )
        value = recorded.value if recorded.value is not None else value_of(reading)
        return Truth(
            accept=recorded.accept,
            version=reading.version,
            schema_version=reading.schema_version,
            value=value,
            left=len(reading.remainder) if recorded.left is None else recorded.left,
            clean=not any(deviation.class_ == "encoding" for deviation in reading.deviations),
            error=None if reading.error is None else reading.error.kind,
        )

    @property
    def is_known_version(self) -> bool:
        """Whether the version in front is one that the definition has."""
        version = self.truth.version
        return version is not None and version == self.truth.schema_version

    @property
    def clamped(self) -> bool:
        """Whether a newer version of the message is read as the highest known one."""
        return self.message.FRAMING.newer == CLAMPED

    @property
    def prefixed(self) -> bool:
        """Whether each version of the message begins with the one before, so that readers of any
        version can read it.
        """
        return self.message.FRAMING.newer in (CLAMPED, "accept")

    @property
    def has_version(self) -> bool:
        """Whether the bytes begin with a version, in two bytes."""
        return self.version is None and self.message.FRAMING.kind == "version"

    def readable_as(self, version: int) -> Decoded[Message] | None:
        """Return the bytes as read by a reader that knows nothing above `version`; None if it
        cannot.
        """
        if version not in self.message.VERSIONS:
            return None
        reading = decode(
            self.data,
            self.message,
            policy=Policy.LENIENT,
            reader_version=version,
            body_version=self.version,
        )
        return reading if reading.complete else None

    def with_version(self, version: int) -> Case:
        """Return the same fields with another version in front."""
        front = version.to_bytes(2, "big", signed=True)
        return Case(self.name, front + self.data[2:], kind=self.kind, origin=self.origin)

    def __str__(self) -> str:
        body = "" if self.version is None else f" version {self.version}"
        content = self.data.hex() if self.value is None else as_json(self.value)
        return f"{self.name}{body} {content if len(content) <= 200 else content[:180] + '...'}"


def digest(cases: Iterable[Case]) -> str:
    """Return a digest of these inputs, by which two runs are known to have been asked the same."""
    ids = "".join(f"{case.kind} {case.id}\n" for case in cases)
    return hashlib.sha256(ids.encode()).hexdigest()[:16]


def known_names(names: Collection[str]) -> tuple[str, ...]:
    """Return the names, checked. Raises ValueError for a single text, for none, and for a name of
    no definition.
    """
    if isinstance(names, str) or not names:
        raise ValueError(f"{names!r} is not a list of message names, such as [{_SUCH_AS!r}]")
    unknown = [name for name in names if name not in built_in_names()]
    if unknown:
        raise ValueError(f"there is no message {unknown[0]!r}; `kproto schemas` lists them")
    return tuple(names)


_SUCH_AS = "ConsumerProtocolSubscription"


def _opens(name: str, message: Message | None) -> bool:
    """Return whether the message in these bytes can be read, too, if Kafka's reader opens one."""
    field, inner = NESTED.get(name, ("", ""))
    data = getattr(message, field, None)
    return data is None or decode(data, message_class(inner), policy=Policy.LENIENT).complete


def value_of(reading: Decoded[Message]) -> JsonObject:
    """Return the value in Kafka's JSON form, of the version that the bytes were read as."""
    if reading.message is None:
        return {}
    if reading.schema_version is None:  # only the head of a newer version could be read
        return {"version": reading.version, "latestSupportedVersion": _latest(reading.message)}
    return reading.message.to_json(reading.schema_version)


def _latest(message: Message) -> int:
    latest: int = getattr(message, "latest_supported_version", -1)
    return latest


def full_value(message: Message) -> JsonObject | None:
    """Return the value with the fields of all versions, absent ones at their defaults.

    None for messages whose newest version does not have all fields of older ones.
    """
    return message.to_json() if message.FRAMING.newer == CLAMPED else None


def write(message: Message, version: int) -> bytes:
    """Return the bytes of a message, with the version or record type in front if it has one."""
    if isinstance(message, VersionedMessage):
        return message.to_bytes(version)
    return message.to_body(version)


def first_versions(cls: type[Message]) -> dict[str, int]:
    """Return the first version of each field, by its name in JSON."""
    versions: dict[str, int] = {}
    for version in cls.VERSIONS:
        layout = layout_of(cls, version)
        for slot in (*layout.slots, *layout.tagged):
            versions.setdefault(slot.field.camel, version)
    return versions


FILES = ("consumer-protocol.jsonl", "group-messages.jsonl", "group-messages-broken.jsonl")


@cache
def lines(file: str) -> tuple[dict[str, Any], ...]:
    """Return the lines of one file, parsed; tests/vectors/README.md says what is in them."""
    with resources.files(__package__).joinpath("vectors.zip").open("rb") as packed:
        text = zipfile.ZipFile(packed).read(file).decode()
    return tuple(json.loads(line) for line in text.splitlines())


def recorded_cases() -> Iterator[Case]:
    """Yield every vector as a case, with Kafka's answer, where that still holds."""
    for file in FILES:
        for number, line in enumerate(lines(file), start=1):
            case = _recorded_case(line, f"{file}:{number}")
            if not _is_outdated(case):
                yield case


def _is_outdated(case: Case) -> bool:
    """Return whether the bytes name a version that Kafka did not know when it answered, and the
    definition has one more by now.
    """
    newest = RELEASES["java"].newest
    if case.name not in RELEASES["java"].messages or newest >= case.message.LATEST:
        return False
    return case.truth.version is not None and case.truth.version > newest


def _recorded_case(line: dict[str, Any], origin: str) -> Case:
    data, version = bytes.fromhex(line["hex"]), None
    if "version" in line and not origin.startswith(FILES[0]):
        front, version = _front(line["name"], line["version"])
        data = front + data
    kind = line.get("kind", "valid")
    accept = line.get("accept", True)
    recorded = Recorded(accept, line.get("json"), line.get("left", 0 if accept else None))
    return Case(line["name"], data, version, kind, origin, recorded)


def _front(name: str, version: int) -> tuple[bytes, int | None]:
    """Return what is in front of a body, and the version to give if nothing is."""
    cls = message_class(name)
    if cls.FRAMING.kind == "version":
        return version.to_bytes(2, "big"), None
    if cls.FRAMING.kind == "record-type":
        assert cls.API_KEY is not None
        return cls.API_KEY.to_bytes(2, "big"), None
    return b"", version


def pack(folder: Path, into: Path) -> None:
    """Write the archive, the same bytes from the same lines."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in FILES:
            info = zipfile.ZipInfo(file)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, (folder / file).read_bytes())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(__file__).parent / "vectors.zip")


def derived_cases(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield what guarantees ask besides their cases, made from them alone: the values to write, and
    the same fields under other versions.
    """
    for case in cases:
        truth = case.truth
        if case.value is not None or not truth.accept or truth.schema_version is None:
            continue
        if case.is_known_version:
            version, value = truth.schema_version, truth.value
            yield Case(case.name, b"", version, case.kind, case.origin, value=value)
        for other in other_versions(case):
            yield case.with_version(other)


def other_versions(case: Case) -> list[int]:
    """Return the versions under which the fields of a message have to be the same: the oldest, and
    the next one; none for a message that is not of the consumer protocol.
    """
    version = case.truth.version
    if version is None or not (case.clamped and case.has_version):
        return []
    return sorted({0, min(version + 1, 32767)} - {version})


_INVALID_UTF8 = (b"\xed\xa0\x80", b"\xff", b"\xc0\x80", b"\xf4\x90\x80\x80")
_COUNT = 10_000_000
"""A count for which a reader can allocate memory, and that no input here can hold."""


def breakages(case: Case) -> list[Case]:
    """Return all breakages of a valid case, in the order of the bytes."""
    cases = [*_versions(case), *_cuts(case)]
    for node in _leaves_and_arrays(case.reading.fields):
        cases += _lengths(case, node)
        cases += _characters(case, node)
        cases += _entry_twice(case, node)
    return cases


def _broken_case(case: Case, kind: str, data: bytes, where: str) -> Case:
    return Case(case.name, data, case.version, kind, where)


def _versions(case: Case) -> Iterator[Case]:
    if not case.has_version:
        return
    latest = case.message.LATEST
    for version in (-1, -2, -32768, latest + 1, 100, 32767, *case.message.VERSIONS):
        kind = "version" if version < 0 or version > latest else "label"
        changed = version.to_bytes(2, "big", signed=True) + case.data[2:]
        yield _broken_case(case, kind, changed, f"version {version}")


def _cuts(case: Case) -> Iterator[Case]:
    for end in _ends(case):
        yield _broken_case(case, "cut", case.data[:end], f"cut at byte {end}")


def _ends(case: Case) -> Iterator[int]:
    """Yield where to cut: at every byte, except in the middle of a long value."""
    start = 0
    for node in _leaves_and_arrays(case.reading.fields):
        if not node.children and node.end - node.start > 2 * _BESIDE_A_CUT:
            yield from range(start, node.start + _BESIDE_A_CUT)
            start = node.end - _BESIDE_A_CUT
    yield from range(start, len(case.data))


_BESIDE_A_CUT = 512  # bytes of a long value at which it is cut, at its beginning and its end


def _leaves_and_arrays(nodes: tuple[FieldNode, ...] | list[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        yield node
        yield from _leaves_and_arrays(node.children)


def _lengths(case: Case, node: FieldNode) -> Iterator[Case]:
    """Yield the case with other lengths or counts in front of a field."""
    size = _prefix(node)
    if size is None:
        return
    old = case.data[node.start : node.start + size]
    for kind, new in _varints(old) if _compact(case) else _fixed(old):
        if new != old:
            changed = case.data[: node.start] + new + case.data[node.start + size :]
            yield _broken_case(case, kind, changed, f"{node.path}: {old.hex()} became {new.hex()}")


def _prefix(node: FieldNode) -> int | None:
    """Return the size of a field's length or count in bytes; None if the field has none."""
    if node.type.startswith("[]"):
        return (node.children[0].start if node.children else node.end) - node.start
    if node.type in ("string", "bytes", "records"):
        data = node.value.encode() if isinstance(node.value, str) else node.value or b""
        return node.end - node.start - len(data)
    return None


def _compact(case: Case) -> bool:
    version = case.truth.schema_version
    return version is not None and layout_of(case.message, version).flexible


_WRONG, _NEGATIVE, _HUGE = "length", "negative-length", "huge-length"


def _fixed(old: bytes) -> Iterator[tuple[str, bytes]]:
    highest = (1 << 8 * len(old) - 1) - 1
    length = int.from_bytes(old, "big", signed=True)
    for kind, lengths in (
        (_WRONG, (length + 1, length - 1, 0)),
        (_NEGATIVE, (-1, -2, -highest - 1)),
        (_HUGE, (highest, _COUNT)),
    ):
        for new in lengths:
            if -highest - 1 <= new <= highest:
                yield kind, new.to_bytes(len(old), "big", signed=True)


def _varints(old: bytes) -> Iterator[tuple[str, bytes]]:
    yield _WRONG, b"\0"  # null
    yield _WRONG, b"\1"  # empty
    yield _WRONG, bytes([old[0] ^ 1])
    yield _WRONG, bytes([*old[:-1], old[-1] | 0x80, 0])  # the same, longer than needed
    yield _NEGATIVE, bytes.fromhex("ffffffff0f")
    yield _NEGATIVE, bytes.fromhex("808080808001")
    yield _HUGE, bytes.fromhex("81ade204")  # `_COUNT`, and one for the compact form


def _characters(case: Case, node: FieldNode) -> Iterator[Case]:
    if node.type != "string" or not node.value:
        return
    at = node.end - len(node.value.encode())
    for bad in _INVALID_UTF8:
        if len(bad) <= node.end - at:
            changed = case.data[:at] + bad + case.data[at + len(bad) :]
            yield _broken_case(case, "utf-8", changed, f"{node.path}: {bad.hex()} in it")


def _entry_twice(case: Case, node: FieldNode) -> Iterator[Case]:
    """Yield the case with an array's first entry twice, which is valid and which readers treat
    differently.
    """
    size = _prefix(node)
    if not (node.type.startswith("[]") and node.children and size == 4):
        return
    first = node.children[0]
    count = int.from_bytes(case.data[node.start : node.start + 4], "big") + 1
    entry = case.data[first.start : first.end]
    front = case.data[: node.start] + count.to_bytes(4, "big")
    changed = front + entry + case.data[node.start + 4 :]
    yield _broken_case(case, "valid", changed, f"{node.path}: its first entry twice")
