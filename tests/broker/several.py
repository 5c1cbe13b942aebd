"""A cluster of three real brokers on one machine, each of which can be killed and come back."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kproto.fuzz.building import fetch_jars
from tests.broker.broker import HERE, awaited, formatted, free_ports, java, stopped

_BROKERS = 3
# A killed broker is fenced after three seconds; one partition of the offsets topic for each broker
# and more. The tests' own groups are the only load.
_PROPERTIES = """\
process.roles=broker,controller
node.id={number}
controller.quorum.voters={voters}
listeners=PLAIN://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAIN://127.0.0.1:{plain}
listener.security.protocol.map=PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAIN
log.dirs={logs}
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
offsets.topic.replication.factor={replicas}
offsets.topic.num.partitions=6
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
log.cleaner.dedupe.buffer.size=4194304
auto.create.topics.enable=false
"""


class Brokers:
    """Three brokers, by their ids 1, 2 and 3."""

    def __init__(self, folder: Path, replicas: int) -> None:
        self.jars = fetch_jars((HERE / "pom.xml").read_bytes())
        self._folder = folder
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        numbers = range(1, _BROKERS + 1)
        ports = free_ports(2 * _BROKERS)
        self._plain = dict(zip(numbers, ports, strict=False))
        controllers = dict(zip(numbers, ports[_BROKERS:], strict=True))
        voters = ",".join(f"{number}@127.0.0.1:{port}" for number, port in controllers.items())
        for number in numbers:
            logs = folder / f"logs-{number}"
            self._file(number).write_text(
                _PROPERTIES.format(
                    number=number, voters=voters, plain=self._plain[number],
                    controller=controllers[number], logs=logs, replicas=replicas,
                )
            )  # fmt: skip
            formatted(self.jars, self._file(number), folder / f"broker-{number}.log")

    @property
    def bootstrap(self) -> str:
        """The addresses of all three."""
        return ",".join(self.address(number) for number in self._plain)

    def address(self, number: int) -> str:
        """Return where clients find a broker."""
        return f"127.0.0.1:{self._plain[number]}"

    def start(self, *numbers: int) -> None:
        """Start brokers, and return when each answers."""
        for number in numbers:
            with self._log(number).open("ab") as out:
                self._running[number] = subprocess.Popen(
                    java(self.jars, "kafka.Kafka", str(self._file(number))),
                    stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                )  # fmt: skip
        for number in numbers:
            awaited(self._plain[number], self._running[number], self._log(number))

    def kill(self, number: int) -> None:
        """End a broker as a crash of its machine would."""
        process = self._running.pop(number)
        process.kill()
        process.wait()

    def freeze(self, number: int) -> None:
        """Stop a broker's process: connections are accepted, and nothing is answered."""
        os.kill(self._running[number].pid, signal.SIGSTOP)

    def thaw(self, number: int) -> None:
        """Let it go on."""
        os.kill(self._running[number].pid, signal.SIGCONT)

    def close(self) -> None:
        """Stop those that run."""
        for process in self._running.values():
            process.send_signal(signal.SIGCONT)
            stopped(process)

    def _file(self, number: int) -> Path:
        return self._folder / f"server-{number}.properties"

    def _log(self, number: int) -> Path:
        return self._folder / f"broker-{number}.log"


@contextmanager
def running_brokers(folder: Path, replicas: int) -> Iterator[Brokers]:
    """Start three brokers, whose offsets topic has so many replicas. Raises `JavaUnavailable`."""
    brokers = Brokers(folder, replicas)
    try:
        brokers.start(1, 2, 3)
        yield brokers
    finally:
        brokers.close()
