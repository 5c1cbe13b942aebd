"""What became of real consumers that read deviating bytes in a group: `groups.json`.

A run put bytes with a deviation to a client's consumer in a group of a real broker: a subscription
to a leader, an assignment to a member. `tests/broker/measure_consequences.py` makes the runs and
writes the file; the sentences that explanations and the documentation have are made from it.

>>> [run.then for run in runs("KP015") if (run.client, run.role) == ("librdkafka", "leader")]
['dies']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from .catalog import table_bytes


class ClientRun(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A consumer of a client's release that read `input`, in hex, as that message in that role;
    `then` is what became of it, `prints` its error or what it logged of it, "" for nothing.
    `form` says in words how the bytes have the deviation, "" where it was measured in one form."""

    code: str
    message: str
    role: str
    input: str
    client: str
    release: str
    then: str
    prints: str
    form: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    date: str
    broker: str
    runs: tuple[ClientRun, ...]


@lru_cache(maxsize=1)
def _file() -> _File:
    return msgspec.json.decode(table_bytes("groups.json"), type=_File)


def runs(code: str, message: str = "") -> tuple[ClientRun, ...]:
    """Return the runs with a deviation, in that message if it is named."""
    return tuple(run for run in _file().runs if run.code == code and message in ("", run.message))


def sentences(code: str, message: str = "") -> str:
    """Return what the runs showed: for each role a sentence, and one for each other form in which
    clients did otherwise; "" without runs."""
    by_role: dict[str, dict[str, list[ClientRun]]] = {}
    for run in runs(code, message):
        by_role.setdefault(run.role, {}).setdefault(run.form, []).append(run)
    return " ".join(text for role, forms in by_role.items() for text in _of_role(role, forms))


def _of_role(role: str, runs_by_form: Mapping[str, Sequence[ClientRun]]) -> Iterator[str]:
    (first_form, first), *others = runs_by_form.items()
    outcomes = {(run.client, run.release): run.then for run in first}
    differing = {
        form: [run for run in runs if outcomes.get((run.client, run.release)) != run.then]
        for form, runs in others
    }
    yield _sentence(role, first, first_form if any(differing.values()) else "")
    for form, form_runs in others:
        if _WAITS in outcomes.values() and differing[form]:
            yield f"{form[0].upper()}{form[1:]}: {'; '.join(_parts(form_runs, form_runs))}."
        elif differing[form]:
            parts = "; ".join(_parts(differing[form], form_runs))
            yield f"The same {form}, except that {parts}."


def prints_of(code: str) -> Iterator[str]:
    """Yield what clients print of a deviation, a line for each text."""
    clients: dict[tuple[str, str], list[ClientRun]] = {}
    for run in runs(code):
        if run.prints:
            clients.setdefault((run.role, run.prints), []).append(run)
    for (role, text), users in clients.items():
        yield f"{_listed(_names(users, users))} as {role}: {_visible(text)}"


def _visible(text: str) -> str:
    """Return what a client prints in one line of printable ASCII: names may hold anything."""
    return "".join(
        char if " " <= char <= "~" else char.encode("unicode_escape").decode()
        for char in " ".join(text.split())
    )


_WAITS = "waits for the broker"
_ROLES = {"leader": "A leader that reads it", "member": "A member that it is assigned to"}
_PLURALS = {
    "raises": "raise", "dies": "die", "leaves": "leave", "assigns": "assign", "stays": "stay",
    "consumes": "consume", "tries": "try", "waits": "wait",
}  # fmt: skip


def _sentence(role: str, role_runs: Sequence[ClientRun], form: str) -> str:
    outcomes = {run.then for run in role_runs}
    suffix = f" ({form})" if form else ""
    head = f"{_ROLES[role]}{suffix}"
    if _WAITS in outcomes:
        head = f"No leader reads it{suffix}, since {_file().broker} does not complete the rebalance"
    elif len(outcomes) == 1:
        (outcome,) = outcomes
        return f"{head} {outcome}{_CONDITIONS.get(outcome, '')}, whatever its client."
    return f"{head}: {'; '.join(_parts(role_runs, role_runs))}."


def _parts(chosen: Sequence[ClientRun], role_runs: Sequence[ClientRun]) -> Iterator[str]:
    """Yield which clients did what, for each outcome of the chosen runs."""
    outcomes = sorted({run.then for run in chosen}, key=lambda then: (then in _HARMLESS, then))
    for then in outcomes:
        names = _names([run for run in chosen if run.then == then], role_runs)
        verb, _, rest = then.partition(" ")
        verb = _PLURALS[verb] if len(names) > 1 else verb
        yield f"{_listed(names)} {verb} {rest}".rstrip() + _CONDITIONS.get(then, "")


_CONDITIONS = {"consumes": ", if anything is assigned"}
"""When an outcome is that: an assignment may have no partitions."""
_HARMLESS = ("consumes", "assigns partitions to the member")


def _names(chosen: Sequence[ClientRun], role_runs: Sequence[ClientRun]) -> list[str]:
    """Return the names of clients, with the releases of one where only some are chosen."""
    names: dict[str, None] = {}
    for run in chosen:
        runs_of_client = [peer for peer in role_runs if peer.client == run.client]
        is_whole = all(peer in chosen for peer in runs_of_client)
        names[run.client if is_whole else f"{run.client} {run.release}"] = None
    return list(names)


def _listed(names: Sequence[str]) -> str:
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last
