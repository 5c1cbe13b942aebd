"""Clients behind the line protocol of `kproto conform`, each the smallest program around its code.

python -m kproto.fuzz.clients             builds all that it can, and reports each
python -m kproto.fuzz.clients sarama      waits for questions on standard input
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ..building import Unavailable
from .languages import (
    go,
    go_older,
    installed,
    java_generated,
    java_group_data,
    java_member,
    librdkafka,
    librdkafka_go,
    librdkafka_node,
    librdkafka_python,
    librdkafka_rust,
    node,
    python,
    rust,
)

__all__ = ["CLIENTS", "INSTALLED", "NAMES", "NOT_IN_MATRIX", "Program", "Unavailable", "command"]


class Program(NamedTuple):
    """A client behind the line protocol."""

    language: str
    takes: str
    """What has to be on the machine to build and run it."""
    start: Callable[[], tuple[str, ...]]
    """Returns its command; builds it if it is not built yet. Raises `Unavailable`."""
    habits: str = ""
    """The client's name in the table of fingerprints, which says how its members write; "" for code
    that is no member of any group.
    """


_JVM = "java, javac, mvn"
_CONNECT = partial(java_group_data, "connect-runtime")
_STREAMS = partial(java_group_data, "kafka-streams")

CLIENTS = {
    "aiokafka": Program("Python", "aiokafka", partial(installed, "aiokafka"), "aiokafka"),
    "confluent-kafka-go": Program("Go", "go, gcc", librdkafka_go, "librdkafka"),
    "connect-2.2": Program("Java", _JVM, partial(_CONNECT, "2.2.2")),
    "connect-2.3": Program("Java", _JVM, partial(_CONNECT, "2.3.1")),
    "connect-4.3": Program("Java", _JVM, partial(_CONNECT, "4.3.1")),
    "franz-go-kgo": Program("Go", "go", partial(go, "kgo"), "franz-go"),
    "franz-go-kgo-1.14": Program("Go", "go", partial(go_older, "kgo"), "franz-go"),
    "franz-go-kmsg": Program("Go", "go", partial(go, "kmsg")),
    "franz-go-kmsg-1.6": Program("Go", "go", partial(go_older, "kmsg")),
    "java": Program("Java", _JVM, java_generated),
    "java-2.4": Program("Java", _JVM, partial(java_member, "2.4.1"), "kafka-clients"),
    "java-2.8": Program("Java", _JVM, partial(java_member, "2.8.2"), "kafka-clients"),
    "java-3.9": Program("Java", _JVM, partial(java_member, "3.9.1"), "kafka-clients"),
    "java-4.4": Program("Java", _JVM, partial(java_member, "4.4.0"), "kafka-clients"),
    "kafka-go-client": Program("Go", "go", partial(go, "kafkago", "client"), "kafka-go Client"),
    "kafka-go-describe": Program("Go", "go", partial(go, "kafkago", "describe")),
    "kafka-go-reader": Program("Go", "go", partial(go, "kafkago", "reader"), "kafka-go Reader"),
    "kafka-javascript": Program(
        "JavaScript", "node, npm, gcc, make", librdkafka_node, "librdkafka"
    ),
    "kafka-protocol": Program("Rust", "cargo", partial(rust, "rust")),
    "kafka-python": Program(
        "Python", "kafka-python 3", partial(installed, "kafka-python", 3), "kafka-python"
    ),
    "kafka-python-2": Program(
        "Python", "pip", partial(python, "kafka_python_2.py"), "kafka-python"
    ),
    "kafkajs": Program("JavaScript", "node, npm", partial(node, "kafkajs.mjs"), "kafkajs"),
    "kafkajs-1.16": Program(
        "JavaScript", "node, npm", partial(node, "kafkajs.mjs", "kafkajs-1.16"), "kafkajs"
    ),
    "kio": Program("Python", "kio", partial(installed, "kio")),
    "kproto": Program("Python", "nothing else", partial(installed, "kproto")),
    "krafka": Program("Rust", "cargo", partial(rust, "krafka")),
    "librdkafka": Program("C", "confluent-kafka", librdkafka, "librdkafka"),
    "librdkafka-2.0": Program("C", "pip", partial(librdkafka_python, "2.0.2"), "librdkafka"),
    "platformatic": Program(
        "JavaScript", "node, npm", partial(node, "platformatic.mjs"), "platformatic-kafka"
    ),
    "rdkafka": Program("Rust", "cargo, gcc, make", librdkafka_rust, "librdkafka"),
    "samsa": Program("Rust", "cargo", partial(rust, "samsa")),
    "sarama": Program("Go", "go", partial(go, "sarama"), "sarama"),
    "sarama-1.40": Program("Go", "go", partial(go_older, "sarama"), "sarama"),
    "streams-1.1": Program("Java", _JVM, partial(_STREAMS, "1.1.1")),
    "streams-2.8": Program("Java", _JVM, partial(_STREAMS, "2.8.2")),
    "streams-4.3": Program("Java", _JVM, partial(_STREAMS, "4.3.1")),
}
"""The programs by name. "java" is the newest release's generated classes, "java-4.4" what an
assignor sees.
"""

NAMES = tuple(CLIENTS)
INSTALLED = ("aiokafka", "kafka-python", "kio", "kproto")
"""The adapters that are packages of this environment."""

_GROUP_DATA = "it reads no message of the consumer protocol, which is what the matrix is about"

NOT_IN_MATRIX = {
    **{name: _GROUP_DATA for name in CLIENTS if name.startswith(("connect-", "streams-"))},
    "kproto": "it is the judge",
    "librdkafka-2.0": "it waits for a second before it joins a group again, which is each question",
}
"""The adapters that the matrix does not measure, and why."""


def command(name: str) -> tuple[str, ...]:
    """Return the command of one of `NAMES`, built if necessary.

    Raises `Unavailable`, and KeyError for any other name.
    """
    return CLIENTS[name].start()
