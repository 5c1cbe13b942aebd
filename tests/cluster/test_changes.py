"""What is told of a watched group: joins, leaves, rebalances with their duration, who was waited
for."""

from __future__ import annotations

import json
import time
from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from kproto.cluster import Group, Member
from kproto.cluster.changes import Watched, WatchedList
from kproto.cluster.views.change_line import LiveGroup
from kproto.inspector.shapes.group_shapes import GroupChange
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Groups, group, member


def of(state: str, **shares: tuple[int, ...]) -> Group:
    """A group whose members are named and have these partitions of `orders`."""
    members = tuple(
        Member(name, name, "h", topics=("orders",), assigned={"orders": numbers} if numbers else {})
        for name, numbers in shares.items()
    )
    return Group("g", "classic", state, members=members)


def told(*looks: Group) -> list[GroupChange]:
    watched = Watched()
    return [change for at, look in enumerate(looks) for change in watched.look(look, float(at))]


def test_the_first_look_changes_nothing() -> None:
    assert told(of("Stable", a=(0, 1))) == []


def test_a_join() -> None:
    changes = told(
        of("Stable", a=(0, 1)),
        of("PreparingRebalance", a=(), b=()),
        of("CompletingRebalance", a=(), b=()),
        of("Stable", a=(0,), b=(1,)),
    )
    assert [(each.at, each.who, each.what) for each in changes] == [
        (1, "b", "member-joined"),
        (1, "", "rebalance-began"),
        (2, "", "state"),
        (3, "", "stabilized"),
        (3, "a", "assigned"),
        (3, "b", "assigned"),
    ]
    ended = changes[3]
    assert (ended.seconds, ended.moved) == (2.0, 1)
    assert [each.text for each in changes[4:]] == ["loses orders 1", "gets orders 1"]


def test_a_leave_outside_of_a_rebalance() -> None:
    (left, *_) = told(of("Stable", a=(0,), b=(1,)), of("Stable", a=(0, 1)))
    assert (left.what, left.who, left.text) == ("member-left", "b", "leaves")


def test_a_member_that_was_waited_for() -> None:
    """It is there until the coordinator stops to wait."""
    changes = told(
        of("Stable", a=(0,), b=(1,)),
        of("PreparingRebalance", a=(), b=()),
        of("PreparingRebalance", a=(), b=()),
        of("Stable", a=(0, 1)),
    )
    (left,) = [each for each in changes if each.what == "member-left"]
    assert (left.who, left.text, left.seconds) == (
        "b",
        "did not come back: it was waited for",
        2.0,
    )


def test_a_rebalance_between_two_looks() -> None:
    changes = told(of("Stable", a=(0, 1)), of("Stable", a=(1,), b=(0,)))
    assert [each.what for each in changes] == [
        "member-joined",
        "stabilized",
        "assigned",
        "assigned",
    ]
    ended = changes[1]
    assert (ended.seconds, ended.moved) == (1.0, 1)
    assert ended.text == "rebalance of less than 1.0 s: Stable, 2 members, 1 partition moved"


def test_connect_workers_divide_connectors_and_tasks() -> None:
    """A connector itself is task -1."""
    before, after = (
        replace(of("Stable", a=first, b=second), kind="connect")
        for first, second in (((-1, 0, 1, 2), ()), ((0,), (-1, 1, 2)))
    )
    ended, lost, got = told(before, after)
    assert ended.text.endswith("2 members, 3 connectors and tasks moved")
    assert lost.text == "loses orders connector, orders 1-2"
    assert got.text == "gets orders connector, orders 1-2"


def test_members_that_join_again_and_keep_what_they_have() -> None:
    """The generation in their metadata is another one."""
    before = of("Stable", a=(0, 1))
    (member_,) = before.members
    after = replace(before, members=(replace(member_, metadata=b"another generation"),))
    assert [each.what for each in told(before, after, after)] == ["stabilized"]
    divided = replace(before, kind="consumer"), replace(after, kind="consumer")
    assert told(*divided) == []


def test_changes_are_on_the_screen_below_a_group_that_is_not() -> None:
    crowd = of("Stable", **{f"m{number}": (number,) for number in range(40)})
    changes = [
        GroupChange(0.0, "g", "member-left", f"change {number}", "m", "m") for number in range(30)
    ]
    console = Console(width=60, height=24, force_terminal=True, file=StringIO(), color_system=None)
    lines = console.render_lines(LiveGroup(crowd, changes), pad=False)
    texts = ["".join(segment.text for segment in line) for line in lines]
    assert len(texts) < 24
    assert texts[0].startswith("g ") and "lines more" in "".join(texts)
    assert [line.partition("change ")[2] for line in texts[-8:]] == list(map(str, range(22, 30)))


def test_a_group_in_trouble_from_the_beginning() -> None:
    (first,) = told(of("PreparingRebalance", a=()))
    assert first.what == "rebalance-began"


def test_the_list() -> None:
    watched = WatchedList()
    assert watched.look({"a": "Stable", "b": "Empty"}, 0) == []
    changes = watched.look({"a": "PreparingRebalance", "c": "Stable"}, 1)
    assert [(each.group, each.what) for each in changes] == [
        ("c", "appeared"),
        ("a", "state"),
        ("b", "gone"),
    ]


def test_lines_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """A member joins between two looks; requests are paced."""
    broker = Groups(group("payments", member("a", assigned={"orders": (0, 1)})))
    describe, looks = broker.answers["DescribeGroups"], []

    def joined(request: object, version: int) -> object:
        looks.append(version)
        if len(looks) == 4:
            pair = (member("a", assigned={"orders": (0,)}), member("b", assigned={"orders": (1,)}))
            broker.groups["payments"] = group("payments", *pair)
        return describe(request, version)

    broker.answers["DescribeGroups"] = joined  # type: ignore[assignment]
    watch = ("--watch", "100ms", "--for", "2500ms", "--json", "--requests", "50")
    with listening(broker) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *watch]) == 0
    changes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["event"], each.get("member", "")) for each in changes[:3]] == [
        ("member-joined", "b-1"),
        ("stabilized", ""),
        ("assigned", "a-1"),
    ]
    assert len(broker.asked) < 130


def test_a_watched_cluster_that_goes_away(capsys: pytest.CaptureFixture[str]) -> None:
    """It is asked again until the timeout has passed; that ends the command with one line."""
    broker = Groups(group("payments"))
    describe = broker.answers["DescribeGroups"]
    end = time.monotonic() + 0.5

    def dies(request: object, version: int) -> object:
        if time.monotonic() > end:
            raise ConnectionError
        return describe(request, version)

    broker.answers["DescribeGroups"] = dies  # type: ignore[assignment]
    with listening(broker) as address:
        options = ("--watch", "200ms", "--timeout", "1s", "--requests", "100")
        assert main(["group", "payments", "--bootstrap-server", address, *options]) == 3
    shown = capsys.readouterr()
    assert "closed the connection" in shown.err and shown.err.count("\n") == 1
    assert "closed the connection" in shown.out
