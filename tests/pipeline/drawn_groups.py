"""Histories of groups drawn at random: healthy ones, and ones with the trouble of a rule.

They are written from what the rules' pages promise. A group has 2 to 500 members, 1 to 10,000
partitions and a commit every 0.1 s to every hour; its history takes minutes to weeks and has 10^2
to 10^6 records, mostly commits. It may be compacted as a broker does it, of each key the last
record before a time and all after it, and torn by a restart of all processes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from msgspec.structs import replace

from kproto.pipeline.audit import Context, Finding, MemberSeen, Place, Severity, Step
from kproto.pipeline.audit.fold import GroupFold
from kproto.pipeline.audit.rule import Rule
from kproto.pipeline.groups.commit_sums import lag_table
from kproto.pipeline.groups.commits_seen import CommitsSeen
from kproto.pipeline.groups.fleet import FLEET_ROWS
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.groups.states import Groups, GroupState
from kproto.pipeline.run import Options
from kproto.pipeline.tables.commits import CommitSummary
from kproto.pipeline.tables.schemas import TABLES
from tests.pipeline.audit_groups import assignment, commits_in, subscription

MOST_STEPS = 20_000
"""Members times records of a group, at most: what is drawn beyond takes long and shows no more."""
START = 1_700_000_000_000
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
GROUP, TOPIC = "g", "t"
COOPERATIVE = "cooperative-sticky"


class Sizes(NamedTuple):
    """How large a drawn group is; times in milliseconds."""

    members: int
    partitions: int
    interval: int
    """Between two commits of a partition."""
    duration: int

    @property
    def end(self) -> int:
        """When the history ends."""
        return START + self.duration

    @classmethod
    def drawn(cls, rng: random.Random, *, least: int = 2, shortest: int = 20 * MINUTE) -> Sizes:
        """Draw the sizes of a group: each log-uniform, and the number of commits as well."""
        members = round(between(rng, least, 500))
        partitions = round(between(rng, 1, 10_000))
        interval = round(between(rng, 100, HOUR))
        commits = between(rng, 100, 1e6)
        partitions = max(min(partitions, round(commits * interval / shortest)), 1)
        duration = min(max(commits * interval / partitions, shortest), 21 * DAY)
        return cls(members, partitions, interval, round(duration))


def seeded(seed: str) -> random.Random:
    """Return the source of chance of one group."""
    return random.Random(seed)  # noqa: S311  # no secret


def between(rng: random.Random, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))


@dataclass
class Process:
    """A process that is a member of the group."""

    name: str
    host: str
    instance: str | None = None
    timeout: int = 300_000
    partitions: list[int] = field(default_factory=list)
    version: int = 3
    topics: tuple[str, ...] = (TOPIC,)
    seen: MemberSeen | None = None
    """As the records have it, until something changes."""

    def member(self, number: int) -> MemberSeen:
        """Return the member; each time that it joins it has another number."""
        if self.seen is None:
            given = [f"{TOPIC}-{partition}" for partition in self.partitions]
            self.seen = MemberSeen(
                f"{self.name}-{number:08x}", self.instance, self.name, self.host, self.timeout,
                45_000, subscription(self.topics, version=self.version), assignment(given),
            )  # fmt: skip
        return self.seen


class DrawnGroup:
    """A group whose records are written one after another."""

    def __init__(self, rng: random.Random, sizes: Sizes, protocol: str = "range") -> None:
        self.rng, self.sizes, self.protocol = rng, sizes, protocol
        self.steps: list[Step] = []
        self.commits: dict[int, list[tuple[Any, Any]]] = {}
        """Of each partition, arrays of times and offsets; an offset of -1 deletes."""
        self.ends: dict[int, int] = {}
        self.earlier: dict[int, int] = {}
        self.starts: dict[int, int] = {}
        self.generation = 0
        self.now = START
        self.judged_at = sizes.end
        self.deleted: list[int] = []
        """When the group was deleted."""
        self.others: list[DrawnGroup] = []
        """Groups beside it."""
        self.promised: Severity | None = None
        """How bad the finding of its trouble has to be, where that depends on the group."""
        self.processes: list[Process] = []
        self._absent: list[Process] = []
        self._joins = 0

    def begin(self, *, static: bool = False, client: str | None = None) -> None:
        """Let all processes join at once."""
        for number in range(self.sizes.members):
            host = f"/10.{number >> 8}.{number & 255}.1"
            name = client or f"app-{number}"
            self.processes.append(Process(name, host, f"i-{number}" if static else None))
        for partition in range(self.sizes.partitions):
            self.processes[partition % len(self.processes)].partitions.append(partition)
        self.write(START)

    def write(self, time: float, *, rise: int = 1) -> None:
        """Write the record of a generation, or of a static member that is replaced in one."""
        self.now = max(int(time), self.now)
        self.generation += rise
        members = []
        for process in self.processes:
            if process.seen is None:
                self._joins += 1
            members.append(process.member(self._joins))
        place = Place("log", 0, len(self.steps), self.now)
        leader = members[0].member_id if members else None
        protocol = self.protocol if members else None
        self.steps.append(
            Step(place, self.generation, "consumer", protocol, leader, self.now - 3, tuple(members))
        )

    def empty(self, at: float) -> None:
        """Let all processes leave."""
        self._absent, self.processes = self.processes, []
        self.write(at)

    def delete(self, at: float) -> None:
        """Let the empty group be deleted: its generations start anew."""
        self.deleted.append(int(at))
        self.generation = 0

    def fill(self, at: float) -> None:
        """Let those come back who have left."""
        self.processes = self._absent
        for process in self.processes:
            process.seen = None
        self.write(at)

    def subscribe(self, topics: tuple[str, ...], at: float) -> None:
        """Let all processes subscribe to other topics, of which nothing is assigned yet."""
        for process in self.processes:
            process.topics, process.seen, process.partitions = topics, None, []
        self.write(at)

    def leave(self, process: Process) -> None:
        """Let a process go; another one takes its partitions."""
        self.processes.remove(process)
        if self.processes and process.partitions:
            self.take(self.rng.choice(self.processes), process.partitions)
        process.partitions, process.seen = [], None

    def join(self, process: Process) -> None:
        """Let a process come, and give it half of what another one has."""
        richest = max(self.processes, key=lambda each: len(each.partitions), default=None)
        half = (
            range(self.sizes.partitions)
            if richest is None
            else richest.partitions[len(richest.partitions) // 2 :]
        )
        process.partitions, process.seen = list(half), None
        if richest is not None and half:
            richest.partitions = richest.partitions[: -len(half)]
            _given_anew(richest)
        self.processes.append(process)

    def take(self, process: Process, partitions: Sequence[int]) -> None:
        """Give partitions to a process that is there."""
        process.partitions = [*process.partitions, *partitions]
        _given_anew(process)

    def restart(self, process: Process, at: float, away: float) -> None:
        """Let a process restart: it leaves, and comes back."""
        self.leave(process)
        self.write(at)
        self.join(process)
        self.write(at + away)

    # -- commits

    def read(
        self,
        partitions: Sequence[int],
        start: float,
        stop: float,
        *,
        rate: float = 10.0,
        interval: float | None = None,
        first: int | None = None,
    ) -> None:
        """Let partitions be committed until then, with so many records a second."""
        step = max(interval or self.sizes.interval, 1)
        count = max(int((stop - start) / step), 1)
        for partition in partitions:
            phase = self.rng.random() * min(step, max(stop - start - (count - 1) * step, 1))
            times = (start + phase + np.arange(count) * step).astype(np.int64)
            base = self.position(partition) if first is None else first
            offsets = base + np.floor((times - start) * rate / 1000 + 1).astype(np.int64)
            self.commits.setdefault(partition, []).append((times, offsets))

    def commit(self, partition: int, time: float, offset: int) -> None:
        """Commit once, or delete with -1."""
        times, offsets = np.array([int(time)], np.int64), np.array([offset], np.int64)
        self.commits.setdefault(partition, []).append((times, offsets))

    def position(self, partition: int) -> int:
        """Return the last offset that was committed."""
        return int(self.commits[partition][-1][1][-1]) if partition in self.commits else 0

    def keep_up(self, rate: float = 10.0) -> None:
        """Let the ends be where a group is that reads all: a moment ahead of the last commits."""
        for partition in self.commits:
            position = self.position(partition)
            self.ends[partition] = position + self.rng.randrange(max(int(rate), 1))
            self.earlier[partition] = max(position - int(rate * 250), 0)

    # -- what becomes of the log

    def compact(self, time: float) -> None:
        """Keep of each key the last record before this time, and all after it."""
        old = [step for step in self.steps if step.place.timestamp < time]
        self.steps = [*old[-1:], *self.steps[len(old) :]]
        for partition, parts in self.commits.items():
            times = np.concatenate([part[0] for part in parts])
            offsets = np.concatenate([part[1] for part in parts])
            kept = times >= time
            before = np.flatnonzero(~kept)
            kept[before[-1:]] = True
            self.commits[partition] = [(times[kept], offsets[kept])]

    # -- what must not turn a finding into silence

    def with_bystanders(self) -> None:
        """Add as many members again, who subscribe as another one does, are there all the time and
        have nothing to do."""
        last = next(step.members[-1] for step in self.steps if step.members)
        bystanders = tuple(
            replace(
                last,
                member_id=f"bystander-{number}",
                instance_id=None,
                client_id=f"bystander-{number}",
                host=f"/10.4.{number >> 8}.{number & 255}",
                assignment=assignment([]) if last.assignment else b"",
            )
            for number in range(self.sizes.members)
        )
        self.steps = [
            replace(step, members=(*step.members, *bystanders)) if step.members else step
            for step in self.steps
        ]

    def after_more_history(self) -> None:
        """Put a calm time as long as all there is in front of it."""
        span = self.judged_at - START
        first = self.steps[0]
        calm = replace(first, place=first.place._replace(timestamp=first.place.timestamp - span))
        self.steps = [replace(calm, generation=max(first.generation - 1, 0)), *self.steps]
        for partition, parts in self.commits.items():
            times = np.arange(
                START - span, parts[0][0][0], max(self.sizes.interval, span // 20_000)
            )
            offsets = np.linspace(0, max(int(parts[0][1][0]), 0), len(times)).astype(np.int64)
            self.commits[partition] = [(times, offsets), *parts]

    def beside_others(self) -> None:
        """Let another group be in the same partition of the topic."""
        other = calm_group(seeded("beside"))
        other.read([0], START, other.sizes.end)
        self.others.append(other)

    def twice_the_records(self) -> None:
        """Let twice as many records be written and read."""
        for partition, parts in self.commits.items():
            self.commits[partition] = [
                (times, np.where(offsets < 0, offsets, offsets * 2)) for times, offsets in parts
            ]
        for facts in (self.ends, self.earlier, self.starts):
            facts.update({partition: 2 * offset for partition, offset in facts.items()})

    def twice_as_fast(self) -> None:
        """Let everything happen in half of the time."""

        def sooner(time: int) -> int:
            return START + (time - START) // 2

        self.steps = [
            replace(step, place=step.place._replace(timestamp=sooner(step.place.timestamp)))
            for step in self.steps
        ]
        self.judged_at = sooner(self.judged_at)

    # -- the verdict

    def findings(self, rules: Sequence[Any] | None = None, **known: Any) -> dict[str, Finding]:
        """Return the worst finding of each rule."""
        topics = None
        if self.ends:
            facts = TopicFacts(
                partitions=self.sizes.partitions,
                ends=self.ends,
                ends_before=self.earlier,
                starts=self.starts,
            )
            topics = {TOPIC: facts}
        named: dict[str, Any] = {"topics": topics, "now": None, **known}
        if rules is not None:
            named["rules"] = tuple(rules)
        options = Options(cluster_id="c", **named)
        states = {GROUP: self.state(options, GROUP)}
        summary = CommitSummary()
        if self.commits:
            summary.add(commits_in(self._offsets(GROUP)))
        for number, other in enumerate(self.others):
            name = f"beside-{number}"
            states[name] = other.state(options, name)
            summary.add(commits_in(other._offsets(name)))
        groups = Groups(options, states)
        groups.at(self.judged_at)
        worst: dict[str, Finding] = {}
        commits = summary.table()
        for finding in groups.findings(commits, late=True):
            if finding.group_id != GROUP:
                continue
            known_worst = worst.get(finding.rule)
            if known_worst is None or finding.severity.rank > known_worst.severity.rank:
                worst[finding.rule] = finding
        lags = lag_table(commits, {GROUP: states[GROUP].facts}, options)
        asked = CommitsSeen(lags.filter(FLEET_ROWS["lag"])).asked(options.end_rules)(GROUP)
        late = {rule.id for rule in options.end_rules if rule.late}
        assert worst.keys() & late <= {rule.id for rule in asked}  # as an audit of a fleet asks
        return worst

    def state(self, options: Options, group_id: str) -> GroupState:
        """Return the group as its records leave it."""
        fold = GroupFold(
            "c", group_id, rules=[rule for rule in options.rules if isinstance(rule, Rule)],
            context=Context(partitions=options.counts), inputs=options.inputs,
        )  # fmt: skip
        deleted = [*self.deleted]
        for step in self.steps:
            while deleted and deleted[0] <= step.place.timestamp:
                fold.delete(deleted.pop(0))
            fold.observe(step)
        return GroupState(fold=fold, last=self.steps[-1].place if self.steps else None)

    def _offsets(self, group_id: str) -> pa.Table:
        """Return the commits as rows of `offsets`, in the order of each partition."""
        parts = [part for of_partition in self.commits.values() for part in of_partition]
        counts = [sum(len(part[0]) for part in parts) for parts in self.commits.values()]
        times, offsets = (np.concatenate(list(column)) for column in zip(*parts, strict=True))
        rows = len(times)
        columns = {
            "cluster_id": pa.repeat("c", rows),
            "group_id": pa.repeat(group_id, rows),
            "topic": pa.repeat(TOPIC, rows),
            "partition": pa.array(np.repeat([*self.commits], counts).astype(np.int32)),
            "committed_offset": pa.array(offsets, mask=offsets < 0),
            "commit_timestamp": pa.array(times * 1000).cast(pa.timestamp("us", tz="UTC")),
        }
        schema = TABLES["offsets"]
        return pa.table(
            [columns.get(name, pa.nulls(rows, schema.field(name).type)) for name in schema.names],
            schema=schema,
        )


def calm_group(rng: random.Random, *, least: int = 2, shortest: int = 20 * MINUTE) -> DrawnGroup:
    """Draw a group whose members have joined at once."""
    group = DrawnGroup(rng, Sizes.drawn(rng, least=least, shortest=shortest))
    group.begin(static=rng.random() < 0.2, client="app" if rng.random() < 0.1 else None)
    return group


def _given_anew(process: Process) -> None:
    if process.seen is not None:
        given = assignment([f"{TOPIC}-{partition}" for partition in process.partitions])
        seen = process.seen
        process.seen = MemberSeen(
            seen.member_id, seen.instance_id, seen.client_id, seen.host, seen.rebalance_timeout,
            seen.session_timeout, seen.metadata, given,
        )  # fmt: skip
