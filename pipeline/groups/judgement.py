"""The moment at which findings are judged: what is still so, and what was.

A group's last record may be long ago. What a record says (a claim, an assignment) holds until the
next one; what happened again and again (a storm) is over once it has not happened for a while,
though nothing was written since that says so.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from ..audit import Finding, Rule
from .options import Options

__all__ = ["fade", "judged"]

_SECOND_US = 1_000_000


def judged(findings: pa.Table, options: Options, moment: int) -> pa.Table:
    """Return rows of `findings` with status and age as they are at the moment `now` (milliseconds
    since 1970; -1 where no record has a time).
    """
    time = pa.scalar(max(moment, 0) * 1000, pa.timestamp("us", tz="UTC"))
    silent = _seconds(pc.subtract(time, findings.column("last_seen")))
    rebalancing = pc.is_in(findings.column("group_id"), value_set=_rebalancing(options))
    over = pc.equal(findings.column("status"), "over")
    for rule, lasts in _fading(options.step_rules).items():
        past = pc.and_(pc.equal(findings.column("rule"), rule), pc.greater(silent, lasts))
        over = pc.or_(over, pc.and_(past, pc.invert(rebalancing)))
    age = pc.max_element_wise(_seconds(pc.subtract(time, findings.column("first_seen"))), 0)
    for name, values in (
        ("status", pc.if_else(over, "over", "open")),
        ("judged_at", pa.repeat(time, findings.num_rows)),
        ("age_seconds", age),
    ):
        place = findings.schema.get_field_index(name)
        findings = findings.set_column(place, findings.schema.field(name), values)
    return findings


def _fading(rules: Iterable[Rule]) -> dict[str, float]:
    """Return the seconds after which a finding of each rule is over, where nothing happens."""
    return {rule.id: rule.lasts for rule in rules if rule.lasts is not None}


def fade(findings: Iterable[Finding], rules: Iterable[Rule], moment: int) -> None:
    """Mark the findings that are over at the moment `now`, in milliseconds since 1970."""
    lasts = _fading(rules)
    for finding in findings:
        if moment - finding.last_seen > lasts.get(finding.rule, float("inf")) * 1000:
            finding.status = "over"


def _rebalancing(options: Options) -> pa.Array:
    """The groups that the broker says are rebalancing: what they did may well go on, for a group
    that never finishes writes nothing."""
    names = [
        group
        for group, state in (options.states or {}).items()
        if state.state.startswith(("preparing", "completing"))
    ]
    return pa.array(names, pa.string())


def _seconds(durations: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.divide(durations.cast(pa.int64()), _SECOND_US)
