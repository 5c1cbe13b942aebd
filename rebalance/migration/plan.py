"""The way of a group to another protocol, restart by restart: the broker's own (KIP-848), or a
cooperative assignor. What stops it, each step with a command that checks it, what changes, the way
back, and from where on there is none.

Which clients have cooperative-sticky, and which the consumer protocol, is what the room `clients`
knows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias
from uuid import NAMESPACE_OID, UUID, uuid5

from ...clients.catalog import COOPERATIVE_STICKY, ability_of, release_order, writers
from ...inspector.shapes.group_shapes import ClientSupport, Plan, Step
from ..broker_assignors import BROKER_ASSIGNORS, BrokerGroup, BrokerMember, UnassignableError
from .group import ClassicGroup, Policy
from .judge import Converted, Judgement, converted_members
from .reasons import Reason

Goal: TypeAlias = Literal["cooperative", "consumer"]
GOALS: tuple[Goal, ...] = ("cooperative", "consumer")

_NAMED = 8  # members in one sentence


class Running(NamedTuple):
    """A member as a plan names it: its client id, the clients that it could be, and whether it uses
    the classic protocol."""

    member_id: str
    name: str
    could_be: tuple[str, ...] = ()
    is_classic: bool = True


def _supports(
    members: Sequence[Running], support: Callable[[str], tuple[str, str]]
) -> tuple[ClientSupport, ...]:
    alike: dict[tuple[str, ...], list[str]] = {}
    for member in members:
        if member.is_classic:
            alike.setdefault(member.could_be, []).append(member.name)
    return tuple(_support(names, could_be, support) for could_be, names in alike.items())


def _support(
    names: list[str], could_be: tuple[str, ...], support: Callable[[str], tuple[str, str]]
) -> ClientSupport:
    supports = [support(client) for client in could_be]
    answers = {answer for answer, _ in supports}
    answer = answers.pop() if len(answers) == 1 else "perhaps"
    says = "; ".join(dict.fromkeys(text for _, text in supports))
    members = tuple(dict.fromkeys(names))
    return ClientSupport(members, could_be, answer, says or "which client this is is not known")


def _without(supports: tuple[ClientSupport, ...]) -> tuple[str, ...]:
    return tuple(
        f"{', '.join(support.members)}: {support.says}"
        for support in supports
        if support.answer == "no"
    )


def _listed(members: Sequence[Running]) -> str:
    names = [member.name for member in members]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


# -- to a cooperative assignor


def _has_cooperative(name: str) -> tuple[str, str]:
    client, _, releases = name.partition(" (")
    ability = ability_of(client, "cooperative")
    if ability is None or not ability.since:
        return "no", f"{client} was not seen to have {COOPERATIVE_STICKY}"
    since = release_order(ability.since)
    too_old = {
        writer.releases
        for writer in writers()
        if writer.name == client and release_order(writer.since) < since
    }
    if not too_old:
        return "yes", f"{client} has {COOPERATIVE_STICKY}"
    text = f"{client} has {COOPERATIVE_STICKY} since {ability.since}"
    possible = {part.strip() for part in releases.rstrip(")").split(",") if part}
    if possible and possible <= too_old:
        return "no", f"{text}: upgrade it first"
    return ("yes" if possible and not possible & too_old else "perhaps"), text


def plan_to_cooperative(
    group_id: str, protocol: str, members: Sequence[Running], command: str
) -> Plan:
    """Return the way of a group from an eager assignor, `protocol`, to cooperative-sticky (KIP-429:
    two rounds). `command` shows the group."""
    if protocol == COOPERATIVE_STICKY:
        step = Step(
            f"the group uses {COOPERATIVE_STICKY} already. If members still list another assignor, "
            f"restart each with partition.assignment.strategy={COOPERATIVE_STICKY} alone",
            command,
            f"{COOPERATIVE_STICKY}, Stable, no remark claims-contradict",
        )
        return Plan(group_id, "cooperative", steps=(step,))
    supports = _supports(members, _has_cooperative)
    both = f"partition.assignment.strategy={COOPERATIVE_STICKY},{protocol}"
    stable = f"Stable, {len(members):,} members"
    steps = (
        Step(
            f"restart each member (one by one, {_listed(members)}) with {both}",
            command,
            f"{stable}, after each restart; all still revoke everything: they list {protocol}, too",
        ),
        Step(
            f"only when the last member has been restarted: restart each with "
            f"partition.assignment.strategy={COOPERATIVE_STICKY}",
            f"{command} --watch",
            "rebalances that move few partitions; a member refused with "
            "INCONSISTENT_GROUP_PROTOCOL means that one was left out of the first round",
        ),
        Step(
            "look at the whole group",
            command,
            f"{COOPERATIVE_STICKY}, {stable}, no remark claims-contradict",
        ),
    )
    back = (
        Step(f"restart each member with {both}", command, stable),
        Step(
            f"then restart each with partition.assignment.strategy={protocol}",
            command,
            f"{protocol}, {stable}",
        ),
    )
    notes = (
        "which other assignors the members list is not told by the broker: it shows the chosen one",
        "Java's names are classes: org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
    )
    return Plan(group_id, "cooperative", supports, _without(supports), steps, back, notes)


# -- to the broker's protocol


def _has_consumer(name: str) -> tuple[str, str]:
    client = name.partition(" (")[0]
    ability = ability_of(client, "consumer-protocol")
    if ability is None:
        return "perhaps", f"whether {client} has group.protocol=consumer is not known here"
    if not ability.since:
        return "no", f"{client} has no group.protocol=consumer up to {ability.absent_in}"
    return "perhaps", f"{client} has it since {ability.since}: check the release"


def plan_to_consumer(
    group: ClassicGroup,
    judgement: Judgement,
    members: Sequence[Running] = (),
    command: str = "",
) -> Plan:
    """Return the way of a group that was judged to group.protocol=consumer. Without the `command`
    that shows the group, steps have no check."""
    names = {member.member_id: member.name for member in members}
    supports = _supports(members, _has_consumer)
    reasons = [_reason(reason, names) for reason in judgement.reasons]
    steps = tuple(_steps(group, judgement, members, command))
    return Plan(
        group.group_id,
        "consumer",
        supports,
        (*reasons, *_without(supports)),
        steps,
        (_way_back(group, command),) if steps else (),
        (),
        judgement.verdict,
        judgement.error or "",
        tuple(_reason(reason, names) for reason in judgement.later),
        tuple(_changes(group)) if steps else (),
        _no_return(group) if steps else "",
    )


def plan_for_the_rest(group_id: str, members: Sequence[Running], command: str) -> Plan:
    """Return what is left to do in a group that the broker divides already."""
    supports = _supports(members, _has_consumer)
    names = dict.fromkeys(member.name for member in members if member.is_classic)
    if names:
        step = Step(
            "Restart the members that use the classic protocol, one by one, with "
            f"group.protocol=consumer: {', '.join(names)}.",
            f"{command} --watch",
            "no remark reconciling that stays",
        )
    else:
        step = Step("every member uses the consumer protocol: nothing is left to do", command)
    return Plan(group_id, "consumer", supports, _without(supports), (step,), verdict="ready")


def remedies(judgement: Judgement) -> tuple[str, ...]:
    """Return what to do about the reasons of a judgement, before the first step of a plan."""
    reasons = (*judgement.reasons, *judgement.later)
    return tuple(dict.fromkeys(reason.remedy for reason in reasons))


def _reason(reason: Reason, names: Mapping[str, str]) -> str:
    name = names.get(reason.member_id, reason.member_id)
    return f"{name}: " * bool(name) + f"{reason.explanation}. {reason.remedy}"


_NO_MOVE = {"not-a-consumer-group", "streams-assignor", "rebalancing"}

_START_EMPTY = """\
Start the members with group.protocol=consumer: the first one makes the empty group a consumer \
group, and its committed offsets stay."""
_CONFIGURATION = """\
Take out of the members' configuration what the next protocol refuses: \
partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms. The last two move to \
the broker (group.consumer.session.timeout.ms, group.consumer.heartbeat.interval.ms). \
max.poll.interval.ms stays, and is the time that a member has to give partitions back."""
_FIRST = """\
Restart one member with group.protocol=consumer. Its first heartbeat converts the group, and every \
other member rejoins once."""
_OTHERS = """\
Check the group (kproto group NAME, or kafka-consumer-groups --describe --state), then restart the \
other members, one after the other: {count}."""
_DIVIDES = "The broker divides the partitions, not a member: by {assignor}, {habit}."
_HABITS: Mapping[str, str] = {
    "uniform": "which lets members keep what they have, up to an equal share",
    "range": "which divides anew at every change, whatever members have",
}
_MOVES = """\
When a new member joins beside the others, at most so many of {total} partitions leave their \
owner: {counts}."""
_CHANGES = (
    """\
Partitions move one by one, as in the cooperative protocol; a member that keeps its partitions \
does not pause.""",
    """\
Nobody sees the other members' subscriptions, and no user data is passed on: what an assignor of \
one's own did with them is gone.""",
    """\
A pattern that the client hands over is matched by the broker, as RE2; one in the client's own \
language is matched by the client, as before.""",
)
_BACK = """\
Restart the members with group.protocol=classic. When the last new one has left and a classic one \
remains, the group is a classic group again and rebalances once."""
_BACK_STOPPED = """\
None while members run: the policy converts no consumer group back. Stop all members; an empty \
group takes classic ones."""
_BACK_TOO_LARGE = """\
None while as many members run: a classic group may have {limit} (group.max.size)."""
_NO_RETURN = """\
None under this policy: the last classic member may leave, and classic ones still join again."""
_NO_RETURN_DISABLED = "The first new member: from then on classic members are refused."
_NO_RETURN_UPGRADE = "The first new member: the group is classic again only after it was empty."


def _steps(
    group: ClassicGroup, judgement: Judgement, members: Sequence[Running], command: str
) -> Iterator[Step]:
    if any(reason.what in _NO_MOVE for reason in judgement.reasons):
        return
    if group.is_empty:
        yield Step(_START_EMPTY, command, "a consumer group, Stable" if command else "")
        return
    yield Step(_CONFIGURATION)
    others = len(group.members or ()) - 1
    names = f" The members: {_listed(members)}." if members else ""
    rest = _OTHERS.format(count=others) + names
    if not command:
        yield Step(_FIRST)
        yield from [Step(rest)] if others > 0 else []
        return
    mixed = "a consumer group; the other members use the classic protocol; Stable after a while"
    yield Step(_FIRST, command, mixed)
    if others > 0:
        yield Step(rest, f"{command} --watch", "no remark reconciling that stays")
    if members:
        yield Step(
            "Look at the whole group.",
            command,
            f"a consumer group, Stable, {len(members):,} members, none of which uses the classic "
            "protocol",
        )


def _changes(group: ClassicGroup) -> Iterator[str]:
    assignor = group.settings.assignor
    habit = _HABITS.get(assignor, "of which nothing is known here")
    yield _DIVIDES.format(assignor=assignor, habit=habit)
    moves = moves_of(group)
    if moves is not None:
        counts = ", ".join(f"{count} by {name}" for name, count in moves.counts.items())
        yield _MOVES.format(counts=counts, total=moves.total)
    yield from _CHANGES


def _way_back(group: ClassicGroup, command: str) -> Step:
    if not group.settings.policy.downgrades:
        return Step(_BACK_STOPPED)
    limit = group.settings.classic_max_size
    text = _BACK_TOO_LARGE.format(limit=limit) if len(group.members or ()) > limit else _BACK
    by = f" by {group.selected}" if group.selected else ""
    return Step(text, command, f"a classic group{by}, Stable" if command else "")


def _no_return(group: ClassicGroup) -> str:
    if group.settings.policy is Policy.DISABLED:
        return _NO_RETURN_DISABLED
    return _NO_RETURN if group.settings.policy.downgrades else _NO_RETURN_UPGRADE


# -- how many partitions move

_NEW_IDS = ("", "\uffff")
"""Ids of the new member: `range` follows the order of ids, and nobody knows where a new one is in
it."""
_LARGEST = 200_000
"""Partitions of a group up to which its moves are counted."""


class Moves(NamedTuple):
    """The most partitions that leave their owner, by assignor; `total` is how many have one."""

    counts: Mapping[str, int]
    total: int


def moves_of(group: ClassicGroup) -> Moves | None:
    """Return what moves when a member joins that subscribes to all topics of the group; None where
    the members or the topics' partitions are not known, or an assignor cannot divide them."""
    members = converted_members(group)
    if not members or group.topics is None or sum(group.topics.values()) > _LARGEST:
        return None
    groups = [_broker_group(members, group.topics, new_id) for new_id in _NEW_IDS]
    owners = _owners({name: member.target for name, member in groups[0].members.items()})
    try:
        counts = {
            name: max(_moves(owners, _owners(assign(group))) for group in groups)
            for name, assign in BROKER_ASSIGNORS.items()
        }
    except UnassignableError:
        return None
    return Moves(counts, len(owners))


def _broker_group(members: list[Converted], topics: Mapping[str, int], new_id: str) -> BrokerGroup:
    ids = {topic: uuid5(NAMESPACE_OID, topic) for topic in topics}
    by_id = {
        member.member_id: BrokerMember(
            frozenset(ids[topic] for topic in subscription if topic in ids),
            member.instance_id,
            {ids[topic]: numbers for topic, numbers in share.items() if topic in ids},
        )
        for member, subscription, share in members
    }
    everything = frozenset().union(*(member.topics for member in by_id.values()))
    by_id[new_id] = BrokerMember(everything)
    return BrokerGroup(by_id, {ids[topic]: count for topic, count in topics.items()})


def _owners(targets: Mapping[str, Mapping[UUID, Collection[int]]]) -> dict[tuple[UUID, int], str]:
    return {
        (topic, number): member_id
        for member_id, shares in targets.items()
        for topic, numbers in shares.items()
        for number in numbers
    }


def _moves(previous: Mapping[tuple[UUID, int], str], owners: Mapping[tuple[UUID, int], str]) -> int:
    return sum(owners.get(partition) != owner for partition, owner in previous.items())
