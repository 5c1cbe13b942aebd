"""How far a long input has been read: a bar on the terminal where the result goes elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeVar

from ..input.texts import Stream

FROM = 4 << 20  # bytes; what is shorter is done at once
_EVERY = 1000  # frames
_STEP = 1 << 17  # bytes of records

T = TypeVar("T")


class Progress:
    """Passes on what is read, and says how many bytes of the input that makes."""

    def __init__(self, at: Callable[[int], None] | None = None) -> None:
        self._at = at

    def records(self, records: Iterator[Any]) -> Iterator[Any]:
        """Records know where their batch stands in which file."""
        at = self._at
        return records if at is None else self._told(records, at)

    @staticmethod
    def _told(records: Iterator[Any], at: Callable[[int], None]) -> Iterator[Any]:
        source, before, last, told = None, 0, 0, 0
        for record in records:
            batch = record.batch
            if batch.source != source:
                source, before = batch.source, before + last
            last = batch.position
            if before + last >= told:
                at(before + last)
                told = before + last + _STEP
            yield record

    def file(self, file: Stream) -> Stream:
        """Returns a file that says how far it was read."""
        return file if self._at is None else _Watched(file, self._at)

    def of_file(self, items: Iterator[T], file: BinaryIO) -> Iterator[T]:
        """Yield what is read from one file, whose own position says how far it is."""
        for number, item in enumerate(items):
            if self._at is not None and number % _EVERY == 0:
                self._at(file.tell())
            yield item


class _Watched:
    """A file of which it is told how many bytes were read."""

    def __init__(self, file: Stream, at: Callable[[int], None]) -> None:
        self._file = file
        self._at = at
        self._read = 0

    def read1(self, size: int, /) -> bytes:
        return self._told(self._file.read1(size))

    def read(self, size: int, /) -> bytes:
        return self._told(self._file.read(size))

    def fileno(self) -> int:
        return self._file.fileno()  # type: ignore[attr-defined, no-any-return]

    def _told(self, data: bytes) -> bytes:
        self._read += len(data)
        self._at(self._read)
        return data


@contextmanager
def progress(size: int) -> Iterator[Progress]:
    """A bar for an input of so many bytes, where there is somebody to look at it."""
    seen = sys.stderr is not None and sys.stderr.isatty() and not sys.stdout.isatty()
    if not seen or size < FROM:
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), DownloadColumn(binary_units=True), TimeRemainingColumn())
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=size)
        yield Progress(lambda done: bar.update(task, completed=done))
        bar.update(task, completed=size)
