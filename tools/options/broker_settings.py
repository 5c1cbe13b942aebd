"""Settings of the brokers on the command line."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, _ArgumentGroup


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


def pair(given: str) -> tuple[str, str]:
    """Return name and value. Raises ArgumentTypeError."""
    name, sign, value = given.partition("=")
    if not (name and sign):
        raise ArgumentTypeError(f"{given!r} is not NAME=VALUE")
    return name, value
