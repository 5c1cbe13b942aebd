"""Folders of files that are not published yet, and which of them never will be.

An audit that ends, however badly, deletes its own. One that is killed cannot, so the next one that
publishes in this place does it: where the process is gone from this machine, or where nothing was
written for a day by the store's own clock. All else may belong to an audit that runs.

Who publishes announces it here, and then looks for others who have: of two at once each may see the
other, and none can miss the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from pyarrow import fs

__all__ = ["PREFIX", "announce", "announced", "clear_dead", "gone", "make"]

PREFIX = ".staging-"
_OWNER = "owner"
_ANNOUNCED = "publishing"
_LONG = timedelta(days=1)


def make(store: fs.FileSystem, path: str) -> None:
    """Make a staging folder, with a note of the process that owns it."""
    store.create_dir(path, recursive=True)
    with store.open_output_stream(f"{path}/{_OWNER}") as out:
        out.write(f"{_machine()} {os.getpid()}".encode())


def announce(store: fs.FileSystem, path: str) -> datetime | None:
    """Mark the folder as being published until it is deleted, and return the store's time."""
    with store.open_output_stream(f"{path}/{_ANNOUNCED}") as out:
        out.write(b"")
    store_time: datetime | None = store.get_file_info(f"{path}/{_ANNOUNCED}").mtime
    return store_time


def announced(
    store: fs.FileSystem, folders: Iterable[fs.FileInfo], store_time: datetime | None
) -> list[str]:
    """Return the names of the folders that are being published."""
    return [
        folder.base_name
        for folder in folders
        if store.get_file_info(f"{folder.path}/{_ANNOUNCED}").is_file
        and not _is_dead(store, folder, store_time)
    ]


def gone(store: fs.FileSystem, folders: Iterable[fs.FileInfo]) -> set[str]:
    """Return the runs of audits whose process was killed on this machine."""
    return {
        folder.base_name.removeprefix(PREFIX) for folder in folders if _is_dead(store, folder, None)
    }


def clear_dead(
    store: fs.FileSystem, folders: Iterable[fs.FileInfo], store_time: datetime | None
) -> set[str]:
    """Delete the folders of audits that were killed, and return the runs of all others.
    `store_time` is the time of something that the store has just written.
    """
    living = set()
    for folder in folders:
        if _is_dead(store, folder, store_time):
            with suppress(OSError):  # an orphan of that process may write for a moment longer
                store.delete_dir(folder.path)
                continue
        living.add(folder.base_name.removeprefix(PREFIX))
    return living


def _is_dead(store: fs.FileSystem, folder: fs.FileInfo, store_time: datetime | None) -> bool:
    times = list(_write_times(store, folder))
    if times and store_time is not None and store_time - max(times) > _LONG:
        return True
    try:
        with store.open_input_stream(f"{folder.path}/{_OWNER}") as file:
            return _is_gone(file.read().decode())
    except (OSError, ValueError):
        return False


def _write_times(store: fs.FileSystem, folder: fs.FileInfo) -> Iterator[datetime]:
    """Yield when files in the folder were written; object stores do not know it of folders."""
    inside = fs.FileSelector(folder.path, recursive=True, allow_not_found=True)
    for info in (folder, *store.get_file_info(inside)):
        if info.mtime is not None:
            yield info.mtime


def _is_gone(owner: str) -> bool:
    machine, _, process = owner.rpartition(" ")
    if not machine or machine != _machine():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return False


def _machine() -> str:
    """This machine since it was started, and the space of its process numbers (a container has its
    own, and names of hosts are not unique); empty where the system does not say."""
    try:
        boot_id = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot_id} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""
