"""Messages and what `decode` returns, shown by the inspector in a notebook.

    %load_ext kproto.inspector

after which a message or a `Decoded` at the end of a cell is shown field by field, in colour, with
its bytes. The codec itself knows nothing of views, so they are registered with IPython here, from
above, and only on request.
"""

from __future__ import annotations

from html import escape
from typing import Any

from ...codec.errors import EncodeError
from ...codec.read.decoding import Decoded, Policy, decode
from ...codec.runtime.message import Message, VersionedMessage
from ..identification import Examined
from .export import Recorder
from .inspection import Inspection


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
            result = decode(message.to_bytes(version), cls, policy=Policy.LENIENT)
        else:
            body = message.to_body(version)
            result = decode(body, cls, policy=Policy.LENIENT, body_version=version)
    except EncodeError:
        return f"<pre>{escape(repr(message))}</pre>"
    return _html(
        Inspection(Examined(result, result.error, refused=False, rivals=()), with_hex=False)
    )


def _html(view: Inspection) -> str:
    recorder = Recorder()
    recorder.print(view)
    return recorder.html_block()
