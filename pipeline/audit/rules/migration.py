"""Groups that a broker would not move to the next consumer protocol (KIP-848)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....rebalance.migration import (
    ClassicGroup,
    ClassicMember,
    Protocol,
    is_plain_member,
    reasons_of,
)
from ..classic_record import Step
from ..findings import Basis, Severity, Sign
from ..group_end import GroupEnd
from ..members import MemberSeen
from ..rule import EndRule


def _cannot_migrate(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    step = end.step
    if step is None or not step.is_consumer or not step.members or _converts(step, end.counts):
        return
    for reason in reasons_of(_group(end, step)):
        if reason.error is None:
            continue
        member = step.by_id[reason.member_id]
        field = "assignment" if reason.path.startswith("assignment") else "subscription"
        key, text = f"{member.client_id} {reason.what}", _TEXT.format(reason)
        if reason.what == "streams-assignor":  # which is true of all its members
            key, text = reason.what, _OF_STREAMS.format(reason)
        yield Sign(
            key,
            text,
            {
                "member_id": reason.member_id,
                "client_id": member.client_id,
                "what": reason.what,
                "field": field,
                "path": reason.path,
                "error": reason.error,
                "hex": reason.data[:1024].hex(),
                "remedy": reason.remedy,
                "since": _since(end, step, member, field),
            },
        )
        if key == reason.what:
            return


def _since(end: GroupEnd, step: Step, member: MemberSeen, field: str) -> int:
    """Return since when a member is in the group, or since when its client was found to write bytes
    that cannot be read: a dynamic member has another id whenever it joins."""
    arrival = end.arrivals.get(member.member_id)
    times = [step.place.timestamp if arrival is None else arrival.timestamp]
    if any(part.field == field for part in member.unreadable):
        times += [
            finding.first_seen
            for finding in end.findings
            if finding.rule in _SAME_BYTES
            and finding.evidence.get("client_id") == member.client_id
            and finding.evidence.get("field") == field
        ]
    return min(times)


_SAME_BYTES = frozenset({"unreadable-member", "wrong-place"})
_TEXT = "{0.member_id} keeps the group from group.protocol=consumer ({0.error}): {0.explanation}"
_OF_STREAMS = (
    "a group of Kafka Streams is not converted to group.protocol=consumer ({0.error}): its "
    "application moves to group.protocol=streams as a whole, while no instance runs"
)


def _converts(step: Step, counts: Mapping[str, int]) -> bool:
    """Return whether it is quickly seen that the coordinator converts the group, as it does most.
    False proves nothing.
    """
    return (
        bool(step.protocol)
        and len(step.by_id) == len(step.members)
        and all(is_plain_member(member.assignment, member.metadata) for member in step.members)
        and (not counts or _fits(step, counts))
    )


def _fits(step: Step, counts: Mapping[str, int]) -> bool:
    """Return whether all assigned partitions exist, and none is assigned twice."""
    return len(step.owner) == sum(len(member.assigned) for member in step.members) and all(
        0 <= number < counts.get(topic, number + 1) for topic, number in step.owner
    )


def _group(end: GroupEnd, step: Step) -> ClassicGroup:
    """Return the group under a broker's default settings, which no record tells. Of members with
    one id the coordinator that loads the record keeps the last.
    """
    selected = step.protocol or ""
    members = tuple(
        ClassicMember(
            member.member_id,
            (Protocol(selected, member.metadata),),
            member.assignment,
            member.instance_id,
            member.client_id,
        )
        for member in step.by_id.values()
    )
    return ClassicGroup(
        end.group_id, step.protocol_type, "Stable", selected, members, end.counts or None
    )


RULES = (
    EndRule(
        id="cannot-migrate",
        title="The group cannot move to the next consumer protocol",
        severity=Severity.INFO,
        basis=Basis.INFERRED,
        meaning=(
            "The classic protocol works. The first member with group.protocol=consumer is refused "
            "and tries again for ever, because the coordinator then reads bytes that it has only "
            "forwarded so far."
        ),
        source="KIP-848; ConsumerGroup.fromClassicGroup, KAFKA-18134",
        predicate=(
            "A 4.3 coordinator with default settings could not convert the group as its last "
            "record describes it, because of a member's assignment, its user data, or its "
            "subscription. Of a group of Kafka Streams this is said once: it is not meant to "
            "become a consumer group."
        ),
        next_action="`kproto migrate SOURCE --group ID` prints the plan, and the way back.",
        find=_cannot_migrate,
    ),
)
