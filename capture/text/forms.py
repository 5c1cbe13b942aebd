"""The table of text forms. Each row names the module whose `READERS` reads it.

A form's module is imported when it is first used: reading plain hex needs no other. Where several
forms fit, the first is preferred: dumps come first, since their rows are hex digits too.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, cast

from ..errors import CaptureError
from .reading import Reader

__all__ = ["FORMS", "Form", "form_named"]


class Form(NamedTuple):
    """A text form: its name for `--format`, a description, and the module with its reader."""

    name: str
    about: str
    module: str
    aliases: tuple[str, ...] = ()

    @property
    def reader(self) -> Reader:
        return cast(Reader, import_module(f".{self.module}", __package__).READERS[self.name])

    def example(self, data: bytes) -> str:
        """Return `data` written in this form."""
        return self.reader.write(data)


FORMS: tuple[Form, ...] = (
    Form("xxd", "xxd, xxd -d; tcpdump -x and -X", "dumps", ("tcpdump",)),
    Form("xxd-bits", "xxd -b", "dumps", ("xxd-b",)),
    Form("hexdump-C", "hexdump -C, hd; Go's hex.Dump", "dumps", ("hd",)),
    Form(
        "wireshark",
        "Wireshark's copy as hex dump, with text or without; tshark -x",
        "dumps",
        ("tshark",),
    ),
    Form("format-hex", "PowerShell's Format-Hex", "dumps"),
    Form("hexdump", "hexdump: little-endian words of two bytes", "dumps", ("hexdump-x",)),
    Form("hexdump-b", "hexdump -b: octal bytes", "dumps"),
    Form("hexdump-d", "hexdump -d: decimal little-endian words", "dumps"),
    Form("hexdump-o", "hexdump -o: octal little-endian words", "dumps"),
    Form("od", "od: octal little-endian words of two bytes", "dumps", ("od-o",)),
    Form("od-tx1", "od -tx1, od -tx1z: hex bytes", "dumps"),
    Form("od-b", "od -b: octal bytes", "dumps"),
    Form("od-x", "od -x: hex little-endian words of two bytes", "dumps"),
    Form("od-x-big", "od -tx2 --endian=big: hex big-endian words", "dumps"),
    Form("od-tx4", "od -tx4: hex little-endian words of four bytes", "dumps"),
    Form("od-tx8", "od -tx8: hex little-endian words of eight bytes", "dumps"),
    Form("od-td1", "od -td1, od -tu1: decimal bytes", "dumps", ("od-tu1",)),
    Form("od-d", "od -d, od -td2: decimal little-endian words", "dumps", ("od-td2",)),
    Form("od-c", "od -c, hexdump -c: characters and octal bytes", "dumps"),
    Form("hex-lines", "hex digits, one message a line", "plain_hex"),
    Form(
        "hex",
        "hex digits in any spacing; 0x and : - , ; between bytes are allowed",
        "plain_hex",
        ("xxd-p", "hex-stream"),
    ),
    Form("hex-words", "hex digits, blanks, commas or line ends between messages", "plain_hex"),
    Form("hex-wrapped", "hex digits, a shorter line ends a message", "plain_hex"),
    Form("numbered", "hex or base64, one message a line behind a number or a dash", "numbered"),
    Form("python", r"b'\x00A', '\x00A', bytes([0, 65])", "languages"),
    Form("java", r'new byte[] {0, (byte) 0xff}, [0, -1], "\u0000A"', "languages"),
    Form("go", r'[]byte{0x0, 0x41}, [0 65], "\x00A"', "languages"),
    Form("c", r'{0x00, 0x41}, "\000A"', "languages"),
    Form(
        "javascript",
        r'<Buffer 00 41>, Uint8Array(2) [ 0, 65 ], {"type":"Buffer","data":[0,65]}',
        "languages",
        ("js", "node"),
    ),
    Form("rust", r'b"\0\x01A"', "languages"),
    Form("erlang", r'<<0,1,"A",255>>: Erlang and Elixir', "erlang", ("elixir",)),
    Form("escaped", r"\x00\x41 without quotes, one message a line", "languages"),
    Form("percent", "%00%01orders, as in a URL; blanks between messages", "percent", ("url",)),
    Form("ints-lines", "numbers from -128 to 255, one message a line", "arrays"),
    Form("ints", "whole numbers from -128 to 255, in brackets or without", "arrays"),
    Form("base64-lines", "base64, one message a line", "base64_text"),
    Form("base64", "base64, on one line or wrapped", "base64_text"),
    Form("base64-words", "base64, blanks or commas between messages", "base64_text"),
    Form("base64-wrapped", "base64, padding or a shorter line ends a message", "base64_text"),
    Form("base64url-lines", "base64 with - and _, one message a line", "base64_text"),
    Form("base64url", "base64 with - and _", "base64_text"),
    Form(
        "base64url-words", "base64 with - and _, blanks or commas between messages", "base64_text"
    ),
    Form(
        "base64url-wrapped",
        "base64 with - and _, padding or a shorter line ends a message",
        "base64_text",
    ),
    Form(
        "kafka-dump-log",
        "kafka-dump-log --offsets-decoder; the console consumer's formatters",
        "dump_log",
    ),
    Form("log", "a log file with any of these in the middle of lines", "log"),
    Form("raw", "the bytes themselves", "raw"),
)


def form_named(name: str) -> Form:
    """Return the form with this name or alias, in any case and with blanks for dashes. Raises
    CaptureError for any other name."""
    wanted = name.strip().lower().replace(" -", "-").replace(" ", "-")
    for form in FORMS:
        if wanted in (known.lower() for known in (form.name, *form.aliases)):
            return form
    known = ", ".join(form.name for form in FORMS)
    raise CaptureError(f"no text form is called {name!r}; there are: {known}")
