"""The options of an audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple
from uuid import UUID
from zlib import crc32

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ...clients.settings import ClientSettings
from ...codec.wire.primitives import parse_uuid
from ...inspector.shapes.shape import milliseconds
from ...inspector.shapes.story_shapes import RootCause
from ...rebalance.migration.members import StatedClient
from ...wording import is_named, some_of
from ..audit import RULES, AnyRule, BrokerState, EndRule, FleetRule, Rule, lacking
from ..columnar.arrays import column

__all__ = [
    "EVERY_GROUP",
    "INPUTS",
    "Offset",
    "Options",
    "Partitions",
    "Share",
    "ToldByLogs",
    "TopicFacts",
    "of_groups",
    "some",
]

INPUTS = frozenset(
    {"history", "changes", "commits", "targets", "topics", "ends", "states", "settings", "logs"}
)
"""All that a rule may say it needs."""

Partitions = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""How many partitions a topic has: more than any cluster bears would only take memory."""
Offset = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]


class _KeywordsOnly(msgspec.StructMeta):
    """Says which arguments are to be named, where some are given by their place."""

    def __call__(self, *values: Any, **arguments: Any) -> Any:
        if values:
            pairs = zip(self.__struct_fields__, values, strict=False)
            named = ", ".join(f"{name}={value!r}" for name, value in pairs)
            raise TypeError(f"{self.__name__}: name each argument: {named}")
        return super().__call__(**arguments)


class TopicFacts(msgspec.Struct, frozen=True, kw_only=True, metaclass=_KeywordsOnly):
    """What is known of a topic: the number of its partitions, the end of each by number, the end
    that each had five minutes before, and where each begins, since what was older is deleted.

    Raises TypeError, which names the argument, for a value of another type.
    """

    partitions: Partitions
    ends: Mapping[int, Offset] = {}
    topic_id: str | None = None
    ends_before: Mapping[int, Offset] = {}
    starts: Mapping[int, Offset] = {}

    def __post_init__(self) -> None:
        for name, type_ in _TYPES.items():
            try:
                msgspec.convert(getattr(self, name), type_)
            except msgspec.ValidationError as error:
                raise TypeError(f"TopicFacts: {name}: {error}") from None


_OFFSETS = dict[int, int]
_TYPES: dict[str, Any] = {
    "partitions": int,
    "ends": _OFFSETS,
    "topic_id": str | None,
    "ends_before": _OFFSETS,
    "starts": _OFFSETS,
}


def some(names: set[str]) -> str:
    """Return the first of these names as text, and how many more there are."""
    return some_of(sorted(names), 5)


class ToldByLogs(msgspec.Struct, frozen=True):
    """What logs tell of a group: what is wrong with it, its kind, how many rebalances, and the time
    of the last line (ISO 8601, "" without a date)."""

    causes: tuple[RootCause, ...]
    kind: str
    rebalances: int
    latest: str

    @property
    def latest_ms(self) -> int:
        """The time of the last line, in milliseconds since 1970; -1 without a date."""
        return milliseconds(self.latest) if self.latest else -1


_TYPES_OF_OPTIONS: dict[str, Any] = {"cluster_id": str, "groups": tuple[str, ...]}


class Options(msgspec.Struct, frozen=True, kw_only=True, metaclass=_KeywordsOnly):
    """The options of an audit.

    `cluster_id` is in all tables. `groups` are names or patterns (`*`, `?`); none means all.
    `team`: only the groups of these teams, names or patterns, by `teams`; none means all.
    `topics` has what is known of topics, `states` what the broker says of groups; None if nothing.
    `rules` are those that are asked; `lacks` are inputs that they may need and the source cannot
    have. `now` is when ends and states were asked, in milliseconds since 1970; None: about when the
    latest record was written. `withheld` are inputs that could not be asked, all or some of them,
    and the rights or the requests that are missing. `lists_all`: brokers list all their groups
    to this user. `client_settings` are those of groups' clients, to be judged; `member_clients`
    say which client members are. `logs` is what logs tell of groups, None without a log, and
    `remarks` say what was not used of them. `clusters` are the options of each, where there are
    several.

    Raises `ValueError` for two rules of one id, and for a rule that needs an unknown input, and
    TypeError, which names the argument, for a value of another type.
    """

    cluster_id: str = "unknown"
    groups: tuple[str, ...] = ()
    team: tuple[str, ...] = ()
    teams: Mapping[str, str] = {}
    topics: Mapping[str, TopicFacts] | None = None
    states: Mapping[str, BrokerState] | None = None
    rules: tuple[AnyRule, ...] = tuple(RULES.values())
    lacks: frozenset[str] = frozenset()
    now: int | None = None
    withheld: Mapping[str, str] = {}
    clusters: tuple[Options, ...] = ()
    lists_all: bool = False
    client_settings: tuple[ClientSettings, ...] = ()
    member_clients: tuple[StatedClient, ...] = ()
    logs: Mapping[str, ToldByLogs] | None = None
    remarks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for argument, type_ in _TYPES_OF_OPTIONS.items():
            try:
                msgspec.convert(getattr(self, argument), type_)
            except msgspec.ValidationError as error:
                raise TypeError(f"Options: {argument}: {error}") from None
        # A mapping that is read only has no pickle.
        for name in ("topics", "states", "withheld", "logs"):
            mapping = getattr(self, name)
            if mapping is not None and type(mapping) is not dict:
                msgspec.structs.force_setattr(self, name, dict(mapping))
        for topic, facts in (self.topics or {}).items():
            if not isinstance(facts, TopicFacts):
                kind = type(facts).__name__
                raise TypeError(f"Options: topics[{topic!r}] is {kind}, not TopicFacts")
        ids: set[str] = set()
        for rule in self.rules:
            if rule.id in ids:
                raise ValueError(f"two rules have the id {rule.id}: their findings would have one")
            ids.add(rule.id)
            unknown = ", ".join(sorted(lacking(rule, INPUTS)))
            if unknown:
                inputs = ", ".join(sorted(INPUTS))
                raise ValueError(
                    f"{rule.id} needs {unknown}, which is no input; there are {inputs}"
                )

    @property
    def each(self) -> tuple[Options, ...]:
        """The options of each cluster."""
        return self.clusters or (self,)

    def of(self, unit: object) -> Options:
        """Return the options of the cluster that a unit is of."""
        cluster = getattr(unit, "cluster", None)
        return next((options for options in self.clusters if options.cluster_id == cluster), self)

    @property
    def step_rules(self) -> tuple[Rule, ...]:
        """The rules that are asked at every record."""
        return tuple(rule for rule in self.rules if isinstance(rule, Rule))

    @property
    def end_rules(self) -> tuple[EndRule, ...]:
        """The rules that are asked at the end of a group."""
        return tuple(rule for rule in self.rules if isinstance(rule, EndRule))

    @property
    def fleet_rules(self) -> tuple[FleetRule, ...]:
        """The rules that are asked about all groups together, without those that lack an input."""
        rules, inputs = [rule for rule in self.rules if isinstance(rule, FleetRule)], self.inputs
        return tuple(rule for rule in rules if not lacking(rule, inputs))

    @property
    def inputs(self) -> frozenset[str]:
        """The inputs that are there for rules."""
        inputs = {"history", "changes", "commits", "targets"}
        if self.topics is not None:
            inputs.add("topics")
            if any(topic.ends for topic in self.topics.values()):
                inputs.add("ends")
        if self.states is not None:
            inputs.add("states")
        if self.client_settings:
            inputs.add("settings")
        if self.logs is not None:
            inputs.add("logs")
        return frozenset(inputs) - self.lacks

    @property
    def counts(self) -> Mapping[str, int] | None:
        """The number of partitions of each topic; None where no topics are known."""
        if self.topics is None:
            return None
        return MappingProxyType({name: facts.partitions for name, facts in self.topics.items()})

    @property
    def topic_names(self) -> Mapping[UUID, str]:
        """The names of topics by their ids, as far as these are known."""
        return {
            parse_uuid(facts.topic_id): name
            for name, facts in (self.topics or {}).items()
            if facts.topic_id is not None
        }

    def wants(self, group_id: str) -> bool:
        """Return whether the group is one of those asked for."""
        if self.team and not is_named(self.teams.get(group_id, ""), self.team):
            return False
        return is_named(group_id, self.groups)

    @property
    def wants_all(self) -> bool:
        """Whether all groups were asked for."""
        return not (self.groups or self.team)

    def wanted(self, rows: pa.Table) -> pa.Table:
        """Return the rows of groups that are asked for, and those of records that name no group."""
        return rows if self.wants_all else of_groups(rows, self.wants, True)


def of_groups(rows: pa.Table, wants: Callable[[str], bool], nameless: bool) -> pa.Table:
    """Return the rows of the groups that `wants` selects, and with `nameless` those of records that
    name no group.
    """
    names = column(rows, "group_id").dictionary_encode()
    chosen = [nameless if name is None else wants(name) for name in names.dictionary.to_pylist()]
    is_chosen = pc.take(pa.array(chosen, pa.bool_()), names.indices)
    return rows.filter(is_chosen.fill_null(nameless))


class Share(NamedTuple):
    """A share of the groups: those whose hash is `number`, of `total` shares. What names no
    group is in the first.
    """

    number: int = 0
    total: int = 1

    def of(self, rows: pa.Table) -> pa.Table:
        """Return the rows of this share."""
        return rows if self.total == 1 else of_groups(rows, self._has, self.number == 0)

    def _has(self, group_id: str) -> bool:
        return crc32(group_id.encode("utf-8", "surrogatepass")) % self.total == self.number


EVERY_GROUP = Share()
"""The only share of all groups."""
