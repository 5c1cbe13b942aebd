"""`sticky` of streams groups (KIP-1071): tasks go back to who had them, the others to who has
least."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, repeat
from typing import NamedTuple

from ...garbage import seldom_collected
from ..java_order import hash_order, sized_for, sized_order, string_hash, string_order
from .group_spec import SELDOM, UnassignableError
from .java_queue import JavaQueue, turns


class Task(NamedTuple):
    """A task: a partition of a subtopology."""

    subtopology: str
    partition: int


class Subtopology(NamedTuple):
    """A part of a topology: the most partitions that one of its inputs has, and whether it keeps
    state, which standby tasks copy."""

    partitions: int
    stateful: bool = False


@dataclass(frozen=True)
class StreamsMember:
    """A member of a streams group; tasks are those that it was to have before."""

    process_id: str
    active: Mapping[str, Collection[int]] = field(default_factory=dict)
    standby: Mapping[str, Collection[int]] = field(default_factory=dict)


class Tasks(NamedTuple):
    """The tasks of a member."""

    active: set[Task]
    standby: set[Task]


@seldom_collected(SELDOM)
def assign_tasks(
    members: Mapping[str, StreamsMember],
    topology: Mapping[str, Subtopology],
    standby_replicas: int = 0,
) -> dict[str, Tasks]:
    """Return each member's tasks, as StickyTaskAssignor does. Raises UnassignableError."""
    division = _Division(members, _Numbers(topology), standby_replicas)
    division.assign_active()
    if standby_replicas > 0:
        division.assign_standby()
    return division.tasks()


class _Numbers:
    """Tasks as numbers, in the order of subtopologies and then of partitions: a million numbers
    cost much less than a million tuples."""

    def __init__(self, topology: Mapping[str, Subtopology]) -> None:
        self._names = sorted(topology, key=string_order)
        self._parts = [topology[name] for name in self._names]
        ends = accumulate((part.partitions for part in self._parts), initial=0)
        self._spans = dict(zip(self._names, pairwise(ends), strict=True))

    def count(self, *, stateful: bool = False) -> int:
        """Return how many tasks there are."""
        return sum(part.partitions for part in self._parts if part.stateful or not stateful)

    def of(self, tasks: Mapping[str, Collection[int]]) -> Iterator[int]:
        """Yield the numbers of tasks, without those that do not exist any more."""
        for name, partitions in tasks.items():
            start, end = self._spans.get(name, (0, 0))
            for partition in partitions:
                if 0 <= partition < end - start:
                    yield start + partition

    def by_partition(self, *, stateful: bool = False) -> list[int]:
        """Return the tasks in the order of partitions, and then of subtopologies."""
        spans = [
            span
            for part, span in zip(self._parts, self._spans.values(), strict=True)
            if part.stateful or not stateful
        ]
        most = max((end - start for start, end in spans), default=0)
        return [start + n for n in range(most) for start, end in spans if start + n < end]

    def tasks(self) -> list[Task]:
        """Return the tasks by their numbers."""
        return [
            task
            for name, part in zip(self._names, self._parts, strict=True)
            for task in map(Task._make, zip(repeat(name), range(part.partitions)))
        ]


class _Process:
    """The members of a process as indexes, in the order of a `HashMap`, and how many tasks they
    have. `turns` tells which of them has least, and is no longer right when one is given a task out
    of turn."""

    def __init__(self, members: list[int]) -> None:
        self.members = members
        self.total = 0
        self.copied: set[int] = set()
        self.turns: Iterator[int] | None = None

    def load(self) -> float:
        return self.total / len(self.members)


class _Quota:
    """How many tasks a member may have while others have fewer; it shrinks as members fill up."""

    def __init__(self, tasks: int, members: int) -> None:
        self._tasks = tasks
        self._members = members
        self.each = self._share()

    def count(self, has: int) -> None:
        """Count a member that has been given its last one."""
        if has == self.each:
            self._members -= 1
            self._tasks -= has
            self.each = self._share()

    def _share(self) -> int:
        return -(-self._tasks // self._members) if self._members else 0


_NOBODY = -1


class _Division:
    def __init__(
        self, members: Mapping[str, StreamsMember], numbers: _Numbers, standby_replicas: int
    ) -> None:
        self._ids = hash_order(members)
        self._numbers = numbers
        self._replicas = standby_replicas
        active, standby = numbers.count(), numbers.count(stateful=True)
        self._active_quota = _Quota(active, len(members))
        self._quota = _Quota(active + standby * standby_replicas, len(members))
        self._counts = [0] * len(members)
        self._active: list[list[int]] = [[] for _ in members]
        self._standby: list[list[int]] = [[] for _ in members]
        self._owners = [_NOBODY] * active
        self._had_active = [_NOBODY] * active
        self._had_standby: dict[int, list[int]] = {}
        ids: dict[str, list[str]] = {}
        for index, member_id in enumerate(self._ids):
            member = members[member_id]
            ids.setdefault(member.process_id, []).append(member_id)
            for task in numbers.of(member.active):
                self._had_active[task] = index
            for task in numbers.of(member.standby):
                self._had_standby.setdefault(task, []).append(index)
        place = {member_id: index for index, member_id in enumerate(self._ids)}
        processes = {
            process_id: _Process([place[member_id] for member_id in hash_order(listed)])
            for process_id, listed in ids.items()
        }
        self._home = [processes[members[member_id].process_id] for member_id in self._ids]
        order = sized_order(processes, string_hash, sized_for(len(members), len(processes)))
        self._processes = [processes[process_id] for process_id in order]

    def assign_active(self) -> None:
        """Give every task to one member: the one that had it, had a copy of it, or has least."""
        left = [
            task
            for task in self._numbers.by_partition()
            if not self._give_back(self._had_active[task], task)
        ]
        left = [
            task
            for task in left
            if task not in self._had_standby
            or not self._give_back(self._least_loaded(task, copying=False), task)
        ]
        if left and not self._processes:
            raise UnassignableError("no process takes any task")
        by_load = turns(
            self._processes,
            [process.total for process in self._processes],
            [len(process.members) for process in self._processes],
        )
        for task, process in zip(sorted(left), by_load, strict=False):
            index = self._next_of(process)
            self._owners[task] = index
            self._active[index].append(task)
            self._count(index)

    def assign_standby(self) -> None:
        """Give copies of every task to processes that do not have it, as far as there are such."""
        open_: list[tuple[int, int]] = []
        for task in reversed(self._numbers.by_partition(stateful=True)):
            given = 0
            while given < self._replicas and self._copy_back(task):
                given += 1
            if given < self._replicas:
                open_.append((task, self._replicas - given))
        queue = JavaQueue((process, process.load()) for process in self._processes)
        for task, wanted in sorted(open_, reverse=True):
            for _ in range(wanted):
                if not self._copy_to_least(queue, task):
                    break

    def tasks(self) -> dict[str, Tasks]:
        """Return what each member has."""
        named = self._numbers.tasks().__getitem__
        return {
            member_id: Tasks(set(map(named, active)), set(map(named, standby)))
            for member_id, active, standby in zip(
                self._ids, self._active, self._standby, strict=True
            )
        }

    def _give_back(self, index: int, task: int) -> bool:
        if index == _NOBODY or self._counts[index] >= self._active_quota.each:
            return False
        self._owners[task] = index
        self._active[index].append(task)
        self._active_quota.count(self._count(index))
        return True

    def _copy_back(self, task: int) -> bool:
        had = self._had_active[task]
        if had != _NOBODY and not self._has(self._home[had], task) and self._is_open(had):
            self._copy(had, task)
            return True
        holder = self._least_loaded(task, copying=True)
        if holder == _NOBODY or not self._is_open(holder):
            return False
        self._copy(holder, task)
        return True

    def _copy_to_least(self, queue: JavaQueue[_Process], task: int) -> bool:
        """Give a copy to the least loaded process without the task; the others wait outside of the
        queue meanwhile, and come back in the opposite order."""
        passed: list[_Process] = []
        found = False
        while queue and not found:
            process = queue.poll()
            passed.append(process)
            if not self._has(process, task):
                self._copy(self._next_of(process), task, in_turn=True)
                found = True
        for process in reversed(passed):
            queue.add(process, process.load())
        return found

    def _copy(self, index: int, task: int, *, in_turn: bool = False) -> None:
        process = self._home[index]
        if not in_turn:
            process.turns = None
        process.copied.add(task)
        self._standby[index].append(task)
        self._count(index)

    def _next_of(self, process: _Process) -> int:
        """Return the member of a process that has least."""
        if process.turns is None:
            counts = [self._counts[index] for index in process.members]
            process.turns = turns(process.members, counts, [1] * len(counts))
        return next(process.turns)

    def _least_loaded(self, task: int, *, copying: bool) -> int:
        """Return the member that had a copy of the task and has least; nobody where its process has
        the task already, as seen from the first one that had a copy."""
        had = self._had_standby.get(task)
        if not had:
            return _NOBODY
        best = had[0]
        process_load, member_load = self._home[best].load(), self._counts[best]
        for index in had[1:]:
            process = self._home[index]
            if process.load() >= process_load or (copying and self._has(process, task)):
                continue
            if self._counts[index] < member_load:
                best, process_load, member_load = index, process.load(), self._counts[index]
        return _NOBODY if copying and self._has(self._home[had[0]], task) else best

    def _has(self, process: _Process, task: int) -> bool:
        return self._home[self._owners[task]] is process or task in process.copied

    def _is_open(self, index: int) -> bool:
        return self._counts[index] < self._quota.each

    def _count(self, index: int) -> int:
        """Count a task that a member has been given; return how many it has."""
        self._home[index].total += 1
        count = self._counts[index] = self._counts[index] + 1
        self._quota.count(count)
        return count
