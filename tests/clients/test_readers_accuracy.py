"""Predictions of `kproto lint --readers`, held to what clients do with messages that are drawn anew
in each run, and with bytes of real consumers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.capture import decode_request, decode_response
from kproto.clients.consequences import UNKNOWN
from kproto.clients.readers import predict_as
from kproto.fuzz.clients import NAMES, NOT_IN_MATRIX
from kproto.fuzz.conformance.matrix.measure import outcome
from kproto.fuzz.guarantees.cases import Case

from ..fuzz.client_remotes import READY, parameters, remote_of
from .drawn_messages import ASSIGNMENT, CLASSES, SUBSCRIPTION, draw_messages
from .measure_readers import Accuracy, Comparison, compare, table

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
READERS = sorted(set(NAMES) - NOT_IN_MATRIX.keys() - {"samsa"})  # it reads no subscriptions
COUNT = 12
"""Messages of each class; `make matrix` draws more."""


@pytest.mark.parametrize("name", parameters(READERS))
def test_what_is_predicted_of_drawn_messages_is_what_the_client_does(name: str) -> None:
    seed = time.time_ns()
    with remote_of(name) as remote:
        result = Accuracy(name, list(compare(name, remote, COUNT, seed)))
    wrong = [row for row in result.comparisons if row.is_wrong]
    assert wrong == [], f"seed {seed}"
    assert len(result.comparisons) == COUNT * len(CLASSES) and result.is_enough


@pytest.mark.parametrize("name", parameters([*sorted(READY - {"kproto"}), "java-4.4", "sarama"]))
def test_what_is_predicted_of_captured_bytes_is_what_the_client_does(name: str) -> None:
    cases = captured()
    assert len(cases) > 250
    wrong = []
    with remote_of(name) as remote:
        for case in cases:
            (predicted,) = predict_as(case.name, case.data, (name,))
            does, _ = outcome(case, remote.decode(case.name, case.data))
            if does not in (UNKNOWN, predicted.does):
                wrong.append((case, predicted.does, does))
    assert wrong == []


def captured() -> list[Case]:
    """Return the subscriptions and assignments of classic consumer groups, each once."""
    cases: dict[tuple[str, bytes], Case] = {}
    for line in (CAPTURES / "frames.jsonl").read_text("utf-8").splitlines():
        for case in _of_frame(json.loads(line)):
            cases[case.name, case.data] = case
    return list(cases.values())


def _of_frame(row: dict[str, str]) -> Iterator[Case]:
    frame, key = bytes.fromhex(row["frame_hex"]), int(row["api_key"])
    if key not in (11, 14):
        return
    is_request = row["direction"] == "request"
    body = (
        decode_request(frame).body if is_request
        else decode_response(frame, key, int(row["api_version"])).body
    )  # fmt: skip
    message = None if body is None else body.message
    if getattr(message, "protocol_type", "consumer") not in ("consumer", None):
        return
    for protocol in getattr(message, "protocols", ()):
        yield Case(SUBSCRIPTION, bytes(protocol.metadata), kind="captured")
    for entry in getattr(message, "assignments", ()):
        if entry.assignment:
            yield Case(ASSIGNMENT, bytes(entry.assignment), kind="captured")


def test_drawn_messages_are_different_with_each_seed() -> None:
    first, second = (
        {(label, case.data) for label, case in draw_messages(20, seed)} for seed in (1, 2)
    )
    assert len(first) > 200 and len(first & second) < 40
    assert {label for label, _ in first} == set(CLASSES)
    lengths = [
        len(case.data) for label, case in draw_messages(40, 3) if label.startswith("user data")
    ]
    assert max(lengths) > 1_000_000


def test_the_table_counts_by_class() -> None:
    rows = [
        Comparison(label, case.id, "reads it", does, "")
        for label, case in draw_messages(2, 1)
        for does in ("reads it", "does not survive it" if label == "cut short" else "reads it")
    ]
    result = Accuracy("mine", rows)
    assert result.of_class("cut short") == (2, 4, 4) and result.of_class("empty") == (4, 4, 4)
    assert result.false_reads == 2 and not result.is_enough
    assert "| 2/4 | 0.0% | 2 |" in table([result])
