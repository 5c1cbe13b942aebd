"""What to do next, when bytes were refused."""

from __future__ import annotations

from typing import assert_never

from ...codec.errors import DecodeError, ErrorKind
from ...codec.read.decoded import older_body
from ..identification.identify import Examined

_ANOTHER_TYPE = "These bytes may be something else: `kproto schemas` lists what --as takes"
_WHOLE = "compare with the whole bytes as they were sent; tools cut long values"


def advice(examined: Examined) -> str:
    """One or two sentences on what a person can do about the error."""
    error = examined.error
    assert error is not None
    older = older_body(examined.decoded)
    if older is not None:
        return _relabelled(examined, older)
    if examined.rivals and not examined.decoded.complete:
        return f"Try another reading: --as {examined.rivals[0]}."
    return f"{_of_kind(error)}."


def _relabelled(examined: Examined, older: int) -> str:
    """The label lies: say how to read the body as what it is."""
    seen = examined.decoded
    header = seen.reading.start if seen.reading is not None else 0
    drop = f" without the first {header} bytes" if header else ""
    return (
        f"The label is wrong, the body is whole: read it{drop} with "
        f"--as {seen.message_class.NAME} --body {older}."
    )


def _of_kind(error: DecodeError) -> str:  # noqa: PLR0911  # a closed set, one line each
    kind = error.kind
    match kind:
        case ErrorKind.TRUNCATED:
            return f"The input ends too early: {_WHOLE}. {_ANOTHER_TYPE}"
        case ErrorKind.COUNT_EXCEEDS_INPUT | ErrorKind.STRING_TOO_LONG:
            return f"A length that cannot be: bytes are missing before it or {_ANOTHER_TYPE[6:]}"
        case ErrorKind.NEGATIVE_LENGTH | ErrorKind.NULL_NOT_ALLOWED:
            return "Readers differ here: some take it as empty, Apache Kafka refuses it"
        case ErrorKind.VARINT_TOO_LONG | ErrorKind.BAD_TAGGED_FIELD:
            return f"The bytes are damaged, or of a version without tagged fields. {_ANOTHER_TYPE}"
        case ErrorKind.UNSUPPORTED_VERSION:
            return f"If no version stands in front, say which it is: --body N. {_ANOTHER_TYPE}"
        case ErrorKind.UNKNOWN_RECORD_TYPE:
            return _ANOTHER_TYPE
        case ErrorKind.REMAINDER | ErrorKind.DEVIATION:
            return "Apache Kafka accepts these bytes: --policy kafka does too"
        case _:
            assert_never(kind)
