"""Which rules an audit asks, and with which thresholds: --select, --ignore, --threshold."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from msgspec.structs import replace

from ...pipeline.audit import RULES, AnyRule
from ...pipeline.audit.rules import RULES_OF_LOGS
from ...pipeline.run import Options
from ...wording import no_such
from ..output.failures import WRONG_USE, Failure

_ALL = {**RULES, **{rule.id: rule for rule in RULES_OF_LOGS}}


def with_chosen_rules(options: Options, arguments: Namespace) -> Options:
    """Return the options with the rules that are asked for, tuned. Raises Failure for a rule or a
    threshold that does not exist."""
    select, ignore = _known(arguments.select, "--select"), _known(arguments.ignore, "--ignore")
    tuned = _tuned(arguments.threshold)

    def chosen(rules: Iterable[AnyRule]) -> tuple[AnyRule, ...]:
        return tuple(
            tuned.get(rule.id, rule)
            for rule in rules
            if rule.id not in ignore and (not select or rule.id in select)
        )

    clusters = tuple(replace(cluster, rules=chosen(cluster.rules)) for cluster in options.clusters)
    return replace(options, rules=chosen(options.rules), clusters=clusters)


def not_asked(options: Options) -> set[str]:
    """Return the rules that these options leave out."""
    return _ALL.keys() - {rule.id for rule in options.rules} - {rule.id for rule in RULES_OF_LOGS}


def _known(rules: Iterable[str], option: str) -> set[str]:
    return {_rule(rule, option).id for rule in rules}


def _rule(name: str, option: str) -> AnyRule:
    if name not in _ALL:
        raise Failure(f"{option}: {no_such('rule', [name], _ALL)}", WRONG_USE)
    return _ALL[name]


def _tuned(texts: Iterable[str]) -> dict[str, AnyRule]:
    rules: dict[str, AnyRule] = {}
    for text in texts:
        place, _, value = text.partition("=")
        name, _, threshold = place.partition(".")
        rule = rules.get(name) or _rule(name, f"--threshold {text}")
        if threshold not in rule.thresholds:
            values = ", ".join(f"{one}={number:g}" for one, number in rule.thresholds.items())
            line = f"{name} has no threshold {threshold!r}; it has {values or 'none'}"
            raise Failure(f"--threshold {text}: {line}", WRONG_USE)
        try:
            rules[name] = rule.tuned(**{threshold: float(value)})
        except ValueError:
            line = f"{value!r} is no number from 0 on, as in rebalance-storm.generations=20"
            raise Failure(f"--threshold {text}: {line}", WRONG_USE) from None
    return rules
