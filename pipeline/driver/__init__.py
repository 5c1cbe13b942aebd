"""Deprecated: `kproto.pipeline.run` has taken this name's place."""

from __future__ import annotations

import warnings

from ..run import Options, run_audit

__all__ = ["Options", "run_audit"]

warnings.warn("kproto.pipeline.driver is now kproto.pipeline.run", DeprecationWarning, stacklevel=2)
