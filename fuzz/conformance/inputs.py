"""The inputs for an adapter: Kafka's recorded vectors, generated messages, future writers' bytes,
bytes that have broken clients, messages in the wrong place, and inputs that campaigns have kept.

The same seed gives the same inputs, and the same `digest` of them, whatever else this process has
imported. Kinds take turns, so that a run that ends early has seen something of all kinds.
"""

from __future__ import annotations

import random
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, product, zip_longest
from typing import Any, NamedTuple, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from ...codec import RawTaggedField, decode, message_class
from ...codec.counterexample import sample
from ...codec.runtime.registry import spec_of
from ..guarantees.cases import Case, breakages, first_versions, recorded_cases, write
from ..guarantees.table import Guarantee, Scope, of_scope
from ..mutators.messages import split
from ..seeds import shipped
from ..strategies import assignments, future_bytes, nearly_valid_bytes, subscriptions, valid_bytes
from ..strategies.messages import case_of
from ..subject import CONSUMER_PROTOCOL
from .misplaced import damaged_inputs, misplaced_inputs

MAX_BYTES = 4096
"""The longest of the drawn inputs, in bytes: some clients take cubic time over equal keys. The
fixed ones that are longer have no equal keys.
"""


def inputs(names: Collection[str], *, seed: int) -> list[Case]:
    """Return the inputs for an adapter that knows these messages, without repetition."""
    return list(_inputs(tuple(sorted(set(names))), seed))


def questions(names: Collection[str], *, seed: int) -> list[Case]:
    """Return all inputs that an adapter is asked, in the order in which a run asks them: first, in
    turns, some that each guarantee can be judged with, so that a run whose time ends has judged
    each of them; then those that have broken clients.
    """
    return list(_questions(tuple(sorted(set(names))), seed))


@lru_cache(maxsize=4)  # as `_inputs`
def _questions(names: tuple[str, ...], seed: int) -> tuple[Case, ...]:
    main = [name for name in CONSUMER_PROTOCOL if name in names]
    more = (
        _messages_of(main, "large", _LARGER),
        _messages_of(main, "valid", _NAMES),
        _unknown_versions(main),
    )
    return tuple(_all_guarantees_first([*_inputs(names, seed), *chain(*more)]))


def _all_guarantees_first(cases: Sequence[Case]) -> list[Case]:
    guarantees = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
    telling = {row: filter(row.is_about, cases) for row in guarantees}
    counts = Counter[Guarantee]()
    chosen: dict[Case, None] = {}
    for turn, guarantee in product(range(1, _TURNS + 1), guarantees):
        if counts[guarantee] >= turn:
            continue
        case = next((case for case in telling[guarantee] if case not in chosen), None)
        if case is not None:
            chosen[case] = None
            counts.update(row for row in guarantees if row.is_about(case))
    chosen.update((case, None) for case in cases if case.kind == _TROUBLE)
    return [*chosen, *(case for case in _by_turns(cases) if case not in chosen)]


_TURNS = 5
"""With so many inputs at least each guarantee is judged before all other inputs are asked."""


@lru_cache(maxsize=4)  # several runs in one process ask for the same
def _inputs(names: tuple[str, ...], seed: int) -> tuple[Case, ...]:
    main = [name for name in CONSUMER_PROTOCOL if name in names]
    rest = [name for name in names if name not in main]
    fixed = [case for case in recorded_cases() if case.name in names]
    generated: list[Case] = []
    if main:
        fixed += _fixed(main)
        generated += _generated(main, seed)
    if rest:
        valid = draw_examples(valid_bytes(names=rest), max(60, 2 * len(rest)), seed)
        generated += [*valid, *_broken(valid, 3, seed)]
        fixed += _tagged(rest)
    short = (case for case in generated if len(case.data) <= MAX_BYTES)
    return tuple(_in_turns(_distinct(chain(fixed, short)), seed))


def _fixed(main: Collection[str]) -> Iterator[Case]:
    """Yield the inputs of the consumer protocol that every seed has."""
    yield from regression_inputs(main)
    yield from ordinary_inputs(main)
    yield from kept_by_campaigns(main)
    yield from _systematic(main)
    yield from _unfit(main)
    yield from _messages_of(main, "large", _LARGE)
    yield from _messages_of(main, "valid", _TEXTS)
    yield from long_behind_negative(main)
    yield from damaged_inputs(main)
    yield from misplaced_inputs(main)


def _generated(main: Sequence[str], seed: int) -> Iterator[Case]:
    """Yield the inputs of the consumer protocol that are drawn by a seed."""
    yield from draw_examples(valid_bytes(names=main), 100, seed)
    yield from draw_examples(_canonical(main), 80, seed)
    yield from draw_examples(future_bytes(names=main), 80, seed)
    yield from _broken(draw_examples(valid_bytes(names=main), 50, seed + 1), 6, seed)
    yield from draw_examples(nearly_valid_bytes(names=main), 100, seed)


def _broken(cases: Iterable[Case], count: int, number: int) -> Iterator[Case]:
    """Yield some of the breakages of each case."""
    choose = random.Random(number).sample  # noqa: S311
    for case in cases:
        ways = breakages(case)
        yield from choose(ways, min(count, len(ways)))


def _canonical(names: Collection[str]) -> st.SearchStrategy[Case]:
    strategies = {
        "ConsumerProtocolSubscription": subscriptions(canonical=True),
        "ConsumerProtocolAssignment": assignments(canonical=True),
    }
    return st.one_of(*(strategies[name] for name in names)).map(case_of)


def _systematic(names: Collection[str]) -> Iterator[Case]:
    """Yield every breakage of one plain message each, and labels that a reader of one byte
    mistakes: inputs that the drawn ones may miss.
    """
    for name in names:
        plain = [bytes.fromhex(text) for text in _PLAIN[name]]
        message = decode(plain[-1], name).message
        assert message is not None  # what is refused raises
        newest = write(message, message.LATEST)
        for data in (plain[0], newest):
            yield from breakages(Case(name, data, None, "valid"))
        for version in (256, 257, 512):
            yield Case(name, newest, None, "version", f"version {version}").with_version(version)


_PLAIN = {
    "ConsumerProtocolSubscription": (
        "0001 00000002 00016f 000170 00000002 0102 00000001 00016f 00000002 00000000 00000001",
        "0003 00000001 00016f ffffffff 00000001 00016f 00000001 00000005 00000007 0001 72",
    ),
    "ConsumerProtocolAssignment": (
        "0001 00000001 00016f 00000002 00000000 00000001 ffffffff",
        "0003 00000002 00016f 00000001 00000003 000170 00000000 00000002 0102",
    ),
}


class _Written(NamedTuple):
    """The content of a message: topics, and how many partitions each has."""

    origin: str
    topics: tuple[str, ...] = ("t",)
    partitions: int = 1
    user_data: int = 0
    """The length of the user data in bytes."""
    rack: str | None = None
    """Of a subscription; with a rack it is of the version that has one."""


_LARGE = (
    *(
        _Written(f"{count} partitions", partitions=count)
        for count in (255, 256, 300, 1000, 10_000, 65_537)
    ),
    _Written("300 topics", tuple(f"t{number:03}" for number in range(300))),
    *(
        _Written(f"a name of {size} bytes", ("x" * size,))
        for size in (249, 250, 255, 256, 512, 513, 1025, 32_767)
    ),
    *(
        _Written(f"user data of {size} bytes", user_data=size)
        for size in (255, 256, 32_767, 32_768, 70_000)
    ),
    *(_Written(f"a rack of {size} bytes", rack="r" * size) for size in (255, 256, 513, 32_767)),
)
"""Contents beyond what a count or length that is read too short, or a guessed limit, allows."""
_ODD = (
    ("a byte order mark", "\ufeffa"),
    ("a character in two parts", "e\u0301"),
    ("a space in front", " a"),
    ("a space behind", "a "),
    ("a tab in front, a line end behind", "\ta\n"),
    ("wide spaces around", "\u00a0a\u3000"),
    ("nothing but a space", " "),
    ("capitals", "Orders"),
    ("a number", "007"),
    ("the word null", "null"),
    ("a quote and a backslash", '"\\'),
    ("a percent sign", "%41"),
    ("a comma and a colon", "a,b:c"),
    ("beyond the first plane", "\U0001d11e"),
)
_TEXTS = (
    *(_Written(f"a name with {trait}", (text, "t")) for trait, text in _ODD),
    *(_Written(f"a rack with {trait}", rack=text) for trait, text in _ODD),
    _Written("topics that differ in case", ("orders", "Orders")),
    _Written("topics in no order", ("b", "c", "a")),
)
"""Valid text that libraries change by default: by trimming, normalising, parsing, escaping."""
_NAMES = tuple(
    _Written(f"a topic named {name}", (name, "t"))
    for name in (
        *("constructor", "hasOwnProperty", "length", "toString"),  # of each object in JavaScript
        *("0", "1.0", "1e3", "-1", "NaN", "Infinity"),
        *("true", "None", "nil", "undefined"),
    )
)
"""Names that a language has for something else."""
_LARGER = (
    _Written("10,000 topics", tuple(f"t{number:05}" for number in range(10_000))),
    _Written("100,001 partitions", partitions=100_001),
    _Written("user data of 300,000 bytes", user_data=300_000),
)
"""What is beyond a limit that clients have been given."""
_ENTRIES = ("ownedPartitions", "assignedPartitions")


def _messages_of(names: Collection[str], kind: str, rows: Iterable[_Written]) -> Iterator[Case]:
    """Yield messages of version 1, which has all fields but those of rows with a rack."""
    for cls in map(message_class, names):
        first = first_versions(cls)
        for subject, topics, partitions, size, rack in rows:
            if rack is not None and "rackId" not in first:
                continue
            entries = [{"topic": topic, "partitions": [*range(partitions)]} for topic in topics]
            data = bytes(number % 251 for number in range(size))  # what is shifted shows
            value: dict[str, Any] = dict.fromkeys(_ENTRIES, entries)
            value |= {"topics": topics, "userData": b64encode(data).decode() or None}
            value |= {"rackId": rack, "generationId": 7}
            version = 1 if rack is None else first["rackId"]
            fields = {key: value[key] for key in value if first.get(key, version + 1) <= version}
            message = cls.from_json(fields, version)
            yield Case(cls.NAME, write(message, version), None, kind, subject)


def _tagged(names: Collection[str]) -> Iterator[Case]:
    """Yield the newest version of each flexible message with two unknown tagged fields."""
    tags = (RawTaggedField(tag=1000, data=b"one"), RawTaggedField(tag=1001, data=b""))
    for cls in map(message_class, names):
        if cls.LATEST in spec_of(cls).flexible:
            message = sample(cls, cls.LATEST).replace(unknown_tagged_fields=tags)
            body = cls.LATEST if cls.FRAMING.kind == "none" else None
            yield Case(cls.NAME, write(message, cls.LATEST), body, "valid", "unknown tags")


_LONG = "x" * 32_768  # a string's length is an int16
_UNFIT = {
    "ConsumerProtocolSubscription": (
        {"topics": [_LONG], "userData": None},
        {"topics": ["t"], "userData": None, "ownedPartitions": [
            {"topic": _LONG, "partitions": [0]}]},
        {"topics": ["t"], "userData": None, "ownedPartitions": [
            {"topic": "t", "partitions": [2**31]}]},
        {"topics": ["t"], "userData": None, "ownedPartitions": [], "generationId": 2**31},
    ),
    "ConsumerProtocolAssignment": (
        {"assignedPartitions": [{"topic": _LONG, "partitions": [0]}], "userData": None},
        {"assignedPartitions": [{"topic": "t", "partitions": [2**31]}], "userData": None},
    ),
}  # fmt: skip


def _unfit(names: Collection[str]) -> Iterator[Case]:
    for name in names:
        for value in _UNFIT[name]:
            version = 2 if "generationId" in value else 1 if "ownedPartitions" in value else 0
            yield Case(name, b"", version, "unfit", "a value that does not fit", value=value)


def _unknown_versions(names: Collection[str]) -> Iterator[Case]:
    """Yield values to write in versions that the definition of a message does not have: of the
    consumer protocol, whose older writers are asked by newer programs.
    """
    for cls in map(message_class, names):
        value = cls().to_json(cls.LATEST)
        for version in (cls.LATEST + 1, cls.LATEST + 2, 100, 32767, -1, -2, -32768):
            origin = f"version {version}, which is not known, to write"
            yield Case(cls.NAME, b"", version, "unknown-version", origin, value=value)


def _distinct(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield each input once, and no two with the same id."""
    ids = set()
    for case in cases:
        if case.id not in ids:
            ids.add(case.id)
            yield case


def _in_turns(cases: Iterable[Case], number: int) -> Iterator[Case]:
    """Yield the cases in an order drawn by a number, of each kind one in turn."""
    kinds = _by_kind(cases)
    shuffle = random.Random(number).shuffle  # noqa: S311
    for cases_of_kind in kinds.values():
        shuffle(cases_of_kind)
    return _rounds(kinds)


def _by_turns(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases of each kind in their order, of each kind one in turn."""
    return _rounds(_by_kind(cases))


def _by_kind(cases: Iterable[Case]) -> dict[str, list[Case]]:
    kinds: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        kinds[case.kind].append(case)
    return kinds


def _rounds(kinds: dict[str, list[Case]]) -> Iterator[Case]:
    rounds = zip_longest(*kinds.values())
    return (case for case in chain.from_iterable(rounds) if case is not None)


_TOPICS_AND_DATA: tuple[tuple[list[str], str | None], ...] = (
    ([], None),
    (["a"], None),
    (["a"], ""),
    (["a", "b"], "AAAABQ=="),
)
_SOME_ENTRIES: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"topic": "a", "partitions": [0]}],
    [{"topic": "a", "partitions": [0, 1]}, {"topic": "b", "partitions": [2]}],
)
_SOME_DATA = (None, "", "AAAABQ==")
_CHOICES: dict[str, dict[str, tuple[Any, ...]]] = {
    "ConsumerProtocolSubscription": {
        "topics and user data": _TOPICS_AND_DATA,
        "ownedPartitions": _SOME_ENTRIES[:2],
        "generationId": (-1, 5),
        "rackId": (None, "", "r"),
    },
    "ConsumerProtocolAssignment": {"assignedPartitions": _SOME_ENTRIES, "userData": _SOME_DATA},
}


def ordinary_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield the cases of these messages, in every version that they have."""
    for cls in map(message_class, names):
        first, choices = first_versions(cls), _CHOICES[cls.NAME]
        for version in cls.VERSIONS:
            keys = [key for key in choices if first.get(key, 0) <= version]
            for values in product(*(choices[key] for key in keys)):
                fields = dict(zip(keys, values, strict=True))
                if "topics and user data" in fields:
                    fields["topics"], fields["userData"] = fields.pop("topics and user data")
                data = write(cls.from_json(fields, version), version)
                yield Case(cls.NAME, data, None, "valid", "an ordinary message")


_SUBSCRIPTION, _ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
_ENTRY = "0001 61 00000001"  # of one partition

_KNOWN = (
    (_SUBSCRIPTION, "", "no bytes at all: librdkafka aborts"),
    (_SUBSCRIPTION, "0000 00000001 0001 61 ffffffff", "plain version 0: kafka-go's Client"),
    (_SUBSCRIPTION, "0000 7fffffff 0001 61", "a count of 2147483647: kafka-protocol aborts"),
    (_SUBSCRIPTION, "0000 7fffffff fffe", "a string of length -2, often: KafkaJS goes back"),
    (_SUBSCRIPTION, "0001 00000001 0001 61 ffffffff 00989680 0001 61 00000000",
     "a count of 10000000 owned topics: kafka-go takes 722 MiB"),
    (_SUBSCRIPTION, "0001 00000001 0001 61 ffffffff",
     "version 1 in front of a version 0 body: kafka-go"),
    (_SUBSCRIPTION, "0001 00000001 0006 6f7264657273 00000000",
     "version 1 in front of a version 0 body: KafkaJS 2.1"),
    (_SUBSCRIPTION, "0001 00000001 0006 6f7264657273 ffffffff",
     "version 1 in front of a version 0 body: kafka-go's Reader"),
    (_SUBSCRIPTION, "0001 ffffffff", "null topics and nothing else: KAFKA-20570"),
    (_SUBSCRIPTION, "0000 ffffffff ffffffff", "null topics"),
    (_SUBSCRIPTION, "0000 fffffffe ffffffff", "a count of -2"),
    (_SUBSCRIPTION, "0000 00000000 ffffffff", "no topic: librdkafka refuses it"),
    (_SUBSCRIPTION, "0000 00000001 ffff ffffffff", "a topic that is null"),
    (_SUBSCRIPTION, "0000 00000001 0003 eda080 ffffffff", "half of a surrogate pair"),
    (_SUBSCRIPTION, "0000 00000001 0003 610062 ffffffff", "a topic with a zero byte: librdkafka"),
    (_SUBSCRIPTION, "0000 00000001 0001 61 00000005 6162", "user data cut short: KafkaJS"),
    (_SUBSCRIPTION, "0000 00000001 0001 61 fffffffe", "user data of length -2"),
    (_SUBSCRIPTION, "0001 00000001 0001 61 ffffffff 00000001",
     "an owned topic that is not there: kafka-go's Client makes one up"),
    (_SUBSCRIPTION,
     f"0001 00000001 0001 61 ffffffff 00000002 {_ENTRY} 00000000 {_ENTRY} 00000001",
     "an owned topic twice: kafka-go's Client keeps the last"),
    (_SUBSCRIPTION, "ffff 00000001 0001 61 ffffffff", "version -1"),
    (_SUBSCRIPTION, "0064 00000001 0001 61 ffffffff 00000000 00000007 ffff 0102",
     "version 100 with a tail"),
    (_SUBSCRIPTION, "0003 00000001 0001 61 ffffffff 00000000 ffffffff 0000", "an empty rack"),
    (_SUBSCRIPTION, "0000 00000001 0006 6f7264657273 00000000", "empty user data: Sarama's sticky"),
    (_SUBSCRIPTION, "0000 00000001 0004 6e756c6c ffffffff", "a topic named null: kafka-go"),
    (_SUBSCRIPTION, "0003 00000001 0001 61 ffffffff 00000000 ffffffff ffff",
     "version 3 with nothing in it: kafka-go's DescribeGroups"),
    (_SUBSCRIPTION, "0004 00000001 0001 61 ffffffff 00000000 ffffffff ffff 00",
     "version 4 with a tail: Sarama, kafka-protocol"),
    (_SUBSCRIPTION, "0002 00000001 0001 61 ffffffff 00000000 7fffffff", "the highest generation"),
    (_SUBSCRIPTION, "0002 00000001 0001 61 ffffffff 00000000 80000000", "the lowest generation"),
    (_ASSIGNMENT, "", "no bytes at all"),
    (_ASSIGNMENT, "0000 00000001 0001 61 00000003 7fffffff 80000000 ffffffff ffffffff",
     "the highest partition, the lowest, and -1"),
    (_ASSIGNMENT, "0000 7fffffff 0001 61", "a count of 2147483647"),
    (_ASSIGNMENT, "0000 00000001 0001 61 7fffffff", "a count of 2147483647 partitions: Burrow"),
    (_ASSIGNMENT, f"0000 00000002 {_ENTRY} 00000000 {_ENTRY} 00000001 ffffffff",
     "a topic twice: Sarama and KafkaJS keep the last"),
    (_ASSIGNMENT, "0000 00000001 0009 5f5f70726f746f5f5f 00000001 00000000 ffffffff",
     "a topic named __proto__: KafkaJS"),
    (_ASSIGNMENT, "0000 00000001 0001 61 ffffffff ffffffff", "null partitions"),
    (_ASSIGNMENT, "0000 00000000 ffffffff", "nothing assigned"),
    (_ASSIGNMENT, "0000 00000001 0004 6e756c6c 00000001 00000000 ffffffff",
     "a topic named null: KafkaJS"),
    (_ASSIGNMENT, f"0000 00000001 0201 {'78' * 513} 00000001 00000000 ffffffff",
     "a name of 513 bytes: librdkafka crashes"),
    (_ASSIGNMENT, "0000 00000001 0002 ff61 00000001 00000000 ffffffff",
     "a name that is no UTF-8: confluent-kafka raises UnicodeDecodeError"),
    (_ASSIGNMENT, "0000 00000001 ffff 00000001 00000000 ffffffff", "a topic that is null: KafkaJS"),
)  # fmt: skip

_UNSIGNED = ((b"\xff\xfe", 65_534), (b"\x80\x00", 32_768))
"""Negative lengths of a string, and the bytes that a reader of unsigned ones takes."""
_BEFORE_AND_BEHIND = {
    _SUBSCRIPTION: (
        ("0000 00000001", "ffffffff"),
        ("0001 00000001 0001 61 ffffffff 00000001", "00000001 00000000"),
        ("0003 00000001 0001 61 ffffffff 00000000 ffffffff", ""),
    ),
    _ASSIGNMENT: (("0000 00000001", "00000001 00000000 ffffffff"),),
}
"""The bytes around each string: what comes before its length, and after its bytes."""

_TROUBLE = "trouble"
CAMPAIGNS = ("decode-consumer", "java-agreement-consumer", "round-trip-consumer")
"""The targets whose kept inputs are of the consumer protocol."""


def regression_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield the cases of these messages."""
    for name, text, why in _KNOWN:
        if name in names:
            yield Case(name, bytes.fromhex(text), None, _TROUBLE, why)


def long_behind_negative(names: Collection[str]) -> Iterator[Case]:
    """Yield each string with a negative length, and behind it what makes the message whole for a
    reader that takes the length as unsigned.
    """
    for name in names:
        for head, tail in _BEFORE_AND_BEHIND[name]:
            for length, size in _UNSIGNED:
                data = bytes.fromhex(head) + length + b"x" * size + bytes.fromhex(tail)
                why = f"a length of {int.from_bytes(length, 'big', signed=True)}, and {size} bytes"
                yield Case(name, data, None, "negative-length", why)


def kept_by_campaigns(names: Collection[str]) -> Iterator[Case]:
    """Yield the inputs of these messages that campaigns have kept and minimised."""
    for target in CAMPAIGNS:
        for data in shipped(target):
            route, payload = split(data)
            if route is not None and route.cls.NAME in names:
                yield Case(route.cls.NAME, payload, route.body_version, "campaign", target)


T = TypeVar("T")

_BACKEND = "kproto-without-constants"


class _WithoutConstants(HypothesisProvider):
    def _maybe_draw_constant(self, *arguments: Any, **options: Any) -> None:
        return None


AVAILABLE_PROVIDERS[_BACKEND] = f"{__name__}.{_WithoutConstants.__name__}"


def draw_examples(strategy: st.SearchStrategy[T], count: int, number: int) -> list[T]:
    """Return `count` examples of a strategy, the same for the same number."""
    examples: list[T] = []

    @seed(number)
    @settings(
        backend=_BACKEND,
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(example: T) -> None:
        examples.append(example)

    draw()
    return examples
