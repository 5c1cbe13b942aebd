"""The server-side assignors of the next consumer protocol (KIP-848): `uniform` and `range`.

The results are those of kafka-group-coordinator 4.3.1, member by member.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .group import BrokerGroup as BrokerGroup
from .group import BrokerMember as BrokerMember
from .group import Targets as Targets
from .group import UnassignableError as UnassignableError
from .range import assign_range
from .uniform import assign_uniform

BROKER_ASSIGNORS: Mapping[str, Callable[[BrokerGroup], Targets]] = MappingProxyType(
    {"uniform": assign_uniform, "range": assign_range}
)
"""The assignors of `group.consumer.assignors`, by name; the first is a broker's default."""
