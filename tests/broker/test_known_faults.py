"""Known faults of brokers and clients, made with a release that has them: `story` names each from
the coordinator's log, says to which release to update, and there the same requests do no harm."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.clients.faults import faults
from kproto.codec.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from kproto.codec.runtime.message import Message
from kproto.fuzz.building import JavaUnavailable
from tests.broker.broker import Broker
from tests.broker.fleet import Client, processes
from tests.broker.migration_groups import await_coordinators
from tests.broker.old_brokers import old_broker
from tests.broker.test_remedies import printed
from tests.broker.wire import Wire
from tests.conftest import do_without
from tests.pipeline.audit_groups import assignment, subscription

pytestmark = pytest.mark.plans
_SUBSCRIPTION, _NOTHING = subscription(["read"]), assignment([])
_LOG = (
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss.SSS",
    "-Dorg.slf4j.simpleLogger.log.kafka.coordinator.group=info",
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.utils.AppInfoParser=info",
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients.consumer=info",
    "-Duser.timezone=UTC",
)
_REBALANCE_IN_PROGRESS, _MEMBER_ID_REQUIRED = 27, 79
_SESSION_MS = 6000


class Member:
    """A member that sends one request after the other, in any version of JoinGroup."""

    def __init__(
        self, broker: Broker, group: str, name: str, version: int = 3, instance: str | None = None
    ) -> None:
        self._wire = Wire(broker.bootstrap, name)
        self._group, self._version, self._instance = group, version, instance
        self.member_id, self.generation, self.is_leader = "", -1, False

    def ask_to_join(self, rebalance_ms: int = _SESSION_MS) -> None:
        protocol = JoinGroupRequest.JoinGroupRequestProtocol
        self._wire.send(
            JoinGroupRequest(
                group_id=self._group, session_timeout_ms=_SESSION_MS, member_id=self.member_id,
                rebalance_timeout_ms=rebalance_ms, group_instance_id=self._instance,
                protocol_type="consumer",
                protocols=[protocol(name="range", metadata=_SUBSCRIPTION)],
            ),
            self._version,
        )  # fmt: skip

    def joined(self) -> None:
        """Wait until it has joined, under the id that the coordinator gives it."""
        answer = self._wire.receive(20)
        self.member_id = answer.member_id
        if answer.error_code == _MEMBER_ID_REQUIRED:
            self.ask_to_join()
            self.joined()
            return
        assert answer.error_code == 0, answer
        self.generation = answer.generation_id
        self.is_leader = answer.leader == answer.member_id

    def ask_for_assignment(self, *members: str, assigned: bytes = _NOTHING) -> None:
        share = SyncGroupRequest.SyncGroupRequestAssignment
        self._wire.send(
            SyncGroupRequest(
                group_id=self._group, generation_id=self.generation, member_id=self.member_id,
                group_instance_id=self._instance,
                assignments=[share(member_id=name, assignment=assigned) for name in members],
            ),
            3 if self._instance else 0,
        )  # fmt: skip

    def assigned(self) -> tuple[int, bytes]:
        """The error that answers the request for an assignment, and the assignment."""
        answer = self._wire.receive(20)
        return answer.error_code, answer.assignment

    def beat(self) -> int:
        """The error that a heartbeat gets."""
        request = HeartbeatRequest(
            group_id=self._group, generation_id=self.generation, member_id=self.member_id
        )
        return self._answer_to(request)

    def leave(self) -> int:
        """The error that it gets where it leaves."""
        return self._answer_to(LeaveGroupRequest(group_id=self._group, member_id=self.member_id))

    def _answer_to(self, request: Message) -> int:
        self._wire.send(request, 0)
        return int(self._wire.receive(20).error_code)

    def run(self) -> None:
        """Join alone, lead, and be stable."""
        self.ask_to_join()
        self.joined()
        self.ask_for_assignment(self.member_id)
        assert self.assigned()[0] == 0

    def close(self) -> None:
        self._wire.close()


def _joins_of_version_0(broker: Broker, group: str) -> bool:
    """Two members of an old client join one after the other, and again where they are out: whether
    one throws out the other."""
    outs = 0
    with closing(Member(broker, group, "a", 0)) as a, closing(Member(broker, group, "b", 0)) as b:
        a.run()
        for number in range(8):
            new, old = (b, a) if number % 2 == 0 else (a, b)
            if not new.member_id:
                new.ask_to_join()
                time.sleep(0.5)
            error = old.beat()
            if error == _REBALANCE_IN_PROGRESS:
                old.ask_to_join()
                for member in (new, old):
                    member.joined()
                leader, other = (new, old) if new.is_leader else (old, new)
                other.ask_for_assignment()
                leader.ask_for_assignment(leader.member_id, other.member_id)
                assert leader.assigned()[0] == other.assigned()[0] == 0
            elif error:
                outs += 1
                new.joined()
                new.ask_for_assignment(new.member_id)
                assert new.assigned()[0] == 0
                old.member_id = ""
    return outs > 2


def _leader_only_beats(broker: Broker, group: str) -> bool:
    """A leader that never divides goes on with its heartbeats, and seven minutes later somebody
    starts another member: whether the group stood still."""
    with ExitStack() as members:
        a, b, c = (
            members.enter_context(closing(Member(broker, group, name))) for name in ("a", "b", "c")
        )
        a.run()
        b.ask_to_join()
        time.sleep(0.5)
        a.ask_to_join()
        a.joined()
        b.joined()
        assert a.is_leader
        b.ask_for_assignment()
        end = time.monotonic() + 400
        while time.monotonic() < end:
            time.sleep(0.5)
            if a.beat():
                return b.assigned()[0] == 0
        c.ask_to_join()
        time.sleep(1)
    return True


def _static_member_between(broker: Broker, group: str) -> bool:
    """A static member starts again between join and assignment: whether it is given nothing."""
    with ExitStack() as members:
        leader, static, again = (
            members.enter_context(closing(member)) for member in (
                Member(broker, group, "a", 5), Member(broker, group, "i", 5, "i"),
                Member(broker, group, "i", 5, "i"),
            )
        )  # fmt: skip
        leader.run()
        static.ask_to_join()
        time.sleep(0.5)
        leader.ask_to_join()
        leader.joined()
        static.joined()
        again.ask_to_join()
        time.sleep(0.5)
        leader.ask_for_assignment(
            leader.member_id, static.member_id, assigned=assignment(["read-0"])
        )
        error, _ = leader.assigned()
        if error == _REBALANCE_IN_PROGRESS:
            leader.ask_to_join()
            leader.joined()
            again.joined()
            leader.ask_for_assignment(
                leader.member_id, again.member_id, assigned=assignment(["read-0"])
            )
            assert leader.assigned()[0] == 0
        else:
            again.joined()
        again.ask_for_assignment()
        return again.assigned() == (0, b"")


def _joins_without_an_answer(version: int, broker: Broker, group: str) -> bool:
    """A client asks five times to join, as its requests time out, while the group waits for a slow
    member: whether the group has a member for each."""
    with closing(Member(broker, group, "slow", version)) as slow:
        slow.ask_to_join(30_000)
        slow.joined()
        slow.ask_for_assignment(slow.member_id)
        assert slow.assigned()[0] == 0
        for _ in range(5):
            with closing(Member(broker, group, "impatient", version)) as impatient:
                impatient.ask_to_join()
                time.sleep(0.5)
        is_piled_up = slow.beat() == _REBALANCE_IN_PROGRESS
        if is_piled_up:
            slow.ask_to_join(30_000)
            slow.joined()
            slow.ask_for_assignment(slow.member_id)
            assert slow.assigned()[0] == 0
            for _ in range(10):
                time.sleep(1)
                slow.beat()
    return is_piled_up


class BrokerFault(NamedTuple):
    """A fault, a release that has it and one that has not, and what makes it there, which returns
    whether it did harm."""

    name: str
    faulty: str
    mended: str
    make: Callable[[Broker, str], bool]
    make_again: Callable[[Broker, str], bool] | None = None


FAULTS = (
    BrokerFault("KAFKA-8653", "2.3.0", "2.3.1", _joins_of_version_0),
    BrokerFault("KAFKA-9801", "2.4.1", "2.5.0", _static_member_between),
    BrokerFault("KAFKA-7610", "2.1.0", "2.2.0",
                lambda broker, group: _joins_without_an_answer(3, broker, group),
                lambda broker, group: _joins_without_an_answer(4, broker, group)),
    BrokerFault("KAFKA-12890", "2.8.0", "2.8.1", _leader_only_beats),
)  # fmt: skip


@contextmanager
def _broker(folder: Path, release: str) -> Iterator[tuple[Broker, Path]]:
    folder.mkdir()
    try:
        with old_broker(folder, release, _LOG) as broker:
            await_coordinators(broker.bootstrap)
            yield broker, folder / "broker.log"
    except JavaUnavailable as reason:
        do_without(reason)


def _steps(capsys: pytest.CaptureFixture[str], *logs: Path) -> dict[str, str]:
    """What to do about each cause that the logs tell, by its summary."""
    return {
        cause["summary"]: cause["next"]
        for document in printed(capsys, "story", *map(str, logs))
        for story in document["groups"]
        for cause in story["causes"]
    }


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_a_fault_of_a_broker(
    case: BrokerFault, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (fault,) = [fault for fault in faults() if fault.name == case.name]
    with _broker(tmp_path / "faulty", case.faulty) as (broker, log):
        assert case.make(broker, "g")
    steps = [step for summary, step in _steps(capsys, log).items() if case.name in summary]
    assert len(steps) == 1
    assert steps[0].startswith(f"Update the broker to {' or '.join(fault.fixed)}, or later")
    with _broker(tmp_path / "mended", case.mended) as (broker, log):
        assert not (case.make_again or case.make)(broker, "g")
    assert not any(case.name in summary for summary in _steps(capsys, log))


@pytest.mark.parametrize(("release", "has_it"), [("2.5.1", True), ("2.6.1", False)])
def test_a_leader_that_divides_for_longer_than_its_session(
    release: str, has_it: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """KAFKA-10134, a fault of the Java client."""
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", " ".join(f'"{option}"' for option in _LOG))
    (fault,) = [fault for fault in faults() if fault.name == "KAFKA-10134"]
    settings = {"partition.assignment.strategy": "slow", "divide.ms": "9000",
                "session.timeout.ms": "6000", "heartbeat.interval.ms": "500"}  # fmt: skip
    with (
        _broker(tmp_path / "broker", "2.8.2") as (broker, log),
        processes(broker, "g", ("a", "b"), "read", tmp_path) as fleet,
    ):
        for member in fleet.values():
            member.start(Client("kafka-clients", release), settings)
            time.sleep(3)
        time.sleep(40)
    steps = _steps(capsys, log, *(tmp_path / f"{name}.log" for name in fleet))
    told = [step for summary, step in steps.items() if fault.name in summary]
    assert bool(told) == has_it, steps
    assert not has_it or told[0].startswith("Update kafka-clients to 2.6.1 or 2.7.0, or later")
