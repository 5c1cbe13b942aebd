"""A consumer in a process of its own, in whatever language its binding is for.

The program gets its configuration as JSON in its last argument, and says on standard output, a JSON
object a line: {"client": ..., "release": ...} at once, with "log": "late" if its log has a queue,
then {"assigned": [[TOPIC, PARTITION], ...]} for each assignment that it took and {"refused": WHY}
for each that it could not take. On standard input it gets {"subscribe": [TOPIC, ...]} and
{"assign": []}, and {} if its log is late; it answers {"done": ""}, when the queue is empty, or
{"done": ERROR}. Standard error is librdkafka's log. What ends that program ends this one.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..oracles.client import ClientUnavailable

_CHUNK = 1 << 16  # the size of a pipe
_TURN = 0.0005  # seconds to wait for its output
_SECONDS = 8.0  # for the answer to a command
_RECORD = re.compile(rb"\n(?=%\d\|)")
_NOT_TEXT = re.compile("[\udc80-\udcff]")


class Rejected(Exception):
    """The consumer does not take such topics."""


class DrivenConsumer:
    """The consumer. Raises `ClientUnavailable` if its program does not start."""

    def __init__(self, command: Sequence[str], settings: Mapping[str, str]) -> None:
        self.assigned: list[tuple[str, int]] | None = None
        self.refused = ""
        self._done: str | None = None
        self._log = bytearray()
        self._said = b""
        self._hello: dict[str, str] = {}
        self._process = subprocess.Popen(
            [*command, json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin = self._process.stdin
        self._out, self._err = self._process.stdout.fileno(), self._process.stderr.fileno()
        os.set_blocking(self._out, False)
        os.set_blocking(self._err, False)
        try:
            self._await(lambda: self._hello or None, seconds=60.0)
        except EOFError:
            raise ClientUnavailable(self._last_words()[-1:] or "no consumer") from None
        self.client, self.release = self._hello["client"], self._hello["release"]

    def subscribe(self, topics: list[str]) -> None:
        """Change its subscription. Raises `Rejected`."""
        self._command({"subscribe": topics})

    def assign_nothing(self) -> None:
        """Let it take no partition."""
        self._command({"assign": []})

    def catch_up(self) -> None:
        """Wait for what a log holds back that is late, of all that the consumer has done."""
        if self._hello.get("log") == "late":
            self._command({})

    def forget(self) -> None:
        """Forget what it has said so far."""
        self.catch_up()
        self.take()
        self._log.clear()
        self.assigned, self.refused = None, ""

    def log(self) -> list[str]:
        """Return its log's lines; each byte that is no UTF-8 is U+FFFD, as for other clients that
        keep names as bytes.
        """
        self._drain()
        lines = _RECORD.split(self._log.removesuffix(b"\n"))
        return [_NOT_TEXT.sub("\ufffd", line.decode("utf-8", "surrogateescape")) for line in lines]

    def take(self) -> None:
        """Take what it says now, or soon. Ends this process as the other one ended."""
        try:
            self._take()
        except EOFError:
            self._die()

    def _command(self, what: Mapping[str, Any]) -> None:
        self._done = None
        try:
            self._stdin.write(json.dumps(what).encode() + b"\n")
            self._await(lambda: self._done)
        except (EOFError, BrokenPipeError):
            self._die()
        if self._done:
            raise Rejected(self._done)

    def _await(self, done: Any, seconds: float = _SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while done() is None:
            if time.monotonic() > deadline:
                raise TimeoutError("the consumer does not answer")
            self._take()

    def _take(self) -> None:
        select.select([self._out], [], [], _TURN)
        self._drain()
        try:
            self._said += (said := os.read(self._out, _CHUNK))
        except BlockingIOError:
            return
        if not said:
            raise EOFError
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            self._hear(json.loads(line))

    def _hear(self, said: dict[str, Any]) -> None:
        if "assigned" in said:
            self.assigned = [(topic, partition) for topic, partition in said["assigned"]]
        elif "refused" in said:
            self.refused = said["refused"]
        elif "done" in said:
            self._done = said["done"]
        else:
            self._hello = said

    def _drain(self) -> None:
        """Take the log of all that it has done: one reading holds a whole pipe. To read until the
        pipe is empty might never end while the consumer writes.
        """
        with suppress(BlockingIOError):
            self._log += os.read(self._err, _CHUNK)

    def _last_words(self) -> list[str]:
        return [line for line in self.log() if not line.startswith("%")]

    def _die(self) -> None:
        """End as the consumer did, with what it said on standard error and is no log."""
        code = self._process.wait()
        lines = self._log.decode("utf-8", "replace").splitlines()
        sys.stderr.write("\n".join(line for line in lines if line[:1] != "%"))
        sys.stderr.flush()
        if code < 0:
            signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code)
