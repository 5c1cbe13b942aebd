"""Opening what is inside: the bytes that members exchange, which no broker reads.

Whose bytes they are stands around them. The protocol type says whether a member's metadata is a
consumer's subscription or a Connect worker's; the protocol, which is the assignor's name, says what
the user data in it is:

    JoinGroup, SyncGroup, a described group, a stored group
        metadata, assignment          by protocol type: "consumer", "connect"
            user data                 by protocol: "sticky", "stream", …
            allocation                a worker's own assignment

Several clients write a layout of another one's under an assignor's name (librdkafka and franz-go
sticky's under `cooperative-sticky`, in the assignment too), so what is known to be written there is
tried in turn; a layout fits if it uses all bytes. Where nothing around says whose bytes they are,
every layout of such a place is tried. What else fits is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...codec.messages import message_class
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.read.diagnostic_reader import FieldNode
from ..identification.identify import evidence, readings
from .size_limits import is_large
from .user_text import Opaque, opaque


class Around(NamedTuple):
    """What is known of a group from elsewhere: its protocol type ("consumer") and the protocol
    that was chosen ("sticky"). What a message says itself goes before it."""

    protocol_type: str | None = None
    protocol: str | None = None


NOTHING = Around()


class Opened(NamedTuple):
    """What is inside a field.

    `path` is the field's in the outer message; `start` is where the inner message begins in the
    outer one's bytes (0 where that is too large to look it up). `name` is the message's, or says
    what the bytes are otherwise ("JSON", "text", …): then there is no `version`, `decoded` is
    None, and `value` is the text or the JSON value, as far as it is there. `rivals` are the
    readings ("StickyAssignorUserData v0") that fit as well; `note` is what is odd about the one
    that was chosen; `opened` is what is inside again; `around` is what is known of whose bytes
    they are.
    """

    path: str
    start: int
    name: str
    version: int | None
    decoded: Decoded[Any] | None
    rivals: tuple[str, ...] = ()
    note: str = ""
    value: Any = None
    opened: tuple[Opened, ...] = ()
    around: Around = NOTHING


class Payload(NamedTuple):
    """Bytes in a field that are a message of their own; `kind` is one of those below, and `start`
    their place in the outer message, where that is known."""

    path: str
    kind: str
    data: bytes
    around: Around
    start: int = 0


# -- where such bytes are

METADATA, ASSIGNMENT, ALLOCATION, TEXT = "metadata", "assignment", "allocation", "text"
IN_SUBSCRIPTION, IN_ASSIGNMENT = "user data of a subscription", "user data of an assignment"


class _Place(NamedTuple):
    """The fields of a message that hold bytes of a member, with the fields that say whose.

    They are those of each element of `each`, or of the message itself; with `inside`, of that
    struct or of those structs of it. `named`: each element names the protocol that it is for.
    """

    fields: tuple[tuple[str, str], ...]
    each: str = ""
    inside: str = ""
    protocol_type: str = ""
    protocol: str = ""
    named: bool = False
    type_if_unsaid: str | None = None


_PLACES: dict[str, tuple[_Place, ...]] = {
    "JoinGroupRequest": (
        _Place((("metadata", METADATA),), "protocols", "", "protocol_type", named=True),
    ),
    "JoinGroupResponse": (
        _Place((("metadata", METADATA),), "members", "", "protocol_type", "protocol_name"),
    ),
    "SyncGroupRequest": (
        _Place((("assignment", ASSIGNMENT),), "assignments", "", "protocol_type", "protocol_name"),
    ),
    "SyncGroupResponse": (
        _Place((("assignment", ASSIGNMENT),), "", "", "protocol_type", "protocol_name"),
    ),
    "DescribeGroupsResponse": (
        _Place(
            (("member_metadata", METADATA), ("member_assignment", ASSIGNMENT)),
            *("members", "groups", "protocol_type", "protocol_data"),
        ),
    ),
    "GroupMetadataValue": (
        _Place(
            (("subscription", METADATA), ("assignment", ASSIGNMENT)),
            *("members", "", "protocol_type", "protocol"),
        ),
    ),
    # A member of the classic protocol in a group of the new one: KIP-848's online migration.
    "ConsumerGroupMemberMetadataValue": (
        _Place(
            (("metadata", METADATA),),
            *("supported_protocols", "classic_member_metadata"),
            named=True,
            type_if_unsaid="consumer",
        ),
    ),
    "ConsumerProtocolSubscription": (_Place((("user_data", IN_SUBSCRIPTION),)),),
    "ConsumerProtocolAssignment": (_Place((("user_data", IN_ASSIGNMENT),)),),
    "ConnectProtocolMetadata": (_Place((("allocation", ALLOCATION),)),),
    "SubscriptionInfoData": (
        _Place((("user_end_point", TEXT),)),
        _Place((("key", TEXT), ("value", TEXT)), "client_tags"),
    ),
}

See = Callable[[Any, str], Any]
"""Gives the value of a field: of a message's part, or of the tree of what was read of one."""


def carries(name: str) -> bool:
    """Return whether a message called `name` has fields whose bytes are a message of their own."""
    return name in _PLACES


Found = tuple[str, str, bytes, Around]
"""Path, kind, bytes, and what is around them: the parts of a `Payload`."""


def payloads(name: str, root: Any, see: See, around: Around = NOTHING) -> Iterator[Found]:
    """Yield the bytes in a message called `name` that members wrote, empty ones left out."""
    for place in _PLACES.get(name, ()):
        for path, struct in _each(root, place.inside, "", see):
            said = see(struct, place.protocol_type) if place.protocol_type else None
            type_ = said or around.protocol_type or place.type_if_unsaid
            protocol = (see(struct, place.protocol) if place.protocol else None) or around.protocol
            here = Around(type_, protocol)
            for where, item in _each(struct, place.each, path, see):
                if place.named:
                    here = Around(type_, see(item, "name"))
                for field, kind in place.fields:
                    data = see(item, field)
                    if data:
                        yield where + field, kind, data, here


def _each(item: Any, field: str, path: str, see: See) -> list[tuple[str, Any]]:
    """The elements of an array, the struct of a field, or, without a field, the item itself; each
    with what stands in front of its own fields' paths."""
    if not field:
        return [(path, item)]
    found = see(item, field)
    if found is None:
        return []
    front = path + field
    if isinstance(found, tuple | list):
        return [(f"{front}[{number}].", one) for number, one in enumerate(found)]
    return [(f"{front}.", found)]


of_message: See = getattr
"""A field of a message, or of a struct in it."""


def _of_tree(node: FieldNode, field: str) -> Any:
    """The same, of what was read, which need not be all."""
    child = next((child for child in _with_tagged(node.children) if child.name == field), None)
    if child is None:
        return None
    if child.type.startswith("[]"):
        return child.children
    return child if child.children else child.value


def _with_tagged(nodes: list[FieldNode]) -> Iterator[FieldNode]:
    """The fields, those that are tagged among them."""
    for node in nodes:
        yield node
        if node.name == "tagged_fields":
            yield from node.children


# -- what is written there


class _Layout(NamedTuple):
    """A message's layout, with what may stand in front of it."""

    name: str
    prefix: bytes = b""
    note: str = ""


_COOPERATIVE = _Layout("CooperativeStickyUserData")
_STICKY = _Layout("StickyAssignorUserData")
PREFIXED = _Layout(
    "StickyAssignorUserData",
    b"\0\1",
    "an int16 stands in front, as kafka-python 3 writes it; no other client reads that",
)
_TASKS, _GIVEN_TASKS = _Layout("SubscriptionInfoData"), _Layout("AssignmentInfo")
_NUMBERS = _Layout("StreamJoinSubscriptionUserData")
_EPOCH = _Layout("StreamJoinAssignmentUserData")

# By the assignor's name. The order is that of preference where bytes do not tell: four zero bytes
# are a generation far more often than a sticky assignment of version 0 without a topic.
_BY_PROTOCOL: dict[str, dict[str, tuple[_Layout, ...]]] = {
    IN_SUBSCRIPTION: {
        "cooperative-sticky": (_COOPERATIVE, _STICKY, PREFIXED),
        "sticky": (_STICKY, PREFIXED),
        "stream": (_TASKS,),
        "stream-join": (_NUMBERS,),
    },
    IN_ASSIGNMENT: {
        "cooperative-sticky": (_STICKY,),
        "sticky": (_STICKY,),
        "stream": (_GIVEN_TASKS,),
        "stream-join": (_EPOCH,),
    },
}
_BY_TYPE: dict[str, dict[str, _Layout]] = {
    METADATA: {
        "consumer": _Layout("ConsumerProtocolSubscription"),
        "connect": _Layout("ConnectProtocolMetadata"),
    },
    ASSIGNMENT: {
        "consumer": _Layout("ConsumerProtocolAssignment"),
        "connect": _Layout("ConnectProtocolAssignment"),
    },
}
_CONNECT_PROTOCOLS = ("default", "compatible", "sessioned")


def open_inside(outer: Decoded[Any], around: Around = NOTHING) -> tuple[Opened, ...]:
    """Return what is inside the fields of `outer` that were read, where it can be told."""
    name = outer.message_class.NAME
    if name not in _PLACES:
        return ()
    if is_large(outer):
        parts = payloads(name, outer.message, of_message, around) if outer.message else ()
        opened_parts = (open_payload(Payload(*part)) for part in parts)
        return tuple(opened for opened in opened_parts if opened is not None)
    root = FieldNode("", "", name, 0)
    root.children = list(outer.fields)
    ends = _ends(root.children)
    found = []
    for payload in payloads(name, root, _of_tree, around):
        path, kind, data, here = payload
        opened = open_payload(Payload(path, kind, data, here, ends[path] - len(data)))
        if opened is not None:
            found.append(opened)
    return tuple(found)


def _ends(nodes: list[FieldNode]) -> dict[str, int]:
    """Where each field of bytes ends, by path."""
    found = {}
    for node in nodes:
        if isinstance(node.value, bytes):
            found[node.path] = node.end
        found |= _ends(node.children)
    return found


def open_payload(payload: Payload) -> Opened | None:
    """Return what the bytes are; None if nothing is known that they could be."""
    layouts, expected = _layouts(payload)
    fitting = _fitting(payload.data, layouts)
    sure = fitting and payload.kind in _BY_TYPE
    other = None if sure else opaque(payload.data)
    if other is not None and (not fitting or not expected):
        rivals = tuple(f"{layout.name} v{version}" for layout, version, _ in fitting)
        return _of_no_message(payload, other, rivals)
    if not fitting:
        failing = _failing(payload.data, layouts) if expected else None
        if failing is None:
            return None
        fitting = [failing]
    (layout, version, decoded), *others = fitting
    rivals = tuple(f"{layout.name} v{version}" for layout, version, _ in others)
    return Opened(
        payload.path,
        payload.start + len(layout.prefix),
        layout.name,
        version,
        decoded,
        (*rivals, other.name) if other is not None else rivals,
        layout.note,
        None,
        open_inside(decoded, payload.around),
        payload.around,
    )


def _layouts(payload: Payload) -> tuple[tuple[_Layout, ...], bool]:
    """The layouts to try, and whether what stands around the bytes asks for one of them."""
    kind, (type_, protocol) = payload.kind, payload.around
    if kind == ALLOCATION:
        return (_BY_TYPE[ASSIGNMENT]["connect"],), True
    if kind in _BY_TYPE:
        known = _BY_TYPE[kind]
        if type_ is None and protocol in _CONNECT_PROTOCOLS:
            type_ = "connect"
        if type_ is None:
            return tuple(known.values()), True
        return ((known[type_],), True) if type_ in known else ((), False)
    by_protocol = _BY_PROTOCOL.get(kind, {})
    if protocol in by_protocol:
        return by_protocol[protocol], True
    every = dict.fromkeys(layout for known in by_protocol.values() for layout in known)
    return tuple(every), False


_Fit = tuple[_Layout, int | None, Decoded[Any]]


def _fitting(data: bytes, layouts: tuple[_Layout, ...]) -> list[_Fit]:
    """The readings that use all bytes, or as many as a reader of a newer version does."""
    found: list[_Fit] = []
    for layout in layouts:
        cls = message_class(layout.name)
        if data.startswith(layout.prefix):
            for version, seen in readings(data[len(layout.prefix) :], cls):
                newer = seen.version != seen.schema_version
                if seen.complete and (not seen.remainder or newer):
                    found.append((layout, version, seen))
    return sorted(found, key=lambda one: evidence(one[2])) if len(found) > 1 else found


def _failing(data: bytes, layouts: tuple[_Layout, ...]) -> _Fit | None:
    """Of the readings that do not fit the most credible one."""
    found: list[_Fit] = []
    for layout in layouts:
        cls = message_class(layout.name)
        latest = cls.LATEST if cls.FRAMING.kind == "none" else None
        if data.startswith(layout.prefix):
            seen = decode(
                data[len(layout.prefix) :], cls, policy=Policy.LENIENT, body_version=latest
            )
            found.append((layout, seen.version, seen))
    return min(found, key=lambda one: evidence(one[2]), default=None)


def _of_no_message(payload: Payload, other: Opaque, rivals: tuple[str, ...]) -> Opened:
    start, (name, value) = payload.start, other
    around = payload.around
    return Opened(payload.path, start, name, None, None, rivals, value=value, around=around)
