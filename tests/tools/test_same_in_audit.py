"""`audit` sees in the bytes of records what `decode` sees: deviations, where reading stops, and
what is in the wrong place."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kproto.codec import GroupMetadataKey, GroupMetadataValue

from ..capture.test_segments import batch
from .conftest import run
from .printers import draw_named

datasets = pytest.importorskip("pyarrow.dataset")

RECORDS = 12
NOT_IN_AUDIT = {"KP073"}
"""What is inside of user data, which an audit does not open."""
SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"

Found = set[tuple[Any, ...]]


def payload(rng: Random, name: str) -> bytes:
    """What a member has written: half of it is sound; the rest is cut, damaged, longer, of another
    version, or of the type that belongs into its other field."""
    if rng.random() < 0.1:
        name = SUBSCRIPTION if name == ASSIGNMENT else ASSIGNMENT
    data = draw_named(rng, name).data
    damages = (
        data[: rng.randrange(len(data))],
        data.decode("latin-1").encode(),
        data.decode("utf-8", "replace").encode(),
        data + rng.randbytes(3),
        rng.choice((b"\xff\xff", b"\0\x09")) + data[2:],
    )
    return data if rng.random() < 0.5 else rng.choice(damages)


def record(rng: Random, number: int) -> tuple[bytes, bytes]:
    """The key and the value of a group with a member or two."""
    members = [
        GroupMetadataValue.MemberMetadata(
            member_id=f"m-{at}", client_id="c", client_host="/h", session_timeout=1,
            rebalance_timeout=1, subscription=payload(rng, SUBSCRIPTION),
            assignment=payload(rng, ASSIGNMENT),
        )
        for at in range(rng.randint(1, 2))
    ]  # fmt: skip
    value = GroupMetadataValue(
        protocol_type="consumer", generation=number, protocol="range", leader="m-0",
        members=members,
    ).to_bytes(rng.choice((2, 3)))  # fmt: skip
    if rng.random() < 0.1:
        value = value[: rng.randrange(2, len(value))]
    return GroupMetadataKey(group=f"group-{number}").to_bytes(), value


def by_decode(path: Path) -> tuple[Found, Found, Found]:
    """The deviations of each member's bytes, where reading stops, and the fields whose bytes are in
    the wrong place."""
    deviations: Found = set()
    stops: Found = set()
    misplaced: Found = set()
    for line in run("decode", "--json", path).lines:
        offset, value = line["offset"], line["value"]
        if value["error"]:
            stops.add((offset, "value", value["error"]["kind"], value["error"]["offset"]))
            continue
        for inside in value["opened"]:
            field = inside["path"].rpartition(".")[2]
            if "wrong place" in inside.get("note", ""):
                misplaced.add((offset, field))
            codes = {deviation["code"] for deviation in inside["deviations"]} - NOT_IN_AUDIT
            deviations |= {(offset, field, code) for code in codes}
            if inside["error"]:
                error = inside["error"]
                stops.add((offset, field, error["kind"], error["offset"]))
    return without(misplaced, deviations, stops)


def without(misplaced: Found, deviations: Found, stops: Found) -> tuple[Found, Found, Found]:
    """All three, without what deviates in a field whose bytes are in the wrong place: an audit
    reads every field as what belongs there."""
    deviations = {row for row in deviations if row[:2] not in misplaced}
    return misplaced, deviations, {row for row in stops if row[:2] not in misplaced}


def by_audit(path: Path, out: Path) -> tuple[Found, Found, Found]:
    run("audit", "--out", out, "--fail-on", "never", path)
    deviations, stops, findings = (
        datasets.dataset(out / table, format="parquet").to_table().to_pylist()
        for table in ("deviations", "quarantine", "findings")
    )
    misplaced: Found = {
        (int(row["group_id"].removeprefix("group-")), json.loads(row["evidence"])["field"])
        for row in findings
        if row["rule"] == "wrong-place"
    }
    return without(
        misplaced,
        {(row["source_offset"], row["field"], row["code"]) for row in deviations},
        {
            (row["source_offset"], row["field"], row["reason"], row["error_offset"])
            for row in stops
        },
    )  # fmt: skip


def assert_same_in_audit(seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    records = [record(rng, number) for number in range(RECORDS)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{0:020}.log"
        path.write_bytes(
            batch(0, [value for _, value in records], keys=[key for key, _ in records])
        )
        assert by_audit(path, Path(folder) / "out") == by_decode(path)


def test_an_audit_sees_what_decode_sees(rng: Random) -> None:
    # An audit takes a second, so one file is drawn, and does not shrink.
    assert_same_in_audit(rng.getrandbits(32))


@pytest.mark.long
def test_an_audit_sees_what_decode_sees_in_many_records(rng: Random) -> None:
    for _ in range(40):
        assert_same_in_audit(rng.getrandbits(32))
