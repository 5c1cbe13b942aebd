"""Builds of other people's programs: made once, outside the source tree, by their own tools.

A finished folder appears in the cache in one step, under a name derived from what it was made from:
processes that start together may each do the work, but none ever sees half of it. Jars are copied
by Maven, Java is compiled by javac.

The cache is ``$KPROTO_CACHE``, else ``$XDG_CACHE_HOME/kproto``, else ``~/.cache/kproto``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path


class Unavailable(Exception):
    """A program or a tool cannot be had on this machine; the message is one sentence that says
    why.
    """


def cached(kind: str, *made_from: bytes, fill: Callable[[Path], None]) -> Path:
    """Return the folder that `fill` filled, in this call or an earlier one. Raises `Unavailable`.

    `kind` begins the folder's path inside the cache, `made_from` is what its name is derived from.
    `fill` gets an empty folder; files that it needs on the way may go next to it, into its parent.
    """
    key = hashlib.sha256(b"\0".join(made_from)).hexdigest()[:16]
    folder = _cache() / f"{kind}-{key}"
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f"{folder.name}-") as scratch:
            result = Path(scratch) / "made"
            result.mkdir()
            fill(result)
            _publish(result, folder)
    except OSError as error:
        raise Unavailable(f"the cache folder {folder.parent} is unusable: {error}") from error
    return folder


def _publish(result: Path, folder: Path) -> None:
    try:
        result.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was faster, and made the same
            raise


def _cache() -> Path:
    if own := os.environ.get("KPROTO_CACHE"):
        return Path(own).absolute()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "kproto"


def run(
    program: str, *arguments: str, cwd: Path, seconds: int, env: Mapping[str, str] | None = None
) -> None:
    """Run a tool to its end, with `env` added to the environment. Raises `Unavailable`."""
    path = shutil.which(program)
    name = Path(program).name
    if path is None:
        raise Unavailable(f"{name} is not installed")
    try:
        process = subprocess.run(
            [path, *arguments],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{name} did not finish within {seconds} s") from error
    if process.returncode:
        raise Unavailable(f"{name} failed: {_complaint(process.stdout)}")


def _complaint(output: str) -> str:
    """Return the one line worth showing: the first that names an error, without Maven's ornaments
    and pip's warnings about what it tries again.
    """
    all_lines = [line.strip() for line in output.splitlines() if line.strip()]
    lines = [line for line in all_lines if not line.startswith("WARNING: ")] or all_lines
    errors = [line for line in lines if "error" in line.lower()]
    line = (errors or lines[-1:] or ["no reason given"])[0]
    complaint = line.partition("[ERROR] ")[2] or line
    return complaint.partition(" -> [Help")[0][:300]


# Java

JAVA_RELEASE = 17
"""The oldest Java that runs the classes of Kafka's group coordinator."""


MAVEN_SECONDS = 300


_JAVAC_SECONDS = 120


class JavaUnavailable(Unavailable):
    """The Java oracle cannot be had here; the message is one sentence that says why."""


def fetch_jars(pom: bytes) -> Path:
    """Return the folder of the jars that a pom names, copied by Maven once. Raises
    `JavaUnavailable`.
    """
    return _cached("jars", pom, fill=lambda folder: _fetch(pom, folder))


def compile_java(source: bytes, name: str, jars: Path, *, classes: Path | None = None) -> Path:
    """Return the folder of the classes of `name`.java, compiled once against these jars.

    `classes` is another such folder that it needs. Raises `JavaUnavailable`.
    """
    classpath = f"{jars}{os.sep}*" if classes is None else f"{jars}{os.sep}*{os.pathsep}{classes}"
    made_from = [source, jars.name.encode()]  # the name of a cached folder says what is in it
    if classes is not None:
        made_from.append(classes.name.encode())
    kind = name.lower()
    return _cached(kind, *made_from, fill=lambda into: _compile(source, name, classpath, into))


def _cached(kind: str, *made_from: bytes, fill: Callable[[Path], None]) -> Path:
    try:
        return cached(f"java/{kind}", *made_from, fill=fill)
    except Unavailable as reason:
        raise JavaUnavailable(str(reason)) from reason


def _fetch(pom: bytes, folder: Path) -> None:
    (folder.parent / "pom.xml").write_bytes(pom)
    arguments = ["-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"]
    arguments.append(f"-DoutputDirectory={folder}")
    run("mvn", *arguments, cwd=folder.parent, seconds=MAVEN_SECONDS)


def _compile(text: bytes, name: str, classpath: str, folder: Path) -> None:
    source = folder.parent / f"{name}.java"
    source.write_bytes(text)
    arguments = ["--release", str(JAVA_RELEASE), "-cp", classpath, "-d", str(folder)]
    run("javac", *arguments, str(source), cwd=folder.parent, seconds=_JAVAC_SECONDS)
