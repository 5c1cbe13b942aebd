"""JSON on standard output: ASCII alone, and so harmless on a terminal."""

from __future__ import annotations

from typing import Any

from ...inspector.shapes.shape import json_line, json_text


def print_json(value: Any) -> None:
    """Print a shape as a line of JSON."""
    print(json_line(value).decode())


def print_json_document(value: Any) -> None:
    """Print a document as JSON over many lines."""
    print(json_text(value), end="")
