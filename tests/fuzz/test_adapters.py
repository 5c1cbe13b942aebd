"""The adapters that `kproto conform --init` writes: each builds, says what is missing, and passes
once its two calls are filled in with those of a correct client (tests/fuzz/adapters).
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from kproto.fuzz.adapters import ADAPTERS
from kproto.tools.commands.conform import LANGUAGES
from kproto.tools.main import main

from .foreign.strangers import CLIENTS, TOOLS, build


def written(language: str, folder: Path) -> Path:
    assert main(["conform", "--init", language, "--out", str(folder)]) == 0
    return folder


def judged(language: str, folder: Path, *options: str) -> int:
    build(language, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        start = ADAPTERS[language].start.split()
        return main(["conform", "--time", "5m", "--timeout", "10s", *options, "--", *start])


def test_the_command_and_the_package_know_the_same_languages() -> None:
    assert set(LANGUAGES) == set(ADAPTERS) == {*TOOLS, "typescript"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_adapter_is_written_once_and_names_what_comes_next(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(language, tmp_path / "adapter")
    text = capsys.readouterr().out
    assert ADAPTERS[language].calls in text and ADAPTERS[language].start in text
    names = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert ADAPTERS[language].calls in names
    calls = folder / ADAPTERS[language].calls
    calls.write_text("mine")
    assert main(["conform", "--init", language, "--out", str(folder)]) == 2
    assert "exists" in capsys.readouterr().err
    assert calls.read_text() == "mine"


@pytest.mark.parametrize(
    "language",
    ["python", *(pytest.param(name, marks=pytest.mark.slow) for name in TOOLS if name != "python")],
)
def test_what_is_not_filled_in_is_said(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    assert judged(language, written(language, tmp_path)) == 3
    assert "decode is to be filled in" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("language", TOOLS)
def test_it_passes_with_both_calls_filled_in(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    folder = written(language, tmp_path)
    calls = folder / ADAPTERS[language].calls
    shutil.copy(CLIENTS / calls.name, calls)
    capsys.readouterr()
    assert judged(language, folder) == 0
    report = capsys.readouterr().out
    assert "required: nothing broken" in report
    assert "G11-round-trip" in report and "G13-refuses-to-write" in report
    assert "{'" not in report  # values are JSON


TYPED = """
type Read = { version: number, value: object, remainder: Uint8Array }

export function decode(bytes: DataView): Read {
  const version: number = bytes.getInt16(0)
  if (version !== 0) throw new RangeError(`version ${version}`)
  return { version, value: { topics: [] }, remainder: new Uint8Array(bytes.buffer, 10) }
}
"""
"""A client in TypeScript, which reads an empty subscription of version 0."""
IMPORTED = """
import { decode as read } from './build/client.mjs'
export const client = 'typed', release = '1', names = ['ConsumerProtocolSubscription']
export class Unsupported extends Error {}
export function decode(name, bytes) {
  const { remainder, ...answer } = read(new DataView(new Uint8Array(bytes).buffer))
  return { ...answer, remainder: Buffer.from(remainder) }
}
export function encode() { throw new Unsupported('later') }
"""


@pytest.mark.slow
def test_a_client_in_typescript_is_imported_by_the_adapter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need("javascript")
    folder = written("typescript", tmp_path)
    (folder / "client.mts").write_text(TYPED)
    (folder / "calls.mjs").write_text(IMPORTED)
    npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", "typescript@5.9.3")
    compiler = folder / "node_modules" / ".bin" / "tsc"
    options = ("--target", "es2022", "--module", "nodenext", "--outDir", "build")
    subprocess.run([compiler, *options, "client.mts"], cwd=folder, check=True, timeout=300)
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        asked = ("--ask", "000000000000ffffffff00", "--", "node", "adapter.mjs")
        assert main(["conform", "--timeout", "10s", *asked]) == 0
    assert 'typed 1 reads version 0 {"topics": []}, 1 byte left' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "advice"),
    [("perl", "there are: c, go"), ("pyton", "did you mean 'python'?"), ("C++", "fifty lines")],
)
def test_a_language_without_an_adapter_has_a_page(
    word: str, advice: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", "--init", word, "--out", str(tmp_path / "adapter")]) == 2
    error = capsys.readouterr().err
    assert advice in error and "docs/reference/conform.md" in error
    page = Path(__file__).parents[2] / "docs" / "reference" / "conform.md"
    assert page.read_text("utf-8").rstrip().count("## An adapter in fifty lines") == 1


def npm(folder: Path, *words: str) -> None:
    """Run npm in a folder; skip the test where there is none."""
    program = shutil.which("npm") or pytest.skip("npm is not installed")
    subprocess.run([program, *words], cwd=folder, check=True, timeout=300, capture_output=True)


WITHOUT_ENCODER = {
    "c": (
        "unsigned char **data, size_t *size,\n           const char **why) {\n",
        '    *why = "later";\n    return UNSUPPORTED;\n',
    ),
    "go": ("message Message) ([]byte, error) {\n", '\treturn nil, Unsupported("later")\n'),
    "java": (
        "Map<String, Object> value) throws Exception {\n",
        'if (value != null) throw new UnsupportedOperationException("later");\n',
    ),
    "javascript": ("encode(name, version, value) {\n", "throw new Unsupported('later')\n"),
    "python": ("def encode(name, version, value):\n", '    raise NotImplementedError("later")\n'),
    "rust": (
        "message: Message) -> Result<Vec<u8>, Failure> {\n",
        'if true { return Err(Failure::Unsupported("later".into())); }\n',
    ),
}
"""What comes into the encoder of a correct client, and in front of what."""


@pytest.mark.slow
@pytest.mark.parametrize("language", TOOLS)
def test_a_client_that_writes_nothing_is_judged_as_a_reader(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    need(language)
    folder = written(language, tmp_path)
    calls = folder / ADAPTERS[language].calls
    head, lines = WITHOUT_ENCODER[language]
    source = (CLIENTS / calls.name).read_text()
    assert source.count(head) == 1
    calls.write_text(source.replace(head, head + lines))
    capsys.readouterr()
    few = [word for name in ("G03", "G11", "G13") for word in ("--guarantee", name)]
    assert judged(language, folder, *few) == 0
    report = capsys.readouterr().out
    assert 'note: it answers "unsupported" to every encode: judged as a client without' in report
    assert re.search(r"✓ G03.*\n * · G11.*\n.*every encode\n * · G13", report)
    assert "incomplete" not in report


def need(language: str) -> None:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not installed")


class Own(NamedTuple):
    """A client in the folder above its adapter, and how the adapter that was written reaches it."""

    files: dict[str, str]
    uncommented: str
    """The file whose comment of it becomes code."""
    comment: str
    used: dict[str, str]
    """What uses it, in the place of pieces of the calls."""


OWN = {
    "go": Own(
        {"go.mod": "module example.com/client\n\ngo 1.21\n", "client.go": "package client\n"
         'const Release = "9"\n'},
        "go.mod", r"^// (require|replace) ",
        {"import (": 'import (\n\town "example.com/client"',
         'release = "1.0"': "release = own.Release"},
    ),
    "rust": Own(
        {"Cargo.toml": '[package]\nname = "client"\nversion = "0.1.0"\n\n[workspace]\n',
         "src/lib.rs": 'pub const RELEASE: &str = "9";\n'},
        "Cargo.toml", r"^# (client) ",
        {'pub const RELEASE: &str = "1.0"': "pub use client::RELEASE"},
    ),
    "javascript": Own(
        {"client.mjs": "export const release = '9'\n"},
        "calls.mjs", r"^// (import) ",
        {"release = '1.0'": "release = own.release"},
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", OWN)
def test_an_adapter_reaches_a_client_in_the_folder_above(language: str, tmp_path: Path) -> None:
    need(language)
    own = OWN[language]
    for name, text in own.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    folder = written(language, tmp_path / "kproto-adapter")
    file = folder / own.uncommented
    file.write_text(re.sub(own.comment, r"\1 ", file.read_text(), flags=re.MULTILINE))
    calls = folder / ADAPTERS[language].calls
    text = calls.read_text()
    for piece, other in own.used.items():
        assert piece in text
        text = text.replace(piece, other, 1)
    calls.write_text(text)
    build(language, folder)
    start = ADAPTERS[language].start.split()
    hello = subprocess.run(
        start, check=False, cwd=folder, input=b'{"id": 1, "op": "hello"}\n', capture_output=True
    )
    assert b'"release":"9"' in hello.stdout.replace(b" ", b""), hello.stderr
