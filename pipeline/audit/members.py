"""A member of a classic group, as a record of the offsets topic has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ...codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DecodeError,
    VersionedMessage,
)

__all__ = ["IdentitiesByCount", "Identity", "MemberSeen", "Unreadable", "by_topic", "once", "who"]

T = TypeVar("T")
M = TypeVar("M", bound=VersionedMessage)


class once(Generic[T]):  # noqa: N801  # it is used where `property` would be
    """A property that is computed once.

    It does what `functools.cached_property` does, whose lock takes longer in Python 3.11 than
    computing most of what is kept here.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = self._function(instance)
        instance.__dict__[self._name] = value  # is found before this is asked again
        return value


class Unreadable(NamedTuple):
    """Bytes of a member that Apache Kafka refuses: "subscription" or "assignment", and why."""

    field: str
    data: bytes
    error: DecodeError


class Identity(NamedTuple):
    """Who a member is over the generations: a dynamic member gets a new member id at every
    join."""

    instance_id: str | None
    client_id: str
    host: str


class IdentitiesByCount:
    """How often each of some identities did something, and which did it how often."""

    def __init__(self) -> None:
        self._counts: dict[Identity, int] = {}
        self._by_count: dict[int, dict[Identity, None]] = {}

    def put(self, identity: Identity, count: int) -> None:
        """Set the count of an identity."""
        if self._counts.get(identity) != count:
            self.remove(identity)
            self._counts[identity] = count
            self._by_count.setdefault(count, {})[identity] = None

    def remove(self, identity: Identity) -> None:
        """Forget an identity, if it is there."""
        count = self._counts.pop(identity, None)
        if count is not None:
            del self._by_count[count][identity]
            if not self._by_count[count]:
                del self._by_count[count]

    def of(self, count: int) -> Collection[Identity]:
        """Return the identities of a count."""
        return self._by_count.get(count, {}).keys()

    def most_common(self, number: int) -> list[tuple[Identity, int]]:
        """Return the identities of the highest counts, with these, the highest first."""
        ranked = (
            (identity, count)
            for count in sorted(self._by_count, reverse=True)
            for identity in self._by_count[count]
        )
        return [*islice(ranked, number)]


def who(identity: Identity | None) -> str:
    """Return the name of an identity: its instance id, else its client id and host."""
    if identity is None:
        return "nobody"
    if identity.instance_id is not None:
        return f"instance {identity.instance_id}"
    return f"{identity.client_id}{identity.host}"


class MemberSeen(msgspec.Struct, frozen=True, dict=True):
    """A member as a record has it. `metadata` and `assignment` are its bytes, as recorded."""

    member_id: str
    instance_id: str | None
    client_id: str
    host: str
    rebalance_timeout: int
    session_timeout: int
    metadata: bytes
    assignment: bytes
    has_no_rebalance_timeout: bool = False
    """Whether it joined with a rebalance timeout of -1."""

    @once
    def identity(self) -> Identity:
        """Return who the member is over the generations: a static member by its instance id,
        wherever it runs.
        """
        if self.instance_id is not None:
            return Identity(self.instance_id, "", "")
        return Identity(None, self.client_id, self.host)

    @once
    def _said(self) -> ConsumerProtocolSubscription | DecodeError:
        return _read(ConsumerProtocolSubscription, self.metadata)

    @once
    def _given(self) -> ConsumerProtocolAssignment | DecodeError | None:
        return _read(ConsumerProtocolAssignment, self.assignment) if self.assignment else None

    @once
    def subscription(self) -> ConsumerProtocolSubscription | None:
        """Return the subscription that it sent to the leader; None where Kafka cannot read it."""
        result = self._said
        return None if isinstance(result, DecodeError) else result

    @once
    def given(self) -> ConsumerProtocolAssignment | None:
        """Return the assignment that the leader gave it; None where there is none, or Kafka cannot
        read it.
        """
        result = self._given
        return None if isinstance(result, DecodeError) else result

    @once
    def version(self) -> int | None:
        """Return the version of its subscription, which may be newer than any known."""
        return int.from_bytes(self.metadata[:2], "big") if len(self.metadata) > 1 else None

    @once
    def assigned(self) -> frozenset[tuple[str, int]]:
        """Return the partitions that the leader assigned to it, as far as they can be read."""
        assignment = self.given
        return (
            _partitions(assignment.assigned_partitions) if assignment is not None else frozenset()
        )

    @once
    def assigned_topics(self) -> frozenset[str]:
        """Return the topics of its partitions."""
        assignment = self.given
        if assignment is None:
            return frozenset()
        return frozenset(
            [entry.topic for entry in assignment.assigned_partitions if entry.partitions]
        )

    @once
    def claimed(self) -> frozenset[tuple[str, int]]:
        """Return the partitions that it claims to own, as far as they can be read."""
        subscription = self.subscription
        return (
            _partitions(subscription.owned_partitions) if subscription is not None else frozenset()
        )

    @once
    def topics(self) -> frozenset[str]:
        """Return the topics that it subscribes to, as far as they can be read."""
        return frozenset(self.subscription.topics) if self.subscription is not None else frozenset()

    @once
    def unreadable(self) -> tuple[Unreadable, ...]:
        """Return the bytes of the member that Kafka refuses. The assignment may be missing: then
        the leader left the member out.
        """
        if self.subscription is not None and (self.given is not None or not self.assignment):
            return ()
        read = (
            ("subscription", self.metadata, self._said),
            ("assignment", self.assignment, self._given),
        )
        return tuple(
            Unreadable(field, data, error)
            for field, data, error in read
            if isinstance(error, DecodeError)
        )


def by_topic(partitions: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    """Return the numbers of the partitions of each topic."""
    numbers: dict[str, set[int]] = {}
    for topic, number in partitions:
        if topic in numbers:
            numbers[topic].add(number)
        else:
            numbers[topic] = {number}
    return numbers


def _read(kind: type[M], data: bytes) -> M | DecodeError:
    """Return the message, or the error without its traceback, which would keep everything that was
    read so far alive."""
    try:
        return kind.from_bytes(data)
    except DecodeError as error:
        return error.with_traceback(None)


def _partitions(entries: Iterable[Any]) -> frozenset[tuple[str, int]]:
    return frozenset([(entry.topic, number) for entry in entries for number in entry.partitions])
