"""The error codes of Kafka's group APIs that the machines use."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """An error of Kafka's group APIs, under Kafka's name and number."""

    UNKNOWN_SERVER_ERROR = -1
    """The coordinator failed; the request says no more."""
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
    GROUP_ID_NOT_FOUND = 69
    """The group does not exist, or is none of the consumer protocol and cannot become one."""
    MEMBER_ID_REQUIRED = 79
    """The member has to join again, with the id in the answer (KIP-394)."""
    GROUP_MAX_SIZE_REACHED = 81
    """The group has as many members as it may have."""
    FENCED_INSTANCE_ID = 82
    """Another process has the member's group.instance.id (KIP-345)."""
    FENCED_MEMBER_EPOCH = 110
    """The member has another epoch than the coordinator knows, and has to join again (KIP-848)."""
    UNRELEASED_INSTANCE_ID = 111
    """Another member has the group.instance.id and has not left (KIP-848)."""
    UNSUPPORTED_ASSIGNOR = 112
    """The broker has no assignor of that name."""
    STALE_MEMBER_EPOCH = 113
    """The commit is of another member epoch than the coordinator knows."""
    INVALID_REGULAR_EXPRESSION = 128
    """The broker cannot read the expression by which a member subscribes (KIP-848)."""


FATAL = frozenset({ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ErrorCode.FENCED_INSTANCE_ID})
"""Errors after which a member stops for good; whoever started it may start it again."""

FALLEN_OUT = frozenset({ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION})
"""Errors that say that the group has gone on without the member: what it owned is lost (KIP-429,
trigger 4).
"""
