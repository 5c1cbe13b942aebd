"""Columns of clients that cannot be had, from the matrix that was measured before."""

from __future__ import annotations

from ....clients.outcomes import UNKNOWN
from ....clients.readers import Measured, Reader
from .captured import keep_older_readings
from .matrix import Matrix
from .outcomes import Outcomes


def keep_older(matrix: Matrix, before: Matrix) -> None:
    """Add the columns, pairs, readings and answers that an earlier matrix has of the clients that
    this one had to leave out, and note the date of each.
    """
    order = {name: number for number, name in enumerate(_names(matrix, before))}
    kept = [column for column in before.columns if column.name in matrix.left_out]
    matrix.older = {column.name: before.older.get(column.name, before.date) for column in kept}
    matrix.columns = sorted([*matrix.columns, *kept], key=lambda column: order[column.name])
    names = {column.name for column in matrix.columns}
    matrix.pairs += [
        pair
        for pair in before.pairs
        if {pair.member, pair.leader} <= names and {pair.member, pair.leader} & matrix.older.keys()
    ]
    matrix.pairs.sort(key=lambda pair: (order[pair.member], order[pair.leader]))
    keep_older_readings(matrix.captured, before.captured, matrix.older)
    matrix.answers += [answer for answer in before.answers if answer.client in matrix.older]


def keep_older_readers(outcomes: Outcomes, matrix: Matrix, before: Measured) -> None:
    """Add the readers that an earlier table has of the clients whose columns are older."""
    for reader in before.readers:
        if reader.name in matrix.older:
            outcomes.readers.append(_of_these_inputs(reader, outcomes, before))
    outcomes.readers.sort(key=lambda reader: reader.name)


def _of_these_inputs(reader: Reader, outcomes: Outcomes, before: Measured) -> Reader:
    keys = [(item.message, item.data) for item in before.inputs]
    known = dict(zip(keys, zip(reader.does, reader.said, strict=True), strict=True))
    found = [known.get((case.name, case.data), (UNKNOWN, "")) for case in outcomes.inputs]
    does, said = zip(*found, strict=True)
    return reader._replace(does=does, said=said)


def _names(matrix: Matrix, before: Matrix) -> list[str]:
    return sorted({column.name for side in (matrix, before) for column in side.columns})
