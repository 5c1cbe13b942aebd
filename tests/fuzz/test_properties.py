"""What each guarantee says of clients that break one clause of it, and of clients that keep it.

A row is a client with one answer to each kind of question, the input that it is asked about, and
what is said: why the guarantee is broken, True if it is judged and kept, False if the input or the
answer has nothing to do with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from kproto.codec import message_class
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.properties import MEMORY_ALLOWED, MEMORY_FACTOR, Broken
from kproto.fuzz.guarantees.subjects import GENERATED
from kproto.fuzz.guarantees.table import BY_ID
from kproto.fuzz.subject import (
    Cost,
    Failed,
    Failure,
    JsonObject,
    Read,
    Refused,
    Subject,
    Unsupported,
    Written,
)

NO_API = Unsupported("not in this client")
NO = Refused("no")
CRASH = Failed(Failure.CRASH, "KeyError: 3")
ODD_FORM = Failed(Failure.ADAPTER, "the value is None")


class Client:
    """Answers whatever it is asked with one answer, or by what a function makes of the question."""

    def __init__(
        self,
        decode: Any = NO_API,
        *,
        encode: Any = NO_API,
        rewrite: Any = NO_API,
        cost: Cost | None = None,
    ) -> None:
        self._answers = {"decode": decode, "encode": encode, "rewrite": rewrite}
        self._cost = cost

    def decode(self, *question: Any) -> Any:
        return self._answer("decode", question)

    def encode(self, *question: Any) -> Any:
        return self._answer("encode", question)

    def rewrite(self, *question: Any) -> Any:
        return self._answer("rewrite", question)

    def cost(self, *question: Any) -> Cost | None:
        return self._cost

    def _answer(self, operation: str, question: tuple[Any, ...]) -> Any:
        message_class(question[0])  # a client is asked about messages that there are
        answer = self._answers[operation]
        return answer(*question) if callable(answer) else answer


def by_bytes(answers: dict[str, Any]) -> Callable[..., Any]:
    """Answers by what the bytes begin with, in hex."""
    return lambda name, data, version=None: next(
        answer for start, answer in answers.items() if data.hex().startswith(start)
    )


def by_topic(answers: dict[str, Any], *keys: str) -> Callable[..., Any]:
    """Writes by the first topic of what it is given, with these fields and no others."""

    def encode(name: str, version: int, value: JsonObject) -> Any:
        assert keys in ((), (*value,))
        return answers[value["topics"][0]]

    return encode


def only_version(version: int, answer: Any) -> Callable[..., Any]:
    """Answers who gives the version of a body."""
    return lambda name, data, given=None: answer if given == version else Refused(f"not {given}")


S, HEARTBEAT = "ConsumerProtocolSubscription", "HeartbeatRequest"


def subscription(hex_digits: str, **more: Any) -> Case:
    return Case(S, bytes.fromhex(hex_digits), **more)


def heartbeat(hex_digits: str, version: int = 4) -> Case:
    return Case(HEARTBEAT, bytes.fromhex(hex_digits), version)


V0 = subscription("0000 00000001 0001 61 ffffffff")
BODY = V0.data[2:].hex()
V0_AND_2 = subscription(f"0000 {BODY} 0909")
V1 = subscription(f"0001 {BODY} 00000000")
V2 = subscription(f"0002 {BODY} 00000000 00000007")
V3 = subscription(f"0003 {BODY} 00000000 00000007 ffff")
V4 = subscription(f"0004 {BODY} 00000000 00000007 ffff")
HIGHEST = subscription(f"7fff {BODY} 00000000 00000007 ffff")
V4_AND_1 = subscription(f"0004 {BODY} 00000000 00000007 ffff 05")
NEGATIVE = subscription(f"ffff {BODY}")
SHORT = subscription("0000 00000001 0001")
WITHIN_1 = subscription(f"0001 {BODY}")
UNORDERED = subscription("0000 00000002 0001 62 0001 61 00000000")
DATA = subscription("0000 00000000 00000002 0102")
NULL = subscription("0000 ffffffff ffffffff")
NULL_IN_1 = subscription(f"0001 {BODY} ffffffff")
ODD_NULL = subscription("0000 00000001 0001 61 fffffffe")
ODD_NAME = subscription("0000 00000001 fffe ffffffff")
ODD_TEXT = subscription("0000 00000001 0003 61ff62 ffffffff")
ODD_BOTH = subscription("0000 00000001 0001 ff fffffffe")
NEW_RECORD = Case("GroupMetadataValue", bytes.fromhex("0005 0000"))
NEWEST_RECORD = Case("GroupMetadataValue", bytes.fromhex("0004 0000"))
BEAT = heartbeat("0267 00000001 026d 00 00")
TAGGED = heartbeat("0267 00000001 026d 00 01 0702abcd")
LONG_VARINT = heartbeat("820067 00000001 026d 00 00")
LONG_VARINT_AND_NULL = heartbeat("820067 00000001 00 00 00")

TOPICS: JsonObject = {"topics": ["a"], "userData": None}
OTHER: JsonObject = {"topics": ["b"], "userData": None}
VALUE_1: JsonObject = {**TOPICS, "ownedPartitions": []}
VALUE_3: JsonObject = {**VALUE_1, "generationId": 7, "rackId": None}
BEAT_VALUE = {"groupId": "g", "generationId": 1, "memberId": "m", "groupInstanceId": None}
OTHER_BEAT = {**BEAT_VALUE, "memberId": "n"}
IS_B = 'topics[0] is "b", not "a"'


def accepted(value: JsonObject, case: Case) -> str:
    return f"accepted, as {json.dumps(value)}; Kafka refuses it: {case.reading.error}"


class Row(NamedTuple):
    guarantee: str
    case: Case
    client: Client
    said: str | bool


def rows(guarantee: str, answers: Iterable[tuple[Case, Any, str | bool]]) -> list[Row]:
    """Rows of readers."""
    return [Row(guarantee, case, Client(answer), said) for case, answer, said in answers]


READERS = [
    *rows("G01", [
        (V0, CRASH, "crash: KeyError: 3"),
        (V0, Failed(Failure.HANG, "no answer in 3 s"), "hang: no answer in 3 s"),
        (V0, Failed(Failure.SKIPPED, ""), False),
        (V0, NO, True),
        (V0, Read(TOPICS, 0, b""), True),
        (V0, Read(TOPICS, 0, b"\xff\xff"), True),
        (V0, Read({}), True),
        (V0, Read({"topic": ["a"]}), f'shows a field "topic", which {S} does not have'),
        (V0, Read(TOPICS, 0, b"\x0a\x0b"), "left 0a0b, with which the bytes do not end"),
        (V0, Read(TOPICS, 0, b"\x0a" * 99),
         f"left {'0a' * 99}, with which the bytes do not end"),
        (V0, Read(TOPICS, 0, b"\x0a" * 100),
         f"left {'0a' * 90}... (100 bytes), with which the bytes do not end"),
    ]),
    *rows("G03", [
        (V0, Read(TOPICS, 0, b""), True),
        (V0, Read(TOPICS), True),
        (V0, Read({**TOPICS, "rackId": "eu"}, 0, b""), True),  # of G05
        (V0, NO, "refused: no"),
        (V0, CRASH, "not read: crash: KeyError: 3"),
        (V0, ODD_FORM, False),
        (V0, Read(OTHER), IS_B),
        (V0, Read(TOPICS, 2), "reports version 2, not 0"),
        (V0, Read(TOPICS, 0, b"\xff"), "says that 1 bytes are left; it is 0"),
        (V1, Read(VALUE_1, 1, b""), True),
        (V1, Read(VALUE_1, 1, b"1234"), "says that 4 bytes are left; it is 0"),
        (V1, Read(TOPICS, 1, b""), True),
        (V1, Read(TOPICS, 1, b"1234"), True),  # it knows version 0
        (V1, Read(TOPICS, 1, b"123"), "says that 3 bytes are left; it is 0 or 4"),
        (V3, Read(VALUE_1, 3, bytes(6)), True),
        (V3, Read(VALUE_1, 3, bytes(2)), True),
        (V3, Read(VALUE_1, 3, bytes(10)), "says that 10 bytes are left; it is 0 or 2 or 6"),
        (UNORDERED, Read({"topics": ["a", "b", "a"], "userData": None}), True),  # what it means
        (BEAT, only_version(4, Read(BEAT_VALUE)), True),
        (BEAT, Read(OTHER_BEAT), 'memberId is "n", not "m"'),
        (heartbeat(BEAT.data.hex()[:-2] + "0000", 4), NO, False),
        (V0_AND_2, NO, False),
        (V4, NO, False),
        (SHORT, NO, False),
        (ODD_NULL, NO, False),
        (ODD_TEXT, NO, False),
    ]),
    *rows("G04", [
        (V4, Read(VALUE_3, 4, b""), True),
        (V4, Read(VALUE_3, 3, b""), True),  # of G22
        (V4, Read(OTHER, 4), IS_B),
        (V4, NO, "refused: no"),
        (V4, CRASH, "not read: crash: KeyError: 3"),
        (V4, ODD_FORM, False),
        (V4, Failed(Failure.LIE, "no JSON"), False),
        (V4, Failed(Failure.SKIPPED, ""), False),
        (V4_AND_1, Read(VALUE_3, 4, b"\x05"), True),
        (V4_AND_1, Read(VALUE_3, 4, b""), "says that 0 bytes are left; it is 1"),
        (V3, NO, False),
        (NEW_RECORD, NO, False),
        (Case("ConnectProtocolMetadata", bytes.fromhex("0009 0001 61 0000000000000001 ffffffff")),
         NO, False),
    ]),
    *rows("G05", [
        (V0, Read({**TOPICS, "generationId": -1, "rackId": None, "ownedPartitions": []}), True),
        (V0, Read({"generationId": 0}),
         "generationId is 0, not -1, the default of a field that version 0 lacks"),
        (V1, Read({"rackId": "eu"}),
         'rackId is "eu", not null, the default of a field that version 1 lacks'),
        (V1, Read({"rackId": ""}), True),  # of G20
        (V1, Read({"ownedPartitions": None, "topics": []}), False),  # of G03
        (V0, NO, False),
        (V3, Read({"rackId": "eu"}), False),
        (V4, Read({"rackId": "eu"}), False),
        (SHORT, Read({"rackId": "eu"}), False),
        (BEAT, Read({"groupInstanceId": "i"}), False),
        (heartbeat("0001 67 00000001 0001 6d", 0), Read({"groupInstanceId": "i"}), False),
    ]),
    *rows("G06", [
        (V0_AND_2, Read(TOPICS, 0, b"\x09\x09"), True),
        (V0_AND_2, Read(TOPICS), True),
        (V0_AND_2, Read(TOPICS, 0, b""), "says that 0 bytes are left; it is 2"),
        (V0_AND_2, Read(OTHER), IS_B),
        (V0_AND_2, Read(TOPICS, 1), "reports version 1, not 0"),
        (V0_AND_2, NO, "refused: no"),
        (V0_AND_2, CRASH, "not read: crash: KeyError: 3"),
        (V0, NO, False),
        (V4_AND_1, NO, False),
        (heartbeat(BEAT.data.hex() + "05"), NO, False),
    ]),
    *rows("G07", [
        (NEGATIVE, NO, True),
        (NEGATIVE, CRASH, False),
        (NEGATIVE, Read(TOPICS),
         (f'accepted, as {{"topics": ["a"], "userData": null}}; Kafka refuses it: '
         f"{NEGATIVE.reading.error}")),
        (V0, NO, False),
        (V0, Read(TOPICS), False),
        (heartbeat("ffff"), Read({}), False),
        (subscription("00"), Read({}), False),
    ]),
    *rows("G08", [
        (NEW_RECORD, NO, True),
        (NEW_RECORD, CRASH, False),
        (NEW_RECORD, Read({}), f"accepted, as {{}}; Kafka refuses it: {NEW_RECORD.reading.error}"),
        (NEWEST_RECORD, Read({}), False),
        (replace(NEW_RECORD, data=b"\0"), Read({}), False),
        (V4, Read(VALUE_3), False),
        (heartbeat("7fff"), Read({}), False),
    ]),
    *rows("G09", [
        (V0, Read(TOPICS), True),
        (V0, by_bytes({"0000": Read(TOPICS), "0001": Read(OTHER)}),
         f"under version 1, which kproto put in place of 0, {IS_B}"),
        (V2, by_bytes({"0002": Read(VALUE_3), "0000": NO, "0003": Read(OTHER)}),
         f"under version 3, which kproto put in place of 2, {IS_B}"),
        (V2, by_bytes({"0002": Read(VALUE_3), "0000": Read(OTHER), "0003": NO}),
         f"under version 0, which kproto put in place of 2, {IS_B}"),
        (V2, by_bytes({"0002": Read(VALUE_3), "0000": NO, "0003": Read(VALUE_3)}), True),
        (V2, by_bytes({"0002": Read(VALUE_3), "0000": Read(VALUE_3), "0003": NO}), True),
        (V2, by_bytes({"0002": Read(VALUE_3), "0": NO}), False),
        (V2, NO, False),
        (V2, by_bytes({"0002": NO, "0": Read(OTHER)}), False),
        # what one of the versions does not have may differ, and what both have may not
        (V2, by_bytes({"0000": Read({**VALUE_1, "generationId": -1, "ownedPartitions": None}),
                       "0": Read({**VALUE_3, "rackId": "eu"})}), True),
        (V1, by_bytes({"0001": Read({**VALUE_1, "generationId": 3}), "0": Read(VALUE_3)}), True),
        (V2, by_bytes({"0003": Read({"generationId": 8}), "0": Read({"generationId": 7})}),
         "under version 3, which kproto put in place of 2, generationId is 8, not 7"),
        (HIGHEST, by_bytes({"0000": NO, "7fff": Read(VALUE_3)}), False),  # there is none above
        (HIGHEST, Read(VALUE_3), True),
        (UNORDERED, by_bytes({"0000": Read({"topics": ["b", "a"]}),
                              "0001": Read({"topics": ["a", "b"]})}),
         'under version 1, which kproto put in place of 0, topics[0] is "a", not "b"'),
        (NEGATIVE, Read(TOPICS), False),
        (NEWEST_RECORD, Read({}), False),
        (BEAT, Read(BEAT_VALUE), False),
    ]),
    *rows("G10", [
        (SHORT, NO, True),
        (SHORT, CRASH, False),
        (SHORT, Read({"topics": []}),
         f'accepted, as {{"topics": []}}; Kafka refuses it: {SHORT.reading.error}'),
        (subscription("0000 7fffffff"), Read({}),
         f"accepted, as {{}}; Kafka refuses it: {subscription('0000 7fffffff').reading.error}"),
        (WITHIN_1, Read(TOPICS), False),
        (V0, Read(TOPICS), False),
        (NULL, Read({}), False),
        (heartbeat("0267"), only_version(4, Read({})),
         f"accepted, as {{}}; Kafka refuses it: {heartbeat('0267').reading.error}"),
    ]),
    *rows("G14", [
        (DATA, Read({"userData": "AQI="}), True),
        (DATA, Read({"userData": "AQ=="}), 'userData is "AQ==", not "AQI="'),
        (DATA, Read({"topics": ["b"]}), False),
        (DATA, NO, False),
        (V0, Read({"userData": "AQ=="}), False),
        (subscription("0001 00000000 00000002 0102"), Read({"userData": "AQ=="}), False),
        (Case("JoinGroupRequest", b"", 0), Read({"userData": ""}), False),
    ]),
    *rows("G20", [
        (V0, Read(TOPICS), True),
        (V0, Read({"userData": ""}), 'userData is "", not null'),
        (V0, Read({"topics": ["b"]}), False),
        (V0, Read({"topics": ["b"], "userData": None}), True),
        (UNORDERED, Read({"userData": None}), 'userData is null, not ""'),
        (V0, Read({"rackId": ""}), 'rackId is "", not null'),
        (V0, Read({"ownedPartitions": None}), False),
        (V4, Read({"rackId": ""}), 'rackId is "", not null'),
        (subscription(f"0004 {BODY} 00000000 00000007 0000"), Read({"rackId": ""}), True),
        (V0, NO, False),
        (SHORT, Read({"userData": ""}), False),
        (heartbeat("0001 67 00000001 0001 6d", 0), Read({"groupInstanceId": ""}), False),
        (BEAT, Read({"groupInstanceId": ""}), 'groupInstanceId is "", not null'),
    ]),
    *rows("G21", [
        (UNORDERED, Read({"topics": ["b", "a"], "userData": ""}), True),
        (UNORDERED, Read({"topics": ["a", "b"]}), 'topics[0] is "a", not "b"'),
        (UNORDERED, Read({"topics": ["b"]}), 'topics is ["b"], not ["b", "a"]'),
        (UNORDERED, Read({"topics": ["b", "a"], "userData": None}), True),  # of G20
        (UNORDERED, Read({"userData": None}), False),
        (UNORDERED, NO, False),
        (ODD_NULL, Read({"topics": ["b"]}), False),
        (BEAT, Read(BEAT_VALUE), False),
    ]),
    *rows("G22", [
        (V4, Read({}, 4), True),
        (V4, Read({}, 3), "reports version 3, and 4 is in the bytes"),
        (V4, Read({}), False),
        (V4, NO, False),
        (V3, Read({}, 2), False),
        (subscription("0004"), Read({}, 3), False),
    ]),
    *rows("G23", [
        (NULL, NO, True),
        (NULL, CRASH, False),
        (NULL, Read({"topics": None}),
         f'accepted, as {{"topics": null}}; Kafka refuses it: {NULL.reading.error}'),
        (NULL_IN_1, Read(TOPICS), False),  # it knows version 0
        (NULL_IN_1, Read(VALUE_1),
         ('accepted, as {"topics": ["a"], "userData": null, "ownedPartitions": []}; '
         f"Kafka refuses it: {NULL_IN_1.reading.error}")),
        (V0, Read({"topics": None}), False),
        (SHORT, Read({"topics": None}), False),
        (ODD_NAME, Read({"topics": None}), False),
    ]),
    *rows("G24", [
        (ODD_NULL, Read(TOPICS), True),
        (ODD_NULL, Read({"userData": ""}), 'userData is "", not null'),
        (ODD_NULL, NO, "refused: no; Kafka reads it"),
        (ODD_NULL, CRASH, "not read: crash: KeyError: 3"),
        (ODD_NAME, CRASH, False),
        (ODD_NAME, NO, True),
        (ODD_NAME, Read({"topics": []}),
         f'accepted, as {{"topics": []}}; Kafka refuses it: {ODD_NAME.reading.error}'),
        (ODD_BOTH, NO, False),
        (V0, NO, False),
        (NULL, Read({}), False),
    ]),
    *rows("G25", [
        (ODD_TEXT, Read({"topics": ["a\ufffdb"]}), True),
        (ODD_TEXT, NO, "refused: no; Kafka reads it"),
        (ODD_TEXT, CRASH, "not read: crash: KeyError: 3"),
        (ODD_TEXT, Read({"topics": ["ab"]}), 'topics[0] is "ab", not "a\ufffdb"'),
        (subscription("0000 00000002 0001 62 0001 ff 00000000"),
         Read({"topics": ["\ufffd", "b"], "userData": None}), True),  # what it means
        (subscription("0000 00000001 0001 ff 00000005"), NO, False),
        (V0, NO, False),
        (ODD_NULL, NO, False),
    ]),
    *rows("G26", [
        (WITHIN_1, NO, True),
        (WITHIN_1, CRASH, False),
        (WITHIN_1, by_bytes({WITHIN_1.data.hex(): Read(VALUE_1), "0003": Read(VALUE_3)}),
         ('accepted, as {"topics": ["a"], "userData": null, "ownedPartitions": []}; '
         f"Kafka refuses it: {WITHIN_1.reading.error}")),
        (WITHIN_1, Read(TOPICS), False),  # it shows no more of any message
        (WITHIN_1, by_bytes({"0001": Read(TOPICS), "0003": NO}), False),
        (WITHIN_1, by_bytes({"0001": Read(TOPICS), "0003": Read(VALUE_1)}),
         ('accepted, as {"topics": ["a"], "userData": null}; '
         f"Kafka refuses it: {WITHIN_1.reading.error}")),
        (SHORT, Read({}), False),
        (V0, Read({}), False),
        (NULL_IN_1, Read({}), False),
        (heartbeat("0001 67 00000001 0001 6d", 3), Read({}), False),  # no version is in another
    ]),
    *rows("G27", [
        (LONG_VARINT, only_version(4, Read(BEAT_VALUE)), True),
        (LONG_VARINT, NO, "refused: no; Kafka reads it"),
        (LONG_VARINT, CRASH, "not read: crash: KeyError: 3"),
        (heartbeat("ffffffffff7f"), CRASH, False),
        (LONG_VARINT, Read(OTHER_BEAT), 'memberId is "n", not "m"'),
        (LONG_VARINT, Read({"groupInstanceId": ""}), 'groupInstanceId is "", not null'),
        (LONG_VARINT_AND_NULL, Read({}), False),  # of G23
        (heartbeat("ffffffffff7f"), NO, True),  # a varint of six bytes
        (NEW_RECORD, NO, True),
        (NEW_RECORD, Read({}), f"accepted, as {{}}; Kafka refuses it: {NEW_RECORD.reading.error}"),
        *((case, NO, False) for case in (V0, V4, V0_AND_2, ODD_NULL, ODD_TEXT)),
        *((case, Read({}), False) for case in (NEGATIVE, SHORT, WITHIN_1, NULL, ODD_NAME)),
    ]),
    *rows("G28", [
        (NULL, Refused("a", "KeyError"), True),
        (NULL, by_bytes({NULL.data.hex(): Refused("a", "KeyError"), "0000": Refused("b", "Short")}),
         "KeyError here, Short for bytes that end too early"),
        (NULL, by_bytes({NULL.data.hex(): Refused("a"), "0000": Refused("b", "Short")}), False),
        (NULL, by_bytes({NULL.data.hex(): Refused("a", "Null"), "0000": Refused("b")}), False),
        (NULL, by_bytes({NULL.data.hex(): Refused("a", "Null"), "0000": Read({})}), False),
        (NULL, by_bytes({NULL.data.hex(): Read({}), "0000": Refused("a", "Null")}), False),
        (heartbeat("00"), lambda name, data, version: Refused("", f"{data.hex()} of {version}"),
         "00 of 4 here,  of 4 for bytes that end too early"),
    ]),
    *rows("G40", [
        (V0, Read(TOPICS, 0, b""), True),
        (V0, Read(TOPICS), True),
        (V0, Read(OTHER, 0, b""), IS_B),
        (UNORDERED, Read({"topics": ["a", "b"]}), 'topics[0] is "a", not "b"'),
        (V0, Read(TOPICS, 0, b"\xff"), r"left b'\xff', not b''"),
        (V0, Refused("no", "Error"),
         ("Refused(reason='no', error='Error', kind=None, offset=None), and the other "
         "Read(value={'topics': ['a'], 'userData': None}, version=0, remainder=b'')")),
        (V0, Refused("no" * 50), (f"Refused(reason='{'no' * 32}, and the other "
         "Read(value={'topics': ['a'], 'userData': None}, version=0, remainder=b'')")),
        (V0, CRASH, False),
    ]),
    *rows("G41", [
        (SHORT, Refused("a", "Error", "truncated", 6), True),
        (SHORT, NO, True),
        (SHORT, Refused("a", "Error", "varint", 6), "kind varint, and the other truncated"),
        (SHORT, Refused("a", None, None, 8), "offset 8, and the other 6"),
        (V0, Read(OTHER), IS_B),
    ]),
]  # fmt: skip

SIZE = len(V0.data)
MOST = MEMORY_ALLOWED + MEMORY_FACTOR * SIZE
LARGE = subscription(f"0000 00000000 {20_000 - 10:08x} {'00' * (20_000 - 10)}")
COSTS: list[tuple[Case, Any, Cost | None, str | bool]] = [
    (V0, Read(TOPICS), Cost(0.5, 1000), True),
    (V0, Read(TOPICS), None, False),
    (V0, Read(TOPICS), Cost(0.5, None), True),
    (V0, Read(TOPICS), Cost(0.5, MOST), True),
    (V0, Read(TOPICS), Cost(0.5, MOST + 1), f"took 32 MiB for {SIZE} bytes"),
    (V0, Read(TOPICS), Cost(0.5, 700 << 20), f"took 700 MiB for {SIZE} bytes"),
    (LARGE, Read({}), Cost(2.0, None), True),  # a second, and one for so many bytes
    (LARGE, Read({}), Cost(2.04, None), "took 2.0 s for 20000 bytes"),
    (V0, Read({}), Cost(1.26, None), f"took 1.3 s for {SIZE} bytes"),
    (V0, NO, Cost(0.5, 1000), True),
    (V0, CRASH, Cost(0.5, 1000), True),
    (V0, Failed(Failure.MEMORY, "took 3 GiB"), None, "took 3 GiB"),
    (V0, Refused("so many", "MemoryError"), None, "ran out of memory: so many"),
    (V0, Refused("std::bad_alloc"), None, "ran out of memory: std::bad_alloc"),
    (V0, Refused("Out of memory"), None, "ran out of memory: Out of memory"),
    (V0, Refused("java.lang.OutOfMemoryError"), None,
     "ran out of memory: java.lang.OutOfMemoryError"),
    (V0, Refused("Cannot allocate 4 GB"), None, "ran out of memory: Cannot allocate 4 GB"),
]  # fmt: skip


def hexed(*cases: Case) -> list[str]:
    return [case.data.hex() for case in cases]


V0_EMPTY = subscription("0000 00000001 0001 61 00000000")
V0_OTHER = subscription("0000 00000001 0001 62 ffffffff")
ANOTHER = V0_OTHER.data.hex()
KEY = Case("GroupMetadataKey", bytes.fromhex("0002 0001 67"))
NOBODY = f"which nobody can read: {subscription('00').reading.error}"


def writes(data: Case | bytes, *, read: Any = NO_API) -> Client:
    return Client(read, encode=Written(data.data if isinstance(data, Case) else data))


def value_to_write(version: int | None, value: JsonObject = VALUE_3, name: str = S) -> Case:
    return Case(name, b"", version, "value", value=value)


WRITERS = [
    Row("G01", value_to_write(3), Client(CRASH), False),
    # G11
    Row("G11", V0, writes(V0, read=Read(TOPICS, 0, b"")), True),
    Row("G11", V0, writes(V0_EMPTY, read=Read(TOPICS)), True),  # of G29
    Row("G11", V0, writes(V0, read=NO), f"wrote {V0.data.hex()} and refuses to read it: no"),
    Row("G11", V0, writes(V0, read=Read(OTHER)), f"wrote {V0.data.hex()}, and {IS_B}"),
    Row("G11", V0, writes(V0, read=Read(TOPICS, 0, b"xyz")), "says that 3 bytes are left; it is 0"),
    Row("G11", V0, writes(V0, read=CRASH),
        f"wrote {V0.data.hex()}, which is not read: crash: KeyError: 3"),
    Row("G11", V0, Client(NO, encode=NO), False),
    Row("G11", V0, Client(NO, encode=CRASH), "writing ended in a crash: KeyError: 3"),
    Row("G11", V0, Client(NO, encode=Failed(Failure.SKIPPED, "")), False),
    Row("G11", UNORDERED, writes(V0, read=NO), False),
    Row("G11", V4, writes(V0, read=NO), False),
    Row("G11", SHORT, writes(V0, read=NO), False),
    Row("G11", TAGGED, writes(TAGGED, read=NO), False),
    Row("G11", BEAT, writes(BEAT, read=only_version(4, Read(BEAT_VALUE))), True),
    # G12
    Row("G12", V0, writes(V0), True),
    Row("G12", V0, writes(V0_EMPTY), True),  # of G29
    Row("G12", V0, Client(encode=Refused("too long")), "refuses to write what fits: too long"),
    Row("G12", V0, writes(b"\0"), f"wrote 00, {NOBODY}"),
    Row("G12", V0, writes(V1),
        f"wrote {V1.data.hex()}, under version 1, asked for 0"),
    Row("G12", V0, writes(V0_AND_2), f"wrote {V0_AND_2.data.hex()}, with 2 bytes too many"),
    Row("G12", V0, writes(V0_OTHER), f"wrote {ANOTHER}, where {IS_B}"),
    Row("G12", UNORDERED, writes(V0), False),
    Row("G12", BEAT, writes(BEAT), True),
    Row("G12", BEAT, Client(encode=lambda name, version, value: Written(
        BEAT.data if (name, version, value) == (HEARTBEAT, 4, BEAT_VALUE) else b"")), True),
    # G29
    Row("G29", V0, writes(V0), True),
    Row("G29", V0, writes(V0_EMPTY),
        f'wrote {V0_EMPTY.data.hex()}, where userData is "", not null'),
    Row("G29", V0, Client(encode=NO), False),
    Row("G29", UNORDERED, writes(UNORDERED), True),
    # G30
    Row("G30", V0, Client(Read({**OTHER, "rackId": None}), encode=by_topic(
        {"a": Written(V0.data), "b": Written(V0.data)}, "topics", "userData")), True),
    Row("G30", V0, Client(Read(OTHER), encode=by_topic(
        {"a": Written(V0.data), "b": Written(V0_OTHER.data)})),
        f"wrote {V0.data.hex()}, read that and wrote {ANOTHER}"),
    Row("G30", V0, Client(Read(OTHER), encode=by_topic({"a": Written(V0.data), "b": NO})), False),
    Row("G30", V0, Client(Read(OTHER), encode=by_topic({"a": Written(V0.data), "b": CRASH})),
        "writing ended in a crash: KeyError: 3"),
    Row("G30", V0, Client(Read({"topics": ["b"]}), encode=by_topic(
        {"a": Written(b""), "b": Written(b"1")})), False),
    Row("G30", V0, Client(NO, encode=Written(b"")), False),
    Row("G30", V0, Client(Read(TOPICS), encode=NO), False),
    Row("G30", BEAT, Client(only_version(4, Read(OTHER_BEAT)), encode=lambda name, version, value:
        Written(value["memberId"].encode())), "wrote 6d, read that and wrote 6e"),
    # G31
    *(Row("G31", case, Client(rewrite=Written(case.data)), True)
      for case in (V4, V0_AND_2, V4_AND_1)),
    Row("G31", V4, Client(rewrite=Written(V3.data)), f"wrote back {V3.data.hex()}"),
    Row("G31", V4, Client(rewrite=NO), False),
    *(Row("G31", case, Client(rewrite=Written(b"")), False)
      for case in (V0, SHORT, heartbeat(BEAT.data.hex() + "05"), TAGGED)),
    # G32
    Row("G32", TAGGED, Client(rewrite=only_version(4, Written(TAGGED.data))), True),
    Row("G32", TAGGED, Client(rewrite=Written(BEAT.data)),
        'unknown tagged fields [{"path": "", "tag": 7, "data": "abcd"}] became []'),
    Row("G32", TAGGED, Client(rewrite=Written(b"")),
        'unknown tagged fields [{"path": "", "tag": 7, "data": "abcd"}] became []'),
    Row("G32", TAGGED, Client(rewrite=NO), False),
    Row("G32", BEAT, Client(rewrite=Written(b"")), False),
    Row("G32", V4, Client(rewrite=Written(b"")), False),
    # G13
    Row("G13", value_to_write(0, TOPICS), Client(encode=NO), True),
    Row("G13", value_to_write(0, TOPICS), writes(V0_EMPTY), True),
    Row("G13", value_to_write(0, TOPICS), writes(V0_OTHER), f"wrote {ANOTHER}, where {IS_B}"),
    Row("G13", value_to_write(0, TOPICS), writes(b"\0"), f"wrote 00, {NOBODY}"),
    Row("G13", value_to_write(0, TOPICS), writes(V1),
        f"wrote {V1.data.hex()}, under version 1, asked for 0"),
    Row("G13", value_to_write(0, TOPICS), Client(encode=CRASH),
        "writing ended in a crash: KeyError: 3"),
    Row("G13", value_to_write(4), writes(V1), False),
    Row("G13", value_to_write(None), writes(V1), False),
    Row("G13", value_to_write(4, BEAT_VALUE, HEARTBEAT), writes(BEAT), True),
    Row("G13", value_to_write(0, {"group": "g"}, KEY.name), writes(KEY), True),
    # G33
    Row("G33", value_to_write(4), Client(encode=NO), True),
    Row("G33", value_to_write(4), writes(V4), True),
    Row("G33", value_to_write(4), writes(V3),
        f"wrote {V3.data.hex()}, under version 3, asked for 4"),
    Row("G33", value_to_write(-1), writes(V4),
        f"wrote {V4.data.hex()}, asked for version -1, which nobody reads"),
    Row("G33", value_to_write(-1), Client(encode=NO), True),
    Row("G33", value_to_write(4), writes(b"\0"), f"wrote 00, {NOBODY}"),
    Row("G33", value_to_write(4, {**VALUE_3, "topics": ["b"]}), writes(V4),
        f"wrote {V4.data.hex()}, where topics[0] is \"a\", not \"b\""),
    Row("G33", value_to_write(4, {**VALUE_3, "userData": ""}), writes(V4), True),
    Row("G33", value_to_write(3), writes(V0), False),
    Row("G33", value_to_write(None), writes(V0), False),
]  # fmt: skip

ROWS = [
    *READERS,
    *(Row("G02", case, Client(answer, cost=cost), said) for case, answer, cost, said in COSTS),
    *WRITERS,
]
GUARANTEES = sorted({row.guarantee for row in ROWS})


def said_of(client: Subject, case: Case, guarantee: str) -> str | bool:
    try:
        return BY_ID[guarantee].check(client, case)
    except Broken as broken:
        return str(broken)


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_what_is_said_of_a_client(guarantee: str) -> None:
    about = [row for row in ROWS if row.guarantee == guarantee]
    said = [said_of(row.client, row.case, guarantee) for row in about]
    assert said == [row.said for row in about]


def cases(guarantee: str) -> list[Case]:
    return [row.case for row in ROWS if row.guarantee == guarantee]


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_nothing_is_said_without_an_answer(guarantee: str) -> None:
    for answer in (NO_API, Failed(Failure.ADAPTER, "returned None")):
        client = Client(answer, encode=answer, rewrite=answer, cost=Cost(9, 1 << 40))
        assert not any(said_of(client, case, guarantee) for case in cases(guarantee))


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_a_case_about_writing_alone_is_not_read(guarantee: str) -> None:
    client = Client(CRASH, rewrite=Written(b""), cost=Cost(9, 1 << 40))
    for case in cases(guarantee):
        about_writing = case if case.value is not None else replace(case, value={})
        assert said_of(client, about_writing, guarantee) is False


@pytest.mark.parametrize("guarantee", GUARANTEES)
def test_kproto_keeps_it(guarantee: str) -> None:
    said = [said_of(GENERATED, case, guarantee) for case in cases(guarantee)]
    assert {*said} <= {True, False}
