"""An option means the same in every command, and a file may have its default."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from kproto.tools.main import COMMANDS, command_parser

from .conftest import Run
from .test_main import one_line

HEX = "00000000000100066f7264657273ffffffff"
OWN = {"--baseline": {"audit"}}
"""Options that take more, or less, in a command."""


def test_an_option_takes_the_same_everywhere() -> None:
    takes: dict[str, set[tuple[object, bool]]] = defaultdict(set)
    for command in COMMANDS:
        _, parser = command_parser(command)
        for option, action in parser._option_string_actions.items():
            if command not in OWN.get(option, ()):
                takes[option].add((action.metavar, action.nargs == 0))
    assert {option: kinds for option, kinds in takes.items() if len(kinds) > 1} == {}


def test_a_file_has_the_defaults(kproto: Run, tmp_path: Path) -> None:
    file = tmp_path / "kproto.toml"
    file.write_text(
        'bootstrap-server = "b:9092"\njson = false\n[decode]\npolicy = "strict"\njson = true\n'
        '[lint]\nselect = "KP0"\noutput = "json"\n'
    )
    config = ("--config", file)
    assert kproto("decode", *config, HEX).stdout.startswith(b"{")
    kproto("decode", *config, f"{HEX}01", status=1)
    kproto("decode", f"--config={file}", "--policy", "kafka", f"{HEX}01")
    assert kproto("decode", *config, "--output", "table", HEX).stdout.startswith(b"Consumer")
    assert kproto("lint", *config, HEX.replace("0000", "0001", 1), status=1).stdout[:1] == b"{"
    assert kproto("decode", HEX, KPROTO_CONFIG=str(file)).stdout.startswith(b"{")


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("polcy = 1", 2, "there is no option --polcy; did you mean 'policy'"),
        ("[decode]\npolcy = 1", 2, "there is no option --polcy; did you mean 'policy'"),
        ("[decod]\n", 2, "there is no command 'decod'; did you mean 'decode'"),
        ("[decode]\njson = 1", 2, "json is true or false"),
        ("[decode]\npolicy = true", 2, "policy takes a text or a number"),
        ("[decode]\npolicy = 'mild'", 2, "policy: 'mild' is none of kafka, strict"),
        ("not toml", 3, "cannot be read"),
        (f"{'.'.join('a' * 16_000)} = 1", 3, "line 1: a dotted key has more than 32 parts"),
        (f"a = {'[' * 16_000}", 3, "cannot be read"),
        (f"a = {'9' * 16_000}", 3, "cannot be read"),
        (None, 2, "No such file"),
    ],
)
def test_a_file_that_is_wrong(
    text: str | None, status: int, words: str, kproto: Run, tmp_path: Path
) -> None:
    file = tmp_path / "kproto.toml"
    if text is not None:
        file.write_text(text)
    assert words in one_line(kproto("decode", "--config", file, HEX, status=status).stderr)


def test_a_file_names_no_code(kproto: Run, tmp_path: Path) -> None:
    """Of a scenario either: the command line alone does."""
    (tmp_path / "kproto.toml").write_text("[simulate]\nassignor = 'this:d'\n")
    done = kproto("simulate", "--config", tmp_path / "kproto.toml", status=2)
    assert "this:d, which is named on the command line alone" in one_line(done.stderr)
    (tmp_path / "kproto.toml").write_text("[simulate]\nassignor = 'range'\n")
    kproto("simulate", "--config", tmp_path / "kproto.toml")


def test_the_page_has_every_shared_option() -> None:
    """And the variables that the code reads."""
    docs = Path(__file__).parents[2] / "docs" / "reference" / "options.md"
    page = docs.read_text("utf-8")
    assert "<!-- made: options -->" in page
    for variable in ("KPROTO_CONFIG", "KPROTO_ENGINE", "KPROTO_CACHE", "PAGER", "NO_COLOR"):
        assert f"`{variable}`" in page
    assert not os.environ.get("KPROTO_CONFIG")
