"""Open the bytes inside a message that group members exchange and brokers do not read.

What these bytes are follows from fields next to them. The protocol type says whether a member's
metadata is a consumer's subscription or a Connect worker's; the protocol, which is the assignor's
name, says what the user data in it is:

    JoinGroup, SyncGroup, a described group, a stored group
        metadata, assignment          by protocol type: "consumer", "connect"
            user data                 by protocol: "sticky", "stream", …
            allocation                a worker's own assignment

Several clients write another client's layout under an assignor's name (librdkafka and franz-go
write sticky's under `cooperative-sticky`, in the assignment too), so every layout that is known to
be written in a place is tried; a layout fits if it uses all bytes. Where protocol type or protocol
are not known, every layout of such a place is tried. The other layouts that fit are `rivals`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from .. import capture, inspector
from ..codec.messages import message_class
from ..codec.read.decoding import Decoded, Policy, decode
from ..codec.read.deviations import CODES, Deviation
from ..codec.read.diagnostic_reader import FieldNode
from ..codec.read.shape import shape_of
from ..codec.runtime.message import Message, MessagePart
from .candidates import (
    EACH_WITH_USER_DATA,
    WITHOUT_USER_DATA,
    evidence,
    is_newer_of_streams,
    is_newer_record,
    is_without_user_data,
    readings,
    text_read,
    with_one_user_data,
)


class Around(msgspec.Struct, frozen=True):
    """The group's protocol type ("consumer") and chosen protocol ("sticky"), None where unknown.
    What a message says itself takes precedence."""

    protocol_type: str | None = None
    protocol: str | None = None


NOTHING = Around()


class Payload(NamedTuple):
    """The bytes of a field that members wrote, before they are opened.

    `path` is the field's in the outer message; `kind` is METADATA or another of the constants
    below; `around` is what is known of the group; `start` is where the bytes begin in the outer
    message's, 0 where that was not looked up.
    """

    path: str
    kind: str
    data: bytes
    around: Around
    start: int = 0


class Opened(msgspec.Struct, frozen=True):
    """A `Payload` as what it was read as.

    `path` is the field's in the outer message; `start` is where the inner message begins in the
    outer one's bytes (0 where that is too large to look it up). `name` is the message's; for bytes
    that are no message it says what they are ("JSON", "text", …), `version` and `decoded` are None,
    and `value` is the text or the JSON value, None where it is not known. `rivals` are the other
    readings that fit ("StickyAssignorUserData v0"); `note` says what is odd about the chosen one;
    `opened` is what is inside of it; `around` is what is known of the group.
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


# -- messages too large to be taken apart
#
# A tree of fields costs many times what reading costs: half a million empty strings fit into a
# megabyte, and each would be a node with a path. The number of elements decides, not the size
# alone: a group of two thousand members is large and has few elements.

NEVER_LARGE = 1 << 20
"""Bytes up to which a message is taken apart, whatever is in it."""
MAX_PARTS = 200_000
"""Array elements, in all, up to which a longer message is, if it was read completely."""

NOT_JUDGED = "too large to be searched for what deviates"

_REFUSED = "Apache Kafka 4.0 and newer refuse JoinGroup 0 and 1 (KIP-896)."
_OLD_VERSIONS = {
    ("JoinGroupRequest", 0): "Version 0 has no rebalance timeout: the session timeout stands for "
    f"both. {_REFUSED}",
    ("JoinGroupRequest", 1): _REFUSED,
}


_NEWER_RECORD = (
    "version {} is newer than the newest known one, {}, in which the fields are read here: a "
    "guess. A broker that does not know it (UnknownRecordVersionException in 4.x) stops loading "
    "that partition of the offsets topic: all groups of it are without a coordinator"
)


def remark_on_version(decoded: Decoded[Any]) -> str:
    """Return what is to be said of a message's version, "" for nothing."""
    if is_newer_record(decoded):
        return _NEWER_RECORD.format(decoded.version, decoded.schema_version)
    version = decoded.version if decoded.version is not None else decoded.schema_version
    return remark_on_old(decoded.message_class.NAME, -1 if version is None else version)


def remark_on_old(name: str, version: int) -> str:
    """Return what is to be said of an old version of a message, "" for nothing."""
    return _OLD_VERSIONS.get((name, version), "")


def is_large(seen: Decoded[Any]) -> bool:
    """Return whether `seen.fields` and `seen.deviations` cost too much to be computed."""
    return has_many_parts(seen.message, len(seen.data))


def has_many_parts(message: Message | None, size: int) -> bool:
    """Return whether a message of `size` bytes, None where it was not read, is too large to be
    taken apart."""
    return size > NEVER_LARGE and (message is None or _parts(message) > MAX_PARTS)


def _parts(item: MessagePart) -> int:
    number = 0
    for name in item.__struct_fields__:
        value = getattr(item, name)
        if isinstance(value, tuple):
            number += len(value)
            if number > MAX_PARTS:
                break
            number += sum(_parts(element) for element in value if isinstance(element, MessagePart))
        elif isinstance(value, MessagePart):
            number += _parts(value)
    return number


# -- which fields hold payloads

METADATA, ASSIGNMENT, ALLOCATION, TEXT = "metadata", "assignment", "allocation", "text"
IN_SUBSCRIPTION, IN_ASSIGNMENT = "user data of a subscription", "user data of an assignment"


class _Place(msgspec.Struct, frozen=True):
    """The `fields` of a message that hold payloads, by name and kind.

    They are fields of each element of the array `each`, or of the message itself; with `inside`, of
    that struct or of each struct of that array. `protocol_type` and `protocol` name the fields that
    say what the group uses; with `named`, the element's own `name` is the protocol.
    `type_if_unsaid` is the protocol type where no field says one.
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
    # A member that uses the classic protocol in a group of the new one (online migration, KIP-848).
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

GetField = Callable[[Any, str], Any]
"""Returns the value of a field, of a message's part or of the tree of what was read of one."""


def carries(name: str) -> bool:
    """Return whether a message called `name` has fields that hold payloads."""
    return name in _PLACES


def payloads(name: str, root: Any, get: GetField, around: Around = NOTHING) -> Iterator[Payload]:
    """Yield the payloads in a message called `name`, except empty ones, without their `start`."""
    for place in _PLACES.get(name, ()):
        for path, struct in _each(root, place.inside, "", get):
            said = get(struct, place.protocol_type) if place.protocol_type else None
            type_ = said or around.protocol_type or place.type_if_unsaid
            protocol = (get(struct, place.protocol) if place.protocol else None) or around.protocol
            here = Around(type_, protocol)
            for where, item in _each(struct, place.each, path, get):
                if place.named:
                    here = Around(type_, get(item, "name"))
                for field, kind in place.fields:
                    data = get(item, field)
                    if data:
                        yield Payload(where + field, kind, data, here)


def _each(item: Any, field: str, path: str, get: GetField) -> list[tuple[str, Any]]:
    """The elements of an array, the struct of a field, or, without a field, the item itself; each
    with the prefix of its fields' paths."""
    if not field:
        return [(path, item)]
    value = get(item, field)
    if value is None:
        return []
    front = path + field
    if isinstance(value, tuple | list):
        return [(f"{front}[{number}].", element) for number, element in enumerate(value)]
    return [(f"{front}.", value)]


field_of_message: GetField = getattr


def _field_of_tree(node: FieldNode, field: str) -> Any:
    """The value of a field in the tree of what was read, which need not be complete."""
    child = next((child for child in _with_tagged(node.children) if child.name == field), None)
    if child is None:
        return None
    if child.type.startswith("[]"):
        return child.children
    return child if child.children else child.value


def _with_tagged(nodes: list[FieldNode]) -> Iterator[FieldNode]:
    """The fields, including the tagged ones."""
    for node in nodes:
        yield node
        if node.name == "tagged_fields":
            yield from node.children


# -- which layouts a payload may have


class _Layout(msgspec.Struct, frozen=True):
    """A message's layout, with the bytes that a client writes before it. `never` are bytes of the
    layout that no client writes there."""

    name: str
    prefix: bytes = b""
    note: str = ""
    never: bytes | None = None


_COOPERATIVE = _Layout("CooperativeStickyUserData")
_COPIED = _Layout(
    "CooperativeStickyUserData",
    note="the member's own user data, which a librdkafka leader copies into its assignment",
    never=bytes(4),  # generations begin with 1, and -1 is none
)
_STICKY = _Layout("StickyAssignorUserData")
PREFIXED = _Layout(
    "StickyAssignorUserData",
    b"\0\1",
    "an int16 comes first, as kafka-python 3 writes it; no other client reads that",
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
        "cooperative-sticky": (_STICKY, _COPIED),
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
        parts = outer.message and payloads(name, outer.message, field_of_message, around)
        opened_parts = map(open_payload, parts or ())
        return tuple(result for result in opened_parts if result is not None)
    root = FieldNode("", "", name, 0)
    root.children = list(outer.fields)
    ends = _ends(root.children)
    results = []
    for payload in payloads(name, root, _field_of_tree, around):
        start = ends[payload.path] - len(payload.data)
        result = open_payload(payload._replace(start=start))
        if result is not None:
            results.append(result)
    return tuple(results)


def _ends(nodes: list[FieldNode]) -> dict[str, int]:
    """The position where each field of bytes ends, by path."""
    ends = {}
    for node in nodes:
        if isinstance(node.value, bytes):
            ends[node.path] = node.end
        ends |= _ends(node.children)
    return ends


_COMMITS = ("OffsetCommitValue", "LegacyOffsetCommitValue")


def open_committed(outer: Decoded[Any]) -> tuple[Opened, ...]:
    """Return what the metadata of a commit is, a text that its client alone reads; nothing for any
    other message. Records of a log, which are many, are shown without it."""
    if outer.message_class.NAME not in _COMMITS or is_large(outer):
        return ()
    node = next((node for node in outer.fields if node.name == "metadata" and node.value), None)
    metadata = None if node is None else inspector.committed_metadata(node.value.encode())
    if node is None or metadata is None:
        return ()
    start = node.end - len(node.value.encode())
    return (Opened("metadata", start, metadata[0], None, None, value=metadata[1]),)


def open_payload(payload: Payload) -> Opened | None:
    """Return what the payload was read as; None if nothing is known that it could be."""
    layouts, expected = _layouts(payload)
    fitting = _fitting(payload, layouts)
    certain = fitting and payload.kind in _BY_TYPE
    text = None if certain else user_text(payload.data)
    if text is not None and (not fitting or not expected):
        return _of_no_message(payload, text, tuple(map(_label, fitting)))
    if certain and _has_foreign_user_data(fitting[0]):
        fitting = [*_in_wrong_place(payload), *fitting]
    if not fitting and not expected:
        fitting = _newer_of_streams(payload, layouts)
    elif not fitting:
        if (mistaken := _of_known_mistake(payload)) is not None:
            return mistaken
        fitting = _failing(payload, layouts)
        if not any(map(_is_mislabelled, fitting)):
            fitting = _in_wrong_place(payload) or fitting
    if not fitting:
        return None
    chosen, *others = fitting
    assert chosen.decoded is not None
    rivals = (*map(_label, others), *(() if text is None else (text.name,)))
    inside = open_inside(chosen.decoded, payload.around)
    return replace(chosen, rivals=rivals, opened=inside) if rivals or inside else chosen


_OTHER_PLACE = {METADATA: ASSIGNMENT, ASSIGNMENT: METADATA}


_BELONGS = {METADATA: "metadata", ASSIGNMENT: "an assignment"}


def wrong_place(kind: str) -> str:
    """Return the sentence about a message in a field of that kind, where the other one of METADATA
    and ASSIGNMENT belongs."""
    return (
        f"in the wrong place: the field is for {_BELONGS[kind]}, and the program that filled it is "
        "at fault"
    )


_SHORT = 4096  # bytes: members repeat theirs in each record, and longer ones would fill memory


def name_in_wrong_place(data: bytes, kind: str, protocol_type: str) -> str:
    """Return the name of the message in a field (METADATA or ASSIGNMENT) where the other one of the
    two belongs; "" where the field is sound, or holds neither.

    An audit asks that of every member in every record. Hardly any has bytes that the other message
    would end with, which is seen without reading a value.
    """
    layout = _BY_TYPE[_OTHER_PLACE[kind]].get(protocol_type)
    if layout is None or not _fits(data, layout.name):
        return ""
    look = _name_in_short if len(data) <= _SHORT else _name_in_wrong_place
    return look(data, kind, protocol_type)


def _fits(data: bytes, name: str) -> bool:
    """Whether a message of the version that the bytes begin with would end where they end."""
    is_message, end = shape_of(name).end(int.from_bytes(data[:2], "big"), data, 2)
    return is_message and end in (len(data), None)


def _name_in_wrong_place(data: bytes, kind: str, protocol_type: str) -> str:
    result = open_payload(Payload("", kind, data, Around(protocol_type)))
    return result.name if result is not None and result.note == wrong_place(kind) else ""


_name_in_short = lru_cache(maxsize=4096)(_name_in_wrong_place)


def _of_known_mistake(payload: Payload) -> Opened | None:
    """An assignment with user data after every topic, which is shown as what it was to say; None
    for any other bytes."""
    name = _BY_TYPE[ASSIGNMENT]["consumer"].name
    is_consumers = payload.around.protocol_type in (None, "consumer")
    if payload.kind != ASSIGNMENT or not is_consumers:
        return None
    plain = with_one_user_data(payload.data)
    assignment = (
        None if plain is None else decode(plain, message_class(name), policy=Policy.LENIENT)
    )
    if assignment is None or assignment.message is None or not text_read(assignment.fields):
        return None
    return Opened(
        payload.path, payload.start, EACH_WITH_USER_DATA, None, None,
        value=assignment.message.to_json(assignment.schema_version), around=payload.around,
    )  # fmt: skip


def _is_mislabelled(reading: Opened) -> bool:
    """Whether the label alone is wrong (KP040)."""
    return reading.decoded is not None and reading.decoded.as_older_body is not None


def _has_foreign_user_data(reading: Opened) -> bool:
    """Whether user data in a reading is in no layout that is known."""
    decoded = reading.decoded
    if not getattr(decoded and decoded.message, "user_data", None):
        return False
    assert decoded is not None
    deviations = user_data_deviations(decoded, open_inside(decoded, reading.around))
    return any(deviation.code == "KP073" for deviation in deviations)


def _in_wrong_place(payload: Payload) -> list[Opened]:
    """The readings of an assignment where metadata belongs, or of metadata where an assignment
    does; with user data in no known layout, a message that was cut is as likely."""
    place = _OTHER_PLACE.get(payload.kind)
    if place is None:
        return []
    note = wrong_place(payload.kind)
    layouts, _ = _layouts(payload._replace(kind=place))
    return [
        replace(reading, note=note)
        for reading in _fitting(payload, layouts)
        if reading.decoded is not None
        and not reading.decoded.deviations
        and not user_data_deviations(reading.decoded, open_inside(reading.decoded))
        and text_read(reading.decoded.fields)
    ]


def _of_no_message(payload: Payload, text: UserText, rivals: tuple[str, ...]) -> Opened:
    path, start, around = payload.path, payload.start, payload.around
    return Opened(path, start, text.name, None, None, rivals, value=text.value, around=around)


def _label(reading: Opened) -> str:
    return f"{reading.name} v{reading.version}"


def _layouts(payload: Payload) -> tuple[tuple[_Layout, ...], bool]:
    """The layouts to try, and whether protocol type or protocol call for one of them."""
    kind = payload.kind
    type_, protocol = payload.around.protocol_type, payload.around.protocol
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
    layouts = dict.fromkeys(layout for known in by_protocol.values() for layout in known)
    return tuple(layouts), False


def _fitting(payload: Payload, layouts: tuple[_Layout, ...]) -> list[Opened]:
    """The readings that use all bytes, or as many as a reader of a newer version does; the most
    credible one first."""
    results = []
    for layout in layouts:
        if payload.data.startswith(layout.prefix) and payload.data != layout.never:
            rest = payload.data[len(layout.prefix) :]
            for version, seen in readings(rest, message_class(layout.name)):
                newer = seen.version != seen.schema_version and _is_likely_head(seen)
                if seen.complete and (not seen.remainder or newer):
                    results.append((seen, _reading(payload, layout, version, seen)))
    if len(results) > 1:
        results.sort(key=lambda pair: evidence(pair[0]))
    return [reading for _, reading in results]


_NEWER_BY = 32  # versions that a layout to come may be ahead
_NEWER = (
    "newer than the newest known version, {}: the leader answers in the version that it knows, and "
    "the member goes on with that one (KIP-268)"
)

_NEWER_TASKS = (
    "newer than the newest known version, {}: a leader writes the newest version that all members "
    "know (KIP-268), so that they are all newer"
)


def _is_newer_head(seen: Decoded[Any]) -> bool:
    """Whether only the versions were read, of a layout that is newer than those known."""
    return seen.message_class.FRAMING.newer == "head" and seen.schema_version is None


def _is_likely_head(seen: Decoded[Any]) -> bool:
    """Whether the version may be one to come: any four bytes are some version."""
    if not _is_newer_head(seen):
        return True
    return seen.version is not None and seen.version <= seen.message_class.LATEST + _NEWER_BY


def _failing(payload: Payload, layouts: tuple[_Layout, ...]) -> list[Opened]:
    """The most credible reading, where none fits; none where no layout can begin like this."""
    results = []
    for layout in layouts:
        cls = message_class(layout.name)
        latest = cls.LATEST if cls.FRAMING.kind == "none" else None
        if payload.data.startswith(layout.prefix):
            rest = payload.data[len(layout.prefix) :]
            seen = decode(rest, cls, policy=Policy.LENIENT, body_version=latest)
            results.append((seen, _reading(payload, layout, seen.version, seen)))
    if not results:
        return []
    return [min(results, key=lambda pair: evidence(pair[0]))[1]]


def _newer_of_streams(payload: Payload, layouts: tuple[_Layout, ...]) -> list[Opened]:
    """The readings as user data of Streams in a version that is newer than those known."""
    readings_ = (
        _reading(payload, layout, None, decode(payload.data, cls, policy=Policy.LENIENT))
        for layout in layouts
        if (cls := message_class(layout.name)).FRAMING.kind == "version32"
    )
    return [
        replace(reading, version=reading.decoded.version)
        for reading in readings_
        if reading.decoded is not None and is_newer_of_streams(reading.decoded)
    ]


def _is_newer_task(seen: Decoded[Any], around: Around) -> bool:
    """Whether bytes are an assignment of Streams in a newer version: the assignor's name says so,
    or the bytes do."""
    cls = seen.message_class
    is_above = cls.FRAMING.kind == "version32" and (seen.version or 0) > cls.LATEST
    return is_newer_of_streams(seen) or (is_above and around.protocol == _STREAM)


_STREAM = "stream"  # the name of the assignor of Kafka Streams


def _reading(payload: Payload, layout: _Layout, version: int | None, seen: Decoded[Any]) -> Opened:
    start = payload.start + len(layout.prefix)
    note, around = layout.note, payload.around
    is_named = around.protocol == _STREAM
    if _is_newer_head(seen) and (is_named or _is_likely_head(seen)):
        note = _NEWER.format(seen.message_class.LATEST)
    elif _is_newer_task(seen, around):
        note = _NEWER_TASKS.format(seen.message_class.LATEST)
    elif is_without_user_data(seen):
        note = WITHOUT_USER_DATA
    return Opened(payload.path, start, layout.name, version, seen, note=note, around=around)


MAX_INFLATED = 1 << 20
"""The most bytes that compressed user data may have once inflated; larger data is not read."""
MAX_DEPTH = 64
"""Levels of nesting in a JSON value; JSON that is nested deeper is taken for text."""

_ZLIB_DEFLATE = 0x78  # deflate, with the window that everybody uses
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_NEITHER = object()


class UserText(msgspec.Struct, frozen=True):
    """Bytes that are no message: `name` says what they are ("text", "JSON", "zlib-compressed
    JSON", …), `value` is the text or JSON value, None where it is not known or too large."""

    name: str
    value: Any


def user_text(data: bytes) -> UserText | None:
    """Return what `data` is, if it is not so by accident; None for bytes that are neither text
    nor compressed."""
    if data.startswith(_GZIP):
        return _inflated(data, "gzip", wbits=31)
    if data.startswith(_ZSTD):
        return _of_zstd(data)
    if data[:1] and data[0] == _ZLIB_DEFLATE and int.from_bytes(data[:2], "big") % 31 == 0:
        return _inflated(data)
    return _written(data)


def _of_zstd(data: bytes) -> UserText | None:
    content = capture.compression.unpack_zstd(data, MAX_INFLATED)
    if content is None:
        name = f"zstd-compressed data of more than {MAX_INFLATED:,} bytes, or damaged"
        return UserText(name, None)
    return _compressed("zstd", content)


def _inflated(data: bytes, name: str = "zlib", wbits: int = zlib.MAX_WBITS) -> UserText | None:
    reader = zlib.decompressobj(wbits)
    try:
        content = reader.decompress(data, MAX_INFLATED)
        if not reader.eof and reader.decompress(reader.unconsumed_tail, 1):
            return UserText(f"{name}-compressed data of more than {MAX_INFLATED:,} bytes", None)
    except zlib.error:
        return _written(data)
    if not reader.eof or reader.unused_data:
        return _written(data)
    return _compressed(name, content)


def _compressed(name: str, content: bytes) -> UserText:
    inside = _written(content)
    name = f"{name}-compressed {inside.name if inside else 'data'}"
    return UserText(name, inside and inside.value)


def _written(data: bytes) -> UserText | None:
    if data[:1] in (b"{", b"["):
        value = _json(data)
        if value is not _NEITHER:
            return UserText("JSON", value)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    plain = all(char.isprintable() or char in "\t\r\n" for char in text)
    return UserText("text", text) if text and plain else None


def _json(data: bytes) -> Any:
    try:
        value = msgspec.json.decode(data)
        msgspec.json.encode(value)  # a number may be too large for it
    except (ValueError, OverflowError, RecursionError):
        return _NEITHER
    return value if _shallow(value, MAX_DEPTH) else _NEITHER


def _shallow(value: Any, levels: int) -> bool:
    """Whether a value has at most so many levels, so that it can be put inside others."""
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_shallow(item, levels - 1) for item in items)


_FIELD = "user_data"
_STICKY_DATA = "StickyAssignorUserData"
_ASSIGNMENT = "ConsumerProtocolAssignment"
_OUTER = ("ConsumerProtocolSubscription", _ASSIGNMENT)


def user_data_deviations(
    seen: Decoded[Any], inside: tuple[Opened, ...], around: Around = NOTHING
) -> tuple[Deviation, ...]:
    """Return the deviations of the user data of a subscription or assignment.

    `inside` is what `open_inside` returned for it; `around` names the assignor where it is known.
    """
    if seen.message_class.NAME not in _OUTER:
        return ()
    node = next((node for node in seen.fields if node.name == _FIELD and node.value), None)
    if node is None:
        return ()
    nested = next((part for part in inside if part.path == _FIELD), None)
    prefixed = nested is not None and nested.start > node.end - len(node.value)
    code, detail = ("KP070", "") if prefixed else _judged(seen, nested, around)
    if not code:
        return ()
    row = CODES[code]
    explanation = f"{row.explanation} ({detail})" if detail else row.explanation
    return (Deviation(code, row.class_, node.start, _FIELD, 1, explanation),)


def all_deviations(
    seen: Decoded[Any], inside: tuple[Opened, ...], around: Around = NOTHING
) -> tuple[Deviation, ...]:
    """Return the message's own deviations, those of its user data, and those of members without
    metadata, by offset; none for a message that is too large to be searched for them.
    """
    if is_large(seen):
        return ()
    if _is_newer_head(seen):  # which its readers expect, and which nobody else reads
        return tuple(row for row in seen.deviations if row.code not in ("KP020", "KP021"))
    besides = (*user_data_deviations(seen, inside, around), *_missing_metadata(seen))
    if not besides:
        return seen.deviations
    return tuple(sorted((*seen.deviations, *besides), key=lambda row: (row.offset, row.code)))


_METADATA_FIELDS = {
    "JoinGroupRequest": "metadata",
    "JoinGroupResponse": "metadata",
    "GroupMetadataValue": "subscription",
}


def _missing_metadata(seen: Decoded[Any]) -> Iterator[Deviation]:
    """A deviation for each member's metadata of zero bytes, in which there is nothing to open."""
    name = _METADATA_FIELDS.get(seen.message_class.NAME)
    if name is not None:
        code = CODES["KP015"]
        for node in _walk(seen.fields):
            if node.name == name and node.value == b"":
                yield Deviation(code.code, code.class_, node.start, node.path, 1, code.explanation)


def _walk(nodes: Iterable[FieldNode]) -> Iterator[FieldNode]:
    for node in nodes:
        yield node
        yield from _walk(node.children)


def _judged(seen: Decoded[Any], opened: Opened | None, around: Around) -> tuple[str, str]:
    """The code of the deviation, "" for none, and a detail for its explanation."""
    if opened is None:
        return "KP073", "of no known layout"
    if opened.decoded is None:
        return "KP073", opened.name
    if opened.name != _STICKY_DATA:
        return "", ""
    if seen.message_class.NAME == _ASSIGNMENT:
        return "KP072", ""
    return ("KP071" if _is_cooperative(seen, around) else ""), ""


def _is_cooperative(seen: Decoded[Any], around: Around) -> bool:
    """Whether the assignor is cooperative. Where it is not known, owned partitions tell: an eager
    member has none when it joins."""
    if around.protocol is not None:
        return around.protocol == "cooperative-sticky"
    return seen.message is not None and bool(seen.message.owned_partitions)
