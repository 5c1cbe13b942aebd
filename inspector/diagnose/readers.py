"""Predict what released clients do with some bytes, from what they did with similar ones.

`readers.json` holds inputs and, for each client, what its own code made of them; `kproto conform
--matrix` measures that. For bytes that are not among the inputs, the rules of the client's code say
whether it accepts them (`client_rules`). For a client without rules the nearest input decides, by
the traits that clients are known to differ by (`traits`), not by how many bytes differ.

>>> found = predict(bytes.fromhex("000100000001000161ffffffff"), ("sarama", "java-4.4"))
>>> [(each.reader, each.does, each.exact) for each in found]
[('sarama', 'takes what Kafka refuses', True), ('java-4.4', 'refuses it', True)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, message_class
from ...codec.errors import ErrorKind
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.read.deviations import CODES
from ...codec.runtime.message import Buffer
from ..identification.identify import examine
from .client_rules import walked
from .client_walks import Walked
from .group_data_readers import RELEASES, Foretold, foretold

READS = "reads it"
READS_OTHERWISE = "reads something else"
TAKES = "takes what Kafka refuses"
REFUSES = "refuses it"
FAILS = "does not survive it"
UNKNOWN = "was not seen"
"""The measured client has no API for such bytes."""
NOT_KNOWN = "not known"
"""Nothing near enough was measured."""
TROUBLE = (READS_OTHERWISE, REFUSES, FAILS)
"""Outcomes that stop or harm a group whose leader, or the member that is meant, is the reader."""


class Input(NamedTuple):
    """A message's name, and bytes that clients were given to decode as it."""

    message: str
    data: bytes


class Reader(NamedTuple):
    """A client: what it `does` with each input, and what it `said`, in the order of the inputs."""

    name: str
    client: str
    release: str
    does: tuple[str, ...]
    said: tuple[str, ...]


class Measured(NamedTuple):
    """The table of what clients did with each input, and the date of the measurement."""

    date: str
    inputs: tuple[Input, ...]
    readers: tuple[Reader, ...]


class Prediction(NamedTuple):
    """What a reader would do with some bytes, by the rules of its code or by the nearest input.

    `exact`: the nearest input is these very bytes. Otherwise `differs` names the traits that only
    one of the two has; it is empty where they have the same traits.
    """

    reader: str
    client: str
    does: str
    said: str
    nearest: bytes | None
    """None for a reader of which no table was measured."""
    exact: bool
    differs: tuple[str, ...]
    question: str = ""
    """The command that would find out, where the outcome is not known; else ""."""
    by_rules: bool = False
    """The rules of the client's code say so, and the nearest input is one with that outcome."""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    date: str
    inputs: list[tuple[str, str]]
    readers: dict[str, _Column]


class _Column(msgspec.Struct, forbid_unknown_fields=True):
    client: str
    release: str
    outcomes: list[tuple[str, str]]
    """The distinct pairs of what it did and said."""
    by_input: list[int]


def to_text(measured: Measured) -> str:
    """Return the text of `readers.json`, with a line for each input and each reader."""
    inputs = ",\n".join(
        msgspec.json.encode((item.message, item.data.hex())).decode() for item in measured.inputs
    )
    readers = ",\n".join(
        f'"{reader.name}": {msgspec.json.encode(_column(reader)).decode()}'
        for reader in measured.readers
    )
    return (
        f'{{"date": "{measured.date}",\n"inputs": [\n{inputs}\n],\n"readers": {{\n{readers}\n}}}}\n'
    )


def _column(reader: Reader) -> _Column:
    pairs = list(zip(reader.does, reader.said, strict=True))
    outcomes = sorted(set(pairs))
    number = {outcome: index for index, outcome in enumerate(outcomes)}
    return _Column(reader.client, reader.release, outcomes, [number[pair] for pair in pairs])


def from_text(text: bytes) -> Measured:
    """Return the table that the text of a `readers.json` holds."""
    file = msgspec.json.decode(text, type=_File)
    inputs = tuple(Input(name, bytes.fromhex(data)) for name, data in file.inputs)
    readers = []
    for name, column in file.readers.items():
        found = [column.outcomes[number] for number in column.by_input]
        does, said = zip(*found, strict=True)
        readers.append(Reader(name, column.client, column.release, does, said))
    return Measured(file.date, inputs, tuple(readers))


@lru_cache(maxsize=1)
def measured() -> Measured:
    """Return the table that comes with the package."""
    return from_text(Path(__file__).with_name("readers.json").read_bytes())


def names() -> tuple[str, ...]:
    """Return the names of all readers."""
    return (*(reader.name for reader in measured().readers), *RELEASES)


def named(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the readers that are meant: "franz-go" is every name that begins like
    that, "all" is every reader.

    Raises KeyError for a name that no reader has.
    """
    known = names()
    found: dict[str, None] = {}
    for name in given:
        alike = [each for each in known if name in (each, "all") or each.startswith(f"{name}-")]
        alike = [name] if name in known else alike
        if not alike:
            raise KeyError(name)
        found |= dict.fromkeys(alike)
    return tuple(found)


def predict(data: Buffer | Decoded[Any], readers: Sequence[str] = ()) -> tuple[Prediction, ...]:
    """Return what these readers would do with the bytes, or all readers if none is named.

    A reader of other messages is left out: clients read those of the consumer protocol, releases of
    Connect and Streams their own. Raises KeyError for a name that no reader has.
    """
    seen = data if isinstance(data, Decoded) else examine(bytes(data)).decoded
    if seen.message_class.FRAMING.kind == "version" and seen.reading and not seen.reading.start:
        return ()
    return predict_as(seen.message_class.NAME, bytes(seen.data), readers)


def predict_as(name: str, data: bytes, readers: Sequence[str] = ()) -> tuple[Prediction, ...]:
    """Return the same of the bytes as the message of that name."""
    rows = {reader.name: reader for reader in measured().readers}
    if name in _MESSAGES:
        found = _nearest(name, data)
        named_ones = [each for each in readers or rows if each not in RELEASES]
        return tuple(_prediction(rows[each], found) for each in named_ones)
    releases = [each for each in readers or RELEASES if each not in rows]
    return tuple(
        _of_release(each, name, data) for each in releases if name in RELEASES[each].messages
    )


_OF_RELEASES = {
    Foretold.READ: READS,
    Foretold.TAKEN: TAKES,
    Foretold.REFUSED: REFUSES,
    Foretold.UNCERTAIN: NOT_KNOWN,
}


def _of_release(reader: str, name: str, data: bytes) -> Prediction:
    does = _OF_RELEASES[foretold(reader, name, data)]
    question = _question(reader, name, data) if does == NOT_KNOWN else ""
    client = RELEASES[reader].client
    return Prediction(reader, client, does, "", None, False, (), question, by_rules=True)


class _Nearest(NamedTuple):
    """The numbers of the inputs of that message, the nearest to `data` first."""

    numbers: tuple[int, ...]
    own: frozenset[str]
    data: bytes
    name: str

    def differs(self, number: int) -> tuple[str, ...]:
        """Return the traits that only one has, the bytes or the input of that number."""
        return tuple(sorted(self.own ^ _known_traits()[number][1]))

    def first(self, reader: Reader, outcomes: Sequence[str]) -> int:
        """Return the nearest input with one of these outcomes; the nearest if none has one."""
        found = (number for number in self.numbers if reader.does[number] in outcomes)
        return next(found, self.numbers[0])


_MEASURED = (READS, READS_OTHERWISE, TAKES, REFUSES, FAILS)


def _prediction(reader: Reader, found: _Nearest) -> Prediction:
    number = found.first(reader, _MEASURED)
    nearest = measured().inputs[number].data
    if nearest != found.data:
        how = walked(reader.name, found.name, found.data)
        if how is not None:
            return _by_rules(reader, found, _BY_RULES[how])
    differs = found.differs(number)
    if _tells_nothing(differs):
        return _not_known(reader, found, number)
    client = f"{reader.client} {reader.release}"
    exact = nearest == found.data
    return Prediction(
        reader.name, client, reader.does[number], reader.said[number], nearest, exact, differs
    )


_BY_RULES = {
    Walked.READ: READS,
    Walked.READ_OTHERWISE: READS_OTHERWISE,
    Walked.TAKEN: TAKES,
    Walked.REFUSED: REFUSES,
    Walked.DIED: FAILS,
    Walked.UNCERTAIN: NOT_KNOWN,
}


def _by_rules(reader: Reader, found: _Nearest, does: str) -> Prediction:
    """The outcome that the rules say, with the nearest input that had it as evidence."""
    if does == NOT_KNOWN:
        return _not_known(reader, found, found.first(reader, _MEASURED), by_rules=True)
    number = found.first(reader, (does,))
    differs = found.differs(number)
    said = "" if _tells_nothing(differs) else reader.said[number]
    client, nearest = f"{reader.client} {reader.release}", measured().inputs[number].data
    return Prediction(reader.name, client, does, said, nearest, False, differs, by_rules=True)


def _not_known(
    reader: Reader, found: _Nearest, number: int, *, by_rules: bool = False
) -> Prediction:
    client, nearest = f"{reader.client} {reader.release}", measured().inputs[number].data
    question, differs = _question(reader.name, found.name, found.data), found.differs(number)
    return Prediction(
        reader.name, client, NOT_KNOWN, "", nearest, False, differs, question, by_rules
    )


_LONGEST_QUESTION = 2000  # bytes: a command line has to hold them


def _question(reader: str, name: str, data: bytes) -> str:
    """Return the command that asks a reader for the bytes."""
    given = data.hex() if len(data) <= _LONGEST_QUESTION else "HEX"
    return f"kproto conform --testee {reader} --as {name} --ask {given}"


def _tells_nothing(differs: Sequence[str]) -> bool:
    """Return whether an input that differs in these traits says nothing: one difference in style is
    the most.
    """
    return any(trait.partition(" ")[0] not in _HARMLESS for trait in differs)


@lru_cache(maxsize=1024)
def _nearest(name: str, data: bytes) -> _Nearest:
    own = traits(name, data)
    distances = sorted(
        (-1 if item.data == data else _distance(own ^ its), abs(len(item.data) - len(data)), number)
        for number, (item, its) in enumerate(_known_traits())
        if item.message == name
    )
    return _Nearest(tuple(number for _, _, number in distances), own, data, name)


@lru_cache(maxsize=1)
def _known_traits() -> tuple[tuple[Input, frozenset[str]], ...]:
    return tuple((item, traits(item.message, item.data)) for item in measured().inputs)


def _distance(differing: frozenset[str]) -> int:
    return sum(_WEIGHTS.get(trait.partition(" ")[0], 3) for trait in differing)


# -- traits

_MESSAGES = (ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME)
_HARMLESS = {"style", "generation", "data"}
"""The traits that no client was seen to decide by, where all others are the same."""
_WEIGHTS = {"error": 12, "version": 4, "count": 8, "length": 8, "topic": 12, "left": 6, "style": 1}
_INDEX = re.compile(r"\[\d+\]")
_COUNTS = ((1 << 26, "beyond 64 million"), (1 << 16, "beyond 65,536"), (0, "small"))
_ODD_TOPICS = {"__proto__": "named __proto__", "": "with no name"}


def traits(name: str, data: bytes) -> frozenset[str]:
    """Return the traits of the bytes that clients are known to differ by, in words."""
    seen = decode(data, message_class(name), policy=Policy.LENIENT)
    found = {f"version {_version(seen.version)}"}
    if seen.error is not None:
        found.add(f"error {seen.error.kind.value} in {_INDEX.sub('', seen.error.path) or 'front'}")
        found |= _claimed(data, seen)
    for deviation in seen.deviations:
        place = _INDEX.sub("", deviation.path) or "front"
        about = CODES[deviation.code].explanation
        kind = "style" if deviation.class_ == "style" else deviation.code
        found.add(f"{kind} {about} in {place}")
    if seen.remainder and seen.complete:
        found.add("left bytes after the last field")
    if seen.message is not None:
        found |= set(_of_values(seen.message))
    if seen.version is not None and seen.version < 0:  # many read on, as if it were version 0
        found |= traits(name, b"\0\0" + data[2:]) - {"version 0"}
    return frozenset(found)


def _version(version: int | None) -> str:
    if version is None:
        return "missing"
    return "negative" if version < 0 else "newer than 3" if version > 3 else str(version)


def _claimed(data: bytes, seen: Decoded[Any]) -> set[str]:
    """The size of a count that exceeds the input, or of a negative length, in words: what costs a
    reader memory, and time."""
    assert seen.error is not None
    at, kind = seen.error.offset, seen.error.kind
    number = int.from_bytes(data[at : at + 4], "big", signed=True)
    if kind is ErrorKind.COUNT_EXCEEDS_INPUT:
        size = next(word for bound, word in _COUNTS if number >= bound)
        return {f"count {size}"}
    if kind is ErrorKind.NEGATIVE_LENGTH:
        return {f"length {'below -1,000' if number < -1000 else 'just below -1'}"}
    return set()


def _of_values(message: Any) -> Iterable[str]:
    entries: Any = getattr(message, "owned_partitions", getattr(message, "assigned_partitions", ()))
    topics = [*getattr(message, "topics", ()), *(entry.topic for entry in entries)]
    yield f"data {_filled(message.user_data)}"
    yield f"entries {'some' if entries else 'none'}"
    if hasattr(message, "topics"):
        yield f"topics {'some' if message.topics else 'none'}"
        yield f"rack {_filled(message.rack_id)}"
        yield f"generation {'negative' if message.generation_id < 0 else 'some'}"
    if any(partition < 0 for entry in entries for partition in entry.partitions):
        yield "partitions negative"
    if any(not entry.partitions for entry in entries):
        yield "partitions none"
    for topic in topics:
        if topic in _ODD_TOPICS:
            yield f"topic {_ODD_TOPICS[topic]}"
        if "\0" in topic:
            yield "topic with a zero character"


def _filled(value: str | bytes | None) -> str:
    return "null" if value is None else "some" if value else "empty"
