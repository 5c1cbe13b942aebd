"""Kafka's API keys: their names, and the message classes of those that are defined here.

All names are listed, so that traffic other than that of groups can be named. Which frames can be
decoded follows from the built-in definitions. SaslAuthenticate and Fetch have them, for the
connections that kproto opens itself, but their frames are not decoded: the former hold credentials,
which no view may show, the latter the records of any topic.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ...codec import Message, built_in_names, message_class

__all__ = ["API_NAMES", "API_VERSIONS", "Api", "api_name", "apis", "apis_of"]

# From the API keys of Kafka 4.4.0's definitions, 0 to 94 without a gap.
API_NAMES = tuple(
    """
    Produce Fetch ListOffsets Metadata LeaderAndIsr StopReplica UpdateMetadata ControlledShutdown
    OffsetCommit OffsetFetch FindCoordinator JoinGroup Heartbeat LeaveGroup SyncGroup
    DescribeGroups ListGroups SaslHandshake ApiVersions CreateTopics DeleteTopics DeleteRecords
    InitProducerId OffsetForLeaderEpoch AddPartitionsToTxn AddOffsetsToTxn EndTxn WriteTxnMarkers
    TxnOffsetCommit DescribeAcls CreateAcls DeleteAcls DescribeConfigs AlterConfigs
    AlterReplicaLogDirs DescribeLogDirs SaslAuthenticate CreatePartitions CreateDelegationToken
    RenewDelegationToken ExpireDelegationToken DescribeDelegationToken DeleteGroups ElectLeaders
    IncrementalAlterConfigs AlterPartitionReassignments ListPartitionReassignments OffsetDelete
    DescribeClientQuotas AlterClientQuotas DescribeUserScramCredentials AlterUserScramCredentials
    Vote BeginQuorumEpoch EndQuorumEpoch DescribeQuorum AlterPartition UpdateFeatures Envelope
    FetchSnapshot DescribeCluster DescribeProducers BrokerRegistration BrokerHeartbeat
    UnregisterBroker DescribeTransactions ListTransactions AllocateProducerIds
    ConsumerGroupHeartbeat ConsumerGroupDescribe ControllerRegistration
    GetTelemetrySubscriptions PushTelemetry AssignReplicasToDirs ListConfigResources
    DescribeTopicPartitions ShareGroupHeartbeat ShareGroupDescribe ShareFetch ShareAcknowledge
    AddRaftVoter RemoveRaftVoter UpdateRaftVoter InitializeShareGroupState ReadShareGroupState
    WriteShareGroupState DeleteShareGroupState ReadShareGroupStateSummary StreamsGroupHeartbeat
    StreamsGroupDescribe DescribeShareGroupOffsets AlterShareGroupOffsets DeleteShareGroupOffsets
    StreamsGroupTopologyDescriptionUpdate UnregisterController
    """.split()
)

API_VERSIONS = API_NAMES.index("ApiVersions")
"""Its response is read by clients that do not know the broker's version: its header is never
flexible, and a broker that does not know the request's version answers in version 0 (KIP-511)."""

UNDECODED = frozenset(
    f"{api}{end}" for api in ("Fetch", "SaslAuthenticate") for end in ("Request", "Response")
)
"""The messages of frames that are named and not decoded."""


class Api(NamedTuple):
    """The two message classes of an API key."""

    request: type[Message]
    response: type[Message]


def api_name(key: int) -> str:
    """Return the name of an API key: "JoinGroup"; "API key 999" where it has none."""
    return API_NAMES[key] if 0 <= key < len(API_NAMES) else f"API key {key}"


@cache
def apis() -> Mapping[int, Api]:
    """Return the API keys with their message classes, from the built-in definitions, except
    those of `UNDECODED`."""
    ends = ("Request", "Response")
    names = [name for name in built_in_names() if name.endswith(ends) and name not in UNDECODED]
    return apis_of({name: message_class(name) for name in names})


def apis_of(classes: Mapping[str, type[Message]]) -> Mapping[int, Api]:
    """Return the API keys of requests and responses, given by name; those of which one is missing
    are left out."""
    by_key = {}
    for name, request in sorted(classes.items()):
        response = classes.get(f"{name.removesuffix('Request')}Response")
        if name.endswith("Request") and response is not None and request.API_KEY is not None:
            by_key[request.API_KEY] = Api(request, response)
    return by_key
