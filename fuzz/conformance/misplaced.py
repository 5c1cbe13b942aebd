"""Messages that were damaged or cut by the program that printed them, and messages that stand where
another belongs, as public reports show them.

A client meets them where people write back what they have copied, or where programs put one message
in the place of another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..guarantees.cases import Case

_SUBSCRIPTION, _ASSIGNMENT = "ConsumerProtocolSubscription", "ConsumerProtocolAssignment"
_ORDERS = "0001 00000001 0006 6f7264657273"  # version 1, and one topic
_PLAIN = {
    _SUBSCRIPTION: "0001 00000002 0006 6f7264657273 0002 c3a9 ffffffff"
    "00000001 0006 6f7264657273 00000002 00000000 000000ff",
    _ASSIGNMENT: f"{_ORDERS} 00000002 00000000 00000080 00000004 000000ff",
}
_TOPICS = ("a" * 40, "b" * 40, "c" * 40)
_PRINTED = 100  # bytes, of which kafka-python 2 and aiokafka print as many
_NEWER_STREAMS = f"0000001c 0000000d 0000000e {bytes(range(20)).hex()}"  # version 13 of user data
_MISPLACED = (
    (_SUBSCRIPTION, f"{_ORDERS} 00000003 00000000 00000001 00000002 ffffffff", "an assignment"),
    (_SUBSCRIPTION, f"{_ORDERS} 00000002 00000000 00000001 ffffffff", "an assignment of [0, 1]"),
    (_ASSIGNMENT, f"{_ORDERS} 00000002 00000000 00000001 ffffffff", "a subscription, too"),
    (_ASSIGNMENT, f"{_ORDERS} ffffffff 00000000", "a subscription"),
    (_ASSIGNMENT, f"0001 00000002 {'0001 61 00000001 00000000 ffffffff' * 2}",
     "user data after every topic: zilla, kafka_ex"),
    (_ASSIGNMENT, f"{_ORDERS} 00000001 00000000", "no user data field: @platformatic/kafka"),
    (_SUBSCRIPTION, f"{_ORDERS} ffffffff", "version 1, body of version 0: sarama-cluster"),
    (_SUBSCRIPTION, f"{_ORDERS} {_NEWER_STREAMS} 00000000", "user data of a newer Streams"),
    (_ASSIGNMENT, f"{_ORDERS} 00000001 00000000 {_NEWER_STREAMS}", "user data of a newer Streams"),
    (_SUBSCRIPTION, f"0001 000f {b'http://10.0.0.5'.hex()} 0000000000000007 00000000",
     "metadata of a Connect worker"),
    (_ASSIGNMENT, f"0001 0000 0008 {b'worker-1'.hex()} 0003 75726c 0000000000000007 00000000",
     "an assignment of a Connect worker"),
)  # fmt: skip


def misplaced_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield other messages in the place of these, and these in layouts that programs have written
    by mistake."""
    for name, text, origin in _MISPLACED:
        if name in names:
            yield Case(name, bytes.fromhex(text), None, "misplaced", origin)


def damaged_inputs(names: Collection[str]) -> Iterator[Case]:
    """Yield messages as programs print them that take bytes for text, or print the first 100."""
    for name in names:
        data = bytes.fromhex(_PLAIN[name])
        for changed, origin in (
            (data.decode("utf-8", "replace").encode(), "U+FFFD for bytes"),
            (data.decode("latin-1").encode(), "Latin-1 as UTF-8"),
            (data.decode("utf-8", "replace").encode("ascii", "replace"), "? for bytes"),
        ):
            yield Case(name, changed, kind="damaged", origin=origin)
        partitions = "" if name == _SUBSCRIPTION else "00000001 00000000"
        topics = "".join(f"0028 {topic.encode().hex()} {partitions}" for topic in _TOPICS)
        beginning = bytes.fromhex(f"0001 00000003 {topics} ffffffff 00000000")[:_PRINTED]
        for end in (b"", b"..."):
            origin = f"the first {_PRINTED} bytes{' and dots' * bool(end)}"
            yield Case(name, beginning + end, kind="damaged", origin=origin)
