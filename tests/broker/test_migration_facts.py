"""What happens around an upgrade and a downgrade, on a real broker: the facts that the pages and
plans of `kproto migrate` state."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.codec.messages import (
    ConsumerGroupHeartbeatRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    SyncGroupRequest,
)
from tests.broker.broker import Broker
from tests.broker.migration_groups import SESSION_MS, await_coordinators
from tests.broker.test_migration import settled_broker
from tests.broker.wire import Wire

NONE, UNKNOWN, REBALANCING, NO_GROUP, INCONSISTENT = 0, -1, 27, 69, 23
ORDERS = ConsumerProtocolSubscription(topics=["orders"]).to_bytes(0)
COUNT_TOO_LARGE = bytes.fromhex("00000000000500066f7264657273ffffffff")
NOTHING = ConsumerProtocolAssignment().to_bytes(0)
TOPICS = {"orders": 4}


@pytest.fixture(scope="module", params=["bidirectional", "disabled"])
def policy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def settled(policy: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    settings = {"group.consumer.migration.policy": policy}
    with settled_broker(tmp_path_factory.mktemp("broker"), settings, TOPICS) as broker:
        await_coordinators(broker.bootstrap)
        yield broker


@pytest.fixture
def talk(settled: Broker) -> Iterator[Talk]:
    with ExitStack() as stack:
        yield Talk(settled.bootstrap, stack)


class Talk:
    """Requests to one group, each over a connection of its sender's."""

    def __init__(self, bootstrap: str, stack: ExitStack) -> None:
        self._bootstrap = bootstrap
        self._stack = stack
        self._group = f"g-{uuid.uuid4()}"

    def wire(self, name: str) -> Wire:
        return self._stack.enter_context(closing(Wire(self._bootstrap, name)))

    def join(self, wire: Wire, metadata: bytes, member_id: str = "") -> None:
        protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="range", metadata=metadata)
        wire.send(
            JoinGroupRequest(
                group_id=self._group,
                session_timeout_ms=SESSION_MS,
                rebalance_timeout_ms=SESSION_MS,
                member_id=member_id,
                protocol_type="consumer",
                protocols=[protocol],
            ),
            3,
        )

    def classic(self, wire: Wire) -> tuple[str, int]:
        """Make a stable classic member; return its id and generation."""
        self.join(wire, ORDERS)
        joined = wire.receive(10)
        self.sync(wire, joined.member_id, joined.generation_id, NOTHING)
        assert wire.receive(10).error_code == NONE
        return joined.member_id, joined.generation_id

    def sync(self, wire: Wire, member_id: str, generation: int, share: bytes) -> None:
        given = SyncGroupRequest.SyncGroupRequestAssignment(member_id=member_id, assignment=share)
        wire.send(
            SyncGroupRequest(
                group_id=self._group,
                generation_id=generation,
                member_id=member_id,
                assignments=[given],
            ),
            3,
        )

    def beat(self, wire: Wire, member_id: str, epoch: int) -> Any:
        """Send a heartbeat of the next protocol and return its answer."""
        request = ConsumerGroupHeartbeatRequest(
            group_id=self._group, member_id=member_id, member_epoch=epoch
        )
        if epoch == 0:
            request = request.replace(
                rebalance_timeout_ms=SESSION_MS,
                subscribed_topic_names=["orders"],
                topic_partitions=[],
            )
        wire.send(request, 1)
        return wire.receive(10)

    def heartbeat(self, wire: Wire, member_id: str, generation: int) -> int:
        """Send a classic heartbeat and return its error."""
        wire.send(
            HeartbeatRequest(group_id=self._group, generation_id=generation, member_id=member_id),
            2,
        )
        return int(wire.receive(10).error_code)

    def state(self) -> str:
        asking = self.wire("asking")
        asking.send(DescribeGroupsRequest(groups=[self._group]), 5)
        return str(asking.receive(10).groups[0].group_state)


def test_a_count_that_is_too_large_keeps_the_group_from_every_answer(talk: Talk) -> None:
    """A defect of the broker: docs/findings/apache-kafka-join-never-answered.md."""
    odd, healthy = talk.wire("odd"), talk.wire("healthy")
    talk.join(odd, COUNT_TOO_LARGE)
    with pytest.raises(TimeoutError):
        odd.receive(5)
    talk.join(healthy, ORDERS)
    try:
        answer = healthy.receive(5).error_code
    except TimeoutError:
        answer = None
    assert answer in {UNKNOWN, None}
    assert talk.state() == "PreparingRebalance"


def test_the_first_new_member_converts_and_the_last_one_takes_it_back(
    talk: Talk, policy: str
) -> None:
    old, new = talk.wire("old"), talk.wire("new")
    member_id, generation = talk.classic(old)
    new_id = str(uuid.uuid4())
    joined = talk.beat(new, new_id, 0)
    if policy == "disabled":
        assert joined.error_code == NO_GROUP
        assert "online upgrade is disabled" in joined.error_message
        assert talk.heartbeat(old, member_id, generation) == NONE
        return
    assert (joined.error_code, joined.member_epoch) == (NONE, generation + 1)
    assert talk.heartbeat(old, member_id, generation) == REBALANCING
    assert talk.beat(new, new_id, -1).error_code == NONE
    assert talk.state() in {"PreparingRebalance", "CompletingRebalance", "Stable"}  # classic again


def test_an_empty_group_converts_under_any_policy_and_then_classic_members_may_be_refused(
    talk: Talk, policy: str
) -> None:
    new, old = talk.wire("new"), talk.wire("old")
    assert talk.beat(new, str(uuid.uuid4()), 0).error_code == NONE
    talk.join(old, ORDERS)
    expected = INCONSISTENT if policy == "disabled" else NONE
    assert old.receive(10).error_code == expected


def test_members_that_wait_are_sent_away_even_where_the_conversion_fails(
    talk: Talk, policy: str
) -> None:
    leader, waiting, new = talk.wire("leader"), talk.wire("waiting"), talk.wire("new")
    talk.classic(leader)
    talk.join(waiting, b"")  # a subscription of no bytes: it waits for the leader to rejoin
    while talk.state() != "PreparingRebalance":  # requests of two connections come in any order
        time.sleep(0.05)
    answer = talk.beat(new, str(uuid.uuid4()), 0)
    assert answer.error_code == NO_GROUP
    if policy == "disabled":
        with pytest.raises(TimeoutError):
            waiting.receive(2)
    else:
        assert "malformed" in answer.error_message
        assert waiting.receive(5).error_code == REBALANCING


def test_a_new_member_that_asks_for_an_unknown_assignor_is_refused_before_everything_else(
    talk: Talk,
) -> None:
    wire = talk.wire("new")
    wire.send(
        ConsumerGroupHeartbeatRequest(
            group_id="g", member_id="m", member_epoch=0, rebalance_timeout_ms=1000,
            subscribed_topic_names=["orders"], topic_partitions=[], server_assignor="own",
        ),
        1,
    )  # fmt: skip
    assert wire.receive(10).error_code == 112
