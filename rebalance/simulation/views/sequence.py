"""A run as a sequence diagram that can be played: lanes of members and the coordinator, requests
and responses as arrows, ownership below on the same axis.

The axis has a place for every step, and idle times are shortened: most of a rebalance happens
within milliseconds. Heartbeats that change nothing are left out. Each message is opened by a
function that is handed in (`Opener`), below in a list that works without a script.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log10
from typing import Any, TypeAlias

from ....wording import counted
from ..machines.coordinator_state import ErrorCode
from ..measures import stretches
from ..run_log import LoggedEvent, RunRecord, SentFrame
from ..scenarios.scenario import Run
from .timeline import MARKS, background_of, described, listed, names_of

Opener: TypeAlias = Callable[[SentFrame], str]
"""Returns a message, opened, as HTML."""

MOST_STEPS = 1_200
MOST_MEMBERS = 20
MOST_ROWS = 48
_LANE, _ROW, _COLUMN, _TOP = 36, 18, 26, 22
_BOTTOM = 22
_CODES = {
    "JoinGroup": ("J", "#2f6fb0"),
    "SyncGroup": ("S", "#398248"),
    "Heartbeat": ("H", "#8a6d3b"),
    "LeaveGroup": ("L", "#9f58aa"),
    "ConsumerGroupHeartbeat": ("C", "#23797f"),
    "ShareGroupHeartbeat": ("A", "#23797f"),
    "StreamsGroupHeartbeat": ("T", "#23797f"),
}
_OTHERS = ("coordinator", "operator")
_WRONG = "#c0392b"


@dataclass(frozen=True)
class DiagramStep:
    """A message or an event, at its place on the axis."""

    x: float
    at_ms: float
    who: str
    """The lane on which it begins."""
    text: str
    frame: SentFrame | None = None
    event: LoggedEvent | None = None

    @property
    def error(self) -> str:
        """The name of the error that a response has; empty if it has none."""
        code = getattr(self.frame.message, "error_code", 0) if self.frame else 0
        return ErrorCode(code).name if code else ""


def sequence(run: Run, opened: Opener) -> Iterator[str]:
    """Yield the player as HTML: the diagram, its controls, and the steps one by one."""
    record = run.record
    members = names_of(record)
    steps, left_out = _steps(record, members[:MOST_MEMBERS])
    lanes = ["coordinator", *members[:MOST_MEMBERS]]
    order = sorted(partition for partition, _ in record.partitions)[:MOST_ROWS]
    height = _TOP + len(lanes) * _LANE + len(order) * _ROW + _BOTTOM
    width = (steps[-1].x if steps else 0) + 3 * _COLUMN
    yield '<div class="play" hidden><button id="back">◀</button> <button id="go">Play</button> '
    yield '<button id="on">▶</button> <input id="at" type="range" min="0" value="0" '
    yield f'max="{len(steps) - 1}" aria-label="Step"><output id="told"></output></div>'
    yield '<div class="lanes"><div class="names">'
    for lane in lanes:
        yield f'<b style="height:{_LANE}px">{escape(lane)}</b>'
    for topic, number in order:
        label = escape(f"{topic}-{number}")
        yield f'<b style="height:{_ROW}px" title="{label}">{label}</b>'
    yield '</div><div class="scroll" id="scroll" tabindex="0">'
    yield (
        f'<svg width="{width:.0f}" height="{height}" role="group" '
        'aria-label="Messages between members and the coordinator, and who owns what">'
    )
    axis = _Axis(steps)
    yield from _lanes(run, lanes, axis, width)
    yield from _ownership(run, order, axis, _TOP + len(lanes) * _LANE)
    for number, step in enumerate(steps):
        yield from _draw_step(step, number, lanes)
    yield from _times(steps, height - 7)
    yield f'<line id="now" y1="0" y2="{height}" x1="-9" x2="-9"/></svg></div></div>'
    yield from _legend(left_out, len(members) - len(lanes) + 1)
    yield '<div id="open"></div><h3>Every step</h3><div id="steps">'
    for number, step in enumerate(steps):
        yield from _list_entry(run, step, number, opened)
    yield "</div>"


# -- steps


def _steps(record: RunRecord, members: Sequence[str]) -> tuple[list[DiagramStep], int]:
    """Return the steps with their places, and how many messages and events are left out."""
    members_shown = set(members)
    entries: list[tuple[float, int, SentFrame | None, LoggedEvent | None]] = []
    quiet = _quiet(record.frames)
    passed_over = {*_CODES, "commit waits"}
    for number, frame in enumerate(record.frames):
        if number not in quiet and frame.client_id in members_shown:
            entries.append((frame.at_ms, 1, frame, None))
    entries += [
        (event.at_ms, 0, None, event)
        for event in record.events
        if event.what not in passed_over and (event.who in members_shown or event.who in _OTHERS)
    ]
    entries.sort(key=lambda entry: (entry[0], entry[1]))
    steps: list[DiagramStep] = []
    x, last_ms = float(_COLUMN), 0.0
    for at_ms, _, sent_frame, logged in entries[:MOST_STEPS]:
        x += _COLUMN + 18 * log10(1 + (at_ms - last_ms) / 50)
        last_ms = at_ms
        if sent_frame is not None:
            actor = sent_frame.client_id if sent_frame.asks else "coordinator"
            steps.append(DiagramStep(x, at_ms, actor, _words(sent_frame), frame=sent_frame))
        elif logged is not None:
            actor = logged.who if logged.who in members_shown else "coordinator"
            steps.append(DiagramStep(x, at_ms, actor, described(logged), event=logged))
    return steps, len(entries) - len(steps)


def _quiet(frames: Sequence[SentFrame]) -> set[int]:
    """Return the numbers of the frames of heartbeats that change nothing."""
    requests: dict[tuple[str, int], int] = {}
    quiet: set[int] = set()
    for number, frame in enumerate(frames):
        if (
            not type(frame.message)
            .NAME.removesuffix("Request")
            .removesuffix("Response")
            .endswith("Heartbeat")
        ):
            continue
        key = (frame.connection, frame.correlation_id)
        if frame.asks:
            requests[key] = number
            continue
        of = requests.get(key)
        if of is not None and _says_nothing(frames[of].message, frame.message):
            quiet |= {of, number}
    return quiet


def _says_nothing(request: Any, response: Any) -> bool:
    joins = getattr(request, "member_epoch", 1) <= 0
    reports = getattr(request, "topic_partitions", None) is not None
    assignment = getattr(response, "assignment", None) is not None
    return not (response.error_code or joins or reports or assignment)


def _words(frame: SentFrame) -> str:
    name = type(frame.message).NAME
    text = f"{name} {frame.api_version}"
    message: Any = frame.message
    if getattr(message, "error_code", 0):
        return f"{text} to {frame.client_id}: {ErrorCode(message.error_code).name}"
    generation = getattr(message, "generation_id", None)
    epoch = getattr(message, "member_epoch", None)
    more = f", generation {generation}" if generation is not None else ""
    more += f", epoch {epoch}" if epoch is not None else ""
    return f"{text} {'from' if frame.asks else 'to'} {frame.client_id}{more}"


class _Axis:
    """Places of times: between two steps in proportion."""

    def __init__(self, steps: Sequence[DiagramStep]) -> None:
        first: dict[float, float] = {}
        for step in steps:
            first.setdefault(step.at_ms, step.x)
        self._times, self._places = list(first), list(first.values())
        self._last = steps[-1].x if steps else 0.0

    def __call__(self, at_ms: float) -> float:
        index = bisect_right(self._times, at_ms)
        if index == 0:
            return float(_COLUMN)
        since, x = self._times[index - 1], self._places[index - 1]
        if index == len(self._times):
            return x if at_ms == since else self._last + 2 * _COLUMN
        return x + (self._places[index] - x) * (at_ms - since) / (self._times[index] - since)


# -- the picture


def _y(lane: str, lanes: Sequence[str]) -> float:
    return _TOP + (lanes.index(lane) + 0.5) * _LANE


def _lanes(run: Run, lanes: Sequence[str], axis: _Axis, width: float) -> Iterator[str]:
    yield f'<line class="lane" x1="0" x2="{width:.0f}" y1="{_y("coordinator", lanes)}" '
    yield f'y2="{_y("coordinator", lanes)}"/>'
    began: dict[str, float] = {}
    lives: list[tuple[str, float, float]] = []
    for event in run.record.events:
        if event.what == "started":
            began[event.who] = event.at_ms
        elif event.what in ("stopped", "crashed") and event.who in began:
            lives.append((event.who, began.pop(event.who), event.at_ms))
    lives += [(name, since, run.record.end_ms) for name, since in began.items()]
    for name, since, until in lives:
        if name in lanes:
            y = _y(name, lanes)
            yield f'<line class="lane" x1="{axis(since):.1f}" x2="{axis(until):.1f}" y1="{y}" '
            yield f'y2="{y}"/>'
    for name, since, until in run.record.blocked:
        if name in lanes:
            left, right = axis(since), axis(until)
            yield (
                f'<rect class="busy" x="{left:.1f}" y="{_y(name, lanes) - 5}" '
                f'width="{max(3.0, right - left):.1f}" height="10"/>'
            )


def _ownership(run: Run, order: Sequence[tuple[str, int]], axis: _Axis, top: int) -> Iterator[str]:
    names = names_of(run.record)
    row = {partition: number for number, partition in enumerate(order)}
    for stretch in stretches(run.record):
        if stretch.partition not in row:
            continue
        left, right = axis(stretch.since_ms), axis(stretch.until_ms)
        y = top + row[stretch.partition] * _ROW
        name = "+".join(stretch.owners)
        colour, css_class = "var(--nobody)", ""
        if stretch.owners and not stretch.is_contested:
            colour, css_class = background_of(stretch, names), "in" if stretch.readers else ""
        elif stretch.owners:
            colour, css_class = "var(--two)", "two"
        yield (
            f'<rect x="{left:.1f}" y="{y + 1}" width="{max(0.0, right - left):.1f}" '
            f'height="{_ROW - 3}" style="fill:{colour}"/>'
        )
        for at in range(int(left), int(right - 7 * len(name)), 320) if name else ():
            yield f'<text class="{css_class}" x="{at + 4}" y="{y + 13}">{escape(name)}</text>'


def _draw_step(step: DiagramStep, number: int, lanes: Sequence[str]) -> Iterator[str]:
    """Yield a step's arrow, or its sign on the lane, as a link to its line in the list."""
    yield f'<a href="#s{number}" data-step="{number}">'
    yield f"<title>{escape(f'{step.at_ms / 1000:.3f} s  {step.text}')}</title>"
    y = _y(step.who, lanes)
    if step.frame is not None:
        yield from _arrow(step, lanes, y)
    elif step.event is not None:
        yield from _sign(step, step.event, y)
    yield "</a>"


def _times(steps: Sequence[DiagramStep], y: float) -> Iterator[str]:
    last = -100.0
    for step in steps:
        if step.x - last > 70:
            last = step.x
            yield f'<text x="{step.x:.1f}" y="{y}">{step.at_ms / 1000:.3f} s</text>'


def _arrow(step: DiagramStep, lanes: Sequence[str], y: float) -> Iterator[str]:
    assert step.frame is not None
    frame = step.frame
    api = type(frame.message).NAME.removesuffix("Request").removesuffix("Response")
    code, colour = _CODES.get(api, ("?", "#737373"))
    colour = _WRONG if step.error else colour
    end = _y("coordinator" if frame.asks else frame.client_id, lanes)
    dashed = "" if frame.asks else ' stroke-dasharray="4 3"'
    to, down = step.x + _COLUMN * 0.7, 1 if end > y else -1
    yield (
        f'<path d="M{step.x:.1f} {y}L{to:.1f} {end}" stroke="{colour}"{dashed}/>'
        f'<path d="M{to - 5:.1f} {end - down * 6}L{to:.1f} {end}l2 {-down * 8}" '
        f'stroke="{colour}"/>'
        f'<circle cx="{step.x:.1f}" cy="{y}" r="8" fill="{colour}"/>'
        f'<text class="code" x="{step.x:.1f}" y="{y + 4}">{code}</text>'
    )


def _sign(step: DiagramStep, event: LoggedEvent, y: float) -> Iterator[str]:
    if event.what == "generation":
        yield f'<text class="above" x="{step.x:.1f}" y="14">{event.detail["generation"]}</text>'
        yield f'<path class="mark" d="M{step.x:.1f} 16V{y}"/>'
        return
    if event.what in MARKS:
        yield f'<circle class="done" cx="{step.x:.1f}" cy="{y}" r="8"/>'
        yield f'<text class="sign" x="{step.x:.1f}" y="{y + 4}">{MARKS[event.what][0]}</text>'
        return
    wrong = " wrong" if event.what == "violation" else ""
    yield f'<circle class="dot{wrong}" cx="{step.x:.1f}" cy="{y}" r="4"/>'


def _legend(left_out: int, members: int) -> Iterator[str]:
    codes = ", ".join(f"{code} {api}" for api, (code, _) in _CODES.items())
    signs = ", ".join(f"{sign} {meaning}" for sign, meaning in MARKS.values())
    yield f'<p class="quiet">Solid: requests; dashed: responses; red: an error. {codes}. {signs}. '
    yield "Numbers on top: generations. Thick: a callback runs, or the process stands still. "
    yield "Heartbeats that change nothing are left out, and idle times are shortened."
    if left_out or members:
        yield f" Not drawn: {counted(left_out, 'more step')}, {counted(members, 'more member')}."
    yield "</p>"


# -- the list


def _list_entry(run: Run, step: DiagramStep, number: int, opened: Opener) -> Iterator[str]:
    line = f"{step.at_ms / 1000:9.3f}  {step.who:<11}  {step.text}"
    owned = _owners(run, step.at_ms)
    head = f'data-x="{step.x:.1f}" data-owned="{escape(owned)}"'
    violated = step.event is not None and step.event.what == "violation"
    wrong = ' class="wrong"' if step.error or violated else ""
    if step.frame is None:
        yield f'<div class="step" {head} id="s{number}"><span{wrong}>{escape(line)}</span></div>'
        return
    yield f'<details class="step" {head}><summary{wrong}>{escape(line)}</summary>'
    yield f'<div id="s{number}">{opened(step.frame)}</div></details>'


def _owners(run: Run, at_ms: float) -> str:
    owned: dict[str, list[tuple[str, int]]] = {}
    for belief in run.record.beliefs:
        if belief.since_ms <= at_ms < belief.until_ms:
            owned.setdefault(belief.member, []).append(belief.partition)
    parts = [f"{name}: {listed(sorted(mine))}" for name, mine in sorted(owned.items())]
    return "; ".join(parts[:MOST_MEMBERS]) or "nobody owns anything"


STYLE = f"""
.lanes {{ display: flex; border: 1px solid var(--line); }}
.lanes .names {{ padding-top: {_TOP}px; font: 11px/1.2 ui-monospace, monospace;
  border-right: 1px solid var(--line); max-width: 30%; flex: none; }}
.lanes .names b {{ display: flex; align-items: center; font-weight: normal; padding: 0 .4rem;
  overflow: hidden; white-space: nowrap; box-sizing: border-box; }}
.lanes svg {{ display: block; width: auto; }}
.lanes path {{ fill: none; stroke-width: 1.4; }} .lanes .lane {{ stroke: var(--quiet); }}
.lanes .busy {{ fill: var(--quiet); opacity: .6; }} .lanes .mark {{ stroke: var(--line); }}
.lanes .code, .lanes .sign {{ text-anchor: middle; font-weight: bold; }}
.lanes svg .code {{ fill: #fff; }} .lanes svg .two {{ fill: var(--back); }}
.lanes .above {{ text-anchor: middle; }}
.lanes .done {{ fill: var(--back); stroke: var(--text); }} .lanes .dot {{ fill: var(--quiet); }}
.lanes .dot.wrong {{ fill: var(--two); }} .lanes a:hover circle, .lanes a.now circle {{
  stroke: var(--text); stroke-width: 3; }} #now {{ stroke: var(--two); stroke-width: 2; }}
.play {{ position: sticky; top: 0; background: var(--back); padding: .4rem 0; z-index: 1; }}
.play button {{ font: inherit; min-width: 2.6rem; min-height: 2.2rem; }}
.play input {{ width: min(24rem, 45%); vertical-align: middle; }}
.play output {{ display: block; font: 12px/1.4 ui-monospace, monospace; min-height: 4.2em;
  white-space: pre-wrap; overflow-wrap: anywhere; }}
.step {{ font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; padding-left: 1rem; }}
details.step {{ padding-left: 0; }} .step summary {{ cursor: pointer; }}
.step > div, #open {{ overflow-x: auto; }} .quiet {{ color: var(--quiet); font-size: 13px; }}
"""

SCRIPT = """
(() => {
  const get = name => document.getElementById(name);
  const steps = [...document.querySelectorAll('.step')];
  const scroll = get('scroll'), arrows = [...document.querySelectorAll('a[data-step]')];
  let now = 0, timer = 0;
  const show = (number, open) => {
    now = Math.max(0, Math.min(steps.length - 1, number));
    const step = steps[now], x = +step.dataset.x, line = get('now');
    get('at').value = now;
    line.setAttribute('x1', x); line.setAttribute('x2', x);
    scroll.scrollLeft = x - scroll.clientWidth / 2;
    for (const arrow of arrows) arrow.classList.toggle('now', +arrow.dataset.step === now);
    const text = (step.querySelector('summary') || step).textContent.trim();
    get('told').textContent = `${now + 1} of ${steps.length}:  ${text}\\n${step.dataset.owned}`;
    const body = step.querySelector('summary + div');
    get('open').replaceChildren();
    if (open && body) {
      const copy = body.cloneNode(true);
      copy.removeAttribute('id');
      get('open').append(copy);
    }
  };
  const stop = () => { clearInterval(timer); timer = 0; get('go').textContent = 'Play'; };
  get('at').addEventListener('input', () => { stop(); show(+get('at').value, true); });
  get('back').addEventListener('click', () => { stop(); show(now - 1, true); });
  get('on').addEventListener('click', () => { stop(); show(now + 1, true); });
  get('go').addEventListener('click', () => {
    if (timer) return stop();
    get('go').textContent = 'Stop';
    timer = setInterval(() => now + 1 < steps.length ? show(now + 1, false) : stop(), 500);
  });
  for (const arrow of arrows) arrow.addEventListener('click', event => {
    event.preventDefault(); stop(); show(+arrow.dataset.step, true);
  });
  document.querySelector('.play').hidden = false;
  const asked = /^#s(\\d+)$/.exec(location.hash);
  show(asked ? +asked[1] : 0, !!asked);
})();
"""
