"""`kproto audit --follow`: the audit of a live broker goes on until Ctrl-C.

What is there is read first, which ends with the summary that an audit prints; from then on each
change is a line. Everything that it knows is in DIR, so that it may be ended, or killed, and goes
on where it was when it is started again with the same DIR.
"""

from __future__ import annotations

import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING, Any

import msgspec
from rich.text import Text

from ..escaping import escaped
from ..inspector.shapes.checks import FindingChange
from ..pipeline.groups.options import TopicFacts
from ..pipeline.report.exports import finding_shape
from ..pipeline.report.terminal import Summary
from ..pipeline.spark.session import EVERY_CORE
from ..pipeline.streaming.group_follower import Patience
from ..pipeline.streaming.position import OnLost
from ..pipeline.streaming.query import Following, Order, opened
from ..pipeline.streaming.stream_source import SourceSettings
from .output.failures import NOT_DONE, REFUSED, say
from .output.interrupts import TERMINATED
from .output.json_output import print_json
from .output.terminal import console
from .spark import command_session

if TYPE_CHECKING:
    from ..pipeline.run import Options
    from ..pipeline.sources.broker import ClientSettings
    from ..pipeline.streaming.published import FollowedChange
    from ..pipeline.streaming.query import Told

_STYLES = {"critical": "bold red", "error": "red", "warning": "yellow", "info": "dim"}
_NO_ENDS = "they are not read while a broker is followed; an audit without --follow reads them"


def follow(
    arguments: Namespace, options: Options, client: ClientSettings, teams: Mapping[str, str]
) -> int:
    """Follow the broker until somebody ends it. `options` have what is known of the broker."""
    order = _order(arguments, options, client, teams)
    published = opened(order)  # before Spark starts, which takes its time
    say("starting Spark")
    spark = command_session(arguments.spark or EVERY_CORE, "kproto audit")
    following = Following(spark, order, published)
    display = _Shown(following, as_json=arguments.json, teams=teams)
    with _asked_to_end() as signals:
        try:
            _follow_until(signals, following, display)
            spark.stop()
        except Exception:
            if not signals:  # else what ends this process has ended Java, or its workers, too
                raise
        display.end()
    if signal.SIGTERM in signals:
        return TERMINATED
    return _status(following, arguments.fail_on) if display.has_read else NOT_DONE


def _follow_until(signals: Sequence[int], following: Following, display: _Shown) -> None:
    """Show what the query tells until somebody asks to end."""
    following.start()
    try:
        while not signals:
            for result in following.told(0.5):
                display.batch(result)
    finally:
        following.stop()
    for result in following.rest():
        display.batch(result)


def _order(
    arguments: Namespace, options: Options, client: ClientSettings, teams: Mapping[str, str]
) -> Any:
    topics = options.topics
    if topics is not None:  # the ends move on: those of now would be wrong soon
        topics = {
            name: TopicFacts(partitions=facts.partitions, topic_id=facts.topic_id)
            for name, facts in topics.items()
        }
    return Order(
        SourceSettings(
            client=client,
            cluster_id=options.cluster_id,
            groups=options.groups,
            limit=arguments.max_records,
            on_lost=OnLost(arguments.on_lost),
        ),
        msgspec.structs.replace(
            options, topics=topics, withheld={**options.withheld, "ends": _NO_ENDS}
        ),
        arguments.out,
        arguments.every,
        Patience(int(arguments.judge_every * 1000), int(arguments.forget_after * 1000)),
        teams,
    )


@contextmanager
def _asked_to_end() -> Iterator[Sequence[int]]:
    """Yield a list that is not empty once somebody asks to end (Ctrl-C, SIGTERM); a second request
    ends the program at once.

    An exception in the middle of a call to the JVM would leave both sides in disorder.
    """
    signals: list[int] = []

    def ask(number: int, _: Any) -> None:
        signals.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    wanted = [
        number
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) != signal.SIG_IGN  # as in the background of a script
    ]
    handlers = {number: signal.signal(number, ask) for number in wanted}
    try:
        yield signals
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


class _Shown:
    """The output for people, or for programs."""

    def __init__(self, following: Following, *, as_json: bool, teams: Mapping[str, str]) -> None:
        self._following = following
        self._json = as_json
        self._teams = teams
        self._records = 0
        self.has_read = False
        """Whether a batch has been read, which may have no record."""
        self._live = following.published.known > 0
        self._out = console("auto")
        if following.published.began:
            count = following.published.audit.findings.num_rows
            say(f"going on where it was; {count:,} findings are known")

    def batch(self, result: Told) -> None:
        """Show the result of a batch."""
        self.has_read = True
        self._records += result.counts.read
        for line in result.end.lost:
            say(f"lost: {line}")
        if self._live or self._json:
            for change in result.changes:
                self._change(change)
            return
        if result.end.known:
            self._live = True
            self._caught_up()
        elif result.end.behind:
            say(f"{self._records:,} records read, about {result.end.behind:,} to go")

    def end(self) -> None:
        """Show at the end how long findings took from their records to publication; where nothing
        has been read, that alone."""
        if not self.has_read:
            say("nothing was read: it was ended before the first batch")
            return
        times = sorted(self._following.latencies)
        took = "no finding came while it ran"
        if times:
            took = (
                f"from a record to the finding that it brought: {median(times) / 1000:.1f} s in "
                f"the middle, {times[-1] / 1000:.1f} s at most, of {len(times):,}"
            )
        say(f"{self._records:,} records followed; {took}")

    def _caught_up(self) -> None:
        self._out.print(Summary(self._following.published.audit, self._teams))
        say("all is read that was there; what changes from now on is said here, until Ctrl-C")

    def _change(self, change: FollowedChange) -> None:
        row = change.finding
        if self._json:
            self._print_json(change)
            return
        if row["severity"] == "info":
            return

        group = "(fleet)" if row["group_id"] is None else row["group_id"]
        team = f" ({self._teams[group]})" if group in self._teams else ""
        at = datetime.now(UTC).strftime("%H:%M:%S")
        line = Text(f"{at} {change.word:5} ")
        line.append(f"{row['severity']:8} ", _STYLES[row["severity"]])
        line.append(escaped(f"{group}{team} {row['rule']}: {row['explanation']}"))
        self._out.print(line, soft_wrap=True)

    def _print_json(self, change: FollowedChange) -> None:
        finding = finding_shape(change.finding, self._teams)
        print_json(
            FindingChange(change=change.word, latency_ms=change.milliseconds, finding=finding)
        )
        sys.stdout.flush()


def _status(following: Following, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    severities = tuple(reversed(_STYLES))
    loud = severities[severities.index(fail_on) :]
    severities_found = following.published.audit.findings.column("severity").to_pylist()
    return REFUSED if any(severity in loud for severity in severities_found) else 0
