"""Settings of consumers: how each client spells them, what its releases do where they are not set,
and which of them its constructor refuses together. The facts are in `settings.toml`.

Names are those of the Java client ("max.poll.interval.ms"), values are texts: milliseconds,
"true" and "false", assignors by their names with commas between.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from .catalog import clients, release_order

__all__ = [
    "NAMES", "UNSET", "ClientSettings", "Refusal", "Setting", "assignor_name", "client_named",
    "default_of", "refusals", "setting_named",
]  # fmt: skip

UNSET = "unset"
"""The value of a setting that has none."""
NAMES = frozenset({
    "application.id", "auto.commit.interval.ms", "auto.offset.reset", "client.id",
    "enable.auto.commit", "group.id", "group.instance.id", "group.protocol", "group.protocol.type",
    "group.remote.assignor", "heartbeat.interval.ms", "isolation.level", "max.poll.interval.ms",
    "max.poll.records", "partition.assignment.strategy", "rebalance.timeout.ms",
    "session.timeout.ms",
})  # fmt: skip
"""The settings that are read; all others, passwords among them, are not kept."""


class Default(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What some releases of a client do where a setting is not set; see `settings.toml`."""

    client: str
    source: str
    setting: str = ""
    value: str = ""
    values: Mapping[str, str] = {}
    since: str = ""
    before: str = ""

    def is_of(self, release: str) -> bool:
        """Return whether a release is one of these; of an unknown one, whether all are."""
        if not release:
            return not self.before and not self.since
        number = release_order(release)
        is_new = not self.since or number >= release_order(self.since)
        return is_new and (not self.before or number < release_order(self.before))

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The settings and their values."""
        if self.setting:
            yield self.setting, self.value
        yield from self.values.items()


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings that a client's constructor refuses together, in which words, and where that was
    tried."""

    client: str
    settings: tuple[str, ...]
    says: str
    test: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    spelling: Mapping[str, Mapping[str, str]]
    default: tuple[Default, ...]
    refusal: tuple[Refusal, ...]


@lru_cache(maxsize=1)
def _table() -> _Table:
    text = files(__package__).joinpath("settings.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Table)


class Setting(msgspec.Struct, frozen=True):
    """The value of a setting, and where it is from: "set" by the user; "default" of the client's
    release; "printed", as a dump of all settings has it."""

    name: str
    value: str
    origin: str
    reason: str

    @property
    def text(self) -> str:
        """The setting in words."""
        return f"{self.name} is {self.value} ({self.reason})"


def default_of(client: str, release: str, name: str) -> Setting | None:
    """Return what a release of a client does where a setting is not set; None where that is not
    known, as where it depends on a release that is not known.

    >>> default_of("kafka-clients", "2.8.1", "session.timeout.ms").value
    '10000'
    >>> default_of("kafka-clients", "", "session.timeout.ms") is None
    True
    """
    fitting = [
        (default, value)
        for default in _table().default
        if default.client == client
        for pair, value in default.pairs
        if pair == name
    ]
    values = {value for _, value in fitting}
    for default, value in fitting:
        if default.is_of(release) or (not release and len(values) == 1):
            since = f" from {default.since} on" if default.since else ""
            until = f" before {default.before}" if default.before else ""
            releases = f"{since}{until}" if len(values) > 1 else ""
            reason = f"the default of {client}{releases}"
            return Setting(name, value, "default", reason)
    return None


def refusals(client: str, *names: str) -> Iterator[Refusal]:
    """Yield what a client refuses of these settings, all of which it has to be about."""
    for refusal in _table().refusal:
        if refusal.client == client and set(names) <= set(refusal.settings):
            yield refusal


class ClientSettings(msgspec.Struct, frozen=True):
    """The settings of a client out of one place. `client` is a name of `clients.json`, "" where it
    is not known; so is `release`. `is_whole`: the client printed all settings, so that what was set
    cannot be told from its defaults."""

    source: str
    values: Mapping[str, str]
    client: str = ""
    release: str = ""
    is_whole: bool = False
    is_guess: bool = False
    """Whether the client is only taken for this one, by the form of the settings."""

    @property
    def group(self) -> str:
        """The group that they are of, "" where they name none."""
        names = (self.values.get(name, UNSET) for name in ("group.id", "application.id"))
        return next((name for name in names if name != UNSET), "")

    @property
    def client_id(self) -> str:
        """The client id, "" where none is set."""
        name = self.values.get("client.id", UNSET)
        return "" if name == UNSET else name

    @property
    def label(self) -> str:
        """The client in words."""
        name = f"{self.client or 'a client that is not known'} {self.release}".strip()
        return f"probably {name}" if self.is_guess else name

    def setting(self, name: str) -> Setting | None:
        """Return a setting as it is in effect; None where that is not known."""
        default = default_of(self.client, self.release, name)
        if name not in self.values:
            return default
        value = self.values[name]
        if not self.is_whole:
            return Setting(name, value, "set", f"set in {self.source}")
        if default is not None and default.value == value:
            return Setting(name, value, "printed", f"{self.source}; {default.reason}")
        return Setting(name, value, "printed", self.source)

    def number(self, name: str) -> int | None:
        """Return a setting that is a number; None where it is not known, or is none."""
        setting = self.setting(name)
        value = "" if setting is None else setting.value
        return int(value) if re.fullmatch(r"-?\d{1,18}", value) else None

    def value(self, name: str) -> str:
        """Return the value of a setting in small letters, "" where it is not known."""
        setting = self.setting(name)
        return "" if setting is None or setting.value == UNSET else setting.value.lower()

    def is_set(self, name: str) -> bool:
        """Return whether the user has certainly set it."""
        return not self.is_whole and name in self.values

    def spelled(self, name: str) -> str:
        """Return what the client calls a setting."""
        if self.client in ("kafka-python", "aiokafka"):
            return name.replace(".", "_")
        return _table().spelling.get(name, {}).get(self.client, name)


_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PREFIXES = (
    "spring.kafka.consumer.properties.", "spring.kafka.properties.", "spring.kafka.consumer.",
    "main.consumer.", "consumer.override.", "consumer.",
)  # fmt: skip
_ALIASES: Mapping[str, str] = MappingProxyType({
    "autocommit": "enable.auto.commit", "auto.commit": "enable.auto.commit",
    "auto.commit.interval": "auto.commit.interval.ms", "session.timeout": "session.timeout.ms",
    "heartbeat.interval": "heartbeat.interval.ms", "rebalance.timeout": "rebalance.timeout.ms",
    "max.poll.interval": "max.poll.interval.ms", "from.beginning": "auto.offset.reset",
    "read.uncommitted": "isolation.level", "partition.assigners": "partition.assignment.strategy",
})  # fmt: skip
_BY_NAME = {
    "from.beginning": {"true": "earliest", "false": "latest"},
    "read.uncommitted": {"true": "read_uncommitted", "false": "read_committed"},
    "auto.offset.reset": {
        "smallest": "earliest", "beginning": "earliest", "largest": "latest", "end": "latest",
        "error": "none",
    },
}  # fmt: skip


def setting_named(name: str, value: str) -> tuple[str, str] | None:
    """Return a setting with its name and value as the Java client has them; None for one that is
    not read.

    >>> setting_named("session_timeout_ms", "6000"), setting_named("fromBeginning", "true")
    (('session.timeout.ms', '6000'), ('auto.offset.reset', 'earliest'))
    >>> setting_named("spring.kafka.consumer.auto-offset-reset", "latest")
    ('auto.offset.reset', 'latest')
    >>> setting_named("sasl.password", "secret") is None
    True
    """
    prefix = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), "")
    plain = _CAMEL.sub(".", name.removeprefix(prefix)).lower().replace("_", ".").replace("-", ".")
    full = _ALIASES.get(plain, plain)
    if full not in NAMES:
        return None
    text = value.strip()
    text = _BY_NAME.get(plain, {}).get(text.lower(), text)
    if full == "partition.assignment.strategy":
        parts = (part.strip(" '\"") for part in text.strip("[]").split(","))
        text = ",".join(assignor_name(part) for part in parts if part)
    return full, UNSET if text in ("null", "None", "") else text


_ASSIGNORS: Mapping[str, str] = MappingProxyType({
    "range": "range", "roundrobin": "roundrobin", "sticky": "sticky",
    "cooperativesticky": "cooperative-sticky", "streams": "stream",
})  # fmt: skip


def assignor_name(text: str) -> str:
    """Return the name of an assignor of Kafka's; a user's own class stays as it is.

    >>> assignor_name("class org.apache.kafka.clients.consumer.CooperativeStickyAssignor")
    'cooperative-sticky'
    """
    last = re.split(r"[.\s]", text.removesuffix(">").strip("'"))[-1]
    plain = re.sub(r"(?i)(partition)?(assignor|assigner)$", "", last)
    key = plain.lower().replace("-", "").replace("_", "")
    return _ASSIGNORS.get(key, text)


def client_named(name: str) -> str:
    """Return the client that has a name of `clients.json`, in any of its spellings, or one of the
    settings' own; "" for none.

    >>> client_named("confluent-kafka"), client_named("java"), client_named("nobody")
    ('librdkafka', 'kafka-clients', '')
    """
    lower = name.lower()
    if lower == "java":
        return "kafka-clients"
    names: dict[str, tuple[str, ...]] = {
        default.client: (default.client,) for default in _table().default
    }
    names |= {client.name: (client.name, *client.also) for client in clients().values()}
    return next(
        (
            client
            for client, spellings in names.items()
            if lower in (spelling.lower() for spelling in spellings)
        ),
        "",
    )
