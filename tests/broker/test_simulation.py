"""The simulation against real Java consumers on a real broker: the same changes of membership give
each member the same callbacks in the same order, and the same owners in the end."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kproto.rebalance.simulation import read_scenario, run
from tests.broker.members import Members

Told = tuple[str, tuple[str, ...]]
"""A callback and its partitions."""

CALLBACKS = {
    "onPartitionsRevoked": "revoked",
    "onPartitionsAssigned": "assigned",
    "onPartitionsLost": "lost",
}
SESSION = 2
"""Seconds; a crash is noticed after them."""
APART = 40
"""Simulated seconds between two changes: everything is over by then."""


class Change(NamedTuple):
    """What is done to the group: "start", "stop", "crash", "subscribe", "topics"."""

    do: str
    member: str = ""
    with_: str = ""
    """An assignor to start with, topics to subscribe to, or a number of partitions."""


class After(NamedTuple):
    """What followed a change."""

    told: dict[str, list[Told]]
    owned: dict[str, tuple[str, ...]]


def membership(assignor: str) -> list[Change]:
    """Scaling out, a growing topic, a leave, a crash, and somebody who comes back."""
    return [
        Change("start", "a", assignor),
        Change("start", "b", assignor),
        Change("start", "c", assignor),
        Change("topics", with_="8"),
        Change("stop", "b"),
        Change("crash", "c"),
        Change("start", "d", assignor),
    ]


ONE_NAME = [
    Change("start", "o1", "custom-eager"),
    Change("start", "o2", "custom-eager"),
    Change("start", "zz", "custom-cooperative"),
    Change("start", "o4", "custom-eager"),
]
"""One bounce under one protocol name: o4 is given what zz has not revoked."""


@pytest.mark.parametrize("assignor", ["range", "sticky", "cooperative-sticky"])
def test_changes_of_membership(members: Members, assignor: str) -> None:
    compare(members, f"m-{assignor}", membership(assignor))


def test_one_bounce_under_one_name(members: Members) -> None:
    happened = compare(members, "m-one-name", ONE_NAME)
    assert happened[-1].told["o4"][0] == ("assigned", ("m-one-name-2",))
    assert happened[-1].told["zz"][0] == ("revoked", ("m-one-name-2", "m-one-name-5"))


def test_one_bounce_beside_another_name(members: Members) -> None:
    """Who lists only cooperative-sticky is refused by a group of range, and ends."""
    topic = "m-refused"
    really(members, topic, [Change("start", "a", "range")])
    refused = members.step(_order(Change("start", "b", "cooperative-sticky"), topic))
    assert [event.event for event in refused.events] == ["InconsistentGroupProtocolException"]
    simulated = run(
        read_scenario(
            _scenario(
                topic, [Change("start", "a", "range"), Change("start", "b", "cooperative-sticky")]
            ),
            topic,
        )
    )
    assert simulated.failed == ("b",)
    assert refused.owned["a"] == _names(simulated.owned["a"])


def compare(members: Members, topic: str, changes: list[Change]) -> list[After]:
    happened = really(members, topic, changes)
    for change, real, simulated in zip(changes, happened, simulate(topic, changes), strict=True):
        assert simulated == real, change
    return happened


# -- the real ones


def really(members: Members, topic: str, changes: list[Change]) -> list[After]:
    members.step(f"topic {topic} 6", quiet_ms=1)
    return [_really(members, topic, change) for change in changes]


def _really(members: Members, topic: str, change: Change) -> After:
    quiet_ms = (SESSION + 2) * 1000 if change.do == "crash" else 1200
    step = members.step(_order(change, topic), quiet_ms=quiet_ms)
    told: dict[str, list[Told]] = {}
    for member, event, partitions in step.events:
        gone = change.do == "crash" and member == change.member  # a real crash calls nothing back
        if event in CALLBACKS.values() and not gone:
            told.setdefault(member, []).append((event, partitions))
    return After(told, step.owned)


def _order(change: Change, topic: str) -> str:
    if change.do == "topics":
        return f"topic {topic} {change.with_}"
    if change.do == "start":
        settings = f"session.timeout.ms={SESSION * 1000} metadata.max.age.ms=300"
        group = f"group={topic} topics={topic} assignors={change.with_}"
        return f"join {change.member} {group} {settings}"
    return f"{ {'stop': 'leave', 'crash': 'vanish'}[change.do] } {change.member}"


# -- the simulated ones


def simulate(topic: str, changes: list[Change]) -> list[After]:
    found = []
    for number in range(1, len(changes) + 1):  # the run up to there shows who owns what by then
        text = f"duration = {APART * number - 1}\n{_scenario(topic, changes[:number])}"
        so_far = run(read_scenario(text, topic))
        told: dict[str, list[Told]] = {}
        for event in so_far.record.events:
            callback = CALLBACKS.get(str(event.what))
            if callback and event.at_ms >= APART * (number - 1) * 1000:
                partitions = _names(frozenset(event.partitions))
                told.setdefault(event.who, []).append((callback, partitions))
        found.append(After(told, {who: _names(mine) for who, mine in so_far.owned.items()}))
    return found


def _names(partitions: frozenset[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(sorted(f"{topic}-{number}" for topic, number in partitions))


def _scenario(topic: str, changes: list[Change]) -> str:
    lines = [
        f"[topics]\n{topic} = 6",
        "[broker]\ninitial_rebalance_delay = 0",
        f"[defaults]\nsession_timeout = {SESSION}\nheartbeat_interval = 0.1\ntopics = ['{topic}']",
    ]
    for number, change in enumerate(changes):
        lines.append(_ENTRY[change.do].format(at=APART * number, topic=topic, change=change))
    return "\n".join(lines)


_EVENT = '[[events]]\nat = {at}\ndo = "{change.do}"\nmember = "{change.member}"'
_ENTRY = {
    "start": '[[members]]\nname = "{change.member}"\nassignor = "{change.with_}"\nstart = {at}',
    "topics": "[[events]]\nat = {at}\ndo = 'change topics'\n"
    "topics = {{ {topic} = {change.with_} }}",
    "stop": _EVENT,
    "crash": _EVENT,
}
