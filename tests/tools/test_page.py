"""`kproto page`: the folder that the extra brings, written where it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kproto.browser import answers
from kproto.tools.main import main


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A stand-in for what the extra installs."""
    site = tmp_path / "packages" / "kproto_page" / "site"
    site.mkdir(parents=True)
    (site.parent / "__init__.py").touch()
    (site / "index.html").write_text("the page")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    yield
    del sys.modules["kproto_page"]


@pytest.mark.usefixtures("extra")
def test_it_writes_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "page"
    assert main(["page", "--out", str(out)]) == 0
    assert (out / "index.html").read_text() == "the page"
    assert "kproto.html" in capsys.readouterr().err
    assert main(["page", "--out", str(out)]) == 2
    assert "no empty folder" in capsys.readouterr().err
    assert main(["page", "--out", str(out / "index.html")]) == 2


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kproto_page", None)
    assert main(["page", "--out", str(tmp_path / "page")]) == 2
    assert "[page]" in capsys.readouterr().err
    assert not (tmp_path / "page").exists()


def test_one_message_is_answered_whole_however_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer is one line, longer than what many lines together may be."""
    monkeypatch.chdir(tmp_path)
    paste = tmp_path / "paste"
    paste.write_text("ff" * 20_000)
    monkeypatch.setattr(answers, "MOST", 10_000)
    words = ["decode", "--json", "--bytes", "-"]
    status, output, messages, is_cut = answers.answer(words, str(tmp_path), str(paste))
    assert (status, is_cut, output.count("\n")) == (1, False, 1)
    assert len(output) > answers.MOST
    assert "Traceback" not in messages
