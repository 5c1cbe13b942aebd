"""The pages of the rules, for `kproto explain`."""

from __future__ import annotations

from ...inspector.diagnose.explanations import Page
from .inputs import INPUT_FACTS
from .rule import AnyRule
from .rules import RULES, RULES_OF_LOGS

__all__ = ["pages"]

_SELDOM = frozenset({"topics", "ends", "states"})
"""Inputs that the records do not have."""


def pages() -> dict[str, Page]:
    """Return every page, in the order of the rules."""
    return {rule.id: _page(rule) for rule in (*RULES.values(), *RULES_OF_LOGS)}


def _page(rule: AnyRule) -> Page:
    limits = ", ".join(f"{name} {value:g}" for name, value in rule.thresholds.items())
    inputs = ", ".join(INPUT_FACTS[name].what for name in rule.inputs)
    defaults = "; ".join(
        dict.fromkeys(INPUT_FACTS[name].how for name in rule.inputs if name in _SELDOM)
    )
    sentences = [
        rule.condition,
        f"Thresholds (audit --threshold): {limits}." if limits else "",
        f"It reads {inputs}; where that is missing, it is not evaluated. Basis: {rule.basis}.",
        f"To give it: {defaults}." if defaults else "",
    ]
    return Page(
        code=rule.id,
        title=rule.title,
        class_=rule.severity.value,  # which is its level, too
        what=" ".join(filter(None, sentences)),
        group=rule.meaning,
        writers="",
        see=(rule.source,),
        action=rule.next_action,
    )
