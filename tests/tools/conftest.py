"""The command as people run it: a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from kproto.tools.main import main

from .forked import Server

COMMAND = [sys.executable, "-c", "import sys; from kproto.tools.main import main; sys.exit(main())"]
CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
QUIET = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONUTF8"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in QUIET}

each_a_process = settings(max_examples=max(1, settings().max_examples // 30))
"""For tests whose examples each take a process or several."""

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="session")
def kproto() -> Iterator[Run]:
    """Runs the command; `status` is asserted, and that it never ends in a traceback.

    With variables of the environment, or where processes cannot be forked, it starts from nothing.
    """
    server = Server(ENVIRONMENT) if hasattr(os, "fork") else None

    def run(
        *arguments: str | bytes | Path, stdin: bytes = b"", status: int = 0, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        if server is not None and not environment:
            done = server.run(arguments, stdin)
        else:
            done = subprocess.run(
                [*COMMAND, *arguments],
                input=stdin,
                capture_output=True,
                check=False,
                timeout=600,
                env=ENVIRONMENT | environment,
            )
        assert b"Traceback" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    yield run
    if server is not None:
        server.close()


class Answer(NamedTuple):
    """What a command printed, what it wrote to standard error, and its status."""

    text: str
    notes: str
    status: int

    @property
    def lines(self) -> list[Any]:
        """The lines of JSON."""
        return [json.loads(line) for line in self.text.splitlines()]


def run(*arguments: str | Path) -> Answer:
    """Run the command in this process."""
    streams = sys.stdout, sys.stderr
    out, notes = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in streams)
    sys.stdout, sys.stderr = out, notes
    try:
        status = main([str(argument) for argument in arguments])
    finally:
        sys.stdout, sys.stderr = streams
    out.seek(0)
    notes.seek(0)
    return Answer(out.read(), notes.read(), status)
