"""The audit rules, and the fold that applies them to the history of a group.

A group's records come one after another, in the order of the log; the fold keeps a bounded window
of them, asks each rule at every step, and folds what they say into findings. It knows nothing of
files or Spark: the same fold serves a file, a partition of the topic, and a stream.
"""

from __future__ import annotations

from .classic_record import Place, Step, read_step
from .findings import Basis, Finding, Severity, Sign
from .fold import GroupFold
from .group_end import BrokerState, CommitSeen, DeletedCommit, GroupEnd, Refused
from .members import MemberSeen
from .rule import (
    AnyRule,
    EndRule,
    Fleet,
    FleetRule,
    Rule,
    RuleFailed,
    candidate_rows,
    end_findings,
    lacking,
    new_finding,
    signs,
)
from .rules import END_RULES, FLEET_RULES, RULES, STEP_RULES
from .window import Context, Window

__all__ = [
    "END_RULES",
    "FLEET_RULES",
    "RULES",
    "STEP_RULES",
    "AnyRule",
    "Basis",
    "BrokerState",
    "CommitSeen",
    "Context",
    "DeletedCommit",
    "EndRule",
    "Finding",
    "Fleet",
    "FleetRule",
    "GroupEnd",
    "GroupFold",
    "MemberSeen",
    "Place",
    "Refused",
    "Rule",
    "RuleFailed",
    "Severity",
    "Sign",
    "Step",
    "Window",
    "candidate_rows",
    "end_findings",
    "lacking",
    "new_finding",
    "read_step",
    "signs",
]
