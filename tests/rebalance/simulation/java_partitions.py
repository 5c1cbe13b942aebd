"""Partitions and topics as the broker's classes take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kproto.fuzz.oracles.java import load_jpype
from kproto.rebalance.assignments import Partition
from kproto.rebalance.simulation.modern.targets import topic_id

TOPICS = ("t", "u", "v")


class JavaPartitions:
    """Partitions of `TOPICS` as Java's maps, and back."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._jpype = load_jpype()
        self._image = find("org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage")
        self._metadata = find(f"{self._image.__name__}$TopicMetadata")
        self._uuid = find("org.apache.kafka.common.Uuid")
        self._integer = find("java.lang.Integer")
        self._map, self._set = find("java.util.HashMap"), find("java.util.HashSet")
        self._list, self._optional = find("java.util.ArrayList"), find("java.util.Optional")
        self.topics = {topic: self._id(topic) for topic in TOPICS}
        self.names = {uuid.toString(): topic for topic, uuid in self.topics.items()}

    def java(self, partitions: Iterable[Partition]) -> Any:
        """Return a map from topic ids to sets of numbers."""
        made, partitions = self._map(), list(partitions)
        for topic in TOPICS:
            numbers = [self._integer(number) for of, number in partitions if of == topic]
            if numbers:
                made.put(self.topics[topic], self._set(self._list(numbers)))
        return made

    def python(self, partitions: Any) -> frozenset[Partition]:
        """Return the partitions of such a map."""
        return frozenset(
            (self.names[str(topic.getKey().toString())], int(number))
            for topic in partitions.entrySet()
            for number in topic.getValue()
        )

    def existing(self, topics: Iterable[str]) -> Any:
        """Return the broker's topics: a member subscribes to topics that may not exist."""
        there = {topic: self._topic(topic) for topic in topics}
        by_id = {self.topics[topic].toString(): topic for topic in there}

        def metadata(asked: Any) -> Any:
            name = by_id.get(asked.toString(), asked.toString())
            return self._optional.ofNullable(there.get(str(name)))

        return self._jpype.JProxy(self._image, {"topicMetadata": metadata})

    def _topic(self, topic: str) -> Any:
        methods = {"name": lambda: topic, "id": lambda: self.topics[topic]}
        return self._jpype.JProxy(self._metadata, methods)

    def _id(self, topic: str) -> Any:
        number = topic_id(topic).int
        return self._uuid(_signed(number >> 64), _signed(number & (1 << 64) - 1))


def _signed(half: int) -> int:
    return half - (1 << 64) if half >> 63 else half
