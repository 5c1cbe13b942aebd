"""Answers kept in a file, and groups read from it again.

The file has a JSON line for each request and each response: the form of frames that `kproto
decode`, `lint` and `audit` read, too. It holds what members told each other, and nothing of the
login.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, BinaryIO

from ..capture.frames.frame import Frame
from ..capture.frames.json_lines import read_frame_lines
from ..capture.summary import Summary
from ..codec import message_class
from ..inspector.shapes.group_shapes import Group, Listed, Listing, SavedFrame
from ..inspector.shapes.shape import json_line
from ..wording import no_such
from .admin import Node, Topic, topic_of
from .building import build
from .connection.wire import Exchange
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

_KIND_OF = {name.removesuffix("Request"): kind for kind, name in DESCRIPTIONS.items()}
_NO_GROUP = 69


def lines_of(exchange: Exchange, peer: str) -> bytes:
    """Return the two lines of a request and its response."""
    now, key = time.time(), exchange.request.API_KEY
    frames = (("request", exchange.sent), ("response", exchange.received))
    return b"".join(
        json_line(SavedFrame(direction, peer, now, key, exchange.version, frame)) + b"\n"
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
        topics = {name: topic_of(each, self._nodes) for name, each in self._topics.items()}
        commits = self._commits.get(group, {})
        lags: dict[tuple[str, int], int] = {}
        if kind == "share":
            commits, lags = self._shared.get(group, ({}, {}))
        wanted = topics_of(kind, described) | {topic for topic, _ in commits}
        known: dict[str, Topic] = {name: topics[name] for name in wanted if name in topics}
        asked, node = node, self._coordinators.get(group, node)
        answers = (group, kind, described, node, commits, known, self._ends)
        return Gathered(
            *answers,
            has_consumer=self._has_consumer.get(asked),
            lags=lags,
            settings=self._brokers_settings.get(asked, {}) | self._settings.get(group, {}),
        )

    @property
    def undescribed(self) -> tuple[Named, ...]:
        """The groups that are listed and not described."""
        return tuple(
            Named(name, kind_of(each), each.group_state, each.protocol_type)
            for name, each in self._listed.items()
            if name not in self._described
        )

    def describe(self, group: str, *, briefly: bool = False) -> Group:
        """Return a group; `briefly` as `build` has it. Raises NoSuchGroup."""
        return build(self.gathered(group), briefly=briefly)

    def listing(self) -> Listing:
        """Return the groups as a list."""
        rows = [listed_of(self.describe(group, briefly=True)) for group in self.groups]
        rows += [Listed(*each) for each in self.undescribed]
        return Listing(tuple(sorted(rows, key=lambda row: row.group_id)))

    def take(self, frame: Frame) -> None:
        """Add a request or a response; those of other APIs say nothing here."""
        if not {frame.api} & (_KIND_OF.keys() | _TAKERS.keys() | _TAKERS_OF_BROKER.keys()):
            return
        key = frame.connection, frame.correlation_id
        if frame.direction == "request":
            self._requests[key] = frame
            return
        asked = self._requests.pop(key, None)
        said = frame.body.message if frame.body is not None else None
        if said is None:
            return
        request = asked.body.message if asked is not None and asked.body is not None else None
        if frame.api in _KIND_OF:
            self._describe(_KIND_OF[frame.api], said, _node(frame))
        elif frame.api in _TAKERS:
            _TAKERS[frame.api](self, said, request)
        else:
            _TAKERS_OF_BROKER[frame.api](self, said, _node(frame))

    def _describe(self, kind: str, said: Any, node: Node) -> None:
        for each in said.groups:
            dead = kind == "classic" and each.group_state == "Dead" and not each.members
            if each.error_code or dead:
                continue
            nothing = kind == "classic" and each.group_state == "Empty"
            if not (nothing and each.group_id in self._described):
                self._described[each.group_id] = kind, each, node

    def _list(self, said: Any, request: Any) -> None:
        self._listed |= {each.group_id: each for each in said.groups}

    def _metadata(self, said: Any, request: Any) -> None:
        for each in said.brokers:
            self._nodes[each.node_id] = Node(each.node_id, each.host, each.port, each.rack)
        self._topics |= {each.name: each for each in said.topics if each.name is not None}

    def _fetched(self, said: Any, request: Any) -> None:
        for each in said.groups:
            self._commits[each.group_id] = commits_of(each)
        if not said.groups and request is not None and request.group_id:
            self._commits[request.group_id] = commits_of(said)

    def _shares(self, said: Any, request: Any) -> None:
        self._shared |= {each.group_id: shared_of(each) for each in said.groups}

    def _versions(self, said: Any, node: Node) -> None:
        heartbeat = message_class("ConsumerGroupHeartbeatRequest").API_KEY
        self._has_consumer[node] = any(each.api_key == heartbeat for each in said.api_keys)

    def _configured(self, said: Any, node: Node) -> None:
        for each in said.results:
            told = settings_in(each)
            if each.resource_type == GROUP_RESOURCE:
                self._settings[each.resource_name] = told
            elif each.resource_type == BROKER_RESOURCE:
                self._brokers_settings[node] = told

    def _coordinated(self, said: Any, request: Any) -> None:
        for each in said.coordinators:
            self._coordinators[each.key] = Node(each.node_id, each.host, each.port)
        if not said.coordinators and request is not None and request.key:
            self._coordinators[request.key] = Node(said.node_id, said.host, said.port)

    def _offsets(self, said: Any, request: Any) -> None:
        for topic in said.topics:
            for each in topic.partitions:
                if not each.error_code:
                    self._ends[topic.name, each.partition_index] = each.offset


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


def read_saved(file: BinaryIO, source: str) -> Saved:
    """Return the answers in a file that `--save` wrote. Raises ClusterError where there is none."""
    summary = Summary()
    saved = Saved(read_frame_lines(file, source, summary))
    if not summary.read.get("frames"):
        raise ClusterError(
            f"{source!r} holds no answer of a broker: kproto group --save writes one"
        )
    return saved
