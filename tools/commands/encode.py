"""Write a message from its JSON, in Kafka's form: as hex, base64, raw bytes or source code.

The JSON is that of `kproto decode --json` under "message": camelCase names, bytes in base64. A
field that is left out is at its default. Whole lines of `kproto decode --json` are taken too, each
with the name and version in it, so that `kproto decode --json | kproto encode` gives the
bytes again.

kproto encode ConsumerProtocolSubscription '{"topics": ["orders"]}'
kproto encode --as ConsumerProtocolSubscription --version 1 FILE
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from base64 import b64encode
from collections.abc import Callable

from ...capture import form_named
from ...codec.dialect.names import snake
from ...codec.runtime.message import Message
from ..input.message_types import add_definitions

_PER_LINE = 12  # bytes of a C array: as `xxd -i` has it


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto encode`."""
    parser.add_argument(
        "what", metavar="NAME|JSON|FILE", nargs="*",
        help="the message's name, as with --as, and its JSON or a file of it; - or no JSON: "
        "standard input",
    )  # fmt: skip
    parser.add_argument(
        "--as",
        dest="name",
        metavar="NAME",
        help="the message to write; lines of kproto decode --json say it themselves",
    )
    parser.add_argument(
        "--version",
        metavar="N",
        type=int,
        help="in this version; default: the one in the message, where there is one, or the newest",
    )
    parser.add_argument(
        "--output", choices=list(FORMS), default="hex",
        help="hex (the default) and base64: a line; raw: the bytes themselves; "
        "c-array, go, java, python, rust: source code",
    )  # fmt: skip
    add_definitions(parser)


# -- the forms


def _write_hex(data: bytes, cls: type[Message], version: int) -> None:
    print(data.hex())


def _write_base64(data: bytes, cls: type[Message], version: int) -> None:
    print(b64encode(data).decode("ascii"))


def _write_raw(data: bytes, cls: type[Message], version: int) -> None:
    sys.stdout.buffer.write(data)


def _write_c_array(data: bytes, cls: type[Message], version: int) -> None:
    name = snake(cls.NAME)
    print(f"/* {cls.NAME}, version {version}: {len(data)} bytes */")
    print(f"static const unsigned char {name}[{len(data)}] = {{")
    for start in range(0, len(data), _PER_LINE):
        row = data[start : start + _PER_LINE]
        print("    " + ", ".join(f"0x{byte:02x}" for byte in row) + ",")
    print("};")


def _write_java(data: bytes, cls: type[Message], version: int) -> None:
    numbers = ", ".join(str(byte - 256 if byte > 127 else byte) for byte in data)
    print(f"new byte[] {{{numbers}}}")


def _write_literal(form: str) -> Callable[[bytes, type[Message], int], None]:
    """Return what writes a literal that the compiler of a language reads."""
    return lambda data, cls, version: print(form_named(form).write(data))


FORMS: dict[str, Callable[[bytes, type[Message], int], None]] = {
    "hex": _write_hex,
    "base64": _write_base64,
    "raw": _write_raw,
    "c-array": _write_c_array,
    "go": _write_literal("go"),
    "java": _write_java,
    "python": _write_literal("python"),
    "rust": _write_literal("rust"),
}
"""Who writes each form."""
