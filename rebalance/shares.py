"""What the shares of a group's members show, judged of one look at it: who has nothing, who has
more than others, where the lag is, and who may not belong together.

The rows are of the same form as those of `judgements`. They need no bytes of members, so that the
output of a tool is enough for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..inspector.shapes.group_shapes import Committed, Group, Member
from ..wording import counted, some_of
from .division import names_apart
from .judgements import Fact, Judgement

__all__ = ["OF_SHARES"]

MIN_LAG, MIN_SHARE = 100, 0.9
"""A partition is named for its lag if that is so many records at least, and this part of all."""

_OF_TASKS = ("streams", "connect", "share")
"""Kinds of groups whose partitions are not divided among members one by one."""
_MANY = 5


def _name(member: Member) -> str:
    return member.client_id or member.member_id


def _names(group: Group) -> dict[str, str]:
    return names_apart((member.member_id, member.client_id) for member in group.members)


def _listed(names: Iterable[str]) -> str:
    return some_of(list(dict.fromkeys(names)), _MANY)


def _idle_members(group: Group) -> tuple[list[Member], int]:
    """Return the members without a partition, and how many partitions the others have."""
    total = sum(member.partitions for member in group.members)
    if group.kind in _OF_TASKS or not total:
        return [], total
    return [member for member in group.members if not member.partitions], total


def _beyond_partitions(group: Group) -> Iterator[Fact]:
    idle, total = _idle_members(group)
    if total < len(group.members):
        counts = f"{counted(total, 'partition')} for {counted(len(group.members), 'member')}"
        for member in idle:
            yield Fact(f"has no partition: there are {counts}", member.member_id)


def _left_out(group: Group) -> Iterator[Fact]:
    idle, total = _idle_members(group)
    if total >= len(group.members):
        for member in idle:
            text = f"has no partition, while others have {counted(total, 'partition')}"
            yield Fact(text, member.member_id)


def _uneven(group: Group) -> Iterator[Fact]:
    busy = sorted(
        (member for member in group.members if member.partitions),
        key=lambda member: member.partitions,
    )
    if group.kind in _OF_TASKS or len(busy) < 2 or len(_applications(group)) > 1:
        return
    fewest, most = busy[0], busy[-1]
    topics = {topic for member in busy for topic in member.assigned}
    if most.partitions - fewest.partitions > max(len(topics), 1):
        names = _names(group)
        text = (
            f"shares are uneven: {names[most.member_id]} has {most.partitions:,} partitions, "
            f"{names[fewest.member_id]} {fewest.partitions:,}"
        )
        yield Fact(text)


def _lag_on_one(group: Group) -> Iterator[Fact]:
    rows = sorted((row for row in group.partitions if row.lag is not None), key=_lag)
    total = sum(max(_lag(row), 0) for row in rows)
    if len(rows) < 3 or _lag(rows[-1]) < MIN_LAG or _lag(rows[-1]) < MIN_SHARE * total:
        return
    worst = rows[-1]
    names = _names(group)
    owner = ", ".join(names.get(member_id, member_id) for member_id in worst.members)
    share = f"{_lag(worst):,} of {total:,} records"
    text = f"nearly all lag is on {worst.topic}-{worst.partition}: {share}"
    yield Fact(f"{text}, {owner} has it" if owner else text, next(iter(worst.members), ""))


def _lag(row: Committed) -> int:
    return row.lag or 0


def _static(group: Group) -> Iterator[Fact]:
    static = [member for member in group.members if member.instance_id]
    if not static or len(static) == len(group.members):
        return
    dynamic = _listed(_name(member) for member in group.members if not member.instance_id)
    text = (
        f"{len(static)} of {len(group.members)} members have an instance id, and {dynamic} none: "
        "a restart of those moves partitions"
    )
    yield Fact(text)


def _instance_twice(group: Group) -> Iterator[Fact]:
    holders: dict[str, list[Member]] = {}
    for member in group.members:
        if member.instance_id:
            holders.setdefault(member.instance_id, []).append(member)
    for instance, members in holders.items():
        if len(members) > 1:
            hosts = _listed(member.host or _name(member) for member in members)
            yield Fact(f"{len(members)} members have instance id {instance}: {hosts}")


def _applications(group: Group) -> list[tuple[set[str], list[Member]]]:
    """Return the parts of a group whose members have no topic in common, with their topics."""
    parts: list[tuple[set[str], list[Member]]] = []
    for member in group.members:
        topics, members = set(member.assigned), [member]
        if not topics:
            continue
        for part in [part for part in parts if part[0] & topics]:
            parts.remove(part)
            topics |= part[0]
            members = part[1] + members
        parts.append((topics, members))
    return parts


def _two_applications(group: Group) -> Iterator[Fact]:
    """Members of one application that all subscribe to all topics share each topic that has enough
    partitions, whatever the assignor; so topics with few partitions prove nothing."""
    parts = _applications(group)
    if group.kind in _OF_TASKS or len(parts) < 2:
        return
    counts: dict[str, int] = {}
    for member in group.members:
        for topic, numbers in member.assigned.items():
            counts[topic] = counts.get(topic, 0) + len(numbers)
    busy = sum(len(members) for _, members in parts)
    if any(max(counts[topic] for topic in topics) < busy for topics, _ in parts):
        return
    sides = "; ".join(
        f"{_listed(map(_name, members))} {'has' if len(members) == 1 else 'have'} "
        f"{_listed(sorted(topics))}"
        for topics, members in parts[:_MANY]
    )
    yield Fact(f"probably {len(parts)} applications in one group, without a common topic: {sides}")


OF_SHARES: tuple[Judgement, ...] = (
    Judgement(
        "instance-id-twice", "error", _instance_twice,
        title="Several members have one group.instance.id",
        advice="Give every process a group.instance.id of its own; look for a copied file.",
    ),
    Judgement("two-applications", "warning", _two_applications, ("two-applications",)),
    Judgement(
        "lag-on-one-partition", "warning", _lag_on_one,
        title="Nearly all lag is on one partition",
        advice="Look at the member that has it, and at the keys of what is written there: a hot "
        "key, a record that fails again and again, or a partition that was never assigned.",
    ),
    Judgement(
        "idle-member", "warning", _left_out,
        title="A member has no partition, while others have several",
        advice="Compare what the members subscribe to, and their assignors: under range, topics "
        "with few partitions leave members out. A member without need can be stopped.",
    ),
    Judgement(
        "idle-member", "note", _beyond_partitions,
        title="A member has no partition: there are fewer partitions than members",
        advice="Stop what is not needed, or give the topics more partitions "
        "(kproto's tests did not try it).",
    ),
    Judgement(
        "uneven-shares", "note", _uneven,
        title="Members have shares of different size",
        advice="Switch to an assignor that balances over all topics (sticky, cooperative-sticky, "
        "uniform), if the partitions are equally busy (kproto's tests did not try it).",
    ),
    Judgement(
        "mixed-static", "note", _static,
        title="Some members have a group.instance.id, and others none",
        advice="Give all members one, or none (kproto's tests did not try it): a restart of a "
        "member without one moves partitions.",
    ),
)  # fmt: skip
"""Each judgement of the shares of members."""
