"""The matrix: what is committed is what the clients that can be had here still do, and what the
page and the table make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from html import unescape
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kproto.clients.consequences import FAILS, REFUSES, UNKNOWN
from kproto.clients.readers import Reader, measured_readers
from kproto.clients.reports import NOT_ASKED, reports
from kproto.extras import install_command
from kproto.fuzz.clients import CLIENTS, NAMES, NOT_IN_MATRIX
from kproto.fuzz.conformance.inputs import inputs
from kproto.fuzz.conformance.judging import conform
from kproto.fuzz.conformance.matrix.matrix import (
    MESSAGES,
    Answer,
    Column,
    Matrix,
    answers_of,
    from_text,
    history_file,
    to_text,
)
from kproto.fuzz.conformance.matrix.matrix_page import FindingPage, badge, findings_in, matrix_page
from kproto.fuzz.conformance.matrix.measure import (
    Outcomes,
    keep_older,
    keep_older_readers,
    outcome,
    representatives,
)
from kproto.fuzz.conformance.matrix.pairs import (
    NOT_MEASURED,
    REFUSED,
    USER_DATA,
    VERDICTS,
    WORKS,
    Captured,
    CapturedReadings,
    Pair,
    Party,
    Verdict,
    assignors_of,
    captured,
    keep_older_readings,
    pairs,
    verdict,
    verdicts_of,
    write_subscription,
)
from kproto.fuzz.conformance.results import ConformanceRun, status_of_all
from kproto.fuzz.guarantees.cases import digest
from kproto.fuzz.guarantees.subjects import Generated
from kproto.fuzz.guarantees.table import Scope, of_scope
from kproto.fuzz.subject import ReadAnswer, Unsupported
from kproto.inspector.diagnose.fingerprints import fingerprint
from kproto.tools.main import main

from .client_remotes import parameters, remote_of
from .pick_captured import picked

DATA = Path(__file__).parents[2] / "docs" / "matrix"
COMPARED = ("java", "java-4.4", "kafka-python", "aiokafka", "kio")
EVERY = 12
"""Of the inputs, one in so many is put to the clients again."""
BY_LIMITS = {"G01", "G02"}
"""What a machine's memory and speed have a say in: told by one or by the other."""


@cache
def committed() -> Matrix:
    return from_text((DATA / "matrix.json").read_text("utf-8"))


def again(name: str) -> ConformanceRun:
    """A part of the run."""
    with remote_of(name) as remote:
        cases = inputs(MESSAGES, seed=0)[::EVERY]
        return conform(remote, cases, of_scope(Scope.REQUIRED, Scope.RECOMMENDED), seed=0)


def outcomes_again(name: str) -> dict[tuple[str, bytes], str]:
    """What comes of some of the inputs of the readers' table."""
    with remote_of(name) as remote:
        return {
            (case.name, case.data): outcome(case, remote.decode(case.name, case.data))[0]
            for case in representatives(inputs(MESSAGES, seed=0)[::EVERY])
        }


def statuses(run: ConformanceRun) -> dict[str, str]:
    return {one.id: status_of_all(results, ()).value for one, results in run.by_guarantee()}


def contradicted(answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers that differ from the table: a report not confirmed without a reason, or
    confirmed despite one.
    """
    return [
        answer for answer in answers if answer.borne_out == bool(reports()[answer.about].differs)
    ]


MEND = "docs/matrix/matrix.json was measured with other inputs: `make matrix` measures it anew"


def test_the_committed_matrix_is_of_these_inputs() -> None:
    matrix = committed()
    assert matrix.digest == digest(inputs(MESSAGES, seed=matrix.seed)), MEND
    new = [column for column in matrix.columns if column.name not in matrix.older]
    assert {column.run.inputs for column in new} == {len(inputs(MESSAGES, seed=matrix.seed))}


def test_the_readers_table_is_of_the_committed_matrix() -> None:
    matrix, table = committed(), measured_readers()
    asked = [(case.name, case.data) for case in representatives(inputs(MESSAGES, seed=matrix.seed))]
    assert [(one.message, one.data) for one in table.inputs] == asked, MEND.format("inputs")
    assert table.date >= matrix.date  # readers may be asked again by themselves
    assert {(one.name, one.release) for one in table.readers} == {
        (column.name, column.run.release) for column in matrix.columns if column.name != "samsa"
    }


def test_a_client_without_an_api_for_most_inputs_is_no_reader() -> None:
    """Samsa reads no subscription, and those are most of the inputs."""
    outcomes = Outcomes.of_inputs(inputs(MESSAGES, seed=0)[::EVERY])
    size = len(outcomes.inputs)
    for name, seen in (("half", size - size // 2), ("less", (size - 1) // 2)):
        does = (REFUSES,) * seen + (UNKNOWN,) * (size - seen)
        outcomes.readers.append(Reader(name, name, "1", does, ("",) * size))
    assert [reader.name for reader in outcomes.measured.readers] == ["half"]


def test_no_cell_is_lost_to_a_client_that_dies() -> None:
    omissions = {column.name: column.run.omissions for column in committed().columns}
    assert {name: count for name, count in omissions.items() if count} == {}


def test_a_client_that_cannot_be_had_keeps_its_older_column() -> None:
    before = committed()
    gone, there = "sarama", [one for one in before.columns if one.name in ("aiokafka", "kio")]
    matrix = Matrix("2030-01-01", "9", 0, there, {gone: "no go", "nobody": "not there"})
    keep_older(matrix, before)
    assert [one.name for one in matrix.columns] == ["aiokafka", "kio", gone]
    date = before.older.get(gone, before.date)
    assert matrix.older == {gone: date}
    assert {one.client for one in matrix.answers} == {gone}
    pairs_of_gone = {(one.member, one.leader) for one in matrix.pairs}
    assert pairs_of_gone == {(gone, "aiokafka"), ("aiokafka", gone), (gone, gone)}
    table = measured_readers()
    outcomes = Outcomes.of_inputs(inputs(MESSAGES, seed=0)[::EVERY])
    keep_older_readers(outcomes, matrix, table)
    (reader,) = outcomes.readers
    (was,) = (one for one in table.readers if one.name == gone)
    known = dict(zip([one.data for one in table.inputs], was.does, strict=True))
    assert len(reader.does) == len(outcomes.inputs)
    assert {known.get(case.data, UNKNOWN) for case in outcomes.inputs} >= set(reader.does)
    assert from_text(to_text(matrix)).older == matrix.older
    html = unescape(matrix_page(matrix))
    assert f"As measured on {date}: sarama, since no go." in html
    assert "Left out: nobody: not there." in html


def test_a_client_that_is_measured_alone_has_the_others_beside_it() -> None:
    before = committed()
    others = [one.name for one in before.columns if one.name != "kio"]
    matrix = Matrix("2030-01-01", "9", 0, [one for one in before.columns if one.name == "kio"])
    keep_older(matrix, before, others)
    assert [one.name for one in matrix.columns] == [one.name for one in before.columns]
    assert "kio" not in matrix.older and len(matrix.pairs) == len(before.pairs)
    assert from_text(to_text(matrix)).not_asked == matrix.not_asked
    html = unescape(matrix_page(matrix))
    for date, clients in matrix.not_asked.items():
        assert f"As measured on {date}: {', '.join(clients)}." in html


@pytest.mark.slow
@pytest.mark.parametrize("name", parameters(COMPARED))
def test_the_committed_columns_are_what_the_clients_do(name: str) -> None:
    """A part of the inputs may break less, and nothing that the whole of them did not break."""
    (column,) = (one for one in committed().columns if one.name == name)
    run = again(name)
    assert run.release == column.run.release, "another release: run the matrix again"
    before, now = statuses(column.run), statuses(run)
    changed = {
        key: (before.get(key), now[key])
        for key in now.keys() - BY_LIMITS
        if (now[key] == "broken") > (before.get(key) == "broken")
    }
    assert changed == {}, "run the matrix again, and say why"
    wide = {one.guarantee.id for one in column.run.results if one.violations > 100}
    assert {key for key in wide - BY_LIMITS if now.get(key) == "held"} == set()


@pytest.mark.parametrize("name", parameters(COMPARED))
def test_the_readers_table_is_what_the_clients_do(name: str) -> None:
    table = measured_readers()
    (reader,) = (one for one in table.readers if one.name == name)
    keys = [(one.message, one.data) for one in table.inputs]
    known = dict(zip(keys, reader.does, strict=True))
    outcomes = outcomes_again(name)
    both = [
        (key, known[key], does)
        for key, does in outcomes.items()
        if key in known and not {known[key], does} & {UNKNOWN, FAILS}
    ]
    assert len(both) > 40
    assert [one for one in both if one[1] != one[2]] == []


def test_the_matrix_is_of_ten_clients_and_more() -> None:
    matrix = committed()
    assert {one.name for one in matrix.columns} == set(NAMES) - NOT_IN_MATRIX.keys()
    assert len(matrix.columns) >= 24
    assert matrix.left_out == {}
    assert {one.language for one in matrix.columns} == {
        "C", "Go", "Java", "JavaScript", "Python", "Rust",
    }  # fmt: skip
    assert to_text(from_text(to_text(matrix))) == to_text(matrix)
    (java,) = (one for one in matrix.columns if one.name == "java")
    violations = [one for one in java.run.results if one.violations]
    assert not violations, "Kafka's own classes are the measure"


# What the clients' authors and others have measured and read; see the findings.
KNOWN = {
    "aiokafka": "G07 G23 G25",
    "franz-go-kmsg": "G07 G13 G23",
    "kafka-go-client": "G02 G13",
    "kafka-go-describe": "G04 G06",
    "kafka-go-reader": "G12",
    "kafka-protocol": "G02 G04 G25",
    "kafka-python": "G22 G23 G25 G28",
    "kafka-python-2": "G07 G23 G25",
    "kio": "G02 G04",
    "kafkajs": "G02 G03 G07 G10",
    "krafka": "G10 G24",
    "librdkafka": "G01 G03 G07",
    "platformatic": "G01 G07 G23",
    "sarama": "G04 G05 G06 G07",
}
HOLD = {
    "franz-go-kmsg": "G03 G04 G06 G10",
    "java-4.4": "G01 G02 G03 G04 G05 G06 G07 G10 G12 G13",
    "kafka-protocol": "G03 G07 G10 G13",
    "kafka-python": "G01 G02 G03 G04 G06 G07 G10",
    "librdkafka": "G26",  # others asked for fewer than the 40,000 partitions that break G02
    "sarama": "G01 G02 G10",
}


@pytest.mark.parametrize("name", sorted({*KNOWN, *HOLD}))
def test_its_verdicts_are_those_of_others_too(name: str) -> None:
    (column,) = (one for one in committed().columns if one.name == name)
    found = statuses(column.run)
    assert {key for key in KNOWN.get(name, "").split() if found[key] != "broken"} == set()
    assert {key for key in HOLD.get(name, "").split() if found[key] != "held"} == set()


# -- what others had reported


def test_every_report_was_asked_and_is_borne_out_or_says_why_not() -> None:
    """What is committed, so that measuring anew cannot drift away from it in silence."""
    answers = committed().answers
    assert len(reports()) > 70
    assert [(one.about, one.client) for one in contradicted(answers)] == []
    assert {(one.about, one.client) for one in answers} == {
        (report.about, name) for report in reports().values() for name in report.readers
    }


@pytest.mark.parametrize("name", parameters(COMPARED))
def test_the_clients_still_answer_as_reported(name: str) -> None:
    with remote_of(name) as remote:
        answers = answers_of(remote, name)
    assert len(answers) > 5 and contradicted(answers) == []


def test_another_answer_than_the_reported_is_told_of() -> None:
    for one in committed().answers:
        other = one._replace(text="lie: nobody reported this")
        assert bool(contradicted([other])) != bool(reports()[one.about].differs)
    refused, read = "refuses: bytes remaining", "reads {'topics': ['a']}"
    for about, client, said in (
        ("Version 1 in front of a version 0 body is refused.", "java-4.4", read),
        ("Bytes after the last field are an error.", "sarama", read),
        # Where it differs, to do as reported is what is told of.
        ("Version 100 and what follows it is refused, by kafka-go's Client too.",
         "kafka-go-client", refused),
    ):  # fmt: skip
        assert len(contradicted([Answer(about, client, said)])) == 1


def test_the_page_says_what_differs_from_the_reports_and_why() -> None:
    html = unescape(committed_page())
    _, _, part = html.partition('id="reported"')
    part, _, rest = part.partition("<details>")
    for report in reports().values():
        assert (report.about in part) == bool(report.differs), report.about
        assert report.differs in part and report.about in rest
    assert all(what in part and why in part for what, why in NOT_ASKED.items())
    assert "#reported" in html


# -- pairs


def test_every_pair_that_has_an_assignor_in_common() -> None:
    found = committed().pairs
    members = {one.member for one in found}
    assert len(members) >= 12
    assert {one.verdict for one in found} <= set(VERDICTS)
    assert sum(one.verdict == NOT_MEASURED for one in found) < len(found) / 20
    by_key = {(one.member, one.leader, one.assignor): one for one in found}
    assert len(by_key) == len(found)
    # A version 1 label on a version 0 body; the int16 before sticky user data.
    assert by_key["kafka-go-reader", "java-4.4", "range"].verdict == REFUSED
    assert by_key["kafka-go-reader", "sarama", "range"].verdict == WORKS
    assert by_key["kafka-python", "sarama", "sticky"].verdict == USER_DATA
    assert by_key["kafka-python", "java-4.4", "sticky"].verdict == USER_DATA
    assert by_key["kafka-python-2", "java-4.4", "sticky"].verdict == WORKS
    assert by_key["java-3.9", "java-2.4", "cooperative-sticky"].verdict == WORKS


def test_who_cannot_be_in_one_group() -> None:
    """What the README says in two sentences."""
    found = committed().pairs
    apart = {
        (one.member, one.leader)
        for one in found
        if one.verdict not in (WORKS, USER_DATA, NOT_MEASURED)
    }
    odd, old = "kafka-go-reader", "sarama-1.40"
    java = {"java-2.4", "java-2.8", "java-3.9", "java-4.4"}
    librdkafka = {"confluent-kafka-go", "kafka-javascript", "librdkafka", "rdkafka"}
    assert {leader for member, leader in apart if member == odd} == {
        "franz-go-kgo-1.14", "kafka-python", *librdkafka, *java,
    }  # fmt: skip
    assert {member for member, leader in apart if leader == odd} == {
        "franz-go-kgo", "platformatic", "sarama", *librdkafka, *java,
    }  # fmt: skip
    assert {member for member, leader in apart if leader == old} == {
        "franz-go-kgo", "java-3.9", "java-4.4", "platformatic", "sarama", *librdkafka,
    }  # fmt: skip
    assert all(odd in pair or pair[1] == old for pair in apart)
    parted = [(one.member, one.leader) for one in found if one.verdict == USER_DATA]
    assert parted and all(pair.count("kafka-python") == 1 for pair in parted)


MEMBERS = ("aiokafka", "kafka-python")


@pytest.fixture(scope="module")
def parties() -> Iterator[list[Party]]:
    """Those of this environment."""
    with ExitStack() as stack:
        remotes = {name: stack.enter_context(remote_of(name)) for name in MEMBERS}
        yield [
            Party(name, CLIENTS[name].habits, remote.hello.release, remote)
            for name, remote in remotes.items()
        ]


def test_the_pairs_of_python_are_as_committed(parties: list[Party]) -> None:
    names = {party.name for party in parties}
    before = [one for one in committed().pairs if {one.member, one.leader} <= names]
    assert [one._replace(why="") for one in pairs(parties)] == [
        one._replace(why="") for one in before
    ]


def test_what_a_member_writes_fits_its_fingerprint(parties: list[Party]) -> None:
    for party in parties:
        for assignor in assignors_of(party):
            data = write_subscription(party, assignor)
            assert fingerprint(data, assignor).allows(party.habits, party.release)


def test_what_every_client_wrote_fits_its_fingerprint() -> None:
    """The table behind "who could have written this", against the measured encoders."""
    releases = {one.name: one.run.release for one in committed().columns}
    judged = 0
    for pair in committed().pairs:
        for name, data in ((pair.member, pair.subscription), (pair.leader, pair.assignment)):
            if data:
                found = fingerprint(bytes.fromhex(data), pair.assignor)
                assert found.allows(CLIENTS[name].habits, releases[name]), (name, data)
                judged += 1
    assert judged > 500


# -- what it looks like


@cache
def committed_page() -> str:
    return matrix_page(committed(), findings_in(DATA.parent / "findings"))


RENDER = "run `kproto conform --matrix --from docs/matrix/matrix.json --out docs/matrix`"


def test_the_badges_are_those_of_the_committed_data() -> None:
    badges = {file.name: file.read_text("utf-8") for file in (DATA / "badges").iterdir()}
    shown = set(re.findall(r'href="badges/([^"]+)"', committed_page()))
    assert badges.keys() == shown, RENDER
    assert set(badges.values()) == {badge(one.run) for one in committed().columns}, RENDER


def test_the_page_acts_on_nothing_and_every_link_leads_somewhere() -> None:
    html = committed_page()
    assert "<script" not in html and "src=" not in html and "://" not in html
    ids = re.findall(r'id="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    links = re.findall(r'href="#([^"]+)"', html)
    assert len(links) > 400 and set(links) <= set(ids)
    files = set(re.findall(r'href="([^"#]+)"', html))
    assert {"matrix.json", "../tutorials/your-own-client.md"} < files
    assert [one for one in files if not (DATA / one).is_file()] == []
    assert "kproto conform --adapter sarama" in html
    assert "could have been written by" in re.sub(r"<[^>]+>", "", html)  # the inspector's view
    assert re.search(r"/(root|home|tmp|work)/", html) is None


def rows_of(html: str, table: str) -> list[str]:
    _, _, rest = html.partition(f'<table id="{table}">')
    return rest.partition("</table>")[0].partition("</thead>")[2].split("<tr")[1:]


def test_the_page_begins_with_what_is_broken_the_worst_first() -> None:
    html = committed_page()
    summary, _, _ = html.partition('id="by-client"')
    listed = re.findall(r'<li><span class="(\w+)">\1</span> <a href="../findings/([^"]+)"', summary)
    index = (DATA.parent / "findings" / "README.md").read_text("utf-8")
    severities = dict(re.findall(r"\]\(([\w-]+\.md)\) \|[^|]*\| (\w+) \|", index))
    assert {file: severity for severity, file in listed} == severities
    order = [("high", "medium", "low").index(severity) for severity, _ in listed]
    assert order == sorted(order)
    (kio,) = [line for line in summary.splitlines() if "kio-counts-are-allocated.md" in line]
    assert '<a href="#c-kio">kio</a>' in kio


def test_each_client_has_a_line_with_what_it_breaks() -> None:
    rows = rows_of(committed_page(), "clients")
    assert len(rows) == len(committed().columns)
    for column in committed().columns:
        (row,) = [one for one in rows if f">{column.name} {column.run.release}<" in one]
        found = statuses(column.run)
        required = {one.id for one in of_scope(Scope.REQUIRED)}
        broken = {key for key, status in found.items() if status == "broken" and key in required}
        assert set(re.findall(r">(G\d\d)-", row)) == broken
        kept = sum(status == "held" for key, status in found.items() if key in required)
        assert f'<td data-label="required">{kept} of {kept + len(broken)}</td>' in row
    counts = [len(re.findall(r">G\d\d-", row)) for row in rows]
    assert counts == sorted(counts, reverse=True)


def test_every_cell_leads_to_its_evidence_which_is_shown_when_opened() -> None:
    html = committed_page()
    cells = [cell for row in rows_of(html, "guarantees") for cell in row.split("<td")[1:]]
    cells = [cell for cell in cells if "mark" in cell]
    assert len(cells) >= 19 * 20
    sections = [part.partition("</section>")[0] for part in html.split('<section class="client">')]
    inside = {key for part in sections[1:] for key in re.findall(r'id="([^"]+)"', part)}
    for cell in [*cells, *re.findall(r'<a href="#p-[^>]+>', html)]:
        (target,) = re.findall(r'href="#([^"]+)"', cell)
        assert target in inside
    assert "section.client:has(:target) { display: block; }" in html


def test_a_cell_of_a_pair_names_its_assignors() -> None:
    shown = {"cooperative-sticky": "coop", "roundrobin": "robin"}
    rows = rows_of(committed_page(), "groups")
    found = [re.findall(r"</span> ([\w-]+)</a>", cell) for row in rows for cell in row.split("<td")]
    expected = [shown.get(one.assignor, one.assignor) for one in committed().pairs]
    assert sum(found, []) == expected  # noqa: RUF017


def test_a_badge_says_how_many_guarantees_are_kept() -> None:
    for column in committed().columns:
        found = [one for one in statuses(column.run).values() if one in ("held", "broken")]
        svg = badge(column.run)
        ElementTree.fromstring(svg)  # noqa: S314  # our own
        assert f">{found.count('held')} of {len(found)} guarantees</text>" in svg


def test_a_page_that_is_no_finding_is_no_line_of_the_summary(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Findings\n")
    (tmp_path / "b.md").write_text(
        "# B: is <lost>\n\nFound in: B 1.\n\nSeverity: low: it is.\n\n## See for yourself\n\n"
        "$ kproto conform --adapter kio --ask 00\n\n## What others make of it\n\n"
        "$ kproto conform --adapter java --ask 00\n"
    )
    found = findings_in(tmp_path)
    assert found == [FindingPage("b.md", "B: is <lost>", "low", "B 1", frozenset({"kio"}))]
    assert "B: is &lt;lost&gt;" in matrix_page(committed(), found)
    assert findings_in(tmp_path / "none") == []


def test_the_verdicts_of_this_release_are_kept() -> None:
    file = DATA / "history" / f"{committed().release}.json"
    kept = json.loads(file.read_text("utf-8"))
    assert (kept["kproto"], kept["date"]) == (committed().release, committed().date), RENDER
    assert {one["name"]: (one["release"], one["statuses"]) for one in kept["columns"]} == {
        one.name: (one.run.release, statuses(one.run)) for one in committed().columns
    }, RENDER
    assert history_file(Matrix("", "../9 x", 0, [])) == "..-9-x.json"


def test_the_page_of_a_kept_matrix_comes_with_its_data(tmp_path: Path) -> None:
    file = DATA / "matrix.json"
    assert main(["conform", "--matrix", "--from", str(file), "--out", str(tmp_path / "m")]) == 0
    assert (tmp_path / "m" / "matrix.json").read_bytes() == file.read_bytes()
    assert (tmp_path / "m" / "badges" / "kio.svg").is_file()


# -- captured messages


def test_the_captured_messages_are_those_of_the_captures() -> None:
    assert captured() == tuple(picked())
    writers = {(one.client, one.release) for one in captured()}
    assert len(writers) > 15 and ("kafkajs", "2.1.0") in writers


def test_what_a_captured_message_comes_to(parties: list[Party]) -> None:
    readers = {party.name: party.subject for party in parties}
    by_key = {(one.client, one.release, one.assignor, one.message): one for one in captured()}
    subscription = MESSAGES[0]
    for writer, reader, expected in (
        # A version 1 label on a version 0 body; the int16 before sticky user data.
        (("kafkajs", "2.1.0", "roundrobin"), "kafka-python", REFUSED),
        (("kafkajs", "2.1.0", "roundrobin"), "aiokafka", WORKS),
        (("kafka-clients", "4.3.1", "sticky"), "kafka-python", USER_DATA),
        (("kafka-python", "3.0.12", "sticky"), "kafka-python", WORKS),
        (("kafka-clients", "4.3.1", "range"), "kafka-python", WORKS),
    ):
        assert verdict(readers[reader], by_key[*writer, subscription]).verdict == expected


class WithoutDecoder(Generated):
    def decode(self, name: str, data: bytes, version: int | None = None) -> ReadAnswer:
        return Unsupported("it only writes")


def test_what_a_client_has_no_way_to_read_is_not_measured() -> None:
    assert verdicts_of(WithoutDecoder(), MESSAGES) == {}
    assert len(verdicts_of(Generated(), MESSAGES)) == len(captured())
    assert {one.message for one in verdicts_of(Generated(), MESSAGES[:1])} == {MESSAGES[0]}


def test_the_page_shows_which_captured_messages_are_not_read() -> None:
    messages = [Captured("x", "1", "sticky", name, "0000") for name in MESSAGES]
    verdicts = {"kio": Verdict(WORKS), "sarama": Verdict(REFUSED, "no <room>")}
    matrix = from_text(to_text(committed()))
    matrix.captured = [CapturedReadings(one, dict(verdicts)) for one in messages]
    html = " ".join(matrix_page(from_text(to_text(matrix))).split())
    assert "Who reads what real consumers sent" in html
    assert '<a href="#m-sarama-1"><span class="broken">✗</span></a>' in html
    assert "the leader refuses the member: no &lt;room&gt;" in html
    assert "reads 2 of 2 messages" in html and "reads 0 of 2 messages" in html
    before, matrix.older = matrix.captured, {"sarama": "2026-01-01"}
    matrix.captured = [CapturedReadings(messages[0], {"kio": Verdict(WORKS)})]
    keep_older_readings(matrix.captured, before, matrix.older)
    assert matrix.captured == [CapturedReadings(messages[0], verdicts)]


def test_hostile_text_is_shown() -> None:
    hostile = "<script>\x1b[31m\u202e"
    (column,) = (one for one in committed().columns if one.name == "kio")
    run = ConformanceRun(
        **{**vars(column.run), "client": hostile, "release": hostile, "remarks": [hostile]}
    )
    pair = Pair(hostile, hostile, hostile, REFUSED, hostile)
    answers = [Answer(one.about, hostile, hostile) for one in reports().values()]
    matrix = Matrix(
        "2026-01-01", hostile, 0, [Column(hostile, hostile, run)], {"x": hostile}, [pair], answers
    )
    message = Captured(hostile, hostile, hostile, hostile, "00")
    matrix.captured = [CapturedReadings(message, {hostile: Verdict(hostile, hostile)})]
    finding = FindingPage(hostile, hostile, "high", hostile, frozenset({hostile}))
    html = matrix_page(matrix, [finding])
    assert "<script" not in html and "\x1b" not in html and "\u202e" not in html


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(DATA / "matrix.json")
    assert main(["conform", "--matrix", "--from", file]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^kafkajs 2\.2\.4 .*✗", said, re.MULTILINE)
    pairs = said.partition("members down, leaders across")[2].partition("✓ understand")[0]
    rows = [line for line in pairs.splitlines()[1:] if not re.match(r" *\d+( +\d+)* *$", line)]
    assert all(re.match(r" *\d+ [a-z][\w.-]+ +[✓✗~·-]", row) for row in rows)
    assert all(len(line) <= 100 for line in said.splitlines())
    assert main(["conform", "--matrix", "--json", "--from", file]) == 0
    assert json.loads(capsys.readouterr().out)["kproto"]


def test_what_cannot_be_had_is_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("KPROTO_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    named = [one for name in ("sarama", "java", "kafkajs") for one in ("--adapter", name)]
    assert main(["conform", "--matrix", *named]) == 3
    said = capsys.readouterr().err
    assert "sarama: left out: go is not installed" in said and "kafkajs: left out" in said
    assert "none of the clients is available here" in said


@pytest.mark.parametrize("name", ["aiokafka", "kafka-python", "kio", "librdkafka"])
def test_a_client_whose_package_is_missing_names_its_extra(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def release(package: str) -> str:
        if package != "kafka-python":
            raise PackageNotFoundError(package)
        return "2.3.2"

    monkeypatch.setattr("kproto.fuzz.clients.languages.version", release)
    assert main(["conform", "--adapter", name]) == 3
    assert main(["conform", "--matrix", "--adapter", name]) == 3
    lines = capsys.readouterr().err.splitlines()
    command = install_command("clients")
    assert sum(": it needs " in line and line.endswith(command) for line in lines) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--matrix", "--adapter", "nobody"], "there are: aiokafka"),
        (["--matrix", "--", "x"], "--matrix goes with"),
        (["--matrix", "--from", "/no/such/file"], "No such file"),
        (["--out", "x", "--adapter", "kio"], "--out goes with --matrix"),
        (["--ask", "00"], "--ask needs a client"),
        (["--ask", "zz", "--adapter", "kio"], "neither hex nor JSON"),
        (["--ask", "00", "--adapter", "kio", "--as", "Nothing"], "no message"),
    ],
)
def test_wrong_use(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_one_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--adapter", "aiokafka", "--ask", "000000000001000161ffffffff"]) == 0
    assert 'aiokafka 0.14.0 reads version 0 {"topics": ["a"]' in capsys.readouterr().out
    assert main(["conform", "--adapter", "aiokafka", "--ask", "00"]) == 1
    assert "refuses: ValueError" in capsys.readouterr().out
