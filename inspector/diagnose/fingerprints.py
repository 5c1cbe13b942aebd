"""Tell which clients could have written some bytes, and which certainly did not.

Clients of the consumer protocol have habits of writing, which `clients.catalog` holds. Bytes fit a
client if they fit one of its habits. A custom assignor that imitates another client is not
considered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import msgspec

from ... import codec
from ...clients.catalog import Habit, Writer, writers, writers_of
from ...codec.messages import MODULES, message_class
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import Buffer
from ...codec.runtime.registry import field_versions
from ..identification import examine
from ..nested_bytes import IN_ASSIGNMENT, IN_SUBSCRIPTION, Around, Payload, open_payload


class Fingerprint(msgspec.Struct, frozen=True):
    """The clients that could have written some bytes, and those that did not, each with the reason,
    by their labels ("kafka-clients 2.4 to 2.8.0"). Both are empty for messages other than those of
    the consumer protocol and of Connect, in which no client's habits show."""

    could: tuple[str, ...]
    ruled_out: dict[str, str]

    def allows(self, name: str, release: str) -> bool:
        """Return whether that release of that client could have written the bytes.

        Raises KeyError for a client that is not known here.
        """
        return any(writer.label in self.could for writer in writers_of(name, release))

    @property
    def in_short(self) -> tuple[str, ...]:
        """The clients that could have written the bytes, by name: "kafka-clients (2.4 to 2.8.0,
        2.8.1 to 3.3)", or "aiokafka" where all of its releases could."""
        return _in_short(self.could, frozenset(self.ruled_out))


@lru_cache(maxsize=1024)
def _in_short(could: tuple[str, ...], ruled_out: frozenset[str]) -> tuple[str, ...]:
    by_client: dict[str, list[str]] = {}
    for writer in writers():
        if writer.label in could:
            by_client.setdefault(writer.name, []).append(writer.releases)
    partly = {writer.name for writer in writers() if writer.label in ruled_out}
    return tuple(
        f"{name} ({', '.join(releases)})" if name in partly else name
        for name, releases in by_client.items()
    )


def without_names(writers_found: Fingerprint) -> Fingerprint:
    """Return the fingerprint without the name of an assignor, which may be somebody's own."""
    hidden = {
        label: f"{_NO_ASSIGNOR}of that name" if reason.startswith(_NO_ASSIGNOR) else reason
        for label, reason in writers_found.ruled_out.items()
    }
    return msgspec.structs.replace(writers_found, ruled_out=hidden)


_NO_ASSIGNOR = "has no assignor "


def fingerprint(
    data: Buffer | Decoded[Any], assignor: str | None = None, equals: tuple[str, ...] = ()
) -> Fingerprint:
    """Return which clients could have written bytes, or what they were decoded as.

    `assignor` is the assignor's name, where it is known. The type of bytes is identified. `equals`
    are the built-in messages that the bytes are as well as what they were decoded as: where no
    topic is named, the clients that could have written any of them are returned, and none is ruled
    out.

    >>> librdkafka = "000300000001000473656c660000000000000000ffffffff0000"
    >>> writer = fingerprint(bytes.fromhex(librdkafka))
    >>> writer.could, writer.ruled_out["kafka-clients 3.4 and newer"]
    (('librdkafka 2.2 and newer',), 'writes user data null, not empty')
    """
    if not isinstance(data, Decoded):
        examined = examine(bytes(data))
        if not examined.identified:
            return Fingerprint((), {})
        data, equals = examined.decoded, examined.equals
    first = _of_message(_as_labelled(data), assignor)
    names = [name for name in equals if name in _messages_of_clients()]
    could = {
        label
        for name in names
        for label in _of_message(decode(data.data, name, policy=Policy.LENIENT), assignor).could
    }
    if not could or _names_topics(data):
        return first
    could.update(first.could)
    return Fingerprint(tuple(w.label for w in writers() if w.label in could), {})


@lru_cache(maxsize=1 << 14)  # the members of a group are asked for again and again
def fingerprint_of_subscription(metadata: bytes, assignor: str | None) -> Fingerprint:
    """Return which clients could have written bytes that a member gave as its subscription."""
    subscription = decode(metadata, _SUBSCRIPTION, policy=Policy.LENIENT)
    return fingerprint(subscription, assignor)


_SUBSCRIPTION = "ConsumerProtocolSubscription"


def _of_message(result: Decoded[Any], assignor: str | None) -> Fingerprint:
    name = result.message_class.NAME
    if not result.data or name not in _messages_of_clients():
        return Fingerprint((), {})
    could, ruled_out = _could_and_ruled_out(name, _traits(result, assignor), assignor)
    return Fingerprint(could, dict(ruled_out))


def _names_topics(result: Decoded[Any]) -> bool:
    """Return whether a topic is named, by which a subscription and an assignment differ enough."""
    message = result.message
    return bool(getattr(message, "topics", ()) or getattr(message, "assigned_partitions", ()))


@lru_cache(maxsize=1)
def _messages_of_clients() -> frozenset[str]:
    """Return the messages that clients have habits of writing."""
    return frozenset(habit.message for writer in writers() for habit in writer.habits)


def _as_labelled(result: Decoded[Any]) -> Decoded[Any]:
    """Return the bytes as a reader has them that knows their version, whatever version they were
    read with (`reader_version`)."""
    label, cls = result.reading, result.message_class
    if label is None or not label.newer or label.version not in cls.VERSIONS:
        return result
    body_version = None if label.start else label.version
    return decode(result.data, cls, policy=Policy.LENIENT, body_version=body_version)


@lru_cache(maxsize=1024)
def _could_and_ruled_out(
    name: str, traits: _Traits, assignor: str | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The same, cached: members of a group, and of many groups, have the same traits."""
    reasons = [(writer.label, _reason(writer, name, traits, assignor)) for writer in writers()]
    could = tuple(label for label, reason in reasons if reason is None)
    return could, tuple((label, reason) for label, reason in reasons if reason is not None)


# -- the traits of bytes


class _Traits(msgspec.Struct, frozen=True):
    """What habits are compared with. `layout` is "" if the bytes can be read as no version, and
    then the rest has no meaning; `rack` is "" in versions that have none."""

    layout: str
    user_data: frozenset[str] = frozenset()
    rack: str = ""
    owns: bool = False
    unsorted: frozenset[str] = frozenset()
    merged: bool = True


def _traits(result: Decoded[Any], assignor: str | None) -> _Traits:
    layout, message = _layout(result)
    match _built_in_name(message):
        case "ConsumerProtocolSubscription":
            entries, kind = message.owned_partitions, IN_SUBSCRIPTION
            sorts = _orders(message.topics, "owned", entries)
            rack = "null" if message.rack_id is None else "text" if message.rack_id else "empty"
        case "ConsumerProtocolAssignment":
            entries, kind, rack = message.assigned_partitions, IN_ASSIGNMENT, ""
            sorts = _orders([entry.topic for entry in entries], "partitions", entries)
        case _:
            return _Traits(layout)
    return _Traits(
        layout,
        _forms(message.user_data, kind, assignor),
        rack if _has_rack(layout) else "",
        bool(entries),
        frozenset(name for name, values in sorts if not _ascends(values)),
        len({entry.topic for entry in entries}) == len(entries)
        and all(entry.partitions for entry in entries),
    )


def _built_in_name(message: Any) -> str:
    name = getattr(message, "NAME", "")
    return name if name in MODULES and isinstance(message, message_class(name)) else ""


def _has_rack(layout: str) -> bool:
    racks = field_versions(codec.ConsumerProtocolSubscription, "rack_id")
    return layout.isdecimal() and int(layout) in racks


def _orders(topics: Any, name: str, entries: Any) -> list[tuple[str, Any]]:
    """The lists that may be sorted: topics, the entries, and the partitions of each."""
    of_entries = [(name, [entry.topic for entry in entries])] if name == "owned" else []
    return [("topics", topics), *of_entries, *((name, entry.partitions) for entry in entries)]


def _layout(result: Decoded[Any]) -> tuple[str, Any]:
    """The label, with the version of the body where that is another one, and the message."""
    if result.complete:
        return ("" if result.remainder else str(result.version)), result.message
    older = result.as_older_body
    if older is None:
        return "", None
    return f"{result.version} on {older.schema_version}", older.message


def _ascends(values: Any) -> bool:
    return all(low <= high for low, high in pairwise(map(_in_java, values)))


def _in_java(value: Any) -> Any:
    return value.encode("utf-16-be", "surrogatepass") if isinstance(value, str) else value


_OWN = "own"
_PREFIXED = "int16 + "


def _forms(data: bytes | None, kind: str, assignor: str | None) -> frozenset[str]:
    """The forms that the user data fits: "null", "empty", layouts with their version, "own"."""
    if not data:
        return frozenset({"null" if data is None else "empty"})
    look = _forms_of_short if len(data) <= _SHORT else _forms_of
    return look(data, kind, assignor)


_SHORT = 256  # bytes: a generation, which all members of a group have, or a small assignment


def _forms_of(data: bytes, kind: str, assignor: str | None) -> frozenset[str]:
    payload = open_payload(Payload("user_data", kind, data, Around("consumer", assignor)))
    if payload is None or (payload.decoded is not None and not payload.decoded.complete):
        return frozenset({_OWN})
    prefix = _PREFIXED if payload.start else ""
    name = f"{prefix}{payload.name}"
    forms = {name if payload.version is None else f"{name} v{payload.version}", *payload.rivals}
    if any(form.partition(" v")[0] not in MODULES for form in forms if _PREFIXED not in form):
        forms.add(_OWN)
    return frozenset(forms)


_forms_of_short = lru_cache(maxsize=4096)(_forms_of)


# -- whether traits fit a habit


def _reason(writer: Writer, name: str, traits: _Traits, assignor: str | None) -> str | None:
    """Why the client did not write the bytes: the first difference from its nearest habit; None if
    it could have."""
    if not traits.layout:
        return "writes nothing that cannot be read to its end"
    habits = [habit for habit in writer.habits if habit.message == name]
    if not habits:
        return f"was not seen to write a {name}"
    if assignor is not None:
        habits = _under(habits, assignor)
    if not habits:
        return f"{_NO_ASSIGNOR}{assignor}"
    nearest = min((tuple(_differences(habit, traits)) for habit in habits), key=len)
    return nearest[0] if nearest else None


def _under(habits: list[Habit], assignor: str) -> list[Habit]:
    """The habits that apply under an assignor. An assignor that the client does not come with is a
    custom one, which writes anything; but under the name of a known assignor not its layout."""
    comes_with_it = any(assignor in habit.assignors for habit in habits)
    likes = ("null", "empty", _OWN) if assignor in _known_assignors() else ("any",)
    applicable = []
    for habit in habits:
        is_custom = habit.user_data == (_OWN,)
        if assignor in habit.assignors or (not habit.assignors and not is_custom):
            applicable.append(habit)
        elif not habit.assignors and not comes_with_it:
            applicable.append(msgspec.structs.replace(habit, user_data=likes))
    return applicable


@lru_cache(maxsize=1)
def _known_assignors() -> frozenset[str]:
    return frozenset(name for w in writers() for habit in w.habits for name in habit.assignors)


def _differences(habit: Habit, traits: _Traits) -> Iterator[str]:
    for check in _CHECKS:
        difference = check(habit, traits)
        if difference is not None:
            yield difference


def _other_layout(habit: Habit, traits: _Traits) -> str | None:
    if traits.layout in habit.layouts:
        return None
    return f"writes version {_join_with_or(habit.layouts)}, not {traits.layout}"


_OF_STREAMS = frozenset({"SubscriptionInfoData", "AssignmentInfo"})
"""What Kafka Streams alone writes: clients that pass on what an application gives them do not."""


def _other_user_data(habit: Habit, traits: _Traits) -> str | None:
    names = {form.partition(" v")[0] for form in traits.user_data}
    is_of_streams = bool(names) and names <= _OF_STREAMS
    if ("any" in habit.user_data and not is_of_streams) or any(
        form == habitual or form.startswith(f"{habitual} v")
        for form in traits.user_data
        for habitual in habit.user_data
    ):
        return None
    forms = _join_with_or(sorted(traits.user_data))
    return f"writes user data {_join_with_or(habit.user_data)}, not {forms}"


def _other_rack(habit: Habit, traits: _Traits) -> str | None:
    if not traits.rack or not habit.rack or traits.rack in habit.rack:
        return None
    return f"writes a rack as {_join_with_or(habit.rack)}, not {traits.rack}"


def _owns(habit: Habit, traits: _Traits) -> str | None:
    if not traits.owns or habit.owns:
        return None
    under = f" with {_join_with_or(habit.assignors)}" if habit.assignors else ""
    return f"owns nothing when it joins{under}"


def _unsorted(habit: Habit, traits: _Traits) -> str | None:
    unsorted = [name for name in habit.sorted if name in traits.unsorted]
    return f"sorts {' and '.join(unsorted)}" if unsorted else None


def _unmerged(habit: Habit, traits: _Traits) -> str | None:
    if traits.merged or not habit.merged:
        return None
    return "writes no topic twice, and none without a partition"


_CHECKS: tuple[Callable[[Habit, _Traits], str | None], ...] = (
    _other_layout,
    _other_user_data,
    _other_rack,
    _owns,
    _unsorted,
    _unmerged,
)


def _join_with_or(values: Any) -> str:
    *head, last = values
    return f"{', '.join(head)} or {last}" if head else str(last)
