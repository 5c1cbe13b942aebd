"""Measure what becomes of real consumers that read deviating bytes: `clients/groups.json`.

python -m tests.broker.measure_consequences [--only CODE...] [--client NAME...] [--out FILE]

Each form of each code of `CASES`, as a subscription that the consumer reads as leader and as an
assignment that it gets as member, is put to every client of `READERS` in a group of a real broker
(`foreign_bytes`).
"""

from __future__ import annotations

import json
import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from confluent_kafka import admin as kafka_admin

from kproto.clients.catalog import clients
from kproto.codec import Policy, decode
from tests.broker.broker import Broker, running_broker
from tests.broker.fleet import FLEET, KAFKA_GO, Client
from tests.broker.foreign_bytes import ASSIGNS, DELAY, LEADER, MEMBER, Seen, Trial

of: Any = kafka_admin  # its types leave out what it takes
READERS = (*FLEET, KAFKA_GO)
TOPIC = "a"
TOPICS = {"KP045": "__proto__"}
"""The topic that a code is about, where it is not `TOPIC`."""
BROKER = "Apache Kafka 4.3.1"  # pom.xml
_AT_ONCE = 6
_ATTEMPTS = 3  # of what fails because the machine is busy

_OWNED = "00000001 000161 00000002 00000000 00000003"
_ASSIGNED = "00000001 000161 00000001 00000000"

CASES: Mapping[str, Mapping[str, tuple[str | None, str | None]]] = {
    "KP001": {
        "": ("0000 00000001 000161 fffffffe", "0000 00000001 000161 00000001 00000000 fffffffe"),
    },
    "KP002": {
        "": (
            "0000 00000002 000161 0003eda080 ffffffff",
            "0000 00000001 0003eda080 00000001 00000000 ffffffff",
        ),
    },
    "KP010": {
        "with a body of version 0": (
            "ffff 00000001 000161 ffffffff",
            "ffff 00000001 000161 00000001 00000000 ffffffff",
        ),
        "with a body of version 3": ("ffff 00000001 000161 ffffffff 00000000 00000007 ffff", None),
    },
    "KP011": {
        "with null as the topics": ("0000 ffffffff ffffffff", "0000 ffffffff ffffffff"),
        "with null as the owned partitions": ("0001 00000001 000161 ffffffff ffffffff", None),
        "with null as the partitions of a topic": (
            "0001 00000001 000161 ffffffff 00000001 000161 ffffffff",
            "0000 00000001 000161 ffffffff ffffffff",
        ),
    },
    "KP012": {
        "with null as the name of a topic": (
            "0000 00000001 ffff ffffffff",
            "0000 00000001 ffff 00000001 00000000 ffffffff",
        ),
        "with null as the name of an owned topic": (
            "0001 00000001 000161 ffffffff 00000001 ffff 00000001 00000000",
            None,
        ),
    },
    "KP013": {
        "with -2 as the length of a name": (
            "0000 00000001 fffe ffffffff",
            "0000 00000001 fffe 00000001 00000000 ffffffff",
        ),
        "with -2 as the number of topics": (
            "0000 fffffffe 000161 ffffffff",
            "0000 fffffffe 000161 00000001 00000000 ffffffff",
        ),
    },
    "KP014": {
        "with more topics than bytes": ("0000 7fffffff 000161", "0000 7fffffff 000161"),
        "with more owned partitions than bytes": ("0001 00000001 000161 ffffffff 7fffffff", None),
        "with more partitions of a topic than bytes": (
            None,
            "0000 00000001 000161 7fffffff 00000000",
        ),
    },
    "KP015": {"": ("", "")},
    "KP020": {
        "with the known fields alone": (
            "0064 00000001 000161 ffffffff 00000000 00000007 ffff",
            "0064 00000001 000161 00000001 00000000 ffffffff",
        ),
        "with the bytes of a new field behind the known ones": (
            "0064 00000001 000161 ffffffff 00000000 00000007 ffff 0102",
            "0064 00000001 000161 00000001 00000000 ffffffff 0102",
        ),
    },
    "KP021": {
        "with version 0": (
            "0000 00000001 000161 ffffffff 0102",
            "0000 00000001 000161 00000001 00000000 ffffffff 0102",
        ),
        "with version 3": (
            "0003 00000001 000161 ffffffff 00000000 00000007 ffff 0102",
            "0003 00000001 000161 00000001 00000000 ffffffff 0102",
        ),
    },
    "KP040": {
        "with version 1 on a version 0 body": ("0001 00000001 000161 ffffffff", None),
        "with version 3 on a version 0 body": ("0003 00000001 000161 ffffffff", None),
        "with version 3 on a version 1 body": ("0003 00000001 000161 ffffffff 00000000", None),
    },
    "KP041": {
        "with other partitions in each entry": (
            "0001 00000001 000161 ffffffff 00000002 000161 0000000100000000 0001610000000100000001",
            "0000 00000002 000161 00000001 00000000 000161 00000001 00000001 ffffffff",
        ),
        "with one partition in both entries": (
            "0001 00000001 000161 ffffffff 00000002 000161 0000000100000000 0001610000000100000000",
            "0000 00000002 000161 00000001 00000000 000161 00000001 00000000 ffffffff",
        ),
    },
    "KP042": {
        "with a topic twice": ("0000 00000002 000161 000161 ffffffff", None),
        "with a partition twice": (
            "0001 00000001 000161 ffffffff 00000001 000161 00000002 00000000 00000000",
            "0000 00000001 000161 00000002 00000000 00000000 ffffffff",
        ),
    },
    "KP043": {
        "": (
            "0001 00000001 000161 ffffffff 00000001 000161 00000001 fffffffe",
            "0000 00000001 000161 00000001 fffffffe ffffffff",
        ),
    },
    "KP044": {
        "with an empty name of a topic": (
            "0000 00000002 0000 000161 ffffffff",
            "0000 00000001 0000 00000001 00000000 ffffffff",
        ),
        "with an empty name of an owned topic": (
            "0001 00000001 000161 ffffffff 00000001 0000 00000001 00000000",
            None,
        ),
    },
    "KP045": {
        "": (
            "0000 00000001 00095f5f70726f746f5f5f ffffffff",
            "0000 00000001 00095f5f70726f746f5f5f 00000001 00000000 ffffffff",
        ),
    },
    "KP046": {
        "": (
            "0000 00000001 0003610062 ffffffff",
            "0000 00000001 0003610062 00000001 00000000 ffffffff",
        ),
    },
    "KP047": {"": ("0002 00000001 000161 ffffffff 00000000 fffffffb", None)},
    "KP048": {
        "with a space in a name": (
            "0000 00000002 000161 0003622063 ffffffff",
            "0000 00000001 0003622063 00000001 00000000 ffffffff",
        ),
        "with a name of 250 characters": (
            f"0000 00000002 000161 00fa{'62' * 250} ffffffff",
            f"0000 00000001 00fa{'62' * 250} 00000001 00000000 ffffffff",
        ),
    },
    "KP060": {"": ("0000 00000002 000162 000161 ffffffff", None)},
    "KP061": {
        "": (
            "0000 00000001 000161 00000000",
            "0001 00000001 000161 00000001 00000000 00000000",
        ),
    },
    "KP062": {"": ("0003 00000001 000161 ffffffff 00000000 ffffffff 0000", None)},
    "KP063": {
        "": (
            "0001 00000001 000161 ffffffff 00000001 000161 00000000",
            "0000 00000001 000161 00000000 ffffffff",
        ),
    },
    "KP070": {"": (f"0000 00000001 000161 00000019 0001 {_OWNED} 00000007", None)},
    # and the same two as owned partitions
    "KP071": {"": (f"0001 00000001 000161 00000017 {_OWNED} 00000007 {_OWNED}", None)},
    "KP072": {"": (None, f"0000 {_ASSIGNED} 00000013 {_ASSIGNED} 00000007")},
    "KP073": {
        "": (
            "0000 00000001 000161 00000009 7b2261223a5b315d7d",
            "0000 00000001 000161 00000001 00000000 00000009 7b2261223a5b315d7d",
        ),
    },
    "KP080": {
        "with an end in the user data": ("0000 00000001 000161 00000005 6162", None),
        "with an end before the user data": (
            "0000 00000001 000161",
            "0000 00000001 000161 00000001 00000000",
        ),
        "with an end in a number": (None, "0000 00000001 000161 0000"),
    },
}  # fmt: skip
"""For each code and form of it, a subscription and an assignment that have it, None where only one
can; the form says in words how the bytes have it, "" where the code was measured in one."""
ASSIGNORS = {
    "KP070": "sticky",
    "KP071": "cooperative-sticky",
    "KP072": "sticky",
    "KP073": "sticky",
}
"""The assignor of the group, where the code is about user data: of clients that have it."""
CLAIMS = {"KP070": frozenset({0, 3}), "KP071": frozenset({0, 3})}
"""What the member says it owned, in user data that a leader may read. A leader that ignores it may
assign just that by chance, so that of `_TIMES_OF_CLAIMS` runs the first that differs counts."""
_TIMES_OF_CLAIMS = 3
_MESSAGES = {LEADER: "ConsumerProtocolSubscription", MEMBER: "ConsumerProtocolAssignment"}


class CaseTrial(NamedTuple):
    """A client that reads, in that role, bytes of a code in one of its forms."""

    code: str
    form: str
    role: str
    data: bytes
    client: Client


def trials(codes: Sequence[str], names: Sequence[str]) -> Iterator[CaseTrial]:
    """Yield all trials of these codes and of clients of these names; none are all."""
    for code in codes or CASES:
        for form, texts in CASES[code].items():
            for role, text in zip((LEADER, MEMBER), texts, strict=True):
                for client in READERS if text is not None else ():
                    trial = CaseTrial(code, form, role, bytes.fromhex(text or ""), client)
                    if is_possible(trial) and (not names or client.name in names):
                        yield trial


def is_possible(trial: CaseTrial) -> bool:
    """Return whether the outcome would be about the deviation."""
    if trial.client == KAFKA_GO and trial.role == LEADER and is_above_version_0(trial.data):
        return False
    return has_assignor(trial.client, trial.code)


def is_above_version_0(data: bytes) -> bool:
    """Return whether a subscription has fields of version 1, with which kafka-go's Reader does not
    read it as leader, whatever deviates in them."""
    body = decode(data[2:], _MESSAGES[LEADER], body_version=0, policy=Policy.LENIENT)
    return data[:2] != bytes(2) and bool(body.remainder) and body.complete


def has_assignor(client: Client, code: str) -> bool:
    """Return whether a client has the assignor of a code's group."""
    habits = clients()[client.name].writers[-1].habits
    assignors = {name for habit in habits for name in habit.assignors}
    return code not in ASSIGNORS or ASSIGNORS[code] in assignors


def try_one(broker: Broker, trial: CaseTrial, folder: Path, turn: int = 0) -> Seen:
    """Return what becomes of a client. A run that fails because of the machine is repeated."""
    code, form, role, data, client = trial
    for attempt in range(_ATTEMPTS):
        group = re.sub(r"\W", "-", f"{code}-{form}-{role}-{client}-{turn}-{attempt}")
        try:
            topic = TOPICS.get(code, TOPIC)
            assignor, claims = ASSIGNORS.get(code, ""), CLAIMS.get(code, frozenset())
            return Trial(
                broker, client, topic, group, folder, assignor=assignor, claims=claims
            ).run(role, data)
        except (AssertionError, OSError) as error:
            print(f"{code} {role} {client}: {error!r}"[:200], file=sys.stderr, flush=True)
    raise RuntimeError(f"{code} {role} {client}: no run")


def measure(codes: Sequence[str] = (), names: Sequence[str] = ()) -> list[list[str]]:
    """Return a row for each trial."""
    os.environ["KPROTO_MEMBER_LOGS"] = "1"
    with TemporaryDirectory(prefix="consequences-") as name:
        folder = Path(name)
        with running_broker(folder, DELAY) as broker:
            topics = of.AdminClient({"bootstrap.servers": broker.bootstrap})
            names_of_topics = (TOPIC, "b", *TOPICS.values())
            new = [of.NewTopic(topic, 4, 1) for topic in names_of_topics]
            for future in topics.create_topics(new).values():
                future.result()
            try_one(broker, CaseTrial("warm", "", MEMBER, b"", READERS[-1]), folder)

            def row(trial: CaseTrial) -> list[str]:
                code, form, role, data, client = trial
                seen = try_one(broker, trial, folder)
                for turn in range(1, _TIMES_OF_CLAIMS if code in CLAIMS else 1):
                    if seen.then == ASSIGNS:
                        seen = try_one(broker, trial, folder, turn)
                cells = [code, _MESSAGES[role], role, data.hex(), *client, *seen, form]
                print(json.dumps(cells, ensure_ascii=False), file=sys.stderr, flush=True)
                return cells

            with ThreadPoolExecutor(_AT_ONCE) as pool:
                return list(pool.map(row, trials(codes, names)))


def main() -> int:
    """Measure, and write the file."""
    parser = ArgumentParser()
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--client", nargs="*", default=())
    parser.add_argument("--out", type=Path, default=Path("clients/groups.json"))
    arguments = parser.parse_args()
    rows = measure(arguments.only, arguments.client)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    date = datetime.now(UTC).date()
    text = f'{{"date": "{date}", "broker": "{BROKER}",\n"runs": [\n{lines}\n]}}\n'
    arguments.out.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
