"""Who comes and goes in a group whose broker assigns, from one epoch to the next, as rules take it.

A member has a record as long as it is in the group, and the epoch rises with each change of
members, subscriptions or topics. The records of one change come together, that of the epoch behind
those of members.
"""

from __future__ import annotations

from typing import Any

from .classic_record import Place, Step
from .fold import GroupFold
from .members import MemberSeen
from .window import DESERTED_MS, Departure, RecordChange

_UNKNOWN = -1


class EpochFold:
    """The epochs of a group, record by record. `fold` has the findings of its rules."""

    def __init__(self, fold: GroupFold) -> None:
        self.fold = fold
        self._members: dict[str, MemberSeen] = {}
        self._arrivals: dict[str, int | None] = {}
        """When each member came; None where that is not known."""
        self._forget()

    def _forget(self) -> None:
        """Forget the last epoch: of what comes next, it is not known what it changes."""
        self._last: Step | None = None
        self._came: dict[str, MemberSeen] = {}
        self._departures: list[Departure] = []
        self._resubscribed: list[str] = []
        self._are_topics_new = False
        self._metadata = ""
        self._empty_since: int | None = None
        self._run_began: int | None = None

    def observe(self, place: Place, key: Any, value: Any | None) -> None:
        """Take a record: the key and value messages, None for a tombstone."""
        name = type(key).NAME
        if name.endswith("GroupMemberMetadataKey"):
            self._observe_member(place, key.member_id, value)
        elif name.endswith(_OF_TOPICS):
            self._are_topics_new = True
        elif name.endswith("GroupMetadataKey"):
            if value is None:
                self.fold.delete(place.timestamp)
                self._forget()
            else:
                self._observe_epoch(place, value)

    def _observe_member(self, place: Place, member_id: str, value: Any | None) -> None:
        previous = self._members.pop(member_id, None)
        if value is None:
            if previous is not None:
                self._came.pop(member_id, None)
                self._departures.append(Departure(previous, self._arrivals.pop(member_id, None)))
            return
        # A member of a share group is never static, and has no timeout of its own.
        member = self._members[member_id] = MemberSeen(
            member_id,
            getattr(value, "instance_id", None),
            value.client_id,
            value.client_host,
            getattr(value, "rebalance_timeout_ms", _UNKNOWN),
            _UNKNOWN,
            repr(_subscription(value)).encode(),
            b"",
        )
        if previous is not None:
            if member.metadata != previous.metadata:
                self._resubscribed.append(member_id)
        elif not self._takes_over(member, place.timestamp):
            self._came[member_id] = member
            self._arrivals[member_id] = place.timestamp

    def _takes_over(self, member: MemberSeen, time: int) -> bool:
        """Return whether a static member came back under another id, which changes no epoch."""
        for number, (left, began) in enumerate(self._departures):
            if member.instance_id is not None and left.instance_id == member.instance_id:
                del self._departures[number]
                self._arrivals[member.member_id] = began
                self.fold.note_members(time, [left], [member])
                return True
        return False

    def _observe_epoch(self, place: Place, value: Any) -> None:
        if self._last is not None and value.epoch < self._last.generation:
            self.fold.delete()  # it was deleted, and the tombstone is compacted away
            self._forget()
        previous, moment = self._last, place.timestamp
        if self._came and self._empty_since is not None:
            if moment - self._empty_since >= DESERTED_MS:
                self._run_began = moment
            self._empty_since = None
        elif not self._members and self._empty_since is None:
            self._empty_since = moment
        metadata = str(getattr(value, "metadata_hash", 0) or "")
        step = Step(
            place, value.epoch, "", None, None, _UNKNOWN, tuple(self._members.values())
        )  # fmt: skip
        rise, elapsed = 0, 0
        if previous is not None:
            rise = step.generation - previous.generation
            elapsed = moment - previous.place.timestamp
        else:  # who is there may have come long before
            self._arrivals = dict.fromkeys(self._members) | (
                self._arrivals if step.generation <= 1 else {}
            )
        came = [*self._came.values()] if previous is not None else []
        change = RecordChange(
            step,
            previous,
            rise,
            elapsed,
            came,
            self._departures if previous is not None else (),
            self._run_began,
            self._alike(came),
            self._cause(rise, metadata),
            self._resubscribed,
            metadata,
        )
        self.fold.observe_epoch(change)
        self._last, self._metadata = step, metadata
        self._came, self._departures = {}, []
        self._resubscribed, self._are_topics_new = [], False

    def _alike(self, came: list[MemberSeen]) -> dict[Any, int]:
        """Return how many members have the identity of each one that came."""
        identities = {member.identity: 0 for member in came}
        for member in self._members.values() if identities else ():
            if member.identity in identities:
                identities[member.identity] += 1
        return {identity: max(count, 1) for identity, count in identities.items()}

    def _cause(self, rise: int, metadata: str) -> str:
        """Return why the epoch rose: a word of `history.causes`."""
        if self._came:
            return "member-joined"
        if self._departures:
            return "member-left"
        if self._resubscribed:
            return "subscription-changed"
        is_other = metadata != self._metadata and self._last is not None
        return "metadata-changed" if rise == 1 and (is_other or self._are_topics_new) else "unknown"


_OF_TOPICS = ("GroupPartitionMetadataKey", "GroupRegularExpressionKey")


def _subscription(value: Any) -> tuple[Any, ...]:
    """Return what a member wants to read."""
    names = ("subscribed_topic_names", "subscribed_topic_regex", "topology_epoch")
    return tuple(getattr(value, name, None) for name in names)
