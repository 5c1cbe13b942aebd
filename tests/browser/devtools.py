"""A headless Chromium, spoken to in the DevTools protocol over a pipe: JSON that ends in a NUL."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


class PageError(Exception):
    """A script of a test failed in the page."""


class Browser:
    """A browser with one tab. `events` are those that the protocol reported, of workers too."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int) -> None:
        self._process = process
        self._write, self._read = write, read
        self._buffer = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True
        )

    def call(self, method: str, /, **parameters: Any) -> Any:
        """Call a method of the protocol, in the tab, and return its result."""
        self._number += 1
        request: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if hasattr(self, "_session"):
            request["sessionId"] = self._session
        os.write(self._write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self._receive(120)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") == request["id"]:
                if "error" in answer:
                    raise PageError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        if event.get("method") == "Target.attachedToTarget":  # a worker: it reports, too
            session = event["params"]["sessionId"]
            for method in ("Network.enable", "Runtime.enable", "Log.enable"):
                self._number += 1
                request = {"id": self._number, "method": method, "sessionId": session}
                os.write(self._write, json.dumps(request).encode() + b"\0")

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        while b"\0" not in self._buffer:
            if not select([self._read], [], [], seconds)[0]:
                return None
            data = os.read(self._read, 1 << 20)
            if not data:
                raise PageError("the browser has ended")
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def settle(self, seconds: float) -> None:
        """Take what is reported in this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            event = self._receive(left)
            if event is not None:
                self._note(event)

    def open(self, address: str) -> None:
        """Open a page."""
        self.call("Page.navigate", url=address)

    def run(self, script: str, seconds: float = 120) -> Any:
        """Evaluate a script in the page, wait for its promise, and return its value as JSON."""
        result = self.call(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            allowUnsafeEvalBlockedByCSP=False,
            timeout=seconds * 1000,
        )
        if "exceptionDetails" in result:
            raise PageError(json.dumps(result["exceptionDetails"])[:2000])
        return result["result"].get("value")

    def wait(self, condition: str, seconds: float = 120) -> None:
        """Wait until a condition holds in the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(f"Boolean({condition})"):
                    return
            except PageError as error:  # the page has just gone
                if "context" not in str(error) and "navigated" not in str(error):
                    raise
            time.sleep(0.05)
        raise TimeoutError(condition)

    def screenshot(self, path: Path) -> None:
        """Write a picture of the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def reported(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of all events of a kind."""
        return [event["params"] for event in self.events if event.get("method") == method]


# Gives the pipes the numbers 3 and 4, where Chromium looks for them, and becomes Chromium.
_NUMBERED = """
import os, sys
read, write = (os.dup(int(word)) for word in sys.argv[1:3])
os.dup2(read, 3), os.dup2(write, 4)
os.set_inheritable(3, True), os.set_inheritable(4, True)
os.execv(sys.argv[3], sys.argv[3:])
"""


@contextmanager
def browser(*options: str) -> Iterator[Browser]:
    """Start Chromium, with a profile of its own that is gone afterwards."""
    assert CHROMIUM is not None
    from_browser, to_us = os.pipe()
    from_us, to_browser = os.pipe()
    with tempfile.TemporaryDirectory(prefix="kproto-chromium-", ignore_cleanup_errors=True) as home:
        command = [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", f"--user-data-dir={home}", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--window-size=1280,900", *options, "about:blank",
        ]  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-c", _NUMBERED, str(from_us), str(to_us), *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(from_us, to_us),
        )
        os.close(from_us)
        os.close(to_us)
        try:
            yield Browser(process, to_browser, from_browser)
        finally:
            process.terminate()
            process.wait()
            os.close(to_browser)
            os.close(from_browser)
