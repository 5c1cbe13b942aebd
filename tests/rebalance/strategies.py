"""Groups as Hypothesis makes them: nothing is too strange that a decoder would accept."""

from __future__ import annotations

from hypothesis import strategies as st

from kproto.codec import ConsumerProtocolSubscription, StickyAssignorUserData
from kproto.rebalance import Member

TOPICS = ("t", "u", "v", "gone")

sizes = st.dictionaries(st.sampled_from(TOPICS[:3]), st.integers(0, 12))

generations = st.sampled_from((-(2**31), -1, 0, 4, 5, 2**31 - 1))

numbers = st.lists(st.integers(-2, 13) | st.sampled_from((-(2**31), 2**31 - 1)), max_size=14).map(
    tuple
)

owned = st.lists(st.tuples(st.sampled_from((*TOPICS, "", "\0")), numbers), max_size=4)


@st.composite
def user_data(draw: st.DrawFn) -> bytes | None:
    """Of the assignors, of others, and of nobody."""
    if draw(st.booleans()):
        return draw(st.none() | st.binary(max_size=24))
    entries = [
        StickyAssignorUserData.TopicPartition(topic=topic, partitions=found)
        for topic, found in draw(owned)
    ]
    data = StickyAssignorUserData(previous_assignment=entries, generation=draw(generations))
    return data.to_body(draw(st.sampled_from((0, 1))))


@st.composite
def subscriptions(draw: st.DrawFn) -> ConsumerProtocolSubscription:
    return ConsumerProtocolSubscription(
        topics=draw(st.lists(st.sampled_from(TOPICS), max_size=5)),
        user_data=draw(user_data()),
        owned_partitions=[
            ConsumerProtocolSubscription.TopicPartition(topic=topic, partitions=found)
            for topic, found in draw(owned)
        ],
        generation_id=draw(generations),
        rack_id=draw(st.sampled_from((None, "", "r0", "r1", "elsewhere"))),
    )


@st.composite
def members(draw: st.DrawFn, max_size: int = 6) -> list[Member]:
    ids = draw(st.lists(st.text(max_size=3), unique=True, max_size=max_size))
    return [
        Member(one, draw(subscriptions()), draw(st.none() | st.sampled_from(("i0", "i1"))))
        for one in ids
    ]


racks = st.none() | st.dictionaries(
    st.sampled_from(TOPICS),
    st.lists(st.lists(st.sampled_from(("r0", "r1", "", None)), max_size=3), max_size=14),
)
