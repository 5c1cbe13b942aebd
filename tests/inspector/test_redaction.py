"""What is hidden is hidden everywhere, and what stays is still of use."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription, message_class
from kproto.inspector import Inspection, Redaction, examine, redacted, report
from kproto.inspector.views.stand_ins import NamesToHide

from .samples import CAPTURES, printed, vectors
from .test_views import NASTY, compare, rendered

TP = ConsumerProtocolSubscription.TopicPartition


def view(data: bytes, redaction: Redaction, cls: Any = ConsumerProtocolSubscription) -> str:
    return rendered(Inspection(examine(data, cls), redaction=redaction, full=True), 120)


def as_json(data: bytes, redaction: Redaction, cls: Any = ConsumerProtocolSubscription) -> Any:
    return redacted(printed(report(examine(data, cls))), redaction)


@pytest.mark.parametrize("name", ["java-sticky", "kafkajs"])
def test_a_capture_for_a_bug_report(name: str) -> None:
    compare(f"redacted-{name}", view(CAPTURES[name], Redaction()))


def test_names_that_would_act_on_a_terminal() -> None:
    compare("redacted-nasty", view(NASTY, Redaction()))


def test_one_name_has_one_placeholder() -> None:
    """In one message and in the next, in the tree and in JSON, inside user data too."""
    redaction = Redaction()
    text = view(CAPTURES["java-sticky"], redaction)
    assert re.findall(r"<[^>]*>", text) == [
        "<topic-1>", "<topic-2>", "<topic-2>", "<topic-1>", "<rack-1>"
    ]  # fmt: skip
    other = ConsumerProtocolSubscription(topics=["new", "orders"], rack_id="rack-a").to_bytes(3)
    message = as_json(other, redaction)["message"]
    assert message["topics"] == ["<topic-3>", "<topic-1>"]
    assert message["rackId"] == "<rack-1>"


def test_a_group_a_topic_and_a_client_of_one_name_are_told_apart() -> None:
    redaction = Redaction()
    fields = ("group_id", "topic", "client_id", "name", "group", "topics")
    placeholders = [redaction.name("orders", field) for field in fields]
    assert placeholders == [
        "<group-1>",
        "<topic-1>",
        "<client-1>",
        "<group-1>",
        "<group-1>",
        "<topic-1>",
    ]
    assert redaction.name("m-1", "leader") == redaction.name("m-1", "member_id") == "<member-1>"


def test_numbers_of_user_data_are_hidden_and_others_are_not() -> None:
    made = as_json(CAPTURES["java-sticky"], Redaction())
    assert made["message"]["generationId"] == 1
    (inside,) = made["opened"]
    assert inside["name"] == "StickyAssignorUserData"
    assert inside["message"]["generation"] == "<hidden>"
    assert inside["message"]["previousAssignment"][0]["partitions"] == ["<hidden>"] * 5


SECRET = st.text("abcdefghijklmnopqrstuvwxyz.-", min_size=6, max_size=40).map(lambda t: f"Q{t}")


@given(st.lists(SECRET, min_size=1, max_size=6), SECRET, st.binary(min_size=6, max_size=60))
def test_no_name_and_no_user_data_is_left(names: list[str], rack: str, user_data: bytes) -> None:
    """Not as text, not in hex, not in base64; in a cut message neither."""
    data = ConsumerProtocolSubscription(
        topics=names,
        user_data=user_data,
        owned_partitions=[TP(topic=name, partitions=[1]) for name in names],
        rack_id=rack,
    ).to_bytes(3)
    for given_bytes in (data, data[:-2]):
        redaction = Redaction()
        text = view(given_bytes, redaction)
        text += json.dumps(as_json(given_bytes, redaction))
        packed = re.sub(r"[^0-9a-zA-Z.-]", "", text)
        for name in (*names, rack):
            assert name[:6] not in packed
            assert name.encode().hex()[:12] not in packed
        if len(set(user_data)) > 2:
            assert user_data.hex() not in packed


def test_lengths_stay() -> None:
    text = view(CAPTURES["java-sticky"], Redaction())
    assert "6:14" in text
    assert "95 bytes: StickyAssignorUserData v1" in text
    assert "00 06 xx xx" in text


def test_what_a_deviation_quotes() -> None:
    data = ConsumerProtocolSubscription(topics=["secretive", "secretive"]).to_bytes(3)
    redaction = Redaction()
    text = view(data, redaction) + json.dumps(as_json(data, redaction))
    assert "KP0" in text
    assert "secretive" not in text


PUBLIC = {"consumer", "range", "roundrobin", "sticky", "cooperative-sticky"}


def test_requests_and_responses_keep_no_string_but_protocols() -> None:
    """Everything that Java wrote: no string of a message is left, unless it is public knowledge."""
    for vector in vectors("group-messages.jsonl"):
        cls = message_class(vector["name"])
        made = examine(bytes.fromhex(vector["hex"]), cls, body_version=vector["version"])
        left = set(_strings(redacted(printed(report(made)), Redaction())["message"])) - {""}
        assert all(re.fullmatch(r"<[a-z_]+(-\d+)?>", each) or each in PUBLIC for each in left), left


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [each for one in value.values() for each in _strings(one)]
    return [each for one in value for each in _strings(one)] if isinstance(value, list) else []


def test_a_host_keeps_its_slash_in_a_sentence() -> None:
    """Kafka's records have a slash in front of each host, as in web/10.0.0.1."""
    names = NamesToHide(Redaction())
    names.add("client", ["web"])
    names.add("host", ["/10.0.0.1"])
    names.add("group", ["/admin"])
    told = names.hiding()("web/10.0.0.1 joined /admin; 10.0.0.1 is its host")
    assert told == "<client-1>/<host-1> joined <group-1>; <host-1> is its host"
    assert names.stand_in("10.0.0.1", "host") == "<host-1>"
