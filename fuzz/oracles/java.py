"""The reference oracle: Apache Kafka's own classes, in this process, one batch per call.

The bytes of the consumer protocol mean what the Java client makes of them, so its classes are asked
directly, through JPype and a small Java helper (``Judge.java``). Crossing into Java costs more than
judging a message; every method takes a batch and crosses once.

An exception in Java is a refusal, which is an answer. An error in Java (out of memory, out of
stack, contradictory answers) is none: it is raised here as `JavaFailure`.

Two traps for callers:

- There is one JVM a process and it does not survive ``fork``: make the oracle in the process that
  uses it.
- Kafka takes cubic time over elements with equal map keys (3,000 entries of one topic, 18 kB,
  hold it for seconds), and a call into Java cannot be interrupted: bound the size of inputs.
"""

from __future__ import annotations

import base64
import functools
import gc
import importlib
import json
import os
import struct
import zipfile
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Literal, NamedTuple, Protocol, TypeAlias, cast, get_args

from ...codec.read.decoding import KAFKA_RELEASE
from ...extras import install_command
from ..building import JAVA_RELEASE, JavaUnavailable, compile_java, fetch_jars
from ..subject import CONSUMER_PROTOCOL

Assignor: TypeAlias = Literal["range", "roundrobin", "sticky", "cooperative-sticky"]
JsonObject: TypeAlias = dict[str, object]
"""A message in Kafka's JSON form: camelCase names, bytes as base64, NaN and infinities as text."""

_FAILED = 2  # Judge.FAILED: neither a refusal (0) nor an acceptance (1)

_JVM_OPTIONS: tuple[str, ...] = (
    "-Xmx1g",
    "-XX:+UseSerialGC",
    # Only class and message of an exception are ever looked at; filling in the stack trace would
    # take half of the time that a refusal takes.
    "-XX:-StackTraceInThrowable",
    # Signals belong to Python: Ctrl-C ends a campaign in order, not in the JVM's way.
    "-Xrs",
)


class JavaFailure(Exception):
    """Java gave no verdict: it ran out of memory or stack, or contradicted itself."""


class JavaRefusal(Exception):
    """An assignor refused a group; the message is Java's."""


class JavaUnsupported(Exception):
    """Kafka has no code for what was asked."""


class JavaVerdict(NamedTuple):
    """Java's answer to a subscription or an assignment with its version in front."""

    accept: bool
    """The verdict of ``ConsumerProtocol.deserialize*``."""
    version: int | None
    """The version on the wire, if accepted."""
    schema_version: int | None
    """The version it was read as: the highest one known, for newer ones."""
    left: int | None
    """The number of bytes left unread, if accepted."""
    json: JsonObject | None
    """The value, if accepted, as the generated class read it at ``schema_version``."""
    error: str | None
    """Java's exception, ``Class: message``, if refused."""


class BodyReading(NamedTuple):
    """The answer of a generated class to a body at one version."""

    accept: bool
    left: int | None
    """The number of bytes left unread, if accepted."""
    end: int
    """How many bytes had been taken when the reader was done or gave up."""
    json: JsonObject | None
    """The value, if accepted; the content of a field of records is not in it."""
    again: bytes | None
    """The value written at the same version; None if refused or if Java cannot write it."""
    error: str | None
    """Java's exception, ``Class: message``, on reading or else on writing again."""


class Written(NamedTuple):
    """Java's answer to a JSON text: a body or a refusal."""

    data: bytes | None
    error: str | None


class Digests(NamedTuple):
    """Answers in columns, an entry per input: enough to compare values without parsing any."""

    left: list[int | None]
    """The number of bytes left unread; None if refused."""
    again: list[bytes | None]
    """The value written again; None if refused or if Java cannot write it."""


class JavaOracle:
    """Asks Apache Kafka's classes. The first one made in a process starts its JVM.

    Raises `JavaUnavailable` if the JVM or the artifacts cannot be had. Messages go by the names of
    their definitions (``JoinGroupRequest``, not ``JoinGroupRequestData``). Methods raise
    `ValueError` for a name or version that Kafka has no code for, and `JavaFailure` if Java gave no
    verdict. A batch is held several times over on both sides: a thousand messages each is fastest,
    and 64 MiB is about the limit.
    """

    def __init__(self) -> None:
        self._machine = _start()

    def names(self) -> dict[str, tuple[int, int]]:
        """Return every message that Kafka has a class for, with its lowest and highest version."""
        return {name: message.versions for name, message in self._machine.messages.items()}

    def with_records(self) -> frozenset[str]:
        """Return the messages that hold record batches, which have no JSON form to read."""
        messages = self._machine.messages
        return frozenset(name for name, message in messages.items() if message.records)

    def deserialize(self, name: str, payloads: Sequence[bytes]) -> list[JavaVerdict]:
        """Judge subscriptions or assignments, version in front, as a group's members do."""
        message = self._consumer_protocol(name)
        sheet = self._judge.deserialize(message.java, *_pack(payloads), True)
        return [
            JavaVerdict(
                True, _version_field(payload), row.version, len(payload) - row.end, row.json, None
            )
            if row.accept
            else JavaVerdict(False, None, None, None, None, row.error)
            for payload, row in zip(payloads, _rows(sheet, payloads), strict=True)
        ]

    def read(self, name: str, version: int, bodies: Sequence[bytes]) -> list[BodyReading]:
        """Read bodies, without anything in front, as one version of a message."""
        message = self._message(name, version)
        sheet = self._judge.read(message.java, version, *_pack(bodies), True)
        return [
            BodyReading(
                accept=row.accept,
                left=len(body) - row.end if row.accept else None,
                end=row.end,
                json=row.json,
                again=row.data,
                error=row.error,
            )
            for body, row in zip(bodies, _rows(sheet, bodies), strict=True)
        ]

    def write(self, name: str, version: int, texts: Sequence[str]) -> list[Written]:
        """Write bodies from JSON texts, which want every field that the version has.

        Raises `JavaUnsupported` for messages with records: Kafka's JSON reader lacks them.
        """
        message = self._message(name, version)
        if message.records:
            raise JavaUnsupported(f"Kafka has no JSON reader for {name}, which holds records")
        inputs = [text.encode() for text in texts]
        sheet = self._judge.write(message.java, version, *_pack(inputs))
        return [Written(row.data, row.error) for row in _rows(sheet, inputs)]

    def digests(
        self, name: str, payloads: Sequence[bytes], *, version: int | None = None
    ) -> Digests:
        """Judge a batch and return bytes alone, by the hundred thousand a second.

        With a version, payloads are bodies, as for `read`, and so is what comes back. Without, they
        are whole subscriptions or assignments, as for `deserialize`, and come back under the
        version they were read as. The generated classes write what they hold, unsorted and
        unmerged, so equal bytes mean equal values.
        """
        data, ends = _pack(payloads)
        if version is None:
            java = self._consumer_protocol(name).java
            sheet = self._judge.deserialize(java, data, ends, False)
        else:
            java = self._message(name, version).java
            sheet = self._judge.read(java, version, data, ends, False)
        _check(sheet, payloads)
        verdicts = bytes(sheet.verdicts)
        stops = _integers(sheet.stops, len(ends))
        return Digests(
            left=[
                len(payload) - stop if verdict else None
                for payload, stop, verdict in zip(payloads, stops, verdicts, strict=True)
            ],
            again=_cells(sheet.bytes, len(ends)),
        )

    def assign(
        self,
        assignor: Assignor,
        topics: Mapping[str, int],
        racks: Mapping[str, Sequence[Sequence[str | None]]] | None,
        members: Iterable[tuple[str, bytes, str | None]],
    ) -> dict[str, list[tuple[str, int]]]:
        """Let a Java assignor divide topics (name to partition count) among the members.

        ``racks`` names the racks of the replicas, per topic and partition. A member is its id,
        the bytes of its subscription and its group instance id. The order of the members is the
        order Java meets them in, and can matter. Partitions come back in Java's order.

        Raises `JavaRefusal` with Java's reason, for a subscription that is broken, say.
        """
        if assignor not in get_args(Assignor):
            raise ValueError(f"{assignor!r} is not one of {', '.join(get_args(Assignor))}")
        group = {
            "assignor": assignor,
            "topics": dict(topics),
            "racks": racks,
            "members": [
                {
                    "member_id": member_id,
                    "subscription": base64.b64encode(subscription).decode(),
                    "group_instance_id": group_instance_id,
                }
                for member_id, subscription, group_instance_id in members
            ],
        }
        inputs = [json.dumps(group).encode()]
        (row,) = _rows(self._judge.assign(*_pack(inputs)), inputs)
        if row.json is None:
            raise JavaRefusal(row.error)
        partitions_by_member = cast("dict[str, list[tuple[str, int]]]", row.json)
        return {
            member: [(topic, partition) for topic, partition in partitions]
            for member, partitions in partitions_by_member.items()
        }

    @property
    def _judge(self) -> _Judge:
        if self._machine.process != os.getpid():
            raise JavaFailure("the JVM did not survive a fork: make the oracle in the child alone")
        return self._machine.judge

    def _message(self, name: str, version: int) -> _Message:
        message = self._message_named(name)
        lowest, highest = message.versions
        if not lowest <= version <= highest:
            # Kafka checks the range before it calls a class; the classes themselves do not.
            raise ValueError(f"Kafka reads {name} {lowest}-{highest}, not version {version}")
        return message

    def _consumer_protocol(self, name: str) -> _Message:
        if name not in CONSUMER_PROTOCOL:
            raise ValueError(f"{name!r} is neither {' nor '.join(CONSUMER_PROTOCOL)}")
        return self._message_named(name)

    def _message_named(self, name: str) -> _Message:
        if name not in self._machine.messages:
            raise ValueError(f"Kafka has no class for a message named {name!r}")
        return self._machine.messages[name]


# The border. JPype has no types, and its arrays offer the buffer protocol: what comes out of Java
# is described here, and nowhere else is anything taken on trust.


class _Column(Protocol):
    cuts: memoryview
    cells: memoryview


class _Sheet(Protocol):
    verdicts: memoryview
    versions: memoryview
    stops: memoryview
    json: _Column
    bytes: _Column
    errors: _Column


class _Judge(Protocol):
    def describe(self, names: list[str]) -> memoryview: ...

    def read(
        self, name: str, version: int, bodies: bytes, ends: array[int], with_json: bool
    ) -> _Sheet: ...

    def deserialize(
        self, name: str, payloads: bytes, ends: array[int], with_json: bool
    ) -> _Sheet: ...

    def write(self, name: str, version: int, texts: bytes, ends: array[int]) -> _Sheet: ...

    def assign(self, groups: bytes, ends: array[int]) -> _Sheet: ...


@dataclass(frozen=True, slots=True)
class _Message:
    java: str
    versions: tuple[int, int]
    records: bool


@dataclass(frozen=True, slots=True)
class _Machine:
    """The running JVM: one a process, which JPype and Java both insist on."""

    process: int
    judge: _Judge
    messages: dict[str, _Message]


@functools.cache
def _start() -> _Machine:
    toolchain = locate()
    jpype = load_jpype()
    classpath = [str(path) for path in (toolchain.judge, *toolchain.jars)]
    if jpype.isJVMStarted():  # by someone else, for something else
        for path in classpath:
            jpype.addClassPath(path)
    else:
        collect = list(gc.callbacks)
        jpype.startJVM(str(toolchain.jvm), *_JVM_OPTIONS, classpath=classpath, convertStrings=False)
        # JPype would have Java collect whenever Python has grown, and a thread of Java's release
        # what it held of Python's: at the moment at which tracemalloc is stopped, that is a crash
        # (CPython's gh-128679). Java is handed nothing here that it would hold.
        gc.callbacks[:] = collect
    release = jpype.getJVMVersion()[0]
    if release < JAVA_RELEASE:
        raise JavaUnavailable(f"Kafka's classes need Java {JAVA_RELEASE}; this is {release}")
    judge = cast("_Judge", jpype.JClass("Judge"))
    return _Machine(os.getpid(), judge, _describe(judge, kafka_classes(toolchain.jars)))


def kafka_classes(jars: Iterable[Path]) -> dict[str, str]:
    """Return the Java class of each definition in the jars.

    A definition is ``common/message/<name>.json``; its class is called the same, or, for requests,
    responses and headers, the same with ``Data`` appended, and has a JSON converter next to it.
    Definitions that no version is left of have no class.
    """
    classes = {}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            paths = archive.namelist()
        converters = {
            path.rpartition("/")[2].removesuffix("JsonConverter.class"): path
            for path in paths
            if path.endswith("JsonConverter.class")
        }
        for path in paths:
            if not (path.startswith("common/message/") and path.endswith(".json")):
                continue
            name = path.removeprefix("common/message/").removesuffix(".json")
            converter = converters.get(name) or converters.get(f"{name}Data")
            if converter is not None:
                classes[name] = converter.removesuffix("JsonConverter.class").replace("/", ".")
    return dict(sorted(classes.items()))


def _describe(judge: _Judge, classes: dict[str, str]) -> dict[str, _Message]:
    numbers = _integers(judge.describe(list(classes.values())), 3 * len(classes))
    facts = zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
    return {
        name: _Message(java=java, versions=(lowest, highest), records=bool(records))
        for (name, java), (lowest, highest, records) in zip(classes.items(), facts, strict=True)
    }


def _pack(inputs: Sequence[bytes]) -> tuple[bytes, array[int]]:
    return b"".join(inputs), array("i", accumulate(map(len, inputs)))


class _Row(NamedTuple):
    accept: bool
    version: int
    end: int
    json: JsonObject | None
    data: bytes | None
    error: str | None


def _rows(sheet: _Sheet, inputs: Sequence[bytes]) -> Iterable[_Row]:
    _check(sheet, inputs)
    size = len(inputs)
    columns = zip(
        bytes(sheet.verdicts),
        struct.unpack(f"={size}h", sheet.versions),
        _integers(sheet.stops, size),
        _cells(sheet.json, size),
        _cells(sheet.bytes, size),
        _cells(sheet.errors, size),
        strict=True,
    )
    for verdict, version, end, text, data, error in columns:
        yield _Row(
            accept=bool(verdict),
            version=version,
            end=end,
            json=None if text is None else json.loads(text),
            data=data,
            error=None if error is None else error.decode(),
        )


def _check(sheet: _Sheet, inputs: Sequence[bytes]) -> None:
    row = bytes(sheet.verdicts).find(_FAILED)
    if row >= 0:
        error = _cells(sheet.errors, len(inputs))[row] or b""
        beginning = inputs[row][:64].hex()
        raise JavaFailure(f"{error.decode()} at input {row} of the batch, {beginning}")


def _cells(column: _Column, size: int) -> list[bytes | None]:
    cells = bytes(column.cells)
    cut: list[bytes | None] = []
    start = 0
    for end in _integers(column.cuts, size):
        if end < 0:
            cut.append(None)
        else:
            cut.append(cells[start:end])
            start = end
    return cut


def _integers(numbers: memoryview, size: int) -> tuple[int, ...]:
    return struct.unpack(f"={size}i", numbers)


def _version_field(payload: bytes) -> int:
    return int.from_bytes(payload[:2], "big", signed=True)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The parts that the oracle's JVM is started with."""

    jvm: Path
    """The JVM's shared library."""
    jars: tuple[Path, ...]
    """Kafka's jars and their dependencies."""
    judge: Path
    """The folder of the compiled helper."""


def locate() -> Toolchain:
    """Return the parts of the oracle; those that the cache does not hold yet are made.

    Raises `JavaUnavailable` if JPype, a JVM or, for what has to be made, Maven or javac is missing,
    or if one of them fails.
    """
    jvm = find_jvm(load_jpype())
    jars = fetch_kafka()
    judge = compile_judge(jars)
    return Toolchain(jvm=jvm, jars=tuple(sorted(jars.glob("*.jar"))), judge=judge)


def fetch_kafka() -> Path:
    """Return the folder of Kafka's jars, of the release that the codec follows, and of their
    dependencies. Raises `JavaUnavailable`."""
    pom = (resources.files(__package__) / "pom.xml").read_bytes()
    return fetch_jars(pom.replace(b">RELEASE<", f">{KAFKA_RELEASE}<".encode()))


def compile_judge(jars: Path) -> Path:
    """Return the folder of the compiled helper. Raises `JavaUnavailable`."""
    helper = (resources.files(__package__) / "Judge.java").read_bytes()
    return compile_java(helper, "Judge", jars)


def load_jpype() -> ModuleType:
    """Return the JPype module, which is an extra: nothing else of kproto needs it. Raises
    `JavaUnavailable`.
    """
    try:
        return importlib.import_module("jpype")
    except ImportError as error:
        needs = f"JPype is not installed: {install_command('java')}"
        raise JavaUnavailable(needs) from error


def find_jvm(jpype: ModuleType) -> Path:
    """Return the path of the JVM's library. Raises `JavaUnavailable` if there is none."""
    try:
        return Path(jpype.getDefaultJVMPath())
    except ValueError as error:  # what JPype's own exceptions are
        raise JavaUnavailable(
            f"no Java is installed: install a JDK of {JAVA_RELEASE} or newer, or set JAVA_HOME"
        ) from error
