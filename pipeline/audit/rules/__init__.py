"""The audit rules, by id.

`tuned` gives a rule with other thresholds; a user's own is a `Rule`, `EndRule` or `FleetRule` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..rule import AnyRule, EndRule, FleetRule, Rule
from . import (
    broker_assigned,
    churn,
    claims,
    client_settings,
    fleet,
    frameworks,
    lag,
    loading,
    logs,
    migration,
    offsets,
    offsets_topic,
    ownership,
    restarts,
    static,
    stuck,
    unassigned,
    unreadable,
    upgrade,
)

STEP_RULES: tuple[Rule, ...] = tuple(
    rule
    for module in (claims, ownership, frameworks, churn, static, unreadable, upgrade, unassigned)
    for rule in module.RULES
)
"""The rules that are asked at every record of a classic group."""

END_RULES: tuple[EndRule, ...] = (
    *restarts.RULES,
    *stuck.RULES,
    *unassigned.END_RULES,
    *broker_assigned.RULES,
    *lag.RULES,
    *offsets.RULES,
    *offsets.END_RULES,
    *unreadable.END_RULES,
    *ownership.END_RULES,
    *loading.RULES,
    *migration.RULES,
    *client_settings.RULES,
)
"""The rules that are asked once for each group, at the end."""

FLEET_RULES: tuple[FleetRule, ...] = (*fleet.RULES, *offsets_topic.RULES)
"""The rules that are asked once about all groups."""

RULES: Mapping[str, AnyRule] = MappingProxyType(
    {rule.id: rule for rule in (*STEP_RULES, *END_RULES, *FLEET_RULES)}
)
"""Every rule that an audit asks by itself."""

RULES_OF_LOGS: tuple[EndRule, ...] = (logs.TOLD_BY_LOGS,)
"""The rules that are asked where a source is a log."""
