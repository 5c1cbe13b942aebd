"""What is told of a watched group: joins, leaves, rebalances with their duration, who was waited
for."""

from __future__ import annotations

import asyncio
import json
import time
from io import StringIO
from itertools import pairwise
from unittest.mock import Mock

import pytest
from msgspec.structs import replace
from rich.console import Console

from kproto.cluster import Group, Member
from kproto.cluster.api import watch_group_async
from kproto.cluster.changes import Watched, WatchedList, WatchTally
from kproto.cluster.views.change_line import ChangeLine, LiveGroup
from kproto.cluster.views.member_names import ClientNames
from kproto.cluster.watching import Look
from kproto.inspector.shapes.group_shapes import GroupChange, GroupHistory
from kproto.tools.group import _into_live
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
    """The changes behind the first one, which is the present state."""
    watched = Watched()
    present, *changes = [
        change for at, look in enumerate(looks) for change in watched.look(look, float(at))
    ]
    assert present.what == "state"
    return changes


def test_the_first_look_tells_the_present_state() -> None:
    (present,) = Watched().look(of("Stable", a=(0, 1)), 0.0)
    assert (present.what, present.text) == ("state", "Stable, 1 member")


def test_members_of_one_client_id_are_told_apart() -> None:
    """As in `kproto story`: by the beginning of what is random in their ids."""
    ids = ("app-0a1b2c3d-0000-4000-8000-000000000001", "app-9f8e7d6c-0000-4000-8000-000000000002")
    one, other = (Member(member_id, "app", "h", assigned={}) for member_id in ids)
    both = Group("g", "classic", "Stable", members=(one, other))
    watched, names = Watched(), ClientNames()
    screen = Console(file=StringIO(), width=80)
    for at, look in enumerate((replace(both, members=(one,)), both, replace(both, members=()))):
        names.note(look.members)
        for change in watched.look(look, float(at)):
            screen.print(ChangeLine(change, names))
    lines = [line[12:] for line in screen.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert [line.strip() for line in lines if "app" in line] == [
        "g  app-9f8e  joins from h", "g  app-0a1b  leaves", "g  app-9f8e  leaves",
    ]  # fmt: skip
    assert ClientNames([one]).of([one]) == {ids[0]: "app"}


def test_what_happened_in_numbers() -> None:
    watched, tally = Watched(), WatchTally("g")
    assert tally.summary(0.0) is None
    looks = (
        of("Stable", a=(0, 1)),
        of("Stable", a=(0,), b=(1,)),
        of("PreparingRebalance", a=(), b=()),
        of("Stable", a=(0, 1)),
        of("Stable", a=(0,), b=(1,)),
    )
    for at, look in enumerate(looks):
        tally.take(look, watched.look(look, float(at)), float(at))
    assert "watched for 1 min 5 s" in str(tally.summary(65.0, asked=65.0))
    late = "watched for 1 min 5 s of 1 min 10 s, from the first answer on: "
    assert late in str(tally.summary(65.0, asked=70.0))
    summary = tally.summary(65.0)
    assert summary is not None and summary.what == "watched"
    assert summary.text == (
        "watched for 1 min 5 s: 3 rebalances, each of less than 2.0 s; 2 joins (b 2 times); "
        "1 leave (b); now Stable, 2 members"
    )


def test_a_watch_ends_with_what_the_records_tell() -> None:
    watched, tally = Watched(), WatchTally("g")
    for at, look in enumerate((of("Stable", a=(0, 1)), of("Stable", a=(0,), b=(1,)))):
        assert not tally.has_rebalances
        tally.take(look, watched.look(look, float(at)), float(at))
    assert tally.has_rebalances
    summary = tally.summary(65.0, records="slow-poll since 14:02 UTC (1 min): b left.")
    assert summary is not None
    assert summary.text.endswith(". By its records: slow-poll since 14:02 UTC (1 min): b left.")


def test_what_happened_in_all_groups() -> None:
    watched, tally = WatchedList(), WatchTally(None)
    for at, state in enumerate(("Stable", "PreparingRebalance", "Stable")):
        tally.take(None, watched.look({"a": state, "b": "Stable"}, at), at)
    summary = tally.summary(9.0)
    assert summary is not None
    assert summary.text.startswith("watched for 9 s: 2 changes in 1 group, 2 of them in a; ")


def test_a_watch_of_states_does_not_say_that_nothing_changed() -> None:
    """A rebalance may have begun and ended between two looks."""
    watched, tally = WatchedList(), WatchTally(None)
    for at in range(2):
        tally.take(None, watched.look({"a": "Stable"}, at), at)
    summary = tally.summary(2.0)
    assert summary is not None
    assert summary.text == (
        "watched for 2 s: no group had another state from one look to the next; a rebalance that "
        "was over before the next look is not seen: kproto group NAME --watch compares the "
        "members, kproto group --history reads the groups' records"
    )


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
    assert (ended.seconds, ended.at_most, ended.moved) == (3.0, True, 1)
    assert ended.text == "rebalance of less than 3.0 s: Stable, 2 members, 1 partition moved"
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
    assert (left.who, left.text, left.seconds, left.at_most) == (
        "b",
        "did not come back: it was waited for",
        3.0,
        True,
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
    assert (ended.seconds, ended.at_most, ended.moved) == (1.0, True, 1)
    tally = WatchTally("g")
    tally.take(None, [], 0.0)
    tally.take(None, [ended], 1.0)
    summary = tally.summary(2.0)
    assert summary is not None and "1 rebalance, each of less than 1.0 s" in summary.text
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
    """Nothing tells when its rebalance began."""
    first, ended = told(of("PreparingRebalance", a=()), of("Stable", a=()))
    assert first.what == "rebalance-began"
    assert (ended.seconds, ended.at_most) == (None, False)
    assert ended.text == "rebalance that the first look found is over: Stable, 1 member"


def test_the_limit_counts_from_when_the_broker_was_asked() -> None:
    """What an answer tells may be as old as its request."""
    watched = Watched()
    watched.look(of("Stable", a=()), 1.0, asked=0.5)
    watched.look(of("PreparingRebalance", a=()), 2.0, asked=1.5)
    (ended,) = watched.look(of("Stable", a=()), 2.62, asked=2.5)
    assert ended.seconds == 2.12
    assert ended.text.startswith("rebalance of less than 2.2 s: ")


def test_looks_keep_their_interval_after_a_change() -> None:
    """Offsets are asked for in the time between two looks."""
    broker = Groups(group("payments", member("a")))
    describe = broker.answers["DescribeGroups"]
    looks: list[float] = []

    def restless(request: object, version: int) -> object:
        broker.groups["payments"] = group("payments", member("ab"[len(looks) % 2]))
        return describe(request, version)

    broker.answers["DescribeGroups"] = restless  # type: ignore[assignment]

    async def watch(address: str) -> None:
        config = {"bootstrap.servers": address}
        async for look in watch_group_async(
            "payments", config=config, interval=0.8, per_second=20.0
        ):
            assert look.changes
            looks.append(time.monotonic())
            if len(looks) == 5:
                return

    with listening(broker) as address:
        asyncio.run(watch(address))
    gaps = [after - before for before, after in pairwise(looks)]
    assert min(gaps) < 1.0


def test_the_list() -> None:
    watched = WatchedList()
    (present,) = watched.look({"a": "Stable", "b": "Empty"}, 0)
    assert (present.group, present.text) == ("", "2 groups: 1 Stable, 1 Empty")
    changes = watched.look({"a": "PreparingRebalance", "c": "Stable"}, 1)
    assert [(each.group, each.what) for each in changes] == [
        ("c", "appeared"),
        ("a", "state"),
        ("b", "gone"),
    ]


def joined_later(first: str, second: str) -> Groups:
    """Return a broker with a group of a, which at the fourth look has these members, in this
    order: b has joined."""
    broker = Groups(group("payments", member("a", assigned={"orders": (0, 1)})))
    describe = broker.answers["DescribeGroups"]
    looks: list[int] = []
    shares = {"a": (0,), "b": (1,)}

    def joined(request: object, version: int) -> object:
        looks.append(version)
        if len(looks) == 4:
            pair = (member(name, assigned={"orders": shares[name]}) for name in (first, second))
            broker.groups["payments"] = group("payments", *pair)
        return describe(request, version)

    broker.answers["DescribeGroups"] = joined  # type: ignore[assignment]
    return broker


def test_lines_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """A member joins between two looks; requests are paced."""
    broker = joined_later("a", "b")
    watch = ("--watch", "100ms", "--for", "2500ms", "--json", "--requests", "50")
    with listening(broker) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *watch]) == 0
    changes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["event"], each.get("member", "")) for each in changes[:4]] == [
        ("state", ""),
        ("member-joined", "b-1"),
        ("stabilized", ""),
        ("assigned", "a-1"),
    ]
    assert changes[-1]["event"] == "watched" and "1 join (b)" in changes[-1]["explanation"]
    assert len(broker.asked) < 130


def test_a_redacted_watch_says_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    """Under one stand-in for each name, in the present state and in all changes."""
    broker = joined_later("b", "a")
    watch = ("--watch", "100ms", "--for", "2500ms", "--requests", "50", "--redact")
    with listening(broker) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *watch]) == 0
    printed = capsys.readouterr().out
    assert "<client-2>  gets <topic-1> 1" in printed
    assert "<client-1>  loses <topic-1> 1" in printed
    assert "payments" not in printed and "orders" not in printed


@pytest.mark.parametrize(("age", "is_shown"), [(5, True), (100, False)])
def test_a_watched_group_keeps_what_its_records_told(age: int, is_shown: bool) -> None:
    """On a terminal, where each look replaces the view: for a minute."""
    screen, history = Mock(), GroupHistory(since=0.0, until=time.time() - age)
    show = _into_live(screen, history)
    show(Look(of("Stable", a=(0,)), ()))
    show(Look(None, ()))
    views = [update.args[0] for update in screen.update.call_args_list]
    assert [view._group.history for view in views] == [history if is_shown else None] * 2


def test_a_watched_cluster_that_goes_away(capsys: pytest.CaptureFixture[str]) -> None:
    """It is asked again until the timeout has passed; that ends the command with one line."""
    broker = Groups(group("payments"))
    describe = broker.answers["DescribeGroups"]
    looks: list[int] = []

    def dies(request: object, version: int) -> object:
        looks.append(version)
        if len(looks) > 4:  # the first one is for the view
            raise ConnectionError
        return describe(request, version)

    broker.answers["DescribeGroups"] = dies  # type: ignore[assignment]
    with listening(broker) as address:
        options = ("--watch", "200ms", "--timeout", "2s", "--requests", "100")
        assert main(["group", "payments", "--bootstrap-server", address, *options]) == 3
    shown = capsys.readouterr()
    assert "closed the connection" in shown.err and shown.err.count("\n") == 1
    assert "closed the connection" in shown.out


def test_watching_asks_every_second_where_nothing_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    watch = ("--for", "700ms", "--json", "--requests", "50", "--watch")
    with listening(Groups(group("payments", member("a")))) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *watch]) == 0
    changes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [change["event"] for change in changes] == ["state", "watched"]
