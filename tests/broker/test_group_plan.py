"""The plans of `kproto group NAME --plan`, walked on a real broker: restarts as the steps say,
each check with the command that the step names, and the way back."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.broker.broker import Broker
from tests.broker.members import Members, Step

pytestmark = pytest.mark.long
WHO = "abc"
Found = dict[str, Any]


def kproto(*words: str) -> list[str]:
    return [sys.executable, "-m", "kproto", *words]


def printed(command: list[str]) -> list[Found]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def planned(broker: Broker, group: str, goal: str) -> Found:
    command = kproto("group", group, "--bootstrap", broker.bootstrap, "--plan", goal, "--json")
    (plan,) = printed(command)
    return plan


def check_of(step: Found, *more: str) -> list[str]:
    """The command of a step, as JSON."""
    program, *words = shlex.split(step["check"])
    assert program == "kproto"
    return kproto(*words, *more, "--json")


def until(step: Found, is_so: Callable[[Found], bool]) -> Found:
    """What the command of a step shows, once it shows what it is to show."""
    end = time.monotonic() + 60
    while True:
        (found,) = printed(check_of(step))
        if is_so(found):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.5)


def is_stable(found: Found) -> bool:
    return found["state"] == "Stable" and len(found["members"]) == len(WHO)


@contextmanager
def watching(step: Found) -> Iterator[list[Found]]:
    """The changes that the command of a step tells meanwhile."""
    assert "--watch" in step["check"]
    changes: list[Found] = []
    command = check_of(step, "--interval", "0.1", "--requests", "50")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            time.sleep(2)
            yield changes
            time.sleep(1)
        finally:
            process.terminate()
            assert process.stdout is not None
            changes += [json.loads(line) for line in process.stdout if line.endswith("}\n")]


def strategies(step: Found) -> str:
    found = re.search(r"partition\.assignment\.strategy=([\w,-]+)", step["do"])
    assert found is not None, step
    return found[1]


def restarted(members: Members, who: str, join: str, quiet_ms: int = 1500) -> Step:
    return members.step(f"leave {who}", f"join {who} {join}", quiet_ms=quiet_ms)


def refused(*steps: Step) -> list[str]:
    return [event.event for step in steps for event in step.events if "Exception" in event.event]


def test_the_way_to_cooperative_and_back(broker: Broker, members: Members) -> None:
    join = "group=way topics=way assignors="
    members.step("topic way 6", *(f"join {who} {join}range" for who in WHO), quiet_ms=1500)
    plan = planned(broker, "way", "cooperative")
    first, second, last = plan["steps"]
    assert strategies(first) == "cooperative-sticky,range"
    for who in WHO:
        assert not refused(restarted(members, who, join + strategies(first)))
        until(first, is_stable)
    moved: dict[str, list[int]] = {}
    for who in WHO:
        with watching(second) as changes:
            left = members.step(f"leave {who}", quiet_ms=1500)
            assert not refused(left, members.step(f"join {who} {join}{strategies(second)}"))
        moved[who] = [change["moved"] for change in changes if change["event"] == "stabilized"]
    assert all(moved.values())
    # Members that still list range revoke all that they have, and claim nothing of it. When the
    # last one is restarted, both others keep what they have: its two go to them, and come back.
    assert sum(moved["c"]) == 4 and max(moved["c"]) == 2, moved
    found = until(last, is_stable)
    assert found["protocol"] == "cooperative-sticky"
    assert "claims-contradict" not in {remark["code"] for remark in found["remarks"]}
    for step in plan["back"]:
        for who in WHO:
            assert not refused(restarted(members, who, join + strategies(step)))
            found = until(step, is_stable)
    assert found["protocol"] == "range"


def test_one_member_left_out_of_the_first_round(broker: Broker, members: Members) -> None:
    """The error that the second step warns of is what the member gets."""
    join = "group=hasty topics=way assignors="
    members.step("topic way 6", *(f"join {who} {join}range" for who in WHO), quiet_ms=1500)
    _, second, _ = planned(broker, "hasty", "cooperative")["steps"]
    step = restarted(members, "a", join + strategies(second))
    assert refused(step) == ["InconsistentGroupProtocolException"]
    assert "INCONSISTENT_GROUP_PROTOCOL" in second["expect"]


def test_the_way_to_the_brokers_protocol_and_back(broker: Broker, members: Members) -> None:
    classic = "group=over topics=way assignors=cooperative-sticky"
    new = "group=over topics=way group.protocol=consumer"
    members.step("topic way 6", *(f"join {who} {classic}" for who in WHO), quiet_ms=1500)
    plan = planned(broker, "over", "consumer")
    assert plan["verdict"] == "ready" and not plan["blockers"]
    _, first, others, last = plan["steps"]
    assert not refused(restarted(members, "a", new))
    found = until(first, lambda found: found["kind"] == "consumer" and is_stable(found))
    assert [member["protocol"] for member in found["members"]].count("classic") == 2
    for who in "bc":
        with watching(others) as changes:
            assert not refused(restarted(members, who, new, quiet_ms=8000))
        assert {change["event"] for change in changes} & {
            "member-joined",
            "member-left",
            "assigned",
        }
    found = until(last, is_stable)
    assert {member["protocol"] for member in found["members"]} == {"consumer"}
    assert "reconciling" not in {remark["code"] for remark in found["remarks"]}
    (back,) = plan["back"]
    for who in WHO:
        assert not refused(restarted(members, who, classic))
    found = until(back, lambda found: found["kind"] == "classic" and is_stable(found))
    assert found["protocol"] == "cooperative-sticky"
