"""What a coordinator's log tells of members that join again: a second round of the cooperative
protocol is the same line as another subscription. The lines are of a 4.3 broker and of librdkafka
with cooperative-sticky, which states no reason; all members subscribe to one topic."""

from __future__ import annotations

import pytest

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.reasons import LikelyCause
from kproto.history.rebalances import LogRebalance
from kproto.inspector.shapes.story_shapes import GroupStory
from tests.capture.logs.recorded import read

_D1 = "d1-3645babd-ec30-42a0-a92d-7bafd1672e92"
_D2 = "d2-1a4ef0df-4d1f-47b5-a933-2ad23976eb63"
_D3 = "d3-7b90c998-acc0-4025-906f-5193aba1da43"
_HEAD = (
    "2026-11-28 17:06:{} [group-coordinator-event-processor-3] INFO "
    "org.apache.kafka.coordinator.group.GroupMetadataManager - [GroupCoordinator id=1 "
    "topic=__consumer_offsets partition=1] "
)
_ADDED = f"Adding new member {_D3} with group instance id null; client reason: not provided"
_FOLLOWER = f"Updating metadata for member {_D2} during Stable; client reason: {{}}"
_LEADER = f"Leader {_D1} re-joining group during Stable; client reason: {{}}"


def _round(number: int, reason: str, second: str) -> str:
    begins = "Preparing to rebalance group orders-service in state PreparingRebalance"
    lines = (
        f"{begins} with old generation {number - 1} (reason: {reason}).",
        f"Stabilized group orders-service generation {number} with 3 members.",
        f"Assignment received from leader {_D1} for group orders-service for generation {number}.",
    )
    return "".join(
        _HEAD.format(f"{second}.{100 * at:03}") + f"{line}\n" for at, line in enumerate(lines, 1)
    )


def _story(*rounds: str, captured: tuple[LogRebalance, ...] = ()) -> GroupStory:
    source = LogSource("broker.log", read("".join(rounds)))
    (story,) = tell([source], captured={"orders-service": captured}).groups
    return story


def _words(story: GroupStory, at: int = -1) -> tuple[str, ...]:
    (cause,) = story.rebalances[at].causes
    assert not cause.certain
    return (cause.cause, *cause.rivals)


@pytest.mark.parametrize(
    ("reason", "other"), [(_FOLLOWER, "subscription-changed"), (_LEADER, "leader-rejoined")]
)
def test_a_second_round_is_the_first_explanation(reason: str, other: str) -> None:
    story = _story(_round(4, _ADDED, "04"), _round(5, reason.format("not provided"), "05"))
    assert _words(story)[0] == "cooperative-second-round"
    assert other in _words(story)
    assert "Nothing wrong is shown" in story.verdict
    (root,) = [cause for cause in story.causes if cause.cause == "cooperative-second-round"]
    assert not root.certain
    assert "probably" in root.summary


def test_what_is_hardly_a_second_round() -> None:
    """Java states the reason of a second round; and none follows another one, nor comes late."""
    first, second = _round(4, _ADDED, "04"), _FOLLOWER.format("not provided")
    for rounds in (
        (first, _round(5, _FOLLOWER.format("rebalance enforced by user"), "05")),
        (first, _round(5, second, "05"), _round(6, second, "06")),
        (first, _round(5, second, "05"), _round(6, second, "06"), _round(7, second, "07")),
        (first, _round(5, second, "05").replace("17:06", "17:16")),
    ):
        words = _words(_story(*rounds))
        assert words[0] == "subscription-changed"
        assert words[-1] == "cooperative-second-round"


def _of_records(generation: int, word: str, *, certain: bool) -> LogRebalance:
    cause = LikelyCause(word, certain, rivals=() if certain else ("metadata-flapping",))
    return LogRebalance(generation, causes=[cause], is_classic=True)


def test_records_decide_what_the_coordinator_leaves_open() -> None:
    rounds = _round(4, _ADDED, "04"), _round(5, _FOLLOWER.format("not provided"), "05")
    before = _of_records(4, "member-joined", certain=False)
    for word in ("cooperative-second-round", "subscription-changed", "metadata-changed"):
        story = _story(*rounds, captured=(before, _of_records(5, word, certain=True)))
        (cause,) = story.rebalances[-1].causes
        assert (cause.cause, cause.certain) == (word, True)
    same_topics = _of_records(5, "leader-rejoined", certain=False)
    story = _story(*rounds, captured=(before, same_topics))
    assert _words(story) == ("cooperative-second-round", "metadata-changed")
    assert "subscription-changed" in _words(_story(*rounds, captured=(same_topics,)))
