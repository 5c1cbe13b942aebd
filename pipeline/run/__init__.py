"""Running an audit: finding its source, reading it in parts, and publishing the result.

A group lives in one partition of the offsets topic, in order: a partition is a `Unit`, and
`audited` makes rows of the tables of its records. The same function runs in this process and on the
executors of Spark.
"""

from __future__ import annotations

from ..groups.options import Options
from .audit import Audit, run_audit

__all__ = ["Audit", "Options", "run_audit"]
