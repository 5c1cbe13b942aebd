"""What the command prints as JSON has the shapes of `kproto.inspector.shapes`, and validates."""

from __future__ import annotations

import gzip
import importlib
import json
from base64 import b64encode
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kproto.codec import ConsumerProtocolSubscription, JoinGroupRequest, Message
from kproto.inspector.shapes import SHAPES, json_schema, shape_types
from kproto.inspector.shapes.checks import AuditFinding
from kproto.inspector.shapes.shape import HexBytes, UnixTime
from kproto.pipeline.tables.schemas import TABLES
from kproto.tools.main import main
from tests.cluster.brokers import listening
from tests.cluster.groups import Described, Groups, group, member
from tests.docs.pages import DOCS, ROOT

jsonschema: Any = importlib.import_module("jsonschema")  # which has no types

CAPTURES = ROOT / "tests" / "vectors" / "captures"
RUNNING = str(CAPTURES / "running-group.jsonl")
BROKEN = "00010000000100066f7264657273ffffffff"
TWO = {"orders": "000000000001000161ffffffff", "clicks": "000000000001000162ffffffff"}


def convert(name: str, obj: Any) -> Any:
    """An object as the shape of an output, or as one of its shapes; no other keys are taken."""
    error: Exception | None = None
    for shape in shape_types(name):
        try:
            return msgspec.convert(obj, shape, strict=True, dec_hook=read_text)
        except msgspec.ValidationError as problem:
            error = problem
    assert error is not None
    raise error


def read_text(kind: type, text: str) -> Any:
    """The bytes of hex, or the seconds of a time."""
    if kind is HexBytes:
        return kind(bytes.fromhex(text))
    assert kind is UnixTime
    return kind(datetime.fromisoformat(text).timestamp())


def printed(name: str, text: str | bytes) -> list[Any]:
    """The lines of an output, as its shapes."""
    return [convert(name, json.loads(line)) for line in text.splitlines()]


JOIN = bytes.fromhex("000b000000000007000161") + JoinGroupRequest(
    group_id="g",
    protocol_type="consumer",
    protocols=[
        JoinGroupRequest.JoinGroupRequestProtocol(
            name="range", metadata=ConsumerProtocolSubscription(topics=["a"]).to_bytes(1)
        )
    ],
).to_body(0)


def definition(kind: str) -> str:
    fields = [{"name": "Sent", "type": kind, "versions": "0+"}]
    return json.dumps({"type": "data", "name": "P", "validVersions": "0", "fields": fields})


COMMANDS = [
    ("decode", ["decode", BROKEN]),
    ("decode", ["decode", str(CAPTURES / "java-sticky.hex")]),
    ("decode", ["decode", "--field", "topics[0]", TWO["orders"]]),
    ("decode", ["decode", "--field", "topics[0]", "--redact", TWO["orders"]]),
    ("decode", ["decode", "--as", "request", JOIN.hex()]),
    ("decode", ["decode", "--body", "0", "--as", "ConsumerProtocolSubscription", BROKEN[4:]]),
    ("decode", ["decode", str(CAPTURES / "three-clients.pcap")]),
    ("decode", ["decode", str(CAPTURES / "frames.jsonl")]),
    ("decode", ["decode", str(CAPTURES / "offsets-topic")]),
    ("lint", ["lint", BROKEN]),
    ("lint", ["lint", "--readers", "all", BROKEN]),
    ("lint", ["lint", str(CAPTURES / "three-clients.pcap")]),
    ("lint", ["lint", str(CAPTURES / "offsets-topic")]),
    ("diff", ["diff", *TWO.values()]),
    ("diff", ["diff", BROKEN, TWO["orders"]]),
    ("explain", ["explain"]),
    ("simulate", ["simulate", "crash"]),
    ("simulate", ["simulate", "compare", "range", "sticky", "--scenario", "crash"]),
    ("migrate", ["migrate", "--with-members", str(CAPTURES / "offsets-topic")]),
    ("migrate", ["migrate", RUNNING]),
    ("groups", ["group", "--from", RUNNING]),
    ("group", ["group", "g-mixed", "--from", RUNNING]),
    ("group", ["group", "g-mixed", "--redact", "--from", RUNNING]),
    (
        "group-what-if",
        ["group", "g-mixed", "--from", RUNNING, "--what-if", "protocol=consumer,join=1"],
    ),
    ("group-what-if", ["group", "g-mixed", "--from", RUNNING, "--what-if", "leave=java-1"]),
    ("group-plan", ["group", "g-mixed", "--from", RUNNING, "--plan", "consumer"]),
    ("group-plan", ["group", "g-mixed", "--from", RUNNING, "--plan", "cooperative"]),
    ("compat", ["compat", "old.json", "new.json"]),
    ("story", ["story", str(CAPTURES.parent / "logs" / "slow-poll")]),
]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_lines(
    name: str,
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.json").write_text(definition("int64"))
    (tmp_path / "new.json").write_text(definition("int32"))
    assert main([command[0], "--json", *command[1:]]) in {0, 1}
    assert printed(name, capsys.readouterr().out)


def test_unknown_tagged_fields_and_remainders(capsys: pytest.CaptureFixture[str]) -> None:
    data = ConsumerProtocolSubscription(topics=["a"]).to_bytes(3) + b"more"
    assert main(["decode", "--json", data.hex()]) == 0
    (message,) = printed("decode", capsys.readouterr().out)
    assert message.remainder == b"more".hex()
    assert main(["decode", "--json", "--as", "GroupMetadataValue", "00040100" + "00" * 10]) in {
        0,
        1,
    }


def test_a_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--json", "crash"]) == 0
    *events, outcome = printed("simulate", capsys.readouterr().out)
    assert {type(event).__name__ for event in events} == {"Event"}
    assert type(outcome).__name__ == "Outcome" and outcome.scenario == "crash"


def test_an_audit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "audit"
    source = str(CAPTURES / "offsets-topic")
    assert main(["audit", source, "--out", str(out), "--fail-on", "never", "--json"]) == 0
    audit = convert("audit", json.loads(capsys.readouterr().out))
    assert audit.findings
    assert audit == convert("audit", json.loads((out / "findings.json").read_bytes()))


def test_the_table_of_findings_has_the_fields_of_the_shape() -> None:
    columns = TABLES["findings"].names
    assert set(AuditFinding.__struct_fields__) - {"team", "change"} == set(columns)


class Changing(Groups):
    """A group that is another one after every second answer about it, up to the last."""

    def __init__(self, *states: Described) -> None:
        super().__init__(states[0])
        self._later = [state for state in states for _ in range(2)]

    def _describe(self, request: Any, version: int) -> Message:
        if self._later:
            state = self._later.pop(0)
            self.groups[state.group_id] = state
        return super()._describe(request, version)


def test_a_watched_group(capsys: pytest.CaptureFixture[str]) -> None:
    """A member joins, with a rebalance between two looks at the group."""
    watch = ["--watch", "100ms", "--for", "3s", "--requests", "50", "--json"]
    rebalancing = group("payments", member("a"), member("b"), state="PreparingRebalance")
    states = (group("payments", member("a")), rebalancing, group("payments", member("b")))
    with listening(Changing(*states)) as address:
        assert main(["group", "payments", "--bootstrap-server", address, *watch]) == 0
    changes = printed("group-watch", capsys.readouterr().out)
    assert {"member-joined", "rebalance-began", "stabilized", "member-left"} <= {
        change.what for change in changes
    }


def test_what_a_broker_answered(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    with listening(Groups(group("payments", member("a")))) as address:
        saved = ["--bootstrap-server", address, "--save", str(file), "--json"]
        assert main(["group", "payments", *saved]) == 0
    frames = printed("group-save", file.read_text("ascii"))
    assert [frame.direction for frame in frames[:2]] == ["request", "response"]
    *frames, history = frames  # which has no record here
    assert history.history_of == "payments"
    assert {frame.connection for frame in frames} == {address}


def test_runs_of_conform() -> None:
    """The matrix keeps each client's run as `--json` prints it, under a name."""
    matrix = json.loads((DOCS / "matrix" / "matrix.json").read_text("utf-8"))
    assert len(matrix["columns"]) > 10
    for column in matrix["columns"]:
        assert column.pop("name") and column.pop("language")
        convert("conform", column)


def test_a_key_that_is_not_published_fails() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        convert("explain", {"code": "x", "more": 1})


@pytest.mark.parametrize("name", SHAPES)
def test_every_output_has_a_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemas", "--json-output", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    for shape in shape_types(name):
        assert shape.__name__ in schema["$defs"] and shape.__doc__


def test_a_schema_of_nothing_and_of_two_things() -> None:
    for arguments in (["--json-output", "nothing"], ["Assignment", "--json-output", "lint"]):
        assert main(["schemas", *arguments]) == 2


# -- one schema for every input of `kproto decode`


def inputs(folder: Path) -> dict[str, list[str]]:
    """The arguments for each kind of input; files are written into `folder`."""
    good = ConsumerProtocolSubscription(topics=["orders"]).to_bytes(3)
    files = {
        "text.log": f"10:00 sent {good.hex()}\n10:01 sent {BROKEN}\n".encode(),
        "raw.bin": good,
        "packed.gz": gzip.compress(good),
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "base64.txt": b64encode(good),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    metadata = folder / "__cluster_metadata-0"
    metadata.mkdir()
    segment = next((CAPTURES / "offsets-topic").rglob("*.log")).read_bytes()
    (metadata / f"{0:020}.log").write_bytes(segment)
    return {
        **{name: [str(folder / name)] for name in files},
        "hex": [good.hex()],
        "refused": [BROKEN],
        "newer": [(b"\0\x09" + good[2:] + b"more").hex()],
        "unknown tags": [
            "--as",
            "ConsumerGroupMetadataValue",
            "00000000000701070a68656c6c6f776f726c64",
        ],
        "body": ["--as", "ConsumerProtocolSubscription", "--body-version", "3", good[2:].hex()],
        "no message": ["--as", "ConsumerProtocolSubscription", "ffff00"],
        "request": [JOIN.hex()],
        "packets": [str(CAPTURES / "three-clients.pcap")],
        "frames": [str(CAPTURES / "frames.jsonl")],
        "segments": [str(CAPTURES / "offsets-topic")],
        "another topic": [str(metadata)],
    }


@pytest.mark.parametrize("redact", [False, True])
def test_every_line_of_decode_has_the_published_schema(
    redact: bool, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    validator = jsonschema.Draft202012Validator(json_schema("decode"))
    for kind, given in inputs(tmp_path).items():
        main(["decode", "--json", *(["--redact"] if redact else []), *given])
        lines = capfdbinary.readouterr().out.splitlines()
        assert lines, kind
        for line in lines[:50]:
            validator.validate(json.loads(line))


def test_the_schema_refuses_what_is_not_published() -> None:
    validator = jsonschema.Draft202012Validator(json_schema("decode"))
    given: list[Any] = [{}, {"source": "x"}, {"name": "x", "surprise": 1}, []]
    for wrong in given:
        assert not validator.is_valid(wrong)
