"""Lines of the rebalancing log that Huawei's DMS and Cloud.ru write beside a broker: JSON, an
object for each end of a rebalance, with the coordinator's metadata of the group and its members.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from .event import LogEvent
from .family import Family
from .layouts import LogLine

__all__ = ["Dms"]

_MEMBER = re.compile(
    r"MemberMetadata\(memberId=(?P<member>.{1,400}?), (?:groupInstanceId=.{0,400}?, "
    ")?clientId=(?P<client>.{1,400}?), "
    r"clientHost=/?(?P<host>.{0,400}?), sessionTimeoutMs=(?P<session_ms>\d{1,20}), "
    r"rebalanceTimeoutMs=(?P<rebalance_ms>-?\d{1,20})"
)
_ENDS = "END_REBALANCE"


class Dms(Family):
    """The managed brokers' rebalancing log."""

    name = "dms"
    side = "broker"
    signs = (b"_REBALANCE",)

    def events(self, line: LogLine, text: str) -> Sequence[LogEvent] | None:
        data = line.data
        group, kind = data.get("groupId"), str(data.get("type", ""))
        if not isinstance(group, str) or not kind.endswith("_REBALANCE"):
            return None
        if kind != _ENDS:
            self.note_unknown(line, kind)
            return ()
        generation = data.get("generationId")
        number = generation if isinstance(generation, int) else -1
        leader = str(data.get("leaderId") or "")
        fields: dict[str, Any] = {"reason": str(data.get("reason") or "")}
        shown = f"{kind} group {group} generation {number}: {fields['reason']}"
        members = [match.groupdict() for match in _MEMBER.finditer(str(data.get("group", "")))]
        return [
            LogEvent(
                "leader-assigns", self.side, self.name, line.number, line.stamp, group,
                member=leader, generation=number, fields=MappingProxyType(fields), text=shown,
            ),
            *(
                LogEvent(
                    "joined", self.side, self.name, line.number, line.stamp, group,
                    member=member["member"], client=member["client"], generation=number,
                    text=shown,
                )
                for member in members
            ),
        ]  # fmt: skip
