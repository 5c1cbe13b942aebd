"""Groups whose broker assigns (KIP-848), drawn at random: what the coordinator writes while members
come, go, give partitions back and take them; and groups that have the trouble of a rule.

A member of such a group hears of a new target with its next heartbeat. It gives back what it has
beyond the target, takes what is free of it, and writes a record at each of these steps.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from kproto.codec import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
    message_class,
)
from kproto.pipeline.audit import GroupFold, Place, Rule, Severity
from kproto.pipeline.groups.states import GroupState
from kproto.pipeline.run import Options
from tests.pipeline.drawn_groups import (
    DAY,
    GROUP,
    HOUR,
    MINUTE,
    MOST_STEPS,
    START,
    TOPIC,
    DrawnGroup,
    Sizes,
    between,
)

HEARTBEAT = 5000
_ID = UUID(int=7)
_STABLE, _UNREVOKED, _UNRELEASED = 0, 1, 2
_AWAY = -2


class Entry(NamedTuple):
    """A record of the group; without a value, a tombstone."""

    time: int
    key: Any
    value: Any


@dataclass
class Consumer:
    """A member: what it should have, what it has, and what it still has to give back."""

    name: str
    instance: str | None = None
    timeout: int = 300_000
    client: str = "app"
    host: str = "/10.0.0.1"
    topics: tuple[str, ...] = (TOPIC,)
    is_classic: bool = False
    hold: float = 0
    """How long it takes to give partitions back."""
    answers: bool = True
    """Whether it goes on with its heartbeats."""
    target: frozenset[int] = frozenset()
    current: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    released_at: float = 0
    epoch: int = 0


class BrokerGroup(DrawnGroup):
    """A group whose records its coordinator writes."""

    kind = "consumer"

    def __init__(self, rng: random.Random, sizes: Sizes) -> None:
        super().__init__(rng, sizes, "uniform")
        self.entries: list[Entry] = []
        self.consumers: list[Consumer] = []
        self.epoch = self.target_epoch = 0
        self.metadata_hash = rng.getrandbits(60)
        self._heartbeats: list[tuple[float, int, Consumer]] = []
        self._number = 0
        self._owners: dict[int, Consumer] = {}
        self._departed: list[Consumer] = []
        self._timeout = round(between(rng, 10_000, HOUR)) if rng.random() < 0.8 else None
        """The rebalance timeout of all members, as most groups have it; None: each has its own."""
        self.places = rng.choice(["one host", "host each", "new names"])
        """Where members run: a process that comes back has its host again, or a new name."""

    def begin(self, *, static: bool = False, client: str | None = None) -> None:
        """Let all members join at once."""
        del client
        fresh = [self.consumer(f"i-{n}" if static else None) for n in range(self.sizes.members)]
        self.change(START, come=fresh)

    def consumer(self, instance: str | None = None, like: Consumer | None = None) -> Consumer:
        """Return a new member, with a name that no other one has had; `like` is the one that it
        takes the place of."""
        rng = self.rng
        timeout = self._timeout or round(between(rng, 10_000, HOUR))
        hold = timeout * rng.uniform(0, 0.8) if rng.random() < 0.2 else rng.uniform(0, 3000)
        self._number += 1
        name = f"{rng.getrandbits(64):016x}-{self._number}"
        client, host = "app", "/10.0.0.1"
        if self.places != "one host":
            host = f"/10.{self._number >> 16}.{self._number >> 8 & 255}.{self._number & 255}"
        if self.places == "new names":
            client = f"app-{rng.getrandbits(40):x}"
        elif like is not None:
            client, host, instance = like.client, like.host, like.instance
        return Consumer(name, instance, timeout, client, host, hold=hold)

    # -- what the coordinator does

    def change(
        self,
        at: float,
        *,
        come: Iterable[Consumer] = (),
        go: Iterable[Consumer] = (),
        assigns: bool = True,
    ) -> None:
        """Let members come and go, and the broker assign anew."""
        self.run(at)
        for member in go:
            self.consumers.remove(member)
            self._free(member.current | member.pending, member, at)
            for key in _KEYS_OF_MEMBER:
                self._write(at, key(group_id=GROUP, member_id=member.name), None)
        for member in come:
            self.consumers.append(member)
            self.describe(member, at)
        self.epoch += 1
        self._write(
            at,
            ConsumerGroupMetadataKey(group_id=GROUP),
            ConsumerGroupMetadataValue(epoch=self.epoch, metadata_hash=self.metadata_hash),
        )
        if assigns:
            self.assign(at)

    def describe(self, member: Consumer, at: float) -> None:
        """Write what a member says of itself."""
        value = ConsumerGroupMemberMetadataValue
        classic = value.ClassicMemberMetadata(session_timeout_ms=45_000, supported_protocols=())
        self._write(
            at,
            ConsumerGroupMemberMetadataKey(group_id=GROUP, member_id=member.name),
            value(
                instance_id=member.instance,
                rack_id=None,
                client_id=member.client,
                client_host=member.host,
                subscribed_topic_names=member.topics,
                subscribed_topic_regex=None,
                rebalance_timeout_ms=member.timeout,
                server_assignor=None,
                classic_member_metadata=classic if member.is_classic else None,
            ),
        )

    def assign(self, at: float) -> None:
        """Divide the partitions as `uniform` does: who has some keeps up to its share."""
        readers = [member for member in self.consumers if TOPIC in member.topics]
        least, more = divmod(self.sizes.partitions, max(len(readers), 1))
        quotas = {
            id(member): least + (number < more)
            for number, member in enumerate(
                sorted(readers, key=lambda member: -len(member.target | member.current))
            )
        }
        free = set(range(self.sizes.partitions))
        targets: dict[int, set[int]] = {}
        for member in readers:
            stays = sorted(member.target & free)[: quotas[id(member)]]
            targets[id(member)] = set(stays)
            free.difference_update(stays)
        rest = sorted(free)
        for member in readers:
            share = targets[id(member)]
            while len(share) < quotas[id(member)] and rest:
                share.add(rest.pop())
        value = ConsumerGroupTargetAssignmentMemberValue
        for member in self.consumers:
            target = frozenset(targets.get(id(member), ()))
            if target != member.target or not member.epoch:
                member.target = target
                parts = value.TopicPartition(topic_id=_ID, partitions=sorted(target))
                self._write(
                    at,
                    ConsumerGroupTargetAssignmentMemberKey(group_id=GROUP, member_id=member.name),
                    value(topic_partitions=[parts] if target else []),
                )
        self.target_epoch = self.epoch
        self._write(
            at,
            ConsumerGroupTargetAssignmentMetadataKey(group_id=GROUP),
            ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=self.epoch),
        )
        for member in self.consumers:
            self._expect(member, at + self.rng.uniform(0, HEARTBEAT))

    def run(self, until: float) -> None:
        """Let the members' heartbeats come up to that time."""
        while self._heartbeats and self._heartbeats[0][0] <= until:
            at, _, member = heappop(self._heartbeats)
            if member.answers and member in self.consumers:
                self._heartbeat(member, at)

    def _expect(self, member: Consumer, at: float) -> None:
        self._number += 1
        heappush(self._heartbeats, (at, self._number, member))

    def _heartbeat(self, member: Consumer, at: float) -> None:
        if at < member.released_at:
            return
        if member.pending:
            self._free(member.pending, member, at)
            member.pending = frozenset()
        if surplus := member.current - member.target:
            member.pending, member.current = surplus, member.current & member.target
            member.released_at = at + member.hold
            self._report(member, at, _UNREVOKED)
            self._expect(member, member.released_at)
            return
        free = {part for part in member.target if self._owners.get(part, member) is member}
        is_new = member.current != free or member.epoch != self.target_epoch
        member.current, member.epoch = frozenset(free), self.target_epoch
        self._owners.update(dict.fromkeys(free, member))
        if is_new:
            self._report(member, at, _STABLE if free == member.target else _UNRELEASED)

    def _free(self, partitions: Iterable[int], owner: Consumer, at: float) -> None:
        """Take partitions from a member, and let those that wait for them ask again."""
        freed = {part for part in partitions if self._owners.get(part) is owner}
        for part in freed:
            del self._owners[part]
        if freed:
            for member in self.consumers:
                if member is not owner and not freed.isdisjoint(member.target):
                    self._expect(member, at + self.rng.uniform(0, HEARTBEAT))

    def _report(self, member: Consumer, at: float, state: int, epoch: int | None = None) -> None:
        value = ConsumerGroupCurrentMemberAssignmentValue
        current, pending = (
            [value.TopicPartitions(topic_id=_ID, partitions=sorted(parts))] if parts else []
            for parts in (member.current, member.pending)
        )
        self._write(
            at,
            ConsumerGroupCurrentMemberAssignmentKey(group_id=GROUP, member_id=member.name),
            value(
                member_epoch=member.epoch if epoch is None else epoch,
                previous_member_epoch=member.epoch,
                state=state,
                assigned_partitions=current,
                partitions_pending_revocation=pending,
            ),
        )

    def _write(self, at: float, key: Any, value: Any) -> None:
        self.now = max(int(at), self.now)
        self.entries.append(Entry(self.now, key, value))

    # -- what happens to members

    def empty(self, at: float) -> None:
        """Let all members leave."""
        self._departed = [self.consumer(member.instance, like=member) for member in self.consumers]
        self.change(at, go=[*self.consumers])

    def delete(self, at: float) -> None:
        """Let the empty group be deleted: its epochs start anew."""
        for key in (ConsumerGroupTargetAssignmentMetadataKey, ConsumerGroupMetadataKey):
            self._write(at, key(group_id=GROUP), None)
        self.epoch = 0

    def fill(self, at: float) -> None:
        """Let as many come as have left."""
        self.change(at, come=self._departed)

    def subscribe(self, topics: tuple[str, ...], at: float) -> None:
        """Let all members subscribe to other topics."""
        self.run(at)
        for member in self.consumers:
            member.topics = topics
            self.describe(member, at)
        self.change(at)

    def restart_static(self, member: Consumer, at: float, away: float) -> None:
        """Let a static member stop and come back: meanwhile its partitions wait for it."""
        self.run(at)
        if member.pending:
            return
        member.answers = False
        self._report(member, at, _STABLE, epoch=_AWAY)
        self.run(at + away)
        member.answers = True
        self._expect(member, at + away + HEARTBEAT)
        old, member.name = member.name, f"{member.name}-again"
        for key in _KEYS_OF_MEMBER:
            self._write(at + away, key(group_id=GROUP, member_id=old), None)
        self.describe(member, at + away)
        value = ConsumerGroupTargetAssignmentMemberValue
        parts = value.TopicPartition(topic_id=_ID, partitions=sorted(member.target))
        self._write(
            at + away,
            ConsumerGroupTargetAssignmentMemberKey(group_id=GROUP, member_id=member.name),
            value(topic_partitions=[parts] if member.target else []),
        )
        self._report(member, at + away, _STABLE)

    # -- what becomes of the log, and what must not turn a finding into silence

    def compact(self, time: float) -> None:
        """Keep of each key the last record before this time, and all after it; tombstones go."""
        old = {repr(entry.key): entry for entry in self.entries if entry.time < time}
        kept = sorted((entry for entry in old.values() if entry.value is not None), key=_time)
        self.entries = [*kept, *(entry for entry in self.entries if entry.time >= time)]
        super().compact(time)

    def with_bystanders(self) -> None:
        """Add as many members again, who have nothing to do, and are there when others are."""
        others = [
            Consumer(f"bystander-{n}", client=f"bystander-{n}", host=f"/10.4.{n >> 8}.{n & 255}")
            for n in range(self.sizes.members)
        ]
        entries, self.entries, now = self.entries, [], self.now
        names: set[str] = set()
        for entry in entries:
            self.entries.append(entry)
            if type(entry.key).NAME.endswith("GroupMemberMetadataKey"):
                self.now, were_there = entry.time, bool(names)
                (names.discard if entry.value is None else names.add)(entry.key.member_id)
                if were_there != bool(names):
                    for member in others:
                        self._come_or_go(member, is_there=bool(names))
            elif hasattr(entry.value, "assignment_epoch") and names:
                self.now = entry.time
                for member in others:
                    member.epoch = entry.value.assignment_epoch
                    self._report(member, entry.time, _STABLE)
        self.now = now

    def _come_or_go(self, member: Consumer, *, is_there: bool) -> None:
        if is_there:
            self.describe(member, self.now)
            return
        for key in _KEYS_OF_MEMBER:
            self._write(self.now, key(group_id=GROUP, member_id=member.name), None)

    def after_more_history(self) -> None:
        """Let all who came at first have come long before."""
        span = self.judged_at - START
        self.entries = [
            entry._replace(time=START - span) if entry.time == START else entry
            for entry in self.entries
        ]
        for partition, parts in self.commits.items():
            step = max(self.sizes.interval, span // 20_000)
            times = np.arange(START - span, parts[0][0][0], step)
            offsets = np.linspace(0, max(int(parts[0][1][0]), 0), len(times)).astype(np.int64)
            self.commits[partition] = [(times, offsets), *parts]

    def twice_as_fast(self) -> None:
        """Let everything happen in half of the time."""
        self.run(self.judged_at)
        self.entries = [
            entry._replace(time=START + (entry.time - START) // 2) for entry in self.entries
        ]
        super().twice_as_fast()

    def state(self, options: Options, group_id: str) -> GroupState:
        """Return the group as its records leave it."""
        self.run(self.judged_at)
        rules = [rule for rule in options.rules if isinstance(rule, Rule)]
        state = GroupState()
        fold = state.broker_assigned_fold(group_id, self.kind, GroupFold("c", "", rules=rules))
        epochs, place = state.epochs, Place("log", 0, 0, START)
        assert epochs is not None
        for number, entry in enumerate(self.entries):
            place = Place("log", 0, number, entry.time)
            fold.observe(place, entry.key, entry.value)
            epochs.observe(place, entry.key, entry.value)
        state.last = place
        return state


class StreamsGroup(BrokerGroup):
    """The same of a Streams group (KIP-1071), of which each task reads a partition of the topic."""

    kind = "streams"

    def begin(self, *, static: bool = False, client: str | None = None) -> None:
        """Let all members join at once, with a topology of one part."""
        part = StreamsGroupTopologyValue.Subtopology(
            subtopology_id="0",
            source_topics=[TOPIC],
            source_topic_regex=[],
            state_changelog_topics=[],
            repartition_sink_topics=[],
            repartition_source_topics=[],
            copartition_groups=[],
        )
        topology = StreamsGroupTopologyValue(epoch=1, subtopologies=[part])
        self.entries.append(Entry(START, StreamsGroupTopologyKey(group_id=GROUP), topology))
        super().begin(static=static, client=client)

    def _write(self, at: float, key: Any, value: Any) -> None:
        name = type(key).NAME.replace("Consumer", "Streams")
        fields = {field: getattr(key, field) for field in ("group_id", "member_id")
                  if hasattr(key, field)}  # fmt: skip
        translated = None if value is None else _AS_STREAMS[type(value)](value)
        super()._write(at, message_class(name)(**fields), translated)


def _tasks(kind: Any, entries: Any) -> list[Any]:
    return [kind.TaskIds(subtopology_id="0", partitions=entry.partitions) for entry in entries]


def _streams_member(value: Any) -> Any:
    return StreamsGroupMemberMetadataValue(
        instance_id=value.instance_id,
        rack_id=None,
        client_id=value.client_id,
        client_host=value.client_host,
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        topology_epoch=1,
        process_id="p",
        user_endpoint=None,
        client_tags=[],
    )


def _streams_target(value: Any) -> Any:
    kind = StreamsGroupTargetAssignmentMemberValue
    tasks = _tasks(kind, value.topic_partitions)
    return kind(active_tasks=tasks, standby_tasks=[], warmup_tasks=[])


def _streams_current(value: Any) -> Any:
    kind = StreamsGroupCurrentMemberAssignmentValue
    return kind(
        member_epoch=value.member_epoch,
        previous_member_epoch=value.previous_member_epoch,
        state=value.state,
        active_tasks=_tasks(kind, value.assigned_partitions),
        standby_tasks=[],
        warmup_tasks=[],
        active_tasks_pending_revocation=_tasks(kind, value.partitions_pending_revocation),
        standby_tasks_pending_revocation=[],
        warmup_tasks_pending_revocation=[],
    )


_AS_STREAMS: Mapping[type, Any] = {
    ConsumerGroupMetadataValue: lambda value: StreamsGroupMetadataValue(
        epoch=value.epoch, metadata_hash=value.metadata_hash
    ),
    ConsumerGroupMemberMetadataValue: _streams_member,
    ConsumerGroupTargetAssignmentMemberValue: _streams_target,
    ConsumerGroupTargetAssignmentMetadataValue: lambda value: (
        StreamsGroupTargetAssignmentMetadataValue(assignment_epoch=value.assignment_epoch)
    ),
    ConsumerGroupCurrentMemberAssignmentValue: _streams_current,
}

_KEYS_OF_MEMBER = (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupMemberMetadataKey,
)


def _time(entry: Entry) -> int:
    return entry.time


# -- groups in which nothing is wrong


def calm_broker_group(rng: random.Random, *, static: bool | None = None) -> BrokerGroup:
    """Draw a group whose members have joined at once."""
    group = BrokerGroup(rng, Sizes.drawn(rng))
    group.begin(static=rng.random() < 0.3 if static is None else static)
    return group


def healthy_broker_group(rng: random.Random) -> BrokerGroup:
    """A group in which nothing is wrong, whatever was done to it; its end may be within that."""
    group = rng.choice([BrokerGroup, BrokerGroup, StreamsGroup])(rng, Sizes.drawn(rng))
    group.begin(static=rng.random() < 0.3)
    events = rng.choices([_deploy, _scale, _restart_all, _change_topic], k=rng.randrange(4))
    at = START + group.sizes.duration * rng.uniform(0.02, 0.2)
    if group.kind == "consumer" and rng.random() < 0.2:
        at = _upgrade(group, at)
    pauses = []
    for event in events:
        if at > group.sizes.end - 10 * MINUTE or _is_long(group):
            break
        begin = at
        at = event(group, at)
        if event is _restart_all:
            pauses.append((begin, at))
        if rng.random() < 0.2:
            break
        at += group.sizes.duration * rng.uniform(0.05, 0.4) + HOUR
    end = max(at + rng.uniform(0, HOUR), START + 20 * MINUTE)
    if rng.random() < 0.6:
        end = max(end, group.sizes.end)
    group.judged_at = round(end)
    group.run(end)
    rate = between(rng, 0.01, 100_000)
    edges = [START, *(edge for pause in pauses for edge in pause), end]
    busy = [n for n in range(group.sizes.partitions) if rng.random() < 0.9] or [0]
    interval = max(group.sizes.interval, round((end - START) * len(busy) / 1e6))
    for begin, stop in zip(edges[::2], edges[1::2], strict=True):
        group.read(busy, begin, min(stop, end), rate=rate, interval=interval)
    if rng.random() < 0.3:
        group.compact(START + (end - START) * rng.random())
    if rng.random() < 0.5:
        group.keep_up(rate)
    return group


def _is_long(group: BrokerGroup) -> bool:
    return len(group.entries) > MOST_STEPS


def _deploy(group: BrokerGroup, at: float) -> float:
    """Each member is replaced once; a static one comes back."""
    pause = between(group.rng, 1000, 60_000)
    for member in [*group.consumers]:
        if _is_long(group):
            break
        if member.instance is not None:
            group.restart_static(member, at, min(pause / 2, 40_000))
        else:
            group.change(at, go=[member])
            group.change(at + pause / 2, come=[group.consumer(like=member)])
        at += pause
    return at


def _scale(group: BrokerGroup, at: float) -> float:
    """More members for a while."""
    rng = group.rng
    fresh = [group.consumer() for _ in range(rng.randint(1, 10))]
    for member in fresh:
        group.change(at, come=[member])
        at += between(rng, 1000, 20_000)
    at += between(rng, 10 * MINUTE, HOUR)
    for member in fresh:
        group.change(at, go=[member])
        at += between(rng, 1000, 20_000)
    return at


def _restart_all(group: BrokerGroup, at: float) -> float:
    """All members stop, and start again after some minutes."""
    group.empty(at)
    at += between(group.rng, 10_000, 5 * MINUTE)
    group.fill(at)
    return at


def _change_topic(group: BrokerGroup, at: float) -> float:
    """Something about the topic changes, and nobody's partitions do."""
    for _ in range(group.rng.randint(1, 3)):
        group.metadata_hash = group.rng.getrandbits(60)
        group.change(at)
        at += between(group.rng, 1000, HOUR)
    return at


def _upgrade(group: BrokerGroup, at: float) -> float:
    """Members of the classic protocol are restarted with the new one, within two hours."""
    for member in group.consumers:
        member.is_classic = True
        group.describe(member, START)
    pause = between(group.rng, 1000, min(60_000, 1.5 * HOUR / len(group.consumers)))
    for member in [*group.consumers]:
        group.change(at, go=[member])
        group.change(at + pause / 2, come=[group.consumer(member.instance, like=member)])
        at += pause
        if _is_long(group):
            break
    left = [member for member in group.consumers if member.is_classic]
    if left:
        come = [group.consumer(member.instance, like=member) for member in left]
        group.change(at, go=left, come=come)
    return at


# -- troubles


def member_behind(rng: random.Random) -> BrokerGroup:
    """A member sends no heartbeats any more, and is not removed; others come meanwhile."""
    group = calm_broker_group(rng)
    at = START + group.sizes.duration * rng.random()
    group.run(max(at, START + 2 * HEARTBEAT))
    silent = rng.choice(group.consumers)
    silent.answers = False
    at = group.now + 1000
    end = at + silent.timeout * rng.uniform(1.01, 5)
    for number in range(rng.randint(1, 5)):
        group.change(at, come=[group.consumer()])
        at += (end - at) * rng.random()
        if number and _is_long(group):
            break
    group.judged_at = round(end)
    return group


def _held_up(rng: random.Random) -> tuple[BrokerGroup, Consumer]:
    """A member that has to give partitions back, and does not."""
    sizes = Sizes.drawn(rng)
    members = min(sizes.members, 100)
    sizes = sizes._replace(members=members, partitions=max(sizes.partitions, 2 * members))
    group = BrokerGroup(rng, sizes)
    group.begin(static=rng.random() < 0.3)
    at = max(START + sizes.duration * rng.random(), START + HOUR)
    group.change(at, come=[group.consumer()])
    holder = rng.choice([member for member in group.consumers if member.current - member.target])
    holder.hold = 365 * DAY
    return group, holder


def revocation_pending(rng: random.Random) -> BrokerGroup:
    """A member does not give its partitions back."""
    group, holder = _held_up(rng)
    group.judged_at = round(group.now + HEARTBEAT + holder.timeout * rng.uniform(1.01, 5))
    return group


def target_not_reached(rng: random.Random) -> BrokerGroup:
    """A member waits for partitions that another one keeps."""
    group, _ = _held_up(rng)
    timeouts = [member.timeout for member in group.consumers]
    longest = max(member.hold for member in group.consumers if member.hold < DAY)
    group.judged_at = round(
        group.now + 3 * HEARTBEAT + longest + max(10 * MINUTE, *timeouts) * rng.uniform(1.01, 5)
    )
    return group


def assignment_behind(rng: random.Random) -> BrokerGroup:
    """The broker does not assign any more."""
    group = calm_broker_group(rng)
    at = START + group.sizes.duration * rng.random()
    end = at + 5 * MINUTE * rng.uniform(1.01, 10)
    for _ in range(rng.randint(1, 4)):
        group.change(at, come=[group.consumer()], assigns=False)
        at += (end - at) * rng.random()
    group.judged_at = round(end)
    return group


def mixed_types(rng: random.Random) -> BrokerGroup:
    """Some members use the classic protocol, for hours."""
    group = calm_broker_group(rng)
    at = START + group.sizes.duration * rng.random()
    share = rng.randint(1, len(group.consumers) - 1) if len(group.consumers) > 1 else 1
    group.run(at)
    for member in rng.sample(group.consumers, share):
        member.is_classic = True
        group.describe(member, at)
    for _ in range(rng.randrange(3)):
        at += between(rng, 1000, HOUR)
        group.change(at, come=[group.consumer()])
    group.judged_at = round(at + 2 * HOUR * rng.uniform(1.01, 20))
    return group


def overlapping(rng: random.Random) -> BrokerGroup:
    """A record gives a member what another one still has (KAFKA-19862)."""
    group = calm_broker_group(rng)
    at = max(START + group.sizes.duration * rng.random(), START + 2 * HOUR)
    group.run(at)
    owner = rng.choice([member for member in group.consumers if member.current])
    other = rng.choice([member for member in group.consumers if member is not owner])
    other.current |= {rng.choice(sorted(owner.current))}
    group._report(other, at, _STABLE)
    group.judged_at = round(at + between(rng, 1000, 10 * DAY))
    return group


BROKER_TROUBLES: Mapping[str, tuple[Any, Severity]] = {
    "member-behind": (member_behind, Severity.WARNING),
    "revocation-pending": (revocation_pending, Severity.WARNING),
    "target-not-reached": (target_not_reached, Severity.WARNING),
    "assignment-behind": (assignment_behind, Severity.ERROR),
    "mixed-group-types": (mixed_types, Severity.INFO),
    "partition-not-loadable": (overlapping, Severity.WARNING),
}
"""The troubles of groups whose broker assigns, and how bad each finding has to be at least."""
