"""A fake broker with classic groups."""

from __future__ import annotations

from typing import Any

from kproto.cluster.admin import EARLIEST
from kproto.codec import (
    ConsumerGroupDescribeResponse,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    DescribeGroupsResponse,
    FetchResponse,
    FindCoordinatorResponse,
    ListGroupsResponse,
    ListOffsetsResponse,
    Message,
    OffsetFetchResponse,
)
from tests.cluster.brokers import FakeBroker

Described = DescribeGroupsResponse.DescribedGroup
Member = DescribeGroupsResponse.DescribedGroupMember


def member(
    name: str,
    topics: tuple[str, ...] = ("orders",),
    assigned: dict[str, tuple[int, ...]] | None = None,
    metadata: bytes | None = None,
) -> Member:
    entry = ConsumerProtocolAssignment.TopicPartition
    shares = tuple(entry(topic=t, partitions=p) for t, p in (assigned or {}).items())
    subscription = ConsumerProtocolSubscription(topics=topics).to_bytes(version=3)
    return Member(
        member_id=f"{name}-1",
        client_id=name,
        client_host="/10.0.0.1",
        member_metadata=subscription if metadata is None else metadata,
        member_assignment=ConsumerProtocolAssignment(assigned_partitions=shares).to_bytes(
            version=3
        ),
    )


def group(name: str, *members: Member, protocol: str = "range", state: str = "Stable") -> Described:
    return Described(
        group_id=name,
        group_state=state,
        protocol_type="consumer",
        protocol_data=protocol,
        members=members,
    )


class Groups(FakeBroker):
    """A broker that coordinates classic groups of the topic `orders`, six partitions, whose end is
    at offset 100 and where the first two partitions are committed at 40."""

    def __init__(
        self, *groups: Described, versions: dict[str, int] | None = None, error: int = 0
    ) -> None:
        self.groups = {each.group_id: each for each in groups}
        self.error = error
        super().__init__(
            {
                "FindCoordinator": self._coordinator,
                "ListGroups": self._list,
                "DescribeGroups": self._describe,
                "OffsetFetch": self._fetch,
                "ListOffsets": self._offsets,
            },
            versions,
        )
        self.start = 0
        self.younger = -1
        """The offset of the first record that is younger than a time; -1: all are older."""
        self.topics = {"orders": 6, "__consumer_offsets": 4}

    def _coordinator(self, request: Any, version: int) -> Message:
        cls = FindCoordinatorResponse
        if version < 4:
            return cls(node_id=1, host="127.0.0.1", port=self.port)
        return cls(
            coordinators=tuple(
                cls.Coordinator(key=key, node_id=1, host="127.0.0.1", port=self.port)
                for key in request.coordinator_keys
            )
        )

    def _list(self, request: Any, version: int) -> Message:
        cls = ListGroupsResponse
        return cls(
            groups=tuple(
                cls.ListedGroup(
                    group_id=each.group_id,
                    protocol_type=each.protocol_type,
                    group_state=each.group_state if version >= 4 else "",
                    group_type="classic" if version >= 5 else "",
                )
                for each in self.groups.values()
            )
        )

    def _describe(self, request: Any, version: int) -> Message:
        known = {name: self.groups.get(name) for name in request.groups}
        found = tuple(
            Described(group_id=name, error_code=self.error)
            if self.error
            else each or Described(group_id=name, group_state="Dead")
            for name, each in known.items()
        )
        return DescribeGroupsResponse(groups=found)

    def describe_consumers(self, request: Any, version: int) -> Message:
        """None of the groups is of the consumer protocol."""
        cls = ConsumerGroupDescribeResponse
        return cls(
            groups=tuple(
                cls.DescribedGroup(group_id=name, error_code=69) for name in request.group_ids
            )
        )

    def _fetch(self, request: Any, version: int) -> Message:
        cls = OffsetFetchResponse
        if version < 8:
            topic = cls.OffsetFetchResponseTopic(
                name="orders",
                partitions=tuple(
                    cls.OffsetFetchResponsePartition(partition_index=number, committed_offset=40)
                    for number in (0, 1)
                ),
            )
            return cls(topics=(topic,))
        return cls(
            groups=tuple(
                cls.OffsetFetchResponseGroup(
                    group_id=each.group_id,
                    topics=(
                        cls.OffsetFetchResponseTopics(
                            name="orders",
                            partitions=tuple(
                                cls.OffsetFetchResponsePartitions(
                                    partition_index=number, committed_offset=40, metadata=""
                                )
                                for number in (0, 1)
                            ),
                        ),
                    ),
                )
                for each in request.groups
            )
        )

    def _offsets(self, request: Any, version: int) -> Message:
        cls = ListOffsetsResponse
        return cls(
            topics=tuple(
                cls.ListOffsetsTopicResponse(
                    name=topic.name,
                    partitions=tuple(
                        cls.ListOffsetsPartitionResponse(
                            partition_index=each.partition_index,
                            offset=self._offset(each.timestamp),
                        )
                        for each in topic.partitions
                    ),
                )
                for topic in request.topics
            )
        )

    def _offset(self, timestamp: int) -> int:
        if timestamp >= 0:
            return self.younger
        return self.start if timestamp == EARLIEST else 100


class Recorded(Groups):
    """One whose partitions of the offsets topic hold this batch each, behind which they end."""

    def __init__(self, records: bytes, *groups: Described) -> None:
        super().__init__(*groups)
        self.records = records
        self.answers["Fetch"] = self._records

    def _records(self, request: Any, version: int) -> Message:
        cls = FetchResponse
        return cls(
            responses=tuple(
                cls.FetchableTopicResponse(
                    topic=topic.topic,
                    partitions=tuple(
                        cls.PartitionData(
                            partition_index=each.partition,
                            high_watermark=100,
                            records=self.records,
                        )
                        for each in topic.partitions
                    ),
                )
                for topic in request.topics
            )
        )
