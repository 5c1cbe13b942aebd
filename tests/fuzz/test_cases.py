"""Cases, the ways to break one, and the comparison of two values."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from typing import Any

import pytest

from kproto.clients.reader_rules import RELEASES
from kproto.codec import ConsumerProtocolSubscription
from kproto.fuzz.guarantees import cases as cases_module
from kproto.fuzz.guarantees import comparison
from kproto.fuzz.guarantees.cases import (
    Case,
    Recorded,
    breakages,
    digest,
    first_versions,
    full_value,
    known_names,
    recorded_cases,
    value_of,
)
from kproto.fuzz.guarantees.table import BY_ID

S, HEARTBEAT = "ConsumerProtocolSubscription", "HeartbeatRequest"


def subscription(hex_digits: str) -> Case:
    return Case(S, bytes.fromhex(hex_digits))


def broken(case: Case) -> dict[str, dict[str, list[str]]]:
    """Return what replaces the bytes in each breakage of a case, in hex: by the place of the
    breakage, and there by its kind."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in breakages(case):
        assert (one.name, one.version) == (case.name, case.version)
        where, _, became = one.origin.partition(": ")
        text = became.partition(" became ")[2] or became or one.data.hex()
        if " became " in became:
            old = became.partition(" became ")[0]
            assert one.data.hex() in replaced(case.data.hex(), old, text)
        if text not in found[where][one.kind]:
            found[where][one.kind].append(text)
    return {where: {**kinds} for where, kinds in found.items()}


def replaced(text: str, old: str, new: str) -> set[str]:
    """The text with the old part replaced at one of its places."""
    places = [at for at in range(0, len(text), 2) if text.startswith(old, at)]
    return {text[:at] + new + text[at + len(old) :] for at in places}


FIXED_4 = {
    "negative-length": ["ffffffff", "fffffffe", "80000000"],
    "huge-length": ["7fffffff", "00989680"],  # the most, and ten million
}


def test_the_ways_to_break_a_subscription() -> None:
    rest = "00000001 0002 6162 00000003 050607".replace(" ", "")
    found = broken(subscription(f"0000 {rest}"))
    numbers = {-1: "ffff", -2: "fffe", -32768: "8000", 4: "0004", 100: "0064", 32767: "7fff"}
    assert found == {
        **{f"version {number}": {"version": [f"{digits}{rest}"]}
           for number, digits in numbers.items()},
        **{f"version {number}": {"label": [f"{number:04x}{rest}"]} for number in range(4)},
        **{f"cut at byte {end}": {"cut": [f"0000{rest}"[: 2 * end]]} for end in range(17)},
        "topics": {
            "length": ["00000002", "00000000"], **FIXED_4, "valid": ["its first entry twice"],
        },
        "topics[0]": {
            "length": ["0003", "0001", "0000"],
            "negative-length": ["ffff", "fffe", "8000"],
            "huge-length": ["7fff"],  # ten million has no place in two bytes
            "utf-8": ["ff in it", "c080 in it"],  # which has place in two bytes
        },
        "user_data": {"length": ["00000004", "00000002", "00000000"], **FIXED_4},
    }  # fmt: skip


def test_the_length_of_null_is_minus_one() -> None:
    """Those beside it are 0 and -2."""
    assert broken(subscription("0000 00000000 ffffffff"))["user_data"] == {
        "length": ["00000000", "fffffffe"],
        "negative-length": ["fffffffe", "80000000"],
        "huge-length": FIXED_4["huge-length"],
    }


def test_the_ways_to_break_a_request_of_compact_fields() -> None:
    case = Case(HEARTBEAT, bytes.fromhex("0467 6869 00000001 026d 00 00"), 4)
    found = broken(case)
    wrong = {"negative-length": ["ffffffff0f", "808080808001"], "huge-length": ["81ade204"]}
    assert {where: kinds for where, kinds in found.items() if not where.startswith("cut")} == {
        "group_id": {
            "length": ["00", "01", "05", "8400"], **wrong,
            "utf-8": ["eda080 in it", "ff in it", "c080 in it"],
        },
        "member_id": {"length": ["00", "01", "03", "8200"], **wrong, "utf-8": ["ff in it"]},
        "group_instance_id": {"length": ["01", "8000"], **wrong},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("case", "kind", "place"),
    [
        ("0000 00000001 0005 6162636465 ffffffff", "utf-8",
         ["eda080 6465", "ff 62636465", "c080 636465", "f4908080 65"]),
        ("0000 00000002 0001 62 0002 6163 ffffffff", "valid",
         ["0000 00000003 0001 62 0001 62 0002 6163 ffffffff"]),
        ("0001 00000000 ffffffff 00000001 0001 74 00000002 00000003 00000004", "valid",
         [("0001 00000000 ffffffff 00000002 0001 74 00000002 00000003 00000004 "
          "0001 74 00000002 00000003 00000004"),
          "0001 00000000 ffffffff 00000001 0001 74 00000003 00000003 00000003 00000004"]),
        ("0000 00000001 0000 ffffffff", "utf-8", []),
        ("0000 00000000 ffffffff", "valid", []),
    ],
)  # fmt: skip
def test_the_bytes_of_a_breakage(case: str, kind: str, place: list[str]) -> None:
    found = [one.data.hex() for one in breakages(subscription(case)) if one.kind == kind]
    if kind == "utf-8":
        place = [f"000000000001 0005 {text} ffffffff" for text in place]
    assert found == [text.replace(" ", "") for text in place]


def test_a_long_value_is_cut_at_both_of_its_ends() -> None:
    """A value of 2,000 bytes, and its length, from byte 9 to byte 2013."""
    case = subscription(f"0000 00000001 0001 61 000007d0 {'00' * 2000}")
    ends = [len(one.data) for one in breakages(case) if one.kind == "cut"]
    assert ends == [*range(9 + 512), *range(2013 - 512, 2013)]
    short = subscription(f"0000 00000001 0001 61 000003fc {'00' * 1020}")  # 1,024 with its length
    assert len([one for one in breakages(short) if one.kind == "cut"]) == len(short.data)


# -- cases


def test_the_id_of_an_input_is_made_of_what_is_asked() -> None:
    """A file of known failures names inputs by it: it is the same in every release."""
    asked = json.dumps([S, None, "0000", None]).encode()
    case = subscription("0000")
    assert case.id == hashlib.sha256(asked).hexdigest()[:8]
    others = [
        Case(S, b"\0\0", 0),
        Case(S, b"\0\1"),
        Case(HEARTBEAT, b"\0\0"),
        Case(S, b"\0\0", value={}),
    ]
    assert len({case.id, *(other.id for other in others)}) == 5
    one, same = (Case(S, value={"a": 1, "b": 2}), Case(S, value={"b": 2, "a": 1}))
    assert one.id == same.id


def test_the_digest_tells_inputs_their_kind_and_their_order() -> None:
    one, second = Case(S, b"\0", None, "cut"), Case(S, b"\1", None, "cut")
    lists: tuple[list[Case], ...] = (
        [one], [one, second], [second, one], [Case(S, b"\0", None, "random")], [],
    )  # fmt: skip
    assert len({digest(cases) for cases in lists}) == len(lists)
    assert digest([one]) == digest([Case(S, b"\0", None, "cut", "elsewhere")])
    assert all(len(digest(cases)) == 16 for cases in lists)


@pytest.mark.parametrize(
    ("case", "shown"),
    [
        (subscription("00000000"), f"{S} 00000000"),
        (Case(HEARTBEAT, b"\1\2", 4), f"{HEARTBEAT} version 4 0102"),
        (Case(S, version=2, value={"topics": []}), f'{S} version 2 {{"topics": []}}'),
        (Case(S, b"\7" * 100), f"{S} {'07' * 100}"),
        (Case(S, b"\7" * 101), f"{S} {'07' * 90}..."),
    ],
)
def test_a_case_as_a_person_reads_it(case: Case, shown: str) -> None:
    assert str(case) == shown


def test_the_first_versions_are_those_of_kafkas_definition() -> None:
    assert first_versions(ConsumerProtocolSubscription) == {
        "topics": 0, "userData": 0, "ownedPartitions": 1, "generationId": 2, "rackId": 3,
    }  # fmt: skip
    heartbeat = Case(HEARTBEAT).message
    assert first_versions(heartbeat) == {
        "groupId": 0, "generationId": 0, "memberId": 0, "groupInstanceId": 3,
    }  # fmt: skip


def test_the_value_of_a_head_alone() -> None:
    """Of a newer subscription of Kafka Streams its reader knows two numbers."""
    case = Case("SubscriptionInfoData", bytes.fromhex("0000000c 0000000c 00"))
    assert value_of(case.reading) == {"version": 12, "latestSupportedVersion": 12}
    assert value_of(subscription("00").reading) == {}


def test_only_the_consumer_protocol_has_fields_of_all_versions() -> None:
    subscribed = subscription("0000 00000000 ffffffff").reading.message
    assert subscribed is not None and full_value(subscribed) == {
        "topics": [], "userData": None, "ownedPartitions": [], "generationId": -1, "rackId": None,
    }  # fmt: skip
    beat = Case(HEARTBEAT, bytes.fromhex("0001 67 00000001 0001 6d"), 0).reading.message
    assert beat is not None and full_value(beat) is None


def test_what_an_older_reader_reads() -> None:
    case = subscription("0002 00000000 ffffffff 00000000 00000005")
    older = case.readable_as(1)
    assert older is not None and older.remainder == bytes.fromhex("00000005")
    assert case.readable_as(4) is None  # no such version
    assert subscription("0000 00000000").readable_as(0) is None
    beat = Case(HEARTBEAT, bytes.fromhex("0001 67 00000001 0001 6d"), 0)
    read = beat.readable_as(0)
    assert read is not None and read.message is not None


def test_the_same_fields_under_another_version() -> None:
    case = Case(S, bytes.fromhex("0000 00000000"), None, "valid", "somewhere")
    for version, front in ((-2, "fffe"), (300, "012c")):
        changed = case.with_version(version)
        assert changed.data.hex() == f"{front}00000000"
        assert (changed.name, changed.kind, changed.origin) == (S, "valid", "somewhere")


def test_what_its_maker_knows_is_true_of_a_case() -> None:
    data = bytes.fromhex("0000 00000000 ffffffff 07")
    truth = Case(S, data, recorded=Recorded(False, {"topics": ["x"]}, 5)).truth
    assert (truth.accept, truth.value, truth.left) == (False, {"topics": ["x"]}, 5)
    truth = Case(S, data, recorded=Recorded(False)).truth
    assert (truth.accept, truth.value["topics"], truth.left) == (False, [], 1)


def test_a_message_that_kafka_opens_has_to_hold_one_that_can_be_read() -> None:
    front = "0001 0001 61 0000000000000001"
    whole = "0001 0000 0001 61 0001 62 0000000000000001 00000000 00000000"
    for inner, accept in ((whole, True), ("0001", False), (None, True)):
        data = bytes.fromhex(inner) if inner is not None else None
        length = "ffffffff" if data is None else f"{len(data):08x}{data.hex()}"
        assert Case("ConnectProtocolMetadata", bytes.fromhex(front + length)).truth.accept is accept


def test_a_recorded_answer_has_its_version_in_front_or_beside_it() -> None:
    line = {"hex": "0001", "version": 3, "json": {"a": 1}}
    make = cases_module._recorded_case
    value = make({**line, "name": "GroupMetadataValue"}, "group-messages.jsonl:7")
    assert (value.data.hex(), value.version, value.origin) == (
        "00030001", None, "group-messages.jsonl:7",
    )  # fmt: skip
    key = make({**line, "name": "GroupMetadataKey"}, "group-messages.jsonl:7")
    assert (key.data.hex(), key.version) == ("00020001", None)
    beat = make({**line, "name": HEARTBEAT}, "group-messages.jsonl:7")
    assert (beat.data.hex(), beat.version) == ("0001", 3)
    whole = make({**line, "name": S}, "consumer-protocol.jsonl:7")
    assert (whole.data.hex(), whole.version) == ("0001", None)
    assert whole.recorded == Recorded(True, {"a": 1}, 0) and whole.kind == "valid"
    refused = make({"hex": "", "name": S, "accept": False, "kind": "cut"}, "x")
    assert refused.recorded == Recorded(False, None, None) and refused.kind == "cut"
    longer = make({"hex": "", "name": S, "left": 4}, "x")
    assert longer.recorded == Recorded(True, None, 4)


@pytest.mark.slow
def test_answers_of_a_kafka_that_did_not_know_the_version_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if Kafka had answered before there was a version 3."""
    java = RELEASES["java"]._replace(newest=2)
    monkeypatch.setattr(cases_module, "RELEASES", {"java": java})
    left = {case.truth.version for case in recorded_cases() if case.name == S}
    assert left >= {-1, 0, 1, 2} and max(version or 0 for version in left) == 2
    records = {case.truth.version for case in recorded_cases() if case.name == "GroupMetadataValue"}
    assert 4 in records  # which are not of the consumer protocol


@pytest.mark.parametrize("names", [S, [], "", ["Nope"], [S, "Nope"]])
def test_names_of_no_message(names: Any) -> None:
    words = "there is no message 'Nope'; `kproto schemas` lists them"
    if "Nope" not in names:
        words = f"{names!r} is not a list of message names, such as ['{S}']"
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        known_names(names)
    assert known_names([S, HEARTBEAT]) == (S, HEARTBEAT)


# -- comparison


ENTRY = {"topic": "a", "partitions": [0, 1]}
MEANT: list[tuple[Any, Any]] = [
    ({"userData": ""}, {"userData": None}),
    ({"generationId": -5}, {"generationId": -1}),
    ({"generationId": 0}, {"generationId": 0}),
    ({"generation": -5}, {"generation": -5}),
    ({"topics": ["b", "a", "b"]}, {"topics": ["a", "b"]}),
    ({"numbers": [2, 1, 2]}, {"numbers": [2, 1, 2]}),
    ({"owned": []}, {"owned": []}),
    ({"owned": [ENTRY, {"topic": "a", "partitions": [2, 1]}]},
     {"owned": [{"topic": "a", "partitions": [0, 1, 2]}]}),
    ({"owned": [{"topic": "b", "partitions": [3]}, ENTRY]},
     {"owned": [ENTRY, {"topic": "b", "partitions": [3]}]}),
    ({"owned": [{"topic": "b", "partitions": []}, ENTRY]}, {"owned": [ENTRY]}),
    ({"owned": [{"topic": "b", "partitions": []}]}, {"owned": []}),
]  # fmt: skip
NO_ENTRIES: list[Any] = [
    [{**ENTRY, "id": 1}, {"topic": "Z", "partitions": [0]}],
    [ENTRY, {"topic": None, "partitions": [1]}],
    [ENTRY, {"topic": "a", "partitions": "01"}],
    [ENTRY, {"topic": "a", "partitions": ["1", "0"]}],
    [ENTRY, {"topic": "a"}],
    [ENTRY, None],
    [ENTRY, ["topic", "partitions"]],
]


@pytest.mark.parametrize(("value", "meant"), MEANT)
def test_what_a_value_means(value: Any, meant: Any) -> None:
    assert comparison.meaning(value) == meant
    assert comparison.canonical(value) is (value == meant)
    assert comparison.canonical(meant)
    assert comparison.difference(value, meant, exactly=False) is None
    assert (comparison.difference(value, meant, exactly=True) is None) is (value == meant)


@pytest.mark.parametrize("items", NO_ENTRIES)
def test_other_lists_than_those_of_topics_and_partitions_mean_what_they_are(items: Any) -> None:
    assert comparison.meaning({"owned": items}) == {"owned": items}


@pytest.mark.parametrize(
    ("reference", "answer", "words"),
    [
        (1, 1.0, "a is 1.0, not 1"),
        (1, True, "a is true, not 1"),
        ([1], [True], "a[0] is true, not 1"),
        ([True, 1], [True, 2], "a[1] is 2, not 1"),
        ([1, 2], [1], "a is [1], not [1, 2]"),
        ([], {}, "a is {}, not []"),
        ({"b": [{"c": 1}]}, {"b": [{"c": 2, "d": 3}]}, "a.b[0].c is 2, not 1"),
        ("ä", b"\1", 'a is "b\'\\\\x01\'", not "ä"'),
        ("a", "\ud800", 'a is "\\ud800", not "a"'),
        (None, "", 'a is "", not null'),
        ("x" * 78, "y", f'a is "y", not "{"x" * 78}"'),
        ("x" * 79, "y", f'a is "y", not "{"x" * 59}... (79 characters)'),
        (range(0), [], "a is [], not \"range(0, 0)\""),
    ],
)  # fmt: skip
def test_where_two_values_differ(reference: Any, answer: Any, words: str) -> None:
    found = comparison.difference({"a": reference}, {"a": answer}, exactly=True)
    assert found == words
    assert comparison.difference({"a": reference}, {"a": reference}, exactly=True) is None


def test_an_empty_text_is_shown_as_it_was_given() -> None:
    for first, second, words in (
        ("r", "", 'rackId is "", not "r"'),
        ("", "r", 'rackId is "r", not ""'),
        ("r", None, 'rackId is null, not "r"'),
        ("", None, None),
    ):
        values = {"rackId": first}, {"rackId": second}
        assert comparison.difference(*values, exactly=False) == words


def test_a_client_shows_what_it_knows() -> None:
    assert comparison.difference({"a": 1, "b": 1}, {"b": 1, "c": 3}, exactly=True) is None
    assert comparison.difference({"a": 1, "b": 1}, {"b": 2, "c": 3}, exactly=True) is not None


def test_one_replacement_stands_for_several() -> None:
    several = {"topics": ["\ufffd\ufffda\ufffd", "\ufffd b"], "userData": b"\1"}
    assert comparison.with_single_replacements(several) == {
        "topics": ["\ufffda\ufffd", "\ufffd b"], "userData": "b'\\x01'",
    }  # fmt: skip


# -- the table


@pytest.mark.parametrize(
    ("guarantee", "name", "words"),
    [
        ("G04", HEARTBEAT, "newer versions of the consumer protocol"),
        ("G05", HEARTBEAT, "the consumer protocol"),
        ("G07", HEARTBEAT, "negative versions of messages that begin with their version"),
        ("G08", S, "newer versions of records of the offsets topic"),
        ("G32", S, "messages with tagged fields"),
        ("G33", HEARTBEAT, "unknown versions of the consumer protocol"),
    ],
)
def test_why_a_message_says_nothing_of_a_guarantee(guarantee: str, name: str, words: str) -> None:
    row = BY_ID[guarantee]
    assert row.why_not(Case(name).message) == f"not for this message: it is about {words}"


@pytest.mark.parametrize(
    ("guarantee", "name"),
    [("G01", S), ("G04", S), ("G07", "GroupMetadataValue"), ("G08", HEARTBEAT), ("G32", HEARTBEAT)],
)
def test_why_no_input_of_a_message_shows_a_guarantee(guarantee: str, name: str) -> None:
    row = BY_ID[guarantee]
    assert row.why_not(Case(name).message) == "none of the inputs of this message can show it"


def test_a_guarantee_is_about_what_everybody_can_be_judged_with() -> None:
    plain, newer = subscription("0000 00000000 ffffffff"), subscription("0004 00000000 ffffffff")
    assert BY_ID["G03"].is_about(plain) and not BY_ID["G07"].is_about(plain)
    assert not BY_ID["G03"].is_about(newer) and BY_ID["G03"].title == "G03-reads-valid"
