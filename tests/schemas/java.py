"""Java's classes from Python: found by name, given bytes, asked for bytes and text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from kproto.fuzz.oracles.java import load_jpype

if TYPE_CHECKING:
    from pathlib import Path

FindClass = Callable[[str], Any]


class Refused(NamedTuple):
    """An exception in Java: class and message."""

    error: str


def class_loader(jars: Iterable[Path]) -> FindClass:
    """Finds classes in these jars and in Java's own library, and nowhere else."""
    jpype = load_jpype()
    urls = [jpype.JClass("java.io.File")(str(jar)).toURI().toURL() for jar in jars]
    platform = jpype.JClass("java.lang.ClassLoader").getPlatformClassLoader()
    loader = jpype.JClass("java.net.URLClassLoader")(
        jpype.JClass("java.net.URL")[:](urls), platform
    )
    return lambda name: jpype.JClass(name, loader=loader)


def attempt(ask: Callable[[Any], Any], data: bytes) -> Any:
    """What Java makes of the bytes, or `Refused`."""
    jpype = load_jpype()
    try:
        return ask(to_buffer(data))
    except jpype.JException as error:
        return Refused(str(error))


def to_buffer(data: bytes) -> Any:
    jpype = load_jpype()
    return jpype.JClass("java.nio.ByteBuffer").wrap(jpype.JByte[:](data))


def from_buffer(buffer: Any) -> bytes:
    raw = load_jpype().JByte[buffer.remaining()]
    buffer.duplicate().get(raw)
    return bytes(memoryview(raw))


def text(string: Any) -> str | None:
    """Java's text, surrogates without their pair included; None where it is null."""
    if string is None:
        return None
    order = "le" if sys.byteorder == "little" else "be"
    return bytes(memoryview(string.toCharArray())).decode(f"utf-16-{order}", "surrogatepass")
