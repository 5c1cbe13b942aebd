"""Every command ends with the exit statuses of the table, and with no other."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from kproto.tools.main import COMMANDS, command_parser
from kproto.tools.output.failures import NOT_DONE, OF_COMMANDS, REFUSED, WRONG_USE, statuses_of

from .conftest import CAPTURES, COMMAND, ENVIRONMENT, Run

HEX = "00000000000100066f7264657273ffffffff"
ODD = "00010000000100066f7264657273ffffffff"
SAVED = CAPTURES / "running-group.jsonl"
LOG = CAPTURES.parent / "logs" / "broker-3.7.2-java-3.7.2"
OLD = """{"type": "data", "name": "Ping", "validVersions": "0", "flexibleVersions": "none",
 "fields": [{"name": "Sent", "type": "int64", "versions": "0+"}]}"""
READS = "/proc/self/mem"
"""A file that can be opened, and not read."""

Calls = dict[str, dict[int, list[str]]]


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    """A call of each command for each status that it has of its own, and for 2."""
    files = {
        "old.json": OLD, "new.json": OLD.replace("int64", "int32"), "json": '{"topics": 5}',
        "broken.json": OLD.replace("int64", "int65"), "words.log": "no word of a group\n",
        "scenario.toml": "members = 1\n", "good.json": '{"topics": ["a"]}',
        "movable.jsonl": '{"group": "a", "members": []}\n', "other.jsonl": '{"group": 7}\n',
        "silent.py": "print('no hello')\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    at = {name: str(tmp_path / name) for name in (*files, "cut.pcap", "cut.gz", "out", "nothing")}
    Path(at["cut.pcap"]).write_bytes((CAPTURES / "three-clients.pcap").read_bytes()[:-7])
    Path(at["cut.gz"]).write_bytes(gzip.compress(f"{HEX}\n{HEX}\n".encode() * 40)[:-12])
    topic, out = str(CAPTURES / "offsets-topic"), ["--out", at["out"], "--replace"]
    subscription = ["--as", "ConsumerProtocolSubscription"]
    return {
        "decode": {0: [HEX], 1: [HEX[:-2]], 2: [at["nothing"]], 3: [at["cut.gz"]]},
        "encode": {
            0: [*subscription, at["good.json"]], 1: [*subscription, at["json"]],
            2: [*subscription, at["nothing"]], 3: [*subscription, READS],
        },
        "diff": {0: [HEX, HEX], 1: [HEX, ODD], 2: [HEX, at["nothing"]], 3: [HEX, at["cut.gz"]]},
        "lint": {0: [HEX], 1: [ODD], 2: [at["nothing"]], 3: [at["cut.pcap"]]},
        "explain": {0: ["KP003"], 2: ["KP999"]},
        "compat": {
            0: [at["old.json"], at["old.json"]], 1: [at["old.json"], at["new.json"]],
            2: [at["old.json"], at["nothing"]], 3: [at["old.json"], READS],
        },
        "fuzz": {0: ["list"], 2: ["run", "nothing"]},
        "conform": {
            1: ["--adapter", "kproto", "--ask", "00"],
            2: ["--", at["nothing"]],
            3: ["--", "true"],
        },
        "schemas": {0: [], 1: ["--search", "zqzq"], 2: ["Nothing"], 3: ["--definitions", READS]},
        "codegen": {0: [at["old.json"]], 1: [at["broken.json"]], 2: [at["nothing"]], 3: [READS]},
        "completion": {0: ["bash"], 2: ["tcsh"]},
        "page": {2: []},
        "group": {
            0: ["g-mixed", "--from", str(SAVED)], 2: ["g-none", "--from", str(SAVED)],
            3: ["--bootstrap-server", "127.0.0.1:1", "--timeout", "500ms"],
        },
        "audit": {
            0: [topic, "--group", "ck.range", *out], 1: [topic, *out],
            2: [at["nothing"], *out], 3: ["kafka://127.0.0.1:1", *out, "--timeout", "500ms"],
        },
        "migrate": {
            0: [at["movable.jsonl"]], 1: [at["other.jsonl"]], 2: [at["nothing"]],
            3: [at["cut.pcap"]],
        },
        "story": {
            0: [str(LOG)], 1: [at["words.log"]], 2: [at["nothing"]],
            3: ["kafka://127.0.0.1:1", "--timeout", "500ms"],
        },
        "simulate": {
            0: ["crash"], 1: [at["scenario.toml"]], 2: ["nothing"], 3: [READS],
        },
    }  # fmt: skip


def test_every_command_is_in_the_table() -> None:
    assert set(OF_COMMANDS) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_as_the_table_has_it(name: str, calls: Calls, kproto: Run) -> None:
    own = set(statuses_of(name)) - (
        {0} if name in {"conform", "page"} else set()
    )  # needs a program, or an extra
    never = {"explain", "fuzz", "completion", "page"}  # which read no input: see /dev/full below
    assert set(calls[name]) >= own - ({NOT_DONE} if name in never else set()) - (
        {REFUSED} if name == "fuzz" else set()
    )
    for status, arguments in calls[name].items():
        done = kproto(name, *arguments, status=status)
        if status in {WRONG_USE, NOT_DONE}:
            assert done.stderr.startswith(b"kproto: ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_the_statuses_of_the_table(name: str) -> None:
    _, parser = command_parser(name)
    for status, meaning in statuses_of(name).items():
        assert f"{status} {meaning}" in (parser.epilog or "")


@pytest.mark.parametrize("name", ["decode", "lint", "encode", "story", "migrate"])
def test_an_empty_standard_input_is_wrong_use(name: str, kproto: Run) -> None:
    arguments = ["--as", "ConsumerProtocolSubscription"] if name == "encode" else []
    assert b"empty" in kproto(name, *arguments, "-", status=2).stderr


def test_the_empty_message_is_written_as_hex(kproto: Run) -> None:
    (line,) = kproto("decode", "--json", "--hex", "", status=1).stdout.splitlines()
    assert json.loads(line)["error"]["kind"] == "truncated"
    kproto("decode", "", status=2)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")  # noqa: PTH110
@pytest.mark.parametrize("name", COMMANDS)
def test_a_result_that_cannot_be_written(name: str) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [*COMMAND, name, "--help"], stdout=full, stderr=subprocess.PIPE, check=False,
            env=ENVIRONMENT,
        )  # fmt: skip
    assert done.returncode == NOT_DONE
    assert b"cannot write the result" in done.stderr
