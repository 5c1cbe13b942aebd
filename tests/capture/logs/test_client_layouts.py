"""The same lines in the wrappings of collectors, cut, shuffled and mixed."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from operator import itemgetter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.logs import (
    aiokafka,
    brod,
    franz_go,
    kafka_go,
    kafka_python,
    kafkajs,
    ruby_kafka,
    sarama,
)
from kproto.capture.logs import librdkafka as librdkafka_rows
from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.rows import Row
from tests.capture.logs.recorded import read
from tests.capture.logs.test_client_rows import BROD, LINES, NAMES, cases

_TIME = "2026-11-26T07:45:34.018123456Z"

WRAPPINGS: dict[str, Callable[[str], str]] = {
    "docker json-file": lambda line: json.dumps(
        {"log": line + "\n", "stream": "stdout", "time": _TIME}
    ),
    "CRI": lambda line: f"{_TIME} stdout F {line}",
    "docker logs -t": lambda line: f"{_TIME} {line}",
    "compose": lambda line: f"app-1  | {line}",
    "compose with times": lambda line: f"2026 Nov 26 07:45:34  | {line}",
    "Kibana": lambda line: f"\tNov 26, 2026 @ 07:45:34.018\t{line}",
    "syslog": lambda line: f"Nov 26 07:45:34 host app[7]: {line}",
    "JSON": lambda line: json.dumps({"@timestamp": _TIME, "level": "INFO", "message": line}),
    "a colour": lambda line: f"\x1b[32m{line}\x1b[0m",
    "an index": lambda line: json.dumps(
        {"_index": "logs", "log": line, "kubernetes": {"pod_name": "app-1", "labels": {"a": "b"}}}
    ),
}

VIEWERS: dict[str, Callable[[str], str]] = {
    "quotation": lambda line: f"> {line}",
    "quotation in a quotation": lambda line: f">> {line}",
    "item of a list": lambda line: f"- {line}",
    "block of Markdown": lambda line: f"    {line}",
    "bold": lambda line: f"**{line}**",
    "code": lambda line: f"`{line}`",
    "grep -n": lambda line: f"1207:{line}",
    "grep -Hn": lambda line: f"/var/log/kafka/server.log:1207:{line}",
    "grep -n -C": lambda line: f"1207-{line}",
    "cat -n": lambda line: f"  1207\t{line}",
    "less -N": lambda line: f"   1207 {line}",
    "kubectl logs --prefix": lambda line: f"[pod/app-7d8f6c9b5-x2/app] {line}",
    "kubectl logs --prefix --timestamps": lambda line: f"[pod/app-7d8f6c9b5-x2/app] {_TIME} {line}",
    "stern": lambda line: f"app-7d8f6c9b5-x2 app {line}",
    "pm2": lambda line: f"0|app      | {line}",
    "Heroku": lambda line: f"2026-11-26T07:45:34.018123+00:00 app[web.1]: {line}",
    "aws logs tail": lambda line: f"2026-11-26T07:45:34.018123+00:00 app/stream/0a1b {line}",
    "GitLab": lambda line: f"2026-11-26T07:45:34.018123Z 01O {line}",
    "text of JSON": json.dumps,
    "item of JSON": lambda line: f"  {json.dumps(line)},",
    "JSON with a brace too many": lambda line: json.dumps({"message": line, "time": _TIME}) + "}",
    "item of JSON lines": lambda line: json.dumps({"message": line, "time": _TIME}) + ",",
    "source of a page": escape,
    "blanks that do not break": lambda line: line.replace(" ", "\xa0"),
    "typographic quotation marks": lambda line: line.replace("'", "\u2019").replace('"', "\u201d"),
}
"""How people see logs, and copy them: the lines begin with what no program has printed."""


def told(events: list[LogEvent]) -> list[tuple[object, ...]]:
    """Events without their places: a wrapping may bring a time."""
    return [
        (*event[:3], event.line, *event[5:11], {**event.fields}) for event in events
    ]  # fmt: skip


def read_lines(lines: list[str]) -> list[LogEvent]:
    return read("\n".join(lines))


def lines_of(name: str) -> list[str]:
    return (LINES / f"{name}.log").read_text().splitlines()


@pytest.mark.parametrize("wrapping", [*WRAPPINGS.items(), *VIEWERS.items()], ids=itemgetter(0))
@pytest.mark.parametrize("name", NAMES)
def test_a_wrapping_changes_no_event(name: str, wrapping: tuple[str, Callable[[str], str]]) -> None:
    lines = lines_of(name)
    _, wrapped = wrapping
    assert told(read_lines(list(map(wrapped, lines)))) == told(read_lines(lines))


def test_cri_joins_the_parts_of_a_line() -> None:
    lines = lines_of("librdkafka")
    parts = [part for line in lines for part in
             (f"{_TIME} stderr P {line[:60]}", f"{_TIME} stderr F {line[60:]}")]  # fmt: skip
    assert [event[6:11] for event in told(read_lines(parts))] == [
        event[6:11] for event in told(read_lines(lines))
    ]


# How bindings print what librdkafka hands them: level, facility, client, message.
BINDINGS: dict[str, Callable[[str, str, str], str]] = {
    "Python": lambda fac, client, text: f"2026-11-26 07:45:34,018 DEBUG {fac} [{client}] {text}",
    "Go": lambda fac, client, text: f"[2026-11-26T07:45:34Z][{client}][{fac}][7]{text}",
    ".NET": lambda fac, client, text: f"Debug|2026-11-26 07:45:34.018|{client}|{fac}| {text}",
    "syslog": lambda fac, client, text: f"Nov 26 07:45:34 h app[7]: {fac}: {client}: {text}",
    "JSON": lambda fac, client, text: json.dumps(
        {"time": _TIME, "level": 7, "fac": fac, "name": client, "message": text}
    ),
}
_NATIVE = pytest.mark.parametrize(
    "name", ["librdkafka", "librdkafka-cooperative", "librdkafka-848"]
)


@_NATIVE
@pytest.mark.parametrize("binding", BINDINGS)
def test_bindings_of_librdkafka(name: str, binding: str) -> None:
    lines = lines_of(name)
    printed = []
    for line in lines:
        _, _, fac, client, text = line.split("|", 4)
        printed.append(BINDINGS[binding](fac, client, text.removeprefix(" ")))
    assert told(read_lines(printed)) == told(read_lines(lines))


def test_messages_of_librdkafka_alone() -> None:
    """Without a thread, a facility or a client: all but the client's name is there."""
    lines = lines_of("librdkafka")[:-1]
    alone = [line.partition("]: ")[2] for line in lines]
    stamped = [f"2026-11-26 07:45:34,018 DEBUG {line}" for line in alone]
    expected = [(event.event, event.group, event.member, event.generation,
                 event.fields.get("partitions"), event.fields.get("assignment"))
                for event in read_lines(lines) if event.event != "closed"]  # fmt: skip
    for printed in (alone, stamped):
        events = [(event.event, event.group, event.member, event.generation,
                   event.fields.get("partitions"), event.fields.get("assignment"))
                  for event in read_lines(printed)]  # fmt: skip
        assert events == expected


_ALL = [line for name in NAMES for line in lines_of(name)]
_ALL += [line for _, line, _ in cases()]


@given(st.data())
def test_nothing_raises(data: st.DataObject) -> None:
    """Lines cut anywhere, in any order, mixed with anything."""
    lines = data.draw(st.lists(st.sampled_from(_ALL) | st.text(max_size=60), max_size=40))
    lines = [line[data.draw(st.integers(0, 30)) if data.draw(st.booleans()) else 0 :]
             for line in lines]  # fmt: skip
    lines = [line[: data.draw(st.integers(0, 120))] if data.draw(st.booleans()) else line
             for line in lines]  # fmt: skip
    for event in read_lines(lines):
        assert 1 <= event.line <= len("\n".join(lines).splitlines()) + 1
        assert event.generation >= -1
        for part, number in event.fields.get("partitions", ()):
            assert isinstance(part, str)
            assert isinstance(number, int)


@given(st.randoms(use_true_random=False))
def test_two_clients_in_one_log(source: Random) -> None:
    """Two clients of librdkafka in one process, line by line at random: each has its own events."""
    lines = {"m1": lines_of("librdkafka")[:-1], "m2": lines_of("librdkafka-848")}
    order = [name for name, part in lines.items() for _ in part]
    source.shuffle(order)
    iterators = {name: iter(part) for name, part in lines.items()}
    events = read_lines([next(iterators[name]) for name in order])
    for client, part in lines.items():
        assert [event._replace(line=0) for event in events if event.client == client] == [
            event._replace(line=0) for event in read_lines(part)
        ]


TABLES: dict[str, tuple[Row, ...]] = {
    "librdkafka": librdkafka_rows.TABLE.rows,
    "sarama": sarama.Sarama.table.rows,
    "kafka-go": kafka_go.KafkaGo.table.rows,
    "kafka-python": kafka_python.KafkaPython.table.rows,
    "aiokafka": aiokafka.Aiokafka.only.rows,
    "kafkajs": kafkajs.KafkaJS.table.rows,
    "brod": brod.TABLE.rows,
    "ruby-kafka": ruby_kafka.TABLE.rows,
    "franz-go": tuple(row for _, row in franz_go.FranzGo.rows.values()),
}


@pytest.mark.parametrize("family", TABLES)
def test_each_row_has_an_example(family: str) -> None:
    """Real, or from the client's source."""
    texts = [line for name, line, _ in cases() if name in (family, "kcat")]
    texts += [line for name in NAMES if name.startswith(family) for line in lines_of(name)]
    texts.append(BROD)
    for row in TABLES[family]:
        is_shown = any(row.values(text) for text in texts if row.literal in text)
        is_message = any(row.template in text for text in texts)  # where keys have the values
        is_shown = is_shown or any(row.literal in text and row.values(text) == {} for text in texts)
        assert not row.event or is_shown or is_message, row
