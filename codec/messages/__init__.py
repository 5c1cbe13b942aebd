"""The built-in messages: a generated module for each, imported when it is used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import NoSuchMessage

if TYPE_CHECKING:
    from ..runtime.message import Message
    from .add_offsets_to_txn_request import AddOffsetsToTxnRequest as AddOffsetsToTxnRequest
    from .add_offsets_to_txn_response import AddOffsetsToTxnResponse as AddOffsetsToTxnResponse
    from .api_versions_request import ApiVersionsRequest as ApiVersionsRequest
    from .api_versions_response import ApiVersionsResponse as ApiVersionsResponse
    from .assignment_info import AssignmentInfo as AssignmentInfo
    from .connect_protocol_assignment import ConnectProtocolAssignment as ConnectProtocolAssignment
    from .connect_protocol_metadata import ConnectProtocolMetadata as ConnectProtocolMetadata
    from .consumer_group_current_member_assignment_key import (
        ConsumerGroupCurrentMemberAssignmentKey as ConsumerGroupCurrentMemberAssignmentKey,
    )
    from .consumer_group_current_member_assignment_value import (
        ConsumerGroupCurrentMemberAssignmentValue as ConsumerGroupCurrentMemberAssignmentValue,
    )
    from .consumer_group_describe_request import (
        ConsumerGroupDescribeRequest as ConsumerGroupDescribeRequest,
    )
    from .consumer_group_describe_response import (
        ConsumerGroupDescribeResponse as ConsumerGroupDescribeResponse,
    )
    from .consumer_group_heartbeat_request import (
        ConsumerGroupHeartbeatRequest as ConsumerGroupHeartbeatRequest,
    )
    from .consumer_group_heartbeat_response import (
        ConsumerGroupHeartbeatResponse as ConsumerGroupHeartbeatResponse,
    )
    from .consumer_group_member_metadata_key import (
        ConsumerGroupMemberMetadataKey as ConsumerGroupMemberMetadataKey,
    )
    from .consumer_group_member_metadata_value import (
        ConsumerGroupMemberMetadataValue as ConsumerGroupMemberMetadataValue,
    )
    from .consumer_group_metadata_key import ConsumerGroupMetadataKey as ConsumerGroupMetadataKey
    from .consumer_group_metadata_value import (
        ConsumerGroupMetadataValue as ConsumerGroupMetadataValue,
    )
    from .consumer_group_partition_metadata_key import (
        ConsumerGroupPartitionMetadataKey as ConsumerGroupPartitionMetadataKey,
    )
    from .consumer_group_partition_metadata_value import (
        ConsumerGroupPartitionMetadataValue as ConsumerGroupPartitionMetadataValue,
    )
    from .consumer_group_regular_expression_key import (
        ConsumerGroupRegularExpressionKey as ConsumerGroupRegularExpressionKey,
    )
    from .consumer_group_regular_expression_value import (
        ConsumerGroupRegularExpressionValue as ConsumerGroupRegularExpressionValue,
    )
    from .consumer_group_target_assignment_member_key import (
        ConsumerGroupTargetAssignmentMemberKey as ConsumerGroupTargetAssignmentMemberKey,
    )
    from .consumer_group_target_assignment_member_value import (
        ConsumerGroupTargetAssignmentMemberValue as ConsumerGroupTargetAssignmentMemberValue,
    )
    from .consumer_group_target_assignment_metadata_key import (
        ConsumerGroupTargetAssignmentMetadataKey as ConsumerGroupTargetAssignmentMetadataKey,
    )
    from .consumer_group_target_assignment_metadata_value import (
        ConsumerGroupTargetAssignmentMetadataValue as ConsumerGroupTargetAssignmentMetadataValue,
    )
    from .consumer_protocol_assignment import (
        ConsumerProtocolAssignment as ConsumerProtocolAssignment,
    )
    from .consumer_protocol_assignment_draft429 import (
        ConsumerProtocolAssignmentDraft429 as ConsumerProtocolAssignmentDraft429,
    )
    from .consumer_protocol_subscription import (
        ConsumerProtocolSubscription as ConsumerProtocolSubscription,
    )
    from .cooperative_sticky_user_data import CooperativeStickyUserData as CooperativeStickyUserData
    from .describe_configs_request import DescribeConfigsRequest as DescribeConfigsRequest
    from .describe_configs_response import DescribeConfigsResponse as DescribeConfigsResponse
    from .describe_groups_request import DescribeGroupsRequest as DescribeGroupsRequest
    from .describe_groups_response import DescribeGroupsResponse as DescribeGroupsResponse
    from .describe_share_group_offsets_request import (
        DescribeShareGroupOffsetsRequest as DescribeShareGroupOffsetsRequest,
    )
    from .describe_share_group_offsets_response import (
        DescribeShareGroupOffsetsResponse as DescribeShareGroupOffsetsResponse,
    )
    from .end_txn_request import EndTxnRequest as EndTxnRequest
    from .end_txn_response import EndTxnResponse as EndTxnResponse
    from .fetch_request import FetchRequest as FetchRequest
    from .fetch_response import FetchResponse as FetchResponse
    from .find_coordinator_request import FindCoordinatorRequest as FindCoordinatorRequest
    from .find_coordinator_response import FindCoordinatorResponse as FindCoordinatorResponse
    from .group_metadata_key import GroupMetadataKey as GroupMetadataKey
    from .group_metadata_value import GroupMetadataValue as GroupMetadataValue
    from .heartbeat_request import HeartbeatRequest as HeartbeatRequest
    from .heartbeat_response import HeartbeatResponse as HeartbeatResponse
    from .init_producer_id_request import InitProducerIdRequest as InitProducerIdRequest
    from .init_producer_id_response import InitProducerIdResponse as InitProducerIdResponse
    from .join_group_request import JoinGroupRequest as JoinGroupRequest
    from .join_group_response import JoinGroupResponse as JoinGroupResponse
    from .leave_group_request import LeaveGroupRequest as LeaveGroupRequest
    from .leave_group_response import LeaveGroupResponse as LeaveGroupResponse
    from .legacy_offset_commit_key import LegacyOffsetCommitKey as LegacyOffsetCommitKey
    from .legacy_offset_commit_value import LegacyOffsetCommitValue as LegacyOffsetCommitValue
    from .list_groups_request import ListGroupsRequest as ListGroupsRequest
    from .list_groups_response import ListGroupsResponse as ListGroupsResponse
    from .list_offsets_request import ListOffsetsRequest as ListOffsetsRequest
    from .list_offsets_response import ListOffsetsResponse as ListOffsetsResponse
    from .metadata_request import MetadataRequest as MetadataRequest
    from .metadata_response import MetadataResponse as MetadataResponse
    from .offset_commit_key import OffsetCommitKey as OffsetCommitKey
    from .offset_commit_request import OffsetCommitRequest as OffsetCommitRequest
    from .offset_commit_response import OffsetCommitResponse as OffsetCommitResponse
    from .offset_commit_value import OffsetCommitValue as OffsetCommitValue
    from .offset_fetch_request import OffsetFetchRequest as OffsetFetchRequest
    from .offset_fetch_response import OffsetFetchResponse as OffsetFetchResponse
    from .request_header import RequestHeader as RequestHeader
    from .response_header import ResponseHeader as ResponseHeader
    from .sasl_authenticate_request import SaslAuthenticateRequest as SaslAuthenticateRequest
    from .sasl_authenticate_response import SaslAuthenticateResponse as SaslAuthenticateResponse
    from .sasl_handshake_request import SaslHandshakeRequest as SaslHandshakeRequest
    from .sasl_handshake_response import SaslHandshakeResponse as SaslHandshakeResponse
    from .share_group_current_member_assignment_key import (
        ShareGroupCurrentMemberAssignmentKey as ShareGroupCurrentMemberAssignmentKey,
    )
    from .share_group_current_member_assignment_value import (
        ShareGroupCurrentMemberAssignmentValue as ShareGroupCurrentMemberAssignmentValue,
    )
    from .share_group_describe_request import ShareGroupDescribeRequest as ShareGroupDescribeRequest
    from .share_group_describe_response import (
        ShareGroupDescribeResponse as ShareGroupDescribeResponse,
    )
    from .share_group_heartbeat_request import (
        ShareGroupHeartbeatRequest as ShareGroupHeartbeatRequest,
    )
    from .share_group_heartbeat_response import (
        ShareGroupHeartbeatResponse as ShareGroupHeartbeatResponse,
    )
    from .share_group_member_metadata_key import (
        ShareGroupMemberMetadataKey as ShareGroupMemberMetadataKey,
    )
    from .share_group_member_metadata_value import (
        ShareGroupMemberMetadataValue as ShareGroupMemberMetadataValue,
    )
    from .share_group_metadata_key import ShareGroupMetadataKey as ShareGroupMetadataKey
    from .share_group_metadata_value import ShareGroupMetadataValue as ShareGroupMetadataValue
    from .share_group_state_partition_metadata_key import (
        ShareGroupStatePartitionMetadataKey as ShareGroupStatePartitionMetadataKey,
    )
    from .share_group_state_partition_metadata_value import (
        ShareGroupStatePartitionMetadataValue as ShareGroupStatePartitionMetadataValue,
    )
    from .share_group_target_assignment_member_key import (
        ShareGroupTargetAssignmentMemberKey as ShareGroupTargetAssignmentMemberKey,
    )
    from .share_group_target_assignment_member_value import (
        ShareGroupTargetAssignmentMemberValue as ShareGroupTargetAssignmentMemberValue,
    )
    from .share_group_target_assignment_metadata_key import (
        ShareGroupTargetAssignmentMetadataKey as ShareGroupTargetAssignmentMetadataKey,
    )
    from .share_group_target_assignment_metadata_value import (
        ShareGroupTargetAssignmentMetadataValue as ShareGroupTargetAssignmentMetadataValue,
    )
    from .sticky_assignor_user_data import StickyAssignorUserData as StickyAssignorUserData
    from .stream_join_assignment_user_data import (
        StreamJoinAssignmentUserData as StreamJoinAssignmentUserData,
    )
    from .stream_join_subscription_user_data import (
        StreamJoinSubscriptionUserData as StreamJoinSubscriptionUserData,
    )
    from .streams_group_current_member_assignment_key import (
        StreamsGroupCurrentMemberAssignmentKey as StreamsGroupCurrentMemberAssignmentKey,
    )
    from .streams_group_current_member_assignment_value import (
        StreamsGroupCurrentMemberAssignmentValue as StreamsGroupCurrentMemberAssignmentValue,
    )
    from .streams_group_describe_request import (
        StreamsGroupDescribeRequest as StreamsGroupDescribeRequest,
    )
    from .streams_group_describe_response import (
        StreamsGroupDescribeResponse as StreamsGroupDescribeResponse,
    )
    from .streams_group_heartbeat_request import (
        StreamsGroupHeartbeatRequest as StreamsGroupHeartbeatRequest,
    )
    from .streams_group_heartbeat_response import (
        StreamsGroupHeartbeatResponse as StreamsGroupHeartbeatResponse,
    )
    from .streams_group_member_metadata_key import (
        StreamsGroupMemberMetadataKey as StreamsGroupMemberMetadataKey,
    )
    from .streams_group_member_metadata_value import (
        StreamsGroupMemberMetadataValue as StreamsGroupMemberMetadataValue,
    )
    from .streams_group_metadata_key import StreamsGroupMetadataKey as StreamsGroupMetadataKey
    from .streams_group_metadata_value import StreamsGroupMetadataValue as StreamsGroupMetadataValue
    from .streams_group_target_assignment_member_key import (
        StreamsGroupTargetAssignmentMemberKey as StreamsGroupTargetAssignmentMemberKey,
    )
    from .streams_group_target_assignment_member_value import (
        StreamsGroupTargetAssignmentMemberValue as StreamsGroupTargetAssignmentMemberValue,
    )
    from .streams_group_target_assignment_metadata_key import (
        StreamsGroupTargetAssignmentMetadataKey as StreamsGroupTargetAssignmentMetadataKey,
    )
    from .streams_group_target_assignment_metadata_value import (
        StreamsGroupTargetAssignmentMetadataValue as StreamsGroupTargetAssignmentMetadataValue,
    )
    from .streams_group_topology_key import StreamsGroupTopologyKey as StreamsGroupTopologyKey
    from .streams_group_topology_value import StreamsGroupTopologyValue as StreamsGroupTopologyValue
    from .subscription_info_data import SubscriptionInfoData as SubscriptionInfoData
    from .sync_group_request import SyncGroupRequest as SyncGroupRequest
    from .sync_group_response import SyncGroupResponse as SyncGroupResponse
    from .txn_offset_commit_request import TxnOffsetCommitRequest as TxnOffsetCommitRequest
    from .txn_offset_commit_response import TxnOffsetCommitResponse as TxnOffsetCommitResponse

MODULES = {
    "AddOffsetsToTxnRequest": "add_offsets_to_txn_request",
    "AddOffsetsToTxnResponse": "add_offsets_to_txn_response",
    "ApiVersionsRequest": "api_versions_request",
    "ApiVersionsResponse": "api_versions_response",
    "AssignmentInfo": "assignment_info",
    "ConnectProtocolAssignment": "connect_protocol_assignment",
    "ConnectProtocolMetadata": "connect_protocol_metadata",
    "ConsumerGroupCurrentMemberAssignmentKey": "consumer_group_current_member_assignment_key",
    "ConsumerGroupCurrentMemberAssignmentValue": "consumer_group_current_member_assignment_value",
    "ConsumerGroupDescribeRequest": "consumer_group_describe_request",
    "ConsumerGroupDescribeResponse": "consumer_group_describe_response",
    "ConsumerGroupHeartbeatRequest": "consumer_group_heartbeat_request",
    "ConsumerGroupHeartbeatResponse": "consumer_group_heartbeat_response",
    "ConsumerGroupMemberMetadataKey": "consumer_group_member_metadata_key",
    "ConsumerGroupMemberMetadataValue": "consumer_group_member_metadata_value",
    "ConsumerGroupMetadataKey": "consumer_group_metadata_key",
    "ConsumerGroupMetadataValue": "consumer_group_metadata_value",
    "ConsumerGroupPartitionMetadataKey": "consumer_group_partition_metadata_key",
    "ConsumerGroupPartitionMetadataValue": "consumer_group_partition_metadata_value",
    "ConsumerGroupRegularExpressionKey": "consumer_group_regular_expression_key",
    "ConsumerGroupRegularExpressionValue": "consumer_group_regular_expression_value",
    "ConsumerGroupTargetAssignmentMemberKey": "consumer_group_target_assignment_member_key",
    "ConsumerGroupTargetAssignmentMemberValue": "consumer_group_target_assignment_member_value",
    "ConsumerGroupTargetAssignmentMetadataKey": "consumer_group_target_assignment_metadata_key",
    "ConsumerGroupTargetAssignmentMetadataValue": "consumer_group_target_assignment_metadata_value",
    "ConsumerProtocolAssignment": "consumer_protocol_assignment",
    "ConsumerProtocolAssignmentDraft429": "consumer_protocol_assignment_draft429",
    "ConsumerProtocolSubscription": "consumer_protocol_subscription",
    "CooperativeStickyUserData": "cooperative_sticky_user_data",
    "DescribeConfigsRequest": "describe_configs_request",
    "DescribeConfigsResponse": "describe_configs_response",
    "DescribeGroupsRequest": "describe_groups_request",
    "DescribeGroupsResponse": "describe_groups_response",
    "DescribeShareGroupOffsetsRequest": "describe_share_group_offsets_request",
    "DescribeShareGroupOffsetsResponse": "describe_share_group_offsets_response",
    "EndTxnRequest": "end_txn_request",
    "EndTxnResponse": "end_txn_response",
    "FetchRequest": "fetch_request",
    "FetchResponse": "fetch_response",
    "FindCoordinatorRequest": "find_coordinator_request",
    "FindCoordinatorResponse": "find_coordinator_response",
    "GroupMetadataKey": "group_metadata_key",
    "GroupMetadataValue": "group_metadata_value",
    "HeartbeatRequest": "heartbeat_request",
    "HeartbeatResponse": "heartbeat_response",
    "InitProducerIdRequest": "init_producer_id_request",
    "InitProducerIdResponse": "init_producer_id_response",
    "JoinGroupRequest": "join_group_request",
    "JoinGroupResponse": "join_group_response",
    "LeaveGroupRequest": "leave_group_request",
    "LeaveGroupResponse": "leave_group_response",
    "LegacyOffsetCommitKey": "legacy_offset_commit_key",
    "LegacyOffsetCommitValue": "legacy_offset_commit_value",
    "ListGroupsRequest": "list_groups_request",
    "ListGroupsResponse": "list_groups_response",
    "ListOffsetsRequest": "list_offsets_request",
    "ListOffsetsResponse": "list_offsets_response",
    "MetadataRequest": "metadata_request",
    "MetadataResponse": "metadata_response",
    "OffsetCommitKey": "offset_commit_key",
    "OffsetCommitRequest": "offset_commit_request",
    "OffsetCommitResponse": "offset_commit_response",
    "OffsetCommitValue": "offset_commit_value",
    "OffsetFetchRequest": "offset_fetch_request",
    "OffsetFetchResponse": "offset_fetch_response",
    "RequestHeader": "request_header",
    "ResponseHeader": "response_header",
    "SaslAuthenticateRequest": "sasl_authenticate_request",
    "SaslAuthenticateResponse": "sasl_authenticate_response",
    "SaslHandshakeRequest": "sasl_handshake_request",
    "SaslHandshakeResponse": "sasl_handshake_response",
    "ShareGroupCurrentMemberAssignmentKey": "share_group_current_member_assignment_key",
    "ShareGroupCurrentMemberAssignmentValue": "share_group_current_member_assignment_value",
    "ShareGroupDescribeRequest": "share_group_describe_request",
    "ShareGroupDescribeResponse": "share_group_describe_response",
    "ShareGroupHeartbeatRequest": "share_group_heartbeat_request",
    "ShareGroupHeartbeatResponse": "share_group_heartbeat_response",
    "ShareGroupMemberMetadataKey": "share_group_member_metadata_key",
    "ShareGroupMemberMetadataValue": "share_group_member_metadata_value",
    "ShareGroupMetadataKey": "share_group_metadata_key",
    "ShareGroupMetadataValue": "share_group_metadata_value",
    "ShareGroupStatePartitionMetadataKey": "share_group_state_partition_metadata_key",
    "ShareGroupStatePartitionMetadataValue": "share_group_state_partition_metadata_value",
    "ShareGroupTargetAssignmentMemberKey": "share_group_target_assignment_member_key",
    "ShareGroupTargetAssignmentMemberValue": "share_group_target_assignment_member_value",
    "ShareGroupTargetAssignmentMetadataKey": "share_group_target_assignment_metadata_key",
    "ShareGroupTargetAssignmentMetadataValue": "share_group_target_assignment_metadata_value",
    "StickyAssignorUserData": "sticky_assignor_user_data",
    "StreamJoinAssignmentUserData": "stream_join_assignment_user_data",
    "StreamJoinSubscriptionUserData": "stream_join_subscription_user_data",
    "StreamsGroupCurrentMemberAssignmentKey": "streams_group_current_member_assignment_key",
    "StreamsGroupCurrentMemberAssignmentValue": "streams_group_current_member_assignment_value",
    "StreamsGroupDescribeRequest": "streams_group_describe_request",
    "StreamsGroupDescribeResponse": "streams_group_describe_response",
    "StreamsGroupHeartbeatRequest": "streams_group_heartbeat_request",
    "StreamsGroupHeartbeatResponse": "streams_group_heartbeat_response",
    "StreamsGroupMemberMetadataKey": "streams_group_member_metadata_key",
    "StreamsGroupMemberMetadataValue": "streams_group_member_metadata_value",
    "StreamsGroupMetadataKey": "streams_group_metadata_key",
    "StreamsGroupMetadataValue": "streams_group_metadata_value",
    "StreamsGroupTargetAssignmentMemberKey": "streams_group_target_assignment_member_key",
    "StreamsGroupTargetAssignmentMemberValue": "streams_group_target_assignment_member_value",
    "StreamsGroupTargetAssignmentMetadataKey": "streams_group_target_assignment_metadata_key",
    "StreamsGroupTargetAssignmentMetadataValue": "streams_group_target_assignment_metadata_value",
    "StreamsGroupTopologyKey": "streams_group_topology_key",
    "StreamsGroupTopologyValue": "streams_group_topology_value",
    "SubscriptionInfoData": "subscription_info_data",
    "SyncGroupRequest": "sync_group_request",
    "SyncGroupResponse": "sync_group_response",
    "TxnOffsetCommitRequest": "txn_offset_commit_request",
    "TxnOffsetCommitResponse": "txn_offset_commit_response",
}


@cache
def message_class(name: str) -> type[Message]:
    """Return the built-in message class of that name. Raises NoSuchMessage if there is none."""
    if name not in MODULES:
        raise NoSuchMessage(name, MODULES)
    cls: type[Message] = getattr(import_module(f".{MODULES[name]}", __name__), name)
    return cls


def __getattr__(name: str) -> type[Message]:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message_class(name)
