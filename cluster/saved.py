"""Answers kept in a file, and groups read from it again.

The file has a JSON line for each request and each response: the form of frames that `kproto
decode`, `lint` and `audit` read, too. It holds what members told each other, and nothing of the
login.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from io import BytesIO
from typing import Any, BinaryIO

from ..capture.frames.frame import Frame
from ..capture.frames.json_lines import read_frame_lines
from ..capture.summary import Summary
from ..capture.tool_outputs import has_tool_output, read_tool_outputs
from ..codec import FetchRequest, message_class
from ..inspector.shapes.group_shapes import Group, Listed, Listing, SavedFrame
from ..inspector.shapes.shape import json_line
from ..wording import no_such
from .admin import EARLIEST, Node, Topic, earlier_ends, topic_of
from .connection.wire import Exchange
from .described_group import build
from .errors import ClusterError, NoSuchGroup
from .gathering import (
    BROKER_RESOURCE,
    DESCRIPTIONS,
    GROUP_RESOURCE,
    Commits,
    Gathered,
    Shared,
    commits_of,
    settings_in,
    shared_of,
    topics_of,
)
from .listing import Named, kind_of, listed_of
from .saved_facts import SavedFacts, has_facts, read_facts
from .tool_outputs import ToolSnapshots

_KIND_OF = {name.removesuffix("Request"): kind for kind, name in DESCRIPTIONS.items()}
_HEAD = 1 << 16
"""Bytes in which an output of a tool shows."""


def lines_of(exchange: Exchange, peer: str) -> bytes:
    """Return the two lines of a request and its response; none of a Fetch, which has records of all
    groups."""
    if exchange.request.NAME == FetchRequest.NAME:
        return b""
    time_sent, key = time.time(), exchange.request.API_KEY
    frames = (("request", exchange.sent), ("response", exchange.received))
    return b"".join(
        json_line(SavedFrame(direction, peer, time_sent, key, exchange.version, frame)) + b"\n"
        for direction, frame in frames
    )


class Saved:
    """The answers in a file. Of several answers to one question the last one counts."""

    def __init__(self, frames: Iterable[Frame] = ()) -> None:
        self._requests: dict[tuple[Any, int | None], Frame] = {}
        self._described: dict[str, tuple[str, Any, Node]] = {}
        self._listed: dict[str, Any] = {}
        self._commits: dict[str, Commits] = {}
        self._shared: dict[str, Shared] = {}
        self._settings: dict[str, dict[str, str]] = {}
        self._brokers_settings: dict[Node, dict[str, str]] = {}
        self._has_consumer: dict[Node, bool] = {}
        self._nodes: dict[int, Node] = {}
        self._topics: dict[str, Any] = {}
        self._ends: dict[tuple[str, int], int] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._younger: dict[tuple[str, int], int] = {}
        self._coordinators: dict[str, Node] = {}
        for frame in frames:
            self.take(frame)

    @property
    def groups(self) -> tuple[str, ...]:
        """The ids of the groups that are described, in the order of their names."""
        return tuple(sorted(self._described))

    def gathered(self, group: str) -> Gathered:
        """Return the answers about a group. Raises NoSuchGroup."""
        if group not in self._described:
            raise NoSuchGroup(f"the file describes {no_such('group', [group], self.groups)}")
        kind, described, node = self._described[group]
        topics = {name: topic_of(metadata, self._nodes) for name, metadata in self._topics.items()}
        commits = self._commits.get(group, {})
        lags: dict[tuple[str, int], int] = {}
        if kind == "share":
            commits, lags = self._shared.get(group, ({}, {}))
        topic_names = topics_of(kind, described) | {topic for topic, _ in commits}
        topics_of_group: dict[str, Topic] = {
            name: topics[name] for name in topic_names if name in topics
        }
        described_by, node = node, self._coordinators.get(group, node)
        answers = (group, kind, described, node, commits, topics_of_group, self._ends)
        return Gathered(
            *answers,
            has_consumer=self._has_consumer.get(described_by),
            lags=lags,
            starts=self._starts,
            ends_before=earlier_ends(self._younger, self._ends),
            settings=self._brokers_settings.get(described_by, {}) | self._settings.get(group, {}),
        )

    @property
    def undescribed(self) -> tuple[Named, ...]:
        """The groups that are listed and not described."""
        return tuple(
            Named(name, kind_of(listed), listed.group_state, listed.protocol_type)
            for name, listed in self._listed.items()
            if name not in self._described
        )

    def describe(self, group: str, *, briefly: bool = False) -> Group:
        """Return a group; `briefly` as `build` has it. Raises NoSuchGroup."""
        return build(self.gathered(group), briefly=briefly)

    def listing(self) -> Listing:
        """Return the groups as a list."""
        rows = [listed_of(self.describe(group, briefly=True)) for group in self.groups]
        rows += [Listed(*group) for group in self.undescribed]
        return Listing(tuple(sorted(rows, key=lambda row: row.group_id)))

    def take(self, frame: Frame) -> None:
        """Add a request or a response; those of other APIs say nothing here."""
        if not {frame.api} & (_KIND_OF.keys() | _TAKERS.keys() | _TAKERS_OF_BROKER.keys()):
            return
        key = frame.connection, frame.correlation_id
        if frame.direction == "request":
            self._requests[key] = frame
            return
        exchange = self._requests.pop(key, None)
        answer = frame.body.message if frame.body is not None else None
        if answer is None:
            return
        request = (
            exchange.body.message if exchange is not None and exchange.body is not None else None
        )
        if frame.api in _KIND_OF:
            self._describe(_KIND_OF[frame.api], answer, _node(frame))
        elif frame.api in _TAKERS:
            _TAKERS[frame.api](self, answer, request)
        else:
            _TAKERS_OF_BROKER[frame.api](self, answer, _node(frame))

    def _describe(self, kind: str, answer: Any, node: Node) -> None:
        for group in answer.groups:
            is_dead = kind == "classic" and group.group_state == "Dead" and not group.members
            if group.error_code or is_dead:
                continue
            is_empty = kind == "classic" and group.group_state == "Empty"
            if not (is_empty and group.group_id in self._described):
                self._described[group.group_id] = kind, group, node

    def _list(self, answer: Any, request: Any) -> None:
        self._listed |= {group.group_id: group for group in answer.groups}

    def _metadata(self, answer: Any, request: Any) -> None:
        for broker in answer.brokers:
            self._nodes[broker.node_id] = Node(
                broker.node_id, broker.host, broker.port, broker.rack
            )
        self._topics |= {topic.name: topic for topic in answer.topics if topic.name is not None}

    def _fetched(self, answer: Any, request: Any) -> None:
        for group in answer.groups:
            self._commits[group.group_id] = commits_of(group)
        if not answer.groups and request is not None and request.group_id:
            self._commits[request.group_id] = commits_of(answer)

    def _shares(self, answer: Any, request: Any) -> None:
        self._shared |= {group.group_id: shared_of(group) for group in answer.groups}

    def _versions(self, answer: Any, node: Node) -> None:
        heartbeat = message_class("ConsumerGroupHeartbeatRequest").API_KEY
        self._has_consumer[node] = any(api.api_key == heartbeat for api in answer.api_keys)

    def _configured(self, answer: Any, node: Node) -> None:
        for result in answer.results:
            settings = settings_in(result)
            if result.resource_type == GROUP_RESOURCE:
                self._settings[result.resource_name] = settings
            elif result.resource_type == BROKER_RESOURCE:
                self._brokers_settings[node] = settings

    def _coordinated(self, answer: Any, request: Any) -> None:
        for coordinator in answer.coordinators:
            self._coordinators[coordinator.key] = Node(
                coordinator.node_id, coordinator.host, coordinator.port
            )
        if not answer.coordinators and request is not None and request.key:
            self._coordinators[request.key] = Node(answer.node_id, answer.host, answer.port)

    def _offsets(self, answer: Any, request: Any) -> None:
        times = {
            partition.timestamp
            for topic in (request.topics if request is not None else ())
            for partition in topic.partitions
        }
        offsets = self._starts if EARLIEST in times else self._ends
        if times and max(times) >= 0:
            offsets = self._younger
        for topic in answer.topics:
            for partition in topic.partitions:
                if not partition.error_code:
                    offsets[topic.name, partition.partition_index] = partition.offset


_TAKERS = {
    "DescribeShareGroupOffsets": Saved._shares,
    "FindCoordinator": Saved._coordinated,
    "ListGroups": Saved._list,
    "ListOffsets": Saved._offsets,
    "Metadata": Saved._metadata,
    "OffsetFetch": Saved._fetched,
}

_TAKERS_OF_BROKER = {"ApiVersions": Saved._versions, "DescribeConfigs": Saved._configured}


def _node(frame: Frame) -> Node:
    peer = frame.connection.client if frame.connection is not None else ""
    host, _, port = peer.rpartition(":")
    return Node(-1, host.strip("[]"), int(port) if port.isdecimal() else 0)


def read_groups_in(file: BinaryIO, source: str) -> Saved | SavedFacts | ToolSnapshots:
    """Return the groups in a file that `--save` wrote, redacted or not, or that has outputs of
    other tools. Raises ClusterError where there is none."""
    if not file.seekable():
        file = BytesIO(file.read())
    head = file.read(_HEAD)
    file.seek(0)
    if has_tool_output(head):
        return ToolSnapshots(read_tool_outputs(file.read()))
    if has_facts(head):
        return read_facts(file, source)
    return read_saved(file, source)


def read_saved(file: BinaryIO, source: str) -> Saved:
    """Return the answers in a file that `--save` wrote. Raises ClusterError where there is none."""
    if has_facts(file.read(_HEAD)):
        raise ClusterError(f"{source!r} is redacted, without members' bytes: kproto group reads it")
    file.seek(0)
    summary = Summary()
    saved = Saved(read_frame_lines(file, source, summary))
    if not summary.read.get("frames"):
        raise ClusterError(
            f"{source!r} holds no answer of a broker: kproto group --save writes one; outputs of "
            "kafka-consumer-groups, rpk and kaf are read, too"
        )
    return saved
