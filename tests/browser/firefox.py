"""A headless Firefox, spoken to in Marionette, its own protocol: JSON with its length in front."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.devtools import PageError

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

# A script's value, or the value of its promise, or what it threw.
_ANSWER = """
const [done] = [...arguments].slice(-1);
Promise.resolve().then(() => eval({script}))
  .then((value) => done({{value: value ?? null}}), (error) => done({{error: String(error)}}));
"""


class Firefox:
    """A browser with one tab."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._read()  # what the server says of itself
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.call("WebDriver:SetTimeouts", script=600_000, pageLoad=120_000)

    def call(self, command: str, /, **parameters: Any) -> Any:
        """Call a command of WebDriver, and return its result."""
        self._number += 1
        request = json.dumps([0, self._number, command, parameters]).encode()
        self._connection.sendall(b"%d:" % len(request) + request)
        _, _, error, result = self._read()
        if error is not None:
            raise PageError(f"{command}: {error}")
        return result

    def _read(self) -> Any:
        length = b""
        while (digit := self._connection.recv(1)) != b":":
            if not digit:
                raise PageError("the browser has ended")
            length += digit
        data = b""
        while len(data) < int(length):
            data += self._connection.recv(int(length) - len(data))
        return json.loads(data)

    def open(self, address: str) -> None:
        """Open a page."""
        self.call("WebDriver:Navigate", url=address)

    def run(self, script: str) -> Any:
        """Run a script in the page, wait for its promise, and return its value as JSON."""
        body = _ANSWER.format(script=json.dumps(script))
        answer = self.call("WebDriver:ExecuteAsyncScript", script=body, args=[], sandbox=None)
        if "error" in answer["value"]:
            raise PageError(answer["value"]["error"])
        return answer["value"]["value"]

    def wait(self, condition: str, seconds: float = 120) -> None:
        """Wait until a condition holds in the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(f"Boolean({condition})"):
                return
            time.sleep(0.05)
        raise TimeoutError(condition)


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Start Firefox, with a profile of its own that is gone afterwards."""
    assert FIREFOX is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="kproto-firefox-", ignore_cleanup_errors=True) as home:
        settings = f'user_pref("marionette.port", {port});\n'
        (Path(home) / "user.js").write_text(settings, encoding="ascii")
        process = subprocess.Popen(
            [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", home],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with _connection(port) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait()


def _connection(port: int) -> socket.socket:
    """A connection to Firefox, once it answers; it takes seconds to start."""
    end = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=600)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
