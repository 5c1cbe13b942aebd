"""Kafka's own Java classes as a contestant, in a JVM inside this process.

Java times its turns itself, since a call from Python costs more than a small message. Its compiler
works while the caller waits (`-Xbatch`), and turns count from when they no longer get quicker.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from kproto.fuzz.building import JAVA_RELEASE, JavaUnavailable, compile_java
from kproto.fuzz.oracles.java import Toolchain, fetch_kafka, load_jpype, locate

from .peers import JAVA, Peer
from .shapes import Owned, Subscription
from .timing import Call, Turn

HELPER = Path(__file__).with_name("java") / "ConsumerProtocolTimer.java"

LONG = 0.25  # seconds: enough to tell whether code still gets quicker
QUICKER = 0.97


@dataclass(frozen=True)
class JavaPeer(Peer):
    """The peer that times its own turns; `timer` is the class of the helper."""

    timer: Any

    def decoding(self, messages: Sequence[bytes]) -> Turn:
        return _in_seconds(self.timer(list(messages)).decode)

    def encoding(self, messages: Sequence[bytes]) -> Turn:
        return _in_seconds(self.timer(list(messages)).encode)


def kafka_java() -> list[Peer]:
    """Raises JavaUnavailable."""
    toolchain = locate()
    timer = _start(toolchain).JClass(HELPER.stem)
    clients = next(jar for jar in toolchain.jars if jar.name.startswith("kafka-clients-"))

    def write(value: Any) -> Call:
        return lambda: bytes(timer.bytes(timer.write(value)))

    def content(value: Any) -> Subscription:
        owned = groupby(value.ownedPartitions(), key=lambda each: str(each.topic()))
        data = value.userData()
        return Subscription(
            topics=tuple(map(str, value.topics())),
            user_data=None if data is None else bytes(timer.bytes(data)),
            owned_partitions=tuple(
                Owned(topic, tuple(each.partition() for each in entries))
                for topic, entries in owned
            ),
            generation_id=value.generationId().orElse(-1),
        )

    return [
        JavaPeer(
            name=JAVA,
            release=clients.stem.rpartition("-")[2],
            read=lambda data: partial(timer.read, data),
            write=write,
            content=content,
            absent_from={"mixed": "they sort topics, and drop those of which nothing is owned"},
            timer=timer,
        )
    ]


def _start(toolchain: Toolchain) -> ModuleType:
    """JPype, with a JVM that knows Kafka's classes and the helper."""
    helper = compile_java(HELPER.read_bytes(), HELPER.stem, fetch_kafka())
    jpype = load_jpype()
    callbacks = list(gc.callbacks)
    jpype.startJVM(
        str(toolchain.jvm),
        "-Xmx1g",
        "-XX:+UseSerialGC",  # the quickest for one thread
        "-Xbatch",
        "-Xrs",  # Ctrl-C ends Python
        classpath=[str(helper), *map(str, toolchain.jars)],
        convertStrings=False,
    )
    gc.callbacks[:] = callbacks  # JPype would have Java collect whenever Python does
    release = jpype.getJVMVersion()[0]
    if release < JAVA_RELEASE:
        raise JavaUnavailable(f"Kafka's classes need Java {JAVA_RELEASE}; this is {release}")
    return jpype


def _in_seconds(rounds_in_nanoseconds: Callable[[int], int]) -> Turn:
    def turn(rounds: int) -> float:
        return int(rounds_in_nanoseconds(rounds)) / 1e9

    _warm(turn)
    return turn


def _warm(turn: Turn) -> None:
    """Take turns, longer and longer ones, until a long one is no quicker than the one before."""
    rounds, before = 1, inf
    while True:
        seconds = turn(rounds)
        if seconds >= LONG and seconds / rounds > before * QUICKER:
            return
        before = seconds / rounds
        rounds *= 1 if seconds >= LONG else 2
