"""Whether a record says what the one before says: by far most do, and cost little then.

Members rejoin and are given what they had: the same processes, subscriptions and assignments, in a
new generation. A cooperative member then claims what it owns, which is what it was given before,
under the generation before: its bytes differ from record to record, and say the same. That is seen
in the bytes, without making messages of them:

    version, topics        as before
    user data              of any content (the generation, where the assignor is cooperative-sticky)
    owned partitions       the bytes of the partitions in its assignment
    generation, rack       one, or -1 for none; as before

What is asked of such records, and what follows from that, is with those who ask: `fold` and
`rebalances`. Anything that is not certain here is no repetition, and is read in full. An audit of
many records finds most repetitions before they are read: `tables.outlines` has the same rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .steps import MemberSeen, Step

__all__ = ["besides_the_claim", "claimed", "repeated"]

_LAST_VERSION = 3


def repeated(before: Step, step: Step) -> bool:
    """Return whether `step` is the next generation of the same group, in which nothing else is
    new.
    """
    return (
        step.generation > before.generation
        and step.is_consumer
        and bool(step.members)
        and len(step.members) == len(before.members)
        and (step.protocol_type, step.protocol, step.leader)
        == (before.protocol_type, before.protocol, before.leader)
        and all(
            map(_BY_PROTOCOL.get(step.protocol or "", _says_the_same), before.members, step.members)
        )
    )


def _is_the_same(old: MemberSeen, new: MemberSeen) -> bool:
    return (
        old.assignment == new.assignment
        and old.member_id == new.member_id
        and old.client_id == new.client_id
        and old.host == new.host
        and old.instance_id == new.instance_id
        and old.rebalance_timeout == new.rebalance_timeout
        and old.session_timeout == new.session_timeout
    )


def _has_the_same_bytes(old: MemberSeen, new: MemberSeen) -> bool:
    return old.metadata == new.metadata and _is_the_same(old, new)


def _claims_what_it_has(old: MemberSeen, new: MemberSeen) -> bool:
    return _is_the_same(old, new) and old.besides is not None and old.besides == new.besides


def _says_the_same(old: MemberSeen, new: MemberSeen) -> bool:
    return _has_the_same_bytes(old, new) or _claims_what_it_has(old, new)


# Who does not claim under `cooperative-sticky` is judged over several records, so only those who do
# repeat themselves there; the claims of `sticky` are in the user data.
_BY_PROTOCOL = {"cooperative-sticky": _claims_what_it_has, "sticky": _has_the_same_bytes}


def besides_the_claim(metadata: bytes, assignment: bytes) -> tuple[bytes, bytes] | None:
    """Return what a subscription says besides a claim that is the assignment; None for any
    other.
    """
    end = _end_of_topics(metadata)
    given = claimed(assignment)
    if not end or not given:
        return None
    size = int.from_bytes(metadata[end : end + 4], "big", signed=True)
    claim = end + 4 + max(size, 0)
    if size < -1 or not metadata.startswith(given, claim):
        return None
    rest = metadata[claim + len(given) :]
    version = metadata[1]
    generation = 4 if version > 1 else 0
    if len(rest) < generation or (version < _LAST_VERSION and len(rest) > generation):
        return None
    if generation and int.from_bytes(rest[:4], "big", signed=True) < -1:
        return None
    return metadata[:end], rest[generation:]


def claimed(assignment: bytes) -> bytes:
    """Return the bytes of a claim to what is assigned: both are written alike."""
    return assignment[2 : _end_of_partitions(assignment)]


def _end_of_topics(metadata: bytes) -> int:
    """Where the topics of a subscription of version 1 to 3 end; 0 where that cannot be said."""
    if not 1 <= int.from_bytes(metadata[:2], "big") <= _LAST_VERSION:
        return 0
    at = 6
    for _ in range(int.from_bytes(metadata[2:6], "big", signed=True)):
        at = _end_of_string(metadata, at)
        if not at:
            return 0
    return at


def _end_of_partitions(assignment: bytes) -> int:
    """Where the partitions of an assignment end; 0 where that cannot be said."""
    at = 6
    for _ in range(int.from_bytes(assignment[2:6], "big", signed=True)):
        at = _end_of_string(assignment, at)
        count = int.from_bytes(assignment[at : at + 4], "big", signed=True)
        if not at or count < 0:
            return 0
        at += 4 + 4 * count
        if at > len(assignment):
            return 0
    return at if at <= len(assignment) else 0


def _end_of_string(data: bytes, at: int) -> int:
    """Of one that begins there; 0 where it has no end."""
    size = int.from_bytes(data[at : at + 2], "big", signed=True)
    end = at + 2 + size
    return end if size >= 0 and end <= len(data) else 0
