"""The way of a group to the cooperative protocol, or to the broker's: client by client, restart by
restart, with a command to check each step, and the way back. What the broker does when the first
member of the new protocol joins is judged by `rebalance.migration`.

Which clients have cooperative-sticky is what `clients.json` of the inspector has measured. Which
have the consumer protocol (KIP-848) is from their own release notes; see `_CONSUMER`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from ..inspector.diagnose.fingerprints import clients
from ..rebalance.migration import (
    NAMES,
    POLICY,
    ClassicGroup,
    Reason,
    SettingError,
    Settings,
    judge,
    plan_of,
    read_settings,
)
from ..rebalance.migration import Plan as Migration
from ..rebalance.migration.settings import ASSIGNORS
from .errors import ConfigError
from .migration import classic_group
from .model import Group, Member

Goal: TypeAlias = Literal["cooperative", "consumer"]
GOALS: tuple[Goal, ...] = ("cooperative", "consumer")
_COOPERATIVE = "cooperative-sticky"

_UNKNOWN = "which client this is is not known"

_CONSUMER = {  # client: the first release where the protocol is meant for production
    "kafka-clients": "4.0",
    "librdkafka": "2.12",
    "franz-go": "1.19",
}
_NO_CONSUMER = {  # clients without it in any release that was looked at, with the newest of these
    "sarama": "1.61",
    "kafka-go Reader": "0.4.51",
    "kafka-go Client": "0.4.51",
    "kafka-python": "3.0.12",
    "aiokafka": "0.14.0",
    "kafkajs": "2.2.4",
    "faust": "0.15",
}


class ClientSupport(msgspec.Struct, frozen=True, rename="camel"):
    """Members that could be the same clients, and what these have. `answer` is "yes" where every
    client that they could be has it, "no" where none has, else "perhaps"."""

    members: tuple[str, ...]
    could_be: tuple[str, ...]
    answer: str
    says: str


class Step(msgspec.Struct, frozen=True, rename="camel"):
    """A step, the command that checks it, and what the command has to show."""

    do: str
    check: str = ""
    expect: str = ""


class Plan(msgspec.Struct, frozen=True, rename="camel"):
    """The way of a group. `blockers` have to be gone before the first step; `notes` are what cannot
    be told from outside. The way to the broker's protocol also has the verdict ("ready", "blocked"
    or "unknown"), the name of the error that the first new member would get, what would fail later,
    what changes, and from where on there is no way back."""

    group: str
    goal: str
    clients: tuple[ClientSupport, ...] = ()
    blockers: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    verdict: str = ""
    error: str = ""
    later: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    no_return: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the plan as a JSON object."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


class Place(NamedTuple):
    """Where the group is, for the commands of a plan."""

    bootstrap: str = ""
    command_config: str = ""


def plan(
    group: Group, goal: Goal, place: Place, told: Mapping[str, str] = MappingProxyType({})
) -> Plan:
    """Return the way of a group to a protocol; `told` are settings of the brokers, which
    overrule those that the coordinator has told. Raises ConfigError for a group of another kind, or
    a wrong setting."""
    if group.protocol_type != "consumer" or group.kind not in ("classic", "consumer"):
        raise ConfigError(f"--plan is for groups of consumers; this is a {group.kind} group")
    if group.kind == "consumer" and goal == "cooperative":
        raise ConfigError("the group uses the consumer protocol, which is cooperative already")
    command = _command(group, place)
    if goal == "consumer":
        return _to_consumer(group, command, place, told)
    if not group.members:
        raise ConfigError("--plan needs members to look at, and the group has none")
    return _to_cooperative(group, command)


def _command(group: Group, place: Place) -> str:
    words = ["kproto", "group", group.group_id]
    words += ["--bootstrap", place.bootstrap] if place.bootstrap else []
    words += ["--command-config", place.command_config] if place.command_config else []
    return shlex.join(words)


def _listed(group: Group) -> str:
    names = [_name(member) for member in group.members]
    return ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")


def _name(member: Member) -> str:
    return member.client_id or member.member_id


def _names(members: list[Member]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_name, members)))


def _supports(group: Group, judge: Any) -> Iterator[ClientSupport]:
    alike: dict[tuple[str, ...], list[Member]] = {}
    for member in group.members:
        if member.protocol == "classic":
            alike.setdefault(member.could_be, []).append(member)
    for could_be, members in alike.items():
        said = [judge(name) for name in could_be]
        answers = {answer for answer, _ in said}
        answer = answers.pop() if len(answers) == 1 else "perhaps"
        says = "; ".join(dict.fromkeys(text for _, text in said))
        yield ClientSupport(_names(members), could_be, answer, says or _UNKNOWN)


# -- cooperative


def _has_cooperative(name: str) -> tuple[str, str]:
    client = name.partition(" (")[0]
    having = [
        each
        for each in clients()
        if each.name == client and any(_COOPERATIVE in habit.assignors for habit in each.habits)
    ]
    if not having:
        return "no", f"{client} was not seen to have {_COOPERATIVE}"
    every = [each for each in clients() if each.name == client]
    if len(having) == len(every):
        return "yes", f"{client} has {_COOPERATIVE}"
    since = having[0].since
    releases = name.partition(" (")[2].rstrip(")")
    old = [each for each in every if each not in having]
    only_old = bool(releases) and all(
        any(part.strip() == each.releases for each in old) for part in releases.split(",")
    )
    if only_old:
        return "no", f"{client} has {_COOPERATIVE} since {since}: upgrade it first"
    some_old = not releases or any(each.releases in releases for each in old)
    return ("perhaps" if some_old else "yes"), f"{client} has {_COOPERATIVE} since {since}"


def _to_cooperative(group: Group, command: str) -> Plan:
    old = group.protocol
    if old == _COOPERATIVE:
        step = Step(
            f"the group uses {_COOPERATIVE} already. If members still list another assignor, "
            f"restart each with partition.assignment.strategy={_COOPERATIVE} alone",
            command,
            f"{_COOPERATIVE}, Stable, no remark claims-contradict",
        )
        return Plan(group.group_id, "cooperative", steps=(step,))
    found = tuple(_supports(group, _has_cooperative))
    every = len(group.members)
    steps = (
        Step(
            f"restart each member (one by one, {_listed(group)}) with "
            f"partition.assignment.strategy={_COOPERATIVE},{old}",
            command,
            f"Stable, {every:,} members, after each restart; all still revoke everything: they "
            f"list {old}, too",
        ),
        Step(
            f"only when the last member has been restarted: restart each with "
            f"partition.assignment.strategy={_COOPERATIVE}",
            f"{command} --watch",
            "rebalances that move few partitions; a member refused with "
            "INCONSISTENT_GROUP_PROTOCOL means that one was left out of the first round",
        ),
        Step(
            "look at the whole group",
            command,
            f"{_COOPERATIVE}, Stable, {every:,} members, no remark claims-contradict",
        ),
    )
    back = (
        Step(
            f"restart each member with partition.assignment.strategy={_COOPERATIVE},{old}",
            command,
            f"Stable, {every:,} members",
        ),
        Step(
            f"then restart each with partition.assignment.strategy={old}",
            command,
            f"{old}, Stable, {every:,} members",
        ),
    )
    notes = (
        "which other assignors the members list is not told by the broker: it shows the chosen one",
        "Java's names are classes: org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
    )
    return Plan(group.group_id, "cooperative", found, _without(found), steps, back, notes)


def _without(found: tuple[ClientSupport, ...]) -> tuple[str, ...]:
    return tuple(f"{', '.join(each.members)}: {each.says}" for each in found if each.answer == "no")


# -- the broker's protocol


def _has_consumer(name: str) -> tuple[str, str]:
    client = name.partition(" (")[0]
    if client in _CONSUMER:
        return "perhaps", f"{client} has it since {_CONSUMER[client]}: check the release"
    if client in _NO_CONSUMER:
        return "no", f"{client} has no group.protocol=consumer up to {_NO_CONSUMER[client]}"
    return "perhaps", f"whether {client} has group.protocol=consumer is not known here"


def _to_consumer(group: Group, command: str, place: Place, told: Mapping[str, str]) -> Plan:
    found = tuple(_supports(group, _has_consumer))
    if group.kind == "consumer":
        return _rest_to_consumer(group, command, found)
    asked = _asked(group)
    classic = classic_group(group, _settings(group, asked | dict(told)))
    judgement = judge(classic)
    made = plan_of(classic, judgement)
    steps = tuple(_consumer_steps(group, made, command))
    if steps and group.members and POLICY not in {*asked, *told}:
        steps = (_policy_step(place), *steps)
    names = {member.member_id: _name(member) for member in group.members}
    return Plan(
        group.group_id,
        "consumer",
        found,
        (*(_reason(each, names) for each in judgement.reasons), *_without(found)),
        steps,
        (_way_back(group, classic, made, command),) if steps else (),
        (
            *_sources(group, asked, told),
            "committed offsets stay where they are: both protocols use them",
        ),
        judgement.verdict,
        judgement.error or "",
        tuple(_reason(each, names) for each in judgement.later),
        made.changes if steps else (),
        made.no_return if steps else "",
    )


def _settings(group: Group, told: Mapping[str, str]) -> Settings:
    try:
        settings = read_settings(told)
    except SettingError as error:
        raise ConfigError(f"--set: {error}") from None
    served = settings.next_protocol and group.broker_has_consumer_protocol is not False
    return replace(settings, next_protocol=served)


def _asked(group: Group) -> dict[str, str]:
    """Return the coordinator's settings that decide on a migration, as far as it has told them.

    Before Apache Kafka 4.0 assignors are told by their classes: "...assignor.UniformAssignor".
    """
    found = {name: group.settings[name] for name in NAMES if name in group.settings}
    if ASSIGNORS in found:
        names = (part.strip().rpartition(".")[2] for part in found[ASSIGNORS].split(","))
        found[ASSIGNORS] = ",".join(name.removesuffix("Assignor").lower() for name in names)
    for name in list(found):
        try:
            read_settings({name: found[name]})
        except SettingError:  # of a release that this project does not know
            del found[name]
    return found


def _sources(group: Group, asked: Mapping[str, str], told: Mapping[str, str]) -> Iterator[str]:
    """Yield where the settings of the brokers are from that the plan counts on."""
    if told:
        yield f"--set has {_pairs(told)}"
    left = {name: value for name, value in asked.items() if name not in told}
    if left:
        yield f"the coordinator has {_pairs(left)}"
        return
    why = f" ({group.settings_problem})" if group.settings_problem else ""
    other = "for its other settings" if told else "--set NAME=VALUE tells others"
    yield f"the brokers' settings are not told{why}: a 4.3 broker's defaults are assumed; {other}"


def _pairs(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items())


def _policy_step(place: Place) -> Step:
    return Step(
        f"On the brokers, {POLICY} has to be bidirectional (the default) or upgrade.",
        f"kafka-configs.sh --bootstrap-server {place.bootstrap or 'HOST:PORT'} --describe "
        f"--all --entity-type brokers | grep {POLICY}",
        "bidirectional",
    )


def _consumer_steps(group: Group, made: Migration, command: str) -> Iterator[Step]:
    going = [each for each in made.steps if each.kind != "remedy"]
    for each in going:
        follows, expect = _CHECKS[each.kind]
        names = f" The members: {_listed(group)}." if each.kind == "others" else ""
        check = "" if follows is None else command + follows
        yield Step(each.text + names, check, expect)
    if going and group.members:
        last = (
            f"a consumer group, Stable, {len(group.members):,} members, none of which uses the "
            "classic protocol"
        )
        yield Step("Look at the whole group.", command, last)


_CHECKS: Mapping[str, tuple[str | None, str]] = {  # what follows the command, what it shows
    "configure": (None, ""),
    "first": (
        "",
        "a consumer group; the other members use the classic protocol; Stable after a while",
    ),
    "others": (" --watch", "no remark reconciling that stays"),
    "start": ("", "a consumer group, Stable"),
}


def _way_back(group: Group, classic: ClassicGroup, made: Migration, command: str) -> Step:
    if not classic.settings.policy.downgrades:
        return Step(made.way_back)
    by = f" by {group.protocol}" if group.protocol else ""
    return Step(made.way_back, command, f"a classic group{by}, Stable")


def _reason(reason: Reason, names: Mapping[str, str]) -> str:
    who = f"{names[reason.member_id]}: " if reason.member_id else ""
    return f"{who}{reason.explanation}. {reason.remedy}"


def _rest_to_consumer(group: Group, command: str, found: tuple[ClientSupport, ...]) -> Plan:
    """Return what is left to do in a group that the broker divides already."""
    left = [member for member in group.members if member.protocol == "classic"]
    if not left:
        step = Step("every member uses the consumer protocol: nothing is left to do", command)
    else:
        step = Step(
            "Restart the members that use the classic protocol, one by one, with "
            f"group.protocol=consumer: {', '.join(_names(left))}.",
            f"{command} --watch",
            "no remark reconciling that stays",
        )
    return Plan(group.group_id, "consumer", found, _without(found), (step,), verdict="ready")
