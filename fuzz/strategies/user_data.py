"""Strategies for the user data of every assignor, and for what other clients put there instead."""

from __future__ import annotations

from hypothesis import strategies as st

from ...codec import (
    CooperativeStickyUserData,
    StickyAssignorUserData,
    StreamJoinAssignmentUserData,
    StreamJoinSubscriptionUserData,
    SubscriptionInfoData,
)
from .values import entry_lists, generations

_GENERATIONS = generations()


def user_data(*, assignors: tuple[str, ...] | None = None) -> st.SearchStrategy[bytes]:
    """Return a strategy for the user data of these assignors (default: of all, and bytes that mean
    nothing).

    The names are "sticky", "cooperative-sticky", "stream-join", "streams" and "opaque".
    """
    made = (
        _BY_ASSIGNOR
        if assignors is None
        else {assignor: _BY_ASSIGNOR[assignor] for assignor in assignors}
    )
    return st.one_of(*made.values())


def _sticky() -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda previous, generation, version: StickyAssignorUserData(
            previous_assignment=[
                StickyAssignorUserData.TopicPartition(topic=topic, partitions=partitions)
                for topic, partitions in previous
            ],
            generation=generation,
        ).to_body(version),
        entry_lists(),
        _GENERATIONS,
        st.sampled_from([1, 0]),
    )


def _cooperative() -> st.SearchStrategy[bytes]:
    return _GENERATIONS.map(
        lambda generation: CooperativeStickyUserData(generation=generation).to_body(0)
    )


def _stream_join() -> st.SearchStrategy[bytes]:
    numbers = st.lists(st.integers(0, 9), max_size=4, unique=True)
    member = st.builds(
        lambda found, epoch: StreamJoinSubscriptionUserData(
            partition_numbers=sorted(found), epoch=epoch
        ).to_bytes(),
        numbers,
        _GENERATIONS,
    )
    leader = _GENERATIONS.map(
        lambda generation: StreamJoinAssignmentUserData(epoch=generation).to_bytes()
    )
    return member | leader


def _streams() -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda version, process: SubscriptionInfoData(
            version=version, latest_supported_version=11, process_id=process
        ).to_bytes(version),
        st.sampled_from([7, 8, 9, 10, 11]),
        st.uuids(),
    )


_BY_ASSIGNOR: dict[str, st.SearchStrategy[bytes]] = {
    "opaque": st.binary(max_size=12),
    "cooperative-sticky": _cooperative(),
    "sticky": _sticky(),
    "stream-join": _stream_join(),
    "streams": _streams(),
}
