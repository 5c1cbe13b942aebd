"""Bytes and messages in a notebook, or at a prompt of Python: what they are, field by field.

`decode` shows any bytes. After

    %load_ext kproto.inspector

a message, or what `kproto.codec.decode` returns, is shown so at the end of a cell, in colour, with
its bytes. The codec itself knows nothing of views, so they are registered with IPython here, from
above, and only on request.
"""

from __future__ import annotations

from html import escape
from io import StringIO
from typing import Any

from rich.console import Console

from ...capture import CaptureError, read
from ...codec.errors import EncodeError
from ...codec.messages import message_class
from ...codec.read.decoding import Decoded, Policy
from ...codec.read.decoding import decode as decode_message
from ...codec.runtime.message import Message, VersionedMessage
from ..identification import Examined, examine
from .export import Recorder
from .inspection import Inspection

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
        return _html(Inspection(self.examined))


def decode(data: bytes | str, name: str | None = None) -> DecodedView:
    """Return what bytes are; `name` is that of the message, where it is known. A text is read in
    any written form: hex, base64, a dump, a literal; of several messages the first.

    Raises ValueError where a text has no bytes, and NoSuchMessage for a name of no message.
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


# -- views of what the codec returns


def load_ipython_extension(shell: Any) -> None:
    """Register the views with IPython; `%load_ext kproto.inspector` calls this."""
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type(Message, message_html)
    formatter.for_type(Decoded, decoded_html)


def unload_ipython_extension(shell: Any) -> None:
    """Remove the views from IPython; `%unload_ext kproto.inspector` calls this."""
    formatter = shell.display_formatter.formatters["text/html"]
    for type_ in (Message, Decoded):
        formatter.pop(type_, None)


def decoded_html(result: Decoded[Any]) -> str:
    """Return the inspector's view of decoded bytes, as an element of HTML."""
    return _html(Inspection(Examined(result, result.error, refused=False, rivals=())))


def message_html(message: Message) -> str:
    """Return the inspector's view of a message in its newest version (Streams: its own version), as
    an element of HTML; the message's `repr` where that version cannot hold it.
    """
    cls = type(message)
    try:
        version: int = message.version if cls.FRAMING.kind == "version32" else cls.LATEST  # type: ignore[attr-defined]
        if isinstance(message, VersionedMessage):
            result = decode_message(message.to_bytes(version), cls, policy=Policy.LENIENT)
        else:
            body = message.to_body(version)
            result = decode_message(body, cls, policy=Policy.LENIENT, body_version=version)
    except EncodeError:
        return f"<pre>{escape(repr(message))}</pre>"
    return _html(
        Inspection(Examined(result, result.error, refused=False, rivals=()), with_hex=False)
    )


def _html(view: Inspection) -> str:
    recorder = Recorder()
    recorder.print(view)
    return recorder.html_block()
