"""Committed offsets that went back, skipped records, or are where no record is.

Where offsets have to be set by hand, the finding has the command that does it: `--dry-run` first.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ....history.finding_sentences import duration_text
from ....inspector.shapes.shape import iso_time
from ....wording import counted
from ..findings import Basis, NamedCause, Severity, Sign
from ..group_end import CommitSeen, DeletedCommit, GroupEnd
from ..rule import EndRule
from ..vacancies import EXPIRY_MS
from .candidates import left_over, out_of_range, rewound, skipped
from .lag import count, name

_MS = 1000.0
_SHOWN = 20
_RESET = "kafka-consumer-groups --bootstrap-server BROKER:9092 --group {} --reset-offsets {}"

Thresholds = Mapping[str, float]


def reset_commands(
    group_id: str, where: str, commits: Iterable[CommitSeen | DeletedCommit]
) -> dict[str, str]:
    """Return the command that shows what setting these partitions would do, and the one that does
    it. The group must have no members then; Kafka refuses it otherwise.
    """
    numbers: dict[str, list[int]] = {}
    for commit in commits:
        numbers.setdefault(commit.topic, []).append(commit.partition)
    topics = " ".join(
        "--topic " + shlex.quote(f"{topic}:{','.join(map(str, sorted(of_topic)))}")
        for topic, of_topic in sorted(numbers.items())
    )
    command = _RESET.format(shlex.quote(group_id), f"{topics} {where}")
    return {"dry_run": f"{command} --dry-run", "command": f"{command} --execute"}


_Step: TypeAlias = tuple[CommitSeen, int, int, int]
"""A partition whose offset made a step: when, from which offset, and to which."""


def _steps(steps: Sequence[_Step]) -> dict[str, Any]:
    """Return what the evidence has of the steps that offsets made."""
    return {
        "since": min(at for _, at, _, _ in steps),
        "partitions": [
            {"partition": name(commit), "at": at, "from": start, "to": end}
            for commit, at, start, end in steps[:_SHOWN]
        ],
        "partitions_in_all": len(steps),
    }


def _resets_to_before(group_id: str, steps: Sequence[_Step]) -> list[dict[str, str]]:
    """Return the commands that set each offset to what it was before its step."""
    return [
        {"partition": name(commit), **reset_commands(group_id, f"--to-offset {start}", [commit])}
        for commit, _, start, _ in steps[:_SHOWN]
    ]


def _rewound(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    commits = [
        (commit, *commit.rewound)
        for commit in end.commits
        if commit.rewound is not None
        and _read_again(commit) >= thresholds["records"]
        # Once it is where it was before, it is over, and remains in the table `lag`.
        and (
            (commit.committed_offset or 0) < commit.rewound[1]
            or _back_and_forth(commit, thresholds)
        )
    ]
    if not commits:
        return
    commits.sort(key=lambda row: (row[3] - row[2], row[0].topic, row[0].partition))
    commit, _, high, low = commits[0]
    again = sum(_read_again(commit) for commit, *_ in commits)
    often = f" ({commit.rewinds:,} times)" if commit.rewinds > 1 else ""
    ways = {commit.rewound_how for commit, *_ in commits}
    way = ways.pop() if len(ways) == 1 else None
    yield Sign(
        "",
        f"{count(commits)} went back, {name(commit)} from {high:,} to {low:,}{often}: {again:,} "
        f"records are read again{_WHY[way]}",
        {
            **_steps(commits),
            "since": min(_rewinds_since(commit, thresholds) for commit, *_ in commits),
            "records_again": again,
            "to_go_on": _resets_to_before(end.group_id, commits),
            **({"may_also_be": "offsets that a tool deleted"} if way == "expired" else {}),
        },
        cause=NamedCause("offsets-expired", "likely", "") if way == "expired" else None,
    )


_WHY = {
    None: "",
    "deleted": "; they had been deleted before (a tool does that, or they expire)",
    "expired": "; they had expired while the group was empty",
    "reset": "; they were set while the group was empty",
}


def _read_again(commit: CommitSeen) -> int:
    """Return how many records the last step back makes the group read again: not those that a step
    forward had skipped before."""
    if commit.rewound is None:
        return 0
    at, high, low = commit.rewound
    records = high - low
    if commit.skipped is not None and commit.skipped[0] < at:
        _, start, end = commit.skipped
        records -= max(min(high, end) - max(low, start), 0)
    return records


def _not_read(commit: CommitSeen) -> _Step | None:
    """Return the longest step forward without the records that had been read before a step back,
    or were read after one; None where that leaves none."""
    if commit.skipped is None:
        return None
    at, low, high = commit.skipped
    if commit.rewound is not None:
        rewound_at, from_offset, to_offset = commit.rewound
        if rewound_at <= at:
            low = max(low, from_offset)
        else:
            high = min(high, max(to_offset, low))
    return (commit, at, low, high) if high > low else None


def _back_and_forth(commit: CommitSeen, thresholds: Thresholds) -> bool:
    """Return whether two commit one partition: offsets went back in many of the last commits, and
    did so lately, as such things go there.
    """
    if commit.rewound is None or commit.lately_rewinds < max(thresholds["times"], 1):
        return False
    span = min(commit.last - commit.first, _LATELY_MS)
    usual = span / commit.lately_rewinds
    is_late = commit.last - commit.rewound[0] <= thresholds["times"] * usual
    return is_late and commit.lately_rewinds >= thresholds["share"] * commit.lately_commits


_LATELY_MS = 2 * 86_400_000


def _rewinds_since(commit: CommitSeen, thresholds: Thresholds) -> int:
    """Return since when offsets go back: since the first commit where they do so all the time."""
    at = commit.last if commit.rewound is None else commit.rewound[0]
    is_always = commit.rewinds >= thresholds["share"] * commit.commits
    return commit.first if is_always and _back_and_forth(commit, thresholds) else at


def _find_skipped(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    steps = filter(None, map(_not_read, end.commits))
    commits = [step for step in steps if step[3] - step[2] >= thresholds["records"]]
    commits.sort(key=lambda row: (row[2] - row[3], row[0].topic, row[0].partition))
    for way in ("reset", "deleted"):
        skips = [step for step in commits if (step[0].skipped_how or "reset") == way]
        if skips:
            yield _skip_sign(end, skips, way)


def _skip_sign(end: GroupEnd, commits: Sequence[_Step], way: str) -> Sign:
    commit, _, low, high = commits[0]
    skipped_records = sum(high - low for _, _, low, high in commits)
    places = f"{name(commit)} from {low:,} to {high:,}"
    evidence = {
        **_steps(commits),
        "records_skipped": skipped_records,
        "to_go_back": _resets_to_before(end.group_id, commits),
    }
    if way == "reset":
        text = (
            f"{count(commits)} went forward while nobody was in the group, {places}: up to "
            f"{skipped_records:,} records were not read"
        )
        return Sign("", text, evidence)
    text = (
        f"{count(commits)} had no committed offset any more when members came back, {places}: "
        f"with auto.offset.reset=latest up to {skipped_records:,} records were not read, with "
        "earliest all that were there were read again"
    )
    evidence["may_also_be"] = "offsets that a tool deleted"
    return Sign(
        way, text, evidence, None, Basis.INFERRED, NamedCause("offsets-expired", "likely", "")
    )


def _out_of_range(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    below = [
        commit
        for commit in end.commits
        if commit.committed_offset is not None and commit.committed_offset < (commit.start or 0)
    ]
    beyond = [
        commit
        for commit in end.commits
        if commit.committed_offset is not None
        and commit.end is not None
        and commit.committed_offset > commit.end
        and (_is_old(end, commit, thresholds) or not _may_be_newer(commit, thresholds))
    ]
    template = "below the start of the log, {} of {:,} at {:,}, and {:,} records are gone unread"
    ahead = "beyond the end of the log, {} of {:,} at {:,}, by {:,} records"
    for key, commits, where, text in (
        ("below", below, "--to-earliest", template),
        ("beyond", beyond, "--to-latest", ahead),
    ):
        if not commits:
            continue
        commits.sort(key=lambda commit: (-_distance(commit), commit.topic, commit.partition))
        worst, distance = commits[0], sum(map(_distance, commits))
        limit = worst.start if key == "below" else worst.end
        is_sure = key == "below" or any(_is_old(end, commit, thresholds) for commit in commits)
        unless = "" if is_sure else ", unless the end is much older than these commits"
        words = text.format(name(worst), limit or 0, worst.committed_offset or 0, distance)
        yield Sign(
            key,
            f"{count(commits)} committed {words}: the next fetch is out of range, and "
            f"auto.offset.reset of the client decides (earliest, latest, or an exception){unless}",
            {
                "since": max(commit.last for commit in commits),
                "partitions": [
                    {
                        "partition": name(commit),
                        "committed_offset": commit.committed_offset,
                        "start_offset": commit.start,
                        "end_offset": commit.end,
                    }
                    for commit in commits[:_SHOWN]
                ],
                "partitions_in_all": len(commits),
                "records": distance,
                **reset_commands(end.group_id, where, commits[:_SHOWN]),
            },
            None if is_sure else Severity.WARNING,
            None if is_sure else Basis.INFERRED,
        )


def _is_old(end: GroupEnd, commit: CommitSeen, thresholds: Thresholds) -> bool:
    return end.now - commit.last >= thresholds["seconds"] * _MS


def _may_be_newer(commit: CommitSeen, thresholds: Thresholds) -> bool:
    """Return whether the group may have read what came after the end was asked for."""
    if commit.records_a_second is None:
        return True
    return _distance(commit) <= commit.records_a_second * thresholds["seconds"]


def _distance(commit: CommitSeen) -> int:
    """Return by how many records the committed offset is out of range."""
    committed = commit.committed_offset or 0
    return max((commit.start or 0) - committed, committed - (commit.end or committed), 0)


def _left_over(end: GroupEnd, _: Thresholds) -> Iterator[Sign]:
    commits = [commit for commit in end.commits if commit.is_subscribed is False]
    topics = sorted({commit.topic for commit in commits})
    if topics:
        yield Sign(
            "",
            f"{count(commits)} of topics that no member subscribes to: {', '.join(topics[:5])}",
            {
                "topics": topics[:_SHOWN],
                "partitions_in_all": len(commits),
                "since": max(commit.last for commit in commits),
                "lag": sum(commit.lag or 0 for commit in commits),
            },
        )


def _never_committed(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    owners, committed = end.owner, set(end.committed)
    committed |= {(commit.topic, commit.partition) for commit in end.deleted}
    if owners.keys() <= committed:
        return
    regular = [commit for commit in end.commits if commit.commits >= thresholds["commits"]]
    latest = max((commit.last for commit in regular), default=0)
    if not latest:
        return
    interval = max(commit.interval_ms for commit in regular)
    limit = max(thresholds["seconds"] * _MS, thresholds["intervals"] * interval)
    missing = {
        partition: has_records
        for partition in sorted(owners.keys() - committed)
        if latest - end.given_since.get(partition[0], latest) > limit
        and (has_records := _has_records(end, *partition)) is not False
    }
    if not missing:
        return
    has_committed = {owner for partition, owner in owners.items() if partition in committed}
    silent = sorted({owners[partition] for partition in missing} - has_committed)
    names = ", ".join(f"{topic}-{number}" for topic, number in [*missing][:5])
    of_member = f"; {', '.join(silent[:3])} committed nothing at all" if silent else ""
    is_sure = any(missing.values())
    unless = "" if is_sure else ", unless nothing was ever written to it"
    yield Sign(
        "",
        f"{count(missing)} with an owner {'was' if len(missing) == 1 else 'were'} never committed, "
        f"while {counted(len(regular), 'other')} {'is' if len(regular) == 1 else 'are'}: "
        f"{names}{of_member}{unless}",
        {
            "since": min(end.given_since[topic] for topic, _ in missing),
            "partitions": [f"{topic}-{number}" for topic, number in [*missing][:_SHOWN]],
            "partitions_in_all": len(missing),
            "members_without_commit": silent[:_SHOWN],
        },
        Severity.WARNING if is_sure else None,
        Basis.OBSERVED if is_sure else None,
    )


def _deleted(end: GroupEnd, thresholds: Thresholds) -> Iterator[Sign]:
    if not end.deleted:
        return
    owners = end.owner
    commits = [
        commit
        for commit in end.deleted
        if (commit.topic, commit.partition) in owners
        and end.now - commit.deleted_at >= thresholds["seconds"] * _MS
        and not _is_made_anew(end, commit)
    ]
    if not commits:
        return
    expired = [commit for commit in commits if _has_expired(end, commit, thresholds)]
    rows = sorted(
        expired or commits,
        key=lambda commit: (-(commit.offset or 0), commit.topic, commit.partition),
    )
    commit = rows[0]
    was_at = "" if commit.offset is None else f" ({name(commit)} was at {commit.offset:,})"
    vacant = max(commit.vacant_ms for commit in rows)
    if not expired:
        why = f"deleted at {iso_time(commit.deleted_at)} {_BY_HAND}"
    elif vacant >= thresholds["days"] * EXPIRY_MS:
        why = f"expired while nobody was in the group for {duration_text(vacant / _MS)}"
    else:
        why = "expired while members were in the group, as under brokers before 2.1"
    have = "has" if len(rows) == 1 else "have"
    yield Sign(
        "",
        f"{count(rows)} with an owner {have} no committed offset any more{was_at}, {why}; where "
        "the owner starts anew, auto.offset.reset decides: earliest reads all again, latest skips "
        "what came meanwhile, none fails",
        {
            "since": min(commit.deleted_at for commit in rows),
            "partitions": [
                {
                    "partition": name(commit),
                    "committed_offset": commit.offset,
                    "last_commit": commit.last,
                    "at": commit.deleted_at,
                    "member_id": owners[commit.topic, commit.partition],
                }
                for commit in rows[:_SHOWN]
            ],
            "partitions_in_all": len(rows),
            "may_also_be": _BY_HAND if expired else "offsets that expired",
            "to_go_on": [
                {
                    "partition": name(commit),
                    **reset_commands(end.group_id, f"--to-offset {commit.offset}", [commit]),
                }
                for commit in rows[:_SHOWN]
                if commit.offset is not None
            ],
        },
        Severity.WARNING if expired else None,
        cause=NamedCause("offsets-expired", "likely", "") if expired else None,
    )


_BY_HAND = (
    "by a tool (kafka-consumer-groups --delete-offsets or --delete), or with the topic, which was "
    "made anew"
)


def _is_made_anew(end: GroupEnd, commit: DeletedCommit) -> bool:
    """Return whether the topic is gone, or ends below the offset that was deleted: it was deleted,
    and its offsets with it."""
    if commit.topic not in end.topics:
        return False
    last = end.topics[commit.topic].ends.get(commit.partition)
    return last is not None and commit.offset is not None and last < commit.offset


def _has_expired(end: GroupEnd, commit: DeletedCommit, thresholds: Thresholds) -> bool:
    """Return whether an offset was deleted as the broker deletes those that are too old. In a group
    without members all of them expire together, or those that were committed first before others;
    in one with members those that are not committed for long do, where brokers are older than 2.1.
    With a topic those of all its partitions go, and are committed from 0 on if it is made anew.
    """
    if commit.vacant_ms >= thresholds["days"] * EXPIRY_MS:
        oldest = commit.deleted_at if commit.last is None else commit.last
        return not any(other.last < min(oldest, commit.deleted_at) for other in end.commits)
    if commit.last is None or commit.deleted_at - commit.last < thresholds["days"] * EXPIRY_MS:
        return False
    return any(
        other.topic == commit.topic
        and other.first < commit.deleted_at
        and other.last > commit.last
        and other.rewound is None
        for other in end.commits
    )


def _has_records(end: GroupEnd, topic: str, partition: int) -> bool | None:
    """Return whether records arrive at a partition, or it has none; None where nothing tells."""
    facts = end.topics.get(topic)
    last = None if facts is None else facts.ends.get(partition)
    if facts is None or last is None:
        return None
    if last <= facts.starts.get(partition, 0):
        return False
    return True if facts.ends_before.get(partition, last) < last else None


def _rule(
    id_: str,
    title: str,
    severity: Severity,
    find: Any,
    thresholds: Thresholds,
    candidates: Any,
    **texts: Any,
) -> EndRule:
    return EndRule(
        id=id_,
        title=title,
        severity=severity,
        find=find,
        thresholds=thresholds,
        candidates=candidates,
        **{"inputs": ("commits",), "basis": Basis.OBSERVED, "late": True, **texts},
    )


RULES: Sequence[EndRule] = (
    _rule(
        "offset-rewound",
        "Committed offsets went back",
        Severity.WARNING,
        _rewound,
        {"records": 10, "times": 3, "share": 0.02},
        rewound,
        source="KAFKA-4682 (expiry); Burrow's evaluation of consumer lag over a window of commits",
        meaning=(
            "Records are processed again: somebody has reset the group, its offsets expired while "
            "nobody was in it, two members commit one partition, or the topic was created again."
        ),
        predicate=(
            "A committed offset is `records` or more below the last one that was not deleted "
            "(records that were skipped before do not count), and the group has not reached that "
            "one again; or it has, and in the last day or two "
            "offsets went back `times` times, in `share` of the commits, and not longer ago than "
            "`times` times their usual interval. The offset had expired where nobody was in the "
            "group for a day, and was deleted where a record says so; it was set by hand where "
            "nobody was in the group when it went back."
        ),
        next_action=(
            "If nobody reset it: look for a second consumer with this group's name. To go on where "
            "it was, stop the group and set the offsets as the evidence says (first with "
            "--dry-run)."
        ),
    ),
    _rule(
        "offset-skipped",
        "Committed offsets went forward, and records were not read",
        Severity.WARNING,
        _find_skipped,
        {"records": 10},
        skipped,
        source="kafka-consumer-groups --reset-offsets, which a group without members allows",
        meaning=(
            "Records were not processed: somebody has set the offsets forward, or they had expired "
            "and auto.offset.reset is latest."
        ),
        predicate=(
            "The longest step forward of a partition is `records` or more, and its commit was made "
            "while the group had no members by its records; or its offset was deleted while it "
            "had none for a day or more, and the step is longer than the group reads in three "
            "times the time since members came back. Records that had been read before offsets "
            "went back, or that were read after they did, do not count."
        ),
        next_action=(
            "If it was not intended: stop the group, and set the offsets back as the evidence says "
            "(first with --dry-run)."
        ),
    ),
    _rule(
        "offset-out-of-range",
        "Committed offsets are where the log has no records",
        Severity.ERROR,
        _out_of_range,
        {"seconds": 60},
        out_of_range,
        inputs=("commits", "ends"),
        source="KIP-320; auto.offset.reset",
        meaning=(
            "The next fetch is answered with OFFSET_OUT_OF_RANGE. With auto.offset.reset=earliest "
            "the client goes on with the oldest record, with latest it skips all that is there, "
            "with none it fails. Which of them it does, is not known from outside."
        ),
        predicate=(
            "A committed offset is below the start of its partition, whose older records are "
            "deleted; or beyond its end, and is `seconds` old. A warning where none beyond its end "
            "is so old, but one is further beyond than the group reads in that time."
        ),
        next_action=(
            "Look up auto.offset.reset of this group's clients. To decide yourself, stop the group "
            "and set the offsets as the evidence says (first with --dry-run)."
        ),
    ),
    _rule(
        "offset-deleted",
        "A partition with an owner has no committed offset any more",
        Severity.INFO,
        _deleted,
        {"seconds": 60, "days": 1},
        None,
        inputs=("history", "commits"),
        late=False,  # the owners are known where the group's records are
        basis=Basis.INFERRED,
        source="KIP-211 and KIP-496; offsets.retention.minutes",
        meaning=(
            "The group reads on while its members stay. Whoever owns the partition after the next "
            "start or rebalance begins where auto.offset.reset says: with earliest it reads all "
            "again, with latest it skips what came meanwhile, with none it fails."
        ),
        predicate=(
            "The last record of a commit deletes it, `seconds` ago or longer, and a member owns "
            "the partition. A warning where it has expired: nobody had been in the group for "
            "`days`, and no offset that was committed earlier is left; or it was not committed for "
            "`days`, and others of the same topic are, and did not go back. Else info: a tool "
            "deleted it, or it went with its topic. If ends are known, no finding for a partition "
            "that ends below the offset, since its topic was made anew."
        ),
        next_action=(
            "To have the group go on where it was, stop it and set the offsets as the evidence "
            "says (first with --dry-run), before a member starts anew. Look up auto.offset.reset "
            "of its clients."
        ),
    ),
    _rule(
        "leftover-commits",
        "Commits of topics that nobody subscribes to",
        Severity.INFO,
        _left_over,
        {},
        left_over,
        source="KIP-496: offsets are kept as long as the group has members",
        meaning=(
            "The group read these topics once. Their lag grows for ever, and means nothing; what "
            "measures lag from outside counts it all the same."
        ),
        predicate=(
            "A group with members has committed partitions of a topic to which none of them "
            "subscribes, as its last record has it (not by regular expressions of the next "
            "consumer protocol)."
        ),
        next_action=(
            "If that is intended: kafka-consumer-groups --delete-offsets --group GROUP "
            "--topic TOPIC."
        ),
    ),
)
END_RULES: Sequence[EndRule] = (
    EndRule(
        id="never-committed",
        title="A partition with an owner was never committed",
        severity=Severity.INFO,
        basis=Basis.INFERRED,
        meaning=(
            "Its owner starts from auto.offset.reset after every rebalance: it reads all again, or "
            "skips what came meanwhile. Or nothing was ever written to it."
        ),
        source="KafkaConsumer.commitSync(offsets): what is left out is not committed",
        predicate=(
            "A partition is assigned, its topic has been for `seconds` and for `intervals` times "
            "the interval of the others, and it has no commit, while another partition of the "
            "group was committed `commits` times. If ends are known, no finding for a partition "
            "without records, and a warning where records arrive. Topics of groups whose broker "
            "assigns have names where a broker is asked, or wrote them, or where a member "
            "subscribes to one alone."
        ),
        next_action=(
            "Compare with the ends of these partitions: if they have records, look at what this "
            "member commits."
        ),
        find=_never_committed,
        inputs=("history", "commits"),
        thresholds={"commits": 10, "seconds": 600, "intervals": 20},
    ),
)
