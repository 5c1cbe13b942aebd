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


def said(*members: Member, rows: tuple[Committed, ...] = ()) -> list[tuple[str, str]]:
    """Whom a remark is about, "" for the group, and its words."""
    group = Group("g", "classic", "Stable", members=members, partitions=rows)
    return [(fact.member_id, fact.text) for row in OF_SHARES for fact in row.find(group)]


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
    assert found(member("a", t=2), member("b", u=2), kind="streams") == []


def test_members_with_common_topics_are_of_one_application() -> None:
    """c has topics of both others, so that d and e belong to them, too."""
    common = member("c", t=1, u=1)
    apart = [member("a", t=4), member("b", u=4)]
    more = [member("d", u=2), member("e", t=2)]
    assert found(*apart, common, *more) == []
    assert found(*apart, *more) == ["two-applications"]


MANY = [member(f"m{number}") for number in range(7)]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([member("a", t=2), member("b"), member("c")],
         [("b", "has no partition: there are 2 partitions for 3 members"),
          ("c", "has no partition: there are 2 partitions for 3 members")]),
        ([member("a", t=2), member("b")],
         [("b", "has no partition, while others have 2 partitions")]),
        ([member("a", t=3), member("b", t=1)],
         [("", "shares are uneven: a has 3 partitions, b 1")]),
        ([member("a", t=4), Member("b-1", "", "h", assigned={"t": (1,)})],
         [("", "shares are uneven: a has 4 partitions, b-1 1")]),
        ([Member("a-1", "a", "h", assigned={"t": (0, 1, 2)}),
          Member("a-2", "a", "h", assigned={"t": (3,)})],
         [("", "shares are uneven: a-1 has 3 partitions, a-2 1")]),
        ([member("a", "i", t=1), member("b", t=1), member("c", t=1)],
         [("", ("1 of 3 members have an instance id, and b, c none: a restart of those moves "
               "partitions"))]),
        ([member("a", "i"), *MANY],
         [("", ("1 of 8 members have an instance id, and m0, m1, m2, m3, m4 and 2 more none: a "
               "restart of those moves partitions"))]),
        ([member("a", "i", t=1), member("b", "i", t=1), member("c", "j", t=1)],
         [("", "2 members have instance id i: host-a, host-b")]),
        ([member("a", t=2, s=1), member("b", u=3), member("c", u=3)],
         []),  # of t there are fewer than three
        ([member("a", t=3, s=1), member("b", u=3), member("c", u=3)],
         [("", ("probably 2 applications in one group, without a common topic: a has s, t; b, c "
               "have u"))]),
    ],
)  # fmt: skip
def test_what_is_said(members: list[Member], words: list[tuple[str, str]]) -> None:
    assert said(*members) == words


@pytest.mark.parametrize(
    ("holders", "who", "rest"),
    [((), "", ""), (("a",), "a", ", a has it"), (("x", "a"), "x", ", x, a has it")],
)
def test_where_the_lag_is(holders: tuple[str, ...], who: str, rest: str) -> None:
    lags = (1800, 200, -7, None)
    rows = tuple(
        Committed("t", number, lag=lag, members=holders) for number, lag in enumerate(lags)
    )
    words = f"nearly all lag is on t-0: 1,800 of 2,000 records{rest}"
    assert said(member("a", t=4), rows=rows) == [(who, words)]
    more = (*rows, Committed("t", 4, lag=1))  # a record less than nine of ten
    assert said(member("a", t=5), rows=more) == []
