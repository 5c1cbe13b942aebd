"""How often the audit's rules are right: on groups with their troubles, and on healthy ones.

    python -m tests.benchmarks.bench_rules [--troubles 300] [--healthy 3000] [--more 30]
        [--jobs CORES] [--out FILE] [--check]

The groups are those of `tests.pipeline.drawn_troubles`. `--out` writes the page of the figures;
`--check` fails where a rule finds less than 0.99 of its troubles, a healthy group has a finding of
a warning or worse, or more of something turns a finding into silence. Which groups are drawn does
not depend on the number of jobs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path

from kproto.pipeline.audit import Severity
from tests.pipeline.drawn_groups import seeded
from tests.pipeline.drawn_troubles import RELATIONS, TROUBLES, healthy, is_found, is_silenced

LEAST = 0.99
_CHUNK = 100
"""Healthy groups that one process draws at a time."""
_PAGE = """# How often rules are right

Measured by `make rules`, which is `python -m tests.benchmarks.bench_rules --check --out
docs/reference/rules-measured.md`, on groups that are drawn at random: 2 to 500 members, 1 to 10,000
partitions, a commit every 0.1 s to every hour, minutes to weeks, 10² to 10⁶ records; some of them
compacted as a broker does it, or torn by a restart of all processes. The groups are written from
what [the rules](audit-rules.md) promise, not from their code: `tests/pipeline/drawn_troubles.py`. A
trouble counts as found where the rule reports it at the severity that its page promises.

| rule | troubles | found | recall | false alarms in {healthy:,} healthy groups | silenced |
|---|---|---|---|---|---|
{rows}

A false alarm is a warning or worse. None in 3,000 groups means less than one in 1,000, with 95 %
confidence. Silenced: how many of {more} troubles were not found any more once there were twice the
members, a history twice as long, twice the rate of records (or of events, where the rule has no
limit in seconds), or another group beside it. `unassigned` stands for `unassigned-partition` and
`unassigned-for-long`. Not drawn are `unreadable-record`, which has no size, and the rules about all
groups together.
"""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--troubles", type=int, default=300)
    parser.add_argument("--healthy", type=int, default=3000)
    parser.add_argument("--more", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    with ProcessPoolExecutor(options.jobs) as processes:
        return _measure(options, processes)


def _measure(options: argparse.Namespace, processes: Executor) -> int:
    chunks = [
        range(start, min(start + _CHUNK, options.healthy))
        for start in range(0, options.healthy, _CHUNK)
    ]
    alarms_of_chunks = processes.map(partial(false_alarms, options.seed), chunks)
    troubles = processes.map(
        partial(missed_troubles, seed=options.seed, count=options.troubles), TROUBLES
    )
    more = processes.map(
        partial(silenced_troubles, seed=options.seed, count=options.more), TROUBLES
    )
    alarms = sum(alarms_of_chunks, Counter())
    missed_by_rule = dict(zip(TROUBLES, troubles, strict=True))
    silenced_by_rule = dict(zip(TROUBLES, more, strict=True))
    rows, worst, silent = [], 1.0, 0
    for rule in [*TROUBLES, *sorted(alarms.keys() - TROUBLES.keys())]:
        missed = missed_by_rule.get(rule, [])
        count = options.troubles if rule in TROUBLES else 0
        recall = 1 - len(missed) / count if count else None
        worst = min(worst, 1.0 if recall is None else recall)
        shown = "" if recall is None else f"{recall:.3f}"
        silenced = silenced_by_rule.get(rule, [])
        silent += len(silenced)
        figures = (count, count - len(missed), shown, alarms[rule], len(silenced))
        rows.append(f"| `{rule}` | {' | '.join(map(str, figures))} |")
        seeds = f" (missed: {', '.join(missed[:9])})" if missed else ""
        seeds += f" (silenced: {', '.join(silenced[:9])})" if silenced else ""
        print(rows[-1] + seeds, flush=True)
    if options.out is not None:
        page = _PAGE.format(rows="\n".join(rows), healthy=options.healthy, more=options.more)
        options.out.write_text(page)
    return int(options.check and (worst < LEAST or alarms.total() + silent > 0))


def missed_troubles(rule: str, seed: int, count: int) -> list[str]:
    """Return the seeds of the troubles that a rule does not find."""
    draw, severity = TROUBLES[rule]
    seeds = (f"{seed}.{number}" for number in range(count))
    return [each for each in seeds if not is_found(rule, draw(seeded(each)), severity)]


def silenced_troubles(rule: str, seed: int, count: int) -> list[str]:
    """Return the relations and the seeds under which more of something silences a rule."""
    relations = [name for name, others in RELATIONS.items() if rule not in others]
    return [
        f"{relation} {seed}.{number}"
        for relation in relations
        for number in range(count)
        if is_silenced(rule, relation, TROUBLES[rule][0](seeded(f"{seed}.{number}")))
    ]


def false_alarms(seed: int, numbers: range) -> Counter[str]:
    """Return how often each rule warns of healthy groups."""
    alarms: Counter[str] = Counter()
    for number in numbers:
        findings = healthy(seeded(f"{seed}.{number}")).findings()
        loud = [rule for rule, each in findings.items() if each.severity is not Severity.INFO]
        alarms.update(loud)
        if loud:
            print(f"false alarm in {seed}.{number}: {', '.join(loud)}", flush=True)
    return alarms


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
