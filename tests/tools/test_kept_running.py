"""A command is interrupted at any moment, twice in one folder, or talks to a broker that dies: no
traceback, no lost file, and the next run does what was asked.

The campaign is drawn from a seed, KPROTO_SEED, and takes KPROTO_SECONDS for each of its tests.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kproto.tools.main import main

from ..cluster.brokers import listening
from ..cluster.groups import Groups, group, member
from .conftest import CAPTURES, ENVIRONMENT

SECONDS = float(os.environ.get("KPROTO_SECONDS", "40"))
SEED = int(os.environ.get("KPROTO_SEED", "1"))
PCAP = str(CAPTURES / "three-clients.pcap")
TOPIC = str(CAPTURES / "offsets-topic")
ENDS = {0, 1, 2, 3, 130, 141, 143, -signal.SIGTERM, -signal.SIGPIPE, -signal.SIGINT}


PROGRAM = """
import os, sys
from kproto.tools.output import interrupts
interrupts.end_at_once()
os.write(int(sys.argv.pop(1)), b"1")
from kproto.__main__ import main
sys.exit(main())
"""


def started(words: list[str]) -> subprocess.Popen[bytes]:
    """Start the command, and return once it handles Ctrl-C: until then Python does."""
    ready, writable = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(writable), *words], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=ENVIRONMENT, pass_fds=[writable],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    os.close(writable)
    os.read(ready, 1)
    os.close(ready)
    return process


def ended(process: subprocess.Popen[bytes], words: list[str]) -> None:
    _, error = process.communicate(timeout=600)
    assert process.returncode in ENDS, (words, process.returncode, error)
    assert b"Traceback" not in error, (words, error)


@pytest.mark.long
def test_signals_at_random_moments(tmp_path: Path) -> None:
    rng = random.Random(SEED)  # noqa: S311
    page = tmp_path / "page.html"
    assert main(["simulate", "crash", "--html", str(page)]) == 0
    whole = page.read_bytes()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        words = rng.choice(
            [
                ["decode", "--json", PCAP],
                ["story", PCAP],
                ["lint", "--json", PCAP],
                ["simulate", "crash", "--html", str(page)],
                ["audit", TOPIC, "--out", str(tmp_path / "audit"), "--replace"],
            ]
        )
        process = started(words)
        time.sleep(rng.uniform(0, 2.5))
        what = rng.choice([signal.SIGTERM, signal.SIGINT, signal.SIGPIPE])
        if what == signal.SIGPIPE:
            assert process.stdout is not None
            process.stdout.close()
            process.stdout = None
        else:
            process.send_signal(what)
        ended(process, words)
        assert page.read_bytes() == whole
        assert not list(tmp_path.glob(".kproto-*"))
        assert not (tmp_path / "audit").exists() or _is_whole(tmp_path / "audit")
    again = ["audit", TOPIC, "--out", str(tmp_path / "audit"), "--replace", "--fail-on", "never"]
    assert main(again) == 0
    assert _is_whole(tmp_path / "audit")


def _is_whole(folder: Path) -> bool:
    if not (folder / "manifest.json").exists():  # nothing is published
        return not (folder / "findings").exists()
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return bool(manifest)


@pytest.mark.long
def test_two_runs_into_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "audit"
    words = ["audit", TOPIC, "--out", str(out), "--replace", "--fail-on", "never"]
    rng = random.Random(SEED)  # noqa: S311
    end = time.monotonic() + SECONDS / 2
    while time.monotonic() < end:
        processes = []
        for _ in range(2):
            processes.append(started(words))
            time.sleep(rng.uniform(0, 0.3))
        for process in processes:
            ended(process, words)
        assert _is_whole(out)


def dying(broker: Groups, answers: int, rng: random.Random) -> Any:
    """Serves so many requests of all connections, and then dies: before, in or behind an answer."""
    left = itertools.count(answers, -1)
    how = rng.choice(["refuses", "half", "garbage"])

    class Line:
        """A connection that ends."""

        def __init__(self, line: socket.socket) -> None:
            self._line = line

        def __getattr__(self, name: str) -> Any:
            return getattr(self._line, name)

        def sendall(self, data: bytes) -> None:
            if next(left) > 0:
                self._line.sendall(data)
                return
            if how == "half":
                self._line.sendall(data[: len(data) // 2])
            elif how == "garbage":
                self._line.sendall(data[:8] + bytes(len(data) - 8))
            raise ConnectionError

    return lambda line: broker(Line(line))  # type: ignore[arg-type]


@pytest.mark.parametrize("words", [[], ["payments"]], ids=["list", "one"])
def test_a_broker_that_dies_in_any_phase(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng = random.Random(SEED)  # noqa: S311
    saved = tmp_path / "saved"
    for answers in range(12):
        saved.write_text("older")
        with listening(dying(Groups(group("payments", member("a"))), answers, rng)) as address:
            more = ["--timeout", "2s", *(["--save", str(saved)] if words else [])]
            status = main(["group", *words, "--bootstrap-server", address, *more])
        shown = capsys.readouterr()
        assert status in (0, 2, 3), (answers, shown.err)
        assert "Traceback" not in shown.err
        assert saved.read_text() == "older" or status == 0 or not words


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_how_a_watch_ends(number: int, status: int) -> None:
    """Ctrl-C is its normal end; both have the summary."""
    with listening(Groups(group("payments", member("a")))) as address:
        process = started(["group", "payments", "--bootstrap-server", address, "--watch", "1s"])
        assert process.stdout is not None
        process.stdout.readline()  # it begins with the group as it is
        time.sleep(3)
        process.send_signal(number)
        shown, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (status, b"")
    assert b"payments  watched for" in shown


def test_a_clock_that_steps_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While a group is watched."""
    now = itertools.chain([1_800_000_000.0], itertools.count(1_700_000_000.0, -3600))
    monkeypatch.setattr(time, "time", lambda: next(now))
    with listening(Groups(group("payments", member("a")))) as address:
        words = ["group", "payments", "--bootstrap-server", address, "--watch", "1s", "--json"]
        status = main([*words, "--for", "2s"])
    shown = capsys.readouterr()
    assert status == 0 and not shown.err, shown.err
