"""A broker and real consumers, started once for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker, running_broker
from tests.broker.members import Members, members_of
from tests.conftest import do_without


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
