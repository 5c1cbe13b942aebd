"""Judgements of members' shares: the smallest groups that raise them, and the nearest ones that do
not."""

from __future__ import annotations

import pytest

from kproto.inspector.diagnose.levels import LEVELS
from kproto.inspector.shapes.group_shapes import Committed, Group, Kind, Member
from kproto.rebalance.judgements import JUDGEMENTS
from kproto.rebalance.shares import MIN_LAG, OF_SHARES


def found(*members: Member, kind: Kind = "classic", lags: tuple[int, ...] = ()) -> list[str]:
    rows = tuple(Committed("t", number, lag=lag) for number, lag in enumerate(lags))
    group = Group("g", kind, "Stable", members=members, partitions=rows)
    return [row.code for row in OF_SHARES for _ in row.find(group)]


def member(name: str, instance: str | None = None, **shares: int) -> Member:
    assigned = {topic: tuple(range(count)) for topic, count in shares.items()}
    return Member(name, name, f"host-{name}", instance_id=instance, assigned=assigned)


def test_the_table_has_codes_of_its_own() -> None:
    assert {row.level for row in OF_SHARES} <= {*LEVELS}
    both = {row.code for row in OF_SHARES} & {row.code for row in JUDGEMENTS}
    assert both == {"two-applications"}  # by bytes where there are some, else by shares


@pytest.mark.parametrize(
    ("shares", "codes"),
    [
        ((2, 2), []),
        ((2, 1), []),
        ((3, 1), ["uneven-shares"]),
        ((2, 0), ["idle-member"]),
        ((0, 0), []),
    ],
)
def test_shares_of_one_topic(shares: tuple[int, int], codes: list[str]) -> None:
    members = [
        member(name, t=count) if count else member(name)
        for name, count in zip("ab", shares, strict=True)
    ]
    assert found(*members) == codes
    assert found(*members, kind="share") == []


def test_range_gives_the_first_member_more_of_each_topic() -> None:
    assert found(member("a", t=2, u=2), member("b", t=1, u=1)) == []


@pytest.mark.parametrize(
    ("lags", "codes"),
    [
        ((0, MIN_LAG, 0), ["lag-on-one-partition"]),
        ((0, MIN_LAG - 1, 0), []),
        ((0, MIN_LAG), []),
        ((MIN_LAG, MIN_LAG, 0), []),
        ((-5, MIN_LAG, 0), ["lag-on-one-partition"]),
    ],
)
def test_lag(lags: tuple[int, ...], codes: list[str]) -> None:
    assert found(lags=lags) == codes


def test_instance_ids() -> None:
    assert found(member("a", "i", t=1), member("b", "j", t=1)) == []
    assert found(member("a", "i", t=1), member("b", t=1)) == ["mixed-static"]
    assert found(member("a", "i", t=1), member("b", "i", t=1)) == ["instance-id-twice"]


def test_two_applications() -> None:
    assert found(member("a", t=2), member("b", u=2)) == ["two-applications"]
    assert found(member("a", t=2), member("b", u=2), member("c", t=1, u=1)) == []
    assert found(member("a", t=2), member("b", u=1)) == []
