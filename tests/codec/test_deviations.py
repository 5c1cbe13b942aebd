"""Facts about bytes: each code, where it stands, how often, and in which class."""

from __future__ import annotations

from typing import Any

import pytest

from kproto.codec import (
    CODES,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Deviation,
    EncodeError,
    ErrorKind,
    GroupMetadataValue,
    JoinGroupRequest,
    Policy,
    SyncGroupResponse,
    decode,
)
from kproto.codec.read.deviations import REFUSALS

from .test_decode_errors import EMPTY, ENCODING, TAGGED

Subscription, Assignment = ConsumerProtocolSubscription, ConsumerProtocolAssignment

TABLE = {
    "KP001": "encoding", "KP002": "encoding", "KP003": "encoding", "KP004": "encoding",
    "KP005": "encoding", "KP006": "encoding", "KP007": "encoding", "KP008": "encoding",
    "KP009": "style",
    "KP010": "encoding", "KP011": "encoding", "KP012": "encoding", "KP013": "encoding",
    "KP014": "encoding", "KP015": "encoding", "KP016": "encoding",
    "KP020": "evolution", "KP021": "evolution", "KP022": "evolution",
    "KP040": "content", "KP041": "content", "KP042": "content", "KP043": "content",
    "KP044": "content", "KP045": "content", "KP046": "content", "KP047": "content",
    "KP048": "content",
    "KP060": "style", "KP061": "style", "KP062": "style", "KP063": "style",
    "KP070": "content", "KP071": "style", "KP072": "style", "KP073": "style",
    "KP080": "encoding", "KP081": "evolution", "KP082": "encoding", "KP083": "encoding",
    "KP084": "encoding", "KP085": "encoding",
}  # fmt: skip

# Class, bytes with a version in front, and (code, offset, path, count) in order.
SEEN: list[tuple[Any, str, list[tuple[str, int, str, int]]]] = [
    (Subscription, "0003 00000000 ffffffff 00000000 ffffffff ffff", []),
    (Subscription, "0000 00000003 0001 61 0001 62 0001 63 ffffffff", []),
    (Subscription, "0000 00000002 0001 62 0001 61 ffffffff", [("KP060", 9, "topics[1]", 1)]),
    (
        Subscription,
        "0000 00000003 0001 63 0001 62 0001 61 ffffffff",
        [("KP060", 9, "topics[1]", 2)],
    ),
    (Subscription, "0000 00000002 0001 61 0001 61 ffffffff", [("KP042", 9, "topics[1]", 1)]),
    (Subscription, "0000 00000001 0000 ffffffff", [("KP044", 6, "topics[0]", 1)]),
    (Subscription, "0000 00000000 00000000", [("KP061", 6, "user_data", 1)]),
    (
        Subscription,
        "0000 00000002 0001 fe 0001 ff ffffffff",
        [("KP002", 6, "topics[0]", 2), ("KP042", 9, "topics[1]", 1)],
    ),
    (Subscription, "0000 00000000 fffffffe", [("KP001", 6, "user_data", 1)]),
    (Subscription, "0000 00000000 ffffffff 00", [("KP021", 10, "", 1)]),
    (Subscription, "0005 00000000 ffffffff 00000000 ffffffff ffff", [("KP020", 0, "version", 1)]),
    (
        Subscription,
        "0001 00000000 ffffffff 00000002 0001 61 00000000 0001 61 00000000",
        [
            ("KP063", 17, "owned_partitions[0].partitions", 2),
            ("KP041", 21, "owned_partitions[1].topic", 1),
        ],
    ),
    # As Kafka's own client writes [b-2, b-1, a-0]: it sorts subscriptions, not assignments.
    (
        Assignment,
        "0003 00000002 0001620000000200000002 00000001 0001 61 00000001 00000000 ffffffff",
        [],
    ),
    (
        Assignment,
        "0000 00000001 0001 61 00000003 00000001 ffffffff 00000001 ffffffff",
        [
            ("KP043", 17, "assigned_partitions[0].partitions[1]", 1),
            ("KP042", 21, "assigned_partitions[0].partitions[2]", 1),
        ],
    ),
    # Owned partitions are sorted by topic and, within a topic, by number.
    (
        Subscription,
        "0001 00000000 ffffffff 00000002 0001 62 00000001 00000000 0001 61 00000001 00000000",
        [("KP060", 25, "owned_partitions[1].topic", 1)],
    ),
    (
        Subscription,
        "0001 00000000 ffffffff 00000001 0001 61 00000002 00000001 00000000",
        [("KP060", 25, "owned_partitions[0].partitions[1]", 1)],
    ),
    # Java compares UTF-16 units: U+1F600 (d83d de00) stands before U+FF21.
    (
        Subscription,
        "0000 00000002 0004 f09f9880 0003 efbca1 ffffffff",
        [("KP048", 6, "topics[0]", 2)],
    ),
    (
        Subscription,
        "0000 00000002 0003 efbca1 0004 f09f9880 ffffffff",
        [("KP048", 6, "topics[0]", 2), ("KP060", 11, "topics[1]", 1)],
    ),
    (
        Subscription,
        "0000 00000001 0009 5f5f70726f746f5f5f ffffffff",
        [("KP045", 6, "topics[0]", 1)],
    ),
    (Subscription, "0000 00000001 0003 610062 ffffffff", [("KP046", 6, "topics[0]", 1)]),
    (Subscription, f"0000 00000001 00f9 {'61' * 249} ffffffff", []),
    (Subscription, f"0000 00000001 00fa {'61' * 250} ffffffff", [("KP048", 6, "topics[0]", 1)]),
    (Subscription, "0000 00000001 0007 2e2e2e5f2d4139 ffffffff", []),
    (Subscription, "0000 00000002 0001 2e 0002 2e2e ffffffff", [("KP048", 6, "topics[0]", 2)]),
    (Subscription, "0000 00000002 0001 61 0003 622063 ffffffff", [("KP048", 9, "topics[1]", 1)]),
    (
        Assignment,
        "0000 00000001 0002 c3a4 00000001 00000000 ffffffff",
        [("KP048", 6, "assigned_partitions[0].topic", 1)],
    ),
    (
        Assignment,
        "0000 00000001 0000 00000001 00000000 ffffffff",
        [("KP044", 6, "assigned_partitions[0].topic", 1)],
    ),
    (Subscription, "0002 00000000 ffffffff 00000000 fffffffe", [("KP047", 14, "generation_id", 1)]),
    (Subscription, "0003 00000000 ffffffff 00000000 ffffffff 0000", [("KP062", 18, "rack_id", 1)]),
    (
        Assignment,
        "0003 00000001 0001 61 00000000 ffffffff",
        [("KP063", 9, "assigned_partitions[0].partitions", 1)],
    ),
]

# Refused by Apache Kafka, and read otherwise, or not survived, by other clients.
PARTING: list[tuple[Any, str, str, int, str]] = [
    (Subscription, "ffff 00000000 ffffffff", "KP010", 0, "version"),
    (Subscription, "0000 ffffffff ffffffff", "KP011", 2, "topics"),
    (Subscription, "0001 00000000 ffffffff ffffffff", "KP011", 10, "owned_partitions"),
    (Subscription, "0000 00000001 ffff ffffffff", "KP012", 6, "topics[0]"),
    (Subscription, "0000 00000001 fffe", "KP013", 6, "topics[0]"),
    (Subscription, "0000 fffffffe", "KP013", 2, "topics"),
    (Subscription, "0000 7fffffff 0001 61", "KP014", 2, "topics"),
    (Subscription, "", "KP015", 0, "version"),
    (Assignment, "0000 00000001 0001 61 ffffffff", "KP011", 9, "assigned_partitions[0].partitions"),
]  # fmt: skip


def test_the_table_of_codes() -> None:
    """Codes and classes are for ever: programs go by them."""
    assert {code: row.class_ for code, row in CODES.items()} == TABLE
    for code, row in CODES.items():
        assert row.code == code and row.explanation and isinstance(row.name, str)
    assert len({row.name for row in CODES.values()}) == len(CODES)


@pytest.mark.parametrize(("cls", "given", "expected"), SEEN, ids=range(len(SEEN)))
def test_deviations(cls: Any, given: str, expected: list[tuple[str, int, str, int]]) -> None:
    seen = decode(bytes.fromhex(given), cls)
    found = [(one.code, one.offset, one.path, one.count) for one in seen.deviations]
    assert found == expected
    for one in seen.deviations:
        assert isinstance(one, Deviation)
        assert one.class_ == CODES[one.code].class_
        assert one.explanation.startswith(CODES[one.code].explanation)


def test_every_encoding_oddity_has_its_code() -> None:
    found = {
        one.code
        for cls, version, given, *_ in ENCODING
        for one in decode(bytes.fromhex(given), cls, body_version=version).deviations
    }
    # From KP010 on they are of what is refused.
    wanted = {code for code, class_ in TABLE.items() if class_ == "encoding" and code < "KP010"}
    assert found >= wanted


@pytest.mark.parametrize(
    ("cls", "given", "code", "offset"),
    [(EMPTY, "01 07 00", "KP022", 1), (TAGGED, "01 00 04 00000000", "KP009", 3)],
)
def test_tagged_fields(cls: Any, given: str, code: str, offset: int) -> None:
    (one,) = decode(bytes.fromhex(given), cls, body_version=0).deviations
    assert (one.code, one.offset) == (code, offset)


@pytest.mark.parametrize(
    ("cls", "given", "code", "offset", "path"), PARTING, ids=range(len(PARTING))
)
def test_what_readers_part_on(cls: Any, given: str, code: str, offset: int, path: str) -> None:
    seen = decode(bytes.fromhex(given), cls, policy=Policy.LENIENT)
    assert seen.error is not None and seen.error.offset == offset
    found = [(one.code, one.offset, one.path) for one in seen.deviations]
    assert (code, offset, path) in found and len(found) == 1


def test_a_string_too_long_for_kafka() -> None:
    body = JoinGroupRequest(group_id="g").to_body(9)
    given = b"\x81\x80\x02" + 2**15 * b"g" + body[2:]  # 32,768 bytes
    seen = decode(given, JoinGroupRequest, body_version=9, policy=Policy.LENIENT)
    assert [(one.code, one.path) for one in seen.deviations] == [("KP016", "group_id")]


def test_what_only_ends_too_early_is_an_error_and_no_deviation() -> None:
    for given in ("00", "0000 00000001 0005 61", "0000"):
        seen = decode(bytes.fromhex(given), Subscription, policy=Policy.LENIENT)
        assert seen.error is not None and seen.deviations == ()
    empty = decode(b"", SyncGroupResponse, body_version=0, policy=Policy.LENIENT)
    assert empty.error is not None and empty.deviations == ()
    newer = decode(bytes.fromhex("0009"), GroupMetadataValue, policy=Policy.LENIENT)
    assert newer.error is not None and newer.deviations == ()


def test_every_refusal_has_a_code() -> None:
    assert REFUSALS.keys() == set(ErrorKind)
    assert set(REFUSALS.values()) <= CODES.keys()


@pytest.mark.parametrize("label", [1, 2, 3])
def test_a_body_of_an_older_version(label: int) -> None:
    for version in range(label):
        body = Subscription(topics=["a"]).to_body(version)
        seen = decode(label.to_bytes(2, "big") + body, Subscription, policy=Policy.LENIENT)
        older = [one for one in seen.deviations if one.code == "KP040"]
        assert len(older) == 1 and f"version {version} body" in older[0].explanation


def test_what_is_broken_otherwise_is_no_older_body() -> None:
    for given in ("0003 00000001 0005 61", "0000", "0003 80000000"):
        seen = decode(bytes.fromhex(given), Subscription, policy=Policy.LENIENT)
        assert "KP040" not in [one.code for one in seen.deviations]
    empty = decode(b"", Subscription, policy=Policy.LENIENT)
    assert (empty.fields, empty.version) == ((), None)


def test_deviations_of_what_was_read_before_the_failure() -> None:
    data = bytes.fromhex("0000 00000003 0001 62 0001 61 0009 61")
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    assert [(one.code, one.offset) for one in seen.deviations] == [("KP060", 9)]
    data = bytes.fromhex(
        "0001 00000000 ffffffff 00000003 0001 62 00000000 0001 61 00000000 0009 61"
    )
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    assert [(one.code, one.path) for one in seen.deviations] == [
        ("KP063", "owned_partitions[0].partitions"),
        ("KP060", "owned_partitions[1].topic"),
    ]


def test_only_a_message_of_the_same_class_takes_its_place() -> None:
    seen = decode(Subscription(topics=["a"]).to_bytes(), Subscription)
    with pytest.raises(EncodeError) as refused:
        seen.with_message(Assignment())  # type: ignore[arg-type]
    assert refused.value.path == ""
    assert refused.value.reason.startswith("ConsumerProtocolAssignment(")
    assert refused.value.reason.endswith(" is not a ConsumerProtocolSubscription")
