"""Groups as outputs of tools show them: snapshots, with what can be judged of one.

A snapshot is of one moment and has what was printed, nothing else: a state that no line tells is
"", an assignment that no column has is empty. Outputs that follow each other are of one snapshot as
long as they agree; the same view again, other members, another owner or another state begin the
next one. Members' bytes are in no output, so what needs them is not asked, and said to be so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..capture.logs.event import LogEvent
from ..capture.logs.layouts import Stamp
from ..capture.tool_outputs import Output, OutputRow, ToolOutputs
from ..history.causes import CAUSES
from ..history.looks import GroupLook, events_of_looks
from ..inspector.diagnose.levels import LEVELS
from ..inspector.shapes.group_shapes import (
    Committed,
    Group,
    Kind,
    Listing,
    Member,
    Remark,
)
from ..inspector.shapes.shape import Shares
from ..inspector.views.redaction import Redaction
from ..rebalance.judgements import JUDGEMENTS, Judgement
from ..rebalance.shares import OF_SHARES
from .changes import REBALANCING
from .errors import NoSuchGroup
from .listing import listed_of
from .redaction import redacted_group

__all__ = [
    "ToolSnapshot",
    "ToolSnapshots",
    "events_of",
    "judge_snapshot",
    "redacted_snapshot",
    "snapshots_of",
]

_TABLES = ("offsets", "members", "state", "list")
_SENTENCES = ("empty", "rebalancing", "absent", "other", "told")
_TOGETHER_MS = 60_000.0
"""Outputs that are farther apart are of two snapshots."""

REBALANCING_STATE = "Rebalancing"
"""The state of a group of which a tool says that it rebalances, and not how far it is."""

_OF_TASKS = {
    "active": "assigned", "standby": "standby", "warmup": "warmup", "target_active": "target",
    "target_standby": "target_standby", "target_warmup": "target_warmup",
}  # fmt: skip
"""The fields of a member that have Streams' tasks, by the titles of these."""

_NEW_STATES = frozenset({"Assigning", "Reconciling"})
_CLASSIC_STATES = frozenset({"PreparingRebalance", "CompletingRebalance"})
_CLASSIC_ID = re.compile(r".+-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BROKERS_ID = re.compile(r"[A-Za-z0-9_/+-]{22}")
"""What the ids of members look like that clients of KIP-848 make for themselves."""


class ToolSnapshot(NamedTuple):
    """A group at one moment. `has_all_members`: there are no others. `counts` has the number of
    partitions by member id, as far as it is told. `unowned` are partitions whose owner was cut off,
    so that it is not known whether they have one. `lines` are those of the first and of the last
    row; `unasked` says what could not be judged, and why."""

    group: Group
    stamp: Stamp
    lines: tuple[int, int]
    tools: tuple[str, ...]
    has_all_members: bool = False
    has_assignments: bool = False
    has_offsets: bool = False
    has_targets: bool = False
    counts: Mapping[str, int] = MappingProxyType({})
    unowned: frozenset[tuple[str, int]] = frozenset()
    unasked: tuple[str, ...] = ()

    @property
    def is_rebalancing(self) -> bool:
        """Whether the group rebalances."""
        return self.group.state in REBALANCING or self.group.state == REBALANCING_STATE


def snapshots_of(outputs: ToolOutputs) -> tuple[ToolSnapshot, ...]:
    """Return the snapshots of all groups, in the order of their first lines, with remarks."""
    drafts: dict[str, list[_Draft]] = {}
    for unit in _units(_parts(outputs.outputs)):
        of_group = drafts.setdefault(unit[0].group, [])
        if not of_group or not all(map(of_group[-1].fits, unit)):
            of_group.append(_Draft(unit[0].group))
        for part in unit:
            of_group[-1].add(part)
    snapshots = (draft.snapshot() for of_group in drafts.values() for draft in of_group)
    return tuple(sorted(map(judge_snapshot, snapshots), key=lambda snapshot: snapshot.lines))


def events_of(snapshots: Iterable[ToolSnapshot]) -> tuple[LogEvent, ...]:
    """Return what must have happened between the snapshots of each group, in the order of lines:
    members that came and went, rebalances. `history.looks` documents the fields."""
    looks: dict[str, list[GroupLook]] = {}
    for snapshot in snapshots:
        group = snapshot.group
        tells = group.members or group.partitions or snapshot.has_all_members
        if group.state != "Dead" and (tells or snapshot.is_rebalancing):
            look = GroupLook(
                group, snapshot.stamp, snapshot.lines[0], " and ".join(snapshot.tools),
                snapshot.has_all_members, snapshot.is_rebalancing,
            )  # fmt: skip
            looks.setdefault(group.group_id, []).append(look)
    events = (event for of_group in looks.values() for event in events_of_looks(of_group))
    return tuple(sorted(events, key=lambda event: event.line))


# -- which outputs belong together


class _Part(NamedTuple):
    """What an output tells of one group; `sentences` are those that came just before a table."""

    group: str
    output: Output
    rows: tuple[OutputRow, ...]
    sentences: tuple[Output, ...] = ()

    @property
    def state(self) -> str:
        """The state that it tells, "" if none."""
        for output in (self.output, *self.sentences):
            if output.tool == "kaf" and self._is_dead(output):
                continue  # kaf says so of groups whose protocol it does not know, too
            if output.view == "rebalancing":
                return REBALANCING_STATE
            for row in self.rows if output is self.output else output.rows:
                if row.values.get("state"):
                    return str(row.values["state"])
        return ""

    @staticmethod
    def _is_dead(output: Output) -> bool:
        return output.view == "absent" or any(
            row.values.get("state") == "Dead" for row in output.rows
        )


def _parts(outputs: Iterable[Output]) -> Iterator[_Part]:
    waiting: dict[str, list[Output]] = {}
    for output in outputs:
        if output.view not in (*_TABLES, *_SENTENCES):
            continue
        for group, rows in _by_group(output):
            if output.view in _SENTENCES:
                for earlier in waiting.pop(group, ()):
                    yield _Part(group, earlier, earlier.rows)
                waiting[group] = [output]
                continue
            sentences = waiting.pop(group, [])
            if sentences and sentences[0].command != output.command:
                yield from (_Part(group, earlier, earlier.rows) for earlier in sentences)
                sentences = []
            yield _Part(group, output, rows, tuple(sentences))
    for group, left in waiting.items():
        yield from (_Part(group, output, output.rows) for output in left)


_OF_ONE_COMMAND = frozenset({"rpk", "kaf"})
"""Tools that print a group's state and its tables at once."""


def _units(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Yield the parts that are of the same moment: the state that a command prints, and its
    tables."""
    unit: list[_Part] = []
    for part in parts:
        if unit and not _continues(unit, part):
            yield unit
            unit = []
        unit.append(part)
    if unit:
        yield unit


def _continues(unit: Sequence[_Part], part: _Part) -> bool:
    first = unit[0].output
    return (
        first.view == "state"
        and first.tool in _OF_ONE_COMMAND
        and (first.tool, first.command, unit[0].group)
        == (part.output.tool, part.output.command, part.group)
        and part.output.view not in {earlier.output.view for earlier in unit}
    )


def _by_group(output: Output) -> Iterator[tuple[str, tuple[OutputRow, ...]]]:
    rows: dict[str, list[OutputRow]] = {}
    for row in output.rows:
        if "group" not in row.cut_off:
            rows.setdefault(str(row.values.get("group", "")), []).append(row)
    for group, of_group in rows.items():
        yield group, tuple(of_group)


def _agree(state: str, second: str) -> bool:
    """Whether a group can have both states at one moment."""
    if not state or not second or state == second:
        return True
    states = {state, second}
    return REBALANCING_STATE in states and bool(states & REBALANCING)


def _member_values(row: OutputRow) -> tuple[str, dict[str, Any]]:
    """Return the id of a member, "" if it is not printed, and its values."""
    values = dict(row.values)
    tasks = values.pop("tasks", {})
    values |= {_OF_TASKS[name]: tasks[name] for name in tasks}
    return str(values.get("member", "")), values


class _Draft:
    """A snapshot that is being made."""

    def __init__(self, group: str) -> None:
        self.group = group
        self.parts: list[_Part] = []
        self.titles: dict[str, set[tuple[str, ...]]] = {}
        self.state = ""
        self.stamp = Stamp()
        self.facts: dict[str, Any] = {}
        self.members: dict[str, dict[str, Any]] = {}
        self.has_all_members = False
        self.partitions: dict[tuple[str, int], dict[str, Any]] = {}

    def fits(self, part: _Part) -> bool:
        """Whether an output may be of the same moment."""
        view = part.output.view
        if part.output.titles in self.titles.get(view, ()) and view in ("offsets", "members"):
            return False
        times = self.stamp.milliseconds, part.output.stamp.milliseconds
        if None not in times and abs(times[0] - times[1]) > _TOGETHER_MS:  # type: ignore[operator]
            return False
        if not _agree(self.state, part.state) or not self._fit_count(part):
            return False
        if view == "members":
            members = dict(map(_member_values, part.rows))
            return self._fit_members(members) and self._fit_owners(members)
        if view == "offsets":
            return self._fit_rows(part.rows)
        return view != "state" or self._fit_facts(part.rows)

    def _fit_count(self, part: _Part) -> bool:
        """Whether the number of members is as it was told before."""
        if part.output.view == "members":
            return self.facts.get("members") in (None, len(part.rows))
        if part.state in ("Empty", "Dead"):
            return not self.members
        counts = {row.values["members"] for row in part.rows if "members" in row.values}
        return not self.has_all_members or counts <= {len(self.members)}

    def _fit_facts(self, rows: Iterable[OutputRow]) -> bool:
        return all(
            self.facts.get(name, value) == value
            for row in rows
            for name, value in row.values.items()
        )

    def _fit_members(self, members: Mapping[str, Mapping[str, Any]]) -> bool:
        if "members" not in self.titles:
            return True
        return members.keys() == self.members.keys() and all(
            self.members[member_id].get(name, value) == value
            for member_id, values in members.items()
            for name, value in values.items()
        )

    def _fit_owners(self, members: Mapping[str, Mapping[str, Any]]) -> bool:
        """Whether all owners are among these members, with what these have."""
        for (topic, number), facts in self.partitions.items():
            owner = facts.get("owner")
            if owner is None:
                continue
            if owner not in members:
                return False
            shares = members[owner].get("assigned")
            if shares is not None and number not in shares.get(topic, ()):
                return False
        return True

    def _fit_rows(self, rows: Iterable[OutputRow]) -> bool:
        """Whether the owners in the rows of partitions are as they were told before."""
        for row in rows:
            owner = row.values.get("member")
            if not {"topic", "partition"} <= row.values.keys() or "member" in row.cut_off:
                continue
            topic, number = row.values["topic"], row.values["partition"]
            facts = self.partitions.get((topic, number))
            if facts is not None and facts["is_owner_known"] and facts["owner"] != owner:
                return False
            if owner is None or not self.has_all_members:
                continue
            shares = self.members[owner].get("assigned") if owner in self.members else {}
            if shares is not None and number not in shares.get(topic, ()):
                return False
        return True

    def add(self, part: _Part) -> None:
        """Take what an output tells."""
        self.parts.append(part)
        self.state = part.state if part.state not in ("", REBALANCING_STATE) else self.state
        self.state = self.state or part.state
        if not self.stamp.text:
            self.stamp = part.output.stamp
        if part.output.view in _TABLES:
            self.titles.setdefault(part.output.view, set()).add(part.output.titles)
        for output in (part.output, *part.sentences):
            if output.group_kind:
                self.facts["group_kind"] = output.group_kind
        add = {"offsets": self._add_offsets, "members": self._add_members}.get(part.output.view)
        if add is not None:
            add(part)
        else:
            for row in part.rows:
                self.facts |= {name: value for name, value in row.values.items() if value != ""}
        if self.state in ("Empty", "Dead") or part.output.view == "empty":
            self.has_all_members = True

    def _add_members(self, part: _Part) -> None:
        for row in part.rows:
            member_id, values = _member_values(row)
            self.members.setdefault(member_id or self._unnamed(values), {}).update(values)
        self.has_all_members = all("member" not in row.cut_off for row in part.rows)
        if {"CURRENT-EPOCH", "CURRENT-ASSIGNMENT"} & {*part.output.titles} and part.rows:
            has_epochs = any(row.values.get("epoch") is not None for row in part.rows)
            self.facts.setdefault("group_kind", "consumer" if has_epochs else "classic")

    def _unnamed(self, values: Mapping[str, Any]) -> str:
        """Return a name for a member whose id is not printed (kaf)."""
        client = str(values.get("client", ""))
        number = sum(name.partition(" #")[0] == client for name in self.members) + 1
        return client if number == 1 else f"{client} #{number}"

    def _add_offsets(self, part: _Part) -> None:
        for row in part.rows:
            values = row.values
            owner = values.get("member")
            if owner is not None:
                facts = self.members.setdefault(str(owner), {})
                for name in ("client", "host", "instance"):
                    facts.setdefault(name, values.get(name))
            if "topic" not in values or "partition" not in values:
                continue  # of a member that has none
            place = (str(values["topic"]), int(values["partition"]))
            has_column = any(title in part.output.titles for title in ("CONSUMER-ID", "MEMBER-ID"))
            is_known = has_column and "member" not in row.cut_off
            facts = self.partitions.setdefault(place, {})
            facts |= {**values, "owner": owner, "is_owner_known": is_known}

    # -- the snapshot

    def snapshot(self) -> ToolSnapshot:
        """Return the snapshot, without remarks."""
        if self.state in ("Empty", "Dead"):
            self.members = {}
        kind = self._kind()
        owners: dict[tuple[str, int], list[str]] = {}
        shares_of = self._shares()
        for member_id, shares in shares_of.items() if kind != "streams" else ():
            for topic, numbers in shares.items():
                for number in numbers:
                    owners.setdefault((topic, number), []).append(member_id)
        has_assignments = all("assigned" in facts for facts in self.members.values())
        members = tuple(
            self._member(member_id, shares_of[member_id], kind) for member_id in self.members
        )
        coordinator, coordinator_id = self.facts.get("coordinator") or ("", None)
        epochs = [facts["target_epoch"] for facts in self.members.values()
                  if facts.get("target_epoch") is not None]  # fmt: skip
        group = Group(
            group_id=self.group,
            kind=kind,
            state=self.state,
            protocol_type=str(self.facts.get("protocol_type", "")),
            protocol=str(self.facts.get("assignor", "")),
            coordinator=coordinator,
            coordinator_id=self.facts.get("coordinator_id", coordinator_id),
            epoch=self.facts.get("epoch"),
            assigned_epoch=self.facts.get("assigned_epoch", max(epochs, default=None)),
            members=members,
            unnamed_members=max(0, (self.facts.get("members") or 0) - len(members)),
            partitions=tuple(self._committed(owners)),
        )
        lines = [row.line for part in self.parts for row in part.rows] or [
            part.output.line for part in self.parts
        ]
        tools = dict.fromkeys(part.output.tool for part in self.parts if part.output.tool)
        return ToolSnapshot(
            group,
            self.stamp,
            (min(lines), max(lines)),
            tuple(tools),
            has_all_members=self.has_all_members,
            has_assignments=has_assignments and self.has_all_members,
            has_offsets="offsets" in self.titles,
            has_targets=any("target" in facts for facts in self.members.values()),
            counts={
                member_id: facts["partitions"]
                for member_id, facts in self.members.items()
                if facts.get("partitions") is not None
            },
            unowned=frozenset(
                place for place, facts in self.partitions.items()
                if not facts["is_owner_known"] and place not in owners
            ),
        )  # fmt: skip

    def _shares(self) -> dict[str, Shares]:
        """Return what each member has: as its own line tells, or as the partitions' lines do."""
        shares: dict[str, dict[str, list[int]]] = {member_id: {} for member_id in self.members}
        for (topic, number), facts in sorted(self.partitions.items()):
            if facts.get("owner") in shares:
                shares[facts["owner"]].setdefault(topic, []).append(number)
        return {
            member_id: {topic: tuple(numbers) for topic, numbers in shares[member_id].items()}
            if facts.get("assigned") is None
            else dict(sorted(facts["assigned"].items()))
            for member_id, facts in self.members.items()
        }

    def _member(self, member_id: str, shares: Shares, kind: Kind) -> Member:
        facts = self.members[member_id]
        protocol = facts.get("protocol") or ("classic" if kind == "unknown" else kind)
        if facts.get("is_upgraded") is False:
            protocol = "classic"
        is_new = kind in ("consumer", "share", "streams")
        return Member(
            member_id=member_id,
            client_id=str(facts.get("client") or ""),
            host=str(facts.get("host") or ""),
            instance_id=facts.get("instance"),
            protocol=protocol,
            assigned=shares,
            target=facts.get("target", {}) if is_new and facts.get("epoch") is not None
            and facts.get("target_epoch") is not None else None,
            epoch=facts.get("epoch"),
            process_id=facts.get("process"),
            topology_epoch=facts.get("topology_epoch"),
            **{name: facts[name] for name in ("standby", "warmup", "target_standby",
                                              "target_warmup") if facts.get(name)},
        )  # fmt: skip

    def _committed(self, owners: Mapping[tuple[str, int], list[str]]) -> Iterator[Committed]:
        for place in sorted({*self.partitions, *owners}):
            facts = self.partitions.get(place, {})
            yield Committed(
                *place,
                offset=facts.get("offset"),
                end=facts.get("end"),
                lag=facts.get("lag"),
                leader_epoch=facts.get("leader_epoch"),
                metadata=facts.get("metadata") or None,
                members=tuple(owners.get(place, ())),
                start=facts.get("start") if self.facts.get("group_kind") == "share" else None,
            )

    def _kind(self) -> Kind:
        """Return the kind of the group, by what is printed, or by what its members' ids show."""
        types: dict[str, Kind] = {"classic": "classic", "consumer": "consumer", "share": "share",
                                  "streams": "streams", "connect": "connect"}  # fmt: skip
        if self.facts.get("protocol_type") == "connect":
            return "connect"
        for text in (self.facts.get("group_kind"), self.facts.get("type")):
            if str(text).lower() in types:
                return types[str(text).lower()]
        if self.state in _CLASSIC_STATES or self.state in _NEW_STATES:
            return "classic" if self.state in _CLASSIC_STATES else "consumer"
        for pattern, kind in ((_CLASSIC_ID, types["classic"]), (_BROKERS_ID, types["consumer"])):
            if self.members and all(map(pattern.fullmatch, self.members)):
                return kind
        return "unknown"


# -- what can be judged of it

_BYTES = (
    "tools print neither members' metadata nor partition counts (use kproto group NAME "
    "--bootstrap-server HOST:PORT)"
)
_OF_BYTES = frozenset({
    "not-subscribed", "does-not-exist", "claims-contradict", "stale-claim", "cannot-lead",
    "cannot-migrate", "streams-error", "two-clusters", "idle-under-range",
})  # fmt: skip

_OF_TARGETS = frozenset({"reconciling", "waiting"})
_OF_OFFSETS = frozenset({"beyond-the-end", "no-commit", "lag-on-one-partition"})
_OF_MEMBERS = frozenset({"idle-member", "mixed-static", "instance-id-twice"})
_OF_OWNERS = frozenset({"nobody-has"})
_PROVISOS = {
    "nobody-has": ", unless the group was rebalancing, which the output does not tell",
    "left-over": ", or its partitions are with nobody now: the output has no subscriptions",
}
_AT_REST = frozenset({"idle-member", "uneven-shares", "two-applications"})
_MOST_GAPS = 100_000
_MOST_PARTITIONS = (1 << 31) - 1  # their numbers have 32 bits


_OWN = {judgement.code for judgement in OF_SHARES}
_ASKED = (*(judgement for judgement in JUDGEMENTS if judgement.code not in _OWN), *OF_SHARES)
"""What is asked of a snapshot. A code of both tables is judged by shares: by bytes it cannot be."""


def judge_snapshot(snapshot: ToolSnapshot) -> ToolSnapshot:
    """Return a snapshot with the remarks on its group, and with what could not be asked."""
    unasked: dict[str, list[str]] = {_BYTES: ["cannot-migrate"]}
    remarks: list[Remark] = []
    missing = _missing(snapshot)
    with_counts, as_live = _with_counts(snapshot), _as_live(snapshot)
    for judgement in _ASKED:
        reason = next((text for codes, text in missing if judgement.code in codes), "")
        if reason:
            unasked.setdefault(reason, []).append(judgement.code)
        else:
            group = with_counts if judgement in OF_SHARES else as_live
            remarks += _remarks(judgement, group, has_state=bool(snapshot.group.state))
    remarks.sort(key=lambda remark: LEVELS.index(remark.level))
    reasons = tuple(
        f"skipped {', '.join(sorted({*codes}))}: {reason}" for reason, codes in unasked.items()
    )
    tools = " and ".join(snapshot.tools) or "a tool"
    moment = f" at {snapshot.stamp.text}" if snapshot.stamp.text else ""
    problems = (f"from the output of {tools}{moment}: true of that moment alone", *reasons)
    if "kaf" in snapshot.tools and snapshot.group.members:
        problems += ("kaf prints no member ids: members have the names of their clients",)
    group = replace(snapshot.group, remarks=tuple(dict.fromkeys(remarks)), problems=problems)
    return snapshot._replace(group=group, unasked=reasons)


def _missing(snapshot: ToolSnapshot) -> list[tuple[frozenset[str], str]]:
    """Return the codes of judgements that need what the snapshot does not have, and what that
    is."""
    has_targets = snapshot.has_targets or snapshot.group.kind in ("classic", "connect")
    has_owners = snapshot.has_offsets or snapshot.has_assignments
    has_members = snapshot.group.state not in ("Empty", "Dead")
    needs = (
        (_OF_BYTES, False, _BYTES),
        (_OF_OFFSETS, snapshot.has_offsets, "offsets unknown (add the output of --describe)"),
        (_OF_TARGETS, has_targets or not has_members,
         "targets unknown (add the output of --describe --members --verbose, 4.0 or newer)"),
        (_OF_MEMBERS, snapshot.has_all_members or not has_members,
         "members without partitions unknown (add the output of --describe --members)"),
        (_AT_REST, not snapshot.is_rebalancing, "the group was rebalancing"),
        (_OF_OWNERS, has_owners or not has_members,
         "owners unknown (add the output of --describe)"),
        (_OF_OWNERS, _can_show_gaps(snapshot),
         f"partition numbers with more than {_MOST_GAPS:,} gaps between them"),
    )  # fmt: skip
    return [(codes, text) for codes, is_there, text in needs if not is_there]


def _remarks(judgement: Judgement, group: Group, *, has_state: bool) -> Iterator[Remark]:
    is_unsure = judgement.code not in _OF_OWNERS or not has_state
    proviso = _PROVISOS.get(judgement.code, "") if is_unsure else ""
    for fact in judgement.find(group):
        advice = CAUSES[fact.cause].advice if fact.cause else ""
        of_cause = (fact.cause or None, fact.certainty, advice)
        yield Remark(
            judgement.level, judgement.code, fact.text + proviso, fact.member_id, *of_cause
        )


def _can_show_gaps(snapshot: ToolSnapshot) -> bool:
    """Return whether so few partitions are left out between others that each can be named."""
    highest: dict[str, int] = {}
    for row in snapshot.group.partitions:
        highest[row.topic] = max(highest.get(row.topic, 0), row.partition)
    return sum(highest.values()) <= _MOST_GAPS + len(snapshot.group.partitions)


def _with_counts(snapshot: ToolSnapshot) -> Group:
    """Return the group with as many partitions for each member as the tool counts, where it does
    not name them."""
    return replace(
        snapshot.group,
        members=tuple(
            replace(member, assigned={"": range(min(count, _MOST_PARTITIONS))})
            if not member.assigned and (count := snapshot.counts.get(member.member_id)) else member
            for member in snapshot.group.members
        ),
    )  # fmt: skip


def _as_live(snapshot: ToolSnapshot) -> Group:
    """Return the group with what must be so by what is printed: members subscribe to the topics
    that they have, and topics have at least the partitions that are named."""
    group = snapshot.group
    counts: dict[str, int] = {}
    for row in group.partitions:
        counts[row.topic] = max(counts.get(row.topic, 0), row.partition + 1)
    members = tuple(
        replace(member, topics=tuple(sorted({*member.assigned, *(member.target or ())})))
        for member in group.members
    )
    rows = {(row.topic, row.partition): row for row in group.partitions}
    if snapshot.has_assignments and not snapshot.has_offsets and _can_show_gaps(snapshot):
        gaps = ((topic, number) for topic, count in counts.items() for number in range(count))
        rows |= {place: Committed(*place) for place in gaps if place not in rows}
    partitions = tuple(
        replace(row, members=("",)) if place in snapshot.unowned else row
        for place, row in sorted(rows.items())
    )
    return replace(
        group,
        members=members,
        topics=counts,
        partitions=partitions,
        state=group.state or "Stable",
        epoch=group.assigned_epoch if group.epoch is None else group.epoch,
    )


def redacted_snapshot(snapshot: ToolSnapshot, redaction: Redaction) -> ToolSnapshot:
    """Return a snapshot with placeholders for its names, judged under these."""
    hidden = redacted_group(snapshot.group, redaction)
    pairs = zip(snapshot.group.members, hidden.members, strict=True)
    ids = {member.member_id: stand_in.member_id for member, stand_in in pairs}
    return judge_snapshot(
        snapshot._replace(
            group=replace(hidden, remarks=()),
            counts={ids[member_id]: count for member_id, count in snapshot.counts.items()},
            unowned=frozenset(
                (redaction.name(topic, "topic").strip('"'), number)
                for topic, number in snapshot.unowned
            ),
        )
    )


# -- as a file of groups


class ToolSnapshots:
    """The groups in a file with outputs of tools; of several snapshots of one the last counts."""

    def __init__(self, outputs: ToolOutputs) -> None:
        self.snapshots = snapshots_of(outputs)
        self._latest = {snapshot.group.group_id: snapshot for snapshot in self.snapshots}

    @property
    def groups(self) -> tuple[str, ...]:
        """The ids of the groups, in the order of their names."""
        return tuple(sorted(self._latest))

    def describe(self, group: str, redaction: Redaction | None = None) -> Group:
        """Return a group. Tools before 2.3 do not print its name: then any name is that of the only
        group in the file. Raises NoSuchGroup."""
        snapshot = self._latest.get(group)
        if snapshot is None and self.groups == ("",):
            snapshot = self._latest[""]
            snapshot = snapshot._replace(group=replace(snapshot.group, group_id=group))
        if snapshot is None:
            names = ", ".join(map(ascii, self.groups[:5])) or "none"
            raise NoSuchGroup(f"the file describes no group {group!a}; it describes: {names}")
        return snapshot.group if redaction is None else redacted_snapshot(snapshot, redaction).group

    def listing(self) -> Listing:
        """Return the groups as a list."""
        rows = [listed_of(self._latest[group].group) for group in self.groups]
        return Listing(tuple(rows))
