"""The bytes that an error is about."""

from __future__ import annotations

import pytest

from kproto.codec import DecodeError, Policy, decode, message_class
from kproto.inspector.views.display_tree import error_span

SUBSCRIPTION = "ConsumerProtocolSubscription"

# name, version of the body or None, bytes; those that are refused are in brackets
CASES = [
    (SUBSCRIPTION, None, "[00]"),
    (SUBSCRIPTION, None, "0001 00000001 0001 61 00000000[]"),
    (SUBSCRIPTION, None, "0000 00000001 0001 61 [0000]"),
    (SUBSCRIPTION, None, "0000 00000001 [0004 6f7264]"),
    (SUBSCRIPTION, None, "[ffff] 00000000 ffffffff"),
    (SUBSCRIPTION, None, "0000 [ffffffff] ffffffff"),
    (SUBSCRIPTION, None, "0000 [0000ffff] 00000000"),
    (SUBSCRIPTION, None, "0000 00000001 [ffff] 0000000000"),
    (SUBSCRIPTION, None, "0000 00000002 0001 61 [8000] 0000000000"),
    (SUBSCRIPTION, None, "0001 00000000 ffffffff 00000001 [ffff] 00000000"),
    (SUBSCRIPTION, None, "0001 00000000 ffffffff 00000001 0001 74 [7fffffff] 00000001"),
    (SUBSCRIPTION, None, "0001 00000000 ffffffff 00000001 0001 74 00000002 00000001 [0000]"),
    ("StreamJoinAssignmentUserData", None, "[0007] 00000001"),
    ("OffsetCommitKey", None, "[0009] 0001 61 0001 61 00000000"),
    ("JoinGroupRequest", 9, "[00] 0000"),
    ("JoinGroupRequest", 9, "[ffffffffff] 0000"),
    ("SyncGroupResponse", 5, "00000000 0000 00 00 01 [8080808008]"),
    ("ResponseHeader", 1, "00000000 01 00 [05] 0000"),
    ("SubscriptionInfoData", None, "[00000063] 00000001"),
]


@pytest.mark.parametrize(("name", "body", "marked"), CASES)
def test_error_span(name: str, body: int | None, marked: str) -> None:
    bare = marked.replace(" ", "")
    start, end = bare.index("[") // 2, (bare.index("]") - 1) // 2
    data = bytes.fromhex(bare.replace("[", "").replace("]", ""))
    seen = decode(data, message_class(name), policy=Policy.LENIENT, body_version=body)
    assert seen.error is not None
    assert error_span(seen, seen.error) == (start, end), seen.error


def test_what_only_a_policy_refuses() -> None:
    cls = message_class(SUBSCRIPTION)
    for marked in ("0000 00000001 [0001 ff] ffffffff", "0000 00000000 ffffffff [00]"):
        bare = marked.replace(" ", "")
        data = bytes.fromhex(bare.replace("[", "").replace("]", ""))
        with pytest.raises(DecodeError) as refusal:
            decode(data, cls, policy=Policy.STRICT)
        seen = decode(data, cls, policy=Policy.LENIENT)
        span = bare.index("[") // 2, (bare.index("]") - 1) // 2
        assert error_span(seen, refusal.value) == span
