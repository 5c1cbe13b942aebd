"""Bytes of members that Apache Kafka refuses, or that are in the wrong field.

Who of the group can read what Kafka refuses decides how bad it is.

A client reads what it writes itself. What it does with the bytes of another one was measured for
one way of writing, by far the most frequent: a subscription that is labelled version 1 and laid
out as version 0. For the rest Apache Kafka's own reader is the best guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ....clients.catalog import writers
from ....clients.consequences import TROUBLE, consequences
from ....codec import ConsumerProtocolSubscription, Policy, decode
from ....codec.read.decoding import older_body
from ....inspector.diagnose.fingerprints import fingerprint
from ....rebalance.judgements import Misplaced, misplaced_fields
from ..classic_record import Step
from ..findings import Basis, Severity, Sign
from ..group_end import GroupEnd
from ..members import MemberSeen, Unreadable
from ..rule import EndRule, Rule
from ..window import Window

_OLDER_BODY = tuple(consequence.cell for consequence in consequences("KP040"))
"""What becomes of leaders that read a version 0 body labelled version 1."""
_FAIL = {cell.client for cell in _OLDER_BODY if cell.outcome in TROUBLE}
_COPE = frozenset(cell.client for cell in _OLDER_BODY) - _FAIL
_FAILS_HOW = {cell.client: cell.how for cell in _OLDER_BODY if cell.how}


def _unreadable_member(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    if not step.is_consumer:
        return
    for member in step.members:
        for unreadable in member.unreadable:
            if unreadable.field not in {row.field for row in _misplaced(step, member)}:
                yield _sign(step, member, unreadable)


def _misplaced(step: Step, member: MemberSeen) -> Iterator[Misplaced]:
    return misplaced_fields(member.metadata, member.assignment, step.protocol_type)


def _wrong_place(window: Window, _: Mapping[str, float]) -> Iterator[Sign]:
    step = window.step
    for member in step.members:
        for field, data, name in _misplaced(step, member):
            is_refused = any(unreadable.field == field for unreadable in member.unreadable)
            yield Sign(
                f"{member.client_id} {field}",
                f"the {field} of {member.member_id} is a {name}"
                + ("; Apache Kafka's reader fails on it" if is_refused else ""),
                {
                    "member_id": member.member_id,
                    "client_id": member.client_id,
                    "field": field,
                    "message": name,
                    "hex": data[:1024].hex(),
                    "leader": step.leader,
                },
            )


def _sign(step: Step, member: MemberSeen, unreadable: Unreadable) -> Sign:
    severity, consequence = _judge(step, unreadable)
    return Sign(
        f"{member.client_id} {unreadable.field} {unreadable.error.kind}",
        f"the {unreadable.field} of {member.member_id} cannot be read by Apache Kafka "
        f"({unreadable.error}); {consequence}",
        {
            "member_id": member.member_id,
            "client_id": member.client_id,
            "field": unreadable.field,
            "hex": unreadable.data[:1024].hex(),
            "kind": unreadable.error.kind.value,
            "offset": unreadable.error.offset,
            "leader": step.leader,
        },
        severity,
    )


def _judge(step: Step, unreadable: Unreadable) -> tuple[Severity, str]:
    readers = [member for member in step.members if not _are_alike(member, unreadable)]
    if not readers:
        return Severity.INFO, "every member writes so, and reads it"
    if unreadable.field == "assignment":
        return Severity.ERROR, "the member may own nothing, or not know what it owns"
    # The leader first, which decides alone where it fails: telling clients apart takes long.
    readers.sort(key=lambda member: member.member_id != step.leader)
    older = _is_older_body(unreadable.data)
    fails = next(
        (reader for reader in readers if not (older and _copes(reader, step.protocol))), None
    )
    if fails is None:
        return Severity.INFO, "every client in this group reads it all the same"
    if fails.member_id == step.leader:
        return Severity.ERROR, f"the leader {fails.member_id} does not: {_how(fails, step)}"
    return Severity.WARNING, f"were {fails.member_id} the leader: {_how(fails, step)}"


def _are_alike(member: MemberSeen, unreadable: Unreadable) -> bool:
    return any(
        payload.field == unreadable.field and payload.error.kind == unreadable.error.kind
        for payload in member.unreadable
    )


@lru_cache(maxsize=4096)
def _is_older_body(data: bytes) -> bool:
    decoded_subscription = decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT)
    return decoded_subscription.version == 1 and older_body(decoded_subscription) == 0


def _copes(member: MemberSeen, protocol: str | None) -> bool:
    names = _could_be(member.metadata, protocol, member.client_id)
    return bool(names) and names <= _COPE


def _how(member: MemberSeen, step: Step) -> str:
    names = _could_be(member.metadata, step.protocol, member.client_id)
    texts = [text for name, text in _FAILS_HOW.items() if name in names]
    return texts[0] if texts else "Apache Kafka's reader fails on it, and this client may as well"


@lru_cache(maxsize=4096)
def _could_be(metadata: bytes, protocol: str | None, client_id: str) -> frozenset[str]:
    """The clients that could have written a member's bytes, by name; where several could, and the
    client id names one of them, that one. Client ids are a habit, and no proof."""
    could = fingerprint(
        decode(metadata, ConsumerProtocolSubscription, policy=Policy.LENIENT), protocol
    ).could
    possible = {writer.name: writer.also for writer in writers() if writer.label in could}
    by_client_id = {
        name
        for name, also in possible.items()
        if any(word in client_id.lower() for word in (name, *also))
    }
    return frozenset(by_client_id or possible)


def _unreadable_record(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    refusal = end.refused
    if refusal is None:
        return
    times = f", of {refusal.times:,} such" if refusal.times > 1 else ""
    since = "a later one can" if refusal.replaced else "it is the last there is"
    yield Sign(
        "",
        f"a {refusal.kind} at offset {refusal.offset} cannot be read ({refusal.reason}){times}; "
        f"{since}",
        {
            "source": refusal.source,
            "source_partition": refusal.partition,
            "source_offset": refusal.offset,
            "kind": refusal.kind,
            "reason": refusal.reason,
            "count": refusal.times,
            "value_hex": refusal.data[:1024].hex(),
            "since": refusal.timestamp,
        },
        Severity.WARNING if refusal.replaced else Severity.ERROR,
    )


END_RULES = (
    EndRule(
        id="unreadable-record",
        title="A record of the group cannot be read",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "The coordinator that loads this partition fails on it, or lacks what the record says "
            "about the group."
        ),
        source="GroupMetadataManager: what cannot be read stops the loading of a partition",
        predicate=(
            "The key or value of a record that names the group is refused (the table `quarantine` "
            "has its bytes); a warning if a later record of the group can be read."
        ),
        next_action=(
            "Check whether the coordinator of this partition has loaded it; compare with another "
            "copy of the partition."
        ),
        find=_unreadable_record,
    ),
)

RULES = (
    Rule(
        id="unreadable-member",
        title="What a member wrote cannot be read",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "A leader that cannot read one member fails the whole group, or leaves that member out "
            "without an error; which of the two depends on the leader's client."
        ),
        source="KAFKA-20570, kafka-go #1156, KafkaJS #1449; measured on a real broker",
        predicate=(
            "Apache Kafka refuses the subscription or assignment of a member, and it is not in the "
            "wrong place (wrong-place). Info if every client "
            "that was seen in the group reads it; error if the leader does not, or if it is an "
            "assignment; warning if another member, which may become the leader, does not. A "
            "member's client is inferred from its bytes, and from its client id if several clients "
            "write such bytes."
        ),
        next_action=(
            "Update the client that wrote it, if a release mends it, or move it to a group with "
            "members of its own kind."
        ),
        find=_unreadable_member,
        settles=True,
    ),
    Rule(
        id="wrong-place",
        title="An assignment is where a subscription belongs, or the other way round",
        severity=Severity.ERROR,
        basis=Basis.OBSERVED,
        meaning=(
            "What reads the record (the coordinator after a restart, tools, a conversion to "
            "group.protocol=consumer) takes the topics and partitions of the member from bytes "
            "that do not say them, or fails on them."
        ),
        source="the fields of GroupMetadataValue: `subscription` is the member's, `assignment` "
        "the leader's",
        predicate=(
            "A member's `subscription` is no subscription, and as an assignment it is read to the "
            "last byte, without a deviation and with text in it; or its `assignment` is such a "
            "subscription; the same for the two messages of Connect."
        ),
        next_action=(
            "Look at the JoinGroup request of this member, in a capture of the client (kproto "
            "decode FILE.pcap): where its metadata is a subscription, the broker has filled the "
            "wrong field, and the report belongs to whoever makes the broker; else the member's "
            "client has sent it so."
        ),
        find=_wrong_place,
        settles=True,
    ),
)
