"""JSON lines for the records of whole batches of a log segment, written by the compiled core.

The core writes the lines of records without a deviation. This module tells it which rule to check
on which field, and the texts. The core calls back for the content of members' bytes that it does
not know, and hands back each record whose line `RecordLines` has to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.dialect.spec import Field, Spec
from ...codec.json_form import slot_converter
from ...codec.messages.assignment_info import AssignmentInfo
from ...codec.messages.consumer_protocol_assignment import ConsumerProtocolAssignment
from ...codec.messages.consumer_protocol_subscription import ConsumerProtocolSubscription
from ...codec.messages.group_metadata_value import GroupMetadataValue
from ...codec.messages.programs import PROGRAMS
from ...codec.messages.sticky_assignor_user_data import StickyAssignorUserData
from ...codec.read.deviations import code_named
from ...codec.runtime.engine import CORE
from ...codec.runtime.message import Message, VersionedMessage
from ...codec.runtime.registry import layout_of, spec_of
from ..diagnose.clean_check import is_sorted
from ..nested_bytes import METADATA, PREFIXED, Around, Payload, carries, open_payload
from ..recognition import BoundedCache
from ..shapes.shape import json_line
from .clean_reports import behind_path
from .message_report import opened_report
from .record_lines import RecordLines

Kinds = Mapping[int, tuple[type[VersionedMessage], type[VersionedMessage]]]
"""Record type to the classes of key and value."""

Written = tuple[list[Any], int, int, int]
"""Lines as bytes and the records that are handed back; numbers of bytes, batches and records that
were read."""

Form = tuple[Any, ...]
"""The arguments of the core's `Form`, which writes the messages of a class."""

_RULES = {  # name and type of a field to the rule that the core checks on it
    ("topic", "string"): "name",
    ("topics", "[]string"): "names",
    ("partitions", "[]int32"): "numbers",
    ("generation", "int32"): "generation",
    ("generation_id", "int32"): "generation",
    ("rack_id", "string"): "rack",
    ("user_data", "bytes"): "user data",
}
_OF_A_GROUP = {
    ("protocol_type", "string"): "protocol type",
    ("protocol", "string"): "protocol",
    ("subscription", "bytes"): "metadata",
    ("assignment", "bytes"): "assignment",
}
_OPENED = (GroupMetadataValue, ConsumerProtocolSubscription, ConsumerProtocolAssignment)
_STYLES = (  # the deviations that the core knows, in its order
    "unsorted",
    "empty-not-null",
    "empty-rack",
    "prefixed-user-data",
    "sticky-under-cooperative",
    "sticky-in-assignment",
)


def compiled_lines(kinds: Kinds, lines: RecordLines) -> CompiledLines | None:
    """Return a writer of the lines that `lines` writes record by record; None without the core."""
    return None if CORE is None else CompiledLines(kinds, lines)


class CompiledLines:
    """A writer of the lines of plain batches, which hands back the records for `RecordLines`."""

    def __init__(self, kinds: Kinds, lines: RecordLines) -> None:
        self._lines = lines
        self._kinds = kinds
        self._user_data = BoundedCache[bytes]()
        self._front: tuple[str, int | None, bytes] = ("", None, b"")
        self._core = CORE.Lines(
            (
                _form(ConsumerProtocolSubscription),
                _form(ConsumerProtocolAssignment),
                _form(StickyAssignorUserData),
                _form(AssignmentInfo),
            ),
            {
                "styles": [_texts(name) for name in _STYLES],
                "prefixed": b"," + json_line({"note": PREFIXED.note})[1:],
                "mislabelled": [
                    _mislabelled(version)
                    for version in range(1, ConsumerProtocolSubscription.LATEST + 1)
                ],
            },
            self,
        )

    def write(self, data: bytes, at: int, source: str, partition: int | None) -> Written:
        """Write the records of the plain batches in `data` from position `at` on, up to some
        hundred kilobytes of lines."""
        if self._front[:2] != (source, partition):
            front = json_line({"source": source, "partition": partition})[:-1]
            self._front = source, partition, front
        written: Written = self._core.write(data, at, self._front[2])
        return written

    # -- what the core calls back

    def forms(self, number: int) -> tuple[Form, Form] | None:
        """Return the forms of key and value of a record type; None where the core cannot write
        it."""
        kind = self._kinds.get(number)
        if kind is None or not all(map(_has_known_keys, kind)):
            return None
        key, value = kind
        return _form(key), _form(value)

    def opened(
        self, kind: str, content: bytes, protocol_type: str | None, protocol: str | None
    ) -> bytes:
        """Return the JSON of what is inside a member's bytes, from behind its path on; empty if
        that is unknown."""
        return self._lines.reports.opened(kind, content, Around(protocol_type, protocol))

    def user_data(
        self, kind: str, content: bytes, protocol_type: str | None, protocol: str | None
    ) -> bytes:
        """Return the JSON of what is inside user data without a deviation (`user_data_deviations`),
        from behind its path on; empty where it may have one."""
        place = kind, content, protocol_type, protocol
        text = self._user_data.get(place)
        if text is None:
            result = open_payload(Payload("", kind, content, Around(protocol_type, protocol)))
            text = b""
            if result is not None and result.decoded is not None and result.name != _STICKY_NAME:
                text = behind_path(opened_report(result))
            self._user_data.keep(place, len(content) + len(text), text)
        return text


_STICKY_NAME = StickyAssignorUserData.NAME


def _has_known_keys(cls: type[Message]) -> bool:
    """Whether topics are the only map keys of a message, whose order the core checks."""
    fields = [field for struct in spec_of(cls).structs.values() for field in struct.fields]
    return not any(field.map_key and field.snake != "topic" for field in fields)


def _texts(name: str) -> tuple[bytes, bytes]:
    """The JSON of a deviation up to its offset, and from behind its count on."""
    code = code_named(name)
    front = json_line({"code": code.code, "class": code.class_})[:-1]
    return front + b',"offset":', b"," + json_line({"explanation": code.explanation})[1:]


def _mislabelled(version: int) -> tuple[bytes, bytes, bytes]:
    """The JSON of a version 0 subscription that is labelled as `version`: its deviation, and its
    error up to the offset, which is where the bytes end, and from behind it on."""
    data = version.to_bytes(2, "big") + ConsumerProtocolSubscription().to_body(0)
    result = open_payload(Payload("", METADATA, data, Around("consumer", "range")))
    assert result is not None
    inside = opened_report(result)
    error = json_line(inside.error)
    front, _, back = error.partition(b'"offset":%d' % len(data))
    return json_line(inside.deviations[0]), front + b'"offset":', back


def _form(cls: type[Message]) -> Form:
    """The arguments of the core's `Form` for a class."""
    front, layouts, versions, head, names = PROGRAMS[cls.__name__]
    spec = spec_of(cls)
    structs = {struct.class_name: struct.fields for struct in spec.structs.values()}
    texts = _default_texts(cls)
    classes = [
        [
            (field.camel, field.snake, _rule(field, spec, cls), texts.get((name, field.snake)))
            for field in structs.get(name, spec.fields)
        ]
        for name in names
    ]
    return cls.NAME, is_sorted(cls), front, layouts, versions, head, classes


def _rule(field: Field, spec: Spec, cls: type[Message]) -> str:
    place = field.snake, str(field.type)
    rule = _RULES.get(place, "")
    if cls is GroupMetadataValue:
        rule = _OF_A_GROUP.get(place, rule)
    elif field.type.name == "bytes" and carries(cls.NAME) and cls not in _OPENED:
        rule = "closed"
    elif field.type.is_struct and field.type.array:
        inner = spec.structs[field.type.name].fields
        rule = "entries" if any(key.snake == "topic" for key in inner) else rule
    return rule


def _default_texts(cls: type[Message]) -> dict[tuple[str, str], bytes]:
    """The defaults of fields that may be tagged, as JSON, by class and name, except those whose
    JSON depends on the version."""
    texts: dict[tuple[str, str], set[bytes]] = {}
    for version in cls.VERSIONS:
        layouts = [layout_of(cls, version)]
        for layout in layouts:
            part: Any = cls if layout.struct is None else getattr(cls, layout.struct.class_name)
            for slot in layout.tagged:
                value = slot_converter(slot, cls)(getattr(part(), slot.field.snake))
                texts.setdefault((part.__name__, slot.field.snake), set()).add(json_line(value))
            slots = (*layout.slots, *layout.tagged)
            layouts += [slot.element for slot in slots if slot.element is not None]
    return {place: values.pop() for place, values in texts.items() if len(values) == 1}
