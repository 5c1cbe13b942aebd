"""What a followed broker is asked: where the topic ends, which one it is, who is rebalancing."""

from __future__ import annotations

import time

from ...capture.segments.files import OFFSETS_TOPIC
from ..run.broker_snapshot import unstable_groups
from ..run.options import Options
from ..sources.broker import ClientSettings, PartitionRange, administrator, answering, bounds
from .position import TICK_MS, Look, Topic

__all__ = ["Broker"]

_ID_SECONDS = 2.0


class Broker:
    """A client of a followed broker, whose connections stay open."""

    def __init__(self, client: ClientSettings, options: Options) -> None:
        self._options = options
        self._admin = administrator(client)
        self._looks: dict[str, Look] = {}
        self._looked = 0
        self._silent_until = 0

    def bounds(self) -> list[PartitionRange]:
        """Return where each partition begins and ends. Raises BrokerError."""
        return bounds(self._admin)

    def topic(self) -> Topic:
        """Return the topic as it is now, and, every `TICK_MS`, the groups that are rebalancing.
        Raises BrokerError.
        """
        now = int(time.time() * 1000)  # before the ends are known: what is there then is read
        unstable = None
        with answering():
            if now >= self._looked + TICK_MS:
                unstable = self._look(now)
            return Topic(now, self._topic_id(now), self.bounds(), unstable)

    def _topic_id(self, now: int) -> str:
        """Return the topic's id; empty where the broker does not answer, which is then not asked
        again at once.
        """
        from confluent_kafka import KafkaException, TopicCollection  # late: an optional dependency

        if now < self._silent_until:
            return ""
        asked = TopicCollection([OFFSETS_TOPIC])
        try:
            answers = self._admin.describe_topics(asked, request_timeout=_ID_SECONDS)
            return str(answers[OFFSETS_TOPIC].result().topic_id)
        except KafkaException:
            self._silent_until = now + TICK_MS
            return ""

    def _look(self, now: int) -> dict[str, Look]:
        """Return the groups that are rebalancing, each since when it was seen so without a break; a
        restart is such a break.
        """
        self._looked = now
        seen = unstable_groups(self._admin)
        self._looks = {
            group: Look(state, self._looks[group].since if group in self._looks else now)
            for group, state in seen.items()
            if self._options.wants(group)
        }
        return self._looks
