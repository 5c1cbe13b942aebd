"""Static members: fencing is not in the topic, only what it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ..findings import Basis, Severity, Sign
from ..rule import Rule
from ..window import Trace, Window


def _ping_pong(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Two processes carry one name: each that joins takes it from the other.

    A broker that replaces a static member keeps the client id and host of the first, so mostly
    the member ids alone tell; a process that restarts in a loop looks the same.
    """
    traces = window.traces
    for instance_id in traces[-1].statics:
        statics = [trace.statics[instance_id] for trace in traces if instance_id in trace.statics]
        returns = _returns([static.home for static in statics])
        recent = _recent(traces, instance_id, thresholds["seconds"])
        if returns < thresholds["returns"] and recent < thresholds["replacements"]:
            continue
        homes = sorted(
            {f"{client} at {host}" for client, host in (static.home for static in statics)}
        )
        yield Sign(
            instance_id,
            f"the static member {instance_id} "
            + (
                f"went back and forth between {' and '.join(homes)}"
                if returns
                else f"was replaced {recent} times within {thresholds['seconds']:.0f} s"
            ),
            {"group_instance_id": instance_id, "homes": homes, "replacements": recent},
            basis=Basis.OBSERVED if returns else Basis.INFERRED,
        )


def _returns(homes: list[tuple[str, str]]) -> int:
    """Return how often the name came back to a home that it had left."""
    visits = [home for at, home in enumerate(homes) if not at or homes[at - 1] != home]
    return sum(home in visits[:at] for at, home in enumerate(visits))


def _recent(traces: Sequence[Trace], instance_id: str, seconds: float) -> int:
    """Return how often another process recently took the name over within a generation."""
    start = traces[-1].timestamp - seconds * 1000
    return sum(
        previous.generation == trace.generation
        and instance_id in previous.statics
        and instance_id in trace.statics
        and previous.statics[instance_id].member_id != trace.statics[instance_id].member_id
        for previous, trace in pairwise(traces)
        if trace.timestamp >= start
    )


def _unseen_subscription(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    """A static member that comes back subscribing to something else causes no rebalance."""
    step, previous = window.step, window.previous
    if previous is None or step.generation != previous.generation or not step.is_consumer:
        return
    old = {m.instance_id: m for m in previous.members if m.instance_id is not None}
    for member in step.members:
        was = old.get(member.instance_id) if member.instance_id is not None else None
        added = member.topics - was.topics if was is not None else frozenset()
        if was is not None and was.member_id != member.member_id and added:
            topics = sorted(added)
            yield Sign(
                str(member.instance_id),
                f"the static member {member.instance_id} came back subscribing to "
                f"{', '.join(topics[:5])} too, and nobody assigns what is new",
                {"group_instance_id": member.instance_id, "topics": topics[:20]},
            )


RULES = (
    Rule(
        id="static-ping-pong",
        title="Two processes carry one group.instance.id",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "Each process that joins fences the other: both restart for ever, and the one that "
            "joined last reads the partitions."
        ),
        source="KIP-345 (FENCED_INSTANCE_ID, error 82 in frames)",
        predicate="One instance id alternates between client ids or hosts A, B, A; or (inferred, "
        "for brokers keep the first one's) it gets another member id within one generation "
        "`replacements` times within `seconds`.",
        next_action="Give every process an instance id of its own; look for a copied file.",
        find=_ping_pong,
        settles=True,
        fades=3600.0,
        counted=("returns", "replacements"),
        thresholds={"returns": 1, "replacements": 3, "seconds": 600},
    ),
    Rule(
        id="static-unseen-subscription",
        title="A static member's new topics are not assigned",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "A static member that comes back within its session timeout gets its old assignment "
            "without a rebalance. The topics that it has subscribed to in addition stay unread."
        ),
        source="KIP-345; the coordinator replaces the member within the generation",
        predicate=(
            "A record has the generation of the one before it, and a static member has a new "
            "member id and topics that it did not have."
        ),
        next_action="Force a rebalance: remove the member from the group (kafka-consumer-groups "
        "cannot; AdminClient.removeMembersFromConsumerGroup can), or restart any dynamic member.",
        find=_unseen_subscription,
        settles=True,
    ),
)
