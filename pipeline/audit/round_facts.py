"""What the bytes of a classic group's record say about why the group rebalances: kept of each of
the last records, for the rules that name the cause of a storm."""

from __future__ import annotations

from typing import NamedTuple

from ...rebalance.frameworks import (
    CONNECT,
    STREAMS_PROTOCOL,
    ConnectRound,
    StreamsRound,
    connect_round,
    streams_round,
)
from .classic_record import Step

__all__ = ["NO_FACTS", "Round", "RoundFacts", "connect_of", "facts_of", "streams_of"]

MAX_KEPT = 1000
"""Clients, workers and topics that are kept of one record: what changes may be any of them."""


class RoundFacts(NamedTuple):
    """What one generation's bytes say. `without_timeout` are the clients that joined with a
    rebalance timeout of -1; `subscriptions` are the topics of each client; `sizes` are how many
    partitions of each topic are assigned; `metadata` is the hash of what the broker sees of the
    topics, where it assigns. Each has the first of many."""

    without_timeout: tuple[str, ...] = ()
    streams: StreamsRound = StreamsRound()
    connect: ConnectRound = ConnectRound()
    subscriptions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    metadata: tuple[tuple[str, tuple[str, ...]], ...] = ()


NO_FACTS = RoundFacts()


class Round(NamedTuple):
    """A record of a stretch: what is kept of it to name the cause of a storm. `cause` is why the
    rebalance that led to it began, a word of `history.causes`; time in milliseconds since 1970.
    """

    generation: int
    timestamp: int
    cause: str
    facts: RoundFacts


def facts_of(step: Step, previous: RoundFacts | None, metadata: str = "") -> RoundFacts:
    """Return the facts of a record: the same object as `previous` where they are equal. `metadata`
    is the hash of the topics, "" where there is none."""
    unset = {member.client_id for member in step.members if member.has_no_rebalance_timeout}
    without_timeout = tuple(sorted(unset))[:MAX_KEPT]
    if step.protocol_type == CONNECT:
        facts = RoundFacts(without_timeout, connect=connect_of(step))
    elif step.is_consumer:
        facts = RoundFacts(
            without_timeout,
            streams_of(step),
            subscriptions=_subscriptions(step),
            sizes=tuple((topic, step.sizes[topic][0]) for topic in sorted(step.sizes)[:MAX_KEPT]),
        )
    else:
        hashes = (("hash", (metadata,)),) if metadata else ()
        facts = RoundFacts(without_timeout, metadata=hashes)
    return previous if previous is not None and facts == previous else facts


def streams_of(step: Step) -> StreamsRound:
    """Return what the leader of a Streams group told its members."""
    if step.protocol != STREAMS_PROTOCOL:
        return StreamsRound()
    assignments = (member.given for member in step.members)
    return streams_round(
        assignment.user_data for assignment in assignments if assignment is not None
    )


def connect_of(step: Step) -> ConnectRound:
    """Return what the members of a Connect group told their leader, and its answer."""
    members = step.members[:MAX_KEPT] if step.protocol_type == CONNECT else ()
    return connect_round(
        (member.member_id, member.metadata, member.assignment) for member in members
    )


def _subscriptions(step: Step) -> tuple[tuple[str, tuple[str, ...]], ...]:
    topics = {
        (member.client_id, tuple(sorted(member.topics))[:MAX_KEPT]) for member in step.members
    }
    return tuple(sorted(topics)[:MAX_KEPT])
