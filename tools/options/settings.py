"""Values on the command line: durations, settings of brokers and of the client that asks them."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from typing import TYPE_CHECKING

from ... import cluster, rebalance
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
    """Add the option --client to the parser."""
    parser.add_argument(
        "--client",
        dest="clients",
        metavar="MEMBER=CLIENT[:RELEASE]",
        action="append",
        default=[],
        help="which client a member is, where its bytes do not tell: 'payments-*=librdkafka:2.16', "
        "by client id, wildcards allowed; repeatable",
    )


def stated_clients(arguments: Namespace) -> list[StatedClient]:
    """Return what --client says. Raises Failure for an unknown client."""
    migration = rebalance.migration
    try:
        return [migration.read_stated_client(text) for text in arguments.clients]
    except migration.ClientNameError as error:
        raise Failure(f"--client: {error}", WRONG_USE) from None


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


def client_settings(bootstrap: str | None, file: str | None) -> Settings:
    """Return the settings of the client; keys of the file that nobody knows are named. Raises
    ConfigError."""
    settings = cluster.settings_of(bootstrap, file)
    for key in settings.ignored:
        say(f"{file}: {key} is no setting of a client")
    return settings


def pair(text: str) -> tuple[str, str]:
    """Return name and value. Raises ArgumentTypeError."""
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


_SECONDS = {"s": 1, "m": 60, "h": 3600}


def duration(text: str) -> float:
    """Return the seconds of a time such as 90, 90s, 10m, 2h. Raises ArgumentTypeError."""
    number, unit = (text[:-1], text[-1]) if text[-1:].lower() in _SECONDS else (text, "s")
    try:
        value = float(number) * _SECONDS[unit.lower()]
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise ArgumentTypeError(f"{text!r} is not a time such as 90, 90s, 10m, 2h")
    return value
