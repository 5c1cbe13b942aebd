"""Deprecated: `kproto.pipeline.run.units` has taken this name's place."""

from __future__ import annotations

from ..run.units import units_of

__all__ = ["units_of"]
