"""What `kproto group --save FILE --redact` keeps: what was found, with stand-ins for names, in the
place of the brokers' answers, which have the names in their bytes. A group is shown from it as it
was shown then.
"""

from __future__ import annotations

from typing import BinaryIO

from ..inspector.shapes.group_shapes import Group, Listing, RedactedGroup, RedactedList
from ..inspector.shapes.shape import json_line, of_json
from ..wording import no_such
from .errors import ClusterError, NoSuchGroup
from .listing import listed_of

__all__ = ["FACTS_ALONE", "SavedFacts", "facts_lines", "has_facts", "read_facts"]

FACTS_ALONE = (
    "names are hidden in it (kproto group --save --redact), and the bytes of members are left out, "
    "so that only kproto group --from FILE reads it"
)
"""Why nothing else can judge such a file."""

_BEGINNINGS = (b'{"redactedGroup":', b'{"redactedList":')


def facts_lines(facts: Group | Listing) -> bytes:
    """Return the line for a group, or for the list, in which names are hidden."""
    line = RedactedGroup(facts) if isinstance(facts, Group) else RedactedList(facts)
    return json_line(line) + b"\n"


def has_facts(head: bytes) -> bool:
    """Return whether a file that begins with `head` holds such lines."""
    return head.startswith(_BEGINNINGS)


class SavedFacts:
    """The groups in such a file."""

    def __init__(self, lines: list[RedactedGroup | RedactedList]) -> None:
        self._groups = {
            line.redacted_group.group_id: line.redacted_group
            for line in lines
            if isinstance(line, RedactedGroup)
        }
        self._lists = [line.redacted_list for line in lines if isinstance(line, RedactedList)]

    @property
    def groups(self) -> tuple[str, ...]:
        """The stand-ins of the groups that are described, in order."""
        return tuple(sorted(self._groups))

    @property
    def only_group(self) -> str | None:
        """The stand-in of the group, where the file is of one group alone."""
        return None if self._lists or len(self._groups) != 1 else next(iter(self._groups))

    def describe(self, group: str) -> Group:
        """Return a group, by its stand-in with or without the brackets that a shell takes for
        files. Raises NoSuchGroup."""
        for name in (group, f"<{group}>"):
            if name in self._groups:
                return self._groups[name]
        raise NoSuchGroup(f"the file describes {no_such('group', [group], self.groups)}")

    def listing(self) -> Listing:
        """Return the groups as a list."""
        if self._lists:
            return self._lists[-1]
        return Listing(tuple(listed_of(self._groups[group]) for group in self.groups))


def read_facts(file: BinaryIO, source: str) -> SavedFacts:
    """Return the groups in a file that `--save --redact` wrote. Raises ClusterError where a line is
    none of its lines."""
    lines: list[RedactedGroup | RedactedList] = []
    for number, line in enumerate(file, 1):
        try:
            if line.startswith(_BEGINNINGS[0]):
                lines.append(of_json(line, RedactedGroup))
            else:
                lines.append(of_json(line, RedactedList))
        except ValueError as error:
            raise ClusterError(f"{source!r}, line {number:,}: {error}") from None
    return SavedFacts(lines)
