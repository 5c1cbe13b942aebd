"""The fleet on Spark: sources, columnar decoding, tables, audit.

`columnar` works without Spark (pyarrow in, pyarrow out); `functions`, `offsets_source` and
`register` are what a Spark user meets. Nothing is imported before it is used.

>>> from kproto.pipeline import register
>>> register(spark)                                              # doctest: +SKIP
>>> spark.read.format("kproto.offsets").load("/var/lib/kafka")   # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .spark.session import register as register
    from .spark.session import spark_session as spark_session

_HOMES = {"register": "spark.session", "spark_session": "spark.session"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
