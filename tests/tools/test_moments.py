"""The moments of --since and --until are written in one way in all commands."""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

from kproto.tools.input import inputs
from kproto.tools.main import command_parser
from kproto.tools.options.moments import moment

DAY = 86_400_000.0
NEWEST = 20_000 * DAY + 3_600_000.0
"""At one o'clock."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("500ms", NEWEST - 500),
        ("90m", NEWEST - 5_400_000),
        ("1.5 h", NEWEST - 5_400_000),
        ("2 hours ago", NEWEST - 7_200_000),
        ("20 sec back", NEWEST - 20_000),
        ("7D", NEWEST - 7 * DAY),
        ("2w", NEWEST - 14 * DAY),
        ("00:30", 20_000 * DAY + 1_800_000),
        ("00:30:01.5", 20_000 * DAY + 1_801_500),
        ("02:30+02:00", 20_000 * DAY + 1_800_000),
        ("1970-01-02", DAY),
        ("1970-01-02T00:00:01", DAY + 1_000),
        ("1970-01-02 00:00:01,250", DAY + 1_250),
        ("1970-01-02T02:00+02:00", DAY),
        ("1970-01-02T00:00Z", DAY),
    ],
)
def test_a_moment_is_how_long_ago_a_time_of_the_day_or_a_time(text: str, expected: float) -> None:
    assert moment(text).at(NEWEST) == expected


@pytest.mark.parametrize(
    "text", ["", "yesterday", "25:00", "2 moons", "-2h", "99999999999d", "2026-13-01", "12",
             "0001-01-01T00:00+14:00", "9" * 400 + "h"],
)  # fmt: skip
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is no time such as"):
        moment(text)


@pytest.mark.parametrize("command", ["audit", "decode", "group", "story"])
def test_every_command_takes_the_same(command: str) -> None:
    _, parser = command_parser(command)
    action = parser._option_string_actions["--since"]
    assert action.type is inputs.moment
