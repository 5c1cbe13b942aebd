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
from kproto.rebalance.simulation.run_log import SentFrame
from kproto.rebalance.simulation.views.packets import as_hex_lines, as_pcap
from kproto.rebalance.simulation.views.run_page import comparison_page, page
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
        self.opened = 0
        self.steps: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        elsewhere = "src" in given or not (given.get("href") or "#").startswith("#")
        if tag in ("link", "img", "iframe") or elsewhere:
            self.found.append(tag)
        if tag == "details":
            self.opened += 1
        self.steps |= {step} if (step := given.get("data-step")) else set()
        self.ids |= {name} if (name := given.get("id")) else set()
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A shape of a picture."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_needs_nothing_else_and_is_well_formed(done: Run) -> None:
    text = page(done)
    tags = Tags()
    tags.feed(text)
    assert not tags.found
    assert not tags.open
    assert "url(" not in text and "@import" not in text and "fetch(" not in text
    assert "prefers-color-scheme: dark" in text
    assert "rebalance-latency-avg" in text


def test_every_message_of_a_page_is_opened_and_its_arrow_leads_there(done: Run) -> None:
    """All but heartbeats without an error: they say nothing."""
    shown: list[object] = []

    def opened(frame: SentFrame) -> str:
        shown.append(frame.message)
        return f"<p>opened {len(shown)}</p>"

    text = page(done, opened)
    tags = Tags()
    tags.feed(text)
    assert {f"s{step}" for step in tags.steps} <= tags.ids
    assert tags.opened == len(shown) == text.count("<p>opened ")
    frames = done.record.frames
    wanted = [one.message for one in frames if "Heartbeat" not in type(one.message).NAME]
    told = [one.message for one in frames if getattr(one.message, "error_code", 0)]
    for message in (*wanted, *told):
        assert any(message is one for one in shown)


def test_a_page_puts_runs_side_by_side(done: Run) -> None:
    text = comparison_page({"<first>": done, "second": done})
    tags = Tags()
    tags.feed(text)
    assert not tags.found and not tags.open
    assert "&lt;first&gt;" in text and "<first>" not in text
    assert text.count('<div class="bars">') == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crash", ["settings: assignors cooperative-sticky, version 3", "lives: no"]),
        ("rebalance-storm", ["protocol: none  members: none"]),
    ],
)
def test_a_page_has_no_value_as_python_writes_it(name: str, words: list[str]) -> None:
    text = page(run(read_scenario(built_in_scenarios()[name], name)))
    assert all(word in text for word in words)
    assert not re.search(r"\w: (None|True|False|\[)|\w \[(&#x27;|&#39;|')", text)


def test_what_a_file_says_is_never_markup() -> None:
    text = built_in_scenarios()["crash"].replace("A member", "<script>alert(1)</script>")
    shown = page(run(read_scenario(text, "<em>")))
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown
    assert "<em>" not in shown


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


def test_the_documentation_names_every_key_and_scenario_operation() -> None:
    from kproto.rebalance.simulation.scenarios.scenario import OPERATIONS
    from kproto.rebalance.simulation.scenarios.scenario_keys import MEMBER_KEYS

    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    for word in (*MEMBER_KEYS, *OPERATIONS):
        assert f"`{word}`" in text, word


def test_the_documentations_files_work() -> None:
    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    scenarios = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(scenarios) == 3
    for scenario in scenarios:
        assert run(read_scenario(scenario, "documented")).as_expected
