"""What is wrong with a group, or notable: one table, asked of a group that is looked at, as a
broker describes it, and of each record of its history.

A row has the code of the remark on a group that is looked at, and the rules of the audit that find
the same in a history; these have thresholds, and the time for which it lasts. The functions above
the table are asked by both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from shlex import quote
from typing import NamedTuple

from ..clients import catalog
from ..clients.consequences import TROUBLE
from ..clients.readers import predict
from ..codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Policy,
    decode,
)
from ..history.causes import Certainty
from ..history.finding_sentences import duration_text
from ..inspector.nested_bytes import ASSIGNMENT, METADATA, name_in_wrong_place
from ..inspector.shapes.group_shapes import Group, Member
from ..inspector.shapes.shape import Shares
from ..wording import counted, some_of
from .assignments import Partition
from .claims import Overlap, StatedClaim, judge_claims
from .division import (
    Division,
    Seat,
    applications,
    assigned_twice,
    idle_members,
    idle_under_range,
    strays,
)
from .frameworks import STREAMS_ERRORS, STREAMS_PROTOCOL, ConnectRound, connect_round, streams_round
from .migration import EXPLANATIONS, Reason

_MANY = 5  # names in one sentence
EARLIER_MS = 300_000
"""For how long records have to wait before a lag is one: where partitions ended so long before is
asked, too."""
_EQUAL = 0.01
"""By which share of the lower one two measured rates may differ and be the same."""


class Fact(NamedTuple):
    """What a judgement finds, in words, and the member that it is about, "" for the group. `cause`
    is a word of `history.causes`, "" where the judgement names none."""

    text: str
    member_id: str = ""
    cause: str = ""
    certainty: Certainty | None = None


# -- asked of a group that is looked at, and of its history


def void_claims(overlaps: Iterable[Overlap]) -> Iterator[tuple[Partition, tuple[str, ...]]]:
    """Yield each partition that members claim at one generation, and these members: the claims are
    void (KIP-792)."""
    for partition, claims, owner in overlaps:
        if owner is None:
            highest = max(generation for _, generation in claims)
            yield partition, tuple(id_ for id_, generation in claims if generation == highest)


def seconds_behind(lag: float, pace: float, arriving: float) -> float | None:
    """Return how long a group needs to read what waits, while more arrives; None: it never does, or
    reads so little faster that the two rates may be equal."""
    gains = pace - arriving
    return lag / gains if gains > _EQUAL * arriving else None


def stale_claims(overlaps: Iterable[Overlap]) -> Iterator[tuple[str, int, Overlap]]:
    """Yield each member and generation of a claim that a newer one overrides."""
    for overlap in overlaps:
        highest = max(generation for _, generation in overlap.claims)
        for member_id, generation in overlap.claims:
            if generation < highest:
                yield member_id, generation, overlap


class Misplaced(NamedTuple):
    """A field of a member, "subscription" or "assignment", and its bytes, which are a message that
    belongs into the other field, by name."""

    field: str
    data: bytes
    name: str


def misplaced_fields(metadata: bytes, assignment: bytes, protocol_type: str) -> Iterator[Misplaced]:
    """Yield the fields of a member in which the bytes of the other one are."""
    for field, kind, data in (
        ("subscription", METADATA, metadata),
        ("assignment", ASSIGNMENT, assignment),
    ):
        if name := name_in_wrong_place(data, kind, protocol_type):
            yield Misplaced(field, data, name)


# -- asked of a group that is looked at


def _wrong_place(group: Group) -> Iterator[Fact]:
    for member in group.members:
        fields = misplaced_fields(member.metadata, member.assignment, group.protocol_type or "")
        for field, _, name in fields:
            yield Fact(f"its {field} is a {name}: in the wrong place", member.member_id)


def _names(partitions: Iterable[Partition]) -> str:
    return some_of([f"{topic}-{number}" for topic, number in sorted(partitions)], _MANY)


def _without_owner(group: Group) -> Iterator[Fact]:
    if group.kind in ("streams", "connect", "share") or group.state != "Stable":
        return
    subscribed = {topic for member in group.members for topic in member.topics}
    partitions = [
        (row.topic, row.partition)
        for row in group.partitions
        if not row.members
        and row.topic in subscribed
        and row.partition < group.topics.get(row.topic, 0)
    ]
    if partitions:
        count = counted(len(partitions), "partition")
        yield Fact(f"nobody has {count} of subscribed topics: {_names(partitions)}")


def _division(group: Group) -> Division:
    return Division(
        group.protocol,
        [
            Seat(
                member.member_id,
                member.client_id,
                frozenset(member.topics) if member.topics and member.regex is None else None,
                [(topic, number) for topic, numbers in member.assigned.items()
                 for number in numbers],
            )
            for member in group.members
        ],
    )  # fmt: skip


def _assigned_twice(group: Group) -> Iterator[Fact]:
    if group.kind not in _OF_PARTITIONS:
        return
    for (topic, number), ids in sorted(assigned_twice(_division(group)).items()):
        yield Fact(f"{topic}-{number} is assigned to {len(ids)} members", ids[1])


def _not_subscribed(group: Group) -> Iterator[Fact]:
    if group.kind not in _OF_PARTITIONS:
        return
    for stray in strays(_division(group)):
        text = f"has {_names(stray.partitions)}, to whose topics it does not subscribe"
        yield Fact(text, stray.member_id)


def _idle(group: Group) -> Iterator[Fact]:
    if group.kind not in _OF_PARTITIONS or group.state != "Stable":
        return
    uneven = idle_under_range(_division(group))
    if uneven is not None:
        text = (
            f"has {uneven.most} of {uneven.partitions} partitions of {uneven.topics} topics, and "
            f"{uneven.idle} of {uneven.members} members without any: range divides each topic by "
            "itself; roundrobin, sticky or cooperative-sticky would not"
        )
        yield Fact(text, uneven.busiest)


def _idle_members(group: Group) -> Iterator[Fact]:
    """Nobody has to be idle where there are as many partitions as members."""
    if group.kind not in _OF_PARTITIONS or group.state != "Stable":
        return
    idle = idle_members(_division(group), group.topics)
    if idle is not None:
        yield Fact(str(idle))


def _several_applications(group: Group) -> Iterator[Fact]:
    if group.kind not in _OF_PARTITIONS:
        return
    several = applications(
        (member.client_id or member.member_id, frozenset(member.topics))
        for member in group.members
        if member.regex is None
    )
    if several is not None and not several.common:
        text = (
            "probably two applications share this group: members subscribe to different topics, "
            f"none common to all: {several.listed}"
        )
        yield Fact(text, "", "two-applications-in-one-group", "likely")


def _config_offsets(group: Group) -> Iterator[Fact]:
    """Config offsets that differ now may be equal in a minute; only a history is certain."""
    round_ = _connect_round(group)
    if len(round_.offsets) > 1:
        names = {member.member_id: member.client_id for member in group.members}
        offsets = ", ".join(
            f"{names[worker.member_id] or worker.member_id} at {worker.config_offset}"
            for worker in round_.workers
        )
        text = (
            "probably two Connect clusters share this group.id: the workers' config offsets "
            f"differ ({offsets}). A worker that is only behind catches up within seconds; "
            f"{_compare(group)}"
        )
        yield Fact(text, "", "two-clusters-in-one-group", "likely")


def _without_assignment(group: Group) -> Iterator[Fact]:
    """While a group rebalances, a broker tells no metadata, and the assignments of before."""
    without = [member for member in group.members if not member.assignment]
    is_divided = 0 < len(without) < len(group.members)
    if group.kind != "connect" or group.state == "Stable" or not is_divided:
        return
    round_ = _connect_round(group)
    names = ", ".join(member.client_id or member.member_id for member in without[:_MANY])
    text = (
        f"perhaps two Connect clusters share this group.id: it is rebalancing, and {names} has "
        f"no assignment of the last round (which is by config offset {round_.config_offset}); it "
        "may also have just joined. With two clusters config offsets differ in every generation: "
        f"{_compare(group)}"
    )
    yield Fact(text, "", "two-clusters-in-one-group", "likely")


def _connect_round(group: Group) -> ConnectRound:
    members = group.members if group.kind == "connect" else ()
    return connect_round(
        (member.member_id, member.metadata, member.assignment) for member in members
    )


def _compare(group: Group) -> str:
    broker = group.coordinator or "HOST:PORT"
    command = f"kproto audit kafka://{broker} --group {quote(group.group_id)} --out DIR"
    return f"{command} compares them"


def _streams_error(group: Group) -> Iterator[Fact]:
    if group.kind != "classic" or group.protocol != STREAMS_PROTOCOL:
        return
    assignments = (
        decode(member.assignment, ConsumerProtocolAssignment, policy=Policy.LENIENT).message
        for member in group.members
    )
    code = streams_round(
        message.user_data for message in assignments if message is not None
    ).error_code
    if code:
        meaning = STREAMS_ERRORS.get(code, "an error that newer releases know")
        cause = "source-topic-missing" if code == 1 else ""
        yield Fact(f"the leader told error {code}: {meaning}", "", cause, "certain")


_OF_PARTITIONS = frozenset({"classic", "consumer"})
"""Kinds of groups whose members have partitions to themselves."""


def _not_there(group: Group) -> Iterator[Fact]:
    for member in _subscribers(group):
        missing = [
            (topic, number)
            for topic, numbers in member.assigned.items()
            for number in numbers
            if topic in group.topics and number >= group.topics[topic]
        ]
        if missing:
            yield Fact(f"has partitions that do not exist: {_names(missing)}", member.member_id)


def _subscribers(group: Group) -> Iterator[Member]:
    if group.kind not in ("streams", "connect"):
        yield from (member for member in group.members if member.topics)


def _overlaps(group: Group) -> list[Overlap]:
    return judge_claims(_claims(group)).overlaps


def _claims(group: Group) -> list[StatedClaim]:
    return [
        StatedClaim(
            member.member_id,
            -1 if member.generation is None else member.generation,
            [(topic, number) for topic, numbers in member.owned.items() for number in numbers],
        )
        for member in group.members
    ]


def _contradiction(group: Group) -> Iterator[Fact]:
    partitions: dict[tuple[str, ...], list[Partition]] = {}
    for partition, ids in void_claims(_overlaps(group)):
        partitions.setdefault(ids, []).append(partition)
    for ids, claimed in partitions.items():
        text = f"{len(ids)} members claim {_names(claimed)} in one generation: no claim counts"
        yield Fact(text, ids[1])


def _stale_claim(group: Group) -> Iterator[Fact]:
    partitions: dict[str, list[Partition]] = {}
    for member_id, _, overlap in stale_claims(_overlaps(group)):
        partitions.setdefault(member_id, []).append(overlap.partition)
    for member_id, claimed in partitions.items():
        text = f"claims {_names(claimed)} from an older generation than another member"
        yield Fact(text, member_id)


def _no_leader(group: Group) -> Iterator[Fact]:
    if group.protocol_type != "consumer" or group.kind != "classic":
        return
    distinct: dict[bytes, Member] = {}
    for member in group.members:
        if member.metadata:
            distinct.setdefault(member.metadata, member)
    for member in group.members:
        for clients, writers in cannot_read(member, distinct).items():
            names = dict.fromkeys(writer.client_id or writer.member_id for writer in writers)
            is_sure = len(clients) == len(member.could_be)
            unless = "its client" if is_sure else f"if it is {' or '.join(clients)}, that"
            text = f"could not lead: {unless} cannot read the subscription of {', '.join(names)}"
            yield Fact(text, member.member_id)


def cannot_read(
    member: Member, distinct: Mapping[bytes, Member]
) -> dict[tuple[str, ...], list[Member]]:
    """Return the members whose metadata could not be read by the clients that this member could be,
    by these clients, as measured. A client that was not measured is not among them."""
    unread: dict[tuple[str, ...], list[Member]] = {}
    for data, writer in distinct.items():
        if data == member.metadata:
            continue
        clients = tuple(name for name in member.could_be if _stumbles(name, data))
        if clients:
            unread.setdefault(clients, []).append(writer)
    return unread


@lru_cache(maxsize=4096)
def _stumbles(client: str, data: bytes) -> bool:
    """Whether every measured reader of a client ("kafka-clients (3.4 and newer)") refuses or
    misreads a subscription."""
    entry = catalog.clients().get(client.partition(" (")[0])
    if entry is None or not entry.readers:
        return False
    subscription = decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT)
    predictions = predict(subscription, entry.readers)
    return all(prediction.does in TROUBLE for prediction in predictions)


def _assigning(group: Group) -> Iterator[Fact]:
    epoch, target = group.epoch, group.assigned_epoch
    if epoch is not None and target is not None and target < epoch:
        yield Fact(f"the target assignment is of epoch {target}, the group is at {epoch}")


class _Gap(NamedTuple):
    """What a member has beyond its target, and what it lacks of it."""

    member: Member
    surplus: set[Partition]
    missing: set[Partition]


_AWAY = -2
"""The epoch of a static member that has closed in an orderly way, and may come back (KIP-848)."""


def _away(group: Group) -> Iterator[Fact]:
    for member in group.members if group.epoch is not None else ():
        if member.epoch == _AWAY:
            partitions = [(topic, n) for topic, numbers in member.assigned.items() for n in numbers]
            owned_text = _names(partitions) if partitions else "nothing"
            verb = "wait" if len(partitions) > 1 else "waits"
            text = f"is away: it has closed, and {owned_text} {verb} for it until its session ends"
            yield Fact(text, member.member_id)


def _gaps(group: Group) -> Iterator[_Gap]:
    """Yield the gaps of the members that are there: one that is away changes nothing meanwhile."""
    for member in group.members if group.epoch is not None else ():
        if member.target is not None and member.epoch != _AWAY:
            surplus = _beyond(member.assigned, member.target)
            yield _Gap(member, surplus, _beyond(member.target, member.assigned))


def _beyond(shares: Shares, limits: Shares) -> set[Partition]:
    return {
        (topic, number)
        for topic, numbers in shares.items()
        for number in set(numbers).difference(limits.get(topic, ()))
    }


def _is_behind(member: Member, group: Group) -> bool:
    return member.epoch is not None and member.epoch < (group.assigned_epoch or 0)


def _keeps(group: Group) -> Iterator[Fact]:
    for member, surplus, _ in _gaps(group):
        if surplus:
            text = (
                f"holds up the reconciliation: it still has {_names(surplus)}, which others wait "
                "for"
            )
            yield Fact(text, member.member_id)


def _lags_behind(group: Group) -> Iterator[Fact]:
    for member, surplus, _ in _gaps(group):
        if not surplus and _is_behind(member, group):
            text = f"is at epoch {member.epoch}, the target at {group.assigned_epoch}"
            yield Fact(text, member.member_id)


def _waiting(group: Group) -> Iterator[Fact]:
    for member, surplus, missing in _gaps(group):
        if missing and not surplus and not _is_behind(member, group):
            yield Fact(f"waits for {_names(missing)}", member.member_id)


def _beyond_the_end(group: Group) -> Iterator[Fact]:
    beyond = [
        (row.topic, row.partition)
        for row in group.partitions
        if row.lag is not None and row.lag < 0
    ]
    if beyond:
        yield Fact(f"the committed offset is beyond the end of {_names(beyond)}")


def _below_the_start(group: Group) -> Iterator[Fact]:
    below = [
        row
        for row in group.partitions
        if row.offset is not None and row.start is not None and row.offset < row.start
    ]
    if below:
        names = _names((row.topic, row.partition) for row in below)
        gone = sum((row.start or 0) - (row.offset or 0) for row in below)
        yield Fact(
            f"the committed offset is below the start of {names}: {gone:,} records were deleted "
            "unread, and auto.offset.reset of the client decides where it goes on"
        )


def _falling_behind(group: Group) -> Iterator[Fact]:
    """Only where it was looked at twice."""
    rows = [
        row
        for row in group.partitions
        if (row.lag or 0) >= _MUCH_LAG and None not in (row.arrivals_a_second, row.commits_a_second)
    ]
    lag = sum(row.lag or 0 for row in rows)
    arriving = sum(row.arrivals_a_second or 0 for row in rows)
    pace = sum(row.commits_a_second or 0 for row in rows)
    takes = seconds_behind(lag, pace, arriving)
    if rows and pace and (takes is None or takes > _LONG_S):
        prospect = "never catches up" if takes is None else f"would take {duration_text(takes)}"
        names = _names((row.topic, row.partition) for row in rows)
        yield Fact(
            f"{lag:,} records behind in {names}: {prospect}, at {pace:,.1f} records a second, "
            f"while {arriving:,.1f} arrive"
        )


_MUCH_LAG, _LONG_S = 1000, 600.0


def _given_away(group: Group) -> Iterator[Fact]:
    """Members that own partitions while they join give them back before another one gets them."""
    if group.kind != "classic" or group.protocol == "sticky":
        return
    holders = {
        (topic, number): member.member_id
        for member in group.members
        for topic, numbers in member.assigned.items()
        for number in numbers
    }
    owners = judge_claims(_claims(group)).owners
    transfers = {
        partition: owner
        for partition, owner in owners.items()
        if holders.get(partition, owner) != owner
    }
    if transfers:
        text = f"still owns {_names(transfers)}, given to another member before it gave it back"
        yield Fact(text, next(iter(transfers.values())))


def _mixed_versions(group: Group) -> Iterator[Fact]:
    versions = sorted({member.version for member in group.members if member.version is not None})
    if group.kind == "classic" and group.protocol_type == "consumer" and len(versions) > 1:
        yield Fact(f"subscriptions of versions {', '.join(map(str, versions))} in one group")


def _mixed_protocols(group: Group) -> Iterator[Fact]:
    classic = sum(member.protocol == "classic" for member in group.members)
    if group.kind == "consumer" and 0 < classic < len(group.members):
        yield Fact(f"{classic} of {len(group.members)} members still use the classic protocol")


def _left_over(group: Group) -> Iterator[Fact]:
    if group.kind not in _OF_PARTITIONS or group.state != "Stable" or not group.members:
        return
    if any(member.regex is not None for member in group.members):
        return
    subscribed = {topic for member in group.members for topic in member.topics}
    topics = sorted({row.topic for row in group.partitions if row.offset is not None} - subscribed)
    if topics and subscribed:
        names = ", ".join(topics[:_MANY])
        yield Fact(f"commits of {names} are left over: nobody subscribes to it any more")


def _no_commit(group: Group) -> Iterator[Fact]:
    if not group.members or all(row.offset is None for row in group.partitions):
        return
    rows = [row for row in group.partitions if row.offset is None and row.members and row.end]
    if rows:
        who_commits = {id_ for row in group.partitions if row.offset is not None
                       for id_ in row.members}  # fmt: skip
        silent = sorted({id_ for row in rows for id_ in row.members} - who_commits)
        names = _names((row.topic, row.partition) for row in rows)
        of_members = f"; {', '.join(silent[:_MANY])} committed nothing at all" if silent else ""
        yield Fact(f"nothing is committed for {names}{of_members}")


def cannot_migrate(reasons: Iterable[Reason]) -> Iterator[Fact]:
    """Yield why a group cannot become one of the broker's, by what its members wrote; Kafka Streams
    has a way of its own."""
    stops = dict.fromkeys(reason.what for reason in reasons if reason.member_id and reason.error)
    titles = "; ".join(EXPLANATIONS[kind].title for kind in stops if kind not in _STREAMS)
    if titles:
        yield Fact(f"cannot move to group.protocol=consumer: {titles} (--plan consumer)")


_STREAMS = frozenset({"streams-assignor"})


class Judgement(NamedTuple):
    """A judgement: the code and level of the remark, what finds it in a group that is looked at,
    and the rules of the audit that find it in a history. Where there are none, or they go by it,
    `title` says in a line what is remarked, and `advice` what to do first."""

    code: str
    level: str
    find: Callable[[Group], Iterator[Fact]]
    rules: tuple[str, ...] = ()
    title: str = ""
    advice: str = ""


IDLE_MEMBERS = Judgement(
    "idle-members",
    "note",
    _idle_members,
    ("idle-members",),
    "Some members have no partition",
    "Stop what is not needed, or give the topics more partitions (kproto's tests did not try it): "
    "more members than partitions read nothing.",
)

JUDGEMENTS: tuple[Judgement, ...] = (
    Judgement(
        "nobody-has", "error", _without_owner, ("unassigned-partition", "unassigned-for-long")
    ),
    Judgement("assigned-twice", "error", _assigned_twice, ("assigned-twice",)),
    Judgement("not-subscribed", "error", _not_subscribed, ("not-subscribed",)),
    Judgement("streams-error", "error", _streams_error, ("streams-error",)),
    Judgement("two-applications", "warning", _several_applications, ("two-applications",)),
    Judgement("two-clusters", "warning", _config_offsets, ("connect-clusters",)),
    Judgement("two-clusters", "note", _without_assignment, ("connect-clusters",)),
    Judgement("idle-under-range", "warning", _idle, ("idle-under-range",)),
    IDLE_MEMBERS,
    Judgement("does-not-exist", "warning", _not_there, ("does-not-exist",)),
    Judgement("claims-contradict", "error", _contradiction, ("double-claim",)),
    Judgement("stale-claim", "warning", _stale_claim, ("stale-claim",)),
    Judgement("wrong-place", "error", _wrong_place, ("wrong-place",)),
    Judgement("cannot-lead", "warning", _no_leader, ("unreadable-member",)),
    Judgement("assigning", "note", _assigning, ("assignment-behind",)),
    Judgement("reconciling", "warning", _keeps, ("revocation-pending",)),
    Judgement("reconciling", "note", _lags_behind, ("member-behind",)),
    Judgement("waiting", "note", _waiting, ("target-not-reached",)),
    Judgement(
        "away",
        "note",
        _away,
        title="A static member is away, and its partitions wait for it",
        advice="Wait until its session has ended: then its partitions go to other members.",
    ),
    Judgement("given-away", "error", _given_away, ("cooperative-violation",)),
    Judgement("mixed-versions", "note", _mixed_versions, ("mixed-versions",)),
    Judgement("mixed-protocols", "note", _mixed_protocols, ("mixed-group-types",)),
    Judgement("below-the-start", "error", _below_the_start, ("offset-out-of-range",)),
    Judgement("falling-behind", "warning", _falling_behind, ("lag-falling-behind",)),
    Judgement("beyond-the-end", "warning", _beyond_the_end, ("offset-out-of-range",)),
    Judgement("no-commit", "note", _no_commit, ("never-committed",)),
    Judgement("left-over", "note", _left_over, ("leftover-commits",)),
)
"""Each judgement of a group that is looked at. `cannot_migrate` is one that needs the group as the
coordinator converts it; the audit's rule is `cannot-migrate`. Those of clients' settings
(`client-setting`) are in `client_settings`."""


ONLY_IN_HISTORY = (
    "rebalance-storm", "flapping-member", "slow-poll", "members-restarted",
    "static-ping-pong", "static-never-returns",
    "static-unseen-subscription", "protocol-changed", "never-claims", "stuck-partition",
    "stuck-rebalance", "lag-stopped", "lag-stalled", "scheduled-consumer",
    "offset-deleted", "offset-rewound", "offset-skipped", "unreadable-record",
    "partition-not-loadable",
)  # fmt: skip
"""The rules of the audit that a single look at a group cannot answer; those about a whole fleet are
not among them."""
ONLY_LIVE = tuple(judgement.code for judgement in JUDGEMENTS if not judgement.rules)
"""What is remarked on a group that is looked at, and no rule of the audit finds."""


def in_history(group: Group) -> str:
    """Return what one look at a group cannot tell, and the command that can."""
    broker = group.coordinator or "HOST:PORT"
    return (
        "only its history tells whether it rebalances again and again and why, whether members "
        "come and go, and whether offsets went back (--rate 30s tells whether it falls behind): "
        f"kproto group {quote(group.group_id)} --bootstrap-server {broker}"
    )
