"""What Java's consumer refuses to be constructed with, as `clients/settings.toml` has it."""

from __future__ import annotations

import subprocess

from kproto.clients.settings import refusals
from kproto.fuzz.building import compile_java
from tests.broker.broker import HERE, Broker, java

CASES = {
    ("heartbeat.interval.ms", "session.timeout.ms"):
        "heartbeat.interval.ms=6000 session.timeout.ms=3000",
    ("group.protocol", "partition.assignment.strategy"):
        "group.protocol=consumer partition.assignment.strategy="
        "org.apache.kafka.clients.consumer.RangeAssignor",
    ("group.protocol", "session.timeout.ms"): "group.protocol=consumer session.timeout.ms=9000",
    ("group.protocol", "heartbeat.interval.ms"): "group.protocol=consumer heartbeat.interval.ms=9",
    ("group.remote.assignor", "group.protocol"):
        "group.protocol=classic group.remote.assignor=uniform",
    ("max.poll.interval.ms", "session.timeout.ms"): "max.poll.interval.ms=5000",
}  # fmt: skip


def test_what_java_refuses(broker: Broker) -> None:
    classes = compile_java((HERE / "Refusals.java").read_bytes(), "Refusals", broker.jars)
    command = java(broker.jars, "Refusals", more=(classes,))
    text = "\n".join(CASES.values())
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    for names, line in zip(CASES, done.stdout.splitlines(), strict=True):
        words = [refusal.says for refusal in refusals("kafka-clients", *names)]
        assert words == ([] if line == "taken" else [line])
