"""`sticky` of streams groups (KIP-1071): tasks go back to who had them, the others to who has
least."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from typing import Generic, NamedTuple, TypeVar

from ...garbage import seldom_collected
from ..java_order import hash_order, sized_for, sized_order, string_hash, string_order
from .group_spec import SELDOM, UnassignableError


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
            copies = 0
            while copies < self._replicas and self._copy_back(task):
                copies += 1
            if copies < self._replicas:
                open_.append((task, self._replicas - copies))
        queue = JavaQueue((process, process.load()) for process in self._processes)
        for task, missing in sorted(open_, reverse=True):
            for _ in range(missing):
                if not self._copy_to_least(queue, task):
                    break

    def tasks(self) -> dict[str, Tasks]:
        """Return what each member has."""
        task_of = self._numbers.tasks().__getitem__
        return {
            member_id: Tasks(set(map(task_of, active)), set(map(task_of, standby)))
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
        busier: list[_Process] = []
        copied = False
        while queue and not copied:
            process = queue.poll()
            busier.append(process)
            if not self._has(process, task):
                self._copy(self._next_of(process), task, in_turn=True)
                copied = True
        for process in reversed(busier):
            queue.add(process, process.load())
        return copied

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


T = TypeVar("T")


class JavaQueue(Generic[T]):
    """A binary heap whose order of equals is that of java.util.PriorityQueue. An element's weight
    is that at which it was added."""

    def __init__(self, weighted: Iterable[tuple[T, float]] = ()) -> None:
        self.heap: list[T] = []
        self._weights: list[float] = []
        for element, weight in weighted:
            self.add(element, weight)

    def __bool__(self) -> bool:
        return bool(self.heap)

    def add(self, element: T, weight: float) -> None:
        """Put an element in."""
        heap, weights = self.heap, self._weights
        place = len(heap)
        heap.append(element)
        weights.append(weight)
        while place > 0:
            parent = (place - 1) >> 1
            if weight >= weights[parent]:
                break
            heap[place], weights[place] = heap[parent], weights[parent]
            place = parent
        heap[place], weights[place] = element, weight

    def poll(self) -> T:
        """Take the lightest element out. Raises IndexError where there is none."""
        heap, weights = self.heap, self._weights
        first, last, weight = heap[0], heap.pop(), weights.pop()
        place, half = 0, len(heap) >> 1
        while place < half:
            child = 2 * place + 1
            if child + 1 < len(heap) and weights[child] > weights[child + 1]:
                child += 1
            if weight <= weights[child]:
                break
            heap[place], weights[place] = heap[child], weights[child]
            place = child
        if heap:
            heap[place], weights[place] = last, weight
        return first


def turns(elements: Sequence[T], counts: Sequence[int], sizes: Sequence[int]) -> Iterator[T]:
    """Yield who has least for its size, again and again, with one more each time.

    As soon as all have the same, they take turns: in an order that depends on their places in the
    heap alone.
    """
    load = {
        index: (count, size) for index, (count, size) in enumerate(zip(counts, sizes, strict=True))
    }
    queue = JavaQueue((index, count / size) for index, (count, size) in load.items())
    equal = len(set(sizes)) == 1
    for _ in repeat(None, max(counts) * len(counts) - sum(counts)) if equal else repeat(None):
        index = queue.poll()
        count, size = load[index]
        load[index] = count + 1, size
        queue.add(index, (count + 1) / size)
        yield elements[index]
    heap = [elements[index] for index in queue.heap]
    order, places = _round(len(heap))
    while True:
        yield from [heap[place] for place in order]
        heap = [heap[place] for place in places]


@lru_cache(16)
def _round(size: int) -> tuple[list[int], list[int]]:
    """Return the places of a heap of equals in the order in which they come first once each, and
    which of them are where afterwards."""
    queue = JavaQueue(zip(range(size), repeat(0)))
    order: list[int] = []
    for _ in range(size):
        order.append(queue.poll())
        queue.add(order[-1], 1)
    return order, queue.heap
