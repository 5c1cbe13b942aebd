"""The Spark functions and steps: what they give, under which names and types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark.sql.pandas.functions
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812  # its usual name
from pyspark.sql.types import BinaryType, IntegerType, StringType, StructType

from kproto.codec import ConsumerProtocolSubscription, NoSuchMessage, message_class
from kproto.codec.runtime.registry import built_in_names
from kproto.pipeline import functions
from kproto.pipeline.functions import Decoder, decode_sticky_user_data, decode_subscription, decoder
from kproto.pipeline.parquet_files import decode_files, decode_into
from kproto.pipeline.sources.record_table import RECORDS
from kproto.pipeline.steps import only_decoded, with_decoded

from .agreement import expected

VECTORS = Path(__file__).parent.parent / "vectors"
SPARK = Path(__file__).parents[2] / "docs" / "reference" / "spark.md"
Subscription = ConsumerProtocolSubscription
ROWS = [Subscription(topics=["orders"], generation_id=3).to_bytes(), None, b"", b"\0\1\0"]


@contextmanager
def conf(spark: SparkSession, name: str, value: str) -> Iterator[None]:
    before = spark.conf.get(name, None)  # an older Spark does not have all of them
    spark.conf.set(name, value)
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, before)


def as_dict(row: Any) -> Any:
    return None if row is None else plain(row.asDict(recursive=True))


def plain(value: Any) -> Any:
    match value:
        case dict():
            return {name: plain(item) for name, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case bytearray():
            return bytes(value)
        case _:
            return value


@pytest.mark.parametrize("large", ["false", "true"])
def test_a_column_in_a_struct_out(spark: SparkSession, large: str) -> None:
    lines = (VECTORS / "consumer-protocol.jsonl").read_text("utf-8").splitlines()
    given = [json.loads(line) for line in lines]
    rows = [bytes.fromhex(line["hex"]) for line in given if line["name"] == Subscription.NAME]
    table = spark.createDataFrame([(row,) for row in [*rows, *ROWS]], "data binary")
    with conf(spark, "spark.sql.execution.arrow.useLargeVarTypes", large):
        seen = table.select(decode_subscription("data").alias("seen")).collect()
    assert [as_dict(row.seen) for row in seen] == [
        expected(row, Subscription) for row in [*rows, *ROWS]
    ]


def test_fields_are_reached_by_name(spark: SparkSession) -> None:
    table = spark.createDataFrame([(row,) for row in ROWS], "data binary")
    seen = table.select(decode_subscription(F.col("data")).alias("seen"))
    read = seen.where("seen.error_kind is null and seen is not null").select("seen.message.*")
    assert [row.topics for row in read.collect()] == [["orders"]]
    kinds = [row[0] for row in seen.select("seen.error_kind").collect()]
    assert kinds == [None, None, "truncated", "truncated"]


def test_headerless_user_data(spark: SparkSession) -> None:
    cls: Any = message_class("StickyAssignorUserData")
    rows = [cls(generation=7).to_body(1), cls().to_body(0), b""]
    table = spark.createDataFrame([(row,) for row in rows], "data binary")
    seen = table.select(decode_sticky_user_data("data").alias("seen")).select("seen.*").collect()
    assert [row.schema_version for row in seen] == [1, 0, 0]
    assert [row.message and row.message.generation for row in seen] == [7, -1, None]


def test_steps_say_the_same(spark: SparkSession) -> None:
    pytest.importorskip("pandas", reason="Spark's mapInArrow asks for it")
    rows = [(number, row) for number, row in enumerate(ROWS)]
    table = spark.createDataFrame(rows, "number int, data binary")
    added = table.transform(with_decoded(decode_subscription, "data", into="seen"))
    assert added.columns == ["number", "data", "seen"]
    whole = {row.number: as_dict(row.seen) for row in added.collect()}
    alone = table.transform(only_decoded(decode_subscription, "data", keep=["number"]))
    assert alone.columns[:2] == ["number", "message"]
    for row in alone.collect():
        seen = as_dict(row)
        number = seen.pop("number")
        assert seen == (whole[number] or dict.fromkeys(seen))
    kept = table.transform(only_decoded(decode_subscription, "data", keep=["data"]))
    assert [row.data and bytes(row.data) for row in kept.collect()] == ROWS
    fields = ["error_kind", "message"]
    few = table.transform(only_decoded(decode_subscription, "data", ["number"], fields=fields))
    assert few.collect() == alone.select("number", *fields).collect()
    with pytest.raises(ValueError, match="colour is no decoded column: there are message, version"):
        only_decoded(decode_subscription, "data", fields=["message", "colour"])


@pytest.mark.parametrize("column", ["data", "DATA", "n.b", "N.B"])
@pytest.mark.parametrize("keep", [["ID"], ["n.id"], ["n", "data", "id"], []])
def test_columns_to_keep_are_named_as_in_select(
    spark: SparkSession, column: str, keep: list[str]
) -> None:
    pytest.importorskip("pandas", reason="Spark's mapInArrow asks for it")
    rows = [(7, ROWS[0], (ROWS[0], 8))]
    table = spark.createDataFrame(rows, "id int, data binary, n struct<b: binary, id: int>")
    seen = table.transform(only_decoded(decode_subscription, column, keep))
    kept = table.select(*keep)
    assert seen.columns[: len(keep)] == kept.columns
    (row,), (whole,) = seen.collect(), kept.collect()
    assert row[: len(keep)] == whole
    assert row.message.topics == ["orders"]


@pytest.mark.parametrize("keep", ["version", "n.version", "Version"])
def test_a_column_twice_is_refused(spark: SparkSession, keep: str) -> None:
    table = spark.createDataFrame([(b"", 1, (1,))], "b binary, version int, n struct<version: int>")
    with pytest.raises(ValueError, match="would be there twice: version"):
        table.transform(only_decoded(decode_subscription, "b", [keep]))


def test_types_are_the_documented_ones() -> None:
    made = decode_subscription.spark_type
    assert [(field.name, field.nullable) for field in made] == [
        ("message", True), ("version", True), ("schema_version", True), ("bytes_left", False),
        ("error_kind", True), ("error_offset", True),
    ]  # fmt: skip
    message = made["message"].dataType
    assert isinstance(message, StructType)
    assert message.simpleString() == (
        "struct<topics:array<string>,user_data:binary,owned_partitions:array<struct<topic:string,"
        "partitions:array<int>>>,generation_id:int,rack_id:string>"
    )
    nullable = {field.name for field in message if field.nullable}
    assert nullable == {"user_data", "rack_id"}
    if hasattr(pyspark.sql.pandas.functions, "arrow_udf"):  # older ones keep nothing of elements
        assert not message["topics"].dataType.containsNull  # type: ignore[attr-defined]


def test_every_message_of_the_offsets_topic_has_a_function() -> None:
    named = {
        each.message_name: name
        for name, each in vars(functions).items()
        if isinstance(each, Decoder)
    }
    for name in built_in_names():
        if name.endswith(("Key", "Value")):
            kind = getattr(functions, named[name]).spark_type["message"].dataType
            assert isinstance(kind, StructType) and len(kind) >= 1
        if name.endswith("Key"):
            assert named[name] == named[name.removesuffix("Key") + "Value"] + "_key"
    with pytest.raises(NoSuchMessage, match=r"did you mean .*ConsumerProtocolSubscription"):
        decoder("SubscriptionX")


def test_arguments_in_the_wrong_order_are_refused(spark: SparkSession) -> None:
    wrong: Any = "value"
    column: Any = decode_subscription
    for step in (only_decoded, with_decoded):
        with pytest.raises(TypeError, match="not 'value'; the column follows it"):
            step(wrong, column)
    with pytest.raises(TypeError, match="not 'value'; the column follows it"):
        decode_files(spark, "in", wrong, column)
    with pytest.raises(TypeError, match="not 'value'; the column follows it"):
        decode_into(spark, "in", "out", wrong, column)


@pytest.mark.parametrize("column", ["text", "N.t", "number"])
def test_a_column_of_another_type_is_refused_at_once(spark: SparkSession, column: str) -> None:
    """And not by each task, four times."""
    table = spark.createDataFrame([("", 1, ("",))], "text string, number int, n struct<t: string>")
    kind = "int" if column == "number" else f"string, and has to be binary; unhex.{column}"
    for step in (only_decoded, with_decoded):
        with pytest.raises(TypeError, match=f"the column {column} is {kind}"):
            table.transform(step(decode_subscription, column))


def test_uuids_are_bytes() -> None:
    text = decoder("ConsumerGroupTargetAssignmentMemberValue").spark_type.simpleString()
    assert "topic_id:binary" in text
    assert isinstance(decode_subscription.spark_type["error_kind"].dataType, StringType)
    assert isinstance(decode_subscription.spark_type["version"].dataType, IntegerType)
    assert BinaryType().simpleString() == "binary"


def test_the_documentation_names_them_all() -> None:
    text = SPARK.read_text("utf-8")
    assert "AssignmentInfo" in text
    for field in (*decode_subscription.arrow_type, *RECORDS):
        assert f"`{field.name}`" in text, field.name
    kinds = pytest.importorskip("kproto.pipeline.spark.offsets_source", exc_type=ImportError).KINDS
    for kind in kinds:
        assert f"`{kind}`" in text


@pytest.mark.slow
def test_the_documented_query_runs(spark: SparkSession) -> None:
    pytest.importorskip("pyspark.sql.datasource", reason="Spark 4.0 has data sources in Python")
    shown, *_ = re.findall(r"```python\n(.*?)```", SPARK.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    *before, last = shown.replace(
        "/var/lib/kafka", str(VECTORS / "captures" / "offsets-topic")
    ).splitlines()
    exec("\n".join([*before, f"found = {last}"]), names)  # noqa: S102  # our own page
    assert names["spark"].sparkContext is spark.sparkContext
    found = names["found"]
    assert found.where("seen.message is not null").count() > 100
    refused = found.where("seen.message is null").select("client_id").distinct().collect()
    clients = {client for (client,) in refused}
    assert clients and all(client.startswith("kafka") for client in clients)  # no Connect worker
