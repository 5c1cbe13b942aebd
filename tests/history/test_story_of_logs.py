"""The story of recorded logs against what really happened: events, generations and causes."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.layouts import Stamp
from kproto.capture.packets.reader import read_pcap
from kproto.history.captured_groups import read_frames
from kproto.history.causes import CAUSES
from kproto.history.clocks import LogSource
from kproto.history.group_story import Selection, tell
from kproto.history.group_story_page import story_page
from kproto.history.group_story_view import StoryView, missing_text, rebalance_texts
from kproto.history.rebalances import LogRebalance
from kproto.history.timeline import Line
from kproto.inspector.shapes.story_shapes import (
    GroupStory,
    RebalanceCause,
    StoryOfGroups,
    ToldRebalance,
)
from tests.capture.logs.recorded import FOLDER, SCENARIOS, logs, read, text, truth

_CLASSIC = [name for name in SCENARIOS if truth(name)["kind"] in ("classic", "connect")]
ORDINARY = {"member-joined", "member-left"}
ALSO_TRUE = {
    # What the logs show besides what the scenario is about.
    "broker-2.8.2-java-2.8.2-static": {"static-member-came-back-too-late"},
    "broker-3.7.2-java-3.7.2-static": {"static-member-came-back-too-late", "metadata-changed"},
    "broker-restart": {"metadata-changed"},
    # Two connectors were created at first, and what a worker gave back was given in a second round.
    "connect-worker-killed": {"connect-config-changed", "cooperative-second-round"},
    "consumer-group-848": {"commit-failed"},
    "consumer-group-848-librdkafka": {"poll-timeout-exceeded"},  # m2, on purpose
    "family-kafka-python": {"commit-failed"},
    "frozen-process": {"commit-failed"},
    "slow-poll": {"commit-failed", "sync-not-sent"},
    "static-restart-within": {"removed-by-admin"},
    "streams-classic": {"cooperative-second-round", "probing-rebalance"},
}


def sources(files: Mapping[str, str]) -> list[LogSource]:
    """Logs by name, read."""
    return [LogSource(name, read(text)) for name, text in files.items()]


def _generations(scenario: str) -> dict[int, Any]:
    """The generations of the scenario's group."""
    (group,) = truth(scenario)["groups"]
    return {
        part["generation"]: part for part in truth(scenario)["generations"]
        if part["group"] == group
    }  # fmt: skip


def story_of(scenario: str, files: Mapping[str, str]) -> GroupStory | None:
    """The story of the scenario's group; None where the logs do not tell of it."""
    return _of_group(scenario, tell(sources(files)))


def _of_group(scenario: str, story: StoryOfGroups) -> GroupStory | None:
    (group,) = truth(scenario)["groups"]
    return next((found for found in story.groups if found.group == group), None)


def _brokers(scenario: str) -> dict[str, str]:
    return {name: text for name, text in logs(scenario).items() if name.startswith("broker")}


def _clients(scenario: str) -> dict[str, str]:
    return {name: text for name, text in logs(scenario).items() if not name.startswith("broker")}


@pytest.mark.parametrize("scenario", _CLASSIC)
def test_the_coordinator_tells_every_generation(scenario: str) -> None:
    story = story_of(scenario, _brokers(scenario))
    assert story is not None
    generations = _generations(scenario)
    found = {rebalance.generation: rebalance for rebalance in story.rebalances if rebalance.members}
    assert set(found) == set(generations)
    for number, rebalance in found.items():
        if rebalance.leader:
            assert rebalance.leader == generations[number]["leader"]
        complete = generations[number].get("complete")
        if complete and rebalance.ended:
            assert abs(_seconds(rebalance.ended) - _seconds(complete)) < 15
            assert rebalance.began is not None
            assert rebalance.began <= rebalance.ended


_WORDS = {"joined": "joined", "assigned": "assigned", "leader-assigns": "leader assigns",
          "leaves": "leaves"}  # fmt: skip


def _client_logs() -> Iterable[tuple[str, str, str]]:
    for scenario in SCENARIOS:
        for client in truth(scenario)["clients"]:
            if client["family"] == "java":
                yield scenario, client["member"], f"{client['member']}.log"


@pytest.mark.parametrize(("scenario", "client", "name"), [*_client_logs()])
def test_a_client_tells_what_it_took_part_in(scenario: str, client: str, name: str) -> None:
    """Each of its joins, assignments and leaves, and none that did not happen."""
    story = story_of(scenario, {name: logs(scenario)[name]})
    mine = [event for event in truth(scenario)["events"] if event.get("client") == client]
    for word, name_there in _WORDS.items():
        there = [event for event in mine if event["what"] == name_there]
        here = [event for event in (story.events if story else ()) if event.event == word]
        key = "member" if word == "leaves" else "generation"
        wanted = {event.get(key) for event in there} - {None}
        found = {getattr(event, key) for event in here} - {None}
        if word == "assigned" and (scenario, client) == ("broker-restart", "c2"):
            wanted -= {3}  # its answer came while the broker went down, and no line tells it
        assert found == wanted, (word, found, wanted)
    _compare_assignments(mine, story)


def _compare_assignments(mine: list[Any], story: GroupStory | None) -> None:
    plans = {event["generation"]: event["assignment"] for event in mine
             if event["what"] == "leader assigns"}  # fmt: skip
    for event in story.events if story else ():
        if event.event == "leader-assigns" and event.assignment is not None:
            found = {
                member: sorted(
                    f"{topic}-{part}" for topic, parts in shares.items() for part in parts
                )
                for member, shares in event.assignment.items()
            }
            wanted = plans[event.generation]
            assert found == {member: sorted(wanted[member]) for member in wanted}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_logs_together_tell_the_causes(scenario: str) -> None:
    """What happened is told, certain or as likely as the logs can tell; nothing else is."""
    story = story_of(scenario, logs(scenario))
    assert story is not None
    wanted = {cause.replace(" ", "-") for cause in truth(scenario)["causes"]}
    found = {cause.cause for cause in story.causes}
    families = {client["family"] for client in truth(scenario)["clients"]}
    if families <= {"java", "connect", "java streams"}:
        assert wanted <= found
    certain = {cause.cause for cause in story.causes if cause.certain}
    assert certain <= wanted | ORDINARY | ALSO_TRUE.get(scenario, set())
    for cause in story.causes:
        assert cause.cause in CAUSES
        assert set(cause.rivals) <= set(CAUSES)
        assert cause.certain or cause.rivals
        assert cause.evidence or not cause.certain


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("part", ["broker", "clients"])
def test_fewer_logs_tell_nothing_false(scenario: str, part: str) -> None:
    files = _brokers(scenario) if part == "broker" else _clients(scenario)
    story = story_of(scenario, files)
    wanted = {cause.replace(" ", "-") for cause in truth(scenario)["causes"]}
    for cause in story.causes if story else ():
        if cause.certain:
            assert cause.cause in wanted | ORDINARY | ALSO_TRUE.get(scenario, set()) | {
                "static-member-came-back"
            }


@pytest.mark.parametrize("scenario", _CLASSIC)
def test_the_order_of_files_is_nothing(scenario: str) -> None:
    files = list(logs(scenario).items())
    straight = story_of(scenario, dict(files))
    turned = story_of(scenario, dict(reversed(files)))
    assert straight is not None
    assert turned is not None
    assert turned.rebalances == straight.rebalances
    assert {cause.cause for cause in turned.causes} == {cause.cause for cause in straight.causes}
    assert {
        (event.event, event.member, event.generation, event.time) for event in turned.events
    } == {(event.event, event.member, event.generation, event.time) for event in straight.events}


_TIME = re.compile(r"^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3})\]", re.MULTILINE)


def later(text: str, seconds: float) -> str:
    def move(match: re.Match[str]) -> str:
        moment = datetime.fromisoformat(match[1]) + timedelta(
            seconds=seconds, milliseconds=int(match[2])
        )
        return f"[{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03}]"

    return _TIME.sub(move, text)


@pytest.mark.parametrize("seconds", [7200, -19800, 41.5, -3.25, 7200 + 17])
@pytest.mark.parametrize("scenario", ["crash", "slow-poll", "cooperative-scale-out"])
def test_clocks_that_differ_are_set(scenario: str, seconds: float) -> None:
    """A member whose clock is wrong, or in another zone, is put where it belongs."""
    files = logs(scenario)
    straight = story_of(scenario, files)
    wrong = {**files, "c1.log": later(files["c1.log"], seconds)}
    story = tell(sources(wrong))
    clock = next(clock for clock in story.clocks if clock.source == "c1.log")
    assert abs(clock.offset_ms - seconds * 1000) < 1500
    assert clock.zone == ("estimated" if abs(seconds) >= 7200 else "assumed")
    group = _of_group(scenario, story)
    assert group is not None
    assert straight is not None
    assert [
        (rebalance.generation, rebalance.began, [cause.cause for cause in rebalance.causes])
        for rebalance in group.rebalances
    ] == [
        (rebalance.generation, rebalance.began, [cause.cause for cause in rebalance.causes])
        for rebalance in straight.rebalances
    ]


@pytest.mark.parametrize("scenario", ["crash", "rolling-restart", "frozen-process", "slow-poll"])
def test_missing_lines_add_nothing(scenario: str) -> None:
    draw = random.Random(scenario)  # noqa: S311
    straight = story_of(scenario, logs(scenario))
    assert straight is not None
    there = {(event.event, event.member, event.generation) for event in straight.events}
    for _ in range(5):
        files = {
            name: "".join(line for line in text.splitlines(keepends=True) if draw.random() < 0.7)
            for name, text in logs(scenario).items()
        }
        story = story_of(scenario, files)
        for event in story.events if story else ():
            # A client's line without its member id takes that of the line before, if that is there.
            assert any(
                (event.event, member, event.generation) in there
                for member in (event.member, *_members(straight))
            )


def _members(story: GroupStory) -> set[str | None]:
    return {event.member for event in story.events}


@pytest.mark.parametrize("scenario", _CLASSIC)
def test_frames_and_logs_are_one_story(scenario: str) -> None:
    """A capture beside the logs: the same facts, with more places."""
    source = LogSource("capture.pcap.gz")
    packets = gzip.decompress((FOLDER / scenario / "capture.pcap.gz").read_bytes())
    with io.BytesIO(packets) as file:
        frames = sorted(read_pcap(file, source=source.name), key=lambda frame: frame.timestamp or 0)
        captured = read_frames(source, frames).rebalances
    alone = _of_group(scenario, tell([source], captured=captured))
    assert alone is not None
    generations = set(_generations(scenario))
    if truth(scenario)["kind"] == "classic":
        assert {rebalance.generation for rebalance in alone.rebalances} == generations
        assert len(alone.events) == len(truth(scenario)["events"])
    both = _of_group(scenario, tell([*sources(logs(scenario)), source], captured=captured))
    assert both is not None
    assert {r.generation for r in both.rebalances if r.members} >= generations
    joined = [event for event in both.events if event.event == "joined" and event.member]
    assert len({(event.member, event.generation) for event in joined}) == len(joined)


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


def test_a_line_without_a_group_is_of_the_group_of_its_client() -> None:
    """What librdkafka says without debug: its client is known by the leader's assignment alone."""
    story = story_of(
        "family-librdkafka",
        {f"{name}.stderr.log": logs("family-librdkafka")[f"{name}.stderr.log"]
         for name in ("m1", "m2")},
    )  # fmt: skip
    assert story is not None
    (cause,) = [cause for cause in story.causes if cause.cause == "poll-timeout-exceeded"]
    assert cause.certain
    assert cause.evidence[0].source == "m2.stderr.log"


@pytest.mark.parametrize("scenario", ["family-kafka-python", "librdkafka-cooperative"])
def test_a_rebalance_begins_when_its_own_members_notice(scenario: str) -> None:
    """With none of the signs of an earlier one."""
    story = story_of(scenario, _clients(scenario))
    assert story is not None
    began = [_seconds(rebalance.began) for rebalance in story.rebalances if rebalance.began]
    assert len(began) == len(story.rebalances)
    assert began == sorted(began)
    assert all(
        _seconds(rebalance.ended) - start < 5
        for rebalance, start in zip(story.rebalances, began, strict=True)
        if rebalance.ended
    )


def test_lines_that_name_no_group_are_told() -> None:
    """librdkafka without debug, and nothing else that could tell its group."""
    log = "family-librdkafka/m2.stderr.log"
    (group,) = tell(sources({"m2.log": text(log)})).groups
    assert group.group == ""
    assert [cause.cause for cause in group.causes] == ["poll-timeout-exceeded"]


@pytest.mark.parametrize("scenario", ["family-kafka-go", "family-kafka-python"])
def test_the_leaders_lists_tell_who_came_and_went(scenario: str) -> None:
    """Without a coordinator's log: new members for certain, those that are gone likely."""
    name = {"family-kafka-go": "m1.log", "family-kafka-python": "m1.debug.log"}[scenario]
    story = story_of(scenario, {name: logs(scenario)[name]})
    assert story is not None
    generations = _generations(scenario)
    for rebalance in story.rebalances:
        there = set(generations[rebalance.generation]["members"])
        earlier = set(generations.get(rebalance.generation - 1, {"members": ()})["members"])
        came = {cause.member for cause in rebalance.causes if cause.cause == "member-joined"}
        went = {cause.member for cause in rebalance.causes if cause.cause == "member-left"}
        assert came <= there - earlier
        assert went <= earlier - there
        assert came or went or rebalance.causes
        assert not any(
            cause.certain for cause in rebalance.causes if cause.member in earlier - there
        )
        assert rebalance.ended is not None


def test_a_share_member_that_is_fenced_raises_the_epoch() -> None:
    """The coordinator prints no bump for it, but the members' new epoch."""
    story = story_of("share-group", _brokers("share-group"))
    assert story is not None
    epochs = {rebalance.generation: rebalance for rebalance in story.rebalances}
    assert sorted(epochs) == [2, 3, 4, 5, 6, 7]
    assert [cause.cause for cause in epochs[6].causes] == ["session-expired"]


def test_generations_that_no_source_shows_are_named() -> None:
    story = story_of("family-kafka-python", {"m2.log": logs("family-kafka-python")["m2.log"]})
    assert story is not None
    assert [rebalance.generation for rebalance in story.rebalances] == [2, 3, 5, 6]
    assert missing_text(story) == "generation 4"
    assert [(missing.first, missing.last) for missing in story.missing_generations] == [(4, 4)]
    assert "No source shows generation 4." in story_page(StoryOfGroups((), (story,), ()))


def test_a_page_has_the_verdict_that_no_cause_says() -> None:
    story = story_of("family-kafka-python", logs("family-kafka-python"))
    assert story is not None
    verdict = "c reads nothing."
    page = story_page(StoryOfGroups((), (replace(story, causes=(), verdict=verdict),), ()))
    assert f"<p>{verdict}</p>" in page


def test_a_log_without_times_tells_each_line_once() -> None:
    lines = logs("forms")["c1.simple.log"] if "forms" in SCENARIOS else text("forms/c1.simple.log")
    (group,) = tell(sources({"c1.log": lines})).groups
    joins = [event for event in group.events if event.event == "joins"]
    assert [len(event.places) for event in joins] == [1] * len(joins)
    assert len(joins) == lines.count("(Re-)joining group")


def test_two_clients_may_print_the_same_line_at_once() -> None:
    """librdkafka names its client in front of its message alone."""
    line = (
        '%7|1795693933.194|ASSIGN|{}#consumer-1| [thrd:main]: Group "g": delegating assign of '
        "2 partition(s) to application on queue q: new assignment\n"
    )
    files = {f"{name}.log": line.format(name) for name in ("a", "b")}
    (group,) = tell(sources(files)).groups
    assert [event.client for event in group.events] == ["a", "b"]
    (group,) = tell(sources({"a.log": line.format("a"), "a.debug.log": line.format("a")})).groups
    (event,) = group.events
    assert len(event.places) == 2


# -- the clients' logs alone


def test_a_crash_that_the_logs_of_clients_alone_tell() -> None:
    files = _clients("crash")
    story = story_of("crash", files)
    assert story is not None
    assert "The log of c3 ends while it is in the group" in story.verdict
    words = {cause.cause: cause for cause in story.causes}
    assert not words["process-died"].certain
    assert words["process-died"].rivals == ("process-stood-still", "network-cut")
    assert [cause.cause for cause in story.rebalances[2].causes] == ["session-expired"]
    assert "removed-by-admin" in story.rebalances[2].causes[0].rivals


def test_the_log_of_the_dead_alone_says_that_it_ends() -> None:
    story = story_of("crash", {"c3.log": logs("crash")["c3.log"]})
    assert story is not None
    assert story.verdict.startswith("Nothing wrong is shown here: c3 joined")
    assert "the log of c3 ends while it is in the group" in story.verdict
    assert "its process still runs, the log was cut there, or the process" in story.verdict


def test_processes_whose_logs_end_may_still_run() -> None:
    """As logs are that are read before the group's members leave."""
    files = {
        name: "".join(text.partition("Adding newly assigned")[:2]) + " partitions: orders-0\n"
        for name, text in _clients("normal-start").items()
    }
    story = story_of("normal-start", files)
    assert story is not None
    assert " end while they are in the group: their processes still run" in story.verdict


@pytest.mark.parametrize("scenario", ["normal-start", "polite-leave", "rolling-restart"])
def test_members_that_leave_say_so_themselves(scenario: str) -> None:
    """The leader's list has them no more, and their own logs tell why."""
    files = _clients(scenario)
    story = story_of(scenario, files)
    assert story is not None
    causes = [cause for rebalance in story.rebalances for cause in rebalance.causes]
    assert {cause.cause for cause in causes} == {"member-joined", "member-left"}
    assert all(cause.certain for cause in causes)


def test_a_static_member_that_came_back_is_not_gone() -> None:
    files = _clients("static-restart-within")
    story = story_of("static-restart-within", files)
    assert story is not None
    assert ("static-member-came-back", True) in [(c.cause, c.certain) for c in story.causes]
    assert not {c.cause for c in story.causes} & {"session-expired", "process-died", "member-left"}


# -- lines that are missing

_DROPPED = ("slow-poll", "crash", "rolling-restart", "static-restart-beyond", "family-kafka-go")


def _proofs(story: GroupStory) -> tuple[set[Any], set[Any], set[str]]:
    """Events, certain causes of rebalances, certain causes of the group."""
    return (
        {(event.event, event.client) for event in story.events if event.client},
        {
            (rebalance.generation, cause.cause, cause.member or cause.client)
            for rebalance in story.rebalances for cause in rebalance.causes if cause.certain
        },
        {cause.cause for cause in story.causes if cause.certain},
    )  # fmt: skip


@pytest.mark.parametrize("scenario", _DROPPED)
@pytest.mark.parametrize("choose", [logs, _clients, _brokers], ids=["all", "clients", "broker"])
def test_lines_that_are_missing_prove_nothing_else(scenario: str, choose: Any) -> None:
    """Without one line in ten: no event that did not happen, and no other certain cause."""
    files = choose(scenario)
    chance = random.Random(f"{scenario} {choose.__name__}")  # noqa: S311
    part = {
        name: "".join(line for line in lines.splitlines(True) if chance.random() > 0.1)
        for name, lines in files.items()
    }
    stories = [story_of(scenario, some) for some in (part, files, logs(scenario))]
    if stories[0] is None:
        return
    assert stories[2] is not None
    found, *whole = (_proofs(story) for story in stories if story is not None)
    for proofs, *references in zip(found, *whole, strict=True):
        assert not proofs - set().union(*references)


# A broker 4.3.1, when the network of a static member was cut for longer than its session: it joined
# anew, and heartbeats that its process had sent before arrived after that. Left out: other groups.
_CUT = """\
13:18:30.836 Member b-de78c357 in group g has failed, removing it from the group.
13:18:37.424 Static member with groupInstanceId=b and unknown member id joins group g in Stable \
state. Created a new member id b-69109684 for this member and added to the group.
13:18:37.452 Request memberId=b-de78c357 for static member with groupInstanceId=b is fenced by \
existing memberId=b-69109684 during operation heartbeat
"""
_CLASSES = ("GroupMetadataManager", "GroupMetadataManager", "classic.ClassicGroup")


@pytest.mark.parametrize(("has_ended", "certain"), [(True, False), (False, True)])
def test_a_late_request_of_an_ended_session_is_no_second_process(
    has_ended: bool, certain: bool
) -> None:
    lines = [
        f"2026-11-27 {line[:12]} [main] INFO org.apache.kafka.coordinator.group.{name} - "
        f"[GroupCoordinator id=1 topic=__consumer_offsets partition=0] {line[13:]}\n"
        for line, name in zip(_CUT.splitlines(), _CLASSES, strict=True)
    ]
    (story,) = tell(sources({"broker.log": "".join(lines[not has_ended :])})).groups
    (cause,) = [cause for cause in story.causes if cause.cause == "instance-id-used-twice"]
    assert cause.certain is certain


# -- rebalances that frames or records show


def _captured(number: int) -> list[LogRebalance]:
    return [
        LogRebalance(at, ended=1_800_000_000_000.0 + at * 1000, lines=[Line("records", at, "")])
        for at in range(1, number + 1)
    ]


@given(st.integers(1, 60), st.integers(1, 60))
def test_rebalances_without_lines_have_a_time_too(number: int, first: int) -> None:
    since = 1_800_000_000_000.0 + first * 1000
    event = LogEvent(
        "joins", "client", "java", 1, Stamp("", since, True, True, True), "g", client="c"
    )
    story = tell([LogSource("log", [event])], captured={"g": _captured(number)},
                 selection=Selection(since=since))  # fmt: skip
    told = [part.generation for part in story.groups[0].rebalances if part.generation > 0]
    assert told == [*range(first, number + 1)]


@pytest.mark.parametrize(("number", "full", "first"), [(20, False, 1), (45, False, 26),
                                                       (45, True, 1)])  # fmt: skip
def test_of_a_long_list_the_newest_rebalances_are_shown(
    number: int, full: bool, first: int
) -> None:
    parts = tuple(ToldRebalance(at, None, None, None, 2, ()) for at in range(1, number + 1))
    story = StoryOfGroups((), (GroupStory("g", "classic", (), parts, ()),), ())
    output = io.StringIO()
    Console(file=output, width=100).print(StoryView(story, full=full))
    shown = output.getvalue()
    told = [int(text) for text in re.findall(r"generation (\d+)", shown)]
    assert told == [*range(first, number + 1)]
    assert (f"{first - 1} earlier rebalances: --full" in shown) == (first > 1)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((1, 2, 2), "generation 3, 2 members: probably a came back as a new member"),
        ((1, 2, 3), "generation 3, 3 members: probably a joined"),
    ],
)
def test_a_process_that_took_the_place_of_its_own_came_back(
    sizes: tuple[int, ...], words: str
) -> None:
    """Records show that one came in the place of another: who is "a" was there before."""
    parts = tuple(
        ToldRebalance(
            at, None, None, None, size,
            (RebalanceCause("member-joined", False, f"{client}-{at}", client, (), ()),),
        )
        for at, (size, client) in enumerate(zip(sizes, "aba", strict=True), 1)
    )  # fmt: skip
    story = GroupStory("g", "classic", (), parts, ())
    assert [*rebalance_texts(story)][-1] == words
    assert [*rebalance_texts(story, 2)] == [words]


@pytest.mark.parametrize(
    ("cause", "rivals", "words"),
    [
        (
            "member-left",
            ("poll-timeout-exceeded",),
            "a left, by LeaveGroup, whose reason no line tells (closed, or poll-timeout-exceeded)",
        ),
        ("member-left", ("session-expired", "poll-timeout-exceeded"), "probably a left"),
        ("poll-timeout-exceeded", ("member-left",), "a left, probably since it exceeded its poll"),
    ],
)
def test_that_a_member_left_is_certain_where_its_request_shows_it(
    cause: str, rivals: tuple[str, ...], words: str
) -> None:
    told = RebalanceCause(cause, False, "a-1", "a", rivals, ())
    story = GroupStory("g", "classic", (), (ToldRebalance(2, None, None, None, 1, (told,)),), ())
    (text,) = rebalance_texts(story)
    assert f": {words}" in text
