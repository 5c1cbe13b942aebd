"""The target assignment: what each member is to have, by a server-side assignor, and how a member
moves towards it: the broker's CurrentAssignmentBuilder of consumer groups, and that of streams
groups (KIP-1071).

A member gives back what the target does not contain, before its epoch moves on; then it gets what
the target adds, as far as nobody else owns it. In a streams group an active task waits until no
process has it, and every task until the member's own process has it in no role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5
from zlib import crc32

from ...assignments import Partition
from ...broker_assignors import BROKER_ASSIGNORS, BrokerGroup, BrokerMember
from ...group import Topics
from .group_state import ConsumerGroup, ConsumerMember, Epochs, MemberProgress
from .tasks import Role, role_of, task


@lru_cache(maxsize=10_000)
def topic_id(topic: str) -> UUID:
    """Return the id of a topic; simulated topics have theirs by their name."""
    return uuid5(NAMESPACE_OID, topic)


def by_topic_id(partitions: Iterable[Partition]) -> dict[UUID, list[int]]:
    """Return partition numbers by topic id, topics and numbers in order."""
    numbers: dict[UUID, list[int]] = {}
    for topic, number in sorted(partitions):
        numbers.setdefault(topic_id(topic), []).append(number)
    return numbers


def by_name(entries: Mapping[UUID, Iterable[int]], topics: Iterable[str]) -> frozenset[Partition]:
    """Return partitions by topic name, without those of unknown topics."""
    names = {topic_id(topic): topic for topic in topics}
    return frozenset(
        (names[uuid], number)
        for uuid, numbers in entries.items()
        if uuid in names
        for number in numbers
    )


def by_name_or_id(
    entries: Mapping[UUID, Iterable[int]], topics: Iterable[str]
) -> frozenset[Partition]:
    """Return partitions by topic name, and those of unknown topics by the topic's id: a
    member keeps them until its metadata has the name (`renamed`).
    """
    names = {topic_id(topic): topic for topic in topics}
    return frozenset(
        (names.get(uuid, str(uuid)), number)
        for uuid, numbers in entries.items()
        for number in numbers
    )


def renamed(partitions: Iterable[Partition], topics: Iterable[str]) -> frozenset[Partition]:
    """Return partitions with the names of topics whose ids were all that was known."""
    names = {str(topic_id(topic)): topic for topic in topics}
    return frozenset((names.get(topic, topic), number) for topic, number in partitions)


def metadata_hash(subscribed: Iterable[str], topics: Topics) -> int:
    """Return a hash of the topics that members subscribe to, 0 without any. A broker's own is of
    more than names and counts, and nobody but the broker reads it.
    """
    existing = sorted({topic for topic in subscribed if topic in topics})
    text = ",".join(f"{topic}:{topics[topic]}" for topic in existing)
    return crc32(text.encode())


def preferred_assignor(group: ConsumerGroup, default: str) -> str:
    """Return the assignor that most members ask for. Of several it is the first by name; a broker's
    choice among them depends on the order in its hash tables.
    """
    votes = Counter(member.assignor for member in group.members if member.assignor is not None)
    return min(votes, key=lambda name: (-votes[name], name), default=default)


def make_targets(
    group: ConsumerGroup, topics: Topics, assignor: str
) -> dict[str, frozenset[Partition]]:
    """Return the target assignment of each member. Raises UnassignableError."""
    targets = BROKER_ASSIGNORS[assignor](broker_group(group, topics))
    return {
        member.member_id: by_name(targets.get(member.member_id, {}), topics)
        for member in group.members
    }


def broker_group(group: ConsumerGroup, topics: Topics) -> BrokerGroup:
    """Return the group as a server-side assignor is given it."""
    members = {
        member.member_id: BrokerMember(
            frozenset(topic_id(topic) for topic in group.subscription(member) if topic in topics),
            member.instance_id,
            by_topic_id(group.target(member.member_id)),
        )
        for member in group.members
    }
    return BrokerGroup(members, {topic_id(topic): count for topic, count in topics.items()})


class Aim(NamedTuple):
    """What a member is to reach, and what is known as it reports."""

    epoch: int
    """The target assignment's epoch."""
    target: frozenset[Partition]
    subscribed: frozenset[str]
    """The topics that the member subscribes to and that exist."""
    subscription_changed: bool
    """Whether the subscription changes with this report."""
    reported: frozenset[Partition] | None
    """The partitions that the member says it owns, None where it does not say."""
    owned_by_anybody: Collection[Partition]
    """The partitions that members own, or have not given back."""
    gives_unreleased: bool = False
    """A bug to plant: partitions that another member still owns are given all the same."""


class TaskAim(NamedTuple):
    """What a member of a streams group is to reach, and what is known as it reports."""

    epoch: int
    """The target assignment's epoch."""
    target: frozenset[Partition]
    reported: frozenset[Partition] | None
    """The tasks that the member says it has, None where it does not say."""
    holders: Mapping[Partition, frozenset[str]]
    """The ids of the processes that have a task, or have not given it back."""


class _Division(NamedTuple):
    """What a member keeps of its assignment, what it has to give back, and what it lacks."""

    keeps: Epochs
    revoking: Epochs
    missing: frozenset[Partition]


def reconciled(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    """Return the member as it is after its report; the same where it cannot move."""
    is_revoking = member.progress is MemberProgress.UNREVOKED_PARTITIONS
    if is_revoking and not _still_owns(aim, member.revoking):
        return _advance(member, aim)
    if not is_revoking and _is_behind(member, aim):
        return _advance(member, aim)
    return _without_unsubscribed(member, aim) if aim.subscription_changed else member


def reconciled_tasks(member: ConsumerMember, aim: TaskAim) -> ConsumerMember:
    """Return the member as it is after its report; the same where it cannot move."""
    if member.progress is MemberProgress.UNREVOKED_PARTITIONS:
        if _still_owns(aim, member.revoking):
            return member
        return _advance_tasks(member, aim, member.epoch + 1)
    return _advance_tasks(member, aim, member.epoch) if _is_behind(member, aim) else member


def _is_behind(member: ConsumerMember, aim: Aim | TaskAim) -> bool:
    waits = member.progress is MemberProgress.UNRELEASED_PARTITIONS
    return waits or member.epoch != aim.epoch


def _still_owns(aim: Aim | TaskAim, revoking: Epochs) -> bool:
    if aim.reported is None:
        return True
    return any(partition in aim.reported for partition, _ in revoking)


def _divide(member: ConsumerMember, target: frozenset[Partition]) -> _Division:
    keeps = tuple(entry for entry in member.assigned if entry[0] in target)
    revoking = tuple(entry for entry in member.assigned if entry[0] not in target)
    return _Division(keeps, revoking, target - {partition for partition, _ in keeps})


def _reach(
    member: ConsumerMember, epoch: int, partitions: Iterable[tuple[Partition, int]], *, waits: bool
) -> ConsumerMember:
    """Return the member in the target's epoch; `waits` says whether it still lacks something."""
    return member._replace(
        progress=MemberProgress.UNRELEASED_PARTITIONS if waits else MemberProgress.STABLE,
        previous_epoch=member.epoch,
        epoch=epoch,
        assigned=tuple(sorted(partitions)),
        revoking=(),
    )


def _advance(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    target = frozenset(partition for partition in aim.target if partition[0] in aim.subscribed)
    division = _divide(member, target)
    if division.revoking and _still_owns(aim, division.revoking):
        return member._replace(
            progress=MemberProgress.UNREVOKED_PARTITIONS,
            previous_epoch=member.epoch,
            assigned=division.keeps,
            revoking=division.revoking,
        )
    unreleased = _unreleased(member, aim, division.missing)
    added = ((partition, aim.epoch) for partition in division.missing - unreleased)
    return _reach(member, aim.epoch, (*division.keeps, *added), waits=bool(unreleased))


def _unreleased(
    member: ConsumerMember, aim: Aim, missing: Iterable[Partition]
) -> frozenset[Partition]:
    """Return the partitions that others own. What the member itself has to give back is its own."""
    if aim.gives_unreleased:
        return frozenset()
    given_back = member.revoking_partitions
    return frozenset(
        partition
        for partition in missing
        if partition in aim.owned_by_anybody and partition not in given_back
    )


def _without_unsubscribed(member: ConsumerMember, aim: Aim) -> ConsumerMember:
    """Take what is no longer subscribed to away at once, before there is a new target."""
    keeps = tuple(entry for entry in member.assigned if entry[0][0] in aim.subscribed)
    if keeps == member.assigned:
        return member
    revoking = dict(member.revoking) | {
        partition: epoch
        for partition, epoch in member.assigned
        if partition[0] not in aim.subscribed
    }
    in_order = tuple(sorted(revoking.items()))
    if not _still_owns(aim, in_order):
        return member._replace(previous_epoch=member.epoch, assigned=keeps)
    return member._replace(
        progress=MemberProgress.UNREVOKED_PARTITIONS,
        previous_epoch=member.epoch,
        assigned=keeps,
        revoking=in_order,
    )


def _advance_tasks(member: ConsumerMember, aim: TaskAim, epoch: int) -> ConsumerMember:
    division = _divide(member, aim.target)
    if division.revoking and _still_owns(aim, division.revoking):
        return member._replace(
            progress=MemberProgress.UNREVOKED_PARTITIONS,
            previous_epoch=member.epoch,
            epoch=epoch,
            assigned=division.keeps,
            revoking=division.revoking,
        )
    free = {
        partition
        for partition in division.missing
        if not _is_held(partition, member.process_id, aim)
    }
    added = ((partition, _task_epoch(partition, aim)) for partition in free)
    return _reach(member, aim.epoch, (*division.keeps, *added), waits=free != division.missing)


def _task_epoch(partition: Partition, aim: TaskAim) -> int:
    """Return the epoch in which a task is assigned; copies commit nothing and have none."""
    return aim.epoch if role_of(partition) is Role.ACTIVE else 0


def _is_held(partition: Partition, process_id: str, aim: TaskAim) -> bool:
    subtopology, number = partition[0].partition(" ")[0], partition[1]
    holders = {role: aim.holders.get(task(role, subtopology, number), frozenset()) for role in Role}
    is_elsewhere = role_of(partition) is Role.ACTIVE and bool(holders[Role.ACTIVE])
    return is_elsewhere or any(process_id in processes for processes in holders.values())
