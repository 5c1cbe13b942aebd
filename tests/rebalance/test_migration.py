"""What stops a group from moving to the next protocol, and what fails later; each as a 4.3.1 broker
answered it (tests/broker/test_migration.py asks one)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kproto.codec import GroupMetadataValue
from kproto.rebalance.migration import (
    EXPLANATIONS,
    ClassicGroup,
    GroupError,
    Readiness,
    Settings,
    from_record,
    judge,
    plan_to_consumer,
    read_group,
)
from kproto.rebalance.migration.members import Running

EMPTY_SUBSCRIPTION = "000000000000ffffffff"
ORDERS = "00000000000100066f7264657273ffffffff"
V1_LABEL_ON_V0_BODY = "00010000000100066f7264657273ffffffff"
CUT_IN_NAME = "00000000000100066f72"
ORDERS_0 = "00000000000100066f72646572730000000100000000ffffffff"
ORDERS_1 = "00000000000100066f72646572730000000100000001ffffffff"
ORDERS_9 = "00000000000100066f72646572730000000100000009ffffffff"
ORDERS_MINUS_1 = "00000000000100066f726465727300000001ffffffffffffffff"
GHOST_9 = "000000000001000567686f73740000000100000009ffffffff"
NOTHING = "000000000000ffffffff"
USER_DATA = "0000000000000000000101"
NULL_BY_MINUS_2 = "000000000000fffffffe"

REFUSED, FAILED = "GROUP_ID_NOT_FOUND", "UNKNOWN_SERVER_ERROR"


def member(
    name: str,
    subscription: str = ORDERS,
    assignment: str | None = NOTHING,
    *others: tuple[str, str],
) -> dict[str, Any]:
    protocols = [*others, ("range", subscription)]
    return {
        "member": name,
        "protocols": [{"name": name, "metadata": data} for name, data in protocols],
        "assignment": assignment,
    }


def judged(*members: dict[str, Any], **told: Any) -> Readiness:
    return judge(group_of(*members, **told))


def group_of(*members: dict[str, Any], **told: Any) -> ClassicGroup:
    line: dict[str, Any] = {
        "group": "g",
        "protocolType": "consumer",
        "state": "Stable",
        "protocol": "range",
        "members": members,
        "topics": {"orders": 6},
    }
    settings = {name.replace("_", "."): value for name, value in told.pop("settings", {}).items()}
    line |= told | {"settings": settings}
    return read_group(json.dumps({key: line[key] for key in line if line[key] is not ...}))


def answer(*members: dict[str, Any], **told: Any) -> str | None:
    return judged(*members, **told).error


@pytest.mark.parametrize(
    ("assignment", "error"),
    [
        (NOTHING, "NONE"),
        ("", "NONE"),
        (None, "NONE"),
        (NULL_BY_MINUS_2, "NONE"),
        ("00000000000000000000", "NONE"),  # user data that is empty
        (NOTHING + "0102", "NONE"),  # bytes behind the end
        ("7fff" + NOTHING[4:], "NONE"),  # a newer version
        (ORDERS_0, "NONE"),
        (GHOST_9, "NONE"),  # a topic that the broker does not have
        (USER_DATA, REFUSED),
        ("00", REFUSED),
        ("0000", REFUSED),
        ("ffff" + NOTHING[4:], REFUSED),
        (NOTHING[:-2], REFUSED),
        ("0000ffffffff", FAILED),
        ("00007fffffff", FAILED),
        ("0000000000000000000501", FAILED),  # cut inside of user data
        ("000000000001ffff00000000ffffffff", FAILED),  # a null name
        (ORDERS_9, FAILED),
        (ORDERS_MINUS_1, FAILED),
    ],
)
def test_an_assignment_stops_the_group_or_does_not(assignment: str | None, error: str) -> None:
    assert answer(member("a", ORDERS, assignment)) == error


@pytest.mark.parametrize(
    ("subscription", "error"),
    [
        (ORDERS, "NONE"),
        (EMPTY_SUBSCRIPTION, "NONE"),
        ("0000000000000000000101", "NONE"),  # user data of a subscription
        ("0000000000010002c328ffffffff", "NONE"),  # invalid UTF-8
        (ORDERS + "00", "NONE"),
        (V1_LABEL_ON_V0_BODY, REFUSED),
        ("", REFUSED),
        ("8000" + ORDERS[4:], REFUSED),
        (CUT_IN_NAME, FAILED),
        ("0000ffffffffffffffff", FAILED),
        ("00000000000500066f7264657273ffffffff", FAILED),
    ],
)
def test_a_subscription_stops_the_group_or_does_not(subscription: str, error: str) -> None:
    assert answer(member("a", subscription)) == error


def test_the_protocol_that_is_not_selected_counts_later_and_only_where_it_is_first() -> None:
    first = judged(member("a", ORDERS, NOTHING, ("own", CUT_IN_NAME)))
    assert (first.verdict, [reason.what for reason in first.later]) == (
        "ready",
        ["rejoin-fails", "downgrade-fails"],
    )
    behind = member("a") | {
        "protocols": [{"name": "range", "hex": ORDERS}, {"name": "own", "hex": CUT_IN_NAME}]
    }
    assert judged(behind).later == ()


@pytest.mark.parametrize("policy", ["bidirectional", "upgrade", "downgrade", "disabled", "Upgrade"])
def test_a_policy_decides_for_groups_with_members_alone(policy: str) -> None:
    told = {"group.consumer.migration.policy": policy}
    upgrades = policy.lower() in {"bidirectional", "upgrade"}
    assert answer(member("a"), settings=told) == ("NONE" if upgrades else REFUSED)
    assert answer(state="Empty", settings=told) == "NONE"
    assert answer(state="Empty", protocolType="connect", settings=told) == "NONE"
    assert answer(state="Dead", protocolType="", settings=told) == "NONE"


def test_the_checks_come_in_the_brokers_order() -> None:
    broken = member("a", V1_LABEL_ON_V0_BODY, USER_DATA)
    off = {"group.consumer.migration.policy": "disabled", "group.consumer.max.size": 1}
    found = judged(broken, member("b"), settings=off)
    assert [reason.what for reason in found.reasons] == [
        "upgrade-disabled",
        "group-too-large",
        "custom-assignor",
        "malformed-subscription",
    ]
    assert answer(broken, settings={"group.remote.assignor": "own"} | off) == "UNSUPPORTED_ASSIGNOR"
    assert answer(broken, settings={"group.version": "0"}) == "UNSUPPORTED_VERSION"


def test_a_full_group_is_found_after_its_bytes() -> None:
    full = {"group.consumer.max.size": "2"}
    assert answer(member("a"), member("b"), settings=full) == "GROUP_MAX_SIZE_REACHED"
    assert answer(member("a"), member("b", CUT_IN_NAME), settings=full) == FAILED
    three = [member("a"), member("b"), member("c")]
    assert answer(*three, settings=full) == REFUSED


def test_members_are_converted_in_the_order_of_a_hash_map() -> None:
    failing, refused = member("a", CUT_IN_NAME), member("b", "00")
    assert answer(failing, refused) == answer(refused, failing) == FAILED
    failing, refused = member("q", CUT_IN_NAME), member("p", "00")  # "p" is in the first bucket
    assert answer(failing, refused) == answer(refused, failing) == REFUSED


def test_one_partition_of_two_members() -> None:
    both = member("a", ORDERS, ORDERS_0), member("b", ORDERS, ORDERS_0)
    assert answer(*both) == FAILED
    assert answer(*both, topics={"payments": 3}) == "NONE"
    assert judged(*both, topics=...).verdict == "unknown"
    assert answer(member("a", ORDERS, ORDERS_0), member("b", ORDERS, ORDERS_1)) == "NONE"
    ghosts = member("a", ORDERS, GHOST_9), member("b", ORDERS, GHOST_9)
    assert answer(*ghosts) == "NONE"


def test_a_partition_beyond_the_end_fails_with_uniform_where_the_topic_is_subscribed() -> None:
    odd = member("a", ORDERS, ORDERS_9)
    assert answer(odd, settings={"group.consumer.assignors": "range,uniform"}) == "NONE"
    assert answer(odd, settings={"group.remote.assignor": "range"}) == "NONE"
    assert answer(member("a", EMPTY_SUBSCRIPTION, ORDERS_9)) == "NONE"
    own = {"group.consumer.assignors": ["com.example.Own"]}
    assert judged(odd, settings=own).verdict == "unknown"
    assert answer(member("a", ORDERS, ORDERS_1), settings=own) == "NONE"


def test_the_last_entry_of_a_topic_counts() -> None:
    twice = "000000000002" + ORDERS_9[12:-8] + ORDERS_0[12:-8] + "ffffffff"
    assert answer(member("a", ORDERS, twice)) == "NONE"
    assert answer(member("a", ORDERS, twice), member("b", ORDERS, ORDERS_0)) == FAILED


def test_a_rebalance_that_waits() -> None:
    waiting = member("a", ORDERS, "")
    assert answer(waiting, state="PreparingRebalance", protocol=...) == FAILED
    assert answer(waiting, state="PreparingRebalance", protocol="") == FAILED
    assert answer(waiting, state="PreparingRebalance") == "NONE"
    assert answer(waiting, state="CompletingRebalance") == "NONE"
    found = judged(waiting, state="PreparingRebalance", protocol="sticky")
    assert found.error == FAILED
    assert [reason.what for reason in found.reasons] == ["protocol-not-listed"]


@pytest.mark.parametrize("kind", ["connect", "", "stream"])
def test_other_protocol_types_stay(kind: str) -> None:
    found = judged(member("a", "00", "00"), protocolType=kind)
    assert [reason.what for reason in found.reasons] == ["not-a-consumer-group"]
    assert found.error == REFUSED


def test_the_plan_of_another_protocol_type_asks_nothing_of_its_clients() -> None:
    group = group_of(member("a", "00", "00"), protocolType="connect")
    (blocker,) = plan_to_consumer(group, judge(group), [Running("a", "of no client")]).blockers
    assert blocker.startswith("the protocol type is 'connect'")


def test_what_is_left_out_is_not_known() -> None:
    for told in ({"members": ...}, {"protocolType": ...}):
        assert judged(member("a"), **told).verdict == "unknown"
    assert judged(members=..., state=...).verdict == "unknown"
    for lost in ("protocols", "assignment"):
        partial = {key: value for key, value in member("a").items() if key != lost}
        assert judged(partial).verdict == "unknown"
        assert judged(partial, member("b", "00")).error == REFUSED
    assert answer(member("a"), protocol=...) == "NONE"  # the only one it can be
    two = member("a", ORDERS, NOTHING, ("own", ORDERS))
    assert judged(two, protocol=...).verdict == "unknown"


def test_members_without_an_id_are_numbered() -> None:
    nameless = {key: value for key, value in member("a", "00").items() if key != "member"}
    found = judged(member("a"), nameless)
    assert [reason.member_id for reason in found.reasons] == ["member 2"]


def test_older_names_of_keys_are_read() -> None:
    protocols = [{"name": "range", "hex": ORDERS}]
    members = [
        {"memberId": "a", "instanceId": "i", "protocols": protocols, "assignmentHex": NOTHING}
    ]
    line = {"group": "g", "protocolType": "consumer", "selected": "range", "members": members}
    group = read_group(json.dumps(line))
    line = {
        "group": "g",
        "protocolType": "consumer",
        "protocol": "range",
        "members": [member("a") | {"instance": "i"}],
    }
    assert group == read_group(json.dumps(line))
    assert group.members is not None and group.members[0].instance_id == "i"


def test_what_is_not_known_comes_after_what_stops_the_group() -> None:
    partial = {key: value for key, value in member("a", "00").items() if key != "assignment"}
    found = judged(partial)
    assert [reason.what for reason in found.reasons] == ["malformed-subscription", "not-told"]


def test_a_group_that_does_not_know_its_state_is_empty_without_members() -> None:
    off = {"group.consumer.migration.policy": "disabled"}
    found = judged(state=..., settings=off)
    assert found.error == "NONE"
    assert [reason.what for reason in found.later] == ["classic-members-refused"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        ("{}", "missing required field `group`"),
        ('{"group": "g", "members": [{"member": 7}]}', "$.members[0].member"),
        ('{"group": "g", "members": [{"member": "a", "assignment": "0"}]}', "assignment"),
        ('{"group": "g", "members": [{"member": "a"}, {"member": "a"}]}', "'a'"),
        ('{"group": "g", "settings": {"group.consumer.max.size": 0}}', "max.size"),
        ('{"group": "g", "settings": {"group.consumer.migration.policy": "off"}}', "'off'"),
        (b'{"group": "\xff"}', "UTF-8"),
    ],
)
def test_a_line_that_is_wrong_says_what_and_where(line: str | bytes, said: str) -> None:
    with pytest.raises(GroupError) as caught:
        read_group(line)
    assert said in str(caught.value)


def test_settings_that_decide_nothing_are_ignored() -> None:
    told = {"log.dirs": ["/a"], "other": {"nested": 1.5}, "group.consumer.max.size": None}
    assert answer(member("a"), settings=told) == "NONE"


def test_every_reason_says_what_to_do() -> None:
    for explanation in EXPLANATIONS.values():
        assert explanation.title
        assert explanation.remedy.endswith(".")


def test_a_plan_names_the_way_back_of_the_policy() -> None:
    def way_back(policy: str) -> str:
        line = {
            "group": "g",
            "protocolType": "consumer",
            "members": [member("a")],
            "settings": {"group.consumer.migration.policy": policy},
        }
        group = read_group(json.dumps(line))
        return plan_to_consumer(group, judge(group)).back[0].do

    assert "group.protocol=classic" in way_back("bidirectional")
    assert way_back("upgrade").startswith("None")


def test_a_plan_counts_what_moves() -> None:
    def share(*partitions: int) -> str:
        numbers = "".join(f"{number:08x}" for number in partitions)
        return f"00000000000100066f7264657273{len(partitions):08x}{numbers}ffffffff"

    line = {
        "group": "g",
        "protocolType": "consumer",
        "members": [member("a", ORDERS, share(0, 1, 2)), member("b", ORDERS, share(3, 4, 5))],
        "topics": {"orders": 6},
    }
    group = read_group(json.dumps(line))
    changes = " ".join(plan_to_consumer(group, judge(group)).changes)
    # Two of six are the share of the new member. Range cuts 0-1, 2-3, 4-5; where the new id
    # comes first, "a" keeps 2 alone and "b" keeps 4 and 5.
    assert "of 6 partitions leave their owner: 2 by uniform, 3 by range" in changes
    empty = read_group(json.dumps(line | {"members": [], "topics": None}))
    assert "leave their owner" not in " ".join(plan_to_consumer(empty, judge(empty)).changes)


def test_a_record_with_two_members_of_one_id() -> None:
    member = GroupMetadataValue.MemberMetadata(
        member_id="m", client_id="c", client_host="/h", rebalance_timeout=1, session_timeout=1,
        subscription=b"", assignment=b"",
    )  # fmt: skip
    value = GroupMetadataValue(
        protocol_type="consumer", generation=1, protocol="range", leader="m",
        current_state_timestamp=1, members=[member, member],
    )  # fmt: skip
    group = from_record("g", value, Settings())
    assert group.members is None
    assert group.is_empty is False
