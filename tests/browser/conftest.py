"""The page that `make page` built, served from this machine and opened in a headless Chromium."""

from __future__ import annotations

import functools
import http.server
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.browser.devtools import CHROMIUM, Browser, browser
from tests.browser.firefox import Firefox

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "page" / "site"


def do_without(reason: str) -> NoReturn:
    """Skip what needs the page in a browser, unless KPROTO_REQUIRE_BROWSER=1 forbids it."""
    if os.environ.get("KPROTO_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Served(http.server.SimpleHTTPRequestHandler):
    """Serves files, as `python -m http.server` does, and notes what is asked for."""

    paths: list[str] = []  # noqa: RUF012

    def log_message(self, _format: str, *_words: object) -> None:
        self.paths.append(self.path)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the page, from a server of this machine."""
    if not (SITE / "index.html").exists():
        do_without("the page is not built: make page")
    handler = functools.partial(Served, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        do_without("there is no Chromium here")
    with browser() as tab:
        yield tab


@pytest.fixture(scope="session")
def as_file() -> Iterator[Browser]:
    """A browser for pages that are files."""
    if CHROMIUM is None or not (SITE / "kproto.html").exists():
        do_without("there is no Chromium here, or the page is not built")
    with browser() as tab:
        yield tab


@pytest.fixture(scope="session")
def loaded(chromium: Browser, site: str) -> Browser:
    """The browser with the page, loaded to the end."""
    chromium.open(f"{site}index.html")
    chromium.wait("document.documentElement?.dataset.ready")
    chromium.run("kproto.run({words: ['decode', '00']})")  # the last file has arrived, too
    return chromium


@pytest.fixture
def page(loaded: Browser) -> Browser:
    """The page, with nothing pasted."""
    for option in ("color-scheme",):
        loaded.call(
            "Emulation.setEmulatedMedia", features=[{"name": f"prefers-{option}", "value": "light"}]
        )
    loaded.call("Emulation.clearDeviceMetricsOverride")
    ask(loaded, "location.hash = '#view=read'; kproto.takeText('')")
    loaded.events.clear()
    return loaded


def ask(page: Browser | Firefox, script: str, seconds: float = 120) -> None:
    """Do something in the page that asks a question, and wait for its answer."""
    number = page.run("document.documentElement.dataset.answered ?? ''")
    page.run(script)
    is_new = f"document.documentElement.dataset.answered !== {number!r}"
    page.wait(f"{is_new} && document.querySelector('#stop').hidden", seconds)


def type_text(page: Browser | Firefox, text: str) -> None:
    """Put a text into the field, as typing does, and wait for its answer."""
    script = f"field.value = {json.dumps(text)}; field.dispatchEvent(new Event('input'))"
    ask(page, f"{{ const field = document.querySelector('#paste'); {script} }}")
