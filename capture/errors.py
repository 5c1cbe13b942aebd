"""The one error of this room."""

from __future__ import annotations

from ..codec.errors import KprotoError

__all__ = ["CaptureError"]


class CaptureError(KprotoError, ValueError):
    """What was given holds no bytes in the form that was asked for.

    The message says what is wrong and what to do; `line` and `column` count from 1,
    in characters, and are None where no place in the text is to blame. `too_large` says
    that the bytes are there, and more of them than the caller allowed.
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
        """Return the same error, of a part of a text, at its place in the whole."""
        return CaptureError(self.problem, line=line, column=self.column, too_large=self.too_large)

    def __str__(self) -> str:
        if self.line is None:
            return self.problem
        place = f"line {self.line}"
        if self.column is not None:
            place += f", column {self.column}"
        return f"{place}: {self.problem}"
