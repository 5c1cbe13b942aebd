"""What every message class needs at run time: its methods, engine, tags and layouts.

The methods call functions of the layers above, which nothing in here imports: each is an attribute
of this package, and is imported when it is first called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import late_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol, TypeVar

    from ..dialect.layout import Program
    from ..errors import EncodeError

    Buffer = bytes | bytearray | memoryview
    T = TypeVar("T")

    class Read(Protocol):
        """The type of `read`."""

        def __call__(self, cls: type[T], data: Buffer, body_version: int | None, /) -> T:
            """Read a message."""

    class FromJson(Protocol):
        """The type of `from_json`."""

        def __call__(self, cls: type[T], obj: Mapping[str, Any], /) -> T:
            """Read a JSON object."""


read: Read
"""`read(cls, data, body_version)` returns the message of these bytes, or raises DecodeError."""

explain_refusal: Callable[[Any, int], EncodeError]
"""`explain_refusal(message, version)` returns the error for what a writer refused."""

to_json: Callable[[Any, int], dict[str, Any]]
"""`to_json(message, version)` returns Kafka's JSON form."""

from_json: FromJson
"""`from_json(cls, obj)` returns the message of a JSON object."""

reduce_part: Callable[[Any], tuple[Any, ...]]
"""`reduce_part(value)` returns what pickle and copy need of a message or a struct."""

PROGRAMS: Mapping[str, Program]
"""The rows of the built-in messages."""

_HOME = {
    "PROGRAMS": ".messages.programs",
    "explain_refusal": ".validation",
    "from_json": ".json_form",
    "read": ".read.decoding",
    "reduce_part": ".definitions",
    "to_json": ".json_form",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
