"""What would become of a group: another assignor, more or fewer members, more partitions, the other
protocol.

Who would own what is computed with the members' real subscriptions, ids and present assignment, by
the assignors of `rebalance`. How long partitions pause is simulated, with timeouts of the
members, which the broker does not tell (`Timeouts`). Those of its own protocol it tells, if asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec
from msgspec.structs import replace

from ..capture.whole_numbers import whole_number
from ..clients.catalog import COOPERATIVE_STICKY
from ..codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, DecodeError
from ..inspector.shapes.group_shapes import Future, Group, Member
from ..inspector.shapes.shape import Shares
from ..rebalance import ASSIGNORS
from ..rebalance import Member as Consumer
from ..rebalance.assignments import grouped
from ..rebalance.broker_assignors import (
    BROKER_ASSIGNORS,
    BrokerGroup,
    BrokerMember,
    UnassignableError,
)
from ..rebalance.migration import refusals_of_both
from ..rebalance.user_data import cooperative_user_data, sticky_user_data
from ..wording import counted, did_you_mean
from .errors import ConfigError, check_at_rest
from .migration import running_members
from .newcomers import Newcomers, Orders, newcomers, orders

_NAMES = 12  # of members, in an error
Owned = dict[str, frozenset[tuple[str, int]]]
"""The partitions of each member, by member id."""

CHANGES = (
    "assignor=NAME, join=N (N more members), members=N (N in all), leave=CLIENT, "
    "topic=NAME:PARTITIONS, protocol=consumer|classic"
)
_GENERATION = 1_000_000  # of the claims: later than any that a member may still have
_ROUNDS = 6  # rebalances until a cooperative group has settled, at most
_UNIFORM = "uniform"
_SIMULATED = 5_000  # members times partitions up to which a run is simulated
_AWAY = 2  # seconds of a restart
_EVERY = 10  # seconds from one restart to the next
_AT = 60  # seconds after which the change happens in the simulation


class Timeouts(msgspec.Struct, frozen=True):
    """Settings of members in seconds, Java's defaults where nothing else is known: a broker does
    not tell them. `told` names those of which it is known that the members have them, `recorded`
    those that are the longest of the members' in the group's own records."""

    session: float = 45.0
    max_poll: float = 300.0
    heartbeat: float = 3.0
    broker_heartbeat: float = 5.0
    """group.consumer.heartbeat.interval.ms, of the new protocol, where the broker does not tell."""
    told: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()


class Wish(msgspec.Struct, frozen=True):
    """A change as it was asked for."""

    text: str
    assignor: str = ""
    join: int = 0
    members: int = 0
    """How many there are in all; 0: as many as join and leave make."""
    leave: tuple[str, ...] = ()
    topics: dict[str, int] = {}
    protocol: str = ""


def parse_wish(text: str) -> Wish:
    """Return a change: "assignor=cooperative-sticky,join=2". Raises ConfigError."""
    fields: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if not equals or not value or key not in _READERS:
            raise ConfigError(f"{part!a} is no change; there are: {CHANGES}")
        key = "join" if key == "members" and value.startswith("+") else key
        name, read = _READERS[key]
        content = read(value)
        if name == "leave":
            content = (*fields.get(name, ()), *content)
        elif name == "topics":
            content = fields.get(name, {}) | content
        fields[name] = content
    return Wish(text, **fields)


def _number(text: str) -> int:
    if not text.lstrip("+").isdecimal() or not 0 < int(text[:6]) <= 1000:
        raise ConfigError(f"{text!a} is no number of members from 1 to 1000")
    return int(text)


def _topic(text: str) -> dict[str, int]:
    name, _, count = text.rpartition(":")
    if not name or not count.isdecimal() or not 0 < int(count[:7]) <= 100_000:
        raise ConfigError(f"{text!a} is no topic and number of partitions: orders:12")
    return {name: int(count)}


def _assignor(text: str) -> str:
    names = dict.fromkeys((*ASSIGNORS, *BROKER_ASSIGNORS))
    if text not in names:
        raise ConfigError(f"there is no assignor {text!a}{did_you_mean(text, names)}")
    return text


def _protocol(text: str) -> str:
    if text not in ("consumer", "classic"):
        raise ConfigError(f"{text!a} is no protocol: consumer or classic")
    return text


_READERS: dict[str, tuple[str, Any]] = {
    "assignor": ("assignor", _assignor),
    "join": ("join", _number),
    "members": ("members", _number),
    "leave": ("leave", lambda text: (text,)),
    "topic": ("topics", _topic),
    "protocol": ("protocol", _protocol),
}


def futures(
    group: Group,
    wishes: Sequence[Wish],
    timeouts: Timeouts | None = None,
    away: Collection[str] = (),
) -> tuple[Future, ...]:
    """Return the group as it is, and as it would be after each change, one by one. New members have
    none of the names of those that are `away`.

    Raises Rebalancing, and ConfigError for a group of another kind than consumers', or a member
    that is not there.
    """
    if group.kind not in ("classic", "consumer") or group.protocol_type != "consumer":
        raise ConfigError(f"--what-if is for groups of consumers; this is a {group.kind} group")
    check_at_rest(group)
    if not group.members:
        raise ConfigError("--what-if needs members, and the group has none")
    settings = timeouts or Timeouts()
    wishes = [_counted(group, wish) for wish in wishes]
    owned = _owned(group.members)
    present = _future("now", group.protocol, owned, owned, group)
    return (present, *(_future_after(group, wish, owned, settings, away) for wish in wishes))


def _counted(group: Group, wish: Wish) -> Wish:
    """Return the change with the number of members that join, where it says how many there are in
    all."""
    if not wish.members:
        return wish
    staying = len(group.members) - len(wish.leave)
    if wish.members < staying:
        raise ConfigError(
            f"members={wish.members} is fewer than the {staying} that are there: leave=CLIENT says "
            "who leaves"
        )
    if wish.join:
        raise ConfigError("join=N and members=N say the same: give one of them")
    return msgspec.structs.replace(wish, join=wish.members - staying)


def _future_after(
    group: Group, wish: Wish, owned: Owned, timeouts: Timeouts, away: Collection[str]
) -> Future:
    protocol = wish.protocol or ("consumer" if group.kind == "consumer" else "classic")
    notes: list[str] = []
    name = _assignor_after(group, wish, protocol, notes)
    staying = _staying(group, wish)
    new = newcomers(group.members, wish.join, away)
    changed = replace(group, members=(*staying, *new.members), topics=_topics(group, wish))
    tried = orders(staying, new, sum(changed.topics.values()), in_classic=protocol == "classic")
    divide = partial(_divided if protocol == "consumer" else _settled, name)
    left = owned
    if protocol == "classic" and _stops_all(group, name):
        left = divide(replace(changed, members=staying), {})  # all stop, and own nothing then
    possible = [
        _future(
            wish.text, name, _with_newcomers(divide, changed, staying, added, left), owned, changed
        )
        for added in tried.members
    ]
    future = possible[0]
    if wish.join:
        moved = [each.moved for each in possible]
        future = replace(future, moved_fewest=min(moved), moved_most=max(moved))
        notes.append(_newcomers_place(future, new, tried))
    if (
        protocol == "consumer"
        and len(group.topics) > len(group.topic_ids)
        and len(group.topics) > 1
    ):
        notes.append("the topics' ids are not known: which partitions move may differ")
    rebalances, paused = _cost(group, wish, protocol, name, future, timeouts, notes)
    return replace(future, rebalances=rebalances, paused=paused, notes=tuple(notes))


def _with_newcomers(
    divide: Callable[[Group, Owned], Owned],
    group: Group,
    staying: tuple[Member, ...],
    added: tuple[Member, ...],
    owned: Owned,
) -> Owned:
    """Return what members own after those with invented ids have joined, by the names of these."""
    names = {member.member_id: member.client_id for member in added}
    divided = divide(replace(group, members=(*staying, *added)), owned)
    return {names.get(member_id, member_id): places for member_id, places in divided.items()}


def _newcomers_place(future: Future, new: Newcomers, tried: Orders) -> str:
    """Return where the ids of new members are taken to sort, and what it is where they do not."""
    fewest, most = future.moved_fewest, future.moved_most
    if fewest == most:
        return "ids of new members are random: which of the partitions they get may differ"
    moved = f"{fewest} to {counted(most or 0, 'partition')}"
    where = "" if tried.are_all else f" ({len(tried.members)} orders of ids were tried)"
    if tried.by_name:
        name = "group.instance.id" if new.members[0].instance_id else "client.id"
        return (
            f"shown is {new.names}, as the {name}s of the present members are numbered: the order "
            f"of ids decides who has what, and with another {name} {moved} move{where}"
        )
    return (
        "shown are ids of new members that sort last: the order of ids decides who has what, and "
        f"new ones end at random; by where they sort, {moved} move{where}"
    )


def _assignor_after(group: Group, wish: Wish, protocol: str, notes: list[str]) -> str:
    """Return the assignor after a change: the one that was asked for, the group's own, or what the
    protocol begins with."""
    assignors = BROKER_ASSIGNORS if protocol == "consumer" else ASSIGNORS
    if wish.assignor:
        if wish.assignor not in assignors:
            other_protocol = "classic" if protocol == "consumer" else "consumer"
            raise ConfigError(
                f"the {protocol} protocol has no assignor {wish.assignor!a}; it has: "
                f"{', '.join(assignors)}. The other one: "
                f"protocol={other_protocol},assignor={wish.assignor}"
            )
        return wish.assignor
    stays = (group.kind == "consumer") == (protocol == "consumer")
    if stays and group.protocol in assignors:
        return group.protocol
    if protocol == "consumer":
        return _UNIFORM
    if stays:
        notes.append(f"the assignor {group.protocol!r} is not known here: range instead")
    return "range"


def _topics(group: Group, wish: Wish) -> dict[str, int]:
    for topic in wish.topics:
        if topic not in group.topics:
            raise ConfigError(f"the group does not read the topic {topic!a}")
    return group.topics | wish.topics


def _staying(group: Group, wish: Wish) -> tuple[Member, ...]:
    members = list(group.members)
    for name in wish.leave:
        members_of_name = [
            member for member in members if name in (member.client_id, member.member_id)
        ]
        if not members_of_name:
            names = ", ".join(sorted({member.client_id for member in members})[:_NAMES])
            raise ConfigError(f"no member is called {name!a}; members: {names}")
        members.remove(members_of_name[0])
    if not members and not wish.join:
        raise ConfigError("nobody would be left")
    return tuple(members)


def _owned(members: Iterable[Member]) -> Owned:
    return {
        member.member_id: frozenset(
            (topic, number) for topic, numbers in member.assigned.items() for number in numbers
        )
        for member in members
    }


def _divided(assignor: str, group: Group, owned: Owned) -> Owned:
    """Return what the broker has every member own, by its own assignor. Raises ConfigError."""
    ids = {topic: _topic_id(group, topic) for topic in group.topics}
    members = {member.member_id: _broker_member(member, group, ids) for member in group.members}
    subscribed = frozenset().union(*(member.topics for member in members.values()))
    counts = {ids[topic]: count for topic, count in group.topics.items()}
    counts_read = {topic: count for topic, count in counts.items() if topic in subscribed}
    try:
        targets = BROKER_ASSIGNORS[assignor](BrokerGroup(members, counts_read))
    except UnassignableError as error:
        raise ConfigError(f"the broker cannot divide the group by {assignor}: {error}") from None
    names = {topic_id: topic for topic, topic_id in ids.items()}
    return {
        member_id: frozenset(
            (names[topic], number)
            for topic, numbers in targets.get(member_id, {}).items()
            for number in numbers
        )
        for member_id in members
    }


def _topic_id(group: Group, topic: str) -> UUID:
    """Return a topic's id, in whose order the broker divides; one made of its name where the broker
    did not tell it."""
    topic_id = group.topic_ids.get(topic)
    return uuid5(NAMESPACE_OID, topic) if topic_id is None else UUID(topic_id)


def _broker_member(member: Member, group: Group, ids: Mapping[str, UUID]) -> BrokerMember:
    shares = member.assigned if member.target is None else member.target
    current = {
        topic: [number for number in numbers if 0 <= number < group.topics[topic]]
        for topic, numbers in shares.items()
        if topic in ids
    }
    # What a pattern matches is not told: it is taken to match what the member has.
    reads = member.topics if member.regex is None else (*member.topics, *current)
    return BrokerMember(
        frozenset(ids[topic] for topic in reads if topic in ids),
        member.instance_id,
        {ids[topic]: numbers for topic, numbers in current.items()},
    )


def _settled(name: str, group: Group, initial: Owned) -> Owned:
    """Return what members own once a rebalance has no other after it."""
    owned = {
        member.member_id: initial.get(member.member_id, frozenset()) for member in group.members
    }
    for generation in range(_GENERATION, _GENERATION + _ROUNDS):
        consumers = [
            _consumer(member, owned[member.member_id], name, generation) for member in group.members
        ]
        racks = {
            topic: replicas
            for topic, replicas in group.racks.items()
            if len(replicas) == group.topics.get(topic)
        }
        assignments = ASSIGNORS[name].assign(consumers, group.topics, racks or None)
        previous, owned = (
            owned,
            {
                member_id: frozenset(
                    (entry.topic, number)
                    for entry in assignment.assigned_partitions
                    for number in entry.partitions
                )
                for member_id, assignment in assignments.items()
            },
        )
        if owned == previous or name != "cooperative-sticky":
            break
    return owned


def _consumer(
    member: Member, owned: frozenset[tuple[str, int]], assignor: str, generation: int
) -> Consumer:
    """Return a member as its leader would see it: with its own subscription, and claims to what it
    has now."""
    try:
        subscription = ConsumerProtocolSubscription.from_bytes(member.metadata)
    except DecodeError:
        subscription = ConsumerProtocolSubscription(topics=member.topics, rack_id=member.rack)
    entries = grouped(sorted(owned))
    user_data: bytes | None = None
    if assignor == "sticky":
        assignment = ConsumerProtocolAssignment(assigned_partitions=entries)
        user_data = sticky_user_data(assignment, generation)
    elif assignor == "cooperative-sticky":
        user_data = cooperative_user_data(generation)
    claims = tuple(
        ConsumerProtocolSubscription.TopicPartition(topic=entry.topic, partitions=entry.partitions)
        for entry in entries
    )
    subscription = subscription.replace(
        owned_partitions=claims if assignor == "cooperative-sticky" else (),
        generation_id=generation if claims else -1,
        user_data=user_data,
    )
    return Consumer(member.member_id, subscription, member.instance_id)


def _future(name: str, assignor: str, owned: Owned, initial: Owned, group: Group) -> Future:
    previous_owners = {
        place: member_id for member_id, places in initial.items() for place in places
    }
    owners = {place: member_id for member_id, places in owned.items() for place in places}
    places_read = {
        (topic, number)
        for topic in {topic for member in group.members for topic in member.topics}
        for number in range(group.topics.get(topic, 0))
    }
    sizes = [len(places) for places in owned.values()] or [0]
    return Future(
        name,
        assignor,
        {member_id: _shares(places) for member_id, places in owned.items()},
        moved=sum(
            previous_owners.get(place, member_id) != member_id
            for place, member_id in owners.items()
        ),
        nobody=len(places_read - owners.keys()),
        most=max(sizes),
        fewest=min(sizes),
    )


def _shares(places: Iterable[tuple[str, int]]) -> Shares:
    numbers_by_topic: dict[str, list[int]] = {}
    for topic, number in sorted(places):
        numbers_by_topic.setdefault(topic, []).append(number)
    return {topic: tuple(numbers) for topic, numbers in numbers_by_topic.items()}


# -- what it costs


def _cost(  # noqa: PLR0917  # what a run depends on
    group: Group,
    wish: Wish,
    protocol: str,
    assignor: str,
    future: Future,
    timeouts: Timeouts,
    notes: list[str],
) -> tuple[int | None, float | None]:
    if protocol == "consumer":
        if group.kind == "classic":
            notes.append(
                "changing the protocol takes a restart of each member (--plan consumer); what "
                "moves while they restart is not counted"
            )
        interval, source = _interval(group, timeouts)
        half = interval / 2
        notes.append(
            f"a moved or new partition pauses until its owner's next heartbeat: {half:g} s on "
            f"average at an interval of {interval:g} s, {source}"
        )
        new = sum(max(0, count - group.topics[topic]) for topic, count in wish.topics.items())
        return None, round((future.moved + new) * half, 1)
    if group.kind == "consumer":
        notes.append("changing the protocol takes a restart of each member")
        return None, None
    if not any(group.topics.values()):
        notes.append("the partitions of its topics are not known: pauses are not known either")
        return None, None
    if len(group.members) * sum(group.topics.values()) > _SIMULATED:
        notes.append("too large to be simulated: pauses are not known")
        return None, None
    from ..rebalance.simulation import measure, read_scenario, run  # late: slow, and seldom asked

    text = scenario_text(group, wish, assignor, timeouts)
    try:
        costs = measure(run(read_scenario(text, "what-if", "what-if")))
        calm = measure(run(read_scenario(scenario_text(group, None, "", timeouts), "now", "now")))
    except ValueError as error:  # of names and numbers that no cluster has
        notes.append(f"it cannot be simulated, and pauses are not known: {error}")
        return None, None
    delay = f" {_delay_text(group)}." if _stops_all(group, assignor) else ""
    notes.append(
        f"simulated with {_members_settings(timeouts)}.{delay} Its members poll at "
        "once: in a group all wait until the slowest one has processed its batch, so paused is the "
        "least"
    )
    if assignor not in ("", group.protocol):
        notes.append(_way(group, wish, assignor, timeouts))
    return costs.rebalances - calm.rebalances, round(
        costs.paused_partition_seconds - calm.paused_partition_seconds, 1
    )


def _way(group: Group, wish: Wish, assignor: str, timeouts: Timeouts) -> str:
    """Return how members come to another assignor in the simulation, and new ones after them."""
    new = "; new members join once all others are back" if wish.join else ""
    plan = " (--plan has the steps)" if assignor == COOPERATIVE_STICKY else ""
    if refusals := _refusals(group, group.protocol, assignor):
        away = _away(group, timeouts)
        return (
            f"rebalances and paused are those of a stop of all members: all start with {assignor} "
            f"alone {away:g} s later{new}{plan}. No rolling restart: {'; '.join(refusals)}"
        )
    return (
        f"rebalances and paused are those of two rolling restarts: members list {assignor} "
        f"beside {group.protocol} first, then alone; one restarts every {_EVERY} s and is away "
        f"for {_AWAY} s, so each leaves and joins twice{new}{plan}"
    )


def _refusals(group: Group, old: str, new: str) -> tuple[str, ...]:
    """Return which members cannot list the assignors of a change together, and why."""
    is_mixed = (old == COOPERATIVE_STICKY) != (new == COOPERATIVE_STICKY)
    return refusals_of_both(running_members(group)) if is_mixed else ()


def _stops_all(group: Group, new: str) -> bool:
    """Return whether all members stop before they change to an assignor; "" changes none."""
    return new != "" and bool(_refusals(group, group.protocol, new))


def _away(group: Group, timeouts: Timeouts) -> float:
    """Return the seconds for which all members are stopped: static ones stay in the group until
    their session ends."""
    is_static = any(member.instance_id for member in group.members)
    return timeouts.session + _AWAY if is_static else _AWAY


def _setting(group: Group, name: str) -> float | None:
    """Return a setting of the broker or the group in seconds; None where it was not told."""
    milliseconds = whole_number(group.settings.get(name, ""))
    return None if milliseconds is None else milliseconds / 1000


def _interval(group: Group, timeouts: Timeouts) -> tuple[float, str]:
    """Return the seconds between heartbeats in the broker's protocol, and where that is from."""
    for name in ("consumer.heartbeat.interval.ms", "group.consumer.heartbeat.interval.ms"):
        seconds = _setting(group, name)
        if seconds is not None:
            return seconds, f"which is its {name}"
    why = f": {group.settings_problem}" if group.settings_problem else ""
    return timeouts.broker_heartbeat, f"which is assumed{why}"


_INITIAL_DELAY = "group.initial.rebalance.delay.ms"


def _delay_text(group: Group) -> str:
    """Return how long the broker waits for more members of a group that was empty."""
    delay = _setting(group, _INITIAL_DELAY)
    if delay is None:
        return f"{_INITIAL_DELAY}=3000 is assumed, Kafka's default: the broker did not tell it"
    return f"{_INITIAL_DELAY}={delay * 1000:.0f} is the broker's"


def _members_settings(timeouts: Timeouts) -> str:
    """Return the members' settings, and which of them are assumed."""
    values = {
        "session.timeout.ms": timeouts.session,
        "heartbeat.interval.ms": timeouts.heartbeat,
        "max.poll.interval.ms": timeouts.max_poll,
    }
    parts = [f"{name}={value * 1000:.0f}" for name, value in values.items()]
    assumed = [name for name in values if name not in (*timeouts.told, *timeouts.recorded)]
    listed = "all of them" if len(assumed) == len(values) else ", ".join(assumed)
    verb = "are" if len(assumed) > 1 else "is"
    why = f"; {listed} {verb} assumed: the broker does not tell" if assumed else ""
    recorded = " and ".join(timeouts.recorded)
    verb = "are" if len(timeouts.recorded) > 1 else "is"
    source = f"; {recorded} {verb} the longest in the group's records" if recorded else ""
    return f"{parts[0]}, {parts[1]} and {parts[2]}{source}{why}"


def scenario_text(
    group: Group, wish: Wish | None = None, assignor: str = "", timeouts: Timeouts | None = None
) -> str:
    """Return a scenario file of the group as it is and, after a minute, of a change. Members are
    called m1, m2, ...; those that join new1, new2, ... Raises Rebalancing."""
    check_at_rest(group)
    settings = timeouts or Timeouts()
    old = group.protocol if group.protocol in ASSIGNORS else "range"
    topics = {name: number for name, number in group.topics.items() if number}
    lines = [
        f'summary = "A group of {counted(len(group.members), "member")}, by {old}."',
        f"duration = {_duration(group, wish, old, assignor, settings)}",
        "[topics]",
        *(f"{_quoted(name)} = {number}" for name, number in topics.items()),
        "[defaults]",
        f'assignor = "{old}"',
        f"session_timeout = {settings.session}",
        f"heartbeat_interval = {settings.heartbeat}",
        f"max_poll_interval = {settings.max_poll}",
    ]
    if (delay := _setting(group, _INITIAL_DELAY)) is not None:
        lines += ["[broker]", f"initial_rebalance_delay = {delay}"]
    for number, member in enumerate(group.members, 1):
        lines += _member_lines(f"m{number}", member, topics)
    if wish is not None:
        new = assignor or old
        rounds = _rounds(group, old, new, settings)
        lines += _events(group, wish, new, topics, rounds[-1].end if rounds else _AT)
        lines += _switch(group, wish, rounds)
    return "\n".join(lines) + "\n"


def _member_lines(name: str, member: Member, topics: Mapping[str, int]) -> list[str]:
    reads = [_quoted(topic) for topic in member.topics if topic in topics]
    lines = ["[[members]]", f'name = "{name}"']
    if reads:
        lines.append(f"topics = [{', '.join(reads)}]")
    if member.instance_id:
        lines.append("static = true")
    if member.version is not None and member.version in ConsumerProtocolSubscription.VERSIONS:
        lines.append(f"version = {member.version}")
    return lines


def _events(
    group: Group, wish: Wish, new: str, topics: Mapping[str, int], start: float
) -> list[str]:
    """Return the members that join at `start` with an assignor, and the events of other changes."""
    lines: list[str] = []
    for number in range(1, wish.join + 1):
        name = f"new{number}"
        lines += [*_member_lines(name, replace(group.members[0], instance_id=None), topics)]
        lines += [f"start = {start:g}", f'assignor = "{new}"']
    names = [member.client_id for member in group.members]
    ids = [member.member_id for member in group.members]
    for name in wish.leave:
        index = names.index(name) if name in names else ids.index(name)
        lines += ["[[events]]", f"at = {_AT}", 'do = "stop"', f'member = "m{index + 1}"']
    if wish.topics:
        grown = {**topics, **wish.topics}
        inside = ", ".join(f"{_quoted(topic)} = {number}" for topic, number in grown.items())
        lines += ["[[events]]", f"at = {_AT}", 'do = "change topics"', f"topics = {{ {inside} }}"]
    return lines


class _Round(NamedTuple):
    """A restart of all members, one after the other or at once, with a list of assignors."""

    at: int
    end: float
    listed: str
    away: float
    every: int


def _rounds(group: Group, old: str, new: str, timeouts: Timeouts) -> tuple[_Round, ...]:
    """Return the restarts by which members come to another assignor."""
    if new == old:
        return ()
    if _refusals(group, old, new):
        away = _away(group, timeouts)
        return (_Round(_AT, _AT + away, f'"{new}"', away, 0),)
    first, second, end = (_AT + _EVERY * (len(group.members) + 1) * times for times in range(3))
    return (
        _Round(first, second, f'["{new}", "{old}"]', _AWAY, _EVERY),
        _Round(second, end, f'"{new}"', _AWAY, _EVERY),
    )


def _switch(group: Group, wish: Wish, rounds: Sequence[_Round]) -> list[str]:
    """Return the events by which members that stay come to another assignor."""
    staying = _staying(group, wish)
    numbered = enumerate(group.members, 1)
    names = ", ".join(f'"m{number}"' for number, member in numbered if member in staying)
    lines: list[str] = []
    for each in rounds if names else ():
        lines += [
            "[[events]]",
            f"at = {each.at}",
            'do = "bounce"',
            f"member = [{names}]",
            f"takes = {each.away}",
            f"every = {each.every}",
            f"with = {{ assignor = {each.listed} }}",
        ]
    return lines


def _duration(group: Group, wish: Wish | None, old: str, new: str, timeouts: Timeouts) -> int:
    if wish is None or new in ("", old):
        return 2 * _AT
    return 2 * _AT + 20 * len(group.members) + 20 + int(timeouts.session)


def _quoted(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")
