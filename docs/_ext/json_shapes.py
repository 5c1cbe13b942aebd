"""What the command prints as JSON, as types: the site shows them as JSON Schema.

The tests read what the command really prints with these types, which refuse a key that is not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta


class _Object(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """An object whose keys are all here."""


class Deviation(_Object, kw_only=True):
    """A fact about the bytes."""

    code: Annotated[str, Meta(description="as `kproto explain` takes it")]
    class_: str = msgspec.field(name="class")
    offset: Annotated[int, Meta(description="of the first one, from the message's first byte")]
    path: str
    count: Annotated[int, Meta(description="how often, in that array")]
    explanation: str


class Error(_Object, kw_only=True):
    """Where reading stopped, and why."""

    kind: Annotated[str | None, Meta(description="a value of `ErrorKind`")]
    offset: int
    path: str
    explanation: str


class Inside(_Object, kw_only=True):
    """A message inside a field of bytes; offsets count from its own first byte."""

    path: Annotated[str, Meta(description="the field that holds it")]
    name: Annotated[str, Meta(description="the message; or text, JSON, …")]
    version: int | None
    message: Any
    deviations: list[Deviation]
    error: Error | None
    opened: list[Inside]
    rivals: Annotated[list[str], Meta(description="other messages that fit as well")] = []
    note: Annotated[str, Meta(description="what is odd about this reading")] = ""
    unknown_tagged_fields: list[TaggedField] = []


class TaggedField(_Object, kw_only=True):
    """A tagged field that the definition does not have."""

    path: str
    tag: int
    data: Annotated[str, Meta(description="hex")]


class Decoded(_Object, kw_only=True):
    """A message."""

    name: Annotated[str | None, Meta(description="null: no definition is known")]
    version: Annotated[int | None, Meta(description="the label in the bytes")]
    schema_version: Annotated[int | None, Meta(description="the version that it was read as")]
    message: Annotated[
        dict[str, Any] | None, Meta(description="in Kafka's JSON form; null: not read to its end")
    ]
    remainder: Annotated[str, Meta(description="hex, of what follows the last field")]
    deviations: list[Deviation]
    error: Error | None
    opened: list[Inside] = []
    unknown_tagged_fields: list[TaggedField] = []
    note: str = ""
    read: Annotated[
        dict[str, Any], Meta(description="of a frame's body that is cut short: fields by path")
    ] = {}


class Message(Decoded, kw_only=True):
    """A line of `kproto decode --json` for a message of its own."""

    source: Annotated[str, Meta(description="the file; INPUT for an argument")]
    line: Annotated[int | None, Meta(description="in that text, from 1")] = None
    column: int | None = None
    body: Annotated[int, Meta(description="with --body: the version of the fields")] = 0
    compression: Annotated[str, Meta(description="gzip or zstd, which was opened")] = ""
    other_forms: Annotated[list[str], Meta(description="forms that fit as well")] = []


class Frame(_Object, kw_only=True):
    """A line of `kproto decode --json` for a frame of a packet capture."""

    source: str
    connection: str | None
    timestamp: Annotated[float | None, Meta(description="milliseconds since 1970")]
    direction: str
    api_key: int | None
    api_version: int | None
    correlation_id: int | None
    header: Decoded | None
    body: Annotated[Decoded | None, Meta(description="null: no definition for this API")]
    packet: Annotated[int | None, Meta(description="of `source`, from 1; null: of no packets")]
    note: Annotated[str, Meta(description="where body is null: why")] = ""
    line: Annotated[int | None, Meta(description="of a frame in a text, from 1")] = None
    column: int | None = None
    compression: Annotated[str, Meta(description="gzip or zstd, which was opened")] = ""
    other_forms: Annotated[list[str], Meta(description="forms that fit as well")] = []


class Record(_Object, kw_only=True):
    """A line of `kproto decode --json` for a record of a log segment."""

    source: str
    partition: int | None
    offset: int
    timestamp: Annotated[int | None, Meta(description="milliseconds since 1970")]
    key: Decoded | None
    value: Annotated[Decoded | None, Meta(description="null: a tombstone")]
    transaction: str | None = None


class LintFinding(Deviation):
    """A deviation with its level."""

    level: Annotated[str, Meta(description="error, warning or note")]
    id: Annotated[str, Meta(description="the same for the same finding, for --baseline")]


class Reader(_Object, kw_only=True):
    """What a client would do with the bytes."""

    reader: str
    client: str
    does: str
    said: str
    nearest: Annotated[str | None, Meta(description="hex of the measured input")]
    exact: Annotated[bool, Meta(description="these very bytes were measured")]
    by_rules: Annotated[bool, Meta(description="the rules of the client's code say so")]
    differs: list[str]
    question: Annotated[str, Meta(description="the command that would find out")]


class Linted(_Object, kw_only=True):
    """A line of `kproto lint --json`: a message, and what was found in it."""

    source: str
    place: str
    path: str
    start: int
    name: str | None
    version: int | None
    findings: list[LintFinding]
    could: Annotated[list[str], Meta(description="clients that could have written it")] = []
    ruled_out: Annotated[dict[str, str], Meta(description="clients, and why not")] = {}
    readers: list[Reader] = []


class Side(_Object, kw_only=True):
    """One of the two messages."""

    name: Annotated[str | None, Meta(description="null where the bytes resemble no message")]
    version: int | None
    bytes: int
    error: str | None


class Part(_Object, kw_only=True):
    """What stands on one side."""

    start: int
    end: int
    hex: Annotated[str | None, Meta(description="the bytes; null for what is no field")]
    value: Any


class Difference(_Object, kw_only=True):
    """A field that differs."""

    path: str
    change: Annotated[str, Meta(description="changed, added, removed or reordered")]
    a: Part | None
    b: Part | None


class Compared(_Object, kw_only=True):
    """A line of `kproto diff --json`: a pair of messages."""

    same: bool
    a: Side
    b: Side
    differences: Annotated[list[Difference] | None, Meta(description="null: too long")]


class Explained(_Object, kw_only=True):
    """A line of `kproto explain --json`: the page of a code or a rule."""

    code: str
    class_: str = msgspec.field(name="class")
    level: str
    title: str
    what: str
    group: Annotated[str, Meta(description="what it means for a running group")]
    writers: str
    action: Annotated[str, Meta(description="what to do first")]
    see: list[str]


class Witness(_Object, kw_only=True):
    """Bytes that show a break."""

    writer: Annotated[str, Meta(description="old or new")]
    version: int
    framed: bool
    body: Annotated[str, Meta(description="hex")]
    counterpart: str | None
    outcome: str


class Change(_Object, kw_only=True):
    """A line of `kproto compat --json`."""

    message: str
    path: str
    rule: str
    breaks: bool
    version: int | None
    reader: int | None
    detail: str
    explanation: str
    witness: Witness | None


class MigrationReason(_Object, kw_only=True):
    """What stops a group, or fails later."""

    member_id: Annotated[str, Meta(description='"" where it is about the group')]
    what: Annotated[str, Meta(description="its kind, such as malformed-subscription")]
    path: Annotated[str, Meta(description="where in the member's bytes, or empty")]
    explanation: str
    remedy: str


class Migration(_Object, kw_only=True):
    """A line of `kproto migrate --json`."""

    group: str
    verdict: Annotated[str, Meta(description="ready, blocked or unknown")]
    error: Annotated[str | None, Meta(description="the broker's error, NONE; null if unknown")]
    reasons: list[MigrationReason]
    later: Annotated[list[MigrationReason], Meta(description="what fails after the upgrade")]


_Shares = dict[str, list[int]]


class ListedGroup(_Object, kw_only=True):
    """A line of `kproto group --json`: a group of the cluster."""

    group_id: str
    kind: Annotated[str, Meta(description="classic, consumer, share, streams or connect")]
    state: str
    protocol_type: str
    protocol: Annotated[str, Meta(description="the assignor, as far as the broker tells it")]
    coordinator: str
    members: Annotated[int | None, Meta(description="null: may not be asked")]
    lag: Annotated[int | None, Meta(description="the sum of what is known; null: nothing is")]
    worst: Annotated[str, Meta(description="error, warning, note or empty")]
    remark: Annotated[str, Meta(description="the text of the worst remark")]


class GroupMember(_Object, kw_only=True):
    """A member. What its kind of group does not have is null or empty."""

    member_id: str
    client_id: str
    host: str
    instance_id: str | None
    rack: str | None
    protocol: Annotated[str, Meta(description="that of the member: classic, consumer, …")]
    could_be: Annotated[list[str], Meta(description="clients that could have written its bytes")]
    metadata: Annotated[str, Meta(description="hex, of a classic member")]
    assignment: Annotated[str, Meta(description="hex, of a classic member")]
    version: Annotated[int | None, Meta(description="the label of its metadata")]
    topics: list[str]
    regex: str | None
    owned: Annotated[_Shares, Meta(description="what it claimed when it joined last, by topic")]
    generation: int | None
    user_data: Annotated[str, Meta(description="what the user data was read as")]
    assigned: Annotated[_Shares, Meta(description="by topic; of Streams by subtopology")]
    target: Annotated[_Shares | None, Meta(description="what it is to have (KIP-848)")]
    epoch: int | None
    process_id: str | None
    endpoint: str | None
    topology_epoch: Annotated[int | None, Meta(description="of a Streams member")]
    standby: _Shares
    warmup: _Shares
    target_standby: _Shares
    target_warmup: _Shares


class GroupPartition(_Object, kw_only=True):
    """A partition that is subscribed to, assigned or committed."""

    topic: str
    partition: int
    offset: Annotated[int | None, Meta(description="committed")]
    end: Annotated[int | None, Meta(description="of the log")]
    lag: int | None
    leader_epoch: int | None
    metadata: str | None
    members: Annotated[list[str], Meta(description="ids of those that have it")]
    start: Annotated[int | None, Meta(description="of a share group: the first offset left")]


class GroupRemark(_Object, kw_only=True):
    """Something that is wrong or notable."""

    level: Annotated[str, Meta(description="error, warning or note")]
    code: Annotated[str, Meta(description="as `kproto explain` takes it, or a word")]
    text: str
    who: Annotated[str, Meta(description="a member id; empty: the group")]


class DescribedGroup(_Object, kw_only=True):
    """What `kproto group NAME --json` prints: the group."""

    group_id: str
    kind: Annotated[str, Meta(description="classic, consumer, share, streams or connect")]
    state: str
    protocol_type: str
    protocol: Annotated[str, Meta(description="the assignor")]
    coordinator: str
    coordinator_id: int | None
    epoch: Annotated[int | None, Meta(description="of a group that the broker divides")]
    assigned_epoch: Annotated[int | None, Meta(description="that of the target assignment")]
    members: list[GroupMember]
    partitions: list[GroupPartition]
    topics: Annotated[dict[str, int], Meta(description="partitions of each topic")]
    racks: Annotated[
        dict[str, list[list[str | None]]], Meta(description="of each partition's replicas")
    ]
    topic_ids: Annotated[dict[str, str], Meta(description="as far as the broker tells them")]
    remarks: Annotated[list[GroupRemark], Meta(description="the worst first")]
    problems: Annotated[list[str], Meta(description="what could not be asked, and why")]
    broker_has_consumer_protocol: Annotated[bool | None, Meta(description="null: not known")]
    settings: Annotated[
        dict[str, str], Meta(description="of the group and its coordinator, where asked for")
    ]
    settings_problem: Annotated[str, Meta(description="why settings are not told")]
    lag: int | None


class GroupChange(_Object, kw_only=True):
    """A line of `kproto group --watch --json`: what changed."""

    at: Annotated[float, Meta(description="seconds since 1970")]
    group: str
    what: Annotated[
        str,
        Meta(
            description="join, leave, rebalance, rebalanced, state, assigned, subscribed, epoch, "
            "remark, appeared, gone or unanswered"
        ),
    ]
    text: str
    who: Annotated[str, Meta(description="a member id")] = ""
    name: Annotated[str, Meta(description="its client id")] = ""
    seconds: Annotated[float | None, Meta(description="how long a rebalance took")] = None
    moved: Annotated[int | None, Meta(description="partitions with another owner")] = None


class WhatIf(_Object, kw_only=True):
    """A line of `kproto group NAME --what-if … --json`: the group now, then after each change."""

    name: Annotated[str, Meta(description="now, or the change")]
    assignor: str
    owned: Annotated[dict[str, _Shares], Meta(description="by member id, then by topic")]
    moved: Annotated[int, Meta(description="partitions that another member would have")]
    nobody: Annotated[int, Meta(description="partitions that nobody would have")]
    most: int
    fewest: int
    rebalances: Annotated[int | None, Meta(description="null: not simulated")]
    paused: Annotated[float | None, Meta(description="partition-seconds; null: not known")]
    notes: list[str]


class PlanClients(_Object, kw_only=True):
    """Members that could be the same clients."""

    members: list[str]
    could_be: list[str]
    answer: Annotated[str, Meta(description="whether they support it: yes, no or perhaps")]
    says: str


class PlanStep(_Object, kw_only=True):
    """A step, the command that checks it, and what that shows."""

    do: str
    check: str
    expect: str


class GroupPlan(_Object, kw_only=True):
    """What `kproto group NAME --plan … --json` prints."""

    group: str
    goal: Annotated[str, Meta(description="cooperative or consumer")]
    clients: list[PlanClients]
    blockers: Annotated[list[str], Meta(description="what has to be gone before")]
    steps: list[PlanStep]
    back: list[PlanStep]
    notes: list[str]
    verdict: Annotated[str, Meta(description="of consumer: ready, blocked or unknown; else empty")]
    error: Annotated[str, Meta(description="what the first new member would get, NONE, or empty")]
    later: Annotated[list[str], Meta(description="what fails afterwards")]
    changes: list[str]
    no_return: Annotated[str, Meta(description="from where on there is no way back")]


class AuditFinding(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A finding of an audit; the names are those of the table `findings`."""

    finding_id: Annotated[str, Meta(description="the same over runs")]
    cluster_id: str
    group_id: Annotated[str | None, Meta(description="null: about the fleet")]
    rule: str
    severity: Annotated[str, Meta(description="info, warning, error or critical")]
    basis: Annotated[str, Meta(description="observed or inferred")]
    explanation: str
    evidence: dict[str, Any]
    first_seen: str | None
    last_seen: str | None
    count: int
    status: Annotated[str, Meta(description="open or over")]
    team: str | None
    judged_at: Annotated[str | None, Meta(description="the moment that the status is of")]
    age_seconds: Annotated[int | None, Meta(description="from first_seen to judged_at")]


class Audited(msgspec.Struct, kw_only=True):
    """`findings.json` of an audit, and what `kproto audit --json` prints."""

    version: int
    findings: Annotated[list[AuditFinding], Meta(description="the worst group first")]


class Example(_Object, kw_only=True):
    """An input and what the client answered."""

    hex: str
    version: int | None
    value: Any
    kind: str
    origin: str
    complaint: str
    answer: str
    input: Annotated[str, Meta(description="as `--input` takes it")]


class Judged(_Object, kw_only=True):
    """A guarantee, judged on a message."""

    guarantee: str
    title: str
    scope: str
    message: str
    status: str
    held: int
    broken: int
    unasked: Annotated[int, Meta(description="inputs that have to do with it and were not asked")]
    unsupported: Annotated[int, Meta(description="inputs for which the testee has no API")]
    why: Annotated[str, Meta(description="why nothing was judged, and what would change that")]
    examples: list[Example]
    sample: Example | None


class Run(_Object, kw_only=True):
    """`kproto conform --json`: a run over a client."""

    client: str
    release: str
    command: list[str]
    seed: int
    names: list[str]
    inputs: int
    digest: Annotated[str, Meta(description="of the inputs: equal where the same was asked")]
    seconds: float
    incomplete: Annotated[str, Meta(description="what was left and why; empty if nothing was")]
    left: Annotated[dict[str, int], Meta(description="inputs that were not asked, by the reason")]
    remedy: str
    unmeasured: list[str]
    latency: Annotated[dict[str, float], Meta(description="percentiles of an answer's seconds")]
    skipped: dict[str, int]
    failures: Annotated[dict[str, int], Meta(description="how often there was no answer, by kind")]
    remarks: list[str]
    results: list[Judged]


class Event(msgspec.Struct, kw_only=True, rename="camel"):
    """A line of `kproto simulate --json`; other keys depend on `what`."""

    at_ms: float
    who: Annotated[str, Meta(description="a member, or coordinator")]
    what: str


class Result(_Object, kw_only=True):
    """The last line of `kproto simulate --json`."""

    what: str
    scenario: str
    as_expected: bool
    findings: list[Any]
    failed: list[str]
    owned: Annotated[dict[str, list[str]], Meta(description="by member, at the end")]
    measures: dict[str, float | None]
    metrics: Annotated[dict[str, dict[str, float | None]], Meta(description="KIP-429's")]


SHAPES: dict[str, type] = {
    "message": Message,
    "frame": Frame,
    "record": Record,
    "lint": Linted,
    "diff": Compared,
    "explain": Explained,
    "compat": Change,
    "migrate": Migration,
    "groups": ListedGroup,
    "group": DescribedGroup,
    "change": GroupChange,
    "what-if": WhatIf,
    "plan": GroupPlan,
    "audit": Audited,
    "conform": Run,
    "event": Event,
    "result": Result,
}
"""By the name that a page has for it."""


DECODED = (Message, Frame, Record)
"""What a line of `kproto decode --json` can be, whatever the input."""


def schema_of_decode() -> dict[str, Any]:
    """Returns the one JSON Schema of every line of `kproto decode --json`."""
    references, definitions = msgspec.json.schema_components(DECODED, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of `kproto decode --json`",
        "description": "a message, a frame or a record, whatever the input",
        "anyOf": list(references),
        "$defs": definitions,
    }


def schema_of(shape: type) -> dict[str, Any]:
    """Returns the JSON Schema of a type."""
    return msgspec.json.schema(shape)


def objects_of(shape: type) -> Iterator[tuple[str, str, list[tuple[str, str, str]]]]:
    """Yields each object of a schema: its name, what it is, and its keys with type and meaning."""
    schemas: dict[str, dict[str, Any]] = msgspec.json.schema(shape)["$defs"]
    own = shape.__name__
    for name in sorted(schemas, key=lambda name: (name != own, name)):
        made = schemas[name]
        required = set(made.get("required", ()))
        rows = [
            (key if key in required else f"{key}?", _type(part), part.get("description", ""))
            for key, part in made["properties"].items()
        ]
        yield name, made.get("description", ""), rows


def _type(part: dict[str, Any]) -> str:
    if "anyOf" in part:
        return " or ".join(map(_type, part["anyOf"]))
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if part.get("type") == "array":
        return f"[{_type(part.get('items', {}))}]"
    if "additionalProperties" in part and isinstance(part["additionalProperties"], dict):
        return f"{{string: {_type(part['additionalProperties'])}}}"
    return str(part.get("type", "any"))
