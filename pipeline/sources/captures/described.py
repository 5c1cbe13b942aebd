"""Classic groups as DescribeGroups tells them: what `kproto group --save` keeps.

A description has no generation and names no leader. The record that is made of it says so: the
generation is 0, and the leader null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....codec import GroupMetadataKey, GroupMetadataValue
from .calls import NOT_KNOWN, Call, Fact

__all__ = ["DescribedGroups"]

_STABLE = "Stable"  # in other states a description has no bytes of members


_MEMBERSHIP = frozenset({"JoinGroup", "SyncGroup"})


class DescribedGroups:
    """The groups that answers to DescribeGroups are about. Of a group whose rebalances are in the
    capture a description tells nothing more, and is left out."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []
        self._seen: set[str] = set()

    def take(self, call: Call) -> None:
        """Remember what an answer describes."""
        if call.api in _MEMBERSHIP:
            self._seen.add(call.request.group_id)
        if call.key != ("DescribeGroups", True):
            return
        for said in call.answer.groups:
            if not said.error_code and said.group_state == _STABLE:
                key = GroupMetadataKey(group=said.group_id)
                value = _value(said, call.answered)
                self._facts.append(Fact(call.answer_number, call.answered, key, value))

    def end(self) -> Iterator[Fact]:
        """Yield a record for each description, at the end."""
        for fact in self._facts:
            assert isinstance(fact.key, GroupMetadataKey)
            if fact.key.group not in self._seen:
                yield fact


def _value(said: Any, at: int | None) -> GroupMetadataValue:
    members = tuple(
        GroupMetadataValue.MemberMetadata(
            member_id=member.member_id,
            group_instance_id=member.group_instance_id,
            client_id=member.client_id,
            client_host=member.client_host,
            rebalance_timeout=NOT_KNOWN,
            session_timeout=NOT_KNOWN,
            subscription=member.member_metadata,
            assignment=member.member_assignment,
        )
        for member in said.members
    )
    return GroupMetadataValue(
        protocol_type=said.protocol_type,
        generation=0,
        protocol=said.protocol_data,
        leader=None,
        current_state_timestamp=NOT_KNOWN if at is None else at,
        members=members,
    )
