"""Each family of readers in each layout of a program and each wrapping of collectors: what lines
prove does not depend on what stands around them."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from textwrap import wrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kproto.capture.logs import exports
from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.reader import LogReader
from tests.capture.logs.test_client_layouts import WRAPPINGS, lines_of
from tests.capture.logs.test_client_rows import NAMES
from tests.capture.logs.test_documented_lines import LINES

_TIME = "2026-11-25T23:33:01.181Z"
_NANOS = "1795649581181000000"


class Message:
    """A line as Kafka's own layout has it, in parts."""

    def __init__(self, line: str) -> None:
        match = re.fullmatch(r"\[\S+ \S+\] (?P<level>\w+) (?P<text>.*) \((?P<logger>\S+)\)", line)
        assert match is not None, line
        self.level, self.text, self.logger = match["level"], match["text"], match["logger"]
        self.name = self.logger.partition(":")[0]


def _shortened(logger: str) -> str:
    """As Spring Boot shortens a logger's name to 40 characters."""
    *packages, name = logger.split(".")
    while packages and len(".".join((*packages, name))) > 40:
        at = next((at for at, part in enumerate(packages) if len(part) > 1), None)
        if at is None:
            break
        packages[at] = packages[at][0]
    return ".".join((*packages, name))[-40:].ljust(40)


LAYOUTS: dict[str, Callable[[Message], str]] = {
    "log4j": lambda m: f"[2026-11-25 23:33:01,181] {m.level} {m.text} ({m.logger})",
    "Connect": lambda m: f"[2026-11-25 23:33:01,181] {m.level} [x|task-0] {m.text} ({m.name}:42)",
    "Strimzi": lambda m: f"2026-11-25 23:33:01,181 {m.level} {m.text} ({m.logger}) "
    "[data-plane-kafka-request-handler-3]",
    "Spring Boot 2": lambda m: f"2026-11-25 23:33:01.181  {m.level} 7 --- [ntainer#0-0-C-1] "
    f"{_shortened(m.name)} : {m.text}",
    "Spring Boot 3": lambda m: f"2026-11-25T23:33:01.181+01:00  {m.level} 7 --- [orders-app] "
    f"[ntainer#0-0-C-1] {_shortened(m.name)} : {m.text}",
    "Quarkus": lambda m: f"2026-11-25 23:33:01,181 {m.level}  [{_shortened(m.name).strip()}] "
    f"(vert.x-kafka-consumer-thread-0) {m.text}",
    "slf4j-simple": lambda m: f"[main] {m.level} {m.name} - {m.text}",
    "java.util.logging": lambda m: f"Nov 25, 2026 11:33:01 PM {m.name} info\nINFO: {m.text}",
    "logback": lambda m: f"23:33:01.181 [main] {m.level} {m.name} - {m.text}",
    "logstash": lambda m: json.dumps({"@timestamp": _TIME, "@version": "1", "message": m.text,
                                      "logger_name": m.name, "thread_name": "main",
                                      "level": m.level}),
    "ECS": lambda m: json.dumps({"@timestamp": _TIME, "log.level": m.level, "message": m.text,
                                 "process.thread.name": "main", "log.logger": m.name}),
    "GCP": lambda m: json.dumps({"timestampSeconds": 1795649581, "timestampNanos": 181000000,
                                 "severity": m.level, "message": m.text}),
    "GELF": lambda m: json.dumps({"version": "1.1", "host": "h", "short_message": m.text,
                                  "timestamp": 1795649581.181, "level": 6, "_logger": m.name}),
    "Datadog": lambda m: json.dumps({"date": _TIME, "status": m.level.lower(), "message": m.text}),
}  # fmt: skip
"""How a program that logs with a framework prints a message."""

COLLECTORS: dict[str, Callable[[str], str]] = {
    **WRAPPINGS,
    "RFC 5424": lambda line: f"<14>1 {_TIME} host app 7 - - {line}",
    # The kubelet cuts at 16 KiB, far behind what tells the program.
    "CRI in parts": lambda line: f"{_TIME} stdout P {line[:-1]}\n{_TIME} stdout F {line[-1:]}",
    "GCP text": lambda line: json.dumps({"timestamp": _TIME, "textPayload": line}),
    "GCP JSON": lambda line: json.dumps({"timestamp": _TIME, "jsonPayload": {"message": line}}),
    "a log that quotes a log": lambda line: json.dumps(
        {"log": json.dumps({"@timestamp": _TIME, "message": line}) + "\n", "stream": "stdout"}
    ),
    "Kibana copied": lambda line: f"Nov 25, 2026 @ 23:33:01.181\n{line}",
}
"""What collectors make of a line."""


def _csv(lines: Sequence[str]) -> str:
    rows = ['"' + line.replace('"', '""') + '"' for line in lines]
    return "\n".join(("timestamp,message", *(f"{_TIME},{row}" for row in rows)))


EXPORTS: dict[str, Callable[[Sequence[str]], str]] = {
    "Loki": lambda lines: json.dumps(
        {"data": {"result": [{"stream": {}, "values": [[_NANOS, line] for line in lines]}]}}
    ),
    "CloudWatch": lambda lines: json.dumps(
        {"events": [{"timestamp": 1795649581181, "message": line} for line in lines]}, indent=2
    ),
    "Datadog's API": lambda lines: json.dumps(
        {"data": [{"attributes": {"timestamp": _TIME, "message": line}} for line in lines]}
    ),
    "a table": _csv,
}
"""What exports make of a log."""


def _facts(text: str) -> list[tuple[object, ...]]:
    """What a log proves, without places and times."""
    return [_fact(event) for event in LogReader().read(io.BytesIO(text.encode()))]


def _fact(event: LogEvent) -> tuple[object, ...]:
    return (*event[:3], *event[5:11], {**event.fields})


_MESSAGES = {
    family: [Message(line) for line, _ in LINES if sign in line]
    for family, sign in (("broker", "[Group"), ("java", "[Consumer"), ("connect", "[Worker"))
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("family", _MESSAGES)
def test_a_layout_changes_no_event(family: str, layout: str) -> None:
    messages = _MESSAGES[family]
    plain = "\n".join(LAYOUTS["log4j"](message) for message in messages)
    printed = "\n".join(LAYOUTS[layout](message) for message in messages)
    assert _facts(printed) == _facts(plain)


@pytest.mark.parametrize("collector", COLLECTORS)
@pytest.mark.parametrize("family", [*NAMES, *_MESSAGES])
def test_a_collector_changes_no_event(family: str, collector: str) -> None:
    lines = _lines(family)
    collected = "\n".join(COLLECTORS[collector](line) for line in lines)
    assert _facts(collected) == _facts("\n".join(lines))


@pytest.mark.parametrize("export", EXPORTS)
@pytest.mark.parametrize("family", [*NAMES, *_MESSAGES])
def test_an_export_changes_no_event(family: str, export: str) -> None:
    lines = _lines(family)
    assert _facts(EXPORTS[export](lines)) == _facts("\n".join(lines))


def _lines(family: str) -> list[str]:
    if family in _MESSAGES:
        return [LAYOUTS["log4j"](message) for message in _MESSAGES[family]]
    return lines_of(family)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_layouts_in_collectors_in_collectors_change_no_event(data: st.DataObject) -> None:
    messages = _MESSAGES[data.draw(st.sampled_from(sorted(_MESSAGES)))]
    chosen = data.draw(st.lists(st.sampled_from(messages), min_size=1, max_size=6))
    layout = LAYOUTS[data.draw(st.sampled_from(sorted(set(LAYOUTS) - {"java.util.logging"})))]
    lines = [layout(message) for message in chosen]
    plain = "\n".join(lines)
    names = sorted(set(COLLECTORS) - {"Kibana copied", "CRI in parts"})
    for name in data.draw(st.lists(st.sampled_from(names), max_size=2)):
        lines = [COLLECTORS[name](line) for line in lines]
    assert _facts("\n".join(lines)) == _facts(plain)


@pytest.mark.parametrize("front", ["", "> "])
def test_a_mail_that_wraps_lines_changes_no_event(front: str) -> None:
    printed = "\n".join(LAYOUTS["log4j"](message) for message in _MESSAGES["broker"])
    wrapped = [
        front + part
        for line in printed.splitlines()
        for part in wrap(line, 72, break_long_words=False, break_on_hyphens=False)
    ]
    assert _facts("\n".join(wrapped)) == _facts(printed)


PASTED: dict[str, Callable[[str], str]] = {
    "a table without a header": lambda line: ",".join(
        '"' + cell.replace('"', '""') + '"' for cell in (_TIME, "h1", "app", line)
    ),
    "a table of Markdown": lambda line: f"| 2026-11-25 23:33:01.181 | {line} |",
    "the source of a page": lambda line: f"<p>{line}<br/>",
}  # fmt: skip


@pytest.mark.parametrize("paste", PASTED)
def test_what_people_paste_changes_no_event(paste: str) -> None:
    printed = "\n".join(LAYOUTS["log4j"](message) for message in _MESSAGES["broker"])
    pasted = "\n".join(PASTED[paste](line) for line in printed.splitlines())
    assert _facts(pasted) == _facts(printed)


@given(st.text(st.sampled_from('"\\[]{} a\n')), st.sampled_from(["", "\\\\", '\\"']))
def test_brackets_of_a_document_are_those_outside_of_its_texts(line: str, escape: str) -> None:
    """Also where a text has more escapes than are read at once."""
    line = f'["{1_500 * escape}{line}' if escape else line
    expected, within, place = [], False, 0
    while place < len(line):
        if within and line[place] == "\\":
            place += 1
        elif line[place] == '"':
            within = not within
        elif not within and line[place] in "[]{}":
            expected.append((line[place], place))
        place += 1
    assert [*exports._brackets(line)] == expected
