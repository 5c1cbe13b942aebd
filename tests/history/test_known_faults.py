"""Known faults are named where release and symptom match, and never without one of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from kproto.clients.catalog import clients
from kproto.clients.faults import Fault, faults
from kproto.history.causes import CAUSES
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from kproto.history.symptoms import SYMPTOMS
from kproto.inspector.shapes.story_shapes import RootCause
from kproto.tools.word_pages import page_of
from tests.capture.logs.recorded import read

_START = datetime(2026, 11, 21, 8, 0, 0)  # noqa: DTZ001
_ORIGINS = {
    "b": "[GroupCoordinator 1]: ", "c": "[Consumer clientId={client}, groupId=g] ", "": "",
}  # fmt: skip


def _ids(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


def _log(lines: str, client: str) -> str:
    """A log of lines such as `12.5 b Stabilized group g generation 3`: seconds, who, what; `a#3`
    is the third member id of client a."""
    text = []
    for line in lines.strip().splitlines():
        if not line.strip():
            continue
        seconds, who, what = line.strip().split(" ", 2)
        moment = _START + timedelta(seconds=float(seconds))
        what = re.sub(r"(\w+)#(\d+)", lambda match: f"{match[1]}-{_ids(int(match[2]))}", what)
        stamp = f"{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03}"
        origin = _ORIGINS["" if who == "-" else who].format(client=client)
        text.append(f"[{stamp}] INFO {origin}{what} (x.Y)")
    return "\n".join(text) + "\n"


def causes(files: Mapping[str, str], releases: Mapping[str, str]) -> list[RootCause]:
    sources = [
        LogSource(name, read(_log(text, name.partition(".")[0]))) for name, text in files.items()
    ]
    return [cause for group in tell(sources, releases=releases).groups for cause in group.causes]


_TRIED = (Path(__file__).parents[1] / "broker" / "test_known_faults.py").read_text()
_ROUND = """
{at} b Dynamic member with unknown member id joins group g in Stable state. Created a new member \
id {id} for this member and add to the group.
{at} b Preparing to rebalance group g in state PreparingRebalance with old generation {old} \
(__consumer_offsets-1) (reason: Adding new member {id} with group instance id None)
{at}5 b Stabilized group g generation {new} (__consumer_offsets-1)
{at}9 b Assignment received from leader for group g for generation {new}
"""
_THROWN_OUT = "".join(
    _ROUND.format(at=f"{10 + 3 * n}.0", id=f"{'ab'[n % 2]}#{n}", old=n, new=n + 1) for n in range(8)
)
_JOIN_STUCK = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 3 (__consumer_offsets-1) (reason: Adding new member a#1 with group instance id None)
900 b Member b#2 in group g has failed, removing it from the group
"""  # noqa: E501
_SYNC_STUCK = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 3 (__consumer_offsets-1) (reason: Adding new member a#1 with group instance id None)
2 b Stabilized group g generation 4 (__consumer_offsets-1) with 2 members
900 b Member b#2 in group g has failed, removing it from the group
"""  # noqa: E501
_STATIC = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 3 (__consumer_offsets-1) (reason: Adding new member a#1 with group instance id None)
2 b Stabilized group g generation 4 (__consumer_offsets-1) with 2 members
2.1 b Static member with groupInstanceId=i and unknown member id rejoins group g in CompletingRebalance state. Replacing previously mapped member i#5 with this groupInstanceId.
"""  # noqa: E501
_PILE = "".join(
    f"""
{n} b Dynamic Member with unknown member id joins group g in PreparingRebalance state. \
Created a new member id a#{n} for this member and add to the group.
{n + 100} b Member a#{n} in group g has failed, removing it from the group
"""
    for n in range(1, 5)
)
# As brokers before 2.5 and 2.8 tell the same.
_THROWN_OUT_2_3 = "".join(
    line + "\n" for line in _THROWN_OUT.splitlines() if "unknown member id" not in line
)
_STATIC_2_4 = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 1 (__consumer_offsets-3) (reason: Adding new member i#5 with group instanceid Some(i))
2 b Stabilized group g generation 2 (__consumer_offsets-3)
2.1 b Static member Some(i) with unknown member id rejoins, assigning new member id i#6, while old member i#5 will be removed.
2.1 b Static member joins during CompletingRebalance stage will not trigger rebalance.
2.6 b Assignment received from leader for group g for generation 2
"""  # noqa: E501
_PILE_2_1 = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 1 (__consumer_offsets-3) (reason: Adding new member a#1)
5 b Stabilized group g generation 2 (__consumer_offsets-3)
5.1 b Assignment received from leader for group g for generation 2
"""  # noqa: E501
_PILE_2_1 += "".join(
    f"15.00{n} b Member a#{n} in group g has failed, removing it from the group\n"
    for n in range(1, 6)
)
_LOST_IN_REBALANCE = """
1 b Preparing to rebalance group g in state PreparingRebalance with old generation 3 (__consumer_offsets-1) (reason: Adding new member b#1 with group instance id None)
20 b Member {client}#2 in group g has failed, removing it from the group
21 b Stabilized group g generation 4 (__consumer_offsets-1) with 1 members
22 b Assignment received from leader for group g for generation 4
30 b Dynamic Member with unknown member id joins group g in Stable state. Created a new member id {client}#3 for this member and add to the group.
30 b Preparing to rebalance group g in state PreparingRebalance with old generation 4 (__consumer_offsets-1) (reason: Adding new member {client}#3 with group instance id None)
"""  # noqa: E501
_FAILED = """
20 b Member {client}#2 in group g has failed, removing it from the group
20 b Preparing to rebalance group g in state PreparingRebalance with old generation 3 (__consumer_offsets-1) (reason: removing member {client}#2 on heartbeat expiration)
21 b Stabilized group g generation 4 (__consumer_offsets-1) with 1 members
40 b Dynamic Member with unknown member id joins group g in Stable state. Created a new member id {client}#3 for this member and add to the group.
40 b Preparing to rebalance group g in state PreparingRebalance with old generation 4 (__consumer_offsets-1) (reason: Adding new member {client}#3 with group instance id None)
"""  # noqa: E501
_NEVER = """
1 c Successfully joined group with generation Generation{generationId=3, memberId='a#1', protocol='range'}
20 c Attempt to heartbeat with Generation{generationId=3, memberId='a#1', protocol='range'} and group instance id Optional.empty failed due to UNKNOWN_MEMBER_ID, resetting generation
200 c Failing OffsetCommit request since the consumer is not part of an active group
"""  # noqa: E501
_SECOND_ROUNDS = "".join(
    f"""
{n} b Preparing to rebalance group g in state PreparingRebalance with old generation {n} \
(__consumer_offsets-1) (reason: Leader a#1 re-joining group during Stable; client reason: need to \
revoke partitions [t-1] as indicated by the current assignment and re-join)
{n}.5 b Stabilized group g generation {n + 1} (__consumer_offsets-1) with 2 members
{n}.6 b Assignment received from leader a#1 for group g for generation {n + 1}. The group has 2 \
members, 0 of which are static.
"""
    for n in range(1, 5)
)
_MISSED = """
1 c Successfully joined group with generation Generation{generationId=3, memberId='a#1', protocol='cooperative-sticky'}
1 c SyncGroup failed: The group began another rebalance. Need to re-join the group. Sent generation was Generation{generationId=3, memberId='a#1', protocol='cooperative-sticky'}
2 c SyncGroup failed: The group began another rebalance. Need to re-join the group. Sent generation was Generation{generationId=4, memberId='a#1', protocol='cooperative-sticky'}
3 c SyncGroup failed: The group began another rebalance. Need to re-join the group. Sent generation was Generation{generationId=5, memberId='a#1', protocol='cooperative-sticky'}
"""  # noqa: E501
_REFUSED = """
1 c Successfully joined group with generation Generation{generationId=3, memberId='a#1', protocol='cooperative-sticky'}
1 c Request joining group due to: rebalance failed due to 'Assignor supporting the COOPERATIVE protocol violates its requirements' (IllegalStateException)
"""  # noqa: E501
_TWO_IDS = """
10.000 b Dynamic member with unknown member id joins group g in Stable state. Created a new member id {client}#1 and request the member to rejoin with this id.
10.002 b Dynamic member with unknown member id joins group g in Stable state. Created a new member id {client}#2 and request the member to rejoin with this id.
10.003 b Preparing to rebalance group g in state PreparingRebalance with old generation 1 (__consumer_offsets-1) (reason: Adding new member {client}#2 with group instance id None)
55.000 b Pending member {client}#1 in group g has been removed after session timeout expiration.
55.000 b Stabilized group g generation 2 (__consumer_offsets-1) with 2 members
"""  # noqa: E501


def _of(client: str, text: str) -> str:
    return text.replace("{client}", client)


_CASES: list[tuple[str, dict[str, str], dict[str, str], dict[str, str]]] = [
    # fault, logs, releases that have it, releases that have it not
    ("KAFKA-8653", {"broker": _THROWN_OUT}, {"kafka-broker": "2.3.0"}, {"kafka-broker": "2.3.1"}),
    ("KAFKA-9752", {"broker": _JOIN_STUCK}, {"kafka-broker": "2.4.1"}, {"kafka-broker": "2.8.0"}),
    ("KAFKA-12890", {"broker": _SYNC_STUCK}, {"kafka-broker": "2.7.0"}, {"kafka-broker": "3.0.0"}),
    ("KAFKA-9801", {"broker": _STATIC}, {"kafka-broker": "2.4.0"}, {"kafka-broker": "2.6.0"}),
    ("KAFKA-7610", {"broker": _PILE}, {"kafka-broker": "2.0.1"}, {"kafka-broker": "2.2.0"}),
    ("KAFKA-8653", {"broker": _THROWN_OUT_2_3}, {"kafka-broker": "2.3.0"},
     {"kafka-broker": "2.3.1"}),
    ("KAFKA-9801", {"broker": _STATIC_2_4}, {"kafka-broker": "2.4.1"}, {"kafka-broker": "2.5.0"}),
    ("KAFKA-7610", {"broker": _PILE_2_1}, {"kafka-broker": "2.1.0"}, {"kafka-broker": "2.1.1"}),
    ("KAFKA-10134", {"broker": _of("a", _LOST_IN_REBALANCE)},
     {"kafka-clients": "2.5.0"}, {"kafka-clients": "2.6.1"}),
    ("librdkafka #3450", {"broker": _of("rdkafka", _LOST_IN_REBALANCE)},
     {"librdkafka": "1.7.0"}, {"librdkafka": "1.8.0"}),
    ("Sarama #1608", {"broker": _of("sarama", _LOST_IN_REBALANCE)},
     {"sarama": "1.30.0"}, {"sarama": "1.43.0"}),
    ("KafkaJS #1720", {"broker": _of("kafkajs", _LOST_IN_REBALANCE)}, {}, {"": ""}),
    ("kafka-python #1985", {"broker": _of("kafka_python", _FAILED)},
     {"kafka-python": "2.0.1"}, {"kafka-python": "2.0.2"}),
    ("KAFKA-10793", {"a.log": _NEVER}, {"kafka-clients": "2.7.0"}, {"kafka-clients": "2.7.1"}),
    ("KAFKA-8104", {"a.log": _NEVER}, {"kafka-clients": "2.3.1"}, {"kafka-clients": "2.4.0"}),
    ("KAFKA-12984", {"broker": _SECOND_ROUNDS}, {"kafka-clients": "2.8.0"},
     {"kafka-clients": "3.0.0"}),
    ("KAFKA-13891", {"broker": _SECOND_ROUNDS, "a.log": _MISSED}, {"kafka-clients": "3.2.0"},
     {"kafka-clients": "3.3.0"}),
    ("KAFKA-13406", {"a.log": _REFUSED}, {"kafka-clients": "3.0.0"}, {"kafka-clients": "3.1.0"}),
    ("librdkafka #5569", {"broker": _of("rdkafka", _TWO_IDS)}, {"librdkafka": "2.6.0"},
     {"librdkafka": "1.2.0"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "files", "having", "lacking"), _CASES)
def test_a_fault_is_named_where_release_and_symptom_match(
    name: str, files: dict[str, str], having: dict[str, str], lacking: dict[str, str]
) -> None:
    found = [cause for cause in causes(files, having) if f"{name} (" in cause.summary]
    assert len(found) == 1, [cause.summary for cause in causes(files, having)]
    (cause,) = found
    fault = next(fault for fault in faults() if fault.name == name)
    assert cause.cause == ("broker-fault" if fault.program == "kafka-broker" else "client-fault")
    assert not cause.certain
    assert cause.rivals
    assert cause.evidence
    assert fault.report in cause.next_step
    assert ("did not try" in cause.next_step) == (bool(fault.fixed) and not fault.is_tried)
    if "" not in lacking:
        assert not any(name in cause.summary for cause in causes(files, lacking))
        if not fault.since and not fault.fixed:
            return
        other = "kafka-clients" if fault.program == "kafka-broker" else "kafka-broker"
        assert not any(name in cause.summary for cause in causes(files, {other: "2.3.0"}))


def test_without_a_symptom_no_fault_is_named() -> None:
    quiet = _ROUND.format(at="10.0", id="a#1", old=0, new=1)
    old = {"kafka-broker": "2.3.0", "kafka-clients": "2.3.0"}
    words = {cause.cause for cause in causes({"broker": quiet}, old)}
    assert not words & {"client-fault", "broker-fault"}


def test_releases_are_read_from_what_programs_print() -> None:
    banner = "0 - Kafka version: {release}\n"
    for release, is_named in (("2.3.0", True), ("2.3.1", False), ("5.3.0-ccs", True)):
        text = banner.format(release=release) + _THROWN_OUT
        found = causes({"broker": text}, {})
        assert any("KAFKA-8653" in cause.summary for cause in found) == is_named, release


def test_what_the_release_would_decide_is_said() -> None:
    """Where the client is known by the form of its lines, and prints no release."""
    own = _NEVER.strip().splitlines()[0].replace("a#1", "a#2")
    found = causes({"a.log": own, "broker": _of("a", _LOST_IN_REBALANCE)}, {})
    assert not any(cause.cause == "client-fault" for cause in found)
    (open_question,) = [cause for cause in found if "KAFKA-10134" in cause.next_step]
    assert open_question.cause == "session-expired"


@pytest.mark.parametrize(
    ("releases", "is_open"), [("1.6 to 2.1", True), ("2.2 and newer", False), ("", True)]
)
def test_a_fault_of_releases_that_did_not_write_the_records_is_left_out(
    releases: str, is_open: bool
) -> None:
    """librdkafka #4256 is in 2.1.0 alone, #4431 in 2.2 as well."""
    line = (
        "%4|1642580957.330|MAXPOLL|app#consumer-1| [thrd:main]: Application maximum poll interval "
        "(300000ms) exceeded by 88ms (adjust max.poll.interval.ms for long-running message "
        "processing): leaving group\n"
    )
    log = LogSource("app.log", read(line))
    (of_client, *_) = log.events
    written = of_client._replace(
        event="assigned", side="records", family="records", generation=1, member="app-1",
        client="app", fields={"writers": (f"librdkafka {releases}",) if releases else ()},
    )  # fmt: skip
    told = tell([log, LogSource("topic", [written])])
    steps = " ".join(cause.next_step for group in told.groups for cause in group.causes)
    assert ("librdkafka from 2.1.0 to before 2.1.1 (librdkafka #4256)" in steps) == is_open
    assert "if the release is librdkafka from 2.1.0" in steps
    assert "librdkafka #4431" in steps


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.name)
def test_the_table_is_whole(fault: Fault) -> None:
    assert fault.symptom in SYMPTOMS
    assert fault.program in clients()
    assert re.fullmatch(r"https://(github\.com|issues\.apache\.org)/\S+", fault.report)
    assert not (fault.since and fault.fixed) or not fault.is_in(fault.fixed[-1])
    if fault.since:
        assert fault.is_in(fault.since)
    assert fault.is_tried == (f'"{fault.name}"' in _TRIED)
    page = page_of(fault.name)
    assert page is not None
    assert ("did not try" in page.action) == (bool(fault.fixed) and not fault.is_tried)
    assert (SYMPTOMS[fault.symptom].is_of_broker) == (fault.program == "kafka-broker")


def test_each_symptom_is_one_of_a_fault() -> None:
    assert {fault.symptom for fault in faults()} == SYMPTOMS.keys()
    for symptom in SYMPTOMS.values():
        assert set(symptom.rivals) <= CAUSES.keys()
