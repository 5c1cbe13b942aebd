"""A broker and real consumers, started once for the tests of this folder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kproto.fuzz.building import JavaUnavailable, fetch_jars
from tests.broker.broker import HERE, Broker, java, running_broker
from tests.broker.members import Members, members_of
from tests.conftest import do_without

_SCRIPT = "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They take minutes, most of them waiting: `make broker` runs them, `make test` does not."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("broker")


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A real broker; skips without Java or Maven, unless KPROTO_REQUIRE_JAVA=1 forbids it."""
    try:
        with running_broker(tmp_path_factory.mktemp("broker")) as broker:
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.fixture
def members(broker: Broker, tmp_path: Path) -> Iterator[Members]:
    """Real Java consumers of that broker, in a JVM of their own."""
    with members_of(broker, tmp_path / "members.log") as members:
        yield members


@pytest.fixture(scope="session")
def script(broker: Broker) -> Any:
    """Runs kafka-consumer-groups.sh and returns the rows of its table, by the heads."""
    pom = (HERE / "pom.xml").read_bytes().replace(b"kafka_2.13", b"kafka-tools")
    try:
        jars = fetch_jars(pom)
    except JavaUnavailable as reason:
        do_without(reason)

    def run(*arguments: str) -> list[dict[str, str]]:
        command = java(jars, _SCRIPT, "--bootstrap-server", broker.bootstrap, *arguments)
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        head, *rows = [line for line in done.stdout.splitlines() if line.strip()]
        names = head.replace("COORDINATOR (ID)", "COORDINATOR ID").split()
        return [dict(zip(names, row.split(), strict=False)) for row in rows]

    return run
