"""Partitions that somebody subscribes to, and nobody was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..findings import Basis, Severity, Sign
from ..steps import Step
from ..window import Rule, Window


def _unassigned(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    """Unowned now and in the record before: what a cooperative follow-up places is not meant."""
    step, before = window.step, window.previous
    counts = window.context.partitions or {}
    if before is None or step.generation <= before.generation or not step.members:
        return
    for topic, missing in _missing(step, counts).items():
        still = missing & _missing(before, counts).get(topic, frozenset())
        if still:
            numbers = sorted(still)
            yield Sign(
                topic,
                f"{len(numbers)} partitions of {topic} belong to nobody: "
                f"{', '.join(map(str, numbers[:10]))}",
                {"topic": topic, "partitions": numbers[:100], "count": len(numbers)},
            )


def _missing(step: Step, counts: Mapping[str, int]) -> dict[str, frozenset[int]]:
    if not step.is_consumer:
        return {}
    wanted = frozenset[str]().union(*(member.topics for member in step.members))
    given: dict[str, set[int]] = {}
    for topic, number in step.owner:
        given.setdefault(topic, set()).add(number)
    return {
        topic: frozenset(range(counts[topic])) - given.get(topic, set())
        for topic in wanted
        if topic in counts
    }


RULES = (
    Rule(
        id="unassigned-partition",
        title="Nobody reads a partition",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning="Its records wait, with no error anywhere.",
        source="KIP-429; KAFKA-12984; Java leaves a v1 member out that it cannot read",
        predicate="A partition of a subscribed topic belongs to nobody in two records of rising "
        "generation.",
        next_action="Look for a member of this generation that the leader could not read, or "
        "restart the leader.",
        find=_unassigned,
        lasting=True,
        inputs=("history", "topics"),
    ),
)
