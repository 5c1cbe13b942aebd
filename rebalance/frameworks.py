"""What Kafka Streams and Kafka Connect put into the bytes of their groups' members, as far as it
says why a group rebalances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..codec import (
    AssignmentInfo,
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    DecodeError,
)

__all__ = [
    "CONNECT",
    "STREAMS_ERRORS",
    "STREAMS_PROTOCOL",
    "ConnectRound",
    "StreamsRound",
    "Worker",
    "connect_round",
    "streams_round",
    "topics_by_subtopology",
]

CONNECT = "connect"
"""The protocol type of a group of Connect workers."""
STREAMS_PROTOCOL = "stream"
"""The protocol of a classic group of Kafka Streams."""
_NEVER = (1 << 63) - 1

STREAMS_ERRORS = {
    1: "a source topic is missing, or has no partitions yet: every instance shuts down",
    2: "the members use versions of the protocol that the leader has to ask for",
    3: "the leader's assignor failed: every instance shuts down",
    4: "an instance asked the whole application to shut down",
}
"""What an error code in an assignment of Streams means to its members (AssignorError)."""


class StreamsRound(NamedTuple):
    """What the leader of a Streams group told its members: an error code (0: none), and when a
    member is to rejoin in order to see whether a warm-up is done, in milliseconds since 1970 (None:
    not planned)."""

    error_code: int = 0
    next_rebalance_ms: int | None = None


def streams_round(user_data: Iterable[bytes | None]) -> StreamsRound:
    """Return what the user data of a Streams group's assignments says."""
    error_code, next_rebalance = 0, _NEVER
    for data in user_data:
        try:
            info = AssignmentInfo.from_bytes(data or b"")
        except DecodeError:
            continue
        error_code = error_code or info.error_code
        if info.next_rebalance_ms > 0:
            next_rebalance = min(next_rebalance, info.next_rebalance_ms)
    return StreamsRound(error_code, None if next_rebalance == _NEVER else next_rebalance)


class Worker(NamedTuple):
    """A Connect worker: its member id, its URL, and how far it has read its topic of
    configurations; None where its metadata is not there or cannot be read."""

    member_id: str
    url: str | None
    config_offset: int | None


class ConnectRound(NamedTuple):
    """What the members of a Connect group told their leader, and what it answered: the offset of
    the configurations that it assigned by, its error (1: configurations that differ), and the delay
    after which it gives out what it holds back. None where no answer can be read."""

    workers: tuple[Worker, ...] = ()
    leader_url: str | None = None
    config_offset: int | None = None
    error: int = 0
    delay_ms: int = 0

    @property
    def offsets(self) -> frozenset[int]:
        """The config offsets of the workers."""
        return frozenset(
            worker.config_offset for worker in self.workers if worker.config_offset is not None
        )


def connect_round(members: Iterable[tuple[str, bytes, bytes]]) -> ConnectRound:
    """Return what member ids, metadata and assignments of a Connect group say."""
    workers: list[Worker] = []
    answer: ConnectProtocolAssignment | None = None
    for member_id, metadata, assignment in members:
        try:
            message = ConnectProtocolMetadata.from_bytes(metadata)
            workers.append(Worker(member_id, message.url, message.config_offset))
        except DecodeError:
            workers.append(Worker(member_id, None, None))
        if answer is None and assignment:
            try:
                answer = ConnectProtocolAssignment.from_bytes(assignment)
            except DecodeError:
                continue
    if answer is None:
        return ConnectRound(tuple(workers))
    return ConnectRound(
        tuple(workers), answer.leader_url, answer.config_offset, answer.error, max(answer.delay, 0)
    )


def topics_by_subtopology(topology: Any | None) -> dict[str, tuple[str, ...]]:
    """Return the topics that the tasks of each subtopology of a Streams group read (KIP-1071).
    `topology` is that of a description, or the value of its record."""
    return {
        part.subtopology_id: (
            *part.source_topics,
            *(topic.name for topic in part.repartition_source_topics),
        )
        for part in (topology.subtopologies or () if topology is not None else ())
    }
