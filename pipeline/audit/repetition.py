"""The rule by which a record repeats the one before: by far most do, and cost little then.

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
many records finds most repetitions before they are read: `tables.fingerprints` has the same rule.
"""

from __future__ import annotations

from typing import NamedTuple

from ...codec.runtime import engine

__all__ = ["COOPERATIVE_STICKY", "STICKY", "Claim", "besides_the_claim", "claim_in", "claimed"]

COOPERATIVE_STICKY = "cooperative-sticky"
"""The protocol under which a member that claims anything but its assignment is judged over several
records: only members whose claim is their assignment repeat themselves."""

STICKY = "sticky"
"""The protocol whose claims are in the user data: only members with the same bytes repeat
themselves."""

_LAST_VERSION = 3


class Claim(NamedTuple):
    """The place of a claim in a subscription: version and topics end at `topics_end`, and the rack
    begins at `rack_start`.
    """

    topics_end: int
    rack_start: int
    user_data: bool
    """Whether the user data are anything but an empty array of bytes."""


def claim_in(metadata: bytes, assignment: bytes) -> Claim | None:
    """Return where a subscription claims its assignment; None where it claims anything else, or
    cannot be read.
    """
    end = _end_of_topics(metadata)
    given = claimed(assignment)
    if not end or not given:
        return None
    size = int.from_bytes(metadata[end : end + 4], "big", signed=True)
    claim = end + 4 + max(size, 0)
    if size < -1 or not metadata.startswith(given, claim):
        return None
    rest = claim + len(given)
    version = metadata[1]
    generation = 4 if version > 1 else 0
    left = len(metadata) - rest
    if left < generation or (version < _LAST_VERSION and left > generation):
        return None
    if generation and int.from_bytes(metadata[rest : rest + 4], "big", signed=True) < -1:
        return None
    return Claim(end, rest + generation, bool(size))


def besides_the_claim(metadata: bytes, assignment: bytes) -> tuple[bytes, bytes] | None:
    """Return the bytes of a subscription without its claim: version and topics, and the rack. None
    where the claim is not the assignment.
    """
    if engine.CORE is not None:
        found: tuple[bytes, bytes] | None = engine.CORE.besides_the_claim(metadata, assignment)
        return found
    claim = claim_in(metadata, assignment)
    return claim and (metadata[: claim.topics_end], metadata[claim.rack_start :])


def claimed(assignment: bytes) -> bytes:
    """Return the bytes that a claim to an assignment's partitions has: both are encoded alike.
    Empty where the assignment cannot be read.
    """
    return assignment[2 : _end_of_partitions(assignment)]


def _end_of_topics(metadata: bytes) -> int:
    """Return where the topics of a subscription of version 1 to 3 end; 0 where they cannot be
    read.
    """
    if not 1 <= int.from_bytes(metadata[:2], "big") <= _LAST_VERSION:
        return 0
    at = 6
    for _ in range(int.from_bytes(metadata[2:6], "big", signed=True)):
        at = _end_of_string(metadata, at)
        if not at:
            return 0
    return at


def _end_of_partitions(assignment: bytes) -> int:
    """Return where the partitions of an assignment end; 0 where they cannot be read."""
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
    """Return where the string that begins at `at` ends; 0 where it cannot be read."""
    size = int.from_bytes(data[at : at + 2], "big", signed=True)
    end = at + 2 + size
    return end if size >= 0 and end <= len(data) else 0
