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
    Policy,
    decode,
)

from .test_decode_errors import EMPTY, ENCODING, TAGGED

Subscription, Assignment = ConsumerProtocolSubscription, ConsumerProtocolAssignment

TABLE = {
    "KP001": "encoding", "KP002": "encoding", "KP003": "encoding", "KP004": "encoding",
    "KP005": "encoding", "KP006": "encoding", "KP007": "encoding", "KP008": "encoding",
    "KP009": "style",
    "KP020": "evolution", "KP021": "evolution", "KP022": "evolution",
    "KP040": "content", "KP041": "content", "KP042": "content", "KP043": "content",
    "KP044": "content",
    "KP060": "style", "KP061": "style",
}  # fmt: skip

# Class, bytes with a version in front, and (code, offset, path, count) in order.
SEEN: list[tuple[Any, str, list[tuple[str, int, str, int]]]] = [
    (Subscription, "0003 00000000 ffffffff 00000000 ffffffff ffff", []),
    (Subscription, "0000 00000003 0001 61 0001 62 0001 63 ffffffff", []),
    (Subscription, "0000 00000002 0001 62 0001 61 ffffffff", [("KP060", 9, "topics[1]", 1)]),
    (Subscription, "0000 00000003 0001 63 0001 62 0001 61 ffffffff",
     [("KP060", 9, "topics[1]", 2)]),
    (Subscription, "0000 00000002 0001 61 0001 61 ffffffff", [("KP042", 9, "topics[1]", 1)]),
    (Subscription, "0000 00000001 0000 ffffffff", [("KP044", 6, "topics[0]", 1)]),
    (Subscription, "0000 00000000 00000000", [("KP061", 6, "user_data", 1)]),
    (Subscription, "0000 00000002 0001 fe 0001 ff ffffffff",
     [("KP002", 6, "topics[0]", 2), ("KP042", 9, "topics[1]", 1)]),
    (Subscription, "0000 00000000 fffffffe", [("KP001", 6, "user_data", 1)]),
    (Subscription, "0000 00000000 ffffffff 00", [("KP021", 10, "", 1)]),
    (Subscription, "0005 00000000 ffffffff 00000000 ffffffff ffff",
     [("KP020", 0, "version", 1)]),
    (Subscription, "0001 00000000 ffffffff 00000002 0001 61 00000000 0001 61 00000000",
     [("KP041", 21, "owned_partitions[1].topic", 1)]),
    # As Kafka's own client writes [b-2, b-1, a-0]: it sorts subscriptions, not assignments.
    (Assignment, "0003 00000002 0001620000000200000002 00000001 0001 61 00000001 00000000 ffffffff",
     []),
    (Assignment, "0000 00000001 0001 61 00000003 00000001 ffffffff 00000001 ffffffff",
     [("KP043", 17, "assigned_partitions[0].partitions[1]", 1),
      ("KP042", 21, "assigned_partitions[0].partitions[2]", 1)]),
]  # fmt: skip


def test_the_table_of_codes() -> None:
    """Codes and classes are for ever: programs go by them."""
    assert {code: row.class_ for code, row in CODES.items() if code in TABLE} == TABLE
    for code, row in CODES.items():
        assert row.code == code and row.explanation


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
    assert found >= {code for code, class_ in TABLE.items() if class_ == "encoding"}


@pytest.mark.parametrize(
    ("cls", "given", "code", "offset"),
    [(EMPTY, "01 07 00", "KP022", 1), (TAGGED, "01 00 04 00000000", "KP009", 3)],
)
def test_tagged_fields(cls: Any, given: str, code: str, offset: int) -> None:
    (one,) = decode(bytes.fromhex(given), cls, body_version=0).deviations
    assert (one.code, one.offset) == (code, offset)


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
    assert (empty.deviations, empty.fields, empty.version) == ((), (), None)


def test_deviations_of_what_was_read_before_the_failure() -> None:
    data = bytes.fromhex("0000 00000003 0001 62 0001 61 0009 61")
    seen = decode(data, Subscription, policy=Policy.LENIENT)
    assert [(one.code, one.offset) for one in seen.deviations] == [("KP060", 9)]


def test_only_a_message_of_the_same_class_takes_its_place() -> None:
    seen = decode(Subscription(topics=["a"]).to_bytes(), Subscription)
    with pytest.raises(EncodeError, match="is not a ConsumerProtocolSubscription"):
        seen.with_message(Assignment())  # type: ignore[arg-type]
