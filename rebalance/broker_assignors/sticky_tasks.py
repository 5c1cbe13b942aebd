"""`sticky` of streams groups (KIP-1071): tasks go back to who had them, the others to who has
least."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..java_order import hash_order, sized_for, sized_order, string_hash, string_order
from .group_spec import UnassignableError
from .java_queue import JavaQueue


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


def assign_tasks(
    members: Mapping[str, StreamsMember],
    topology: Mapping[str, Subtopology],
    standby_replicas: int = 0,
) -> dict[str, Tasks]:
    """Return each member's tasks, as StickyTaskAssignor does. Raises UnassignableError."""
    division = _Division(members, topology, standby_replicas)
    division.assign_active(_tasks(topology, stateful=False))
    if standby_replicas > 0:
        division.assign_standby(_tasks(topology, stateful=True))
    return division.tasks()


def _tasks(topology: Mapping[str, Subtopology], *, stateful: bool) -> list[Task]:
    return [
        Task(name, partition)
        for name, part in topology.items()
        if part.stateful or not stateful
        for partition in range(part.partitions)
    ]


def _by_partition(task: Task) -> tuple[int, bytes]:
    return task.partition, string_order(task.subtopology)


def _by_subtopology(task: Task) -> tuple[bytes, int]:
    return string_order(task.subtopology), task.partition


class _Process:
    """The members of a process, and what each has."""

    def __init__(self, member_ids: list[str]) -> None:
        self.counts = dict.fromkeys(member_ids, 0)
        self.tasks = {member_id: Tasks(set(), set()) for member_id in member_ids}
        self._all: set[Task] = set()
        self._total = 0
        self._queue: JavaQueue[str] | None = None

    def load(self) -> float:
        return self._total / len(self.counts)

    def has(self, task: Task) -> bool:
        return task in self._all

    def give(self, member_id: str, task: Task, *, active: bool) -> int:
        """Give a task; return how many the member has now."""
        self._queue = None
        return self._give(member_id, task, active=active)

    def give_least(self, task: Task, *, active: bool) -> int:
        """Give a task to the member with the fewest; return how many it has now."""
        if self._queue is None:
            self._queue = JavaQueue(self.counts.__getitem__, hash_order(self.counts))
        member_id = self._queue.poll()
        count = self._give(member_id, task, active=active)
        self._queue.add(member_id)
        return count

    def _give(self, member_id: str, task: Task, *, active: bool) -> int:
        self._total += 1
        self._all.add(task)
        self.tasks[member_id][0 if active else 1].add(task)
        self.counts[member_id] += 1
        return self.counts[member_id]


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


class _Division:
    def __init__(
        self,
        members: Mapping[str, StreamsMember],
        topology: Mapping[str, Subtopology],
        standby_replicas: int,
    ) -> None:
        self._replicas = standby_replicas
        active = sum(part.partitions for part in topology.values())
        standby = sum(part.partitions for part in topology.values() if part.stateful)
        self._active_quota = _Quota(active, len(members))
        self._quota = _Quota(active + standby * standby_replicas, len(members))
        ids: dict[str, list[str]] = {}
        self._home: dict[str, _Process] = {}
        self._had_active: dict[Task, str] = {}
        self._had_standby: dict[Task, list[str]] = {}
        for member_id in hash_order(members):
            member = members[member_id]
            ids.setdefault(member.process_id, []).append(member_id)
            for name, partitions in member.active.items():
                self._had_active |= dict.fromkeys((Task(name, n) for n in partitions), member_id)
            for name, partitions in member.standby.items():
                for number in partitions:
                    self._had_standby.setdefault(Task(name, number), []).append(member_id)
        processes = {process_id: _Process(listed) for process_id, listed in ids.items()}
        for process_id, listed in ids.items():
            self._home |= dict.fromkeys(listed, processes[process_id])
        order = sized_order(processes, string_hash, sized_for(len(members), len(processes)))
        self._processes = [processes[process_id] for process_id in order]

    def assign_active(self, tasks: list[Task]) -> None:
        """Give every task to one member: the one that had it, had a copy of it, or has least."""
        left = [task for task in sorted(tasks, key=_by_partition) if not self._give_back(task)]
        left = [task for task in left if not self._give_copied(task)]
        queue = JavaQueue(_Process.load, self._processes)
        for task in sorted(left, key=_by_subtopology):
            if not queue:
                raise UnassignableError(f"no process takes {task.subtopology}_{task.partition}")
            process = queue.poll()
            self._count_active(process.give_least(task, active=True))
            queue.add(process)

    def assign_standby(self, tasks: list[Task]) -> None:
        """Give copies of every task to processes that do not have it, as far as there are such."""
        open_: list[tuple[Task, int]] = []
        for task in sorted(tasks, key=_by_partition, reverse=True):
            given = 0
            while given < self._replicas and self._copy_back(task):
                given += 1
            if given < self._replicas:
                open_.append((task, self._replicas - given))
        queue = JavaQueue(_Process.load, self._processes)
        for task, wanted in sorted(open_, key=lambda each: _by_subtopology(each[0]), reverse=True):
            for _ in range(wanted):
                if not self._copy_to_least(queue, task):
                    break

    def tasks(self) -> dict[str, Tasks]:
        """Return what each member has."""
        return {member_id: process.tasks[member_id] for member_id, process in self._home.items()}

    def _give_back(self, task: Task) -> bool:
        return self._give_if_free(self._had_active.get(task), task)

    def _give_copied(self, task: Task) -> bool:
        return self._give_if_free(self._least_loaded(task, copying=False), task)

    def _give_if_free(self, member_id: str | None, task: Task) -> bool:
        if member_id is None or self._count(member_id) >= self._active_quota.each:
            return False
        self._count_active(self._home[member_id].give(member_id, task, active=True))
        return True

    def _copy_back(self, task: Task) -> bool:
        owner = self._had_active.get(task)
        if owner is not None and not self._home[owner].has(task) and self._is_open(owner):
            self._quota.count(self._home[owner].give(owner, task, active=False))
            return True
        holder = self._least_loaded(task, copying=True)
        if holder is None or not self._is_open(holder):
            return False
        self._quota.count(self._home[holder].give(holder, task, active=False))
        return True

    def _copy_to_least(self, queue: JavaQueue[_Process], task: Task) -> bool:
        """Give a copy to the least loaded process without the task; the others wait outside of the
        queue meanwhile, and come back in the opposite order."""
        passed: list[_Process] = []
        found = False
        while queue and not found:
            process = queue.poll()
            passed.append(process)
            if not process.has(task):
                self._quota.count(process.give_least(task, active=False))
                found = True
        for process in reversed(passed):
            queue.add(process)
        return found

    def _least_loaded(self, task: Task, *, copying: bool) -> str | None:
        """Return the member that had a copy of the task and has least; None where its process has
        the task already, as seen from the first one that had a copy."""
        had = self._had_standby.get(task)
        if not had:
            return None
        best = had[0]
        process_load, member_load = self._home[best].load(), self._count(best)
        for member_id in had[1:]:
            process = self._home[member_id]
            if process.load() >= process_load or (copying and process.has(task)):
                continue
            if self._count(member_id) < member_load:
                best, process_load = member_id, process.load()
                member_load = self._count(member_id)
        return None if copying and self._home[had[0]].has(task) else best

    def _count(self, member_id: str) -> int:
        return self._home[member_id].counts[member_id]

    def _is_open(self, member_id: str) -> bool:
        return self._count(member_id) < self._quota.each

    def _count_active(self, has: int) -> None:
        self._active_quota.count(has)
        self._quota.count(has)
