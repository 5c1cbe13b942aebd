"""The Java oracle: Apache Kafka's own classes in this process; `JavaOracle` says how to ask
them.
"""

from __future__ import annotations

from .oracle import (
    Assignor,
    Digests,
    JavaFailure,
    JavaOracle,
    JavaRefusal,
    JavaUnsupported,
    JsonObject,
    Reading,
    Verdict,
    Written,
)
from .toolchain import JavaUnavailable, Toolchain, locate

__all__ = [
    "Assignor",
    "Digests",
    "JavaFailure",
    "JavaOracle",
    "JavaRefusal",
    "JavaUnavailable",
    "JavaUnsupported",
    "JsonObject",
    "Reading",
    "Toolchain",
    "Verdict",
    "Written",
    "locate",
]
