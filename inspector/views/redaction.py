"""Hide names and user data, for a bug report; lengths and structure stay.

A name (of a topic, group, member, client, host, rack) becomes a placeholder, the same one for the
same name: `<topic-1>`. A topic, a group and a client of one name have one each. Bytes that cannot
be opened are hidden whole, and numbers inside user data too, since it is not certain what they are.
Of the hex only lengths, counts and numbers stay. Public names (`consumer`, those of known
assignors) stay in fields that hold a protocol's name.

Redaction works on what was read. Where bytes were refused, text may have been read as a number
before that was noticed: look at the result before you pass it on.
"""

from __future__ import annotations

import hmac
from collections import Counter
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from ...codec.dialect.names import snake
from ...codec.dialect.spec import FIXED_BYTES
from ...codec.read.deviations import CODES, Deviation
from ...codec.read.diagnostic_reader import FieldNode
from ...wording import counted
from ..shapes.decoded import Part
from .display_tree import DisplayTree, Line

USER_DATA = "user_data"
_KINDS = (  # what a placeholder is called, by a word in the field's name; the first that fits
    "topic", "group", "client", "host", "rack", "member", "leader", "instance", "process",
    "source", "uuid", "reason", "cluster", "team",
    "user_data", "metadata", "assignment", "subscription", "allocation",
)  # fmt: skip
_SAME_KIND = {"leader": "member"}
_APART = frozenset(["topic", "group", "client"])
"""Kinds of which one name has a placeholder each: a group is often called after its topic."""
_PROTOCOL_FIELDS = {"protocol_type", "protocol_name", "protocol", "protocol_data", "name",
                    "group_type", "group_state", "state", "assignor", "server_assignor",
                    "preferred_server_assignor", "assignor_name"}  # fmt: skip
_PUBLIC = frozenset(
    "consumer connect share streams classic range roundrobin sticky cooperative-sticky stream "
    "stream-join uniform default compatible sessioned RoundRobinAssigner faust simple sr "
    "Empty Stable PreparingRebalance CompletingRebalance Dead Assigning Reconciling".split()
)


class Redaction:
    """The placeholders that were given so far; one object for everything that is shown together."""

    def __init__(self) -> None:
        self._given: dict[str, dict[str, str]] = {}
        self._numbers: Counter[str] = Counter()

    def name(self, value: str, field: str) -> str:
        """Return the placeholder of a name, called after its `field`. An empty name stays empty."""
        if not value or (field in _PROTOCOL_FIELDS and value in _PUBLIC):
            return f'"{value}"'
        kind = next((kind for kind in _KINDS if kind in field), "name")
        kind = _SAME_KIND.get(kind, kind)
        if kind == "host":
            value = value.removeprefix("/")  # records have it, and other answers do not
        given = self._given.setdefault(value, {})
        if kind not in given:
            same = next((given[other] for other in given if not {kind, other} <= _APART), None)
            given[kind] = same or self.stand_in(value, kind)
        return given[kind]

    def stand_in(self, value: str, kind: str) -> str:
        """Return the placeholder of a new name of a kind."""
        self._numbers[kind] += 1
        return f"<{kind}-{self._numbers[kind]}>"

    def hidden(self, value: UUID | bytes) -> str:
        """Return the placeholder of a uuid, or of bytes."""
        return self.name(str(value), "uuid") if isinstance(value, UUID) else _hidden(len(value))

    def apply(self, tree: DisplayTree) -> None:
        """Hide names and user data in the tree, in the hex and in what deviations quote."""
        tree.masked = bytearray(b"\1" * len(tree.data))
        for line, _ in tree.walk():
            self._line(line, tree.masked)
        tree.deviations = tuple(map(_without_quotes, tree.deviations))

    def _line(self, line: Line, masked: bytearray) -> None:
        if line.state != "fold" and line.node is not None and line.start < line.head:
            masked[line.start : line.head] = bytes(line.head - line.start)
        if line.state == "rest":
            line.text = _hidden(line.end - line.start)
        elif line.node is not None and not line.children:
            placeholder = self._leaf(line, line.node)
            if placeholder is not None:
                line.text = placeholder
            elif line.node.complete:
                masked[line.start : line.end] = bytes(line.end - line.start)

    def _leaf(self, line: Line, node: FieldNode) -> str | None:
        """The placeholder of a value; None where the value may be shown."""
        value = node.value
        match value:
            case None | b"" | () | "":
                return None
            case str():
                return self.name(value, _field(line.key, node.name))
            case UUID() | bytes():
                return self.hidden(value)
            case _:
                pass
        if _is_number(node) and USER_DATA not in line.key.split("."):
            return None
        return f"{counted(len(value), 'item')}, hidden" if isinstance(value, tuple) else "hidden"


class KeyedRedaction(Redaction):
    """Placeholders that a key and the name decide: the same in every run with that key."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key

    def stand_in(self, value: str, kind: str) -> str:
        """Return the placeholder of a new name of a kind."""
        return f"<{kind}-{hmac.digest(self._key, value.encode(), 'sha256').hex()[:8]}>"


def _field(key: str, name: str) -> str:
    return key.rpartition(".")[2] if name.startswith("[") else name


def _is_number(node: FieldNode) -> bool:
    kind = node.type.removeprefix("[]")
    return kind in FIXED_BYTES and kind != "uuid"


def _hidden(size: int) -> str:
    return f"{counted(size, 'byte')}, hidden"


def _without_quotes(deviation: Deviation) -> Deviation:
    """The deviation with the explanation of its code, which quotes nothing; the class evolution
    quotes versions and sizes alone."""
    if deviation.class_ == "evolution":
        return deviation
    return replace(deviation, explanation=CODES[deviation.code].explanation)


# -- the same for JSON

_HIDDEN = "<hidden>"
_HEX = ("remainder", "data", "hex")
_LISTS = ("opened", "unknownTaggedFields")
_NAMES = {"connection": "host", "source": "source", "client": "client"}


def redacted(obj: dict[str, Any], redaction: Redaction, *, private: bool = False) -> Any:
    """Return a JSON object of `shapes.decoded` with names and user data hidden. `private`: it is
    inside user data."""
    is_text = obj.get("version", 0) is None and obj.get("message") is not None
    return {
        key: _HIDDEN if is_text and key == "message" else _redacted(key, value, redaction, private)
        for key, value in obj.items()
        if key != "fields"  # whose values would have to be hidden one by one
    }


def _redacted(key: str, value: Any, redaction: Redaction, private: bool) -> Any:
    match value:
        case _ if key in ("message", "read"):
            hidden = _message(value, "", redaction, private)
        case str() if key in _HEX:
            hidden = f"<{_hidden(len(value) // 2)}>" if value else value
        case str() if key in _NAMES:
            hidden = redaction.name(value, _NAMES[key])
        case list() if key == "deviations":
            hidden = [_without_quote(deviation) for deviation in value]
        case list() if key in _LISTS:
            hidden = [
                redacted(item, redaction, private=private or _is_user_data(item)) for item in value
            ]
        case dict():
            hidden = redacted(value, redaction, private=private)
        case _:
            hidden = value
    return hidden


def redacted_part(part: Part, path: str, redaction: Redaction) -> Part:
    """Return what is printed of the field `path` with names, user data and all of the hex
    hidden."""
    *above, name = path.split(".")
    private = USER_DATA in above or name == USER_DATA
    value = _message(part.value, name.partition("[")[0], redaction, private)
    return replace(part, hex=f"<{_hidden(len(part.hex or '') // 2)}>", value=value)


def _is_user_data(content: dict[str, Any]) -> bool:
    return str(content["path"]).endswith(USER_DATA)


def _without_quote(deviation: dict[str, Any]) -> dict[str, Any]:
    if deviation["class"] == "evolution":
        return deviation
    return deviation | {"explanation": CODES[deviation["code"]].explanation}


def _message(value: Any, field: str, redaction: Redaction, private: bool) -> Any:
    """A value with names hidden. Bytes are in base64 here, and get placeholders like names."""
    match value:
        case dict():
            return {key: _message(item, key, redaction, private) for key, item in value.items()}
        case list():
            return [_message(item, field, redaction, private) for item in value]
        case str():
            return redaction.name(value, snake(field) if field else "").strip('"')
        case bool() | int() | float() if private:
            return _HIDDEN
    return value
