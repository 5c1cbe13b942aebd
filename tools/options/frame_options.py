"""The options of `kproto decode` for frames alone; `frames_alone` does what they say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..output.failures import WRONG_USE, Failure

FRAMES = ("request", "response")
"""What --as takes besides the names of messages."""


def add_frame_options(parser: ArgumentParser) -> None:
    """The options --api-key and --api-version."""
    parser.add_argument(
        "--api-key",
        metavar="KEY",
        help="with --as response: what it answers, 11 or JoinGroup",
    )
    parser.add_argument(
        "--api-version", metavar="N", type=int, help="with --as response: and in which version"
    )


_FOR_MESSAGES = {
    "definitions": "--definitions",
    "body": "--body",
    "reader_version": "--reader-version",
}


def check_options(arguments: Namespace) -> None:
    """--api-key and --api-version belong to a response, and a response needs both; a frame says the
    rest itself."""
    given = [each is not None for each in (arguments.api_key, arguments.api_version)]
    if arguments.name == "response" and not all(given):
        raise Failure("--as response needs --api-key and --api-version: it says neither", WRONG_USE)
    if arguments.name != "response" and any(given):
        raise Failure("--api-key and --api-version go with --as response", WRONG_USE)
    for name, option in _FOR_MESSAGES.items():
        if arguments.name in FRAMES and getattr(arguments, name) is not None:
            raise Failure(f"{option} is for messages, and {arguments.name} is a frame", WRONG_USE)
