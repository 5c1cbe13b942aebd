"""The built-in messages by family, as targets and corpora divide them."""

from __future__ import annotations

from ...codec.runtime.registry import built_in_names

_CONSUMER = ("ConsumerProtocolAssignment", "ConsumerProtocolSubscription")
_STREAMS = ("AssignmentInfo", "SubscriptionInfoData")
_ENDS = {
    "requests": ("Request", "Response", "RequestHeader", "ResponseHeader"),
    "offsets-topic": ("Key", "Value"),
    "user-data": ("UserData",),
}


def _families() -> dict[str, tuple[str, ...]]:
    names = built_in_names()
    found: dict[str, tuple[str, ...]] = {"consumer": _CONSUMER, "streams": _STREAMS}
    for family, ends in _ENDS.items():
        found[family] = tuple(name for name in names if name.endswith(ends))
    taken = {name for family in found.values() for name in family}
    found["connect"] = tuple(name for name in names if name not in taken)
    return found


FAMILIES = _families()
"""The names of each family; each built-in message is in one."""
