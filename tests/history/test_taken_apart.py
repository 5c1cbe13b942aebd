"""Recorded logs taken apart: files left out and in any order, lines missing and doubled, clocks
that differ. What is told of them happened, whatever is missing."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kproto.capture.logs.exports import log_lines
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import SCENARIOS, logs, read, truth
from tests.history.test_story_of_logs import ALSO_TRUE, ORDINARY

_FAMILIES = {"java", "kafka-go", "kafka-python", "librdkafka", "kafkajs", "sarama"}
_WHOLE = [
    name for name in SCENARIOS
    if truth(name)["kind"] == "classic"
    and {client["family"] for client in truth(name)["clients"]} <= _FAMILIES
]  # fmt: skip


class Facts(NamedTuple):
    """What happened in the group of a scenario: ids of members and generations."""

    group: str
    clients: frozenset[str]
    members: Mapping[int, frozenset[str]]
    shares: Mapping[tuple[int, str], frozenset[str]]
    left: frozenset[str]
    causes: frozenset[str]


def _facts(scenario: str) -> Facts:
    happened = truth(scenario)
    (group,) = happened["groups"]
    generations = [part for part in happened["generations"] if part["group"] == group]
    shares = {
        (event["generation"], member): frozenset(parts)
        for event in happened["events"] if event["what"] == "leader assigns"
        for member, parts in event["assignment"].items()
    }  # fmt: skip
    left = {event.get("member") for event in happened["events"] if event["what"] == "leaves"}
    ids = frozenset().union(*(part["members"] for part in generations))
    return Facts(
        group,
        frozenset(client["member"] for client in happened["clients"]),
        {part["generation"]: frozenset(part["members"]) for part in generations},
        shares,
        ids if None in left else frozenset(left),  # by an administrator, who names instances
        frozenset(cause.replace(" ", "-") for cause in happened["causes"])
        | ORDINARY
        | ALSO_TRUE.get(scenario, set())
        | {"static-member-came-back"},
    )


def _damaged(text: str, draw: random.Random, part_missing: float, part_doubled: float) -> str:
    lines = []
    for line in text.splitlines(keepends=True):
        if draw.random() >= part_missing:
            lines.append(line)
            if draw.random() < part_doubled:
                lines.append(line)
    return "".join(lines)


def _check(story: GroupStory, facts: Facts) -> None:
    """Nothing is told that did not happen."""
    ids = frozenset().union(*facts.members.values())
    for event in story.events:
        if event.event == "joined" and event.generation is not None:
            assert event.generation in facts.members
            assert event.member is None or event.member in facts.members[event.generation]
        if event.event == "leaves" and event.member is not None:
            assert event.member in facts.left
        for member, shares in (event.assignment or {}).items():
            parts = frozenset(
                f"{topic}-{number}" for topic, numbers in shares.items() for number in numbers
            )
            if event.generation is None:  # no line tells of which it is
                assert parts in [facts.shares.get((part, member)) for part in facts.members]
                continue
            assert parts == facts.shares.get((event.generation, member)), (member, event.generation)
    for rebalance in story.rebalances:
        if rebalance.members:
            assert rebalance.generation in facts.members
            assert rebalance.members <= len(facts.members[rebalance.generation])
        for cause in rebalance.causes:
            assert cause.cause != "member-joined" or cause.member in ids | {None}
            if cause.cause == "member-left" and cause.certain and cause.member:
                assert cause.member in facts.left
    assert {cause.cause for cause in story.causes if cause.certain} <= facts.causes


def _story(files: Mapping[str, str], group: str) -> GroupStory | None:
    sources = [LogSource(name, read(text)) for name, text in files.items()]
    return next((story for story in tell(sources).groups if story.group == group), None)


@cache
def _blamed(scenario: str) -> frozenset[tuple[int, str | None]]:
    """The members that all logs name as the cause of each rebalance."""
    files = {name: text for name, text in logs(scenario).items() if ".debug" not in name}
    story = _story(files, _facts(scenario).group)
    assert story is not None
    return frozenset(
        (part.generation, cause.member) for part in story.rebalances for cause in part.causes
    )


def _check_blame(story: GroupStory, blamed: frozenset[tuple[int, str | None]]) -> None:
    """Where lines of the coordinator are missing, what the others tell is no certain cause of a
    rebalance that had another one."""
    for rebalance in story.rebalances:
        for cause in rebalance.causes:
            is_of_broker = {line.source for line in cause.evidence} == {"broker.log"}
            if cause.certain and is_of_broker:
                assert (rebalance.generation, cause.member) in blamed


def _take_apart(data: st.DataObject) -> None:
    scenario = data.draw(st.sampled_from(_WHOLE))
    facts = _facts(scenario)
    everything = {name: text for name, text in logs(scenario).items() if ".debug" not in name}
    names = data.draw(st.lists(st.sampled_from(sorted(everything)), min_size=1, unique=True))
    draw = random.Random(data.draw(st.integers(0, 2**16)))  # noqa: S311
    missing = data.draw(st.sampled_from([0.0, 0.02, 0.3, 0.8]))
    doubled = data.draw(st.sampled_from([0.0, 0.2]))
    files = {name: _damaged(everything[name], draw, missing, doubled) for name in names}
    story = _story(files, facts.group)
    if story is not None:
        _check(story, facts)
        _check_blame(story, _blamed(scenario))
    turned = _story(dict(sorted(files.items(), reverse=True)), facts.group)
    assert (story is None) == (turned is None)
    if story is not None and turned is not None:
        assert turned.rebalances == story.rebalances
        assert _causes(turned) == _causes(story)


def _causes(story: GroupStory) -> Any:
    return {(cause.cause, cause.certain, frozenset(cause.rivals)) for cause in story.causes}


_ALL = [name for name in SCENARIOS if name != "forms"]  # which has one log in many layouts
_FREE = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=10, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_whatever_is_missing_nothing_is_made_up(data: st.DataObject) -> None:
    _take_apart(data)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_whatever_is_missing_nothing_is_made_up_at_length(data: st.DataObject) -> None:
    _take_apart(data)


# -- without the lines of a kind

_KINDS_GONE = 3
"""Lines of so many kinds at most are missing at once."""


def _certain(story: GroupStory | None) -> set[tuple[int, str, str | None]]:
    """The causes of rebalances that are certain, with those that they are of."""
    return {
        (part.generation, cause.cause, cause.client or cause.member)
        for part in (story.rebalances if story is not None else ())
        for cause in part.causes if cause.certain
    }  # fmt: skip


@cache
def _certain_in(scenario: str, group: str, names: tuple[str, ...]) -> Any:
    texts = logs(scenario)
    return _certain(_story({name: texts[name] for name in names}, group))


def _leave_out_kinds(data: st.DataObject) -> None:
    """Fewer lines leave more open: they make no other cause certain."""
    scenario = data.draw(st.sampled_from(_ALL))
    everything = tuple(name for name in logs(scenario) if ".debug" not in name)
    names = tuple(data.draw(st.lists(st.sampled_from(everything), min_size=1, unique=True)))
    names = data.draw(st.sampled_from([names, everything]))
    events = {name: read(logs(scenario)[name]) for name in names}
    kinds = sorted({(event.side, event.event) for part in events.values() for event in part})
    gone = data.draw(st.lists(st.sampled_from(kinds), max_size=_KINDS_GONE))
    (group,) = truth(scenario)["groups"]
    sources = [
        LogSource(name, [event for event in part if (event.side, event.event) not in gone])
        for name, part in events.items()
    ]
    story = next((story for story in tell(sources).groups if story.group == group), None)
    whole = _certain_in(scenario, group, everything) | _certain_in(scenario, group, names)
    clients = {client for _, _, client in whole}
    assert {cause for cause in _certain(story) if cause[2] in clients} <= whole, (names, gone)


@settings(max_examples=25, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_without_the_lines_of_a_kind_no_other_cause_is_certain(data: st.DataObject) -> None:
    _leave_out_kinds(data)


@pytest.mark.slow
@settings(max_examples=2_000, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_without_the_lines_of_kinds_no_other_cause_is_certain_at_length(
    data: st.DataObject,
) -> None:
    _leave_out_kinds(data)


# -- the same lines in another way

_BEGINS = re.compile(
    r"\[?\d{4}[-/]\d\d[-/]\d\d|%\d\||\{|\[sarama\]|\d\d:\d\d:\d\d|\[(?:INFO|DEBUG|WARN|ERROR)\]"
)
_Files = dict[str, str]


def _messages(text: str) -> list[str]:
    """The messages of a log, each with the lines that continue it."""
    messages: list[str] = []
    for line in text.splitlines(keepends=True):
        if _BEGINS.match(line) or not messages:
            messages.append(line)
        else:
            messages[-1] += line
    return messages


def _turned(files: _Files, draw: random.Random) -> _Files:
    """As exports of Loki and Kibana have them: the newest line first."""
    name = draw.choice(sorted(files))
    return {**files, name: "".join(reversed(_messages(files[name])))}


def _mixed_up(files: _Files, draw: random.Random) -> _Files:
    """As a collector delivers the lines of several threads: up to half a second late."""
    name = draw.choice(sorted(files))
    messages = _messages(files[name])
    times = [_time(message) for message in messages]
    arrivals = [(time or 0) + draw.random() * 500 for time in times]
    order = sorted(range(len(messages)), key=arrivals.__getitem__)
    is_noticed = any((times[later] or 0) < (times[at] or 0) for at, later in pairwise(order))
    if None in times or not is_noticed:
        return files
    return {**files, name: "".join(messages[at] for at in order)}


def _time(message: str) -> float | None:
    (line,) = islice(log_lines(enumerate(message.splitlines(), 1)), 1)
    return line.stamp.milliseconds


def _doubled(files: _Files, draw: random.Random) -> _Files:
    return {
        name: "".join(message * draw.choice([1, 1, 2]) for message in _messages(text))
        for name, text in files.items()
    }


def _copied(files: _Files, draw: random.Random) -> _Files:
    name = draw.choice(sorted(files))
    return {**files, f"copy of {name}": files[name]}


def _rotated(files: _Files, draw: random.Random) -> _Files:
    name = draw.choice(sorted(files))
    messages = _messages(files[name])
    at = draw.randrange(len(messages))
    parts = {f"{name}.1": "".join(messages[:at]), name: "".join(messages[at:])}
    return {**files, **parts}


def _in_another_order(files: _Files, draw: random.Random) -> _Files:
    return dict(draw.sample(sorted(files.items()), len(files)))


def _in_one_file(files: _Files, draw: random.Random) -> _Files:
    return {"all.log": "".join(_in_another_order(files, draw).values())}


_WAYS = (_turned, _mixed_up, _doubled, _copied, _rotated, _in_another_order, _in_one_file)
_ZONES_S = (0, 0, 3_600, -18_000, 19_800, 45_900, 86_400)


def _with_other_clocks(sources: list[LogSource], draw: random.Random) -> None:
    """Each source in a zone of its own, and with a clock that is wrong by up to a minute."""
    for source in sources:
        wrong = draw.choice(_ZONES_S) + draw.choice(
            [0.0, draw.uniform(-2, 2), draw.uniform(-60, 60)]
        )
        source.events = [
            event._replace(stamp=event.stamp._replace(milliseconds=value + wrong * 1_000))
            for event in source.events if (value := event.stamp.milliseconds) is not None
        ]  # fmt: skip


def _told(sources: list[LogSource], group: str) -> Any:
    """The rebalances with their causes, and those of the group."""
    (story,) = [story for story in tell(sources).groups if story.group == group]
    rebalances = [
        (part.generation, {(cause.cause, cause.certain, cause.client) for cause in part.causes})
        for part in story.rebalances
    ]
    return rebalances, _causes(story)


def _tell_in_another_way(data: st.DataObject) -> None:
    scenario = data.draw(st.sampled_from(_ALL))
    files = {name: text for name, text in logs(scenario).items() if ".debug" not in name}
    draw = random.Random(data.draw(st.integers(0, 2**16)))  # noqa: S311
    way = data.draw(st.sampled_from([None, *_WAYS]))
    changed = files if way is None else way(dict(files), draw)
    sources = [LogSource(name, read(text)) for name, text in changed.items()]
    if way is None:
        _with_other_clocks(sources, draw)
    (group,) = truth(scenario)["groups"]
    straight = [LogSource(name, read(text)) for name, text in files.items()]
    assert _told(sources, group) == _told(straight, group)


@settings(max_examples=25, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_the_same_lines_tell_the_same_however_they_come(data: st.DataObject) -> None:
    _tell_in_another_way(data)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None, suppress_health_check=_FREE)
@given(st.data())
def test_the_same_lines_tell_the_same_however_they_come_at_length(data: st.DataObject) -> None:
    _tell_in_another_way(data)
