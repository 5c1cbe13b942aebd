"""The closed set of causes: why one rebalance began (`TRIGGERS`), and what is wrong with a group or
was done to it (`ROOTS`). The story, the audit, `group` and the pages take their words from here.

A cause is certain only where something proves it, which the table names; else it is likely, and its
rivals are the causes that leave the same traces.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["CAUSES", "ROOTS", "TRIGGERS", "CauseFacts", "Certainty", "certainty_in_records"]

Certainty: TypeAlias = Literal["certain", "likely"]


class CauseFacts(NamedTuple):
    """What is known of a cause: what happened, what proves it, how certain the records of the
    offsets topic alone can make it ("" where they never show it), the causes that leave the same
    traces, and what to do first."""

    what: str
    proof: str
    in_records: Certainty | Literal[""] = ""
    rivals: tuple[str, ...] = ()
    advice: str = ""


_FREQUENT_REASONS = (
    "Read the log of the member that comes back most often: it says whether its poll limit passed, "
    "its session expired, or its process started anew."
)

_TRIGGERS: dict[str, CauseFacts] = {
    "member-joined": CauseFacts(
        "a new member",
        "broker; frames; records: likely (a returning dynamic member has a new id, and compaction "
        "hides earlier ones)",
        "likely",
        ("session-expired", "poll-timeout-exceeded", "crash-loop"),
        _FREQUENT_REASONS,
    ),
    "member-left": CauseFacts(
        "a member said that it leaves",
        "broker, its log, frames; records: only that it is gone",
        "likely",
        ("session-expired", "poll-timeout-exceeded", "rebalance-timeout", "removed-by-admin"),
        _FREQUENT_REASONS,
    ),
    "removed-by-admin": CauseFacts(
        "somebody removed it",
        "reason in broker's log or LeaveGroup",
        advice="Find out who removed it: the reason of LeaveGroup names the tool.",
    ),
    "session-expired": CauseFacts(
        "no heartbeat within the session",
        "broker's `has failed`; KIP-848 `fenced … because the member session expired`",
        "likely",
        ("process-died", "process-stood-still", "network-cut", "poll-timeout-exceeded"),
        "Look for what keeps the process from sending heartbeats: a crash, a long garbage "
        "collection, a frozen or throttled machine, a cut network. Raise session.timeout.ms only "
        "if the pauses are harmless.",
    ),
    "poll-timeout-exceeded": CauseFacts(
        "the application did not poll within max.poll.interval.ms",
        "leave reason, the client's line unless the broker removed it before; "
        "records: likely at most (the stay is about that long, again and again)",
        "likely",
        ("crash-loop", "session-expired"),
        "Raise max.poll.interval.ms or lower max.poll.records (not with librdkafka, whose poll "
        "returns one message); or process records outside the polling thread. The client's log "
        "names the limit that passed.",
    ),
    "rebalance-timeout": CauseFacts(
        "a member did not join in time",
        "broker",
        advice="Look at the member that does not rejoin: its poll loop or its revocation callback "
        "takes longer than max.poll.interval.ms.",
    ),
    "slow-revoke-callback": CauseFacts(
        "partitions kept longer than allowed",
        "broker (KIP-848), the client's times",
        advice="Shorten onPartitionsRevoked: it hangs, or its commit does not end.",
    ),
    "sync-not-sent": CauseFacts(
        "joined, no SyncGroup",
        "broker",
        advice="Look at the member that joined and went silent: it hangs between JoinGroup and "
        "SyncGroup.",
    ),
    "static-member-came-back": CauseFacts(
        "a restart within the session, same instance id", "broker, frames, records", "certain"
    ),
    "static-member-came-back-too-late": CauseFacts(
        "after the session's end",
        "broker, frames, records",
        "certain",
        ("session-expired", "poll-timeout-exceeded", "crash-loop"),
        "Raise session.timeout.ms above the time that a restart takes, so that a restart "
        "causes no rebalance.",
    ),
    "instance-id-used-twice": CauseFacts(
        "two processes with one instance id",
        "the displaced member's heartbeats or commits are refused (fenced) after the other's join "
        "was answered, or hosts alternate A, B, A; a fenced join, a client's fenced line alone, or "
        "`unreleased`: likely, rival `static-member-came-back`",
        "likely",
        ("static-member-came-back",),
        "Give every process a group.instance.id of its own; look for a copied file.",
    ),
    "metadata-changed": CauseFacts(
        "topics or partitions of the subscription changed",
        "the client's reason, metadata hash; records: partitions assigned that were not there",
        "certain",
    ),
    "subscription-changed": CauseFacts(
        "a member subscribes to other topics",
        "the bytes",
        "certain",
        advice="Subscribe once: an application that calls subscribe() with other topics again and "
        "again makes the group rebalance each time.",
    ),
    "protocol-changed": CauseFacts(
        "another assignor was chosen",
        "records, frames",
        "certain",
        advice="Finish the rolling change, so that all members list the same assignors.",
    ),
    "rebalance-timeout-unset": CauseFacts(
        "members join with a rebalance timeout of -1 and throw each other out",
        "the bytes of the join, the records",
        "certain",
        advice="Set the rebalance timeout in these clients (max.poll.interval.ms, or "
        "rebalance.timeout.ms): with -1 the coordinator waits for nobody in a rebalance.",
    ),
    "cooperative-second-round": CauseFacts(
        "partitions revoked in the first round are given in the second",
        "the bytes, reason",
        "certain",
    ),
    "leader-rejoined": CauseFacts(
        "the leader joined again by itself, nothing else changed",
        "broker, frames, records (likely)",
        "likely",
        ("metadata-flapping", "subscription-changed"),
        "Look into the leader's log for why it joins again: topics that it sees come and go, an "
        "application that calls subscribe() or enforceRebalance() in a loop. Nobody crashed.",
    ),
    "probing-rebalance": CauseFacts(
        "Streams looks whether a warm-up is done",
        "nextScheduledRebalance in the assignment",
        "certain",
        advice="This is how Streams moves tasks to warmed-up copies (KIP-441): wait until "
        "restoring ends. If it never ends, raise acceptable.recovery.lag. Or raise "
        "max.warmup.replicas, or probing.rebalance.interval.ms for fewer rebalances.",
    ),
    "connect-config-changed": CauseFacts(
        "a connector was created, changed or deleted, or its tasks were",
        "the worker's line",
        "likely",
        ("connect-delayed-rebalance", "cooperative-second-round"),
        "Each change of a configuration is a rebalance of Connect. If nobody changes any, look for "
        "what writes into the config topic: a deployment in a loop, a connector that asks for new "
        "tasks (requestTaskReconfiguration), as MirrorMaker does when topics come and go.",
    ),
    "connect-delayed-rebalance": CauseFacts(
        "Connect gives out what it held back",
        "Connect's log, delay in the assignment",
        "certain",
        advice="Find out which worker left: its tasks were held back for "
        "scheduled.rebalance.max.delay.ms.",
    ),
    "coordinator-restarted": CauseFacts(
        "the partition of the offsets topic was loaded (elsewhere)", "broker"
    ),
    "coordinator-moved": CauseFacts(
        "the partition of the offsets topic was loaded (elsewhere)", "broker"
    ),
    "migration": CauseFacts("the group's protocol is converted", "broker, records", "certain"),
    "unknown": CauseFacts("", "", "", (), _FREQUENT_REASONS),
}

_ROOTS: dict[str, CauseFacts] = {
    "process-died": CauseFacts(
        "killed, crashed",
        "`kubectl`, systemd, a trace that ends the program; the end of a client's log, `has "
        "failed` without a return: likely",
        "",
        ("process-stood-still", "network-cut"),
        "Read the end of the process's log, and what killed it (kubectl describe pod, journalctl).",
    ),
    "process-stood-still": CauseFacts(
        "no line, no heartbeat, then all at once",
        "a gap in all lines of the client, then `session timed out`; a collector's log",
        "",
        ("network-cut", "process-died"),
        "Look for long garbage collections, swapping, or a throttled container.",
    ),
    "network-cut": CauseFacts(
        "the process went on, the broker heard nothing",
        "the client's own lines go on during the session that expired, its requests cancelled",
        "",
        ("process-stood-still",),
        "Check the network between this client and its coordinator.",
    ),
    "crash-loop": CauseFacts(
        "the same client starts again and again",
        "three or more starts in its log or `kubectl`; records: likely",
        "likely",
        ("session-expired", "poll-timeout-exceeded"),
        "Find out what ends the process: kubectl describe pod (OOMKilled, a failed liveness "
        "probe), journalctl, the last lines of its log. With a group.instance.id and a session "
        "longer than a restart it causes no rebalance.",
    ),
    "rolling-restart": CauseFacts(
        "members are restarted one after the other",
        "a source that says it (`kubectl` events); else likely",
        "likely",
        ("autoscaling",),
    ),
    "autoscaling": CauseFacts(
        "more or fewer members",
        "a source that says it (`kubectl` events); else likely",
        "likely",
        ("rolling-restart",),
    ),
    "commit-failed": CauseFacts(
        "a commit refused: after the loss of membership, or with the generation of an earlier "
        "round; its records are read twice",
        "the client's line, frames",
        advice="Find out why the member lost its membership before it committed.",
    ),
    "no-common-assignor": CauseFacts(
        "the lists have none in common",
        "the refusal (client's line, frames)",
        advice="Give all members an assignor in common (partition.assignment.strategy).",
    ),
    "unreadable-subscription": CauseFacts(
        "a leader cannot read a member's bytes",
        "the leader's exception; the bytes with the leader's client",
        advice="Update the client that wrote the bytes, if a release mends it, or move it to a "
        "group of its own kind.",
    ),
    "leader-fails": CauseFacts(
        "the leader joins and sends no assignment",
        "broker: `Stabilized` without `Assignment received`, then the leader leaves or fails",
        advice="Read the leader's log: its assignor fails.",
    ),
    "metadata-flapping": CauseFacts(
        "the topics that members see change to and fro",
        "the client's reason, the bytes",
        "likely",
        ("leader-rejoined", "subscription-changed"),
        "Find out why topics or partitions come and go for the member: brokers that answer "
        "Metadata differently, a topic that is deleted and created again, an ACL on some brokers "
        "alone, a regular expression over short-lived topics. Nobody crashed, and no poll is slow.",
    ),
    "two-clusters-in-one-group": CauseFacts(
        "Connect workers of two clusters",
        "config offsets or topics that differ in every generation",
        "certain",
        ("connect-config-behind",),
        "Give each Connect cluster a group.id of its own; workers of one cluster share "
        "config.storage.topic, offset.storage.topic and status.storage.topic.",
    ),
    "two-applications-in-one-group": CauseFacts(
        "subscriptions that differ for good",
        "the bytes; likely",
        "likely",
        ("subscription-changed", "rolling-restart"),
        "Give each application a group.id of its own: each restart of one makes the other "
        "rebalance, and the lag of the group is that of both.",
    ),
    "source-topic-missing": CauseFacts(
        "Streams' error code in the assignment",
        "the bytes",
        "certain",
        advice="Create the missing source topic (or allow the application to see it), then start "
        "all instances again: each shuts down when it is told this error.",
    ),
    "connect-config-behind": CauseFacts(
        "Connect's leader has not read the newest config offset and answers with an empty "
        "configuration, round after round",
        "the worker's line",
        "likely",
        ("two-clusters-in-one-group",),
        "Look into the leader's log for why it cannot read its config topic to the end.",
    ),
    "client-fault": CauseFacts(
        "the client stops its heartbeats, beats to the wrong broker, joins in a loop, by a known "
        "fault of that release",
        "likely, where release and symptom match",
        advice="Update the client.",
    ),
    "broker-fault": CauseFacts(
        "a known fault of the broker's release (such as KAFKA-8653)",
        "likely, the same",
        advice="Update the broker.",
    ),
    "group-record-too-large": CauseFacts(
        "SyncGroup answered with UNKNOWN_SERVER_ERROR: the group's record exceeds "
        "max.message.bytes",
        "the broker's RecordTooLargeException; else likely, with the size",
        advice="Raise max.message.bytes of __consumer_offsets, or divide the group.",
    ),
    "offsets-partition-not-loadable": CauseFacts(
        "a broker cannot load the partition: its groups have no coordinator",
        "broker's log; the records, for the release",
        "likely",
        ("broker-fault",),
        "Keep the leader of this partition from restarting or moving until it can be loaded, and "
        "update the brokers to a release that loads it (kproto's tests did not try it). "
        "A broker that has failed names the record in its log.",
    ),
    "offsets-expired": CauseFacts(
        "committed offsets are gone, or outside of the log",
        "records, a live broker",
        "certain",
        advice="Raise offsets.retention.minutes above the longest time that the group is stopped. "
        "To go on where it was, stop the group and set the offsets (kafka-consumer-groups "
        "--reset-offsets, as the evidence says; first with --dry-run).",
    ),
    "offsets-out-of-range": CauseFacts(
        "committed offsets are gone, or outside of the log", "records, a live broker", "certain"
    ),
}

TRIGGERS: Mapping[str, CauseFacts] = MappingProxyType(_TRIGGERS)
"""Why one rebalance began."""
ROOTS: Mapping[str, CauseFacts] = MappingProxyType(_ROOTS)
"""What is wrong with a group, or was done to it."""
CAUSES: Mapping[str, CauseFacts] = MappingProxyType({**_TRIGGERS, **_ROOTS})
"""Every cause."""


def certainty_in_records(word: str) -> Certainty:
    """Return how certain the records of the offsets topic make a cause at best.

    >>> certainty_in_records("protocol-changed"), certainty_in_records("member-left")
    ('certain', 'likely')
    """
    return CAUSES[word].in_records or "likely"
