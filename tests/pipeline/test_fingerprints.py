"""Records that repeat the one before are found in columns, and change nothing by not being read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    Policy,
    decode,
)
from kproto.pipeline.audit import MemberSeen, Place, Step
from kproto.pipeline.audit.classic_record import read_step, repeated
from kproto.pipeline.audit.repetition import besides_the_claim, claim_in
from kproto.pipeline.run import Options
from kproto.pipeline.run.groups import Groups
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.tables.classic import classic_rows
from kproto.pipeline.tables.fingerprints import fingerprints, member_fingerprints
from kproto.pipeline.tables.payload_deviations import KnownBytes, deviation_rows
from kproto.pipeline.tables.reading import Kind, read_kinds

from .audit_groups import PARTITIONS, assignment, member, one_in, subscription, written
from .engines import either_engine  # noqa: F401  # a fixture

PROTOCOLS = ("cooperative-sticky", "range", "sticky", "ours")
START = 1_700_000_000_000


def value_of(
    generation: int, members: list[MemberSeen], protocol: str, kind: str = "consumer"
) -> GroupMetadataValue:
    """The record that such members leave."""
    return GroupMetadataValue(
        protocol_type=kind,
        generation=generation,
        protocol=protocol,
        leader=members[0].member_id if members else None,
        current_state_timestamp=START + generation,
        members=[written(one) for one in members],
    )


def kind_of(values: Sequence[tuple[str, bytes | None]], first: int = 0) -> Kind:
    """The records of these groups, one after another."""
    rows = [
        {
            "source": "log",
            "source_partition": 0,
            "source_offset": first + number,
            "record_timestamp": (START + 60_000 * (first + number)) * 1000,
            "record_type": 2,
            "group_id": group,
            "key": GroupMetadataKey(group=group).to_bytes(),
            "value": value,
        }
        for number, (group, value) in enumerate(values)
    ]
    (kind,) = read_kinds(pa.Table.from_pylist(rows, RECORDS))
    assert isinstance(kind, Kind)
    return kind


@st.composite
def histories(draw: st.DrawFn, group: str) -> list[tuple[str, bytes | None]]:
    """Long stretches of calm, and members that come, go, and say what they like."""
    protocol = draw(st.sampled_from(PROTOCOLS))
    shares = {"a": ["t-0", "t-1"], "b": ["t-2"], "c": ["t-3"]}
    names, generation = ["a", "b"], 0
    found: list[tuple[str, bytes | None]] = []
    for _ in range(draw(st.integers(4, 39))):
        generation += draw(st.sampled_from([1, 1, 1, 1, 1, 1, 1, 1, 0, 4]))
        match draw(st.sampled_from([*["nothing"] * 26, "gone", "anew", "others", "shares"])):
            case "gone":
                found.append((group, None))
                generation = draw(st.sampled_from([0, generation]))
            case "anew":
                generation = 1
            case "others":
                names = [name for name in "abc" if not draw(one_in(5))]
            case "shares":
                moved = st.lists(st.sampled_from(PARTITIONS), min_size=2, max_size=2, unique=True)
                shares[draw(st.sampled_from("abc"))] = draw(moved)
            case _:
                pass
        said = {name: subscription(owned=shares[name], generation=generation - 1) for name in names}
        if draw(one_in(17)) and names:
            odd = [b"", b"\0\1\0\0\0\1\0\1t\xff\xff\xff\xff", subscription(["t", "u"])]
            said[draw(st.sampled_from(names))] = draw(st.sampled_from(odd))
        host = "/10.0.0.2" if draw(one_in(50)) else "/10.0.0.1"
        members = [
            member(name, shares[name], metadata=said[name], host=host,
                   instance=f"i-{name}" if protocol == "ours" else None)
            for name in names
        ]  # fmt: skip
        found.append((group, value_of(generation, members, protocol).to_bytes(version=3)))
    return found


def come_to(kinds: list[Kind], *, fingerprinted: bool) -> tuple[Any, ...]:
    """Everything that is made of them, and how many records were not read."""
    groups = Groups(Options())
    rebalances, incarnations = [], []
    for kind in kinds:
        found = groups.classic(kind, fingerprints(kind) if fingerprinted else ())
        incarnations += found[0].to_pylist()
        rebalances += found[1].to_pylist()
    groups.catch_up()
    states = {
        group: (state.rebalances, state.last, state.restarts, state.fold and state.fold.last)
        for group, state in groups.states.items()
    }
    no_commits = pa.table(
        {
            name: pa.array([], type_)
            for name, type_ in (
                ("group_id", pa.string()), ("topic", pa.string()), ("partition", pa.int32()),
                ("committed_offset", pa.int64()), ("first", pa.timestamp("us")),
                ("last", pa.timestamp("us")), ("commits", pa.int64()),
            )
        }
    )  # fmt: skip
    return rebalances, incarnations, states, list(groups.findings(no_commits))


@given(histories("one"), histories("two"), st.data())
def test_histories_come_to_the_same(
    one: list[tuple[str, bytes | None]], two: list[tuple[str, bytes | None]], data: st.DataObject
) -> None:
    mixed = one + two
    order = sorted(range(len(mixed)), key=lambda n: n if mixed[n][0] == "one" else n - 20)
    records = [mixed[number] for number in order]
    places = st.sets(st.integers(1, len(records) - 1), min_size=2, max_size=2)
    cuts = [0, *sorted(data.draw(places)), len(records)]
    kinds = [kind_of(records[start:stop], start) for start, stop in pairwise(cuts) if stop > start]
    assert come_to(kinds, fingerprinted=True) == come_to(kinds, fingerprinted=False)


def test_a_calm_group_is_read_but_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    values = []
    for generation in range(1, 101):
        said = subscription(owned=["t-0"], generation=generation - 1)
        one = member("a", ["t-0"], metadata=said)
        values.append(("g", value_of(generation, [one], "cooperative-sticky").to_bytes(version=3)))
    read = []
    whole = GroupMetadataValue.from_bytes

    def counted(data: bytes) -> GroupMetadataValue:
        read.append(data)
        return whole(data)

    monkeypatch.setattr(GroupMetadataValue, "from_bytes", counted)
    come_to([kind_of(values[:50]), kind_of(values[50:], 50)], fingerprinted=True)
    assert len(read) == 2  # the first and the last


@st.composite
def _payloads(draw: st.DrawFn, given_: bytes) -> bytes:
    """What a member with this assignment says, whole or with a few bytes changed or cut off."""
    as_it_has = st.builds(
        lambda generation, version: subscription(["t"], ["t-0", "t-1"], generation, version),
        st.integers(0, 8),
        st.sampled_from([1, 2, 3]),
    )
    nothing = st.sampled_from([0, 1, 3]).map(lambda version: subscription(["t"], [], -1, version))
    with_data = st.sampled_from([b"\0\0\0\4abcd", b"\0\0\0\0"]).map(
        lambda data: b"\0\3\0\0\0\1\0\1t" + data + given_[2:] + b"\0\0\0\7\xff\xff"
    )
    said = bytearray(draw(as_it_has | nothing | with_data | with_data))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        place = draw(st.integers(0, len(said) - 1))
        said[place] = draw(st.sampled_from([0, 1, 3, 127, 128, 255]))
    return bytes(said[: draw(st.integers(0, len(said)))] if draw(one_in(6)) else said)


@given(st.sampled_from(PROTOCOLS), st.data())
def test_the_rule_is_that_of_a_record_alone(protocol: str, data: st.DataObject) -> None:
    """Records have one fingerprint where the second repeats the first, on any bytes of members."""
    given_ = bytearray(assignment(["t-0", "t-1"])[:-4])
    if data.draw(one_in(3)):
        place = data.draw(st.integers(0, len(given_) - 1))
        given_[place] = data.draw(st.sampled_from([0, 1, 127, 255]))
    pair = []
    for generation in (5, 6):
        said = data.draw(_payloads(bytes(given_)))
        one = MemberSeen("a", None, "c", "/h", 1, 2, said, bytes(given_))
        pair.append(value_of(generation, [one], protocol))
    steps: list[Step] = [read_step(Place("log", 0, 0, 0), value) for value in pair]
    first, second = fingerprints(kind_of([("g", value.to_bytes(version=3)) for value in pair]))
    same = first is not None and first == second
    if same:
        assert repeated(*steps)
    elif repeated(*steps):  # it may be read for nothing
        assert protocol == "sticky" or {b"\0\0\0\0"} & {
            step.members[0].metadata[9:13] for step in steps
        }


@given(st.binary(max_size=60), st.binary(max_size=40))
def test_any_bytes(metadata: bytes, given_: bytes) -> None:
    for said in (metadata, b"\0\3\x7f\xff\xff\xff" + metadata, subscription()[:6] + metadata):
        for got in (given_, b"\0\0\x7f\xff\xff\xff\0\0\x7f\xff\xff\xff" + given_):
            found, kinds = member_fingerprints(pa.array([said, b""]), pa.array([got, b""]))
            claim = claim_in(said, got)  # which is Python's under both engines
            assert bool(kinds[0]) is (claim is not None)
            besides = claim and (said[: claim.topics_end], said[claim.rack_start :])
            assert besides_the_claim(said, got) == besides
            assert found is not None and found[0].as_py().startswith(len(got).to_bytes(4, "little"))


GIVEN = assignment(["t-0", "t-1"])[:-4]


@given(st.lists(_payloads(GIVEN), min_size=1, max_size=8))
def test_members_that_say_the_same_have_the_same_deviations(payloads: list[bytes]) -> None:
    """Each is judged by what one of them says; here each by itself."""
    seen = [
        MemberSeen(f"m{number}", None, "c", "/h", 1, 2, said, GIVEN)
        for number, said in enumerate(payloads)
    ]
    kind = kind_of([("g", value_of(1, seen, "range").to_bytes(version=3))])
    members = classic_rows(kind, pa.array([0], pa.int32()))["members"]
    found = sorted(
        (row["member_id"], row["field"], row["code"], row["offset"])
        for row in deviation_rows(members).to_pylist()
    )
    expected = sorted(
        (one.member_id, field, said.code, said.offset)
        for one in seen
        for field, data, message_class in (
            ("subscription", one.metadata, ConsumerProtocolSubscription),
            ("assignment", one.assignment, ConsumerProtocolAssignment),
        )
        if data
        for said in decode(data, message_class, policy=Policy.LENIENT).deviations
    )
    assert found == expected


def test_known_bytes_are_forgotten_beyond_a_limit() -> None:
    known = KnownBytes(most=1000)
    for number in range(100):
        known.add(b"%d" % number)
    assert b"99" in known
    assert b"0" not in known


@pytest.mark.parametrize(
    ("leader", "leads"),
    [
        ("a", [True, False]),
        ("b", [False, True]),
        ("c", [False, False]),
        (None, [None, None]),
    ],
)
def test_a_leader_may_be_no_member(leader: str | None, leads: list[bool | None]) -> None:
    value = value_of(1, [member("a"), member("b")], "range")
    value = msgspec.structs.replace(value, leader=leader)
    kind = kind_of([("g", value.to_bytes(version=3))])
    members = classic_rows(kind, pa.array([0], pa.int32()))["members"]
    assert members.column("is_leader").to_pylist() == leads
