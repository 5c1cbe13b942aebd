"""Bytes and messages in a notebook, or at a prompt of Python: what they are, field by field.

`decode` shows any bytes. After

    %load_ext kproto.inspector

a message, or what `kproto.codec.decode` returns, is shown so at the end of a cell, in colour, with
its bytes. The codec itself knows nothing of views, so they are registered with IPython here, from
above, and only on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from io import StringIO
from typing import Any

from rich.console import Console

from ...capture import CaptureError, read, written_items
from ...capture.chunks import Chunk
from ...codec.errors import EncodeError
from ...codec.messages import message_class
from ...codec.read.decoding import Decoded, Policy
from ...codec.read.decoding import decode as decode_message
from ...codec.runtime.message import Message, VersionedMessage, as_bytes
from ..evidence import MessageJudge
from ..identification import Examined, examine
from ..recognition import Recogniser
from .export import Recorder
from .inspection import Inspection

_COLUMNS = 100


class DecodedView:
    """What bytes are: a notebook shows the hex beside the fields, `print` the fields. `parts` are a
    message, or the header and the body of a frame; each has the message, where reading stopped,
    and what deviates. `remark` says how the bytes were read, where that is not plain."""

    def __init__(self, parts: Sequence[Examined], remark: str = "") -> None:
        self.parts = tuple(parts)
        self.remark = remark

    @property
    def examined(self) -> Examined:
        """The message, of a frame its body."""
        return self.parts[-1]

    @property
    def message(self) -> Message | None:
        """The message, of a frame its body; None where the bytes could not be read to their end."""
        return self.examined.decoded.message

    def __repr__(self) -> str:
        output = StringIO()
        console = Console(
            file=output, width=_COLUMNS, color_system=None, markup=False, emoji=False,
            highlight=False, _environ={},
        )  # fmt: skip
        for part in self.parts:
            console.print(Inspection(part, with_hex=False))
        lines = [line.rstrip() for line in output.getvalue().splitlines()]
        return "\n".join([self.remark, *lines] if self.remark else lines)

    def _repr_html_(self) -> str:
        remark = f"<p>{escape(self.remark)}</p>" if self.remark else ""
        return remark + "".join(_html(Inspection(part)) for part in self.parts)


def decode(data: bytes | str, name: str | None = None) -> DecodedView:
    """Return what bytes are, as `kproto decode` shows it; `name` is that of the message, where it
    is known. A text is read in any written form: hex, base64, a dump, a literal, what a tool has
    printed; of several messages the first.

    Raises ValueError where a text has no bytes, and NoSuchMessage for a name of no message.
    """
    cls = None if name is None else message_class(name)
    if isinstance(data, str):
        chunk, is_inside = _first_in(data)
    else:
        chunk, is_inside = Chunk(as_bytes(data), "raw"), False
    if cls is not None:
        return DecodedView([examine(chunk.data, cls)])
    recognised = Recogniser().recognise(
        chunk.data, chunk.context or chunk.label, is_inside=is_inside, is_cut=chunk.cut != 0
    )
    parts = [part for part, _ in recognised.parts()]
    remarks = dict.fromkeys(filter(None, (chunk.remark, *recognised.remarks)))
    return DecodedView(parts or [examine(chunk.data)], "; ".join(remarks))


def _first_in(text: str) -> tuple[Chunk, bool]:
    """Return the first message in a text, and whether it is in the middle of what is none."""
    try:
        reading = read(text.encode(), judge=MessageJudge())
    except CaptureError as error:
        raise ValueError(str(error)) from None
    items = written_items(reading.items)
    chunk = next((item for item in items if isinstance(item, Chunk)), None)
    if chunk is None:
        raise ValueError("the text has no bytes of a message")
    return chunk, reading.format == "log"


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
