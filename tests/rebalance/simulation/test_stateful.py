"""Whole groups under a hostile fate: Hypothesis chooses what happens, and the checks hold.

Members join, leave, hang, come back stale, are upgraded and lose connections; the coordinator
fails over, topics grow. In the end the faults stop, and the group has to come to rest.
"""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kproto.rebalance.simulation import END_CHECKS, STATE_CHECKS, MemberSettings, Setup
from kproto.rebalance.simulation.catalogue import CATALOGUE
from kproto.rebalance.simulation.dialects import Consumer
from kproto.rebalance.simulation.model import Model, begin

TOPICS = (("t", 2), ("u", 1))
GROWTH = ((("t", 3), ("u", 1)), (("t", 3),), (("t", 3), ("u", 2)))
MOST_REBALANCES = 12  # after the last fault
MOST_MOVES = 600

UPGRADES = {
    "range": (("range",), 0),
    "first bounce": (("range", "cooperative-sticky"), 3),
    "second bounce": (("cooperative-sticky",), 3),
    "cooperative": (("cooperative-sticky",), 3),
    "older": (("cooperative-sticky",), 1),
    "sticky": (("sticky",), 2),
}
PATHS = st.sampled_from(
    [
        ("range", "first bounce", "first bounce"),
        ("cooperative", "older", "cooperative"),
        ("sticky", "sticky", "sticky"),
        ("first bounce", "second bounce", "second bounce"),
    ]
)


def member(name: str, step: str, *, static: bool) -> MemberSettings:
    assignors, version = UPGRADES[step]
    return MemberSettings(
        name,
        tuple(CATALOGUE[one] for one in assignors),
        ("t", "u"),
        Consumer(version),
        version,
        group_instance_id=f"{name}-instance" if static else None,
    )


class Fate(RuleBasedStateMachine):
    """Moves of the model, chosen freely."""

    @initialize(path=PATHS, static=st.lists(st.booleans(), min_size=3, max_size=3))
    def begin(self, path: tuple[str, ...], static: list[bool]) -> None:
        builds = tuple(
            tuple(member(name, step, static=fixed) for step in path)
            for name, fixed in zip("abc", static, strict=True)
        )
        self.model = Model(Setup(builds, TOPICS, faults=6, stops=3, growth=GROWTH))
        self.group = begin(self.model.setup)

    def move(self, choice: int, *, fault: bool) -> None:
        moves = [one for one in self.model.moves(self.group) if one.fault == fault]
        if moves:
            self.group = self.model.apply(self.group, moves[choice % len(moves)]).group

    @rule(choices=st.lists(st.integers(0, 50), min_size=1, max_size=25))
    def something_happens(self, choices: list[int]) -> None:
        for choice in choices:
            self.move(choice, fault=False)
            self.holds()

    @rule(choice=st.integers(0, 50))
    def something_goes_wrong(self, choice: int) -> None:
        self.move(choice, fault=True)

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "group"):
            for name, check in STATE_CHECKS.items():
                assert not list(check(self.model, self.group)), name

    def teardown(self) -> None:
        """No more faults, and nobody intervenes: the group comes to rest."""
        if not hasattr(self, "group"):
            return
        self.group = self.group._replace(faults=0, stops=0, growths=len(GROWTH))
        before = self.group.coordinator.generation
        for _ in range(MOST_MOVES):
            moves = list(self.model.moves(self.group))
            if not moves:
                break
            self.group = self.model.apply(self.group, moves[0]).group
            self.holds()
        else:
            raise AssertionError("the group never comes to rest")
        assert self.group.coordinator.generation - before <= MOST_REBALANCES
        for name, check in END_CHECKS.items():
            assert not list(check(self.model, self.group)), name


TestFate = Fate.TestCase
TestFate.settings = settings(max_examples=40, stateful_step_count=25)
