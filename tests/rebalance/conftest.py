"""The classes of the broker's release, which several tests ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.fuzz.building import JavaUnavailable, fetch_jars
from kproto.fuzz.oracles.java import JavaOracle
from tests.conftest import do_without
from tests.schemas.java import FindClass, class_loader

POM = Path(__file__).parent.parent / "broker" / "pom.xml"


@pytest.fixture(scope="module")
def find(java_oracle: JavaOracle) -> FindClass:
    """Finds the broker's classes. The oracle has started the JVM."""
    try:
        jars = sorted(fetch_jars(POM.read_bytes()).glob("*.jar"))
    except JavaUnavailable as reason:
        do_without(reason)
    return class_loader(jars)
