"""What Connect's workers say of their group: tasks that are held back, configurations that differ
or that the leader has not read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..wording import counted, some_of
from .group_facts import GroupCause, GroupFacts, cause_of, names_of
from .reasons import delay_of
from .timeline import Fact

__all__ = ["connect_causes"]

_WORK = re.compile(r"\b(?:connectorIds|taskIds)=\[([^\]]*)\]")
_REVOKED = re.compile(r"\brevoked(?:ConnectorIds|TaskIds)=\[[^\]]*\]")
_NAMED = 6
_FORCED = 3
"""Rebalances because of differing offsets from which it is no coincidence."""


def connect_causes(view: GroupFacts) -> Iterator[GroupCause]:
    """Yield what is wrong with a group of Connect workers."""
    delayed = [fact for fact in view.facts("connect-assigned") if delay_of(fact)]
    if delayed:
        yield cause_of("connect-delayed-rebalance", _delay_text(view, delayed), delayed)
    differing = view.facts("connect-offsets-differ")
    if differing:
        is_certain = len(differing) >= _FORCED
        other = "" if is_certain else ", or one of them is behind"
        text = (
            f"{names_of(differing)} and the group's leader read different config topics{other}: "
            f"{counted(len(differing), 'forced rebalance')}."
        )
        yield cause_of(
            "two-clusters-in-one-group", text, differing, certain=is_certain,
            rivals=("connect-config-behind",),
        )  # fmt: skip
    behind = view.facts("connect-behind")
    if behind:
        text = (
            f"The leader {names_of(behind)} has not read the newest configuration and answers with "
            "an empty one."
        )
        yield cause_of("connect-config-behind", text, behind)


def _work(fact: Fact) -> set[str]:
    """The connectors and tasks that a worker is to run."""
    detail = _REVOKED.sub("", str(fact.fields.get("detail", "")))
    return {name for names in _WORK.findall(detail) for name in names.split(", ") if name}


def _delay_text(view: GroupFacts, delayed: Sequence[Fact]) -> str:
    """Return what was held back, how long, and until when somebody got it."""
    longest = max(map(delay_of, delayed))
    text = (
        f"Connect held back the work of a worker that was gone for {longest / 1000:g} s "
        "(scheduled.rebalance.max.delay.ms)"
    )
    rounds: defaultdict[int, list[Fact]] = defaultdict(list)
    for fact in view.facts("connect-assigned"):
        rounds[fact.generation].append(fact)
    first = delayed[0]
    until = [
        facts for generation, facts in sorted(rounds.items())
        if generation > first.generation and not any(map(delay_of, facts))
    ]  # fmt: skip
    if not until:
        return f"{text}; the logs do not show that anybody got it."
    before = set[str]().union(*map(_work, rounds[first.generation]))
    names = sorted(set[str]().union(*map(_work, until[0])) - before)
    got = min(fact.order for fact in until[0])
    if names:
        text += f": nobody ran {some_of(names, _NAMED)}"
    waited = (got - first.order) / 1000
    return f"{text}, for {waited:.1f} s after the rebalance in which the worker was missed."
