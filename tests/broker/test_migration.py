"""Every prediction of `kproto migrate` against a real broker: groups of any bytes, a new member."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka import admin as kafka_admin

from kproto.capture import decode_record, read_segments
from kproto.codec import GroupMetadataValue
from kproto.fuzz.building import JavaUnavailable
from kproto.rebalance.migration import judge, read_group
from tests.broker.broker import Broker, running_broker
from tests.broker.migration_groups import (
    Course,
    Outcome,
    Plan,
    Planned,
    as_line,
    await_coordinators,
    with_defect,
)
from tests.broker.test_audit_clients import wait_for
from tests.conftest import do_without
from tests.rebalance.odd_bytes import TOPICS, assignment, spoiled, subscription

KAFKA: Any = kafka_admin  # of its names the stubs know few

CAPTURED = Path(__file__).parent.parent / "vectors" / "captures" / "offsets-topic"
GROUPS = 120
"""Groups under each broker's settings."""
ERRORS = {
    -1: "UNKNOWN_SERVER_ERROR",
    0: "NONE",
    35: "UNSUPPORTED_VERSION",
    69: "GROUP_ID_NOT_FOUND",
    81: "GROUP_MAX_SIZE_REACHED",
    112: "UNSUPPORTED_ASSIGNOR",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "small": {"group.consumer.max.size": 3, "group.consumer.migration.policy": "upgrade"},
    "disabled": {"group.consumer.migration.policy": "disabled"},
    "downgrade": {"group.consumer.migration.policy": "downgrade"},
    "range": {"group.consumer.assignors": "range,uniform"},
}


LONG = {"disabled", "range"}
"""Their 120 groups wait a minute for members that the broker sends away."""


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in SETTINGS]
)
def settled(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Broker, Mapping[str, Any]]]:
    """A broker with the settings of that name, and these."""
    settings = SETTINGS[request.param]
    with settled_broker(tmp_path, settings, TOPICS) as broker:
        yield broker, settings


@contextmanager
def settled_broker(
    folder: Path, settings: Mapping[str, Any], topics: Mapping[str, int]
) -> Iterator[Broker]:
    lines = "".join(f"{name}={value}\n" for name, value in settings.items())
    try:
        with running_broker(folder, f"group.initial.rebalance.delay.ms=1000\n{lines}") as broker:
            _create(broker, topics)
            await_coordinators(broker.bootstrap)
            yield broker
    except JavaUnavailable as reason:
        do_without(reason)


def _create(broker: Broker, topics: Mapping[str, int]) -> None:
    """Create them, one after another; a client that gets no answer in time is replaced by another:
    once, while six brokers started, one never got any."""
    for name, count in topics.items():
        wait_for(partial(_created, broker, name, count), f"topic {name}")


def _created(broker: Broker, name: str, count: int) -> bool:
    admin = KAFKA.AdminClient({"bootstrap.servers": broker.bootstrap})
    try:
        admin.create_topics([KAFKA.NewTopic(name, count, 1)])[name].result(10)
    except TimeoutError:
        return False
    except KafkaException as error:
        return bool(error.args[0].name() == "TOPIC_ALREADY_EXISTS")
    return True


def test_what_released_clients_wrote(tmp_path: Path) -> None:
    """Every group of the committed offsets topic, as it last had members: 25 client releases."""
    captured = {
        group_id: value
        for key, value in map(_decoded, read_segments([CAPTURED]))
        if isinstance(value, GroupMetadataValue) and value.members
        for group_id in [key.group]
    }
    plans = {group_id: _plan_of(value) for group_id, value in captured.items()}
    topics = {"orders": 12, "clicks": 12}
    with settled_broker(tmp_path, {}, topics) as broker, ThreadPoolExecutor(16) as threads:
        outcomes = list(
            threads.map(
                lambda named: Course(broker.bootstrap, named[1], named[0]).run(
                    {"topics": topics, "settings": {}}, rejoin=True, leave=False
                ),
                plans.items(),
            )
        )
    wrong = [line for outcome in outcomes for line in differences(outcome)]
    assert not wrong, "\n".join(wrong)
    assert len(outcomes) > 80
    assert {ERRORS[outcome.error] for outcome in outcomes} == {"NONE", "GROUP_ID_NOT_FOUND"}


def _decoded(record: Any) -> tuple[Any, Any]:
    seen = decode_record(record)
    return (
        None if seen.key is None else seen.key.message,
        None if seen.value is None else seen.value.message,
    )


def _plan_of(value: GroupMetadataValue) -> Plan:
    members = tuple(
        Planned(
            ((value.protocol or "", member.subscription),),
            member.assignment,
            member.group_instance_id,
        )
        for member in value.members
    )
    return Plan(members, value.protocol_type)


def test_every_prediction_is_what_the_broker_answers(
    settled: tuple[Broker, Mapping[str, Any]], rng: random.Random
) -> None:
    broker, settings = settled
    told = {"topics": TOPICS, "settings": settings}
    # Groups of one live broker, all at once: what it keeps of them cannot be undone to shrink.
    plans = [random_plan(rng) for _ in range(GROUPS)]
    with ThreadPoolExecutor(16) as threads:
        outcomes = list(
            threads.map(
                lambda numbered: Course(broker.bootstrap, numbered[1], f"g{numbered[0]}").run(
                    told, rejoin=numbered[0] % 2 == 0, leave=numbered[0] % 3 == 0
                ),
                enumerate(plans),
            )
        )
    wrong = [line for outcome in outcomes for line in differences(outcome)]
    assert not wrong, "\n".join(wrong)


def differences(outcome: Outcome) -> Iterator[str]:
    """Yield where the prediction is not what the broker did."""
    line = as_line(outcome)
    judged = judge(read_group(line))
    answered = ERRORS[outcome.error]
    verdict = "ready" if answered == "NONE" else "blocked"
    if (judged.verdict, judged.error) != (verdict, answered):
        yield f"{answered} ({outcome.message}), foretold {judged.verdict} {judged.error}: {line}"
    refused = {reason.member_id for reason in judged.later if reason.what == "rejoin-fails"}
    for member_id, error in outcome.rejoins.items():
        if (error == -1) != (member_id in refused):
            yield f"rejoin of {member_id}: {error}, foretold {sorted(refused)}: {line}"
    stays = any(reason.what == "downgrade-fails" for reason in judged.later)
    if outcome.leave is not None and (outcome.leave != 0) != stays:
        yield f"leave: {outcome.leave}, foretold {[*judged.later]}: {line}"


def random_plan(rng: random.Random) -> Plan:
    """Return a group of some members, half of the time with something odd about one or two."""
    count = rng.choice([1, 1, 2, 2, 2, 3, 3, 3, 4, 14])
    names = rng.sample(["range", "sticky", "cooperative-sticky", "own"], rng.choice([1, 1, 2, 3]))
    free = [(topic, number) for topic, size in TOPICS.items() for number in range(size)]
    rng.shuffle(free)
    plan = Plan(
        members=tuple(
            Planned(
                protocols=tuple((name, subscription(rng)) for name in names),
                assignment=assignment(rng, _share(free[index::count])),
                instance_id=f"static-{index}" if rng.random() < 0.15 else None,
            )
            for index in range(count)
        ),
        protocol_type=rng.choice(["consumer"] * 9 + ["connect", "streams"]),
        ending=rng.choice(["Stable"] * 8 + ["CompletingRebalance", "PreparingRebalance", "Empty"]),
        late=count > 1 and rng.random() < 0.1,
        joins_topics=rng.choice([("orders",), ("orders", "payments"), ("ghost",)]),
        assignor=rng.choice([None] * 12 + ["range", "range", "uniform", "own"]),
    )
    if plan.late or plan.ending == "Empty":  # they leave and join by their ids alone
        plan = with_no_statics(plan)
    for _ in range(rng.choice([0, 1, 1, 2]) if count < 9 else 3):
        plan = _odd(rng, plan)
    return plan


def with_no_statics(plan: Plan) -> Plan:
    for index in range(len(plan.members)):
        plan = with_defect(plan, index, instance_id=None)
    return plan


def _share(partitions: list[tuple[str, int]]) -> dict[str, list[int]]:
    share: dict[str, list[int]] = {}
    for topic, number in partitions:
        share.setdefault(topic, []).append(number)
    return share


def _odd(rng: random.Random, plan: Plan) -> Plan:
    index = rng.randrange(len(plan.members))
    member = plan.members[index]
    match rng.choice(["subscription", "assignment", "user data", "share", "empty"]):
        case "subscription":
            place = rng.randrange(len(member.protocols))
            protocols = list(member.protocols)
            name, data = protocols[place]
            protocols[place] = (name, spoiled(rng, data))
            return with_defect(plan, index, protocols=tuple(protocols))
        case "assignment" if member.assignment:
            return with_defect(plan, index, assignment=spoiled(rng, member.assignment))
        case "user data":
            data = rng.choice([b"", b"\x00", b"\x00\x01\x02"])
            return with_defect(plan, index, assignment=assignment(rng, {"orders": []}, data))
        case "share":
            topic = rng.choice([*TOPICS, "ghost"])
            odd = {topic: rng.sample([-1, 0, 1, 2, 5, 6, 900], rng.randint(1, 2))}
            return with_defect(plan, index, assignment=assignment(rng, odd))
        case _:
            return with_defect(plan, index, assignment=b"")
