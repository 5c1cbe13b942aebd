"""A scenario: a group, what surrounds it, what happens to it; and its runs with their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ....codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ...assignments import Partition, grouped
from ...checks import CHECKS, Outcome
from ...group import Member
from ..application import Durations, TimedProcess
from ..machines.member_state import Phase
from ..machines.settings import MemberSettings
from ..modern.member_state import ConsumerMemberState
from ..modern.regular_expressions import resolve
from ..modern.tasks import partitions_read
from ..run_log import RunRecord
from ..world import Conditions, World

Options: TypeAlias = Mapping[str, Any]
"""Settings of a member that override its plan, as in a file."""


@dataclass(frozen=True)
class MemberPlan:
    """A member's settings, and when it is started; `start_ms` is None if an operation starts it."""

    settings: MemberSettings
    durations: Durations = field(default_factory=Durations)
    start_ms: float | None = 0.0
    decoupled: bool = False
    batch_ms: float | None = None


@dataclass(frozen=True)
class Operation:
    """Something that is done to the group, at a time."""

    at_ms: float
    do: str
    members: tuple[str, ...] = ()
    plans: Mapping[str, MemberPlan] = field(default_factory=dict)
    """The plans with which members are started again, by name."""
    for_ms: float = 0.0
    every_ms: float = 0.0
    batch_ms: float | None = None
    topics: Mapping[str, int] = field(default_factory=dict)
    subscribe: tuple[str, ...] = ()


@dataclass(frozen=True)
class Expectation:
    """What a scenario is expected to show."""

    finds: frozenset[str] = frozenset()
    """The checks that fail."""
    failed: frozenset[str] = frozenset()
    """The members that are refused for good."""


@dataclass(frozen=True)
class Scenario:
    """All that a run needs."""

    name: str
    summary: str
    topics: Mapping[str, int]
    members: tuple[MemberPlan, ...]
    operations: tuple[Operation, ...] = ()
    conditions: Conditions = field(default_factory=Conditions)
    duration_ms: float = 60_000.0
    expectation: Expectation = field(default_factory=Expectation)
    variants: Mapping[str, Options] = field(default_factory=dict)
    """Settings that are to be compared, by their title."""
    owners_at_ms: tuple[float, ...] = ()
    """The times at which the owners of all partitions are shown."""


class ProtocolChoice(NamedTuple):
    """Options of all members, and more of every second one."""

    options: Mapping[str, Any]
    every_second: Mapping[str, Any] = MappingProxyType({})


PROTOCOLS: Mapping[str, ProtocolChoice] = MappingProxyType(
    {
        "eager": ProtocolChoice({"assignor": "range"}),
        "cooperative": ProtocolChoice({"assignor": "cooperative-sticky"}),
        "mixed": ProtocolChoice({"assignor": "cooperative-sticky"}, {"protocol": "consumer"}),
        "consumer": ProtocolChoice({"protocol": "consumer"}),
    }
)
"""The protocols by name; in a mixed group every second member is of the consumer protocol."""

COMPARED_ON = ("rolling-bounce", "scale-out-and-in", "crash", "slow-member")
"""The scenarios on which `compare protocols` runs each protocol."""


_FAILURES = frozenset({"failed", "fatal"})
"""The phases in which an error has stopped a member, as events."""


@dataclass(frozen=True)
class Run:
    """A scenario, and what happened in it."""

    scenario: Scenario
    record: RunRecord
    findings: tuple[tuple[str, str], ...]
    """The checks that failed at some moment or at the end, each with what was wrong."""
    failed: tuple[str, ...]
    """The members that were refused for good."""
    owned: dict[str, frozenset[Partition]]
    """The partitions that each member owns in the end."""

    @property
    def refusals(self) -> Mapping[str, str]:
        """The error that stopped each member that was refused for good, "" where none is logged."""
        errors = {
            event.who: str(event.detail.get("reason", ""))
            for event in self.record.events if event.what in _FAILURES
        }  # fmt: skip
        return {name: errors.get(name, "") for name in self.failed}

    @property
    def idle_mistakes(self) -> tuple[tuple[str, str], ...]:
        """The mistakes that members were given and that never acted, by member."""
        acted = {(event.who, event.what) for event in self.record.events}
        settings_of = {
            process.settings.client_id: process.settings for process in self.scenario.members
        }
        return tuple(
            (name, mistake.value)
            for name, settings in settings_of.items()
            for mistake in sorted(settings.mistakes, key=str)
            if (name, mistake.event) not in acted
        )

    @property
    def as_expected(self) -> bool:
        """Whether the run shows what the scenario expects."""
        expectation = self.scenario.expectation
        checks = frozenset(name for name, _ in self.findings)
        return checks == expectation.finds and frozenset(self.failed) == expectation.failed


def run(scenario: Scenario) -> Run:
    """Return the run of a scenario."""
    world = World(scenario.conditions, dict(scenario.topics))
    for plan in scenario.members:
        if plan.start_ms is not None:
            _at(world, plan.start_ms, partial(_start, world, plan))
    for operation in scenario.operations:
        _DO[operation.do](world, operation)
    record = world.run(scenario.duration_ms)
    alive = [process for process in world.processes.values() if process.alive]
    failures = tuple(process.name for process in alive if process.state.has_failed)
    owned = {
        process.name: partitions_read(process.settings, process.state)
        for process in alive
        if not process.state.has_failed
    }
    return Run(scenario, record, _findings(world, owned), failures, owned)


def _findings(world: World, owned: dict[str, frozenset[Partition]]) -> tuple[tuple[str, str], ...]:
    findings = [(name, sentence) for _, name, sentence in world.record.violations]
    in_group = {
        process.name: process
        for process in world.processes.values()
        if process.alive and not process.state.has_failed
    }
    if in_group and world.group.phase != "stable":
        findings.append(("at-rest", f"the group is {world.group.phase} at the end"))
    group = [
        Member(name, _subscription(_subscribed(world, process)))
        for name, process in in_group.items()
    ]
    assignments = {
        name: ConsumerProtocolAssignment(assigned_partitions=grouped(sorted(mine)))
        for name, mine in owned.items()
    }
    outcome = Outcome(group, world.topics, assignments)
    if all(_settled(world, check) for check in in_group.values()):
        is_shared = any(process.shares for process in in_group.values())
        outcomes = [_alone(outcome, member) for member in group] if is_shared else [outcome]
        findings += [
            ("validity", sentence)
            for judgement in outcomes
            for sentence in CHECKS["validity"](judgement)
        ]
    findings += [("all-owned", sentence) for sentence in CHECKS["completeness"](outcome)]
    return tuple(findings)


def _subscribed(world: World, process: TimedProcess) -> tuple[str, ...]:
    """Return the topics that a member subscribes to, those that match its expression included."""
    regex = process.settings.subscribed_topic_regex
    matched = () if regex is None else resolve(regex, world.topics).topics
    return *process.state.subscribed, *matched


def _alone(outcome: Outcome, member: Member) -> Outcome:
    """Return what one member of a share group was given: others may have the same."""
    member_id = member.member_id
    return Outcome([member], outcome.topics, {member_id: outcome.assigned[member_id]})


def _settled(world: World, process: TimedProcess) -> bool:
    """Return whether a member has what the last assignment gave it, and nothing to do about that. A
    member that stands still, or is about to join again, may well believe in what is no longer so.
    """
    state = process.state
    if isinstance(state, ConsumerMemberState):
        return process.frozen is None and state.phase == "stable"
    return (
        process.frozen is None
        and state.phase is Phase.STABLE
        and state.generation == world.group.generation
        and state.share is None
        and not state.rejoin
    )


def _subscription(topics: tuple[str, ...]) -> ConsumerProtocolSubscription:
    return ConsumerProtocolSubscription(topics=topics)


def _at(world: World, when: float, do: Callable[[], object]) -> None:
    world.queue.at(when, lambda: _ignore(do()))


def _ignore(_: object) -> None:
    """Drop a result: operators do not look at it."""


def _start(world: World, plan: MemberPlan) -> None:
    process = world.start(plan.settings, plan.durations, decoupled=plan.decoupled)
    process.batch_ms = plan.batch_ms


def _running(world: World, name: str) -> bool:
    process = world.processes.get(name)
    return process is not None and process.alive


def _if_it_runs(world: World, name: str, do: Callable[[str], object]) -> None:
    if _running(world, name):
        do(name)


def _do_start(world: World, operation: Operation) -> None:
    for name in operation.members:
        _at(world, operation.at_ms, partial(_start, world, operation.plans[name]))


def _for_each(world: World, operation: Operation, do: Callable[[str], object]) -> None:
    """Do something for one member after the other, `every_ms` apart, as far as they run."""
    for index, name in enumerate(operation.members):
        when = operation.at_ms + index * operation.every_ms
        _at(world, when, partial(_if_it_runs, world, name, do))


def _do_stop(world: World, operation: Operation) -> None:
    _for_each(world, operation, world.stop)


def _do_crash(world: World, operation: Operation) -> None:
    _for_each(world, operation, world.crash)


def _do_freeze(world: World, operation: Operation) -> None:
    _for_each(world, operation, lambda name: world.freeze(name, operation.for_ms))


def _do_disconnect(world: World, operation: Operation) -> None:
    _for_each(world, operation, world.disconnect)


def _do_slow(world: World, operation: Operation) -> None:
    _for_each(world, operation, lambda name: world.slow_down(name, operation.batch_ms))


def _do_subscribe(world: World, operation: Operation) -> None:
    _for_each(world, operation, lambda name: world.subscribe(name, operation.subscribe))


def _do_fail_over(world: World, operation: Operation) -> None:
    _at(world, operation.at_ms, world.fail_over)


def _do_topics(world: World, operation: Operation) -> None:
    _at(world, operation.at_ms, lambda: world.change_topics(dict(operation.topics)))


def _do_bounce(world: World, operation: Operation) -> None:
    """Stop one member, start it again after a while, and go on to the next."""
    for index, name in enumerate(operation.members):
        when = operation.at_ms + index * operation.every_ms
        _at(world, when, partial(_if_it_runs, world, name, world.stop))
        _start_when_free(world, when + operation.for_ms, operation.plans[name])


def _start_when_free(world: World, when: float, plan: MemberPlan) -> None:
    """Start a process once the one of that name, which is still busy stopping, is gone."""

    def try_it() -> None:
        if _running(world, plan.settings.client_id):
            world.queue.after(50, try_it)
        else:
            _start(world, plan)

    world.queue.at(when, try_it)


_DO: dict[str, Callable[[World, Operation], None]] = {
    "start": _do_start,
    "stop": _do_stop,
    "crash": _do_crash,
    "bounce": _do_bounce,
    "freeze": _do_freeze,
    "disconnect": _do_disconnect,
    "fail over": _do_fail_over,
    "change topics": _do_topics,
    "subscribe": _do_subscribe,
    "slow down": _do_slow,
}

OPERATIONS = tuple(_DO)
"""The operations that a scenario may do to a group."""

FINDINGS = ("disjoint", "at-rest", "validity", "all-owned", "left-out")
"""The checks that may fail in a run; see `Run.findings`."""
