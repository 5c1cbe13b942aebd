"""Records that repeat the one before change nothing by not being read."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    Policy,
    decode,
)
from kproto.pipeline.audit import RULES, AnyRule, MemberSeen
from kproto.pipeline.groups import group_audit
from kproto.pipeline.groups.states import Groups
from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.tables.classic import classic_rows
from kproto.pipeline.tables.commits import SUMS
from kproto.pipeline.tables.fingerprints import fingerprints, member_fingerprints
from kproto.pipeline.tables.payload_deviations import KnownBytes, deviation_rows
from kproto.pipeline.tables.publishing import Destination
from kproto.pipeline.tables.record_kinds import Kind, read_kinds
from tests.benchmarks.fleet import write

from .audit_groups import PARTITIONS, assignment, member, one_in, subscription, written
from .engines import either_engine  # noqa: F401  # a fixture

PROTOCOLS = ("cooperative-sticky", "range", "sticky", "ours")
START = 1_700_000_000_000
CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"


def tuned(**thresholds: dict[str, float]) -> tuple[AnyRule, ...]:
    """The built-in rules, some with other thresholds."""
    return tuple(
        rule.tuned(**thresholds.get(rule.id.replace("-", "_"), {})) for rule in RULES.values()
    )


RULE_SETS = (
    tuned(),
    tuned(rebalance_storm={"rounds": 3, "seconds": 200, "generations": 2}),
    tuned(rebalance_storm={"rounds": 1, "seconds": 60, "generations": 2, "rejoins": 0}),
    tuned(flapping_member={"joins": 0}, slow_poll={"times": 0}, stale_claim={"generations": 0}),
    tuned(never_claims={"generations": 1}, protocol_changed={"changes": 0}),
)


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


def kind_of(
    values: Sequence[tuple[str, bytes | None]], first: int = 0, times: Sequence[int] = ()
) -> Kind:
    """The records of these groups, one after another: at these seconds, or a minute each."""
    rows = [
        {
            "source": "log",
            "source_partition": 0,
            "source_offset": first + number,
            "record_timestamp": (START + 1000 * (times[number] if times else 60 * (first + number)))
            * 1000,
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


def come_to(
    kinds: list[Kind], *, fingerprinted: bool, rules: tuple[AnyRule, ...] = RULE_SETS[0]
) -> tuple[Any, ...]:
    """Everything that is made of them."""
    groups = Groups(Options(rules=rules))
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
    return rebalances, incarnations, states, list(groups.findings(SUMS.empty_table()))


@settings(max_examples=settings().max_examples // 3)
@given(histories("one"), histories("two"), st.sampled_from(RULE_SETS), st.data())
def test_histories_come_to_the_same(
    one: list[tuple[str, bytes | None]],
    two: list[tuple[str, bytes | None]],
    rules: tuple[AnyRule, ...],
    data: st.DataObject,
) -> None:
    mixed = one + two
    order = sorted(range(len(mixed)), key=lambda n: n if mixed[n][0] == "one" else n - 20)
    records = [mixed[number] for number in order]
    pauses = data.draw(st.sampled_from([[60], [600], [60, 60, 60, 1], [60, 20, 1, -70, 3000]]))
    steps = st.lists(st.sampled_from(pauses), min_size=len(records), max_size=len(records))
    times = [*accumulate(data.draw(steps))]
    places = st.sets(st.integers(1, len(records) - 1), min_size=2, max_size=2)
    cuts = [0, *sorted(data.draw(places)), len(records)]
    kinds = [
        kind_of(records[start:stop], start, times[start:stop])
        for start, stop in pairwise(cuts)
        if stop > start
    ]
    every_record = come_to(kinds, fingerprinted=False, rules=rules)
    assert come_to(kinds, fingerprinted=True, rules=rules) == every_record


WHOLE_FLEET = 8
"""The partitions of the generated fleet. Two of them have groups in trouble, too."""


@pytest.mark.parametrize("partitions", [0, 2, pytest.param(WHOLE_FLEET, marks=pytest.mark.slow)])
def test_audits_come_to_the_same(
    partitions: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the captured topic, or of so many partitions of a fleet."""
    source = CAPTURES / "offsets-topic"
    if partitions:
        source = tmp_path / "fleet"
        write(source, 1)
    units = units_of(str(source))[: partitions or None]
    results = []
    for name in ("short", "whole"):
        if name == "whole":
            monkeypatch.setattr(group_audit, "fingerprints", lambda _: ())
        destination = Destination.new(str(tmp_path / name), replace=False)
        results.append(run_audit(units, destination, Options()))
    assert results[0].findings.num_rows
    assert results[0].findings.equals(results[1].findings)
    assert results[0].current.equals(results[1].current)


@pytest.mark.parametrize("protocol", ["cooperative-sticky", "range", "sticky"])
def test_who_never_claims_is_told_all_the_same(protocol: str) -> None:
    """Its bytes are the same each time."""
    metadata = subscription(version=1)
    members = [member("a", ["t-0"], metadata=metadata), member("b", ["t-1", "t-2"])]
    records = [("g", value_of(n, members, protocol).to_bytes(version=3)) for n in range(1, 8)]
    kinds = [kind_of(records)]
    every_record = come_to(kinds, fingerprinted=False)
    assert come_to(kinds, fingerprinted=True) == every_record
    rules = {finding.rule for finding in every_record[-1]}
    assert ("never-claims" in rules) is (protocol == "cooperative-sticky")


@pytest.mark.parametrize("end", ["a tombstone", "a generation that falls"])
def test_a_group_that_begins_anew_is_not_at_rest(end: str) -> None:
    """Its first record repeats the last one before the end, and has none before it to compare."""
    values = [
        value_of(n, [member("a", ["t-1"], metadata=subscription())], "range") for n in range(1, 8)
    ]
    records = [("g", value.to_bytes(version=3)) for value in values]
    again: list[tuple[str, bytes | None]] = [("g", None)] if end == "a tombstone" else []
    kinds = [kind_of([*records[:2], *again, *records])]
    every_record = come_to(kinds, fingerprinted=False)
    assert come_to(kinds, fingerprinted=True) == every_record
    assert "unassigned-partition" in {finding.rule for finding in every_record[-1]}


def test_a_storm_is_told_where_nobody_moves_any_more() -> None:
    """One member joins again and again; then records repeat, until there are enough of them."""
    records = []
    for generation in range(1, 12):
        names = ["a", f"b#{min(generation, 6)}"]
        given_ = [["t-0"], ["t-1"]]
        members = [
            member(name, one, metadata=subscription(owned=one, generation=generation - 1))
            for name, one in zip(names, given_, strict=True)
        ]
        records.append(("g", value_of(generation, members, "range").to_bytes(version=3)))
    times = [*range(0, 30, 5), *range(65, 240, 35)]
    kinds = [kind_of(records, times=times)]
    rules = tuned(flapping_member={"joins": 50})  # it would be told, and the group not at rest
    every_record = come_to(kinds, fingerprinted=False, rules=rules)
    assert come_to(kinds, fingerprinted=True, rules=rules) == every_record
    assert "rebalance-storm" in {finding.rule for finding in every_record[-1]}


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
    assert len(read) == 3  # the first, the one that repeats it, and the last


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


def test_bytes_that_cannot_be_read_keep_nothing_alive() -> None:
    """An error has the frames that it came through, and these have all that is known of the groups
    of a partition."""
    metadata = b"\0\1\0\0\0\1\0\1t\xff\xff\xff\xff"  # version 1, laid out as version 0
    value = value_of(1, [member("a", ["t-0"], metadata=metadata)], "range").to_bytes(version=3)
    groups = Groups(Options())
    groups.classic(kind_of([("g", value)]))
    assert [finding.rule for finding in groups.states["g"].observed] == ["unreadable-member"]
    memory = weakref.ref(groups)
    gc.disable()
    try:
        del groups
        assert memory() is None
    finally:
        gc.enable()


@given(st.sampled_from(PROTOCOLS), st.data())
def test_records_with_one_fingerprint_say_the_same(protocol: str, data: st.DataObject) -> None:
    """But for claims, which are those of the assignment, and user data. On any bytes of members."""
    given_ = bytearray(assignment(["t-0", "t-1"])[:-4])
    if data.draw(one_in(3)):
        place = data.draw(st.integers(0, len(given_) - 1))
        given_[place] = data.draw(st.sampled_from([0, 1, 127, 255]))
    payloads = [data.draw(_payloads(bytes(given_))) for _ in range(2)]
    pair = [
        value_of(
            generation, [MemberSeen("a", None, "c", "/h", 1, 2, said, bytes(given_))], protocol
        )
        for generation, said in enumerate(payloads, 5)
    ]
    first, second = fingerprints(kind_of([("g", value.to_bytes(version=3)) for value in pair]))
    if first is None or first != second:
        return
    assert protocol != "sticky"
    one, other = (
        decode(said, ConsumerProtocolSubscription, policy=Policy.LENIENT) for said in payloads
    )
    if payloads[0] == payloads[1] or one.message is None or other.message is None:
        assert payloads[0] == payloads[1]
        return
    messages: list[Any] = [one.message, other.message]
    assert one.version == other.version
    assert len({(message.topics, message.rack_id) for message in messages}) == 1
    given_message = ConsumerProtocolAssignment.from_bytes(bytes(given_) + b"\xff\xff\xff\xff")
    entries = [(entry.topic, entry.partitions) for entry in given_message.assigned_partitions]
    for message in messages:
        assert [(each.topic, each.partitions) for each in message.owned_partitions] == entries


def _at(given_: list[str], **said: Any) -> MemberSeen:
    return member("a", given_, **{"metadata": subscription(owned=given_, generation=5), **said})


@pytest.mark.parametrize(
    ("changed", "does"),
    [
        (_at(["t-0", "u-1"]), True),
        (_at(["t-0"]), False),
        (_at(["t-0", "u-1"], host="/h"), False),
        (_at(["t-0", "u-1"], timeout=1), False),
        (_at(["t-0", "u-1"], metadata=subscription(owned=["t-0"], generation=5)), False),
        (_at(["t-0", "u-1"], metadata=subscription(["v"], ["t-0", "u-1"], 5)), False),
        (_at(["t-0", "u-1"], metadata=b""), False),
    ],
)
def test_what_repeats_itself(changed: MemberSeen, does: bool) -> None:
    metadata = subscription(owned=["t-0", "u-1"], generation=4)
    values = [
        value_of(generation, [one], "cooperative-sticky").to_bytes(version=3)
        for generation, one in ((5, _at(["t-0", "u-1"], metadata=metadata)), (6, changed))
    ]
    first, second = fingerprints(kind_of([("g", value) for value in values]))
    assert (first == second) is does


@pytest.mark.parametrize("version", [1, 2, 3, ConsumerProtocolSubscription.LATEST + 1])
def test_a_claim_of_what_is_given_is_left_out_in_every_version(version: int) -> None:
    """Newer versions add fields at the end, and those are compared."""
    unknown = b"\0\0\0\7" if version > ConsumerProtocolSubscription.LATEST else b""
    known = min(version, ConsumerProtocolSubscription.LATEST)
    said = [
        version.to_bytes(2, "big") + subscription(owned=["t-0"], generation=n, version=known)[2:]
        for n in (5, 6)
    ]
    members = [each + unknown for each in said]
    members += [members[0] + b"\1"] if unknown else []
    given_ = [assignment(["t-0"])] * len(members)
    found, _ = member_fingerprints(pa.array(members), pa.array(given_))
    assert found is not None
    first, second, *others = found.to_pylist()
    assert first == second and first not in others


@given(st.binary(max_size=60), st.binary(max_size=40))
def test_any_bytes(metadata: bytes, given_: bytes) -> None:
    for said in (metadata, b"\0\3\x7f\xff\xff\xff" + metadata, subscription()[:6] + metadata):
        for got in (given_, b"\0\0\x7f\xff\xff\xff\0\0\x7f\xff\xff\xff" + given_):
            found, _ = member_fingerprints(pa.array([said, b""]), pa.array([got, b""]))
            assert found is not None
            assert found[0].as_py().startswith(len(got).to_bytes(4, "little") + got)


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
