"""Ask a live cluster for its groups: over the project's own messages, reading only.

>>> from kproto.cluster import describe_group
>>> describe_group("payments", "localhost:9092").members  # doctest: +SKIP

| package or module | what it does |
|---|---|
| `connection` | the protocol without I/O: frames, version negotiation, SASL |
| `config` | settings of the Java client and of librdkafka, TLS, logins |
| `transport` | TCP and TLS with asyncio |
| `admin` | questions to the broker that can answer them |
| `records` | the record batches of a partition |
| `session` | a cluster asked from code that is not asynchronous |
| `gathering`, `described_group` | the answers about a group, and the `Group` that is made of them |
| `listing` | all groups of a cluster |
| `migration` | a described group as `rebalance.migration` judges it and plans its way |
| `watching`, `changes` | a group looked at again and again, and what changed |
| `saved` | answers kept in a file, and read again |
| `views` | `rich` renderables |

`describe_group_async`, `list_groups_async` and `watch_group_async` are for asynchronous code. A
name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import late_names

if TYPE_CHECKING:
    from ..inspector.shapes.group_shapes import Committed as Committed
    from ..inspector.shapes.group_shapes import Group as Group
    from ..inspector.shapes.group_shapes import Listed as Listed
    from ..inspector.shapes.group_shapes import Listing as Listing
    from ..inspector.shapes.group_shapes import Member as Member
    from ..inspector.shapes.group_shapes import Remark as Remark
    from .api import describe_group as describe_group
    from .api import describe_group_async as describe_group_async
    from .api import list_groups as list_groups
    from .api import list_groups_async as list_groups_async
    from .api import settings_of as settings_of
    from .api import watch_group_async as watch_group_async
    from .errors import AuthenticationFailed as AuthenticationFailed
    from .errors import ClusterError as ClusterError
    from .errors import ConfigError as ConfigError
    from .errors import Denied as Denied
    from .errors import NoSuchGroup as NoSuchGroup
    from .errors import NotKafka as NotKafka
    from .errors import Unreachable as Unreachable
    from .errors import Unsupported as Unsupported
    from .watching import Look as Look

_HOME = {
    name: module
    for module, names in {
        "api": "describe_group describe_group_async list_groups list_groups_async settings_of"
        " watch_group_async",
        "errors": "AuthenticationFailed ClusterError ConfigError Denied NoSuchGroup NotKafka"
        " Unreachable Unsupported",
        ".inspector.shapes.group_shapes": "Committed Group Listed Listing Member Remark",
        "watching": "Look",
    }.items()
    for name in names.split()
}

__getattr__, __dir__ = late_names(__name__, _HOME)
