"""Which measured clients have a newer release, by the ordinary clients of their registries.

python -m tests.clients.newer_releases [--measure]

With --measure each of them is fetched into a folder of its own and put to messages that are drawn
anew, and what it does is compared with the rules for the release that was measured: what differs
is printed. The exit status is 1 where a release is newer, or with --measure where one differs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from kproto.clients.catalog import release_order
from kproto.clients.readers import measured_readers
from kproto.fuzz.clients import command

from .measure_readers import measure

CLIENTS = Path(__file__).parents[2] / "fuzz" / "clients"
_SECONDS = 600
_SHOWN = 10  # differences


def _printed(*command: str, folder: str | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    return done.stdout


def _run(*command: str, folder: str | None = None) -> None:
    """Run a command, which has to succeed."""
    subprocess.run(command, cwd=folder, timeout=_SECONDS, check=True, stdout=subprocess.DEVNULL)


def pip(name: str) -> str:
    """Return the newest release on the index of pip; "" if it does not answer."""
    text = _printed(sys.executable, "-m", "pip", "index", "versions", name)
    return _first(r"\(([\d.]+)\)", text)


def npm(name: str) -> str:
    """Return the newest release on the registry of npm."""
    return _first(r"([\d.]+)", _printed("npm", "view", name, "version"))


def go(name: str) -> str:
    """Return the newest release on the module proxy of Go."""
    with TemporaryDirectory() as folder:
        return _first(r" v([\d.]+)", _printed("go", "list", "-m", f"{name}@latest", folder=folder))


def cargo(name: str) -> str:
    """Return the newest release on the registry of cargo."""
    return _first(r"version: ([\d.]+)", _printed("cargo", "info", "--quiet", name))


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


# -- the same adapter with another release


def with_pip(reader: str, package: str, folder: Path) -> Sequence[str]:
    """Return the command of the reader's adapter with that release of a package."""
    _run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
             "--target", str(folder), package.replace("@", "=="))  # fmt: skip
    return ("env", f"PYTHONPATH={folder}", *command(reader))


def with_npm(reader: str, package: str, folder: Path) -> Sequence[str]:
    """The same for a package of npm."""
    node, heap, script, *arguments = command(reader)
    copy = folder / "node"
    shutil.copytree(Path(script).parent, copy, symlinks=True)
    _run("npm", "install", "--no-save", "--ignore-scripts", package, folder=str(copy))
    return (node, heap, str(copy / Path(script).name), *arguments)


def with_go(reader: str, package: str, folder: Path) -> Sequence[str]:
    """The same for a module of Go."""
    program, *arguments = command(reader)
    copy = folder / "go"
    shutil.copytree(CLIENTS / "go", copy)
    name, _, release = package.rpartition("@")
    _run("go", "get", f"{name}@v{release}", folder=str(copy))
    _run("go", "build", "-mod=mod", "-o", f"{folder}/", "./...", folder=str(copy))
    return (str(folder / Path(program).name), *arguments)


def with_cargo(reader: str, package: str, folder: Path) -> Sequence[str]:
    """The same for a crate."""
    copy = folder / "rust"
    own = CLIENTS / reader
    shutil.copytree(own if own.exists() else CLIENTS / "rust", copy)
    _run("cargo", "add", "--quiet", package, folder=str(copy))
    _run("cargo", "build", "--quiet", "--release", folder=str(copy))
    return (str(copy / "target" / "release" / "adapter"), *command(reader)[1:])


class Source(NamedTuple):
    """Where the releases of a reader are published."""

    ask: Callable[[str], str]
    name: str

    def program(self, reader: str, release: str, folder: Path) -> Sequence[str]:
        """Return the command of the reader's adapter with a release."""
        return _PROGRAMS[self.ask](reader, f"{self.name}@{release}", folder)


_PROGRAMS: Mapping[Callable[[str], str], Callable[[str, str, Path], Sequence[str]]] = (
    MappingProxyType({pip: with_pip, npm: with_npm, go: with_go, cargo: with_cargo})
)

SOURCES: Mapping[str, Source] = MappingProxyType({
    "aiokafka": Source(pip, "aiokafka"),
    "franz-go-kgo": Source(go, "github.com/twmb/franz-go"),
    "franz-go-kmsg": Source(go, "github.com/twmb/franz-go/pkg/kmsg"),
    "kafka-go-reader": Source(go, "github.com/segmentio/kafka-go"),
    "kafka-protocol": Source(cargo, "kafka-protocol"),
    "kafka-python": Source(pip, "kafka-python"),
    "kafkajs": Source(npm, "kafkajs"),
    "kio": Source(pip, "kio"),
    "krafka": Source(cargo, "krafka"),
    "platformatic": Source(npm, "@platformatic/kafka"),
    "sarama": Source(go, "github.com/IBM/sarama"),
})  # fmt: skip
"""The readers whose release is that of a package. Bindings of librdkafka name its release, not
their own, and Java's readers are named releases."""


def main() -> int:
    """Print a line for each client, and measure those with a newer release if that is asked for."""
    parser = ArgumentParser()
    parser.add_argument("--measure", action="store_true", help="put the newer ones to messages")
    parser.add_argument("--count", type=int, default=40, help="messages of each class")
    arguments = parser.parse_args()
    releases = {reader.name: reader.release for reader in measured_readers().readers}
    newer = {}
    for reader, source in SOURCES.items():
        newest, measured = source.ask(source.name), releases[reader]
        if is_newer := bool(newest) and release_order(newest) > release_order(measured):
            newer[reader] = newest
        verdict = "newer" if is_newer else "measured" if newest else "no answer"
        print(f"{reader:16} {measured:10} {newest or '-':10} {verdict}", flush=True)
    if not arguments.measure:
        return int(bool(newer))
    differ = [_differs(reader, newest, arguments.count) for reader, newest in newer.items()]
    return int(any(differ))


def _differs(reader: str, release: str, count: int) -> bool:
    """Measure a release, print how it differs from the rules, and return whether it does."""
    with TemporaryDirectory() as folder:
        program = SOURCES[reader].program(reader, release, Path(folder))
        result = measure(reader, count, time.time_ns(), program)
    wrong = [row for row in result.comparisons if row.is_wrong]
    print(f"{reader} {release}: {len(result.comparisons)} messages, {len(wrong)} differ")
    for row in wrong[:_SHOWN]:
        print(f"  {row.label}: {row.question}: {row.does!r} {row.detail}, not {row.predicted!r}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
