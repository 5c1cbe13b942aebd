"""The audit of whole fleets, in process or on Spark: sources, columns, rules, tables, reports.

`columnar` works without Spark (pyarrow in, pyarrow out); `functions`, `offsets_source` and
`register` are what a Spark user meets. Nothing is imported before it is used.

>>> from kproto.pipeline import register
>>> register(spark)                                              # doctest: +SKIP
>>> spark.read.format("kproto.offsets").load("/var/lib/kafka")   # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from . import columnar as columnar
    from .run.hadoop import hadoop_units as hadoop_units
    from .run.hadoop import has_file_system as has_file_system
    from .run.on_spark import on_spark as on_spark
    from .spark.catalog_tables import check_catalog as check_catalog
    from .spark.catalog_tables import published_frames as published_frames
    from .spark.catalog_tables import save_tables as save_tables
    from .spark.session import bare_session as bare_session
    from .spark.session import register as register
    from .spark.session import require_data_sources as require_data_sources
    from .spark.session import spark_session as spark_session
    from .spark.tasks import scattered as scattered

_HOME = {
    "bare_session": "spark.session",
    "check_catalog": "spark.catalog_tables",
    "columnar": "",
    "hadoop_units": "run.hadoop",
    "has_file_system": "run.hadoop",
    "on_spark": "run.on_spark",
    "published_frames": "spark.catalog_tables",
    "register": "spark.session",
    "require_data_sources": "spark.session",
    "save_tables": "spark.catalog_tables",
    "scattered": "spark.tasks",
    "spark_session": "spark.session",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
