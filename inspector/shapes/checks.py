"""What `kproto explain`, `compat`, `conform`, `simulate` and `audit` print."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, field

from .shape import FrozenShape, Hex, Shape, Shares, Time


class Explained(Shape, kw_only=True):
    """A line of `kproto explain --json`: the page of a code or a rule."""

    code: str
    class_: str = field(name="class")
    level: str
    title: str
    what: str
    group: Annotated[str, Meta(description="what it means for a running group")]
    writers: str
    action: Annotated[str, Meta(description="what to do first")]
    see: tuple[str, ...]
    prints: Annotated[tuple[str, ...], Meta(description="what clients print, and which")]


class ExplainedCause(Shape, kw_only=True):
    """A cause that an error can have, a word of the closed set."""

    cause: str
    what: str
    proof: Annotated[str, Meta(description="what proves it")]


class ExplainedError(Shape, kw_only=True):
    """A line of `kproto explain TEXT --json`: an error that the text shows."""

    error: str
    title: str
    what: str
    group: Annotated[str, Meta(description="what it means for a running group")]
    apart: Annotated[str, Meta(description="how to tell its causes apart")]
    first: Annotated[str, Meta(description="the first command")]
    causes: tuple[ExplainedCause, ...]


class ExplainedLine(Shape, kw_only=True):
    """A line of `kproto explain TEXT --json`: what a log line proves."""

    event: Annotated[str, Meta(description="empty: it is none of the story of a group")]
    program: str
    group: str | None
    member: str | None
    client: str | None
    generation: int | None
    cause: Annotated[str | None, Meta(description="what it shows to be the cause")]
    certain: bool = True
    rivals: tuple[str, ...] = ()
    meaning: Annotated[str, Meta(description="what such a line says, in a sentence")] = ""


# -- compat


class Witness(Shape, kw_only=True):
    """Bytes that show a break."""

    writer: Annotated[str, Meta(description="old or new")]
    version: int
    framed: bool
    hex: Hex
    counterpart: Hex | None
    outcome: str


class Change(Shape, kw_only=True):
    """A line of `kproto compat --json`."""

    message: str
    path: str
    code: Annotated[str, Meta(description="the rule that applies")]
    breaks: bool
    version: int | None
    reader_version: int | None
    detail: str
    explanation: str
    witness: Witness | None


# -- conform


class Example(Shape, kw_only=True):
    """An input and what the client answered."""

    hex: Hex
    version: int | None
    value: Any
    kind: str
    origin: str
    complaint: str
    answer: str = ""
    input: Annotated[str, Meta(description="as `--input` takes it")] = ""
    advice: Annotated[str, Meta(description="what to change, if it is not the usual")] = ""
    follows: Annotated[str, Meta(description="the guarantee from which the break follows")] = ""


class Judged(Shape, kw_only=True):
    """A guarantee, judged on a message."""

    guarantee: str
    title: str
    scope: str
    message: str
    status: str
    passes: Annotated[int, Meta(description="inputs with which it held")]
    violations: Annotated[int, Meta(description="inputs that broke it")]
    omissions: Annotated[
        int, Meta(description="inputs that have to do with it and were not asked")
    ] = 0
    unsupported: Annotated[int, Meta(description="inputs for which the client has no API")] = 0
    unanswered: Annotated[int, Meta(description="inputs to which the client gave no answer")] = 0
    why: Annotated[str, Meta(description="why nothing was judged, and what would change that")] = ""
    examples: list[Example]
    sample: Example | None = None


class Run(Shape, kw_only=True):
    """`kproto conform --json`: a run over a client."""

    library: str
    release: str
    command: tuple[str, ...]
    seed: int
    names: tuple[str, ...]
    inputs: int
    digest: Annotated[str, Meta(description="of the inputs: equal where the same was asked")] = ""
    seconds: float
    incomplete: Annotated[str, Meta(description="what was left and why; empty if nothing was")] = ""
    omissions: Annotated[
        dict[str, int], Meta(description="inputs that were not asked, by the reason")
    ] = {}
    remedy: str = ""
    unmeasured: list[str] = []
    latency: Annotated[
        dict[str, float], Meta(description="percentiles of an answer's seconds")
    ] = {}
    skipped: dict[str, int]
    failures: Annotated[dict[str, int], Meta(description="how often there was no answer, by kind")]
    remarks: list[str]
    results: list[Judged]


# -- simulate


class Event(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """A line of `kproto simulate --json`; other keys depend on `event`."""

    at_ms: Annotated[float, Meta(description="milliseconds since the beginning")]
    actor: Annotated[str, Meta(description="a member, coordinator or operator")]
    event: str
    partitions: Shares = {}


class Violation(Shape, kw_only=True):
    """A check of the simulation that failed."""

    code: str
    explanation: str


class Measures(FrozenShape, kw_only=True, frozen=True):
    """Measures of a run, from the moment on at which the group had started.

    `paused_partition_seconds` counts each partition once and `record_delay_ms` every record,
    so the two rank runs alike where the load is even. `most_behind` is the worst moment of the run:
    a pause of a few partitions for long may be worse in it than one of all partitions for a moment.
    """

    rebalances: Annotated[int, Meta(description="generations that the coordinator made")]
    settling_seconds: Annotated[
        float,
        Meta(
            description="from each thing that was done to the group to the last change of who can "
            "read what that follows it, added up"
        ),
    ]
    paused_partition_seconds: Annotated[
        float,
        Meta(
            description="in which no member could read a partition: not owned, or its owner was "
            "in a callback or stood still"
        ),
    ]
    overlap_partition_seconds: Annotated[
        float,
        Meta(
            description="in which more than one member believed to own a partition; all but one "
            "were out of the group"
        ),
    ]
    record_delay_ms: Annotated[
        int,
        Meta(description="mean time from a record's production to its processing, or to the end"),
    ]
    most_behind: Annotated[
        float, Meta(description="most records that were produced and not processed at any moment")
    ]
    behind: Annotated[
        float, Meta(description="records that were produced and not processed at the end")
    ]
    processed_twice: Annotated[
        float, Meta(description="records that were processed more than once")
    ]
    moves: Annotated[
        int,
        Meta(
            description="how often a partition got another owner while the previous one was still "
            "running"
        ),
    ]
    imbalance: Annotated[
        int, Meta(description="most partitions of a member minus the fewest, at the end")
    ]
    spread_numbers: Annotated[
        int,
        Meta(description="partition numbers that are not at one member in all topics, at the end"),
    ]
    requests: Annotated[
        int, Meta(description="of members to the coordinator, with heartbeats, without commits")
    ]
    bytes_joining: Annotated[int, Meta(description="of metadata in JoinGroup requests")]
    bytes_assigning: Annotated[int, Meta(description="of assignments in SyncGroup requests")]
    commits_refused: Annotated[int, Meta(description="by the coordinator")]
    expired_alive: Annotated[
        int, Meta(description="sessions that expired although the process lived")
    ]
    detection_seconds: Annotated[
        float | None,
        Meta(
            description="mean time from a crash to the expiry of the session; null without a "
            "crash that was noticed"
        ),
    ]


class Outcome(Shape, kw_only=True):
    """The last line of `kproto simulate --json`."""

    event: Literal["result"]
    scenario: str
    as_expected: bool
    findings: list[Violation]
    failed: Annotated[list[str], Meta(description="members that were refused for good")]
    owned: Annotated[dict[str, Shares], Meta(description="by member, at the end")]
    measures: Measures
    metrics: Annotated[dict[str, dict[str, float]], Meta(description="KIP-429's, by member")]


class ComparedRun(Shape, kw_only=True):
    """A line of `kproto simulate --json` where several runs are compared."""

    run: str
    scenario: str
    findings: list[Violation]
    failed: Annotated[list[str], Meta(description="members that were refused for good")]
    measures: Measures


# -- audit


class AuditFinding(Shape, kw_only=True):
    """A finding of an audit; the table `findings` has a column for each field but `team` and
    `change`."""

    finding_id: Annotated[str, Meta(description="the same over runs")] = field(name="id")
    cluster_id: str = field(name="cluster")
    group_id: Annotated[str | None, Meta(description="null: about the fleet")] = field(name="group")
    rule: Annotated[str, Meta(description="as `kproto explain` takes it")] = field(name="code")
    severity: Literal["info", "warning", "error", "critical"]
    basis: Literal["observed", "inferred"]
    explanation: str
    evidence: dict[str, Any]
    first_seen: Time | None
    last_seen: Time | None
    count: int
    status: Literal["open", "over"]
    team: str | None
    judged_at: Annotated[Time | None, Meta(description="the moment that the status is of")]
    age_seconds: Annotated[int | None, Meta(description="from firstSeen to judgedAt")]
    cause: Annotated[
        str | None,
        Meta(description="a word of the closed set of causes; null: the rule names none"),
    ]
    certainty: Annotated[Literal["certain", "likely"] | None, Meta(description="of the cause")]
    rivals: Annotated[
        list[str], Meta(description="causes that leave the same traces as a likely one")
    ]
    next_action: Annotated[str, Meta(description="what to do first")]
    change: Annotated[
        Literal["new", "persisting"] | None,
        Meta(description="against --baseline; new: also worse, or open again"),
    ] = None


class GoneFinding(Shape, kw_only=True):
    """A finding of the baseline that is no more."""

    finding_id: str = field(name="id")
    cluster_id: str = field(name="cluster")
    group_id: str | None = field(name="group")
    rule: str = field(name="code")
    severity: Literal["info", "warning", "error", "critical"]
    status: Literal["open", "over"]
    explanation: str


class NotRead(Shape, kw_only=True):
    """What an audit could not read: a part of a source, or a whole cluster."""

    cluster: str | None
    source: str
    partition: Annotated[int | None, Meta(description="of the offsets topic")]
    offset: int | None
    position: Annotated[int | None, Meta(description="in the file; of a table's row its number")]
    reason: str
    count: Annotated[int, Meta(description="places with this reason; this is the first")]


class ClientFault(Shape, kw_only=True):
    """A known fault of a client."""

    name: Annotated[str, Meta(description="`kproto explain NAME` says more")]
    program: str
    is_certain: Annotated[
        bool, Meta(description="whether all releases that the client could be have it; else some")
    ]
    what: str
    fixed: Annotated[list[str], Meta(description="the first release of each branch without it")]
    report: str
    is_tried: Annotated[
        bool, Meta(description="whether kproto's tests made it, and not with the update")
    ]


class ClientGroup(Shape, kw_only=True):
    """A group with members of a client."""

    cluster: str | None
    group: str | None
    team: str | None
    members: int
    in_trouble: Annotated[bool, Meta(description="whether it has a finding at warning or worse")]
    may_be_why: Annotated[
        list[str], Meta(description="faults that leave the traces of what is found in the group")
    ]


KnownBy: TypeAlias = Literal["statement", "settings", "client id", "bytes", "nothing"]
"""How it is known which client a member is."""


class FleetClient(Shape, kw_only=True):
    """A client of members of classic groups, with the known faults of its releases."""

    client: Annotated[str, Meta(description="several, where the bytes do not tell them apart")]
    known_by: Annotated[KnownBy, Meta(description="by bytes it is a guess")]
    members: int
    groups: list[ClientGroup]
    faults: list[ClientFault]
    update_to: Annotated[
        list[str], Meta(description="what mends all of the faults that a release mends")
    ]


class Audited(Shape, kw_only=True):
    """`findings.json` of an audit, and what `kproto audit --json` prints."""

    version: int
    findings: Annotated[list[AuditFinding], Meta(description="the worst group first")]
    not_evaluated: Annotated[
        dict[str, list[str]], Meta(description="rules, and what would be needed to ask them")
    ]
    only_live: Annotated[
        list[str],
        Meta(
            description="remarks that only `kproto group NAME --bootstrap-server HOST:PORT` makes"
        ),
    ]
    how_to_give: Annotated[
        dict[str, str], Meta(description="of each input that is missing, how it is given")
    ]
    groups: int
    records: Annotated[dict[str, int], Meta(description="by what became of them")]
    not_read: Annotated[
        list[NotRead], Meta(description="parts of the sources, and clusters that are not audited")
    ] = []
    clients: Annotated[
        list[FleetClient],
        Meta(description="of members now, with their known faults, the first to update first"),
    ] = []
    gone: Annotated[
        list[GoneFinding] | None,
        Meta(description="findings of --baseline that are no more; null: no baseline"),
    ] = None


class FindingChange(Shape, kw_only=True):
    """A line of `kproto audit --follow --json`."""

    change: str
    latency_ms: Annotated[
        int, Meta(description="from the record, or the moment of the check, to the publication")
    ]
    finding: AuditFinding
