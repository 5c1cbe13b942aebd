"""The audit of DataFrames: what is found is what is found of the same records in process."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kproto.codec import KprotoError
from kproto.pipeline.dataframes import Audit, NotRecords, Options, TopicFacts, audit
from kproto.pipeline.run import run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.sources.units import of_cluster
from kproto.pipeline.tables import TABLES
from kproto.pipeline.tables.publishing import Destination
from kproto.tools.main import main
from tests.docs.pages import DOCS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CAPTURES = Path(__file__).parents[1] / "vectors" / "captures"
SOURCE = CAPTURES / "offsets-topic"
OPTIONS = Options(
    cluster_id="c", topics={"orders": TopicFacts(partitions=12, ends={0: 10_000, 1: 10_000})}
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def records(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """The rows of `kproto.offsets`, as a table: older releases of Spark have no such source."""
    path = tmp_path_factory.mktemp("topic") / "records.parquet"
    tables = [rows.cast(RECORDS) for unit in units_of(str(SOURCE)) for rows in unit.tables("")]
    pq.write_table(pa.concat_tables(tables).drop_columns("cluster_id"), path)
    return spark.read.parquet(str(path))


@pytest.fixture(scope="module")
def by_kafka(records: DataFrame) -> DataFrame:
    """The records with the columns of Spark's Kafka connector alone."""
    return records.selectExpr(
        "key", "value", "'__consumer_offsets' as topic", "source_partition as partition",
        "source_offset as offset", "record_timestamp as timestamp", "0 as timestampType",
    )  # fmt: skip


def in_process(folder: Path, options: Options = OPTIONS, source: Path = SOURCE) -> Path:
    run_audit(units_of(str(source)), Destination.new(str(folder), replace=False), options)
    return folder


def same_tables(found: Audit, published: Path, without: frozenset[str] = frozenset()) -> None:
    """Assert that each table has the same rows, in any order but that of the worst first."""
    for name, rows in found.tables.items():
        columns = [each for each in TABLES[name].names if each not in without]
        here = pq.read_table(published / name, columns=columns).to_pylist()
        chosen: Any = rows.select(columns)  # PySpark 3.5 has no toArrow
        there = [row for batch in chosen._collect_as_arrow() for row in batch.to_pylist()]
        if name in {"findings", "current"}:
            assert there == here, name
        else:
            assert sorted(map(repr, there)) == sorted(map(repr, here)), name


def test_the_tables_are_those_of_an_audit_in_process(records: DataFrame, tmp_path: Path) -> None:
    with audit(records, OPTIONS, tasks=3) as found:
        assert found.counts.written == 768
        assert found.current.count() == 93
        same_tables(found, in_process(tmp_path), frozenset({"position"}))


def test_a_table_of_the_topic_by_other_names(by_kafka: DataFrame, tmp_path: Path) -> None:
    table = by_kafka.selectExpr(
        "hex(key) as k", "value as v", "partition", "struct(offset as at) as place",
        "unix_millis(timestamp) as ms",
    )  # fmt: skip
    names = {"key": "unhex(k)", "value": "v", "offset": "place.at", "timestamp": "ms"}
    with audit(table, OPTIONS, columns=names) as found:
        assert {row["source"] for row in found.records.select("source").distinct().collect()} == {
            "dataframe"
        }
        without = frozenset({"source", "evidence", "transactional", "outcome"})
        same_tables(found, in_process(tmp_path), without)


def test_copies_count_once_and_other_topics_are_quarantined(by_kafka: DataFrame) -> None:
    other = by_kafka.limit(3).selectExpr(
        "key", "value", "'orders' as topic", "partition", "offset", "timestamp", "timestampType"
    )
    with audit(by_kafka.union(by_kafka).union(other)) as found:
        assert found.counts.written == 768
        assert found.staged.rdd.getNumPartitions() == 1  # of few records, whatever Spark's setting
        refused = found.quarantine.where("level = 'batch'").select("reason").collect()
        reasons = [row["reason"] for row in refused]
        assert reasons == ["topic: of topic orders, not of __consumer_offsets"] * 3


def test_what_does_not_fit_is_named(by_kafka: DataFrame) -> None:
    with pytest.raises(
        NotRecords, match=r"^there is no column `offset`: this table has key, value"
    ):
        audit(by_kafka.drop("offset"))
    with pytest.raises(NotRecords, match=r"^there is no column at: this table has key, value"):
        audit(by_kafka, columns={"offset": "at"})
    with pytest.raises(NotRecords, match=r"^columns: 'ofset' is no name of a column here"):
        audit(by_kafka, columns={"ofset": "offset"})
    with pytest.raises(NotRecords, match=r"is string, and has to be binary; .*unhex"):
        audit(by_kafka, columns={"key": "hex(key)"})


def test_lines_of_decode_are_a_table(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the lines of the reference."""
    monkeypatch.chdir(tmp_path)
    printed = BytesIO()
    segment = next((SOURCE / "__consumer_offsets-1").glob("*.log"))
    with redirect_stdout(TextIOWrapper(printed)) as out:
        assert main(["decode", "--json", "--bytes", str(segment)]) == 0
        out.flush()
        Path("records.jsonl").write_bytes(printed.getvalue())
    page = (DOCS / "reference" / "spark.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (example,) = [text for text in blocks if "records.jsonl" in text and "import" not in text]
    path = repr(str(tmp_path / "records.jsonl"))
    names: dict[str, Any] = {"spark": spark, "audit": audit}
    exec(example.replace('"records.jsonl"', path), names)  # noqa: S102  # our own page
    with names["audited"] as found:
        assert found.counts.written == found.counts.read == printed.getvalue().count(b"\n") > 0


def test_a_table_of_other_things_is_refused(by_kafka: DataFrame) -> None:
    """As the command refuses it: it must not look like a fleet without, or full of, problems."""
    names = {"key": "value", "value": "key"}
    with pytest.raises(NotRecords, match=r"^dataframe: not one record of .* no record type in the"):
        audit(by_kafka, columns=names)
    damage = by_kafka.limit(2).selectExpr("*", "'torn out' as problem")
    with pytest.raises(NotRecords, match=r"^dataframe: not one record of .* can be read; torn out"):
        audit(damage, Options(cluster_id="c", topics={}))
    for options in (OPTIONS, Options()):
        with pytest.raises(NotRecords, match=r"^records has no row: there is nothing to audit$"):
            audit(by_kafka.limit(0), options)


def test_damage_of_a_cluster_without_a_record(by_kafka: DataFrame) -> None:
    damage = by_kafka.limit(1).selectExpr("*", "'torn out' as problem", "'west' as cluster_id")
    east = by_kafka.limit(9).selectExpr("*", "string(null) as problem", "'east' as cluster_id")
    with audit(east.union(damage)) as found:
        assert (found.counts.written, found.counts.damages) == (9, 1)
        rows = found.quarantine.where("level = 'batch'").select("cluster_id", "reason").collect()
        assert [tuple(row) for row in rows] == [("west", "torn out")]


def test_several_clusters_are_kept_apart(records: DataFrame, tmp_path: Path) -> None:
    """The same groups in two clusters, of which one has less."""
    east = records.selectExpr("*", "'east' as cluster_id")
    west = records.where("source_partition = 1").selectExpr("*", "'west' as cluster_id")
    all_units: Any = units_of(str(SOURCE))
    (half,) = [unit for unit in all_units if unit.splits[0].partition == 1]
    units = [*of_cluster(units_of(str(SOURCE)), "east"), *of_cluster([half], "west")]
    both = Options(clusters=(Options(cluster_id="east"), Options(cluster_id="west")))
    run_audit(units, Destination.new(str(tmp_path), replace=False), both)
    with audit(east.union(west), tasks=2) as found:
        same_tables(found, tmp_path)
    with pytest.raises(KprotoError, match="records of west, which is in no options"):
        audit(east.union(west), Options(clusters=(Options(cluster_id="east"),)))
    with pytest.raises(KprotoError, match="say of which cluster the topics and states are"):
        audit(east.union(west), Options(topics={}))


def test_the_example_of_the_reference(
    spark: SparkSession, by_kafka: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = by_kafka.selectExpr("hex(key) as hex_key", "value", "partition", "timestamp",
                                "struct(offset as at) as place")  # fmt: skip
    table.write.parquet(str(tmp_path / "offsets-topic"))
    page = (DOCS / "reference" / "spark.md").read_text("utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (example,) = [text for text in examples if "spark.read.parquet" in text]
    names: dict[str, Any] = {"spark": spark}
    absolute = example.replace('"offsets-topic"', repr(str(tmp_path / "offsets-topic")))
    exec(absolute.replace('"members"', repr(str(tmp_path / "members"))), names)  # noqa: S102
    assert names["worst"]["severity"] == "error"
    assert pq.read_table(tmp_path / "members").num_rows > 100


def test_the_recipe_of_the_oldest_release(
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What a platform with Spark 3.5 does: `make sparks` runs it there."""
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "records.jsonl").open("w") as file, redirect_stdout(file):
        assert main(["decode", "--json", "--bytes", str(SOURCE)]) == 0
    page = (DOCS / "reference" / "spark.md").read_text("utf-8")
    (recipe,) = re.findall(r"## On Spark 3\.5\n.*?```python\n(.*?)```", page, re.DOTALL)
    for name in ("records.jsonl", "current"):  # Java has a folder of its own
        recipe = recipe.replace(f'"{name}"', repr(str(tmp_path / name)))
    exec(recipe, {})  # noqa: S102
    printed = capsys.readouterr().out
    assert re.search(r"leader-ck\+kafkago *\|unreadable-member", printed)
    assert re.search(r"confluent-kafka-2\.16\.1-cooperative-sticky-2 *\|16 ", printed)
    assert pq.read_table(tmp_path / "current").num_rows == 93


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"partitions": 2, "ends": {0: 9}, "topic_id": {0: 5}}, "topic_id"),
        ({"partitions": "2"}, "partitions"),
        ({"partitions": 2, "ends": [9]}, "ends"),
        ({"partitions": 2, "ends_before": {"0": 9}}, "ends_before"),
        ({"partitions": 2, "starts": {0: None}}, "starts"),
    ],
)
def test_a_wrong_fact_of_a_topic_is_named_at_once(arguments: dict[str, Any], name: str) -> None:
    with pytest.raises(TypeError, match=f"TopicFacts: {name}: Expected"):
        TopicFacts(**arguments)


def test_facts_are_named() -> None:
    named = r"TopicFacts: name each argument: partitions=2, ends=\{0: 9\}, topic_id=\{0: 5\}"
    with pytest.raises(TypeError, match=named):
        TopicFacts(2, {0: 9}, {0: 5})  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match=r"topics\['orders'\] is int, not TopicFacts"):
        Options(topics={"orders": 12})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"cluster_id": 7}, "Options: cluster_id: Expected `str`, got `int`"),
        ({"groups": "payments"}, "Options: groups: Expected `array`, got `str`"),
    ],
)
def test_a_wrong_option_is_named_at_once(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Options(**arguments)


def test_a_wrong_argument_is_named_at_once() -> None:
    pandas = pytest.importorskip("pandas")
    frame: Any = pandas.DataFrame()
    path: Any = "offsets-topic"
    for wrong, kind in ((path, "builtins.str"), (frame, "pandas.DataFrame")):
        with pytest.raises(TypeError, match=f"records is {kind}, not a DataFrame of Spark"):
            audit(wrong)


def test_options_of_another_type_are_named_at_once(records: DataFrame) -> None:
    wrong: Any = {"cluster_id": "prod"}
    with pytest.raises(TypeError, match="options is dict, not Options"):
        audit(records, wrong)
