"""List the groups of a cluster: each broker is asked for those that it coordinates, and describes
them by the hundred. Answers are dropped as soon as a row was made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..capture.frames.error_codes import (
    GROUP_AUTHORIZATION_FAILED,
    TOPIC_AUTHORIZATION_FAILED,
)
from ..codec import message_class
from ..inspector.shapes.group_shapes import Group, Kind, Listed, Listing, worst
from .admin import OFFSETS_TOPIC, Cluster, Node, Topic
from .described_group import build
from .errors import ClusterError, Unreachable, most_of
from .gathering import (
    BROKER_RESOURCE,
    COORDINATOR_SETTINGS,
    DESCRIPTIONS,
    Commits,
    Gathered,
    Shared,
    commits_of,
    description_request,
    fetch_request,
    gather_all,
    settings_of,
    share_offsets,
    starts_of,
    topics_of,
)
from .unloaded import unloaded_partitions

_AT_ONCE = 200  # groups in one request
_KINDS: dict[str, Kind] = {
    "classic": "classic",
    "consumer": "consumer",
    "share": "share",
    "streams": "streams",
}
_DENIED = (GROUP_AUTHORIZATION_FAILED, TOPIC_AUTHORIZATION_FAILED)


class Named(NamedTuple):
    """A group as ListGroups names it."""

    group_id: str
    kind: Kind
    state: str
    protocol_type: str


class _Ends:
    """Topics and end offsets, each asked once."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.topics: dict[str, Topic] = {}
        self.ends: dict[tuple[str, int], int] = {}
        self.starts: dict[tuple[str, int], int] = {}
        self.problems: dict[str, None] = {}

    async def learn(self, topics: Iterable[str], partitions: Iterable[tuple[str, int]]) -> None:
        """Ask for what is not known yet of these topics and partitions."""
        try:
            new = [name for name in set(topics) if name not in self.topics]
            if new:
                self.topics |= await self._cluster.topics(new)
            new_places = [place for place in partitions if place not in self.ends]
            ends, refusals = await self._cluster.offsets(self.topics, new_places)
        except ClusterError as error:
            self.problems[str(error)] = None
            return
        self.ends |= ends
        self.problems |= dict.fromkeys(map(str, refusals))

    async def learn_starts(self, groups: Iterable[Commits]) -> None:
        """Ask where partitions begin in which records wait."""
        waiting: Commits = {
            place: commit
            for commits in groups
            for place, commit in commits.items()
            if place not in self.starts and commit[0] < self.ends.get(place, 0)
        }
        self.starts |= await starts_of(self._cluster, self.topics, waiting, self.ends)


async def list_all(
    cluster: Cluster,
    *,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    name: Callable[[str], bool] | None = None,
    lag: bool = True,
    settings: bool = False,
) -> Listing:
    """Return the groups of a cluster, by name. With `settings` each broker is asked for its own,
    for the recorder of the cluster. A broker that does not answer, and what may not be asked, is in
    `problems`."""
    ends = _Ends(cluster)
    nodes = await cluster.coordinating()
    problems: dict[str, None] = {}
    work = (
        _Broker(cluster, node, ends if lag else None, problems).rows(
            states, kinds, name, settings=settings
        )
        for node in nodes
    )
    results = await gather_all(work)
    rows: list[Listed] = []
    complete = True
    for result in results:
        if isinstance(result, ClusterError):
            complete = False
            problems[str(result)] = None
        else:
            rows += result
    if not complete and not rows:
        raise next(result for result in results if isinstance(result, ClusterError))
    if (away := await _not_coordinated(cluster)) is not None:
        complete = False
        problems[away] = None
    for text in await _not_loaded(cluster):
        complete = False
        problems[text] = None
    if cluster.lists_all is False:
        problems[
            f"{cluster.principal} lacks DESCRIBE on CLUSTER: only groups that it may DESCRIBE are "
            "listed"
        ] = None
    rows.sort(key=lambda row: row.group_id)
    return Listing(tuple(rows), most_of((*problems, *ends.problems)), complete)


async def _not_coordinated(cluster: Cluster) -> str | None:
    """Return which part of the groups no broker coordinates now; None where each has one, or where
    it cannot be asked."""
    try:
        topic = await cluster.offsets_topic()
    except ClusterError:
        return None
    away = topic.without_leader(cluster.nodes) if topic is not None else []
    if topic is None or not away:
        return None
    return (
        f"{len(away)} of {topic.partitions} partitions of {OFFSETS_TOPIC} have no leader: the "
        "groups that they hold are not listed; is a broker away?"
    )


async def _not_loaded(cluster: Cluster) -> list[str]:
    """Return which part of the groups is missing, because their partitions are not loaded."""
    try:
        topic = await cluster.offsets_topic()
        is_known = topic is not None and topic.leaders
        return await unloaded_partitions(cluster, topic) if topic is not None and is_known else []
    except ClusterError:
        return []


class _Broker:
    """The groups that one broker coordinates. Without `ends` nothing is asked about offsets."""

    def __init__(
        self, cluster: Cluster, node: Node, ends: _Ends | None, problems: dict[str, None]
    ) -> None:
        self._cluster = cluster
        self._node = node
        self._ends = ends
        self._problems = problems

    async def rows(
        self,
        states: Sequence[str],
        kinds: Sequence[str],
        name: Callable[[str], bool] | None,
        *,
        settings: bool,
    ) -> list[Listed]:
        """Return the rows of the groups in these states, of these kinds, with such a name; with
        `settings` ask the broker for its own."""
        if settings:
            await self._ask_settings()
        groups = await named_groups(self._cluster, self._node, states, kinds)
        if name is not None:
            groups = [group for group in groups if name(group.group_id)]
        rows: list[Listed] = []
        for kind in {group.kind for group in groups}:
            of_kind = [group for group in groups if group.kind == kind]
            for start in range(0, len(of_kind), _AT_ONCE):
                rows += await self._of_kind(kind, of_kind[start : start + _AT_ONCE])
        return [row for row in rows if not kinds or row.kind in kinds]

    async def _ask_settings(self) -> None:
        node_id = str(self._node.node_id)
        try:
            await settings_of(
                self._cluster, self._node, BROKER_RESOURCE, node_id, COORDINATOR_SETTINGS
            )
        except Unreachable:
            raise
        except ClusterError as error:
            self._problems[f"{error}: the broker's settings are not known"] = None

    async def _of_kind(self, kind: Kind, groups: list[Named]) -> list[Listed]:
        ids = [group.group_id for group in groups]
        described: dict[str, Any] = {}
        if await self._cluster.knows(self._node, DESCRIPTIONS[kind]):
            response = await self._cluster.ask(self._node, description_request(kind, ids))
            described = {group.group_id: group for group in response.groups}
        commits: dict[str, Commits] = {}
        shared: dict[str, Shared] = {}
        if self._ends is not None:
            if kind == "share":
                shared = await self._share_offsets(ids)
            else:
                commits = await self._commits(ids)
            topics = {topic for group in commits.values() for topic, _ in group}
            for group in described.values():
                if not group.error_code:
                    topics |= topics_of(kind, group)
            await self._ends.learn(topics, (place for group in commits.values() for place in group))
            await self._ends.learn_starts(commits.values())
        return [
            self._row(
                group,
                described.get(group.group_id),
                commits.get(group.group_id),
                shared.get(group.group_id, ({}, {})),
            )
            for group in groups
        ]

    def _row(self, group: Named, described: Any, commits: Commits | None, shared: Shared) -> Listed:
        kind: Kind = "connect" if group.protocol_type == "connect" else group.kind
        node = str(self._node)
        row = Listed(group.group_id, kind, group.state, group.protocol_type, coordinator=node)
        if described is None:
            return row
        if described.error_code:
            api = DESCRIPTIONS[group.kind].removesuffix("Request")
            self._refused(described.error_code, api, group.group_id)
            return row
        starts, lags = shared
        own = starts if commits is None else commits
        topics = self._ends.topics if self._ends is not None else {}
        topic_names = {topic for topic, _ in own} | topics_of(group.kind, described)
        answers = Gathered(
            group.group_id,
            group.kind,
            described,
            self._node,
            own,
            {topic: topics[topic] for topic in topic_names if topic in topics},
            self._ends.ends if self._ends is not None else {},
            lags=lags,
            starts=self._ends.starts if self._ends is not None else {},
        )
        return listed_of(build(answers, briefly=True), row)

    async def _share_offsets(self, ids: list[str]) -> dict[str, Shared]:
        try:
            return await share_offsets(self._cluster, self._node, ids)
        except Unreachable:
            raise
        except ClusterError as error:
            self._problems[str(error)] = None
            return {}

    async def _commits(self, ids: list[str]) -> dict[str, Commits]:
        cls = message_class("OffsetFetchRequest")
        ask = self._cluster.ask
        commits: dict[str, Commits] = {}
        try:
            if await self._cluster.knows(self._node, cls.NAME, 8):
                response = await ask(self._node, fetch_request(ids))
                answers = [(answer.group_id, answer) for answer in response.groups]
            else:
                answers = [
                    (name, await ask(self._node, cls(group_id=name, topics=None))) for name in ids
                ]
        except Unreachable:
            raise
        except ClusterError as error:
            self._problems[str(error)] = None
            return {}
        for name, answer in answers:
            if not answer.error_code:
                commits[name] = commits_of(answer)
            elif answer.error_code in _DENIED:
                self._refused(answer.error_code, "OffsetFetch", name)
        return commits

    def _refused(self, error_code: int, api: str, group_id: str) -> None:
        self._problems[str(self._cluster.refusal(error_code, api, group_id))] = None


async def named_groups(
    cluster: Cluster, node: Node, states: Sequence[str] = (), kinds: Sequence[str] = ()
) -> list[Named]:
    """Return the groups that a broker coordinates, as it names them."""
    cls = message_class("ListGroupsRequest")
    by_state = await cluster.knows(node, cls.NAME, 4)
    by_type = await cluster.knows(node, cls.NAME, 5)
    types = tuple(kind for kind in kinds if kind in _KINDS)
    types = (*types, "classic") if "connect" in kinds and "classic" not in types else types
    request = cls(
        states_filter=tuple(states) if by_state else (),
        types_filter=types if by_type and kinds else (),
    )
    response = await cluster.repeated(node, request, "")
    if response.error_code:
        raise cluster.refusal(response.error_code, "ListGroups", str(node))
    lower_states = {state.lower() for state in states}
    return [
        Named(group.group_id, kind_of(group), group.group_state, group.protocol_type)
        for group in response.groups
        if not lower_states or by_state or group.group_state.lower() in lower_states
    ]


def kind_of(group: Any) -> Kind:
    """Return the kind that describes a group: by its type, which brokers tell since 3.8, else by
    its protocol type."""
    return _KINDS.get(group.group_type.lower()) or _KINDS.get(
        group.protocol_type if group.protocol_type in ("share", "streams") else "", "classic"
    )


def listed_of(group: Group, row: Listed | None = None) -> Listed:
    """Return the row of a group in a list."""
    level = worst(group.remarks)
    of_level = [remark for remark in group.remarks if remark.level == level]
    first = min(of_level, key=lambda remark: remark.code.startswith("KP"), default=None)
    return Listed(
        group.group_id,
        group.kind,
        group.state or (row.state if row is not None else ""),
        group.protocol_type,
        group.protocol,
        group.coordinator,
        group.size,
        group.lag,
        level,
        first.text if first is not None else "",
        first.code if first is not None else "",
        first.cause if first is not None else None,
    )
