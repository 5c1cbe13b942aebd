"""Which messages a field holds, by the name that programs print in front of its bytes.

    metadata=[0, 1, …]          JoinGroupRequestProtocol(name='range', metadata=
    "memberAssignment": "AAM…"  SyncGroupRequestAssignment(memberId=…, assignment=
    members[0].subscription     MemberAssignment:[0 0 …]        Key: b'\\x00\\x02…'

The name nearest to the bytes decides. Names that say nothing (`data`, `bytes`, `buffer`) are passed
over, so that `"memberMetadata": {"type": "Buffer", "data":` is known too.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..codec.messages.programs import PROGRAMS

_SUBSCRIPTION = ("ConsumerProtocolSubscription", "ConnectProtocolMetadata")
_ASSIGNMENT = ("ConsumerProtocolAssignment", "ConnectProtocolAssignment")
_KEYS = tuple(name for name in PROGRAMS if name.endswith("Key"))
_VALUES = tuple(name for name in PROGRAMS if name.endswith("Value"))
_USER_DATA = (
    "StickyAssignorUserData", "CooperativeStickyUserData", "SubscriptionInfoData",
    "AssignmentInfo", "StreamJoinSubscriptionUserData", "StreamJoinAssignmentUserData",
)  # fmt: skip

# By the name in lower case, without what is between its words.
_BY_NAME = {
    **dict.fromkeys(("metadata", "subscription", "protocolsubscription"), _SUBSCRIPTION),
    **dict.fromkeys(("membermetadata", "protocolmetadata", "groupprotocolmetadata"), _SUBSCRIPTION),
    **dict.fromkeys(("consumerprotocolsubscription", "joingrouprequestprotocol"), _SUBSCRIPTION),
    **dict.fromkeys(("memberassignment", "assignment", "groupassignment"), _ASSIGNMENT),
    **dict.fromkeys(("consumerprotocolassignment", "syncgrouprequestassignment"), _ASSIGNMENT),
    **dict.fromkeys(("syncgroupresponse", "assignmentdata", "assignmentbytes"), _ASSIGNMENT),
    **dict.fromkeys(("key", "recordkey", "rawkey", "keyhex", "keybytes", "keybase64"), _KEYS),
    **dict.fromkeys(("value", "recordvalue", "rawvalue", "payload", "valuehex"), _VALUES),
    **dict.fromkeys(("valuebytes", "valuebase64"), _VALUES),
    **dict.fromkeys(("userdata", "subscriptionuserdata", "assignmentuserdata"), _USER_DATA),
}
# What says of bytes only that they are bytes.
_SILENT = frozenset(
    "data bytes buffer type raw hex base64 byte uint8array list array b body content of binary "
    "new char uint8 u8 from fromhex unhexlify decode b64decode bytestring string str".split()
)
_PASSED_OVER = 4  # names that say nothing, at most
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_BETWEEN_WORDS = re.compile(r"[_.-]")


@lru_cache(maxsize=256)
def expected_by(label: str) -> tuple[str, ...]:
    """Return the names of the messages that the field holds whose name ends a text; none where it
    names no such field."""
    words = [match[0] for match in _WORD.finditer(label[-_LOOKED_AT:])]
    for word in words[: -_PASSED_OVER - 2 : -1]:
        plain = _BETWEEN_WORDS.sub("", word).lower()
        last = word.lower().rpartition(".")[2].replace("_", "").replace("-", "")
        for name in (plain, last):
            if name in _BY_NAME:
                return _BY_NAME[name]
        if last not in _SILENT:
            return ()
    return ()


_LOOKED_AT = 200  # characters


def names_a_field(expected: tuple[str, ...]) -> bool:
    """Return whether the name is that of a field of a message: anything may be called key or
    value."""
    return bool(expected) and not is_of_key_or_value(expected)


def is_of_key_or_value(expected: tuple[str, ...]) -> bool:
    """Return whether the name is that of a record's key or value."""
    return expected in (_KEYS, _VALUES)
