"""What `kproto group` and `kproto migrate` print of groups.

What a kind of group does not have is null or empty. These are also
the objects that the program works with: bytes and times are written by `json_line`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field
from msgspec.structs import force_setattr

from ..diagnose.levels import LEVELS
from .checks import AuditFinding
from .shape import FrozenShape, Hex, HexBytes, Shape, Shares, Time, UnixTime

Kind: TypeAlias = Literal["classic", "consumer", "share", "streams", "connect", "unknown"]
KINDS: tuple[Kind, ...] = ("classic", "consumer", "share", "streams", "connect")
_DIVIDED_BY_MEMBERS = frozenset({"classic", "connect"})
_AT_REST = frozenset({"Stable", "Empty", "Dead", ""})


class Remark(FrozenShape, frozen=True):
    """Something that is wrong or notable."""

    level: Annotated[str, Meta(description="error, warning or note")]
    code: Annotated[str, Meta(description="as `kproto explain` takes it, or a word")]
    text: str = field(name="explanation")
    who: Annotated[str, Meta(description="a member id; empty: the group")] = field(
        name="member", default=""
    )
    cause: Annotated[str | None, Meta(description="a word of the closed set of causes")] = None
    certainty: Annotated[Literal["certain", "likely"] | None, Meta(description="of the cause")] = (
        None
    )
    next_action: Annotated[str, Meta(description="what to do first, or empty")] = ""


class SettingJudgement(FrozenShape, frozen=True):
    """What a client's setting has to do with what happened in its group."""

    level: Annotated[str, Meta(description="error, warning or note")]
    code: Annotated[str, Meta(description="the rule: `kproto explain client-settings`")]
    setting: Annotated[str, Meta(description="the name that the Java client has for it")]
    value: str
    source: Annotated[str, Meta(description="what the settings were read from")]
    client: Annotated[str, Meta(description="the client and its release, as far as known")]
    what_is_set: Annotated[
        str, Meta(description="the setting, with its default by client and release")
    ]
    what_happened: str
    what_follows: str
    what_to_change: str
    certainty: Annotated[
        Literal["certain", "likely"], Meta(description="that one follows from the other")
    ]
    evidence: Annotated[tuple[str, ...], Meta(description="lines, findings or names")] = ()

    @property
    def explanation(self) -> str:
        """All of it but what to change, in a sentence."""
        follows = (
            f"probably {self.what_follows}" if self.certainty == "likely" else self.what_follows
        )
        return f"{self.what_is_set}: {self.what_happened}; {follows}"


class Committed(FrozenShape, frozen=True):
    """A partition that is subscribed to, assigned or committed; null what may not be asked."""

    topic: str
    partition: int
    offset: Annotated[int | None, Meta(description="committed")] = None
    end: Annotated[int | None, Meta(description="of the log")] = None
    lag: int | None = None
    leader_epoch: int | None = None
    metadata: str | None = None
    members: Annotated[tuple[str, ...], Meta(description="ids of those that have it")] = ()
    start: Annotated[
        int | None,
        Meta(description="where the log begins, if records wait; of a share group, which commits "
             "nothing: the first offset left"),
    ] = None  # fmt: skip
    arrivals_a_second: Annotated[
        float | None, Meta(description="records that arrive, where it was looked at twice (--rate)")
    ] = None
    commits_a_second: Annotated[
        float | None, Meta(description="records that are committed, by the same two looks")
    ] = None
    end_before: Annotated[
        int | None,
        Meta(description="where the log ended five minutes before, of a committed partition"),
    ] = None


class Member(FrozenShape, frozen=True):
    """A member of a group, as the broker tells it and as its bytes say."""

    member_id: str = field(name="member")
    client_id: str = field(name="client")
    host: str
    instance_id: str | None = field(name="instance", default=None)
    rack: str | None = None
    protocol: Annotated[str, Meta(description="of the member: classic, consumer, …")] = "classic"
    could_be: Annotated[
        tuple[str, ...], Meta(description="clients that could have written its bytes")
    ] = ()
    metadata: Annotated[HexBytes, Meta(description="of a classic member")] = field(
        default_factory=HexBytes
    )
    assignment: Annotated[HexBytes, Meta(description="of a classic member")] = field(
        default_factory=HexBytes
    )
    version: Annotated[int | None, Meta(description="the version field of its metadata")] = None
    topics: tuple[str, ...] = ()
    regex: str | None = None
    owned: Annotated[Shares, Meta(description="what it claimed when it joined last")] = {}
    generation: int | None = None
    user_data: Annotated[
        str, Meta(description="what the user data was read as: CooperativeStickyUserData v0")
    ] = ""
    assigned: Shares = {}
    target: Annotated[Shares | None, Meta(description="what it is to have (KIP-848)")] = None
    epoch: int | None = None
    process_id: str | None = None
    endpoint: str | None = None
    topology_epoch: Annotated[int | None, Meta(description="of a Streams member")] = None
    standby: Shares = {}
    warmup: Shares = {}
    target_standby: Shares = {}
    target_warmup: Shares = {}

    def __post_init__(self) -> None:
        force_setattr(self, "metadata", HexBytes(self.metadata))
        force_setattr(self, "assignment", HexBytes(self.assignment))

    @property
    def partitions(self) -> int:
        """The number of partitions that are assigned."""
        return sum(map(len, self.assigned.values()))


class GroupHistory(FrozenShape, frozen=True):
    """What the group's own records of the last hours tell."""

    since: Annotated[UnixTime, Meta(description="from when on records were asked for")]
    until: Annotated[UnixTime, Meta(description="the moment that findings are judged at")]
    whole: Annotated[
        bool, Meta(description="whether all were read; else the newest, within the bounds")
    ] = True
    read_bytes: Annotated[
        int, Meta(description="of the group's partition of the offsets topic")
    ] = 0
    records: Annotated[int, Meta(description="those of the group")] = 0
    rebalances: Annotated[int, Meta(description="generations, or epochs, that were recorded")] = 0
    last_rebalance: Annotated[
        UnixTime | None, Meta(description="when the last one of them was recorded")
    ] = None
    findings: Annotated[
        tuple[AuditFinding, ...], Meta(description="as an audit has them, the worst first")
    ] = ()
    problem: Annotated[str, Meta(description="why records were not read, and what to grant")] = ""
    undecided: Annotated[
        tuple[str, ...], Meta(description="what the time that was seen is too short to judge")
    ] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "since", UnixTime(self.since))
        force_setattr(self, "until", UnixTime(self.until))
        if self.last_rebalance is not None:
            force_setattr(self, "last_rebalance", UnixTime(self.last_rebalance))


class Group(FrozenShape, frozen=True):
    """What `kproto group NAME --json` prints: the group."""

    group_id: str = field(name="group")
    kind: Kind
    state: str
    protocol_type: str = ""
    protocol: Annotated[str, Meta(description="the assignor")] = ""
    coordinator: str = ""
    coordinator_id: int | None = None
    epoch: Annotated[int | None, Meta(description="of a group that the broker divides")] = None
    assigned_epoch: Annotated[int | None, Meta(description="that of the target assignment")] = None
    members: tuple[Member, ...] = ()
    unnamed_members: Annotated[
        int, Meta(description="members that a tool has counted without naming them")
    ] = 0
    partitions: tuple[Committed, ...] = ()
    topics: Annotated[
        dict[str, int],
        Meta(description="partitions of each topic that is subscribed to, assigned or committed"),
    ] = {}
    racks: Annotated[
        dict[str, tuple[tuple[str | None, ...], ...]],
        Meta(description="of each partition's replicas"),
    ] = {}
    topic_ids: Annotated[dict[str, str], Meta(description="as far as the broker tells them")] = {}
    remarks: Annotated[tuple[Remark, ...], Meta(description="the worst first")] = ()
    problems: Annotated[
        tuple[str, ...], Meta(description="what could not be asked, and which ACL it needs")
    ] = ()
    broker_has_consumer_protocol: Annotated[
        bool | None, Meta(description="whether the coordinator takes members of KIP-848")
    ] = None
    settings: Annotated[
        dict[str, str], Meta(description="of the group and its coordinator, where asked for")
    ] = {}
    client_settings: Annotated[
        tuple[SettingJudgement, ...],
        Meta(
            description="of --settings FILE, the worst first: what they have to do with the group"
        ),
    ] = ()
    settings_problem: Annotated[str, Meta(description="why settings are unknown")] = ""
    in_history: Annotated[
        str, Meta(description="what one look cannot tell, and the command that can")
    ] = ""
    history: Annotated[
        GroupHistory | None, Meta(description="null: its records were not asked for")
    ] = None
    lag: Annotated[int | None, Meta(description="the sum of what is known; null: nothing is")] = (
        None
    )

    def __post_init__(self) -> None:
        force_setattr(self, "lag", total_lag(row.lag for row in self.partitions))

    @property
    def worst(self) -> str:
        """The level of the worst remark, "" without any."""
        return worst(self.remarks)

    @property
    def size(self) -> int:
        """The number of members."""
        return len(self.members) + self.unnamed_members

    @property
    def rebalancing(self) -> str:
        """Why members' bytes are missing, "" where they are not: a broker reports the assignor and
        the subscriptions of a group that its members divide only while the group is Stable."""
        if self.kind not in _DIVIDED_BY_MEMBERS or self.state in _AT_REST:
            return ""
        return (
            f"the group is rebalancing ({self.state}): brokers report the assignor and what "
            "members subscribe to only while it is Stable"
        )


class Listed(FrozenShape, frozen=True):
    """A line of `kproto group --json`: a group of the cluster."""

    group_id: str = field(name="group")
    kind: Kind
    state: str
    protocol_type: str = ""
    protocol: Annotated[str, Meta(description="the assignor, as far as the broker tells it")] = ""
    coordinator: str = ""
    members: Annotated[int | None, Meta(description="null: may not be asked")] = field(
        name="memberCount", default=None
    )
    lag: Annotated[int | None, Meta(description="the sum of what is known; null: nothing is")] = (
        None
    )
    worst: Annotated[
        str, Meta(description="the level of the worst remark: error, warning, note or empty")
    ] = ""
    remark: Annotated[str, Meta(description="the text of the worst remark")] = ""
    code: Annotated[
        str, Meta(description="of the worst remark, as `kproto explain` takes it, or a word")
    ] = ""
    cause: Annotated[str | None, Meta(description="a word of the closed set of causes")] = None
    since: Annotated[
        UnixTime | None, Meta(description="of what the group's records tell (--history)")
    ] = None

    def __post_init__(self) -> None:
        if self.since is not None:
            force_setattr(self, "since", UnixTime(self.since))


def worst(remarks: tuple[Remark, ...]) -> str:
    """Return the level of the worst remark, "" without any."""
    levels = {remark.level for remark in remarks}
    return next((level for level in LEVELS if level in levels), "")


def total_lag(lags: Iterable[int | None]) -> int | None:
    """Return the sum of the lags that are known; None if none is."""
    known = [lag for lag in lags if lag is not None]
    return sum(known) if known else None


class Listing(FrozenShape, frozen=True):
    """The groups of a cluster, and what could not be asked."""

    groups: tuple[Listed, ...]
    problems: tuple[str, ...] = ()
    complete: Annotated[bool, Meta(description="whether every broker answered")] = True


class SavedFrame(FrozenShape, frozen=True):
    """A line of a file that `kproto group --save` writes: a request or its response."""

    direction: Annotated[str, Meta(description="request or response")]
    connection: Annotated[str, Meta(description="host and port of the broker")]
    time: UnixTime
    api_key: int | None
    api_version: int
    frame: Annotated[HexBytes, Meta(description="whole, with its size")] = field(name="frameHex")

    def __post_init__(self) -> None:
        force_setattr(self, "time", UnixTime(self.time))
        force_setattr(self, "frame", HexBytes(self.frame))


class SavedHistory(FrozenShape, frozen=True):
    """A line of that file: the newest records of a group, which follow, a line each."""

    history_of: Annotated[str, Meta(description="the group")]
    partition: Annotated[int, Meta(description="of the offsets topic")]
    since: Annotated[Time, Meta(description="from when on they were read")]
    until: Annotated[Time, Meta(description="when they were read")]
    whole: Annotated[bool, Meta(description="whether all since then were read")]
    problem: Annotated[str, Meta(description="why nothing could be read, or empty")]
    cluster: str


class SavedRecord(FrozenShape, frozen=True):
    """A line of that file: a record of the offsets topic."""

    record_of: Annotated[str, Meta(description="the group")]
    partition: int
    offset: int
    timestamp: Time | None
    key: Hex
    value: Annotated[Hex | None, Meta(description="null: a tombstone")]


class RedactedGroup(FrozenShape, frozen=True):
    """The line of a file that `kproto group NAME --save FILE --redact` writes."""

    redacted_group: Group


class RedactedList(FrozenShape, frozen=True):
    """The line of that file where all groups are listed."""

    redacted_list: Listing


class GroupChange(FrozenShape, frozen=True, omit_defaults=True):
    """A line of `kproto group --watch --json`: what changed."""

    at: UnixTime = field(name="time")
    group: Annotated[str, Meta(description="empty: all groups")]
    what: Annotated[
        str,
        Meta(
            description="member-joined, member-left, rebalance-began, stabilized, state, "
            "assigned, subscription-changed, epoch, remark, appeared, gone, unanswered; the first "
            "line is the present state, the last one (watched) what happened in numbers"
        ),
    ] = field(name="event")
    text: str = field(name="explanation")
    who: Annotated[str, Meta(description="a member id")] = field(name="member", default="")
    name: Annotated[str, Meta(description="its client id")] = field(name="client", default="")
    seconds: Annotated[
        float | None,
        Meta(
            description="how long a rebalance took at most, or the wait for a member: from the "
            "last look before it to the first one behind it"
        ),
    ] = None
    moved: Annotated[
        int | None, Meta(description="partitions, or tasks, with another owner after a rebalance")
    ] = None
    at_most: Annotated[
        bool, Meta(description="`seconds` is an upper limit: looks tell no more")
    ] = False

    def __post_init__(self) -> None:
        force_setattr(self, "at", UnixTime(self.at))


class Future(FrozenShape, frozen=True):
    """A line of `kproto group NAME --what-if … --json`: the group now, then after each change."""

    name: Annotated[str, Meta(description="now, or the change")]
    assignor: str
    owned: Annotated[dict[str, Shares], Meta(description="by member id, then by topic")]
    moved: Annotated[int, Meta(description="partitions that another member would have")] = 0
    moved_fewest: Annotated[
        int | None,
        Meta(description="where members join: fewest by how their ids may sort; else null"),
    ] = None
    moved_most: Annotated[int | None, Meta(description="and most")] = None
    nobody: Annotated[int, Meta(description="partitions that nobody would have")] = 0
    most: int = 0
    fewest: int = 0
    rebalances: Annotated[int | None, Meta(description="null: not simulated")] = None
    paused: Annotated[float | None, Meta(description="null: not simulated")] = field(
        name="pausedPartitionSeconds", default=None
    )
    notes: tuple[str, ...] = ()


class ClientSupport(FrozenShape, frozen=True):
    """Members that could be the same clients, and whether these support the goal."""

    members: tuple[str, ...]
    could_be: tuple[str, ...]
    answer: Annotated[
        str,
        Meta(
            description="of every client that they could be: yes; upgrade, where older releases "
            "do not; no; unknown, where it depends on which client it is"
        ),
    ]
    says: str = field(name="explanation")


class Step(FrozenShape, frozen=True):
    """A step, the command that checks it, and what the command has to show: in words, and as the
    keys of its JSON."""

    do: str
    check: str = ""
    expect: str = ""
    action: Annotated[
        str,
        Meta(
            description="restart: one member after the other, with a check after each; stop, "
            "start: all members; configure; look"
        ),
    ] = "look"
    members: Annotated[tuple[str, ...], Meta(description="client ids; empty: all")] = ()
    settings: Annotated[
        dict[str, str], Meta(description="of the members, by Kafka's names, assignors by theirs")
    ] = {}
    shows: Annotated[
        dict[str, str | int],
        Meta(
            description="kind, state and protocol of the group, memberCount, and classicCount: "
            "how many members use the classic protocol"
        ),
    ] = {}


class Plan(FrozenShape, frozen=True):
    """What `kproto group NAME --plan … --json` prints: the way of a group."""

    group: str
    goal: Annotated[str, Meta(description="cooperative or consumer")]
    route: Annotated[
        str,
        Meta(
            description="two-rounds or all-at-once to cooperative; one-by-one or from-empty to "
            "consumer; streams; empty: there is nothing to do, or no way"
        ),
    ] = ""
    clients: tuple[ClientSupport, ...] = ()
    blockers: Annotated[
        tuple[str, ...], Meta(description="what has to be gone before the first step")
    ] = ()
    steps: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    untried: Annotated[
        tuple[str, ...],
        Meta(description="steps that no test has carried out with these clients"),
    ] = ()
    reasons: Annotated[tuple[str, ...], Meta(description="why not one member after the other")] = ()
    notes: Annotated[tuple[str, ...], Meta(description="what cannot be told from outside")] = ()
    verdict: Annotated[
        str, Meta(description="of consumer: ready, blocked or unknown; else empty")
    ] = ""
    error: Annotated[
        str, Meta(description="what the first new member would get, NONE, or empty")
    ] = ""
    later: Annotated[tuple[str, ...], Meta(description="what fails afterwards")] = ()
    changes: tuple[str, ...] = ()
    no_return: Annotated[str, Meta(description="from where on there is no way back")] = ""


class MigrationReason(Shape, kw_only=True):
    """What stops a group, or fails later."""

    member: Annotated[str, Meta(description="a member id; empty: the group")]
    code: Annotated[str, Meta(description="its kind, such as malformed-subscription")]
    path: Annotated[str, Meta(description="where in the member's bytes, or empty")]
    explanation: str
    remedy: str


class Migration(Shape, kw_only=True):
    """A line of `kproto migrate --json`."""

    group: str
    verdict: Annotated[
        Literal["ready", "blocked", "unknown", "moved"],
        Meta(description="moved: the broker divides it already; it has no more than its name here"),
    ]
    rank: Annotated[
        int | None,
        Meta(
            description="the place in the order in which to move the groups: ready before unknown "
            "and blocked; of the ready ones those first whose clients may have the protocol, of "
            "the others what is to be done for the most groups; then groups at rest, clients that "
            "have the protocol, nothing that fails later, fewer reasons, fewer members (an empty "
            "group that is to stay as it is comes after the other ready ones); null: it has moved"
        ),
    ]
    error: Annotated[str | None, Meta(description="the broker's error, NONE; null if unknown")]
    reasons: list[MigrationReason]
    later: Annotated[list[MigrationReason], Meta(description="what fails after the upgrade")]
    assignor: Annotated[str | None, Meta(description="empty: none is selected; null: not known")]
    member_count: Annotated[int | None, Meta(description="null: not known")]
    clients: tuple[ClientSupport, ...]
    client_answer: Annotated[
        str | None,
        Meta(
            description="whether the members' clients have the protocol, the worst `answer` of "
            "`clients`; null: there is no member, or it does not matter what its client is"
        ),
    ]
    unrest: Annotated[
        str,
        Meta(
            description="that its members come and go by its newest records (the rule, how often, "
            "what to do first); empty: they do not, or no records were read"
        ),
    ]
    next: Annotated[str, Meta(description="what to do first, for all members that it is for")]
    away: Annotated[
        tuple[str, ...],
        Meta(
            description="members that left within the last hour by its newest records, and have "
            "not come back"
        ),
    ] = ()
    state: Annotated[str | None, Meta(description="the group's state now; null: not known")] = None
    empty_since: Annotated[
        Time | None,
        Meta(
            description="of a group that is empty now and judged as of an earlier moment "
            "(--with-members): since when it is; null: not known, or judged as it is now"
        ),
    ] = None
    judged_as_of: Annotated[
        Time | None,
        Meta(
            description="of such a group: since when it was, before it became empty, as all but "
            "`state` tells; null: not known, or judged as it is now"
        ),
    ] = None
