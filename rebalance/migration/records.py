"""A group from its record in the offsets topic, as a coordinator that starts anew would load it."""

from __future__ import annotations

from collections.abc import Mapping

from ...codec import GroupMetadataValue
from .group import ClassicGroup, ClassicMember, Protocol
from .settings import Settings


def from_record(
    group_id: str,
    value: GroupMetadataValue,
    settings: Settings,
    topics: Mapping[str, int] | None = None,
) -> ClassicGroup:
    """Return the group of a GroupMetadata record.

    A record has the subscription of the selected protocol alone, and is written when the group is
    stable or empty. A simple group, which only commits offsets, has no protocol type.
    """
    selected = value.protocol or ""
    members = tuple(
        ClassicMember(
            member.member_id,
            (Protocol(selected, member.subscription),),
            member.assignment,
            member.group_instance_id,
            member.client_id,
        )
        for member in value.members
    )
    state = "Stable" if members else "Empty"
    return ClassicGroup(group_id, value.protocol_type, state, selected, members, topics, settings)
