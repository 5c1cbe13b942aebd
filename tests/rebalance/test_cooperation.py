"""KIP-429's three sets, for the assignor's own result and for anybody's."""

from __future__ import annotations

from kproto.codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from kproto.rebalance import ASSIGNORS, Assignor, Member, Reading, Readings, RebalanceProtocol
from kproto.rebalance.assignors.cooperation import given_too_early, withhold
from kproto.rebalance.assignors.registry import built_in

from .groups import flat

Owned = ConsumerProtocolSubscription.TopicPartition


def member(member_id: str, *topics: str, generation: int = 3, **owned: list[int]) -> Member:
    claimed = [Owned(topic=topic, partitions=numbers) for topic, numbers in owned.items()]
    return Member(
        member_id,
        ConsumerProtocolSubscription(
            topics=topics, owned_partitions=claimed, generation_id=generation
        ),
    )


def test_a_moving_partition_waits_until_its_owner_has_revoked_it() -> None:
    group = [member("a", "t", t=[0, 1, 2, 3]), member("b", "t", generation=-1)]
    first = flat(ASSIGNORS["cooperative-sticky"].assign(group, {"t": 4}))
    assert first == {"a": [("t", 0), ("t", 1)], "b": []}
    group = [member("a", "t", t=[0, 1]), member("b", "t")]
    second = flat(ASSIGNORS["cooperative-sticky"].assign(group, {"t": 4}))
    assert second == {"a": [("t", 0), ("t", 1)], "b": [("t", 2), ("t", 3)]}


def test_any_assignment_can_be_made_cooperative() -> None:
    group = [member("a", "t", t=[0, 1, 2, 3]), member("b", "t")]
    assigned = ASSIGNORS["roundrobin"].assign(group, {"t": 5})
    assert given_too_early(group, assigned) == {("t", 1): "b", ("t", 3): "b"}
    assert flat(withhold(group, assigned)) == {"a": [("t", 0), ("t", 2), ("t", 4)], "b": []}


def test_what_is_owned_but_unknown_is_dropped_by_kafka_and_given_back_by_the_text() -> None:
    group = [
        member("a", "t", "gone", t=[0, 9], gone=[1, 2, -1]),
        member("b", "t", "gone", generation=2, gone=[2, 3]),
    ]
    assert flat(ASSIGNORS["cooperative-sticky"].assign(group, {"t": 2})) == {
        "a": [("t", 0)],
        "b": [("t", 1)],
    }
    text = built_in(Readings(owned_but_unknown=Reading.TEXT))["cooperative-sticky"]
    assert flat(text.assign(group, {"t": 2})) == {
        "a": [("t", 0), ("t", 9), ("gone", 1), ("gone", 2)],
        "b": [("t", 1), ("gone", 3)],
    }


def test_the_leader_checks_all_but_cooperative_sticky_unless_the_text_rules() -> None:
    text = Readings(check_of_a_cooperative_assignment=Reading.TEXT)
    assert not Readings().checks_cooperative_assignment("cooperative-sticky")
    assert Readings().checks_cooperative_assignment("anybody's")
    assert text.checks_cooperative_assignment("cooperative-sticky")


class Everything:
    """The custom assignor of the documentation."""

    name = "everything-to-one"
    protocols = (RebalanceProtocol.EAGER,)

    def subscription_user_data(self, topics: object, memory: object) -> None:
        return None

    def assign(
        self, members: list[Member], topics: dict[str, int], racks: object = None
    ) -> dict[str, ConsumerProtocolAssignment]:
        return {}

    def on_assignment(self, assignment: object, generation: int) -> None:
        return None


def test_built_in_and_custom_assignors_are_assignors() -> None:
    for name, assignor in ASSIGNORS.items():
        assert isinstance(assignor, Assignor)
        assert assignor.name == name
        assert RebalanceProtocol.EAGER in assignor.protocols
    assert isinstance(Everything(), Assignor)
    assert not isinstance(object(), Assignor)
    cooperative = [
        name
        for name, assignor in ASSIGNORS.items()
        if RebalanceProtocol.COOPERATIVE in assignor.protocols
    ]
    assert cooperative == ["cooperative-sticky"]
