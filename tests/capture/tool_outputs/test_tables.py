"""Tables of any width, with any names, are read as they were printed, and cut ones not wrongly."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kproto.capture.tool_outputs import has_tool_output, read_tool_outputs
from kproto.capture.tool_outputs.views import (
    COORDINATOR,
    FLAG,
    HOST,
    NUMBER,
    SHARES,
    STATE,
    TASKS,
    VIEWS,
    WORD,
    TableColumn,
    View,
)

from .printed import read, table, values_of

_LETTERS = st.characters(exclude_categories=("C", "Z"), exclude_characters="|$#%>`~")
_WORD = st.text(_LETTERS, min_size=1, max_size=12).filter(lambda text: text != "-")
_NAMES = st.builds(
    lambda words, blanks: blanks.join(words),
    st.lists(_WORD, min_size=1, max_size=3),
    st.sampled_from([" ", "  ", " - "]),
)
_TOPIC = st.from_regex(r"[a-z][a-zA-Z0-9._-]{0,8}", fullmatch=True)
_NUMBERS = st.lists(st.integers(0, 9999), min_size=1, max_size=4, unique=True).map(
    lambda numbers: ",".join(map(str, sorted(numbers)))
)


@st.composite
def _shares(draw: st.DrawFn) -> str:
    shares = draw(st.dictionaries(_TOPIC, _NUMBERS, min_size=1, max_size=3))
    if draw(st.booleans()):
        return ";".join(f"{topic}:{numbers}" for topic, numbers in shares.items())
    between = draw(st.sampled_from([", ", ","]))  # as people shorten what they paste
    return between.join(f"{topic}({numbers})" for topic, numbers in shares.items())


_VALUES = {
    NUMBER: st.integers(-1, 10**15).map(str),
    HOST: st.from_regex(r"/[0-9a-f.:]{3,20}", fullmatch=True),
    COORDINATOR: st.from_regex(r"[a-z][a-z0-9.-]{0,50}:9092 {1,2}\([0-9]{1,9}\)", fullmatch=True),
    STATE: st.sampled_from(["Stable", "Empty", "PreparingRebalance", "Reconciling"]),
    WORD: st.from_regex(r"[a-zA-Z][a-zA-Z0-9_.-]{0,20}", fullmatch=True),
    SHARES: _shares(),
    TASKS: st.just("ACTIVE: 0:[0,2];1:[1]; TARGET-ACTIVE: 0:[0,2]; "),
    FLAG: st.sampled_from(["true", "false"]),
}  # fmt: skip


def _texts(column: TableColumn) -> st.SearchStrategy[str]:
    texts = _VALUES.get(column.kind, _NAMES)
    if column.value == "group":
        return texts
    return texts | st.just("-" if column.is_always_filled else "")


@st.composite
def _tables(draw: st.DrawFn) -> tuple[View, list[TableColumn], list[list[str]], list[str]]:
    view = draw(st.sampled_from([view for view in VIEWS if view.tool.startswith("kafka-")]))
    columns = [column for column in view.columns if not column.releases or draw(st.booleans())]
    assume(len(columns) > 1)
    rows = draw(st.lists(st.tuples(*map(_texts, columns)).map(list), min_size=1, max_size=4))
    return view, columns, rows, table(columns, rows, draw(st.integers(1, 9)))


def _command(view: View) -> str:
    return f"$ {view.tool}.sh --bootstrap-server localhost:9092 --describe --all-groups"


@given(_tables(), st.integers(0, 6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_table_is_read_as_it_was_printed(
    printed: tuple[View, list[TableColumn], list[list[str]], list[str]],
    indent: int,
    end: str,
    is_fenced: bool,
) -> None:
    view, columns, rows, lines = printed
    block = ["```", *lines, "```"] if is_fenced else lines
    text = end.join(" " * indent + line for line in [_command(view), "", *block, ""])
    outputs = read(text)
    assert outputs.unread_count == 0
    (output,) = outputs.outputs
    assert output.titles == tuple(column.title for column in columns)
    assert [dict(row.values) for row in output.rows] == [
        values_of(columns, row) for row in rows
    ]  # fmt: skip
    assert not any(row.cut_off for row in output.rows)


@given(_tables(), st.data())
def test_a_line_that_was_cut_has_no_wrong_value(
    printed: tuple[View, list[TableColumn], list[list[str]], list[str]], data: st.DataObject
) -> None:
    """As `less -S`, `screen` or a narrow terminal cut all lines, the header, too. Whether the value
    in the last column of the header is whole, or the one before columns that may be blank, cannot
    always be told."""
    view, columns, rows, lines = printed
    width = data.draw(st.integers(0, max(map(len, lines))))
    cut = [line[:width] for line in lines] if data.draw(st.booleans()) else [
        lines[0], *(line[:width] for line in lines[1:])
    ]  # fmt: skip
    outputs = read("\n".join([_command(view), *cut]))
    for output in outputs.outputs:
        for row in output.rows:
            expected = values_of(columns, rows[row.line - 3])
            read_columns = columns[: len(output.titles)]
            while len(read_columns) > 1 and read_columns[-1].value not in row.values:
                if read_columns[-1].is_always_filled:
                    break
                read_columns = read_columns[:-1]
            for name, value in row.values.items():
                is_last = name == read_columns[-1].value
                assert is_last or expected.get(name) == value, (name, cut[row.line - 2])
    read_count = sum(len(output.rows) for output in outputs.outputs)
    assert read_count + outputs.unread_count >= sum(1 for line in cut[1:] if line.strip())


@pytest.mark.parametrize("width", range(len("GROUP  TYPE  P"), len("GROUP  TYPE  PROTOCOL")))
def test_the_beginning_of_a_title_is_of_the_tool_that_has_it(width: int) -> None:
    """Another table of two such columns has none that begins so."""
    (view,) = (view for view in VIEWS if (view.tool, view.name) == ("kafka-groups", "list"))
    lines = [line[:width] for line in table(view.columns, [["g", "-", "A"]], 1)]
    (output,) = read("\n".join([_command(view), *lines])).outputs
    assert output.titles[2] == "PROTOCOL"
    (row,) = output.rows
    assert (row.values, row.cut_off) == ({"group": "g"}, ("protocol_type",))


@given(_tables())
def test_blanks_that_were_lost_on_the_way_do_not_matter_without_blanks_in_names(
    printed: tuple[View, list[TableColumn], list[list[str]], list[str]],
) -> None:
    """As HTML, some chats and trackers fold them."""
    view, columns, rows, _ = printed
    assume(all(column.is_always_filled for column in columns))
    rows = [
        [
            text if column.kind is COORDINATOR else text.replace(", ", ";").replace(" ", "")
            for column, text in zip(columns, row, strict=True)
        ]
        for row in rows
    ]
    lines = [_command(view), *table(columns, rows)]
    folded = "\n".join(re.sub(" +", " ", line) for line in lines)
    outputs = read(folded)
    (output,) = outputs.outputs
    for row in output.rows:
        assert dict(row.values) == values_of(columns, rows[row.line - 3])
    # A short line may be one that was cut.
    assert outputs.unread_count == len(rows) - len(output.rows)
    longest = sum(len(column.title) + 1 for column in columns)
    assert all(len(line.text) <= longest for line in outputs.unread)


@given(_tables(), st.sampled_from(["\t", "|"]))
def test_columns_may_be_separated(
    printed: tuple[View, list[TableColumn], list[list[str]], list[str]], separator: str
) -> None:
    """Tabs, as from a spreadsheet; a table of Markdown."""
    view, columns, rows, _ = printed
    assume(not any(separator in text for row in rows for text in row))
    lines = [[column.title for column in columns], *rows]
    texts = [separator.join(line) for line in lines]
    if separator == "|":
        texts = [f"| {' | '.join(line)} |" for line in lines]
        texts.insert(1, f"|{'|'.join('---' for _ in columns)}|")
    (output,) = read("\n".join([_command(view), *texts])).outputs
    assert [dict(row.values) for row in output.rows] == [
        values_of(columns, [text.strip() for text in row]) for row in rows
    ]  # fmt: skip


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_no_text_raises(data: bytes) -> None:
    has_tool_output(data)
    outputs = read_tool_outputs(data)
    assert outputs.unread_count >= len(outputs.unread)


@given(_tables(), st.data())
def test_a_damaged_table_does_not_raise(
    printed: tuple[View, list[TableColumn], list[list[str]], list[str]], data: st.DataObject
) -> None:
    text = "\n".join([_command(printed[0]), *printed[3]])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        junk = data.draw(st.text(max_size=3))
        text = text[:at] + junk + text[at + data.draw(st.integers(0, 5)) :]
    read(text)


@pytest.mark.parametrize("blanks", [1, 8, 27])
def test_an_assignor_that_is_left_out_moves_no_value(blanks: int) -> None:
    """A group without members has no rows, and a later table may come right below its title."""
    header = "GROUP   COORDINATOR (ID)    ASSIGNMENT-STRATEGY  STATE                #MEMBERS"
    row = f"orders  localhost:9092 (1)  {' ' * (blanks - 1)}Empty                0"
    (output,) = read(f"{header}\n{row}\n").outputs
    expected = {"group": "orders", "coordinator": ("localhost:9092", 1), "state": "Empty",
                "members": 0}  # fmt: skip
    assert [dict(row.values) for row in output.rows] == [expected]
    assert not output.rows[0].cut_off


def test_a_row_that_is_not_understood_is_known_to_be_one() -> None:
    lines = [
        "GROUP  CONSUMER-ID  HOST  CLIENT-ID  #PARTITIONS  ASSIGNMENT",
        "g  c-1  /h  c  1  t(0)",
        "g  c-2  /h  c  1  t(0",
        "",
        "something else",
    ]
    unread = read_tool_outputs("\n".join(lines)).unread
    assert [(line.line, line.tool) for line in unread] == [(3, "kafka-consumer-groups"), (5, "")]


def test_a_column_that_is_not_known_has_no_name_of_one_that_is() -> None:
    """Its values may be anything: a text in the place of a number would be added up."""
    lines = (
        "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-D  HOST  CLIENT-ID",
        "g      t      0          1               1               x    m           /h    c",
    )
    values = [row.values for output in read("\n".join(lines)).outputs for row in output.rows]
    assert not [of_row for of_row in values if of_row.get("lag") == "x"]
