"""Members of any client and release, a process each, that are started with settings under Kafka's
own names, stopped, and killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from kproto.fuzz.building import compile_java, fetch_jars
from tests.broker.broker import HERE, Broker, java
from tests.broker.other_clients import COMMANDS

_CLIENTS_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kproto</groupId>
  <artifactId>member</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-clients</artifactId>
      <version>{release}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
"""
_SECONDS_TO_LEAVE = 20
_PYTHON = {"librdkafka": "confluent-kafka"}
"""What python_member.py calls a client, where that is not its own name."""


class Client(NamedTuple):
    """A client as `clients/clients.json` names it, and its release."""

    name: str
    release: str

    def __str__(self) -> str:
        return f"{self.name}-{self.release}"


JAVA = tuple(Client("kafka-clients", release) for release in ("2.8.2", "3.9.1", "4.3.1"))
LIBRDKAFKA = Client("librdkafka", "2.16.1")
KAFKA_PYTHON = Client("kafka-python", "3.0.12")
AIOKAFKA = Client("aiokafka", "0.14.0")
FRANZ_GO = Client("franz-go", "1.22.2")
SARAMA = Client("sarama", "1.61.1")
KAFKAJS = Client("kafkajs", "2.2.4")
PLATFORMATIC = Client("platformatic-kafka", "2.12.1")
KAFKA_GO = Client("kafka-go Reader", "0.4.51")
FLEET = (*JAVA, LIBRDKAFKA, KAFKA_PYTHON, AIOKAFKA, FRANZ_GO, SARAMA, KAFKAJS, PLATFORMATIC)
"""Every client and release that these tests can start."""


def _java(release: str) -> list[str]:
    jars = fetch_jars(_CLIENTS_POM.format(release=release).encode())
    classes = compile_java((HERE / "Member.java").read_bytes(), "Member", jars)
    return java(jars, "Member", more=(classes,))


def _streams() -> list[str]:
    jars = fetch_jars((HERE / "pom-streams.xml").read_bytes())
    classes = compile_java((HERE / "StreamsMember.java").read_bytes(), "StreamsMember", jars)
    return java(jars, "StreamsMember", more=(classes,))


def _command(client: Client) -> list[str]:
    """Return the command that starts a member. Raises `Unavailable` or `JavaUnavailable`."""
    if client.name == "kafka-clients":
        return _java(client.release)
    if client.name == "kafka-streams":
        return _streams()
    if client.name in COMMANDS:
        return COMMANDS[client.name]()
    program = str(HERE / "python_member.py")
    return [sys.executable, program, _PYTHON.get(client.name, client.name)]


class Process:
    """A member: what it has printed, in order. Once it is stopped it can be started again, with
    other settings or as another client."""

    def __init__(self, broker: Broker, group: str, name: str, topic: str, log: Path) -> None:
        self.name = name
        self.events: list[dict[str, Any]] = []
        self._place = (broker.bootstrap, group, name, topic)
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self._reader = Thread()

    def start(self, client: Client, settings: Mapping[str, str]) -> None:
        """Start the member; what it prints goes to `events`."""
        words = [f"{name}={value}" for name, value in settings.items()]
        with self._log.open("a") as errors:
            self._process = subprocess.Popen(
                [*_command(client), *self._place, *words],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
                errors="replace",
            )  # fmt: skip
        self._reader = Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                if line.startswith("{"):
                    self.events.append(json.loads(line, strict=False))

    @property
    def errors(self) -> list[str]:
        """The errors that ended it, or that it has met."""
        return [event.get("error", "") for event in self.events if event["event"] == "failed"]

    @property
    def bootstrap(self) -> str:
        """Where it finds its broker."""
        return self._place[0]

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def pause(self, milliseconds: int) -> None:
        """Let it not poll for so long."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(f"{milliseconds}\n")
        self._process.stdin.flush()

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop it in an orderly way: it leaves its group."""
        self._end(is_orderly=True)

    def kill(self) -> None:
        """End it as a crash would: it leaves nothing."""
        self._end(is_orderly=False)

    def _end(self, *, is_orderly: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if not is_orderly:
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(_SECONDS_TO_LEAVE)


@contextmanager
def processes(
    broker: Broker, group: str, names: tuple[str, ...], topic: str, folder: Path
) -> Iterator[dict[str, Process]]:
    """Members of one group by their client ids, not started yet; all end with the block."""
    fleet = {name: Process(broker, group, name, topic, folder / f"{name}.log") for name in names}
    try:
        yield fleet
    finally:
        for process in fleet.values():
            process.kill()
