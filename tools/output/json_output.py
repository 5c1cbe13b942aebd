"""JSON on standard output: ASCII alone, and so harmless on a terminal."""

from __future__ import annotations

import json
from typing import Any


def print_json(made: Any, *, indent: int | None = None) -> None:
    """Print a value as JSON, by default on one line, with every character beyond printable ASCII
    escaped.
    """
    print(json.dumps(made, indent=indent).replace("\x7f", "\\u007f"))  # which `dumps` leaves
