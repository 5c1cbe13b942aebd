"""How a finding of one run differs from the same finding of a later one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.pipeline.audit.changes import change_of, changes_since

SEVERITIES = ("info", "warning", "error", "critical")


@given(st.sampled_from(SEVERITIES), st.sampled_from(SEVERITIES), st.sampled_from(["open", "over"]))
def test_a_finding_is_worse_where_its_severity_has_risen(
    earlier: str, now: str, status: str
) -> None:
    change = change_of(_row(earlier, status), _row(now, status))
    assert change == ("worse" if SEVERITIES.index(now) > SEVERITIES.index(earlier) else None)


@pytest.mark.parametrize(("status", "change"), [("over", "over"), ("open", "again")])
@pytest.mark.parametrize("now", SEVERITIES)
def test_a_finding_that_ends_or_is_open_again(status: str, change: str, now: str) -> None:
    other = "open" if status == "over" else "over"
    assert change_of(_row("warning", other), _row(now, status)) == change


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_what_was_not_known_is_new_and_what_is_not_found_is_gone(
    known: set[int], found: set[int], wanted: set[int]
) -> None:
    baseline = {str(number): _row("error", "open", number) for number in known}
    rows = [_row("error", "open", number) for number in found]
    changes = changes_since(baseline, rows, lambda row: int(row["finding_id"]) in wanted)
    assert changes.words == {
        str(number): "persisting" if number in known else "new" for number in found
    }
    assert {int(row["finding_id"]) for row in changes.gone} == (known - found) & wanted
    assert changes.counts == {
        "new": len(found - known),
        "persisting": len(found & known),
        "gone": len((known - found) & wanted),
    }


def _row(severity: str, status: str, number: int = 0) -> dict[str, str]:
    return {"finding_id": str(number), "severity": severity, "status": status}
