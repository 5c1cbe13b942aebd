"""The machines by themselves: rules that a scenario does not come by, and tables that are whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kproto.codec.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    SyncGroupRequest,
)
from kproto.rebalance import ASSIGNORS
from kproto.rebalance.simulation import MemberSettings
from kproto.rebalance.simulation.machines import (
    coordinator,
    coordinator_state,
    member,
    member_state,
)
from kproto.rebalance.simulation.machines.callbacks import Work
from kproto.rebalance.simulation.machines.client_formats import Connect, Consumer, MemberMetadata
from kproto.rebalance.simulation.machines.coordinator_state import (
    Asked,
    Commit,
    CommitAnswer,
    ErrorCode,
    GroupPhase,
    GroupSettings,
    GroupState,
)
from kproto.rebalance.simulation.machines.leader import Candidate, lead
from kproto.rebalance.simulation.machines.member_state import Phase

BROKER = GroupSettings(initial_rebalance_delay_ms=0)


class Group:
    """A coordinator, and what it answered last on each connection."""

    def __init__(self) -> None:
        self.state = GroupState()
        self.answers: dict[str, Any] = {}

    def tell(self, event: Any) -> None:
        self.state, actions = coordinator.step(BROKER, self.state, event)
        for action in actions:
            if isinstance(action, coordinator_state.Reply):
                self.answers[action.connection] = action.message

    def ask(self, name: str, message: Any, version: int = 9) -> Any:
        self.answers.pop(name, None)
        self.tell(Asked(name, name, version, message))
        return self.answers.get(name)

    def join(
        self, name: str, *, static: bool = False, metadata: bytes = b"m", version: int = 9,
        member_id: str = "", protocols: tuple[str, ...] = ("range",),
    ) -> Any:  # fmt: skip
        listed = JoinGroupRequest.JoinGroupRequestProtocol
        return self.ask(
            name,
            JoinGroupRequest(
                group_id="g",
                session_timeout_ms=10_000,
                rebalance_timeout_ms=60_000,
                member_id=member_id,
                group_instance_id=name.rstrip("'") if static else None,
                protocol_type="consumer",
                protocols=[listed(name=one, metadata=metadata) for one in protocols],
            ),
            version,
        )

    def sync(self, name: str, member_id: str, shares: dict[str, bytes] | None = None) -> Any:
        share = SyncGroupRequest.SyncGroupRequestAssignment
        return self.ask(
            name,
            SyncGroupRequest(
                group_id="g",
                generation_id=self.state.generation,
                member_id=member_id,
                assignments=[
                    share(member_id=one, assignment=data) for one, data in (shares or {}).items()
                ],
            ),
            5,
        )


def stable_static(version: int = 9) -> Group:
    """Two static members; the first leads."""
    group = Group()
    first = group.join("a", static=True, version=version)
    group.join("b", static=True, version=version)
    again = group.join("a", static=True, version=version, member_id=first.member_id)
    ids = {one: group.answers[one].member_id for one in "ab"}
    assert again.leader == ids["a"]
    group.sync("b", ids["b"])
    group.sync("a", ids["a"], {ids["a"]: b"A", ids["b"]: b"B"})
    assert group.state.phase is GroupPhase.STABLE
    return group


def test_a_dynamic_member_is_given_an_id_first() -> None:
    group = Group()
    answer = group.join("a")
    assert answer.error_code == ErrorCode.MEMBER_ID_REQUIRED
    assert group.state.pending == {answer.member_id}
    assert group.join("a", member_id=answer.member_id).error_code == ErrorCode.NONE
    assert group.state.generation == 1
    old = Group()
    assert old.join("a", version=3).error_code == ErrorCode.NONE


def test_a_rebalance_waits_for_pending_members() -> None:
    group = Group()
    first = group.join("a")
    group.join("b")
    assert group.join("a", member_id=first.member_id) is None
    (left,) = group.state.pending
    group.tell(coordinator_state.PendingExpired(left))
    assert group.answers["a"].generation_id == 1


def test_a_static_leader_that_comes_back_is_told_to_skip_the_assignment() -> None:
    group = stable_static()
    answer = group.join("a'", static=True)
    assert (answer.error_code, answer.skip_assignment) == (ErrorCode.NONE, True)
    assert answer.leader == answer.member_id
    assert len(answer.members) == 2
    assert group.state.generation == 2
    assert group.sync("a'", answer.member_id).assignment == b"A"


def test_before_version_9_it_is_told_that_its_predecessor_leads() -> None:
    group = stable_static(version=8)
    before = group.state.leader
    answer = group.join("a'", static=True, version=8)
    assert answer.leader == before != answer.member_id
    assert not answer.skip_assignment
    assert not answer.members


def test_what_a_static_member_says_anew_is_stored_and_makes_no_rebalance() -> None:
    group = stable_static()
    group.join("b'", static=True, metadata=b"other topics")
    assert group.state.phase is GroupPhase.STABLE
    assert group.state.entries[1].metadata("range") == b"other topics"
    assert group.state.stored_state is not None
    assert group.state.stored_state.entries[1].metadata("range") == b"other topics"


def test_another_choice_of_protocol_does_make_one() -> None:
    group = stable_static()
    group.join("b'", static=True, protocols=("sticky", "range"))
    assert group.state.phase is GroupPhase.STABLE
    alone = Group()
    first = alone.join("a", static=True, protocols=("range", "sticky"))
    alone.sync("a", first.member_id, {first.member_id: b"A"})
    assert alone.join("a'", static=True, protocols=("sticky",)).protocol_name == "sticky"
    assert alone.state.generation == 2


def test_the_process_before_it_is_fenced_in_all_it_asks() -> None:
    group = stable_static()
    old = group.state.entries[1].member_id
    group.join("b'", static=True)
    beat = HeartbeatRequest(group_id="g", generation_id=2, member_id=old, group_instance_id="b")
    assert group.ask("b", beat).error_code == ErrorCode.FENCED_INSTANCE_ID
    rejoined = group.join("b", static=True, member_id=old)
    assert rejoined.error_code == ErrorCode.FENCED_INSTANCE_ID


def test_no_protocol_in_common() -> None:
    group = stable_static()
    answer = group.join("c", static=True, protocols=("sticky",))
    assert answer.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert group.state.phase is GroupPhase.STABLE


def test_the_protocol_with_most_votes_is_chosen() -> None:
    def entry(*names: str) -> coordinator_state.Entry:
        return coordinator_state.Entry("x", None, "x", 1, 1, tuple((one, b"") for one in names), 9)

    votes = [entry("a", "b"), entry("b", "a"), entry("c", "b", "a")]
    assert coordinator_state.choose(votes) == "b"
    assert coordinator_state.choose([entry("a"), entry("b")]) is None


def test_who_leaves_without_being_a_member_changes_nothing() -> None:
    group = stable_static()
    leaver = LeaveGroupRequest.MemberIdentity(member_id="nobody", group_instance_id=None)
    answer = group.ask("x", LeaveGroupRequest(group_id="g", members=[leaver]), 5)
    assert answer.error_code == ErrorCode.NONE
    assert group.state.phase is GroupPhase.STABLE


def test_commits_of_who_is_out_are_refused() -> None:
    group = stable_static()
    one = group.state.entries[0].member_id
    assert group.ask("a", Commit(one, 2)) == CommitAnswer(ErrorCode.NONE)
    assert group.ask("a", Commit(one, 1)) == CommitAnswer(ErrorCode.ILLEGAL_GENERATION)
    assert group.ask("a", Commit("nobody", 2)) == CommitAnswer(ErrorCode.UNKNOWN_MEMBER_ID)


def test_a_failover_goes_back_to_what_was_stored() -> None:
    group = stable_static()
    before = group.state
    group.join("c", static=True)
    assert group.state != before
    group.tell(coordinator_state.FailedOver())
    assert group.state.phase is GroupPhase.STABLE
    assert [one.member_id for one in group.state.entries] == [
        one.member_id for one in before.entries
    ]


# -- the member


SETTINGS = MemberSettings("a", (ASSIGNORS["range"],), ("t",), group_instance_id="a")


def test_max_poll_interval_a_dynamic_member_leaves_and_a_static_one_falls_silent() -> None:
    busy = member_state.MemberState(Phase.STABLE, ("t",), member_id="a-01", generation=3, busy=True)
    dynamic = MemberSettings("a", (ASSIGNORS["range"],), ("t",))
    for settings, leaves in ((SETTINGS, False), (dynamic, True)):
        state, actions = member.step(settings, busy, member_state.PollOverdue())
        sent = [type(one.message) for one in actions if isinstance(one, member_state.Send)]
        assert sent == ([LeaveGroupRequest] if leaves else [])
        assert (state.phase, state.generation, state.fallen) == (Phase.UNJOINED, -1, True)
    idle = busy._replace(busy=False)
    assert member.step(dynamic, idle, member_state.PollOverdue()) == (idle, [])


@pytest.mark.parametrize("phase", [Phase.PREPARING_REBALANCE, Phase.COMPLETING_REBALANCE])
def test_a_commit_waits_for_the_end_of_a_rebalance(phase: Phase) -> None:
    """As in Java: ConsumerCoordinator sends no OffsetCommit unless its state is STABLE. With the
    assignment it is due again, before a partition that is taken away is revoked."""
    cooperative = MemberSettings("a", (ASSIGNORS["cooperative-sticky"],), ("t",))
    rebalancing = member_state.MemberState(
        phase, ("t",), member_id="a-01", generation=3, busy=True, chosen="cooperative-sticky",
        owned=frozenset({("t", 0), ("t", 1)}),
    )  # fmt: skip
    waits, actions = member.step(cooperative, rebalancing, member_state.BatchProcessed())
    assert actions == [member_state.Did(member_state.COMMIT_WAITS)]
    share = Consumer(3).write_assignments([], {"a-01": _share("t")}, {})["a-01"]
    given = waits._replace(phase=Phase.STABLE, generation=4, share=share)
    _, actions = member.step(cooperative, given, member_state.Poll())
    told = [one for one in actions if isinstance(one, member_state.Send | member_state.Call)]
    assert told == [
        member_state.Send(Commit("a-01", 4), 0),
        member_state.Call(Work.REVOKED, frozenset({("t", 1)})),
    ]


def test_an_assignment_that_cannot_be_read_stops_the_member_and_says_why() -> None:
    state = member_state.MemberState(
        Phase.STABLE, ("t",), member_id="a", chosen="range", share=b"\0"
    )
    after, _ = member.step(SETTINGS, state, member_state.Poll())
    assert after.phase is Phase.FAILED
    assert after.reason.startswith("its assignment cannot be read: ")


def test_an_assignment_of_what_is_no_longer_subscribed_makes_it_rejoin() -> None:
    given = Consumer(3).write_assignments([], {"a": _share("gone")}, {})["a"]
    state = member_state.MemberState(
        Phase.STABLE, ("t",), member_id="a", chosen="range", share=given
    )
    after, actions = member.step(SETTINGS, state, member_state.Poll())
    assert after.rejoin
    assert not [one for one in actions if isinstance(one, member_state.Call)]


def _share(topic: str) -> Any:
    from kproto.codec import ConsumerProtocolAssignment

    entry = ConsumerProtocolAssignment.TopicPartition(topic=topic, partitions=[0])
    return ConsumerProtocolAssignment(assigned_partitions=[entry])


def test_a_listener_without_lost_is_called_with_revoked() -> None:
    owned = frozenset({("t", 0)})
    fallen = member_state.MemberState(subscribed=("t",), owned=owned, fallen=True)
    for listens, work in ((True, Work.LOST), (False, Work.REVOKED)):
        settings = replace(SETTINGS, listens_to_lost=listens)
        state, actions = member.step(settings, fallen, member_state.Poll())
        assert member_state.Call(work, owned) in actions
        state, _ = member.step(settings, state, member_state.CallbackReturned())
        assert not state.owned


def test_leaving_revokes_or_loses() -> None:
    owned = frozenset({("t", 0)})
    state = member_state.MemberState(
        Phase.STABLE, ("t",), member_id="a", generation=2, chosen="range", owned=owned
    )
    for before, work in ((state, Work.REVOKED), (state._replace(rejoin=True), Work.LOST)):
        after, actions = member.step(SETTINGS, before, member_state.Closed())
        assert member_state.Call(work, owned) in actions
        assert after.phase is Phase.LEAVING
        after, _ = member.step(SETTINGS, after, member_state.CallbackReturned())
        assert after.phase is Phase.CLOSED
        assert not after.owned


@pytest.mark.parametrize("table", [member.TABLE, coordinator.TABLE])
def test_every_rule_of_a_table_can_apply(table: Any) -> None:
    """None stands behind another one without a condition, for all of its phases."""
    open_to_all: set[tuple[Any, type]] = set()
    for rule in table.rules:
        free = [phase for phase in rule.phases if (phase, rule.event) not in open_to_all]
        assert free, (rule.event, rule.do)
        if rule.when is None:
            open_to_all |= {(phase, rule.event) for phase in rule.phases}


# -- the leader


def test_metadata_that_cannot_be_read_costs_one_member_its_share() -> None:
    told = Consumer(3).write_metadata(MemberMetadata(("t",), None, frozenset(), -1))
    candidates = [
        Candidate("a", None, told),
        Candidate("b", None, b"\0"),
        Candidate("c", None, b""),
    ]
    decision = lead(ASSIGNORS["range"], candidates, {"t": 4}, Consumer(3))
    assert {one.member_id for one in decision.complaints} == {"b", "c"}
    assert all("cannot be read" in one.what for one in decision.complaints)
    read = {
        one: Consumer(3).read_assignment(data).assignment.assigned_partitions
        for one, data in decision.shares.items()
    }
    assert [entry.partitions for entry in read["a"]] == [(0, 1, 2, 3)]
    assert not read["b"]
    assert not read["c"]


def test_connects_bytes_say_what_a_worker_runs() -> None:
    dialect = Connect(("sink",))
    owned = frozenset({("sink", 0), ("sink", 2)})
    data = dialect.write_metadata(MemberMetadata((), None, owned, 3))
    (entry,) = dialect.read_metadata(data).owned_partitions
    assert (entry.topic, entry.partitions) == ("sink", (0, 2))
    assert Connect(("sink",), 0).write_metadata(MemberMetadata((), None, owned, 3))[:2] == b"\0\0"
