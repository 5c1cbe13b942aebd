"""Tests of columns, records and fingerprints under both engines: a module that imports
`either_engine` has each of its tests twice."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from kproto.codec.runtime import engine

__all__ = ["either_engine"]


@pytest.fixture(scope="module", autouse=True, params=["core", "python"])
def either_engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """The engine in use: the compiled core, then plain Python."""
    if request.param == "core" and engine.CORE is None:
        if os.environ.get("KPROTO_REQUIRE_CORE") == "1":
            pytest.fail(f"the compiled core is required here: {engine.WHY_NOT}")
        pytest.skip(f"no compiled core: {engine.WHY_NOT}")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "python":
            patch.setattr(engine, "CORE", None)
        yield request.param
