"""The rebalance protocols that a group can be run under, and the scenarios to compare them on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class ProtocolChoice(NamedTuple):
    """Options of all members, and more of every second one."""

    options: Mapping[str, Any]
    every_second: Mapping[str, Any] = MappingProxyType({})


PROTOCOLS: Mapping[str, ProtocolChoice] = MappingProxyType(
    {
        "eager": ProtocolChoice({"assignor": "range"}),
        "cooperative": ProtocolChoice({"assignor": "cooperative-sticky"}),
        "mixed": ProtocolChoice({"assignor": "cooperative-sticky"}, {"protocol": "consumer"}),
        "consumer": ProtocolChoice({"protocol": "consumer"}),
    }
)
"""The protocols by name; in a mixed group every second member is of the consumer protocol."""

COMPARED_ON = ("rolling-bounce", "scale-out-and-in", "crash", "slow-member")
"""The scenarios on which `compare protocols` runs each protocol."""
