"""The names of members: the client id, and where two members have one at once, what tells them
apart.

consumer-b5c6, as `kproto story` has it; of a hidden one its id, <member-2>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...history.sentences import MemberNames
from ...inspector.shapes.group_shapes import Member

__all__ = ["ClientNames"]


class ClientNames:
    """Names of the members of a group, which may be looked at again and again."""

    def __init__(self, members: Iterable[Member] = ()) -> None:
        self._shared: set[str] = set()
        self._names = MemberNames()
        self.note(members)

    def note(self, members: Iterable[Member]) -> None:
        """Note the members of a look."""
        clients = Counter(member.client_id for member in members)
        self._shared |= {client for client, count in clients.items() if count > 1}

    def name(self, member_id: str, client_id: str) -> str:
        """Return the name of a member."""
        if not client_id or client_id not in self._shared:
            return client_id or member_id
        is_hidden = member_id.startswith("<")
        return member_id if is_hidden else self._names.name(member_id, client_id)

    def of(self, members: Iterable[Member]) -> dict[str, str]:
        """Return the names of members by their ids."""
        return {member.member_id: self.name(member.member_id, member.client_id)
                for member in members}  # fmt: skip
