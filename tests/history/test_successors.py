"""A process that is killed and started again before its session ends: the new member begins the
rebalance, and the session of the old one ends in it. The lines are of a 4.3 broker."""

from __future__ import annotations

from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from tests.capture.logs.recorded import read

_HEAD = (
    "2026-11-28 17:{}:{} [group-coordinator-event-processor-1] INFO "
    "org.apache.kafka.coordinator.group.GroupMetadataManager - [GroupCoordinator id=1 "
    "topic=__consumer_offsets partition=3] {}\n"
)
_MEMBER = "r2-b27fb22e-8830-4000-b716-be62e993bc{:02}"


def _return(number: int, *, is_first: bool = True) -> str:
    new, old = _MEMBER.format(number), _MEMBER.format(number - 1)
    reason = f"Adding new member {new} with group instance id null; client reason: not provided"
    begins = "Preparing to rebalance group reports in state PreparingRebalance with old generation"
    group = f"group reports for generation {number + 1}"
    failed = f"Member {old} in group reports has failed, removing it from the group."
    lines = (
        ("47.908", f"{begins} {number} (reason: {reason})."),
        ("48.366" if is_first else "46.100", failed),
        ("48.367", f"Stabilized group reports generation {number + 1} with 2 members."),
        ("48.369", f"Assignment received from leader r1-4826 for {group}."),
    )  # fmt: skip
    return "".join(_HEAD.format(number, *line) for line in sorted(lines))


def test_the_session_that_ends_after_its_successor_joined_is_no_cause() -> None:
    text = "".join(_return(number) for number in range(33, 38))
    (story,) = tell([LogSource("broker.log", read(text))]).groups
    for rebalance in story.rebalances:
        assert [(cause.cause, cause.client) for cause in rebalance.causes] == [
            ("member-joined", "r2")
        ]
    words = [cause.cause for cause in story.causes]
    assert words[0] == "crash-loop"
    assert "session-expired" not in words
    assert not any("KAFKA-7610" in cause.next_step for cause in story.causes)


def test_a_session_that_ends_first_is_the_cause() -> None:
    text = "".join(_return(number, is_first=False) for number in range(33, 38))
    (story,) = tell([LogSource("broker.log", read(text))]).groups
    assert "session-expired" in [cause.cause for cause in story.causes]
    assert "crash-loop" not in [cause.cause for cause in story.causes]
