"""Groups of Kafka Streams and Kafka Connect: what their own payloads say is wrong."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping

from ....rebalance.frameworks import CONNECT, STREAMS_ERRORS, STREAMS_PROTOCOL, ConnectRound
from ....wording import counted
from ..findings import Basis, NamedCause, Severity, Sign
from ..round_facts import connect_of, streams_of
from ..rule import Rule
from ..storm_causes import clusters_apart
from ..window import RecordChange, Window

_SOURCE_MISSING, _VERSION_PROBING = 1, 2
_NAMED = 10


def _streams_error(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    code = streams_of(step).error_code if step.protocol == STREAMS_PROTOCOL else 0
    if not code:
        return
    counts = window.context.partitions
    absent = [] if counts is None else [topic for topic in step.topics if not counts.get(topic)]
    missing = f" (not there: {', '.join(absent[:_NAMED])})" if absent else ""
    meaning = STREAMS_ERRORS.get(code, "an error that newer releases know")
    yield Sign(
        "",
        f"the leader {step.leader} told its {counted(len(step.members), 'member')} "
        f"error {code}: "
        f"{meaning}{missing}",
        {
            "error_code": code,
            "leader": step.leader,
            "subscribed_topics": list(step.topics[:_NAMED]),
            "missing_topics": absent[:_NAMED],
        },
        Severity.INFO if code == _VERSION_PROBING else None,
        cause=NamedCause("source-topic-missing", "certain", "error code 1 in the assignment")
        if code == _SOURCE_MISSING
        else None,
    )


class ConnectRounds:
    """What the workers of a Connect group told in its last generations."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self.rounds = deque[ConnectRound](maxlen=max(math.ceil(thresholds["generations"]), 2))

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        if change.step.protocol_type == CONNECT:
            self.rounds.append(connect_of(change.step))


def _connect_clusters(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    memory = window.memory
    assert isinstance(memory, ConnectRounds)
    if not memory.rounds or len(memory.rounds[-1].offsets) < 2:
        return
    generations = int(thresholds["generations"])
    cause = clusters_apart([*memory.rounds], min(2, generations))
    if cause is None:
        return
    is_sure = cause.evidence["generations_that_differ"] >= generations
    yield Sign(
        "",
        f"the workers of this group read different topics of configurations: {cause.text}",
        cause.evidence,
        Severity.ERROR if is_sure else Severity.INFO,
        Basis.OBSERVED if is_sure else Basis.INFERRED,
        cause._replace(text="", certainty="certain" if is_sure else "likely"),
    )


RULES = (
    Rule(
        id="streams-error",
        title="Kafka Streams told its members an error",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning="Every instance that is told it shuts down, or rejoins without any task.",
        source="KAFKA-10355, KIP-671; AssignorError",
        predicate=(
            "The user data of an assignment under Streams' own assignor has an error code. Info "
            "for code 2, with which the leader asks for a version."
        ),
        next_action=(
            "Read the log of the leader's instance, which names the reason (of code 4: that of the "
            "instance whose exception handler chose SHUTDOWN_APPLICATION); then start all "
            "instances again. Code 2 passes by itself once all instances run one release."
        ),
        find=_streams_error,
        settles=True,
    ),
    Rule(
        id="connect-clusters",
        title="Two Connect clusters share one group",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "Workers of different clusters never agree on their configurations: they rebalance "
            "again and again, and connectors of one cluster do not run."
        ),
        source="strimzi #9344; the leader assigns only by a config offset that all workers reach",
        predicate=(
            "Workers told different config offsets in `generations` generations, and the lowest "
            "did not reach what the highest was before. Info, inferred, from the second such "
            "generation on."
        ),
        next_action=(
            "Give each Connect cluster a group.id of its own, and compare config.storage.topic of "
            "all workers."
        ),
        find=_connect_clusters,
        settles=True,
        memory=ConnectRounds,
        thresholds={"generations": 3},
    ),
)
