"""What the own records of a group tell: the audit of one group, without Arrow.

`kproto group` gives it the newest records of the group's partition of the offsets topic, and what
the broker says of the group. The rules are those of the audit that a single look cannot answer; of
a group that is rebalancing, whose members' bytes a broker withholds, all of them. Of what begins
before the records, or needs all groups, nothing is told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace as replaced
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from msgspec.structs import asdict, replace

from ..capture.segments.offsets_topic import RecordType, decode_record, record_types
from ..capture.segments.records import LAST_TIME, Record
from ..cluster.recent_records import RecentRecords, group_of, records_of
from ..cluster.redaction import redacted_problem
from ..codec import Decoded, DecodeError
from ..history.finding_sentences import clock_time, duration_text, finding_sentences
from ..inspector.diagnose.levels import LEVELS
from ..inspector.nested_bytes import field_of_message, open_payload, payloads
from ..inspector.shapes.checks import AuditFinding
from ..inspector.shapes.group_shapes import (
    Committed,
    Group,
    GroupHistory,
    Listed,
    Listing,
)
from ..inspector.shapes.shape import iso_time
from ..inspector.views.redaction import Redaction
from ..inspector.views.stand_ins import NamesToHide, hidden_evidence
from ..rebalance.judgements import ONLY_IN_HISTORY
from ..wording import counted, some_of
from .audit import (
    RULES,
    Basis,
    Context,
    DeletedCommit,
    Finding,
    GroupEnd,
    GroupFold,
    MemberSeen,
    Severity,
    Sign,
)
from .audit.classic_record import Place, Step
from .audit.commit_sum import LIMITS, CommitSum, commit_seen, deleted_commit
from .audit.findings import evidence_shape
from .audit.group_end import CommitSeen, Refused
from .audit.group_state import CLASSIC, ENDING, LATER, GroupState
from .audit.members import who
from .audit.modern import kind_of
from .audit.rule import end_findings, fade, new_finding
from .audit.rules import END_RULES, STEP_RULES
from .audit.storm_causes import with_commits

__all__ = [
    "GroupTrail",
    "RecordedMembers",
    "names_to_hide",
    "recorded_groups",
    "recorded_members",
    "redacted_history",
    "with_histories",
    "with_history",
]

_COMMITS = (0, 1)
_REBALANCING = frozenset({"PreparingRebalance", "CompletingRebalance"})
_LEVELS = MappingProxyType(
    {"critical": "error", "error": "error", "warning": "warning", "info": "note"}
)
_MOST_TIMES = 1_000
_NAMED = 3  # members in one sentence
_AWAY_MS = 3_600_000  # for so long a member that left may come back
_UNREST = frozenset({"rebalance-storm", "flapping-member", "slow-poll", "static-ping-pong"})
"""Rules that find members that come and go."""


class GroupTrail:
    """The records of one group, in the order of the log."""

    def __init__(
        self, group_id: str, cluster_id: str = "unknown", counts: Mapping[str, int] | None = None
    ) -> None:
        """`counts` are the partitions of topics, as far as they are known."""
        self.group_id = group_id
        self.cluster_id = cluster_id
        self.state = GroupState()
        self.records = 0
        self.latest = -1
        """The time of the latest record, in milliseconds since 1970."""
        self.last_rebalance: int | None = None
        self.founded: int | None = None
        """When the group began, where its records tell; times are in milliseconds since 1970."""
        self._rebalanced: deque[int] = deque(maxlen=_MOST_TIMES)
        self._present: frozenset[str] = frozenset()
        self._left: dict[str, int] = {}
        """When each member left that has not come back, in milliseconds since 1970."""
        self._counts = counts
        self._commits: dict[tuple[str, int], CommitSum] = {}

    def take(self, record: Record) -> None:
        """Take the next record of the group."""
        assert record.key is not None
        kind = record_types().get(int.from_bytes(record.key[:2], "big", signed=True))
        if kind is None:
            return
        time = record.timestamp if record.timestamp is not None else -1
        time = time if time <= LAST_TIME else -1
        place = Place(record.source, record.partition or 0, record.offset, time)
        self.records += 1
        self.latest = max(self.latest, time)
        try:
            self._take(kind, place, record)
        except DecodeError as error:
            self._refuse(kind, place, record, error)

    def _take(self, kind: RecordType, place: Place, record: Record) -> None:
        assert record.key is not None
        state = self.state
        if kind.number in _COMMITS:
            self._commit(kind, place, record)
            return
        if kind.number == CLASSIC:
            fold = state.fold = state.fold or self._fold()
            is_rebalance = state.observe_classic(fold, place, record.value) is not None
            if record.value is not None and fold.last is not None:
                self._note(place.timestamp, fold.last.generation, is_rebalance=is_rebalance)
                self._note_members(fold.last)
        elif (group_kind := kind_of(kind.key.NAME)) is not None:
            modern = state.broker_assigned_fold(self.group_id, group_kind, self._fold())
            state.observe_broker_assigned(modern, kind, place, record.key, record.value)
            if kind.number in ENDING and record.value is not None:
                epoch = modern.state.epoch
                number = epoch.value.epoch if epoch is not None else 0
                self._note(place.timestamp, number, is_rebalance=True)
        state.last = place

    def _note(self, time: int, generation: int, *, is_rebalance: bool) -> None:
        if generation <= 1 and self.founded is None and self.last_rebalance is None:
            self.founded = time
        if is_rebalance:
            self.last_rebalance = time
            self._rebalanced.append(time)

    def _note_members(self, step: Step) -> None:
        names = _names_of(step.members)
        for name in names:
            self._left.pop(name, None)
        self._left |= dict.fromkeys(self._present - names, step.place.timestamp)
        self._present = names

    def away(self, moment: int) -> dict[str, int]:
        """Return who left within an hour before a moment and has not come back, with the time, of a
        group that somebody is in."""
        left = sorted(self._left.items()) if self._present else ()
        return {name: time for name, time in left if time >= moment - _AWAY_MS}

    def undecided(self, moment: int) -> tuple[str, ...]:
        """Return what the time that was seen until a moment is too short for, and what tells it."""
        seen = moment - self.founded if self.founded is not None else LATER
        storm, stopped, slow = (
            RULES[name].thresholds for name in ("rebalance-storm", "lag-stopped", "slow-poll")
        )
        reach = int(storm["seconds"]) * 1000
        times = [time for time in self._rebalanced if time > moment - reach]
        texts = []
        if seen < reach or len(times) > 1:
            since = duration_text((moment - min(times, default=moment)) / 1000)
            number = f"{counted(len(times), 'rebalance')} in {since}; a storm is "
            number += f"{storm['generations']:g} or more within {duration_text(storm['seconds'])}"
            number += ", beside one restart of each member"
            texts.append(f"whether it rebalances again and again ({number})")
        timeouts = _timeouts(self)
        limit = timeouts[1] / 1000 if timeouts is not None else 0
        turns = int(slow["times"])
        if limit and len(times) > 1 and moment - times[0] < turns * limit * 1000:
            stays = f"{turns} stays of {duration_text(limit)} each tell"
            texts.append(f"whether a member polls too slowly ({stays})")
        if seen < stopped["seconds"] * 1000:
            text = f"{duration_text(stopped['seconds'])} without a commit tell"
            texts.append(f"whether it still commits ({text})")
        return tuple(texts)

    def _fold(self) -> GroupFold:
        inputs = frozenset({"history"} if self._counts is None else {"history", "topics"})
        context = Context(partitions=self._counts)
        return GroupFold(self.cluster_id, self.group_id, context=context, inputs=inputs)

    def _commit(self, kind: RecordType, place: Place, record: Record) -> None:
        assert record.key is not None
        key = kind.key.from_bytes(record.key)
        offset, time = -1, place.timestamp
        if record.value is not None:
            value = kind.value.from_bytes(record.value)
            offset, time = value.offset, value.commit_timestamp  # type: ignore[attr-defined]
        commit = CommitSum.of_commit(offset, max(time, -1) * 1000 if time >= 0 else -1)
        place_committed = (key.topic, key.partition)  # type: ignore[attr-defined]
        earlier = self._commits.get(place_committed)
        if earlier is None:
            self._commits[place_committed] = commit
        else:
            earlier.add(commit, LIMITS)

    def _refuse(self, kind: RecordType, place: Place, record: Record, error: DecodeError) -> None:
        times = self.state.refused.times if self.state.refused is not None else 0
        self.state.refused = Refused(
            f"record's {kind.value.NAME}", str(error), place.source, place.partition, place.offset,
            place.timestamp, times + 1, record.value or b"",
        )  # fmt: skip

    def commits(self, partitions: Mapping[tuple[str, int], Committed]) -> list[CommitSeen]:
        """Return the commits of each partition. `partitions` have its ends and its start."""
        facts = self.state.facts
        return [
            commit_seen(
                topic,
                number,
                commits,
                end=row.end if row is not None else None,
                end_before=row.end_before if row is not None else None,
                start=row.start if row is not None else None,
                is_subscribed=None if facts.topics is None else topic in facts.topics,
                vacancies=facts.vacancies,
            )
            for (topic, number), commits in sorted(self._commits.items())
            if commits.first >= 0 and commits.last >= 0 and commits.committed_offset >= 0
            for row in (partitions.get((topic, number)),)
        ]

    def deleted_commits(self) -> list[DeletedCommit]:
        """Return the commits that were deleted, and that none has followed."""
        vacancies = self.state.facts.vacancies
        return [
            deleted_commit(topic, number, commits, vacancies)
            for (topic, number), commits in sorted(self._commits.items())
            if commits.last >= 0 and commits.committed_offset < 0
        ]

    def findings(self, moment: int, group: Group | None = None) -> list[Finding]:
        """Return what rules find at a moment (milliseconds since 1970), the worst first. `group`
        is the group as the broker describes it now."""
        rows = {(row.topic, row.partition): row for row in group.partitions} if group else {}
        commits = self.commits(rows)
        inputs = {"history", "commits", "targets"}
        inputs |= {"ends"} if any(commit.end is not None for commit in commits) else set()
        inputs |= {"topics"} if self._counts is not None else set()
        findings = list(with_commits(self.state.observed, commits))
        end = self.state.end(
            self.group_id,
            moment,
            commits=commits,
            committed={(commit.topic, commit.partition) for commit in commits},
            deleted=self.deleted_commits(),
            topic_ids={UUID(id_): name for name, id_ in group.topic_ids.items()} if group else {},
            counts=self._counts or {},
            topics={},
            inputs=frozenset(inputs),
            findings=findings,
        )
        if group is not None:
            end = _with_members(end, group, moment)
        findings += end_findings(self.cluster_id, end, END_RULES)
        is_rebalancing = group is not None and group.state in _REBALANCING
        if not is_rebalancing:  # else what they did may well go on: such a group writes nothing
            fade(findings, STEP_RULES, moment)
            findings = [finding for finding in findings if finding.rule in ONLY_IN_HISTORY]
        return sorted(
            findings,
            key=lambda finding: (
                finding.status != "open", -finding.severity.rank, finding.rule, finding.finding_id,
            ),
        )  # fmt: skip


def _with_members(end: GroupEnd, group: Group, moment: int) -> GroupEnd:
    """Return the group with the members that the broker describes, where no record has any: a
    group that has not rebalanced for hours has written none."""
    if end.step is not None or group.state != "Stable":
        return end
    if group.kind in ("consumer", "streams") and not end.assigned:
        owners = {
            (row.topic, row.partition): row.members[0] for row in group.partitions if row.members
        }
        return replaced(end, assigned=owners)
    if group.kind != "classic":
        return end
    members = tuple(
        MemberSeen(
            member.member_id, member.instance_id, member.client_id, f"/{member.host}", -1, -1,
            member.metadata, member.assignment,
        )
        for member in group.members
    )  # fmt: skip
    place = Place(group.coordinator, -1, -1, moment)
    step = Step(place, -1, group.protocol_type, group.protocol, None, -1, members)
    return replaced(end, step=step, members=len(members))


def with_history(group: Group, recent: RecentRecords, moment: int) -> Group:
    """Return the group with what its records tell at a moment, in milliseconds since 1970."""
    trail = _trail(recent, group.group_id, group.topics or None)
    moment = max(moment, trail.latest)
    findings = trail.findings(moment, group)
    if group.state in _REBALANCING:
        findings.insert(0, _rebalancing_now(trail, group, moment))
    history = GroupHistory(
        since=recent.since / 1000,
        until=moment / 1000,
        whole=recent.is_whole,
        read_bytes=recent.size,
        records=trail.records,
        rebalances=trail.state.rebalances,
        last_rebalance=trail.last_rebalance and trail.last_rebalance / 1000,
        findings=tuple(_shape(finding, moment) for finding in findings),
        problem=recent.problem,
        undecided=() if recent.problem else trail.undecided(moment),
    )
    return replace(group, history=history, in_history="")


class RecordedMembers(NamedTuple):
    """What the records of a group tell of its members. `unrest` says that they come and go, and
    what to do first, "" where they do not: what is planned with those of one moment holds for that
    moment. `timeouts` are the longest session and rebalance timeout in a classic group's latest
    record with members, in milliseconds; None where there is none. `away` are those that left
    within the last hour and have not come back, with the time, in milliseconds since 1970."""

    unrest: str
    timeouts: tuple[int, int] | None
    away: Mapping[str, int] = MappingProxyType({})

    def beside(self, present: Iterable[_Named]) -> RecordedMembers:
        """Return the same without those who are away and among these members."""
        names = _names_of(present)
        return self._replace(
            away={name: time for name, time in self.away.items() if name not in names}
        )


class _Named(Protocol):
    """A member of a step, of a group that is described, or of one that is to be migrated."""

    @property
    def client_id(self) -> str: ...

    @property
    def instance_id(self) -> str | None: ...


def _names_of(members: Iterable[_Named]) -> frozenset[str]:
    """Return by what each member is known again after a restart."""
    return frozenset(member.instance_id or member.client_id for member in members)


def recorded_members(group: Group, recent: RecentRecords, moment: int) -> RecordedMembers:
    """Return what the records of a group tell of its members at a moment, in milliseconds since
    1970."""
    trail = _trail(recent, group.group_id, group.topics or None)
    return _recorded(trail, max(moment, trail.latest), group).beside(group.members)


def _recorded(trail: GroupTrail, moment: int, group: Group | None = None) -> RecordedMembers:
    unrest = _unrest(trail.findings(moment, group))
    return RecordedMembers(unrest, _timeouts(trail), trail.away(moment))


def _unrest(findings: Iterable[Finding]) -> str:
    found = next(
        (finding for finding in findings if finding.rule in _UNREST and finding.status == "open"),
        None,
    )
    if found is None:
        return ""
    sentences = finding_sentences(found.explanation, found.cause, found.certainty)
    return (
        f"{found.rule}: {sentences.event}. Members come and go: all this is about those of the "
        f"moment, and leaves the cause as it is. First: {found.next_action}"
    )


def _timeouts(trail: GroupTrail) -> tuple[int, int] | None:
    fold = trail.state.fold
    members = fold.last.members if fold is not None and fold.last is not None else ()
    session = max((member.session_timeout for member in members), default=0)
    rebalance = max((member.rebalance_timeout for member in members), default=0)
    return (session, rebalance) if session > 0 and rebalance > 0 else None


def _rebalancing_now(trail: GroupTrail, group: Group, moment: int) -> Finding:
    """Return what is known of the rebalance that goes on: the broker's word, and the group's last
    record, which is of the generation before."""
    step = trail.state.fold.last if trail.state.fold is not None else None
    text = f"the group is rebalancing now, the broker says {group.state}"
    evidence: dict[str, object] = {"state": group.state}
    since = moment
    if step is not None:
        commits = (commit.last for commit in trail.commits({}))
        since = min(max([step.place.timestamp, *commits]), moment)
        text += f", for {duration_text((moment - since) / 1000)} at most; " + _last_generation(
            step, group, moment
        )
        evidence |= {"since": since, "generation": step.generation}
    sign = Sign("now", text, evidence, Severity.WARNING, Basis.OBSERVED)
    return new_finding(trail.cluster_id, trail.group_id, RULES["stuck-rebalance"], sign, moment)


def _last_generation(step: Step, group: Group, moment: int) -> str:
    present = {member.member_id for member in group.members}
    departures = [
        who(member.identity) for member in step.members if member.member_id not in present
    ]
    arrivals = [member.client_id for member in group.members if member.member_id not in step.by_id]
    text = (
        f"generation {step.generation} was recorded at {clock_time(step.place.timestamp, moment)} "
        f"with {counted(len(step.members), 'member')}"
    )
    text += f"; since then came {_listed(arrivals)}" if arrivals else ""
    text += f"; gone is {_listed(departures)}" if departures else ""
    limit = max((member.rebalance_timeout for member in step.members), default=0)
    if limit > 0:
        text += f"; the coordinator waits {duration_text(limit / 1000)} at most for all to join"
    return text


def _listed(names: list[str]) -> str:
    return some_of(sorted(names), _NAMED)


def _shape(finding: Finding, moment: int) -> AuditFinding:
    values = asdict(finding)
    times = {
        "first_seen": iso_time(finding.first_seen),
        "last_seen": iso_time(finding.last_seen),
        "judged_at": iso_time(moment),
    }
    return AuditFinding(
        **{
            **values,
            **times,
            "severity": finding.severity.value,
            "basis": finding.basis.value,
            "evidence": evidence_shape(finding.evidence),
            "age_seconds": max(moment - finding.first_seen, 0) // 1000,
            "team": None,
        }
    )


def with_histories(listing: Listing, recent: Iterable[RecentRecords], moment: int) -> Listing:
    """Return the list with the worst of what the records of each group tell at a moment (in
    milliseconds since 1970), where that is no milder than what the look at the group shows."""
    rows = {row.group_id: row for row in listing.groups}
    problems = dict.fromkeys(listing.problems)
    for records in recent:
        if records.problem:
            problems[records.problem] = None
        trails = _trails(records, rows.keys())
        for name, trail in _troubled(records, trails, moment).items():
            worst = next(
                (finding for finding in trail.findings(moment) if finding.status == "open"), None
            )
            if worst is not None:
                rows[name] = _with_worst(rows[name], worst)
    return replace(listing, groups=tuple(rows.values()), problems=tuple(problems))


def recorded_groups(
    recent: Iterable[RecentRecords], names: Collection[str], moment: int
) -> dict[str, RecordedMembers]:
    """Return what the records of each of these groups tell of its members at a moment, in
    milliseconds since 1970."""
    groups: dict[str, RecordedMembers] = {}
    for records in recent:
        trails = _trails(records, names)
        trails |= _troubled(records, trails, moment)
        for name, trail in trails.items():
            groups[name] = _recorded(trail, max(moment, trail.latest))
    return groups


def _trails(recent: RecentRecords, names: Collection[str]) -> dict[str, GroupTrail]:
    """Return the trails of groups without their commits, of which there are by far the most
    records."""
    trails = GroupTrails(recent.cluster_id, names)
    for record in records_of(recent):
        trails.take(record)
    return trails.by_group


def _troubled(
    recent: RecentRecords, trails: Mapping[str, GroupTrail], moment: int
) -> dict[str, GroupTrail]:
    """Return the trails of those groups that have findings, with their commits."""
    troubled = [name for name, trail in trails.items() if trail.findings(moment)]
    return {name: _trail(recent, name) for name in troubled}


class GroupTrails:
    """The records of many groups without their commits, in the order of the log: of the groups that
    are named, or of all."""

    def __init__(self, cluster_id: str = "unknown", names: Collection[str] | None = None) -> None:
        self.by_group: dict[str, GroupTrail] = {}
        self._cluster_id = cluster_id
        self._names = names
        self._latest = -1

    def take(self, record: Record) -> None:
        """Take the next record of the topic."""
        self._latest = max(self._latest, record.timestamp or -1)
        if not record.key or int.from_bytes(record.key[:2], "big") in _COMMITS:
            return
        name = group_of(record.key)
        if self._names is not None and name not in self._names:
            return
        if name not in self.by_group:
            self.by_group[name] = GroupTrail(name, self._cluster_id)
        self.by_group[name].take(record)

    def recorded(self) -> dict[str, RecordedMembers]:
        """Return what the records of each group tell of its members at the time of the newest
        record of all."""
        return {name: _recorded(trail, self._latest) for name, trail in self.by_group.items()}


def _trail(
    recent: RecentRecords, group_id: str, counts: Mapping[str, int] | None = None
) -> GroupTrail:
    trail = GroupTrail(group_id, recent.cluster_id, counts)
    for record in records_of(recent, group_id):
        trail.take(record)
    return trail


def _with_worst(row: Listed, finding: Finding) -> Listed:
    level = _LEVELS[finding.severity.value]
    levels = (*LEVELS, "")
    if levels.index(level) > levels.index(row.worst):
        return row
    return replace(
        row,
        worst=level,
        remark=finding.explanation,
        code=finding.rule,
        cause=finding.cause,
        since=finding.first_seen / 1000,
    )


def redacted_history(group: Group, recent: RecentRecords, redaction: Redaction) -> GroupHistory:
    """Return the history of a group with stand-ins for every name that the group or one of its
    records has, and without bytes."""
    history = group.history
    assert history is not None
    hide = names_to_hide(group, redaction, recent).hiding()
    findings = tuple(
        replace(
            finding,
            group_id=redaction.name(finding.group_id or "", "group_id").strip('"'),
            cluster_id=redaction.name(finding.cluster_id, "cluster_id").strip('"'),
            explanation=hide(finding.explanation),
            next_action=hide(finding.next_action),
            evidence=hidden_evidence(finding.evidence, hide),
        )
        for finding in history.findings
    )
    problem = redacted_problem(hide(history.problem))
    return replace(history, findings=findings, problem=problem)


def names_to_hide(group: Group, redaction: Redaction, recent: RecentRecords | None) -> NamesToHide:
    """Return the names that sentences about a group may have: its own, and those in its records."""
    names = NamesToHide(redaction)
    names.add("group_id", [group.group_id])
    names.add("protocol", [group.protocol])
    names.add("topic", group.topics)
    names.add("topic", (row.topic for row in group.partitions))
    for member in group.members:
        names.add("client_id", [member.client_id])
        names.add("member_id", [member.member_id])
        names.add("instance_id", [member.instance_id])
        names.add("host", [member.host])
        names.add(
            "topic", [*member.topics, *member.owned, *member.assigned, *(member.target or ())]
        )
    names.add("host", [group.coordinator, group.coordinator.rpartition(":")[0]])
    seen: set[bytes] = set()
    for record in () if recent is None else records_of(recent, group.group_id):
        key = record.key
        assert key is not None
        is_commit = int.from_bytes(key[:2], "big") in _COMMITS
        if is_commit and key in seen:
            continue
        seen.add(key)
        # The value of a commit has numbers, and what its client wrote.
        decoded = decode_record(replace(record, value=None) if is_commit else record)
        for part in filter(None, (decoded.key, decoded.value)):
            _add_texts(names, part, seen)
    return names


def _add_texts(names: NamesToHide, decoded: Decoded[Any], seen: set[bytes]) -> None:
    """Add the texts in a message, and in the messages inside of it that were not `seen`."""
    names.add_texts(decoded)
    if decoded.message is None:
        return
    for payload in payloads(decoded.message_class.NAME, decoded.message, field_of_message):
        if payload.data not in seen:
            seen.add(payload.data)
            inner = open_payload(payload)
            if inner is not None and inner.decoded is not None:
                _add_texts(names, inner.decoded, seen)
