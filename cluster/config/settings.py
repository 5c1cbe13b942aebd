"""The settings of a client, under the names of the Java client and of librdkafka.

A setting comes from the command line, else from the file of --command-config, else from the
environment: `KAFKA_SASL_JAAS_CONFIG` is `sasl.jaas.config`. Keys that nothing here needs (those of
consumers, say) are ignored where Kafka knows them, and named where it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...wording import near_names
from ..errors import ConfigError

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI", "AWS_MSK_IAM")
ENVIRONMENT = "KAFKA_"
SCHEME = "kafka://"
"""What the address of a broker begins with, where a source is wanted."""

_SAME = {  # librdkafka's name: Java's, where both mean the same
    "metadata.broker.list": "bootstrap.servers",
    "sasl.mechanisms": "sasl.mechanism",
    "sasl.oauthbearer.token.endpoint.url": "sasl.oauthbearer.token.endpoint.url",
}
_USED = frozenset(
    """
    bootstrap.servers security.protocol client.id default.api.timeout.ms
    session.timeout.ms heartbeat.interval.ms max.poll.interval.ms
    sasl.mechanism sasl.jaas.config sasl.username sasl.password
    sasl.oauthbearer.token.endpoint.url sasl.oauthbearer.client.id sasl.oauthbearer.client.secret
    sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.client.credentials.client.secret
    sasl.oauthbearer.scope sasl.oauthbearer.method sasl.oauthbearer.config
    sasl.oauthbearer.extensions enable.sasl.oauthbearer.unsecure.jwt
    sasl.login.callback.handler.class
    sasl.kerberos.service.name sasl.kerberos.principal sasl.kerberos.keytab
    ssl.truststore.location ssl.truststore.password ssl.truststore.type ssl.truststore.certificates
    ssl.keystore.location ssl.keystore.password ssl.keystore.type ssl.keystore.certificate.chain
    ssl.keystore.key ssl.key.password ssl.endpoint.identification.algorithm ssl.cipher.suites
    ssl.ca.location ssl.ca.pem ssl.certificate.location ssl.certificate.pem ssl.key.location
    ssl.key.pem enable.ssl.certificate.verification
    """.split()
)
_KNOWN = re.compile(  # settings that have no bearing on how a broker is asked
    r"(group|auto|enable|max|min|fetch|session|heartbeat|partition|key|value|isolation|interceptor"
    r"|metric|metrics|receive|send|reconnect|retries|retry|request|default|connections|client|acks"
    r"|batch|linger|compression|buffer|delivery|transactional|transaction|metadata|check|exclude"
    r"|allow|security|socket|broker|api|statistics|log|debug|queued|queue|message|topic|queuing"
    r"|consume|offset|offsets|share|bootstrap|telemetry|config|include|sasl|ssl|internal|schema"
    r"|basic|bearer|ack|dr|sticky|resolve|open|plugin|builtin|opaque)(\.[a-z0-9.]+)?"
)
_WRONG = 1.5  # letters, of those of a name: one is wrong, missing, or too much, or two are swapped
_SECRETS = ("password", "secret", "jaas", "key", "token", "pem", "config")


def _misspelt(key: str) -> bool:
    """Return whether a name is nearly that of a setting which says how a broker is asked."""
    used = [name for name in _USED if name.startswith(("sasl.", "ssl.", "security."))]
    return bool(near_names(key, used, 1, max(0, 1 - _WRONG / len(key))))


@dataclass(frozen=True)
class Jaas:
    """A login module of `sasl.jaas.config` and its options. Its `repr` shows no option."""

    module: str
    options: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """The settings of a client by their names, Java's where there are two. Its `repr` shows no
    value."""

    values: dict[str, str] = field(repr=False)
    where: Mapping[str, str] = field(repr=False, default_factory=dict)
    ignored: tuple[str, ...] = ()
    """The keys that are not known, and so of no effect."""

    def get(self, key: str, default: str = "") -> str:
        """Return the value of a setting."""
        return self.values.get(key, default)

    @property
    def servers(self) -> tuple[tuple[str, int], ...]:
        """The bootstrap servers, host and port. Raises ConfigError."""
        return servers_of(self.get("bootstrap.servers"))

    @property
    def shown_servers(self) -> str:
        """The first bootstrap servers, as an error names the cluster."""
        return ", ".join(f"{host}:{port}" for host, port in self.servers[:3])

    @property
    def protocol(self) -> str:
        """The security protocol. Raises ConfigError for one that does not exist."""
        name = self.get("security.protocol", "PLAINTEXT").upper()
        if name not in PROTOCOLS:
            raise ConfigError(f"security.protocol is none of {', '.join(PROTOCOLS)}")
        return name

    @property
    def mechanism(self) -> str:
        """The SASL mechanism. Raises ConfigError for one that is not implemented."""
        name = self.get("sasl.mechanism", "GSSAPI").upper()
        if name not in MECHANISMS:
            quoted = name if name.replace("-", "").isalnum() and len(name) < 30 else "that"
            raise ConfigError(
                f"sasl.mechanism {quoted} is not implemented; there are: {', '.join(MECHANISMS)}"
            )
        return name

    @property
    def jaas(self) -> Jaas | None:
        """The login module of `sasl.jaas.config`, None without one. Raises ConfigError."""
        text = self.get("sasl.jaas.config")
        return parse_jaas(text) if text.strip() else None


def settings(
    file: tuple[str, Mapping[str, str]] | None = None,
    environment: Mapping[str, str] | None = None,
    bootstrap: str | None = None,
) -> Settings:
    """Return the settings of a file (its name and its keys), of the environment, and of
    --bootstrap-server; --bootstrap-server decides, then the file.

    Raises ConfigError.
    """
    values: dict[str, str] = {}
    for key in _USED:
        text = (environment or {}).get(ENVIRONMENT + key.upper().replace(".", "_"))
        if text:
            values[key] = text
    ignored: list[str] = []
    if file is not None:
        for key, value in file[1].items():
            own_name = _SAME.get(key, key)
            if own_name in _USED:
                values[own_name] = value
            elif not _KNOWN.fullmatch(key) or _misspelt(key):
                ignored.append(key)
    if bootstrap:
        values["bootstrap.servers"] = bootstrap
    settings = Settings(values, ignored=tuple(ignored))
    if not settings.get("bootstrap.servers").strip():
        raise ConfigError(
            "no broker is named: --bootstrap-server HOST:PORT, bootstrap.servers in "
            "--command-config, or KAFKA_BOOTSTRAP_SERVERS"
        )
    _ = settings.servers, settings.protocol, settings.jaas
    if settings.protocol.startswith("SASL_"):
        _ = settings.mechanism
    return settings


def servers_of(text: str) -> tuple[tuple[str, int], ...]:
    """Return host and port of each server of a list: "a:9092,[::1]:9093,SSL://b:9094".

    Raises ConfigError.
    """
    servers = tuple(_server(part.strip()) for part in text.split(",") if part.strip())
    if not servers:
        raise ConfigError("bootstrap.servers is empty: expected HOST:PORT")
    return servers


def _server(text: str) -> tuple[str, int]:
    rest = text.partition("://")[2] or text
    host, colon, port = rest.rpartition(":")
    if rest.endswith("]") or not colon or (":" in host and not host.startswith("[")):
        host, port = rest, "9092"
    host = host.removeprefix("[").removesuffix("]")
    if not host or not host.isprintable() or not port.isdecimal() or not 0 < int(port[:6]) < 65536:
        raise ConfigError(f"{_short(text)} is no HOST:PORT")
    return host, int(port)


def _short(text: str) -> str:
    return ascii(text if len(text) <= 60 else f"{text[:60]}...")


_TOKEN = re.compile(
    r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s=;"']+)|(=)|(;))""", re.DOTALL
)


def parse_jaas(text: str) -> Jaas:
    """Return the login module of `MODULE required key="value" ...;`.

    Raises ConfigError, which shows nothing of the text: it holds a password.
    """
    words = list(_words(text))
    wrong = ConfigError('sasl.jaas.config is not MODULE required key="value" ...;')
    if len(words) < 2 or words[1].lower() not in (
        "required", "requisite", "sufficient", "optional",
    ):  # fmt: skip
        raise wrong
    rest = words[2:]
    if ";" in rest:
        rest = rest[: rest.index(";")]
    if len(rest) % 3 or any(rest[index + 1] != "=" for index in range(0, len(rest), 3)):
        raise wrong
    options = {rest[index]: rest[index + 2] for index in range(0, len(rest), 3)}
    return Jaas(words[0], options)


def _words(text: str) -> Iterable[str]:
    position, text = 0, text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ConfigError("sasl.jaas.config has a quotation without its end")
        position = match.end()
        for number in (1, 2):
            if match[number] is not None:
                yield re.sub(r"\\(.)", r"\1", match[number], flags=re.DOTALL)
        yield from (match[number] for number in (3, 4, 5) if match[number] is not None)
