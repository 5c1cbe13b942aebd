"""Groups on their way from one client, assignor or protocol to another."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ....wording import counted
from ..findings import Basis, Severity, Sign
from ..rule import Rule
from ..window import RecordChange, Window

_SHOWN = 8


def _mixed_versions(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    if not step.is_consumer:
        return
    versions = sorted({m.version for m in step.members if m.version is not None})
    if len(versions) > 1:
        listed = ", ".join(map(str, versions))
        yield Sign("", f"subscriptions of versions {listed} in one group", {"versions": versions})


class _Choice(NamedTuple):
    """A protocol that the group changed to, and from which one."""

    timestamp: int
    old: str
    new: str


class Choices:
    """The last changes of a group's protocol."""

    def __init__(self, thresholds: Mapping[str, float]) -> None:
        self.choices = deque[_Choice](maxlen=max(math.ceil(thresholds["changes"]), _SHOWN))
        self._protocol: str | None = None

    def take(self, change: RecordChange) -> None:
        """Take the next record of the group."""
        if change.elapsed < 0:  # the clock was set back
            self.choices.clear()
        old, new = self._protocol, change.step.protocol
        if old is not None and new is not None and old != new:
            self.choices.append(_Choice(change.timestamp, old, new))
        self._protocol = new or old


def _protocol_changed(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    memory, moment = window.memory, window.step.place.timestamp
    assert isinstance(memory, Choices)
    lately = moment - thresholds["seconds"] * 1000
    choices = [choice for choice in memory.choices if choice.timestamp >= lately]
    if choices:
        severity = Severity.WARNING if len(choices) >= thresholds["changes"] else Severity.INFO
        names = [choices[0].old, *(choice.new for choice in choices)]
        yield Sign(
            "",
            f"the protocol went {' → '.join(names[:_SHOWN])}",
            {"changes": len(choices), "since": choices[0].timestamp},
            severity,
        )


def _never_claims(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Under cooperative-sticky, somebody who owned partitions and says at every join that it does
    not: it is eager, or it forgets."""
    step, previous = window.step, window.previous
    if step.protocol != "cooperative-sticky" or previous is None:
        return
    latest = window.number - max(int(thresholds["generations"]), 1) + 1
    for member in step.members:
        subscription = member.subscription
        if subscription is None or subscription.owned_partitions:
            continue
        if window.arrivals[member.member_id].record > latest:
            continue
        had = previous.by_id.get(member.member_id)
        rises = step.generation > previous.generation
        was_found = ("never-claims", member.member_id) in window.streaks
        if had is not None and had.assigned and (rises or was_found):
            yield Sign(
                member.member_id,
                f"{member.member_id} owned {counted(len(had.assigned), 'partition')} and claims "
                "none",
                {"member_id": member.member_id, "client_id": member.client_id},
            )


RULES = (
    Rule(
        id="mixed-versions",
        title="Subscriptions of several versions",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning="This is normal: clients differ, and an older reader can read a newer version.",
        source="KIP-429, KIP-792",
        predicate="The subscriptions of one record's members have different versions in front.",
        next_action="None, unless a member cannot be read (unreadable-member).",
        find=_mixed_versions,
        settles=True,
    ),
    Rule(
        id="protocol-changed",
        title="The assignor of the group changed",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "One change is an upgrade. Repeated changes mean that the members have two "
            "configurations."
        ),
        source="KIP-429, compatibility and upgrade",
        predicate=(
            "The selected protocol changed within `seconds`: info; a warning from `changes` "
            "changes on."
        ),
        next_action="Finish the rolling change, so that all members list the same assignors.",
        find=_protocol_changed,
        settles=True,
        memory=Choices,
        fades="seconds",
        thresholds={"changes": 3, "seconds": 86_400},
    ),
    Rule(
        id="never-claims",
        is_of_changes=True,
        title="A cooperative member that claims nothing",
        severity=Severity.INFO,
        basis=Basis.INFERRED,
        meaning=(
            "Its partitions seem to have no owner at every rebalance, so they can move without "
            "need, or be given to another member while it still reads them."
        ),
        source="KIP-429, KAFKA-12984",
        predicate=(
            "Under cooperative-sticky, a member that is in `generations` records and had "
            "partitions in the previous one claims none."
        ),
        next_action="Check that this client supports the cooperative protocol.",
        find=_never_claims,
        settles=True,
        thresholds={"generations": 3},
    ),
)
