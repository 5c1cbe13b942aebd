"""`kproto audit --follow` on the command line: what it refuses, and what it says."""

from __future__ import annotations

import json
import signal
from collections import deque
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kproto.codec import KprotoError
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.run import Options
from kproto.pipeline.run.broker_snapshot import Snapshot
from kproto.pipeline.streaming.position import Position
from kproto.pipeline.streaming.published import FollowedChange, Published
from kproto.pipeline.streaming.query import Following, Told
from kproto.tools.audit_follow import _NO_ENDS, _Shown
from kproto.tools.main import main


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["/var/lib/kafka"], "only a broker can be followed: kafka://host:9092"),
        (["prod=/var/lib/kafka"], "only a broker can be followed: kafka://host:9092"),
        (["kafka://127.0.0.1:1", "--since", "2h"], "--since makes no sense with --follow"),
        (["kafka://127.0.0.1:1", "--replace"], "--replace makes no sense with --follow"),
        (["kafka://127.0.0.1:1", "--max-records", "0"], "--max-records: at least 1"),
        (["kafka://127.0.0.1:1", "--every", "-1"], "'-1' is no duration"),
        (["kafka://127.0.0.1:1", "--on-lost", "hope"], "invalid choice"),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["audit", *arguments, "--follow", "--out", str(tmp_path / "out")]) == 2
    assert reason in capsys.readouterr().err


def _answer_for_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    def client(_: Any, source: str) -> dict[str, str]:
        return {"bootstrap.servers": source.removeprefix("kafka://")}

    state = Snapshot("of-the-broker", {}, {})
    monkeypatch.setattr("kproto.tools.input.audit_sources._client", client)
    monkeypatch.setattr("kproto.tools.input.audit_sources.snapshot", lambda *_: state)
    monkeypatch.setattr("kproto.tools.input.audit_sources.broker_units", lambda _: [])


@pytest.mark.parametrize(
    ("options", "cluster"),
    [
        (["prod=kafka://127.0.0.1:9092"], "prod"),
        (["kafka://127.0.0.1:9092"], "of-the-broker"),
        (["kafka://127.0.0.1:9092", "--cluster-id", "prod"], "prod"),
        (["prod=kafka://127.0.0.1:9092", "--topics", "prod=@{topics}"], "prod"),
    ],
)
def test_a_broker_is_followed_under_the_name_of_its_cluster(
    options: list[str], cluster: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    topics = tmp_path / "topics.json"
    topics.write_text('{"orders": 12}')
    followed: list[Options] = []

    def follow(arguments: Any, options: Options, client: Any, teams: Any) -> int:
        assert dict(client)["bootstrap.servers"] == "127.0.0.1:9092"
        followed.append(options)
        return 0

    monkeypatch.setattr("kproto.tools.audit_follow.follow", follow)
    _answer_for_the_broker(monkeypatch)
    words = [word.format(topics=topics) for word in options]
    assert main(["audit", *words, "--follow", "--out", str(tmp_path / "out")]) == 0
    (options_of,) = followed
    assert options_of.cluster_id == cluster
    assert ("orders" in (options_of.topics or {})) == ("--topics" in options)


def test_topics_of_a_cluster_that_is_not_followed_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    topics = tmp_path / "topics.json"
    topics.write_text('{"orders": 12}')
    _answer_for_the_broker(monkeypatch)
    words = ["audit", "prod=kafka://127.0.0.1:9092", "--follow", "--out", str(tmp_path / "out")]
    assert main([*words, "--topics", f"test=@{topics}"]) == 2
    assert "no cluster is called test, but prod" in capsys.readouterr().err


def finding(**more: Any) -> dict[str, Any]:
    seen = datetime(2026, 1, 31, 12, tzinfo=UTC)
    return {
        "finding_id": "f", "cluster_id": "c", "group_id": "pay\x1b[31m", "rule": "rebalance-storm",
        "severity": "error", "basis": "observed", "explanation": "12 generations\u202e in 9 s",
        "evidence": "{}", "first_seen": seen, "last_seen": seen, "count": 1, "status": "open",
        "judged_at": seen, "age_seconds": 0, "cause": "leader-rejoined", "certainty": "likely",
        "rivals": [], "next_action": "",
    } | more  # fmt: skip


def told(*changes: FollowedChange, known: int = 1, lost: tuple[str, ...] = ()) -> Told:
    return Told(
        0,
        list(changes),
        Counts(read=7, written=7),
        Position(next={}, known=known, behind=3, lost=lost),
        [],
    )


@pytest.fixture
def following(tmp_path: Path) -> Any:
    published = Published(str(tmp_path / "out"), "broker:1", Options())
    return SimpleNamespace(published=published, latencies=deque([1000, 2000, 9000]))


def test_what_is_new_is_a_line_once_all_is_read(
    following: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = _Shown(following, as_json=False, teams={})
    change = FollowedChange("new", finding(), 1234)
    shown.batch(told(change, known=0))
    out, err = capsys.readouterr()
    assert not out
    assert "7 records read, about 3 to go" in err
    shown.batch(told(change))
    out, err = capsys.readouterr()
    assert "0 groups, 0 in trouble" in out
    assert "all is read that was there" in err
    shown.batch(
        told(change, FollowedChange("new", finding(severity="info"), 1), lost=("partition 3",))
    )
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    assert "new" in line
    assert "rebalance-storm: 12 generations" in line
    assert "\x1b" not in line  # what is captured is shown, never obeyed
    assert "\u202e" not in line
    assert "lost: partition 3" in err
    shown.end()
    assert "2.0 s in the middle, 9.0 s at most, of 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("batches", "number", "status"),
    [
        (0, signal.SIGINT, 3),
        (1, signal.SIGINT, 0),
        (0, signal.SIGTERM, 143),
        (1, signal.SIGTERM, 143),
    ],
)
def test_the_status_says_how_it_ended(
    batches: int,
    number: int,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is ended before the first batch, or after it; what ends it has ended Java, too."""
    read = [told()] * batches
    queries: list[Following] = []

    def end_at_once(following: Following) -> None:
        queries.append(following)
        signal.raise_signal(number)

    def stop() -> None:
        raise ConnectionRefusedError

    def spark(*_: Any) -> Any:
        return SimpleNamespace(newSession=lambda: None, stop=stop)

    _answer_for_the_broker(monkeypatch)
    monkeypatch.setattr("kproto.tools.audit_follow.command_session", spark)
    monkeypatch.setattr(Following, "start", end_at_once)
    monkeypatch.setattr(Following, "rest", lambda _: iter(read))
    words = ["audit", "kafka://127.0.0.1:9092", "--follow", "--out", str(tmp_path / "out")]
    assert main(words) == status
    said = capsys.readouterr().err
    assert "cannot go on" not in said
    lacks = {name for names in queries[0].published.audit.not_evaluated.values() for name in names}
    assert lacks == {"settings", f"ends: {_NO_ENDS}"}  # and not "audit kafka://HOST:PORT"
    assert ("nothing was read" in said) == (not batches)
    assert ("7 records followed" in said) == bool(batches)


def test_for_programs_every_change_is_an_object(
    following: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = _Shown(following, as_json=True, teams={})
    shown.batch(told(FollowedChange("over", finding(status="over"), 1234), known=0))
    said = json.loads(capsys.readouterr().out)
    assert (said["change"], said["latencyMs"]) == ("over", 1234)
    assert said["finding"]["lastSeen"] == "2026-01-31T12:00:00.000Z"
    assert said["finding"]["evidence"] == {}


# -- workers that do not start

NO_WORKER = "[STREAM_FAILED] Job aborted: java.net.SocketTimeoutException: Accept timed out\n..."


def started(monkeypatch: pytest.MonkeyPatch, *failures: str) -> tuple[Following, list[int]]:
    """A query that fails so, one time after the other, and then goes on; and its starts."""
    monkeypatch.setattr("kproto.pipeline.streaming.query._PAUSE", 0.0)
    starts: list[int] = []
    left = list(failures)

    def start(self: Following) -> None:
        starts.append(len(starts))
        reason = left.pop(0) if left else None
        query: Any = SimpleNamespace(isActive=reason is None, exception=lambda: reason)
        self._query = query

    monkeypatch.setattr(Following, "start", start)
    session: Any = SimpleNamespace(newSession=lambda: None)
    nothing: Any = None
    query = Following(session, nothing, nothing)
    query.start()
    return query, starts


def test_workers_that_do_not_start_are_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    query, starts = started(monkeypatch, NO_WORKER, NO_WORKER)
    for _ in range(4):
        assert not list(query.told(0.01))
    assert len(starts) == 3


def test_in_the_end_the_setting_is_named_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    query, starts = started(monkeypatch, *[NO_WORKER] * 9)
    with pytest.raises(KprotoError, match=r"did not start.*5 times .*--spark 'local\[1\]'"):
        list(chain.from_iterable(query.told(0.01) for _ in range(9)))
    assert len(starts) == 5


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("kproto.pipeline.sources.broker.BrokerError: offset 7 is gone\nEOFException", "^offset 7"),
        ("java.lang.IllegalStateException: a bug", "IllegalStateException: a bug"),
    ],
)
def test_what_would_fail_again_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, reason: str, line: str
) -> None:
    query, starts = started(monkeypatch, reason)
    with pytest.raises(KprotoError, match=line):
        list(query.told(0.01))
    assert len(starts) == 1
