"""`kproto schemas`: what there is, and one of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kproto.codec import built_in_names

from .conftest import CAPTURES, Run
from .test_decode import NOTE
from .test_main import one_line
from .test_terminal import on_terminal, plain


def test_every_message_is_listed(kproto: Run) -> None:
    lines = kproto("schemas").stdout.decode().splitlines()
    assert [line.split()[0] for line in lines[1:] if not line.startswith(" ")] == list(
        built_in_names()
    )


def test_one_is_shown_version_by_version(kproto: Run) -> None:
    text = kproto("schemas", "consumerprotocolsubscription").stdout.decode()
    headings = [line for line in text.splitlines() if line.startswith("version ")]
    assert headings == ["version 0", "version 1", "version 2", "version 3"]
    assert text.count("rack_id") == 1
    assert text.count("generation_id") == 2
    assert text.count("topics  ") == 4


def test_versions_of_one_layout_share_a_table(kproto: Run) -> None:
    text = kproto("schemas", "ConsumerProtocolAssignment").stdout.decode()
    assert "versions 0, 1, 2, 3\n" in text
    assert text.count("user_data") == 1


def test_definitions_that_are_not_built_in(kproto: Run, tmp_path: Path) -> None:
    (tmp_path / "Note.json").write_text(NOTE, encoding="utf-8")
    assert "stars" in kproto("schemas", "Note", "--definitions", tmp_path).stdout.decode()
    assert "\nNote " in kproto("schemas", "--definitions", tmp_path).stdout.decode()


def test_what_there_is_not(kproto: Run) -> None:
    line = one_line(kproto("schemas", "ConsumerProtocolSubscripton", status=2).stderr)
    assert "did you mean ConsumerProtocolSubscription" in line


def test_a_version_is_drawn(kproto: Run) -> None:
    text = kproto("schemas", "ConsumerProtocolSubscription", "--version", "1").stdout.decode()
    assert "int16 = 1" in text
    assert "generation_id" not in text
    for arguments, about in (
        (["ConsumerProtocolSubscription", "--version", "4"], "has no version 4; it has 0-3"),
        (["--version", "1"], "--version needs a NAME"),
        (["OffsetCommitKey", "--search", "x"], "leave NAME out"),
        (["--search", " "], "needs a word"),
    ):
        assert about in one_line(kproto("schemas", *arguments, status=2).stderr)


def test_search(kproto: Run, tmp_path: Path) -> None:
    text = kproto("schemas", "--search", "RACK").stdout.decode()
    assert "\nConsumerProtocolSubscription\n  RackId 3+" in text
    assert "KIP-881" in text  # in a comment
    (tmp_path / "Note.json").write_text(NOTE, encoding="utf-8")
    text = kproto("schemas", "--search", "stars", "--definitions", tmp_path).stdout.decode()
    assert text.startswith("Note\n")
    done = kproto("schemas", "--search", "zzqq", status=1)
    assert "'zzqq' occurs in none of the" in one_line(done.stderr)


@pytest.mark.parametrize("width", ["40", "60", "80"])
def test_in_a_narrow_place_no_word_is_cut(kproto: Run, width: str) -> None:
    arguments = ("ConsumerProtocolSubscription", "--color", "always")
    text = plain(kproto("schemas", *arguments, COLUMNS=width, NO_COLOR="1").stdout.decode())
    assert all(len(line) <= int(width) for line in text.splitlines())
    assert "The generation in which the member got what it owns" in " ".join(text.split())


def test_a_dumb_terminal_is_as_wide_as_it_is() -> None:
    text = on_terminal("schemas", "ConsumerProtocolSubscription", width=60, TERM="dumb")
    assert 50 < max(map(len, text.splitlines())) <= 60
    text = on_terminal("decode", str(CAPTURES / "java-sticky.hex"), width=120, TERM="dumb")
    assert max(map(len, text.splitlines())) > 80
