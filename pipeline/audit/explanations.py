"""The pages of the rules, for `kproto explain`."""

from __future__ import annotations

from ...inspector.diagnose.explanations import Page
from .rule import AnyRule
from .rules import RULES

__all__ = ["pages"]

_INPUTS = {
    "history": "the groups' records",
    "commits": "the commits",
    "topics": "the partition counts of topics (a broker, or --topics)",
    "ends": "where partitions end (a broker, or --topics)",
    "targets": "the coordinator's own records of groups that it assigns (no frame says them)",
    "states": "the broker's own account of its groups",
}
"""What a rule needs, in words."""


def pages() -> dict[str, Page]:
    """Return every page, in the order of the rules."""
    return {rule.id: _page(rule) for rule in RULES.values()}


def _page(rule: AnyRule) -> Page:
    limits = ", ".join(f"{name} {value:g}" for name, value in rule.thresholds.items())
    inputs = ", ".join(_INPUTS[name] for name in rule.inputs)
    sentences = [
        rule.predicate,
        f"Thresholds: {limits}." if limits else "",
        f"It reads {inputs}; where that is missing, it is not evaluated. Basis: {rule.basis}.",
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
