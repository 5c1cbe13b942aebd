"""How often a group had been deleted before each of its records, with its tombstones and without
them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kproto.capture.segments.offsets_topic import record_types
from kproto.codec import (
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    GroupMetadataValue,
)
from kproto.pipeline.audit import GroupFold, Place
from kproto.pipeline.audit.group_state import LATER, GroupState

from .audit_groups import member, written

ENDS = st.lists(st.sampled_from(["tombstone", "compacted", "forgotten"]), max_size=6)


@given(ENDS, st.integers(1, 4))
def test_a_record_is_of_the_incarnation_that_deletions_before_it_leave(
    ends: list[str], generations: int
) -> None:
    """A tombstone that is compacted away is told by generations that begin anew. A follower
    forgets where tombstones were ("forgotten"), not how many."""
    state, fold, offset = GroupState(), GroupFold("test", "g"), 0
    for deleted, end in enumerate([*ends, "last"]):
        for generation in range(1, generations + 1):
            state.observe_classic(fold, _place(offset), _value(generation + generations))
            assert state.incarnation(offset) == deleted
            offset += 1
        if end == "compacted":
            state.observe_classic(fold, _place(offset), _value(1))
        elif end != "last":
            state.observe_classic(fold, _place(offset), None)
            state.delete(offset)  # which is known
        if end == "forgotten":
            state.forget_deletions()
        offset += 1
    assert state.incarnation(LATER) == fold.incarnation == len(ends)


@given(st.lists(st.integers(0, 4), max_size=5))
def test_the_record_that_founds_a_group_is_no_rebalance(generations: list[int]) -> None:
    """Kafka 4.3.1 writes generation 0, without members, as soon as the first member knocks, and
    again after the group was deleted."""
    state, fold, offset = GroupState(), GroupFold("test", "g"), 0
    for last in generations:
        assert state.observe_classic(fold, _place(offset), _founded()) is None
        for generation in range(1, last + 1):
            offset += 1
            assert state.observe_classic(fold, _place(offset), _value(generation)) is not None
        offset += 2
        state.observe_classic(fold, _place(offset - 1), None)
    assert state.rebalances == sum(generations)


def test_each_epoch_of_a_group_whose_broker_assigns_is_a_rebalance() -> None:
    state, asked = GroupState(), GroupFold("test", "g")
    fold = state.broker_assigned_fold("g", "consumer", asked)
    (kind,) = [one for one in record_types().values() if one.key is ConsumerGroupMetadataKey]
    key = ConsumerGroupMetadataKey(group_id="g").to_bytes()
    for epoch in (2, 3):
        value = ConsumerGroupMetadataValue(epoch=epoch).to_bytes()
        state.observe_broker_assigned(fold, kind, _place(epoch), key, value)
    state.observe_broker_assigned(fold, kind, _place(4), key, None)
    assert state.rebalances == 2


def _founded() -> bytes:
    return GroupMetadataValue(
        protocol_type="consumer", generation=0, protocol=None, leader=None, members=[]
    ).to_bytes(3)


def _place(offset: int) -> Place:
    return Place("log", 0, offset, 1_700_000_000_000 + offset * 60_000)


def _value(generation: int) -> bytes:
    return GroupMetadataValue(
        protocol_type="consumer",
        generation=generation,
        protocol="range",
        leader="a",
        current_state_timestamp=0,
        members=[written(member("a", ["t-0"]))],
    ).to_bytes()
