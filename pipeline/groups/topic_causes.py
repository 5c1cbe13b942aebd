"""What the rules of the audit find in the records of groups, as causes for the story: so the story
of a topic, `kproto group` and the audit say the same of a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ...capture.segments.records import Record
from ...cluster.recent_records import group_of
from ...history.finding_sentences import finding_sentences
from ...history.group_facts import MAX_EVIDENCE, GroupCause
from ...history.rebalances import LogRebalance
from ...history.restarts import Restart
from ...history.timeline import Line
from ...history.verdict import HARMLESS
from ..audit import Finding
from ..audit.members import Identity, who
from ..audit.storm_causes import COSTLY_RULES
from ..group_diagnosis import GroupTrail

__all__ = ["TopicCauses"]

_GROUP_METADATA = b"\x00\x02"  # what the keys of commits are below
_FEWEST = 3
"""Rebalances of a group whose commits are looked at: they decide why it rebalances again and again,
and there are by far the most of them."""
_NO_TROUBLE = (HARMLESS - {"rolling-restart"}) | {None, "unknown"}
"""Causes that are not told of a finding; members that are restarted again and again are."""


class TopicCauses:
    """Takes the records of the offsets topic, of one partition after another."""

    def __init__(self) -> None:
        self._trails: dict[str, GroupTrail] = {}
        self._ends: dict[int, int] = {}
        """The newest offset of each partition: of several copies of it, one is read."""

    def take(self, record: Record) -> None:
        """Take a record that has a key."""
        assert record.key is not None
        if record.partition is not None:
            if record.offset <= self._ends.get(record.partition, -1):
                return
            self._ends[record.partition] = record.offset
        group = group_of(record.key)
        trail = self._trails.get(group)
        if record.key[:2] < _GROUP_METADATA:
            if trail is not None and trail.state.rebalances >= _FEWEST:
                trail.take(record)
            return
        if trail is None:
            trail = self._trails[group] = GroupTrail(group)
        trail.take(record)

    def restarts(self) -> dict[str, Sequence[Restart]]:
        """Return the members that ended and came back, by group."""
        return {group: trail.state.member_restarts for group, trail in self._trails.items()}

    def of_groups(
        self,
        rebalances: Mapping[str, Sequence[LogRebalance]],
        identities: Mapping[str, Collection[Identity]],
    ) -> dict[str, tuple[GroupCause, ...]]:
        """Return the causes for each group as of the newest record, the worst first; of one cause
        the worst finding. `rebalances` have the lines that are its evidence, `identities` the
        members that its sentences may name."""
        moment = max((trail.latest for trail in self._trails.values()), default=-1)
        causes = {}
        for group, trail in self._trails.items():
            findings: dict[str, Finding] = {}
            for finding in trail.findings(moment):
                if finding.rule in COSTLY_RULES and finding.cause not in _NO_TROUBLE:
                    findings.setdefault(str(finding.cause), finding)
            lines = rebalances.get(group, ())
            members = identities.get(group, ())
            causes[group] = tuple(_cause(one, lines, members) for one in findings.values())
        return causes


def _cause(
    finding: Finding, rebalances: Sequence[LogRebalance], identities: Collection[Identity]
) -> GroupCause:
    assert finding.cause is not None
    event, why, _, costs = finding_sentences(
        finding.explanation, finding.cause, finding.certainty
    )  # fmt: skip
    parts = (f"{part[0].upper()}{part[1:]}." for part in (why, costs) if part)
    summary = " ".join([f"{event}.", *parts])
    hosts = Counter(identity.client_id for identity in identities)
    for identity in identities:
        if hosts[identity.client_id] == 1:
            summary = summary.replace(who(identity), identity.client_id)
    return GroupCause(
        finding.cause, finding.certainty == "certain", tuple(finding.rivals), summary,
        finding.next_action, tuple(_lines(finding, rebalances))[:MAX_EVIDENCE],
        (finding.first_seen, finding.last_seen),
    )  # fmt: skip


def _lines(finding: Finding, rebalances: Sequence[LogRebalance]) -> Iterator[Line]:
    """Yield the records of the rebalances between a finding's first and last sight."""
    for rebalance in rebalances:
        ended = rebalance.ended
        if ended is not None and finding.first_seen <= ended <= finding.last_seen:
            yield from dict.fromkeys(line for cause in rebalance.causes for line in cause.evidence)
