"""The same log in every layout, and as every collector wraps it, proves the same events."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.logs import exports, spill, time_order
from kproto.capture.logs.candidates import candidate_lines
from kproto.capture.logs.exports import log_lines
from kproto.capture.logs.layouts import read_time
from kproto.capture.logs.reader import SIGNS, LogReader
from kproto.capture.logs.time_order import in_time
from tests.capture.logs.recorded import FOLDER, SCENARIOS, logs, read, text

_FORMS = sorted(
    str(path.relative_to(FOLDER)).removesuffix(".gz")
    for path in (FOLDER / "forms").rglob("*.gz")
    if path.name.startswith(("broker.", "c1."))
)
_UNDATED = {"forms/c1.logback.log", "forms/c1.simple.log"}
_WHOLE_SECONDS = ("java-util-logging",)


@pytest.mark.parametrize("name", _FORMS)
def test_a_layout_changes_nothing_that_is_proved(name: str) -> None:
    """Against Kafka's own layout: the events, their values, and their times."""
    plain = "forms/broker.log" if "/broker." in name else "forms/c1.log"
    found, wanted = read(text(name)), read(text(plain))
    assert [_facts(event) for event in found] == [_facts(event) for event in wanted]
    if name in _UNDATED:
        assert not any(event.stamp.has_date for event in found)
        return
    step = 1000 if any(form in name for form in _WHOLE_SECONDS) else 1
    times = [int(event.stamp.milliseconds or 0) // step for event in found]
    assert times == [int(event.stamp.milliseconds or 0) // step for event in wanted]


def _facts(event: object) -> object:
    return (event.event, event.group, event.client, event.member, event.generation, event.fields)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "milliseconds"),
    [
        ("[2026-11-25 23:33:01,181] INFO x", 1795649581181),
        ("2026-11-26T01:33:01.181+02:00 INFO x", 1795649581181),
        ("2026-11-25T23:33:01.181140317Z stdout F x", 1795649581181),
        ("Nov 25, 2026 11:33:01 PM org.apache x", 1795649581000),
        ("2026/11/25 23:33:01 x", 1795649581000),
        ("%7|1795649581.181|JOINGROUP|c#consumer-1| x", 1795649581181),
        ("1795649581181 INFO x", 1795649581181),
        ("25.11.2026 23:33:01,181 x", 1795649581181),
    ],
)
def test_times(line: str, milliseconds: int) -> None:
    stamp = read_time(line)
    assert stamp is not None
    assert int(stamp.milliseconds or 0) == milliseconds


def test_a_collector_tells_the_zone_of_the_program() -> None:
    line = "2026-11-25T22:33:01.190000000Z [2026-11-25 23:33:01,181] INFO (Re-)joining group\n"
    (message,) = log_lines([(1, line)])
    assert message.stamp.milliseconds == 1795645981181
    assert message.stamp.has_zone


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_line_that_matters_is_passed_over(scenario: str) -> None:
    """The lines that are picked out give what all lines give, whatever the size of the blocks."""
    for log in logs(scenario).values():
        reader = LogReader()
        lines = enumerate(log.splitlines(keepends=True), 1)
        everything = [event for line in in_time(log_lines(lines)) for event in reader._events(line)]
        assert read(log) == everything


@given(st.binary(max_size=400), st.integers(1, 80))
def test_any_bytes_are_read(data: bytes, size: int) -> None:
    class Slow:
        def __init__(self) -> None:
            self.at = 0

        def read(self, _: int, /) -> bytes:
            part = data[self.at : self.at + size]
            self.at += size
            return part

    mixed = data + b"\n[Consumer clientId=a, groupId=b] (Re-)joining group\n" + data
    numbers = [number for number, _ in candidate_lines(Slow(), SIGNS)]
    assert numbers == sorted(numbers)
    assert len(read(mixed.decode("utf-8", "backslashreplace"))) >= 1 or b"{" in data or b"," in data


@pytest.mark.parametrize(
    "data", [b'line,time\r\rx\n\x00,"', b"message,time\na\rb,c\n", b'log,x\n"' + b"y" * 200_000]
)
def test_what_only_looks_like_a_table_is_read(data: bytes) -> None:
    line = b"\n[Consumer clientId=a, groupId=b] (Re-)joining group\n"
    assert read((data + line).decode("latin-1")) is not None


@pytest.mark.parametrize("is_turned", [True, False])
def test_a_long_log_waits_in_files_and_comes_in_order(
    is_turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"[2026-11-25 23:{at // 60:02}:{at % 60:02},000] INFO line {at}" for at in range(900)]
    draw = random.Random(7)  # noqa: S311
    mixed = sorted(range(len(lines)), key=lambda at: at + draw.random() * 4)
    order = range(len(lines))[::-1] if is_turned else mixed
    monkeypatch.setattr(time_order, "RUN", 50)
    monkeypatch.setattr(time_order, "_MOST_FILES", 3)
    sorted_lines = in_time(log_lines(enumerate((lines[at] for at in order), 1)))
    if not is_turned:
        times = [line.stamp.milliseconds or 0 for line in sorted_lines]
        assert times == sorted(times)
        return
    assert [line.text for line in sorted_lines] == lines


def _rows(numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
    yield 1, "timestamp,message\n"
    for line, number in enumerate(numbers, 2):
        time = f"2026-11-25T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"
        yield line, f'{time},"{time} INFO row {number}"\n'


def test_a_table_is_read_row_by_row() -> None:
    numbers = iter(range(86_400))
    messages = log_lines(_rows(numbers))
    first = next(messages)
    assert (first.number, first.text) == (2, "2026-11-25T00:00:00Z INFO row 0")
    assert next(numbers) < 3_000


def test_a_table_with_the_newest_first_waits_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "RUN", 700)
    monkeypatch.setattr(spill, "_PART", 80)
    messages = list(log_lines(_rows(reversed(range(5_000)))))
    assert [line.text[26:] for line in messages] == [f"row {at}" for at in range(5_000)]
    assert [line.number for line in messages] == [*range(5_001, 1, -1)]


def test_a_quotation_mark_without_end_hides_no_rows_behind_it() -> None:
    rows = [*_rows(range(2_500)), (2_502, '2026-11-25T01:00:00Z,"INFO cut\n')]
    rows += [(2_502 + line, text) for line, text in _rows(range(3_600, 86_400))][1:]
    texts = [line.text for line in log_lines(iter(rows))]
    assert texts[2_499].endswith("row 2499")
    assert texts[-1].endswith("row 86399")


def test_an_application_may_write_words_in_front_of_the_time() -> None:
    lines = (
        "--- INFO --- [2026-11-25T23:33:01.902866Z] joined group g as member m-1 in generation 2",
        "svc worker 2026-11-25 23:33:02,500 selected as leader for group, g",
        "Caused by: java.io.IOException: 2026-11-25 23:33:03 is too late",
    )
    first, second = log_lines(enumerate(lines, 1))
    assert (first.number, first.stamp.text[11:19]) == (1, "23:33:01")
    assert (second.number, second.text.count("\n")) == (2, 1)


_DOCUMENTS: dict[str, Callable[[Any], Any]] = {
    "CloudWatch": lambda entries: {"meta": ["a", "b"], "events": entries},
    "an array": lambda entries: entries,
    "Datadog": lambda entries: {"data": [{"id": 1, "attributes": entry} for entry in entries]},
    "Loki": lambda entries: {"data": {"result": [{"stream": {"app": "x"}, "values": [
        [str(entry["timestamp"] * 1_000_000), entry["message"]] for entry in entries]}]}},
}  # fmt: skip


@pytest.mark.parametrize("export", _DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_long_document_is_read_entry_by_entry(
    export: str, indent: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        {"timestamp": 1795649581181 + at, "message": f'INFO {{row}} {at} "]\\'} for at in range(400)
    ]
    text = json.dumps(_DOCUMENTS[export](entries), indent=indent)
    lines = list(enumerate(text.splitlines(keepends=True), 1))
    whole = list(log_lines(lines))
    monkeypatch.setattr(exports, "_WHOLE", 4_000)
    streamed = list(log_lines(lines))
    assert [line.text for line in streamed] == [entry["message"] for entry in entries]
    assert [line.stamp for line in streamed] == [
        line.stamp for line in whole if line.text in {entry["message"] for entry in entries}
    ]
