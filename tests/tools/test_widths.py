"""What people read fits into their terminal, and no word of it is broken: help, lists, pages."""

from __future__ import annotations

import io
import re
import sys
from functools import cache

import pytest

from kproto.tools.main import COMMANDS, main
from kproto.tools.output.wrapping import wrapped

from .conftest import CAPTURES

HEX = "00010000000100066f7264657273ffffffff"
SAVED = str(CAPTURES / "running-group.jsonl")
CALLS = [
    *([command, "--help"] for command in COMMANDS),
    ["--help"],
    ["explain"],
    ["explain", "KP040"],
    ["explain", "rebalance-storm"],
    ["explain", "UNKNOWN_MEMBER_ID"],
    ["explain", "[Consumer clientId=c, groupId=g] Attempt to heartbeat failed: g is rebalancing"],
    ["lint", HEX],
    ["lint", HEX, "--readers", "all"],
    ["schemas"],
    ["schemas", "ConsumerProtocolAssignment"],
    ["schemas", "--search", "rack"],
    ["simulate", "--list"],
    ["simulate", "compare", "eager", "cooperative", "--scenario", "scale-out-and-in"],
    ["group", "--from", SAVED],
    ["migrate", SAVED],
    ["fuzz", "list"],
]
WIDTHS = (40, 80, 100, 200)
_STYLES = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.TextIOWrapper):
    """A terminal, by what it says of itself."""

    def isatty(self) -> bool:
        return True


@cache
def lines_at(
    words: tuple[str, ...], columns: int, output: type[io.TextIOWrapper] = Terminal
) -> list[str]:
    """What a call prints on a terminal of so many columns, or into another output."""
    terminal = output(io.BytesIO(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("PAGER", "cat")
        patch.setenv("TERM", "xterm")
        patch.setattr(sys, "stdout", terminal)
        main(list(words))
        terminal.flush()
    assert isinstance(terminal.buffer, io.BytesIO)
    text = terminal.buffer.getvalue().decode()
    return _STYLES.sub("", text).split("\n")


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_no_line_is_too_long_and_no_word_is_broken(words: list[str]) -> None:
    whole = {word for line in lines_at(tuple(words), 1000) for word in line.split()}
    long_words = [word for word in whole if len(word) > min(WIDTHS) / 2.5]
    for columns in WIDTHS:
        for line in lines_at(tuple(words), columns):
            parts = line.split()
            assert len(line) <= columns or len(parts) == 1, (columns, line)
            for part in parts:
                is_piece = any(part in word for word in whole)
                of_a_long_one = any(part.strip(",") in word for word in long_words)
                assert part in whole or not is_piece or of_a_long_one, (columns, part, line)


@pytest.mark.parametrize(
    "words",
    [["explain", "KP040"], ["lint", HEX, "--readers", "all"], ["schemas"], ["simulate", "--list"]],
    ids=" ".join,
)
def test_a_pipe_is_as_wide_as_columns_says(words: list[str]) -> None:
    for columns in (40, 80):
        piped = lines_at(tuple(words), columns, io.TextIOWrapper)  # without blanks at the end
        assert piped == [line.rstrip() for line in lines_at(tuple(words), columns)]


@pytest.mark.parametrize("columns", [20, 30, 50])
def test_words_of_a_line_stay_in_their_order(columns: int) -> None:
    for line in (
        "",
        "  a",
        "KP001  error  " + "some words " * 9,
        "   " + "x" * 60 + " y",
        "a b " * 30,
    ):
        assert wrapped(line, columns).split() == line.split()


def test_examples_in_a_help_keep_their_lines() -> None:
    lines = lines_at(("codegen", "--help"), 100)
    assert "kproto codegen kafka-clients.jar --only FetchRequest --out messages" in lines
