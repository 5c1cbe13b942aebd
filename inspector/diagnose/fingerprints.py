"""Tell which clients could have written some bytes, and which certainly did not.

Clients of the consumer protocol have habits: the version they label a message with, whether that
is the version of its body, null or empty user data, its layout, null or empty rack, what they
sort. `clients.json` holds these habits, as they were measured on a real broker, with the clients'
own code, or read in it; each entry says which. The keys of an entry:

| key         | what the client writes                                                             |
|-------------|------------------------------------------------------------------------------------|
| `message`   | the habit is one of writing this message                                           |
| `assignors` | under these assignors; absent: under every other one too, a user's own among them  |
| `layouts`   | "3": version 3; "1 on 0": labelled 1, laid out as 0                                |
| `userData`  | "null", "empty", a layout by its name, "own": of no known layout; "any": whatever  |
| `rack`      | "null", "empty", "text", from version 3 on                                         |
| `owns`      | false: never a partition, because it gives back all of them before it joins        |
| `sorted`    | "topics", "owned" (topics and partitions of it), "partitions" of an assignment     |
| `merged`    | true: no topic twice, and none without a partition                                 |

A habit with user data "own" alone is that of a custom assignor, which may write anything, under a
name that none of the client's assignors has.

Bytes fit a client if they fit one of its habits. A custom assignor that imitates another client is
not considered. A release belongs to the last entry of its client that it is not older than.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ...codec import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from ...codec.messages import MODULES
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import Buffer
from ..identification.identify import examine
from ..open.opening import IN_ASSIGNMENT, IN_SUBSCRIPTION, Around, Payload, open_payload


class Habit(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A way in which a client writes a message; see the module."""

    message: str
    layouts: tuple[str, ...]
    user_data: tuple[str, ...] = ("any",)
    assignors: tuple[str, ...] = ()
    rack: tuple[str, ...] = ()
    owns: bool = True
    sorted: tuple[str, ...] = ()
    merged: bool = False


class Client(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Releases of a client that have the same habits. `also` are other names of the client, such as
    those of its bindings; `since` is the first release, `releases` names the releases in words, ""
    for all; `source` says how the habits are known."""

    name: str
    since: str
    source: str
    habits: tuple[Habit, ...]
    releases: str = ""
    also: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name and the releases: "kafka-clients 2.4 to 2.8.0"."""
        return f"{self.name} {self.releases}".rstrip()


class Fingerprint(NamedTuple):
    """The clients that could have written some bytes, and those that did not, each with the reason,
    by their labels ("kafka-clients 2.4 to 2.8.0"). Both are empty for messages other than those of
    the consumer protocol and of Connect, in which no client's habits show."""

    could: tuple[str, ...]
    ruled_out: dict[str, str]

    def allows(self, name: str, release: str) -> bool:
        """Return whether that release of that client could have written the bytes.

        Raises KeyError for a client that is not known here.
        """
        return any(client.label in self.could for client in clients_of(name, release))

    @property
    def in_short(self) -> tuple[str, ...]:
        """The clients that could have written the bytes, by name: "kafka-clients (2.4 to 2.8.0,
        2.8.1 to 3.3)", or "aiokafka" where all of its releases could."""
        kept: dict[str, list[str]] = {}
        for client in clients():
            if client.label in self.could:
                kept.setdefault(client.name, []).append(client.releases)
        out = {client.name for client in clients() if client.label in self.ruled_out}
        return tuple(
            f"{name} ({', '.join(releases)})" if name in out else name
            for name, releases in kept.items()
        )


@lru_cache(maxsize=1)
def clients() -> tuple[Client, ...]:
    """Return the entries of `clients.json`, each client's oldest releases first."""
    table = Path(__file__).with_name("clients.json").read_bytes()
    return msgspec.json.decode(table, type=tuple[Client, ...])


def clients_of(name: str, release: str) -> tuple[Client, ...]:
    """Return the entries of a release: more than one where a client has several ways of writing.

    Raises KeyError for a name that no client has.
    """
    found: dict[str, Client] = {}
    for client in clients():
        known = name in (client.name, *client.also)
        if known and (client.name not in found or _order(client.since) <= _order(release)):
            found[client.name] = client
    if not found:
        raise KeyError(name)
    return tuple(found.values())


def _order(release: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", release))


def fingerprint(
    data: Buffer | Decoded[Any], assignor: str | None = None, equals: tuple[str, ...] = ()
) -> Fingerprint:
    """Return which clients could have written bytes, or what they were decoded as.

    `assignor` is the assignor's name, where it is known. The type of bytes is identified. `equals`
    are the built-in messages that the bytes are as well as what they were decoded as: where no
    topic is named, the clients that could have written any of them are returned, and none is ruled
    out.

    >>> librdkafka = "000300000001000473656c660000000000000000ffffffff0000"
    >>> found = fingerprint(bytes.fromhex(librdkafka))
    >>> found.could, found.ruled_out["kafka-clients 3.4 and newer"]
    (('librdkafka 2.2 and newer',), 'writes user data null, not empty')
    """
    if not isinstance(data, Decoded):
        examined = examine(bytes(data))
        if not examined.identified:
            return Fingerprint((), {})
        data, equals = examined.decoded, examined.equals
    found = _of_message(_as_labelled(data), assignor)
    others = [decode(data.data, name, policy=Policy.LENIENT) for name in _written(equals)]
    could = {label for seen in others for label in _of_message(seen, assignor).could}
    if not could or _names_topics(data):
        return found
    could.update(found.could)
    return Fingerprint(tuple(c.label for c in clients() if c.label in could), {})


def _of_message(seen: Decoded[Any], assignor: str | None) -> Fingerprint:
    name = seen.message_class.NAME
    if not seen.data or not any(_written((name,))):
        return Fingerprint((), {})
    could, ruled_out = _could_and_ruled_out(name, _traits(seen, assignor), assignor)
    return Fingerprint(could, dict(ruled_out))


def _names_topics(seen: Decoded[Any]) -> bool:
    """Return whether a topic is named, by which a subscription and an assignment differ enough."""
    return bool(
        getattr(seen.message, "topics", ()) or getattr(seen.message, "assigned_partitions", ())
    )


def _written(names: Iterable[str]) -> list[str]:
    """Return those of the messages that clients have habits of writing."""
    known = {habit.message for client in clients() for habit in client.habits}
    return [name for name in names if name in known]


def _as_labelled(seen: Decoded[Any]) -> Decoded[Any]:
    """Return the bytes as a reader has them that knows their version, whatever version they were
    read with (`reader_version`)."""
    label, cls = seen.reading, seen.message_class
    if label is None or not label.newer or label.version not in cls.VERSIONS:
        return seen
    body_version = None if label.start else label.version
    return decode(seen.data, cls, policy=Policy.LENIENT, body_version=body_version)


@lru_cache(maxsize=1024)
def _could_and_ruled_out(
    name: str, traits: _Traits, assignor: str | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The same, cached: members of a group, and of many groups, have the same traits."""
    reasons = [(client.label, _reason(client, name, traits, assignor)) for client in clients()]
    could = tuple(label for label, reason in reasons if reason is None)
    return could, tuple((label, reason) for label, reason in reasons if reason is not None)


# -- the traits of bytes


class _Traits(NamedTuple):
    """What habits are compared with. `layout` is "" if the bytes can be read as no version, and
    then the rest has no meaning; `rack` is "" in versions that have none."""

    layout: str
    user_data: frozenset[str] = frozenset()
    rack: str = ""
    owns: bool = False
    unsorted: frozenset[str] = frozenset()
    merged: bool = True


def _traits(seen: Decoded[Any], assignor: str | None) -> _Traits:
    layout, message = _layout(seen)
    match message:
        case ConsumerProtocolSubscription(owned_partitions=owned, user_data=inside):
            kind, sorts = IN_SUBSCRIPTION, _orders(message.topics, "owned", owned)
            rack = "null" if message.rack_id is None else "text" if message.rack_id else "empty"
        case ConsumerProtocolAssignment(assigned_partitions=owned, user_data=inside):
            kind, rack = IN_ASSIGNMENT, ""
            sorts = _orders([entry.topic for entry in owned], "partitions", owned)
        case _:
            return _Traits(layout)
    return _Traits(
        layout,
        _forms(inside, kind, assignor),
        rack if layout == "3" else "",
        bool(owned),
        frozenset(what for what, values in sorts if not _ascends(values)),
        len({entry.topic for entry in owned}) == len(owned)
        and all(entry.partitions for entry in owned),
    )


def _orders(topics: Any, what: str, owned: Any) -> list[tuple[str, Any]]:
    """The lists that may be sorted: topics, the entries of `owned`, and the partitions of each."""
    entries = [(what, [entry.topic for entry in owned])] if what == "owned" else []
    return [("topics", topics), *entries, *((what, entry.partitions) for entry in owned)]


def _layout(seen: Decoded[Any]) -> tuple[str, Any]:
    """The label, with the version of the body where that is another one, and the message."""
    if seen.complete:
        return ("" if seen.remainder else str(seen.version)), seen.message
    older = seen.as_older_body
    if older is None:
        return "", None
    return f"{seen.version} on {older.schema_version}", older.message


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
    opened = open_payload(Payload("user_data", kind, data, Around("consumer", assignor)))
    if opened is None or (opened.decoded is not None and not opened.decoded.complete):
        return frozenset({_OWN})
    prefix = _PREFIXED if opened.start else ""
    name = f"{prefix}{opened.name}"
    forms = {name if opened.version is None else f"{name} v{opened.version}", *opened.rivals}
    if any(form.partition(" v")[0] not in MODULES for form in forms if _PREFIXED not in form):
        forms.add(_OWN)
    return frozenset(forms)


# -- whether traits fit a habit


def _reason(client: Client, name: str, traits: _Traits, assignor: str | None) -> str | None:
    """Why the client did not write the bytes: the first difference from its nearest habit; None if
    it could have."""
    if not traits.layout:
        return "writes nothing that cannot be read to its end"
    habits = [habit for habit in client.habits if habit.message == name]
    if not habits:
        return f"was not seen to write a {name}"
    if assignor is not None:
        habits = _under(habits, assignor)
    if not habits:
        return f"has no assignor {assignor}"
    nearest = min((tuple(_differences(habit, traits)) for habit in habits), key=len)
    return nearest[0] if nearest else None


def _under(habits: list[Habit], assignor: str) -> list[Habit]:
    """The habits that apply under an assignor. An assignor that the client does not come with is a
    custom one, which writes anything; but under the name of a known assignor not its layout."""
    comes_with_it = any(assignor in habit.assignors for habit in habits)
    likes = ("null", "empty", _OWN) if assignor in _known_assignors() else ("any",)
    found = []
    for habit in habits:
        own = habit.user_data == (_OWN,)
        if assignor in habit.assignors or (not habit.assignors and not own):
            found.append(habit)
        elif not habit.assignors and not comes_with_it:
            found.append(msgspec.structs.replace(habit, user_data=likes))
    return found


@lru_cache(maxsize=1)
def _known_assignors() -> frozenset[str]:
    return frozenset(name for c in clients() for habit in c.habits for name in habit.assignors)


def _differences(habit: Habit, traits: _Traits) -> Iterator[str]:
    for check in _CHECKS:
        difference = check(habit, traits)
        if difference is not None:
            yield difference


def _other_layout(habit: Habit, traits: _Traits) -> str | None:
    if traits.layout in habit.layouts:
        return None
    return f"writes version {_either(habit.layouts)}, not {traits.layout}"


def _other_user_data(habit: Habit, traits: _Traits) -> str | None:
    if "any" in habit.user_data or any(
        form == known or form.startswith(f"{known} v")
        for form in traits.user_data
        for known in habit.user_data
    ):
        return None
    return f"writes user data {_either(habit.user_data)}, not {_either(sorted(traits.user_data))}"


def _other_rack(habit: Habit, traits: _Traits) -> str | None:
    if not traits.rack or not habit.rack or traits.rack in habit.rack:
        return None
    return f"writes a rack as {_either(habit.rack)}, not {traits.rack}"


def _owns(habit: Habit, traits: _Traits) -> str | None:
    return "owns nothing when it joins" if traits.owns and not habit.owns else None


def _unsorted(habit: Habit, traits: _Traits) -> str | None:
    unsorted = [what for what in habit.sorted if what in traits.unsorted]
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


def _either(values: Any) -> str:
    *others, last = values
    return f"{', '.join(others)} or {last}" if others else str(last)
