"""A generated fleet: log segments of many groups, with planted troubles and their truth.

    python -m tests.benchmarks.fleet FOLDER [MEGABYTES]

Skewed as fleets are: a few groups commit most. 98 of 100 records are commits. The troubles are
written as the clients that have them write; `truth.json` says which rule has to speak of which
group, and of all other groups no rule may say more than a remark.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
)

START = 1_760_000_000_000
PARTITIONS = 8
COMMITS_A_RECORD = 49
"""Commits for each record about a group: 98 of 100."""
_BATCH = 200


class Group(NamedTuple):
    """A healthy group, or one with the trouble of that rule."""

    name: str
    members: int
    topic: str
    trouble: str | None


class Record(NamedTuple):
    """Key, value and time of a record."""

    key: bytes
    value: bytes
    time: int


TROUBLES = ("double-claim", "rebalance-storm", "unreadable-member", "static-ping-pong",
            "cooperative-violation")  # fmt: skip


def fleet(groups: int, rng: random.Random) -> list[Group]:
    """So many groups, one of 25 in trouble."""
    return [
        Group(
            f"team-{number % 40}.service-{number}",
            rng.choice((1, 2, 3, 3, 4, 8, 16)),
            f"events-{number % 97}",
            TROUBLES[number // 25 % len(TROUBLES)] if number % 25 == 10 else None,
        )
        for number in range(groups)
    ]


def records(group: Group, rng: random.Random, steps: int) -> Iterator[Record]:
    """The group's history: a generation, and the commits until the next one."""
    time = START + rng.randrange(3_600_000)
    key = GroupMetadataKey(group=group.name).to_bytes()
    commit_keys = [
        OffsetCommitKey(group=group.name, topic=group.topic, partition=one).to_bytes()
        for one in range(group.members * 3)
    ]
    offset = rng.randrange(1_000_000)
    for generation in range(1, steps + 1):
        yield Record(key, _generation(group, generation, time), time)
        pause = 4_000 if group.trouble == "rebalance-storm" else 3_600_000
        for number in range(COMMITS_A_RECORD):
            at = time + (number + 1) * pause // (COMMITS_A_RECORD + 1)
            offset += 17
            value = OffsetCommitValue(offset=offset, metadata="", commit_timestamp=at)
            yield Record(commit_keys[number % len(commit_keys)], value.to_bytes(), at)
        time += pause


def _generation(group: Group, generation: int, time: int) -> bytes:
    value = GroupMetadataValue(
        protocol_type="consumer",
        generation=generation,
        protocol="cooperative-sticky",
        leader=_member_id(group, 0, generation),
        current_state_timestamp=time - 2,
        members=[_member(group, number, generation) for number in range(group.members)],
    )
    return value.to_bytes(version=3)


def _member_id(group: Group, number: int, generation: int) -> str:
    """One that storms gets a new one at each join."""
    fresh = number == 0 and group.trouble in {"rebalance-storm", "static-ping-pong"}
    return f"{group.name}-{number}-{generation if fresh else 0:032x}"


def _member(group: Group, number: int, generation: int) -> GroupMetadataValue.MemberMetadata:
    mine = list(range(number * 3, number * 3 + 3))
    claimed, given = _claim(group, number, generation, mine)
    entry = ConsumerProtocolSubscription.TopicPartition
    said = ConsumerProtocolSubscription(
        topics=[group.topic],
        user_data=(generation - 1 if claimed else -1).to_bytes(4, "big", signed=True),  # as Java
        owned_partitions=[entry(topic=group.topic, partitions=claimed)] if claimed else [],
        generation_id=generation - 1 if claimed else -1,
        rack_id=None,
    ).to_bytes()
    if group.trouble == "unreadable-member" and number == group.members - 1:
        said = _as_kafka_go_writes(group.topic)
    pong = group.trouble == "static-ping-pong" and number == 0
    got = ConsumerProtocolAssignment.TopicPartition(topic=group.topic, partitions=given)
    return GroupMetadataValue.MemberMetadata(
        member_id=_member_id(group, number, generation),
        group_instance_id="one" if pong else None,
        client_id=f"host-{generation % 2}" if pong else f"service-{number}",
        client_host="/10.1.2.3",
        rebalance_timeout=300_000,
        session_timeout=45_000,
        subscription=said,
        assignment=ConsumerProtocolAssignment(
            assigned_partitions=[got] if given else [], user_data=None
        ).to_bytes(),
    )


def _claim(
    group: Group, number: int, generation: int, mine: list[int]
) -> tuple[list[int], list[int]]:
    """What it claims, and what it is given."""
    if generation == 1:
        return [], mine
    if number == 1 and group.trouble == "double-claim":
        return [0, *mine], mine
    if number == 0 and group.trouble == "cooperative-violation":
        return mine, mine[1:]
    if number == 1 and group.trouble == "cooperative-violation":
        return mine, [0, *mine]
    return ([] if number == 0 and group.trouble == "rebalance-storm" else mine), mine


def _as_kafka_go_writes(topic: str) -> bytes:
    """Labelled version 1, laid out as version 0."""
    name = topic.encode()
    return b"\x00\x01\x00\x00\x00\x01" + len(name).to_bytes(2, "big") + name + b"\xff\xff\xff\xff"


def write(
    folder: Path,
    megabytes: int,
    seed: int = 1,
    *,
    groups: int | None = None,
    partitions: int = PARTITIONS,
) -> dict[str, list[str]]:
    """Write segments of about that size, and `truth.json`; gives its content. More megabytes are
    more groups, or the longer histories of so many `groups`."""
    from aiokafka.record.default_records import DefaultRecordBatchBuilder

    rng = random.Random(seed)  # noqa: S311  # no secret
    of_fleet = [
        one._replace(members=max(one.members, 2)) if one.trouble is not None else one
        for one in fleet(groups or max(megabytes * 4, 200), rng)
    ]
    per_group = megabytes * (1 << 20) // (len(of_fleet) * COMMITS_A_RECORD * 102)
    for partition in range(partitions):
        home = folder / f"__consumer_offsets-{partition}"
        home.mkdir(parents=True)
        offset, held = 0, []
        with (home / "00000000000000000000.log").open("wb") as out:
            histories = [
                records(group, rng, max(int(per_group * rng.paretovariate(1.5) / 3), 14))
                for group in of_fleet[partition::partitions]
            ]
            for record in heapq.merge(*histories, key=lambda one: one.time):
                held.append(record)
                if len(held) == _BATCH:
                    offset = _batch(out, held, offset, DefaultRecordBatchBuilder)
                    held = []
            _batch(out, held, offset, DefaultRecordBatchBuilder)
    truth: dict[str, list[str]] = {}
    for group in of_fleet:
        if group.trouble is not None:
            truth.setdefault(group.trouble, []).append(group.name)
    (folder / "truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def _batch(out: object, held: list[Record], offset: int, builder_class: type) -> int:
    if not held:
        return offset
    builder = builder_class(
        magic=2, compression_type=0, is_transactional=0, producer_id=-1, producer_epoch=-1,
        base_sequence=-1, batch_size=1 << 30,
    )  # fmt: skip
    for number, record in enumerate(held):
        builder.append(number, record.time, record.key, record.value, [])
    data = builder.build()
    data[:8] = offset.to_bytes(8, "big")  # not part of the checksum
    out.write(data)  # type: ignore[attr-defined]
    return offset + len(held)


if __name__ == "__main__":
    print(json.dumps(write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 64)))
