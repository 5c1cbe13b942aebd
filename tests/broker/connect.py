"""Two real Connect workers of one group, beside a real broker, asked over their REST interface."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from kproto.fuzz.building import fetch_jars
from tests.broker.broker import HERE, Broker, free_ports, java, stopped

_SECONDS = 120
_PROPERTIES = """\
bootstrap.servers={bootstrap}
group.id={group}
client.id={client}
listeners=http://127.0.0.1:{port}
rest.advertised.host.name=127.0.0.1
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
offset.storage.topic={group}-offsets
offset.storage.replication.factor=1
offset.storage.partitions=1
config.storage.topic={group}-configs
config.storage.replication.factor=1
status.storage.topic={group}-status
status.storage.replication.factor=1
status.storage.partitions=1
scheduled.rebalance.max.delay.ms=1000
heartbeat.interval.ms=500
session.timeout.ms=6000
"""


class Worker:
    """A worker. Connectors can be asked of, and given to, any of a group."""

    def __init__(self, client: str, port: int) -> None:
        self.client = client
        self.address = f"127.0.0.1:{port}"

    def rest(self, path: str, body: Any = None) -> Any:
        """Return an answer of the REST interface, None while it has none."""
        request = urllib.request.Request(
            f"http://{self.address}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # http, as above
                return json.load(answer)
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            return None

    def create(self, name: str, config: dict[str, str]) -> None:
        """Create a connector: a group that is in a rebalance refuses for a while."""
        end = time.monotonic() + _SECONDS
        while self.rest("/connectors", {"name": name, "config": config}) is None:
            if self.rest(f"/connectors/{name}") is not None:
                return
            assert time.monotonic() < end, name
            time.sleep(0.5)


@contextmanager
def running_workers(broker: Broker, folder: Path, group: str) -> Iterator[list[Worker]]:
    """Start two workers of a group. Raises `JavaUnavailable`."""
    jars = fetch_jars((HERE / "pom-connect.xml").read_bytes())
    with ExitStack() as running:
        workers = []
        for client, port in zip(("worker-1", "worker-2"), free_ports(2), strict=True):
            file = folder / f"{client}.properties"
            file.write_text(
                _PROPERTIES.format(
                    bootstrap=broker.bootstrap, group=group, client=client, port=port
                )
            )
            command = java(jars, "org.apache.kafka.connect.cli.ConnectDistributed", str(file))
            log = running.enter_context((folder / f"{client}.log").open("wb"))
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            running.callback(stopped, process)
            workers.append(Worker(client, port))
        end = time.monotonic() + _SECONDS
        for worker in workers:
            while worker.rest("/connectors") is None:
                assert time.monotonic() < end, (folder / f"{worker.client}.log").read_text()[-2000:]
                time.sleep(0.5)
        yield workers
