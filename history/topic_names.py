"""The names of topics by their ids, as far as a capture tells them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import UUID

from ..capture.frames.api_keys import API_NAMES
from ..capture.frames.frame import Frame

__all__ = ["TopicNames"]

MAX_TOPICS = 100_000
"""Topics that are remembered, those that were named last."""
_NO_ID = UUID(int=0)


class TopicNames:
    """Learns from Metadata and from descriptions of groups, which have both names and ids."""

    def __init__(self) -> None:
        self._names: OrderedDict[UUID, str] = OrderedDict()
        self._ids: dict[str, UUID] = {}

    def name(self, topic: str | UUID) -> str | UUID:
        """Return the topic's name, its id if no frame so far names it."""
        return self._names.get(topic, topic) if isinstance(topic, UUID) else topic

    def id_of(self, name: str) -> UUID | None:
        """Return the latest id of a topic; None if no frame tells it."""
        return self._ids.get(name)

    def learning(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield the frames, and learn from each."""
        for frame in frames:
            self.learn(frame)
            yield frame

    def learn(self, frame: Frame) -> None:
        """Remember the topics that a frame tells name and id of."""
        find = _NAMED.get(frame.api_key)
        if (
            find is None
            or frame.direction != "response"
            or frame.body is None
            or frame.body.message is None
        ):
            return
        for topic_id, name in find(frame.body.message):
            if name and topic_id != _NO_ID and self._names.get(topic_id) != name:
                self._names[topic_id] = name
                self._ids[name] = topic_id
                if len(self._names) > MAX_TOPICS:
                    self._ids.pop(self._names.popitem(last=False)[1], None)


_Found = Iterator[tuple[UUID, str | None]]


def _of_metadata(message: Any) -> _Found:
    return ((topic.topic_id, topic.name) for topic in message.topics or ())


def _of_groups(message: Any) -> _Found:
    for group in message.groups:
        for member in group.members:
            for assignment in (member.assignment, getattr(member, "target_assignment", None)):
                for topic in assignment.topic_partitions if assignment is not None else ():
                    yield topic.topic_id, topic.topic_name


_NAMED: dict[int | None, Callable[[Any], _Found]] = {
    API_NAMES.index("Metadata"): _of_metadata,
    API_NAMES.index("ConsumerGroupDescribe"): _of_groups,
    API_NAMES.index("ShareGroupDescribe"): _of_groups,
}
