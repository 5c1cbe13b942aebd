"""Settings of clients: their defaults against installed clients, and what these refuse."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kproto.clients.settings import (
    NAMES,
    UNSET,
    ClientSettings,
    default_of,
    refusals,
    setting_named,
)
from kproto.history.causes import CAUSES
from kproto.pipeline.audit import RULES


def texts(value: object) -> str:
    """A value as the table has it."""
    if isinstance(value, tuple | list):
        return ",".join(item.name for item in value)
    return UNSET if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def defaults(client: str, release: str) -> dict[str, str]:
    known = {name: default_of(client, release, name) for name in sorted(NAMES)}
    return {name: default.value for name, default in known.items() if default is not None}


def test_defaults_of_kafka_python() -> None:
    kafka = pytest.importorskip("kafka")
    config = {
        name.replace("_", "."): value for name, value in kafka.KafkaConsumer.DEFAULT_CONFIG.items()
    }
    known = defaults("kafka-python", kafka.__version__)
    known.pop("group.protocol")
    assert known
    assert {name: texts(config[name]) for name in known} == known


def test_defaults_of_aiokafka() -> None:
    aiokafka = pytest.importorskip("aiokafka")
    parameters = inspect.signature(aiokafka.AIOKafkaConsumer.__init__).parameters
    known = defaults("aiokafka", aiokafka.__version__)
    known.pop("group.protocol")
    assert known
    assert {name: texts(parameters[name.replace(".", "_")].default) for name in known} == known


LIBRDKAFKA: list[tuple[str, dict[str, Any]]] = [
    ("max.poll.interval.ms", {"session.timeout.ms": 10_000, "max.poll.interval.ms": 5000}),
    *(
        ("group.protocol", {"group.protocol": "consumer", name: value})
        for name, value in (
            ("partition.assignment.strategy", "range"), ("session.timeout.ms", 10_000),
            ("heartbeat.interval.ms", 1000), ("group.protocol.type", "consumer"),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("first", "settings"), LIBRDKAFKA)
def test_what_librdkafka_refuses(first: str, settings: dict[str, Any]) -> None:
    confluent_kafka = pytest.importorskip("confluent_kafka")
    (refusal,) = refusals("librdkafka", *settings)
    assert refusal.settings[0] == first
    with pytest.raises(confluent_kafka.KafkaException) as raised:
        confluent_kafka.Consumer({"bootstrap.servers": "127.0.0.1:1", "group.id": "g", **settings})
    assert refusal.says in str(raised.value)


def test_what_kafka_python_refuses() -> None:
    kafka = pytest.importorskip("kafka")
    (refusal,) = refusals("kafka-python", "heartbeat.interval.ms", "session.timeout.ms")
    with pytest.raises(kafka.errors.KafkaConfigurationError, match=refusal.says):
        kafka.KafkaConsumer(
            bootstrap_servers="127.0.0.1:1", group_id="g", api_version=(2, 8),
            session_timeout_ms=3000, heartbeat_interval_ms=6000,
        )  # fmt: skip


@given(st.sampled_from(sorted(NAMES)), st.text("abc019", min_size=1, max_size=5))
def test_names_are_read_in_each_spelling(name: str, value: str) -> None:
    words = name.split(".")
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    for spelling in (
        name,
        name.replace(".", "_"),
        f"spring.kafka.consumer.properties.{name}",
        camel,
    ):
        read = setting_named(spelling, value)
        assert read is not None
        assert read == setting_named(name, value)


@given(st.text(min_size=1))
def test_only_what_is_judged_is_kept(name: str) -> None:
    """Passwords are not."""
    read = setting_named(name, "swordfish")
    assert read is None or read[0] in NAMES


@pytest.mark.parametrize(
    ("release", "value"), [("2.8.1", "10000"), ("3.0", "45000"), ("4.3.1", "45000"), ("", None)]
)
def test_a_default_depends_on_the_release(release: str, value: str | None) -> None:
    setting = ClientSettings("f", {}, "kafka-clients", release).setting("session.timeout.ms")
    assert (setting and setting.value) == value


def test_max_poll_records_is_no_setting_of_consumers_of_librdkafka() -> None:
    """So advice that names the setting says it. From 2.16 on librdkafka takes it, for share
    consumers."""
    assert default_of("librdkafka", "", "max.poll.records") is None
    assert default_of("kafka-clients", "", "max.poll.records") is not None
    for advice in (CAUSES["poll-timeout-exceeded"].advice, RULES["slow-poll"].next_action):
        assert "lower max.poll.records (not with librdkafka" in advice
