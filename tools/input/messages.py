"""The message classes that a call can name: the built-in ones, and those of --definitions."""

from __future__ import annotations

from argparse import ArgumentParser

from ...codec.messages import MODULES, message_class
from ...codec.runtime.message import Message
from ..output.failures import WRONG_USE, Failure


def add_definitions(parser: ArgumentParser) -> None:
    """The option --definitions."""
    parser.add_argument(
        "--definitions",
        metavar="PATH",
        help="more message definitions in Kafka's JSON dialect: a file, folder, jar or zip",
    )


def load(path: str | None, *, broken: int = WRONG_USE) -> dict[str, type[Message]]:
    """Return the classes of --definitions, none without it. A broken definition ends with that
    status.
    """
    if path is None:
        return {}
    from ...codec.definitions import load_definitions
    from ...codec.errors import SchemaError

    try:
        return load_definitions(path)
    except SchemaError as error:
        raise Failure(str(error), broken) from None
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path}: {reason}", WRONG_USE) from None


def find(name: str, loaded: dict[str, type[Message]]) -> type[Message]:
    """Return the class of that name, in any case; one of --definitions before a built-in one."""
    lower = name.lower()
    for known in (*loaded, *MODULES):
        if known.lower() == lower:
            return loaded[known] if known in loaded else message_class(known)
    raise Failure(f"there is no message {name!r}{_nearest(name, [*loaded, *MODULES])}", WRONG_USE)


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    lower = {one.lower(): one for one in known}
    near = [lower[one] for one in get_close_matches(name.lower(), lower, n=3, cutoff=0.5)]
    near += [one for one in known if name.lower() in one.lower() and one not in near][:3]
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{meant} (kproto schemas lists them)"
