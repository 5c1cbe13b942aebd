"""The first part of the matrix page: what is broken, the worst first, and each client in a line;
and what a client's maintainer can take from the page or add to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ...guarantees.table import GUARANTEES, Scope
from . import badge
from .findings import FindingPage
from .page_parts import Side, judged, kept_of, key, results_of, text

_FINDINGS = "../findings/"
_OWN_CLIENT = "../tutorials/your-own-client.md"


def summary(sides: Sequence[Side], findings: Sequence[FindingPage]) -> Iterator[str]:
    """Yield the lines of the summary."""
    if findings:
        yield '<h2 id="broken">What is broken, the worst first</h2>'
        yield f"<p>{_FINDINGS_ABOUT}</p>"
        yield '<ul class="plain">'
        yield from (f"<li>{_finding(finding, sides)}</li>" for finding in findings)
        yield "</ul>"
    yield '<h2 id="by-client">Client by client, the worst first</h2>'
    yield f"<p>{_CLIENTS_ABOUT}</p>"
    yield '<table id="clients"><thead><tr><th>client</th><th>required</th><th>recommended</th>'
    yield "<th>broken of what is required</th></tr></thead>"
    yield from map(_client, sorted(sides, key=_badness))
    yield "</table>"


_FINDINGS_ABOUT = (
    "Each defect has a page with its bytes, who can reach it, and a text to send. High is "
    "what ends a process or stops a group, medium what keeps partitions or members from being "
    "read, low what only odd bytes show."
)
_CLIENTS_ABOUT = (
    "How many of the guarantees that were judged a client keeps. Where one that is required is "
    "broken, a group or a process fails; what is recommended is what Apache Kafka does where the "
    "protocol leaves room. A name leads to all that was measured of the client, a guarantee to the "
    "bytes that break it."
)


def _finding(finding: FindingPage, sides: Sequence[Side]) -> str:
    affected = [side for side in sides if side.name in finding.testees]
    links = ", ".join(f'<a href="#{side.key}">{text(side.name)}</a>' for side in affected)
    return (
        f'<span class="{finding.severity}">{finding.severity}</span> {link_to(finding)} '
        f"<small>in {text(finding.found_in)}</small>" + (f" · {links}" if links else "")
    )


def link_to(finding: FindingPage) -> str:
    """Return a link to the page of a finding."""
    return f'<a href="{_FINDINGS}{text(finding.file)}">{text(finding.title)}</a>'


def _badness(side: Side) -> tuple[int, int, str]:
    required, recommended = (
        kept_of(side.run, scope) for scope in (Scope.REQUIRED, Scope.RECOMMENDED)
    )
    return (
        required.kept - required.judged,
        recommended.kept - recommended.judged,
        side.label.casefold(),
    )


def _client(side: Side) -> str:
    cells = (
        ("required", str(kept_of(side.run, Scope.REQUIRED))),
        ("recommended", str(kept_of(side.run, Scope.RECOMMENDED))),
        ("broken:", _broken(side)),
    )
    shown = "".join(f'<td data-label="{label}">{cell}</td>' for label, cell in cells)
    return f'<tr><th><a href="#{side.key}">{text(side.label)}</a></th>{shown}</tr>'


def _broken(side: Side) -> str:
    found = [
        guarantee
        for guarantee in GUARANTEES
        if guarantee.scope is Scope.REQUIRED
        and any(r.broken for r in results_of(side.run, guarantee))
    ]
    return ", ".join(
        f'<a class="broken" href="#{side.key}-{guarantee.id}" '
        f'title="{escape(guarantee.statement)}">{guarantee.title}</a>'
        for guarantee in found
    ) or "nothing"  # fmt: skip


def choose(sides: Sequence[Side]) -> Iterator[str]:
    """Yield a link to each client, for who wants one at a time."""
    yield '<h2 id="choose">One client at a time</h2>'
    links = " ".join(f'<a href="#{side.key}">{text(side.label)}</a>' for side in sides)
    yield f'<nav class="choose">{links}</nav>'


def about_client(side: Side, findings: Sequence[FindingPage]) -> Iterator[str]:
    """Yield what a client's section begins with: its findings and its badge."""
    own = [finding for finding in findings if side.name in finding.testees]
    if own:
        yield '<ul class="plain">'
        for finding in own:
            yield f'<li><span class="{finding.severity}">{finding.severity}</span> '
            yield f"{link_to(finding)}</li>"
        yield "</ul>"
    if side.language:
        file, words = badge_file(side.name), text(badge.words(side.run))
        embedded = f"[![kproto: {words}](DOCS/matrix/{file})](DOCS/matrix/index.html#{side.key})"
        yield f'<p>Badge: <a href="{file}">{words}</a>; for a README, with the address of this '
        yield f"documentation for DOCS: <code>{embedded}</code></p>"


def badge_file(name: str) -> str:
    """Return where the badge of a testee is, beside the page."""
    return f"badges/{key(name)}.svg"


def maintainers(sides: Sequence[Side]) -> Iterator[str]:
    """Yield the part for who wants the data or has a client."""
    rows = [
        guarantee for guarantee in GUARANTEES if judged([side.run for side in sides], guarantee)
    ]
    yield '<h2 id="add">Add your client, take the data</h2>'
    yield '<ul class="plain">'
    yield f"<li>{_ADD.format(own=_OWN_CLIENT, count=len(rows))}</li>"
    yield f"<li>{_DATA}</li><li>{_BADGES}</li></ul>"


_ADD = (
    "Some forty lines around your decoder and encoder answer a line protocol: <code>kproto conform "
    '-- COMMAND</code> judges it by these {count} guarantees. <a href="{own}">How to write '
    "them</a>, in any language, and how to keep the verdict in CI. A client that others use "
    "belongs on this page: its program in <code>fuzz/testees</code>, then <code>make matrix</code>."
)
_DATA = (
    '<a href="matrix.json" download>matrix.json</a> has all that is on this page, with the bytes; '
    "<code>kproto conform --matrix --from matrix.json</code> shows it on a terminal, and "
    "<code>--out DIR</code> writes this page."
)
_BADGES = (
    "Each client has a badge, and each cell and pair an address: open it, and copy what the "
    "browser shows."
)
