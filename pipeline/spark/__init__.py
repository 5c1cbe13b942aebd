"""Spark: a session, its Java, and the data source `kproto.offsets`."""

from __future__ import annotations

from ...codec import KprotoError


class NoSpark(KprotoError):
    """Spark cannot be started."""


class NotInstalled(NoSpark):
    """What Spark needs is not on this machine, or the given master is none."""
