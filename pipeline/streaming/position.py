"""The position up to which the topic is read: the offset of the stream in its checkpoint.

It holds more than offsets: everything that a batch takes from outside, so that a batch that is
repeated after a crash is the same batch. It says itself where it begins, where that is not the end
of the one before: after records were lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Self

import msgspec

from ...cluster.records import BrokerError, PartitionRange
from ..sources.broker import shared

__all__ = [
    "MAX_LOOKS",
    "OnLost",
    "Position",
    "RebalancingGroup",
    "Topic",
    "advance",
    "first",
    "ranges",
]

TICK_MS = 10_000
"""How often time goes on, at most, and the states of groups are asked for."""

MAX_LOOKS = 1000
"""How many rebalancing groups are watched; a coordinator that moves has all of its groups there."""


class OnLost(StrEnum):
    """What to do where the topic no longer has the next record, or is a different topic."""

    FAIL = "fail"
    EARLIEST = "earliest"
    LATEST = "latest"


class RebalancingGroup(msgspec.Struct, frozen=True):
    """A group that the broker says is rebalancing, and since when it was seen so without a break
    (milliseconds since 1970)."""

    state: str
    since: int


class Topic(NamedTuple):
    """The topic at a moment, `at`, that is not later than its ends; `id` is "" where the broker
    does not say. `unstable` are the states of groups that rebalance, None where nobody asked
    or brokers do not list groups."""

    at: int
    id: str
    partitions: Sequence[PartitionRange]
    unstable: Mapping[str, RebalancingGroup] | None = None


class Position(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The end of a batch. Keys of `next` and `begin` are numbers of partitions."""

    next: dict[str, int]
    """The next offset to be read."""
    begin: dict[str, int] = {}
    """Where the batch begins, if not at the end of the one before."""
    topic_id: str = ""
    known: int = 0
    """All records up to this time are read (milliseconds since 1970); 0 while catching up."""
    looks: dict[str, RebalancingGroup] = {}
    """The groups that rebalance."""
    behind: int = 0
    """Offsets that were there and not admitted to this batch."""
    lost: tuple[str, ...] = ()
    """The records that were lost, in words."""

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Return the position that `said` was called on."""
        return msgspec.convert(fields, cls)

    def said(self) -> dict[str, Any]:
        """Return the position in the form that Spark keeps."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def first(topic: Topic) -> Position:
    """Return the position before the first batch, at the begin of the topic."""
    return Position(
        next={str(bound.partition): bound.start for bound in topic.partitions}, topic_id=topic.id
    )


def advance(start: Position, topic: Topic, limit: int | None, on_lost: OnLost) -> Position:
    """Return the position where the next batch ends: `start` itself where there is nothing new.

    At most about `limit` offsets are admitted (None: all), of each partition a share. Time goes on
    only where all that was there is admitted: before, a silence may end in a record that is not
    read yet. Raises BrokerError for a loss, where `on_lost` says so.
    """
    begin, losses = _begin(start, topic, on_lost)
    waiting = {
        str(bound.partition): bound.end - begin.get(str(bound.partition), bound.end)
        for bound in topic.partitions
    }
    admitted = shared(waiting, limit)
    waiting_offsets = sum(waiting.values()) - sum(admitted.values())
    later = not waiting_offsets and topic.at >= start.known + TICK_MS
    looks = start.looks if topic.unstable is None else _bounded(topic.unstable)
    upto = {name: begin[name] + count for name, count in admitted.items()}
    if upto == start.next and not later and looks == start.looks and not losses:
        return start
    return Position(
        next=upto,
        begin={name: at for name, at in begin.items() if start.next.get(name) != at},
        topic_id=topic.id or start.topic_id,
        known=topic.at if later else start.known,
        looks=looks,
        behind=waiting_offsets,
        lost=losses,
    )


def ranges(start: Position, end: Position) -> list[PartitionRange]:
    """Return the ranges that the batch between two positions reads."""
    parts = [
        PartitionRange(int(name), end.begin.get(name, start.next.get(name, 0)), upto)
        for name, upto in end.next.items()
    ]
    return [part for part in parts if part.start < part.end]


def _begin(
    start: Position, topic: Topic, on_lost: OnLost
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return where each partition goes on, and what is lost by that, in words."""
    anew = bool(start.topic_id and topic.id) and start.topic_id != topic.id
    begin: dict[str, int] = {}
    losses: list[str] = []
    for bound in topic.partitions:
        at = start.next.get(str(bound.partition), bound.start)
        if (anew and at) or not bound.start <= at <= bound.end:
            losses.append(_loss(bound, at, anew))
            at = bound.start if on_lost is OnLost.EARLIEST else bound.end
        begin[str(bound.partition)] = at
    if losses and on_lost is OnLost.FAIL:
        raise BrokerError(
            f"{losses[0]}: what came in between cannot be audited; --on-lost earliest goes on with "
            "what there is, --on-lost latest with what comes"
        )
    return begin, tuple(losses)


def _loss(bound: PartitionRange, at: int, anew: bool) -> str:
    why = "the topic was made anew" if anew else f"the broker has {bound.start:,} to {bound.end:,}"
    return f"partition {bound.partition} was read up to {at:,}, and {why}"


def _bounded(looks: Mapping[str, RebalancingGroup]) -> dict[str, RebalancingGroup]:
    """Return the groups that have been rebalancing for longest, where there are too many."""
    oldest = sorted(looks.items(), key=lambda item: (item[1].since, item[0]))[:MAX_LOOKS]
    return dict(sorted(oldest))
