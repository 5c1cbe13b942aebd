"""Groups that Apache Kafka's own assignors divided, line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, Member

from .groups import Group, as_written, flat
from .known_differences import READ_CLAIM, without_topics

VECTORS = Path(__file__).parent.parent / "vectors" / "assignments.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


def group_of(line: dict[str, Any]) -> Group:
    payloads = [bytes.fromhex(member["subscription"]) for member in line["members"]]
    members = tuple(
        Member(
            member["member_id"],
            ConsumerProtocolSubscription.from_bytes(payload),
            member["group_instance_id"],
        )
        for member, payload in zip(line["members"], payloads, strict=True)
    )
    versions = tuple(int.from_bytes(payload[:2]) for payload in payloads)
    return Group(members, line["topics"], line["racks"], versions)


@pytest.mark.parametrize("number", range(len(LINES)))
def test_a_group_is_divided_as_java_divides_it(number: int) -> None:
    line = LINES[number]
    group, assignor = group_of(line), line["assignor"]
    ours = flat(ASSIGNORS[assignor].assign(group.members, group.topics, group.racks))
    theirs = as_written({member: list(map(tuple, one)) for member, one in line["assigned"].items()})
    if assignor in READ_CLAIM and without_topics(group, assignor):
        # The only one of Java's defects that these lines show.
        assert ours != theirs
    else:
        assert ours == theirs
