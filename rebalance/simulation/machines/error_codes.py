"""The errors of Kafka's group APIs, as far as the machines know them."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """Names and numbers are Kafka's."""

    NONE = 0
    ILLEGAL_GENERATION = 22
    INCONSISTENT_GROUP_PROTOCOL = 23
    UNKNOWN_MEMBER_ID = 25
    REBALANCE_IN_PROGRESS = 27
    MEMBER_ID_REQUIRED = 79
    FENCED_INSTANCE_ID = 82


FATAL = frozenset({ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ErrorCode.FENCED_INSTANCE_ID})
"""After these a member stops for good; whoever started it may start it again."""

FALLEN_OUT = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION})
"""The group has gone on without the member: what it owned is lost (KIP-429, trigger 4)."""
