"""Every row of the tables reads a line that is written after its own template."""

from __future__ import annotations

import re

import pytest

from kproto.capture.logs.family import OriginFamily
from kproto.capture.logs.reader import FAMILIES

_TABLES = [family for family in FAMILIES if issubclass(family, OriginFamily)]
_NUMBERS = {"generation", "old", "epoch", "count", "static", "limit_ms", "over_ms", "partition",
            "offset"}  # fmt: skip
_TEXTS = {
    "error": "UNKNOWN_MEMBER_ID", "kind": "consumer", "state": "Stable", "instance": "pay-1",
    "partitions": "orders-0, a-b-1", "members": "m-1, m-2", "group": "a group, with: all",
    "assignment": "{m-1=Assignment(partitions=[orders-0])}",
}  # fmt: skip


def _example(template: str, *, whole: bool) -> str:
    """A line after the template: with all that may be absent, or without; the first alternative."""
    text, depth = template.replace("\\\\", "\\"), 0
    text = re.sub(r"<(\w+)>", lambda match: _value(match[1]), text.replace("…", "something"))
    out, alternative = [], [True]
    escaped = False
    for character in text:
        if escaped:
            out.append(character if all(alternative) else "")
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "\x01":
            depth += 1
            alternative.append(whole)
        elif character in "[{":
            alternative.append(whole if character == "[" else True)
        elif character in "]}":
            alternative.pop()
        elif character == "|":
            alternative[-1] = False
        else:
            out.append(character if all(alternative) else "")
    return "".join(out)


def _value(name: str) -> str:
    is_number = name in _NUMBERS or name.endswith(("_ms", "_count"))
    value = "7" if is_number else _TEXTS.get(name, f"the-{name}")
    return re.sub(r"([\[\]{}|\\])", r"\\\1", value)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("family", _TABLES, ids=lambda family: family.name)
def test_a_row_reads_its_own_line(family: type[OriginFamily], whole: bool) -> None:
    for row in family.table.rows:
        line = _example(row.template, whole=whole)
        entry = family.table.match(line)
        assert entry is not None, line
        found, _ = entry
        assert found.event == row.event, (line, found)
