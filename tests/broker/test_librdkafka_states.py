"""Join states of simulated members of kind librdkafka, beside those in the log of real ones."""

from __future__ import annotations

import logging
import re
import time
from typing import Any

import pytest
from confluent_kafka import Consumer
from confluent_kafka import admin as kafka_admin

from kproto.rebalance.simulation import read_scenario, run
from kproto.rebalance.simulation.modern.member_state import JoinState
from tests.broker.broker import Broker

pytestmark = pytest.mark.long
of: Any = kafka_admin  # its types leave out what it takes
CHANGED = re.compile(r"changed join state (\S+) -> (\S+)")
SECONDS = 12
TOPIC = "join-states"


class States(logging.Handler):
    """The join states in the order in which a consumer's log names them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        change = CHANGED.search(record.getMessage())
        if change:
            self.found.append(change[2])


class Member:
    """A real consumer, polled by `poll`."""

    def __init__(self, bootstrap: str, name: str) -> None:
        self.states = States()
        logger = logging.getLogger(f"join-states-{name}")
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        logger.addHandler(self.states)
        self.consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": TOPIC,
                "client.id": name,
                "group.protocol": "consumer",
                "debug": "cgrp",
            },
            logger=logger,
        )
        self.consumer.subscribe([TOPIC])


SIMULATED = """
duration = 90
topics = { join-states = 4 }
[defaults]
protocol = "consumer"
client = "librdkafka"
[[members]]
name = "a"
[[members]]
name = "b"
start = 20
[[events]]
at = 40
do = "stop"
member = "b"
[[events]]
at = 60
do = "stop"
member = "a"
"""


def test_join_states_are_those_of_a_real_member(broker: Broker) -> None:
    admin = of.AdminClient({"bootstrap.servers": broker.bootstrap})
    for made in admin.create_topics([of.NewTopic(TOPIC, 4, 1)]).values():
        made.result(30)
    a = Member(broker.bootstrap, "a")
    poll(a)
    b = Member(broker.bootstrap, "b")
    poll(a, b)
    b.consumer.close()
    poll(a)
    a.consumer.close()
    record = run(read_scenario(SIMULATED, "join-states")).record
    names = frozenset(JoinState)
    for real, name in ((a, "a"), (b, "b")):
        simulated = [e.what for e in record.events if e.who == name and e.what in names]
        assert simulated == real.states.found


def poll(*members: Member) -> None:
    """Poll for two heartbeat intervals and more, in which a group comes to rest."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for member in members:
            member.consumer.poll(0.1)
