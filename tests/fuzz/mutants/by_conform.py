"""Every fault through `kproto conform`'s runner, and the page of what finds it.

python -m tests.fuzz.mutants.by_conform     from the top of the repository

It writes sections of docs/reference/faults.md: faults of a codec by hand, of a decoder in Perl, and
of clients in the languages whose tools are here.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from kproto.fuzz.subject import CONSUMER_PROTOCOL

from ..foreign import FAULTS as FOREIGN
from ..foreign import perl
from ..foreign.strangers import EDITS, languages, stranger
from .faults import FAULTS
from .hunt import Caught, cases, first_catch, through_conform
from .page import write_section

_COLUMNS = "| fault | {} | found by | seconds |\n|---|---|---|---:|"


def row_of(fault: str, whose: str, catch: Callable[[], Caught | None]) -> tuple[str, bool]:
    """Return the row of a fault, and whether it is found."""
    start = time.perf_counter()
    caught = catch()
    seconds = time.perf_counter() - start
    title = "**nothing**" if caught is None else caught.guarantee.title
    return f"| {fault} | {whose} | {title} | {seconds:.1f} |", caught is not None


def rows_by_hand() -> Iterator[tuple[str, bool]]:
    """Yield the faults of the codec by hand."""
    for fault in FAULTS:
        yield row_of(fault.what, fault.whose, partial(through_conform, fault))


def rows_in_perl() -> Iterator[tuple[str, bool]]:
    """Yield the faults of the decoder in Perl."""
    for number, text in FOREIGN.items():
        with closing(perl(number)) as remote:
            inputs = cases(CONSUMER_PROTOCOL)
            yield row_of(text, "of its kind", partial(first_catch, remote, inputs))


def rows_of_strangers(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the faults of clients in several languages, built in a folder."""
    inputs = cases(CONSUMER_PROTOCOL)
    for language in languages():
        for number, edit in enumerate(EDITS[language], start=1):
            with closing(stranger(language, number, folder)) as remote:
                yield row_of(edit.what, language, partial(first_catch, remote, inputs))


def main() -> int:
    """Write the sections; 1 if a fault got away."""
    missed = 0
    folder = Path(tempfile.mkdtemp())
    for title, column, rows in (
        ("A codec by hand, with faults of real clients and of their kind", "whose",
         rows_by_hand()),
        ("A decoder in Perl, written from the [conform protocol](conform.md)", "whose",
         rows_in_perl()),
        ("Clients as people write them who do not know the guarantees", "language",
         rows_of_strangers(folder)),
    ):  # fmt: skip
        lines = [_COLUMNS.format(column)]
        for row, is_found in rows:
            missed += not is_found
            print(row, flush=True)
            lines.append(row)
        write_section(title, lines)
    print(f"{missed} not found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
