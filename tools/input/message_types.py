"""Find the message class that a call names: a built-in one, or one of --definitions."""

from __future__ import annotations

from argparse import ArgumentParser

from ... import codec
from ...codec.messages import MODULES, message_class
from ...codec.runtime.message import Message
from ...wording import like_names
from ..output.failures import WRONG_USE, Failure, status_of


def add_body_version(parser: ArgumentParser) -> None:
    """Add --body-version, which is `body_version` of the library's `decode`; --body is short."""
    parser.add_argument(
        "--body-version",
        "--body",
        dest="body",
        metavar="VERSION",
        type=int,
        help="the input has no version field; parse it as version N",
    )


def add_definitions(parser: ArgumentParser) -> None:
    """Add the option --definitions."""
    parser.add_argument(
        "--definitions",
        metavar="PATH",
        help="more message definitions in Kafka's JSON dialect: a file, folder, jar or zip",
    )


def load(path: str | None, *, broken: int = WRONG_USE) -> dict[str, type[Message]]:
    """Return the classes of --definitions by name, none without it. Raises Failure, with the exit
    status `broken` for a broken definition.
    """
    if path is None:
        return {}
    try:
        return codec.load_definitions(path)
    except codec.SchemaError as error:
        raise Failure(str(error), broken) from None
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path}: {reason}", status_of(error)) from None


def find(name: str, loaded: dict[str, type[Message]]) -> type[Message]:
    """Return the class of that name, in any case; one of --definitions comes before a built-in one.
    "subscription" and "assignment" are those of consumers. Raises Failure where there is none.
    """
    for lower in (name.lower(), f"{_SHORT}{name.lower()}"):
        for candidate in (*loaded, *MODULES):
            if candidate.lower() == lower:
                return loaded[candidate] if candidate in loaded else message_class(candidate)
    raise Failure(f"there is no message {name!r}{_nearest(name, [*loaded, *MODULES])}", WRONG_USE)


_SHORT = "consumerprotocol"


def _nearest(name: str, names: list[str]) -> str:
    near = like_names(name, names)
    advice = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{advice} (kproto schemas lists them)"
