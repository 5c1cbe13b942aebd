"""Making Spark know what this room brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["register"]


def register(spark: SparkSession) -> None:
    """Let `spark.read.format("kproto.offsets")` and `spark.readStream` find the data source."""
    from .offsets_source import OffsetsSource

    spark.dataSource.register(OffsetsSource)
