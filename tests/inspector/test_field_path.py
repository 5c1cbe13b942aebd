"""One field, asked for by its path."""

from __future__ import annotations

import pytest

from kproto.codec import ConsumerProtocolSubscription, decode, message_class
from kproto.inspector import Inspection, examine
from kproto.inspector.views.display_tree import DisplayTree
from kproto.inspector.views.field_path import (
    field_part,
    known_paths,
    normal_path,
    why_not_there,
)
from kproto.inspector.views.theme import UNICODE

from .samples import CAPTURES, vectors
from .test_views import LONG, compare, rendered

JAVA = CAPTURES["java-sticky"]


def display_tree(data: bytes) -> DisplayTree:
    return DisplayTree(examine(data, ConsumerProtocolSubscription), UNICODE, full=True)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("topics[0]", "topics[0]"),
        ("ownedPartitions[3].topic", "owned_partitions[3].topic"),
        ("OwnedPartitions[3].Topic", "owned_partitions[3].topic"),
        (" userData.previousAssignment[1].partitions[7] ",
         "user_data.previous_assignment[1].partitions[7]"),
    ],
)  # fmt: skip
def test_spellings(given: str, path: str) -> None:
    assert normal_path(given) == path


@pytest.mark.parametrize("given", ["", ".", "a..b", "[0]", "a[", "a[-1]", "a[0]b", "a b", "é[0]!"])
def test_what_is_no_path(given: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        normal_path(given)


@pytest.mark.parametrize("width", [60, 120])
def test_a_field_with_what_is_in_it(width: int) -> None:
    path = "user_data.previous_assignment[1]"
    view = Inspection(examine(JAVA, ConsumerProtocolSubscription), field=path)
    compare(f"field-{width}", rendered(view, width))


def test_a_number_in_an_array() -> None:
    found = display_tree(JAVA)
    line = found.narrow_to("user_data.previous_assignment[1].partitions[7]")
    assert line is not None
    made = field_part(found, line)
    assert made.value == 7
    assert JAVA[made.start : made.end] == (7).to_bytes(4, "big")


def test_a_field_in_a_fold() -> None:
    view = Inspection(examine(LONG, ConsumerProtocolSubscription), field="topics[150]")
    assert '"events.payments.region-150"' in rendered(view, 120)


def test_only_its_own_deviations() -> None:
    data = ConsumerProtocolSubscription(topics=["b", "b"], user_data=b"", rack_id="").to_bytes(3)
    for path, code in (("topics", "KP060"), ("user_data", "KP080")):
        found = display_tree(data)
        codes = {each.code for each in found.deviations if each.path.startswith(path)}
        found.narrow_to(path)
        assert {each.code for each in found.deviations} == codes, code


def test_every_value_is_the_one_of_kafka_s_json() -> None:
    """Each field of what Java wrote, beside the JSON that Java made of it."""
    for vector in list(vectors("group-messages.jsonl"))[::7]:
        cls = message_class(vector["name"])
        data = bytes.fromhex(vector["hex"])
        seen = examine(data, cls, body_version=vector["version"])
        for key, value in vector["json"].items():
            found = DisplayTree(seen, UNICODE, full=True)
            line = found.narrow_to(normal_path(key))
            if line is None:  # tagged, or of another version
                continue
            made = field_part(found, line)
            assert bytes.fromhex(made.hex or "") == data[made.start : made.end]
            assert made.value == value, (vector["name"], key)


def test_what_was_not_read() -> None:
    found = display_tree(CAPTURES["kafkajs"])
    assert found.narrow_to("owned_partitions") is None
    assert known_paths(found) == ["version", "topics", "user_data"]
    assert display_tree(JAVA).narrow_to("topics[2]") is None
    assert display_tree(JAVA).narrow_to("topics[0][0]") is None
    assert decode(JAVA, ConsumerProtocolSubscription).complete


SOME = ConsumerProtocolSubscription(
    topics=["a", "b"],
    owned_partitions=[ConsumerProtocolSubscription.TopicPartition(topic="a", partitions=[4, 5, 6])],
)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("owned_partitions[7]", "owned_partitions has 1 item, [0]"),
        ("owned_partitions[7].topic", "owned_partitions has 1 item, [0]"),
        ("owned_partitions[0].partitions[3]",
         "owned_partitions[0].partitions has 3 items, [0] to [2]"),
        ("topics[2]", "topics has 2 items, [0] to [1]"),
        ("owned_partitions.topic", "owned_partitions is an array: owned_partitions[0].topic"),
        ("owned_partitions[0].no",
         "owned_partitions[0] is of type TopicPartition, which has topic, partitions"),
        ("rack_id.x", "rack_id is of type string"),
        ("topics[1][0]", "topics[1] is of type string"),
        ("no", None),
        ("no[3]", None),
    ],
)  # fmt: skip
def test_which_step_of_a_path_fails(path: str, why: str | None) -> None:
    assert why_not_there(display_tree(SOME.to_bytes(3)), path) == why


def test_an_array_without_items() -> None:
    empty = display_tree(ConsumerProtocolSubscription().to_bytes(3))
    assert why_not_there(empty, "topics[0]") == "topics has 0 items"


def test_the_index_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"\[-1\] is no index"):
        normal_path("topics[-1].x[2]")
