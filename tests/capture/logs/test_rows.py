"""Every row of the tables reads a line that is written after its own template, whatever the names
in it are."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture.logs import (
    aiokafka,
    brod,
    kafka_go,
    kafka_python,
    librdkafka,
    ruby_kafka,
    sarama,
)
from kproto.capture.logs.family import OriginFamily
from kproto.capture.logs.reader import FAMILIES
from kproto.capture.logs.rows import _NUMBERS, _TOKEN, Row, Table
from tests.capture.logs.recorded import read

_TABLES: dict[str, Table] = {
    **{family.name: family.table for family in FAMILIES if issubclass(family, OriginFamily)},
    "librdkafka": librdkafka.TABLE,
    "sarama": sarama.Sarama.table,
    "kafka-go": kafka_go.KafkaGo.table,
    "kafka-python": kafka_python.KafkaPython.table,
    "aiokafka": aiokafka.Aiokafka.only,
    "brod": brod.TABLE,
    "ruby-kafka": ruby_kafka.TABLE,
}
_NAMES = (
    "orders", "my group", "a, b", "svc:x", "<0.1.0>", "g with 3 things", "group", "in Stable",
    "g with generation 5", "x-1-y", "team.orders_v2", "für-öl", "{g}", "joined", "due to",
    "g[1]",
)  # fmt: skip
_ID = "-5f2e1a7c-1111-4222-8333-944455556666"
_TEXTS = {
    "error": ("UNKNOWN_MEMBER_ID", "REBALANCE_IN_PROGRESS"), "kind": ("consumer", "share"),
    "state": ("Stable", "PreparingRebalance"), "id": ("e57ad60fcf97",),
    "partitions": ("orders-0, a-b-1",),
    "members": ("[m-1, m-2]", "HashSet(m-1)"), "reason": ("x (y); z",), "detail": ("a: b",),
    "assignment": ("{m-1=Assignment(partitions=[orders-0])}",), "topics": ("[a, b]",),
    "given": ("[orders-0]",), "revoked": ("[]",), "owned": ("[]",), "targets": ("",),
    "topic_partition": ("a-b-1",), "seconds": ("7.5",),
}  # fmt: skip


def _value(name: str, draw: random.Random) -> str:
    if name in _TEXTS:
        return draw.choice(_TEXTS[name])
    if name in _NUMBERS | {"partition", "offset"} or name.endswith(("_ms", "_count")):
        return str(draw.choice((0, 7, 2_147_483_646)))
    name_text = draw.choice(_NAMES)
    return name_text + _ID if name in ("member", "leader", "earlier", "current") else name_text


def _filled(template: str, draw: random.Random) -> tuple[str, dict[str, str]]:
    """A line after the template, with the values in it."""
    return _alternatives(_TOKEN.finditer(template), draw)[0]


def _alternatives(tokens: Iterator[Any], draw: random.Random) -> list[tuple[str, dict[str, str]]]:
    """The texts of what stands in braces, up to their end, each with the values in it."""
    text, values = "", dict[str, str]()
    done: list[tuple[str, dict[str, str]]] = []
    for token in tokens:
        escaped, name, syntax, literal = token.groups()
        if syntax in ("]", "}"):
            break
        if syntax == "|":
            done.append((text, values))
            text, values = "", {}
        elif syntax is None:
            if name is not None:
                values[name] = literal = _value(name, draw)
            text += escaped or literal
        elif syntax == "…":
            text += draw.choice(("", "a", "1, 2"))
        else:
            part, inner = draw.choice(_alternatives(tokens, draw))
            if syntax == "{" or draw.random() < 0.5:
                values |= inner
                text += part
    return [*done, (text, values)]


_FIELDS = ("group", "member", "client", "instance", "generation")


def _check(table: Table, row: Row, draw: random.Random) -> None:
    line, values = _filled(row.template, draw)
    entry = table.match(line)
    assert entry is not None, line
    told, read_values = entry
    assert told.event == row.event, (line, told)
    for field in _FIELDS:
        if row.event and field in values:
            assert str(read_values.get(field)) == values[field], (line, field)


@pytest.mark.parametrize("family", _TABLES)
@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=True))
def test_a_row_reads_its_own_line(family: str, draw: random.Random) -> None:
    for row in _TABLES[family].rows:
        _check(_TABLES[family], row, draw)


@pytest.mark.parametrize("family", _TABLES)
def test_a_line_that_repeats_the_beginning_of_a_row_costs_little(family: str) -> None:
    draw = random.Random(7)  # noqa: S311
    for row in _TABLES[family].rows:
        line, _ = _filled(row.template, draw)
        for cut in (len(line) // 4, len(line) // 2, len(line) * 3 // 4, len(line) - 1):
            text = line[:cut] * (50_000 // cut) + f"~{row.literal}~"
            start = time.process_time()
            row.values(text)
            assert time.process_time() - start < 0.5, (row, cut)


_DIGITS = "1" * 5_000  # more than Python makes a number of


@pytest.mark.parametrize("line", [
    f"Setting offset for partition a-1 to the committed offset FetchPosition{{offset={_DIGITS}, ",
    f"Resetting offset for partition a-{_DIGITS} to position 1.",
    f"[Consumer clientId=c, groupId=g] Adding newly assigned partitions: a-{_DIGITS}",
    f"Setting newly assigned partitions (TopicPartition(topic='a', partition={_DIGITS}))",
])  # fmt: skip
def test_a_number_too_long_for_one(line: str) -> None:
    assert "1" * 21 not in str([event.fields for event in read(line)])


@pytest.mark.parametrize("name", _NAMES)
def test_an_origin_ends_behind_the_groups_name(name: str) -> None:
    line = f"[Consumer instanceId={name}, clientId={name}, groupId={name}] (Re-)joining group"
    (event,) = read(line)
    assert (event.group, event.client, event.instance) == (name, name, name)
    (event,) = read("[Consumer clientId=c [1], groupId=a (b) [c]] (Re-)joining group")
    assert (event.group, event.client) == ("a (b) [c]", "c [1]")
