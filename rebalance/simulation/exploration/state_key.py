"""Keys by which exploration recognises states that it has seen: equal if only counts differ.

Generations grow, and so do the numbers in member ids and connections. Nothing in the machines
depends on more than their order, so a key has their ranks: without that a livelock would be an
endless line of new states, and with it it is a cycle.

A state is taken apart into parts, and each distinct part is analysed once: a move changes one or
two.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from ....codec import ConsumerProtocolSubscription, DecodeError
from ....codec.runtime.message import MessagePart
from ...user_data import sticky_claim
from .model import Group


class Part(NamedTuple):
    """A part with its counts taken out: `shape` has a mark where one was."""

    shape: Hashable
    generations: tuple[int, ...]
    names: tuple[str, ...]
    """Member ids ("a-01") and connections ("a#1")."""


class _Taken:
    def __init__(self) -> None:
        self.generations: list[int] = []
        self.names: list[str] = []

    def generation(self, value: Any) -> Hashable:
        if value is None:
            return None
        self.generations.append(value)
        return "G"

    def name(self, value: Any) -> Hashable:
        if not value:
            return cast(Hashable, value)
        self.names.append(value)
        return "N"

    def all_names(self, value: Iterable[str]) -> Hashable:
        return tuple(self.name(item) for item in sorted(value))

    def memories(self, value: tuple[tuple[str, Any], ...]) -> Hashable:
        return tuple(
            (name, self.generation(memory) if isinstance(memory, int) else self.user_data(memory))
            for name, memory in value
        )

    def user_data(self, value: bytes | None) -> Hashable:
        """That of sticky and cooperative-sticky has a generation at its end."""
        claim = _sticky(value)
        if claim is None:
            return value
        self.generations.append(claim[0])
        return claim[1]

    def metadata(self, value: bytes) -> Hashable:
        read = _subscription(value)
        if read is None:
            return value
        generation, user_data, rest = read
        return (self.generation(generation), self.user_data(user_data), rest)

    def connection_number(self, value: int) -> Hashable:
        return "C"

    def client_id(self, value: str) -> Hashable:
        """That of a member with an id of any order begins with what orders the id."""
        return value[-1:]

    def left_out(self, value: Any) -> Hashable:
        return None


_FIELDS: dict[str, Callable[[_Taken, Any], Hashable]] = {
    "generation": _Taken.generation,
    "generation_id": _Taken.generation,
    "asked_in": _Taken.generation,
    "committed_in": _Taken.generation,
    "member_id": _Taken.name,
    "owned_as": _Taken.name,
    "leader": _Taken.name,
    "joining": _Taken.name,
    "syncing": _Taken.name,
    "pending": _Taken.all_names,
    "memories": _Taken.memories,
    "metadata": _Taken.metadata,
    "client_id": _Taken.client_id,
    "born": _Taken.left_out,
    "number": _Taken.left_out,
}


@lru_cache(maxsize=1 << 14)
def _sticky(user_data: bytes | None) -> tuple[int, Hashable] | None:
    if not user_data:
        return None
    if len(user_data) == 4:
        return int.from_bytes(user_data, "big", signed=True), None
    claim = sticky_claim(ConsumerProtocolSubscription(user_data=user_data))
    return None if claim.unreadable else (claim.generation, tuple(claim.owned))


@lru_cache(maxsize=1 << 16)
def _subscription(metadata: bytes) -> tuple[int, bytes | None, Hashable] | None:
    try:
        read = ConsumerProtocolSubscription.from_bytes(metadata)
    except DecodeError:
        return None
    label = metadata[:2]
    return read.generation_id, read.user_data, (label, read.topics, read.owned_partitions)


def _walk(value: Any, taken: _Taken) -> Hashable:
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is None:
            if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], bytes):
                return value[0], taken.metadata(value[1])
            return tuple(_walk(part, taken) for part in value)
        return tuple(_field(name, part, taken) for name, part in zip(fields, value, strict=True))
    if isinstance(value, MessagePart):
        names = value.__struct_fields__
        return (
            type(value).__name__,
            *(_field(name, getattr(value, name), taken) for name in names),
        )
    return cast(Hashable, value)


def _field(name: str, value: Any, taken: _Taken) -> Hashable:
    own = _FIELDS.get(name)
    return own(taken, value) if own else _walk(value, taken)


class Signatures:
    """Computes the keys of groups."""

    def __init__(self) -> None:
        self._parts: dict[Any, Part] = {}

    def of(self, group: Group) -> Hashable:
        """Return the key, which is equal for groups that can go on in the same ways."""
        parts = [self._part(machine) for machine in (*group.processes, group.coordinator)]
        generations = [n for part in parts for n in part.generations]
        names = [name for part in parts for name in part.names]
        numbers = [process.link.number if process else -1 for process in group.processes]
        current = {f"{'abcdefghij'[i]}#{n}" for i, n in enumerate(numbers)}
        return (
            tuple(part.shape for part in parts),
            _ranks(generations),
            _name_ranks(names, current),
            group.topics,
            group.started,
            group.faults,
            group.stops,
            group.growths,
        )

    def _part(self, value: Any) -> Part:
        known = self._parts.get(value)
        if known is None:
            taken = _Taken()
            shape = _walk(value, taken)
            known = Part(shape, tuple(taken.generations), tuple(taken.names))
            self._parts[value] = known
        return known


def _ranks(numbers: list[int]) -> tuple[int, ...]:
    """Return the order of generations; those below 0 are none."""
    order = {n: rank for rank, n in enumerate(sorted({n for n in numbers if n >= 0}))}
    return tuple(order.get(n, -1) for n in numbers)


def _name_ranks(names: list[str], current: set[str]) -> tuple[Hashable, ...]:
    """Return the place and the order of each id. Of a connection only the place counts, and whether
    it is still in use.
    """
    ids = sorted({name for name in names if "#" not in name})
    order = {name: (name.partition("-")[0][-1], rank) for rank, name in enumerate(ids)}
    return tuple((name[0], name in current) if "#" in name else order[name] for name in names)
