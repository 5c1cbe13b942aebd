"""The members that a group had before it became empty."""

from __future__ import annotations

import pytest

from kproto.codec import GroupMetadataValue
from kproto.rebalance.migration import LastMembers

SESSION, REBALANCE = 45_000, 300_000


def generation(names: str, time: int, protocol: str = "range") -> GroupMetadataValue:
    members = [
        GroupMetadataValue.MemberMetadata(
            member_id=name,
            client_id=name,
            client_host="/127.0.0.1",
            rebalance_timeout=REBALANCE,
            session_timeout=SESSION,
            subscription=b"",
            assignment=b"",
        )
        for name in names
    ]
    return GroupMetadataValue(
        protocol_type="consumer",
        generation=time,
        protocol=protocol if names else None,
        leader=None,
        current_state_timestamp=time,
        members=members,
    )


def told(*records: tuple[str, int] | None) -> tuple[list[tuple[str, int]], LastMembers]:
    records_of_group = LastMembers()
    for record in records:
        records_of_group.take(None if record is None else generation(*record))
    shutdown = [
        ("".join(member.member_id for member in value.members), value.current_state_timestamp)
        for value in records_of_group.shutdown
    ]
    return shutdown, records_of_group


@pytest.mark.parametrize(
    ("records", "shutdown"),
    [
        ([("", 0), ("a", 1), ("ab", 2), ("b", 3), ("", 4)], [("ab", 2), ("b", 3)]),
        # the last of generations with the same members counts: its shares are settled
        ([("ab", 1), ("ab", 2), ("a", 3), ("a", 4), ("", 5)], [("ab", 2), ("a", 4)]),
        # a newcomer, or one in the place of another: nobody shuts the group down
        ([("abc", 1), ("ad", 2), ("d", 3), ("", 4)], [("ad", 2), ("d", 3)]),
        # before it was empty is another story; a tombstone, too
        ([("abc", 1), ("", 2), ("a", 3), ("", 4)], [("a", 3)]),
        ([("abc", 1), None, ("a", 3), None], [("a", 3)]),
        # compaction took what was before
        ([("a", 5), ("", 6)], [("a", 5)]),
        ([("", 6)], []),
    ],
)
def test_generations_are_followed_back_to_the_fullest(
    records: list[tuple[str, int] | None], shutdown: list[tuple[str, int]]
) -> None:
    assert told(*records)[0] == shutdown


@pytest.mark.parametrize("last", [("a", 10_000_000), ("", 10_000_000), ("bc", 10_000_000)])
def test_who_left_long_before_took_no_part_in_the_shutdown(last: tuple[str, int]) -> None:
    """`c` left, and the others stayed longer than a session and a rebalance can take."""
    long = SESSION + REBALANCE
    shutdown, _ = told(("abc", 0), ("ab", 1), ("ab", long), ("a", long + 2), ("", long + 3))
    assert shutdown[0] == ("ab", long)
    shutdown, _ = told(("abc", 0), ("ab", 1), ("a", long + 1), ("", long + 2))
    assert shutdown[0] == ("abc", 0)
    shutdown, _ = told(("abc", 0), ("ab", 1), last)
    assert ("abc", 0) not in shutdown


def test_times_that_are_not_known_bound_nothing() -> None:
    shutdown, records = told(("abc", -1), ("ab", -1), ("", -1))
    assert shutdown == [("abc", -1), ("ab", -1)]
    assert records.last is not None and records.last_protocol == "range"
