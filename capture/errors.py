"""The error that readers of captures raise."""

from __future__ import annotations

from ..codec.errors import KprotoError

__all__ = ["CaptureError"]


class CaptureError(KprotoError, ValueError):
    """The input holds no bytes in the form that was asked for.

    The message says what is wrong and what to do; `line` and `column` count from 1,
    in characters, and are None where the error has no place in the text. `too_large`: there
    are more bytes than the caller allowed.
    """

    def __init__(
        self,
        problem: str,
        *,
        line: int | None = None,
        column: int | None = None,
        too_large: bool = False,
    ) -> None:
        self.problem = problem
        self.too_large = too_large
        self.line = line
        self.column = column
        super().__init__(problem)

    def on_line(self, line: int) -> CaptureError:
        """Return the error of a part of a text with its line in the whole text."""
        return CaptureError(self.problem, line=line, column=self.column, too_large=self.too_large)

    def __str__(self) -> str:
        if self.line is None:
            return self.problem
        place = f"line {self.line}"
        if self.column is not None:
            place += f", column {self.column}"
        return f"{place}: {self.problem}"
