"""Partitions of subscribed topics that are assigned to nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from ....wording import counted
from ..classic_record import Step
from ..findings import Basis, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule, Rule
from ..window import Window

_ID = "unassigned-partition"
_NAMED = 100  # partitions that are named, as evidence


def _unassigned(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    """Unowned now and in the record before: what a cooperative follow-up places is not meant."""
    step, previous = window.step, window.previous
    if previous is None:
        return
    again = step.generation == previous.generation  # a static member was replaced
    if again and not any(rule == _ID for rule, _ in window.streaks):
        return
    counts = window.context.counts
    for topic in _topics(step) & _topics(previous):
        owned = step.given.get(topic, set()) | previous.given.get(topic, set())
        yield from _signs(topic, owned, counts, window.least, window.lacking_since)


def _for_long(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    """A follow-up would have come by now."""
    step = end.step
    if step is None or not step.members or step.place.timestamp < 0:
        return
    since = end.now - step.place.timestamp
    if since <= max(member.rebalance_timeout for member in step.members):
        return
    for topic in sorted(_topics(step)):
        if (_ID, topic) not in end.told:
            owned = step.given.get(topic, set())
            yield from _signs(topic, owned, end.counts, end.least, end.lacking_since)


def _topics(step: Step) -> frozenset[str]:
    return frozenset(step.topics) if step.is_consumer else frozenset()


def _signs(
    topic: str,
    owned: set[int],
    counts: Mapping[str, int],
    least: Mapping[str, int],
    lacking_since: Mapping[str, int],
) -> Iterator[Sign]:
    size = counts.get(topic, least.get(topic, 0))
    count = size - sum(number < size for number in owned)
    if not count:
        return
    numbers = list(islice((number for number in range(size) if number not in owned), _NAMED))
    inferred = topic not in counts
    yield Sign(
        topic,
        f"nobody has {counted(count, 'partition')} of {topic}: {', '.join(map(str, numbers[:10]))}",
        {
            "topic": topic,
            "partitions": numbers,
            "count": count,
            **({"since": lacking_since[topic]} if topic in lacking_since else {}),
        },
        Severity.WARNING if inferred else None,
        Basis.INFERRED if inferred else None,
    )


RULES = (
    Rule(
        id=_ID,
        is_of_changes=True,
        title="Nobody reads a partition",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning="Its records wait, and no client reports an error.",
        source="KIP-429; KAFKA-12984; Java leaves a v1 member out that it cannot read",
        predicate=(
            "A partition of a subscribed topic has no owner in two records of rising generation. "
            "If partition counts are not known, only partitions up to the highest one that a "
            "member ever had are known: a warning, inferred."
        ),
        next_action=(
            "Look for a member of this generation that the leader could not read, or restart the "
            "leader."
        ),
        find=_unassigned,
        settles=True,
    ),
)
END_RULES = (
    EndRule(
        id="unassigned-for-long",
        is_of_changes=True,
        title="Nobody reads a partition, and no rebalance follows",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "A partition that is withheld for the next cooperative rebalance is assigned within "
            "seconds; this one is not, and no client reports an error."
        ),
        source="KIP-429; KAFKA-12984",
        predicate=(
            "A partition of a subscribed topic has no owner in the last record, which is older "
            "than the largest rebalance timeout of its members, and unassigned-partition does not "
            "report it. Partition counts that are not known are treated as there."
        ),
        next_action=(
            "Restart the leader, or any member: the next rebalance assigns it. Find out which "
            "member led, and whether it can read all members."
        ),
        find=_for_long,
    ),
)
