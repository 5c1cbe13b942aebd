"""Prints each message of standard input, a line of hex each, in every style, and a separator."""

from __future__ import annotations

import array
import base64
import binascii
import json
import pprint
import sys
import textwrap
from collections.abc import Callable
from urllib.parse import quote_from_bytes

STYLES: dict[str, Callable[[bytes], str]] = {
    "repr": repr,
    "repr of a bytearray": lambda data: repr(bytearray(data)),
    "repr of a dict": lambda data: repr({"member_id": "consumer-1", "payload": data}),
    "repr of latin1": lambda data: repr(data.decode("latin1")),
    "ascii of latin1": lambda data: ascii(data.decode("latin1")),
    "hex": bytes.hex,
    "hex, blanks": lambda data: data.hex(" "),
    "hex, groups": lambda data: data.hex(" ", -4),
    "list": lambda data: repr(list(data)),
    "tuple": lambda data: repr(tuple(data)),
    "array": lambda data: repr(array.array("B", data)),
    "signed array": lambda data: repr(array.array("b", data)),
    "pprint": pprint.pformat,
    "pprint of a dict": lambda data: pprint.pformat({"payload": data}),
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64, lines": lambda data: base64.encodebytes(data).decode(),
    "base64, URL": lambda data: base64.urlsafe_b64encode(data).decode(),
    "hexlify": lambda data: repr(binascii.hexlify(data)),
    "b64encode": lambda data: repr(base64.b64encode(data)),
    "hexlify in a dict": lambda data: repr({"payload": binascii.hexlify(data)}),
    "b64encode in a log": lambda data: f"DEBUG:root:payload={base64.b64encode(data)!r}",
    "repr in a log": lambda data: f"DEBUG:root:payload={data!r})",
    "json of latin1": lambda data: json.dumps({"payload": data.decode("latin1")}),
    "json of a list": lambda data: json.dumps(list(data), indent=2),
    "quote": lambda data: quote_from_bytes(data, safe=""),
    "hex in lines": lambda data: textwrap.fill(data.hex(), 60),
    "0x": lambda data: ", ".join(map(hex, data)),
}

for line in sys.stdin:
    message = bytes.fromhex(line)
    for name, show in STYLES.items():
        sys.stdout.write(f"{name}\x1f{show(message)}\x1e")
