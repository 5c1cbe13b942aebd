"""Rules are data: a user chooses, tunes and adds them, and everything follows."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kproto.pipeline.audit import (
    RULES,
    AnyRule,
    Basis,
    EndRule,
    Fleet,
    FleetRule,
    GroupEnd,
    Rule,
    Severity,
    Sign,
    Window,
)
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.report.exports import as_sarif
from kproto.pipeline.report.page import page_of
from kproto.pipeline.run import Audit, Options, run_audit
from kproto.pipeline.run.audit import Runner
from kproto.pipeline.run.in_process import in_process
from kproto.pipeline.run.units import units_of
from kproto.pipeline.sources.units import Unit
from kproto.pipeline.streaming.position import Position
from kproto.pipeline.streaming.published import FollowedBatch, Published
from kproto.pipeline.tables.publishing import Destination

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "audit.md"
SOURCE = Path(__file__).parents[1] / "vectors" / "captures" / "offsets-topic"

WORDS: dict[str, Any] = {
    "title": "A client that we do not want",
    "basis": Basis.OBSERVED,
    "meaning": "Nobody looks after it.",
    "source": "our own list of clients",
    "predicate": "A client id begins so.",
    "next_action": "Ask its team.",
}


def _unwanted(window: Window, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    for one in window.step.members:
        if (
            one.client_id.startswith("kafka-go")
            and len(window.step.members) > thresholds["members"]
        ):
            yield Sign(one.client_id, f"{one.client_id} is here", {"client_id": one.client_id})


def _small(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    if end.group_id == "java.static":
        yield Sign("", "it is this one", {})


def _many(fleet: Fleet, _: Mapping[str, float]) -> Iterator[Sign]:
    yield Sign("", f"{fleet.current.num_rows} groups", {})


OURS: tuple[AnyRule, ...] = (
    Rule(id="unwanted", severity=Severity.CRITICAL, find=_unwanted,
         thresholds={"members": 1}, **WORDS),
    EndRule(id="static", severity=Severity.WARNING, find=_small, **WORDS),
    FleetRule(id="many", severity=Severity.INFO, find=_many, **WORDS),
)  # fmt: skip


def audit(out: Path, *rules: AnyRule, runner: Runner = in_process) -> Audit:
    destination = Destination.new(str(out), replace=False)
    return run_audit(units_of(str(SOURCE)), destination, Options(rules=rules), runner)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Audit, Path]:
    out = tmp_path_factory.mktemp("own") / "out"
    return audit(out, *OURS), out


def rules_of(done: Audit) -> set[str]:
    return set(done.findings.column("rule").to_pylist())


def test_only_what_is_chosen_is_asked(done: tuple[Audit, Path]) -> None:
    assert rules_of(done[0]) == {"unwanted", "static", "many"}
    assert not done[0].not_evaluated


def test_what_is_added_is_known_everywhere(done: tuple[Audit, Path]) -> None:
    (run,) = json.loads(as_sarif(done[0]))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["unwanted", "static", "many"]
    assert all("ruleIndex" in result for result in run["results"])
    page = page_of(str(done[1]), done[0], {})
    assert "A client that we do not want" in page
    assert "Next: Ask its team." in page
    assert done[0].current.to_pylist()[0]["severity"] == "critical"


def test_what_executors_are_sent_asks_it_too(done: tuple[Audit, Path], tmp_path: Path) -> None:
    cloudpickle = pytest.importorskip("pyspark.cloudpickle")  # what Spark sends with functions

    def sent(units: Sequence[Unit], destination: Destination, options: Options) -> Any:
        return in_process(units, destination, pickle.loads(cloudpickle.dumps(options)))  # noqa: S301

    spread = audit(tmp_path / "out", *OURS, runner=sent)
    assert spread.findings.equals(done[0].findings)


def test_what_is_tuned_says_something_else(done: tuple[Audit, Path], tmp_path: Path) -> None:
    tuned = audit(tmp_path / "out", OURS[0].tuned(members=50))
    assert not tuned.findings.num_rows
    with pytest.raises(ValueError, match=r"unwanted has no threshold member$"):
        OURS[0].tuned(member=3)


def test_what_is_switched_off_says_nothing(tmp_path: Path) -> None:
    less = [rule for rule in RULES.values() if rule.id != "unreadable-member"]
    found = audit(tmp_path / "out", *less)
    assert "unreadable-member" not in rules_of(found)
    assert "old-protocol" in rules_of(found)


# -- what a rule needs


def _committed(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    if any(one.end == 9 for one in end.commits):
        yield Sign("", "commits, and an end", {})


def test_ends_are_there_where_topics_have_them(tmp_path: Path) -> None:
    needs = ("history", "commits", "ends")
    rule = EndRule(id="e", severity=Severity.INFO, find=_committed, inputs=needs, **WORDS)
    for name, facts in (
        ("without", TopicFacts(partitions=12)),
        ("with", TopicFacts(partitions=12, ends={0: 9})),
    ):
        options = Options(rules=(rule,), topics={"orders": facts})
        destination = Destination.new(str(tmp_path / name), replace=False)
        found = run_audit(units_of(str(SOURCE)), destination, options)
        assert found.not_evaluated == ({} if facts.ends else {"e": ["ends"]})
        assert bool(found.findings.num_rows) == bool(facts.ends)


def test_a_rule_about_all_is_not_asked_without_its_inputs(tmp_path: Path) -> None:
    rule = FleetRule(id="many", severity=Severity.INFO, find=_many, inputs=("states",), **WORDS)
    options = Options(rules=(rule,))
    found = audit(tmp_path / "out", rule)
    assert (found.findings.num_rows, found.not_evaluated) == (0, {"many": ["states"]})
    followed = Published(str(tmp_path / "followed"), "broker:1", options)
    followed.publish(FollowedBatch(0, {"current": found.current}, Counts(), Position(next={})), 0)
    assert followed.audit.findings.num_rows == 0
    assert followed.audit.not_evaluated == {"many": ["states"]}


def test_rules_that_cannot_be_asked_are_refused() -> None:
    odd = FleetRule(id="odd", severity=Severity.INFO, find=_many, inputs=("weather",), **WORDS)
    with pytest.raises(ValueError, match="odd needs weather, which is no input"):
        Options(rules=(odd,))
    with pytest.raises(ValueError, match="two rules have the id unwanted"):
        Options(rules=(OURS[0], OURS[1], OURS[0].tuned(members=3)))


def test_the_documented_audit_has_its_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(shown.replace("/var/lib/kafka", str(SOURCE)), {})  # noqa: S102  # our own page
    there = {path.name for path in (tmp_path / "audit").iterdir() if path.is_file()}
    reports = {"report.html", "findings.json", "findings.sarif", "metrics.txt"}
    assert there == {*reports, "manifest.json"}
