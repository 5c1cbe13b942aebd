"""The verdicts of a matrix alone: what is kept of each release of kproto, a file a release."""

from __future__ import annotations

import json
import re

from ..expected_failures import status_of_all
from .matrix import Matrix


def file_of(matrix: Matrix) -> str:
    """Return the name of the file of a matrix: that of the release that measured it."""
    return f"{re.sub(r'[^0-9A-Za-z.+-]', '-', matrix.release)}.json"


def verdicts(matrix: Matrix) -> str:
    """Return the file: JSON with a line a client, its release and the status of each guarantee."""
    columns = [
        {
            "name": column.name,
            "library": column.run.client,
            "release": column.run.release,
            "statuses": {
                guarantee.id: status_of_all(results, ()).value
                for guarantee, results in column.run.by_guarantee()
            },
        }
        for column in matrix.columns
    ]
    head = {"date": matrix.date, "kproto": matrix.release, "digest": matrix.digest}
    lines = ",\n".join(map(json.dumps, columns))
    return f'{json.dumps(head)[:-1]}, "columns": [\n{lines}\n]}}\n'
