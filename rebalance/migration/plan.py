"""What to do, step by step; what changes; the way back, and from where on there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from .group import ClassicGroup
from .judge import Judgement
from .moves import moves_of
from .settings import Policy

StepKind: TypeAlias = Literal["remedy", "configure", "first", "others", "start"]


class Step(NamedTuple):
    """A step: a remedy for what stops the group, or the configuration, the first restart, the
    other restarts, the start of a group without members."""

    kind: StepKind
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Sentences, each in the order in which it matters."""

    steps: tuple[Step, ...]
    changes: tuple[str, ...]
    way_back: str
    no_return: str


def plan_of(group: ClassicGroup, judgement: Judgement) -> Plan:
    """Return the plan for a group that was judged."""
    remedies = dict.fromkeys(reason.remedy for reason in (*judgement.reasons, *judgement.later))
    steps = [Step("remedy", f"First: {remedy}") for remedy in remedies]
    if all(reason.what not in _NO_MOVE for reason in judgement.reasons):
        steps += [Step("start", _START_EMPTY)] if group.is_empty else _rolling(group)
    return Plan(tuple(steps), tuple(_changes(group)), _way_back(group), _no_return(group))


_NO_MOVE = {"not-a-consumer-group", "streams-assignor"}

_START_EMPTY = """\
Start the members with group.protocol=consumer: the first one makes the empty group a consumer \
group, and its committed offsets stay."""
_CONFIGURATION = """\
Take out of the members' configuration what the next protocol refuses: \
partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms. The last two move to \
the broker (group.consumer.session.timeout.ms, group.consumer.heartbeat.interval.ms). \
max.poll.interval.ms stays, and is the time that a member has to give partitions back."""
_FIRST = """\
Restart one member with group.protocol=consumer. Its first heartbeat converts the group, and every \
other member rejoins once."""
_OTHERS = """\
Check the group (kproto group NAME, or kafka-consumer-groups --describe --state), then restart the \
other members, one after the other: {count}."""
_DIVIDES = "The broker divides the partitions, not a member: by {assignor}, {kept}."
_KEEPS: Mapping[str, str] = {
    "uniform": "which lets members keep what they have, up to an equal share",
    "range": "which divides anew at every change, whatever members have",
}
_MOVES = """\
When a new member joins beside the others, at most so many of {total} partitions leave their \
owner: {told}."""
_CHANGES = (
    """\
Partitions move one by one, as in the cooperative protocol; a member that keeps its partitions \
does not pause.""",
    """\
Nobody sees the other members' subscriptions, and no user data is passed on: what an assignor of \
one's own did with them is gone.""",
    """\
A pattern that the client hands over is matched by the broker, as RE2; one in the client's own \
language is matched by the client, as before.""",
)
_BACK = """\
Restart the members with group.protocol=classic. When the last new one has left and a classic one \
remains, the group is a classic group again and rebalances once."""
_BACK_STOPPED = """\
None while members run: the policy converts no consumer group back. Stop all members; an empty \
group takes classic ones."""
_BACK_TOO_LARGE = """\
None while as many members run: a classic group may have {limit} (group.max.size)."""
_NO_RETURN = """\
None under this policy: the last classic member may leave, and classic ones still join again."""
_NO_RETURN_DISABLED = "The first new member: from then on classic members are refused."
_NO_RETURN_UPGRADE = "The first new member: the group is classic again only after it was empty."


def _rolling(group: ClassicGroup) -> list[Step]:
    others = len(group.members or ()) - 1
    steps = [Step("configure", _CONFIGURATION), Step("first", _FIRST)]
    return [*steps, Step("others", _OTHERS.format(count=others))] if others > 0 else steps


def _changes(group: ClassicGroup) -> list[str]:
    assignor = group.settings.assignor
    kept = _KEEPS.get(assignor, "of which nothing is known here")
    return [_DIVIDES.format(assignor=assignor, kept=kept), *_moves(group), *_CHANGES]


def _moves(group: ClassicGroup) -> list[str]:
    moves = moves_of(group)
    if moves is None:
        return []
    told = ", ".join(f"{count} by {name}" for name, count in moves.moved.items())
    return [_MOVES.format(told=told, total=moves.total)]


def _way_back(group: ClassicGroup) -> str:
    if not group.settings.policy.downgrades:
        return _BACK_STOPPED
    limit = group.settings.classic_max_size
    if len(group.members or ()) > limit:
        return _BACK_TOO_LARGE.format(limit=limit)
    return _BACK


def _no_return(group: ClassicGroup) -> str:
    if group.settings.policy is Policy.DISABLED:
        return _NO_RETURN_DISABLED
    return _NO_RETURN if group.settings.policy.downgrades else _NO_RETURN_UPGRADE
