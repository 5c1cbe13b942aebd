"""Predict what released clients do with some bytes, from what they did with similar ones.

`readers.json` holds inputs and, for each client, what its own code made of them; `kproto conform
--matrix` measures that. For bytes that are not among the inputs, the rules of the client's code say
whether it accepts them (`reader_rules`). What the client says of them is that of the nearest input
with that outcome, by the traits that clients are known to differ by (`traits`), not by how many
bytes differ.

>>> owned_is_missing = bytes.fromhex("000100000001000161ffffffff")
>>> name = "ConsumerProtocolSubscription"
>>> [p.does for p in predict_as(name, owned_is_missing, ("sarama", "java-4.4"))]
['takes what Kafka refuses', 'refuses it']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from ..codec import message_class
from ..codec.errors import ErrorKind
from ..codec.read.decoding import Decoded, Policy, decode
from ..codec.read.deviations import CODES
from .catalog import table_bytes
from .consequences import FAILS, NOT_KNOWN, READS, READS_OTHERWISE, REFUSES, TAKES
from .reader_rules import ASSIGNMENT, RELEASES, SUBSCRIPTION, outcome_by_rules

_MESSAGES = (SUBSCRIPTION, ASSIGNMENT)


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
    """What a reader did with some bytes, or would do by the rules of its code.

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
    """The rules of the client's code say so; the nearest input is one with that outcome, if any."""


# -- the table


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


def to_text(table: Measured) -> str:
    """Return the text of `readers.json`, with a line for each input and each reader."""
    inputs = ",\n".join(
        msgspec.json.encode((item.message, item.data.hex())).decode() for item in table.inputs
    )
    readers = ",\n".join(
        f'"{reader.name}": {msgspec.json.encode(_column(reader)).decode()}'
        for reader in table.readers
    )
    return f'{{"date": "{table.date}",\n"inputs": [\n{inputs}\n],\n"readers": {{\n{readers}\n}}}}\n'


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
        outcomes = [column.outcomes[number] for number in column.by_input]
        does, answers = zip(*outcomes, strict=True)
        readers.append(Reader(name, column.client, column.release, does, answers))
    return Measured(file.date, inputs, tuple(readers))


@lru_cache(maxsize=1)
def measured_readers() -> Measured:
    """Return the table that comes with the package."""
    return from_text(table_bytes("readers.json"))


def reader_names() -> tuple[str, ...]:
    """Return the names of all readers: those that were measured, Connect and Streams."""
    names = [reader.name for reader in measured_readers().readers]
    return tuple(dict.fromkeys([*names, *RELEASES]))


def select_readers(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the readers that are meant: "franz-go" is every name that begins like
    that, "kafka-clients" every reader of that client, "all" is every reader.

    Raises KeyError for a name that no reader has.
    """
    names = reader_names()
    of_client: dict[str, list[str]] = {}
    for reader in measured_readers().readers:
        of_client.setdefault(reader.client.partition(" (")[0].lower(), []).append(reader.name)
    selected: dict[str, None] = {}
    for pattern in patterns:
        fits = [name for name in names if pattern == "all" or name.startswith(f"{pattern}-")]
        fits = [pattern] if pattern in names else fits or of_client.get(pattern.lower(), [])
        if not fits:
            raise KeyError(pattern)
        selected |= dict.fromkeys(fits)
    return tuple(selected)


# -- predictions


def predict(result: Decoded[Any], readers: Sequence[str] = ()) -> tuple[Prediction, ...]:
    """Return what these readers would do with the bytes, or all readers if none is named.

    A reader of other messages is left out: clients read those of the consumer protocol, releases of
    Connect and Streams their own. Raises KeyError for a name that no reader has.
    """
    has_label = result.message_class.FRAMING.kind == "version"
    if has_label and result.reading and not result.reading.start:
        return ()
    return predict_as(result.message_class.NAME, bytes(result.data), readers)


def predict_as(name: str, data: bytes, readers: Sequence[str] = ()) -> tuple[Prediction, ...]:
    """Return the same of the bytes as the message of that name."""
    rows = {reader.name: reader for reader in measured_readers().readers}
    for reader in readers:
        if reader not in rows and reader not in RELEASES:
            raise KeyError(reader)
    names = readers or reader_names()
    if name in _MESSAGES:
        nearest = _nearest(name, data)
        return tuple(_of_row(rows[reader], nearest) for reader in names if reader in rows)
    return tuple(
        _of_release(reader, name, data)
        for reader in names
        if reader in RELEASES and name in RELEASES[reader].messages
    )


def _of_release(reader: str, name: str, data: bytes) -> Prediction:
    does = outcome_by_rules(reader, name, data)
    question = _question(reader, name, data) if does == NOT_KNOWN else ""
    client = RELEASES[reader].client
    return Prediction(reader, client, does, "", None, False, (), question, by_rules=True)


class _Nearest(NamedTuple):
    """The numbers of the inputs of that message, the nearest to `data` first."""

    numbers: tuple[int, ...]
    traits: frozenset[str]
    data: bytes
    name: str

    def first(self, reader: Reader, outcomes: Sequence[str]) -> int:
        """Return the nearest input with one of these outcomes; the nearest if none has one."""
        fits = (number for number in self.numbers if reader.does[number] in outcomes)
        return next(fits, self.numbers[0])


_MEASURED = (READS, READS_OTHERWISE, TAKES, REFUSES, FAILS)


_VALUE = "as {"
"""How an answer begins that quotes the fields of its own input: of no other one is it true."""


def _of_row(reader: Reader, nearest: _Nearest) -> Prediction:
    number = nearest.first(reader, _MEASURED)
    exact = measured_readers().inputs[number].data == nearest.data
    if exact:
        does = reader.does[number]
    else:
        does = outcome_by_rules(reader.name, nearest.name, nearest.data)
        number = number if does == NOT_KNOWN else nearest.first(reader, (does,))
    differs = tuple(sorted(nearest.traits ^ _traits_of_inputs()[number][1]))
    is_alike = all(trait.partition(" ")[0] in _HARMLESS for trait in differs)
    said = reader.said[number] if is_alike and does == reader.does[number] else ""
    return Prediction(
        reader.name,
        f"{reader.client} {reader.release}",
        does,
        "" if said.startswith(_VALUE) and not exact else said,
        measured_readers().inputs[number].data,
        exact,
        differs,
        _question(reader.name, nearest.name, nearest.data) if does == NOT_KNOWN else "",
        not exact,
    )


_LONGEST_QUESTION = 2000  # bytes: a command line has to hold them


def _question(reader: str, name: str, data: bytes) -> str:
    """Return the command that asks a reader for the bytes."""
    text = data.hex() if len(data) <= _LONGEST_QUESTION else "HEX"
    return f"kproto conform --adapter {reader} --as {name} --ask {text}"


@lru_cache(maxsize=1024)
def _nearest(name: str, data: bytes) -> _Nearest:
    own = traits(name, data)
    distances = sorted(
        (-1 if item.data == data else distance, abs(len(item.data) - len(data)), number)
        for distance, item, number in _distances(name, own)
    )
    return _Nearest(tuple(number for _, _, number in distances), own, data, name)


@lru_cache(maxsize=64)  # the messages of a file have few traits
def _distances(name: str, own: frozenset[str]) -> tuple[tuple[int, Input, int], ...]:
    """The measured inputs of a message with their numbers, and how far their traits are."""
    return tuple(
        (_distance(own ^ its), item, number)
        for number, (item, its) in enumerate(_traits_of_inputs())
        if item.message == name
    )


@lru_cache(maxsize=1)
def _traits_of_inputs() -> tuple[tuple[Input, frozenset[str]], ...]:
    return tuple((item, traits(item.message, item.data)) for item in measured_readers().inputs)


def _distance(differing: frozenset[str]) -> int:
    return sum(_WEIGHTS.get(trait.partition(" ")[0], 3) for trait in differing)


# -- traits

_HARMLESS = {"style", "generation", "data"}
"""The traits that no client was seen to decide by, where all others are the same; one difference in
any other says that the input is no evidence."""
_WEIGHTS = {"error": 12, "version": 4, "count": 8, "length": 8, "topic": 12, "left": 6, "style": 1}
_INDEX = re.compile(r"\[\d+\]")
_COUNTS = ((1 << 26, "beyond 64 million"), (1 << 16, "beyond 65,536"), (0, "small"))
_ODD_TOPICS = {"__proto__": "named __proto__", "": "with no name"}


def traits(name: str, data: bytes) -> frozenset[str]:
    """Return the traits of the bytes that clients are known to differ by, in words."""
    cls = message_class(name)
    result = decode(data, cls, policy=Policy.LENIENT)
    words = {f"version {_version(result.version, cls.LATEST)}"}
    if result.error is not None:
        path = _INDEX.sub("", result.error.path) or "front"
        words.add(f"error {result.error.kind.value} in {path}")
        words |= _claimed(data, result)
    for deviation in result.deviations:
        path = _INDEX.sub("", deviation.path) or "front"
        explanation = CODES[deviation.code].explanation
        kind = "style" if deviation.class_ == "style" else deviation.code
        words.add(f"{kind} {explanation} in {path}")
    if result.remainder and result.complete:
        words.add("left bytes after the last field")
    if result.message is not None:
        words |= set(_of_values(result.message))
    if result.version is not None and result.version < 0:
        # Many readers go on, as if it were version 0.
        words |= traits(name, b"\0\0" + data[2:]) - {"version 0"}
    return frozenset(words)


def _version(version: int | None, newest: int) -> str:
    if version is None:
        return "missing"
    if version < 0:
        return "negative"
    return f"newer than {newest}" if version > newest else str(version)


def _claimed(data: bytes, result: Decoded[Any]) -> set[str]:
    """The size of a count that exceeds the input, or of a negative length, in words: what costs a
    reader memory, and time."""
    assert result.error is not None
    offset, kind = result.error.offset, result.error.kind
    number = int.from_bytes(data[offset : offset + 4], "big", signed=True)
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
