"""A page for each code: what the deviation is, what it means for a running group, who writes it.

A page is made from the facts of `clients.consequences`. `kproto explain KP040` prints one, the
inspector prints its `group` under the deviation, and reports link to it. The facts about clients
were measured with the releases of November 2026 that `clients.json` names, or read in their source;
a client that is not named on a page was not seen to write such bytes.

Other findings, such as those of an audit's rules, have pages of the same class.
"""

from __future__ import annotations

from typing import NamedTuple

from ...clients.consequences import facts, meaning_for_group
from ...clients.group_runs import prints_of
from ...codec.read.deviations import CODES


class Page(NamedTuple):
    """The page of a code.

    `title` is one line and `class_` the code's class. `what` says how it looks in bytes, `group`
    what it means for a running group, `writers` who writes it, `see` the proposals and bugs;
    `action`, where there is one, what to do first; `prints` what clients print, a line for each.
    """

    code: str
    title: str
    class_: str
    what: str
    group: str
    writers: str
    see: tuple[str, ...] = ()
    action: str = ""
    prints: tuple[str, ...] = ()


def pages() -> dict[str, Page]:
    """Return the page of every code, in order."""
    return {
        code: Page(
            code, _capital(CODES[code].explanation), CODES[code].class_,
            fact.what, meaning_for_group(code), fact.writers, fact.see,
            prints=tuple(prints_of(code)),
        )
        for code, fact in facts().items()
    }  # fmt: skip


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
