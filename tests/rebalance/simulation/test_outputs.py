"""What a run is written out as: captures, pages, pictures, and the documentation."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from kproto.capture import Summary, read, read_pcap
from kproto.codec import ConsumerProtocolSubscription, decode
from kproto.rebalance.simulation import Run, built_in_scenarios, read_scenario, run
from kproto.rebalance.simulation.views.captures import as_hex_lines, as_pcap
from kproto.rebalance.simulation.views.diagrams import drawn
from kproto.rebalance.simulation.views.page import page
from kproto.rebalance.simulation.views.timeline import Timeline

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def done() -> Run:
    return run(read_scenario(built_in_scenarios()["mixed-versions"], "mixed-versions"))


def test_a_capture_has_every_join_and_sync_with_its_answer(done: Run) -> None:
    """Read back by the packet reader, which knows nothing of simulations."""
    summary = Summary()
    frames = list(read_pcap(io.BytesIO(as_pcap(done.record.frames)), summary=summary))
    assert all(not frame.reason for frame in frames)
    sent = [frame for frame in done.record.frames if "Group" in type(frame.message).NAME]
    wanted = [
        (type(one.message).NAME, one.api_version, one.message.to_body(one.api_version))
        for one in sent
        if type(one.message).NAME.startswith(("JoinGroup", "SyncGroup"))
    ]
    seen = [
        (f"{frame.api}{frame.direction.title()}", frame.api_version, frame.body_data)
        for frame in frames
        if frame.body is not None
    ]
    assert sorted(seen, key=repr) == sorted(wanted, key=repr)
    assert {version for name, version, _ in seen if name == "JoinGroupRequest"} == {5, 6, 8, 9}


def test_lines_of_hex_are_read_as_they_stand(done: Run) -> None:
    reading = read(as_hex_lines(done.record.frames))
    assert len(reading.chunks) > 20
    first = decode(reading.chunks[0].data, ConsumerProtocolSubscription)
    assert first.message is not None
    assert first.message.topics == ("orders",)


class Tags(HTMLParser):
    """Everything that a page could load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loads = {"src", "href"} & {name for name, _ in attrs}
        if tag in ("script", "link", "img", "iframe") or loads:
            self.found.append(tag)
        if tag not in ("meta", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "rect":
            assert self.open.pop() == tag


def test_a_page_needs_nothing_else_and_is_well_formed(done: Run) -> None:
    text = page(done)
    tags = Tags()
    tags.feed(text)
    assert not tags.found
    assert not tags.open
    assert "prefers-color-scheme: dark" in text
    assert "rebalance-latency-avg" in text


def test_what_a_file_says_is_never_markup() -> None:
    text = built_in_scenarios()["crash"].replace("A member", "<script>alert(1)</script>")
    shown = page(run(read_scenario(text, "<b>")))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "<b>" not in shown


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_pictures(done: Run, tmp_path: Path, ending: str) -> None:
    plots = pytest.importorskip("matplotlib") and __import__(
        "kproto.rebalance.simulation.views.plots", fromlist=["plot_run"]
    )
    one, again, both = (tmp_path / f"{name}.{ending}" for name in ("one", "again", "both"))
    plots.plot_run(done, str(one))
    plots.plot_run(done, str(again))
    plots.plot_runs({"x": done, "y": done}, str(both))
    assert one.read_bytes() == again.read_bytes()
    assert both.stat().st_size > 5_000


def lines(done: Run, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, legacy_windows=False)
    console.print(Timeline(done))
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_a_timeline_at_any_width(done: Run, width: int) -> None:
    shown = lines(done, width)
    assert max(map(len, shown)) <= width
    rows = [line for line in shown if line.lstrip().startswith("orders-")]
    assert len(rows) == 8
    for row in rows:
        assert re.fullmatch(r" *orders-\d  ·+▒?[abcd·▒]+", row), row


def test_a_timeline_shows_two_owners() -> None:
    text = built_in_scenarios()["impatient-leader"]
    assert any("!" in line for line in lines(run(read_scenario(text, "x")), 100)[:6])


def test_the_documentation_shows_everything_that_is_drawn() -> None:
    text = (DOCS / "explanation" / "rebalancing.md").read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- made: simulation ([a-z ]+) -->", text)) == drawn().keys()


def test_the_documentation_names_every_key_and_scenario_operation() -> None:
    from kproto.rebalance.simulation.scenarios.runs import OPERATIONS
    from kproto.rebalance.simulation.scenarios.scenario_files import MEMBER_KEYS

    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    for word in (*MEMBER_KEYS, *OPERATIONS):
        assert f"`{word}`" in text, word


def test_the_documentations_file_works() -> None:
    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    (scenario,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert run(read_scenario(scenario, "documented")).as_expected
