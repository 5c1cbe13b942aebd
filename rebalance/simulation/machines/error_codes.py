"""The error codes of Kafka's group APIs that the machines use."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """An error of Kafka's group APIs, under Kafka's name and number."""

    NONE = 0
    """The request succeeded."""
    ILLEGAL_GENERATION = 22
    """The request is of another generation than the group's."""
    INCONSISTENT_GROUP_PROTOCOL = 23
    """The member has no assignor in common with all others."""
    UNKNOWN_MEMBER_ID = 25
    """The coordinator knows no member of that id."""
    REBALANCE_IN_PROGRESS = 27
    """The group rebalances, and the member has to join again."""
    MEMBER_ID_REQUIRED = 79
    """The member has to join again, with the id in the answer (KIP-394)."""
    FENCED_INSTANCE_ID = 82
    """Another process has the member's group.instance.id (KIP-345)."""


FATAL = frozenset({ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ErrorCode.FENCED_INSTANCE_ID})
"""Errors after which a member stops for good; whoever started it may start it again."""

FALLEN_OUT = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION})
"""Errors that say that the group has gone on without the member: what it owned is lost (KIP-429,
trigger 4).
"""
