"""What is known of a group while its records are read, and the group at the end of them.

All records of a group come here in the order of the log, whatever their types: an audit gives them
from tables, and the look at one group gives them as a broker returns them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import msgspec

from ...capture.segments.offsets_topic import RecordType, record_types
from ...history.restarts import Restart
from .classic_record import Place, read_step
from .epochs import EpochFold
from .findings import Finding
from .fold import GroupFold
from .group_end import BrokerState, CommitSeen, DeletedCommit, GroupEnd, Refused
from .holdings import NOTHING, holdings_of
from .loading import Loading, Obstacle
from .modern import ModernFold
from .rebalances import Rebalance
from .vacancies import vacant_in_all

if TYPE_CHECKING:
    from ...clients.settings import ClientSettings

__all__ = ["CLASSIC", "ENDING", "LATER", "GroupFacts", "GroupState"]

CLASSIC = 2
"""The type of the records of classic groups."""
_NO_IDS: Mapping[UUID, str] = {}
LATER = (1 << 63) - 1
"""An offset, or a time, behind all."""
ENDING = [
    number
    for number, type_ in record_types().items()
    if type_.key.NAME.endswith("GroupMetadataKey")
]
"""Types of the records that end with their group."""


class GroupFacts(NamedTuple):
    """What a row of the table `lag` takes from its group: how many members it has, the topics that
    they subscribe to, and from when to when nobody was in it (in milliseconds since 1970; None:
    until now). None is what is not known.
    """

    members: int | None = None
    topics: frozenset[str] | None = None
    vacancies: Sequence[tuple[int, int | None]] = ()


class GroupState(msgspec.Struct):
    """What is known of a group while its records are read."""

    fold: GroupFold | None = None
    broker_assigned: ModernFold | None = None
    epochs: EpochFold | None = None
    """Who comes and goes in a group whose broker assigns."""
    rebalances: int = 0
    first_seen: int = -1
    last: Place | None = None
    deletions: list[int] = []
    """Offsets of its tombstones, in order: of a group of whatever type, for a group may change
    from one to another."""
    refused: Refused | None = None
    loading: Loading | None = None
    """The group as a coordinator loads it, of one that had records of several kinds or may have."""
    restarts: int = 0
    """How often generations began anew without a tombstone, which was compacted away."""

    def incarnation(self, offset: int) -> int:
        """Return how often the group had been deleted before the record at that offset."""
        return bisect_left(self.deletions, offset) + self.restarts

    @property
    def members(self) -> int | None:
        """How many members its last record leaves; None where no record says it."""
        modern = self.broker_assigned.state if self.broker_assigned is not None else None
        step = self.fold.last if self.fold is not None else None
        if step is not None:
            return len(step.members)
        if modern is not None:
            return len(modern.members)
        return None if self.fold is None else 0

    @property
    def facts(self) -> GroupFacts:
        """What its commits are judged by."""
        folds = (self.fold, self.broker_assigned)
        vacancies = [fold.vacancies for fold in folds if fold is not None]
        return GroupFacts(self.members, self._topics, vacant_in_all(vacancies))

    @property
    def _topics(self) -> frozenset[str] | None:
        """The topics that its members subscribe to; None where that is not known."""
        step = self.fold.last if self.fold is not None else None
        if step is not None:
            is_known = (
                step.members
                and step.is_consumer
                and not any(member.subscription is None for member in step.members)
            )
            return frozenset(step.topics) if is_known else None
        modern = self.broker_assigned.state if self.broker_assigned is not None else None
        if modern is None or modern.kind != "consumer" or not modern.members:
            return None
        members = [member.value for member in modern.members.values()]
        if any(member.subscribed_topic_regex for member in members):
            return None
        return frozenset(topic for member in members for topic in member.subscribed_topic_names)

    @property
    def observed(self) -> Sequence[Finding]:
        """The findings of its records so far."""
        folds = [self.fold, None if self.epochs is None else self.epochs.fold]
        return [finding for fold in folds if fold is not None for finding in fold.findings()]

    @property
    def member_restarts(self) -> Sequence[Restart]:
        """The members that ended and came back, in the order of their returns."""
        folds = [self.fold, None if self.epochs is None else self.epochs.fold]
        restarts = [
            restart for fold in folds if fold is not None for restart in fold.restarts.latest
        ]
        return sorted(restarts, key=attrgetter("back"))

    def forget_deletions(self) -> None:
        """Keep the number of its tombstones alone: all records that come later are behind them."""
        self.restarts += len(self.deletions)
        self.deletions = []

    def delete(self, offset: int) -> None:
        """Note the offset of a tombstone. A known one is not counted again."""
        if not self.deletions or self.deletions[-1] < offset:
            self.deletions.append(offset)

    def observe_classic(
        self, fold: GroupFold, place: Place, value: bytes | None
    ) -> Rebalance | None:
        """Give a classic group's record to its fold, and return what it changed; None for a
        tombstone, and for the record that founds a group. Raises `DecodeError`."""
        if value is None:
            self.delete(place.offset)
            fold.delete(place.timestamp)
            return None
        incarnation = fold.incarnation
        step = read_step(place, value)
        rebalance = fold.observe(step)
        # of those that were deleted, and whose tombstone is compacted away
        self.restarts += fold.incarnation - incarnation
        if step.founds_group:
            return None
        self.rebalances += 1
        return rebalance

    def broker_assigned_fold(self, group_id: str, kind: str, asked: GroupFold) -> ModernFold:
        """Return the fold of the group's records of that kind, a new one where it had others. The
        rules of `asked` are asked about its epochs."""
        if self.broker_assigned is None or self.broker_assigned.state.kind != kind:
            self.broker_assigned = ModernFold(asked.cluster_id, group_id, kind)
            self.epochs = EpochFold(asked.of(group_id))
        return self.broker_assigned

    def observe_broker_assigned(
        self, fold: ModernFold, kind: RecordType, place: Place, key: bytes, value: bytes | None
    ) -> None:
        """Give a record of a group whose broker assigns to its fold. Raises `DecodeError`."""
        message = None if value is None else kind.value.from_bytes(value)
        key_message = kind.key.from_bytes(key)
        fold.observe(place, key_message, message)
        if self.epochs is not None:
            self.epochs.observe(place, key_message, message)
        if kind.number not in ENDING:
            return
        if value is None:
            self.delete(place.offset)
        else:
            self.rebalances += 1

    def end(  # noqa: PLR0913  # all but two by name
        self,
        group_id: str,
        moment: int,
        *,
        commits: Sequence[CommitSeen] = (),
        committed: Collection[tuple[str, int]] = (),
        deleted: Sequence[DeletedCommit] = (),
        state: BrokerState | None = None,
        counts: Mapping[str, int],
        topics: Mapping[str, Any],
        topic_ids: Mapping[UUID, str] = _NO_IDS,
        inputs: frozenset[str],
        findings: Sequence[Finding] = (),
        client_settings: Sequence[ClientSettings] = (),
    ) -> GroupEnd:
        """Return the group at a moment (in milliseconds since 1970), as rules are asked about it;
        what the records do not tell is given."""
        fold, modern = self.fold, self.broker_assigned
        step = fold.last if fold is not None else None
        holdings = NOTHING
        if step is None and modern is not None and (committed or deleted):
            holdings = holdings_of(modern, topic_ids, counts, committed)
        classic = fold if step is not None else None
        return GroupEnd(
            group_id,
            moment,
            step=step,
            modern=modern.state if modern is not None else None,
            commits=commits,
            committed=committed,
            deleted=deleted,
            state=state,
            counts=counts,
            least=fold.least if fold is not None else {},
            topics=topics,
            lacking_since=fold.lacking_since if fold is not None else {},
            arrivals=fold.arrivals if fold is not None else {},
            given_since=holdings.given_since if classic is None else classic.given_since,
            told=fold.told if fold is not None else frozenset(),
            inputs=inputs,
            members=self.members,
            refused=self._refusal,
            differ_since=self._differ_since,
            obstacle=self._obstacle,
            findings=findings,
            restarts=self.member_restarts,
            client_settings=client_settings,
            takeovers=holdings.takeovers if classic is None else classic.history.takeovers,
            assigned=holdings.owner,
        )

    @property
    def _differ_since(self) -> int | None:
        """Since when members of the group subscribe to different topics."""
        if self.fold is not None and self.fold.last is not None:
            return self.fold.differ_since
        modern = self.broker_assigned
        first: dict[frozenset[str], int] = {}
        for member in () if modern is None else modern.state.members.values():
            topics = frozenset(getattr(member.value, "subscribed_topic_names", None) or ())
            first[topics] = min(first.get(topics, LATER), member.place.timestamp)
        return max(first.values()) if len(first) > 1 else None

    @property
    def _obstacle(self) -> Obstacle | None:
        """The record that a coordinator cannot replay."""
        if self.loading is not None and self.loading.obstacle is not None:
            return self.loading.obstacle
        fold = self.broker_assigned
        if fold is None or fold.overlap is None:
            return None
        place, overlap_text = fold.overlap
        return Obstacle(
            place,
            "current assignment of a member",
            overlap_text,
            "KAFKA-19862",
            "Apache Kafka before 4.0.2, 4.1.2 and 4.2.0; newer ones load it",
            is_mended=True,
        )

    @property
    def _refusal(self) -> Refused | None:
        if self.refused is None or self.last is None:
            return self.refused
        return self.refused._replace(replaced=self.last.offset > self.refused.offset)
