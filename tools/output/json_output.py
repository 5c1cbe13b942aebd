"""JSON and CSV on standard output: what would act on a terminal is escaped."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain
from typing import Any

import msgspec

from ...escaping import escaped
from ...inspector.shapes.shape import json_line, json_text


def print_json(value: Any) -> None:
    """Print a shape as a line of JSON."""
    print(json_line(value).decode())


def print_csv(rows: Iterable[Any]) -> None:
    """Print shapes as CSV, a line each, under the names of their keys in JSON; lists and objects
    are JSON inside their cell.
    """
    from csv import DictWriter  # late: JSON needs none of it

    lines = (msgspec.to_builtins(row) for row in rows)
    first = next(lines, None)
    if first is None:
        return
    writer = DictWriter(sys.stdout, list(first), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for line in chain([first], lines):
        writer.writerow({key: _cell(value) for key, value in line.items()})


def _cell(value: Any) -> str:
    if isinstance(value, dict | list | tuple | bool):
        return json_line(value).decode()
    return "" if value is None else escaped(str(value))


def print_json_document(value: Any) -> None:
    """Print a document as JSON over many lines."""
    print(json_text(value), end="")
