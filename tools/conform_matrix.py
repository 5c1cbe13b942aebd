"""`kproto conform --matrix`: every client that is available here, as a table, a page and data."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from ..clients.readers import measured_readers
from ..clients.readers import to_text as readers_to_text
from ..files import read_bounded
from ..fuzz.clients import NAMES, NOT_IN_MATRIX
from ..fuzz.conformance.matrix.matrix import from_text, history_file, history_text, to_text
from ..fuzz.conformance.matrix.matrix_page import badge, badge_file, findings_in, matrix_page
from ..fuzz.conformance.matrix.table import MatrixTable
from ..wording import did_you_mean
from .output.failures import NOT_DONE, WRONG_USE, Failure, say, unreadable
from .output.terminal import screen
from .output.written import unwritten, write_output

if TYPE_CHECKING:
    from ..fuzz.conformance.matrix.matrix import Matrix

_FILE = "matrix.json"


def run(arguments: Namespace) -> int:
    """Measure, or read what was measured (--from), show it, and write it into --out; return 0."""
    if any(
        (
            arguments.command,
            arguments.junit,
            arguments.vectors,
            arguments.page,
            arguments.baseline,
            arguments.redact,
        )
    ):
        raise Failure("--matrix goes with --adapter, --from, --out, --seed and --json", WRONG_USE)
    matrix = _saved_matrix(arguments.kept) if arguments.kept else _measured(arguments)
    if arguments.json:
        print(json.dumps(json.loads(to_text(matrix))))
    else:
        with screen(arguments) as console:
            console.print(MatrixTable(matrix))
    if arguments.out:
        out = Path(arguments.out)
        if arguments.kept:  # as it is: a long value is cut already, and its id is of the whole
            _save(out / _FILE, Path(arguments.kept[0]).read_text("utf-8"))
        _write(matrix, out)
    return 0


def no_client(name: str) -> str:
    """Return what to say of a name that is none of a client that comes with kproto."""
    return f"there is no adapter {name!r}{did_you_mean(name, NAMES)}"


def _write(matrix: Matrix, out: Path) -> None:
    """Write the page, the badges and the verdicts of this release. The page's summary has the
    findings beside `out`.
    """
    findings = findings_in(out.parent / "findings")
    _save(out / "index.html", matrix_page(matrix, findings))
    for column in matrix.columns:
        _put(out / badge_file(column.name), badge(column.run))
    _put(out / "history" / history_file(matrix), history_text(matrix))


def _saved_matrix(files: list[str]) -> Matrix:
    if len(files) > 1:
        raise Failure("--matrix takes one --from", WRONG_USE)
    try:
        return from_text(read_bounded(files[0]).decode())
    except (OSError, ValueError) as error:
        raise unreadable(files[0], error) from None


def _measured(arguments: Namespace) -> Matrix:
    unknown = [name for name in arguments.adapters if name not in NAMES]
    if unknown:
        raise Failure(no_client(unknown[0]), WRONG_USE)
    from ..fuzz.conformance.matrix.measure import keep_older, keep_older_readers, run_matrix

    names = arguments.adapters or [name for name in NAMES if name not in NOT_IN_MATRIX]
    file = Path(arguments.out, _FILE) if arguments.out else None
    older = _saved_matrix([str(file)]) if file is not None and file.exists() else None
    matrix, outcomes = run_matrix(names, seed=arguments.seed, tell=say)
    if older is not None:  # of clients that cannot be had here, or that --adapter does not name
        not_asked = [column.name for column in older.columns if column.name not in names]
        keep_older(matrix, older, not_asked)
        keep_older_readers(outcomes, matrix, measured_readers())
    if not matrix.columns:
        raise Failure("none of the clients is available here", NOT_DONE)
    if arguments.out:
        text = to_text(matrix)
        matrix = from_text(text)
        _save(Path(arguments.out, _FILE), text)
        _save(Path(arguments.out, "readers.json"), readers_to_text(outcomes.measured))
    return matrix


def _save(file: Path, text: str) -> None:
    _put(file, text)
    say(f"wrote {file}")


def _put(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritten(file, error) from None
    write_output(file, text)
