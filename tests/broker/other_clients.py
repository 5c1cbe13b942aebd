"""Members of groups in Go and JavaScript, a process each. Their clients are fetched at pinned
versions and built once, outside the source tree."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kproto.fuzz.building import Unavailable, cached, run
from tests.broker.broker import HERE, Broker
from tests.broker.test_audit_clients import Member, ended

_SOURCES = HERE / "clients"
_SECONDS = 600
_GO = {"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "0"}


def _built(language: str, fill: Callable[[Path], None]) -> Path:
    files = sorted(file for file in (_SOURCES / language).rglob("*") if file.is_file())
    parts = [part for file in files for part in (file.name.encode(), file.read_bytes())]
    return cached(f"members/{language}", *parts, fill=fill)


def _go(program: str) -> list[str]:
    def fill(made: Path) -> None:
        sources = made.parent / "sources"
        shutil.copytree(_SOURCES / "go", sources)
        run("go", "build", "-trimpath", "-o", f"{made}{os.sep}", "./...",
            cwd=sources, seconds=_SECONDS, env=_GO)  # fmt: skip

    return [str(_built("go", fill) / program)]


def _node(script: str) -> list[str]:
    def fill(made: Path) -> None:
        shutil.copytree(_SOURCES / "node", made, dirs_exist_ok=True)
        run("npm", "install", "--prefix", str(made), "--omit=optional", "--ignore-scripts",
            "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error",
            cwd=made, seconds=_SECONDS)  # fmt: skip

    node = shutil.which("node")
    if node is None:
        raise Unavailable("node is not installed")
    return [node, str(_built("node", fill) / script)]


COMMANDS: dict[str, Callable[[], list[str]]] = {
    "franz-go": lambda: _go("franz"),
    "sarama": lambda: _go("sarama"),
    "kafka-go Reader": lambda: _go("kafkago"),
    "kafkajs": lambda: _node("kafkajs.mjs"),
    "platformatic-kafka": lambda: _node("platformatic.mjs"),
}


@contextmanager
def joined_by(broker: Broker, client: str, group: str, topic: str) -> Iterator[Member]:
    """A member with the client's name as client id. Raises `Unavailable`."""
    command = [*COMMANDS[client](), broker.bootstrap, group, client, topic]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    with ended(process):
        yield Member(process)
