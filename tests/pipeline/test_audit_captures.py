"""Captures as a source: frames tell what the broker wrote into its topic in the same run."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import pack
from typing import Any, NamedTuple

import dpkt
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from aiokafka.record.memory_records import MemoryRecords
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import (
    GroupMetadataKey,
    GroupMetadataValue,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    Message,
    RequestHeader,
    ResponseHeader,
    SyncGroupRequest,
    SyncGroupResponse,
    message_class,
)
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.captures import CaptureUnit
from kproto.pipeline.sources.record_table import NotRecords
from kproto.pipeline.sources.units import accounts
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.main import main

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
LOOPBACK, FRAMES = CAPTURES / "loopback.pcap", CAPTURES / "frames.jsonl"

CLASSIC = b"\0\2"
NOT_KNOWN = {"", -1}
"""What stands for what no frame says."""

Value = GroupMetadataValue


class Written(NamedTuple):
    """A record, as far as it matters here."""

    key: bytes
    value: bytes | None
    time: int

    @property
    def group(self) -> str:
        return GroupMetadataKey.from_bytes(self.key).group

    @property
    def state(self) -> Value:
        assert self.value is not None
        return Value.from_bytes(self.value)


@pytest.fixture(scope="module")
def topic() -> list[Written]:
    """What the broker wrote, read by aiokafka."""
    found = []
    for segment in sorted(CAPTURES.glob("offsets-topic*/**/*.log")):
        batches = MemoryRecords(segment.read_bytes())
        while (batch := batches.next_batch()) is not None:
            found += [Written(one.key, one.value, one.timestamp) for one in batch]
    return found


def told(path: Path) -> list[Written]:
    """What a capture's frames make of it."""
    (unit,) = units_of(str(path))
    rows = [row for table in unit.tables("c") for row in table.to_pylist()]
    return [
        Written(row["key"], row["value"], round(row["record_timestamp"].timestamp() * 1000))
        for row in rows
        if row["problem"] is None
    ]


def audit(source: Path, out: Path) -> Audit:
    destination = Destination.new(str(out), replace=False)
    return run_audit(units_of(str(source)), destination, Options(cluster_id="c"))


def quarantine(out: Path) -> list[dict[str, Any]]:
    rows = pq.read_table(out / "quarantine").to_pylist()
    return [row for row in rows if row["level"] != "payload"]


# -- against the topic


@pytest.mark.parametrize(
    ("name", "records", "blank"),
    [("loopback.pcap", 7, False), ("three-clients.pcap", 2, False), ("frames.jsonl", 122, True)],
)
def test_a_rebalance_is_the_record_that_the_broker_wrote(
    topic: list[Written], name: str, records: int, blank: bool
) -> None:
    """Byte for byte what each member said and was given, and who it is; in `frames.jsonl` are no
    addresses, and not the frames of all members."""
    truth = {(one.group, one.state.generation): one for one in classic(topic)}
    made = [one for one in classic(told(CAPTURES / name))
            if (one.group, one.state.generation) in truth]  # fmt: skip
    assert len(made) == records
    for one in made:
        true = truth[one.group, one.state.generation]
        assert abs(one.time - true.time) < 50
        since = one.state.current_state_timestamp
        assert abs(since - true.state.current_state_timestamp) < 50
        names = ("generation", "protocol_type", "protocol", "leader")
        assert [getattr(one.state, each) for each in names] == [
            getattr(true.state, each) for each in names
        ]
        assert members(one.state).keys() == members(true.state).keys()
        for member_id, member in members(one.state).items():
            said, other = as_dict(member), as_dict(members(true.state)[member_id])
            gaps = {each for each in said if blank and said[each] in NOT_KNOWN}
            assert gaps <= {"client_id", "client_host", "rebalance_timeout", "session_timeout"}
            assert {k: v for k, v in said.items() if k not in gaps} == {
                k: v for k, v in other.items() if k not in gaps
            }


def classic(written: Sequence[Written]) -> Iterator[Written]:
    return (one for one in written if one.key[:2] == CLASSIC and one.value is not None)


def members(state: Value) -> dict[str, Any]:
    return {one.member_id: one for one in state.members}


def as_dict(member: Any) -> dict[str, Any]:
    return {name: getattr(member, name) for name in member.__struct_fields__}


def test_a_capture_of_a_whole_life_has_all_of_it(topic: list[Written]) -> None:
    """Its seven generations that came into force; the last is that of the group without members.
    The broker writes one more when it first hears of a group, before anybody is in it."""
    truth = [one.state.generation for one in classic(topic) if one.group == "live.range"]
    found = [one.state.generation for one in classic(told(LOOPBACK)) if one.group == "live.range"]
    assert truth == [0, *found]


@pytest.mark.parametrize(
    ("path", "kind", "group", "seen"),
    [
        (LOOPBACK, "Consumer", "live.consumer", 2),
        (FRAMES, "Consumer", "java.consumer-range", 1),
        (FRAMES, "Streams", "streams.newproto", 1),
    ],
)
def test_members_of_groups_that_the_broker_assigns(
    topic: list[Written], path: Path, kind: str, group: str, seen: int
) -> None:
    """Who they are, and what each had at each epoch that it was told."""
    true, found = replayed(topic, kind, group), replayed(told(path), kind, group)
    assert len(found["GroupMemberMetadata"]) == seen
    for member_id, states in found["GroupMemberMetadata"].items():
        said, gone = states
        assert gone is None, "they all left"
        other = true["GroupMemberMetadata"][member_id][0]
        if path == FRAMES:
            other = other.replace(client_host="")
        if kind == "Consumer":  # brokers sort the names
            said = said.replace(subscribed_topic_names=sorted(said.subscribed_topic_names))
        assert said == other
    for member_id, states in found["GroupCurrentMemberAssignment"].items():
        assert states[-1] is None
        last = {one.member_epoch: shares_in(one) for one in true["GroupCurrentMemberAssignment"][
            member_id] if one is not None}  # fmt: skip
        reached = {one.member_epoch: shares_in(one) for one in states if one is not None}
        assert reached
        assert reached.items() <= last.items()
    assert found["GroupMetadata"][None][-1].epoch <= true["GroupMetadata"][None][-1].epoch


def replayed(written: Sequence[Written], kind: str, group: str) -> dict[str, dict[Any, list[Any]]]:
    """The values of one group's records, by what they are of, and by member."""
    found: dict[str, dict[Any, list[Any]]] = {}
    for name in ("GroupMetadata", "GroupMemberMetadata", "GroupCurrentMemberAssignment"):
        keys: Any = message_class(f"{kind}{name}Key")
        values: Any = message_class(f"{kind}{name}Value")
        for one in written:
            if one.key[:2] != pack(">h", keys.API_KEY):
                continue
            key = keys.from_bytes(one.key)
            if key.group_id == group:
                value = None if one.value is None else values.from_bytes(one.value)
                of = found.setdefault(name, {}).setdefault(getattr(key, "member_id", None), [])
                of.append(value)
    return found


def shares_in(value: Any) -> dict[Any, set[int]]:
    if hasattr(value, "assigned_partitions"):
        return {one.topic_id: set(one.partitions) for one in value.assigned_partitions}
    return {one.subtopology_id: set(one.partitions) for one in value.active_tasks}


def test_an_audit_of_packets_finds_what_one_of_the_topic_finds(
    tmp_path: Path,
) -> None:
    there = audit(CAPTURES / "offsets-topic", tmp_path / "topic")
    here = audit(LOOPBACK, tmp_path / "packets")
    clients = json.loads((CAPTURES / "groups.json").read_text())
    both = states(here).keys() & states(there).keys()
    assert both == {name for name in clients if "live." in name}
    assert states(here).keys() - both == {"live.streams"}  # its partition is not in the tree
    assert {name: states(here)[name] for name in both} == {
        name: states(there)[name] for name in both
    }
    about = ("group_id", "rule", "severity", "status")
    assert findings(here, about) == {
        row for row in findings(there, about) if row[0] in {None, *both}
    }
    assert here.counts.read == here.counts.written == 31
    assert set(here.not_evaluated) - set(there.not_evaluated) == {
        "assignment-behind",
        "leftover-commits",
        "mixed-group-types",
        "never-committed",
        "offset-deleted",
        "offset-rewound",
        "offset-skipped",
        "revocation-pending",
        "scheduled-consumer",
        "stuck-partition",
        "target-not-reached",
    }


def states(done: Audit) -> dict[str, tuple[Any, ...]]:
    names = ("group_type", "state", "members", "protocol_type", "assigned")
    return {row["group_id"]: tuple(row[name] for name in names) for row in done.current.to_pylist()}


def findings(done: Audit, names: Sequence[str]) -> set[tuple[Any, ...]]:
    return {tuple(row[name] for name in names) for row in done.findings.to_pylist()}


def test_bytes_that_cannot_be_read_are_found_in_frames_too(tmp_path: Path) -> None:
    """kafka-go's broken subscription in a group that librdkafka leads: seen in the topic as well,
    see `test_audit_sources`."""
    done = audit(FRAMES, tmp_path)
    loud = {row for row in findings(done, ("group_id", "rule", "severity")) if row[2] != "info"}
    assert loud == {("leader-ck+kafkago", "unreadable-member", "error")}
    assert done.counts.read == done.counts.written == 182
    lines = FRAMES.read_text().splitlines()
    for row in done.findings.to_pylist():
        if row["rule"] == "unreadable-member":
            place = json.loads(row["evidence"])
            frame = json.loads(lines[place["source_offset"] - 1])
            assert (frame["api_key"], frame["direction"]) == (14, "request")
            assert place["source_partition"] is None


def test_no_table_makes_up_a_partition(tmp_path: Path) -> None:
    audit(FRAMES, tmp_path)
    for table in ("records", "groups", "rebalances", "members", "current"):
        found = pq.read_table(tmp_path / table).column("source_partition")
        assert len(found) == found.null_count > 0, table


# -- what can be told only of frames that are made up


class Talk:
    """Frames of clients and one broker, as lines of JSON."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def ask(self, client: str, message: Message, version: int) -> int:
        header = RequestHeader(
            request_api_key=message.API_KEY or 0,
            request_api_version=version,
            correlation_id=len(self.lines),
            client_id=client,
        )
        front = header.to_body(2 if flexible(message, version) else 1)
        return self._add("request", client, message, version, front, len(self.lines))

    def answer(self, client: str, asked: int, message: Message, version: int) -> None:
        front = ResponseHeader(correlation_id=asked).to_body(int(flexible(message, version)))
        self._add("response", client, message, version, front, asked)

    def _add(
        self, direction: str, client: str, message: Message, version: int, front: bytes, id_: int
    ) -> int:
        body = front + message.to_body(version)
        line = {
            "direction": direction,
            "conn": client,
            "api_key": message.API_KEY,
            "api_version": version,
            "ts_ms": 1_795_000_000_000 + len(self.lines),
            "frame_hex": (pack(">i", len(body)) + body).hex(),
        }
        self.lines.append(line)
        return id_

    def join(self, client: str, request: JoinGroupRequest, answer: JoinGroupResponse) -> None:
        self.answer(client, self.ask(client, request, 9), answer, 9)

    def sync(self, client: str, request: SyncGroupRequest, *, error: int = 0) -> None:
        asked = self.ask(client, request, 5)
        self.answer(client, asked, SyncGroupResponse(error_code=error, assignment=b""), 5)

    def leave(
        self, client: str, *leaving: LeaveGroupRequest.MemberIdentity, error: int = 0
    ) -> None:
        asked = self.ask(client, LeaveGroupRequest(group_id="g", members=leaving), 5)
        answers = [
            LeaveGroupResponse.MemberResponse(
                member_id=one.member_id, group_instance_id=one.group_instance_id, error_code=error
            )
            for one in leaving
        ]
        self.answer(client, asked, LeaveGroupResponse(error_code=0, members=answers), 5)

    def write(self, path: Path) -> Path:
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path


def flexible(message: Message, version: int) -> bool:
    return version >= {11: 6, 12: 4, 13: 4, 14: 4}[message.API_KEY or 0]


def request(name: str, member_id: str, instance: str | None = None) -> JoinGroupRequest:
    protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="range", metadata=name.encode())
    return JoinGroupRequest(
        group_id="g",
        session_timeout_ms=10_000,
        rebalance_timeout_ms=60_000,
        member_id=member_id,
        group_instance_id=instance,
        protocol_type="consumer",
        protocols=[protocol],
    )


def answer(
    member_id: str, generation: int, leader: str, everybody: Sequence[tuple[str, str | None]] = ()
) -> JoinGroupResponse:
    listed = [
        JoinGroupResponse.JoinGroupResponseMember(
            member_id=one, group_instance_id=instance, metadata=one[:1].encode()
        )
        for one, instance in everybody
    ]
    return JoinGroupResponse(
        error_code=0,
        generation_id=generation,
        protocol_type="consumer",
        protocol_name="range",
        leader=leader,
        member_id=member_id,
        members=listed,
    )


def shares(generation: int, leader: str, *given_to: str) -> SyncGroupRequest:
    made = [
        SyncGroupRequest.SyncGroupRequestAssignment(
            member_id=one, assignment=b"for " + one.encode()
        )
        for one in given_to
    ]
    return SyncGroupRequest(
        group_id="g",
        generation_id=generation,
        member_id=leader,
        protocol_type="consumer",
        protocol_name="range",
        assignments=made,
    )


def two_members(talk: Talk) -> None:
    """a leads, and b is static."""
    everybody = [("a-1", None), ("b-1", "b")]
    talk.join("a", request("a", "a-1"), answer("a-1", 1, "a-1", everybody))
    talk.join("b", request("b", "", "b"), answer("b-1", 1, "a-1"))
    talk.sync("a", shares(1, "a-1", "a-1", "b-1"))
    talk.sync("b", shares(1, "b-1"))


def test_a_static_member_is_replaced_within_a_generation(
    topic: list[Written], tmp_path: Path
) -> None:
    """As the topic shows it: java.static has two records of generation 2, alike but for the id of
    one static member, which keeps its metadata's protocol and its assignment."""
    before, after = (
        one.state for one in classic(topic) if one.group == "java.static" and one.state.members
        and one.state.generation == 2
    )  # fmt: skip
    (gone,) = members(before).keys() - members(after).keys()
    (new,) = members(after).keys() - members(before).keys()
    old, came = members(before)[gone], members(after)[new]
    assert (old.group_instance_id, old.assignment) == (came.group_instance_id, came.assignment)

    talk = Talk()
    two_members(talk)
    talk.join("b", request("B", "", "b"), answer("b-2", 1, "a-1"))
    talk.sync("b", shares(1, "b-2"))
    first, second = (one.state for one in classic(told(talk.write(tmp_path / "a.jsonl"))))
    assert (first.generation, second.generation) == (1, 1)
    assert members(first).keys() == {"a-1", "b-1"}
    assert members(second).keys() == {"a-1", "b-2"}
    replaced = members(second)["b-2"]
    assert (replaced.group_instance_id, replaced.assignment) == ("b", b"for b-1")
    assert replaced.subscription == b"B"


def test_an_assignment_is_in_force_once_anybody_is_answered(tmp_path: Path) -> None:
    """The answer to the leader itself is not in the capture."""
    talk = Talk()
    two_members(talk)
    lost = [line for line in talk.lines if not (
        line["conn"] == "a" and line["api_key"] == 14 and line["direction"] == "response"
    )]  # fmt: skip
    talk.lines = lost
    (one,) = classic(told(talk.write(tmp_path / "a.jsonl")))
    assert {name: member.assignment for name, member in members(one.state).items()} == {
        "a-1": b"for a-1", "b-1": b"for b-1",
    }  # fmt: skip


def test_a_refused_assignment_is_none(tmp_path: Path) -> None:
    talk = Talk()
    talk.join("a", request("a", "a-1"), answer("a-1", 1, "a-1", [("a-1", None)]))
    talk.sync("a", shares(1, "a-1", "a-1"), error=27)
    with pytest.raises(NotRecords, match="generations without an assignment: 1"):
        units_of(str(talk.write(tmp_path / "a.jsonl")))


Leave = LeaveGroupRequest.MemberIdentity


def test_a_group_is_empty_when_all_whom_it_had_have_left(tmp_path: Path) -> None:
    talk = Talk()
    two_members(talk)
    talk.leave("a", Leave(member_id="a-1"))
    assert len(list(classic(told(talk.write(tmp_path / "a.jsonl"))))) == 1
    talk.leave("b", Leave(member_id="", group_instance_id="b"), error=25)
    assert len(list(classic(told(talk.write(tmp_path / "a.jsonl"))))) == 1
    talk.leave("b", Leave(member_id="", group_instance_id="b"))
    _, empty = classic(told(talk.write(tmp_path / "a.jsonl")))
    assert (empty.state.generation, empty.state.members, empty.state.leader) == (2, (), None)
    assert (empty.state.protocol_type, empty.state.protocol) == ("consumer", None)


@pytest.mark.parametrize("answered", [False, True])
def test_a_group_that_somebody_joins_is_not_empty(tmp_path: Path, answered: bool) -> None:
    """Neither while the JoinGroup waits, nor where it led to a generation that was told to a
    leader outside the capture."""
    talk = Talk()
    two_members(talk)
    asked = talk.ask("c", request("c", "c-1"), 9)
    if answered:
        talk.answer("c", asked, answer("c-1", 2, "d-1"), 9)
    talk.leave("a", Leave(member_id="a-1"), Leave(member_id="b-1", group_instance_id="b"))
    (one,) = classic(told(talk.write(tmp_path / "a.jsonl")))
    assert one.state.generation == 1


def test_who_is_not_known_stays_unknown(tmp_path: Path) -> None:
    """A member that joined outside the capture: of its client id brokers make the member id, and
    that of a static one is who had the instance before."""
    uuid = "-927e7f5a-22e4-4b18-849f-508b07e25b19"
    talk = Talk()
    two_members(talk)
    everybody = [("a-1", None), ("b-2", "b"), (f"worker-7{uuid}", None), (f"s{uuid}", "s")]
    talk.join("a", request("a", "a-1"), answer("a-1", 2, "a-1", everybody))
    talk.sync("a", shares(2, "a-1"))
    _, last = classic(told(talk.write(tmp_path / "a.jsonl")))
    seen = {one.group_instance_id or one.client_id: one for one in last.state.members}
    assert seen.keys() == {"a", "b", "worker-7", "s"}
    assert (seen["b"].client_id, seen["b"].session_timeout) == ("b", 10_000)
    assert (seen["s"].client_id, seen["worker-7"].client_host) == ("", "")
    assert seen["worker-7"].rebalance_timeout == -1


# -- what cannot be read


def test_a_frame_that_cannot_be_read_is_kept(tmp_path: Path) -> None:
    """A member count in a JoinGroup's answer that is out of proportion, an assignment nobody can
    place, and a line that is none."""
    talk = Talk()
    two_members(talk)
    broken = talk.lines[1] | {"frame_hex": talk.lines[1]["frame_hex"][:-30] + "ff" * 15}
    later = talk.lines[-1]["ts_ms"]
    talk.lines += [talk.lines[0] | {"ts_ms": later}, broken | {"ts_ms": later}]
    talk.sync("z", shares(9, "z-1", "z-1"))
    path = talk.write(tmp_path / "a.jsonl")
    with path.open("a") as file:
        file.write("no frame\n")
    (account,) = accounts(units_of(str(path)))
    assert "assignment of a generation of which the capture does not tell" in account
    assert "frame 11" in account
    done = audit(path, tmp_path / "out")
    frame, line = sorted(quarantine(tmp_path / "out"), key=lambda row: row["position"] or 99)
    assert frame["position"] == 10
    assert frame["reason"].startswith("JoinGroup response that cannot be read: ")
    assert frame["data"].hex() == broken["frame_hex"]
    assert line["reason"].startswith("line that is no JSON (1 time, 9 bytes; first: ")
    assert (done.counts.read, done.counts.written, done.counts.damages) == (1, 1, 2)


places = st.floats(0, 1, exclude_max=True)  # in a file, whatever its size
changes = st.tuples(places, st.sampled_from([0, 1, 4]), st.binary(max_size=4))
"""Where something is changed, how many bytes go there, and which bytes come."""


@pytest.mark.parametrize("path", [LOOPBACK, FRAMES])
@given(damage=st.lists(changes, max_size=5) | st.lists(changes, min_size=30, max_size=40))
@settings(max_examples=settings().max_examples // 10)
def test_damage_is_told_and_nothing_else_happens(
    path: Path, tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[float, int, bytes]]
) -> None:
    """Bytes that are changed, lost or too many: the balance holds, or nothing is left to audit."""
    folder = tmp_path_factory.mktemp("damage")
    data = bytearray(path.read_bytes())
    size = first = len(data)
    for place, gone, come in damage:
        at = int(place * len(data))
        data[at : at + gone] = come
        first = min(first, at)
    (folder / "part").write_bytes(data)
    try:
        done = audit(folder / "part", folder / "out")
    except NotRecords:
        assert first < size // 2, "the audit reads the records before the damage"
        return
    assert done.counts.read == done.counts.written + done.counts.quarantined
    assert done.counts.damages == len(quarantine(folder / "out"))


def test_packets_that_end_in_the_middle(tmp_path: Path) -> None:
    """The file is cut in a packet: what was said before is there, and the cut is told."""
    path = tmp_path / "a.pcap"
    path.write_bytes(LOOPBACK.read_bytes()[:250_001])
    done = audit(path, tmp_path / "out")
    (cut,) = quarantine(tmp_path / "out")
    assert cut["reason"].startswith("end of a capture that was cut short (1 time; ")
    whole = [one.state for one in classic(told(LOOPBACK))]
    part = [one.state for one in classic(told(path))]
    assert 0 < len(part) < len(whole)
    assert part == whole[: len(part)]
    assert done.counts.damages == 1


def test_a_compressed_capture_and_a_torn_one(tmp_path: Path) -> None:
    packed = gzip.compress(FRAMES.read_bytes())
    (tmp_path / "a.jsonl.gz").write_bytes(packed)
    assert told(tmp_path / "a.jsonl.gz") == told(FRAMES)
    torn = tmp_path / "b.jsonl.gz"
    torn.write_bytes(packed[: len(packed) // 2])
    done = audit(torn, tmp_path / "out")
    assert any("rest of a compressed file" in row["reason"] for row in quarantine(tmp_path / "out"))
    assert 10 < done.counts.written < 182


def without_groups(path: Path) -> None:
    """The captured packets of connections on which no group is spoken of: fetching."""
    with LOOPBACK.open("rb") as file, path.open("wb") as out:
        packets = dpkt.pcap.Reader(file)
        kept = dpkt.pcap.Writer(out, linktype=packets.datalink())
        for when, data in packets:
            if b"live." not in data:
                kept.writepkt(data, when)


def only_its_head(path: Path) -> None:
    path.write_bytes(LOOPBACK.read_bytes()[:24])


def asked_in_vain(path: Path) -> None:
    talk = Talk()
    beat = HeartbeatRequest(group_id="g", generation_id=1, member_id="a")
    talk.answer("a", talk.ask("a", beat, 4), HeartbeatResponse(error_code=25), 4)
    talk.write(path)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (without_groups, r"[\d,]+ frames tell of 0 records"),
        (only_its_head, "0 frames tell of 0 records"),
        (asked_in_vain, "2 frames tell of 0 records; answers of UNKNOWN_MEMBER_ID: 1"),
    ],
)
def test_a_capture_in_which_nothing_can_be_audited(
    tmp_path: Path, make: Callable[[Path], None], line: str
) -> None:
    make(tmp_path / "a.pcap")
    with pytest.raises(NotRecords, match=line):
        units_of(str(tmp_path / "a.pcap"))


# -- the command


def test_the_command_says_what_it_could_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(LOOPBACK), "--out", str(tmp_path / "out"), "--json"]) == 0
    seen = capsys.readouterr()
    assert seen.err == (
        f"kproto: {LOOPBACK}: 1,432 frames tell of 31 records; answers of MEMBER_ID_REQUIRED: 5; "
        "answers of REBALANCE_IN_PROGRESS: 16; generations without an assignment: 2; "
        "requests to coordinators without an answer: 1\n"
    )
    assert {row["code"] for row in json.loads(seen.out)["findings"]} <= {
        "old-protocol",
        "mixed-versions",
    }
    page = (tmp_path / "out" / "report.html").read_text()
    assert "from 31 records that captured frames tell of" in page
    assert "ends of partitions" not in page
    assert "1,432 frames tell of 31 records; answers of MEMBER_ID_REQUIRED: 5" in page


def test_the_command_refuses_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only_its_head(tmp_path / "a.pcap")
    assert main(["audit", str(tmp_path / "a.pcap"), "--out", str(tmp_path / "out")]) == 3
    assert capsys.readouterr().err == (
        f"kproto: {tmp_path / 'a.pcap'}: no group is seen to be given anything here, so that there "
        "is nothing to audit (0 frames tell of 0 records); `kproto decode` shows what there is\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_capture_by_a_uri_and_on_its_way_to_a_worker() -> None:
    units = units_of(LOOPBACK.as_uri())
    assert pickle.loads(pickle.dumps(units)) == units  # noqa: S301
    (unit,) = units
    assert isinstance(unit, CaptureUnit)
    rows = pa.concat_tables(unit.tables("prod"))
    assert set(rows.column("cluster_id").to_pylist()) == {"prod"}
    assert unit.size == LOOPBACK.stat().st_size


def test_a_group_that_is_only_described(tmp_path: Path) -> None:
    """What `kproto group --save` keeps: its members' bytes, and no generation."""
    (record,) = classic(told(CAPTURES / "running-group.jsonl"))
    assert (record.group, record.state.generation, record.state.leader) == ("g-mixed", 0, None)
    assert {member.client_id for member in record.state.members} == {
        "aiokafka", "confluent-kafka", "java-1", "kafka-python",
    }  # fmt: skip
    assert all(member.subscription and member.assignment for member in record.state.members)


def test_one_moment_of_each_group_is_no_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What compares times is skipped, and whom no record is of is named, or has a stand-in."""
    folder = CAPTURES.parent / "running-groups"
    saved = tmp_path / "saved.jsonl"
    saved.write_bytes(
        b"".join((folder / f"{name}.jsonl").read_bytes() for name in ("list", "consumer-protocol"))
    )
    out = tmp_path / "out"
    assert main(["audit", str(saved), "--out", str(out)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "2 groups are not judged: modern (consumer, Stable), shop (classic, Empty):" in said
    lacks = json.loads((out / "findings.json").read_text())["notEvaluated"]
    skipped = {rule for rule, inputs in lacks.items() if "changes" in inputs}
    assert skipped > {"rebalance-storm", "flapping-member", "slow-poll", "unassigned-partition"}
    assert not skipped & {"mixed-versions", "assigned-twice", "idle-members", "cannot-migrate"}
    assert main(["audit", str(saved), "--out", str(out), "--replace", "--redact"]) == 0
    said = capsys.readouterr().out
    assert "2 groups are not judged: <group-" in said
    assert "modern" not in said + (out / "manifest.json").read_text()
    assert main(["audit", str(LOOPBACK), "--out", str(out), "--replace"]) == 0  # which has both
    assert "several times" not in capsys.readouterr().out


def test_the_ends_in_a_saved_file_are_said_to_be_unused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the topics of one group are not all that the rules about topics need."""
    saved = str(CAPTURES.parent / "running-groups" / "cooperative.jsonl")
    main(["audit", saved, "--out", str(tmp_path / "out")])
    told = " ".join(capsys.readouterr().err.split())
    assert "it has the ends of partitions, which the audit does not use: kproto group" in told
    assert main(["group", "shop", "--from", saved, "--json"]) == 0
    assert '"lag":' in capsys.readouterr().out
