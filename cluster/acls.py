"""The ACLs that each question needs, and which of them a refusal is about.

| question | ACL |
|---|---|
| list groups | DESCRIBE on CLUSTER; else only groups with DESCRIBE on GROUP are listed |
| a group's coordinator, members, committed offsets | DESCRIBE on GROUP |
| partitions and end offsets of its topics | DESCRIBE on TOPIC |
| settings of a group, of its coordinator | DESCRIBE_CONFIGS on GROUP, on CLUSTER |
"""

from __future__ import annotations

from .errors import Denied

TOPIC_REFUSED, GROUP_REFUSED, CLUSTER_REFUSED = 29, 30, 31
_RESOURCES = {TOPIC_REFUSED: "TOPIC", GROUP_REFUSED: "GROUP", CLUSTER_REFUSED: "CLUSTER"}


def denied(code: int, api: str, resource: str, principal: str) -> Denied | None:
    """Return the error of a missing ACL; None for the code of another error."""
    kind = _RESOURCES.get(code)
    if kind is None:
        return None
    name = "" if kind == "CLUSTER" else f" {_named(kind, api, resource)}"
    operation = "DESCRIBE_CONFIGS" if api == "DescribeConfigs" else "DESCRIBE"
    return Denied(f"{principal} lacks {operation} on {kind}{name} ({api})")


def _named(kind: str, api: str, resource: str) -> str:
    if kind == "TOPIC" and "GroupDescribe" in api:  # the answer does not say which topic
        return f"that group {resource!a} subscribes to"
    return ascii(resource)
