"""Bytes that have crashed a released client, or that clients read differently: every testee gets
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..campaign.seeds import shipped
from ..guarantees.cases import Case
from ..mutators.heads import split

_SUBSCRIPTION, _ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
_ENTRY = "0001 61 00000001"  # of one partition

_KNOWN = (
    (_SUBSCRIPTION, "", "no bytes at all: librdkafka aborts"),
    (_SUBSCRIPTION, "0000 00000001 0001 61 ffffffff", "plain version 0: kafka-go's Client"),
    (_SUBSCRIPTION, "0000 7fffffff 0001 61", "a count of 2147483647: kafka-protocol aborts"),
    (_SUBSCRIPTION, "0000 7fffffff fffe", "a string of length -2, often: KafkaJS goes back"),
    (_SUBSCRIPTION, "0001 00000001 0001 61 ffffffff 00989680 0001 61 00000000",
     "a count of 10000000 owned topics: kafka-go takes 722 MiB"),
    (_SUBSCRIPTION, "0001 00000001 0001 61 ffffffff", "version 1 label, version 0 body: kafka-go"),
    (_SUBSCRIPTION, "0001 00000001 0006 6f7264657273 00000000",
     "version 1 label, version 0 body: KafkaJS 2.1"),
    (_SUBSCRIPTION, "0001 00000001 0006 6f7264657273 ffffffff",
     "version 1 label, version 0 body: kafka-go's Reader"),
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
"""What stands around each string: what comes before its length, and after its bytes."""

CAMPAIGNS = ("decode-consumer", "java-agreement-consumer", "round-trip-consumer")
"""The targets whose kept inputs are of the consumer protocol."""


def regression_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield the cases of these messages."""
    for name, text, why in _KNOWN:
        if name in names:
            yield Case(name, bytes.fromhex(text), None, "trouble", why)


def long_behind_negative(names: Collection[str]) -> Iterator[Case]:
    """Yield each string with a negative length, and behind it what makes the message whole for a
    reader that takes the length as unsigned.
    """
    for name in names:
        for before, behind in _BEFORE_AND_BEHIND[name]:
            for length, size in _UNSIGNED:
                data = bytes.fromhex(before) + length + b"x" * size + bytes.fromhex(behind)
                why = f"a length of {int.from_bytes(length, 'big', signed=True)}, and {size} bytes"
                yield Case(name, data, None, "negative-length", why)


def kept_by_campaigns(names: Collection[str]) -> Iterator[Case]:
    """Yield the inputs of these messages that campaigns have kept and minimised."""
    for target in CAMPAIGNS:
        for data in shipped(target):
            route, payload = split(data)
            if route is not None and route.cls.NAME in names:
                yield Case(route.cls.NAME, payload, route.body_version, "campaign", target)
