"""Logs of other software give no event, whatever words are in them."""

# ruff: noqa: E501  (lines of logs are as long as they are)

from __future__ import annotations

from io import BytesIO

import pytest

from kproto.capture.logs.reader import LogReader
from tests.capture.logs.recorded import read

LINES = r"""
10.0.0.7 - - [25/Nov/2026:23:42:00 +0000] "GET /groups/7/members HTTP/1.1" 200 612 "-" "curl/8.5.0"
2026/11/25 23:42:00 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream, client: 10.0.0.7, server: group.example, request: "GET / HTTP/1.1"
2026/11/25 23:42:01 [notice] 1#1: gracefully shutting down, leaving group of workers
2026-11-25 23:42:00.123 UTC [4711] LOG:  checkpoint complete: wrote 42 buffers (0.3%); 0 WAL file(s) added
2026-11-25 23:42:00.124 UTC [4711] ERROR:  relation "group_members" does not exist at character 15
2026-11-25 23:42:00.124 UTC [4711] STATEMENT:  SELECT * FROM group_members WHERE generation = 3
26/11/25 23:42:00 INFO TaskSetManager: Starting task 0.0 in stage 1.0 (TID 3) (10.0.0.7, executor 2, partition 0, PROCESS_LOCAL, 7336 bytes)
26/11/25 23:42:00 INFO Executor: Told to re-register on heartbeat
26/11/25 23:42:00 WARN HeartbeatReceiver: Removing executor 2 with no recent heartbeats: 132000 ms exceeds timeout 120000 ms
26/11/25 23:42:00 INFO BlockManagerMaster: Registered BlockManager BlockManagerId(2, 10.0.0.7, 41234, None)
26/11/25 23:42:00 INFO KafkaDataConsumer: From Kafka topicPartition=orders-0 groupId=spark-kafka-source read 100 records
2026-11-25 23:42:00,123 [myid:1] - INFO  [QuorumPeer[myid=1](plain=0.0.0.0:2181):QuorumPeer@1371] - LEADING
2026-11-25 23:42:00,123 [myid:1] - WARN  [NIOWorkerThread-2:NIOServerCnxn@380] - Unable to read additional data from client sessionid 0x1000, likely client has closed socket
2026-11-25 23:42:00,123 [myid:1] - INFO  [SessionTracker:ZooKeeperServer@643] - Expiring session 0x1000 timeout of 30000ms exceeded
I1125 23:42:00.123456    1234 kubelet.go:2440] "SyncLoop (PLEG): event for pod" pod="default/orders-0" event={"ID":"1","Type":"ContainerDied"}
E1125 23:42:00.123456    1234 controller.go:145] failed to ensure lease exists, will retry in 7s, error: leases.coordination.k8s.io "node-1" is forbidden
I1125 23:42:00.123456       1 leaderelection.go:250] attempting to acquire leader lease kube-system/group-controller...
{"level":"info","ts":"2026-11-25T23:42:00.123Z","logger":"raft","caller":"etcdserver/zap_raft.go:77","msg":"8e9e05c52164694d became leader at term 3"}
{"level":"warn","ts":1795650120.5,"msg":"leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk","to":"91bc3c398fb3c146","heartbeat-interval":"100ms"}
2026-11-25T23:42:00.123Z 12 [Warning] [MY-011499] [Repl] Plugin group_replication reported: 'Members removed from the group: db3:3306'
[2026-11-25T23:42:00,000][INFO ][o.e.c.s.MasterService    ] [es-1] node-left[{es-2}{abc} reason: disconnected], term: 5, version: 99, delta: removed {{es-2}}
2026-11-25 23:42:00 [INFO] serf: EventMemberLeave: consul-3 10.0.0.3
2026-11-25 23:42:00,000 INFO  [org.infinispan.CLUSTER] (remote-thread) [Context=orders] ISPN100002: Starting rebalance with members [node1, node2], phase READ_OLD_WRITE_ALL, topology id 8
2026-11-25 23:42:00 app: Leaving group `friends`
2026-11-25 23:42:00 app: Partitions assigned for `disk`: 0, 1
{"level":"info","ts":1795650120.5,"msg":"joined","cluster":"a","group":"raft"}
{"level":"info","ts":1795650120.5,"msg":"synced","group":"caches"}
{"level":30,"time":1795650120500,"pid":7,"hostname":"h","msg":"Crash: the group is gone"}
{"@timestamp":"2026-11-25T23:42:00.123Z","log.level":"INFO","message":"master node changed {previous [], current [{node-1}]}, term: 3, version: 7","elasticsearch.node.name":"node-1"}
time="2026-11-25T23:42:00Z" level=info msg="joining group" cluster=a
time=2026-11-25T23:42:00Z level=INFO msg="leaving group" name=workers
[INFO] joined; room: 7, user: alice
2026-11-25 23:42:00.123 [info] <0.230.0> rabbit on node rabbit@b up, rebalancing queues of group <<"orders">>
    2026-11-25T23:42:00.123Z [INFO]  serf: EventMemberJoin: node-2 10.0.0.8
    2026-11-25T23:42:00.124Z [WARN]  raft: heartbeat timeout reached, starting election: last-leader=10.0.0.7:8300
2026-11-25 23:42:00,123 INFO  [hz.main] c.h.i.cluster.ClusterService: [10.0.0.7]:5701 [dev] Members {size:2, ver:2} [Member [10.0.0.7]:5701, Member [10.0.0.8]:5701]
[2026-11-25 23:42:00,123] INFO Cluster Node [akka://app@10.0.0.7:2551] - Leader is moving node [akka://app@10.0.0.8:2551] to [Up]
2026-11-25 23:42:00,123 INFO org.apache.hadoop.yarn.server.resourcemanager: Application attempt appattempt_1_0001_000001 released container on node, group: orders
2026-11-25 23:42:00,123 INFO sqlalchemy.pool Group orders is updating; joining later
2026-11-25 23:42:00,123:WARNING:celery.worker:Heartbeat failed for worker celery@h: missed
2026-11-25 23:42:00,123 ERROR django Leaving group (7) of members, member alice
1:M 25 Nov 2026 23:42:00.123 * Partial resynchronization not possible (no cached master)
Nov 25 23:42:00 host sshd[812]: pam_unix(sshd:session): session opened for user group(uid=0)
Nov 25 23:42:00 host systemd[1]: Stopped target Multi-User System, leaving group app.slice.
[2026-11-25 23:42:00,123] INFO [Partition orders-0 broker=1] Log loaded for partition orders-0 with initial high watermark 0 (kafka.cluster.Partition)
[2026-11-25 23:42:00,123] INFO [ReplicaFetcherManager on broker 1] Removed fetcher for partitions Set(orders-0) (kafka.server.ReplicaFetcherManager)
%3|1795650120.500|FAIL|rdkafka#producer-1| [thrd:localhost:9092/bootstrap]: localhost:9092/bootstrap: Connect to ipv4#127.0.0.1:9092 failed: Connection refused
%5|1795650120.500|REQTMOUT|rdkafka#producer-1| [thrd:localhost:9092/1]: localhost:9092/1: Timed out ProduceRequest in flight (after 30000ms, timeout #0)
[sarama] 2026/11/25 23:42:00 producer/broker/1 state change to [open] on orders/0
[sarama] 2026/11/25 23:42:00 consumer/broker/1 added subscription to orders/0
kafka: Failed to produce message to topic orders: kafka server: Message was too large, server rejected it to avoid allocation error
{"level":"ERROR","timestamp":"2026-11-25T23:42:00.123Z","logger":"kafkajs","message":"[Connection] Response Produce(key: 0, version: 7)","broker":"b:9092","clientId":"p","error":"This server does not host this topic-partition","correlationId":4,"size":55}
2026-11-25 23:42:00 INFO List with 3 partition(s):
2026-11-25 23:42:00 INFO   orders [0]
  Member "m-1" assigned 3 partition(s):
kafka-reader: fetched group 7 of messages, joined with dimension table
2026-11-25T23:42:00.123Z [kafka-1-metadata-loader-event-handler] INFO kafka.coordinator.transaction.TransactionCoordinator - [TransactionCoordinator id=1] Starting up.
2026-11-25T23:42:00.123Z [TxnMarkerSenderThread-1] INFO kafka.coordinator.transaction.TransactionMarkerChannelManager - [TxnMarkerSenderThread-1]: Starting
""".strip("\n").splitlines()


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_other_software_is_no_event(line: str) -> None:
    """Alone."""
    assert read(line) == []


def test_a_log_of_other_software_has_no_event() -> None:
    """All in one log, in both directions, nothing nearly known either."""
    for lines in (LINES, LINES[::-1]):
        reader = LogReader()
        assert list(reader.read(BytesIO("\n".join(lines).encode()))) == []
        assert reader.unknown == {}
