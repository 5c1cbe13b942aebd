"""Consumer and Streams groups (KIP-848, KIP-1071), as their heartbeats show them.

A member says who it is when it joins, and later only what has changed; its coordinator answers with
the epoch that it is at, and with what it should have, again only if that has changed. An epoch that
a member is told is one that the group has reached, and for which there is an assignment. Targets,
and what is waiting to be revoked, stay with the coordinator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....codec import StreamsGroupMemberMetadataValue, VersionedMessage, message_class
from .calls import NOT_KNOWN, Call, Fact

__all__ = ["BrokerAssignedGroups"]

_LEAVES = -1  # the epoch of a member that goes for good

_KINDS = {"ConsumerGroupHeartbeat": "Consumer", "StreamsGroupHeartbeat": "Streams"}
_SAYS = {
    "Consumer": (
        "instance_id", "rack_id", "rebalance_timeout_ms", "subscribed_topic_names",
        "subscribed_topic_regex", "server_assignor",
    ),
    "Streams": (
        "instance_id", "rack_id", "rebalance_timeout_ms", "process_id", "topology",
        "user_endpoint", "client_tags",
    ),
}  # fmt: skip
"""What a request says of its member; null, or -1, is as before."""

_Fields = dict[str, Any]


@dataclass
class _Member:
    says: _Fields = field(default_factory=dict)
    written: _Fields = field(default_factory=dict)
    told: _Fields = field(default_factory=dict)
    epoch: int = 0


@dataclass
class _Group:
    kind: str
    epoch: int = 0
    members: dict[str, _Member] = field(default_factory=dict)


class BrokerAssignedGroups:
    """All groups of a capture whose broker assigns."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = {}

    def take(self, call: Call) -> Iterator[Fact]:
        """Yield the facts that the coordinator writes after this answer."""
        kind = _KINDS.get(call.api)
        if kind is None or call.answer is None or call.refused:
            return
        group = self._groups.setdefault((kind, call.request.group_id), _Group(kind))
        member_id = call.request.member_id or getattr(call.answer, "member_id", None) or ""
        if call.request.member_epoch == _LEAVES:
            if group.members.pop(member_id, None) is not None:
                yield _fact(group, call, "GroupCurrentMemberAssignment", None, member_id)
                yield _fact(group, call, "GroupMemberMetadata", None, member_id)
            return
        member = group.members.setdefault(member_id, _Member())
        yield from _described(group, member, member_id, call)
        yield from _reached(group, call)
        yield from _assigned(group, member, member_id, call)


def _described(group: _Group, member: _Member, member_id: str, call: Call) -> Iterator[Fact]:
    for name in _SAYS[group.kind]:
        said = getattr(call.request, name)
        if said is not None and said != NOT_KNOWN:
            member.says[name] = said
    fields = _member_fields(group.kind, member.says) | {
        "client_id": call.client_id,
        "client_host": call.host,
    }
    if fields != member.written:
        member.written = fields
        yield _fact(group, call, "GroupMemberMetadata", fields, member_id)


def _reached(group: _Group, call: Call) -> Iterator[Fact]:
    """Return the group's epoch: the highest that any member was told."""
    epoch = call.answer.member_epoch
    if epoch > group.epoch:
        group.epoch = epoch
        more = {"metadata_hash": 0} if group.kind == "Streams" else {}
        yield _fact(group, call, "GroupMetadata", {"epoch": epoch, **more})
        yield _fact(group, call, "GroupTargetAssignmentMetadata", {"assignment_epoch": epoch})


def _assigned(group: _Group, member: _Member, member_id: str, call: Call) -> Iterator[Fact]:
    told = member.told | _assignment(call.answer)
    epoch = call.answer.member_epoch
    if told == member.told and epoch == member.epoch:
        return
    fields = {"member_epoch": epoch, "previous_member_epoch": member.epoch, "state": 0}
    member.told, member.epoch = told, epoch
    cls = _class(group.kind, "GroupCurrentMemberAssignmentValue")
    lists = {name: _copied(entries, cls) for name, entries in told.items()}
    yield _fact(group, call, "GroupCurrentMemberAssignment", fields | lists, member_id)


def _assignment(answer: Any) -> _Fields:
    """Return the lists that an answer has. Lists that have not changed are missing."""
    if hasattr(answer, "assignment"):
        given = answer.assignment
        return {} if given is None else {"assigned_partitions": given.topic_partitions}
    lists = {name: getattr(answer, name) for name in ("active_tasks", "standby_tasks",
                                                      "warmup_tasks")}  # fmt: skip
    return {name: tasks for name, tasks in lists.items() if tasks is not None}


def _copied(entries: Any, cls: Any) -> list[Any]:
    """Return the entries as parts of a record."""
    if hasattr(cls, "TaskIds"):
        return [cls.TaskIds(subtopology_id=entry.subtopology_id, partitions=entry.partitions)
                for entry in entries]  # fmt: skip
    return [cls.TopicPartitions(topic_id=entry.topic_id, partitions=entry.partitions)
            for entry in entries]  # fmt: skip


def _member_fields(kind: str, says: Mapping[str, Any]) -> _Fields:
    fields = {"instance_id": None, "rack_id": None, **says}
    if kind == "Consumer":
        return {
            "subscribed_topic_names": (),
            "subscribed_topic_regex": "",
            "server_assignor": None,
            "classic_member_metadata": None,
            **fields,
        }
    topology, endpoint = fields.pop("topology", None), fields.pop("user_endpoint", None)
    tags = fields.pop("client_tags", ())
    cls = StreamsGroupMemberMetadataValue
    return {
        "process_id": "",
        "topology_epoch": NOT_KNOWN if topology is None else topology.epoch,
        "user_endpoint": endpoint and cls.Endpoint(host=endpoint.host, port=endpoint.port),
        "client_tags": tuple(cls.KeyValue(key=tag.key, value=tag.value) for tag in tags),
        **fields,
    }


def _fact(
    group: _Group, call: Call, name: str, fields: _Fields | None, member_id: str | None = None
) -> Fact:
    """Return a record of that name, of a member if one is named."""
    key = _class(group.kind, f"{name}Key")
    names = {"group_id": call.request.group_id}
    if member_id is not None:
        names["member_id"] = member_id
    value = None if fields is None else _class(group.kind, f"{name}Value")(**fields)
    return Fact(call.number, call.time, key(**names), value)


def _class(kind: str, name: str) -> type[VersionedMessage]:
    found = message_class(kind + name)
    assert issubclass(found, VersionedMessage)
    return found
