"""Lines of records for whole stretches of a log segment, written by the compiled core.

The core writes the lines of records about which nothing odd has to be said; what it asks of which
field, and the texts, are told to it from here. It asks back for what members' bytes have inside
where it does not know that, and hands back each record whose line `RecordLines` has to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...codec.dialect.spec import Field, Spec
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
from ..diagnose.clean_check import is_provable, is_sorted
from ..open.opening import METADATA, PREFIXED, Around, Payload, carries, open_payload
from .json_encoders import form_of_slot, is_simple
from .json_report import json_line, opened_report
from .record_lines import Kept, RecordLines

Kinds = Mapping[int, tuple[type[VersionedMessage], type[VersionedMessage]]]
"""Record type to the classes of key and value."""

Written = tuple[list[Any], int, int, int]
"""Lines as bytes and records that are handed back; bytes, batches and records that were read."""

Form = tuple[Any, ...]
"""The row that the core makes a form of: how the messages of a class are written."""

_RULES = {  # name and type of a field to what the core asks of it
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
    """Return the writer of what `lines` writes record by record; None without the core."""
    return None if CORE is None else CompiledLines(kinds, lines)


class CompiledLines:
    """Writes the records of plain batches, and says which are to be written by `RecordLines`."""

    def __init__(self, kinds: Kinds, lines: RecordLines) -> None:
        self._lines = lines
        self._kinds = kinds
        self._user_data = Kept()
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
                "mislabelled": [_mislabelled(version) for version in (1, 2, 3)],
            },
            self,
        )

    def write(self, data: bytes, at: int, source: str, partition: int | None) -> Written:
        """Write the records of the plain batches in `data` from `at` on, as many as there are, or
        as make some hundred kilobytes of lines."""
        if self._front[:2] != (source, partition):
            front = json_line({"source": source, "partition": partition})[:-1]
            self._front = source, partition, front
        written: Written = self._core.write(data, at, self._front[2])
        return written

    # -- what the core asks

    def forms(self, number: int) -> tuple[Form, Form] | None:
        """Return the forms of key and value of a record type, None where it is not for the core."""
        kind = self._kinds.get(number)
        if kind is None or not all(map(is_provable, kind)):
            return None
        key, value = kind
        return _form(key), _form(value)

    def opened(
        self, kind: str, content: bytes, protocol_type: str | None, protocol: str | None
    ) -> bytes:
        """Return what is inside a member's bytes, behind the path; nothing if that is unknown."""
        return self._lines.opened(kind, content, Around(protocol_type, protocol))

    def user_data(
        self, kind: str, content: bytes, protocol_type: str | None, protocol: str | None
    ) -> bytes:
        """Return the JSON of what is inside user data without a deviation (`user_data_deviations`),
        from behind its path on; empty where it may have one."""
        place = kind, content, protocol_type, protocol
        said = self._user_data.get(place)
        if said is None:
            opened = open_payload(Payload("", kind, content, Around(protocol_type, protocol)))
            said = b""
            if opened is not None and opened.decoded is not None and opened.name != _STICKY_NAME:
                said = json_line(opened_report(opened)).removeprefix(b'{"path":"",')
            self._user_data.keep(place, len(content), said)
        return said


_STICKY_NAME = StickyAssignorUserData.NAME


def _texts(name: str) -> tuple[bytes, bytes]:
    """What stands in front of a deviation's offset, and behind its count."""
    code = code_named(name)
    front = json_line({"code": code.code, "class": code.class_})[:-1]
    return front + b',"offset":', b"," + json_line({"explanation": code.explanation})[1:]


def _mislabelled(version: int) -> tuple[bytes, bytes, bytes]:
    """What is said of a subscription of version 0 that is labelled as `version`: the deviation, and
    the error in front of its offset, which is where the bytes end, and behind it."""
    data = version.to_bytes(2, "big") + ConsumerProtocolSubscription().to_body(0)
    opened = open_payload(Payload("", METADATA, data, Around("consumer", "range")))
    assert opened is not None
    made = opened_report(opened)
    deviation, error = json_line(made["deviations"][0]), json_line(made["error"])
    front, _, back = error.partition(b'"offset":%d' % len(data))
    return deviation, front + b'"offset":', back


def _form(cls: type[Message]) -> Form:
    """The row that the core's `Form` is made of."""
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
        rule = "entries" if any(one.snake == "topic" for one in inner) else rule
    return rule


def _default_texts(cls: type[Message]) -> dict[tuple[str, str], bytes]:
    """The defaults of fields that may be tagged, as JSON, by class and name; not those that are
    written in more than one way."""
    found: dict[tuple[str, str], set[bytes]] = {}
    for version in cls.VERSIONS:
        pending = [layout_of(cls, version)]
        for layout in pending:
            part: Any = cls if layout.struct is None else getattr(cls, layout.struct.class_name)
            for slot in layout.tagged:
                if is_simple(layout):
                    value = form_of_slot(slot, cls)(getattr(part(), slot.field.snake))
                    texts = found.setdefault((part.__name__, slot.field.snake), set())
                    texts.add(json_line(value))
            slots = (*layout.slots, *layout.tagged)
            pending += [slot.element for slot in slots if slot.element is not None]
    return {place: texts.pop() for place, texts in found.items() if len(texts) == 1}
