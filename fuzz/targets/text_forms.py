"""Any text or bytes are read in some written form, or refused as `CaptureError`; bytes that were
found and are written again in the same form are found again.
"""

from __future__ import annotations

from itertools import islice

from ...capture import FORMS as WRITTEN
from ...capture import CaptureError, Reading, read, scan
from ...capture.text import form_named
from ..mutators.blobs import Blobs
from . import Broken

_TOKENS = (
    "0x", "\\x", "b'", '"', "`", "<Buffer ", "... 12 more bytes>", "[", "]", "(byte)", "0,", "{",
    '{"type":"Buffer","data":[', "Uint8Array(4) [", "new byte[] {", "\n", "\r\n", "00000000: ",
    "0000020", "\n*\n", "=", "AAAA", " payload: ", "\x1b[1m", "\t", "\ufeff", "é", "|...|",
)  # fmt: skip
FORMS = {"": Blobs(token.encode() for token in _TOKENS)}

_MAX_BYTES = 1 << 16
_NAMES = tuple(form.name for form in WRITTEN)


def check(data: bytes) -> None:
    """Check a text in any written form."""
    reading = _read(data, None)
    if reading is not None:
        _check_again(reading)
    if data:  # also as whatever form its last byte says
        _read(data, _NAMES[data[-1] % len(_NAMES)])
    for _ in islice(scan(data.splitlines(keepends=True), max_bytes=_MAX_BYTES), 1000):
        pass


def _read(data: bytes, name: str | None) -> Reading | None:
    try:
        reading = read(data, format=name, max_bytes=_MAX_BYTES)
    except CaptureError as error:
        if not str(error):
            raise Broken("refused without a word") from None
        return None
    if not reading.chunks and not reading.records:
        raise Broken(f"read as {reading.format}, and nothing was found")
    return reading


def _check_again(reading: Reading) -> None:
    for chunk in reading.chunks[:1]:
        if chunk.format in ("log", "raw") or not chunk.data:
            continue
        text = form_named(chunk.format).write(chunk.data).encode("utf-8", "surrogateescape")
        again = [found.data for found in read(text, format=chunk.format).chunks]
        if again != [chunk.data]:
            raise Broken(f"{chunk.data.hex():.100} as {chunk.format} is read as {again!r:.100}")
