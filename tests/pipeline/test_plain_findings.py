"""What every finding keeps to, whichever rule makes it: evidence in plain values, guesses called
guesses, right plurals; and a rule that was not asked says how to have it asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kproto.history.causes import CAUSES
from kproto.inspector.shapes.shape import json_text
from kproto.pipeline.audit import RULES, Basis, EndRule, Finding, FleetRule, GroupFold, end_findings
from kproto.pipeline.audit.findings import evidence_shape
from kproto.pipeline.audit.inputs import INPUT_FACTS, how_to_give
from kproto.pipeline.audit.window import Context
from kproto.pipeline.groups.options import INPUTS
from kproto.pipeline.report.evidence_texts import evidence_texts
from kproto.tools.main import main

from .test_audit_rules import CASES, END_CASES

ROOT = Path(__file__).parents[2]
WRONG_PLURAL = re.compile(
    r"(?<![\d.,-])1 (?:groups|members|partitions|records|times|topics|generations|clusters|"
    r"commits|stays|rebalances|instance ids)\b"
)
MOMENT_MS = 1_000_000_000_000  # September 2001: no count of anything in a test is so high


def findings() -> Iterator[Finding]:
    """What all rules find in the cases of their tests."""
    for case in CASES:
        fold = GroupFold("test", "g", context=Context(partitions=case.partitions))
        for step in case.steps:
            fold.observe(step)
        yield from fold.findings()
    rules = [rule for rule in RULES.values() if isinstance(rule, EndRule)]
    for _, _, end, _ in END_CASES:
        yield from end_findings("test", end, rules)


FINDINGS = list(findings())


def values(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    match value:
        case dict():
            for key, item in value.items():
                yield from values(item, key)
        case list() | tuple():
            for item in value:
                yield from values(item, name)
        case _:
            yield name, value


def test_every_rule_finds_something_here() -> None:
    found = {finding.rule for finding in FINDINGS}
    asked = {rule.id for rule in RULES.values() if not isinstance(rule, FleetRule)}
    assert found == asked


def test_evidence_is_plain() -> None:
    """No JSON inside JSON, and no time that is a number."""
    for finding in FINDINGS:
        assert finding.evidence, finding.rule
        for name, value in values(evidence_shape(finding.evidence)):
            assert not (isinstance(value, str) and value[:1] in "{["), (finding.rule, name, value)
            assert not (isinstance(value, int) and value > MOMENT_MS), (finding.rule, name, value)


def test_evidence_is_readable_on_the_page() -> None:
    for finding in FINDINGS:
        for name, text in evidence_texts(finding.evidence).items():
            assert not name.endswith((" ms", " s")), (finding.rule, name)
            assert text[:1] not in "{[", (finding.rule, name, text)


def test_guesses_are_called_guesses() -> None:
    for finding in FINDINGS:
        is_guess = finding.basis is Basis.INFERRED
        assert ("probably " in finding.explanation) >= is_guess, finding.explanation
        if finding.certainty == "likely":
            assert finding.cause == "unknown" or "probable cause" in finding.explanation
            assert finding.rivals or finding.cause == "unknown" or "may_also_be" in finding.evidence


def test_causes_are_those_of_the_closed_set() -> None:
    assert {finding.cause for finding in FINDINGS} - {None} <= CAUSES.keys()


def test_every_finding_says_what_to_do_first() -> None:
    assert all(finding.next_action for finding in FINDINGS)


def test_plurals_are_right() -> None:
    for finding in FINDINGS:
        assert not WRONG_PLURAL.search(finding.explanation), finding.explanation


def test_nothing_lasts_for_zero_seconds() -> None:
    for finding in FINDINGS:
        assert not re.search(r"for 0 s\b", finding.explanation), finding.explanation


def test_each_input_says_how_it_is_given() -> None:
    assert INPUT_FACTS.keys() == INPUTS
    assert how_to_give([["states"], ["ends: DESCRIBE on the topics t", "topics in east"]]) == {
        name: INPUT_FACTS[name].how for name in ("topics", "ends", "states")
    }


def test_a_rule_that_was_not_asked_says_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = str(ROOT / "tests" / "vectors" / "reports" / "k21117.jsonl")
    main(["audit", source, "--out", str(tmp_path / "out")])
    text = " ".join(capsys.readouterr().out.split())
    assert "lag-falling-behind" in text and "--topics @FILE with" in text
    assert "1 group of consumers uses the classic protocol" in text
    written = json.loads((tmp_path / "out" / "findings.json").read_text())
    assert written["howToGive"].keys() == {"ends", "settings", "states", "topics"}
    assert "kafka://HOST:PORT" in written["howToGive"]["states"]
    assert json_text(written)


def test_what_is_of_severity_info_is_not_broken(tmp_path: Path) -> None:
    source = str(ROOT / "tests" / "vectors" / "captures" / "three-clients.pcap")
    main(["audit", source, "--out", str(tmp_path / "out")])
    page = (tmp_path / "out" / "report.html").read_text()
    broken = page.partition("<h2>Broken then")[2].partition("<h2>")[0].partition("Remarks")[0]
    assert "badge info" not in broken


@pytest.mark.parametrize("command", [
    ["audit", "SOURCE/captures/offsets-topic", "--out", "OUT", "--group", "franz.coup"],
    ["decode", "SOURCE/captures/three-clients.pcap", "--group", "live.rang"],
    ["migrate", "SOURCE/reports/mixed.save", "--group", "mxied"],
    ["group", "mxied", "--from", "SOURCE/reports/mixed.save"],
])  # fmt: skip
def test_a_group_that_is_not_there_is_an_error_with_near_names(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = str(ROOT / "tests" / "vectors"), str(tmp_path / "out")
    words = [word.replace("SOURCE", source).replace("OUT", out) for word in command]
    assert main(words) == 2
    assert re.search(
        r"no (classic )?group '.*'; did you mean '(franz|live|mixed)", capsys.readouterr().err
    )
