"""A consumer of a Python client, in a process of its own.

    python python_member.py CLIENT BOOTSTRAP GROUP CLIENT_ID TOPIC [SETTING=VALUE...]

Settings have Kafka's names: partition.assignment.strategy (default: range; the names of assignors,
separated by commas), group.protocol (consumer: the broker divides the partitions; share),
group.instance.id, session.timeout.ms (default: 3000). A TOPIC that begins with ^ is a pattern.

It commits now and then, and prints what its callbacks are told, a JSON object a line: {"event":
"assigned", "partitions": ["orders-0", ...]}, or "revoked", or "lost", or "failed" with the error
that ended it. A line of its stdin is a number of milliseconds for which it does not poll; it ends
when its stdin does. With KPROTO_MEMBER_LOGS set it logs to stderr.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from queue import Queue
from threading import Event, Thread
from typing import Any

SESSION_MS = "3000"

ended = Event()
pauses: Queue[float] = Queue()
"""The seconds for which it is not to poll."""


def rest() -> None:
    while not pauses.empty():
        ended.wait(pauses.get())


def tell(event: str, partitions: Iterable[Any], error: str = "") -> None:
    names = sorted(f"{partition.topic}-{partition.partition}" for partition in partitions)
    line = {"event": event, "partitions": names}
    print(json.dumps(line | {"error": error} if error else line), flush=True)


def confluent(
    bootstrap: str, group: str, client: str, topic: str, settings: Mapping[str, str]
) -> None:
    from confluent_kafka import Consumer, KafkaError, ShareConsumer

    place = {"bootstrap.servers": bootstrap, "group.id": group, "client.id": client}
    if settings.get("group.protocol") == "share":
        sharing = ShareConsumer(place)
        sharing.subscribe([topic])
        while not ended.is_set():
            sharing.poll(0.1)
        sharing.close()
        return
    by_default = {"auto.offset.reset": "earliest"}
    if settings.get("group.protocol", "classic") == "classic":
        by_default |= {
            "partition.assignment.strategy": "range",
            "session.timeout.ms": SESSION_MS,
            "heartbeat.interval.ms": "100",
        }
    consumer = Consumer({**place, **by_default, **settings})
    consumer.subscribe(
        [topic],
        on_assign=lambda _, partitions: tell("assigned", partitions),
        on_revoke=lambda _, partitions: tell("revoked", partitions),
        on_lost=lambda _, partitions: tell("lost", partitions),
    )
    while not ended.is_set():
        message = consumer.poll(0.1)
        error = None if message is None else message.error()
        if error is not None and error.code() in refusals(KafkaError):
            tell("failed", (), str(error))
        rest()
    consumer.close()


def refusals(errors: Any) -> set[int]:
    return {errors.INCONSISTENT_GROUP_PROTOCOL, errors._FATAL}


def _topics(topic: str) -> dict[str, Any]:
    return {"pattern": topic} if topic.startswith("^") else {"topics": [topic]}


def _in_python(settings: Mapping[str, str], classes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings under the names of kafka-python and aiokafka."""
    names = settings.get("partition.assignment.strategy", "range").split(",")
    options: dict[str, Any] = {
        "session_timeout_ms": int(settings.get("session.timeout.ms", SESSION_MS)),
        "heartbeat_interval_ms": 100,
        "partition_assignment_strategy": [classes[name] for name in names],
    }
    for name in ("max.poll.interval.ms", "metadata.max.age.ms"):
        if name in settings:
            options[name.replace(".", "_")] = int(settings[name])
    if "group.instance.id" in settings:
        options["group_instance_id"] = settings["group.instance.id"]
    if "group.protocol" in settings:
        options["group_protocol"] = settings["group.protocol"]
    return options


def kafka_python(
    bootstrap: str, group: str, client: str, topic: str, settings: Mapping[str, str]
) -> None:
    from kafka import ConsumerRebalanceListener, KafkaConsumer
    from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
    from kafka.coordinator.assignors.range import RangePartitionAssignor
    from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
    from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

    class Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # it ships no types
        def on_partitions_revoked(self, revoked: Any) -> None:
            tell("revoked", revoked)

        def on_partitions_assigned(self, assigned: Any) -> None:
            tell("assigned", assigned)

    classes = (
        RangePartitionAssignor, RoundRobinPartitionAssignor, StickyPartitionAssignor,
        CooperativeStickyAssignor,
    )  # fmt: skip
    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap, group_id=group, client_id=client,
        **_in_python(settings, {assignor.name: assignor for assignor in classes}),
    )  # fmt: skip
    consumer.subscribe(**_topics(topic), listener=Listener())
    while not ended.is_set():
        consumer.poll(100)
        rest()
    consumer.close()


def aiokafka(
    bootstrap: str, group: str, client: str, topic: str, settings: Mapping[str, str]
) -> None:
    from aiokafka import AIOKafkaConsumer
    from aiokafka.abc import ConsumerRebalanceListener
    from aiokafka.coordinator.assignors.range import RangePartitionAssignor
    from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
    from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

    class Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # it ships no types
        def on_partitions_revoked(self, revoked: Any) -> None:
            tell("revoked", revoked)

        def on_partitions_assigned(self, assigned: Any) -> None:
            tell("assigned", assigned)

    classes = (RangePartitionAssignor, RoundRobinPartitionAssignor, StickyPartitionAssignor)
    options = _in_python(settings, {assignor.name: assignor for assignor in classes})

    async def run() -> None:
        consumer = AIOKafkaConsumer(
            bootstrap_servers=bootstrap, group_id=group, client_id=client, **options
        )
        consumer.subscribe(**_topics(topic), listener=Listener())
        await consumer.start()
        while not ended.is_set():
            await consumer.getmany(timeout_ms=100)
            while not pauses.empty():
                await asyncio.sleep(pauses.get())
        await consumer.stop()

    asyncio.run(run())


CLIENTS: dict[str, Callable[[str, str, str, str, Mapping[str, str]], None]] = {
    "confluent-kafka": confluent,
    "kafka-python": kafka_python,
    "aiokafka": aiokafka,
}


def _watch() -> None:
    for line in sys.stdin:
        pauses.put(int(line) / 1000)
    ended.set()


if __name__ == "__main__":
    if os.environ.get("KPROTO_MEMBER_LOGS"):
        logging.basicConfig(level=logging.INFO)
        logging.getLogger().handlers[0].setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
        )
    Thread(target=_watch, daemon=True).start()
    name, bootstrap, group, client, topic, *words = sys.argv[1:]
    try:
        CLIENTS[name](bootstrap, group, client, topic, dict(word.split("=", 1) for word in words))
    except Exception as error:
        tell("failed", (), f"{type(error).__name__}: {error}")
        raise
