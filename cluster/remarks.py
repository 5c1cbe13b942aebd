"""What is wrong with a group, or notable: in its members' bytes, and between its members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..clients import catalog
from ..clients.outcomes import TROUBLE
from ..clients.readers import predict
from ..codec import ConsumerProtocolSubscription, Policy, decode
from ..rebalance.migration import EXPLANATIONS
from .migration import judged
from .model import LEVELS, Group, Member, Remark

_SETTLED = ("Stable",)
_STREAMS = frozenset({"streams-assignor"})
_MANY = 5  # names in one sentence


def remarks(
    group: Group, found: Iterable[Remark] = (), *, briefly: bool = False
) -> tuple[Remark, ...]:
    """Return the remarks on a group: `found` in its members' bytes, and those between its members;
    `briefly`, for lists, nothing of what may come. The worst come first."""
    checks = (_without_owner, _twice, _not_subscribed, _claims, _leaders, _epochs, _offsets)
    every = list(found)
    for check in checks if briefly else (*checks, _migration):
        every += check(group)
    every.sort(key=lambda remark: LEVELS.index(remark.level))
    return tuple(dict.fromkeys(every))


def _names(partitions: Iterable[tuple[str, int]]) -> str:
    listed = [f"{topic}-{number}" for topic, number in sorted(partitions)]
    more = f" and {len(listed) - _MANY:,} more" if len(listed) > _MANY else ""
    return ", ".join(listed[:_MANY]) + more


def _without_owner(group: Group) -> Iterator[Remark]:
    if group.kind in ("streams", "connect", "share") or not group.members:
        return
    if group.state not in _SETTLED:
        return
    subscribed = {topic for member in group.members for topic in member.topics}
    left = [
        (each.topic, each.partition)
        for each in group.partitions
        if not each.members
        and each.topic in subscribed
        and each.partition < group.topics.get(each.topic, 0)
    ]
    if left:
        count = f"{len(left):,} partition{'s' if len(left) > 1 else ''}"
        text = f"nobody has {count} of subscribed topics: {_names(left)}"
        yield Remark("error", "nobody-has", text)


def _twice(group: Group) -> Iterator[Remark]:
    if group.kind == "share":
        return
    for each in group.partitions:
        if len(each.members) > 1:
            text = f"{each.topic}-{each.partition} is assigned to {len(each.members)} members"
            yield Remark("error", "assigned-twice", text, each.members[1])


def _not_subscribed(group: Group) -> Iterator[Remark]:
    if group.kind in ("streams", "connect"):
        return
    for member in group.members:
        if not member.topics:
            continue
        odd = [topic for topic in member.assigned if topic not in member.topics]
        if odd and member.regex is None:
            text = f"has partitions of {', '.join(odd[:_MANY])}, to which it does not subscribe"
            yield Remark("warning", "not-subscribed", text, member.member_id)
        missing = [
            (topic, number)
            for topic, numbers in member.assigned.items()
            for number in numbers
            if topic in group.topics and number >= group.topics[topic]
        ]
        if missing:
            text = f"has partitions that do not exist: {_names(missing)}"
            yield Remark("warning", "does-not-exist", text, member.member_id)


def _claims(group: Group) -> Iterator[Remark]:
    """Claims of one partition by two members at one generation are void for both (KIP-792)."""
    same: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    stale: dict[str, list[tuple[str, int]]] = {}
    for place, who in _contested(group):
        highest = max(_generation(member) for member in who)
        first = [member.member_id for member in who if _generation(member) == highest]
        if len(first) > 1:
            same.setdefault(tuple(first), []).append(place)
        for member in who:
            if _generation(member) < highest:
                stale.setdefault(member.member_id, []).append(place)
    for ids, places in same.items():
        text = f"{len(ids)} members claim {_names(places)} in one generation: no claim counts"
        yield Remark("error", "claims-contradict", text, ids[1])
    for member_id, places in stale.items():
        text = f"claims {_names(places)} from an older generation than another member"
        yield Remark("warning", "stale-claim", text, member_id)


def _contested(group: Group) -> Iterator[tuple[tuple[str, int], list[Member]]]:
    """Yield the partitions that more than one member claims, with these members."""
    claims: dict[tuple[str, int], list[Member]] = {}
    for member in group.members:
        for topic, numbers in member.owned.items():
            for number in numbers:
                claims.setdefault((topic, number), []).append(member)
    yield from ((place, who) for place, who in claims.items() if len(who) > 1)


def _generation(member: Member) -> int:
    return -1 if member.generation is None else member.generation


# -- who could not lead


def _leaders(group: Group) -> Iterator[Remark]:
    if group.protocol_type != "consumer" or group.kind != "classic":
        return
    distinct: dict[bytes, Member] = {}
    for member in group.members:
        if member.metadata:
            distinct.setdefault(member.metadata, member)
    for member in group.members:
        for clients, others in cannot_read(member, distinct).items():
            names = ", ".join(dict.fromkeys(each.client_id or each.member_id for each in others))
            sure = len(clients) == len(member.could_be)
            unless = "its client" if sure else f"if it is {' or '.join(clients)}, that"
            text = f"could not lead: {unless} cannot read the subscription of {names}"
            yield Remark("warning", "cannot-lead", text, member.member_id)


def cannot_read(
    member: Member, distinct: dict[bytes, Member]
) -> dict[tuple[str, ...], list[Member]]:
    """Return the members whose metadata could not be read by the clients that this member could be,
    by these clients, as measured. A client that was not measured is not among them."""
    found: dict[tuple[str, ...], list[Member]] = {}
    for data, other in distinct.items():
        if data == member.metadata:
            continue
        clients = tuple(name for name in member.could_be if _stumbles(name, data))
        if clients:
            found.setdefault(clients, []).append(other)
    return found


@lru_cache(maxsize=4096)
def _stumbles(client: str, data: bytes) -> bool:
    """Whether every measured reader of a client ("kafka-clients (3.4 and newer)") refuses or
    misreads a subscription."""
    entry = catalog.clients().get(client.partition(" (")[0])
    if entry is None or not entry.readers:
        return False
    subscription = decode(data, ConsumerProtocolSubscription, policy=Policy.LENIENT)
    predictions = predict(subscription, entry.readers)
    return all(prediction.does in TROUBLE for prediction in predictions)


# -- whether it can become a group of the broker's


def _migration(group: Group) -> Iterator[Remark]:
    """What is in members' bytes stops a group; Kafka Streams, which has a way of its own, is none
    to remark on."""
    if group.protocol_type != "consumer" or group.kind != "classic":
        return
    stops = [each.what for each in judged(group).reasons if each.member_id and each.error]
    titles = [EXPLANATIONS[what].title for what in dict.fromkeys(stops) if what not in _STREAMS]
    if titles:
        text = f"cannot move to group.protocol=consumer: {'; '.join(titles)} (--plan consumer)"
        yield Remark("note", "cannot-migrate", text)


# -- the broker's own groups, and offsets


def _epochs(group: Group) -> Iterator[Remark]:
    if group.epoch is None:
        return
    if group.assigned_epoch is not None and group.assigned_epoch < group.epoch:
        made, at = group.assigned_epoch, group.epoch
        text = f"the target assignment is of epoch {made}, the group is at {at}"
        yield Remark("note", "assigning", text)
    for member in group.members:
        target = member.target
        if target is None:
            continue
        keeps = _beyond(member.assigned, target)
        if keeps:
            text = (
                f"holds up the reconciliation: it still has {_names(keeps)}, which others wait for"
            )
            yield Remark("warning", "reconciling", text, member.member_id)
        elif member.epoch is not None and member.epoch < (group.assigned_epoch or 0):
            text = f"is at epoch {member.epoch}, the target at {group.assigned_epoch}"
            yield Remark("note", "reconciling", text, member.member_id)
        elif waits := _beyond(target, member.assigned):
            text = f"waits for {_names(waits)}"
            yield Remark("note", "waiting", text, member.member_id)


def _beyond(
    some: dict[str, tuple[int, ...]], others: dict[str, tuple[int, ...]]
) -> set[tuple[str, int]]:
    return {
        (topic, number)
        for topic, numbers in some.items()
        for number in set(numbers).difference(others.get(topic, ()))
    }


def _offsets(group: Group) -> Iterator[Remark]:
    beyond = [(e.topic, e.partition) for e in group.partitions if e.lag is not None and e.lag < 0]
    if beyond:
        text = f"the committed offset is beyond the end of {_names(beyond)}"
        yield Remark("warning", "beyond-the-end", text)
    if group.members and any(each.offset is not None for each in group.partitions):
        none = [
            (each.topic, each.partition)
            for each in group.partitions
            if each.offset is None and each.members and each.end
        ]
        if none:
            yield Remark("note", "no-commit", f"nothing is committed for {_names(none)}")
