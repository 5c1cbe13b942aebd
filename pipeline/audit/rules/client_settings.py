"""Clients' settings, judged by what the history of their group has: `rebalance.client_settings`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import msgspec

from ....rebalance.client_settings import RULES as SETTING_RULES
from ....rebalance.client_settings import judge_settings
from ....rebalance.frameworks import CONNECT
from ....rebalance.observed import Happening, MemberTimeouts, Observed
from ..findings import Basis, Finding, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule
from . import lag, offsets

_WORDS = {
    "slow-poll": "poll-timeout-exceeded",
    "static-ping-pong": "instance-id-used-twice",
    "offset-out-of-range": "out-of-range",
    "offset-rewound": "rewound",
    "never-committed": "no-commit",
    "lag-stalled": "stalled",
    "lag-stopped": "stalled",
}
"""What has happened where a rule finds something; else it is the cause of the finding."""
_OF_COMMITS = {
    rule.id: rule
    for rule in (*offsets.RULES, *offsets.END_RULES, *lag.RULES)
    if rule.id in _WORDS or rule.id == "offset-deleted"
}
_LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFO}
_REGULAR_COMMITS = 10
_UNEVEN = 5
"""By how many times the longest time between two commits may exceed the average, where that says
how often a client commits: a group that was stopped meanwhile commits seldom on average."""


def _observed(end: GroupEnd) -> Observed:
    """Return what the group's records and commits tell of what happened."""
    happenings: dict[str, Happening] = {}
    for finding in end.findings:
        word = _WORDS.get(finding.rule) or finding.cause or ""
        if word and word not in happenings:
            happenings[word] = _of_finding(finding)
    for rule in _OF_COMMITS.values():
        if end.inputs.issuperset(rule.inputs):
            for sign in rule.find(end, rule.thresholds):
                happening = Happening(sign.explanation, evidence=(f"the rule {rule.id}",))
                cause = sign.known_cause
                word = cause.word if cause is not None else _WORDS.get(rule.id, "")
                happenings.setdefault(word, happening)
    step = end.step
    is_classic = step is not None and step.is_consumer
    is_connect = step is not None and step.protocol_type == CONNECT
    kind = "classic" if is_classic else "connect" if is_connect else ""
    if step is None and end.modern is not None:
        kind = end.modern.kind
    intervals = [
        commit.interval_ms for commit in end.commits
        if commit.commits >= _REGULAR_COMMITS
        and commit.longest_gap_ms <= _UNEVEN * commit.interval_ms
    ]  # fmt: skip
    return Observed(
        end.group_id,
        kind,
        (step.protocol or "") if step is not None and is_classic else "",
        tuple(
            MemberTimeouts(member.client_id or "", member.session_timeout, member.rebalance_timeout)
            for member in (step.members if step is not None else ())
        ),
        happenings,
        commit_interval_ms=median(intervals) if intervals else 0.0,
    )


def _of_finding(finding: Finding) -> Happening:
    client, sign, _ = str(finding.evidence.get("who", "")).rpartition("/")
    return Happening(
        finding.explanation.partition("; its rebalances cost")[0],
        finding.count,
        clients=frozenset({client.rstrip("/")}) if sign else frozenset(),
        evidence=(f"the finding {finding.finding_id} ({finding.rule})",),
        is_certain=finding.basis == Basis.OBSERVED and finding.certainty != "likely",
    )


def _judge(end: GroupEnd, _: Mapping[str, float]) -> Iterator[Sign]:
    if not end.client_settings:
        return
    for judgement in judge_settings(end.client_settings, _observed(end)):
        yield Sign(
            f"{judgement.code}/{judgement.setting}/{judgement.value}",
            f"{judgement.explanation}. To change: {judgement.what_to_change}",
            {
                **msgspec.structs.asdict(judgement),
                "evidence": list(judgement.evidence),
                "since": end.now,
            },
            _LEVELS[judgement.level],
            Basis.OBSERVED if judgement.certainty == "certain" else Basis.INFERRED,
        )


RULES: tuple[EndRule, ...] = (
    EndRule(
        id="client-setting",
        title="A setting of a client does not fit what happened",
        severity=Severity.WARNING,
        basis=Basis.OBSERVED,
        meaning=(
            "A client runs with a setting that has to do with the group's trouble, or that its "
            "constructor or the coordinator refuses."
        ),
        source="the settings of each client and release: clients/settings.toml",
        predicate=(
            "With --settings, for a group that the settings name: "
            + "; ".join(f"{rule.title} ({', '.join(rule.settings)})" for rule in SETTING_RULES)
            + ". An error, a warning or info, by what follows."
        ),
        next_action="Change the setting as the finding says, in all processes of the group.",
        find=_judge,
        inputs=("settings",),
    ),
)
