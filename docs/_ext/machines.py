"""The documentation's diagrams, drawn from the tables that drive the machines (Mermaid)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kproto.rebalance.simulation.machines import (
    coordinator,
    coordinator_state,
    member,
    member_state,
)
from kproto.rebalance.simulation.machines.callbacks import LISTENER, TIMELINES, CallbackLine
from kproto.rebalance.simulation.machines.transitions import MachineRule

_QUIET = frozenset({"wait", "read", "read_nothing", "note_answer", "beat_later", "pass_over"})
"""Reactions that change nothing for the group; the pictures leave them out."""


def state_diagram(rules: Iterable[MachineRule[Any]], first: str) -> str:
    """Return a diagram of the phases and the transitions between them; rules that stay in a phase
    are left out.
    """
    edges: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        for phase in rule.phases:
            for after in rule.to:
                if after != phase and rule.do.__name__ not in _QUIET:
                    edges.setdefault((_id(phase), _id(after)), []).append(_label(rule))
    lines = ["stateDiagram-v2", f"    [*] --> {_id(first)}"]
    for (before, then), labels in edges.items():
        told = "<br/>".join(dict.fromkeys(labels))
        lines.append(f"    {before} --> {then}: {told}")
    return "\n".join(lines)


def rule_table(rules: Iterable[MachineRule[Any]]) -> str:
    """Return every rule as a table in Markdown."""
    lines = ["| in | event | if | does | then |", "|---|---|---|---|---|"]
    for rule in rules:
        when = _words(rule.when.__name__) if rule.when else ""
        then = " or ".join(rule.to)
        lines.append(
            f"| {', '.join(rule.phases)} | {rule.event.__name__} | {when} "
            f"| {_words(rule.do.__name__)} | {then} |"
        )
    return "\n".join(lines)


def timelines() -> str:
    """Return KIP-429's timelines as a table in Markdown."""
    lines = ["| when | what is done, in order |", "|---|---|"]
    for situation, timeline in TIMELINES.items():
        lines.append(f"| {situation} | {' → '.join(map(_step, timeline))} |")
    return "\n".join(lines)


def draw_machines() -> dict[str, str]:
    """Return the diagrams and tables of docs/explanation/rebalancing.md, by name."""
    mermaid = "```mermaid\n{}\n```".format
    return {
        "member": mermaid(state_diagram(member.TABLE.rules, member_state.Phase.UNJOINED)),
        "coordinator": mermaid(
            state_diagram(coordinator.TABLE.rules, coordinator_state.GroupPhase.EMPTY)
        ),
        "timelines": timelines(),
        "member rules": rule_table(member.TABLE.rules),
        "coordinator rules": rule_table(coordinator.TABLE.rules),
    }


def _step(line: CallbackLine) -> str:
    if line.work not in LISTENER:
        return str(line.work)
    step = f"{line.work}({line.partitions})"
    return step if line.even_if_empty else f"_{step}_"


def _label(rule: MachineRule[Any]) -> str:
    event = rule.event.__name__.removesuffix("Request")
    return f"{event}, {_words(rule.when.__name__)}" if rule.when else event


def _words(name: str) -> str:
    return name if name.isupper() else name.replace("_", " ")


def _id(phase: str) -> str:
    return str(phase).replace(" ", "_")
