"""Messages that real clients sent, read by other clients.

`pairs` has bytes that testees encode when asked. These were captured between running consumers and
a broker: one of each client, release, assignor and message. `captured.json` has them, picked from
tests/vectors/captures by tests/fuzz/pick_captured.py. The verdicts are those of the pairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import NamedTuple

from ....codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Policy,
    StickyAssignorUserData,
    VersionedMessage,
    decode,
)
from ...subject import JsonObject, Read, Subject
from .pairs import (
    ASSIGNMENT,
    MISREAD,
    MISTAKEN,
    NOT_MEASURED,
    NOT_TAKEN,
    REFUSED,
    STICKY,
    SUBSCRIPTION,
    WORKS,
    Stopped,
    check_read,
    check_user_data,
)

_CLASSES: Mapping[str, type[VersionedMessage]] = {
    SUBSCRIPTION: ConsumerProtocolSubscription,
    ASSIGNMENT: ConsumerProtocolAssignment,
}
_VERDICTS = {SUBSCRIPTION: (REFUSED, MISREAD), ASSIGNMENT: (NOT_TAKEN, MISTAKEN)}
_COMPARED = ("topics", "ownedPartitions", "assignedPartitions")
"""The fields that a reader has to show as they were written, where it shows them."""


class Captured(NamedTuple):
    """A message that a real client sent, captured between it and a broker."""

    client: str
    """The client that wrote it."""
    release: str
    assignor: str
    """The assignor that the member joined with; KafkaJS's RoundRobinAssigner is roundrobin."""
    message: str
    hex: str

    @property
    def data(self) -> bytes:
        """The bytes of the message, with the version in front."""
        return bytes.fromhex(self.hex)


class Verdict(NamedTuple):
    """What a reader makes of a message: one of `VERDICTS`, and the reason if it is not `WORKS`."""

    verdict: str
    why: str = ""


@dataclass
class Readings:
    """A captured message, and the verdict of each testee that was asked, by its name."""

    captured: Captured
    readers: dict[str, Verdict] = field(default_factory=dict)


@cache
def captured() -> tuple[Captured, ...]:
    """Return the captured messages, sorted."""
    text = resources.files(__package__).joinpath("captured.json").read_text("utf-8")
    return tuple(Captured(*line) for line in json.loads(text))


def verdicts_of(subject: Subject, names: Iterable[str]) -> dict[Captured, Verdict]:
    """Return a reader's verdict on each captured message of these names, where it has a way to read
    them.
    """
    samples = [sample for sample in captured() if sample.message in set(names)]
    verdicts = {sample: verdict(subject, sample) for sample in samples}
    return {sample: row for sample, row in verdicts.items() if row.verdict != NOT_MEASURED}


def verdict(subject: Subject, message: Captured) -> Verdict:
    """Return a reader's verdict on a captured message."""
    fields = {key: item for key, item in _value_of(message).items() if key in _COMPARED}
    try:
        check_read(subject, message.message, message.data, fields, _VERDICTS[message.message])
        _check_sticky(subject, message)
    except Stopped as stopped:
        return Verdict(*stopped.args)
    return Verdict(WORKS)


def _value_of(message: Captured) -> JsonObject:
    """Return what the writer meant: KafkaJS and kafka-go's Reader put the label of version 1 on a
    body of version 0.
    """
    kind = _CLASSES[message.message]
    result = decode(message.data, kind, policy=Policy.LENIENT)
    if result.message is None:
        return kind.from_body(message.data[2:], version=0).to_json(0)
    return result.message.to_json(result.schema_version)


def _check_sticky(subject: Subject, message: Captured) -> None:
    if message.assignor != "sticky" or message.message != SUBSCRIPTION:
        return
    user_data = ConsumerProtocolSubscription.from_bytes(message.data).user_data
    if not user_data:
        return
    version, value = _previous(user_data)
    if version == 0 and isinstance(subject.decode(STICKY, user_data, 0), Read):
        return  # a reader that takes both versions is asked for the older one by its own code
    check_user_data(subject, user_data, value)


def _previous(user_data: bytes) -> tuple[int, JsonObject]:
    """Return the version of sticky user data and its value. kafka-python 3 puts two bytes in
    front.
    """
    for data, version in ((user_data, 1), (user_data, 0), (user_data[2:], 1)):
        result = decode(data, StickyAssignorUserData, policy=Policy.LENIENT, body_version=version)
        if result.message is not None and not result.remainder:
            return version, result.message.to_json(version)
    raise ValueError(f"not the user data of a sticky assignor: {user_data.hex()}")


def readings_of(columns: Mapping[str, Mapping[Captured, Verdict]]) -> list[Readings]:
    """Return the readings of each captured message, from the verdicts of each testee."""
    return [
        Readings(
            sample,
            {name: verdicts[sample] for name, verdicts in columns.items() if sample in verdicts},
        )
        for sample in captured()
    ]


def keep_older_readings(readings: Sequence[Readings], older: Sequence[Readings],
                        names: Iterable[str]) -> None:  # fmt: skip
    """Add the verdicts that an earlier matrix has of these testees, on the same messages."""
    by_message = {reading.captured: reading.readers for reading in older}
    for reading in readings:
        verdicts = by_message.get(reading.captured, {})
        reading.readers.update({name: verdicts[name] for name in names if name in verdicts})
        reading.readers = dict(sorted(reading.readers.items()))
