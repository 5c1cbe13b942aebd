"""The generated fleet: every planted trouble is found, and nothing else is called one."""

from __future__ import annotations

from pathlib import Path

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.tables.publishing import Destination
from tests.benchmarks.fleet import write

# What a trouble brings with it, besides the rule that is named after it.
ALSO = {"rebalance-storm": {"flapping-member"}}


def test_every_planted_trouble_is_found_and_no_other(tmp_path: Path) -> None:
    truth = write(tmp_path / "fleet", 4)
    destination = Destination.new(str(tmp_path / "out"), replace=False)
    audit = run_audit(units_of(str(tmp_path / "fleet")), destination, Options())
    found: dict[str, set[str]] = {}
    for row in audit.findings.to_pylist():
        if row["severity"] != "info":
            found.setdefault(row["group_id"], set()).add(row["rule"])
    planted = {group: rule for rule, groups in truth.items() for group in groups}
    assert found.keys() == planted.keys()
    for group, rules in found.items():
        assert planted[group] in rules
        assert rules <= {planted[group]} | ALSO.get(planted[group], set())
