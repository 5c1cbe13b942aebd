"""Histories of groups for tests: a line a member, a call a record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from kproto.codec import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    GroupMetadataValue,
)
from kproto.pipeline.audit import Finding, GroupFold, MemberSeen, Place, Rule, Step
from kproto.pipeline.audit.rules import STEP_RULES
from kproto.pipeline.audit.window import Context
from kproto.pipeline.tables.commits import COMMIT_KEY, SUMS, Commits

Partitions = Sequence[str]
"""Such as ["t-0", "t-1"]."""
PARTITIONS = ["t-0", "t-1", "t-2", "t-3"]


def commits_in(rows: pa.Table) -> Commits:
    """The commits that rows of `offsets` are."""
    keys = rows.select(COMMIT_KEY).cast(pa.schema([SUMS.field(name) for name in COMMIT_KEY]))
    coded = [values.combine_chunks().dictionary_encode() for values in keys.columns]
    sizes = [len(values.dictionary) + 1 for values in coded]
    codes = [values.indices.fill_null(len(values.dictionary)).to_numpy() for values in coded]
    numbers = np.ravel_multi_index(codes, sizes)
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    return Commits.of(keys.take(pa.array(first)), inverse.astype(np.int32), rows)


def one_in(number: int) -> st.SearchStrategy[bool]:
    """True once in so many draws; a failing case shrinks to what is False."""
    return st.integers(1, number).map(lambda drawn: drawn == number)


def _by_topic(partitions: Partitions) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for one in partitions:
        topic, _, number = one.rpartition("-")
        found[topic].append(int(number))
    return found


def subscription(
    topics: Iterable[str] = ("t",), owned: Partitions = (), generation: int = -1, version: int = 3
) -> bytes:
    """What a member tells the leader."""
    entry = ConsumerProtocolSubscription.TopicPartition
    return ConsumerProtocolSubscription(
        topics=list(topics),
        user_data=None,
        owned_partitions=[entry(topic=t, partitions=n) for t, n in _by_topic(owned).items()],
        generation_id=generation,
        rack_id=None,
    ).to_bytes(version=version)


def assignment(partitions: Partitions) -> bytes:
    """What the leader tells a member."""
    entry = ConsumerProtocolAssignment.TopicPartition
    return ConsumerProtocolAssignment(
        assigned_partitions=[
            entry(topic=t, partitions=n) for t, n in _by_topic(partitions).items()
        ],
        user_data=None,
    ).to_bytes()


def member(
    name: str,
    given: Partitions = (),
    *,
    metadata: bytes | None = None,
    instance: str | None = None,
    client: str | None = None,
    host: str = "/10.0.0.1",
    timeout: int = 300_000,
) -> MemberSeen:
    """A member; its client id is its name up to a `#`, so that "a#1" and "a#2" are one client."""
    return MemberSeen(
        name,
        instance,
        client if client is not None else name.partition("#")[0],
        host,
        timeout,
        45_000,
        subscription() if metadata is None else metadata,
        assignment(given),
    )


def written(one: MemberSeen) -> GroupMetadataValue.MemberMetadata:
    """The member as it stands in its group's record."""
    return GroupMetadataValue.MemberMetadata(
        member_id=one.member_id,
        group_instance_id=one.instance_id,
        client_id=one.client_id,
        client_host=one.host,
        rebalance_timeout=one.rebalance_timeout,
        session_timeout=one.session_timeout,
        subscription=one.metadata,
        assignment=one.assignment,
    )


def record(
    generation: int,
    *members: MemberSeen,
    seconds: float | None = None,
    protocol: str = "range",
    kind: str = "consumer",
) -> Step:
    """A record, by default a minute a generation after the first one."""
    at = int((generation * 60 if seconds is None else seconds) * 1000) + 1_700_000_000_000
    return Step(
        Place("log", 0, generation, at),
        generation,
        kind,
        protocol if members else None,
        members[0].member_id if members else None,
        at - 3,
        members,
    )


def audited(
    *steps: Step, partitions: dict[str, int] | None = None, rules: Iterable[Rule] = STEP_RULES
) -> dict[str, Finding]:
    """The worst finding of each rule."""
    fold = GroupFold("test", "g", rules=rules, context=Context(partitions=partitions))
    for step in steps:
        fold.observe(step)
    return {finding.rule: finding for finding in reversed(fold.findings())}
