"""The command in processes that are forked from one which has imported it: of what a short call
costs, importing is nine tenths.

Each call has a process, streams, a working directory and an exit status of its own, and modules
that nothing has used yet. The process ends once the command has, and the interpreter is not taken
apart. How the command starts and ends is held by what runs `COMMAND`, and by test_start.py.
"""

from __future__ import annotations

import gc
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import traceback
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from socket import socketpair

ROOMS = ("capture", "clients", "cluster", "inspector", "rebalance", "tools")
OF_AUDITS = ("jinja2", "pyarrow.parquet", "kproto.pipeline.run")
SERVE = "import sys; from tests.tools.forked import serve; serve(int(sys.argv[1]))"
SECONDS = 600


class Server:
    """A process that has imported the command, and runs it in a fork of its own for each call."""

    def __init__(self, environment: dict[str, str]) -> None:
        ours, its = socketpair()
        self._calls = Connection(ours.detach())
        with its:
            # Pipes, as what a call gets: what Python finds out about its streams as it starts.
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVE, str(its.fileno())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                pass_fds=[its.fileno()], env=environment, cwd=Path(__file__).parents[2],
            )  # fmt: skip

    def run(
        self, arguments: tuple[str | bytes | Path, ...], stdin: bytes
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the command with these arguments and this on its standard input."""
        reader, writer = os.pipe()
        with (
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
            os.fdopen(writer, "wb", buffering=0) as writing,
        ):
            self._calls.send(([os.fsdecode(word) for word in arguments], str(Path.cwd())))
            for handle in (reader, out.fileno(), err.fileno()):
                send_handle(self._calls, handle, self._process.pid)
            os.close(reader)
            process: int = self._calls.recv()
            with suppress(BrokenPipeError), writing:
                writing.write(stdin)
            if not self._calls.poll(SECONDS):
                os.kill(process, signal.SIGKILL)
                raise subprocess.TimeoutExpired([*arguments], SECONDS)
            status: int = self._calls.recv()
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([*arguments], status, out.read(), err.read())

    def close(self) -> None:
        """End the process; no call is going on."""
        self._calls.close()
        self._process.communicate()


def serve(handle: int) -> None:
    """Import the command, and run it in a fork for each call, until there are no more."""
    from kproto.tools.main import main

    for room in ROOMS:
        package = import_module(f"kproto.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for name in OF_AUDITS:
        with suppress(ImportError):
            import_module(name)
    gc.freeze()
    calls = Connection(handle)
    while True:
        try:
            arguments, folder = calls.recv()
        except EOFError:
            return
        streams = [recv_handle(calls) for _ in range(3)]
        process = os.fork()
        if process == 0:
            break
        for stream in streams:
            os.close(stream)
        calls.send(process)
        calls.send(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    calls.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    sys.argv[1:] = arguments
    try:
        status = main()
    except BaseException:  # noqa: BLE001  # as the interpreter does at its end
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
