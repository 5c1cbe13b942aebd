"""The way of a group to the cooperative protocol, or to the broker's: client by client, restart by
restart, with a command to check each step, and the way back.

Which clients have cooperative-sticky is what `clients.json` of the inspector has measured. Which
have the consumer protocol (KIP-848) is from their own release notes; see `_CONSUMER`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from ..codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription, Policy, decode
from ..inspector.diagnose.fingerprints import clients
from .errors import ConfigError
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
    be told from outside."""

    group: str
    goal: str
    clients: tuple[ClientSupport, ...] = ()
    blockers: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    back: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the plan as a JSON object."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


class Place(NamedTuple):
    """Where the group is, for the commands of a plan."""

    bootstrap: str = ""
    command_config: str = ""


def plan(group: Group, goal: Goal, place: Place) -> Plan:
    """Return the way of a group to a protocol. Raises ConfigError for a group of another kind."""
    if group.protocol_type != "consumer" or group.kind not in ("classic", "consumer"):
        raise ConfigError(f"--plan is for groups of consumers; this is a {group.kind} group")
    if group.kind == "consumer" and goal == "cooperative":
        raise ConfigError("the group uses the consumer protocol, which is cooperative already")
    if not group.members:
        raise ConfigError("--plan needs members to look at, and the group has none")
    make = _to_cooperative if goal == "cooperative" else _to_consumer
    return make(group, _command(group, place), place)


def _command(group: Group, place: Place) -> str:
    words = ["kproto", "group", group.group_id]
    words += ["--bootstrap", place.bootstrap] if place.bootstrap else []
    words += ["--command-config", place.command_config] if place.command_config else []
    return shlex.join(words)


def _restarts(group: Group) -> str:
    names = [member.client_id or member.member_id for member in group.members]
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8:,} more" if len(names) > 8 else "")
    return f"one by one, {shown}"


def _names(members: list[Member]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(member.client_id or member.member_id for member in members))


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


def _to_cooperative(group: Group, command: str, place: Place) -> Plan:
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
            f"restart each member ({_restarts(group)}) with partition.assignment.strategy="
            f"{_COOPERATIVE},{old}",
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


def _to_consumer(group: Group, command: str, place: Place) -> Plan:
    found = tuple(_supports(group, _has_consumer))
    blockers = [*_blocking_bytes(group)]
    if group.broker_has_consumer_protocol is False:
        blockers.insert(0, "the broker has no consumer protocol: Apache Kafka has it since 4.0")
    classic = [member for member in group.members if member.protocol == "classic"]
    if group.kind == "consumer" and not classic:
        step = Step("every member uses the consumer protocol: nothing is left to do", command)
        return Plan(group.group_id, "consumer", steps=(step,))
    steps = (
        Step(
            "on the brokers, group.consumer.migration.policy has to be bidirectional (the default) "
            "or upgrade",
            f"kafka-configs.sh --bootstrap-server {place.bootstrap or 'HOST:PORT'} --describe "
            "--all --entity-type brokers | grep group.consumer.migration.policy",
            "bidirectional",
        ),
        Step(
            f"restart one member, {classic[0].client_id or classic[0].member_id}, with "
            "group.protocol=consumer and without partition.assignment.strategy, "
            "session.timeout.ms and heartbeat.interval.ms",
            command,
            "a consumer group; the other members use the classic protocol; state Stable after a "
            "while",
        ),
        Step(
            f"restart the others in the same way ({_restarts(group)})",
            f"{command} --watch",
            "no remark reconciling that stays",
        ),
        Step(
            "look at the whole group",
            command,
            f"a consumer group, Stable, {len(group.members):,} members, none of which uses the "
            "classic protocol",
        ),
    )
    back = (
        Step(
            "restart each member with group.protocol=classic and its old settings; with the last "
            "one that leaves the consumer protocol the group is a classic one again",
            command,
            f"a classic group by {group.protocol}, Stable",
        ),
    )
    notes = ("committed offsets stay where they are: both protocols use the same",)
    blocked = (*blockers, *_without(found))
    return Plan(group.group_id, "consumer", found, blocked, steps, back, notes)


def _blocking_bytes(group: Group) -> Iterator[str]:
    """Yield what a broker refuses in the bytes of classic members when the group is converted:
    bytes that it cannot parse, and user data in an assignment."""
    for member in group.members:
        if member.protocol != "classic" or group.kind == "consumer":
            continue
        name = member.client_id or member.member_id
        subscription = decode(member.metadata, ConsumerProtocolSubscription, policy=Policy.LENIENT)
        if subscription.message is None:
            yield (
                f"{name}: the broker cannot parse its subscription and refuses every member of "
                "the new protocol: upgrade or replace this client first"
            )
        if not member.assignment:
            continue
        assignment = decode(member.assignment, ConsumerProtocolAssignment, policy=Policy.LENIENT)
        if assignment.message is None:
            yield f"{name}: the broker cannot parse its assignment: upgrade the leader"
        elif assignment.message.user_data:
            yield (
                f"{name}: there is user data in its assignment, which the broker takes for a "
                "custom assignor: change to range first"
            )
