"""The known differences of other clients, each with bytes that show it and are replayed every time.

A client's answer that breaks a guarantee is either explained by an entry of
`known_differences.toml`, or it is a finding.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kproto.fuzz.conformance.process import ProcessLimits
from kproto.fuzz.conformance.remote import Remote
from kproto.fuzz.guarantees.cases import Case
from kproto.fuzz.guarantees.properties import Broken
from kproto.fuzz.guarantees.table import BY_ID, Guarantee, Scope, of_scope
from kproto.fuzz.oracles.python_clients import ORACLES, ClientOracle


class Difference(NamedTuple):
    """A known difference of a client from a guarantee."""

    client: str
    guarantee: Guarantee
    summary: str
    why: str
    issue: str
    """Where it was reported, or that no report was found."""
    witness: Case
    only: bool
    """Whether only the witness's message has the difference."""
    process: bool
    """Whether the witness may end the process that asks: it is then checked in a process of its
    own.
    """

    def explains(self, client: str, guarantee: Guarantee, name: str) -> bool:
        """Return whether the difference is about this client, guarantee and message."""
        is_meant = (self.client, self.guarantee.id) == (client, guarantee.id)
        return is_meant and (not self.only or self.witness.name == name)


@cache
def known_differences() -> tuple[Difference, ...]:
    """Return all known differences, in the order of the file."""
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    return tuple(
        Difference(
            client=row["client"],
            guarantee=BY_ID[row["guarantee"]],
            summary=row["what"],
            why=row["why"],
            issue=row["issue"],
            witness=Case(
                row["name"], bytes.fromhex(row["hex"]), row.get("version"), "witness", row["what"]
            ),
            only=row.get("only", False),
            process=row.get("process", False),
        )
        for row in tomllib.loads(text)["difference"]
    )


def unexplained(oracle: ClientOracle, case: Case) -> Iterator[tuple[Guarantee, str]]:
    """Yield the guarantees that the client breaks with this case and that no known difference
    explains, each with what was seen.
    """
    for guarantee in of_scope(Scope.REQUIRED, Scope.RECOMMENDED):
        try:
            guarantee.check(oracle, case)
        except Broken as broken:
            if not any(
                difference.explains(oracle.client, guarantee, case.name)
                for difference in known_differences()
            ):
                yield guarantee, str(broken)


def still_shows(difference: Difference) -> bool:
    """Return whether the witness shows its difference. Raises `ClientUnavailable` without the
    client.
    """
    oracle = ORACLES[difference.client]()
    if not difference.process:
        return _breaks(difference, oracle)
    command = (sys.executable, "-m", "kproto.fuzz.clients", difference.client)
    remote = Remote(command, ProcessLimits())
    try:
        return _breaks(difference, remote)
    finally:
        remote.close()


def _breaks(difference: Difference, subject: ClientOracle | Remote) -> bool:
    try:
        difference.guarantee.check(subject, difference.witness)
    except Broken:
        return True
    return False
