"""Find out whether INPUT is a capture (packets, log segments, frames in JSON lines), by its bytes
or, where the file is compressed, by those inside.

Texts, and single messages in binary files, are read by `inputs`. Modules of `capture` are imported
late, in the functions that need them: most inputs need few.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, NamedTuple

from ... import capture
from ...capture.compression import HEAD, CannotDecompress, compression, content_of, read_up_to
from ..output.failures import say
from .inputs import WORDIEST, is_text, read_file

PACKETS, SEGMENTS, FRAMES = "packets", "segments", "frames"
STANDARD_INPUT = "standard input"
FOLLOWED = "followed connections"
PRINTED = "printed packets"

_HEAD = 4096
# What followed connections and printed packets have among their first bytes.
_FOLLOWED = (b"!!binary", b" [AP]", b"  length=")
_PRINTED = (
    b"0x0000:",
    b"0000  ",
    b'"frame_raw"',
    b"<pdml",
    b" bytes on wire",
    b'"frame.number"',
    b'"frame_frame_number"',
    b"char pkt",
)
_PACKET_FILES = (b"\xd4", b"\xa1", b"\x4d", b"\x0a\x0d\x0d\x0a", b"\x34")  # first bytes of magics
_SEGMENT_NAME = 24  # characters: 20 digits and .log


class Capture(NamedTuple):
    """A capture of a kind. `path` is its file or folder; without one `file` is open at its
    start. `paths` are the files of packets that are read as one, in the order of time. `unpack`
    returns the content of the file where that is a compressed text."""

    kind: str
    source: str
    path: str | None = None
    file: BinaryIO | None = None
    paths: tuple[str, ...] = ()
    unpack: Callable[[BinaryIO], BinaryIO] | None = None


def as_one(
    inputs: list[tuple[str | None, Capture | None]],
) -> list[tuple[str | None, Capture | None]]:
    """Return inputs and their captures, with all files of packets in place of the first of them:
    a ring of files is one capture."""
    packets = [
        capture
        for _, capture in inputs
        if capture is not None and capture.kind == PACKETS and capture.path
    ]
    if len(packets) < 2:
        return inputs
    paths = tuple(path for capture in packets for path in capture.paths or (str(capture.path),))
    ring = Capture(
        PACKETS, f"{packets[0].source} and {len(packets) - 1} more", paths[0], None, paths
    )
    rest = [(name, ring if capture is packets[0] else capture) for name, capture in inputs]
    return [
        (name, capture) for name, capture in rest if capture is ring or capture not in packets[1:]
    ]


def find_capture(
    input_: str | None, how: str | None, form: str | None, max_bytes: int, *, tells: bool = True
) -> Capture | None:
    """Return the capture that INPUT is; None for any other input, and with --format. `tells`:
    whether to print that a file was decompressed."""
    if form is not None or (input_ is not None and is_text(input_, how, form)):
        return None
    if input_ is None or (input_ == "-" and how != "file"):
        return _standard_input(input_, max_bytes)
    try:
        kind = _kind_of_path(input_)
        if kind == SEGMENTS and os.path.isdir(input_):  # noqa: PTH112
            return _folder(input_)
        return (
            _compressed(input_, max_bytes, tells=tells)
            if kind is None
            else Capture(kind, input_, input_)
        )
    except (OSError, ValueError):
        return None  # `inputs` reports it


def _kind_of_path(path: str) -> str | None:
    about = os.stat(path)  # noqa: PTH116  # importing pathlib costs more
    if stat.S_ISDIR(about.st_mode):
        # Nobody means the root, which has everything below it.
        return None if os.path.realpath(path) == os.sep else SEGMENTS
    if not stat.S_ISREG(about.st_mode):
        return None
    with open(path, "rb") as file:  # noqa: PTH123
        kind = _kind(file.read(_HEAD), path)
        if kind == SEGMENTS and not path.endswith(".log") and not _begins_with_batch(file):
            return None
    return kind


def _folder(path: str) -> Capture:
    """A folder of log segments, or else of packet captures."""
    has_segments = capture.segment_files(path, capture.Summary())
    paths = () if has_segments else tuple(capture.capture_files(path))
    return Capture(PACKETS if paths else SEGMENTS, path, path, None, paths)


def _compressed(path: str, max_bytes: int, *, tells: bool) -> Capture | None:
    """The capture in a compressed file; None for any other file."""
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    limit = max_bytes * WORDIEST
    with open(path, "rb") as file:  # noqa: PTH123
        name = compression(file.read(HEAD))
        if not name:
            return None
        unpack = partial(content_of, name=name, limit=limit)
        file.seek(0)
        try:
            head = unpack(file).read(_HEAD)
        except CannotDecompress:
            return None  # `inputs` reports it
        kind = _kind(head, path.removesuffix(".gz").removesuffix(".zst"))
        if kind is not None and tells:
            say(f"{path}: {name}, opened")
        if kind != SEGMENTS:
            paths = (path,) if kind == PACKETS else ()
            return Capture(kind, path, path, paths=paths, unpack=unpack) if kind else None
        file.seek(0)
        inside = io.BytesIO(read_up_to(unpack(file), limit))  # segments need a seekable file
    if not _begins_with_batch(inside):
        return None
    inside.seek(0)
    return Capture(SEGMENTS, path, None, inside)


def _standard_input(input_: str | None, max_bytes: int) -> Capture | None:
    if sys.stdin is None or (input_ is None and sys.stdin.isatty()):
        return None
    file: BinaryIO = sys.stdin.buffer
    if not isinstance(file, io.BufferedReader):
        return None
    try:
        kind = _kind(file.peek(_HEAD)[:_HEAD], "")
    except OSError:
        return None
    if kind == SEGMENTS:  # segments need a seekable file
        if not file.seekable():
            file = io.BytesIO(read_file(input_, max_bytes)[1])
            sys.stdin = io.TextIOWrapper(file)  # for `inputs`, if this is no segment
        if not _begins_with_batch(file):
            file.seek(0)
            return None
    return None if kind is None else Capture(kind, STANDARD_INPUT, None, file)


def _kind(head: bytes, path: str) -> str | None:
    """The kind of a capture that begins with `head`; a reader is imported only if it may be its
    kind."""
    if head.startswith(_PACKET_FILES) and capture.is_packet_file(head):
        return PACKETS
    name = path.rpartition("/")[2]
    if name.endswith(".log") and len(name) == _SEGMENT_NAME and name[:20].isdecimal() and head:
        return SEGMENTS
    has_magic = head[:2] == b"\0\0" and head[16:17] in (b"\0", b"\1", b"\2")
    if has_magic and capture.is_segment(head):
        return SEGMENTS
    return next((kind for is_of, kind in _TEXTS if is_of(head)), None)


def _has_any(marks: tuple[bytes, ...], head: bytes) -> bool:
    return any(mark in head for mark in marks)


def _is_followed(head: bytes) -> bool:
    has_marks = head.lstrip()[:1] == b"=" or _has_any(_FOLLOWED, head)
    return has_marks and capture.is_followed(head)


# The texts that are captures: a cheap test, and then one for which a reader is imported.
_TEXTS: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (lambda head: head.lstrip()[:1] == b"{" and capture.is_frame_line(head), FRAMES),
    (_is_followed, FOLLOWED),
    (lambda head: _has_any(_PRINTED, head) and capture.is_printed(head), PRINTED),
)


def _begins_with_batch(file: BinaryIO) -> bool:
    """Whether the file begins with a batch with a right checksum: messages may look like
    segments."""
    file.seek(0)
    first = next(capture.read_batches(file, "", capture.Summary()), None)
    return first is not None and first.position == 0
