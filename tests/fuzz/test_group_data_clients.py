"""Kafka Connect and Kafka Streams as readers: which versions each release reads to the end, and
what becomes of a newer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from kproto.clients.consequences import NOT_KNOWN, READS, REFUSES, TAKES, facts
from kproto.clients.readers import predict_as
from kproto.codec import ConnectProtocolAssignment, Message, message_class
from kproto.codec.counterexample import sample
from kproto.fuzz.guarantees.cases import Case, write
from kproto.fuzz.subject import Failed, Failure, Read, Refused

from .client_remotes import parameters, remote_of

METADATA, ASSIGNMENT = "ConnectProtocolMetadata", "ConnectProtocolAssignment"
SUBSCRIPTION, INFO = "SubscriptionInfoData", "AssignmentInfo"
WHOLE, BEGINNING, HEAD, REFUSED = "whole", "the fields of version 0", "the head", "refuses"


class Knows(NamedTuple):
    """The newest version that a release reads to the end, and what it does with a newer one."""

    latest: int
    newer: str


# By KIP-415, KIP-507 and KIP-268, and LATEST_SUPPORTED_VERSION of each release of Streams.
EXPECTED = {
    "connect-2.2": {METADATA: Knows(0, BEGINNING), ASSIGNMENT: Knows(0, BEGINNING)},
    "connect-2.3": {METADATA: Knows(2, WHOLE), ASSIGNMENT: Knows(2, WHOLE)},
    "connect-4.3": {METADATA: Knows(2, WHOLE), ASSIGNMENT: Knows(2, WHOLE)},
    "streams-1.1": {SUBSCRIPTION: Knows(2, REFUSED), INFO: Knows(2, REFUSED)},
    "streams-2.8": {SUBSCRIPTION: Knows(9, HEAD), INFO: Knows(9, REFUSED)},
    "streams-4.3": {SUBSCRIPTION: Knows(11, HEAD), INFO: Knows(11, REFUSED)},
}
COUNT_OF_TASKS = bytes.fromhex("000000017fffffff00000000")


def written(name: str, version: int) -> bytes:
    """A message as a writer of that version sends it; one above the newest is that under a label
    higher.
    """
    cls = message_class(name)
    known = min(version, cls.LATEST)
    message: Message = sample(cls, known)
    if name == METADATA and known:
        inner = write(sample(ConnectProtocolAssignment, known), known)
        message = message.replace(allocation=inner)
    if name == SUBSCRIPTION and known >= 3:
        message = message.replace(latest_supported_version=version)
    data = write(message, known)
    size = 4 if cls.FRAMING.kind == "version32" else 2
    return version.to_bytes(size, "big") + data[size:]


@pytest.mark.parametrize("name", parameters(EXPECTED))
def test_which_versions_a_release_reads(name: str) -> None:
    with remote_of(name) as remote:
        assert remote.hello.names == EXPECTED[name].keys()
        for message, knows in EXPECTED[name].items():
            cls = message_class(message)
            for version in range(cls.VERSIONS.lowest, cls.LATEST + 2):
                answer = remote.decode(message, written(message, version))
                newer = version > knows.latest
                found = outcome(answer)
                assert found == (knows.newer if newer else WHOLE), (message, version, answer)


@pytest.mark.parametrize("name", parameters(name for name in EXPECTED if "connect" in name))
def test_what_the_table_says_of_workers_is_what_they_do(name: str) -> None:
    """A label that is newer than any, and bytes left over, of which the consequences speak."""
    assert facts()["KP020"].elsewhere["Connect"].startswith("Connect workers read the fields")
    assert facts()["KP021"].elsewhere["Connect"].startswith("Connect workers ignore what follows")
    with remote_of(name) as remote:
        for message in EXPECTED[name]:
            data = written(message, 2)
            plain = remote.decode(message, data)
            newer = remote.decode(message, b"\x7f\xff" + data[2:])
            assert isinstance(plain, Read) and isinstance(newer, Read)
            assert {**newer.value, "version": 2} == {**plain.value, "version": 2}
            for version in (0, 1, 2):
                data = written(message, version)
                plain, longer = (remote.decode(message, data + rest) for rest in (b"", b"\1\2\3"))
                assert isinstance(plain, Read) and isinstance(longer, Read)
                assert longer.value == plain.value
                assert longer.remainder == (plain.remainder or b"") + b"\1\2\3"


@pytest.mark.parametrize("name", parameters(EXPECTED))
def test_what_is_predicted_is_what_the_release_does(name: str) -> None:
    """Of messages of each version with one to three bytes changed."""
    cases = [case for message in EXPECTED[name] for case in neighbours(message, 100)]
    wrong = []
    with remote_of(name) as remote:
        for case in cases:
            (predicted,) = predict_as(case.name, case.data, (name,))
            answer = remote.decode(case.name, case.data)
            does = READS if isinstance(answer, Read) else REFUSES
            if predicted.does not in (NOT_KNOWN, TAKES if does == READS else does, does):
                wrong.append((case.data.hex(), predicted.does, answer))
    assert len(wrong) <= len(cases) / 100, wrong


def neighbours(name: str, count: int) -> Iterator[Case]:
    cls, draw = message_class(name), Random(5)  # noqa: S311
    whole = [written(name, version) for version in range(cls.VERSIONS.lowest, cls.LATEST + 3)]
    yield from (Case(name, data) for data in whole)
    for _ in range(count):
        data = bytearray(draw.choice(whole))
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(len(data))] = draw.choice((0, 1, 2, 0x80, 0xFF))
        yield Case(name, bytes(data))


def outcome(answer: object) -> str:
    if isinstance(answer, Refused):
        return REFUSED
    assert isinstance(answer, Read)
    if answer.value.keys() == {"version", "latestSupportedVersion"}:
        return HEAD
    return BEGINNING if answer.remainder else WHOLE


@pytest.mark.parametrize("name", parameters(["streams-1.1", "streams-2.8"]))
def test_older_streams_die_of_a_count(name: str) -> None:
    with remote_of(name) as remote:
        answer = remote.decode(INFO, COUNT_OF_TASKS)
        assert isinstance(answer, Failed) and answer.how is Failure.MEMORY


@pytest.mark.parametrize("name", parameters(["streams-4.3"]))
def test_newer_streams_refuse_it(name: str) -> None:
    with remote_of(name) as remote:
        assert isinstance(remote.decode(INFO, COUNT_OF_TASKS), Refused)


# -- what is judged


@pytest.mark.parametrize(
    ("allocation", "accept"),
    [("ffffffff", True), ("00000000", False), ("00000002ffff", False), ("0000000100", False)],
)
def test_an_allocation_that_cannot_be_read_is_refused_with_the_message(
    allocation: str, accept: bool
) -> None:
    """As `IncrementalCooperativeConnectProtocol` does: it reads the assignment inside at once."""
    case = Case(METADATA, bytes.fromhex("000100000000000000000000" + allocation))
    assert case.reading.complete
    assert case.truth.accept is accept
