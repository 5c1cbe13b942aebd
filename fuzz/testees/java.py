"""Apache Kafka's Java client as a testee: the command of a JVM with `Testee.java` in it."""

from __future__ import annotations

import os
import shutil
from importlib import resources
from pathlib import Path

from ...codec import message_class
from ...codec.runtime.registry import built_in_names
from ..oracles.java import JavaUnavailable
from ..oracles.java.oracle import kafka_classes
from ..oracles.java.toolchain import compile_java, compile_judge, fetch_kafka

OPTIONS = ("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
"""JVM options for small and even runs, with no more memory at once than a testee needs."""


def command() -> tuple[str, ...]:
    """Return the command; the jars are fetched and the helpers compiled once. Raises
    `JavaUnavailable`.
    """
    java = shutil.which("java", path=search_path())
    if java is None:
        raise JavaUnavailable("no Java is installed: install a JDK of 17 or newer")
    jars = fetch_kafka()
    judge = compile_judge(jars)
    source = resources.files(__package__).joinpath("Testee.java").read_bytes()
    testee = compile_java(source, "Testee", jars, classes=judge)
    classpath = os.pathsep.join([str(testee), str(judge), f"{jars}{os.sep}*"])
    return (java, *OPTIONS, "-cp", classpath, "Testee", *_known(jars))


def search_path() -> str | None:
    """Return the path on which a JVM is looked for."""
    home = os.environ.get("JAVA_HOME")
    path = os.environ.get("PATH", os.defpath)
    return f"{home}{os.sep}bin{os.pathsep}{path}" if home else path


def _known(jars: Path) -> list[str]:
    classes = kafka_classes(sorted(jars.glob("*.jar")))
    found = []
    for name in built_in_names():
        framing = message_class(name).FRAMING
        front = "consumer" if framing.newer == "clamp" else framing.kind
        if name in classes and front in ("consumer", "version", "none"):
            found.append(f"{name}={classes[name]}={front}")
    return found
