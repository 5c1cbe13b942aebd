"""Records of the offsets topic in tables that others have written.

    files     which files there are, in what form, and which of their columns are read
    parts     a file part by part: row groups of parquet, stretches of lines
    cells     bytes, numbers and times, however they are written
    records   rows as tables of `RECORDS`, as if they came from segments
    scan      what partitions and offsets each part has
    order     rows in the order of the log, and copies once
    times     what stands for the time of a record that came without

`driver.given` makes units of them.
"""

from __future__ import annotations

from .files import GivenFile, found_in
from .order import behind, in_order, once, ready
from .parts import part_number, read_file
from .records import records_of
from .scan import Scanned, lowest, scan
from .times import Times

__all__ = [
    "GivenFile",
    "Scanned",
    "Times",
    "behind",
    "found_in",
    "in_order",
    "lowest",
    "once",
    "part_number",
    "read_file",
    "ready",
    "records_of",
    "scan",
]
