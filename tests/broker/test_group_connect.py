"""Connect workers on a real broker: `kproto group` beside what Connect's REST interface says."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker
from tests.broker.connect import Worker, running_workers
from tests.conftest import do_without

pytestmark = pytest.mark.long
GROUP = "lines"
CONNECTORS = [f"file-{number}" for number in range(3)]
_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector"
Running = dict[str, dict[str, set[int]]]
"""By worker: the tasks of each connector that it runs, -1 for the connector itself."""


@pytest.fixture(scope="module")
def workers(broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    folder = tmp_path_factory.mktemp("connect")
    try:
        with running_workers(broker, folder, GROUP) as workers:
            for name in CONNECTORS:
                (folder / name).write_text("")
                config = {"connector.class": _SOURCE, "file": str(folder / name), "topic": "lines"}
                workers[0].create(name, config)
            yield workers
    except JavaUnavailable as reason:
        do_without(reason)


def kproto(*words: str) -> str:
    command = [sys.executable, "-m", "kproto", "group", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def told_by_rest(worker: Worker) -> Running:
    """Who runs what, by REST address; empty until all run."""
    found: Running = {}
    for name in CONNECTORS:
        status = worker.rest(f"/connectors/{name}/status")
        if status is None or not status["tasks"]:
            return {}
        for number, each in [(-1, status["connector"]), *((t["id"], t) for t in status["tasks"])]:
            if each["state"] != "RUNNING":
                return {}
            found.setdefault(each["worker_id"], {}).setdefault(name, set()).add(number)
    return found


def told_by_kproto(group: dict[str, Any]) -> Running:
    return {
        member["endpoint"].removeprefix("http://").rstrip("/"): {
            name: set(tasks) for name, tasks in member["assigned"].items()
        }
        for member in group["members"]
    }


def test_each_worker_has_what_rest_says(broker: Broker, workers: list[Worker]) -> None:
    end = time.monotonic() + 60
    while True:
        before = told_by_rest(workers[0])
        group = json.loads(kproto(GROUP, "--bootstrap-server", broker.bootstrap, "--json"))
        told = told_by_kproto(group)
        if len(before) == 2 and before == told_by_rest(workers[1]) and before == told:
            break
        assert time.monotonic() < end, (before, told)
        time.sleep(0.5)
    assert sum(len(tasks) for each in told.values() for tasks in each.values()) == 6
    assert (group["kind"], group["state"]) == ("connect", "Stable")
    assert group["protocolType"] == "connect" and group["protocol"] == "sessioned"
    assert set(told) == {worker.address for worker in workers}
    for member in group["members"]:
        assert member["member"].startswith(member["client"])
    assert not [remark for remark in group["remarks"] if remark["level"] == "error"]
    listed = [
        json.loads(line)
        for line in kproto("--bootstrap-server", broker.bootstrap, "--json").splitlines()
    ]
    (row,) = [row for row in listed if row["group"] == GROUP]
    assert (row["kind"], row["state"], row["memberCount"]) == ("connect", "Stable", 2)
    only = kproto(
        "--bootstrap-server", broker.bootstrap, "--kind", "connect", "--json"
    ).splitlines()
    assert [json.loads(line)["group"] for line in only] == [GROUP]
    shown = kproto(GROUP, "--bootstrap-server", broker.bootstrap)
    lines = shown.splitlines()
    for member in group["members"]:
        assert f"at {member['endpoint']}" in shown
    for each in told.values():
        work = [
            part
            for name, tasks in sorted(each.items())
            for part in (f"{name} connector" * (-1 in tasks), f"{name} 0" * (0 in tasks))
            if part
        ]
        assert any(line.split()[:1] == ["has"] and ", ".join(work) in line for line in lines)
    assert not any("committed" in line for line in lines)
