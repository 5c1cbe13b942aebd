"""Known bugs of the protocol and its clients, each as a setup in which exploration has to find it.

They are the history of the cooperative protocol: what its first draft could not do, what one bounce
breaks, and what came of claims without a generation. `SOUND` is the same group without any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from kproto.rebalance.simulation import MemberSettings, Setup
from kproto.rebalance.simulation.machines.client_formats import Consumer, Draft
from kproto.rebalance.simulation.machines.settings import Mistake
from kproto.rebalance.simulation.scenarios.assignors import CATALOGUE

_TOPICS = (("t", 2),)


@dataclass(frozen=True)
class KnownBug:
    """A known bug, and the check that has to find it."""

    what: str
    found_by: str
    setup: Setup
    sound: Setup
    """The same setup without the bug, in which nothing may be found."""


def member(name: str, *assignors: str, version: int = 3) -> MemberSettings:
    """Return the settings of a member that subscribes to all topics."""
    return MemberSettings(
        name,
        tuple(CATALOGUE[assignor] for assignor in assignors),
        tuple(topic for topic, _ in _TOPICS),
        Consumer(version),
        version,
    )


def _group(
    *builds: tuple[MemberSettings, ...], kinds: frozenset[str] = frozenset(), faults: int = 0,
    partitions: int = 2, one_by_one: bool = False,
) -> Setup:  # fmt: skip
    usual = Setup((), ()).kinds
    return Setup(builds, (("t", partitions),), faults, one_by_one=one_by_one, kinds=kinds or usual)


SOUND = _group((member("a", "cooperative-sticky"),), (member("b", "cooperative-sticky"),), faults=2)
"""Two members, one topic, two partitions, two faults."""


def _one_bounce() -> KnownBug:
    old = [member(name, "custom-eager", version=0) for name in "ab"]
    new, ready = member("c", "custom-cooperative"), member("c", "custom-eager")
    return KnownBug(
        "one bounce under one protocol name: a leader on old code gives what others still own",
        "disjoint",
        _group((old[0],), (old[1],), (new,), one_by_one=True),
        _group((old[0],), (old[1],), (ready,), one_by_one=True),
    )


def _impatient() -> KnownBug:
    return KnownBug(
        "a leader that gives without waiting for the old owner to revoke",
        "disjoint",
        _group((member("a", "impatient"),), (member("b", "impatient"),)),
        _group((member("a", "cooperative-sticky"),), (member("b", "cooperative-sticky"),)),
    )


def _draft() -> KnownBug:
    def drafted(name: str) -> MemberSettings:
        return replace(member(name, "cooperative-sticky", version=1), dialect=Draft())

    old = member("b", "cooperative-sticky", version=0)
    return KnownBug(
        "the first draft of KIP-429: with a newcomer of version 0 the group never comes to rest",
        "liveness",
        _group((drafted("a"),), (old,)),
        _group((drafted("a"),), (drafted("b"),)),
    )


def _no_generation() -> KnownBug:
    mistakes = frozenset({Mistake.KEEPS_STALE_CLAIMS, Mistake.HIDES_GENERATION})
    setup = _group(
        *((replace(member(name, "trusting"), mistakes=mistakes),) for name in "ab"),
        kinds=frozenset({"time out"}),
        faults=2,
        one_by_one=True,
    )
    keeps = frozenset({Mistake.KEEPS_STALE_CLAIMS})
    builds = tuple((replace(member(name, "cooperative-sticky"), mistakes=keeps),) for name in "ab")
    return KnownBug(
        "cooperative members without the generation (KAFKA-12984, KAFKA-13406)",
        "disjoint",
        setup,
        replace(setup, builds=builds),
    )


def _first_claimant() -> KnownBug:
    """Only b keeps stale claims, and its id sorts before that of a in some orders alone."""
    keeps = frozenset({Mistake.KEEPS_STALE_CLAIMS})
    setup = _group(
        (member("a", "trusting"),),
        (replace(member("b", "trusting"), mistakes=keeps),),
        kinds=frozenset({"time out"}),
        faults=2,
        one_by_one=True,
    )
    return KnownBug(
        "of two claims the first one by member id is believed, and ids are random",
        "disjoint",
        replace(setup, every_order=True),
        setup,
    )


def _whole_group() -> KnownBug:
    setup = _group(
        *((member(name, "whole-group-claims"),) for name in "abc"),
        kinds=frozenset({"disconnect"}),
        faults=1,
        partitions=4,
        one_by_one=True,
    )
    setup = replace(setup, victims=frozenset({1}))
    builds = tuple((member(name, "cooperative-sticky"),) for name in "abc")
    return KnownBug(
        "claims dropped below the highest generation of the group (KAFKA-14639)",
        "disjoint",
        setup,
        replace(setup, builds=builds),
    )


KNOWN_BUGS: Mapping[str, KnownBug] = MappingProxyType(
    {
        "one-bounce-one-name": _one_bounce(),
        "impatient-leader": _impatient(),
        "draft-429": _draft(),
        "no-generation": _no_generation(),
        "first-claimant": _first_claimant(),
        "whole-group-claims": _whole_group(),
    }
)
"""The known bugs by name; most are scenarios of that name, too."""
