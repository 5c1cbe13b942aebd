"""Calm records: those of which no built-in rule has anything to say.

A record is calm if it goes on with what the one before says (`Step.continues`), no rule said
anything then, nobody came or went in the steps that are looked back at, and what the record says
itself gives no rule a reason to speak. Most records of most groups are calm, and no rule is asked
about them. A rule of a user may speak of any record: its predicate is not marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .classic_record import Step
from .repetition import COOPERATIVE_STICKY
from .rule import Rule
from .window import Context

__all__ = ["are_all_assigned", "is_calm", "is_silent_when_calm", "is_uniform", "silent_when_calm"]

P = TypeVar("P", bound=Callable[..., Any])

_MARK = "silent_when_calm"


def silent_when_calm(predicate: P) -> P:
    """Mark the predicate of a rule that has nothing to say of calm records."""
    setattr(predicate, _MARK, True)
    return predicate


def is_silent_when_calm(rule: Rule) -> bool:
    """Return whether a rule has nothing to say of calm records."""
    return rule.knows_rest and getattr(rule.find, _MARK, False)


def is_calm(step: Step, context: Context, least: Mapping[str, int]) -> bool:
    """Return whether a record gives no rule a reason to speak, which it is not asked about:
    subscriptions of several versions, a cooperative member that claims nothing, a partition that
    nobody has.
    """
    summary = step.summary
    return (
        summary is not None
        and is_uniform(step)
        and (summary.all_claim or step.protocol != COOPERATIVE_STICKY)
        and all(are_all_assigned(topic, step, context.counts, least) for topic in summary.topics)
    )


def is_uniform(step: Step) -> bool:
    """Return whether a record is in order, with subscriptions of one version: then no rule has
    anything to say of it, if it is the first.
    """
    return step.summary is not None and len(step.summary.versions) == 1


def are_all_assigned(
    topic: str, step: Step, counts: Mapping[str, int], least: Mapping[str, int]
) -> bool:
    """Return whether all partitions of a topic are assigned, as is quickly seen of a record that
    is in order; False proves nothing. `counts` has how many partitions topics have, as far as that
    is known, `least` how many they have at least.
    """
    if step.summary is None:
        return False
    count, highest = step.summary.assigned.get(topic, (0, -1))
    return count == highest + 1 >= counts.get(topic, least.get(topic, 0))
