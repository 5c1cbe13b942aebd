"""Columns of clients that cannot be had, from the matrix that was measured before."""

from __future__ import annotations

from ....clients.outcomes import UNKNOWN
from ....clients.readers import Measured, Reader
from .captured import keep_older_readings
from .matrix import Matrix
from .outcomes import Outcomes


def keep_older(matrix: Matrix, older: Matrix) -> None:
    """Add the columns, pairs, readings and answers that an earlier matrix has of the clients that
    this one had to leave out, and note the date of each.
    """
    order = {name: number for number, name in enumerate(_names(matrix, older))}
    columns = [column for column in older.columns if column.name in matrix.left_out]
    matrix.older = {column.name: older.older.get(column.name, older.date) for column in columns}
    matrix.columns = sorted([*matrix.columns, *columns], key=lambda column: order[column.name])
    names = {column.name for column in matrix.columns}
    matrix.pairs += [
        pair
        for pair in older.pairs
        if {pair.member, pair.leader} <= names and {pair.member, pair.leader} & matrix.older.keys()
    ]
    matrix.pairs.sort(key=lambda pair: (order[pair.member], order[pair.leader]))
    keep_older_readings(matrix.captured, older.captured, matrix.older)
    matrix.answers += [answer for answer in older.answers if answer.client in matrix.older]


def keep_older_readers(outcomes: Outcomes, matrix: Matrix, older: Measured) -> None:
    """Add the readers that an earlier table has of the clients whose columns are older."""
    for reader in older.readers:
        if reader.name in matrix.older:
            outcomes.readers.append(_of_these_inputs(reader, outcomes, older))
    outcomes.readers.sort(key=lambda reader: reader.name)


def _of_these_inputs(reader: Reader, outcomes: Outcomes, older: Measured) -> Reader:
    keys = [(item.message, item.data) for item in older.inputs]
    by_input = dict(zip(keys, zip(reader.does, reader.said, strict=True), strict=True))
    pairs = [by_input.get((case.name, case.data), (UNKNOWN, "")) for case in outcomes.inputs]
    does, said = zip(*pairs, strict=True)
    return reader._replace(does=does, said=said)


def _names(matrix: Matrix, older: Matrix) -> list[str]:
    return sorted({column.name for side in (matrix, older) for column in side.columns})
