"""Bytes in a notebook, or at a prompt of Python: what they are, field by field."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from ...capture import CaptureError, read
from ...codec import Message
from ...codec.messages import message_class
from ..identification import Examined, examine
from .export import Recorder
from .inspection import Inspection

__all__ = ["DecodedView", "decode"]

_COLUMNS = 100


class DecodedView:
    """A decoded message: a notebook shows the hex beside the fields, `print` the fields. `examined`
    has the message, where reading stopped, and what deviates."""

    def __init__(self, examined: Examined) -> None:
        self.examined = examined

    @property
    def message(self) -> Message | None:
        """The message; None where the bytes could not be read to their end."""
        return self.examined.decoded.message

    def __repr__(self) -> str:
        output = StringIO()
        console = Console(
            file=output, width=_COLUMNS, color_system=None, markup=False, emoji=False,
            highlight=False, _environ={},
        )  # fmt: skip
        console.print(Inspection(self.examined, with_hex=False))
        return "\n".join(line.rstrip() for line in output.getvalue().splitlines())

    def _repr_html_(self) -> str:
        recorder = Recorder()
        recorder.print(Inspection(self.examined))
        return recorder.html_block()


def decode(data: bytes | str, name: str | None = None) -> DecodedView:
    """Return what bytes are; `name` is that of the message, where it is known. A text is read in
    any written form: hex, base64, a dump, a literal; of several messages the first.

    Raises ValueError where a text has no bytes, and KeyError for a name of no message.
    """
    if isinstance(data, str):
        try:
            chunks = read(data.encode()).chunks
        except CaptureError as error:
            raise ValueError(str(error)) from None
        if not chunks:
            raise ValueError("the text has no bytes of a message")
        data = chunks[0].data
    return DecodedView(examine(data, None if name is None else message_class(name)))
