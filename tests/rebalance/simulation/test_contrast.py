"""Colours of a run can be read: a contrast of at least 4.5 to 1, as WCAG 2 wants it (AA)."""

from __future__ import annotations

import io
import re

import pytest
from rich.color import Color
from rich.console import Console

from kproto.inspector.views.export import MINIMUM, contrast, parse_colour
from kproto.rebalance.simulation import Run, built_in_scenarios, read_scenario, run
from kproto.rebalance.simulation.views.run_page import page
from kproto.rebalance.simulation.views.timeline import Timeline

WHITE, BLACK = "#ffffff", "#000000"
BAR = re.compile(
    r'<i class="(\w*)" style="[^"]*?%(?:;background:([^"]*))?" title="[^"]*">([^<]+)</i>'
)
MIXED = re.compile(r"color-mix\(in srgb, (#\w{6}) (\d+)%, (#\w{6})\)")


@pytest.fixture(scope="module", params=["mixed-versions", "hundred-consumers", "kip-315"])
def done(request: pytest.FixtureRequest) -> Run:
    return run(read_scenario(built_in_scenarios()[request.param], request.param))


def flat(colour: str) -> str:
    """A colour that is mixed of two, as a browser computes it."""
    if mixed := MIXED.fullmatch(colour):
        share = int(mixed[2]) / 100
        pairs = zip(parse_colour(mixed[1]), parse_colour(mixed[3]), strict=True)
        return f"#{bytes(round(a * share + b * (1 - share)) for a, b in pairs).hex()}"
    return {"#fff": WHITE}.get(colour, colour)


@pytest.fixture(params=["light", "dark"])
def variables(done: Run, request: pytest.FixtureRequest) -> dict[str, str]:
    light, dark, *_ = re.findall(r":root \{[^}]*\}", page(done))
    declared = re.findall(r"--(\w+): (#\w{6})", light + dark * (request.param == "dark"))
    return dict(declared)


def test_the_page(done: Run, variables: dict[str, str]) -> None:
    text = re.sub(r"var\(--(\w+)\)", lambda name: variables[name[1]], page(done))
    written = {"": WHITE, "blocked": variables["text"], "two": variables["back"]}
    bars = {(kind, flat(behind or variables["two"])) for kind, behind, _ in BAR.findall(text)}
    assert {kind for kind, _ in bars} >= {"", "blocked"}
    for kind, behind in bars:
        assert contrast(written[kind], behind) >= MINIMUM, (kind, behind)
    discs = set(re.findall(r'<circle [^>]*r="8" fill="([^"]*)"/>\s*<text class="code"', text))
    assert len(discs) > 1
    for disc in discs:
        assert contrast(WHITE, disc) >= MINIMUM, disc
    named = re.findall(r'style="fill:([^"]+)"/>\s*<text class="(\w*)"', text)
    assert named
    in_lanes = {"in": WHITE, "": variables["text"], "two": variables["back"]}
    for behind, kind in named:
        assert contrast(in_lanes[kind], flat(behind)) >= MINIMUM, (kind, behind)
    for name in ("text", "quiet", "two"):
        assert contrast(variables[name], variables["back"]) >= MINIMUM, name


@pytest.mark.parametrize("system", ["256", "standard"])
def test_the_timeline(done: Run, system: str) -> None:
    """In 16 colours it has those of the text alone, which can be read wherever text can."""
    file = io.StringIO()
    console = Console(file=file, width=100, force_terminal=True, color_system=system, _environ={})  # type: ignore[arg-type]
    console.print(Timeline(done))
    codes = {code for code in re.findall(r"\x1b\[([\d;]*)m", file.getvalue()) if code != "0"}
    assert codes
    numbers = {found[1] for code in codes if (found := re.search(r"[34]8;5;(\d+)", code))}
    if system == "standard":
        assert not numbers and {part for code in codes for part in code.split(";")} <= set("147")
        return
    assert len(numbers) > 2
    for number in numbers:
        colour = Color.from_ansi(int(number)).get_truecolor().hex
        assert min(contrast(colour, WHITE), contrast(colour, BLACK)) >= MINIMUM, number
