"""Claims of members that contradict each other, or the assignment.

A member's claim is of the generation before the record that it is in, or has no generation:
it is compared with other claims of that record, never with the record's own generation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....rebalance.claims import Overlap
from ....rebalance.judgements import stale_claims, void_claims
from ....wording import some_of
from ..classic_record import Step
from ..findings import Basis, Severity, Sign
from ..rule import Rule
from ..window import Window

NAMED = 10
"""How many partitions are named in an explanation or as evidence."""


def _overlaps(step: Step) -> list[Overlap]:
    if not step.is_consumer:
        return []
    if step.protocol != "sticky" and step.claimed_once:
        return []
    return step.claims.overlaps


def _name(partition: tuple[str, int]) -> str:
    return f"{partition[0]}-{partition[1]}"


def names_of(partitions: Sequence[tuple[str, int]]) -> str:
    """Return the names of partitions, the first of many."""
    return some_of(list(map(_name, partitions)), NAMED)


def _double_claim(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    void = list(void_claims(_overlaps(window.step)))
    if not void:
        return
    claimants = sorted({member_id for _, member_ids in void for member_id in member_ids})
    partitions = [partition for partition, _ in void]
    yield Sign(
        " ".join(claimants[:2]),
        f"{names_of(partitions)} claimed at the same generation by "
        f"{' and '.join(claimants[:NAMED])}",
        {
            "partitions": [_name(partition) for partition in partitions[:NAMED]],
            "members": claimants[:NAMED],
        },
    )


def _stale_claim(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    losses: dict[str, list[tuple[str, int]]] = {}
    blind = set()
    for member_id, generation, overlap in stale_claims(_overlaps(step)):
        if overlap.owner is None:
            continue
        losses.setdefault(member_id, []).append(overlap.partition)
        if generation < 0 and step.owner.get(overlap.partition, member_id) != member_id:
            blind.add(member_id)
    for member_id, partitions in losses.items():
        member = step.by_id[member_id]
        times = window.streaks.get(("stale-claim", member_id), 0) + 1
        loud = member_id in blind or times >= thresholds["generations"]
        yield Sign(
            member_id,
            f"{member_id} claims {names_of(partitions)}, which a newer claim of another member has"
            + (f", in {times} generations in a row" if times > 1 else ""),
            {
                "member_id": member_id,
                "client_id": member.client_id,
                "partitions": [_name(partition) for partition in partitions[:NAMED]],
            },
            Severity.WARNING if loud else Severity.INFO,
        )


def _cooperative_violation(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    """Within one record alone: between two, a crash and a leave look like a move."""
    step = window.step
    if not step.is_consumer or step.protocol == "sticky":
        return  # the members of `sticky` are eager, and own nothing when they join
    if all(member.claimed <= member.assigned for member in step.members):
        return  # everybody keeps what it has
    owned = step.claims.owners
    transfers = [
        (partition, owner, step.owner[partition])
        for partition, owner in owned.items()
        if step.owner.get(partition, owner) != owner
    ]
    if not transfers:
        return
    partitions = [partition for partition, _, _ in transfers]
    yield Sign(
        "",
        f"{names_of(partitions)} given away while the owner had not revoked: two members read "
        f"{'them' if len(transfers) > 1 else 'it'} until the owner has heard",
        {
            "partitions": [_name(partition) for partition in partitions[:NAMED]],
            "owner": transfers[0][1],
            "given_to": transfers[0][2],
            "protocol": step.protocol,
        },
    )


RULES = (
    Rule(
        id="double-claim",
        title="Two members claim the same partition",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "Both members believe that they own the partition, so it was read twice or soon will "
            "be. The leader counts neither claim, and treats the partition as one that changes its "
            "owner."
        ),
        source="KIP-792, KAFKA-12984",
        predicate=(
            "Within one record, two members claim one partition at the same highest generation."
        ),
        next_action=(
            "Compare the clients of both members: one keeps its partitions after it has left the "
            "group. Update it to a release that sends its generation (subscription version 2)."
        ),
        find=_double_claim,
        settles=True,
    ),
    Rule(
        id="stale-claim",
        title="A member claims what has gone to another",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "The member missed a rebalance. The leader ranks claims by generation and ignores this "
            "one; but a stale claim without a generation can win a partition that belongs to "
            "another member."
        ),
        source="KIP-792, KAFKA-13406, KAFKA-14639",
        predicate=(
            "Within one record, a claim is overridden by one of a higher generation. A warning if "
            "the claim has no generation and the partition is given to another member, or if the "
            "same member does this in `generations` generations in a row."
        ),
        next_action=(
            "If it repeats: find out why this member misses rebalances (poll intervals, network), "
            "and update its client to a release that sends its generation."
        ),
        find=_stale_claim,
        settles=True,
        thresholds={"generations": 3},
    ),
    Rule(
        id="cooperative-violation",
        title="A partition was given away before it was revoked",
        severity=Severity.CRITICAL,
        basis=Basis.OBSERVED,
        meaning="Two members own one partition at the same time: records are read twice, and the "
        "commits of one overwrite those of the other.",
        source="KIP-429; since KIP-792 Java's leader does not check cooperative-sticky",
        predicate=(
            "Within one record, a partition is assigned to one member while another one has the "
            "winning claim to it."
        ),
        next_action=(
            "Find the leader of this generation: its code does not know that the members are "
            "cooperative (a custom assignor, or Streams without upgrade.from). Upgrade in two "
            "rolling restarts."
        ),
        find=_cooperative_violation,
        settles=True,
    ),
)
