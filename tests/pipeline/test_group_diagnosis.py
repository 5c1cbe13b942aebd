"""The records of one group, judged without Arrow: as the audit judges them."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kproto.capture.segments.records import BatchInfo, Record
from kproto.cluster.recent_records import RecentRecords, Window
from kproto.cluster.views.diagnosis_view import closing_text
from kproto.codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from kproto.inspector.shapes.group_shapes import Committed, Group, Listed, Listing, Member
from kproto.inspector.views.redaction import Redaction
from kproto.pipeline.audit import Finding, Step
from kproto.pipeline.audit.storm_causes import COSTLY_RULES
from kproto.pipeline.group_diagnosis import (
    GroupTrail,
    recorded_members,
    redacted_history,
    with_histories,
    with_history,
)
from kproto.rebalance.judgements import ONLY_IN_HISTORY
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Recorded, member
from tests.cluster.groups import group as group_of_broker
from tests.pipeline.audit_groups import member as seen
from tests.pipeline.audit_groups import record
from tests.pipeline.drawn_broker_groups import BrokerGroup
from tests.pipeline.drawn_groups import GROUP, START, TOPIC, DrawnGroup, seeded
from tests.pipeline.drawn_troubles import TROUBLES, healthy
from tests.pipeline.kafka_log import Entry, Logged, batches, write_segments

LOGS = Path(__file__).parents[1] / "vectors" / "logs"
METADATA_KEY = GroupMetadataKey(group=GROUP).to_bytes()
NOWHERE = BatchInfo("__consumer_offsets", 0, 0, 0, False, False, -1, None)
SEEDS = {
    "rebalance-storm": 8, "flapping-member": 58, "slow-poll": 3, "static-ping-pong": 43,
    "members-restarted": 1,
    "static-unseen-subscription": 28, "protocol-changed": 2, "lag-stopped": 44, "lag-stalled": 19,
    "offset-deleted": 54, "offset-rewound": 18, "offset-skipped": 24, "stuck-partition": 18,
    "scheduled-consumer": 52, "static-never-returns": 4, "never-claims": 7,
}  # fmt: skip
"""Of each rule that a group's own records answer, what a small group of that trouble is drawn by:
commits are summed up one by one here."""


def value_of(step: Step) -> bytes:
    """The value of the record that a step was read from."""
    cls = GroupMetadataValue
    return cls(
        protocol_type=step.protocol_type,
        generation=step.generation,
        protocol=step.protocol,
        leader=step.leader,
        current_state_timestamp=step.since,
        members=[
            cls.MemberMetadata(
                member_id=member.member_id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.host,
                rebalance_timeout=member.rebalance_timeout,
                session_timeout=member.session_timeout,
                subscription=member.metadata,
                assignment=member.assignment,
            )
            for member in step.members
        ],
    ).to_bytes()


def entries_of(group: DrawnGroup) -> list[Entry]:
    """The records of a drawn group, in the order of the log."""
    entries = [Entry(step.place.timestamp, METADATA_KEY, value_of(step)) for step in group.steps]
    entries += [Entry(time, METADATA_KEY) for time in group.deleted]
    if isinstance(group, BrokerGroup):
        group.run(group.judged_at)
        entries = [
            Entry(entry.time, entry.key.to_bytes(), entry.value and entry.value.to_bytes())
            for entry in group.entries
        ]
    for partition, parts in group.commits.items():
        name = OffsetCommitKey(group=GROUP, topic=TOPIC, partition=partition).to_bytes()
        for times, offsets in parts:
            entries += [
                Entry(time, name, commit(offset, time))
                for time, offset in zip(times.tolist(), offsets.tolist(), strict=True)
            ]
    # A tombstone comes before what is recorded at the same time.
    return sorted(entries, key=lambda entry: (entry.time, entry.value is not None))


def commit(offset: int, time: int) -> bytes | None:
    if offset < 0:
        return None
    return OffsetCommitValue(
        offset=offset, leader_epoch=-1, metadata="", commit_timestamp=time
    ).to_bytes()


def trail_of(group: DrawnGroup) -> GroupTrail:
    """The trail that the records of a drawn group leave."""
    counts = {TOPIC: group.sizes.partitions} if group.ends else None
    trail = GroupTrail(GROUP, "c", counts)
    for offset, entry in enumerate(entries_of(group)):
        trail.take(Record(NOWHERE, offset, entry.time, entry.key, entry.value))
    return trail


def look_at(group: DrawnGroup) -> Group:
    """The group as a broker describes it that knows the ends of its partitions."""
    rows = tuple(
        Committed(
            TOPIC, number, None, end, None,
            start=group.starts.get(number), end_before=group.earlier.get(number),
        )
        for number, end in group.ends.items()
    )  # fmt: skip
    return Group(GROUP, "classic", "Empty", partitions=rows)


def verdicts(findings: Any) -> dict[str, tuple[str, str | None]]:
    worst: dict[str, Finding] = {}
    for finding in findings:
        known = worst.get(finding.rule)
        if known is None or finding.severity.rank > known.severity.rank:
            worst[finding.rule] = finding
    return {
        rule: (finding.severity.value, finding.cause)
        for rule, finding in worst.items()
        if rule in ONLY_IN_HISTORY
    }


def drawn(rule: str) -> DrawnGroup:
    return TROUBLES[rule][0](seeded(f"trail.{rule}.{SEEDS[rule]}"))


def test_each_rule_that_records_answer_has_a_group() -> None:
    of_all_records = {"stuck-rebalance", "partition-not-loadable", "unreadable-record"}
    assert set(ONLY_IN_HISTORY) - of_all_records == SEEDS.keys()


@pytest.mark.parametrize("rule", SEEDS)
def test_a_group_is_judged_as_the_audit_judges_it(rule: str) -> None:
    group = drawn(rule)
    found = verdicts(trail_of(group).findings(group.judged_at, look_at(group)))
    assert found == verdicts(group.findings().values())
    assert rule in found


def test_a_healthy_group_is_judged_alike() -> None:
    group = healthy(seeded("trail.well.56"))
    found = verdicts(trail_of(group).findings(group.judged_at, look_at(group)))
    assert found == verdicts(group.findings().values())


def test_records_that_came_just_now_are_no_lag() -> None:
    """A member that has read all commits one offset until records come, which may be in bursts."""
    group = drawn("lag-stalled")
    trail = trail_of(group)
    assert "lag-stalled" in verdicts(trail.findings(group.judged_at, look_at(group)))
    group.earlier = dict.fromkeys(group.ends, 0)
    assert "lag-stalled" not in verdicts(trail.findings(group.judged_at, look_at(group)))


@pytest.mark.parametrize("rule", sorted(COSTLY_RULES))
def test_the_story_of_a_topic_names_the_cause_that_its_diagnosis_names(
    rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group = drawn(rule)
    segment = tmp_path / "__consumer_offsets-0" / f"{0:020}.log"
    segment.parent.mkdir()
    segment.write_bytes(recent(group).windows[0].data)
    trail = trail_of(group)
    findings = [
        finding for finding in trail.findings(trail.latest) if finding.rule in COSTLY_RULES
    ]  # fmt: skip
    assert rule in {finding.rule for finding in findings}

    assert main(["story", "--json", str(segment)]) == 0
    (told,) = json.loads(capsys.readouterr().out)["groups"]
    causes = {cause["cause"]: cause["certain"] for cause in told["causes"]}
    for finding in findings:
        if finding.cause is not None:
            assert causes[finding.cause] == (finding.certainty == "certain")
    hosts = {member.host for step in group.steps for member in step.members}
    assert main(["story", "--redact", str(segment)]) == 0
    hidden = capsys.readouterr().out
    assert not any(host in hidden for host in hosts)


# -- what `kproto group` shows


def recent(group: DrawnGroup) -> RecentRecords:
    log = [Logged(offset, entry) for offset, entry in enumerate(entries_of(group))]
    data = b"".join(batches(log, 0))
    return RecentRecords(0, START, (Window(0, len(log), data),), cluster_id="c")


def storm() -> DrawnGroup:
    return drawn("slow-poll")


def test_the_history_of_a_group() -> None:
    group = storm()
    last = group.steps[-1].place.timestamp
    history = with_history(look_at(group), recent(group), last).history
    assert history is not None
    assert history.records == len(entries_of(group))
    assert history.rebalances == len(group.steps)
    assert history.last_rebalance == last / 1000
    (finding,) = [each for each in history.findings if each.rule == "slow-poll"]
    assert (finding.status, finding.cause) == ("open", "poll-timeout-exceeded")
    assert "stays of" in finding.explanation and finding.cluster_id == "c"
    later = with_history(look_at(group), recent(group), last + 2 * 3_600_000).history
    assert later is not None and all(each.status == "over" for each in later.findings)


def test_what_the_records_tell_at_the_end_of_a_watch() -> None:
    group = storm()
    last = group.steps[-1].place.timestamp
    text = closing_text(with_history(look_at(group), recent(group), last))
    assert text.startswith(("rebalance-storm since ", "slow-poll since "))
    assert "robably poll-timeout-exceeded (" in text and "First: Raise max.poll.interval.ms" in text
    later = closing_text(with_history(look_at(group), recent(group), last + 2 * 3_600_000))
    assert later.startswith("its records tell of nothing wrong that goes on (")
    assert closing_text(look_at(group)) == ""


def test_a_group_that_is_rebalancing() -> None:
    group = storm()
    step = group.steps[-1]
    came = Member("new-1", "new", "10.9.9.9")
    described = replace(look_at(group), state="PreparingRebalance", members=(came,))
    moment = step.place.timestamp + 60_000
    history = with_history(described, recent(group), moment).history
    assert history is not None
    first = history.findings[0]
    assert first.rule == "stuck-rebalance" and first.severity == "warning"
    assert f"generation {step.generation} was recorded at" in first.explanation
    assert "since then came new" in first.explanation
    assert all(finding.status == "open" for finding in history.findings)


@given(
    st.booleans(),
    st.lists(st.integers(0, 1_800_000), min_size=1, max_size=9).map(sorted),
    st.integers(0, 1_800_000),
)
def test_nothing_is_wrong_only_where_the_time_seen_is_long_enough(
    is_new: bool, times: list[int], later: int
) -> None:
    """A storm is ten generations within ten minutes, the pause of a group that does not commit is
    ten minutes: a group that began, or went on rebalancing, within those is not judged by them."""
    first = 1 if is_new else 20
    trail = GroupTrail(GROUP, "c")
    for number, at in enumerate(times):
        value = GroupMetadataValue(
            protocol_type="consumer", generation=first + number, protocol="range", leader=None,
            members=[],
        ).to_bytes(3)  # fmt: skip
        trail.take(Record(NOWHERE, number, START + at, METADATA_KEY, value))
    moment = times[-1] + later
    undecided = "; ".join(trail.undecided(START + moment))
    recent = sum(at > moment - 600_000 for at in times)
    is_young = is_new and moment - times[0] < 600_000
    assert ("again and again" in undecided) == (is_young or recent > 1)
    assert ("still commits" in undecided) == is_young


def test_no_record_within_the_bounds() -> None:
    nothing = RecentRecords(0, START, is_whole=False, problem="grant READ")
    history = with_history(look_at(storm()), nothing, START + 1000).history
    assert history is not None
    assert (history.records, history.findings, history.problem) == (0, (), "grant READ")


def test_names_in_a_history_are_hidden() -> None:
    group = storm()
    moment = group.steps[-1].place.timestamp
    described = with_history(look_at(group), recent(group), moment)
    history = described.history
    assert history is not None
    hidden = redacted_history(described, recent(group), Redaction())
    members = [member for step in group.steps for member in step.members]
    names = {f"{member.client_id}{member.host}" for member in members}
    names |= {name for member in members for name in (member.host, member.member_id)}
    assert any(name in repr(history) for name in names)
    assert not any(name in repr(hidden) for name in names)
    for before, after in zip(history.findings, hidden.findings, strict=True):
        assert (after.rule, after.cause, after.rivals) == (before.rule, before.cause, before.rivals)
        assert after.evidence.keys() == before.evidence.keys()
        assert "<" in after.explanation


def test_the_worst_of_a_group_for_a_list() -> None:
    group = storm()
    moment = group.steps[-1].place.timestamp
    rows = (Listed("calm", "classic", "Stable"), Listed(GROUP, "classic", "Stable"))
    listing = Listing(rows, ("a problem",))
    refused = RecentRecords(1, START, problem="grant READ")
    calm, row = (told := with_histories(listing, [recent(group), refused], moment)).groups
    assert (calm, told.problems) == (rows[0], ("a problem", "grant READ"))
    assert (row.worst, row.code, row.cause) == ("warning", "slow-poll", "poll-timeout-exceeded")
    assert row.since is not None and "stays of" in row.remark
    worse = Listing((Listed(GROUP, "classic", "Stable", worst="error", remark="nobody has t-0"),))
    assert with_histories(worse, [recent(group)], moment) == worse
    assert with_histories(listing, [recent(group)], moment + 9 * 3_600_000).groups == rows


def test_the_unrest_of_a_group() -> None:
    group = storm()
    last = group.steps[-1].place.timestamp
    history = with_history(look_at(group), recent(group), last).history
    assert history is not None
    unrest = recorded_members(look_at(group), recent(group), last).unrest
    assert "come and go" in unrest
    assert history.findings[0].next_action in unrest
    moment = last + 2 * 3_600_000
    later = with_history(look_at(group), recent(group), moment).history
    assert later is not None and later.findings
    assert not recorded_members(look_at(group), recent(group), moment).unrest


def test_a_member_that_left_is_named_beside_a_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may come back, with the settings of before; one that came back is in the plan."""
    clients = [seen(name) for name in ("c1", "c2", "c3", "c4")]
    steps = [record(1, *clients, seconds=0), record(2, clients[0], seconds=5000),
             record(3, *clients[:2], seconds=7000), record(4, *clients[:3], seconds=7200),
             record(5, *clients[:2], seconds=7300)]  # fmt: skip
    rows = [
        Logged(number, Entry(step.place.timestamp, METADATA_KEY, value_of(step)))
        for number, step in enumerate(steps)
    ]
    write_segments(tmp_path / "b1", 0, rows, 0)
    command = ["migrate", str(tmp_path / "b1"), "--group", GROUP]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["away"] == ["c3", "c4"]
    assert main(command) == 0
    plan = " ".join(capsys.readouterr().out.split())
    assert "2 members away" in plan
    assert re.search(r"c3 left at .* UTC, c4 left at .* UTC: not in this plan", plan)
    main([*command, "--redact"])
    assert "c3" not in capsys.readouterr().out


@given(st.lists(st.tuples(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1)), min_size=1))
def test_the_timeouts_of_members_are_in_their_records(timeouts: list[tuple[int, int]]) -> None:
    group = storm()
    step = group.steps[-1]
    members = tuple(
        replace(step.members[0], member_id=f"m{number}", session_timeout=session,
                 rebalance_timeout=rebalance)
        for number, (session, rebalance) in enumerate(timeouts)
    )  # fmt: skip
    log = [Logged(0, Entry(step.place.timestamp, METADATA_KEY, value_of(
        replace(step, members=members))))]  # fmt: skip
    records = RecentRecords(0, START, (Window(0, 1, b"".join(batches(log, 0))),))
    sessions, rebalances = zip(*timeouts, strict=True)
    moment = step.place.timestamp
    told = recorded_members(look_at(group), records, moment)
    assert told.timeouts == (max(sessions), max(rebalances))
    other = replace(look_at(group), group_id="other")
    assert recorded_members(other, records, moment).timeouts is None


def logged_storm() -> Recorded:
    """A broker whose group rebalanced until now."""
    entries = [entry for entry in entries_of(storm()) if entry.key == METADATA_KEY][-100:]
    late = int(time.time() * 1000) - entries[-1].time
    log = [
        Logged(offset, entry._replace(time=entry.time + late))
        for offset, entry in enumerate(entries, 100 - len(entries))
    ]
    broker = Recorded(b"".join(batches(log, 0)), group_of_broker(GROUP, member("a")))
    broker.younger = 0
    return broker


def test_what_would_happen_to_a_group_that_does_not_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (step, *_) = storm().steps[-1:]
    session, rebalance = step.members[0].session_timeout, step.members[0].rebalance_timeout
    with listening(logged_storm()) as address:
        command = ["group", GROUP, "--bootstrap-server", address]
        assert main([*command, "--plan", "cooperative"]) == 0
        plan = " ".join(capsys.readouterr().out.split())
        assert main([*command, "--what-if", "join=1"]) == 0
        future = " ".join(capsys.readouterr().out.split())
        assert main([*command, "--what-if", "join=1", "--no-history"]) == 0
        unread = capsys.readouterr().out
    assert "first ✗ slow-poll: " in plan and "come and go" in future
    assert f"session.timeout.ms={session}" in future
    assert f"max.poll.interval.ms={rebalance}" in future and "the longest in" in future
    assert "come and go" not in unread and "the longest in" not in unread


@pytest.mark.parametrize("is_live", [True, False], ids=["broker", "segments"])
def test_a_migration_of_a_group_that_does_not_rest(
    is_live: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its storm comes first, whether a broker tells its records or segments have them."""
    if not is_live:
        rows = [Logged(number, entry) for number, entry in enumerate(entries_of(storm()))]
        write_segments(tmp_path / "b1", 0, rows, 0)
    page = tmp_path / "page.html"
    with listening(logged_storm()) as address:
        command = ["migrate", f"kafka://{address}" if is_live else str(tmp_path / "b1")]
        main([*command, "--json"])
        judged = json.loads(capsys.readouterr().out)
        main(command)
        listed = " ".join(capsys.readouterr().out.split())
        main([*command, "--html", str(page)])
        main([*command, "--json", "--redact"])
        hidden = json.loads(capsys.readouterr().out)
    assert judged["unrest"].startswith("slow-poll: ") and judged["next"] == judged["unrest"]
    assert judged["unrest"] in listed
    assert "<b>Now:</b> slow-poll: " in page.read_text()
    assert hidden["unrest"] == hidden["next"] == "slow-poll: members come and go"


def test_a_log_is_asked_for_where_it_decides_between_causes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no more once one of the group is given."""
    rows = [Logged(number, entry) for number, entry in enumerate(entries_of(storm()))]
    write_segments(tmp_path / "b1", 0, rows, 0)
    records, other, log = str(tmp_path / "b1"), LOGS / "forms" / "c2.log.gz", tmp_path / "g.log"
    log.write_bytes(gzip.decompress(other.read_bytes()).replace(b"forms-app", GROUP.encode()))
    asked = "the log of a member or of the broker tells which"

    def told(*words: str) -> str:
        main([*words])
        captured = capsys.readouterr()
        return " ".join((captured.out + captured.err).split())

    audit = ("--out", str(tmp_path / "out"), "--replace")
    assert f"- several causes are possible for {GROUP}: {asked}" in told("audit", records, *audit)
    assert asked in told("audit", records, str(other), *audit)
    assert asked not in told("audit", records, str(log), *audit)
    assert asked in told("story", records)
    assert asked not in told("story", records, str(log))


def test_a_saved_group_is_told_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its history, at the time when it was saved, which other readers of groups read, too."""
    file = str(tmp_path / "saved.jsonl")

    def told(*words: str, status: int = 0) -> str:
        assert main(["group", GROUP, *words]) == status
        return capsys.readouterr().out

    with listening(logged_storm()) as address:
        live = json.loads(told("--bootstrap-server", address, "--save", file, "--json"))
        redacted = str(tmp_path / "redacted")
        shown = told("--bootstrap-server", address, "--save", redacted, "--redact")
    assert main(["group", "group-1", "--from", redacted]) == 0
    assert capsys.readouterr().out == shown and "slow-poll" in shown
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 30 * 86_400)
    saved = json.loads(told("--from", file, "--json"))
    for group in (live, saved):
        group["history"].pop("readBytes")
    assert saved["history"] == live["history"]
    assert "slow-poll" in told("--from", file)
    assert "come and go" in told("--from", file, "--what-if", "join=1")
    assert "slow-poll" not in told("--from", file, "--no-history")
    hidden = told("--from", file, "--redact")
    later = str(tmp_path / "redacted-later")
    assert told("--from", file, "--save", later, "--redact") == hidden
    assert main(["group", "--from", later]) == 0
    assert capsys.readouterr().out == hidden
    assert main(["group", "--from", later, "--save", redacted, "--redact"]) == 2
    assert "has no names any more: copy the file" in capsys.readouterr().err
    assert "slow-poll" in hidden and "<group-1>" in hidden

    lines = Path(file).read_bytes().splitlines(keepends=True)
    (tmp_path / "answers.jsonl").write_bytes(
        b"".join(one for one in lines if b"Of" not in one[:11])
    )
    storm = "Members come and go"
    assert main(["migrate", file]) == 1 and storm in " ".join(capsys.readouterr().out.split())
    assert main(["group", "--from", file]) == 0
    assert "were not read" not in capsys.readouterr().out
    assert main(["group", "--from", str(tmp_path / "answers.jsonl")]) == 0
    assert "were not read" in capsys.readouterr().out
    out = tmp_path / "audit"
    assert main(["audit", file, "--out", str(out), "--json"]) == 0
    assert '"slow-poll"' in capsys.readouterr().out
    assert main(["story", file, "--json"]) == 0
    story = capsys.readouterr().out
    assert "poll-timeout-exceeded" in story

    packed = Path(f"{file}.gz")
    packed.write_bytes(gzip.compress(Path(file).read_bytes()))
    for reader, shown in (("story", "poll-timeout-exceeded"), ("migrate", storm)):
        for source in (str(packed), "-"):
            program = [sys.executable, "-m", "kproto", reader, source]
            kept = Path(file).read_bytes()
            output = subprocess.run(program, input=kept, capture_output=True, check=False).stdout
            assert shown in " ".join(output.decode().split()), (reader, source)
    for command in (["decode", "--json"], ["lint"]):
        results = []
        for name in ("saved.jsonl", "answers.jsonl"):
            status = main([*command, str(tmp_path / name)])
            results.append(
                (status, capsys.readouterr().out.replace("saved.jsonl", "answers.jsonl"))
            )
        assert results[0] == results[1]
