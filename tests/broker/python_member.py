"""A consumer of a Python client, in a process of its own.

    python python_member.py CLIENT BOOTSTRAP GROUP CLIENT_ID TOPIC [GROUP_PROTOCOL]

It joins with the range assignor, or lets the broker assign (group protocol "consumer", which only
confluent-kafka knows), commits now and then, and prints what its callbacks are told, a JSON object
a line: {"event": "assigned", "partitions": ["orders-0", ...]}, or "revoked", or "lost". It ends
when its stdin does.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterable
from threading import Event, Thread
from typing import Any

MS = 3000
"""The session timeout."""

ended = Event()


def tell(event: str, partitions: Iterable[Any]) -> None:
    names = sorted(f"{each.topic}-{each.partition}" for each in partitions)
    print(json.dumps({"event": event, "partitions": names}), flush=True)


def confluent(
    bootstrap: str, group: str, client: str, topic: str, protocol: str = "classic"
) -> None:
    from confluent_kafka import Consumer

    classic = {
        "partition.assignment.strategy": "range", "session.timeout.ms": MS,
        "heartbeat.interval.ms": 100,
    }  # fmt: skip
    consumer = Consumer({
        "bootstrap.servers": bootstrap, "group.id": group, "client.id": client,
        "auto.offset.reset": "earliest", "group.protocol": protocol,
        **(classic if protocol == "classic" else {}),
    })  # fmt: skip
    consumer.subscribe(
        [topic],
        on_assign=lambda _, partitions: tell("assigned", partitions),
        on_revoke=lambda _, partitions: tell("revoked", partitions),
        on_lost=lambda _, partitions: tell("lost", partitions),
    )
    while not ended.is_set():
        consumer.poll(0.1)
    consumer.close()


def kafka_python(bootstrap: str, group: str, client: str, topic: str) -> None:
    from kafka import ConsumerRebalanceListener, KafkaConsumer
    from kafka.coordinator.assignors.range import RangePartitionAssignor

    class Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # it ships no types
        def on_partitions_revoked(self, revoked: Any) -> None:
            tell("revoked", revoked)

        def on_partitions_assigned(self, assigned: Any) -> None:
            tell("assigned", assigned)

    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap, group_id=group, client_id=client, session_timeout_ms=MS,
        heartbeat_interval_ms=100, partition_assignment_strategy=[RangePartitionAssignor],
    )  # fmt: skip
    consumer.subscribe([topic], listener=Listener())
    while not ended.is_set():
        consumer.poll(100)
    consumer.close()


def aiokafka(bootstrap: str, group: str, client: str, topic: str) -> None:
    from aiokafka import AIOKafkaConsumer
    from aiokafka.abc import ConsumerRebalanceListener
    from aiokafka.coordinator.assignors.range import RangePartitionAssignor

    class Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # it ships no types
        def on_partitions_revoked(self, revoked: Any) -> None:
            tell("revoked", revoked)

        def on_partitions_assigned(self, assigned: Any) -> None:
            tell("assigned", assigned)

    async def run() -> None:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=bootstrap, group_id=group, client_id=client, session_timeout_ms=MS,
            heartbeat_interval_ms=100, partition_assignment_strategy=[RangePartitionAssignor],
        )  # fmt: skip
        consumer.subscribe([topic], listener=Listener())
        await consumer.start()
        while not ended.is_set():
            await consumer.getmany(timeout_ms=100)
        await consumer.stop()

    asyncio.run(run())


CLIENTS: dict[str, Callable[..., None]] = {
    "confluent-kafka": confluent,
    "kafka-python": kafka_python,
    "aiokafka": aiokafka,
}


def _watch() -> None:
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    Thread(target=_watch, daemon=True).start()
    CLIENTS[sys.argv[1]](*sys.argv[2:])
