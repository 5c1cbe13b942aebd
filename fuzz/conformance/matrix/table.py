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
        yield from self._guarantees(options.max_width)
        yield from self._legend()
        if matrix.pairs:
            yield Text()
            yield Text("members down, leaders across: one sign an assignor", "bold")
            yield from self._pairs(options.max_width)
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

    def _guarantees(self, width: int) -> Iterator[Table]:
        guarantees = judged_guarantees(self._matrix.runs)
        heads = [Text(guarantee.id[1:], _BOLD[guarantee.scope]) for guarantee in guarantees]
        rows = {
            f"{column.name} {column.run.release}": [
                Text(*MARKS[status_of_all(column.run.results_of(guarantee), ())])
                for guarantee in guarantees
            ]
            for column in self._matrix.columns
        }
        return _tables(heads, rows, width)

    def _legend(self) -> Iterator[Text]:
        for scope in Scope:
            rows = judged_guarantees(self._matrix.runs)
            titles = [guarantee.title for guarantee in rows if guarantee.scope is scope]
            if titles:
                yield Text.assemble((f"{scope.value}: ", "bold"), (" ".join(titles), "dim"))

    def _pairs(self, width: int) -> Iterator[Table]:
        names = list(dict.fromkeys(pair.member for pair in self._matrix.pairs))
        heads = [Text(str(number)) for number in range(1, len(names) + 1)]
        rows = {
            f"{number:2} {member}": [
                _signs(between(self._matrix.pairs, member, leader)) for leader in names
            ]
            for number, member in enumerate(names, start=1)
        }
        return _tables(heads, rows, width)


def _tables(heads: list[Text], rows: dict[str, list[Text]], width: int) -> Iterator[Table]:
    """Yield a table with a row for each label: several, each with some of the columns, where all
    together are wider than the terminal.
    """
    first = max((len(label) for label in rows), default=0) + 1
    widths = [
        1 + max(head.cell_len, *(row[place].cell_len for row in rows.values()))
        for place, head in enumerate(heads)
    ]
    places: list[int] = []
    for place, _ in enumerate(heads):
        if places and first + sum(widths[earlier] for earlier in places) + widths[place] > width:
            yield _table(heads, rows, places)
            places = []
        places.append(place)
    yield _table(heads, rows, places)


def _table(heads: list[Text], rows: dict[str, list[Text]], places: list[int]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", no_wrap=True)
    for place in places:
        table.add_column(heads[place], no_wrap=True)
    for label, cells in rows.items():
        table.add_row(Text(escaped(label)), *(cells[place] for place in places))
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
