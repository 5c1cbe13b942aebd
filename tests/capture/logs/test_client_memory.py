"""What lines leave out, and the lines before them say."""

from __future__ import annotations

import json

from kproto.capture.logs.event import LogEvent
from tests.capture.logs.recorded import read

JOINED = "INFO Joined group '{}' (generation {}) with member_id {}"
LOST = (
    "WARNING Heartbeat failed: local member_id was not recognized; resetting and re-joining group"
)


def read_messages(*messages: str) -> list[LogEvent]:
    return read("\n".join(f"2026-11-25 23:44:22,332 {text}" for text in messages))


def names(event: LogEvent) -> tuple[str, str, int]:
    return event.group, event.member, event.generation


def test_a_line_without_names_is_of_the_member_that_joined_last() -> None:
    events = read_messages(JOINED.format("g", 3, "m-1"), LOST, JOINED.format("g", 5, "m-2"), LOST)
    assert names(events[1]) == ("g", "m-1", 3)
    assert names(events[3]) == ("g", "m-2", 5)


def test_of_two_groups_neither() -> None:
    events = read_messages(JOINED.format("g", 3, "m-1"), JOINED.format("h", 3, "m-2"), LOST)
    assert names(events[2]) == ("", "", -1)


def test_of_two_members_of_one_generation_neither() -> None:
    events = read_messages(JOINED.format("g", 3, "m-1"), JOINED.format("g", 3, "m-2"), LOST)
    assert names(events[2]) == ("g", "", -1)


def test_until_it_joins_again() -> None:
    events = read_messages(JOINED.format("g", 3, "m-1"), "INFO (Re-)joining group g", LOST)
    assert names(events[1]) == ("g", "", -1)
    assert names(events[2]) == ("g", "", -1)


def test_two_clients_of_librdkafka_keep_their_own() -> None:
    line = "%7|1795650120.456|FAC|{}#consumer-1| [thrd:main]: {}"
    answer = (
        "JoinGroup response: GenerationId {}, Protocol range, LeaderId x, my MemberId {}, "
        "member metadata count 0: (no error)"
    )
    lost = (
        'Group "g" heartbeat error response in state up '
        "(join-state steady, 1 partition(s) assigned): Broker: Unknown member"
    )
    lines = [
        line.format("a", answer.format(3, "a-1")),
        line.format("b", answer.format(4, "b-1")),
        line.format("a", lost),
        line.format("b", lost),
    ]
    events = read("\n".join(lines))
    assert names(events[2]) == ("g", "a-1", 3)
    assert names(events[3]) == ("g", "b-1", 4)


def test_the_logger_tells_the_python_clients_apart() -> None:
    """Of the lines that both have; without a logger it is kafka-python, until the log has had one
    that only aiokafka prints."""
    text = "(Re-)joining group g"
    for logger, family in (
        ("aiokafka.consumer.group_coordinator", "aiokafka"),
        ("kafka.coordinator", "kafka-python"),
    ):
        (event,) = read_messages(f"INFO {logger} {text}")
        assert event.family == family
        record = {"asctime": "2026-11-25 23:44:22,332", "name": logger, "message": text}
        (event,) = read(json.dumps(record))
        assert event.family == family
    events = read_messages(f"INFO {text}", JOINED.format("g", 3, "m-1"), f"INFO {text}")
    assert [event.family for event in events] == ["kafka-python", "aiokafka", "aiokafka"]


def test_lines_of_early_java_clients_are_not_pythons() -> None:
    """Before 1.1 they had no origin, and the words that kafka-python took over."""
    logger = "org.apache.kafka.clients.consumer.internals.AbstractCoordinator"
    short = "o.a.k.c.c.internals.AbstractCoordinator"
    for line in (
        f"[2017-03-01 10:00:00,000] INFO (Re-)joining group g ({logger})",
        f"2017-03-01 10:00:00.000  INFO 1 --- [main] {short}  : (Re-)joining group g",
    ):
        assert read(line) == []
