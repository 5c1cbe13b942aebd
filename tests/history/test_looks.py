"""What two looks at a group prove, and what they leave open."""

from __future__ import annotations

from kproto.capture.logs.layouts import Stamp
from kproto.history.looks import GroupLook, events_of_looks
from kproto.inspector.shapes.group_shapes import Committed, Group, Kind, Member


def look(
    line: int,
    *members: Member,
    state: str = "Stable",
    kind: Kind = "classic",
    epoch: int | None = None,
    is_whole: bool = True,
) -> GroupLook:
    owned = tuple(
        Committed(topic, number, members=(member.member_id,))
        for member in members
        for topic, numbers in member.assigned.items()
        for number in numbers
    )
    group = Group("g", kind, state, members=members, partitions=owned, assigned_epoch=epoch)
    return GroupLook(
        group, Stamp("", 1000.0 * line), line, "a tool", is_whole, state == "Rebalancing"
    )


def member(name: str, *numbers: int, instance: str | None = None, client: str = "") -> Member:
    shares = {"t": numbers} if numbers else {}
    return Member(name, client or name[0], "", instance_id=instance, assigned=shares)


def events(*looks: GroupLook) -> list[tuple[str, str]]:
    return [(event.event, event.member) for event in events_of_looks(looks)]


def test_the_same_look_twice_proves_nothing() -> None:
    assert events(look(1, member("a-1", 0)), look(9, member("a-1", 0))) == []


def test_another_owner_of_a_partition_is_a_rebalance() -> None:
    first, second = (
        look(1, member("a-1", 0), member("b-1", 1)),
        look(9, member("a-1", 1), member("b-1", 0)),
    )
    assert events(first, second) == [("rebalance-began", ""), ("stabilized", "")]
    began = next(events_of_looks([first, second]))
    assert began.fields["evidence"] == "other owners of t-0, t-1"
    assert (began.stamp.milliseconds, began.fields["since"]) == (9000.0, 1000.0)
    assert (began.line, began.fields["since_line"]) == (9, 1)


def test_a_partition_that_lost_its_owner_proves_no_rebalance_by_itself() -> None:
    assert events(look(1, member("a-1", 0, 1)), look(9, member("a-1", 0))) == []


def test_a_client_that_is_back_under_another_member_id() -> None:
    first, second = look(1, member("a-1", 0)), look(9, member("a-2", 0))
    assert events(first, second) == [
        ("member-left", "a-1"), ("member-joined", "a-2"), ("rebalance-began", ""),
        ("stabilized", ""),
    ]  # fmt: skip
    joined = list(events_of_looks([first, second]))[1]
    assert joined.fields["earlier"] == "a-1"
    assert "replaces" not in joined.fields


def test_a_static_member_that_is_back_moves_nothing() -> None:
    first = look(1, member("a-1", 0, instance="i"), member("b-1", 1))
    second = look(9, member("a-2", 0, instance="i"), member("b-1", 1))
    assert events(first, second) == [("member-joined", "a-2")]


def test_an_epoch_of_the_target_is_a_rebalance() -> None:
    first = look(1, member("a-1", 0), kind="consumer", epoch=4)
    second = look(9, member("a-1", 0), kind="consumer", epoch=6)
    assert events(first, second)[0] == ("rebalance-began", "")


def test_members_that_go_leave_no_rebalance_behind() -> None:
    assert events(look(1, member("a-1", 0)), look(9, state="Empty")) == [("member-left", "a-1")]


def test_a_rebalance_that_is_seen_going_on_began_once() -> None:
    first = look(1, member("a-1", 0), state="Rebalancing")
    second = look(5, member("a-1", 0), state="Rebalancing")
    third = look(9, member("a-1", 0), member("b-1", 1))
    assert events(first, second, third) == [
        ("rebalance-began", ""), ("member-joined", "b-1"), ("stabilized", ""),
    ]  # fmt: skip


def test_without_all_members_who_came_and_went_is_not_certain() -> None:
    first = look(1, member("a-1", 0), is_whole=False)
    second = look(9, member("b-1", 0), is_whole=False)
    certain = {event.event: event.fields["certain"] for event in events_of_looks([first, second])}
    assert certain == {
        "member-left": False, "member-joined": False, "rebalance-began": True, "stabilized": True,
    }  # fmt: skip


def test_consumers_of_a_share_group_have_partitions_together() -> None:
    first = look(1, member("a-1", 0), kind="share")
    second = look(9, member("a-1", 1), member("b-1", 0), kind="share", is_whole=True)
    assert ("member-joined", "b-1") in events(first, second)
