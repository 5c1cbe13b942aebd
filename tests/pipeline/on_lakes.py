"""Run by `test_lakes` as a program: the audit of a Delta and of an Iceberg table.

    python on_lakes.py RECORDS JARS FOLDER

RECORDS is parquet with the rows of `kproto.offsets`, JARS the folder of the tables' formats. FOLDER
gets the tables, and the findings of each, as they are read from a table of the same format. The
rows that each audit counted are printed as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kproto.pipeline import spark_session
from kproto.pipeline.dataframes import Options, audit

_CATALOG = "spark.sql.catalog.lake"


def main(records: str, jars: Path, folder: Path) -> None:
    spark = spark_session(
        "local[2]",
        "lakes",
        {
            "spark.jars": ",".join(map(str, sorted(jars.glob("*.jar")))),
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            _CATALOG: "org.apache.iceberg.spark.SparkCatalog",
            f"{_CATALOG}.type": "hadoop",
            f"{_CATALOG}.warehouse": str(folder / "iceberg"),
            "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.log.level": "ERROR",
        },
    )
    rows = spark.read.parquet(records)
    rows.write.format("delta").save(str(folder / "delta"))
    rows.writeTo("lake.topic").create()
    spark.sql("CREATE NAMESPACE lake.audit")
    written = {}
    for name, table in (
        ("delta", spark.read.format("delta").load(str(folder / "delta"))),
        ("iceberg", spark.table("lake.topic")),
    ):
        with audit(table, Options(cluster_id="c")) as audited:
            namespace = {"delta": "default", "iceberg": "lake.audit"}[name]
            audited.save_tables(namespace, provider=name, partition_by=["cluster_id"])
            findings = spark.table(f"{namespace}.findings")
            findings.write.parquet(str(folder / f"{name}-findings"))
            written[name] = audited.counts.written
    spark.stop()
    print(json.dumps(written))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
