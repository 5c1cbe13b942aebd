"""The Java oracle's parts are made once, whole, and every reason why not is one clear sentence.

Maven and javac are stand-ins here, so that their moods can be tried; the oracle's own tests use
the real ones.
"""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kproto.fuzz import building
from kproto.fuzz.building import JavaUnavailable
from kproto.fuzz.oracles import java
from kproto.fuzz.oracles.java import locate

MAVEN = """#!/bin/sh
echo called >> "$CALLS"
for word in "$@"; do case "$word" in -DoutputDirectory=*) folder="${word#*=}";; esac; done
test -f pom.xml && sleep 0.2 && echo jar > "$folder/kafka-clients.jar"
"""
JAVAC = """#!/bin/sh
echo called >> "$CALLS"
while [ "$1" != -d ]; do shift; done
echo class > "$2/Judge.class"
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs in front of all others, an empty cache, and a JVM that is there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("KPROTO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setattr(java, "load_jpype", lambda: None)
    monkeypatch.setattr(java, "find_jvm", lambda _: Path("libjvm.so"))
    program(folder, "mvn", MAVEN)
    program(folder, "javac", JAVAC)
    return folder


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)


def cached(tmp_path: Path) -> list[str]:
    return sorted(path.name.partition("-")[0] for path in (tmp_path / "cache" / "java").iterdir())


def test_the_parts_are_made_once(programs: Path, tmp_path: Path) -> None:
    first = locate()
    assert [jar.name for jar in first.jars] == ["kafka-clients.jar"]
    assert (first.judge / "Judge.class").is_file()
    for name in ("mvn", "javac"):
        program(programs, name, "#!/bin/sh\nexit 1")
    assert locate() == first
    assert (tmp_path / "calls").read_text().count("called") == 2


def test_the_cache_is_where_the_environment_says(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KPROTO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert (tmp_path / "xdg" / "kproto") in locate().judge.parents
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert (tmp_path / "home" / ".cache" / "kproto") in locate().judge.parents


def test_a_crowd_that_starts_together(programs: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as crowd:
        found = list(crowd.map(lambda _: locate(), range(4)))
    assert len(set(found)) == 1
    assert cached(tmp_path) == ["jars", "judge"]


FAILING = """#!/bin/sh
echo "[INFO] scanning"
printf '\\033[0m'
echo "[ERROR] Could not resolve dependencies -> [Help 1]"
echo "[ERROR] To see the full stack trace"
exit 1
"""


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("mvn", FAILING, r"^mvn failed: Could not resolve dependencies$"),
        ("mvn", "#!/bin/sh\nexit 1", r"^mvn failed: no reason given$"),
        ("mvn", "#!/bin/sh\nexec sleep 60", r"^mvn did not finish within 1 s$"),
        ("javac", "#!/bin/sh\necho 'Judge.java:7: error: no' >&2; exit 1", r"^javac failed: .*:7"),
    ],
)
def test_a_program_that_fails_leaves_a_reason_and_nothing_else(
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    reason: str,
) -> None:
    monkeypatch.setattr(building, "MAVEN_SECONDS", 1)
    program(programs, name, text)
    with pytest.raises(JavaUnavailable, match=reason):
        locate()
    assert cached(tmp_path) == (["jars"] if name == "javac" else [])


@pytest.mark.parametrize("name", ["mvn", "javac"])
def test_a_program_that_is_missing(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    only_these = tmp_path / "few"
    only_these.mkdir()
    for program_here in ("sh", "sleep", "mvn", "javac"):
        if program_here != name:
            found = shutil.which(program_here)
            assert found
            (only_these / program_here).symlink_to(found)
    monkeypatch.setenv("PATH", str(only_these))
    with pytest.raises(JavaUnavailable, match=f"^{name} is not installed"):
        locate()


def test_a_cache_that_cannot_be_written(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(JavaUnavailable, match="cache folder"):
        locate()


def test_without_jpype(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jpype", None)
    with pytest.raises(JavaUnavailable, match="pip install"):
        locate()


def test_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoJava:
        @staticmethod
        def getDefaultJVMPath() -> str:  # noqa: N802 - JPype's own name
            raise ValueError("No JVM shared library file found")

    monkeypatch.setitem(sys.modules, "jpype", NoJava)
    with pytest.raises(JavaUnavailable, match="no Java is installed"):
        locate()
