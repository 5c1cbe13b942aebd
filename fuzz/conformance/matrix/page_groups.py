"""The parts of the matrix page about groups: which clients understand each other, and which read
what real consumers sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....escaping import cut
from .captured import Captured, Readings, Verdict
from .page_parts import Side, key, text
from .pairs import SUBSCRIPTION, VERDICTS, WORKS, Pair
from .table import SIGNS, between, sign

_LONGEST = 400
"""Characters of a reason that are shown."""
_SIGN_CLASSES = {"✓": "held", "✗": "broken", "~": "expected", "·": "none"}
_SHORT = {"cooperative-sticky": "coop", "roundrobin": "robin"}
"""Assignors whose name is too long for a cell."""


def pairs_table(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield the table of pairs: members down, leaders across, each assignor in the cell."""
    names = list(dict.fromkeys(pair.member for pair in pairs))
    yield '<h2 id="pairs">Who understands whom in one group</h2>'
    yield f"<p>{_PAIRS_ABOUT}</p>"
    yield f"<p>{_counted(pairs)}</p>"
    yield '<p class="narrow">On a narrow screen: choose a client, its section has its pairs.</p>'
    yield '<div class="scroll wide"><table id="groups"><thead><tr><th>member \\ leader</th>'
    yield "".join(f"<th>{text(name)}</th>" for name in names)
    yield "</tr></thead>"
    for member in names:
        yield f"<tr><th>{text(member)}</th>"
        for leader in names:
            yield f"<td>{''.join(map(_pair_link, between(pairs, member, leader)))}</td>"
        yield "</tr>"
    yield "</table></div>"


_PAIRS_ABOUT = (
    "What the member on the left writes, read by the leader above; what that leader writes, read "
    "by the member; for each assignor that both come with (robin is roundrobin, coop "
    'cooperative-sticky): <span class="held">✓</span> they understand each other, '
    '<span class="broken">✗</span> they do not, <span class="expected">~</span> they do but '
    "for the user data, · not measured. The leader's assignor does not run; what a client does not "
    "show is not looked at."
)


def _counted(pairs: Sequence[Pair]) -> str:
    counts = {verdict: sum(pair.verdict == verdict for pair in pairs) for verdict in VERDICTS}
    return "; ".join(f"{verdict}: {count:,}" for verdict, count in counts.items() if count)


def _pair_link(pair: Pair) -> str:
    assignor = text(_SHORT.get(pair.assignor, pair.assignor))
    about = text(f"{pair.assignor}: {pair.verdict}")
    return f'<a href="#{_pair_key(pair)}" title="{about}">{_sign(pair)} {assignor}</a>'


def _sign(pair: Pair) -> str:
    mark, _ = sign(pair)
    return f'<span class="{_SIGN_CLASSES[mark]}">{mark}</span>'


def _pair_key(pair: Pair) -> str:
    return f"p-{key(pair.member)}--{key(pair.leader)}"


def pairs_of(side: Side, pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield the part of a client's section about the pairs in which it is the member."""
    own = [pair for pair in pairs if pair.member == side.name]
    if own:
        yield "<h3>As a member of a group</h3>"
    for leader in dict.fromkeys(pair.leader for pair in own):
        found = between(own, side.name, leader)
        yield f'<div class="evidence" id="{_pair_key(found[0])}">'
        yield f"<p>led by <b>{text(leader)}</b></p>"
        yield from map(_pair_line, found)
        yield "</div>"


def _pair_line(pair: Pair) -> str:
    verdict = "" if pair.verdict == WORKS else f" {pair.verdict}: {text(cut(pair.why, _LONGEST))}"
    hexes = f"{pair.subscription} → {pair.assignment}" if pair.subscription else ""
    return f"<p>{_sign(pair)} {text(pair.assignor)}{verdict} <code>{hexes}</code></p>"


# -- captured messages


def captured_table(readings: Sequence[Readings]) -> Iterator[str]:
    """Yield the table of captured messages, with each reader's verdict."""
    names = sorted({name for reading in readings for name in reading.readers})
    yield '<h2 id="captured">Who reads what real consumers sent</h2>'
    yield f"<p>{_CAPTURED_ABOUT.format(count=len(readings))}</p>"
    yield '<p class="narrow">On a narrow screen: choose a client, its section has what it does not '
    yield 'read.</p><div class="scroll wide"><table><thead><tr><th>sent by</th>'
    yield "".join(f"<th>{text(name)}</th>" for name in names)
    yield "</tr></thead>"
    for number, reading in enumerate(readings):
        yield f'<tr id="m-{number}"><th><a href="#m-{number}">{text(_sender(reading.captured))}</a>'
        yield f"<br><small>{text(_kind(reading.captured))}</small></th>"
        for name in names:
            yield f'<td class="mark">{_cell(reading.readers.get(name), number, name)}</td>'
        yield "</tr>"
    yield "</table></div>"


_CAPTURED_ABOUT = (
    "{count} messages that were captured between running consumers and a broker, one of each "
    "client, release, assignor and kind, as each client reads them; the signs are those of the "
    "pairs. A subscription is read as a leader reads it, an assignment as a member."
)


def _sender(captured: Captured) -> str:
    return f"{captured.client} {captured.release}"


def _kind(captured: Captured) -> str:
    kind = "subscription" if captured.message == SUBSCRIPTION else "assignment"
    return f"{captured.assignor}, {kind}"


def _cell(verdict: Verdict | None, number: int, name: str) -> str:
    if verdict is None:
        return ""
    return f'<a href="#{_reading_key(verdict, number, name)}">{_verdict_sign(verdict)}</a>'


def _verdict_sign(verdict: Verdict) -> str:
    mark, _ = SIGNS.get(verdict.verdict, ("✗", ""))
    return f'<span class="{_SIGN_CLASSES[mark]}">{mark}</span>'


def _reading_key(verdict: Verdict, number: int, name: str) -> str:
    return f"m-{key(name)}" if verdict.verdict == WORKS else f"m-{key(name)}-{number}"


def captured_of(side: Side, readings: Sequence[Readings]) -> Iterator[str]:
    """Yield the part of a client's section about the captured messages that it was given."""
    own = [
        (number, reading) for number, reading in enumerate(readings) if side.name in reading.readers
    ]
    if not own:
        return
    works = [reading for _, reading in own if reading.readers[side.name].verdict == WORKS]
    yield f'<h3 id="m-{key(side.name)}">What real consumers sent: it reads '
    yield f"{len(works)} of {len(own)} messages</h3>"
    for number, reading in own:
        verdict = reading.readers[side.name]
        if verdict.verdict != WORKS:
            yield f'<div class="evidence" id="{_reading_key(verdict, number, side.name)}">'
            yield f"<p>{_verdict_sign(verdict)} {text(_sender(reading.captured))}, "
            yield f"{text(_kind(reading.captured))}: {text(verdict.verdict)}:"
            yield f"{text(cut(verdict.why, _LONGEST))} "
            yield f"<code>{reading.captured.hex}</code></p></div>"
