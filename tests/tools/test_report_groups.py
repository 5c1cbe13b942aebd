"""Groups in trouble from public reports: each command gives the answer that the report has, as
`tests/vectors/reports/README.md` tells what happened."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.tools.main import main

REPORTS = Path(__file__).parents[1] / "vectors" / "reports"
REBALANCING = ("is rebalancing", "only while it is Stable")


class Row(NamedTuple):
    """A command, whose words after the first `file` are options; what it `says` on either stream,
    what it never says, and its status."""

    command: str
    file: str
    says: tuple[str, ...]
    never: tuple[str, ...] = ()
    status: int = 0
    options: str = ""


EXPIRED = ("offset-rewound", "orders-0 from 6,900 to 100", "13,600 records are read again",
           "had expired while the group was empty", "offsets-expired")  # fmt: skip
ROWS = (
    Row("story", "incons.pcap",
        ("kafka-node-client and connect-1 were refused", "java offers range (consumer)",
         "kafka-node-client offers roundrobin (consumer)", "connect-1 offers default (connect)",
         "Give all members an assignor in common")),
    Row("story", "bigsync.pcap.gz",
        ("group-record-too-large (likely)", "SyncGroup with UNKNOWN_SERVER_ERROR, 3 times",
         "674,628 bytes", "max.message.bytes", "default is 1,048,588")),
    Row("audit", "clickhouse.jsonl.gz",
        ("rebalance-storm", "joined again by itself", "nobody came or went",
         "Probably metadata-flapping", "Nobody crashed, and no poll is slow"),
        ("max.poll.interval.ms",), 1),
    Row("audit", "expire.jsonl", EXPIRED),
    Row("audit", "expire_compacted.jsonl", EXPIRED),
    Row("audit", "blame.jsonl",
        ("stuck-partition", "t-0 of a-11111111", "that owner is gone", "is not to blame",
         "Probably session-expired")),
    Row("audit", "kjs1679.jsonl",
        ("critical not-subscribed", "subscribes to topic-b and is given topic-a-0",
         "nobody has a partition of topic-b"), status=1),
    Row("audit", "shutdown.jsonl",
        ("streams-error", "error 1: a source topic is missing", "every instance shuts down",
         "Create the missing source topic"), status=1),
    Row("audit", "k21117.jsonl",
        ("critical partition-not-loadable", "offset 2 (ConsumerGroupMemberMetadata)",
         "partition 7", "every group of it has no coordinator", "KAFKA-21117"), status=1),
    Row("audit", "static.jsonl", ("groups at one moment", "kproto migrate"), status=3),
    Row("audit", "rp.jsonl", ("0 in trouble",), ("could not be read", "unreadable")),
    Row("migrate", "streams.jsonl",
        ("stop every instance, wait until their sessions have ended",
         "start all of them with group.protocol=streams",
         "never converted while it has members"), ("kafka-go", "group.protocol=consumer"), 1),
    Row("migrate", "streams.jsonl",
        ("plan: to group.protocol=streams", "1. Stop all members",
         "the group is empty when the sessions have ended",
         "2. Start all members with group.protocol=streams", "the way back",
         "Start all members with group.protocol=classic"), ("one by one",), 1, "--group app"),
    Row("migrate", "static.jsonl",
        ("ready", "pod-0, pod-1", "UNRELEASED_INSTANCE_ID", "fatal to the client",
         "classic protocol lets it in at once", "Let the process exit when its consumer fails")),
    Row("migrate", "static.jsonl",
        ("one by one", "UNRELEASED_INSTANCE_ID", "KAFKA-21117"), options="--group pay"),
    Row("simulate", "static848.toml",
        ("a was refused for good", "kproto explain UNRELEASED_INSTANCE_ID"), status=1),
    Row("explain UNRELEASED_INSTANCE_ID", "", ("Let the process exit when its consumer fails",)),
    Row("group connect-shop --from", "connect.save",
        ("two Connect clusters share this group.id", "config offsets differ in every generation",
         "Give each Connect cluster a group.id of its own")),
    Row("group mixed --from", "mixed.save",
        ("two-applications", "svc-2 to clicks; svc-1 to orders",
         "Give each application a group.id of its own")),
    Row("group slow1 --from", "slow1.save", REBALANCING),
    Row("group payments --from", "preparing.jsonl", REBALANCING),
    *(
        Row(f"group {name} --from", file, REBALANCING, ("steps", "partition.assignment.strategy="),
            3, options)
        for name, file in (("slow1", "slow1.save"), ("payments", "preparing.jsonl"))
        for options in ("--plan cooperative", "--plan consumer", "--what-if join=1",
                        "--what-if assignor=range", "--what-if protocol=consumer")
    ),
    Row("group payments --from", "cg.txt",
        ("2 members", "lag 194", "nobody has 1 partition of subscribed topics: orders-1")),
    Row("group payments --from", "cgm.txt",
        ("2 members", "idle-member", "app-2: has no partition")),
    Row("group payments --from", "cgs.txt", ("CompletingRebalance", "4 members")),
    Row("story", "blame.jsonl", ("a left, or was removed", "kproto audit")),
    Row("story", "expire.jsonl",
        ("3 rebalances", "Or: session-expired, poll-timeout-exceeded, crash-loop",
         "13:13:20.000 generation 1, 1 member: probably w-1 joined; 13,600 records read twice",
         "kproto audit")),
    Row("story", "kvt.txt", ("no record shows a rebalance", "kproto audit"), status=1),
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[f"{r.command} {r.file} {r.options}" for r in ROWS])
def test_a_group_of_a_report(row: Row, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = [str(REPORTS / row.file)] if row.file else []
    words = [*row.command.split(), *file, *row.options.split()]
    if row.command == "audit":
        pytest.importorskip("pyarrow")
        words += ["--out", str(tmp_path)]
    assert main(words) == row.status
    text = " ".join("".join(capsys.readouterr()).split())
    assert all(sentence in text for sentence in row.says), text
    assert not any(sentence in text for sentence in row.never), text
