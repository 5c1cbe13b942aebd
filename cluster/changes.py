"""What changed in a group between two looks at it: joins, leaves, rebalances, who was waited for.

The coordinator does not tell which members have joined again while it waits. It tells who is there
when it has stopped to wait: a member that was there until then and is not any more was waited for,
up to its rebalance timeout. In the broker's own groups a member that still has what its target
does not is waited for by others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from types import MappingProxyType

from msgspec.structs import replace

from ..history.finding_sentences import duration_text
from ..inspector.shapes.group_shapes import Group, GroupChange, Member
from ..inspector.shapes.shape import Shares
from ..inspector.views.summary_line import runs
from ..wording import counted

REBALANCING = frozenset({"PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling"})
_PARTITIONS = ("partition", "partitions")
_UNITS = {"connect": ("connector or task", "connectors and tasks"), "streams": ("task", "tasks")}
"""One and several of what members of a kind of group divide, where it is not partitions."""


class Watched:
    """A group that is looked at again and again; `look` returns what changed since the last
    time.

    How long a rebalance took is known to the interval of looks alone: at most from the last look
    before it was seen to the first one behind it.
    """

    def __init__(self) -> None:
        self._last: Group | None = None
        self._settled: Group | None = None
        self._settled_at: float | None = None
        self._rebalancing = False
        self._present: dict[str, Member] = {}

    def look(self, group: Group, at: float, asked: float | None = None) -> list[GroupChange]:
        """Return the changes, in order; at the first look the present state. `asked` is when the
        broker was asked for what it answered `at`, where that is not the same."""
        last, self._last = self._last, group
        changes: list[GroupChange] = []
        if last is None:
            changes.append(GroupChange(at, group.group_id, "state", _present_state(group)))
        else:
            changes += self._members(last, group, at)
        if group.state in REBALANCING:
            if not self._rebalancing:
                self._rebalancing = True
                text = f"rebalance begins: {group.state}"
                changes.append(GroupChange(at, group.group_id, "rebalance-began", text))
            elif last is not None and last.state != group.state:
                changes.append(GroupChange(at, group.group_id, "state", group.state))
            self._present |= {member.member_id: member for member in group.members}
            return changes
        if self._rebalancing:
            changes.append(self._ended(group, at))
        elif last is not None and last.state != group.state:
            changes.append(
                GroupChange(at, group.group_id, "state", f"{last.state} > {group.state}")
            )
        elif last is not None and _has_rebalanced(last, group):
            changes.append(self._ended(group, at))
        if self._settled is not None:
            changes += _assignments(self._settled, group, at)
            changes += _remarks(self._settled, group, at)
        self._settled, self._rebalancing = group, False
        self._settled_at = at if asked is None else asked
        self._present = {member.member_id: member for member in group.members}
        return changes

    def _members(self, last: Group, group: Group, at: float) -> list[GroupChange]:
        previous = {member.member_id: member for member in last.members}
        present = {member.member_id: member for member in group.members}
        changes = []
        for member_id, member in present.items():
            if member_id not in previous:
                text = f"joins from {member.host}" if member.host else "joins"
                changes.append(_of(group, at, "member-joined", text, member))
        waits = last.state in REBALANCING and group.state != last.state
        for member_id, member in previous.items():
            if member_id not in present:
                text = "did not come back: it was waited for" if waits else "leaves"
                change = _of(group, at, "member-left", text, member)
                changes.append(self._limited(change) if waits else change)
        if last.epoch is not None and group.epoch != last.epoch:
            text = f"epoch {last.epoch} > {group.epoch}"
            changes.append(GroupChange(at, group.group_id, "epoch", text))
        return changes

    def _ended(self, group: Group, at: float) -> GroupChange:
        """Return the end of a rebalance, that was seen or was between two looks."""
        change = self._limited(GroupChange(at, group.group_id, "stabilized", ""))
        of_time = "that the first look found is over"
        if change.seconds is not None:
            of_time = f"of less than {_tenths_above(change.seconds)} s"
        text = f"rebalance {of_time}: {_present_state(group)}"
        moved = _moved(self._settled, group) if self._settled is not None else None
        if moved is not None:
            text += f", {moved:,} {_UNITS.get(group.kind, _PARTITIONS)[moved != 1]} moved"
        return replace(change, text=text, moved=moved)

    def _limited(self, change: GroupChange) -> GroupChange:
        """Return a change with the time since the last look at which nothing was under way."""
        if self._settled_at is None:
            return change
        return replace(change, seconds=round(change.at - self._settled_at, 3), at_most=True)


def _tenths_above(seconds: float) -> str:
    """Return an upper limit, which is never below the number."""
    return f"{ceil(round(seconds * 10, 2)) / 10:.1f}"


def _present_state(group: Group) -> str:
    return f"{group.state or 'of no known state'}, {counted(len(group.members), 'member')}"


def _present_states(states: Mapping[str, str]) -> str:
    numbers = Counter(state or "of no known state" for state in states.values())
    listed = ", ".join(f"{count:,} {state}" for state, count in numbers.most_common())
    return f"{counted(len(states), 'group')}: {listed}" if states else "no group"


_STATES_ALONE = (
    "a rebalance that was over before the next look is not seen: kproto group NAME --watch "
    "compares the members, kproto group --history reads the groups' records"
)


class WatchTally:
    """What happened while a group, or all groups, were watched, in numbers."""

    def __init__(self, group: str | None) -> None:
        self._group = group
        self._began: float | None = None
        self._last: Group | None = None
        self._changes: list[GroupChange] = []

    def take(self, group: Group | None, changes: Sequence[GroupChange], at: float) -> None:
        """Take a look at the group, None where all groups are watched or none answered."""
        if self._began is None:
            self._began = at  # the present state is no change
            changes = [change for change in changes if change.what != "state"]
        self._last = group or self._last
        self._changes += changes

    @property
    def has_rebalances(self) -> bool:
        """Whether a rebalance of the group was seen."""
        return any(change.what in ("rebalance-began", "stabilized") for change in self._changes)

    def summary(
        self, at: float, asked: float | None = None, records: str = ""
    ) -> GroupChange | None:
        """Return the summary, as the last change; None where there was no look. `asked` is for how
        many seconds the watch was to last, and did: a part of them passes before the first look.
        `records` is what the group's records tell of why it rebalanced."""
        if self._began is None:
            return None
        of_what = self._of_groups() if self._group is None else self._of_group()
        watched = duration_text(at - self._began)
        if asked is not None and watched != (whole := duration_text(asked)):
            watched += f" of {whole}, from the first answer on"
        text = "; ".join([f"watched for {watched}: {next(of_what)}", *of_what])
        text += f". By its records: {records}" if records else ""
        return GroupChange(at, self._group or "", "watched", text)

    def _of_group(self) -> Iterator[str]:
        events = Counter(change.what for change in self._changes)
        limits = [change.seconds for change in self._of("stabilized") if change.seconds]
        rebalances = max(events["stabilized"], events["rebalance-began"])
        seen = counted(rebalances, "rebalance") if rebalances else "no rebalance"
        if limits:
            which = "each" if len(limits) == rebalances else f"{len(limits):,} of them"
            seen += f", {which} of less than {_tenths_above(max(limits))} s"
        yield seen if limits else f"{seen} seen"
        for event, noun in (("member-joined", "join"), ("member-left", "leave")):
            names = Counter(change.name or change.who for change in self._of(event))
            if names:
                ((name, times),) = names.most_common(1)
                of_most = f" ({name} {times} times)" if times > 1 else f" ({name})"
                yield counted(names.total(), noun) + of_most
        if events["unanswered"]:
            yield f"{counted(events['unanswered'], 'look')} without an answer"
        if self._last is not None:
            yield f"now {_present_state(self._last)}"

    def _of_groups(self) -> Iterator[str]:
        names = Counter(change.group for change in self._changes if change.group)
        if names:
            ((name, times),) = names.most_common(1)
            yield (
                f"{counted(names.total(), 'change')} in {counted(len(names), 'group')}, {times:,} "
                f"of them in {name}"
            )
        else:
            yield "no group had another state from one look to the next"
        yield _STATES_ALONE

    def _of(self, event: str) -> list[GroupChange]:
        return [change for change in self._changes if change.what == event]


def _of(group: Group, at: float, event: str, text: str, member: Member) -> GroupChange:
    return GroupChange(at, group.group_id, event, text, member.member_id, member.client_id)


def _has_rebalanced(last: Group, group: Group) -> bool:
    """Whether members of a classic group have joined again: what they wrote, or were given, is
    other than before."""
    if group.kind not in ("classic", "connect") or not group.members:
        return False
    last_shares, shares = (
        {member.member_id: (member.metadata, member.assigned) for member in look.members}
        for look in (last, group)
    )
    return last_shares != shares


def _owners(group: Group) -> dict[tuple[str, int], str]:
    return {
        (topic, number): member.member_id
        for member in group.members
        for topic, numbers in member.assigned.items()
        for number in numbers
    }


def _moved(previous: Group, group: Group) -> int:
    owners = _owners(group)
    return sum(owners.get(place) != member_id for place, member_id in _owners(previous).items())


def _assignments(previous: Group, group: Group, at: float) -> list[GroupChange]:
    previous_members = {member.member_id: member for member in previous.members}
    changes = []
    for member in group.members:
        old = previous_members.get(member.member_id)
        if old is not None and old.topics != member.topics:
            text = f"subscribes to {', '.join(member.topics) or 'nothing'}"
            changes.append(_of(group, at, "subscription-changed", text, member))
        had: Shares = old.assigned if old is not None else {}
        if member.assigned != had:
            added, removed = _difference(member.assigned, had), _difference(had, member.assigned)
            parts = [
                f"{word} {_listed(shares)}"
                for word, shares in (("gets", added), ("loses", removed))
                if shares
            ]
            changes.append(_of(group, at, "assigned", ", ".join(parts), member))
    return changes


def _difference(shares: Shares, subtracted: Shares) -> Shares:
    left = {
        topic: tuple(sorted(set(numbers) - set(subtracted.get(topic, ()))))
        for topic, numbers in shares.items()
    }
    return {topic: numbers for topic, numbers in left.items() if numbers}


def _listed(shares: Shares) -> str:
    return ", ".join(
        part for name, numbers in shares.items() for part in _named_share(name, numbers)
    )


def _named_share(name: str, numbers: tuple[int, ...]) -> Iterator[str]:
    """Yield a share of a topic, or of a connector, which is task -1 itself."""
    tasks = tuple(number for number in numbers if number >= 0)
    if len(tasks) < len(numbers):
        yield f"{name} connector"
    if tasks:
        yield f"{name} {_ranges(tasks)}"


def _ranges(numbers: tuple[int, ...]) -> str:
    return ", ".join(runs(numbers))


def _remarks(previous: Group, group: Group, at: float) -> list[GroupChange]:
    previous_remarks = {(remark.code, remark.who) for remark in previous.remarks}
    names = {member.member_id: member for member in group.members}
    changes = []
    for remark in group.remarks:
        if (remark.code, remark.who) in previous_remarks or remark.level == "note":
            continue
        member = names.get(remark.who)
        name = member.client_id if member is not None else ""
        changes.append(
            GroupChange(
                at, group.group_id, "remark", f"{remark.code}: {remark.text}", remark.who, name
            )
        )
    return changes


_NOBODY: Mapping[str, str] = MappingProxyType({})


class WatchedList:
    """The groups of a cluster by state, looked at again and again."""

    def __init__(self) -> None:
        self._last: dict[str, str] | None = None
        self._away: dict[str, str] = {}

    def look(
        self, states: dict[str, str], at: float, away: Mapping[str, str] = _NOBODY
    ) -> list[GroupChange]:
        """Return the groups that appeared, are gone, changed their state, or do not answer: `away`
        has the reason for each whose broker does not."""
        changes = [
            GroupChange(at, name, "unanswered", f"does not answer: {why}")
            for name, why in away.items()
            if name not in self._away
        ]
        changes += [
            GroupChange(at, name, "state", f"answers again: {states[name]}")
            for name in self._away
            if name in states
        ]
        last = self._last
        self._away = {name: (last or {}).get(name, "") for name in away}
        self._last = states | self._away
        if last is None:
            return [*changes, GroupChange(at, "", "state", _present_states(self._last))]
        return changes + self._listed(last, self._last, at)

    def _listed(self, last: dict[str, str], states: dict[str, str], at: float) -> list[GroupChange]:
        changes = [
            GroupChange(at, name, "appeared", f"appears: {state}" if state else "appears")
            for name, state in states.items()
            if name not in last
        ]
        for name, state in last.items():
            if name not in states:
                changes.append(GroupChange(at, name, "gone", "is gone"))
            elif states[name] != state:
                changes.append(GroupChange(at, name, "state", f"{state} > {states[name]}"))
        return changes
