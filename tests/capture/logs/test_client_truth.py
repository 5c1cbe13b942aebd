"""Events of clients' logs against what really happened: frames and callbacks of the same runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from kproto.capture.logs.event import LogEvent
from tests.capture.logs.recorded import read, text, truth

JOINS = {"joined", "joins", "leader-assigns", "assigned", "leaves", "join-refused"}
REFUSALS = {"heartbeat-refused"}
OWNERSHIP = {"callbacks"}
KIP_848 = {"joins", "epoch", "is-given", "reports-it-owns", "leaves", "callbacks"}

# The log of each client, and what it tells completely; of the rest it tells nothing that did not
# happen.
LOGS = {
    "family-librdkafka/m1.stderr": JOINS | REFUSALS | OWNERSHIP,
    "family-librdkafka/m2.stderr": set(),
    "family-librdkafka/m3.stderr": JOINS | REFUSALS | OWNERSHIP,
    "librdkafka-cooperative/m1.stderr": (JOINS | REFUSALS | OWNERSHIP) - {"leader-assigns"},
    "librdkafka-cooperative/m2.stderr": JOINS | REFUSALS | OWNERSHIP,
    "consumer-group-848-librdkafka/m1.stderr": KIP_848,
    "consumer-group-848-librdkafka/m2.stderr": KIP_848,
    "family-sarama/m1.debug": {"joined"},
    "family-sarama/m2": {"joined"},
    "family-sarama/m3": set(),
    "sarama-vs-java-protocol/m1": {"joined"},
    "sarama-vs-java-protocol/m4": {"joins", "join-refused"},  # franz-go
    "sarama-vs-java-protocol/m5": {"join-refused"},  # KafkaJS
    "family-kafka-go/m1": {"joined", "leader-assigns", "assigned", "leaves"},
    "family-kafka-go/m2": {"joined", "leader-assigns", "assigned", "leaves"},
    "unreadable-member-stops-leader/m2": {"joined", "leader-assigns", "assigned", "leaves"},
    "family-kafkajs/m1.debug": JOINS | REFUSALS,
    "family-kafkajs/m2": REFUSALS,
    "family-kafkajs/m3": REFUSALS,
    "family-kafka-python/m1.debug": JOINS | REFUSALS | OWNERSHIP,
    "family-kafka-python/m2": (JOINS | REFUSALS | OWNERSHIP) - {"leader-assigns"},
    "family-kafka-python/m3": JOINS | REFUSALS | OWNERSHIP,
}  # fmt: skip


@cache
def events_of(log: str) -> tuple[LogEvent, ...]:
    return tuple(read(text(f"{log}.log")))


def spelled(partitions: object) -> tuple[str, ...]:
    """Partitions of an event, as the truth has them."""
    assert isinstance(partitions, tuple)
    return tuple(sorted(f"{topic}-{number}" for topic, number in partitions))


def named(partitions: list[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in partitions if name != "(nothing)"))


def plan_of(assignment: Mapping[str, Any], share_of: Callable[[Any], object]) -> object:
    return tuple(sorted((member, share_of(share)) for member, share in assignment.items()))


# What an event tells: a kind of fact, and the fact.
TOLD: dict[str, Callable[[LogEvent], tuple[str, object]]] = {
    "joined": lambda event: ("joined", (event.generation, event.member)),
    "session-ended": lambda event: ("joined", (event.generation, event.member)),
    "joins": lambda event: ("joins", ""),
    "leaves": lambda event: ("leaves", event.member),
    "leader-assigns": lambda event: (
        "leader-assigns" if "assignment" in event.fields else "target",
        (event.generation, plan_of(event.fields.get("assignment", {}), spelled)),
    ),
    "member-id-given": lambda event: ("join-refused", event.fields["error"]),
    "join-refused": lambda event: ("join-refused", event.fields["error"]),
    "heartbeat-refused": lambda event: ("heartbeat-refused", event.fields["error"]),
    "epoch": lambda event: ("epoch", event.generation),
    "is-given": lambda event: ("is-given", share_of(event)),
    "reports-it-owns": lambda event: ("reports-it-owns", share_of(event)),
}
HAPPENED: dict[str, Callable[[Mapping[str, Any]], tuple[str, object]]] = {
    "joined": lambda event: ("joined", (event["generation"], event["member"])),
    "joins": lambda event: ("joins", ""),
    "leaves": lambda event: ("leaves", event["member"]),
    "leader assigns": lambda event: (
        "leader-assigns",
        (event["generation"], plan_of(event["assignment"], named)),
    ),
    "assigned": lambda event: (
        "assigned",
        (event["generation"], named(event.get("partitions", []))),
    ),
    "join refused": lambda event: ("join-refused", event["error"]),
    "heartbeat refused": lambda event: ("heartbeat-refused", event["error"]),
    "epoch": lambda event: ("epoch", event["epoch"]),
    "is given": lambda event: ("is-given", (event["epoch"], named(event["partitions"]))),
    "reports it owns": lambda event: (
        "reports-it-owns",
        (event["epoch"], named(event["partitions"])),
    ),
}
_WITH_CALLBACKS = ("librdkafka", "kafka-python")


def share_of(event: LogEvent) -> tuple[int, object]:
    return event.generation, spelled(event.fields["partitions"])


def told(events: tuple[LogEvent, ...]) -> Iterator[tuple[str, object]]:
    """What a log tells."""
    for event in events:
        if event.event in TOLD:
            yield TOLD[event.event](event)
        if event.event.startswith("partitions-") and event.family in _WITH_CALLBACKS:
            yield "callbacks", (event.event[11:], spelled(event.fields["partitions"]))
    yield from {
        ("assigned", share_of(event))
        for event in events
        if event.event in ("given", "assigned", "partitions-assigned")
        and "partitions" in event.fields
        and not event.fields.get("is_incremental")
        and event.generation != -1
    }


def happened(run: str, client: str) -> Iterator[tuple[str, object]]:
    """What really happened. A member's log does not have its epochs 0 and -1."""
    run_truth = truth(run)
    for event in run_truth["events"]:
        is_told = event["what"] in HAPPENED and event.get("epoch", 1) > 0
        if event["client"] == client and is_told:
            yield HAPPENED[event["what"]](event)
    for callback in run_truth["callbacks"]:
        is_change = callback["event"] in ("assigned", "revoked", "lost")
        is_first = callback["event"] == "revoked" and not callback["partitions"]
        if callback["member"] == client and is_change and not is_first:
            yield "callbacks", (callback["event"], named(callback["partitions"]))


@pytest.mark.parametrize("log", LOGS)
def test_a_log_tells_what_happened(log: str) -> None:
    """Completely what the client prints, and nothing that did not happen."""
    run, _, file = log.partition("/")
    facts, claims = Counter(happened(run, file.partition(".")[0])), Counter(told(events_of(log)))
    assert not [claim for claim in claims - facts if claim[0] != "target"]
    for kind in LOGS[log]:
        assert {key: count for key, count in claims.items() if key[0] == kind} == {
            key: count for key, count in facts.items() if key[0] == kind
        }


@pytest.mark.parametrize("log", LOGS)
def test_members_and_groups_are_those_of_the_run(log: str) -> None:
    run = log.partition("/")[0]
    run_events = truth(run)["events"]
    groups = {event["group"] for event in run_events}
    members = {event.get("member", "") for event in run_events} | {""}
    for event in events_of(log):
        assert event.group in groups | {""}
        assert event.member in members


@pytest.mark.parametrize("log", ["librdkafka-cooperative/m1.stderr"])
def test_a_target_is_no_assignment(log: str) -> None:
    """A cooperative leader of librdkafka prints its target, of which it leaves out what others
    still own: that is told as a target, and each member is assigned a part of it."""
    plans = {
        event["generation"]: event["assignment"]
        for event in truth("librdkafka-cooperative")["events"]
        if event["what"] == "leader assigns" and event["client"] == "m1"
    }
    events = [event for event in events_of(log) if event.event == "leader-assigns"]
    targets = [event for event in events if "target" in event.fields]
    assert {event.generation for event in events} == set(plans)
    assert targets
    for event in targets:
        for member, share in event.fields["target"].items():
            assert set(named(plans[event.generation][member])) <= set(spelled(share))
        assert any(
            set(named(plans[event.generation][member])) < set(spelled(share))
            for member, share in event.fields["target"].items()
        )


@pytest.mark.parametrize("log", [name for name in LOGS if "sarama/" in name])
def test_sarama_adds_what_a_session_has(log: str) -> None:
    """The partitions that a session's lines add, one by one, are those of its generation."""
    run, _, file = log.partition("/")
    client = file.partition(".")[0]
    shares = {
        event["generation"]: set(event["partitions"])
        for event in truth(run)["events"]
        if event["what"] == "assigned" and event["client"] == client
    }
    sessions: list[set[str]] = [set()]
    was_revoked = False
    for event in events_of(log):
        if event.event == "partitions-assigned":
            if was_revoked:
                sessions.append(set())
            sessions[-1] |= set(spelled(event.fields["partitions"]))
        was_revoked = event.event != "partitions-assigned"
    assert sessions == [shares[generation] for generation in sorted(shares)]


def test_kafkajs_at_info_tells_members_and_partitions() -> None:
    """Its joins have no generation, but all else."""
    for client in ("m2", "m3"):
        shares = [
            named(event["partitions"])
            for event in truth("family-kafkajs")["events"]
            if event["what"] == "assigned" and event["client"] == client
        ]
        events = events_of(f"family-kafkajs/{client}")
        joins = [event for event in events if event.event == "joined-and-synced"]
        assert [spelled(event.fields["partitions"]) for event in joins] == shares
        assert {event.generation for event in joins} == {-1}


def test_the_lines_without_debug() -> None:
    """Without `debug=cgrp`, librdkafka tells the poll's limit, and by how much it was passed."""
    (event,) = events_of("family-librdkafka/m2.stderr")
    assert (event.event, event.client) == ("poll-timeout", "m2")
    assert (event.fields["limit_ms"], event.fields["over_ms"]) == (8000, 342)
