"""What tools printed: recorded files, and tables as their sources format them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kproto.capture.tool_outputs import ToolOutputs, read_tool_outputs
from kproto.capture.tool_outputs.views import TableColumn

VECTORS = Path(__file__).parents[2] / "vectors"
RECORDED = sorted(
    [
        *(VECTORS / "tool_outputs").glob("*.txt"),
        *(VECTORS / "logs").glob("*/tool-*.txt"),
        *(VECTORS / "reports").glob("cg*.txt"),
    ]
)


def recorded(name: str) -> ToolOutputs:
    """The outputs in a recorded file, such as `kaf.txt` or `crash/tool-after.txt`."""
    folder = VECTORS / ("logs" if "/" in name else "tool_outputs")
    return read((folder / name).read_text())


def read(text: str) -> ToolOutputs:
    """The outputs in a text."""
    return read_tool_outputs(text)


def length(text: str) -> int:
    """The length of a text as Java counts it."""
    return len(text.encode("utf-16-le")) // 2


def table(
    columns: Sequence[TableColumn], rows: Sequence[Sequence[str]], spare: int = 0
) -> list[str]:
    """A table as Java's `%-Ns` formats it: each column is as wide as its widest text, and `spare`
    more; the last one is not padded."""
    lines = [[column.title for column in columns], *rows]
    widths = [max(length(line[at]) for line in lines) + spare for at in range(len(columns))]
    return [
        " ".join(
            text if at == len(columns) - 1 else text + " " * (widths[at] - length(text))
            for at, text in enumerate(line)
        )
        for line in lines
    ]


def values_of(columns: Sequence[TableColumn], row: Sequence[str]) -> Mapping[str, Any]:
    """The values that the texts of a row stand for."""
    return {
        column.value: column.kind.convert(text)
        for column, text in zip(columns, row, strict=True)
        if text not in ("", "-") and column.kind.convert(text) is not None
    }
