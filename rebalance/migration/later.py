"""What fails after an upgrade that succeeded: rejoins of classic members, and the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...codec import ConsumerProtocolSubscription
from ..java_order import hash_order
from .embedded import Unreadable, read_embedded
from .group import ClassicGroup, ClassicMember
from .reasons import Reason
from .settings import Policy

_LABEL = 2
"""The bytes of a version label."""


def what_fails_later(group: ClassicGroup) -> Iterator[Reason]:
    """Yield what fails after the upgrade although the upgrade itself does not."""
    if group.settings.policy is Policy.DISABLED and group.is_empty:
        told = "classic members get INCONSISTENT_GROUP_PROTOCOL once a new member is in the group"
        yield Reason("", "classic-members-refused", "", told)
    if group.is_empty or group.protocol_type != "consumer":
        return
    selected = group.protocol_selected()
    for member in group.members or ():
        yield from _rejoin(member, selected)
    if group.settings.policy.downgrades:
        yield from _downgrade(group, selected)


def _rejoin(member: ClassicMember, selected: str | None) -> Iterator[Reason]:
    """A consumer group's coordinator reads the first protocol of each JoinGroup, none other."""
    first = next(iter(member.protocols or ()), None)
    if first is None or first.metadata is None or first.name == selected:
        return
    read = read_embedded(first.metadata, ConsumerProtocolSubscription)
    if isinstance(read, Unreadable):
        told = f"every JoinGroup of it gets UNKNOWN_SERVER_ERROR: {read.reason}"
        path = f"protocols[{first.name}].{read.path}"
        yield Reason(member.member_id, "rejoin-fails", path, told, first.metadata)


def _downgrade(group: ClassicGroup, selected: str | None) -> Iterator[Reason]:
    """The protocol of the classic group is selected anew, and its bytes were not looked at."""
    anew = _select(group.members or ())
    if anew is None or anew == selected:
        return
    for member in group.members or ():
        listed = member.listed(anew)
        if listed is None or listed.metadata is None:
            continue
        error = _downgrade_error(listed.metadata)
        if error is not None:
            told = f"the last new member's leave gets {error}, and it stays in the group"
            path = f"protocols[{anew}]"
            yield Reason(member.member_id, "downgrade-fails", path, told, listed.metadata)


def _downgrade_error(metadata: bytes) -> str | None:
    """Reads a version, and the fields of version 0 under any label; a malformed body passes."""
    if len(metadata) < _LABEL or metadata[0] >= 0x80:
        return "GROUP_ID_NOT_FOUND"
    read = read_embedded(bytes(_LABEL) + metadata[_LABEL:], ConsumerProtocolSubscription)
    return "UNKNOWN_SERVER_ERROR" if isinstance(read, Unreadable) and not read.expected else None


def _select(members: tuple[ClassicMember, ...]) -> str | None:
    """Return the protocol that most members prefer of those that all of them list; None where that
    is not known. Of equals, Java takes the first in a hash map of their names."""
    listed = [[protocol.name for protocol in member.protocols or ()] for member in members]
    common = set(listed[0]).intersection(*listed[1:]) if listed else set()
    if not common:
        return None
    if len(common) == 1:
        return common.pop()
    votes = Counter(next(name for name in names if name in common) for names in listed)
    return max(hash_order(votes), key=votes.__getitem__)
