"""Show how far a long input was read, on a terminal where the result goes elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol, TypeVar

FROM = 4 << 20  # bytes; a shorter input has no bar
_EVERY = 1000  # frames
_STEP = 1 << 17  # bytes of records
_ECHO = 3  # columns: the terminal prints ^C behind the bar, on whose line it has to stay

T = TypeVar("T")


class Stream(Protocol):
    """A file, a pipe, or the content of a compressed one."""

    def read(self, size: int, /) -> bytes: ...

    def read1(self, size: int, /) -> bytes: ...


class Progress:
    """Passes on what is read, and reports the number of bytes that were read."""

    def __init__(self, at: Callable[[int], None] | None = None) -> None:
        self._at = at

    def records(self, records: Iterator[Any]) -> Iterator[Any]:
        """Yield the records; the position of a record's batch in its file is reported."""
        at = self._at
        return records if at is None else self._reported(records, at)

    @staticmethod
    def _reported(records: Iterator[Any], at: Callable[[int], None]) -> Iterator[Any]:
        source, base, last, reported = None, 0, 0, 0
        for record in records:
            batch = record.batch
            if batch.source != source:
                source, base = batch.source, base + last
            last = batch.position
            if base + last >= reported:
                at(base + last)
                reported = base + last + _STEP
            yield record

    def file(self, file: Stream) -> Stream:
        """Return a file that reports how far it was read."""
        return file if self._at is None else _Watched(file, self._at)

    def of_file(self, items: Iterator[T], file: BinaryIO) -> Iterator[T]:
        """Return items that are read from one file, whose position is reported."""
        at = self._at
        return items if at is None else self._of_file(items, file, at)

    @staticmethod
    def _of_file(items: Iterator[T], file: BinaryIO, at: Callable[[int], None]) -> Iterator[T]:
        for number, item in enumerate(items):
            if number % _EVERY == 0:
                at(file.tell())
            yield item


class _Watched:
    """A file that reports the number of bytes that were read."""

    def __init__(self, file: Stream, at: Callable[[int], None]) -> None:
        self._file = file
        self._at = at
        self._read = 0

    def read1(self, size: int, /) -> bytes:
        return self._reported(self._file.read1(size))

    def read(self, size: int, /) -> bytes:
        return self._reported(self._file.read(size))

    def fileno(self) -> int:
        return self._file.fileno()  # type: ignore[attr-defined, no-any-return]

    def _reported(self, data: bytes) -> bytes:
        self._read += len(data)
        self._at(self._read)
        return data


@contextmanager
def progress_of(size: int) -> Iterator[Progress]:
    """Yield the progress of an input of `size` bytes, with a bar if standard error is a terminal
    and standard output is not."""
    is_visible = sys.stderr is not None and sys.stderr.isatty() and not sys.stdout.isatty()
    if not is_visible or size < FROM:
        yield Progress()
        return
    from rich.console import Console  # late: most inputs are short
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), DownloadColumn(binary_units=True), TimeRemainingColumn())
    console = Console(stderr=True)
    console.width = max(console.width - _ECHO, 1)
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=size)
        yield Progress(lambda count: bar.update(task, completed=count))
        bar.update(task, completed=size)
