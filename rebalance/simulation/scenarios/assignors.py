"""Assignors by the names that scenarios and the command use for them.

Besides the built-in ones there are those that upgrades and known bugs need, and users' own:
`module:Class`, which is constructed without arguments. A scenario file is data: it may name one of
one's own only after `load_assignor` has loaded it for the command line or for a program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from uuid import UUID

from ....codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ....codec.messages import SubscriptionInfoData
from ....wording import did_you_mean
from ...assignments import grouped, partitions_of
from ...assignor import Assignments, Assignor, Memory, RebalanceProtocol
from ...assignors.registry import ASSIGNORS
from ...assignors.sticky import CooperativeStickyAssignor
from ...assignors.stream_join import StreamJoinAssignor
from ...compatibility import Reading, Readings
from ...group import Member, Racks, Topics, in_order
from ...user_data import stream_join_epoch

_EAGER = (RebalanceProtocol.EAGER,)
_BOTH = (RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER)


class NoAssignor(ValueError):
    """No assignor has that name; the message says why."""


class AssignorFailed(ValueError):
    """A user's assignor raised an exception, or returned what is no assignment."""


@dataclass(frozen=True, slots=True, eq=False)
class _Wrapper:
    """What an assignor has of the one that it wraps: all but the assignments."""

    inner: Assignor

    @property
    def name(self) -> str:
        """The name of the wrapped assignor."""
        return self.inner.name

    @property
    def protocols(self) -> Collection[RebalanceProtocol]:
        """The protocols of the wrapped assignor."""
        return self.inner.protocols

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the user data of the wrapped assignor."""
        return self.inner.subscription_user_data(topics, memory)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return what the wrapped assignor wants to remember."""
        return self.inner.on_assignment(assignment, generation)


@dataclass(frozen=True, slots=True, eq=False)
class UsersAssignor(_Wrapper):
    """A user's assignor; errors in it are raised with its name."""

    word: str

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the assignor's user data. Raises AssignorFailed if it is neither bytes nor
        None.
        """
        with self._guarded("subscription_user_data"):
            data = self.inner.subscription_user_data(topics, memory)
            return None if data is None else bytes(memoryview(data))

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the assignor's assignments; members that it leaves out are missing, all of them if
        it returns None. Raises AssignorFailed.
        """
        group = list(members)
        with self._guarded("assign"):
            answer = self.inner.assign(group, topics, racks)
            if answer is None:
                return {}
            if not isinstance(answer, Mapping):
                kind = type(answer).__name__
                raise TypeError(f"it returned {kind}, not a mapping of member ids to assignments")
            assignments = {
                member.member_id: answer[member.member_id]
                for member in group
                if member.member_id in answer
            }
            for member_id, assignment in assignments.items():
                if not isinstance(assignment, ConsumerProtocolAssignment):
                    kind = type(assignment).__name__
                    raise TypeError(f"{member_id} gets {kind}, not a ConsumerProtocolAssignment")
                assignment.to_bytes()  # as the leader will
            return assignments

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return what the assignor wants to remember. Raises AssignorFailed."""
        with self._guarded("on_assignment"):
            return self.inner.on_assignment(assignment, generation)

    @contextmanager
    def _guarded(self, method: str) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:  # anything may be in there
            reason = f"{self.word}: {method}: {type(error).__name__}: {error}"
            raise AssignorFailed(reason) from error


@dataclass(frozen=True, slots=True)
class RenamedAssignor:
    """An assignor under another name, or for other protocols."""

    inner: Assignor
    name: str
    protocols: tuple[RebalanceProtocol, ...]

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return the user data of the wrapped assignor."""
        return self.inner.subscription_user_data(topics, memory)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the assignments of the wrapped assignor."""
        return self.inner.assign(members, topics, racks)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return what the wrapped assignor wants to remember."""
        return self.inner.on_assignment(assignment, generation)


@dataclass(frozen=True, slots=True)
class TrustingAssignor(_Wrapper):
    """`cooperative-sticky` before it asked for generations: of two claims it believes one.

    Here that is the claim of the first member by id; in Java it was a matter of chance.
    """

    inner: Assignor = field(default_factory=CooperativeStickyAssignor)

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return None, as the first releases did."""
        return None

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return a division by claims that are all of one generation, the first one of each
        partition.
        """
        believed: set[tuple[str, int]] = set()
        group = []
        for member in in_order(members):
            claimed = partitions_of(member.subscription.owned_partitions)
            first = [partition for partition in claimed if partition not in believed]
            believed.update(first)
            subscription = member.subscription.replace(
                owned_partitions=[
                    ConsumerProtocolSubscription.TopicPartition(
                        topic=entry.topic, partitions=entry.partitions
                    )
                    for entry in grouped(first)
                ],
                generation_id=-1,
                user_data=None,
            )
            group.append(Member(member.member_id, subscription, member.group_instance_id))
        return self.inner.assign(group, topics, racks)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return None: there is nothing to remember."""
        return None


@dataclass(frozen=True, slots=True)
class StreamJoinAfterRange(_Wrapper):
    """`stream-join` in a group that `range` has assigned before, as in KIP-315's tables: while no
    member says what it owned, each is taken to have owned what `range` gives it.
    """

    inner: Assignor = field(default_factory=StreamJoinAssignor)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the assignments of the wrapped assignor, by what was owned before."""
        group = list(members)
        if not any(member.subscription.user_data for member in group):
            ranged = ASSIGNORS["range"].assign(group, topics)
            group = [
                replace(
                    member,
                    subscription=member.subscription.replace(
                        user_data=self.inner.on_assignment(
                            ranged[member.member_id].replace(user_data=stream_join_epoch(-1)), 0
                        )
                    ),
                )
                for member in group
            ]
        return self.inner.assign(group, topics, racks)


_WITH_OFFSET_SUMS = 7
_STICKY = CooperativeStickyAssignor()


@dataclass(frozen=True, slots=True)
class StreamsAssignor:
    """The assignor of Kafka Streams; `version` is that of the user data it writes: 4 with
    upgrade.from or in 2.3, 11 now.
    """

    version: int
    protocols: tuple[RebalanceProtocol, ...]
    latest_supported: int | None = None

    @property
    def name(self) -> str:
        """The assignor's name in JoinGroup."""
        return "stream"

    def subscription_user_data(self, topics: Collection[str], memory: Memory) -> bytes | None:
        """Return a SubscriptionInfoData with the tasks that the member ran."""
        tasks: tuple[int, ...] = memory or ()
        latest = self.latest_supported or self.version
        info = SubscriptionInfoData
        if self.version < _WITH_OFFSET_SUMS:
            task_ids = [info.TaskId(topic_group_id=0, partition=task) for task in tasks]
            subscription = info(
                version=self.version,
                latest_supported_version=latest,
                process_id=UUID(int=0),
                prev_tasks=task_ids,
            )
        else:
            sums = [
                info.TaskOffsetSum(topic_group_id=0, partition=task, offset_sum=0) for task in tasks
            ]
            subscription = info(
                version=self.version,
                latest_supported_version=latest,
                process_id=UUID(int=0),
                task_offset_sums=sums,
            )
        return subscription.to_body(version=self.version)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Return the tasks divided by what members own; eager ones own nothing as they join."""
        bare = [
            Member(
                member.member_id,
                member.subscription.replace(user_data=None),
                member.group_instance_id,
            )
            for member in members
        ]
        return _STICKY.assign(bare, topics, racks)

    def on_assignment(self, assignment: ConsumerProtocolAssignment, generation: int) -> Memory:
        """Return the tasks of the assignment."""
        numbers = {number for _, number in partitions_of(assignment.assigned_partitions)}
        return tuple(sorted(numbers))


_WHOLE_GROUP = Readings(claims_below_the_highest_generation=Reading.TEXT)

CATALOGUE: Mapping[str, Assignor] = MappingProxyType(
    {
        **ASSIGNORS,
        "custom-eager": RenamedAssignor(ASSIGNORS["roundrobin"], "custom", _EAGER),
        "custom-cooperative": RenamedAssignor(ASSIGNORS["cooperative-sticky"], "custom", _BOTH),
        "streams-2.3": StreamsAssignor(4, _EAGER),
        "streams-upgrade-from-2.3": StreamsAssignor(4, _EAGER, latest_supported=11),
        "streams": StreamsAssignor(11, _BOTH),
        "connect-default": RenamedAssignor(ASSIGNORS["roundrobin"], "default", _EAGER),
        "connect-compatible": RenamedAssignor(ASSIGNORS["cooperative-sticky"], "compatible", _BOTH),
        "impatient": RenamedAssignor(ASSIGNORS["roundrobin"], "cooperative-sticky", _BOTH),
        "trusting": TrustingAssignor(),
        "stream-join-after-range": StreamJoinAfterRange(),
        "whole-group-claims": CooperativeStickyAssignor(_WHOLE_GROUP),
    }
)
"""The assignors by name. `impatient` gives without waiting, `trusting` asks for no generation,
`stream-join-after-range` begins with what `range` gives, and `whole-group-claims` drops every claim
below the highest generation of the group (KIP-792).
"""


_LOADED: dict[str, UsersAssignor] = {}
"""The assignors that `load_assignor` has loaded, by their `module:Class`."""


def find_assignor(word: str) -> Assignor:
    """Return the assignor of that name, or a `module:Class` that was loaded. Imports nothing.
    Raises NoAssignor.
    """
    if word in CATALOGUE:
        return CATALOGUE[word]
    if word in _LOADED:
        return _LOADED[word]
    if ":" in word:
        raise NoAssignor(
            f"{word!r} is code, which a scenario does not run by itself: name it on the command "
            "line, --assignor module:Class"
        )
    advice = did_you_mean(word, [*CATALOGUE, "module:Class"])
    raise NoAssignor(f"there is no assignor {word!r}{advice}")


def load_assignor(word: str) -> Assignor:
    """Return the assignor of that name, or of a `module:Class`, whose module is imported and which
    scenarios may name from now on: never call it with a word out of a file. Raises NoAssignor.
    """
    module, colon, name = word.partition(":")
    if word in CATALOGUE or not colon:
        return find_assignor(word)
    try:
        assignor = getattr(import_module(module), name)()
        fault = _fault(assignor)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a module may do anything as it is imported
        raise NoAssignor(f"{word}: {type(error).__name__}: {error}") from None
    if fault:
        raise NoAssignor(f"{word} is not an Assignor: {fault}")
    _LOADED[word] = UsersAssignor(assignor, word)
    return _LOADED[word]


_ATTRIBUTES = ("name", "protocols", "subscription_user_data", "assign", "on_assignment")
_LONGEST_NAME = 2**15 - 1  # bytes of a string in JoinGroup


def _fault(candidate: object) -> str | None:
    """Return why an object is no assignor; None if it is one."""
    missing = [name for name in _ATTRIBUTES if not hasattr(candidate, name)]
    if missing:
        return f"it has no {', '.join(missing)}"
    name, protocols = candidate.name, candidate.protocols  # type: ignore[attr-defined]  # just asked
    if not isinstance(name, str) or not name.isprintable():
        return "its name is no text of printable characters"
    if not 0 < len(name.encode()) <= _LONGEST_NAME:
        return f"its name has to have 1 to {_LONGEST_NAME:,} bytes"
    if not protocols or not all(isinstance(protocol, RebalanceProtocol) for protocol in protocols):
        return "its protocols have to be one RebalanceProtocol or more"
    return None
