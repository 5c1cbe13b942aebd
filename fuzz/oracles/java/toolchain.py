"""Where the Java oracle's parts come from: a JVM, Kafka's jars, and the compiled helper.

The jars are Apache Kafka's, named in ``pom.xml`` and copied by Maven; the helper is
``Judge.java``, compiled against them. Both are made once, into a cache folder outside the
source tree that is keyed by what they were made from, and a finished folder appears in one step:
processes that start together may each do the work, but none ever sees half of it.

The cache is ``$KPROTO_CACHE``, else ``$XDG_CACHE_HOME/kproto``, else ``~/.cache/kproto``.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

JAVA_RELEASE = 17
"""The oldest Java that runs the classes of Kafka's group coordinator."""

_MAVEN_SECONDS = 300
_JAVAC_SECONDS = 120


class JavaUnavailable(Exception):
    """The Java oracle cannot be had here; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """What the oracle's JVM is started with."""

    jvm: Path
    """The JVM's shared library."""
    jars: tuple[Path, ...]
    """Kafka's jars and what they need."""
    judge: Path
    """The folder of the compiled helper."""


def locate() -> Toolchain:
    """Find the parts of the oracle, and make those that the cache does not hold yet.

    Raises `JavaUnavailable` where JPype, a JVM or, for what is still to be made, Maven or javac
    is missing, or where one of them fails.
    """
    jvm = _find_jvm(load_jpype())
    jars = fetch_kafka()
    judge = compile_judge(jars)
    return Toolchain(jvm=jvm, jars=tuple(sorted(jars.glob("*.jar"))), judge=judge)


def fetch_kafka() -> Path:
    """Return the folder of Kafka's jars and what they need. Raises `JavaUnavailable`."""
    return fetch_jars((resources.files(__package__) / "pom.xml").read_bytes())


def compile_judge(jars: Path) -> Path:
    """Return the folder of the compiled helper. Raises `JavaUnavailable`."""
    helper = (resources.files(__package__) / "Judge.java").read_bytes()
    return compile_java(helper, "Judge", jars)


def fetch_jars(pom: bytes) -> Path:
    """Return the folder of the jars that a pom names, copied by Maven once. Raises
    `JavaUnavailable`.
    """
    return _cached("jars", pom, fill=lambda folder: _fetch(pom, folder))


def compile_java(source: bytes, name: str, jars: Path, *, beside: Path | None = None) -> Path:
    """Return the folder of the classes of `name`.java, compiled once against these jars.

    `beside` is another such folder that it needs. Raises `JavaUnavailable`.
    """
    classpath = f"{jars}{os.sep}*" if beside is None else f"{jars}{os.sep}*{os.pathsep}{beside}"
    made_from = [source, jars.name.encode()]  # the name of a cached folder says what is in it
    if beside is not None:
        made_from.append(beside.name.encode())
    kind = name.lower()
    return _cached(kind, *made_from, fill=lambda into: _compile(source, name, classpath, into))


def load_jpype() -> ModuleType:
    """Import JPype, which is an extra: nothing else of kproto needs it."""
    try:
        return importlib.import_module("jpype")
    except ImportError as error:
        from ....extras import install_command

        needs = f"JPype is not installed: {install_command('java')}"
        raise JavaUnavailable(needs) from error


def _find_jvm(jpype: ModuleType) -> Path:
    try:
        return Path(jpype.getDefaultJVMPath())
    except ValueError as error:  # what JPype's own exceptions are
        raise JavaUnavailable(
            f"no Java is installed: install a JDK of {JAVA_RELEASE} or newer, or set JAVA_HOME"
        ) from error


def _cached(kind: str, *contents: bytes, fill: Callable[[Path], None]) -> Path:
    key = hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]
    folder = _cache() / "java" / f"{kind}-{key}"
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{kind}-") as scratch:
            made = Path(scratch) / kind
            made.mkdir()
            fill(made)
            _publish(made, folder)
    except OSError as error:
        raise JavaUnavailable(f"the cache folder {folder.parent} is unusable: {error}") from error
    return folder


def _publish(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was faster, and made the same
            raise


def _cache() -> Path:
    if own := os.environ.get("KPROTO_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "kproto"


def _fetch(pom: bytes, folder: Path) -> None:
    (folder.parent / "pom.xml").write_bytes(pom)
    arguments = ["-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"]
    arguments.append(f"-DoutputDirectory={folder}")
    _run("mvn", *arguments, cwd=folder.parent, seconds=_MAVEN_SECONDS)


def _compile(text: bytes, name: str, classpath: str, folder: Path) -> None:
    source = folder.parent / f"{name}.java"
    source.write_bytes(text)
    arguments = ["--release", str(JAVA_RELEASE), "-cp", classpath, "-d", str(folder)]
    _run("javac", *arguments, str(source), cwd=folder.parent, seconds=_JAVAC_SECONDS)


def _run(program: str, *arguments: str, cwd: Path, seconds: int) -> None:
    found = shutil.which(program)
    if found is None:
        raise JavaUnavailable(f"{program} is not installed, and the Java oracle is not cached yet")
    try:
        done = subprocess.run(
            [found, *arguments],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise JavaUnavailable(f"{program} was not done after {seconds} s") from error
    if done.returncode:
        raise JavaUnavailable(f"{program} failed: {_complaint(done.stdout)}")


def _complaint(output: str) -> str:
    """The one line worth showing: the first that names an error, without Maven's ornaments."""
    lines = output.splitlines()
    line = next((line.strip() for line in lines if "error" in line.lower()), "no reason given")
    complaint = line.partition("[ERROR] ")[2] or line
    return complaint.partition(" -> [Help")[0]
