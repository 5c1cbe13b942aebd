"""Inputs from public reports: each gets the answer that `tests/vectors/reports/README.md` says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from .conftest import Run
from .test_one_entrance import names_of

REPORTS = Path(__file__).parents[1] / "vectors" / "reports"
SUBSCRIPTION, ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
JOIN = ["RequestHeader", "JoinGroupRequest"]
JOINED = ["ResponseHeader", "JoinGroupResponse"]


class Row(NamedTuple):
    """What is read in a file: the `names` of messages, in their order; the codes of deviations in
    them; what the command `says` on either stream, and what it does not say; its status."""

    file: str
    names: list[str | None]
    codes: set[str] = set()  # noqa: RUF012  # it is not changed
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    status: int = 0


ROWS = [
    Row("join_v1.hex", JOIN, says=("request",)),
    Row("jgresp.frame", JOINED, says=("response", "JoinGroup 5"), never=("LeaveGroup",)),
    Row("java.log", [SUBSCRIPTION] * 4 + [ASSIGNMENT] * 2),
    Row("td.txt", ["RequestHeader", "HeartbeatRequest"], status=1),
    Row("ts_x.txt", [*JOIN, *JOINED]),
    Row("ts_yaml.txt", [*JOIN, *JOINED]),
    Row("y.txt", JOIN),
]


def lines(stdout: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in stdout.splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row.file for row in ROWS])
def test_a_report_is_read(row: Row, kproto: Run) -> None:
    path = REPORTS / row.file
    done = kproto("decode", "--json", path, status=row.status)
    made = lines(done.stdout)
    assert [name for line in made for name in names_of(line)] == row.names
    shown = kproto("decode", path, status=row.status).stdout + done.stderr
    text = " ".join(shown.decode().split())
    assert all(words in text for words in row.says), text
    assert not any(words in text for words in row.never), text
    linted = lines(kproto("lint", "--json", path, status=bool(row.codes) or row.status).stdout)
    codes = {finding["code"] for line in linted for finding in line["findings"]}  # type: ignore[attr-defined, index]
    assert row.status or codes == row.codes
