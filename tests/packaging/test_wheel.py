"""The wheel is what users get: built, installed alone into an empty environment, run, imported and
type-checked from there.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.rooms import FOLDERS

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VECTORS = ROOT / "tests" / "vectors" / "consumer-protocol.jsonl"

# The runtime dependencies, and what these bring themselves.
NEEDED = {
    "kproto",
    *("construct", "jinja2", "markupsafe", "msgspec"),
    *("rich", "markdown-it-py", "mdurl", "pygments"),
    *("aiokafka", "async-timeout", "cramjam", "dpkt", "packaging", "typing_extensions"),
}

# Names of extras that the rooms of an extra may miss here, and the modules that the command imports
# for a command of an extra alone; nothing else may.
IMPORTS = """
import importlib, pkgutil, kproto
EXTRAS = {
    "fuzz": {"atheris", "hypothesis", "jpype", "kafka", "kio", "pytest"},
    "pipeline": {"numpy", "py4j", "pyarrow", "pyspark"},
    "rebalance": {"matplotlib"},
    "tools.audit": {"pyarrow"},
    "tools.audit_follow": {"pyarrow"},
    "tools.columnar_agreement": {"pyarrow"},
    "tools.conform": {"hypothesis"},
    "tools.conform_matrix": {"hypothesis"},
    "tools.fuzz": {"hypothesis"},
    "tools.input.audit_baseline": {"pyarrow"},
    "tools.input.audit_inputs": {"pyarrow"},
    "tools.input.audit_sources": {"pyarrow"},
    "tools.input.audit_rules": {"pyarrow"},
    "tools.input.log_sources": {"pyarrow"},
}
def public(name):
    return not any(part.startswith("_") for part in name.split("."))
def ask(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as missing:
        module = name.partition(".")[2]
        room = module.partition(".")[0]
        if missing.name not in EXTRAS.get(room, EXTRAS.get(module, ())):
            raise
    else:
        print(name)
for module in pkgutil.walk_packages(kproto.__path__, "kproto.", onerror=ask):
    if public(module.name):
        ask(module.name)
"""

MISTAKES = """
from kproto.codec import ConsumerProtocolSubscription, decode

sub = ConsumerProtocolSubscription(topics=["orders"])
ConsumerProtocolSubscription(topics=[1])  # refused
ConsumerProtocolSubscription(topic=["orders"])  # refused
ConsumerProtocolSubscription.TopicPartition(topic=b"orders")  # refused
sub.generation  # refused
sub.generation_id = 8  # refused
sub.to_bytes("2")  # refused
sub.user_data.hex()  # refused
decode("0001", ConsumerProtocolSubscription)  # refused
decode(b"", ConsumerProtocolSubscription).message.topics  # refused
"""


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    """What a command prints; its whole output is shown where the exit status is another."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel out of the source distribution, both built from a copy of the tree.

    In the tree itself, `build/` may hold files that a checkout no longer has.
    """
    work = tmp_path_factory.mktemp("wheel")
    litter = shutil.ignore_patterns(".*", "build", "tests", "target", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, work / "tree", ignore=litter)
    built_before = work / "tree" / "codec" / "native" / "target" / "release"
    built_before.mkdir(parents=True)
    (built_before / "host.rs").write_text("// written by a build\n", encoding="utf-8")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", work, "tree", cwd=work)
    (built,) = work.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the wheel and what pip installs with it."""
    place = tmp_path_factory.mktemp("user")
    venv.create(place, symlinks=True)
    pip = (sys.executable, "-m", "pip", "--python", place, "--quiet")
    run(*pip, "install", "--constraint", ROOT / "constraints.txt", wheel, cwd=place)
    return place / "bin" / "python"


def test_it_holds_every_file_of_every_room_and_nothing_else(wheel: Path) -> None:
    expected = {
        f"{package.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}"
        for package, folder in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not {"__pycache__", "native", "target"} & set(path.parts)
        if not path.name.startswith("_core.")
    }
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name for name in names if ".dist-info/" not in name and "/_core." not in name}
    assert packed == expected
    assert {"kproto/codec/py.typed", "kproto/schemas/ConsumerProtocolSubscription.json"} <= packed


def test_the_source_distribution_holds_the_sources_of_the_core(wheel: Path) -> None:
    """And nothing of what was built from them."""
    (packed,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        names = [name.partition("/codec/native/")[2] for name in archive.getnames()]
    sources = (ROOT / "codec" / "native" / "src").rglob("*.rs")
    assert {f"src/{path.name}" for path in sources} | {"Cargo.toml", "build.rs"} <= set(names)
    assert not [name for name in names if name.startswith("target")]


@pytest.mark.skipif(shutil.which("cargo") is None, reason="no cargo")
def test_it_holds_the_core_that_the_source_distribution_builds(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.startswith("kproto/codec/_core.")]


def test_it_brings_no_extra(python: Path, tmp_path: Path) -> None:
    listing = run(
        *(sys.executable, "-m", "pip", "--python", python, "list", "--format", "json"), cwd=tmp_path
    )
    assert {package["name"].lower() for package in json.loads(listing)} == NEEDED


def test_the_command_says_its_version(wheel: Path, python: Path, tmp_path: Path) -> None:
    version = wheel.name.split("-")[1]
    assert version in run(python.with_name("kproto"), "--version", cwd=tmp_path)


def test_as_a_module_it_is_the_command(wheel: Path, python: Path, tmp_path: Path) -> None:
    version = wheel.name.split("-")[1]
    assert version in run(python, "-I", "-m", "kproto", "--version", cwd=tmp_path)
    code = "import kproto; print(kproto.__version__, kproto.codec.__name__)"
    assert run(python, "-I", "-c", code, cwd=tmp_path) == f"{version} kproto.codec\n"


def test_an_extra_comes_from_the_wheel_too(wheel: Path, python: Path, tmp_path: Path) -> None:
    """The hint of a command that needs more is a command that installs it."""
    command = (python.with_name("kproto"), "audit", tmp_path, "--out", tmp_path / "audit")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    _, _, hint = done.stderr.partition(": pip install ")
    assert shlex.split(hint) == [f"{wheel}[audit]"]
    pip = (sys.executable, "-m", "pip", "--python", python, "--quiet")
    run(*pip, "install", "--dry-run", "--no-deps", *shlex.split(hint), cwd=tmp_path)


def test_the_command_decodes_what_java_wrote(python: Path, tmp_path: Path) -> None:
    vectors = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    vector = next(v for v in vectors if v["kind"] == "valid" and v["version"] == 3)
    kproto = python.with_name("kproto")
    line = run(kproto, "decode", vector["hex"], "--as", vector["name"], "--json", cwd=tmp_path)
    seen = json.loads(line)
    assert (seen["name"], seen["version"], seen["error"]) == (vector["name"], 3, None)
    assert seen["message"] == vector["json"]


def test_every_public_module_imports(python: Path, tmp_path: Path) -> None:
    imported = run(python, "-I", "-W", "error", "-c", IMPORTS, cwd=tmp_path).split()
    rooms = {".".join(name.split(".")[:2]) for name in imported} | {"kproto"}
    assert rooms | {"kproto.pipeline"} >= set(FOLDERS)
    assert {"kproto.codec.messages", "kproto.tools.main"} <= set(imported)


def test_a_users_script_runs(python: Path, tmp_path: Path) -> None:
    printed = run(python, "-I", "-W", "error", HERE / "users_script.py", cwd=tmp_path)
    topic = "0006" + b"orders".hex()
    assert printed.split(maxsplit=1)[0] == (
        f"0002 00000001 {topic} ffffffff 00000001 {topic} 00000002 00000000 00000001 00000007"
    ).replace(" ", "")
    assert "['Note'] 000568656c6c6f05 " in printed
    assert printed.endswith('{"text": "hello", "stars": 5}\n')


def test_a_users_script_is_type_checked(python: Path, tmp_path: Path) -> None:
    """Strictly, and for real: right code passes, and each mistake is refused where it stands."""
    shutil.copy(HERE / "users_script.py", tmp_path)
    (tmp_path / "mistakes.py").write_text(MISTAKES, encoding="utf-8")
    report = run(
        *(sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", tmp_path),
        *("--python-executable", python, "users_script.py", "mistakes.py"),
        cwd=tmp_path,
        status=1,
    )
    refused = set(re.findall(r"^(\w+\.py):(\d+): error", report, re.MULTILINE))
    assert refused == {
        ("mistakes.py", str(number))
        for number, line in enumerate(MISTAKES.splitlines(), start=1)
        if "# refused" in line
    }, report
