"""The recipes of CONTRIBUTING.md, followed to the letter on a copy of the tree.

A recipe fails here if it names a file that is not there, if a file that it does not name has to be
changed, or if what it adds is not found by the commands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder

from kproto import schemas
from kproto.codec.definitions import JAR_FOLDER
from kproto.codec.dialect.spec import parse
from kproto.codec.read.decoding import KAFKA_RELEASE
from kproto.codec.runtime.registry import built_in_names, built_in_spec
from kproto.fuzz.building import JavaUnavailable, fetch_jars
from kproto.tools.completion import SEPARATOR
from tests.conftest import do_without
from tests.tree_copy import ROOT, TreeCopy

CAPTURES = ROOT / "tests" / "vectors" / "captures"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
RECIPES = dict(re.findall(r"^## ((?:Add|Move) .*)\n((?:(?!## ).*\n)*)", CONTRIBUTING, re.MULTILINE))
ELSEWHERE = {
    "Add a text form": "tests/capture/test_form_recipe.py",
    "Add a version of the consumer protocol": "tests/tools/test_next_version.py",
}
"""Recipes that other tests follow."""
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")

Insert = tuple[str, str]
"""The first line of a file that matches a pattern, and the lines that come behind it."""


class Recipe(NamedTuple):
    """How somebody follows a recipe: the files that are `written` and those that are `changed`.
    `others` are files that it names and that need no change here."""

    written: Mapping[str, str]
    changed: Mapping[str, tuple[Insert, ...]]
    check: Callable[[TreeCopy], None]
    others: tuple[str, ...] = ()

    def follow(self, copy: TreeCopy) -> None:
        """Make the changes in a copy of the tree."""
        for name, text in self.written.items():
            (copy.packages / name).write_text(text, "utf-8")
        for name, inserts in self.changed.items():
            file = copy.packages / name
            text = file.read_text("utf-8")
            for pattern, lines in inserts:
                found = re.search(pattern, text, re.MULTILINE)
                assert found is not None, f"{name} has no line {pattern}"
                text = text[: found.end()] + lines + text[found.end() :]
            file.write_text(text, "utf-8")


def kproto(copy: TreeCopy, *arguments: object, status: int = 0, **settings: str) -> str:
    return copy.run("kproto", *arguments, status=status, **settings)


# -- a message definition

PIGEON = """// What a pigeon carries.
{
  "type": "data",
  "name": "PigeonUserData",
  "validVersions": "0",
  "flexibleVersions": "none",
  "fields": [
    { "name": "Grains", "type": "int32", "versions": "0+", "about": "How many it has eaten." }
  ]
}
"""


def find_message(copy: TreeCopy) -> None:
    copy.run("kproto.codec.generate", copy.packages / "codec" / "messages")
    options = ("--as", "PigeonUserData", "--body", "0", "--json")
    (line,) = kproto(copy, "decode", "00000007", *options).splitlines()
    assert json.loads(line)["message"] == {"grains": 7}
    assert "PigeonUserData" in kproto(copy, "schemas")


# -- a client

CLIENT = """
  {
    "name": "pigeon",
    "readers": ["pigeon"],
    "writers": [
      {
        "since": "1.0",
        "source": "its source",
        "habits": [
          {"message": "ConsumerProtocolSubscription", "layouts": ["2 on 0"], "userData": ["null"]}
        ]
      }
    ]
  },"""
ABILITY = """
  {"client": "pigeon", "ability": "cooperative", "since": "1.0", "evidence": "its source"},"""
ADAPTER = '''"""A decoder of version 0, which refuses what it cannot read."""

import json
import sys

HELLO = {"protocol": 1, "client": "pigeon", "release": "1.0", "ops": ["decode"],
         "names": ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"]}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise ValueError(f"{size} bytes at {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "big", signed=True)

    def array(self, one):
        count = self.number(4)
        if not 0 <= count <= len(self.data) - self.at:
            raise ValueError(f"{count} elements at {self.at}")
        return [one() for _ in range(count)]

    def text(self):
        return self.take(self.number(2)).decode()

    def entry(self):
        return {"topic": self.text(), "partitions": self.array(lambda: self.number(4))}


def decode(name, data):
    reader = Reader(data)
    version = reader.number(2)
    if name == HELLO["names"][0]:
        value = {"topics": reader.array(reader.text)}
    else:
        value = {"assignedPartitions": reader.array(reader.entry)}
    return {"version": version, "value": value}


for line in sys.stdin:
    question = json.loads(line)
    if question["op"] == "hello":
        answer = HELLO
    else:
        try:
            answer = decode(question["name"], bytes.fromhex(question["hex"]))
        except ValueError as error:
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": question["id"], "ok": True, **answer}), flush=True)
'''
START = """


def pigeon() -> tuple[str, ...]:
    return (sys.executable, "-I", str(Path(__file__).parent / "python" / "pigeon.py"))
"""
PROGRAM_ROW = """
    "pigeon": Program("Python", "nothing else", pigeon, "pigeon"),"""
RULES = """
    "pigeon": Rules("its source", utf8=True),"""
CELL = """
        {"client": "pigeon", "outcome": "reads something else", "evidence": "its source"},"""
ASK = """
from kproto.clients import catalog, consequences, readers
ability = catalog.ability_of("pigeon", "cooperative")
assert ability is not None and ability.since == "1.0"
(cell,) = (each for each in consequences.consequences("KP001") if each.cell.client == "pigeon")
table = readers.measured_readers()
java = next(reader for reader in table.readers if reader.name == "java")
measured = readers.to_text(table._replace(readers=(*table.readers, java._replace(name="pigeon"))))
open(readers.__file__.replace("readers.py", "readers.json"), "w").write(measured)
"""
"""What Java answered stands for what `make matrix` would measure, which a slow test does."""


def find_client(copy: TreeCopy) -> None:
    assert "pigeon" in kproto(copy, "lint", "000200000001000161ffffffff", status=1)
    question = json.dumps(
        {
            "id": 1,
            "op": "decode",
            "name": "ConsumerProtocolSubscription",
            "hex": "000000000000ffffffff",
        }
    )
    assert json.loads(copy.run("kproto.fuzz.clients", "pigeon", text=question))["ok"]
    (copy.folder / "measure.py").write_text(ASK)
    copy.run("measure")
    told = kproto(copy, "lint", "--readers", "pigeon", "0000000000010001ffffffffff", status=1)
    assert re.search(r"pigeon\s.*refuses it", told)


# -- an audit rule

RULE = '''
"""Groups of pigeons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..findings import Basis, Severity, Sign
from ..group_end import GroupEnd
from ..rule import EndRule


def _is_of_pigeons(end: GroupEnd, thresholds: Mapping[str, float]) -> Iterator[Sign]:
    if len(end.group_id) > thresholds["letters"]:
        yield Sign(end.group_id, "its name is long", {"letters": len(end.group_id)})


RULES = (
    EndRule(
        id="long-name",
        title="The group has a long name",
        severity=Severity.INFO,
        basis=Basis.OBSERVED,
        meaning="Pigeons cannot carry it.",
        source="measured",
        predicate="The name has more than `letters` letters.",
        next_action="Choose another name.",
        thresholds={"letters": 3},
        find=_is_of_pigeons,
    ),
)
'''


def find_rule(copy: TreeCopy) -> None:
    assert "Pigeons cannot carry it" in kproto(copy, "explain", "long-name")
    source, out = CAPTURES / "three-clients.pcap", copy.folder / "audit"
    kproto(copy, "audit", source, "--out", out, "--fail-on", "never")
    findings = json.loads((out / "findings.json").read_text("utf-8"))["findings"]
    assert "long-name" in {finding["code"] for finding in findings}


# -- a line of a log

PROGRAM = '''
"""Lines of pigeons."""

from __future__ import annotations

import re

from .family import OriginFamily
from .rows import Row, Table


class Pigeon(OriginFamily):
    """A program that coos."""

    name = "pigeon"
    signs = (b"[Pigeon ",)
    origin = re.compile(r"\\[Pigeon (?P<client>.*?)\\] ")
    table = Table((Row("joined", "coos in <group>, round <generation>"),))
'''


def find_line(copy: TreeCopy) -> None:
    told = kproto(copy, "explain", "[Pigeon p-1] coos in orders, round 7")
    assert "joined; group orders; client p-1; generation 7" in " ".join(told.split())


# -- a deviation code

CODE = """
    ("KP999", "content", "dash-at-end",
     "a topic name that ends with a dash"),"""
NOTE = """
    elif node.value is not None and node.value.endswith("-"):
        notes.add("dash-at-end", path, node.start)"""
UNCLEAN = """
    if name and name.endswith("-"):
        return False"""
PAGE = """
  "KP999": {
    "what": "A topic name that ends with a dash.",
    "group": "It looks unfinished.",
    "writers": "Nobody.",
    "consequences": []
  },"""


def find_code(copy: TreeCopy) -> None:
    subscription = "0000000000010002" + b"a-".hex() + "ffffffff"
    assert "KP999" in kproto(copy, "lint", subscription, status=1)
    assert "It looks unfinished" in kproto(copy, "explain", "KP999")
    # The core as it is calls the record clean: a slow test builds it anew.
    assert codes_of_record(copy, write_record(copy), "python") == ["KP999"]


def write_record(copy: TreeCopy) -> Path:
    """A segment whose record has nothing else wrong."""
    key = bytes.fromhex("0001000167") + b"\0\2a-" + bytes(4)
    segment = copy.folder / "__consumer_offsets-0" / f"{0:020}.log"
    segment.parent.mkdir(exist_ok=True)
    builder = DefaultRecordBatchBuilder(2, 0, False, -1, -1, -1, 1 << 16)
    assert builder.append(0, 1_700_000_000_000, key, None, [])
    segment.write_bytes(bytes(builder.build()))
    return segment


def codes_of_record(copy: TreeCopy, segment: Path, engine: str = "core") -> list[str]:
    told = kproto(copy, "decode", "--json", segment, KPROTO_ENGINE=engine)
    return [found["code"] for found in json.loads(told)["key"].get("deviations", ())]


# -- an assignor

ASSIGNOR = '''
"""All partitions for one member."""

from __future__ import annotations

from collections.abc import Iterable

from ...codec import ConsumerProtocolAssignment
from ..assignor import Assignments, RebalanceProtocol, WithoutUserData
from ..group import Member, Racks, Topics


class FirstAssignor(WithoutUserData):
    """Gives all partitions to the first member."""

    name = "first"
    protocols = (RebalanceProtocol.EAGER,)

    def assign(
        self, members: Iterable[Member], topics: Topics, racks: Racks | None = None
    ) -> Assignments:
        """Divide the partitions."""
        cls = ConsumerProtocolAssignment
        first, *others = sorted(member.member_id for member in members)
        shares = [
            cls.TopicPartition(topic=topic, partitions=range(count))
            for topic, count in topics.items()
        ]
        nothing = cls(assigned_partitions=())
        return {first: cls(assigned_partitions=shares)} | dict.fromkeys(others, nothing)
'''


def find_assignor(copy: TreeCopy) -> None:
    kproto(copy, "simulate", "crash", "--assignor", "first")
    group = ("g-mixed", "--from", CAPTURES / "running-group.jsonl")
    (_, future) = kproto(
        copy, "group", *group, "--what-if", "assignor=first", "--json"
    ).splitlines()
    assert json.loads(future)["fewest"] == 0


# -- an option, and an output format

OPTION = """
    parser.add_argument("--brief", action="store_true", help="titles alone (default: pages)")"""
USE = """
    if arguments.brief:
        from ..inspector.shapes.brief import Brief, as_text, as_titles

        briefs = [Brief(code=page.code, letters=len(page.title)) for page in chosen]
        if arguments.json:
            for brief in briefs:
                print_json(brief)
        elif arguments.output == "titles":
            print(as_titles(briefs))
        else:
            print(as_text(briefs))
        return 0"""
FORMAT = '''
"""Titles alone, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterable

from .shape import Shape


class Brief(Shape, kw_only=True):
    """A line of `kproto explain --brief --json`."""

    code: str
    letters: int


def as_text(briefs: Iterable[Brief]) -> str:
    """Return the text."""
    return "\\n".join(f"{brief.code}: {brief.letters}" for brief in briefs)


def as_titles(briefs: Iterable[Brief]) -> str:
    """Return the text of the format."""
    return " ".join(brief.code for brief in briefs)
'''
ABOUT_FORMAT = """
_ABOUT["titles"] = "; titles: codes alone"
"""


def find_option(copy: TreeCopy) -> None:
    assert "titles alone (default: pages)" in kproto(copy, "explain", "--help")
    line = f"kproto{SEPARATOR}explain{SEPARATOR}--br"
    assert "--brief" in kproto(copy, "completion", "candidates", line)


def find_format(copy: TreeCopy) -> None:
    (line,) = kproto(copy, "explain", "--brief", "--json", "KP046").splitlines()
    brief = json.loads(line)
    assert brief.keys() == {"code", "letters"}
    assert kproto(copy, "explain", "--brief", "KP046") == f"KP046: {brief['letters']}\n"
    titles = kproto(copy, "explain", "--brief", "--output", "titles", "KP046", "KP047")
    assert titles == "KP046 KP047\n"
    assert "titles: codes alone" in " ".join(kproto(copy, "explain", "--help").split())
    schema = json.loads(kproto(copy, "schemas", "--json-output", "explain-brief"))
    assert schema["$defs"]["Brief"]["properties"].keys() == brief.keys()


# -- a release

RELEASE = '\nKAFKA_RELEASE = "9.9.9"'
RELEASE_PROGRAM = """
    "java-9.9": Program("Java", _JVM, partial(java_member, "9.9.9"), "kafka-clients"),"""
RELEASE_RULES = """
    "java-9.9": Release("kafka-clients (ConsumerProtocol)", 3),"""
RELEASES = """
from kproto.clients.catalog import clients
from kproto.clients.reader_rules import RELEASES
from kproto.fuzz.clients import CLIENTS
from kproto.fuzz.oracles import java
java.fetch_jars = lambda pom: print(pom.count(b">9.9.9<"), pom.count(b"RELEASE"))
java.fetch_kafka()
name = "java-9.9"
print(name in RELEASES, name in CLIENTS, name in clients()["kafka-clients"].readers)
"""


def find_release(copy: TreeCopy) -> None:
    """The jars are asked for in that release, and no other file names the one of today."""
    (copy.folder / "releases.py").write_text(RELEASES)
    assert copy.run("releases").split() == ["1", "0", "True", "True", "True"]
    named = {path for path in RECIPES["Move to a Kafka release"].split("`") if "/" in path}
    for file in copy.packages.rglob("*.py"):
        code = re.sub(r"#.*|\"\"\"(?s:.*?)\"\"\"", "", file.read_text("utf-8"))
        place = file.relative_to(copy.packages).as_posix()
        assert f'"{KAFKA_RELEASE}"' not in code or place in named, f"{place} names {KAFKA_RELEASE}"


FOLLOWED = {
    "Add a message definition": Recipe(
        {"schemas/PigeonUserData.json": PIGEON},
        {},
        find_message,
        (
            "codec/messages/", "docs/reference/messages/", "tests/schemas/",
            "tests/schemas/test_against_jars.py", "tests/vectors/",
        ),
    ),
    "Add what is known about a client": Recipe(
        {"fuzz/clients/python/pigeon.py": ADAPTER},
        {
            "clients/clients.json": ((r"^\[", CLIENT),),
            "clients/abilities.json": ((r"^\[", ABILITY),),
            "clients/reader_rules.py": ((r"^RULES: .*\{$", RULES),),
            "clients/consequences.json": ((r'"KP001"(?s:.*?)"cells": \[', CELL),),
            "fuzz/clients/languages.py": ((r"^_SECONDS = .*$", START),),
            "fuzz/clients/__init__.py": (
                (r"^from \.languages import \($", "\n    pigeon,"),
                (r"^CLIENTS = \{$", PROGRAM_ROW),
            ),
        },
        find_client,
        (
            "clients/__init__.py", "clients/groups.json", "clients/plans.json",
            "clients/readers.json", "fuzz/clients/",
            "docs/reference/conform.md",
            "tests/broker/fleet.py", "tests/vectors/captures",
        ),
    ),
    "Add an audit rule": Recipe(
        {"pipeline/audit/rules/pigeons.py": RULE},
        {
            "pipeline/audit/rules/__init__.py": (
                (r"^from \. import \($", "\n    pigeons,"),
                (r"^END_RULES: .* = \($", "\n    *pigeons.RULES,"),
            )
        },
        find_rule,
        (
            "docs/reference/audit.md", "history/causes.py", "tests/broker/test_advice.py",
            "tests/pipeline/test_audit_rules.py", "tests/pipeline/test_audit_docs.py",
        ),
    ),
    "Add a line of a log": Recipe(
        {"capture/logs/pigeon.py": PROGRAM},
        {
            "capture/logs/reader.py": (
                (r"^from \.librdkafka import .*$", "\nfrom .pigeon import Pigeon"),
                (r"^FAMILIES: .* = \($", "\n    Pigeon,"),
            )
        },
        find_line,
        ("history/rebalances.py", "history/roots.py", "tests/capture/logs/"),
    ),
    "Add a deviation code": Recipe(
        {},
        {
            "codec/read/deviations.py": (
                (r'^    \("KP047"(?s:.*?)"\),$', CODE),
                (r'^        notes.add\("nul-in-name".*$', NOTE),
            ),
            "clients/consequences.json": ((r'^  "KP047": (?s:.*?)^  \},$', PAGE),),
            "inspector/diagnose/clean_check.py": ((r"^def is_plain_name\(.*$", UNCLEAN),),
        },
        find_code,
        (
            "codec/read/diagnostic_reader.py", "codec/native/src/json.rs",
            "tests/codec/test_deviations.py", "inspector/nested_bytes.py",
            "inspector/diagnose/levels.py", "clients/consequences.py",
            "tests/broker/measure_consequences.py",
        ),
    ),
    "Add an assignor": Recipe(
        {"rebalance/assignors/first.py": ASSIGNOR},
        {
            "rebalance/assignors/registry.py": (
                (r"^from \.\.compatibility import .*$", "\nfrom .first import FirstAssignor"),
                (r"^    assignors: .* = \($", "\n        FirstAssignor(),"),
            )
        },
        find_assignor,
        (
            "rebalance/assignor.py", "rebalance/group.py", "tests/rebalance/",
            "tests/rebalance/test_properties.py",
        ),
    ),
    "Add an option": Recipe(
        {},
        {
            "tools/commands/explain.py": ((r"^    .*Add the arguments of.*$", OPTION),),
            "tools/explain.py": ((r"^    chosen = .*$", USE),),
        },
        find_option,
        (
            "docs/reference/commands.md", "tests/tools/test_explain.py",
            "tests/tools/test_options.py", "tests/tools/test_written.py", "tools/options/",
        ),
    ),
    "Add an output format": Recipe(
        {"inspector/shapes/brief.py": FORMAT},
        {
            "inspector/shapes/__init__.py": (
                (r"^SHAPES: .*\{$", '\n    "explain-brief": ("brief.Brief",),'),
            ),
            "tools/output/terminal.py": ((r"^_ABOUT = .*$", ABOUT_FORMAT),),
            "tools/commands/explain.py": (
                (r'add_output\(parser, "one object a code"', ', "titles"'),
            ),
        },
        find_format,
        (
            "docs/reference/json.md", "codec/native/src/lines.rs",
            "inspector/reports/compiled_lines.py", "tools/commands/encode.py",
        ),
    ),
    "Move to a Kafka release": Recipe(
        {},
        {
            "codec/read/decoding.py": ((r"^KAFKA_RELEASE = .*$", RELEASE),),
            "fuzz/clients/__init__.py": ((r"^CLIENTS = \{$", RELEASE_PROGRAM),),
            "clients/reader_rules.py": ((r"^RELEASES: .*\{$", RELEASE_RULES),),
            "clients/clients.json": ((r'"readers": \["java-2\.4"', ', "java-9.9"'),),
        },
        find_release,
        (
            "tests/schemas/test_against_jars.py", "tests/schemas/pom.xml", "schemas/",
            "capture/frames/error_codes.py", "capture/frames/api_keys.py",
        ),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> TreeCopy:
    """A copy in which all recipes have been followed."""
    copy = TreeCopy(tmp_path_factory.mktemp("recipes"))
    for recipe in FOLLOWED.values():
        recipe.follow(copy)
    return copy


@pytest.mark.parametrize("title", FOLLOWED)
def test_what_a_recipe_adds_is_found(title: str, copy: TreeCopy) -> None:
    FOLLOWED[title].check(copy)


@pytest.mark.parametrize("title", FOLLOWED)
def test_a_recipe_names_the_files_to_change_and_no_others(title: str) -> None:
    recipe = FOLLOWED[title]
    named = [name.replace("NAME", "*") for name in NAMED.findall(RECIPES[title])]
    used = (*recipe.written, *recipe.changed, *recipe.others)
    patterns = [f"{name}*" if name.endswith("/") else name for name in named]
    for name in (*recipe.written, *recipe.changed):
        assert any(fnmatchcase(name, pattern) for pattern in patterns), f"{name} is not named"
    for pattern in named:
        assert any(fnmatchcase(name, pattern) for name in used), f"{pattern} is not followed"


@pytest.mark.parametrize("title", RECIPES)
def test_every_recipe_is_followed_and_names_what_is_there(title: str) -> None:
    assert (title in FOLLOWED) != (title in ELSEWHERE)
    assert (ROOT / ELSEWHERE.get(title, "")).exists()
    for name in NAMED.findall(RECIPES[title]):
        assert any(ROOT.glob(name.replace("NAME", "*"))), f"there is no {name}"


@pytest.mark.slow
def test_a_client_s_own_decoder_is_measured_alone(copy: TreeCopy) -> None:
    """As `make matrix ONLY=pigeon` does it: what the others answered is kept."""
    out = copy.folder / "matrix"
    out.mkdir()
    shutil.copy(ROOT / "docs" / "matrix" / "matrix.json", out)
    kproto(copy, "conform", "--matrix", "--adapter", "pigeon", "--out", out)
    shutil.move(out / "readers.json", copy.packages / "clients" / "readers.json")
    options = ("--readers", "pigeon,sarama")
    told = kproto(copy, "lint", *options, "0000000000010001ffffffffff", status=1)
    assert re.search(r"pigeon 1\.0 refuses it: UnicodeDecodeError", told)
    assert re.search(r"Sarama \S+ reads it", told)


UNCLEAN_IN_CORE = """
    if raw.ends_with(b"-") {
        return Err(ODD);
    }"""


@pytest.mark.slow
def test_the_core_of_a_new_code_is_built_anew(copy: TreeCopy) -> None:
    cargo, cores = shutil.which("cargo"), [*(ROOT / "codec").glob("_core.*.*")]
    if cargo is None or not cores:
        pytest.skip("no cargo, or no compiled core")
    native = copy.folder / "native"
    ignored = shutil.ignore_patterns("target")
    shutil.copytree(ROOT / "codec" / "native", native, ignore=ignored)
    rules = native / "src" / "json.rs"
    text = rules.read_text("utf-8")
    head = re.search(r"^fn is_name\(.*$", text, re.MULTILINE)
    assert head is not None
    rules.write_text(text[: head.end()] + UNCLEAN_IN_CORE + text[head.end() :], "utf-8")
    target = ROOT / "build" / "recipes"
    subprocess.run(
        [cargo, "build", "--quiet", "--release", "--target-dir", str(target)],
        cwd=native, env=os.environ | {"PYO3_PYTHON": sys.executable}, check=True,
    )  # fmt: skip
    segment = write_record(copy)
    assert codes_of_record(copy, segment) == []
    core = copy.packages / "codec" / cores[0].name
    core.unlink()
    shutil.copy(target / "release" / "lib_core.so", core)
    assert codes_of_record(copy, segment) == ["KP999"]


@pytest.mark.slow
def test_the_definitions_move_to_another_release(tmp_path: Path) -> None:
    """To that of the other jars of these tests, which is an older one."""
    try:
        jars = fetch_jars((ROOT / "tests" / "schemas" / "pom.xml").read_bytes())
    except JavaUnavailable as reason:
        do_without(reason)
    (jar,) = jars.glob("kafka-clients-*.jar")
    copy, moved = TreeCopy(tmp_path), dict[str, int]()
    with zipfile.ZipFile(jar) as archive:
        for path in archive.namelist():
            name = Path(path).stem
            if not (path.startswith(JAR_FOLDER) and name in built_in_names()):
                continue
            text = archive.read(path).decode()
            latest = parse(schemas.loads(text), source=name).versions.highest
            if latest != built_in_spec(name).versions.highest:
                (copy.packages / "schemas" / f"{name}.json").write_text(text, "utf-8")
                moved[name] = latest
    assert moved
    copy.run("kproto.codec.generate", copy.packages / "codec" / "messages")
    asked = (
        "from kproto.codec import message_class\n"
        f"print(*(message_class(name).LATEST for name in {[*moved]}))"
    )
    (tmp_path / "asked.py").write_text(asked)
    assert [int(word) for word in copy.run("asked").split()] == [*moved.values()]
