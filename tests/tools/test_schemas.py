"""`kproto schemas`: what there is, and one of it."""

from __future__ import annotations

from pathlib import Path

from kproto.codec import built_in_names

from .conftest import Run
from .test_decode import NOTE
from .test_main import one_line


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
