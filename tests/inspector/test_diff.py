"""Two messages beside each other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from kproto.codec import ConsumerProtocolSubscription, message_class
from kproto.inspector import DiffView, Redaction, diff_report, examine
from kproto.inspector.identification import Examined

from .samples import CAPTURES, CLIENTS, printed
from .test_views import LONG, NASTY, compare, rendered

TP = ConsumerProtocolSubscription.TopicPartition
BEFORE = ConsumerProtocolSubscription(
    topics=["a", "orders", "payments"],
    owned_partitions=[
        TP(topic="orders", partitions=range(3)),
        TP(topic="payments", partitions=[1]),
    ],
    generation_id=7,
    rack_id="r1",
)
AFTER = BEFORE.replace(
    topics=["orders", "payments", "z"],
    owned_partitions=[
        TP(topic="payments", partitions=[1, 2]), TP(topic="orders", partitions=range(3))
    ],
    user_data=bytes.fromhex("00000007"),
    rack_id=None,
)  # fmt: skip


def read(data: bytes) -> Examined:
    return examine(data, ConsumerProtocolSubscription)


def changes(left: bytes, right: bytes) -> dict[str, str]:
    made = printed(diff_report(read(left), read(right)))
    return {one["path"]: one["change"] for one in made["differences"]}


def of(before: ConsumerProtocolSubscription, **after: Any) -> dict[str, str]:
    return changes(before.to_bytes(3), before.replace(**after).to_bytes(3))


@pytest.mark.parametrize("width", [50, 80, 100, 140])
def test_at_every_width(width: int) -> None:
    text = rendered(DiffView(read(BEFORE.to_bytes(3)), read(AFTER.to_bytes(3))), width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    compare(f"diff-{width}", text)


def test_what_two_clients_send_for_the_same() -> None:
    left, right = (read(bytes.fromhex(CLIENTS[name])) for name in ("franz-go", "librdkafka"))
    compare("diff-clients", rendered(DiffView(left, right), 100))


def test_one_that_cannot_be_read() -> None:
    left, right = (read(CAPTURES[name]) for name in ("java-sticky", "kafkajs"))
    compare("diff-broken", rendered(DiffView(left, right), 100))
    compare("diff-redacted", rendered(DiffView(left, right, redaction=Redaction()), 100))


def test_where_only_ascii_can_be_written() -> None:
    text = rendered(DiffView(read(NASTY), read(BEFORE.to_bytes(3))), 100, "ascii")
    assert text.isascii()
    assert "\n*  " in text


def test_one_more_topic_in_front_is_one_difference() -> None:
    assert of(BEFORE, topics=["0", *BEFORE.topics]) == {"topics[0]": "added"}
    assert of(BEFORE, topics=BEFORE.topics[1:]) == {"topics[0]": "removed"}
    assert of(BEFORE, topics=[*BEFORE.topics, "a"]) == {"topics[3]": "added"}


def test_an_order_is_a_difference() -> None:
    assert of(BEFORE, topics=BEFORE.topics[::-1]) == {"topics": "reordered"}


def test_null_and_empty_differ() -> None:
    assert of(BEFORE, user_data=b"") == {"user_data": "changed"}
    assert of(BEFORE.replace(rack_id=None), rack_id="") == {"rack_id": "changed"}


def test_structs_are_matched_by_their_names() -> None:
    owned = [TP(topic="new", partitions=[9]), *BEFORE.owned_partitions]
    assert of(BEFORE, owned_partitions=owned) == {"owned_partitions[0]": "added"}
    more = [BEFORE.owned_partitions[0], TP(topic="payments", partitions=[1, 5])]
    assert of(BEFORE, owned_partitions=more) == {"owned_partitions[1].partitions": "changed"}


@given(st.integers(2, len(BEFORE.to_bytes(3)) - 1))
def test_what_a_cut_took_is_missing_once(size: int) -> None:
    whole = BEFORE.to_bytes(3)
    made = printed(diff_report(read(whole), read(whole[:size])))
    paths = [one["path"] for one in made["differences"]]
    assert len(set(paths)) == len(paths)
    kinds = {one["change"] for one in made["differences"] if one["path"] != "not read"}
    assert "missing" in kinds <= {"missing", "changed"}  # an array of which a part is left


def test_what_follows_the_fields_differs_too() -> None:
    data = BEFORE.to_bytes(3)
    assert changes(data, data + b"\1") == {"remainder": "added"}
    assert changes(data, b"\0\4" + data[2:]) == {"version": "changed"}


def test_a_report_says_where() -> None:
    left, right = BEFORE.to_bytes(3), AFTER.to_bytes(3)
    made = printed(diff_report(read(left), read(right)))
    assert (made["same"], made["a"]["size"], made["b"]["size"]) == (False, len(left), len(right))
    rack = made["differences"][-1]
    assert (rack["path"], rack["a"]["value"], rack["b"]["value"]) == ("rack_id", "r1", None)
    assert left[rack["a"]["start"] : rack["a"]["end"]] == b"\0\2r1"


def test_what_is_the_same_is_folded() -> None:
    other = ConsumerProtocolSubscription.from_bytes(LONG)
    left, right = read(LONG), read(other.replace(topics=(*other.topics, "zz")).to_bytes(3))
    folded = rendered(DiffView(left, right), 100).splitlines()
    assert len(folded) < 20
    assert any("300 the same" in line for line in folded)
    assert len(rendered(DiffView(left, right, full=True), 100).splitlines()) > 300


@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([40, 120]))
def test_any_bytes_can_be_compared(left: bytes, right: bytes, width: int) -> None:
    """Different bytes are told apart, whatever they are, and equal ones are the same."""
    one, other = read(left), read(right)
    text = rendered(DiffView(one, other), width)
    assert all(line.isprintable() for line in text.splitlines())
    assert ("the same bytes" in text) == (left == right)
    made = printed(diff_report(one, other))
    assert made["same"] == (left == right) == (made["differences"] == [])


# -- values that print alike

HEADER = bytes.fromhex("000000000001")
ALIKE = [
    ("0001 61 ffffffff", "0001 61 fffffffe", "null (ff ff ff ff)", "null (ff ff ff fe)"),
    ("0002 61ff ffffffff", "0002 61fe ffffffff", "(00 02 61 ff)", "(00 02 61 fe)"),
    ("0002 6f70 ffffffff", "0003 d0be70 ffffffff", '"op"', "(U+043E)"),
]


@pytest.mark.parametrize("width", [60, 120])
@pytest.mark.parametrize(("left", "right", "a", "b"), ALIKE)
def test_what_prints_alike_is_told_apart(left: str, right: str, a: str, b: str, width: int) -> None:
    sides = read(HEADER + bytes.fromhex(left)), read(HEADER + bytes.fromhex(right))
    text = rendered(DiffView(*sides), width)
    assert a in text and b in text
    found = printed(diff_report(*sides))["differences"]
    assert {(each["a"] or {}).get("hex") != (each["b"] or {}).get("hex") for each in found} == {
        True
    }
    hidden = rendered(DiffView(*sides, redaction=Redaction()), width)
    assert "ff fe" not in hidden and "U+" not in hidden


def test_a_length_in_another_encoding_is_a_difference() -> None:
    """The same fields behind a tag count of one byte, and of two."""
    value = message_class("ConsumerGroupMetadataValue")
    first, second = (
        examine(bytes.fromhex(f"0000 00000007 {count} 00 08 0000000000000005"), value)
        for count in ("01", "8100")
    )
    sides = first, second
    assert "1 difference" in rendered(DiffView(*sides), 100)
    (found,) = printed(diff_report(*sides))["differences"]
    assert (found["path"], found["change"]) == ("tagged_fields", "changed")
    assert found["a"]["value"] == found["b"]["value"] and found["a"]["hex"] != found["b"]["hex"]


def test_what_resembles_no_message_is_not_compared_field_by_field() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(100)
    sides = examine(picture + b"a"), examine(picture + b"b")
    assert "the bytes differ, first at byte 108" in rendered(DiffView(*sides), 100)
    made = printed(diff_report(*sides))
    assert made["differences"] is None and made["a"]["name"] is None
