"""Groups on their way from one client, assignor or protocol to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ..findings import Basis, Severity, Sign
from ..rule import Rule
from ..window import Window


def _mixed_versions(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    if not step.is_consumer:
        return
    versions = sorted({m.version for m in step.members if m.version is not None})
    if len(versions) > 1:
        listed = ", ".join(map(str, versions))
        yield Sign("", f"subscriptions of versions {listed} in one group", {"versions": versions})


def _protocol_changed(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    protocols = [trace.protocol for trace in window.traces if trace.protocol is not None]
    changes = [(old, new) for old, new in pairwise(protocols) if old != new]
    if changes:
        severity = Severity.WARNING if len(changes) >= thresholds["changes"] else Severity.INFO
        yield Sign(
            "",
            f"the protocol went {' → '.join([changes[0][0], *(new for _, new in changes)][:8])}",
            {"changes": len(changes)},
            severity,
        )


def _never_claims(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    """Under cooperative-sticky, somebody who owned partitions and says at every join that it does
    not: it is eager, or it forgets."""
    step = window.step
    traces = window.traces[-max(int(thresholds["generations"]), 1) :]
    previous = window.previous
    if (
        step.protocol != "cooperative-sticky"
        or previous is None
        or len(traces) < thresholds["generations"]
    ):
        return
    for member in step.members:
        stayed = all(member.member_id in trace.members for trace in traces)
        subscription = member.subscription
        if not stayed or subscription is None or subscription.owned_partitions:
            continue
        had = previous.by_id.get(member.member_id)
        rises = step.generation > previous.generation
        was_found = ("never-claims", member.member_id) in window.streaks
        if had is not None and had.assigned and (rises or was_found):
            yield Sign(
                member.member_id,
                f"{member.member_id} owned {len(had.assigned)} partitions and claims none",
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
        predicate="The subscriptions of one record's members have different version labels.",
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
            "The selected protocol differs between two records: info; a warning from `changes` "
            "changes on."
        ),
        next_action="Finish the rolling change, so that all members list the same assignors.",
        find=_protocol_changed,
        settles=True,
        counted=("changes",),
        thresholds={"changes": 3},
    ),
    Rule(
        id="never-claims",
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
        counted=("generations",),
        thresholds={"generations": 3},
    ),
)
