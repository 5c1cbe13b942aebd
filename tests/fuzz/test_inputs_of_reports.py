"""Bytes of the kinds that reports show, put to the clients of the matrix: messages that two types
explain, that were damaged or cut by what printed them, and that stand in the wrong place.

A client breaks no guarantee with them that the matrix does not show as broken: what it does wrong
has its page in docs/findings.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kproto.fuzz.clients import CLIENTS, NOT_IN_MATRIX
from kproto.fuzz.conformance.inputs import inputs
from kproto.fuzz.conformance.judging import conform
from kproto.fuzz.conformance.matrix.matrix import MESSAGES
from kproto.fuzz.guarantees.cases import Case, digest
from kproto.fuzz.guarantees.table import Scope, of_scope

from .client_remotes import parameters, remote_of
from .test_matrix import BY_LIMITS, committed

SUBSCRIPTION, ASSIGNMENT = MESSAGES
ORDERS = "0001 00000001 0006 6f7264657273"  # version 1, and one topic
PLAIN = {
    SUBSCRIPTION: "0001 00000002 0006 6f7264657273 0002 c3a9 ffffffff"
    "00000001 0006 6f7264657273 00000002 00000000 000000ff",
    ASSIGNMENT: f"{ORDERS} 00000002 00000000 00000080 00000004 000000ff",
}
TOPICS = ("a" * 40, "b" * 40, "c" * 40)
STREAMS = f"0000001c 0000000d 0000000e {bytes(range(20)).hex()}"  # version 13 of user data
MISPLACED = (
    (SUBSCRIPTION, f"{ORDERS} 00000003 00000000 00000001 00000002 ffffffff", "an assignment"),
    (SUBSCRIPTION, f"{ORDERS} 00000002 00000000 00000001 ffffffff", "an assignment of [0, 1]"),
    (ASSIGNMENT, f"{ORDERS} 00000002 00000000 00000001 ffffffff", "a subscription, too"),
    (ASSIGNMENT, f"{ORDERS} ffffffff 00000000", "a subscription"),
    (ASSIGNMENT, f"0001 00000002 {'0001 61 00000001 00000000 ffffffff' * 2}",
     "user data after every topic: zilla, kafka_ex"),
    (ASSIGNMENT, f"{ORDERS} 00000001 00000000", "no user data field: @platformatic/kafka"),
    (SUBSCRIPTION, f"{ORDERS} ffffffff", "label 1 on the body of version 0: sarama-cluster"),
    (SUBSCRIPTION, f"{ORDERS} {STREAMS} 00000000", "user data of a newer Streams"),
    (ASSIGNMENT, f"{ORDERS} 00000001 00000000 {STREAMS}", "user data of a newer Streams"),
    (SUBSCRIPTION, f"0001 000f {b'http://10.0.0.5'.hex()} 0000000000000007 00000000",
     "metadata of a Connect worker"),
    (ASSIGNMENT, f"0001 0000 0008 {b'worker-1'.hex()} 0003 75726c 0000000000000007 00000000",
     "an assignment of a Connect worker"),
)  # fmt: skip


def damaged() -> Iterator[Case]:
    """Messages as programs print them that take bytes for text, or print the first 100."""
    for name, text in PLAIN.items():
        data = bytes.fromhex(text)
        for changed, origin in (
            (data.decode("utf-8", "replace").encode(), "U+FFFD for bytes"),
            (data.decode("latin-1").encode(), "Latin-1 as UTF-8"),
            (data.decode("utf-8", "replace").encode("ascii", "replace"), "? for bytes"),
        ):
            yield Case(name, changed, kind="damaged", origin=origin)
        partitions = "" if name == SUBSCRIPTION else "00000001 00000000"
        topics = "".join(f"0028 {topic.encode().hex()} {partitions}" for topic in TOPICS)
        for end in (b"", b"..."):
            beginning = bytes.fromhex(f"0001 00000003 {topics} ffffffff 00000000")[:100]
            yield Case(name, beginning + end, kind="damaged", origin="cut after 100 bytes")


def cases() -> list[Case]:
    misplaced = (Case(name, bytes.fromhex(text), None, "misplaced", origin)
                 for name, text, origin in MISPLACED)  # fmt: skip
    return [*damaged(), *misplaced]


NATIVE = [
    name
    for name, adapter in CLIENTS.items()
    if adapter.language in ("C", "Go", "Java", "Rust") and name not in NOT_IN_MATRIX
]


def test_the_inputs_are_others_than_those_of_the_matrix() -> None:
    known = {(case.name, case.data) for case in inputs(MESSAGES, seed=0)}
    assert len([case for case in cases() if (case.name, case.data) not in known]) > 15
    assert digest(cases()) == digest(cases())


@pytest.mark.slow
@pytest.mark.parametrize("name", parameters(NATIVE))
def test_damaged_and_misplaced_messages_break_what_is_known(name: str) -> None:
    (column,) = (one for one in committed().columns if one.name == name)
    broken = {(one.guarantee.id, one.name) for one in column.run.results if one.violations}
    with remote_of(name) as remote:
        asked = [case for case in cases() if case.name in remote.hello.names]
        run = conform(remote, asked, of_scope(Scope.REQUIRED, Scope.RECOMMENDED), seed=0)
    found = {
        (one.guarantee.id, one.name): [
            (example.case.origin, example.complaint) for example in one.examples
        ]
        for one in run.results
        if one.violations and one.guarantee.id not in BY_LIMITS
    }
    assert {key: found[key] for key in found.keys() - broken} == {}
