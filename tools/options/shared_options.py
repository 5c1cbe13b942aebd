"""Options that mean the same in every command, and the values that they take.

Durations and sizes have a unit. Topics are `orders=12,payments=6`, or `@FILE`.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from typing import TYPE_CHECKING

import msgspec

from ... import cluster, rebalance
from ...cluster.errors import most_of
from ...files import read_bounded
from ..output.failures import WRONG_USE, Failure, say

if TYPE_CHECKING:
    from ...cluster.config.settings import Settings
    from ...rebalance.migration import StatedClient


def add_settings(parser: ArgumentParser | _ArgumentGroup, when: str) -> None:
    """Add the option --set to the parser."""
    parser.add_argument(
        "--set",
        dest="told",
        metavar="NAME=VALUE",
        type=pair,
        action="append",
        default=[],
        help=f"a setting of the broker, {when}; repeatable",
    )


def add_client_settings(parser: ArgumentParser | _ArgumentGroup) -> None:
    """Add the option --settings to the parser."""
    parser.add_argument(
        "--settings",
        dest="client_settings",
        metavar="[CLIENT[:RELEASE]=]FILE",
        action="append",
        default=[],
        help="judge a client's settings by what happened: a log in which it printed them "
        "(ConsumerConfig values, debug=conf), key=value lines, or JSON; repeatable",
    )


def add_stated_clients(parser: ArgumentParser | _ArgumentGroup) -> None:
    """Add the option --member-client to the parser."""
    parser.add_argument(
        "--member-client",
        dest="clients",
        metavar="MEMBER=CLIENT[:RELEASE]",
        action="append",
        default=[],
        help="which client a member is, where its bytes do not tell: 'payments-*=librdkafka:2.16', "
        "by client id, wildcards allowed; repeatable",
    )


def stated_clients(arguments: Namespace) -> list[StatedClient]:
    """Return what --member-client says. Raises Failure for an unknown client."""
    migration = rebalance.migration
    try:
        return [migration.read_stated_client(text) for text in arguments.clients]
    except migration.ClientNameError as error:
        raise Failure(f"--member-client: {error}", WRONG_USE) from None


def settings_of(arguments: Namespace) -> dict[str, str]:
    """Return what --set names. Raises Failure for a setting that decides nothing, or whose value no
    broker takes."""
    migration = rebalance.migration
    settings = dict(arguments.told)
    for name in settings:
        if name not in migration.NAMES:
            listed = ", ".join(migration.NAMES)
            raise Failure(f"--set: {name!a} decides nothing here; what does: {listed}", WRONG_USE)
    try:
        migration.read_settings(settings)
    except migration.SettingError as error:
        raise Failure(f"--set: {error}", WRONG_USE) from None
    return settings


def add_client(parser: ArgumentParser) -> None:
    """Add --command-config and --timeout, for a source that is a broker."""
    parser.add_argument(
        "--command-config", metavar="FILE",
        help="properties of the Java client or of librdkafka, for a broker: TLS, SASL",
    )  # fmt: skip
    parser.add_argument(
        "--timeout",
        metavar="DURATION",
        type=duration,
        default=60.0,
        help="how long a broker or an object store may take to answer; default: 60s",
    )


def client_settings(bootstrap: str | None, file: str | None) -> Settings:
    """Return the settings of the client; keys of the file that nobody knows are named. Raises
    ConfigError."""
    settings = cluster.settings_of(bootstrap, file)
    for problem in most_of(f"{key} is no setting of a client" for key in settings.ignored):
        say(f"{file}: {problem}")
    return settings


def pair(text: str) -> tuple[str, str]:
    """Return name and value. Raises ArgumentTypeError."""
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)([a-zA-Z]*)")


def duration(text: str) -> float:
    """Return the seconds of a duration with its unit: 500ms, 90s, 10m, 2h, 7d. Raises
    ArgumentTypeError.
    """
    amount = _AMOUNT.fullmatch(text)
    seconds = float(amount[1]) * _SECONDS.get(amount[2].lower(), 0.0) if amount else 0.0
    if not 0 < seconds < 1e9:
        hint = f"; {text}s are seconds" if amount and not amount[2] else ""
        raise ArgumentTypeError(f"{text!r} is no duration such as 500ms, 90s, 10m, 2h, 7d{hint}")
    return seconds


def size(text: str) -> int:
    """Return the bytes of a size: 1000, 64K, 500M, 2G. Raises ArgumentTypeError."""
    amount = _AMOUNT.fullmatch(text)
    number = float(amount[1]) * _BYTES.get(amount[2].upper(), 0) if amount else 0.0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no size such as 1000, 64K, 500M, 2G")
    return int(number)


def partition_counts(text: str) -> dict[str, int]:
    """Return the partitions of each topic of `orders=12,payments=6`, or of `@FILE`, a JSON object.
    Raises ArgumentTypeError.
    """
    if text.startswith("@"):
        return _counts_in(text[1:])
    topics = {}
    for part in text.split(","):
        name, value = pair(part)
        if not value.isdecimal():
            raise ArgumentTypeError(f"{part!r} is not TOPIC=NUMBER")
        topics[name] = int(value)
    return topics


def _counts_in(path: str) -> dict[str, int]:
    try:
        return msgspec.json.decode(read_bounded(path), type=dict[str, int])
    except OSError as error:
        raise ArgumentTypeError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise ArgumentTypeError(f'{path} is no JSON such as {{"orders": 12}}: {error}') from None
