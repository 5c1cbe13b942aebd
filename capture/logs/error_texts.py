"""The broker's errors, as the clients write them into their logs.

Each client has its own words for one error code: Java and KafkaJS the texts of Kafka's `Errors`,
librdkafka those of rdkafka.c, Sarama those of errors.go, kafka-go the titles of error.go, the
Python clients the names of exceptions in errors.py, franz-go the code's own name.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["error_of", "name_error"]

_TEXTS = {
    "COORDINATOR_LOAD_IN_PROGRESS": (
        "COORDINATOR_LOAD_IN_PROGRESS", "GROUP_LOAD_IN_PROGRESS",
        "Coordinator load in progress", "The coordinator is loading and hence can't process",
        "The coordinator is still loading offsets", "Group Load In Progress",
        "CoordinatorLoadInProgressError", "GroupLoadInProgressError",
    ),
    "COORDINATOR_NOT_AVAILABLE": (
        "COORDINATOR_NOT_AVAILABLE", "GROUP_COORDINATOR_NOT_AVAILABLE",
        "Broker: Coordinator not available", "The coordinator is not available",
        "The group coordinator is not available", "Group Coordinator Not Available",
        "CoordinatorNotAvailableError",
    ),
    "NOT_COORDINATOR": (
        "NOT_COORDINATOR", "NOT_COORDINATOR_FOR_GROUP",
        "Broker: Not coordinator", "This is not the correct coordinator",
        "Request was for a consumer group that is not coordinated by this broker",
        "Not Coordinator For Group", "NotCoordinatorError", "NotCoordinatorForGroupError",
    ),
    "ILLEGAL_GENERATION": (
        "ILLEGAL_GENERATION", "Specified group generation id is not valid",
        "The provided generation id is not the current generation", "Illegal Generation",
        "IllegalGenerationError", "IllegalGeneration",
    ),
    "INCONSISTENT_GROUP_PROTOCOL": (
        "INCONSISTENT_GROUP_PROTOCOL", "Inconsistent group protocol",
        "The group member's supported protocols are incompatible",
        "The provider group protocol type is incompatible with the other members",
        "Inconsistent Group Protocol", "InconsistentGroupProtocolError",
    ),
    "INVALID_GROUP_ID": (
        "INVALID_GROUP_ID", "Broker: Invalid group.id", "The provided group id was empty",
        "The configured groupId is invalid", "Invalid Group ID", "InvalidGroupIdError",
    ),
    "UNKNOWN_MEMBER_ID": (
        "UNKNOWN_MEMBER_ID", "Broker: Unknown member",
        "The coordinator is not aware of this member",
        "The provided member is not known in the current generation", "Unknown Member ID",
        "UnknownMemberIdError", "UnknownMemberId",
    ),
    "INVALID_SESSION_TIMEOUT": (
        "INVALID_SESSION_TIMEOUT", "Broker: Invalid session timeout",
        "The session timeout is not within the range allowed by the broker",
        "The provided session timeout is outside the allowed range", "Invalid Session Timeout",
        "InvalidSessionTimeoutError",
    ),
    "REBALANCE_IN_PROGRESS": (
        "REBALANCE_IN_PROGRESS", "Group rebalance in progress", "The group is rebalancing",
        "A rebalance for the group is in progress", "Rebalance In Progress",
        "RebalanceInProgressError", "RebalanceInProgress", "rebalance_in_progress",
    ),
    "GROUP_AUTHORIZATION_FAILED": (
        "GROUP_AUTHORIZATION_FAILED", "Group authorization failed",
        "The client is not authorized to access this group", "Group Authorization Failed",
        "GroupAuthorizationFailedError",
    ),
    "MEMBER_ID_REQUIRED": (
        "MEMBER_ID_REQUIRED", "Group member needs a valid member ID",
        "The group member needs to have a valid member id", "Member ID Required",
        "MemberIdRequiredError", "member_id_required",
    ),
    "GROUP_MAX_SIZE_REACHED": (
        "GROUP_MAX_SIZE_REACHED", "Consumer group has reached maximum size",
        "The consumer group has reached its max size", "GroupMaxSizeReachedError",
    ),
    "FENCED_INSTANCE_ID": (
        "FENCED_INSTANCE_ID", "Static consumer fenced by other consumer",
        "The broker rejected this static consumer", "Fenced Instance ID", "FencedInstanceIdError",
        "fenced_instance_id",
    ),
    "FENCED_MEMBER_EPOCH": (
        "FENCED_MEMBER_EPOCH", "The member epoch is fenced by the group coordinator",
    ),
    "UNRELEASED_INSTANCE_ID": (
        "UNRELEASED_INSTANCE_ID", "The instance ID is still used by another member",
    ),
    "UNSUPPORTED_ASSIGNOR": (
        "UNSUPPORTED_ASSIGNOR", "The assignor or its version range is not supported",
    ),
    "STALE_MEMBER_EPOCH": ("STALE_MEMBER_EPOCH", "The member epoch is stale"),
}  # fmt: skip

_NAMES = {text.casefold(): error for error, texts in _TEXTS.items() for text in texts}
_ERROR = re.compile(
    "|".join(
        (r"\b" if text[0].isalpha() else "") + re.escape(text)
        for text in sorted(_NAMES, key=len, reverse=True)
    ),
    re.IGNORECASE,
)


def error_of(text: str) -> str:
    """Return Kafka's name of the error that a text speaks of, empty where it is none of a group."""
    match = _ERROR.search(text)
    return "" if match is None else _NAMES[match[0].casefold()]


def name_error(values: dict[str, Any]) -> None:
    """Name the `error` of a line by its `detail`, where that speaks of one."""
    error = error_of(values.get("detail", ""))
    if error:
        values["error"] = error
