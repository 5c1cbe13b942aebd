"""Make a `Group` of the answers about it: members' bytes are opened, claims compared."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..codec import (
    ConnectProtocolAssignment,
    ConnectProtocolMetadata,
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    Decoded,
    Policy,
    decode,
    message_class,
)
from ..inspector.diagnose.clean_check import clean_check
from ..inspector.diagnose.fingerprints import fingerprint
from ..inspector.diagnose.lint import Finding, judge
from ..inspector.nested_bytes import Around, Opened, open_inside
from ..inspector.shapes.group_shapes import Committed, Group, Kind, Member, Remark
from ..inspector.shapes.shape import Shares
from ..rebalance.frameworks import topics_by_subtopology
from ..rebalance.judgements import in_history
from ..rebalance.user_data import cooperative_claim, sticky_claim
from .gathering import Gathered
from .migration import remarks

_CLASSIC_MEMBER = 0  # KIP-848: a member of a consumer group that uses the classic protocol
_CONNECT = "connect"


class MemberField(NamedTuple):
    """The bytes of one field of a member, decoded, with what is inside and what is wrong."""

    decoded: Decoded[Any]
    opened: tuple[Opened, ...]
    findings: tuple[tuple[str, Finding], ...]
    """Each with the name of the message that it is about."""
    could: tuple[str, ...]


@lru_cache(maxsize=4096)
def read_bytes(data: bytes, name: str, protocol: str) -> MemberField:
    """Return what bytes are, read as the message `name`. Members of a group, and of many groups,
    write the same bytes."""
    result = decode(data, message_class(name), policy=Policy.LENIENT)
    around = Around("consumer" if name.startswith("Consumer") else _CONNECT, protocol)
    findings = tuple(
        (judgement.decoded.message_class.NAME, finding)
        for judgement in judge(result, around)
        for finding in judgement.findings
    )
    could = fingerprint(result, protocol or None)
    return MemberField(result, open_inside(result, around), findings, could.in_short)


def _read_plainly(data: bytes, name: str, protocol: str) -> MemberField:
    """Return what bytes are that are known to be in order."""
    return MemberField(decode(data, message_class(name), policy=Policy.LENIENT), (), (), ())


def build(answers: Gathered, *, briefly: bool = False) -> Group:
    """Return the group that the answers are about, with remarks. `briefly`, for lists: who could
    have written the bytes of members is found out only where they differ, or something is wrong."""
    if answers.kind == "classic":
        members, byte_remarks = classic_members(answers.described, briefly=briefly)
    else:
        member_of = _MEMBERS[answers.kind]
        members, byte_remarks = tuple(map(member_of, answers.described.members)), ()
    members = tuple(sorted(members, key=lambda member: (member.client_id, member.member_id)))
    described = answers.described
    kind: Kind = answers.kind  # type: ignore[assignment]  # one of its literals
    protocol_type = getattr(described, "protocol_type", "") or kind
    if _is_connect(answers):
        kind = "connect"
    group = Group(
        group_id=answers.group_id,
        kind=kind,
        state=described.group_state,
        protocol_type=protocol_type,
        protocol=getattr(described, "protocol_data", None)
        or getattr(described, "assignor_name", None)
        or "",
        coordinator=str(answers.coordinator),
        coordinator_id=answers.coordinator.node_id if answers.coordinator.node_id >= 0 else None,
        epoch=getattr(described, "group_epoch", None),
        assigned_epoch=getattr(described, "assignment_epoch", None),
        members=members,
        partitions=_partitions(answers, members),
        topics={
            name: topic.partitions for name, topic in answers.topics.items() if not topic.error
        },
        racks={
            name: topic.racks
            for name, topic in answers.topics.items()
            if any(rack for partition_racks in topic.racks for rack in partition_racks)
        },
        topic_ids={
            name: str(topic.topic_id)
            for name, topic in answers.topics.items()
            if topic.topic_id is not None
        },
        problems=answers.problems,
        broker_has_consumer_protocol=answers.has_consumer,
        settings=dict(answers.settings),
        settings_problem=answers.settings_problem,
    )
    problems = (*group.problems, group.rebalancing) if group.rebalancing else group.problems
    return replace(
        group,
        remarks=remarks(group, byte_remarks, briefly=briefly),
        problems=problems,
        in_history="" if briefly else in_history(group),
    )


def _is_connect(answers: Gathered) -> bool:
    return answers.kind == "classic" and answers.described.protocol_type == _CONNECT


def _partitions(answers: Gathered, members: tuple[Member, ...]) -> tuple[Committed, ...]:
    """Return the partitions that are committed, assigned or subscribed to, in order."""
    holders: dict[tuple[str, int], list[str]] = {}
    for member in members:
        for place in _read_by(answers, member):
            holders.setdefault(place, []).append(member.member_id)
    subscribed = {topic for member in members for topic in member.topics}
    places = {
        (name, number)
        for name, topic in answers.topics.items()
        if name in subscribed and not topic.error
        for number in topic.leaders
    }
    rows = []
    for place in sorted({*answers.commits, *holders, *places}):
        offset, leader_epoch, metadata = answers.commits.get(place, (None, -1, None))
        end = answers.ends.get(place)
        epoch = leader_epoch if leader_epoch >= 0 else None
        owners = tuple(holders.get(place, ()))
        if answers.kind == "share":
            lag, start = answers.lags.get(place), offset
            rows.append(Committed(*place, None, end, lag, epoch, None, owners, start))
            continue
        begin = answers.starts.get(place) if offset is not None else None
        lag = None if offset is None or end is None else end - max(offset, begin or 0)
        rates = _rates(answers, place)
        before = answers.ends_before.get(place)
        row = Committed(
            *place, offset, end, lag, epoch, metadata, owners, begin, *rates, end_before=before
        )
        rows.append(row)
    return tuple(rows)


def _read_by(answers: Gathered, member: Member) -> Iterator[tuple[str, int]]:
    """Yield the partitions that a member reads: a task of Kafka Streams has those of its number of
    each topic that its subtopology reads."""
    if answers.kind == "streams":
        topics = topics_by_subtopology(answers.described.topology)
        for part, numbers in member.assigned.items():
            for topic in topics.get(part, ()):
                leaders = answers.topics[topic].leaders if topic in answers.topics else {}
                yield from ((topic, number) for number in numbers if number in leaders)
    elif not _is_connect(answers):
        for topic, numbers in member.assigned.items():
            yield from ((topic, number) for number in numbers)


def _rates(answers: Gathered, place: tuple[str, int]) -> tuple[float | None, float | None]:
    """Return how many records arrive at a partition in a second, and how many are committed, where
    it was looked at twice."""
    if answers.earlier is None:
        return None, None
    seconds, commits, ends = answers.earlier
    pairs = (
        (ends.get(place), answers.ends.get(place)),
        (commits.get(place, (None,))[0], answers.commits.get(place, (None,))[0]),
    )
    arriving, pace = (
        None if None in pair else max(pair[1] - pair[0], 0) / seconds  # type: ignore[operator]
        for pair in pairs
    )
    return arriving, pace


# -- members of each kind


def classic_members(
    described: Any, *, briefly: bool = False
) -> tuple[tuple[Member, ...], tuple[Remark, ...]]:
    """Return the members of a classic group, and the findings in their bytes."""
    if described.protocol_type == _CONNECT:
        names = ("ConnectProtocolMetadata", "ConnectProtocolAssignment")
    else:
        names = (ConsumerProtocolSubscription.NAME, ConsumerProtocolAssignment.NAME)
    opens = described.protocol_type in ("consumer", _CONNECT)
    plain = briefly and _is_plain(described)
    members, byte_remarks = [], []
    for member_ in described.members:
        member = Member(
            member_id=member_.member_id,
            client_id=member_.client_id,
            host=member_.client_host.removeprefix("/"),
            instance_id=member_.group_instance_id,
            metadata=member_.member_metadata,
            assignment=member_.member_assignment,
        )
        if opens:
            member, more = _with_bytes(member, names, described.protocol_data, plain=plain)
            byte_remarks += more
        members.append(member)
    return tuple(members), tuple(byte_remarks)


def _is_plain(described: Any) -> bool:
    """Whether nothing is wrong with the members' bytes, and all subscriptions have one version."""
    if described.protocol_type != "consumer":
        return False
    versions = set()
    for member in described.members:
        for data, cls in (
            (member.member_metadata, ConsumerProtocolSubscription),
            (member.member_assignment, ConsumerProtocolAssignment),
        ):
            version = int.from_bytes(data[:2], "big", signed=True)
            if not data and cls is ConsumerProtocolAssignment:
                continue
            if version not in cls.VERSIONS:
                return False
            result = decode(data, cls, policy=Policy.LENIENT)
            if result.message is None or result.remainder:
                return False
            inside = getattr(result.message, "user_data", None)
            message = result.message.replace(user_data=None) if inside else result.message
            clean = data if not inside else b""
            if not clean_check(cls, version)(message, clean):
                return False
            if cls is ConsumerProtocolSubscription:
                versions.add(version)
    return len(versions) < 2


def _with_bytes(
    member: Member, names: tuple[str, str], protocol: str, *, plain: bool = False
) -> tuple[Member, list[Remark]]:
    facts: dict[str, Any] = {}
    byte_remarks: list[Remark] = []
    parts = ((member.metadata, names[0]), (member.assignment, names[1]))
    for data, name in parts:
        if not data:
            continue
        read = (_read_plainly if plain else read_bytes)(data, name, protocol)
        byte_remarks += [
            Remark(finding.level, finding.code, _sentence(of, finding), member.member_id)
            for of, finding in read.findings
        ]
        facts |= _facts(read, protocol, facts.get("owned", {}))
        if name == names[0]:
            facts["could_be"] = read.could
            facts["version"] = read.decoded.version
    if not member.metadata:
        text = "the member's metadata has zero bytes: librdkafka as leader aborts"
        byte_remarks += [Remark("error", "KP015", text, member.member_id)] if protocol else []
    return replace(member, **facts), byte_remarks


def _sentence(of: str, finding: Finding) -> str:
    place = f"{of}.{finding.path}" if finding.path else of
    return f"{place}: {finding.explanation}"


def _facts(read: MemberField, protocol: str, owned: Shares) -> dict[str, Any]:
    """Return the fields of a member that its bytes say; `owned` is what its metadata claim, where
    these are its assignment."""
    inside = next((part for part in read.opened if part.path == "user_data"), None)
    match read.decoded.message:
        case ConsumerProtocolSubscription() as message:
            claim = (sticky_claim if protocol == "sticky" else cooperative_claim)(message)
            return {
                "topics": message.topics,
                "owned": _shares(claim.owned),
                "generation": claim.generation if claim.generation >= 0 else None,
                "rack": message.rack_id,
                "user_data": _label(inside, message.user_data),
            }
        case ConsumerProtocolAssignment() as message:
            return {"assigned": _shares(message.assigned_partitions)}
        case ConnectProtocolMetadata() as message:
            return {
                "endpoint": message.url,
                "user_data": f"config offset {message.config_offset}",
                "owned": _allocated(message.allocation),
            }
        case ConnectProtocolAssignment() as message:
            return {"assigned": _changed(owned, message)}
        case _:
            return {}


def _label(inside: Opened | None, data: bytes | None) -> str:
    if inside is not None:
        return inside.name if inside.version is None else f"{inside.name} v{inside.version}"
    return f"{len(data)} bytes of no known layout" if data else ""


def _allocated(data: bytes | None) -> Shares:
    """Return the connectors and tasks that a Connect worker ran when it joined."""
    message = decode(data or b"", ConnectProtocolAssignment, policy=Policy.LENIENT).message
    return _of_connectors(message.assignment) if message is not None else {}


def _changed(owned: Shares, assignment: ConnectProtocolAssignment) -> Shares:
    """Return what a Connect worker has after an assignment, which names what comes in addition to
    what it ran and what it is to stop (KIP-415). One of the eager protocol names everything, and
    those workers claim nothing."""
    gained, revoked = _of_connectors(assignment.assignment), _of_connectors(assignment.revoked)
    tasks_of = {
        name: {*tasks} - {*revoked.get(name, ())} | {*gained.get(name, ())}
        for name, tasks in {**gained, **owned}.items()
    }
    return {name: tuple(sorted(tasks)) for name, tasks in sorted(tasks_of.items()) if tasks}


def _of_connectors(entries: Any) -> Shares:
    tasks_by_name: dict[str, set[int]] = {}
    for entry in entries or ():
        tasks_by_name.setdefault(entry.connector, set()).update(entry.tasks)
    return {name: tuple(sorted(tasks)) for name, tasks in sorted(tasks_by_name.items())}


def _shares(entries: Any) -> Shares:
    numbers_by_topic: dict[str, list[int]] = {}
    for entry in entries:
        numbers_by_topic.setdefault(entry.topic, []).extend(entry.partitions)
    return {topic: tuple(sorted(numbers)) for topic, numbers in sorted(numbers_by_topic.items())}


def _new_member(described: Any, protocol: str, **facts: Any) -> Member:
    """Return a member of a protocol of KIP-848 and later, with what all of them tell."""
    return Member(
        member_id=described.member_id,
        client_id=described.client_id,
        host=described.client_host.removeprefix("/"),
        instance_id=getattr(described, "instance_id", None),
        rack=described.rack_id,
        epoch=described.member_epoch,
        protocol=protocol,
        **facts,
    )


def _consumer_member(described: Any) -> Member:
    return _new_member(
        described,
        "classic" if described.member_type == _CLASSIC_MEMBER else "consumer",
        topics=described.subscribed_topic_names,
        regex=described.subscribed_topic_regex or None,
        assigned=_by_name(described.assignment),
        target=_by_name(described.target_assignment),
    )


def _share_member(described: Any) -> Member:
    topics, shares = described.subscribed_topic_names, _by_name(described.assignment)
    return _new_member(described, "share", topics=topics, assigned=shares)


def _by_name(assignment: Any) -> Shares:
    return {
        entry.topic_name: tuple(sorted(entry.partitions))
        for entry in sorted(assignment.topic_partitions, key=lambda entry: entry.topic_name)
    }


def _streams_member(described: Any) -> Member:
    present, target = described.assignment, described.target_assignment
    endpoint = described.user_endpoint
    return _new_member(
        described,
        "classic" if described.is_classic else "streams",
        assigned=_tasks(present.active_tasks),
        standby=_tasks(present.standby_tasks),
        warmup=_tasks(present.warmup_tasks),
        target=_tasks(target.active_tasks),
        target_standby=_tasks(target.standby_tasks),
        target_warmup=_tasks(target.warmup_tasks),
        topology_epoch=described.topology_epoch,
        process_id=described.process_id or None,
        endpoint=f"{endpoint.host}:{endpoint.port}" if endpoint is not None else None,
    )


def _tasks(tasks: Any) -> Shares:
    return {entry.subtopology_id: tuple(sorted(entry.partitions)) for entry in tasks}


_MEMBERS = {
    "consumer": _consumer_member,
    "share": _share_member,
    "streams": _streams_member,
}
