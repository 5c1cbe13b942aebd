"""Who came back, in which order: the same words from lists of members in the audit, in `group` and
in the story."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture.segments.records import Record
from kproto.codec import GroupMetadataKey
from kproto.history.restarts import (
    ListedMember,
    MemberChange,
    Restarted,
    Restarts,
    judged,
)
from kproto.pipeline.audit import Finding, GroupFold, Step
from kproto.pipeline.audit.storm_causes import COSTLY_RULES
from kproto.pipeline.group_diagnosis import GroupTrail
from kproto.tools.main import main
from tests.pipeline.audit_groups import member, record
from tests.pipeline.kafka_log import Entry, Logged, write_segments
from tests.pipeline.test_group_diagnosis import NOWHERE, value_of

HOUR = 3_600
KEY = GroupMetadataKey(group="g").to_bytes()


def lists(*texts: str, every: float = 30, waits: bool = True) -> Restarted | None:
    """The restarts in lists of members: a letter is a name, a number behind it another id."""
    restarts, present = Restarts(), dict[str, ListedMember]()
    for number, text in enumerate(texts):
        now = {one: ListedMember(one, one[0], 45_000) for one in text.split()}
        left = [listed for one, listed in present.items() if one not in now]
        came = [listed for one, listed in now.items() if one not in present]
        restarts.take(MemberChange(number * every * 1000, left, came, waits=waits))
        present = now
    return judged(list(restarts.latest))


@pytest.mark.parametrize(("texts", "kind", "event"), [
    (["a b c", "b c", "a2 b c", "a2 c", "a2 b2 c", "a2 b2", "a2 b2 c2"], "in turn",
     "a, b and c came back as new members once each, one after the other"),
    (["a b c", "a2 b c", "a2 b2 c", "a2 b2 c2"], "in turn",
     "a, b and c came back as new members once each, one after the other"),
    (["a b c", "b c", "c", "", "a2", "a2 b2", "a2 b2 c2"], "at once",
     "a, b and c came back as new members once each, all at once"),
    (["a b c", "", "a2 b2 c2"], "at once",
     "a, b and c came back as new members once each, all at once"),
    (["a b c", "a2 b2 c2"], "at once",
     "a, b and c came back as new members once each, all at once"),
    (["a b c", "b c", "a2 b c", "b c", "a3 b c", "b c", "a4 b c"], "again",
     "a (1 of 3 members) came back as a new member 3 times"),
    (["a b c", "b c", "a2 b c", "a2 c", "a2 b2 c", "b2 c", "a3 b2 c", "b2 c", "a4 b2 c"], "again",
     "a and b (2 of 3 members) came back as new members, a most often, 3 times"),
    (["a b c", "b c", "a2 b c", "a2 c", "a2 b2 c"], "part in turn",
     "a and b (2 of 3 members) came back as new members once each, one after the other"),
    (["a b c", "b c", "a2 b c"], "apart",
     "a (1 of 3 members) came back as a new member once"),
    (["a b c", "b c", "c", "b2 c", "a2 b2 c"], "apart",
     "b and a (2 of 3 members) came back as new members once each"),
    (["a", "", "a2"], "apart", "a came back as a new member once"),
])  # fmt: skip
def test_how_members_came_back(texts: list[str], kind: str, event: str) -> None:
    restarted = lists(*texts)
    assert restarted is not None
    assert (restarted.kind, restarted.event) == (kind, event)
    assert (restarted.word == "rolling-restart") == (kind == "in turn")


@pytest.mark.parametrize("texts", [
    ["a b", "a b c", "a b"],  # more members, then fewer
    ["a b", "b"],
    ["", "a", "a b"],
])  # fmt: skip
def test_members_that_only_come_or_go(texts: list[str]) -> None:
    assert lists(*texts) is None


def test_a_killed_member_is_listed_beside_its_successors_where_the_broker_assigns() -> None:
    texts = ["a b", "a a2 b", "a a2 a3 b", "a2 a3 b", "a3 b"]
    restarted = lists(*texts, every=10, waits=False)
    assert restarted is not None
    assert restarted.event == "a (1 of 2 members) came back as a new member twice"
    assert lists("a b", "a a2 b", "a2 b", every=10) is None  # one more, then one less


def test_who_is_away_for_longer_than_an_hour_did_not_come_back() -> None:
    assert lists("a b", "b", "a2 b", every=HOUR) is not None
    assert lists("a b", "b", "a2 b", every=HOUR + 1) is None


def test_restarts_that_are_far_apart_are_no_deployment() -> None:
    texts = ["a b", "b", "a2 b", "a2", "a2 b2"]
    assert (restarted := lists(*texts, every=HOUR)) is not None and restarted.kind == "in turn"
    far = ["a b", "b", "a2 b", "a2 b x", "a2 b", "a2", "a2 b2"]
    assert (restarted := lists(*far, every=HOUR)) is not None and restarted.kind != "in turn"


def test_a_quarter_of_the_members_may_be_away_at_a_time() -> None:
    names = "abcdefgh"
    now, texts = {name: name for name in names}, []
    for first, second in zip(names[::2], names[1::2], strict=True):
        texts.append(" ".join(now.values()))
        texts.append(" ".join(value for name, value in now.items() if name not in first + second))
        now |= {first: f"{first}2", second: f"{second}2"}
    restarted = lists(*texts, " ".join(now.values()))
    assert restarted is not None and restarted.kind == "in turn"
    assert restarted.event.endswith(
        "and 4 more came back as new members once each, a few at a time"
    )


def test_a_session_cannot_have_ended_that_was_shorter() -> None:
    texts = ["a b", "b", "a2 b", "a2", "a2 b2", "b2", "a3 b2", "a3", "a3 b3"]
    quick, slow = lists(*texts, every=5), lists(*texts, every=50)
    assert quick is not None and slow is not None
    assert "session-expired" in slow.rivals
    later = quick._replace(restarts=quick.restarts[2:])
    assert later.is_quick and "session-expired" not in later.rivals


def test_what_is_kept_is_bounded() -> None:
    """Members with new names all the time, and one that comes back all the time."""
    restarts = Restarts()
    old: list[ListedMember] = []
    for number in range(5_000):
        came = [ListedMember(f"x{number}", f"x{number}"), ListedMember(f"a{number}", "a")]
        restarts.take(MemberChange(number * 100.0, old, came))
        old = came
    sizes = [len(kept) for kept in vars(restarts).values() if hasattr(kept, "__len__")]
    assert max(sizes) <= 1_002 and len(restarts.latest) == 1_000


# -- the same in the audit, in `group`, and in the story


MOVES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["leave", "join", "replace", "stop"])),
    max_size=14,
)


def steps_of(moves: Sequence[tuple[str, str]], *, is_static: bool = False) -> list[Step]:
    """The records of a group whose members move so, one move a record."""
    alive = {name: f"{name}#0" for name in "abc"}
    steps = []
    for number, (name, move) in enumerate([("", ""), *moves], 1):
        if move == "stop":
            alive.clear()
        elif move == "leave":
            alive.pop(name, None)
        elif (move == "join" and name not in alive) or (move == "replace" and name in alive):
            alive[name] = f"{name}#{number}"
        members = [
            member(member_id, instance=name if is_static else None)
            for name, member_id in alive.items()
        ]
        steps.append(record(number, *members, seconds=number * 40))
    return steps


def diagnosed(steps: Sequence[Step]) -> list[Finding]:
    """What `group` finds in the records."""
    trail = GroupTrail("g", "c")
    for offset, step in enumerate(steps):
        trail.take(Record(NOWHERE, offset, step.place.timestamp, KEY, value_of(step)))
    return trail.findings(trail.latest)


def story(steps: Sequence[Step]) -> dict[str, str]:
    """The summaries of the causes that `kproto story` tells."""
    log = [
        Logged(offset, Entry(step.place.timestamp, KEY, value_of(step)))
        for offset, step in enumerate(steps)
    ]
    with TemporaryDirectory() as home, redirect_stdout(StringIO()) as printed:
        write_segments(Path(home), 0, log, 0)
        assert main(["story", home, "--json"]) == 0
    (group,) = json.loads(printed.getvalue())["groups"]
    return {cause["cause"]: cause["summary"] for cause in group["causes"]}


@settings(max_examples=60)
@given(MOVES, st.booleans())
def test_the_audit_group_and_the_story_say_the_same(
    moves: list[tuple[str, str]], is_static: bool
) -> None:
    steps = steps_of(moves, is_static=is_static)
    fold = GroupFold("c", "g")
    for step in steps:
        fold.observe(step)
    restarted = judged(list(fold.restarts.latest))
    findings = {finding.rule: finding for finding in diagnosed(steps)}
    causes = story(steps)
    found = findings.get("members-restarted")
    if restarted is None:
        assert found is None
        assert not any("came back" in summary for summary in causes.values())
        return
    word = "rolling-restart" if restarted.word == "rolling-restart" else "member-joined"
    assert causes[word].startswith(restarted.summary)
    if not COSTLY_RULES & findings.keys():
        assert found is not None and found.cause == restarted.word
        assert found.explanation.startswith(restarted.event)
        assert restarted.word == "rolling-restart" or restarted.why in found.explanation
