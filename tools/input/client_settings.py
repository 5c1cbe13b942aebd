"""Settings of clients as people have them: a log in which a client printed them, a properties file,
or JSON with the names of librdkafka, KafkaJS or the clients in Python."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...capture.compression import HEAD, compression, unpacked
from ...capture.logs.event import LogEvent
from ...capture.logs.reader import LogReader
from ...clients.faults import kafka_release
from ...clients.settings import ClientSettings, client_named, setting_named
from ...cluster.config.properties import read_properties
from ...cluster.errors import ConfigError
from ...wording import no_such
from ..output.failures import WRONG_USE, Failure, unreadable

__all__ = ["read_client_settings", "settings_in", "settings_of_events", "settings_of_group"]

_MOST = 64 << 20  # bytes of a file
_PRINTED = re.compile(r"\b(\w+Config) values:|Client configuration:")
_STATED = re.compile(
    r"(?P<client>[A-Za-z][\w-]*)(?::(?P<release>\d[\w.-]*))?=(?P<file>.+)", re.DOTALL
)
_OF_LIBRDKAFKA = frozenset({
    "metadata.broker.list", "enable.auto.offset.store", "enable.partition.eof", "debug",
    "statistics.interval.ms", "sasl.mechanisms", "sasl.username", "ssl.ca.location",
    "broker.address.family", "queued.min.messages", "socket.keepalive.enable", "log_level",
})  # fmt: skip
_OF_JAVA = frozenset({
    "key.deserializer", "value.deserializer", "sasl.jaas.config", "ssl.truststore.location",
    "max.poll.records", "interceptor.classes", "application.id", "default.key.serde",
})  # fmt: skip
_PROGRAMS = {
    "ConsumerConfig": "kafka-clients", "ShareConsumerConfig": "kafka-clients",
    "DistributedConfig": "kafka-connect", "librdkafka": "librdkafka",
}  # fmt: skip
"""The client that prints settings under each heading. Streams prints those of its consumers, too,
under the heading of these."""


def read_client_settings(texts: Sequence[str]) -> list[ClientSettings]:
    """Return the settings in files, each FILE, CLIENT=FILE or CLIENT:RELEASE=FILE. Raises Failure
    for one that cannot be read, or has no consumer's settings."""
    return [settings for text in texts for settings in _read(text)]


def _read(text: str) -> list[ClientSettings]:
    match = _STATED.fullmatch(text)
    name, release, client = text, "", ""
    if match is not None and not Path(text).exists():
        name, release = match["file"], match["release"] or ""
        client = client_named(match["client"])
        if not client:
            raise Failure(f"--settings: {match['client']!a} is no client that is known", WRONG_USE)
    try:
        data = _content(name)
    except (OSError, ValueError) as error:
        raise unreadable(repr(name), error, "--settings") from None
    try:
        return settings_in(data, name, client, release)
    except ConfigError as error:
        raise Failure(f"--settings: {error}; {_FORMS}", WRONG_USE) from None


def _content(path: str) -> bytes:
    """Return what is in a file, unpacked. Raises OSError or ValueError."""
    with Path(path).open("rb") as file:
        data = file.read(_MOST)
    codec, content = unpacked(data, _MOST)
    if not codec and compression(data[:HEAD]):
        raise ValueError("it is damaged, or too large once it is unpacked")
    return content


_FORMS = (
    "what is read: a log with `ConsumerConfig values:` or with debug=conf of librdkafka, lines of "
    "key=value, or a JSON object"
)


def settings_in(
    data: bytes, source: str, client: str = "", release: str = ""
) -> list[ClientSettings]:
    """Return the settings of consumers in a file; `client` and `release` are those that are stated.
    Raises ConfigError where there is none."""
    text = data.decode("utf-8", "replace")
    headings = [match[1] or "librdkafka" for match in _PRINTED.finditer(text)]
    if headings:
        settings = settings_of_events(LogReader().read(io.BytesIO(data)), source)
        if not settings:
            names_of_others = ", ".join(sorted(set(headings)))
            raise ConfigError(f"{source}: the settings of {names_of_others} are no consumer's")
        return settings
    if text.lstrip()[:1] in ("{", "["):
        pairs = [*_pairs_of_json(text, source)]
        is_json = True
    else:
        pairs = [[*read_properties(text, source).items()]]
        is_json = False
    settings = []
    for of_client in pairs:
        values = dict(filter(None, (setting_named(name, value) for name, value in of_client)))
        guess, is_guess = _client_of([name for name, _ in of_client], is_json=is_json)
        program = client or guess
        if values:
            settings.append(
                ClientSettings(source, values, program, release, is_guess=is_guess and not client)
            )
    if not settings:
        raise ConfigError(f"{source}: no setting in it is one of a consumer's group")
    return settings


def _client_of(names: Sequence[str], *, is_json: bool) -> tuple[str, bool]:
    """Return the client that settings are of by their names, and whether that is a guess: JSON with
    dots in its names is librdkafka's, and a properties file is Java's, where nothing else tells."""
    if _OF_LIBRDKAFKA.intersection(names):
        return "librdkafka", False
    if _OF_JAVA.intersection(names) or any(name.startswith("spring.kafka.") for name in names):
        return "kafka-clients", False
    if any("." in name for name in names):
        return ("librdkafka" if is_json else "kafka-clients"), True
    return "", False


def _pairs_of_json(text: str, source: str) -> Iterator[list[tuple[str, str]]]:
    """Yield the settings of each object; those inside of it count as its own."""
    try:
        value = json.loads(text)
        items = value if isinstance(value, list) else [value]
        pairs = [[*_flattened(item)] for item in items if isinstance(item, dict)]
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: it is no JSON: {error}") from None
    yield from pairs


def _flattened(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in item.items():
        if isinstance(value, dict):
            yield from _flattened(value)
        elif isinstance(value, list):
            yield name, ",".join(str(part) for part in value)
        elif isinstance(value, bool) or value is None:
            yield name, json.dumps(value)
        else:
            yield name, str(value)


def settings_of_events(events: Iterable[LogEvent], source: str) -> list[ClientSettings]:
    """Return the settings that clients print in a log. Java prints its release behind them, and
    librdkafka before."""
    settings: list[ClientSettings] = []
    waiting: list[int] = []
    earlier = ""
    for event in events:
        if event.event == "release":
            release = kafka_release(str(event.fields.get("release", "")))
            if event.family == "librdkafka":
                earlier = release
            for number in waiting if event.family == "java" else ():
                settings[number] = replace(settings[number], release=release)
            waiting = []
        program = (
            _PROGRAMS.get(str(event.fields.get("of", ""))) if event.event == "settings" else None
        )
        if program is None:
            continue
        pairs = (setting_named(name, value) for name, value in event.fields["settings"].items())
        values = dict(filter(None, pairs))
        is_java = program != "librdkafka"
        if is_java:
            waiting.append(len(settings))
        place = f"{source}, line {event.line}"
        settings.append(
            ClientSettings(place, values, program, "" if is_java else earlier, is_whole=is_java)
        )
    workers = {of_client.group for of_client in settings if of_client.client == "kafka-connect"}
    return [
        of_client
        for of_client in settings
        # Those that print all they have are members of the group that they name; a worker's own
        # consumers read its topics without being members.
        if (of_client.group or not of_client.is_whole)
        and (of_client.client == "kafka-connect" or of_client.group not in workers)
    ]


def settings_of_group(clients: Sequence[ClientSettings], name: str) -> list[ClientSettings]:
    """Return the settings of a group's clients. Raises Failure where all of them name another."""
    mine = [settings for settings in clients if settings.group in ("", name)]
    if clients and not mine:
        groups = {settings.group for settings in clients}
        raise Failure(f"--settings: {no_such('group', [name], groups)}", WRONG_USE)
    return mine
