"""Keys by which exploration recognises states that it has seen: equal if only counts differ.

Generations and epochs grow, and so do the numbers in classic member ids and connections. Nothing in
the machines depends on more than their order, so a key has their ranks: without that a livelock
would be an endless line of new states, and with it it is a cycle.

A state is taken apart into parts, and each distinct part is analysed once: a move changes one or
two.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, cast

from ....codec import ConsumerProtocolSubscription, DecodeError
from ....codec.runtime.message import MessagePart
from ...user_data import sticky_claim
from ..machines.settings import GroupProtocol
from .model import Setup
from .protocols import NAMES, PROTOCOLS, Snapshot


class CountedPart(NamedTuple):
    """A part with its counts taken out: `shape` has a mark where one was."""

    shape: Hashable
    generations: tuple[int, ...]
    names: tuple[str, ...]
    """Member ids ("a-01") and connections ("a#1")."""


class _Counts:
    """The counts that are taken out of a part."""

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

    def epochs(self, value: Iterable[tuple[Any, int]]) -> Hashable:
        """Take the epochs of partitions out."""
        entries = tuple(value)
        self.generations += (epoch for _, epoch in entries)
        return tuple(partition for partition, _ in entries)

    def client_id(self, value: str) -> Hashable:
        """That of a member with an id of any order begins with what orders the id."""
        return value[-1:]

    def left_out(self, value: Any) -> Hashable:
        return None


_Fields: TypeAlias = Mapping[str, Callable[[_Counts, Any], Hashable]]
_CLASSIC: _Fields = MappingProxyType(
    {
        "generation": _Counts.generation,
        "generation_id": _Counts.generation,
        "asked_in": _Counts.generation,
        "committed_in": _Counts.generation,
        "member_id": _Counts.name,
        "owned_as": _Counts.name,
        "leader": _Counts.name,
        "joining": _Counts.name,
        "syncing": _Counts.name,
        "pending": _Counts.all_names,
        "memories": _Counts.memories,
        "metadata": _Counts.metadata,
        "client_id": _Counts.client_id,
        "born": _Counts.left_out,
        "number": _Counts.left_out,
    }
)
_CONSUMER: _Fields = MappingProxyType(
    {
        "epoch": _Counts.generation,
        "previous_epoch": _Counts.generation,
        "assignment_epoch": _Counts.generation,
        "member_epoch": _Counts.generation,
        "committed_in": _Counts.generation,
        "assigned": _Counts.epochs,
        "revoking": _Counts.epochs,
        "number": _Counts.left_out,
    }
)
"""Members of the consumer protocol make their ids themselves, by place and in order."""


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


class Keys:
    """Computes the keys of the groups of a setup."""

    def __init__(self, setup: Setup) -> None:
        is_classic = setup.protocol is PROTOCOLS[GroupProtocol.CLASSIC]
        self._fields = _CLASSIC if is_classic else _CONSUMER
        self._first = 0 if is_classic else 1
        """The least generation that counts; those below mean something themselves."""
        self._parts: dict[Any, CountedPart] = {}

    def of(self, group: Snapshot) -> Hashable:
        """Return the key, which is equal for groups that can go on in the same ways."""
        parts = [self._part(machine) for machine in (*group.processes, group.coordinator)]
        generations = [n for part in parts for n in part.generations]
        names = [name for part in parts for name in part.names]
        numbers = [process.link.number if process else -1 for process in group.processes]
        connections = {f"{name}#{n}" for name, n in zip(NAMES, numbers, strict=False)}
        return (
            tuple(part.shape for part in parts),
            self._ranks(generations),
            _name_ranks(names, connections),
            group[2:],
        )

    def _part(self, value: Any) -> CountedPart:
        part = self._parts.get(value)
        if part is None:
            counts = _Counts()
            shape = self._walk(value, counts)
            part = CountedPart(shape, tuple(counts.generations), tuple(counts.names))
            self._parts[value] = part
        return part

    def _walk(self, value: Any, counts: _Counts) -> Hashable:
        if isinstance(value, tuple):
            fields = getattr(value, "_fields", None)
            if fields is None:
                if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], bytes):
                    return value[0], counts.metadata(value[1])
                return tuple(self._walk(part, counts) for part in value)
            return tuple(
                self._field(name, part, counts) for name, part in zip(fields, value, strict=True)
            )
        if isinstance(value, MessagePart):
            names = value.__struct_fields__
            return (
                type(value).__name__,
                *(self._field(name, getattr(value, name), counts) for name in names),
            )
        return cast(Hashable, value)

    def _field(self, name: str, value: Any, counts: _Counts) -> Hashable:
        take_out = self._fields.get(name)
        return take_out(counts, value) if take_out else self._walk(value, counts)

    def _ranks(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Return the order of generations; what is below the least that counts stays itself."""
        in_order = sorted({n for n in numbers if n >= self._first})
        ranks = {n: rank for rank, n in enumerate(in_order, self._first)}
        return tuple(ranks.get(n, n) for n in numbers)


def _name_ranks(names: Iterable[str], connections: Collection[str]) -> tuple[Hashable, ...]:
    """Return the place and the order of each id. Of a connection only the place counts, and whether
    it is still in use.
    """
    names = list(names)
    ids = sorted({name for name in names if "#" not in name})
    order = {name: (name.partition("-")[0][-1], rank) for rank, name in enumerate(ids)}
    return tuple((name[0], name in connections) if "#" in name else order[name] for name in names)
