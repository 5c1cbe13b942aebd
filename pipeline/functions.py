"""Spark functions: a column of bytes in, a column of structs out.

    from kproto.pipeline.functions import decode_subscription

    seen = table.select("group_id", decode_subscription("metadata").alias("seen"))
    seen.where("seen.error_kind is null").select("group_id", "seen.message.topics")

The struct is the one of `columnar`: message, version, schema_version, bytes_left, error_kind,
error_offset; `docs/reference/spark.md` lists the functions. Whatever the bytes, no row fails: what
Kafka would refuse has no message, and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql.functions import col, when
from pyspark.sql.pandas.functions import pandas_udf
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import StructField, StructType

from ..codec import Message, message_class
from .columnar import decode_column, decoded_type

__all__ = ["Decoder", "check_decoder", "decoder"]


class Decoder:
    """A function on columns that decodes messages of one class: call it with a column, or its
    name.

    `message_name` is a definition's; `body_versions` are for messages with nothing in front, the
    versions to try, in order.
    """

    def __init__(self, message_name: str, body_versions: tuple[int, ...] = ()) -> None:
        self.message_name = message_name
        self.body_versions = body_versions

    def __reduce__(self) -> tuple[type[Decoder], tuple[str, tuple[int, ...]]]:
        return Decoder, (self.message_name, self.body_versions)  # a worker makes its own

    def __call__(self, column: Column | str) -> Column:
        structs: Column = self._udf(column)
        return structs

    @property
    def message_class(self) -> type[Message]:
        """The class of the messages that are decoded."""
        return message_class(self.message_name)

    @property
    def arrow_type(self) -> pa.StructType:
        """The type of the decoded column in pyarrow."""
        return decoded_type(self.message_class, self.body_versions)

    @property
    def spark_type(self) -> StructType:
        """The type of the decoded column in Spark."""
        spark_type = from_arrow_type(self.arrow_type)
        assert isinstance(spark_type, StructType)
        return spark_type

    def fields(self, names: Sequence[str] | None = None) -> list[StructField]:
        """Return fields of the decoded struct in Spark, in the order of their names; by default
        all. Raises ValueError for a name that it does not have.
        """
        by_name = {field.name: StructField(field.name, field.dataType) for field in self.spark_type}
        for name in names or ():
            if name not in by_name:
                raise ValueError(f"{name} is no decoded column: there are {', '.join(by_name)}")
        return [by_name[name] for name in (by_name if names is None else names)]

    def decode(self, column: pa.Array) -> pa.StructArray:
        """Return the decoded column for one of pyarrow, without Spark."""
        return decode_column(column, self.message_class, self.body_versions)

    @cached_property
    def _udf(self) -> Callable[[Column | str], Any]:
        def decode(column: pa.Array) -> pa.Array:
            return self.decode(column)

        decode.__name__ = f"decode_{self.message_name}"
        try:
            from pyspark.sql.pandas.functions import arrow_udf  # late: an optional dependency
        except ImportError:
            return self._by_pandas(decode)
        wrap: Callable[..., Any] = arrow_udf  # its stub knows no struct types
        function: Callable[[Column | str], Any] = wrap(decode, self.spark_type)
        return function

    def _by_pandas(self, decode: Callable[[pa.Array], pa.Array]) -> Callable[[Column | str], Any]:
        """Return the function for a PySpark before 4.1, which has no functions of Arrow's arrays:
        it decodes the same, and makes Python's values of all of them.
        """
        from pandas import DataFrame, Series  # type: ignore[import-untyped]  # late: optional

        def decode_series(rows: Series) -> DataFrame:
            structs = decode(pa.array(rows, pa.binary()))
            fields = zip(structs.type, structs.flatten(), strict=True)
            return DataFrame(
                {field.name: Series(values.to_pylist(), dtype=object) for field, values in fields}
            )

        decode_series.__annotations__ = {"rows": Series, "return": DataFrame}
        wrap: Callable[..., Any] = pandas_udf  # its stub knows no struct types
        function = wrap(decode_series, StructType(self.fields()))  # nullable: what frames become

        def call(column: Column | str) -> Any:
            rows = col(column) if isinstance(column, str) else column
            return when(rows.isNotNull(), function(rows))  # a frame has no row that is null

        return call


def decoder(message_name: str, *body_versions: int) -> Decoder:
    """Return the decoder of any built-in message; see `codec.built_in_names`. Raises NoSuchMessage
    for any other name.
    """
    message_class(message_name)
    return Decoder(message_name, body_versions)


def check_decoder(decoder: object) -> None:
    """Raise TypeError for what is no `Decoder`, as where it changed places with a column."""
    if not isinstance(decoder, Decoder):
        line = "a function of kproto.pipeline.functions is wanted, such as decode_subscription"
        raise TypeError(f"{line}, not {decoder!r:.80}; the column follows it")


decode_subscription = Decoder("ConsumerProtocolSubscription")
decode_assignment = Decoder("ConsumerProtocolAssignment")

# User data of the assignors. `sticky` has a generation since version 1, and nothing in front that
# says which version it is: Java tries the newer one first. AssignmentInfo is what Kafka Streams'
# own assignor answers to SubscriptionInfoData; its text is in older encodings, so it is read row by
# row.
decode_sticky_user_data = Decoder("StickyAssignorUserData", (1, 0))
decode_cooperative_sticky_user_data = Decoder("CooperativeStickyUserData", (0,))
decode_stream_join_subscription_user_data = Decoder("StreamJoinSubscriptionUserData")
decode_stream_join_assignment_user_data = Decoder("StreamJoinAssignmentUserData")
decode_streams_subscription_user_data = Decoder("SubscriptionInfoData")
decode_streams_assignment_user_data = Decoder("AssignmentInfo")

# Values of the offsets topic.
decode_legacy_offset_commit = Decoder("LegacyOffsetCommitValue")
decode_offset_commit = Decoder("OffsetCommitValue")
decode_group_metadata = Decoder("GroupMetadataValue")
decode_consumer_group_metadata = Decoder("ConsumerGroupMetadataValue")
decode_consumer_group_partition_metadata = Decoder("ConsumerGroupPartitionMetadataValue")
decode_consumer_group_member_metadata = Decoder("ConsumerGroupMemberMetadataValue")
decode_consumer_group_target_metadata = Decoder("ConsumerGroupTargetAssignmentMetadataValue")
decode_consumer_group_target_member = Decoder("ConsumerGroupTargetAssignmentMemberValue")
decode_consumer_group_current_member = Decoder("ConsumerGroupCurrentMemberAssignmentValue")
decode_consumer_group_regular_expression = Decoder("ConsumerGroupRegularExpressionValue")
decode_share_group_metadata = Decoder("ShareGroupMetadataValue")
decode_share_group_member_metadata = Decoder("ShareGroupMemberMetadataValue")
decode_share_group_target_metadata = Decoder("ShareGroupTargetAssignmentMetadataValue")
decode_share_group_target_member = Decoder("ShareGroupTargetAssignmentMemberValue")
decode_share_group_current_member = Decoder("ShareGroupCurrentMemberAssignmentValue")
decode_share_group_partition_metadata = Decoder("ShareGroupStatePartitionMetadataValue")
decode_streams_group_metadata = Decoder("StreamsGroupMetadataValue")
decode_streams_group_member_metadata = Decoder("StreamsGroupMemberMetadataValue")
decode_streams_group_target_metadata = Decoder("StreamsGroupTargetAssignmentMetadataValue")
decode_streams_group_target_member = Decoder("StreamsGroupTargetAssignmentMemberValue")
decode_streams_group_current_member = Decoder("StreamsGroupCurrentMemberAssignmentValue")
decode_streams_group_topology = Decoder("StreamsGroupTopologyValue")

# Keys of the offsets topic; each record type has its own.
decode_legacy_offset_commit_key = Decoder("LegacyOffsetCommitKey")
decode_offset_commit_key = Decoder("OffsetCommitKey")
decode_group_metadata_key = Decoder("GroupMetadataKey")
decode_consumer_group_metadata_key = Decoder("ConsumerGroupMetadataKey")
decode_consumer_group_partition_metadata_key = Decoder("ConsumerGroupPartitionMetadataKey")
decode_consumer_group_member_metadata_key = Decoder("ConsumerGroupMemberMetadataKey")
decode_consumer_group_target_metadata_key = Decoder("ConsumerGroupTargetAssignmentMetadataKey")
decode_consumer_group_target_member_key = Decoder("ConsumerGroupTargetAssignmentMemberKey")
decode_consumer_group_current_member_key = Decoder("ConsumerGroupCurrentMemberAssignmentKey")
decode_consumer_group_regular_expression_key = Decoder("ConsumerGroupRegularExpressionKey")
decode_share_group_metadata_key = Decoder("ShareGroupMetadataKey")
decode_share_group_member_metadata_key = Decoder("ShareGroupMemberMetadataKey")
decode_share_group_target_metadata_key = Decoder("ShareGroupTargetAssignmentMetadataKey")
decode_share_group_target_member_key = Decoder("ShareGroupTargetAssignmentMemberKey")
decode_share_group_current_member_key = Decoder("ShareGroupCurrentMemberAssignmentKey")
decode_share_group_partition_metadata_key = Decoder("ShareGroupStatePartitionMetadataKey")
decode_streams_group_metadata_key = Decoder("StreamsGroupMetadataKey")
decode_streams_group_member_metadata_key = Decoder("StreamsGroupMemberMetadataKey")
decode_streams_group_target_metadata_key = Decoder("StreamsGroupTargetAssignmentMetadataKey")
decode_streams_group_target_member_key = Decoder("StreamsGroupTargetAssignmentMemberKey")
decode_streams_group_current_member_key = Decoder("StreamsGroupCurrentMemberAssignmentKey")
decode_streams_group_topology_key = Decoder("StreamsGroupTopologyKey")
