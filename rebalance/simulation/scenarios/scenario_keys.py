"""The keys of a scenario file's tables, and how the value of each is read.

A reader raises ValueError with the reason, or `KeyProblem` where a key inside the value is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ....codec import ConsumerProtocolSubscription
from ....codec.read.deviations import TOPIC_NAME
from ...assignor import Assignor
from ...broker_assignors import BROKER_ASSIGNORS
from ...compatibility import Readings
from ..machines.settings import GroupProtocol, Mistake
from ..modern.regular_expressions import InvalidExpressionError, compile_expression
from .assignors import NoAssignor, find_assignor
from .scenario import FINDINGS, OPERATIONS

MOST_MEMBERS, _MOST_PARTITIONS, _LONGEST = 1_000, 10_000, 86_400
MOST_SUBSCRIBED = 100_000
"""Topics that the members subscribe to, those of all members counted."""


class KeyProblem(ValueError):
    """An error in the value of one key of a table."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


def _number(lowest: float, highest: float) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError("expected a number")
        if not lowest <= value <= highest:
            raise ValueError(f"expected a number from {lowest:g} to {highest:g}")
        return float(value)

    return read


def _whole_number(lowest: int, highest: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("expected a whole number")
        if not lowest <= value <= highest:
            raise ValueError(f"expected a whole number from {lowest:,} to {highest:,}")
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def read_text(value: Any) -> str:
    """Return a string. Raises ValueError for anything else, and for what is not printable."""
    if not isinstance(value, str):
        raise ValueError("expected a string")
    if not value.isprintable():  # it goes to terminals and pages
        raise ValueError("expected a string of printable characters on one line")
    return value


def _instance(value: Any) -> bool | str:
    """Return whether the member is static; a text is its group.instance.id."""
    if not isinstance(value, bool | str) or value == "":
        raise ValueError("expected true, false or a group.instance.id")
    return value if isinstance(value, bool) else read_text(value)


def _texts(value: Any) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise ValueError("expected a string or a list of strings")
    return tuple(read_text(name) for name in listed)


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"there is no {value!r}; there are: {', '.join(choices)}")
        return str(value)

    return read


def _assignors(value: Any) -> tuple[Assignor, ...]:
    try:
        assignors = tuple(find_assignor(word) for word in _texts(value))
    except NoAssignor as error:
        raise ValueError(str(error)) from None
    if not assignors:
        raise ValueError("a member needs at least one assignor")
    names = [assignor.name for assignor in assignors]
    if len(set(names)) < len(names):
        raise ValueError(
            f"two assignors have the name {max(names, key=names.count)!r} in JoinGroup"
        )
    return assignors


def _topics(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        raise ValueError("expected a table of topics and their partition counts")
    total = 0
    for topic, count in value.items():
        if not TOPIC_NAME.match(topic):
            raise KeyProblem(topic, f"{topic!r} is not a topic name")
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise KeyProblem(topic, f"{topic} needs a number of partitions")
        total += count
        if total > _MOST_PARTITIONS:
            raise KeyProblem(topic, f"there are more than {_MOST_PARTITIONS:,} partitions")
    return dict(value)


def _span(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("expected two numbers: from and to")
    low, high = (_number(0, 60)(item) for item in value)
    if low > high:
        raise ValueError("the first number is the larger one")
    return low * 1000, high * 1000


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise ValueError("expected a list")
    return value


def read_table(value: Any) -> Mapping[str, Any]:
    """Return a table. Raises ValueError for anything else."""
    if not isinstance(value, dict):
        raise ValueError("expected a table")
    return value


def _tables(value: Any) -> Sequence[Any]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("expected tables in double brackets")
    return value


_seconds = _number(0, _LONGEST)

READINGS = {name.replace("_", "-"): name for name in Readings.__dataclass_fields__}

MISTAKES = {
    "keeps-stale-claims": Mistake.KEEPS_STALE_CLAIMS,
    "hides-generation": Mistake.HIDES_GENERATION,
}


def _regex(value: Any) -> str:
    """Return a regular expression; one that RE2J refuses is left to the simulated broker."""
    expression = read_text(value)
    if not expression:
        raise ValueError("expected a regular expression")
    with suppress(InvalidExpressionError):
        compile_expression(expression)
    return expression


MEMBER_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "protocol": _one_of(*GroupProtocol),
    "client": _one_of("java", "librdkafka"),
    "remote_assignor": _one_of(*BROKER_ASSIGNORS),
    "subscribed_topic_regex": _regex,
    "assignor": _assignors,
    "version": _whole_number(0, ConsumerProtocolSubscription.LATEST),
    "topics": _texts,
    "dialect": _one_of("consumer", "draft-429", "connect"),
    "static": _instance,
    "rack": read_text,
    "process": read_text,
    "session_timeout": _number(0.1, _LONGEST),
    "heartbeat_interval": _number(0.01, _LONGEST),
    "max_poll_interval": _number(0.1, _LONGEST),
    "retry_backoff": _number(0.001, 60),
    "lost_callback": _flag,
    "by_choice": _flag,
    "as_the_text": lambda value: tuple(_one_of(*READINGS)(text) for text in _texts(value)),
    "mistakes": lambda value: tuple(_one_of(*MISTAKES)(text) for text in _texts(value)),
    "revoked_takes": _seconds,
    "assigned_takes": _seconds,
    "lost_takes": _seconds,
    "revoked_takes_each": _seconds,
    "assigned_takes_each": _seconds,
    "decoupled": _flag,
    "batch_takes": _seconds,
}
"""The options of a member, and the function that reads each."""

TOP_KEYS = {
    "summary": read_text,
    "duration": _number(1, _LONGEST),
    "seed": _whole_number(0, 2**63 - 1),
    "topics": _topics,
    "broker": read_table,
    "load": read_table,
    "defaults": read_table,
    "subtopologies": _tables,
    "members": _tables,
    "events": _tables,
    "expect": read_table,
    "variants": read_table,
    "owners_at": lambda value: tuple(_seconds(item) for item in _list(value)),
}
BROKER_KEYS = {
    "initial_rebalance_delay": _seconds,
    "session_timeout": _number(0.1, _LONGEST),
    "heartbeat_interval": _number(0.01, _LONGEST),
    "assignment_interval": _seconds,
    "assignors": lambda value: tuple(_one_of(*BROKER_ASSIGNORS)(text) for text in _texts(value)),
    "migration_policy": _one_of("bidirectional", "upgrade", "downgrade", "disabled"),
    "latency": _span,
    "fail_over_takes": _seconds,
    "checks_generation": _flag,
    "standby_replicas": _whole_number(0, 10),
}
LOAD_KEYS = {
    "records_per_second": _number(0, 1e6),
    "capacity_per_second": _number(0.001, 1e9),
    "max_poll_records": _whole_number(1, 1_000_000),
}
MEMBER_TABLE_KEYS = {
    "name": read_text,
    "count": _whole_number(1, MOST_MEMBERS),
    "start": _seconds,
    "waits": _flag,
    **MEMBER_KEYS,
}
SUBTOPOLOGY_KEYS = {"topics": _texts, "stateful": _flag}
EVENT_KEYS = {
    "at": _seconds,
    "do": _one_of(*OPERATIONS),
    "member": _texts,
    "takes": _seconds,
    "every": _seconds,
    "batch_takes": _seconds,
    "topics": _topics,
    "subscribe": _texts,
    "with": read_table,
}
EXPECTATION_KEYS = {
    "finds": lambda value: tuple(_one_of(*FINDINGS)(text) for text in _texts(value)),
    "failed": _texts,
}

NEEDED_KEYS = {
    "start": ("member",),
    "stop": ("member",),
    "crash": ("member",),
    "bounce": ("member", "takes"),
    "freeze": ("member", "takes"),
    "disconnect": ("member",),
    "slow down": ("member",),
    "subscribe": ("member", "subscribe"),
    "change topics": ("topics",),
    "fail over": (),
}
OTHER_KEYS = {
    "start": ("with",),
    "stop": ("every",),
    "crash": ("every",),
    "bounce": ("every", "with"),
    "freeze": ("every",),
    "disconnect": ("every",),
    "slow down": ("batch_takes", "every"),
    "subscribe": ("every",),
}
