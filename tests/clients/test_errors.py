"""Errors are found by what nine clients print of them.

The texts are those of the clients' own tables: Kafka's `Errors`, librdkafka's rdkafka.c, Sarama's
errors.go, franz-go's kerr, kafka-go's error.go, KafkaJS's protocol/error.js, and the names of the
exceptions of Java, kafka-python and aiokafka.
"""

from __future__ import annotations

import re

import pytest

from kproto.capture.frames.error_codes import ERROR_NAMES
from kproto.capture.logs.reader import FAMILIES
from kproto.capture.logs.rows import Row
from kproto.clients.error_pages import error_pages, errors_in
from kproto.history.line_meanings import MEANINGS

_CODES = {
    12: "OFFSET_METADATA_TOO_LARGE", 14: "COORDINATOR_LOAD_IN_PROGRESS",
    15: "COORDINATOR_NOT_AVAILABLE", 16: "NOT_COORDINATOR", 22: "ILLEGAL_GENERATION",
    23: "INCONSISTENT_GROUP_PROTOCOL", 24: "INVALID_GROUP_ID", 25: "UNKNOWN_MEMBER_ID",
    26: "INVALID_SESSION_TIMEOUT", 27: "REBALANCE_IN_PROGRESS", 28: "OFFSET_METADATA_TOO_LARGE",
    30: "GROUP_AUTHORIZATION_FAILED", 68: "NON_EMPTY_GROUP", 69: "GROUP_ID_NOT_FOUND",
    79: "MEMBER_ID_REQUIRED", 81: "GROUP_MAX_SIZE_REACHED", 82: "FENCED_INSTANCE_ID",
    86: "GROUP_SUBSCRIBED_TO_TOPIC", 88: "UNSTABLE_OFFSET_COMMIT", 110: "FENCED_MEMBER_EPOCH",
    111: "UNRELEASED_INSTANCE_ID", 112: "UNSUPPORTED_ASSIGNOR", 113: "STALE_MEMBER_EPOCH",
    121: "INVALID_RECORD_STATE", 122: "SHARE_SESSION_NOT_FOUND", 124: "FENCED_STATE_EPOCH",
    128: "INVALID_REGULAR_EXPRESSION", 130: "STREAMS_INVALID_TOPOLOGY",
    132: "STREAMS_INVALID_TOPOLOGY", -1: "UNKNOWN_SERVER_ERROR", 1: "OFFSET_OUT_OF_RANGE",
    3: "UNKNOWN_TOPIC_OR_PARTITION", 35: "UNSUPPORTED_VERSION",
}  # fmt: skip
"""The page of each code that has to do with groups."""

_TEXTS: dict[int, tuple[str, ...]] = {
    # Java and KafkaJS, librdkafka, Sarama, kafka-go (title: description).
    14: ("The coordinator is loading and hence can't process requests.",
         "Broker: Coordinator load in progress",
         "kafka server: The coordinator is still loading offsets and cannot currently process",
         "[14] Group Load In Progress: the broker returns this error code"),
    15: ("The coordinator is not available.", "Broker: Coordinator not available",
         "kafka server: The coordinator is not available", "[15] Group Coordinator Not Available"),
    16: ("This is not the correct coordinator.", "Broker: Not coordinator",
         "kafka server: Request was for a consumer group that is not coordinated by this broker",
         "[16] Not Coordinator For Group"),
    22: ("Specified group generation id is not valid.",
         "Broker: Specified group generation id is not valid",
         "kafka server: The provided generation id is not the current generation",
         "[22] Illegal Generation"),
    23: ("The group member's supported protocols are incompatible with those of existing members",
         "Broker: Inconsistent group protocol",
         "kafka server: The provider group protocol type is incompatible with the other members",
         "[23] Inconsistent Group Protocol"),
    24: ("The configured groupId is invalid.", "Broker: Invalid group.id",
         "kafka server: The provided group id was empty", "[24] Invalid Group ID"),
    25: ("The coordinator is not aware of this member.", "Broker: Unknown member",
         "kafka server: The provided member is not known in the current generation",
         "[25] Unknown Member ID"),
    26: ("The session timeout is not within the range allowed by the broker",
         "Broker: Invalid session timeout",
         "kafka server: The provided session timeout is outside the allowed range",
         "[26] Invalid Session Timeout"),
    27: ("The group is rebalancing, so a rejoin is needed.", "Broker: Group rebalance in progress",
         "kafka server: A rebalance for the group is in progress. Please re-join the group",
         "[27] Rebalance In Progress"),
    28: ("The committing offset data size is not valid.",
         "Broker: Commit offset data size is not valid",
         "kafka server: The provided commit metadata was too large",
         "[28] Invalid Commit Offset Size: the committing offset data size is not valid"),
    30: ("Group authorization failed.", "Broker: Group authorization failed",
         "kafka server: The client is not authorized to access this group",
         "Not authorized to access group: Group authorization failed"),
    68: ("The group is not empty.", "kafka server: The group is not empty", "Non Empty Group"),
    69: ("The group id does not exist.", "The group id was not found"),
    79: ("The group member needs to have a valid member id before actually entering a group",
         "Broker: Group member needs a valid member ID", "[79] Member ID Required"),
    81: ("The consumer group has reached its max size.",
         "Broker: Consumer group has reached maximum size"),
    82: (("The broker rejected this static consumer since another consumer with the same "
         "group.instance.id has registered with a different member.id."),
         "Broker: Static consumer fenced by other consumer with same group.instance.id",
         "Local: This instance has been fenced by a newer instance"),
    86: ("Deleting offsets of a topic is forbidden while the consumer group is subscribed",),
    88: ("There are unstable offsets that need to be cleared.", "Unstable Offset Commit"),
    110: (("The member epoch is fenced by the group coordinator. The member must abandon all its "
          "partitions and rejoin."),),
    111: ("The instance ID is still used by another member in the consumer group.",),
    112: ("The assignor or its version range is not supported by the consumer group.",),
    113: ("The member epoch is stale. The member must retry after receiving its updated epoch",),
    130: ("The supplied topology is invalid.",), 132: ("The supplied topology epoch is outdated.",),
    122: ("The share session was not found.",),
    124: (("The share coordinator rejected the request because the share-group state epoch did not "
          "match."),),
    1: ("The requested offset is not within the range of offsets maintained by the server.",
        ("kafka server: The requested offset is outside the range of offsets maintained by the "
        "server"), "Broker: Offset out of range"),
    3: ("This server does not host this topic-partition.",),
}  # fmt: skip


def _page(text: str) -> str:
    pages = errors_in(text, ERROR_NAMES)
    return pages[0].name if pages else ""


@pytest.mark.parametrize("code", sorted(_CODES))
def test_each_code_of_groups_has_a_page(code: int) -> None:
    name = ERROR_NAMES[code]
    assert _page(name) == _CODES[code]
    for text in (f"errorCode: {code}", f"[Error {code}] failed", f"error code {code}",
                 f"error_code={code}"):  # fmt: skip
        assert _page(text) == _CODES[code], text
    for text in _TEXTS.get(code, ()):
        assert _page(f"2026-11-21 08:00:00 WARN something: {text}") == _CODES[code], text


@pytest.mark.parametrize("code", sorted(_CODES.keys() - {-1}))
def test_exceptions_are_named_after_their_codes(code: int) -> None:
    """Java's `…Exception`, the Python clients' `…Error`."""
    words = "".join(word.capitalize() for word in ERROR_NAMES[code].split("_"))
    for text in (words.removesuffix("Failed"), words):
        page = _page(f"org.apache.kafka.common.errors.{text}Exception: x")
        if page:
            assert page == _CODES[code]
    # Those of Kafka's exceptions and of kafka-python's that are not named so.
    odd = {68: "GroupNotEmpty", 30: "GroupAuthorization", 3: "UnknownTopicOrPartition"}
    assert _page(f"{odd.get(code, words)}Exception") == _CODES[code]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Local: Maximum application poll interval (max.poll.interval.ms) exceeded", "PollTimeout"),
        ("Local: Group partition assignment lost", "CommitFailedException"),
        ("Local: No offset to automatically reset to", "OFFSET_OUT_OF_RANGE"),
        (("kafka.errors.CommitFailedError: CommitFailedError: Commit cannot be completed since the "
         "group has already rebalanced"), "CommitFailedException"),
        ("aiokafka.errors.GroupLoadInProgressError", "COORDINATOR_LOAD_IN_PROGRESS"),
        ("KafkaJSNumberOfRetriesExceeded: x", "KafkaJSNumberOfRetriesExceeded"),
        ("consumer group generation has ended", "REBALANCE_IN_PROGRESS"),
        ("org.apache.kafka.streams.errors.TaskMigratedException: x", "TaskMigratedException"),
        (("org.apache.kafka.streams.errors.MissingSourceTopicException: One or more source topics "
         "were missing during rebalance"), "MissingSourceTopicException"),
        (("Detected that the thread is being fenced. This implies that this thread missed a "
         "rebalance and dropped out of the consumer group."), "TaskMigratedException"),
        ("Heartbeat failed for group g because it is rebalancing", "REBALANCE_IN_PROGRESS"),
        ("Unable to decode subscription data: version=12", "TaskAssignmentException"),
        (("RebalanceInProgressException: Offset commit cannot be completed since the consumer is "
          "undergoing a rebalance for auto partition assignment."), "REBALANCE_IN_PROGRESS"),
        (("CommitFailedException: Offset commit cannot be completed since the consumer is not part "
          "of an active group for auto partition assignment"), "CommitFailedException"),
        ("Undefined offset with no reset policy for partitions: [a-0]", "NoOffsetForPartition"),
        ("The cluster does not support the new CONSUMER group protocol.", "UNSUPPORTED_VERSION"),
        (("Cancelled in-flight HEARTBEAT request with correlation id 9 due to node 2147483646 "
          "being disconnected"), "ConnectionLost"),
        ("b:9092/1: 2 request(s) timed out: disconnect (after 61234ms)", "ConnectionLost"),
        # rd_kafka_broker_timeout_scan of librdkafka; handleDisconnections of Java's NetworkClient
        (("%5|1732667211.123|REQTMOUT|rdkafka#consumer-1| [thrd:GroupCoordinator]: "
          "GroupCoordinator/1: Timed out HeartbeatRequest in flight (after 60000ms, timeout #0)"),
         "ConnectionLost"),
        (("%4|1732667211.123|REQTMOUT|rdkafka#consumer-1| [thrd:GroupCoordinator]: "
          "GroupCoordinator/1: Timed out 1 in-flight, 0 retry-queued, 0 out-queue, 0 "
          "partially-sent requests"), "ConnectionLost"),
        ("[Consumer clientId=c1, groupId=g] Node 1 disconnected.", "ConnectionLost"),
        ("kafka.errors.NoBrokersAvailable: NoBrokersAvailable", "ConnectionLost"),
        ("KafkaConsumer is not safe for multi-threaded access", "ConcurrentModification"),
    ],
)  # fmt: skip
def test_other_errors_of_clients(text: str, name: str) -> None:
    assert _page(text) == name


@pytest.mark.parametrize(
    "text",
    ["GET /health 200 27 ms", "ERROR: relation \"groups\" does not exist", "error 404 not found",
     "worker process 25 exited", "terminated with error code 127 by the shell"],
)  # fmt: skip
def test_other_software_has_no_page(text: str) -> None:
    assert _page(text) == ""


def _words() -> set[str]:
    rows = {
        row.event
        for family in FAMILIES
        for row in getattr(getattr(family, "table", None), "rows", ())
        if isinstance(row, Row)
    }
    return rows - {""}


def test_each_event_of_a_line_has_a_meaning() -> None:
    words = _words()
    assert words <= MEANINGS.keys(), words - MEANINGS.keys()
    assert all(re.fullmatch(r"[A-Z].*\.", text) for text in MEANINGS.values())


def test_the_pages_are_whole() -> None:
    for page in error_pages().values():
        assert all((page.title, page.texts, page.what, page.group, page.apart, page.first))
