"""A cause that a client, or a kind of group, cannot have is neither told nor a rival of another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kproto.clients.catalog import ability_of
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.programs import NEEDS, PROGRAMS
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import SCENARIOS, logs, read, truth

_STATIC = {
    "static-member-came-back", "static-member-came-back-too-late", "instance-id-used-twice",
}  # fmt: skip
# By the documents and the source of each client: which of these it cannot have.
IMPOSSIBLE = {
    "family-sarama": {"poll-timeout-exceeded"},
    "family-kafka-go": {"poll-timeout-exceeded", "cooperative-second-round", *_STATIC},
    "family-kafkajs": {"poll-timeout-exceeded", "cooperative-second-round", *_STATIC},
}
_OF_LEADERS = {"leader-fails", "leader-rejoined", "rebalance-timeout", "sync-not-sent"}
_LEAVES = """\
[2026-11-25 10:00:00,000] INFO [GroupCoordinator 1]: Preparing to rebalance group g in state \
PreparingRebalance with old generation 0 (__consumer_offsets-1) (reason: Adding new member {m} \
with group instance id None; client reason: not provided) (x)
[2026-11-25 10:00:03,000] INFO [GroupCoordinator 1]: Stabilized group g generation 1 \
(__consumer_offsets-1) with 1 members (x)
[2026-11-25 10:01:00,000] INFO [GroupCoordinator 1]: Preparing to rebalance group g in state \
PreparingRebalance with old generation 1 (__consumer_offsets-1) (reason: Removing member {m} on \
LeaveGroup; client reason: not provided) (x)
[2026-11-25 10:01:00,001] INFO [GroupCoordinator 1]: Group g with generation 2 is now empty \
(__consumer_offsets-1) (x)
"""


def words(story: GroupStory) -> Iterator[str]:
    """Every cause of a story, and every rival."""
    for root in story.causes:
        yield from (root.cause, *root.rivals)
    for cause in (cause for rebalance in story.rebalances for cause in rebalance.causes):
        yield from (cause.cause, *cause.rivals)


def _stories(files: dict[str, str], group: str) -> Iterator[GroupStory]:
    """The story of all logs, and of each alone."""
    for names in (list(files), *([name] for name in files)):
        sources = [LogSource(name, read(files[name])) for name in names]
        yield from (story for story in tell(sources).groups if story.group == group)


@pytest.mark.parametrize("scenario", IMPOSSIBLE)
def test_a_client_has_no_cause_that_it_cannot_have(scenario: str) -> None:
    (group,) = truth(scenario)["groups"]
    files = logs(scenario)
    for names in (files, [name for name in files if name != "broker.log"]):
        sources = [LogSource(name, read(files[name])) for name in names]
        (story,) = [story for story in tell(sources).groups if story.group == group]
        assert not IMPOSSIBLE[scenario] & {*words(story)}


_BROKER_ASSIGNS = [name for name in SCENARIOS if truth(name)["kind"] in ("consumer", "share")]


@pytest.mark.parametrize("scenario", _BROKER_ASSIGNS)
def test_where_the_broker_assigns_no_leader_is_at_fault(scenario: str) -> None:
    (group,) = truth(scenario)["groups"]
    for story in _stories(logs(scenario), group):
        if story.kind != "classic":  # of a log that tells too little
            assert not _OF_LEADERS & {*words(story)}


@pytest.mark.parametrize(
    ("client", "may_be_slow"),
    [("sarama", False), ("kgo", False), ("kafkajs", False), ("rdkafka", True),
     ("consumer-g-1", True), ("kafka-python-2.0.2", True), ("kafka-python-1.3.5", False),
     ("aiokafka-0.7.0", True), ("aiokafka-0.4.0", False), ("billing", True)],
)  # fmt: skip
def test_a_client_without_a_poll_limit_leaves_by_itself(client: str, may_be_slow: bool) -> None:
    """By the client id alone, in a coordinator's log. KIP-62, kafka-python 1.4 and aiokafka 0.5.1
    brought the limit."""
    text = _LEAVES.format(m=f"{client}-5f2e1a7c-1111-4222-8333-944455556661")
    (story,) = tell([LogSource("broker.log", read(text))]).groups
    (cause,) = story.rebalances[-1].causes
    assert cause.cause == "member-left"
    assert ("poll-timeout-exceeded" in cause.rivals) == may_be_slow
    assert cause.certain != may_be_slow
    assert ("poll-timeout-exceeded" in words(story)) == may_be_slow


def test_every_program_of_log_lines_is_in_the_table() -> None:
    """Whether it has a poll limit and static members, which most causes depend on."""
    for program in PROGRAMS.values():
        for ability in {*NEEDS.values()}:
            assert ability_of(program, ability) is not None, (program, ability)
