"""Groups whose broker assigns: consumer (KIP-848), share (KIP-932) and streams groups (KIP-1071).

Their records are small facts, each replaced by the next one of its key, and gone with a tombstone:
the state of a group is their replay.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from .classic_record import Place
from .members import Identity, who
from .rebalances import Takeover
from .vacancies import Vacancies

DEFAULT_REBALANCE_TIMEOUT_MS = 300_000
"""Of members whose record names none; Kafka's own default."""


class Stamped(NamedTuple):
    """A fact, and the place of the record that stated it."""

    value: Any
    place: Place


class ModernState(msgspec.Struct):
    """A group as its records leave it; each mapping is by member id."""

    kind: str
    """"consumer", "streams" or "share"."""
    epoch: Stamped | None = None
    target_epoch: Stamped | None = None
    topics: Stamped | None = None
    """The ids, names and sizes of its topics, which brokers before 4.1 write."""
    topology: Stamped | None = None
    """What a Streams group computes, and so which topics each of its tasks reads."""
    members: dict[str, Stamped] = {}
    targets: dict[str, Stamped] = {}
    current: dict[str, Stamped] = {}
    superseded: dict[int, int] = {}
    """When each epoch of the group was followed by another one, of those that a member may have."""
    mixed_since: int | None = None
    """Since when there are members of the classic protocol and others."""
    pending_since: dict[str, int] = {}
    """Since when a member has something to give back, if it still has some of that."""
    differs_since: dict[str, int] = {}
    """Since when what a member has is not its target; from its last step towards it on."""

    def left_at(self, epoch: int) -> int:
        """Return when the group went beyond an epoch, in milliseconds since 1970."""
        later = [number for number in self.superseded if number >= epoch]
        if later:
            return self.superseded[min(later)]
        return -1 if self.epoch is None else self.epoch.place.timestamp

    def timeout(self, member_id: str) -> int:
        """Return the rebalance timeout of a member, in milliseconds."""
        member = self.members.get(member_id)
        timeout = getattr(member.value, "rebalance_timeout_ms", -1) if member is not None else -1
        return timeout if timeout > 0 else DEFAULT_REBALANCE_TIMEOUT_MS


# What the name of a record's key definition says, after the kind of the group in front.
_ONE = {
    "GroupMetadata": "epoch",
    "GroupTargetAssignmentMetadata": "target_epoch",
    "GroupPartitionMetadata": "topics",
    "GroupTopology": "topology",
}
_BY_MEMBER = {
    "GroupMemberMetadata": "members",
    "GroupTargetAssignmentMember": "targets",
    "GroupCurrentMemberAssignment": "current",
}
_KINDS = {"Consumer": "consumer", "Streams": "streams", "Share": "share"}


class Tenure(NamedTuple):
    """Who has a partition or a task, or had it last: its instance id, else its member id; the
    latter; and its name in sentences."""

    holder: str
    member_id: str
    name: str


class ModernFold:
    """A group whose broker assigns, record by record."""

    def __init__(self, cluster_id: str, group_id: str, kind: str) -> None:
        self.cluster_id = cluster_id
        self.group_id = group_id
        self.state = ModernState(kind)
        self.owners: dict[tuple[Any, int], str] = {}
        """Who has each partition, or task, by the members' current assignments."""
        self.overlap: tuple[Place, str] | None = None
        """The first record that gives a member what another one still has, and in words what."""
        self.vacancies = Vacancies()
        """When nobody was in the group."""
        self._forget()

    def _forget(self) -> None:
        """Forget who had what, of a group that was deleted."""
        self.takeovers: dict[tuple[Any, int], Takeover] = {}
        """The last takeover of each partition or task that changed its owner."""
        self.given_since: dict[Any, int] = {}
        """Since when members have partitions of each topic, or tasks of each subtopology."""
        self._tenures: dict[tuple[Any, int], Tenure] = {}
        self._owned: Counter[Any] = Counter()
        """How many partitions of each topic members have."""
        self._unowned_since: dict[Any, int] = {}

    def observe(self, place: Place, key: Any, value: Any | None) -> None:
        """Take a record: the key and value messages, None for a tombstone."""
        fact = type(key).NAME.removesuffix("Key").removeprefix(self.state.kind.capitalize())
        stamped = None if value is None else Stamped(value, place)
        state = self.state
        if fact in _ONE:
            if fact == "GroupMetadata":
                self._supersede(stamped)
                self.vacancies.note(place.timestamp, has_members=bool(state.members))
                if stamped is None:
                    self._forget()
            setattr(state, _ONE[fact], stamped)
        elif fact in _BY_MEMBER:
            facts: dict[str, Stamped] = getattr(state, _BY_MEMBER[fact])
            if fact == "GroupCurrentMemberAssignment":
                self._note_owners(place, key.member_id, facts.get(key.member_id), value)
            previous = facts.pop(key.member_id, None)
            if stamped is not None:
                facts[key.member_id] = stamped
            if fact == "GroupMemberMetadata":
                self._note_mixing(place.timestamp)
                self.vacancies.note(place.timestamp, has_members=bool(state.members))
            else:
                self._note_member(key.member_id, previous, place.timestamp, fact)

    def _note_owners(
        self, place: Place, member_id: str, previous: Stamped | None, value: Any | None
    ) -> None:
        topics: set[Any] = set()
        for part in _parts_of(previous.value) if previous is not None else ():
            if self.owners.get(part) == member_id:
                del self.owners[part]
                self._owned[part[0]] -= 1
                topics.add(part[0])
        for part in _parts_of(value) if value is not None else ():
            owner = self.owners.get(part)
            if owner is not None and self.overlap is None and self.state.kind != "share":
                conflict = f"{part[0]}-{part[1]} is given to {member_id} while {owner} still has it"
                self.overlap = place, conflict
            if owner is None:
                self._owned[part[0]] += 1
                topics.add(part[0])
            self.owners[part] = member_id
            if self.state.kind != "share":
                self._note_tenure(part, member_id, place.timestamp)
        for topic in topics:
            self._note_topic(topic, place.timestamp)

    def _note_tenure(self, part: tuple[Any, int], member_id: str, time: int) -> None:
        """Note who has a partition now. A static member keeps its own when its id changes."""
        last = self._tenures.get(part)
        if last is not None and last.member_id == member_id:
            return
        tenure = self._tenures[part] = self._tenure(member_id)
        if last is not None and last.holder != tenure.holder:
            has_left = last.member_id not in self.state.members
            self.takeovers[part] = Takeover(time, last.member_id, last.name, -1, has_left)

    def _tenure(self, member_id: str) -> Tenure:
        member = self.state.members.get(member_id)
        if member is None:
            return Tenure(member_id, member_id, member_id)
        value = member.value
        identity = Identity(value.instance_id, value.client_id, value.client_host)
        return Tenure(value.instance_id or member_id, member_id, who(identity))

    def _note_topic(self, topic: Any, time: int) -> None:
        """Note since when partitions of a topic have owners. While nobody is in the group, none of
        them has one, and that does not count."""
        if self._owned[topic] <= 0:
            self._unowned_since.setdefault(topic, time)
            return
        began = self._unowned_since.pop(topic, None)
        if topic not in self.given_since or (
            began is not None and not self.vacancies.is_any_between(began, time)
        ):
            self.given_since[topic] = time

    def _supersede(self, stamped: Stamped | None) -> None:
        state = self.state
        if stamped is None:
            state.superseded.clear()
        elif state.epoch is not None and stamped.value.epoch > state.epoch.value.epoch:
            state.superseded[state.epoch.value.epoch] = stamped.place.timestamp
            if len(state.superseded) > 2 * len(state.current) + _MOST_EPOCHS:
                self._forget_epochs()

    def _forget_epochs(self) -> None:
        """Keep of the epochs the first one beyond that of each member, and of the target."""
        state = self.state
        reached = {current.value.member_epoch for current in state.current.values()}
        if state.target_epoch is not None:
            reached.add(state.target_epoch.value.assignment_epoch)
        numbers = sorted(state.superseded)
        places = {bisect_left(numbers, epoch) for epoch in reached}
        indices = {numbers[place] for place in places if place < len(numbers)}
        state.superseded = {number: state.superseded[number] for number in sorted(indices)}

    def _note_mixing(self, time: int) -> None:
        members = self.state.members.values()
        kinds = {
            getattr(member.value, "classic_member_metadata", None) is None for member in members
        }
        if len(kinds) < 2:
            self.state.mixed_since = None
        elif self.state.mixed_since is None:
            self.state.mixed_since = time

    def _note_member(self, member_id: str, previous: Stamped | None, time: int, fact: str) -> None:
        """Note since when a member has something to give back, and has not what it should have."""
        state = self.state
        current, target = state.current.get(member_id), state.targets.get(member_id)
        if fact == "GroupCurrentMemberAssignment":
            pending = frozenset() if current is None else pending_of(current.value)
            if not pending:
                state.pending_since.pop(member_id, None)
            elif previous is None or not pending & pending_of(previous.value):
                state.pending_since[member_id] = time
            state.differs_since.pop(member_id, None)
        if (
            current is None
            or target is None
            or state.kind != "consumer"
            or assigned_of(target.value.topic_partitions)
            == assigned_of(current.value.assigned_partitions)
        ):
            state.differs_since.pop(member_id, None)
        else:
            state.differs_since.setdefault(member_id, time)


_MOST_EPOCHS = 64
_PENDING = (
    "partitions_pending_revocation", "active_tasks_pending_revocation",
    "standby_tasks_pending_revocation", "warmup_tasks_pending_revocation",
)  # fmt: skip


def assigned_of(entries: Any) -> frozenset[tuple[Any, int]]:
    """Return the partitions of a consumer's target or current assignment."""
    return frozenset((entry.topic_id, number) for entry in entries for number in entry.partitions)


def pending_of(value: Any) -> frozenset[tuple[str, Any, int]]:
    """Return the partitions, or tasks, that a member still has to give back."""
    return frozenset(
        (name, getattr(entry, "topic_id", None) or getattr(entry, "subtopology_id", None), number)
        for name in _PENDING
        for entry in getattr(value, name, ())
        for number in entry.partitions
    )


def _parts_of(value: Any) -> Iterator[tuple[Any, int]]:
    """Yield the partitions, or the active tasks, that a member has or has to give back."""
    for name in _PARTS:
        for entry in getattr(value, name, None) or ():
            topic = getattr(entry, "topic_id", None) or getattr(entry, "subtopology_id", None)
            yield from ((topic, number) for number in entry.partitions)


_PARTS = (
    "assigned_partitions",
    "partitions_pending_revocation",
    "active_tasks",
    "active_tasks_pending_revocation",
)


def kind_of(key_name: str) -> str | None:
    """Return the kind of group that has keys of this definition; None for classic groups and
    commits.

    >>> kind_of("ConsumerGroupMetadataKey"), kind_of("GroupMetadataKey")
    ('consumer', None)
    """
    return next((kind for prefix, kind in _KINDS.items() if key_name.startswith(prefix)), None)
