"""The matrix on a terminal: clients down, guarantees across; then members down, leaders across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ....escaping import escaped
from ...guarantees.table import Scope
from ..report import MARKS
from ..results import judged_guarantees, status_of_all
from .matrix import Matrix
from .pairs import NOT_MEASURED, USER_DATA, WORKS, Pair


class MatrixTable:
    """Both tables, and what was left out. A `rich` renderable."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        matrix = self._matrix
        yield Text.assemble(
            (f"{len(matrix.columns)} clients", "bold"),
            (f" · {matrix.date} · kproto {matrix.release} · seed {matrix.seed}", "dim"),
        )
        yield self._guarantees()
        yield from self._legend()
        if matrix.pairs:
            yield Text()
            yield Text("members down, leaders across: one sign an assignor", "bold")
            yield self._pairs()
            yield Text(_PAIRS_LEGEND, "dim")
        if matrix.answers:
            borne_out = sum(answer.borne_out for answer in matrix.answers)
            yield Text(f"as others had reported: {borne_out} of {len(matrix.answers)} answers")
        for when, clients in sorted(matrix.not_asked.items()):
            yield Text(f"as measured on {when}: {escaped(', '.join(clients))}")
        for name, why in sorted(matrix.left_out.items()):
            date = matrix.older.get(name)
            state = f"as measured on {date}" if date else "left out"
            yield Text(f"{state}: {name}: {escaped(why)}")

    def _guarantees(self) -> Table:
        rows = judged_guarantees(self._matrix.runs)
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column("")
        for guarantee in rows:
            table.add_column(Text(guarantee.id[1:], _BOLD[guarantee.scope]), no_wrap=True)
        for column in self._matrix.columns:
            marks = [MARKS[status_of_all(column.run.results_of(row), ())] for row in rows]
            label = escaped(f"{column.name} {column.run.release}")
            table.add_row(Text(label, no_wrap=True), *(Text(*mark) for mark in marks))
        return table

    def _legend(self) -> Iterator[Text]:
        for scope in Scope:
            rows = judged_guarantees(self._matrix.runs)
            titles = [guarantee.title for guarantee in rows if guarantee.scope is scope]
            if titles:
                yield Text.assemble((f"{scope.value}: ", "bold"), (" ".join(titles), "dim"))

    def _pairs(self) -> Table:
        names = list(dict.fromkeys(pair.member for pair in self._matrix.pairs))
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column("")
        for number, _ in enumerate(names, start=1):
            table.add_column(str(number))
        for number, member in enumerate(names, start=1):
            cells = [_signs(between(self._matrix.pairs, member, leader)) for leader in names]
            table.add_row(f"{number:2} {member}", *cells)
        return table


_BOLD = {Scope.REQUIRED: "bold", Scope.RECOMMENDED: "dim", Scope.OWN: "dim"}
SIGNS = {WORKS: ("✓", "green"), USER_DATA: ("~", "yellow"), NOT_MEASURED: ("·", "dim")}
"""The signs of a pair's verdict; all other verdicts are failures."""
_PAIRS_LEGEND = (
    "✓ understand each other   ✗ do not   ~ but for the user data   · not measured   - no assignor "
    "that both come with"
)


def sign(pair: Pair) -> tuple[str, str]:
    """Return the sign of a verdict and its style."""
    return SIGNS.get(pair.verdict, ("✗", "bold red"))


def between(pairs: Sequence[Pair], member: str, leader: str) -> list[Pair]:
    """Return the pairs of a member and a leader."""
    return [pair for pair in pairs if (pair.member, pair.leader) == (member, leader)]


def _signs(pairs: Sequence[Pair]) -> Text:
    return Text.assemble(*map(sign, pairs)) if pairs else Text("-", "dim")
