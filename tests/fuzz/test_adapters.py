"""The adapters that `kproto conform --init` writes: each builds, says what is missing, and passes
once its two calls are filled in with those of a correct client (tests/fuzz/adapters).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kproto.fuzz.adapters import ADAPTERS
from kproto.tools.commands.conform import LANGUAGES
from kproto.tools.main import main

from .foreign.strangers import CLIENTS, TOOLS, build


def written(language: str, folder: Path) -> Path:
    assert main(["conform", "--init", language, "--out", str(folder)]) == 0
    return folder


def judged(language: str, folder: Path) -> int:
    build(language, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        start = ADAPTERS[language].start.split()
        return main(["conform", "--time", "5m", "--timeout", "10s", "--", *start])


def test_the_command_and_the_package_know_the_same_languages() -> None:
    assert set(LANGUAGES) == set(ADAPTERS) == set(TOOLS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_is_written_once_and_names_what_comes_next(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(language, tmp_path / "adapter")
    text = capsys.readouterr().out
    assert ADAPTERS[language].calls in text and ADAPTERS[language].start in text
    names = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert ADAPTERS[language].calls in names
    calls = folder / ADAPTERS[language].calls
    calls.write_text("mine")
    assert main(["conform", "--init", language, "--out", str(folder)]) == 2
    assert "exists" in capsys.readouterr().err
    assert calls.read_text() == "mine"


@pytest.mark.parametrize(
    "language",
    ["python", *(pytest.param(name, marks=pytest.mark.slow) for name in TOOLS if name != "python")],
)
def test_what_is_not_filled_in_is_said(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    assert judged(language, written(language, tmp_path)) == 3
    assert "decode is to be filled in" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_passes_with_both_calls_filled_in(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    folder = written(language, tmp_path)
    calls = folder / ADAPTERS[language].calls
    shutil.copy(CLIENTS / calls.name, calls)
    capsys.readouterr()
    assert judged(language, folder) == 0
    report = capsys.readouterr().out
    assert "required: nothing broken" in report
    assert "G11-round-trip" in report and "G13-refuses-to-write" in report
    assert "{'" not in report  # values are JSON


def need(language: str) -> None:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not installed")
