"""Who understands whom in one group: what one client writes, as a member or as the leader, and
another reads.

The table of fingerprints says what a client writes under an assignor; here the client's own code
writes it, and the bytes have to fit that table. The leader's assignor does not run: a pair shows
whether two clients understand each other, not whether partitions are well chosen. Fields that a
client does not show are not compared, and user data is compared only if the leader can read it
alone.

Beside these bytes, which adapters encode when asked, there are messages that were captured between
running consumers and a broker: one of each client, release, assignor and message. `captured.json`
has them, picked from tests/vectors/captures by tests/fuzz/pick_captured.py.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from ....clients.catalog import Habit, writers_of
from ....codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyUserData,
    Policy,
    StickyAssignorUserData,
    VersionedMessage,
    decode,
    field_versions,
)
from ....inspector.diagnose.fingerprints import fingerprint
from ...guarantees import comparison as comparing
from ...subject import Failed, JsonObject, Read, Refused, Subject, Unsupported, Written

SUBSCRIPTION, ASSIGNMENT = ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME
STICKY = StickyAssignorUserData.NAME

Entries: TypeAlias = list[JsonObject]

_TOPICS = ["orders", "payments"]
_OWNED: Entries = [{"topic": "orders", "partitions": [0, 1]}]
_ASSIGNED: Entries = [{"topic": "orders", "partitions": [0, 1]},
                      {"topic": "payments", "partitions": [0]}]  # fmt: skip
_GENERATION = 7

WORKS = "works"
REFUSED, MISREAD = "the leader refuses the member", "the leader misreads the member"
USER_DATA = "the leader cannot read the user data"
NOT_TAKEN, MISTAKEN = "the member refuses its assignment", "the member misreads its assignment"
NOT_MEASURED = "not measured"
VERDICTS = (WORKS, REFUSED, MISREAD, USER_DATA, NOT_TAKEN, MISTAKEN, NOT_MEASURED)


class Party(NamedTuple):
    """A client that can be a member and a leader."""

    name: str
    """The adapter's name."""
    habits: str
    """The client's name in the table of fingerprints."""
    release: str
    subject: Subject


_Writer: TypeAlias = Callable[[Party, str], bytes]


class Pair(NamedTuple):
    """The result of a member and a leader under an assignor."""

    member: str
    leader: str
    assignor: str
    verdict: str
    """One of `VERDICTS`."""
    why: str = ""
    subscription: str = ""
    """The subscription's bytes, in hex."""
    assignment: str = ""


class Stopped(Exception):
    """Ends a check with a verdict and the reason."""


def pairs(parties: Sequence[Party]) -> Iterator[Pair]:
    """Yield every ordered pair, also a client with itself, under every assignor that both have.

    A client writes each of its messages once, for all its pairs: some take librdkafka a second.
    """
    subscribe, assign = cache(write_subscription), cache(write_assignment)
    for member, leader in product(parties, parties):
        for assignor in sorted(assignors_of(member) & assignors_of(leader)):
            yield _pair(member, leader, assignor, subscribe, assign)


def assignors_of(party: Party) -> set[str]:
    """Return the assignors that a client has."""
    return {name for habit in _all_habits(party) for name in habit.assignors}


def _all_habits(party: Party) -> list[Habit]:
    writers = writers_of(party.habits, party.release)
    return [habit for client in writers if client.name == party.habits for habit in client.habits]


def _pair(member: Party, leader: Party, assignor: str, subscribe: _Writer, assign: _Writer) -> Pair:
    subscription = assignment = b""
    try:
        subscription = subscribe(member, assignor)
        _check_led(leader, subscription, assignor)
        assignment = assign(leader, assignor)
        _check_taken(member, assignment)
        verdict, why = WORKS, ""
    except Stopped as stopped:
        verdict, why = stopped.args
    hexes = (subscription.hex(), assignment.hex())
    return Pair(member.name, leader.name, assignor, verdict, why, *hexes)


# -- what they write


def write_subscription(member: Party, assignor: str) -> bytes:
    """Return the subscription of a member that owns something, as it writes it under an
    assignor.
    """
    habit = _habit(member, SUBSCRIPTION, assignor)
    sticky = "sticky" in assignor
    owns = habit.owns and assignor == "cooperative-sticky"
    full: JsonObject = {
        "topics": _TOPICS,
        "userData": _user_data(habit, member.subject, assignor),
        "ownedPartitions": _OWNED if owns else [],
        "generationId": _GENERATION if sticky else -1,
        "rackId": "" if habit.rack[:1] == ("empty",) else None,
    }
    return _write(member, SUBSCRIPTION, assignor, _label(habit), full)


def write_assignment(leader: Party, assignor: str) -> bytes:
    """Return the assignment that a leader writes under an assignor."""
    habit = _habit(leader, ASSIGNMENT, assignor)
    user_data = {"null": None, "empty": ""}.get(habit.user_data[0])
    if habit.user_data == ("any",):  # librdkafka: that of the member's own subscription
        user_data = ""
    full: JsonObject = {"assignedPartitions": _ASSIGNED, "userData": user_data}
    return _write(leader, ASSIGNMENT, assignor, _label(habit), full)


def _write(party: Party, name: str, assignor: str, label: int, full: JsonObject) -> bytes:
    kind: Any = {SUBSCRIPTION: ConsumerProtocolSubscription,
                 ASSIGNMENT: ConsumerProtocolAssignment}[name]  # fmt: skip
    fields = {key: full[key] for key in full if label in field_versions(kind, key)}
    value = kind.from_json(fields, version=label).to_json(label)
    match party.subject.encode(name, label, value):
        case Written(data):
            if not fingerprint(data, assignor).allows(party.habits, party.release):
                raise Stopped(NOT_MEASURED, f"{party.name} wrote {data.hex()}, which is not as it "
                               f"writes under {assignor}")  # fmt: skip
            return data
        case Refused(why) | Unsupported(why):
            raise Stopped(NOT_MEASURED, f"{party.name} {why}")
        case failed:
            raise Stopped(NOT_MEASURED, f"{party.name}: {failed.detail}")


def _label(habit: Habit) -> int:
    """Return the newest of the versions that the client writes."""
    return max(int(layout.partition(" on ")[0]) for layout in habit.layouts)


def _habit(party: Party, message: str, assignor: str) -> Habit:
    """Return how the client writes under the assignor; else how it writes under any."""
    habits = [habit for habit in _all_habits(party) if habit.message == message]
    own = [habit for habit in habits if assignor in habit.assignors]
    choice = own or [
        habit for habit in habits if not habit.assignors and habit.user_data != ("own",)
    ]
    if not choice:
        raise Stopped(NOT_MEASURED, f"{party.name} was not seen to write that under {assignor}")
    return choice[-1]


def _user_data(habit: Habit, subject: Subject, assignor: str) -> str | None:
    """Return user data as the member writes it when it owns something."""
    form = habit.user_data[-1]
    if form == "any":
        form = f"{STICKY} v1" if assignor == "sticky" else "null"
    if form in ("null", "empty", "own"):
        return "" if form == "empty" else None
    if form == CooperativeStickyUserData.NAME:
        return b64encode(CooperativeStickyUserData(generation=_GENERATION).to_body(0)).decode()
    value: JsonObject = {"previousAssignment": _OWNED, "generation": _GENERATION}
    answer = subject.encode(STICKY, 1, value)
    if isinstance(answer, Written):
        return b64encode(answer.data).decode()
    message = StickyAssignorUserData.from_json(value, version=1)
    return b64encode(message.to_body(1)).decode()


# -- what the other client reads


def _check_led(leader: Party, data: bytes, assignor: str) -> None:
    message = decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT).message
    fields: JsonObject = {"topics": _TOPICS}
    if message is not None and message.owned_partitions:
        fields["ownedPartitions"] = _OWNED
    check_read(leader.subject, SUBSCRIPTION, data, fields, (REFUSED, MISREAD))
    if message is not None and message.user_data and assignor == "sticky":
        previous: JsonObject = {"previousAssignment": _OWNED, "generation": _GENERATION}
        check_user_data(leader.subject, message.user_data, previous)


def check_user_data(leader: Subject, data: bytes, fields: JsonObject) -> None:
    """Raise `Stopped` if a leader does not read sticky user data of version 1 as expected."""
    match leader.decode(STICKY, data, 1):
        case Read(value):
            difference = comparing.difference(fields, value, exactly=False)
            if difference:
                raise Stopped(USER_DATA, difference)
        case Refused(why):
            raise Stopped(USER_DATA, why)
        case Unsupported() | Failed():  # nobody looked
            pass


def _check_taken(member: Party, data: bytes) -> None:
    fields: JsonObject = {"assignedPartitions": _ASSIGNED}
    check_read(member.subject, ASSIGNMENT, data, fields, (NOT_TAKEN, MISTAKEN))


def check_read(
    reader: Subject, name: str, data: bytes, fields: Mapping[str, Any], verdicts: tuple[str, str]
) -> None:
    """Raise `Stopped` with the first of the verdicts if the reader does not read the message, with
    the second if it reads something else than expected, with `NOT_MEASURED` if it has no way to.
    """
    refusal, misread = verdicts
    match reader.decode(name, data):
        case Read(value):
            difference = comparing.difference(dict(fields), value, exactly=False)
            if difference:
                raise Stopped(misread, difference)
        case Refused(why):
            raise Stopped(refusal, why)
        case Unsupported(why):
            raise Stopped(NOT_MEASURED, why)
        case failed:
            raise Stopped(refusal, f"{failed.how.value}: {failed.detail}")


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
    """A verdict on how a client reads a message: one of `VERDICTS`, and the reason unless it is
    `WORKS`.
    """

    verdict: str
    why: str = ""


@dataclass
class CapturedReadings:
    """A captured message, and the verdict of each adapter that was asked, by its name."""

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


def readings_of(columns: Mapping[str, Mapping[Captured, Verdict]]) -> list[CapturedReadings]:
    """Return the readings of each captured message, from the verdicts of each adapter."""
    return [
        CapturedReadings(
            sample,
            {name: verdicts[sample] for name, verdicts in columns.items() if sample in verdicts},
        )
        for sample in captured()
    ]


def keep_older_readings(readings: Sequence[CapturedReadings], older: Sequence[CapturedReadings],
                        names: Iterable[str]) -> None:  # fmt: skip
    """Add the verdicts that an earlier matrix has of these adapters, on the same messages."""
    by_message = {reading.captured: reading.readers for reading in older}
    for reading in readings:
        verdicts = by_message.get(reading.captured, {})
        reading.readers.update({name: verdicts[name] for name in names if name in verdicts})
        reading.readers = dict(sorted(reading.readers.items()))
