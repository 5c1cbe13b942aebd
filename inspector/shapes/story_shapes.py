"""What `kproto story --json` prints: one object, of all sources and groups together."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field

from .group_shapes import Remark, SettingJudgement
from .shape import FrozenShape, Shares, Time

Zone: TypeAlias = Literal["stated", "assumed", "estimated"]


class SourceClock(FrozenShape, frozen=True):
    """What is taken of the clock of a source, whose times were corrected by it."""

    source: str
    zone: Annotated[
        Zone,
        Meta(description="stated by the source or by --zone; assumed: UTC; estimated by events "
             "that another source shows, too"),
    ]  # fmt: skip
    offset_ms: Annotated[int, Meta(description="how far it is ahead")]
    error_ms: Annotated[int | None, Meta(description="null: nothing tells")] = None


class SourcePlace(FrozenShape, frozen=True):
    """A line of a source, from 1; of a capture, a frame."""

    source: str
    line: int


class SourceLine(FrozenShape, frozen=True):
    """A line that shows a cause; `text` is null with --redact."""

    source: str
    line: int
    text: str | None = None


class GroupEvent(FrozenShape, frozen=True):
    """An event of a group, with every place that tells it. What a source does not say is null."""

    time: Annotated[Time | None, Meta(description="null without a date")]
    time_text: Annotated[str, Meta(description="as the first source has it")]
    event: str
    member: str | None
    client: str | None
    generation: Annotated[int | None, Meta(description="or epoch")]
    certain: bool
    places: tuple[SourcePlace, ...]
    instance: str | None = None
    reason: str | None = None
    error: str | None = None
    partitions: Shares | None = None
    assignment: Annotated[
        dict[str, Shares] | None, Meta(description="by member id, as the leader divides them")
    ] = None


class FollowedEvent(GroupEvent, frozen=True):
    """An event as soon as its line is there (--follow)."""

    group: str = ""


class RebalanceCause(FrozenShape, frozen=True):
    """Why a rebalance began."""

    cause: str
    certain: bool
    member: str | None
    client: str | None
    rivals: tuple[str, ...]
    evidence: tuple[SourceLine, ...]


class PartitionEffect(FrozenShape, frozen=True):
    """What a rebalance did to a partition; null where no source tells."""

    topic: str
    partition: int
    without_reader_ms: Annotated[
        int | None, Meta(description="how long nobody read it, at most")
    ] = None
    committed_before: Annotated[
        int | None, Meta(description="committed, or read and not committed, before it")
    ] = None
    committed_after: Annotated[
        int | None, Meta(description="the next commit, or where the next reader began")
    ] = None
    records_again: Annotated[
        int | None, Meta(description="records that are read twice, or will be; null: not known")
    ] = None
    records_skipped: int | None = None


class PartitionDowntime(FrozenShape, frozen=True):
    """How long nobody read a partition, in all the time, by what members say that they have."""

    topic: str
    partition: int
    total_ms: Annotated[int, Meta(description="at most")]
    at_least_ms: Annotated[
        int,
        Meta(description="less than the total where a member was gone without a word: it stopped "
             "after it was heard of last, and before the group went on without it"),
    ]  # fmt: skip
    times: int
    longest_ms: int
    longest_began: Time | None
    since: Annotated[Time | None, Meta(description="nobody has it since then, to the end")]


class UncountedGaps(FrozenShape, frozen=True):
    """How often a member gave up partitions that `downtimes` does not count, for no source shows
    since when it read them no more."""

    client: Annotated[str, Meta(description="its client id, or its member id")]
    why: Annotated[
        str,
        Meta(description="gone: it was killed, or left, and no line says when; rejoined: with the "
             "eager protocol, and its own log is missing"),
    ]  # fmt: skip
    times: int


class ToldRebalance(FrozenShape, frozen=True):
    """A rebalance; `ended` is null where it did not end, or no source shows it."""

    generation: Annotated[int, Meta(description="or epoch, that it led to")]
    began: Time | None
    ended: Time | None
    leader: str | None
    members: Annotated[int | None, Meta(description="that joined")]
    causes: tuple[RebalanceCause, ...]
    effects: tuple[PartitionEffect, ...] = ()


class RootCause(FrozenShape, frozen=True):
    """What is wrong with the group, or was done to it."""

    cause: str
    certain: bool
    rivals: tuple[str, ...]
    summary: str
    next_step: str = field(name="next")
    evidence: Annotated[tuple[SourceLine, ...], Meta(description="the first lines of it")] = ()
    first_seen: Annotated[Time | None, Meta(description="of all of them, not of these alone")] = (
        None
    )
    last_seen: Time | None = None
    count: Annotated[int, Meta(description="how often it was seen")] = 1


class Look(FrozenShape, frozen=True):
    """A group as the output of a tool shows it, at one moment; what is judged is true of that
    moment alone."""

    source: str
    line: Annotated[int, Meta(description="the line of its first row, from 1")]
    time: Time | None
    time_text: str
    state: Annotated[str, Meta(description="empty: no line tells it")]
    members: Annotated[int | None, Meta(description="null: no line lists or counts them")]
    lag: Annotated[int | None, Meta(description="of all partitions whose lag is printed")]
    partitions_without_lag: int
    remarks: Annotated[tuple[Remark, ...], Meta(description="the worst first")]
    unasked: Annotated[tuple[str, ...], Meta(description="what was not judged, and why")]


class MissingGenerations(FrozenShape, frozen=True):
    """Generations, or epochs, that no source shows, though they show those before and behind."""

    first: int
    last: int


class LagChange(FrozenShape, frozen=True):
    """What waited to be read at two looks at a group between which it rebalanced."""

    began: str
    ended: str
    rebalances: int
    lag_before: int
    lag_after: int


class GroupStory(FrozenShape, frozen=True):
    """A group: its events in the best known order, its rebalances, and what is wrong."""

    group: str
    kind: str
    events: tuple[GroupEvent, ...]
    rebalances: tuple[ToldRebalance, ...]
    causes: tuple[RootCause, ...]
    looks: tuple[Look, ...] = ()
    verdict: Annotated[
        str, Meta(description="in a sentence: who or what makes it rebalance, or that nothing is "
                  "wrong; empty where the sources tell of nothing")
    ] = ""  # fmt: skip
    client_settings: Annotated[
        tuple[SettingJudgement, ...],
        Meta(description="what clients' settings have to do with it: those that a log shows"),
    ] = ()
    missing_generations: tuple[MissingGenerations, ...] = ()
    lag_changes: Annotated[
        tuple[LagChange, ...], Meta(description="what rebalances did to the lag")
    ] = ()
    downtimes: tuple[PartitionDowntime, ...] = ()
    uncounted: tuple[UncountedGaps, ...] = ()


class Unread(FrozenShape, frozen=True):
    """Lines that look like those about groups, and that no table has."""

    source: str
    program: str
    lines: int
    examples: tuple[SourceLine, ...]


class StoryOfGroups(FrozenShape, frozen=True):
    """The story of all groups."""

    clocks: tuple[SourceClock, ...]
    groups: tuple[GroupStory, ...]
    unread: tuple[Unread, ...]
