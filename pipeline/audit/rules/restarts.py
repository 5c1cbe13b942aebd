"""Members that ended and came back: a deployment, or crashes? What that may be, `history.restarts`
decides, in the words of the story."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....history.finding_sentences import duration_text
from ....history.restarts import Restarted, judged
from ..findings import Basis, Finding, NamedCause, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule
from ..storm_causes import COSTLY_RULES

_MS = 1000
_NAMED = 20


def _restarted(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    start = end.now - thresholds["seconds"] * _MS
    restarted = judged([restart for restart in end.restarts if restart.back >= start])
    if restarted is None or any(_names(finding, restarted) for finding in end.findings):
        return
    restarts = restarted.restarts
    yield Sign(
        "",
        f"{restarted.event}, {_times(restarted)}",
        {
            "names": list(dict.fromkeys(restart.name for restart in restarts))[:_NAMED],
            "members_restarted": restarted.members,
            "members": restarted.total,
            "order": restarted.kind,
            "restarts": len(restarts),
            "longest_away_s": _away_s(restarted),
            "since": int(_since(restarted)),
        },
        cause=NamedCause(
            restarted.word, "likely", _reason(restarted), possible=restarted.rivals
        ),
        until=int(restarts[-1].back),
        times=len(restarts),
    )  # fmt: skip


def _names(finding: Finding, restarted: Restarted) -> bool:
    """Whether a finding about the same time says why these members come and go."""
    if finding.rule not in COSTLY_RULES:
        return False
    is_later = finding.first_seen > restarted.restarts[-1].back
    if is_later or finding.last_seen < restarted.restarts[0].left:
        return False
    members = finding.evidence.get("members")
    named = members if isinstance(members, list) else [finding.evidence.get("who")]
    names = {str(name).removeprefix("instance ").partition("/")[0] for name in named if name}
    return not names or any(restart.name in names for restart in restarted.restarts)


def _times(restarted: Restarted) -> str:
    """Return in which time all that was, and how long a member was away: not at all where the new
    one came before the session of the old one had ended."""
    restarts = restarted.restarts
    away = f"after {duration_text(_away_s(restarted))}" if _away_s(restarted) else ""
    if len(restarts) == 1:
        return away or "at once"
    last = max(max(restart.left, restart.back) for restart in restarts)
    within = f"within {duration_text((last - _since(restarted)) / _MS)}"
    return f"{within}, each {away} at most" if away else within


def _away_s(restarted: Restarted) -> float:
    return max(0, *(restart.back - restart.left for restart in restarted.restarts)) / _MS


def _since(restarted: Restarted) -> float:
    return min(min(restart.left, restart.back) for restart in restarted.restarts)


def _reason(restarted: Restarted) -> str:
    """Return what it may be, where that is not known, and how the members ended."""
    how = "records do not tell whether they left (LeaveGroup) or their sessions ended"
    if restarted.is_quick:
        how = "no session had time to end: they left the group, by LeaveGroup"
    return how if restarted.word == "rolling-restart" else f"{restarted.why}; {how}"


RULES = (
    EndRule(
        id="members-restarted",
        title="Members ended and came back",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning=(
            "Each restart is one or two rebalances. A rolling restart is no trouble; crashes, "
            "sessions that end and polls that take too long leave the same lists of members."
        ),
        source="KIP-345 (its motivation); rolling updates of Kubernetes",
        predicate=(
            "Within the last `seconds`, a member was gone and another one of its name (instance "
            "id, else client id) came within an hour. It is called a rolling restart where all "
            "members did so equally often, one after the other (or a quarter of them at a time at "
            "most), each within an hour of the one before, and the group was never empty. Nothing "
            "is said where a storm, a flapping member or slow polls tell of the same members."
        ),
        next_action=(
            "Compare these times with those of deployments. If there was none, look into the log "
            "of a member that came back: kproto story LOG LOG."
        ),
        find=_restarted,
        is_of_changes=True,
        thresholds={"seconds": 86_400},
    ),
)
