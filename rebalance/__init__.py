"""The assignors, what members of a group can do, plans of migration, and a simulated group.

>>> from kproto.codec import ConsumerProtocolSubscription
>>> from kproto.rebalance import ASSIGNORS, Member
>>> orders = ConsumerProtocolSubscription(topics=["orders"])
>>> group = [Member("m-1", orders), Member("m-2", orders)]
>>> shares = ASSIGNORS["range"].assign(group, {"orders": 3})
>>> [share.assigned_partitions[0].partitions for share in shares.values()]
[(0, 1), (2,)]

A name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from . import migration as migration
    from .assignor import Assignments as Assignments
    from .assignor import Assignor as Assignor
    from .assignor import RebalanceProtocol as RebalanceProtocol
    from .assignors.registry import ASSIGNORS as ASSIGNORS
    from .checks import CHECKS as CHECKS
    from .checks import Outcome as Outcome
    from .claims import owners as owners
    from .claims import validate_subscriptions as validate_subscriptions
    from .compatibility import Reading as Reading
    from .compatibility import Readings as Readings
    from .group import Member as Member
    from .input_errors import complaints as complaints

_HOME = {
    "ASSIGNORS": "assignors.registry",
    "Assignments": "assignor",
    "Assignor": "assignor",
    "CHECKS": "checks",
    "Member": "group",
    "Outcome": "checks",
    "Reading": "compatibility",
    "Readings": "compatibility",
    "RebalanceProtocol": "assignor",
    "complaints": "input_errors",
    "migration": "",
    "owners": "claims",
    "validate_subscriptions": "claims",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
