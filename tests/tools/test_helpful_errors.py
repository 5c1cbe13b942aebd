"""Errors that say what was probably meant, and what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kproto.extras import install_command
from kproto.tools.main import COMMANDS

from ..capture.logs.recorded import text
from .conftest import CAPTURES, Run
from .test_main import one_line

HEX = "00000000000100066f7264657273ffffffff"
SAVED = str(CAPTURES / "running-group.jsonl")


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["decod", HEX], "did you mean 'decode'"),
        (["help", "lnit"], "did you mean 'lint'"),
        (["decode", "--jsn", HEX], "did you mean '--json'"),
        (["decode", "--output", "tabel", HEX], "did you mean 'table'"),
        (["decode", "--as", "subscripton", HEX], "ConsumerProtocolSubscription"),
        (["simulate", "crahs"], "did you mean 'crash'"),
        (["simulate", "--assignor", "cooprative-sticky"], "did you mean 'cooperative-sticky'"),
        (["group", "g-mixd", "--from", SAVED], "did you mean 'g-mixed'"),
        (["group", "g-mixed", "--from", SAVED, "--what-if", "assignor=rnage"], "'range'"),
        (["group", "payments", "--describe"], "kproto group NAME describes a group"),
        (["group", "--list"], "kproto group lists all groups"),
        (["lint", "--readers", "sarma", HEX], "did you mean 'sarama'"),
        (["conform", "--adapter", "jaav"], "did you mean 'java'"),
        (["explain", "rebalanc-storm"], "did you mean rebalance-storm"),
        (["--json", "decode", HEX], f"goes behind it: kproto decode --json {HEX}"),
        (["--nope", "decode", HEX], "--nope"),
        (["--json"], "a command is missing"),
        (["audit", "kafka://", "--out", "none"], "no broker is named"),
        (["audit", "--bootstrap-server", "a:9092", "--out", "x"], "a source: kafka://HOST:PORT"),
        (["audit", "a:9092", "--out", "none"], "a broker is kafka://a:9092"),
        (["audit", "prod=a:9092", "--out", "none"], "a broker is kafka://a:9092"),
        (["story", "a:9092"], "a broker is kafka://a:9092"),
        (["migrate", "broker:9092"], "a broker is kafka://broker:9092"),
        (["story", "kafka:/a:9092"], "a broker is kafka://a:9092"),
        (["group", "kafka:/a:9092"], "as --bootstrap-server a:9092"),
        (["group", "--format", "csv"], "here it is --output"),
        (["group", "--csv"], "here it is --output csv"),
        (["group", "--bootstrap", "a:9092"], "here it is --bootstrap-server"),
        (["audit", "x", "--bootstrap", "a:9092"], "a source: kafka://HOST:PORT"),
        (["group", "--from", SAVED, "--rate", "5s"], "--from reads a file"),
        (["group", "g-mixed", "--from", SAVED, "--save", "x"], "with --redact it writes"),
        (["group", "g-mixed", "--watch", "--html", "x"], "group NAME --html FILE shows it as it"),
        (["group", "g-mixed", "--from", SAVED, "--history"], "--history asks a broker"),
        (["group", "g-mixed", "--from", SAVED, "--kind", "share"], "--kind is for the list"),
        (["group", "--watch", "--group", "g"], "--group is for the list"),
        (["group", "g-mixed", "--from", SAVED, "--for", "5s"], "--for is for --watch"),
        (["group", "g-mixed", "--from", SAVED, "--session-timeout", "5s"], "is for --what-if"),
        (["audit", "x", "--out-dir", "y"], "--out-dir is no option; did you mean '--out'"),
    ],
)
def test_what_was_probably_meant(arguments: list[str], advice: str, kproto: Run) -> None:
    done = kproto(*arguments, status=2)
    assert advice in one_line(done.stderr)
    assert not done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str, kproto: Run) -> None:
    assert kproto("help", name).stdout == kproto(name, "--help").stdout


def test_help_and_version(kproto: Run) -> None:
    assert kproto("help").stdout == kproto("--help").stdout
    assert kproto("-V").stdout == kproto("--version").stdout


@pytest.mark.parametrize("word", ["subscription", "Subscription", "SUBSCRIPTION"])
def test_a_message_by_the_name_that_people_use(word: str, kproto: Run) -> None:
    assert b"ConsumerProtocolSubscription version 0" in kproto("decode", "--as", word, HEX).stdout


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", "pipx install --force "),
        ("uv-receipt.toml", "uv tool install --force "),
    ],
)
def test_an_extra_is_installed_by_what_installed_kproto(
    file: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_text("")
    line = install_command("audit", str(tmp_path))
    assert line.startswith(command) and "[audit]" in line
    assert "[audit]" in install_command("audit") and " install " in install_command("audit")


@pytest.mark.parametrize(
    "words",
    [
        ["--matrix", "--from", str(CAPTURES.parents[2] / "docs" / "matrix" / "matrix.json")],
        ["--init", "go", "--out", "OUT"],
    ],
)
def test_conform_needs_its_extra_to_judge_alone(words: list[str], tmp_path: Path) -> None:
    words = [str(tmp_path / "adapter") if word == "OUT" else word for word in words]
    run = _conform_without_its_extra(*words)
    assert (run.returncode, run.stderr) == (0, "") and run.stdout


def test_a_program_that_is_not_there_is_named_before_a_missing_extra() -> None:
    run = _conform_without_its_extra("--", "./nothing")
    assert run.returncode == 2 and run.stderr.startswith("kproto: './nothing': No such file")


def _conform_without_its_extra(*words: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from kproto.tools.main import main\n"
        "sys.exit(main(['conform', *sys.argv[1:]]))"
    )
    call = [sys.executable, "-c", program, *words]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_a_log_without_bytes_leads_to_its_story(kproto: Run, tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    log.write_bytes(text("forms/c2.log").encode())
    for command in ("decode", "lint"):
        assert b"kproto story" in kproto(command, log, status=1).stderr
