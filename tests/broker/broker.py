"""A real Apache Kafka broker for tests: one node, on free ports, in a folder that goes.

It starts from Maven's jars alone. Whatever happens, it is stopped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kproto.fuzz.building import JavaUnavailable, fetch_jars

HERE = Path(__file__).parent
OFFSETS_PARTITIONS = 4
_SECONDS_TO_START = 180
_JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m")

# The cleaner's buffer would be 128 MiB, allocated at the start; without a delay the first member
# gets its assignment at once.
_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAIN://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAIN://127.0.0.1:{plain}
listener.security.protocol.map=PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAIN
log.dirs={logs}
offsets.topic.replication.factor=1
offsets.topic.num.partitions={offsets}
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
log.cleaner.dedupe.buffer.size=4194304
auto.create.topics.enable=false
"""


@dataclass(frozen=True, slots=True)
class Broker:
    """A running broker: where clients find it, where its log segments lie, and its own jars."""

    bootstrap: str
    logs: Path
    jars: Path
    restart: Callable[[], None]
    """Stop it and start it again, with what it has stored."""

    def offsets_topic(self) -> list[Path]:
        """The folders of `__consumer_offsets`, one a partition, as they are now."""
        return sorted(self.logs.glob("__consumer_offsets-*"))


def java(jars: Path, main: str, *arguments: str, more: tuple[Path, ...] = ()) -> list[str]:
    """The command that runs a class of these jars. Raises `JavaUnavailable`."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    if found is None:
        raise JavaUnavailable("java is not installed")
    path = os.pathsep.join([*map(str, more), f"{jars}/*"])
    return [
        found,
        *_JVM,
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        "-cp",
        path,
        main,
        *arguments,
    ]


@contextmanager
def running_broker(
    folder: Path,
    settings: str | Callable[[int, int], str] = "",
    ports: tuple[int, int] | None = None,
    jars: Path | None = None,
    jvm: tuple[str, ...] = (),
) -> Iterator[Broker]:
    """Start a broker whose files are in `folder`; these settings, lines of its properties or a
    function of its two ports that returns them, overrule those that it would have. `ports` are
    those of the listeners PLAIN and CONTROLLER, free ones by default; `jars` those of another
    release; `jvm` options of Java.

    Raises `JavaUnavailable`, also where it dies."""
    jars = fetch_jars((HERE / "pom.xml").read_bytes()) if jars is None else jars
    plain, controller = free_ports(2) if ports is None else ports
    logs = folder / "logs"
    properties = folder / "server.properties"
    properties.write_text(
        _PROPERTIES.format(
            plain=plain, controller=controller, logs=logs, offsets=OFFSETS_PARTITIONS
        )
        + (settings if isinstance(settings, str) else settings(plain, controller))
    )
    chatter = folder / "broker.log"
    command = java(jars, "kafka.Kafka", str(properties))
    command[1:1] = jvm
    formatted(jars, properties, chatter)
    with chatter.open("ab") as out:
        running: list[subprocess.Popen[bytes]] = []

        def start() -> None:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
            running.append(process)
            awaited(plain, process, chatter)

        def restart() -> None:
            stopped(running.pop())
            start()

        try:
            start()
            yield Broker(f"127.0.0.1:{plain}", logs, jars, restart)
        finally:
            for process in running:
                stopped(process)


_held: list[socket.socket] = []


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on, and keep them from other processes until this one ends.

    They stay bound here, and are not listened on: no connection of a client gets one of them as its
    own port, and a server that sets SO_REUSEADDR, as those in Java do, can still listen on them.
    """
    ports = []
    for _ in range(count):
        held = socket.socket()
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        _held.append(held)
        ports.append(held.getsockname()[1])
    return ports


def formatted(jars: Path, properties: Path, chatter: Path) -> None:
    """Prepare the storage of a broker. Raises `JavaUnavailable`."""
    options = ("format", "-t", "kproto-test-cluster-00", "-c", str(properties))
    command = java(jars, "kafka.tools.StorageTool", *options)
    with chatter.open("wb") as out:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False
        )
    if done.returncode:
        raise JavaUnavailable("the broker's storage cannot be formatted")


def awaited(port: int, process: subprocess.Popen[bytes], chatter: Path) -> None:
    """Until the broker answers a request: it accepts connections before it can. Raises
    `JavaUnavailable` where it dies, and `TimeoutError` where it takes too long: a test that would
    be skipped for that looks like one that was run."""
    end = time.monotonic() + _SECONDS_TO_START
    while process.poll() is None:
        if _answers(port):
            return
        if time.monotonic() > end:
            raise TimeoutError(f"the broker has not started in {_SECONDS_TO_START} s")
        time.sleep(0.1)
    last = chatter.read_text(errors="replace").splitlines()[-5:]
    raise JavaUnavailable("the broker does not start: " + " | ".join(last))


# ApiVersions v0, correlation id 1, no client id.
_API_VERSIONS = bytes.fromhex("0000000a0012000000000001ffff")


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            line.sendall(_API_VERSIONS)
            return len(line.recv(8)) == 8
    except OSError:
        return False


def stopped(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
