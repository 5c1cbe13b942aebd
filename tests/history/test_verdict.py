"""The first sentence about a group names the culprit, or says that nothing is wrong."""

from __future__ import annotations

import pytest

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import logs, read, truth


def _story(scenario: str, part: str = "") -> GroupStory:
    files = {name: text for name, text in logs(scenario).items() if name.startswith(part)}
    (group,) = truth(scenario)["groups"][:1]
    told = tell([LogSource(name, read(text)) for name, text in files.items()])
    return next(story for story in told.groups if story.group == group)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("slow-poll", ["c2 did not poll", "(4,000 ms)", "at least 9,", "7 of 11 rebalances"]),
        ("crash", ["Likely: c3 went silent"]),
        ("frozen-process", ["Likely: c3 learned only later", "2 of 4 rebalances"]),
        ("inconsistent-protocol", ["c3 was refused"]),
        ("unreadable-member-stops-leader", ["The leader, c1, cannot read"]),
        ("sarama-vs-java-protocol", ["c2 and another member were refused"]),
        ("librdkafka-cooperative", ["m2 did not poll", "(6,000 ms)", "at least 11,"]),
        ("static-restart-beyond", ["c2", "closed in order, without a LeaveGroup"]),
    ],
)
def test_who_makes_the_group_rebalance(scenario: str, words: list[str]) -> None:
    story = _story(scenario)
    for word in words:
        assert word in story.verdict
    assert any(story.verdict.endswith(cause.summary) for cause in story.causes[:2])


@pytest.mark.parametrize(
    "scenario",
    ["normal-start", "polite-leave", "rolling-restart", "cooperative-scale-out",
     "topic-gets-partitions", "broker-restart"],
)  # fmt: skip
def test_nothing_wrong_is_an_answer(scenario: str) -> None:
    assert _story(scenario).verdict.startswith("Nothing is wrong")
    assert _story(scenario, "broker").verdict.startswith("Nothing wrong is shown here")


def test_what_the_sources_do_not_show_is_not_decided() -> None:
    assert _story("broker-restart", "c").verdict.startswith("Not decided")


def test_connect_delays_are_told_in_numbers() -> None:
    (cause,) = [
        cause for cause in _story("connect-worker-killed").causes
        if cause.cause == "connect-delayed-rebalance"
    ]  # fmt: skip
    assert "for 8 s (scheduled.rebalance.max.delay.ms)" in cause.summary
    assert "nobody ran sink-1, source, source-0, for 8.1 s" in cause.summary


@pytest.mark.parametrize("scenario", ["streams-classic", "crash", "static-restart-beyond"])
def test_a_member_that_is_closed_without_leaving_looks_like_one_that_died(scenario: str) -> None:
    (cause,) = [c for c in _story(scenario, "broker").causes if c.cause == "process-died"]
    assert not cause.certain
    assert "member-left" in cause.rivals
