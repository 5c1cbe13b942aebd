"""The server-side assignors: `uniform` and `range` of consumer groups (KIP-848), `simple` of share
groups (KIP-932), `sticky` of streams groups (KIP-1071).

The results are those of kafka-group-coordinator 4.3.1, member by member, except where nine keys or
more share a bucket of one of Java's hash maps (`java_order`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .group_spec import BrokerGroup as BrokerGroup
from .group_spec import BrokerMember as BrokerMember
from .group_spec import Targets as Targets
from .group_spec import UnassignableError as UnassignableError
from .range import assign_range
from .simple import assign_simple as assign_simple
from .sticky_tasks import StreamsMember as StreamsMember
from .sticky_tasks import Subtopology as Subtopology
from .sticky_tasks import Task as Task
from .sticky_tasks import Tasks as Tasks
from .sticky_tasks import assign_tasks as assign_tasks
from .uniform import assign_uniform

BROKER_ASSIGNORS: Mapping[str, Callable[[BrokerGroup], Targets]] = MappingProxyType(
    {"uniform": assign_uniform, "range": assign_range}
)
"""The assignors of `group.consumer.assignors`, by name; the first is a broker's default."""
