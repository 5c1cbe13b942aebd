"""What is remarked on a group that is looked at: a row is a group, and what is said of whom."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from kproto.codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
)
from kproto.inspector.shapes.group_shapes import Committed, Group, Member
from kproto.inspector.shapes.shape import HexBytes
from kproto.rebalance.judgements import JUDGEMENTS, Fact, cannot_migrate, seconds_behind
from kproto.rebalance.migration import EXPLANATIONS, Reason
from tests.pipeline.audit_groups import subscription

T = ("t",)
EIGHT = {"t": 8}
STREAMS = {"kind": "classic", "protocol": "stream"}


def member(name: str, topics: tuple[str, ...] = T, **more: Any) -> Member:
    """A member a-1 of the client a."""
    assigned = {topic: tuple(numbers) for topic, numbers in more.pop("assigned", {}).items()}
    return Member(f"{name}-1", name, "h", topics=topics, assigned=assigned, **more)


def row(number: int, topic: str = "t", **more: Any) -> Committed:
    return Committed(topic, number, **more)


def group(*members: Member, **more: Any) -> Group:
    settings: dict[str, Any] = {
        "kind": "classic", "state": "Stable", "protocol_type": "consumer", "protocol": "range",
    }  # fmt: skip
    return Group("g", members=members, **settings | more)


def broker_group(*members: Member, **more: Any) -> Group:
    """A group whose partitions the broker divides, at epoch 5."""
    return group(*members, kind="consumer", epoch=5, **{"assigned_epoch": 5} | more)


def worker(name: str, offset: int, answered: int | None = None) -> Member:
    """A Connect worker that has read so far, and what the leader assigned it by."""
    metadata = ConnectProtocolMetadata(url=f"http://{name}", config_offset=offset).to_bytes(0)
    answer = b"" if answered is None else ConnectProtocolAssignment(
        leader="a-1", leader_url="http://a", config_offset=answered
    ).to_bytes(0)  # fmt: skip
    return member(name, (), metadata=HexBytes(metadata), assignment=HexBytes(answer))


def of_streams(code: int) -> Member:
    told = ConsumerProtocolAssignment(
        user_data=AssignmentInfo(version=11, error_code=code).to_bytes(11)
    )
    return member("a", assignment=HexBytes(told.to_bytes(0)))


def measured(lag: int, commits: float | None, arrivals: float | None, number: int = 0) -> Committed:
    return row(number, lag=lag, commits_a_second=commits, arrivals_a_second=arrivals)


class Row(NamedTuple):
    code: str
    group: Group
    said: dict[str, str]
    """By the member that it is said of, "" for the group; empty where nothing is."""


NOBODY: dict[str, str] = {}
ROWS = [
    # nobody-has
    Row("nobody-has", group(member("a"), partitions=(row(0, members=("a-1",)), row(1)),
                            topics={"t": 2}),
        {"": "nobody has 1 partition of subscribed topics: t-1"}),
    Row("nobody-has", group(member("a"), partitions=tuple(map(row, range(7))), topics=EIGHT),
        {"": "nobody has 7 partitions of subscribed topics: t-0, t-1, t-2, t-3, t-4 and 2 more"}),
    Row("nobody-has", group(member("a"), partitions=(row(8), row(0, "u")), topics=EIGHT | {"u": 1}),
        NOBODY),  # it is not there, and nobody subscribes to the other
    *(Row("nobody-has", group(member("a"), partitions=(row(1),), topics={"t": 2}, **more), NOBODY)
      for more in ({"state": "PreparingRebalance"}, {"kind": "streams"}, {"kind": "connect"},
                   {"kind": "share"})),
    # assigned-twice
    Row("assigned-twice", group(member("a", assigned={"t": [0, 1]}),
                                member("b", assigned={"t": [1]})),
        {"b-1": "t-1 is assigned to 2 members"}),
    Row("assigned-twice", group(member("a", assigned={"t": [0]}), member("b", assigned={"t": [1]})),
        NOBODY),
    Row("assigned-twice", group(member("a", assigned={"t": [1]}), member("b", assigned={"t": [1]}),
                                kind="share"), NOBODY),
    # not-subscribed
    Row("not-subscribed", group(member("a", assigned={"t": [0], "u": [2, 1]}), member("b")),
        {"a-1": "has u-1, u-2, to whose topics it does not subscribe"}),
    Row("not-subscribed", group(member("a", (), assigned={"u": [1]})), NOBODY),  # it does not say
    Row("not-subscribed", group(member("a", regex="u.*", assigned={"u": [1]})), NOBODY),
    Row("not-subscribed", group(member("a", assigned={"u": [1]}), kind="streams"), NOBODY),
    # streams-error
    Row("streams-error", group(of_streams(1), **STREAMS),
        {"": "the leader told error 1: a source topic is missing, or has no partitions yet: every "
             "instance shuts down"}),
    Row("streams-error", group(of_streams(9), **STREAMS),
        {"": "the leader told error 9: an error that newer releases know"}),
    Row("streams-error", group(of_streams(0), **STREAMS), NOBODY),
    Row("streams-error", group(of_streams(1)), NOBODY),
    # two-applications
    Row("two-applications", group(member("a"), member("b", ("u", "s")), member("c", ("u", "s"))),
        {"": "probably two applications share this group: members subscribe to different topics, "
             "none common to all: b, c to s, u; a to t"}),
    Row("two-applications", group(member("a"), Member("x-1", "", "h", topics=("u",))),
        {"": "probably two applications share this group: members subscribe to different topics, "
             "none common to all: a to t; x-1 to u"}),
    Row("two-applications", group(member("a"), member("b", ("t", "u"))), NOBODY),
    Row("two-applications", group(member("a"), member("b", ("u",), regex="u.*")), NOBODY),
    Row("two-applications", group(member("a"), member("b", ("u",)), kind="share"), NOBODY),
    # two-clusters
    Row("two-clusters", group(worker("a", 4, 4), worker("b", 9, 4), kind="connect",
                              coordinator="h:1", protocol_type="connect"),
        {"": "probably two Connect clusters share this group.id: the workers' config offsets "
             "differ (a at 4, b at 9). A worker that is only behind catches up within seconds; "
             "kproto audit kafka://h:1 --group g --out DIR compares them"}),
    Row("two-clusters", group(worker("a", 4, 4), worker("b", 4), kind="connect",
                              state="PreparingRebalance", protocol_type="connect"),
        {"": "perhaps two Connect clusters share this group.id: it is rebalancing, and b has no "
             "assignment of the last round (which is by config offset 4); it may also have just "
             "joined. With two clusters config offsets differ in every generation: kproto audit "
             "kafka://HOST:PORT --group g --out DIR compares them"}),
    Row("two-clusters", group(worker("a", 4, 4), worker("b", 4), kind="connect"), NOBODY),
    Row("two-clusters", group(worker("a", 4), worker("b", 4), kind="connect",
                              state="PreparingRebalance"), NOBODY),
    Row("two-clusters", group(worker("a", 4, 4), worker("b", 9, 4)), NOBODY),
    # idle-under-range
    Row("idle-under-range", group(
        member("a", ("t", "u"), assigned={"t": [0]}),
        member("b", ("t", "u"), assigned={"t": [1], "u": [0, 1]}), member("c", ("t", "u"))),
        {"b-1": "has 3 of 4 partitions of 2 topics, and 1 of 3 members without any: range divides "
                "each topic by itself; roundrobin, sticky or cooperative-sticky would not"}),
    *(Row("idle-under-range", group(
        member("a", ("t", "u"), assigned={"t": [0], "u": [0]}), member("b", ("t", "u")), **more),
        NOBODY) for more in ({"kind": "share"}, {"state": "PreparingRebalance"},
                             {"protocol": "sticky"})),
    # idle-members
    Row("idle-members", group(member("a", assigned={"t": [0]}), member("b"), topics={"t": 1}),
        {"": "1 of 2 members has nothing (b): there is 1 partition"}),
    Row("idle-members", group(member("a", assigned={"t": [0]}), member("b"), member("c"),
                              member("d", assigned={"t": [1]}), topics={"t": 2}),
        {"": "2 of 4 members have nothing (b, c): there are 2 partitions"}),
    Row("idle-members", group(member("a", assigned={"t": [0]}), Member("a-2", "a", "h", topics=T),
                              topics={"t": 1}),
        {"": "1 of 2 members has nothing (a-2): there is 1 partition"}),  # a is the other one, too
    Row("idle-members", group(member("a", assigned={"t": [0, 1]}), member("b"), topics={"t": 2}),
        NOBODY),
    Row("idle-members", group(member("a", assigned={"t": [0]}), member("b", ("t", "u")),
                              topics={"t": 1}), NOBODY),  # how many u has is not known
    *(Row("idle-members", group(member("a", assigned={"t": [0]}), member("b"), topics={"t": 1},
                                **more), NOBODY)
      for more in ({"kind": "share"}, {"state": "PreparingRebalance"})),
    # does-not-exist
    Row("does-not-exist", group(member("a", assigned={"t": [7, 8, 9]}), topics=EIGHT),
        {"a-1": "has partitions that do not exist: t-8, t-9"}),
    Row("does-not-exist", group(member("a", assigned={"t": [7], "u": [9]}), topics=EIGHT), NOBODY),
    *(Row("does-not-exist", group(one, topics=EIGHT, **more), NOBODY)
      for one, more in ((member("a", (), assigned={"t": [8]}), {}),
                        (member("a", assigned={"t": [8]}), {"kind": "streams"}),
                        (member("a", assigned={"t": [8]}), {"kind": "connect"}))),
    # claims
    Row("claims-contradict", group(
        member("a", owned={"t": (0, 1, 2)}, generation=3), member("b", owned={"t": (0, 1)},
        generation=3), member("c", owned={"t": (2,)}, generation=4)),
        {"b-1": "2 members claim t-0, t-1 in one generation: no claim counts"}),
    Row("stale-claim", group(
        member("a", owned={"t": (0, 1, 2)}, generation=3), member("b", owned={"t": (0, 1)},
        generation=4), member("c", owned={"t": (3,)}, generation=2)),
        {"a-1": "claims t-0, t-1 from an older generation than another member"}),
    Row("stale-claim", group(
        member("a", owned={"t": (0,)}), member("b", owned={"t": (0,)}, generation=0)),
        {"a-1": "claims t-0 from an older generation than another member"}),
    # assigning, reconciling, waiting
    Row("assigning", broker_group(assigned_epoch=4),
        {"": "the target assignment is of epoch 4, the group is at 5"}),
    Row("assigning", broker_group(), NOBODY),
    Row("assigning", broker_group(assigned_epoch=None), NOBODY),
    Row("reconciling", broker_group(
        member("a", assigned={"t": [0, 1], "u": [0]}, target={"t": (1, 2)}, epoch=4)),
        {"a-1": "holds up the reconciliation: it still has t-0, u-0, which others wait for"}),
    Row("reconciling", broker_group(member("a", assigned={"t": [0]}, target={"t": (0,)}, epoch=4)),
        {"a-1": "is at epoch 4, the target at 5"}),
    Row("reconciling", broker_group(member("a", assigned={"t": [0]}, target={"t": (0,)}, epoch=5)),
        NOBODY),
    Row("waiting", broker_group(member("a", assigned={"t": [0]}, target={"t": (0, 1)}, epoch=5)),
        {"a-1": "waits for t-1"}),
    *(Row("waiting", broker_group(one), NOBODY) for one in (
        member("a", assigned={"t": [0]}, target={"t": (0, 1)}, epoch=4),
        member("a", assigned={"t": [0, 2]}, target={"t": (0, 1)}, epoch=5),
        member("a", assigned={"t": [0]}, target={"t": (0, 1)}, epoch=-2),
        member("a", assigned={"t": [0]}, epoch=5))),
    Row("waiting", group(member("a", target={"t": (0, 1)}, epoch=5)), NOBODY),
    # away
    Row("away", broker_group(member("a", assigned={"t": [0]}, epoch=-2)),
        {"a-1": "is away: it has closed, and t-0 waits for it until its session ends"}),
    Row("away", broker_group(member("a", assigned={"t": [1, 0]}, epoch=-2)),
        {"a-1": "is away: it has closed, and t-0, t-1 wait for it until its session ends"}),
    Row("away", broker_group(member("a", epoch=-2)),
        {"a-1": "is away: it has closed, and nothing waits for it until its session ends"}),
    Row("away", broker_group(member("a", epoch=-1)), NOBODY),
    Row("away", group(member("a", epoch=-2)), NOBODY),
    # given-away
    Row("given-away", group(
        member("a", owned={"t": (0, 1)}, assigned={"t": [1]}, generation=3),
        member("b", owned={"t": (2,)}, assigned={"t": [0, 2]}, generation=3)),
        {"a-1": "still owns t-0, given to another member before it gave it back"}),
    *(Row("given-away", group(
        member("a", owned={"t": (0,)}, generation=3), member("b", assigned={"t": [0]}), **more),
        NOBODY) for more in ({"kind": "consumer"}, {"protocol": "sticky"})),
    # mixed
    Row("mixed-versions", group(member("a", version=3), member("b", version=1), member("c")),
        {"": "subscriptions of versions 1, 3 in one group"}),
    *(Row("mixed-versions", group(member("a", version=3), member("b", version=second), **more),
          NOBODY) for second, more in ((3, {}), (None, {}), (1, {"kind": "consumer"}),
                                       (1, {"protocol_type": "connect"}))),
    Row("mixed-protocols", broker_group(member("a"), member("b", protocol="consumer")),
        {"": "1 of 2 members still use the classic protocol"}),
    *(Row("mixed-protocols", one, NOBODY) for one in (
        broker_group(member("a"), member("b")), broker_group(member("b", protocol="consumer")),
        group(member("a"), member("b", protocol="consumer")))),
    # offsets
    Row("below-the-start", group(partitions=(
        row(0, offset=5, start=9), row(1, offset=0, start=1000), row(2, offset=9, start=9), row(3),
        row(4, offset=3))),
        {"": "the committed offset is below the start of t-0, t-1: 1,004 records were deleted "
             "unread, and auto.offset.reset of the client decides where it goes on"}),
    Row("beyond-the-end", group(partitions=(row(0, lag=-1), row(1, lag=0), row(2))),
        {"": "the committed offset is beyond the end of t-0"}),
    Row("falling-behind", group(partitions=(
        measured(1000, 10, 20), measured(2000, 1, 5, 1), measured(999, 50, 0, 2),
        measured(5000, None, 1, 3), measured(5000, 1, None, 4))),
        {"": "3,000 records behind in t-0, t-1: never catches up, at 11.0 records a second, while "
             "25.0 arrive"}),
    Row("falling-behind", group(partitions=(measured(6001, 20, 10),)),
        {"": "6,001 records behind in t-0: would take 10 min, at 20.0 records a second, while 10.0 "
             "arrive"}),
    Row("falling-behind", group(partitions=(measured(6000, 20, 10),)), NOBODY),  # ten minutes
    Row("falling-behind", group(partitions=(measured(6001, 0, 10),)), NOBODY),  # of lag-stopped
    Row("left-over", group(member("a"), partitions=(
        row(0, offset=1), row(0, "u", offset=1), row(1, "u", offset=0), row(0, "s", offset=3),
        row(0, "v"))),
        {"": "commits of s, u are left over: nobody subscribes to it any more"}),
    Row("left-over", group(member("a"), partitions=(row(0, offset=1),)), NOBODY),
    *(Row("left-over", group(*members, partitions=(row(0, "u", offset=1),), **more), NOBODY)
      for members, more in (([member("a")], {"kind": "share"}), ([member("a", ())], {}), ([], {}),
                            ([member("a")], {"state": "PreparingRebalance"}),
                            ([member("a", regex="u")], {}))),
    Row("no-commit", group(member("a"), partitions=(
        row(0, offset=1, members=("a-1",), end=5), row(1, members=("a-1",), end=5),
        row(2, members=("b-1",), end=5), row(3, members=("c-1",), end=0), row(4, end=5))),
        {"": "nothing is committed for t-1, t-2; b-1 committed nothing at all"}),
    Row("no-commit", group(member("a"), partitions=(
        row(0, offset=1, members=("a-1",), end=5), row(1, members=("a-1",), end=5))),
        {"": "nothing is committed for t-1"}),
    Row("no-commit", group(member("a"), partitions=(row(1, members=("a-1",), end=5),)), NOBODY),
    Row("no-commit", group(partitions=(
        row(0, offset=1), row(1, members=("a-1",), end=5))), NOBODY),
]  # fmt: skip


def facts(group: Group, code: str) -> list[Fact]:
    return [fact for judged in JUDGEMENTS if judged.code == code for fact in judged.find(group)]


@pytest.mark.parametrize("code", dict.fromkeys(row.code for row in ROWS))
def test_what_is_remarked(code: str) -> None:
    rows = [row for row in ROWS if row.code == code]
    said = [{fact.member_id: fact.text for fact in facts(row.group, code)} for row in rows]
    assert said == [row.said for row in rows]


@pytest.mark.parametrize(
    ("row", "cause", "certainty"),
    [
        (group(of_streams(1), **STREAMS), "source-topic-missing", "certain"),
        (group(of_streams(4), **STREAMS), "", "certain"),
        (group(member("a"), member("b", ("u",))), "two-applications-in-one-group", "likely"),
        (group(worker("a", 1), worker("b", 2), kind="connect"), "two-clusters-in-one-group",
         "likely"),
        (group(worker("a", 1, 1), worker("b", 1), kind="connect", state="CompletingRebalance"),
         "two-clusters-in-one-group", "likely"),
    ],
)  # fmt: skip
def test_the_cause_of_what_is_remarked(row: Group, cause: str, certainty: str) -> None:
    (fact,) = (
        fact
        for code in ("streams-error", "two-applications", "two-clusters")
        for fact in facts(row, code)
    )
    assert (fact.cause, fact.certainty) == (cause, certainty)


def test_who_could_not_lead() -> None:
    """kafka-python and Java cannot read what promises more than there is; librdkafka can be told
    from neither by what it wrote."""
    sound, odd = (
        HexBytes(subscription()),
        HexBytes(bytes.fromhex("0001 0000 0001 0001 74 ffffffff")),
    )
    kafka = "kafka-clients (3.4 and newer)"
    readers = group(
        member("a", metadata=sound, could_be=(kafka,)),
        member("b", metadata=sound, could_be=(kafka, "franz-go")),
        member("c", metadata=odd), member("d", metadata=odd), member("e", could_be=("nobody",)),
    )  # fmt: skip
    told = {fact.member_id: fact.text for fact in facts(readers, "cannot-lead")}
    assert told == {
        "a-1": "could not lead: its client cannot read the subscription of c",
        "b-1": (f"could not lead: if it is {kafka}, that cannot read the subscription of c"),
    }


def test_whole_rates_that_are_nearly_equal_are_equal() -> None:
    """A hundredth is within what two looks can tell."""
    assert seconds_behind(100.0, 101.0, 100.0) is None
    assert seconds_behind(100.0, 102.0, 100.0) == 50.0


def test_what_keeps_a_group_from_the_next_protocol() -> None:
    """What fails later, what is of the whole group, and what Streams has a way for, does not."""
    stops = [kind for kind, row in EXPLANATIONS.items() if row.error and kind != "streams-assignor"]
    later = [kind for kind, row in EXPLANATIONS.items() if not row.error]
    kinds = ["streams-assignor", stops[0], stops[1], stops[0], later[0]]
    reasons = [Reason("a-1", kind, "", "") for kind in kinds]
    titles = "; ".join(EXPLANATIONS[kind].title for kind in stops[:2])
    (fact,) = cannot_migrate([*reasons, Reason("", stops[2], "", "")])
    assert fact.text == f"cannot move to group.protocol=consumer: {titles} (--plan consumer)"
    assert not [*cannot_migrate([Reason("", stops[0], "", "")])]
