"""Any text is a definition that works or a `SchemaError`: none of it is executed, and the class
made of it writes and reads its own default message in every decoder.
"""

from __future__ import annotations

from ...codec import EncodeError, Message, SchemaError, compile_definition, construct_for
from ..mutators.definitions import DEFINITIONS
from . import Broken

FORMS = {"": DEFINITIONS}

_MOST_VERSIONS = 3


def check(data: bytes) -> None:
    """Check the text of a definition."""
    try:
        made = compile_definition(data.decode("utf-8", "replace"))
    except SchemaError as error:
        if not error.rule:
            raise Broken("refused without a word") from None
        return
    versions = list(made.VERSIONS)
    for version in {*versions[:_MOST_VERSIONS], *versions[-_MOST_VERSIONS:]}:
        _check_version(made, version)


def _check_version(made: type[Message], version: int) -> None:
    message = made()
    if made.FRAMING.kind == "version32":
        message = message.replace(version=version)
    try:
        body = message.to_body(version)
    except EncodeError:  # a default of null that this version does not allow
        return
    if made.FRAMING.newer == "head":
        return
    again = made.from_body(body, version)
    if again != message and repr(again) != repr(message):  # NaN differs from itself
        raise Broken(f"version {version}: the default message is read as {again!r:.150}")
    construct_for(made, version).parse(body)
