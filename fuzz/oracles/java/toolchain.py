"""Where the Java oracle's parts come from: a JVM, Kafka's jars, and the compiled helper.

The jars are Apache Kafka's, named in ``pom.xml`` and copied by Maven; the helper is
``Judge.java``, compiled against them. Both are made once, into the cache of `building`.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from ...building import Unavailable, cached, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

JAVA_RELEASE = 17
"""The oldest Java that runs the classes of Kafka's group coordinator."""

MAVEN_SECONDS = 300
_JAVAC_SECONDS = 120


class JavaUnavailable(Unavailable):
    """The Java oracle cannot be had here; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The parts that the oracle's JVM is started with."""

    jvm: Path
    """The JVM's shared library."""
    jars: tuple[Path, ...]
    """Kafka's jars and their dependencies."""
    judge: Path
    """The folder of the compiled helper."""


def locate() -> Toolchain:
    """Return the parts of the oracle; those that the cache does not hold yet are made.

    Raises `JavaUnavailable` if JPype, a JVM or, for what has to be made, Maven or javac is missing,
    or if one of them fails.
    """
    jvm = find_jvm(load_jpype())
    jars = fetch_kafka()
    judge = compile_judge(jars)
    return Toolchain(jvm=jvm, jars=tuple(sorted(jars.glob("*.jar"))), judge=judge)


def fetch_kafka() -> Path:
    """Return the folder of Kafka's jars and their dependencies. Raises `JavaUnavailable`."""
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


def load_jpype() -> ModuleType:
    """Return the JPype module, which is an extra: nothing else of kproto needs it. Raises
    `JavaUnavailable`.
    """
    try:
        return importlib.import_module("jpype")
    except ImportError as error:
        from ....extras import install_command

        needs = f"JPype is not installed: {install_command('java')}"
        raise JavaUnavailable(needs) from error


def find_jvm(jpype: ModuleType) -> Path:
    """Return the path of the JVM's library. Raises `JavaUnavailable` if there is none."""
    try:
        return Path(jpype.getDefaultJVMPath())
    except ValueError as error:  # what JPype's own exceptions are
        raise JavaUnavailable(
            f"no Java is installed: install a JDK of {JAVA_RELEASE} or newer, or set JAVA_HOME"
        ) from error


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
