"""The assignors that come with the project, by the names that members list in JoinGroup."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..assignor import Assignor
from ..compatibility import KAFKAS, Readings
from .range import RangeAssignor
from .roundrobin import RoundRobinAssignor
from .sticky import CooperativeStickyAssignor, StickyAssignor
from .stream_join import StreamJoinAssignor


def built_in(readings: Readings = KAFKAS) -> Mapping[str, Assignor]:
    """Return the built-in assignors under other readings than Kafka's."""
    assignors: tuple[Assignor, ...] = (
        RangeAssignor(),
        RoundRobinAssignor(),
        StickyAssignor(readings),
        CooperativeStickyAssignor(readings),
        StreamJoinAssignor(readings),
    )
    return MappingProxyType({assignor.name: assignor for assignor in assignors})


ASSIGNORS = built_in()
"""The built-in assignors, doing as Kafka does."""
