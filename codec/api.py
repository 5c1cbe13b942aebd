"""The one module that knows every layer of `codec/`: it sets the hooks of `runtime/hooks.py`.

`kproto.codec` imports it before anything else. Its own imports are late, since most programs call
few of these functions, and the command has to start fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .runtime import hooks

if TYPE_CHECKING:
    from .dialect.layout import Program
    from .errors import EncodeError
    from .runtime.message import Buffer, Message, MessagePart


def _read(cls: type[Any], data: Buffer, body_version: int | None) -> Any:
    from .read.decoding import read  # late: needed for what the fast readers do not take

    return read(cls, data, body_version)


def _explain_refusal(message: Message, version: int) -> EncodeError:
    from .validation import explain_refusal  # late: needed for values that cannot be written

    return explain_refusal(message, version)


def _to_json(message: Message, version: int) -> dict[str, Any]:
    from .json_form import to_json  # late: needed for JSON

    return to_json(message, version)


def _from_json(cls: type[Any], obj: Mapping[str, Any]) -> Any:
    from .json_form import from_json  # late: needed for JSON

    return from_json(cls, obj)


def _reduce_part(value: MessagePart) -> tuple[Any, ...]:
    from .definitions import reduce_part  # late: needed for pickle and copy

    return reduce_part(value)


def _built_in_program(name: str) -> Program:
    from .messages.programs import PROGRAMS  # late: needed when the core binds a built-in class

    return PROGRAMS[name]


hooks.read = _read
hooks.explain_refusal = _explain_refusal
hooks.to_json = _to_json
hooks.from_json = _from_json
hooks.reduce_part = _reduce_part
hooks.built_in_program = _built_in_program
