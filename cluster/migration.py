"""A group that a broker described, as `rebalance.migration` judges it and plans its way, and the
remarks on it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace as with_fields

from ..history.causes import CAUSES
from ..inspector.diagnose.levels import LEVELS
from ..inspector.shapes.group_shapes import Group, Member, Remark
from ..rebalance.judgements import JUDGEMENTS, cannot_migrate
from ..rebalance.migration import (
    NAMES,
    POLICY,
    ClassicGroup,
    ClassicMember,
    Goal,
    Plan,
    Protocol,
    Readiness,
    Running,
    SettingError,
    Settings,
    StatedClient,
    Step,
    judge,
    plan_for_the_rest,
    plan_to_consumer,
    plan_to_cooperative,
    read_settings,
    told_apart,
)
from ..rebalance.migration.described_group import ASSIGNORS, members_of_distinct_ids
from ..rebalance.migration.judge import STREAMS_ASSIGNOR
from .errors import ConfigError, check_at_rest

_TELLING = "Stable"
"""The one state in which a broker tells the selected protocol and what members subscribed to."""
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
_NAMES = 10  # members that an error names


def classic_group(group: Group, settings: Settings | None = None) -> ClassicGroup:
    """Return a group of the classic protocol for `judge`, with what the broker's answers tell.

    Of the protocols that a member lists the broker tells the selected one alone.
    """
    telling = group.state == _TELLING
    return ClassicGroup(
        group.group_id,
        group.protocol_type,
        group.state,
        group.protocol if telling else None,
        _members(group, telling=telling),
        _topics(group),
        settings or Settings(next_protocol=group.broker_has_consumer_protocol is not False),
    )


def judged_by(group: Group, settings: Mapping[str, str]) -> ClassicGroup:
    """Return a group for `judge`, with the settings that its coordinator has told; `settings` of
    the brokers overrule those. Raises ConfigError for a wrong one."""
    return classic_group(group, _settings(group, _reported(group) | dict(settings)))


def readiness_of(group: Group) -> Readiness:
    """Return what a broker with default settings answers the first new member of the group."""
    return judge(classic_group(group))


def _members(group: Group, *, telling: bool) -> tuple[ClassicMember, ...] | None:
    return members_of_distinct_ids(
        _member(member, group.protocol, telling=telling) for member in group.members
    )


def _member(member: Member, selected: str, *, telling: bool) -> ClassicMember:
    return ClassicMember(
        member.member_id,
        (Protocol(selected, member.metadata),) if telling else None,
        member.assignment if telling else member.assignment or None,
        member.instance_id,
        member.client_id,
    )


def _topics(group: Group) -> Mapping[str, int] | None:
    """Return the topics; None where one that a member names may not be asked, or is not there."""
    names = {topic for member in group.members for topic in (*member.topics, *member.assigned)}
    return group.topics if names <= group.topics.keys() else None


# -- the plan


class GroupAddress(NamedTuple):
    """Where the group is, for the commands of a plan."""

    bootstrap: str = ""
    command_config: str = ""


def plan(
    group: Group,
    goal: Goal,
    place: GroupAddress,
    settings: Mapping[str, str] = _NO_SETTINGS,
    stated: Sequence[StatedClient] = (),
) -> Plan:
    """Return the way of a group to a protocol; `settings` of the brokers overrule those that the
    coordinator has told, and `stated` clients those that members could be. Raises Rebalancing, and
    ConfigError for a group of another kind, or a wrong setting."""
    if group.protocol_type != "consumer" or group.kind not in ("classic", "consumer"):
        raise ConfigError(f"--plan is for groups of consumers; this is a {group.kind} group")
    if group.kind == "consumer" and goal == "cooperative":
        raise ConfigError("the group uses the consumer protocol, which is cooperative already")
    check_at_rest(group)
    command = _command(group, place)
    members = told_apart(running_members(group), stated)
    for statement in stated:
        if not any(map(statement.is_of, members)):
            names = ", ".join(member.name for member in members[:_NAMES]) or "none"
            raise ConfigError(
                f"--member-client: no member is called {statement.pattern!a}; members: {names}"
            )
    if goal == "cooperative":
        if not members:
            raise ConfigError("--plan needs members to look at, and the group has none")
        if group.protocol == STREAMS_ASSIGNOR:
            raise ConfigError("Kafka Streams divides its tasks itself: it is cooperative since 2.4")
        return plan_to_cooperative(group.group_id, group.protocol, members, command)
    if group.kind == "consumer":
        return plan_for_the_rest(group.group_id, members, command)
    reported = _reported(group)
    classic = judged_by(group, settings)
    way = plan_to_consumer(classic, judge(classic), members, command)
    offsets = "committed offsets stay where they are: both protocols use them"
    way = with_fields(way, notes=(*_sources(group, reported, settings), offsets, *way.notes))
    if way.steps and members and POLICY not in {*reported, *settings}:
        return with_fields(way, steps=(_policy_step(place), *way.steps))
    return way


def running_members(group: Group) -> list[Running]:
    """Return the members of a group as a plan names them."""
    return [
        Running(
            member.member_id,
            member.client_id or member.member_id,
            member.could_be,
            member.protocol == "classic",
            member.instance_id,
        )
        for member in group.members
    ]


def _command(group: Group, place: GroupAddress) -> str:
    words = ["kproto", "group", group.group_id]
    words += ["--bootstrap-server", place.bootstrap] if place.bootstrap else []
    words += ["--command-config", place.command_config] if place.command_config else []
    return shlex.join(words)


def _settings(group: Group, values: Mapping[str, str]) -> Settings:
    try:
        settings = read_settings(values)
    except SettingError as error:
        raise ConfigError(f"--set: {error}") from None
    is_served = settings.next_protocol and group.broker_has_consumer_protocol is not False
    return replace(settings, next_protocol=is_served)


def _reported(group: Group) -> dict[str, str]:
    """Return the coordinator's settings that decide on a migration, as far as it has told them.

    Before Apache Kafka 4.0 assignors are told by their classes: "...assignor.UniformAssignor".
    """
    values = {name: group.settings[name] for name in NAMES if name in group.settings}
    if ASSIGNORS in values:
        names = (part.strip().rpartition(".")[2] for part in values[ASSIGNORS].split(","))
        values[ASSIGNORS] = ",".join(name.removesuffix("Assignor").lower() for name in names)
    for name in list(values):
        try:
            read_settings({name: values[name]})
        except SettingError:  # of a release that this project does not know
            del values[name]
    return values


def _sources(
    group: Group, reported: Mapping[str, str], settings: Mapping[str, str]
) -> Iterator[str]:
    """Yield where the settings of the brokers are from that the plan counts on."""
    if settings:
        yield f"--set has {_pairs(settings)}"
    left = {name: value for name, value in reported.items() if name not in settings}
    if left:
        yield f"the coordinator has {_pairs(left)}"
        return
    why = f" ({group.settings_problem})" if group.settings_problem else ""
    rest = "for its other settings" if settings else "--set NAME=VALUE tells others"
    yield f"the brokers' settings are not told{why}: a 4.3 broker's defaults are assumed; {rest}"


def _pairs(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def _policy_step(place: GroupAddress) -> Step:
    return Step(
        f"On the brokers, {POLICY} has to be bidirectional (the default) or upgrade.",
        f"kafka-configs.sh --bootstrap-server {place.bootstrap or 'HOST:PORT'} --describe "
        f"--all --entity-type brokers | grep {POLICY}",
        "bidirectional",
    )


def remarks(
    group: Group, of_bytes: Iterable[Remark] = (), *, briefly: bool = False
) -> tuple[Remark, ...]:
    """Return the remarks on a group: those `of_bytes` of its members, and those between its
    members; `briefly`, for lists, nothing of what may come. The worst come first."""
    between = _between(group, briefly=briefly)
    in_order = sorted([*of_bytes, *between], key=lambda remark: LEVELS.index(remark.level))
    return tuple(dict.fromkeys(in_order))


def _between(group: Group, *, briefly: bool) -> Iterator[Remark]:
    for judgement in JUDGEMENTS:
        for fact in judgement.find(group):
            advice = CAUSES[fact.cause].advice if fact.cause else judgement.advice
            of_cause = (fact.cause or None, fact.certainty, advice)
            yield Remark(judgement.level, judgement.code, fact.text, fact.member_id, *of_cause)
    if not briefly and group.protocol_type == "consumer" and group.kind == "classic":
        for fact in cannot_migrate(readiness_of(group).reasons):
            yield Remark("note", "cannot-migrate", fact.text, fact.member_id)
