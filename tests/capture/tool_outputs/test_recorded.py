"""What the real tools printed: every line is read, whatever the release."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.capture.tool_outputs import has_tool_output, member_events, read_tool_outputs

from .printed import RECORDED, VECTORS, read, recorded

CONSUMER_GROUPS = "$ kafka-consumer-groups.sh --bootstrap-server localhost:9092"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_line_is_read(path: Path) -> None:
    outputs = read(path.read_text())
    assert all(line.text.startswith("log4j:WARN") for line in outputs.unread)
    assert outputs.unread_count == len(outputs.unread)
    assert has_tool_output(path.read_bytes())


@pytest.mark.parametrize("release", ["2.0.1", "2.2.2", "2.3.1", "2.6.3", "3.7.2", "3.9.1"])
def test_one_group_in_each_release(release: str) -> None:
    """Five consumers "app 0" to "app 4" of "idle ones", three partitions."""
    outputs = recorded(f"kafka-consumer-groups-{release}.txt").outputs
    tables = [
        output
        for output in outputs
        if output.titles and output.rows and output.rows[0].values.get("group") == "idle ones"
    ]
    offsets, counted, members, state = tables[:4]
    assert [output.view for output in tables[:4]] == ["offsets", "members", "members", "state"]
    assert ("GROUP" in offsets.titles) is (release not in ("2.0.1", "2.2.2"))
    values = {row.values["member"]: row.values for row in members.rows}
    clients = sorted(value["client"] for value in values.values())
    assert clients == [f"app {number}" for number in range(5)]
    assert {value["host"] for value in values.values()} == {"127.0.0.1"}
    assert all(member.startswith(value["client"]) for member, value in values.items())
    owned = {
        (row.values["topic"], row.values["partition"]): row.values["member"] for row in offsets.rows
    }
    assert sorted(owned) == [("orders", 0), ("orders", 1), ("orders", 2)]
    assert {row.values["partitions"] for row in counted.rows} == {0, 1}
    for (topic, number), member in owned.items():
        assigned = values[member].get("assigned")
        assert assigned == ({topic: (number,)} if release != "3.9.1" else None)
    assert state.rows[0].values["state"] == "Stable"
    assert state.rows[0].values["assignor"] == "range"
    assert state.rows[0].values["coordinator"] == ("127.0.0.1:29372", 1)
    assert state.rows[0].values["members"] == 5
    assert [row.values["lag"] for row in offsets.rows] == [0, 0, 0]


def test_instance_ids_are_a_column_where_a_member_has_one() -> None:
    outputs = recorded("kafka-consumer-groups-3.7.2.txt").outputs
    static = next(output for output in outputs if "GROUP-INSTANCE-ID" in output.titles)
    instances = {row.values["client"]: row.values.get("instance") for row in static.rows}
    assert instances == {"s1": "node-1", "s2": "node-2", "s3": None}


def test_the_member_that_others_wait_for() -> None:
    members = recorded("kafka-consumer-groups-4.3.1-reconciling.txt").outputs[1]
    values = {row.values["client"]: row.values for row in members.rows}
    assert values["n1"]["assigned"] == {"orders": (0, 1, 2, 3)}
    assert values["n1"]["target"] == {"orders": (0, 1)}
    assert (values["n1"]["epoch"], values["n1"]["target_epoch"]) == (2, 3)
    assert "assigned" not in values["n2"]
    assert values["n2"]["target"] == {"orders": (2, 3)}


def test_a_group_that_is_converted_has_classic_members() -> None:
    outputs = recorded("kafka-consumer-groups-4.3.1.txt").outputs
    moving = next(output for output in outputs if "UPGRADED" in output.titles)
    upgraded = {row.values["client"]: row.values["is_upgraded"] for row in moving.rows}
    assert upgraded == {"new": True, "old": False}


def test_tasks_of_streams() -> None:
    outputs = recorded("kafka-streams-groups-4.3.1.txt").outputs
    verbose = next(output for output in outputs if "MEMBER-EPOCH" in output.titles)
    tasks = {row.values["client"][:2]: row.values["tasks"] for row in verbose.rows}
    assert tasks["i1"] == {"active": {"0": (0, 2)}, "target_active": {"0": (0, 2)}}
    assert tasks["i2"] == {"active": {"0": (1, 3)}, "target_active": {"0": (1, 3)}}


def test_kaf_prints_topics_and_members_below_the_group() -> None:
    outputs = [
        output
        for output in recorded("kaf.txt").outputs
        if output.rows and output.rows[0].values.get("group") == "two teams"
    ]
    state, offsets, members = outputs[:3]
    assert state.rows[0].values == {
        "group": "two teams",
        "state": "Stable",
        "assignor": "range",
        "protocol_type": "consumer",
    }
    places = [(row.values["topic"], row.values["partition"]) for row in offsets.rows]
    assert places == [("orders", number) for number in range(4)]
    assigned = {row.values["client"]: row.values["assigned"] for row in members.rows}
    assert assigned == {"billing 1": {"orders": (0, 1, 2, 3)}, "mailer": {"payments.v1": (0, 1)}}


RPK = """\
$ rpk group describe orders idle
GROUP                  orders
COORDINATOR-NODE       1
COORDINATOR-PARTITION  __consumer_offsets/3
STATE                  Stable
BALANCER               cooperative-sticky
MEMBERS                2
TOTAL-LAG              97

TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  INSTANCE-ID  CLIENT-ID  HOST
orders  0          54              100             46   app-1-2f   node-1       app-1      10.0.0.1
orders  1          -               51              51   app 2-7c                app 2      10.0.0.2
orders  2          0               0               -

GROUP        idle
COORDINATOR  2
STATE        Empty
BALANCER
MEMBERS      0
TOTAL-LAG    0
"""


def test_rpk_prints_a_summary_and_a_table() -> None:
    """Written as its source formats it, with columns that the recorded release does not have."""
    outputs = read(RPK)
    assert outputs.unread_count == 0
    orders, offsets, idle = outputs.outputs
    assert orders.rows[0].values["coordinator_id"] == 1
    assert orders.rows[0].values["assignor"] == "cooperative-sticky"
    assert [row.values.get("member") for row in offsets.rows] == ["app-1-2f", "app 2-7c", None]
    assert [row.values.get("instance") for row in offsets.rows] == ["node-1", None, None]
    assert [row.values.get("offset") for row in offsets.rows] == [54, None, 0]
    assert {row.values["group"] for row in offsets.rows} == {"orders"}
    assert (idle.rows[0].values["group"], idle.rows[0].values["state"]) == ("idle", "Empty")


def test_what_rpk_printed_of_a_group() -> None:
    outputs = recorded("rpk.txt")
    assert outputs.unread_count == 0
    views = [output.view for output in outputs.outputs]
    assert views == [
        "list", "state", "offsets", "state", "offsets", "state", "offsets", "state", "offsets",
        "list", "state", "offsets", "state", "", "state",
    ]  # fmt: skip
    states = [
        (row.values["state"], row.values["members"], row.values["lag"])
        for output in outputs.outputs if output.view == "state" for row in output.rows
    ]  # fmt: skip
    assert states == [
        ("Stable", 1, 7), ("Stable", 1, 7), ("PreparingRebalance", 2, 10),
        ("PreparingRebalance", 2, 10), ("Empty", 0, 10), ("Empty", 0, 10), ("Dead", 0, 0),
    ]  # fmt: skip
    first, *_, last = [output for output in outputs.outputs if output.view == "offsets"]
    assert [row.values["member"][:2] for row in first.rows] == ["k1"] * 4
    assert [row.values["lag"] for row in last.rows] == [3, 3, 1, 3]
    assert not any("member" in row.values for row in last.rows)


def test_what_kcat_got_and_gave_up_as_a_member() -> None:
    eager = list(member_events(recorded("kcat-eager.txt")))
    assert [event.event for event in eager[:3]] == [
        "partitions-assigned", "partitions-revoked", "partitions-assigned",
    ]  # fmt: skip
    assert {event.group for event in eager} == {"kcat group"}
    assert eager[0].fields["partitions"] == tuple(("orders", number) for number in range(4))
    assert eager[0].fields["is_whole"]
    cooperative = list(member_events(recorded("kcat-cooperative.txt")))
    assert cooperative[1].event == "partitions-revoked"
    assert cooperative[1].fields["partitions"] == (("orders", 0), ("orders", 1))
    assert not cooperative[1].fields["is_whole"]


FAILED = "Error: Executing consumer group command failed due to "
INACTIVE = (
    "Error: Assignments can only be reset if the group 'a' is inactive, but the current state is "
    "Stable."
)


@pytest.mark.parametrize(
    ("line", "view", "values"),
    [
        ("Consumer group 'a b' has no active members.", "empty",
         {"group": "a b", "state": "Empty"}),
        ("Warning: Consumer group 'a' is rebalancing.", "rebalancing", {"group": "a"}),
        ("Error: Consumer group 'a' does not exist.", "absent", {"group": "a", "state": "Dead"}),
        ("Error: The consumer group 'a' does not exist.", "absent",
         {"group": "a", "state": "Dead"}),
        (f"{FAILED}org.apache.kafka.common.errors.GroupIdNotFoundException: Group a not found.",
         "absent", {"group": "a", "state": "Dead"}),
        (f"{FAILED}java.lang.Exception: GroupId c is not a consumer group (connect).", "other",
         {"group": "c"}),
        (f"{FAILED}Failed to find brokers", "failed", {"error": "Failed to find brokers"}),
        (INACTIVE, "told", {"group": "a", "state": "Stable"}),
        ("Group a not found.", "absent", {"group": "a"}),
    ],
)  # fmt: skip
def test_sentences(line: str, view: str, values: dict[str, str]) -> None:
    (output,) = read(f"\n  {line}\r").outputs
    assert output.view == view
    assert dict(output.rows[0].values) == values


def test_kinds_that_sentences_name() -> None:
    text = "Error: … failed due to GroupId c is not a consumer group (connect)."
    line = text.replace("…", "Executing consumer group command")
    assert read(line).outputs[0].group_kind == "connect"
    assert read("Share group 'a' has no active members.").outputs[0].group_kind == "share"


@pytest.mark.parametrize(
    "prompt",
    ["$ ", "[appuser@broker ~]$ ", "root@kafka-0:/# ", "~ % ", "bash-5.1$ ", "C:\\kafka> ",
     "2026-11-26 10:00:00 $ ", ""],
)  # fmt: skip
def test_prompts(prompt: str) -> None:
    outputs = read(
        f"{prompt}./bin/kafka-consumer-groups.sh --bootstrap-server b:9092 \\\n"
        "    --describe --group 'my group'\n\nTOPIC           PARTITION  CURRENT-OFFSET  "
        "LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID\n"
        "orders          0          1               2               1    -            -     -\n"
    )
    assert outputs.unread_count == 0
    assert outputs.outputs[0].groups == ("my group",)
    assert outputs.outputs[0].rows[0].values["group"] == "my group"


@pytest.mark.parametrize(
    ("moment", "milliseconds"),
    [
        ("Thu Nov 26 07:20:43 UTC 2026", 1795677643000.0),
        ("Thu 26 Nov 2026 07:20:43 AM UTC", 1795677643000.0),
        ("2026-11-26T07:20:43Z", 1795677643000.0),
        ("=== 2026-11-26 07:20:43 ===", 1795677643000.0),
        ("1795677643.000", 1795677643000.0),
    ],
)
def test_times_between_commands(moment: str, milliseconds: float) -> None:
    text = f"$ date\n{moment}\n{CONSUMER_GROUPS} --describe --group a\n"
    output = read(text + "\nConsumer group 'a' has no active members.").outputs[0]
    assert output.stamp.milliseconds == milliseconds


def test_watch_says_command_and_time() -> None:
    text = (
        "Every 2.0s: kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group a    "
        "host-1: Thu Nov 26 07:20:43 2026\n\nConsumer group 'a' has no active members.\n"
    )
    outputs = read(text)
    assert outputs.unread_count == 0
    assert outputs.outputs[0].stamp.milliseconds == 1795677643000.0


def test_the_last_row_of_some_releases_has_the_next_prompt_in_its_line() -> None:
    lines = recorded("kafka-consumer-groups-3.9.1.txt").outputs[0].rows
    assert [row.values["client"] for row in lines] == ["app 0", "app 2", "app 1"]
    text = (VECTORS / "tool_outputs/kafka-consumer-groups-3.9.1.txt").read_text()
    rows = read(text.replace("app 1$ ", "app 1root@pod:/# ")).outputs[0].rows
    assert "client" not in rows[2].values
    assert "client" in rows[2].cut_off


def test_a_value_may_be_wider_than_its_column() -> None:
    """2.3 to 3.9 make the column of the coordinator 25 wide, whatever it is."""
    text = (
        "GROUP                                              COORDINATOR (ID)          "
        "ASSIGNMENT-STRATEGY  STATE           #MEMBERS\n"
        "orders                                             "
        "b-1.demo.c2.kafka.eu-west-1.amazonaws.com:9092 (1) range                Stable"
        "          3\n"
        "idle                                               "
        "b-2.demo.c2.kafka.eu-west-1.amazonaws.com:9092 (2)                      Empty"
        "           0\n"
    )
    first, second = read(text).outputs[0].rows
    assert first.values["coordinator"] == ("b-1.demo.c2.kafka.eu-west-1.amazonaws.com:9092", 1)
    assert (first.values["assignor"], first.values["members"]) == ("range", 3)
    assert (second.values["state"], second.values["members"]) == ("Empty", 0)
    assert "assignor" not in second.values


def test_names_that_begin_with_a_blank() -> None:
    text = (
        "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\n"
        " my group       orders          0          1               1               0\n"
    )
    assert read(text).outputs[0].rows[0].values["group"] == " my group"


def test_a_file_of_powershell_is_in_utf_16() -> None:
    text = f"{CONSUMER_GROUPS} --list\r\norders\r\nmy group\r\n"
    data = text.encode("utf-16")
    assert has_tool_output(data)
    (output,) = read_tool_outputs(data).outputs
    assert [row.values["group"] for row in output.rows] == ["orders", "my group"]


@pytest.mark.parametrize(
    "text",
    [
        "NAME READY STATUS\nkafka-0 1/1 Running\n",
        "GROUP ID\n1 2\n",
        "UID        PID  PPID  C STIME TTY          TIME CMD\nroot 1 0 0 0 ? 0 init\n",
        "TOPIC PARTITIONS\n",
        '{"direction": "request", "group": "a"}\n',
    ],
)
def test_other_programs_are_no_tools_of_groups(text: str) -> None:
    assert not has_tool_output(text.encode())
