"""The page in Firefox: it loads, served and as a file, asks for nothing then, and answers as the
command does, on inputs of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import SITE, Served, ask, do_without
from tests.browser.firefox import FIREFOX, Firefox, firefox
from tests.browser.test_same_answers import (
    CAPTURES,
    DECODE,
    GOLDEN,
    LINT,
    LOGS,
    OUTPUTS,
    PASTES,
    SEGMENTS,
    STORY,
    compare,
    compare_typed,
)

pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

READY = "document.documentElement?.dataset.ready"
INPUTS = {
    "spellings": (GOLDEN[::8], (DECODE, LINT)),
    "captures": (CAPTURES[::6], (DECODE, STORY)),
    "segments": (SEGMENTS[:2], (DECODE, STORY)),
    "logs": (LOGS[::30], (STORY,)),
    "outputs": (OUTPUTS[::8], (STORY,)),
}


@pytest.fixture(scope="module")
def tab() -> Iterator[Firefox]:
    if FIREFOX is None or not (SITE / "kproto.html").exists():
        do_without("there is no Firefox here, or the page is not built: make page")
    with firefox() as driver:
        yield driver


@pytest.fixture
def page(tab: Firefox, site: str) -> Firefox:
    tab.open(f"{site}index.html")
    tab.wait(READY)
    return tab


@pytest.mark.parametrize(("paths", "lines"), INPUTS.values(), ids=INPUTS)
def test_the_answers_are_the_commands(
    page: Firefox,
    paths: list[Path],
    lines: tuple[list[str], ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths
    for path in paths:
        for words in lines:
            compare(page, words, path, tmp_path)


def test_what_is_typed_is_answered_and_nothing_is_asked_for(page: Firefox) -> None:
    ask(page, "kproto.takeText('00')")
    Served.paths.clear()
    for paste in PASTES.values():
        compare_typed(page, paste)
    assert Served.paths == []


def test_it_works_as_a_file(tab: Firefox) -> None:
    tab.open(f"file://{SITE}/kproto.html#view=read&example=kafka-go")
    tab.wait("document.documentElement?.dataset.answered && document.querySelector('#stop').hidden")
    assert "KP040" in tab.run("document.querySelector('#output').textContent")
