"""What the JVM, systemd, the kernel and Kubernetes say of clients."""

from __future__ import annotations

import io
import json

import pytest

from kproto.capture.logs.reader import LogReader
from kproto.history.clocks import LogSource
from kproto.history.group_story import tell
from tests.capture.logs.recorded import logs, read

_POD = """\
Name:             orders-0
Containers:
  app:
    State:          Running
      Started:      Wed, 25 Nov 2026 23:40:05 +0000
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Wed, 25 Nov 2026 23:33:05 +0000
      Finished:     Wed, 25 Nov 2026 23:33:17 +0000
    Ready:          True
"""


def _kubernetes(reason: str, message: str, name: str) -> str:
    item = {"involvedObject": {"kind": "Pod", "name": name}, "reason": reason, "message": message,
            "lastTimestamp": "2026-11-25T23:33:17Z"}  # fmt: skip
    return json.dumps({"apiVersion": "v1", "items": [item]}, indent=1)


@pytest.mark.parametrize(
    ("log", "event", "fields"),
    [
        (("[2026-11-25T23:50:10.100+0000][12.3s][info][gc] GC(12) Pause Full (G1 Compaction Pause) "
         "512M->100M(1024M) 11345.678ms"), "pause", {"pause_ms": 11345.678}),
        (("[12.3s][info][safepoint] Safepoint \"G1CollectFull\", Time since last: 1 ns, Reaching "
         "safepoint: 1 ns, At safepoint: 2 ns, Total:  11345678000 ns"), "pause",
         {"pause_ms": 11345.678}),
        (("2026-11-25T23:50:10.100+0000: 12.3: Total time for which application threads were "
         "stopped: 11.3456780 seconds, Stopping threads took: 0.0 seconds"), "pause",
         {"pause_ms": 11345.678}),
        (("Nov 25 23:33:17 host-1 systemd[1]: orders.service: Main process exited, code=killed, "
         "status=9/KILL"), "process-ended", {"process": "orders"}),
        ("Nov 25 23:33:17 host-1 kernel: Out of memory: Killed process 4711 (java) total-vm:1kB",
         "process-ended", {"process": "java"}),
        (_POD, "process-ended", {"reason": "OOMKilled, exit code 137"}),
        (_kubernetes("Killing", "Stopping container app", "c3"), "process-ended",
         {"process": "c3"}),
        (_kubernetes("SuccessfulRescale", "New size: 4", "orders"), "autoscaled",
         {"process": "orders"}),
    ],
)  # fmt: skip
def test_a_line_tells_what_happened_to_a_process(
    log: str, event: str, fields: dict[str, object]
) -> None:
    found = [told for told in read(log + "\n") if told.event == event]
    (told,) = found
    assert fields.items() <= told.fields.items()


def test_short_pauses_tell_nothing() -> None:
    assert not read("[12.3s][info][gc] GC(13) Pause Young (Normal) 51M->10M(102M) 12.678ms\n")


def _causes(scenario: str, name: str, beside: str) -> dict[str, bool]:
    files = {"broker.log": logs(scenario)["broker.log"], name: beside}
    sources = [
        LogSource(file, list(LogReader().read(io.BytesIO(text.encode()))))
        for file, text in files.items()
    ]
    (group,) = [
        group for group in tell(sources).groups
        if group.group in ("orders-crash", "orders-frozen")
    ]  # fmt: skip
    return {cause.cause: cause.certain for cause in group.causes}


def test_a_kill_makes_the_cause_certain() -> None:
    alone = _causes("crash", "other.log", "nothing\n")
    assert alone["process-died"] is False
    assert _causes("crash", "events.json", _kubernetes("OOMKilling", "oom", "c3"))["process-died"]
    assert _causes("crash", "c3.describe.txt", _POD)["process-died"]
    other = _causes("crash", "events.json", _kubernetes("OOMKilling", "oom", "c30"))
    assert other["process-died"] is False


def test_a_pause_makes_the_cause_certain() -> None:
    pause = "[2026-11-25T23:50:10.100+0000][info][gc] GC(1) Pause Full (System.gc()) 11345.6ms\n"
    assert _causes("frozen-process", "c3.gc.log", pause)["process-stood-still"]


_MEMBERS = (
    "GroupMetadata(groupId=orders, generation=3, protocolType=Some(consumer), "
    "currentState=CompletingRebalance, members=Map(c2-1 -> MemberMetadata(memberId=c2-1, "
    "clientId=c2, clientHost=/10.0.0.1, sessionTimeoutMs=6000, rebalanceTimeoutMs=300000, "
    "supportedProtocols=List(range), )))"
)
_DMS = {
    "level": "INFO", "timestamp": "2026-11-25 23:33:25,681",
    "message": {
        "leaderId": "c2-1", "generationId": 3, "groupId": "orders", "coordinatorId": 1,
        "reason": "removing member c3-1 on heartbeat expiration", "type": "END_REBALANCE",
        "group": _MEMBERS,
    },
}  # fmt: skip


def test_the_rebalancing_log_of_managed_brokers() -> None:
    end, joined = read(json.dumps(_DMS))
    assert (end.event, end.group, end.generation, end.member) == (
        "leader-assigns",
        "orders",
        3,
        "c2-1",
    )
    assert (joined.event, joined.client, joined.member) == ("joined", "c2", "c2-1")
    (group,) = tell([LogSource("dms.json", [end, joined])]).groups
    (rebalance,) = group.rebalances
    assert [(cause.cause, cause.member) for cause in rebalance.causes] == [
        ("session-expired", "c3-1")
    ]
