"""What the broker writes to its topic for a group, and the group that is read from it.

A step of the coordinator is one batch of records, in which each says the whole of one thing. A key
without a value is a tombstone. `record_kinds` has what keys and values hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

from kproto.rebalance.simulation import Run, Scenario, run
from kproto.rebalance.simulation.machines.coordinator_state import GroupState
from kproto.rebalance.simulation.modern import broker
from kproto.rebalance.simulation.modern.broker import AnyGroup
from kproto.rebalance.simulation.modern.classic_members import upgraded
from kproto.rebalance.simulation.modern.group_state import ConsumerGroup, ConsumerMember
from kproto.rebalance.simulation.modern.targets import topic_id
from tests.rebalance.simulation.record_kinds import RECORD_KINDS, Names, Pair, RecordKind, Use

NO_GROUP = ConsumerGroup()


class WrittenRecord(NamedTuple):
    """A record of the offsets topic; a value of None is a tombstone."""

    key: bytes
    value: bytes | None


def records_between(before: ConsumerGroup, after: ConsumerGroup) -> list[WrittenRecord]:
    """Return the records of a step from one state of a group to the next, in a broker's order."""
    kind = RECORD_KINDS[before.kind if after is NO_GROUP else after.kind]
    pairs = _tombstones(kind, before, after)
    if after is NO_GROUP:
        pairs = [*pairs, *_group_tombstones(kind)]
    else:
        pairs = [
            *pairs,
            *_members(kind, before, after),
            *kind.more(before, after),
            *_epoch(kind, before, after),
            *_targets(kind, before, after),
            *_current(kind, before, after),
        ]
    return [
        WrittenRecord(key.to_bytes(), None if value is None else value.to_bytes())
        for key, value in pairs
    ]


def _ids(group: ConsumerGroup) -> dict[str, ConsumerMember]:
    return {member.member_id: member for member in group.members}


def _tombstones(kind: RecordKind, before: ConsumerGroup, after: ConsumerGroup) -> list[Pair]:
    return [
        (kind.key(use, member_id=member_id), None)
        for member_id in _ids(before).keys() - _ids(after).keys()
        for use in (Use.CURRENT, Use.TARGET, Use.MEMBER)
    ]


def _group_tombstones(kind: RecordKind) -> Iterator[Pair]:
    """Yield what a group that becomes a classic one leaves behind."""
    yield kind.key(Use.TARGET_EPOCH), None
    yield kind.key(Use.GROUP), None


def _members(kind: RecordKind, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
    known = _ids(before)
    for member in after.members:
        old = known.get(member.member_id)
        if old is None or _metadata(old) != _metadata(member):
            yield kind.key(Use.MEMBER, member_id=member.member_id), kind.member(member)


def _epoch(kind: RecordKind, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
    if kind.told(before) != kind.told(after):
        yield kind.key(Use.GROUP), kind.group(after)


def _targets(kind: RecordKind, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
    old = dict(before.targets)
    for member_id, target in after.targets:
        if old.get(member_id) != target:
            yield kind.key(Use.TARGET, member_id=member_id), kind.target(target)
    if before.assignment_epoch != after.assignment_epoch:
        value = kind.forms[Use.TARGET_EPOCH].value
        yield kind.key(Use.TARGET_EPOCH), value(assignment_epoch=after.assignment_epoch)


def _current(kind: RecordKind, before: ConsumerGroup, after: ConsumerGroup) -> Iterator[Pair]:
    known = _ids(before)
    for member in after.members:
        old = known.get(member.member_id, ConsumerMember(member.member_id))
        if _assignment(old) != _assignment(member):
            yield kind.key(Use.CURRENT, member_id=member.member_id), kind.current(member)


def _metadata(member: ConsumerMember) -> tuple[object, ...]:
    """Return what the record of the member's metadata holds."""
    return *member[1:8], member.process_id, member.regex


def _assignment(member: ConsumerMember) -> tuple[object, ...]:
    """Return what the record of the member's current assignment holds."""
    return member[8:13]


# -- of a run


class RecordedRun(NamedTuple):
    """A run, and the records that its coordinators wrote, in order."""

    run: Run
    records: list[WrittenRecord]


def run_with_records(scenario: Scenario) -> RecordedRun:
    """Return the run of a scenario with the records of its group, if that is no classic one."""
    records: list[WrittenRecord] = []
    original = broker.step

    def step(settings: Any, topics: Any, group: Any, event: Any) -> Any:
        changed, actions = original(settings, topics, group, event)
        records.extend(_records_of_step(settings, topics, group, changed))
        return changed, actions

    with patch.object(broker, "step", step):
        return RecordedRun(run(scenario), records)


def _records_of_step(
    settings: Any, topics: Any, group: AnyGroup, changed: AnyGroup
) -> list[WrittenRecord]:
    old = group if isinstance(group, ConsumerGroup) else NO_GROUP
    new = changed if isinstance(changed, ConsumerGroup) else NO_GROUP
    if old is new:
        return []
    records = []
    if isinstance(group, GroupState) and group.entries:  # first what the classic group was
        old, _ = upgraded(settings, topics, group)
        records = records_between(NO_GROUP, old)
    return records + records_between(old, new)


# -- reading


def group_of(records: Iterable[WrittenRecord], topics: Iterable[str]) -> ConsumerGroup:
    """Return the group that a coordinator finds in its topic. `topics` are those that have ever
    been there: records have their ids alone.
    """
    names = {topic_id(topic): topic for topic in topics}
    group = NO_GROUP
    for record in records:
        group = _with_record(group, record, names)
    return group


def _with_record(group: ConsumerGroup, record: WrittenRecord, names: Names) -> ConsumerGroup:
    kind, use = _FORMS[int.from_bytes(record.key[:2], "big")]
    form = kind.forms[use]
    key = form.key.from_bytes(record.key)
    value = None if record.value is None else form.value.from_bytes(record.value)
    if use is Use.MORE:
        return kind.read_more(group, key, value)
    if value is None:
        return group.without([key.member_id]) if use in _OF_MEMBERS else NO_GROUP
    return _with_value(kind, use, group._replace(kind=kind.protocol), key, value, names)


def _with_value(
    kind: RecordKind, use: Use, group: ConsumerGroup, key: Any, value: Any, names: Names
) -> ConsumerGroup:
    if use is Use.GROUP:
        return kind.read_group(group, value)
    if use is Use.TARGET_EPOCH:
        return group._replace(assignment_epoch=value.assignment_epoch)
    if use is Use.TARGET:
        return group.with_targets(
            dict(group.targets) | {key.member_id: kind.read_target(value, names)}
        )
    member = group.member(key.member_id) or ConsumerMember(key.member_id)
    if use is Use.MEMBER:
        return group.with_member(kind.read_member(member, value, group))
    return group.with_member(kind.read_current(member, value, names))


_OF_MEMBERS = frozenset({Use.MEMBER, Use.TARGET, Use.CURRENT})
_FORMS = {
    form.key.API_KEY: (kind, use)
    for kind in RECORD_KINDS.values()
    for use, form in kind.forms.items()
}
