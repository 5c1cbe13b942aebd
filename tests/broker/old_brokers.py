"""Brokers of earlier releases, one node each, with the ZooKeeper that they bring along."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kproto.fuzz.building import JavaUnavailable, fetch_jars
from tests.broker.broker import HERE, Broker, awaited, free_ports, java, running_broker, stopped

_KAFKA, _RELEASE = b"kafka_2.13", b"4.3.1"
_DEPENDENCY = """    <dependency>
      <groupId>{}</groupId>
      <artifactId>{}</artifactId>
      <version>{}</version>
      <exclusions>
        <exclusion>
          <groupId>org.slf4j</groupId>
          <artifactId>slf4j-log4j12</artifactId>
        </exclusion>
      </exclusions>
    </dependency>
  </dependencies>
"""
_JAXB = _DEPENDENCY.format("javax.xml.bind", "jaxb-api", "2.3.1")
"""What Java has brought along itself until release 11, and a broker of 0.11 needs."""
_ZOOKEEPER = _DEPENDENCY.format("org.apache.zookeeper", "zookeeper", "3.4.10")
"""Before the releases (3.4.13 and 3.4.14) whose client cannot resolve an address on Java from 14
on."""
_WITH_ZOOKEEPER = """\
broker.id=1
zookeeper.connect=127.0.0.1:{zookeeper}
listeners=PLAINTEXT://127.0.0.1:{plain}
log.dirs={logs}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=4194304
group.min.session.timeout.ms=1000
num.partitions=6
"""
_ZOOKEEPER_SECONDS = 30


def jars_of(release: str) -> Path:
    """Return the jars of a release. Raises `JavaUnavailable`."""
    scala = b"kafka_2.13" if release >= "2.4" else b"kafka_2.12"
    pom = (HERE / "pom.xml").read_bytes()
    pom = pom.replace(_KAFKA, scala).replace(_RELEASE, release.encode())
    if release < "2.4":
        more = _JAXB if release < "1" else _ZOOKEEPER
        pom = pom.replace(b"  </dependencies>\n", more.encode())
    return fetch_jars(pom)


@contextmanager
def old_broker(folder: Path, release: str, jvm: tuple[str, ...] = ()) -> Iterator[Broker]:
    """Start a broker of a release, with these options of Java; topics have six partitions and are
    created when they are first written to or read. Raises `JavaUnavailable`."""
    jars = jars_of(release)
    if release >= "3.3":
        settings = "auto.create.topics.enable=true\nnum.partitions=6\n"
        with running_broker(folder, settings, jars=jars, jvm=jvm) as broker:
            yield broker
        return
    plain, zookeeper = free_ports(2)
    logs, properties = folder / "logs", folder / "server.properties"
    properties.write_text(_WITH_ZOOKEEPER.format(plain=plain, zookeeper=zookeeper, logs=logs))
    keeper = "org.apache.zookeeper.server.ZooKeeperServerMain"
    chatter = folder / "broker.log"
    with ExitStack() as running, chatter.open("wb") as out:

        def started(command: list[str]) -> subprocess.Popen[bytes]:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
            running.callback(stopped, process)
            return process

        program, *rest = java(jars, keeper, str(zookeeper), str(folder / "zookeeper"))
        started([program, "-Dzookeeper.jmx.log4j.disable=true", *rest])
        _await_port(zookeeper)
        program, *rest = java(jars, "kafka.Kafka", str(properties))
        command = [program, *jvm, *rest]
        awaited(plain, started(command), chatter)

        def restart() -> None:
            raise NotImplementedError("an old broker is started once")

        yield Broker(f"127.0.0.1:{plain}", logs, jars, restart)


def _await_port(port: int) -> None:
    end = time.monotonic() + _ZOOKEEPER_SECONDS
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise JavaUnavailable("ZooKeeper does not start")
