"""Dumps with a name in front of their first row, or of each, as grep and docker compose print."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings

from kproto.capture.text import form_named, read
from kproto.inspector.evidence import MessageJudge

from .written import WITHOUT_OFFSETS, messages

JUDGE = MessageJudge()


def rows(form: str, data: bytes, *, offsets: bool) -> list[str]:
    dump = form_named(form).write(data).split("\n")
    return dump if offsets else [row[len("0000000") :] for row in dump[:-1]]


NAMED: dict[str, Callable[[list[str]], str]] = {
    "a colon": lambda dump: "subscription: " + "\n".join(dump),
    "an equals sign": lambda dump: "member.metadata=" + "\n".join(dump),
    "an arrow": lambda dump: "consumer 4 -> " + "\n".join(dump),
    "grep": lambda dump: "\n".join(f"session.txt:{row}" for row in dump),
    "compose": lambda dump: "\n".join(f"worker-1  | {row}" for row in dump),
    "five blanks": lambda dump: "\n".join(f"     {row}" for row in dump),
    "seven blanks": lambda dump: "\n".join(f"       {row}" for row in dump),
}


@pytest.mark.parametrize("offsets", [True, False])
@pytest.mark.parametrize("form", WITHOUT_OFFSETS)
@pytest.mark.parametrize("named", NAMED)
@given(data=messages(multiple_of=8))
@settings(max_examples=settings().max_examples // 10)
def test_a_name_in_front_of_a_dump(named: str, form: str, offsets: bool, data: bytes) -> None:
    if (named, form, offsets) == ("an equals sign", "od-c", False):
        assume(len(data) > 16)  # a single such row is refused: the form has to be named
    text = NAMED[named](rows(form, data, offsets=offsets))
    assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data]


def test_a_row_of_words_is_no_prose_between_dumps() -> None:
    """The first row has a name, and two would decode without it."""
    data = bytes.fromhex("00010000000100066f7264657273ffffffff00000000")
    text = "metadata: " + "\n".join(rows("od", data, offsets=False))
    assert [chunk.data for chunk in read(text.encode(), judge=JUDGE).chunks] == [data]
