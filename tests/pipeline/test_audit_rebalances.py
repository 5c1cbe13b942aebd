"""What a rebalance moved, how it was handed over, and why."""

from __future__ import annotations

import pytest

from kproto.pipeline.audit import Basis, MemberSeen, Step
from kproto.pipeline.audit.rebalances import Rebalance, RebalanceHistory
from tests.pipeline.audit_groups import member, record, subscription

COOP = "cooperative-sticky"
BOTH = ["t-0", "t-1"]


def compared(*steps: Step) -> Rebalance:
    """The last step's rebalance."""
    history = RebalanceHistory()
    *_, last = [history.observe(step) for step in steps]
    return last


def owning(name: str, owned: list[str], given: list[str], generation: int = 1) -> MemberSeen:
    return member(name, given, metadata=subscription(owned=owned, generation=generation))


def test_eager_members_give_back_everything() -> None:
    found = compared(
        record(1, member("a", BOTH)), record(2, member("a", ["t-0"]), member("b", ["t-1"]))
    )
    assert (found.cause, found.basis, found.joined) == ("member-joined", Basis.INFERRED, ("b",))
    assert [tuple(move) for move in found.moves] == [("t", 1, "a", "b", "eager")]


def test_a_cooperative_handover_takes_two_rebalances() -> None:
    first = record(1, owning("a", [], BOTH), protocol=COOP)
    revoked = record(2, owning("a", BOTH, ["t-0"]), member("b"), protocol=COOP)
    placed = record(3, owning("a", ["t-0"], ["t-0"], 2), member("b", ["t-1"]), protocol=COOP)
    found = compared(first, revoked, placed)
    assert (found.cause, found.basis) == ("cooperative-second-round", Basis.OBSERVED)
    assert [tuple(move) for move in found.moves] == [("t", 1, "a", "b", "revoked")]


def test_the_owner_left() -> None:
    found = compared(
        record(1, owning("a", [], ["t-0"]), owning("b", [], ["t-1"]), protocol=COOP),
        record(2, owning("a", ["t-0"], BOTH), protocol=COOP),
    )
    assert (found.cause, found.left) == ("member-left", ("b",))
    assert [tuple(move) for move in found.moves] == [("t", 1, "b", "a", "owner_left")]


def test_behind_a_gap_nothing_is_certain() -> None:
    found = compared(
        record(1, owning("a", [], ["t-0"]), owning("b", [], ["t-1"]), protocol=COOP),
        record(4, owning("a", ["t-0"], BOTH, 3), protocol=COOP),
    )
    assert (found.unrecorded, found.basis) == (2, Basis.INFERRED)
    assert [move.handover for move in found.moves] == ["unknown"]


@pytest.mark.parametrize(
    ("steps", "cause", "basis"),
    [
        ([record(1, member("a"))], "member-joined", Basis.INFERRED),
        ([record(7, member("a"))], "unknown", Basis.INFERRED),
        ([record(1, member("a")), record(2)], "member-left", Basis.INFERRED),
        ([record(1, member("a")), record(2, member("b"))], "member-joined", Basis.INFERRED),
        (
            [record(1, member("a")), record(2, member("a", metadata=subscription(["u"])))],
            "subscription-changed",
            Basis.OBSERVED,
        ),
        (
            [record(n, member("a", BOTH if n < 3 else [*BOTH, "t-2"])) for n in (1, 2, 3)],
            "metadata-changed",
            Basis.OBSERVED,
        ),
        (
            [record(n, member("a", BOTH), protocol=("range", "roundrobin")[n - 1]) for n in (1, 2)],
            "protocol-changed",
            Basis.OBSERVED,
        ),
        ([record(n, member("a", BOTH)) for n in (1, 2)], "leader-rejoined", Basis.INFERRED),
        (
            [record(3, member("s#1", instance="i")), record(3, member("s#2", instance="i"))],
            "static-member-came-back",
            Basis.OBSERVED,
        ),
    ],
)
def test_causes(steps: list[Step], cause: str, basis: Basis) -> None:
    found = compared(*steps)
    assert (found.cause, found.basis) == (cause, basis)


@pytest.mark.parametrize("protocol", ["range", COOP])
def test_a_topic_that_has_more_partitions(protocol: str) -> None:
    """All that there were had owners, and so have all that there are now."""
    shares = [BOTH, BOTH, [*BOTH, "t-2"]]
    found = compared(*(record(n, member("a", share), protocol=protocol)
                       for n, share in enumerate(shares, start=1)))  # fmt: skip
    assert (found.cause, found.basis) == ("metadata-changed", Basis.OBSERVED)
    assert [tuple(move) for move in found.moves] == [("t", 2, None, "a", None)]


def test_times() -> None:
    found = compared(record(1, member("a"), seconds=0), record(2, member("a"), seconds=7))
    assert (found.sync_ms, found.since_previous_ms) == (3, 7000)
