"""What rules need besides the records, in words, and how to give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["INPUT_FACTS", "InputFacts", "how_to_give", "lines_of_skipped_rules"]


class InputFacts(NamedTuple):
    """An input of rules: what it is, and how it is given."""

    what: str
    how: str


INPUT_FACTS: Mapping[str, InputFacts] = MappingProxyType(
    {
        "history": InputFacts(
            "the groups' records", "audit the offsets topic: log segments, or kafka://HOST:PORT"
        ),
        "changes": InputFacts(
            "records of several times, for these have one moment of each group",
            "audit the offsets topic: log segments, or kafka://HOST:PORT",
        ),
        "commits": InputFacts(
            "the commits", "audit the offsets topic: log segments, or kafka://HOST:PORT"
        ),
        "topics": InputFacts(
            "the partition counts of topics",
            'audit kafka://HOST:PORT, or give --topics @FILE with {"orders": 12}',
        ),
        "ends": InputFacts(
            "where partitions end",
            "audit kafka://HOST:PORT, or give --topics @FILE with "
            '{"orders": {"partitions": 12, "ends": {"0": 99}}}',
        ),
        "targets": InputFacts(
            "the coordinator's own records of groups that it assigns",
            "audit the offsets topic: log segments, or kafka://HOST:PORT; no frame has them",
        ),
        "logs": InputFacts(
            "the logs of brokers and clients", "name them as sources, beside the records or alone"
        ),
        "settings": InputFacts(
            "the settings of clients",
            "--settings FILE: a log in which a client printed them, key=value lines, or JSON",
        ),
        "states": InputFacts(
            "the broker's own account of its groups",
            "audit kafka://HOST:PORT, with --for 400s to see for how long a group rebalances",
        ),
    }
)


def how_to_give(not_evaluated: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return how each input is given that rules lacked; an input that a right is missing for says
    so behind its name ("ends: DESCRIBE on …"), or where it is missing ("ends in east")."""
    names = {
        text.partition(":")[0].partition(" in ")[0] for texts in not_evaluated for text in texts
    }
    return {name: facts.how for name, facts in INPUT_FACTS.items() if name in names}


def lines_of_skipped_rules(not_evaluated: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield a line for all rules that were skipped for the same reason, with how to give it."""
    by_inputs: dict[tuple[str, ...], list[str]] = {}
    for rule, inputs in not_evaluated.items():
        by_inputs.setdefault(tuple(inputs), []).append(rule)
    for names, rules in by_inputs.items():
        whats = [INPUT_FACTS[name].what if name in INPUT_FACTS else name for name in names]
        hows = how_to_give([[name for name in names if ":" not in name]]).values()
        how = f" ({'; '.join(hows)})" if hows else ""
        yield f"{', '.join(rules)}: needs {'; '.join(whats)}{how}"
