"""What the tests of the definitions share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kproto.fuzz.building import JavaUnavailable, fetch_jars
from kproto.fuzz.oracles.java import load_jpype

from ..conftest import do_without
from .java import FindClass, class_loader

if TYPE_CHECKING:
    from kproto.fuzz.oracles.java import JavaOracle

POM = Path(__file__).with_name("pom.xml")


@pytest.fixture(scope="session")
def extra_jars() -> list[Path]:
    """The jars of Kafka Streams and Kafka Connect; skips as the oracle does."""
    try:
        return sorted(fetch_jars(POM.read_bytes()).glob("*.jar"))
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.fixture(scope="session")
def streams_and_connect(java_oracle: JavaOracle, extra_jars: list[Path]) -> FindClass:
    """Finds the classes of Kafka Streams and Kafka Connect; the oracle has started the JVM."""
    return class_loader(extra_jars)


@pytest.fixture(scope="session")
def clients(java_oracle: JavaOracle) -> FindClass:
    """Finds the classes of the Java client, in the oracle's release."""
    find: FindClass = load_jpype().JClass
    return find
