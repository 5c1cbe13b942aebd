"""A Spark session for a command that reports itself what goes wrong, in a line."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from .. import pipeline
from ..extras import missing
from ..pipeline.spark import NotInstalled
from .output import interrupts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["command_session", "require_pandas"]


def require_pandas(what: str) -> None:
    """Raise `NotInstalled` where there is no pandas: PySpark has it not among its dependencies, and
    asks for it wherever Python gets tables of Arrow."""
    if find_spec("pandas") is None:
        raise NotInstalled(missing(what, "pandas", "spark"))


def command_session(master: str, app_name: str = "kproto") -> SparkSession:
    """Return the session that is used from now on. Raises what `bare_session` raises.

    Spark's own log is off, and what Java prints is not shown: a task that is tried again is no
    news, and one that fails for good is told. Ctrl-C stays what it was: PySpark's handler asks Java
    to cancel, in the midst of another question to it, and py4j logs the tracebacks of both.
    """
    require_pandas("Spark")
    _hear_kproto_alone()
    handler = signal.getsignal(signal.SIGINT)
    with _quiet_start():
        session = pipeline.bare_session(master, app_name, {"spark.log.level": "OFF"})
    if threading.current_thread() is threading.main_thread():  # which alone has handlers
        signal.signal(signal.SIGINT, handler)
    # It prints a traceback where Java hangs up, as it does once a query is stopped.
    server: Any = session.sparkContext._accumulatorServer
    server.handle_error = _no_news
    return session


def _no_news(*_: object) -> None:
    """Say nothing of a connection from Java that has ended."""


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Keep what Java and Spark print off standard error, in a file. Where they do not start it is
    shown, for it may say why; not where somebody interrupts the start."""
    with TemporaryFile() as greetings:
        try:
            own = os.dup(2)
        except OSError:  # there is no standard error
            yield
            return
        os.dup2(greetings.fileno(), 2)
        try:
            yield
        except Exception:
            if not interrupts.was_asked():  # which PySpark may turn into another error
                greetings.seek(0)
                os.write(own, greetings.read())
            raise
        finally:
            os.dup2(own, 2)
            os.close(own)


def _hear_kproto_alone() -> None:
    """Print warnings of kproto, and nothing of what py4j logs: it uses the root logger."""
    ours, root = logging.getLogger("kproto"), logging.getLogger()
    if not root.handlers and logging.lastResort is not None:
        root.addHandler(logging.NullHandler())
        ours.addHandler(logging.lastResort)
