"""Simulated migrations beside real ones: Java consumers go to the consumer protocol one by one, and
back. The group has the same epochs in the same order, the same owners at rest, and pauses that are
as long, give or take a heartbeat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.capture import read_segments
from kproto.codec.messages import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMetadataValue,
)
from kproto.rebalance.simulation import Run, read_scenario
from tests.broker.members import Step, members_of
from tests.broker.test_migration import settled_broker
from tests.rebalance.simulation.written_records import run_with_records

HEARTBEAT = 1.0
QUIET_MS = 5_000
APART = 12
PARTITIONS = 6
SLACK = 0.7
"""Seconds that a real consumer takes to start, or a busy machine to do anything."""
SETTINGS = {
    "group.consumer.min.heartbeat.interval.ms": 500,
    "group.consumer.heartbeat.interval.ms": int(HEARTBEAT * 1000),
    "group.consumer.assignors": "range,uniform",
    "group.initial.rebalance.delay.ms": 0,
}
NAMES = "abc"

Epochs = list[tuple[str, int]]
Pair = tuple[bytes, bytes | None]


class Change(NamedTuple):
    """What is done to a member: "start" under a protocol, or "stop"."""

    do: str
    member: str
    protocol: str = ""


def there_and_back() -> list[Change]:
    changes = [Change("start", name, "classic") for name in NAMES]
    for protocol in ("consumer", "classic"):
        for name in NAMES:
            changes += [Change("stop", name), Change("start", name, protocol)]
    return changes


class Course(NamedTuple):
    """What a broker wrote, who owned what after each change, and how long partitions had nobody."""

    epochs: Epochs
    moved: dict[str, list[int]]
    """The epochs that the members of each name went through."""
    owned: list[dict[str, tuple[str, ...]]]
    gaps: list[float]


@pytest.mark.parametrize(
    ("assignor", "static"),
    [("cooperative-sticky", False), ("range", True)],
    ids=["cooperative", "static"],
)
def test_simulated_and_real(tmp_path: Path, assignor: str, *, static: bool) -> None:
    topic = "moving"
    real = really(tmp_path, topic, assignor, static=static)
    simulated = simulate(topic, assignor, static=static)
    assert simulated.epochs == real.epochs
    assert simulated.moved.keys() == real.moved.keys()
    for name, moved in simulated.moved.items():
        # The member whose join converts the group back gets a last epoch, which a broker writes
        # just before the tombstones.
        assert real.moved[name] in (moved, [*moved, moved[-2]]), name
    if static:  # `range` sorts by instance ids, which are the same
        assert simulated.owned == real.owned
    assert [_sizes(owned) for owned in simulated.owned] == [_sizes(owned) for owned in real.owned]
    bound = 2 * HEARTBEAT + SLACK
    assert all(gap < bound for gap in (*simulated.gaps, *real.gaps)), (simulated, real)
    if real.gaps and simulated.gaps:
        assert abs(_mean(real.gaps) - _mean(simulated.gaps)) < HEARTBEAT + SLACK


def _sizes(owned: dict[str, tuple[str, ...]]) -> list[int]:
    return sorted(map(len, owned.values()))


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


# -- what is told of both


def epochs_of(records: Iterable[Pair]) -> Iterator[tuple[str, int]]:
    """Yield the epochs of group and target in the order in which they were written."""
    for key, value in records:
        kind = int.from_bytes(key[:2], "big")
        if kind == ConsumerGroupMetadataKey.API_KEY:
            yield (
                "group",
                -1 if value is None else ConsumerGroupMetadataValue.from_bytes(value).epoch,
            )
        elif kind == ConsumerGroupTargetAssignmentMetadataValue.API_KEY and value is not None:
            target = ConsumerGroupTargetAssignmentMetadataValue.from_bytes(value)
            yield "target", target.assignment_epoch


def moves_of(records: Iterable[Pair]) -> dict[str, list[int]]:
    """Return the epochs that members went through, by their name; that of 0, which a broker writes
    on the way where a static member replaces another, is left out.
    """
    names: dict[str, str] = {}
    moved: dict[str, list[int]] = defaultdict(list)
    for key, value in records:
        kind = int.from_bytes(key[:2], "big")
        if value is None:
            continue
        if kind == ConsumerGroupMemberMetadataKey.API_KEY:
            member_id = ConsumerGroupMemberMetadataKey.from_bytes(key).member_id
            names[member_id] = ConsumerGroupMemberMetadataValue.from_bytes(value).client_id
        elif kind == ConsumerGroupCurrentMemberAssignmentKey.API_KEY:
            member_id = ConsumerGroupCurrentMemberAssignmentKey.from_bytes(key).member_id
            epoch = ConsumerGroupCurrentMemberAssignmentValue.from_bytes(value).member_epoch
            known = moved[names[member_id]]
            if epoch and known[-1:] != [epoch]:
                known.append(epoch)
    return dict(moved)


def gaps_of(told: Iterable[tuple[float, str, str, tuple[str, ...]]]) -> list[float]:
    """Return for each partition that left a running member how many seconds it had no other."""
    gone: dict[str, tuple[float, str]] = {}
    found = []
    for seconds, member, event, partitions in told:
        for partition in partitions:
            if event == "revoked":
                gone[partition] = (seconds, member)
            elif event == "assigned" and partition in gone:
                since, before = gone.pop(partition)
                if before != member:
                    found.append(seconds - since)
    return found


# -- the real one


def really(folder: Path, topic: str, assignor: str, *, static: bool) -> Course:
    with (
        settled_broker(folder, SETTINGS, {topic: PARTITIONS}) as broker,
        members_of(broker, folder / "members.log") as members,
    ):
        steps = [
            members.step(_order(change, topic, assignor, static=static), quiet_ms=QUIET_MS)
            for change in there_and_back()
        ]
        records = [
            (record.key, record.value)
            for record in read_segments(broker.offsets_topic())
            if record.key is not None
        ]
    gaps = [gap for step in steps for gap in gaps_of(_told(step))]
    owned = [{who: mine for who, mine in step.owned.items() if mine} for step in steps]
    return Course(list(epochs_of(records)), moves_of(records), owned, gaps)


def _order(change: Change, topic: str, assignor: str, *, static: bool) -> str:
    if change.do == "stop":
        return f"{'vanish' if static else 'leave'} {change.member}"
    settings = f"group={topic} topics={topic} metadata.max.age.ms=300"
    if static:
        settings += f" group.instance.id={change.member}-instance"
    if change.protocol == "consumer":
        return f"join {change.member} {settings} group.protocol=consumer"
    return f"join {change.member} {settings} assignors={assignor}"


def _told(step: Step) -> Iterator[tuple[float, str, str, tuple[str, ...]]]:
    for at_ms, (member, event, partitions) in zip(step.at_ms, step.events, strict=True):
        yield at_ms / 1000, member, event, partitions


# -- the simulated one


def simulate(topic: str, assignor: str, *, static: bool) -> Course:
    changes = there_and_back()
    scenario = read_scenario(_scenario(topic, assignor, changes, static=static), topic)
    done, records = run_with_records(scenario)
    owned = [_owned_at(done, (APART * number - 1) * 1000) for number in range(1, len(changes) + 1)]
    gaps = gaps_of(_told_by(done))
    return Course(list(epochs_of(records)), moves_of(records), owned, gaps)


def _owned_at(done: Run, at_ms: float) -> dict[str, tuple[str, ...]]:
    """Return what each member owned at a time, by the beliefs of those that owned something."""
    owned: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for belief in done.record.beliefs:
        if belief.since_ms <= at_ms < belief.until_ms:
            owned[belief.member].add(belief.partition)
    return {who: _names(frozenset(mine)) for who, mine in sorted(owned.items())}


def _told_by(done: Run) -> Iterator[tuple[float, str, str, tuple[str, ...]]]:
    words = {"onPartitionsRevoked": "revoked", "onPartitionsAssigned": "assigned"}
    for event in done.record.events:
        if event.what in words:
            partitions = _names(frozenset(event.partitions))
            yield event.at_ms / 1000, event.who, words[event.what], partitions


def _names(partitions: frozenset[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(sorted(f"{topic}-{number}" for topic, number in partitions))


def _scenario(topic: str, assignor: str, changes: list[Change], *, static: bool) -> str:
    lines = [
        f"duration = {APART * len(changes)}",
        f"[topics]\n{topic} = {PARTITIONS}",
        "[load]\nrecords_per_second = 0.1",
        f"[broker]\ninitial_rebalance_delay = 0\nheartbeat_interval = {HEARTBEAT}",
        'assignors = ["range", "uniform"]',
        f"[defaults]\nassignor = '{assignor}'\nheartbeat_interval = 0.1",
        f"static = {str(static).lower()}",
        *(f'[[members]]\nname = "{name}"\nwaits = true' for name in NAMES),
    ]
    for index, change in enumerate(changes):
        lines.append(f'[[events]]\nat = {APART * index}\nmember = "{change.member}"')
        lines.append(f'do = "{change.do}"')
        if change.do == "start":
            lines.append(f'with = {{ protocol = "{change.protocol}" }}')
    return "\n".join(lines)
