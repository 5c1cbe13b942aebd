"""Logs as a terminal has broken them: the same events as in the log that it showed."""

from __future__ import annotations

from random import Random

import pytest

from kproto.capture.logs.event import LogEvent
from kproto.capture.logs.hard_breaks import break_width

from .recorded import SCENARIOS, logs, read

_LINES = 150


def broken(text: str, width: int) -> str:
    """What a terminal of that width shows, copied."""
    pieces = (
        line[at : at + width]
        for line in text.splitlines()
        for at in range(0, max(1, len(line)), width)
    )
    return "".join(f"{piece}\n" for piece in pieces)


def told(events: list[LogEvent]) -> list[tuple[str, str, str, str, int]]:
    return [
        (event.event, event.group, event.client, event.member, event.generation) for event in events
    ]


def test_broken_lines_tell_the_same(rng: Random) -> None:
    """Where it is open whether lines were broken they stay as they are: with the lists that
    librdkafka puts under lines, and the times inside of JSON."""
    tried, wrong = 0, []
    for scenario in SCENARIOS:
        for name, text in logs(scenario).items():
            whole = "\n".join(text.splitlines()[:_LINES])
            width = rng.choice((80, 100, 120, rng.randrange(60, 180)))
            if max(map(len, whole.splitlines())) <= 2 * width:
                continue  # hardly a line of it would be broken
            tried += 1
            if told(read(broken(whole, width))) != told(read(whole)):
                wrong.append((scenario, name, width))
    assert tried > 80
    assert len(wrong) * 10 <= tried, wrong


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_log_as_it_was_written_is_not_put_together(scenario: str) -> None:
    for name, text in logs(scenario).items():
        assert break_width(text.splitlines()[:1000]) == 0, name
