"""Who is given what: partitions of two members, of members that did not ask for them, of one member
where ten could work; and members of two applications."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....rebalance.division import (
    Division,
    Seat,
    applications,
    assigned_twice,
    idle_members,
    idle_under_range,
    strays,
    unread_topics,
)
from ....rebalance.judgements import IDLE_MEMBERS
from ....wording import counted
from ..classic_record import Step
from ..findings import Basis, NamedCause, Severity, Sign
from ..group_end import GroupEnd
from ..modern import assigned_of
from ..rule import EndRule, Rule
from ..window import Window
from .claims import NAMED, names_of

_MS = 1000.0


def _division(step: Step) -> Division:
    return Division(
        step.protocol or "",
        [
            Seat(
                member.member_id,
                member.client_id,
                member.topics if member.subscription is not None else None,
                member.assigned,
            )
            for member in step.members
        ],
    )


def _assigned_twice(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    if not step.is_consumer or len(step.owner) == sum(len(m.assigned) for m in step.members):
        return
    twice = assigned_twice(_division(step))
    if not twice:
        return
    partitions = sorted(twice)
    members = sorted({member_id for ids in twice.values() for member_id in ids})
    yield Sign(
        " ".join(members[:2]),
        f"{names_of(partitions)} assigned to {' and to '.join(members[:NAMED])} by the "
        f"assignor {step.protocol} of the leader {step.leader}",
        {
            "partitions": [f"{topic}-{number}" for topic, number in partitions[:NAMED]],
            "members": members[:NAMED],
            "assignor": step.protocol,
            "leader": step.leader,
        },
    )


def _not_subscribed(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step, previous = window.step, window.previous
    if not step.is_consumer or all(
        member.subscription is None or member.topics.issuperset(member.assigned_topics)
        for member in step.members
    ):
        return
    if previous is not None and previous.generation == step.generation:
        return  # a static member came back with other topics, and has its old partitions
    division = _division(step)
    unread = unread_topics(division)
    nobody = f"; nobody has a partition of {', '.join(unread[:NAMED])}" if unread else ""
    leader = step.by_id.get(step.leader or "")
    for stray in strays(division):
        subscribed = sorted(step.by_id[stray.member_id].topics)
        yield Sign(
            stray.member_id,
            f"{stray.member_id} subscribes to {', '.join(subscribed[:NAMED]) or 'nothing'} and is "
            f"given {names_of(stray.partitions)} by the leader {step.leader}{nobody}",
            {
                "member_id": stray.member_id,
                "client_id": stray.client_id,
                "subscribed": subscribed[:NAMED],
                "partitions": [f"{topic}-{number}" for topic, number in stray.partitions[:NAMED]],
                "unread_topics": unread[:NAMED],
                "assignor": step.protocol,
                "leader": step.leader,
                "leader_client": None if leader is None else leader.client_id,
            },
        )


def _not_there(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step, counts = window.step, window.context.counts
    if not step.is_consumer or all(
        highest < counts.get(topic, highest + 1) for topic, (_, highest) in step.sizes.items()
    ):
        return
    for member in step.members:
        beyond = sorted(
            (topic, number)
            for topic, number in member.assigned
            if number >= counts.get(topic, number + 1)
        )
        if beyond:
            yield Sign(
                member.member_id,
                f"{member.member_id} is given {names_of(beyond)} by the leader {step.leader}, and "
                "there is no such partition",
                {
                    "member_id": member.member_id,
                    "partitions": [f"{topic}-{number}" for topic, number in beyond[:NAMED]],
                    "partition_counts": {topic: counts[topic] for topic, _ in beyond[:NAMED]},
                    "leader": step.leader,
                },
            )


def _idle_under_range(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    if not step.is_consumer or step.protocol != "range" or all(m.assigned for m in step.members):
        return
    uneven = idle_under_range(_division(step))
    if uneven is None:
        return
    yield Sign(
        "",
        f"{uneven.busiest} has {uneven.most} of {uneven.partitions} partitions of {uneven.topics} "
        f"topics, and {counted(uneven.idle, 'member')} of {uneven.members} without any: range "
        "divides each topic by itself, and begins with the same member each time",
        {
            "member_id": uneven.busiest,
            "partitions_of_member": uneven.most,
            "partitions_in_all": uneven.partitions,
            "members_without_partitions": uneven.idle,
            "members": uneven.members,
            "topics": uneven.topics,
        },
        Severity.WARNING if 2 * uneven.most > uneven.partitions else Severity.INFO,
    )


def _division_now(end: GroupEnd) -> Division:
    """Return how the newest generation divides the partitions, or the newest epoch, once every
    member has reached it. Of the latter topics have ids, in place of names."""
    step, state = end.step, end.modern
    if step is not None:
        is_told = all(member.given is not None or not member.assignment for member in step.members)
        return _division(step) if step.is_consumer and is_told else _NOTHING
    if state is None or state.epoch is None or state.kind != "consumer":
        return _NOTHING
    epoch = state.epoch.value.epoch
    members = {name: member.value for name, member in state.members.items()}
    current = {name: fact.value for name, fact in state.current.items()}
    if any(name not in current or current[name].member_epoch != epoch for name in members):
        return _NOTHING
    return Division(
        "uniform",  # the broker's own: an assignor of somebody's own is not in the records
        [
            Seat(
                name,
                member.client_id,
                None if member.subscribed_topic_regex else frozenset(member.subscribed_topic_names),
                [
                    (str(id_), number)
                    for id_, number in assigned_of(current[name].assigned_partitions)
                ],
            )
            for name, member in members.items()
        ],
    )


_NOTHING = Division("", ())


def _idle_members(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    if end.step is not None and all(member.assigned for member in end.step.members):
        return
    idle = idle_members(_division_now(end), end.counts)
    if idle is not None:
        yield Sign(
            "",
            str(idle),
            {
                "clients": list(dict.fromkeys(idle.idle))[:NAMED],
                "members_without_partitions": len(idle.idle),
                "members": idle.members,
                "partitions": idle.partitions,
            },
        )


def _two_applications(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    several = applications(_subscriptions(end))
    if several is None:
        return
    since = end.now if end.differ_since is None else end.differ_since
    limit = thresholds["common_seconds" if several.common else "seconds"]
    lasts = end.now - since >= limit * _MS
    if several.common and not lasts:
        return  # a new subscription is rolled out
    common = counted(len(several.common), "topic") if several.common else "no topic"
    yield Sign(
        "",
        f"members subscribe to different topics, {common} common to all: {several.listed}",
        {
            "subscriptions": [
                {"clients": list(clients[:NAMED]), "topics": list(topics[:NAMED])}
                for topics, clients in list(several.clients.items())[:NAMED]
            ],
            "since": since,
        },
        Severity.WARNING if lasts else Severity.INFO,
        cause=NamedCause("two-applications-in-one-group", "likely", ""),
    )


def _subscriptions(end: GroupEnd) -> Iterator[tuple[str, frozenset[str]]]:
    if end.step is not None:
        if end.step.is_consumer:
            yield from ((member.client_id, member.topics) for member in end.step.members)
    elif end.modern is not None and end.modern.kind == "consumer":
        for member in end.modern.members.values():
            topics = getattr(member.value, "subscribed_topic_names", None) or ()
            if not getattr(member.value, "subscribed_topic_regex", None):
                yield member.value.client_id, frozenset(topics)


RULES = (
    Rule(
        id="assigned-twice",
        title="One partition is assigned to two members",
        severity=Severity.CRITICAL,
        basis=Basis.OBSERVED,
        meaning="Both read it: records are processed twice, and the commits of one overwrite those "
        "of the other.",
        source="ConsumerPartitionAssignor: each partition to one member of the group",
        predicate=(
            "A record assigns a partition to several members. An assignor that is not built into a "
            "client and gives every partition of a topic to the same members does it on purpose "
            "(a broadcast), which is no finding."
        ),
        next_action=(
            "Look at the leader's assignor: update its client, or repair it. If it broadcasts on "
            "purpose, give it a name of its own."
        ),
        find=_assigned_twice,
        settles=True,
    ),
    Rule(
        id="not-subscribed",
        title="Partitions go to a member that does not subscribe to them",
        severity=Severity.CRITICAL,
        basis=Basis.OBSERVED,
        meaning=(
            "The member ignores them or fails on them, and the records of these partitions wait; "
            "often topics that it does subscribe to have no owner."
        ),
        source="kafkajs #1679: its round robin assumes that all members subscribe to the same",
        predicate=(
            "A record assigns a member partitions of a topic that its subscription does not name. "
            "A static member that came back with another subscription is not meant "
            "(static-unseen-subscription)."
        ),
        next_action=(
            "Give members with different topics groups of their own, or use an assignor that heeds "
            "subscriptions (range, roundrobin, sticky of Java, librdkafka or franz-go)."
        ),
        find=_not_subscribed,
        settles=True,
    ),
    Rule(
        id="does-not-exist",
        title="Partitions are assigned that do not exist",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "The leader's metadata is older or newer than the cluster's, or the topic was created "
            "again with fewer partitions; the member fetches what is not there."
        ),
        source="ConsumerPartitionAssignor: the leader assigns by its own metadata",
        predicate="A record assigns a partition that is beyond the topic's partition count.",
        next_action="Restart the leader, which reads the topic's metadata again.",
        find=_not_there,
        inputs=("history", "topics"),
        settles=True,
    ),
    Rule(
        id="idle-under-range",
        title="The assignor leaves members without work",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning="One member does the work of several, and further members change nothing.",
        source="RangeAssignor: topic by topic, the first members get the rest",
        predicate=(
            "Under range, members that all subscribe to the same topics have nothing although "
            "another assignor would give each of them a partition. A warning if one member has "
            "more than half of all partitions, else info."
        ),
        next_action=(
            "Choose roundrobin, sticky or cooperative-sticky for all members, or give the topics "
            "more partitions."
        ),
        find=_idle_under_range,
        settles=True,
    ),
)

END_RULES = (
    EndRule(
        id="idle-members",
        title=IDLE_MEMBERS.title,
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning="More members than partitions read nothing: they wait for another one to leave.",
        source="ConsumerPartitionAssignor: each partition to one member of the group",
        predicate=(
            "In the newest generation or epoch, members have no partition, and the topics that "
            "they subscribe to have fewer partitions than the group has members. Of a topic whose "
            "partition count is not known, those count that the generation assigns. Members that "
            "an assignor of one's own or that of Kafka Streams may give other work are not meant."
        ),
        next_action=IDLE_MEMBERS.advice,
        find=_idle_members,
    ),
    EndRule(
        id="two-applications",
        title="Two applications share one group",
        severity=Severity.WARNING,
        basis=Basis.INFERRED,
        meaning=(
            "Each start or stop of one makes the other rebalance, and a lag of the group may be "
            "that of either."
        ),
        source="spring-kafka #3784; KafkaConsumer: one group, one subscription",
        predicate=(
            "Members subscribe to different topics, and no topic is common to all: info until it "
            "has lasted for `seconds`. Or some topics are common to all, and the others have "
            "differed for `common_seconds`, longer than a new subscription is rolled out."
        ),
        next_action="Give each application a group.id of its own.",
        find=_two_applications,
        thresholds={"seconds": 600, "common_seconds": 86_400},
    ),
)
