"""Groups whose broker assigns: what their state says, against the clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....history.finding_sentences import duration_text
from ....wording import counted
from ..classic_record import Place
from ..findings import Basis, Severity, Sign
from ..group_end import GroupEnd
from ..modern import assigned_of, pending_of
from ..rule import EndRule


def _member_behind(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    state, moment = end.modern, end.now
    if state is None or state.epoch is None:
        return
    for member_id, current in state.current.items():
        # A member that is on its way writes a record at each step; epochs that come meanwhile do
        # not begin the time anew.
        since = max(state.left_at(current.value.member_epoch), current.place.timestamp)
        late = moment - since - state.timeout(member_id)
        if 0 <= current.value.member_epoch < state.epoch.value.epoch and late > 0:
            yield Sign(
                member_id,
                f"{member_id} is at epoch {current.value.member_epoch}, the group at "
                f"{state.epoch.value.epoch}, for {duration_text((moment - since) / 1000)}",
                {"member_id": member_id, "since": since, **_where(current.place)},
            )


def _revocation_pending(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    state, moment = end.modern, end.now
    if state is None:
        return
    for member_id, current in state.current.items():
        pending = len(pending_of(current.value))
        since = state.pending_since.get(member_id, current.place.timestamp)
        if pending and moment - since > state.timeout(member_id):
            yield Sign(
                member_id,
                f"{member_id} has not given back {counted(pending, 'partition')} for "
                f"{duration_text((moment - since) / 1000)}",
                {"member_id": member_id, "since": since, **_where(current.place)},
            )


def _assignment_behind(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    state, moment = end.modern, end.now
    if state is None or state.epoch is None or not state.members:
        return
    reached = state.target_epoch.value.assignment_epoch if state.target_epoch is not None else -1
    since = state.left_at(reached)
    if reached < state.epoch.value.epoch and moment - since > thresholds["seconds"] * 1000:
        yield Sign(
            "",
            f"the assignment is of epoch {reached}, the group at {state.epoch.value.epoch}, for "
            f"{duration_text((moment - since) / 1000)}",
            {"since": since, **_where(state.epoch.place)},
        )


def _mixed_types(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    state, moment = end.modern, end.now
    if state is None:
        return
    classic = sorted(
        member_id
        for member_id, member in state.members.items()
        if getattr(member.value, "classic_member_metadata", None) is not None
    )
    if not classic or len(classic) == len(state.members):
        return
    since = moment if state.mixed_since is None else state.mixed_since
    if moment - since > thresholds["hours"] * 3_600_000:
        yield Sign(
            "",
            f"{len(classic)} of {counted(len(state.members), 'member')} still "
            f"{'uses' if len(classic) == 1 else 'use'} the classic protocol",
            {"since": since, "members": classic[:20]},
        )


def _target_not_reached(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    state, moment = end.modern, end.now
    if state is None or state.kind != "consumer":
        return
    # What a member waits for, another one may hold as long as its own timeout allows.
    longest = max(map(state.timeout, state.members), default=0)
    for member_id, target in state.targets.items():
        current = state.current.get(member_id)
        if current is None:
            continue
        since = state.differs_since.get(member_id, moment)
        limit = max(thresholds["seconds"] * 1000, longest)
        if moment - since > limit:
            target_partitions = assigned_of(target.value.topic_partitions)
            yield Sign(
                member_id,
                f"{member_id} should have {counted(len(target_partitions), 'partition')}, and has "
                f"others for {duration_text((moment - since) / 1000)}",
                {"member_id": member_id, "since": since, **_where(current.place)},
            )


def _where(place: Place) -> Mapping[str, object]:
    return {
        "source": place.source,
        "source_partition": place.known_partition,
        "source_offset": place.offset,
    }


RULES = (
    EndRule(
        id="member-behind",
        is_of_changes=True,
        title="A member does not reach the group's epoch",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning="It keeps partitions that it should give back, so other members wait for them.",
        source="KIP-848, member epoch and group epoch",
        predicate="A member's epoch is lower than the group's for longer than its rebalance "
        "timeout.",
        next_action="Look at that member: it does not call poll, or its listener does not return.",
        find=_member_behind,
    ),
    EndRule(
        id="revocation-pending",
        title="A member does not give back partitions",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "Nobody may read the partitions: the new owner waits for them, and the old one may be "
            "gone."
        ),
        source="KIP-848, PartitionsPendingRevocation",
        predicate=(
            "Partitions or tasks of a member have been pending revocation for longer than its "
            "rebalance timeout."
        ),
        next_action=(
            "Look at onPartitionsRevoked of that member: it hangs, or its commit does not end."
        ),
        find=_revocation_pending,
        inputs=("history", "targets"),
    ),
    EndRule(
        id="assignment-behind",
        title="The broker has not assigned for the group's epoch",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "Changes of the group have no effect: the coordinator's assignor fails or does not end."
        ),
        source="KIP-848, assignment epoch",
        predicate=(
            "The epoch of the assignment has been lower than the group's for more than `seconds`, "
            "in a group with members."
        ),
        next_action="Read the log of the group's coordinator.",
        find=_assignment_behind,
        inputs=("history", "targets"),
        thresholds={"seconds": 300},
    ),
    EndRule(
        id="target-not-reached",
        title="Members do not have what they should",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning="The broker has assigned partitions to members that do not get them.",
        source="KIP-848, target and current assignment",
        predicate=(
            "A member's assigned partitions have differed from its target for longer than the "
            "longest rebalance timeout of the group and `seconds`, and it made no step meanwhile."
        ),
        next_action="Look for the member that still holds these partitions (revocation-pending).",
        find=_target_not_reached,
        inputs=("history", "targets"),
        thresholds={"seconds": 600},
    ),
    EndRule(
        id="mixed-group-types",
        title="Members of both protocols in one group",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "This is meant for the time of a rolling change. While classic members remain, the "
            "group does not have the advantages of the new protocol."
        ),
        source="KIP-848, online migration",
        predicate=(
            "Some members of a consumer group still use the classic protocol, more than `hours` "
            "after the first of them changed."
        ),
        next_action="Finish the change to group.protocol=consumer.",
        find=_mixed_types,
        inputs=("history", "targets"),
        thresholds={"hours": 2},
    ),
)
