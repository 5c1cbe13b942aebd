"""Scenarios as small TOML files; docs/reference/simulation.md describes them. Times are in seconds.

An error names its line: the parser's if the TOML itself is broken, else the line on which the key
stands. The standard library's parser forgets lines, so they are looked up again in files as people
write them: tables under headers, a key at the beginning of a line. If a key is not found its
table's header is named, else line 1.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from ....codec import ConsumerProtocolSubscription
from ....long_keys import MOST_PARTS, line_of_long_key
from ...compatibility import KAFKAS, Reading
from ..application import Durations, Load
from ..machines.client_formats import Connect, Consumer, Dialect, Draft
from ..machines.coordinator_state import GroupSettings
from ..machines.settings import GroupProtocol, MemberSettings, SubtopologySettings
from ..world import Conditions
from .assignors import NoAssignor, find_assignor, load_assignor
from .scenario import Expectation, MemberPlan, Operation, Options, Scenario
from .scenario_keys import (
    BROKER_KEYS,
    EVENT_KEYS,
    EXPECTATION_KEYS,
    LOAD_KEYS,
    MEMBER_KEYS,
    MEMBER_TABLE_KEYS,
    MISTAKES,
    MOST_MEMBERS,
    MOST_SUBSCRIBED,
    NEEDED_KEYS,
    OTHER_KEYS,
    READINGS,
    SUBTOPOLOGY_KEYS,
    TOP_KEYS,
    KeyProblem,
    read_table,
    read_text,
)

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST_SUBTOPOLOGIES = 10
_ALONE = frozenset({GroupProtocol.SHARE, GroupProtocol.STREAMS})
"""The protocols whose members are in no group with members of others."""


class ScenarioError(ValueError):
    """A scenario cannot be used: the reason, and its `line` (the first is 1; None if no line causes
    it).
    """

    def __init__(self, where: str, line: int | None, reason: str) -> None:
        place = f"{where}, line {line}" if line else where
        super().__init__(f"{place}: {reason}")
        self.line = line


class _Wrong(Exception):
    """Where in the file an error is, and what; becomes a ScenarioError where the text is at
    hand.
    """

    def __init__(self, path: tuple[str | int, ...] | None, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        """None: it is not in the file, but in what is laid over it."""


# -- the reader


@dataclass(frozen=True)
class Overrides:
    """What the command changes in a scenario."""

    assignor: str | None = None
    """A name, or a `module:Class`, which is imported."""
    members: int | None = None
    partitions: int | None = None
    seed: int | None = None
    options: Options | None = None
    """Options of every member; an assignor among them overrides `assignor`."""
    every_second: Options | None = None
    """Options of every second member, besides."""


def built_in_scenarios() -> dict[str, str]:
    """Return the built-in scenarios: their text by name."""
    folder = files(__package__)
    return {
        entry.name.removesuffix(".toml"): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    }


def read_scenario(
    text: str, name: str, where: str | None = None, overrides: Overrides | None = None
) -> Scenario:
    """Return a scenario from the text of a file. Raises ScenarioError with line and reason."""
    where = where or name
    if line := line_of_long_key(text):
        raise ScenarioError(where, line, f"a dotted key has more than {MOST_PARTS} parts")
    try:
        toml = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        position = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(position[1]) if position else text.count("\n") + 1
        raise ScenarioError(where, line, str(error)) from None
    except ValueError:  # of int: it reads no more digits than the interpreter allows
        line = _line_with_most(text, r"[0-9_]+")
        raise ScenarioError(where, line, "a number has too many digits") from None
    except RecursionError:
        line = _line_with_most(text, r"[\[{]+")
        raise ScenarioError(where, line, "it is nested too deeply") from None
    try:
        return _Reader(overrides or Overrides()).scenario(toml, name)
    except _Wrong as wrong:
        place = None if wrong.path is None else line_of(text, wrong.path)
        raise ScenarioError(where, place, str(wrong)) from None


class _Reader:
    def __init__(self, overrides: Overrides) -> None:
        self._overrides = overrides
        self._defaults: dict[str, Any] = {}
        self._subtopologies: tuple[SubtopologySettings, ...] = ()
        self._topics: dict[str, int] = {}
        self._plans: dict[str, MemberPlan] = {}
        self._subscribed = 0
        self._options: dict[str, dict[str, Any]] = {}

    def scenario(self, toml: Mapping[str, Any], name: str) -> Scenario:
        top = _read(toml, TOP_KEYS, ())
        for needed in ("topics", "members"):
            if not top.get(needed):
                raise _Wrong((), f"{needed} are missing")
        partitions = self._overrides.partitions
        self._topics = {t: partitions or count for t, count in top["topics"].items()}
        self._forced = self._forced_options()  # first, as it loads an assignor of one's own
        self._defaults = _read(top.get("defaults", {}), MEMBER_KEYS, ("defaults",))
        self._forced_second = _read(dict(self._overrides.every_second or {}), MEMBER_KEYS, ())
        self._subtopologies = self._topology(top.get("subtopologies", ()))
        members = self._members(top["members"])
        variants = {
            _named_variant(variant): _table_of(options, ("variants", variant))
            for variant, options in top.get("variants", {}).items()
        }
        for variant, options in variants.items():
            _read(options, MEMBER_KEYS, ("variants", variant))
        duration = top.get("duration", 60.0) * 1000
        return Scenario(
            name,
            top.get("summary", ""),
            self._topics,
            tuple(members),
            tuple(self._events(top.get("events", ()), duration)),
            self._conditions(top),
            duration,
            self._expectation(top.get("expect", {})),
            variants,
            tuple(second * 1000 for second in top.get("owners_at", ())),
        )

    def _forced_options(self) -> dict[str, Any]:
        options = dict(self._overrides.options or {})
        if self._overrides.assignor is not None:
            try:
                load_assignor(self._overrides.assignor)
            except NoAssignor as error:
                raise _Wrong(None, f"assignor: {error}") from None
            options.setdefault("assignor", self._overrides.assignor)
        try:
            return _read(options, MEMBER_KEYS, ())
        except _Wrong as wrong:
            raise _Wrong(None, str(wrong)) from None

    def _conditions(self, top: Mapping[str, Any]) -> Conditions:
        broker = _read(top.get("broker", {}), BROKER_KEYS, ("broker",))
        load = _read(top.get("load", {}), LOAD_KEYS, ("load",))
        seed = self._overrides.seed
        return Conditions(
            _group_settings(broker),
            Load(**load),
            broker.get("latency", (1.0, 4.0)),
            broker.get("fail_over_takes", 0.5) * 1000,
            seed=top.get("seed", 0) if seed is None else seed,
        )

    def _expectation(self, table: Mapping[str, Any]) -> Expectation:
        read = _read(table, EXPECTATION_KEYS, ("expect",))
        for member in read.get("failed", ()):
            if member not in self._plans:
                raise _Wrong(("expect", "failed"), f"there is no member {member!r}")
        return Expectation(frozenset(read.get("finds", ())), frozenset(read.get("failed", ())))

    def _topology(self, tables: Sequence[Mapping[str, Any]]) -> tuple[SubtopologySettings, ...]:
        """Return the subtopologies: each topic is read by one, and without any by the first."""
        if not tables:
            return (SubtopologySettings(tuple(self._topics)),)
        if len(tables) > _MOST_SUBTOPOLOGIES:
            path = ("subtopologies", _MOST_SUBTOPOLOGIES)
            raise _Wrong(path, f"there are more than {_MOST_SUBTOPOLOGIES} subtopologies")
        subtopologies, assigned_topics = [], set[str]()
        for index, table in enumerate(tables):
            path = ("subtopologies", index)
            read = _read(table, SUBTOPOLOGY_KEYS, path)
            topics = read.get("topics", ())
            if not topics:
                raise _Wrong(path, "a subtopology needs topics")
            for topic in topics:
                if topic not in self._topics or topic in assigned_topics:
                    fault = (
                        "two subtopologies read"
                        if topic in assigned_topics
                        else "there is no topic"
                    )
                    raise _Wrong((*path, "topics"), f"{fault} {topic!r}")
                assigned_topics.add(topic)
            subtopologies.append(SubtopologySettings(topics, read.get("stateful", False)))
        return tuple(subtopologies)

    # -- members

    def _members(self, tables: Sequence[Mapping[str, Any]]) -> list[MemberPlan]:
        for index, table in enumerate(tables):
            path = ("members", index)
            read = _read(table, MEMBER_TABLE_KEYS, path)
            count = read.pop("count", 1)
            own_name = read.pop("name", None)
            if own_name is not None and count > 1:
                raise _Wrong((*path, "name"), "several members cannot have one name")
            for _ in range(count):
                name = own_name or self._next_name()
                if not _NAME.match(name):
                    raise _Wrong(
                        (*path, "name"), f"{name!r} is not a member name: use letters and digits"
                    )
                if name in self._plans:
                    raise _Wrong((*path, "name"), f"there are two members {name!r}")
                self._add(name, dict(read), path)
        self._resize()
        return list(self._plans.values())

    def _resize(self) -> None:
        count = self._overrides.members
        if count is None:
            return
        last = list(self._options.values())[-1]
        while len(self._plans) < count:
            self._add(self._next_name(), dict(last), ())
        for name in list(self._plans)[count:]:
            del self._plans[name]

    def _next_name(self) -> str:
        for letter in _LETTERS:
            if letter not in self._plans:
                return letter
        return f"m{len(self._plans) + 1}"

    def _add(self, name: str, read: dict[str, Any], path: tuple[str | int, ...]) -> None:
        if len(self._plans) == MOST_MEMBERS:
            raise _Wrong(path, f"there are more than {MOST_MEMBERS:,} members")
        self._options[name] = read
        plan = self._plans[name] = self._plan(name, read, path)
        self._subscribed += len(plan.settings.topics)
        if self._subscribed > MOST_SUBSCRIBED:
            reason = f"its members subscribe to more than {MOST_SUBSCRIBED:,} topics, in all"
            raise _Wrong(path, reason)

    def _plan(self, name: str, read: Mapping[str, Any], path: tuple[str | int, ...]) -> MemberPlan:
        options = self._defaults | {k: v for k, v in read.items() if k in MEMBER_KEYS}
        options |= self._forced
        if list(self._options).index(name) % 2:
            options |= self._forced_second
        regex = options.get("subscribed_topic_regex")
        topics = options.get("topics", tuple(self._topics) if regex is None else ())
        if options.get("protocol") == GroupProtocol.STREAMS:
            topics = tuple(
                topic for subtopology in self._subtopologies for topic in subtopology.topics
            )
        version = options.get("version", ConsumerProtocolSubscription.LATEST)
        readings = replace(
            KAFKAS, **{READINGS[text]: Reading.TEXT for text in options.get("as_the_text", ())}
        )
        static = options.get("static", False)
        settings = MemberSettings(
            name,
            options.get("assignor", (find_assignor("range"),)),
            topics,
            _dialect(options.get("dialect", "consumer"), version, topics),
            version,
            f"{name}-instance" if static is True else static or None,
            options.get("rack"),
            _ms(options.get("session_timeout", 45.0)),
            _ms(options.get("heartbeat_interval", 3.0)),
            _ms(options.get("max_poll_interval", 300.0)),
            _ms(options.get("retry_backoff", 0.1)),
            listens_to_lost=options.get("lost_callback", True),
            by_choice=options.get("by_choice", False),
            group_protocol=GroupProtocol(options.get("protocol", "classic")),
            remote_assignor=options.get("remote_assignor"),
            subscribed_topic_regex=regex,
            shows_join_states=options.get("client") == "librdkafka",
            process_id=options.get("process", name),
            subtopologies=self._subtopologies,
            readings=readings,
            mistakes=frozenset(MISTAKES[mistake] for mistake in options.get("mistakes", ())),
        )
        self._refuse_what_its_group_has_not(settings, options, read, path)
        if settings.heartbeat_interval_ms >= settings.session_timeout_ms:
            raise _Wrong(
                self._place_of(("heartbeat_interval", "session_timeout"), read, path),
                f"{name}: heartbeat_interval has to be less than session_timeout",
            )
        for mistake, why in settings.idle_mistakes():
            name_of = {value: key for key, value in MISTAKES.items()}
            raise _Wrong(
                self._place_of(("mistakes",), read, path),
                f"{name}: the mistake {name_of[mistake]} can never act: {why}",
            )
        start = None if read.get("waits") else read.get("start", 0.0) * 1000
        batch = options.get("batch_takes")
        return MemberPlan(
            settings,
            _durations(options),
            start,
            options.get("decoupled", False),
            None if batch is None else batch * 1000,
        )

    def _refuse_what_its_group_has_not(
        self,
        settings: MemberSettings,
        options: Mapping[str, Any],
        read: Mapping[str, Any],
        path: tuple[str | int, ...],
    ) -> None:
        """Refuse a member whose protocol does not go with another's, and settings that its protocol
        does not have.
        """
        name, protocol = settings.client_id, settings.group_protocol
        protocols = {plan.settings.group_protocol for plan in self._plans.values()} - {protocol}
        for kind in sorted({protocol, *protocols} & _ALONE if protocols else ()):
            raise _Wrong(
                self._place_of(("protocol",), read, path),
                f"{name}: members of a {kind} group are in no group with others",
            )
        foreign_keys = {"static"} if protocol in _ALONE else set[str]()
        foreign_keys |= {"topics"} if protocol is GroupProtocol.STREAMS else {"process"}
        only_consumers_have = {"client", "subscribed_topic_regex"}
        foreign_keys |= set[str]() if protocol is GroupProtocol.CONSUMER else only_consumers_have
        for key in sorted(foreign_keys & options.keys()):
            raise _Wrong(
                self._place_of((key,), read, path), f"{name}: a {protocol} member has no {key!r}"
            )
        if "topics" in options and "subscribed_topic_regex" in options:
            raise _Wrong(
                self._place_of(("subscribed_topic_regex",), read, path),
                f"{name}: a member has topics or subscribed_topic_regex, not both",
            )

    def _place_of(
        self, keys: Sequence[str], read: Mapping[str, Any], path: tuple[str | int, ...]
    ) -> tuple[str | int, ...] | None:
        """Return where the first of these options is: in the overrides, at the member, or at
        all members.
        """
        if any(key in self._forced for key in keys):
            return None
        for table, place in ((read, path), (self._defaults, ("defaults",))):
            for key in keys:
                if key in table:
                    return (*place, key)
        return path

    # -- events

    def _events(self, tables: Sequence[Mapping[str, Any]], duration: float) -> list[Operation]:
        return [self._event(table, ("events", i), duration) for i, table in enumerate(tables)]

    def _event(
        self, table: Mapping[str, Any], path: tuple[str | int, ...], duration: float
    ) -> Operation:
        read = _read(table, EVENT_KEYS, path)
        for needed in ("at", "do"):
            if needed not in read:
                raise _Wrong(path, f"{needed} is missing")
        do, at_ms = read["do"], read["at"] * 1000
        if at_ms > duration:
            raise _Wrong((*path, "at"), f"the run ends after {duration / 1000:g} seconds")
        allowed = {"at", "do", *NEEDED_KEYS[do], *OTHER_KEYS.get(do, ())}
        for key in read:
            if key not in allowed:
                raise _Wrong((*path, key), f"{do!r} takes no {key!r}")
        for needed in NEEDED_KEYS[do]:
            if needed not in read:
                raise _Wrong(path, f"{do!r} needs {needed}")
        members = self._member_names(read.get("member", ()), (*path, "member"))
        self._refuse_to_subscribe(members if "subscribe" in read else (), path)
        changes = _read(read.get("with", {}), MEMBER_KEYS, (*path, "with"))
        plans = {}
        if do in ("start", "bounce"):
            for name in members:
                self._options[name] = self._options[name] | changes
                plans[name] = self._plan(name, self._options[name], path)
        batch = read.get("batch_takes")
        return Operation(
            at_ms,
            do,
            members,
            plans,
            read.get("takes", 0.0) * 1000,
            read.get("every", 0.0) * 1000,
            None if batch is None else batch * 1000,
            read.get("topics", {}),
            read.get("subscribe", ()),
        )

    def _refuse_to_subscribe(self, members: Sequence[str], path: tuple[str | int, ...]) -> None:
        for name in members:
            if self._plans[name].settings.group_protocol is GroupProtocol.STREAMS:
                raise _Wrong((*path, "subscribe"), f"{name}: its topics are those of its topology")
            if self._plans[name].settings.subscribed_topic_regex is not None:
                raise _Wrong((*path, "subscribe"), f"{name}: it subscribes by an expression")

    def _member_names(self, names: tuple[str, ...], path: tuple[str | int, ...]) -> tuple[str, ...]:
        if names == ("all",):
            return tuple(self._plans)
        for name in names:
            if name not in self._plans:
                known_names = ", ".join(self._plans)
                raise _Wrong(path, f"there is no member {name!r}; there are: {known_names}")
        return names


# -- parts


def _read(
    table: Mapping[str, Any],
    kinds: Mapping[str, Callable[[Any], Any]],
    path: tuple[str | int, ...],
) -> dict[str, Any]:
    read = {}
    for key, value in table.items():
        if key not in kinds:
            raise _Wrong(
                (*path, key), f"there is no key {key!r} here; there are: {', '.join(kinds)}"
            )
        try:
            read[key] = kinds[key](value)
        except KeyProblem as error:
            raise _Wrong((*path, key, error.key), f"{key}: {error}") from None
        except ValueError as error:
            raise _Wrong((*path, key), f"{key}: {error}") from None
    return read


def _line_with_most(text: str, pattern: str) -> int:
    """Return the line with the longest match of a pattern, where the parser gave up without saying
    where.
    """
    runs = [max(map(len, re.findall(pattern, line)), default=0) for line in text.splitlines()]
    return runs.index(max(runs)) + 1


def _table_of(value: Any, path: tuple[str | int, ...]) -> Mapping[str, Any]:
    try:
        return read_table(value)
    except ValueError as error:
        raise _Wrong(path, str(error)) from None


def _named_variant(name: str) -> str:
    try:
        return read_text(name)
    except ValueError as error:
        raise _Wrong(("variants",), str(error)) from None


def _dialect(word: str, version: int, topics: tuple[str, ...]) -> Dialect:
    match word:
        case "connect":
            return Connect(topics, min(version, 1))
        case "draft-429":
            return Draft()
        case _:
            return Consumer(version)


def _group_settings(broker: Mapping[str, Any]) -> GroupSettings:
    policy = broker.get("migration_policy", "bidirectional")
    usual = GroupSettings()
    times = {
        "initial_rebalance_delay_ms": "initial_rebalance_delay",
        "consumer_session_timeout_ms": "session_timeout",
        "consumer_heartbeat_interval_ms": "heartbeat_interval",
        "assignment_interval_ms": "assignment_interval",
    }
    fields: dict[str, Any] = {
        field: _ms(broker[key]) for field, key in times.items() if key in broker
    }
    return usual._replace(
        **fields,
        standby_replicas=broker.get("standby_replicas", 0),
        checks_generation=broker.get("checks_generation", False),
        assignors=broker.get("assignors") or usual.assignors,
        upgrades=policy in ("bidirectional", "upgrade"),
        downgrades=policy in ("bidirectional", "downgrade"),
    )


def _durations(options: Options) -> Durations:
    usual = Durations()
    fields = {
        "revoked_ms": "revoked_takes",
        "assigned_ms": "assigned_takes",
        "lost_ms": "lost_takes",
        "revoked_each_ms": "revoked_takes_each",
        "assigned_each_ms": "assigned_takes_each",
    }
    return replace(
        usual, **{field: options[key] * 1000 for field, key in fields.items() if key in options}
    )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


_HEADER = re.compile(r"\s*+(\[\[?)\s*+([^\]]+)\]")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")

Path = tuple[str | int, ...]


def line_of(text: str, path: Path) -> int:
    """Return the line of a path of keys, with indexes where a table is one of several; the first
    line is 1.
    """
    places = _places(text)
    while path:
        if path in places:
            return places[path]
        path = path[:-1]
    return 1


def _places(text: str) -> dict[Path, int]:
    """Return the line of every key and header that begins a line, by its path."""
    places: dict[Path, int] = {}
    times: Counter[Path] = Counter()
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _split(header[2])
            if header[1] == "[[":
                times[table] += 1
                table = (*table, times[table] - 1)
            elif (table[:-1]) in times:
                table = (*table[:-1], times[table[:-1]] - 1, table[-1])
            places.setdefault(table, number)
        elif key:
            names = _split(key[1])
            for end in range(1, len(names) + 1):
                places.setdefault((*table, *names[:end]), number)
    return places


def _split(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
