"""`kproto codegen`: typed modules for definitions, from a file, a folder or a jar."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kproto.codec import VersionedMessage, compile_definition

from .conftest import ENVIRONMENT, Run
from .test_main import one_line


def definition(name: str, type_: str = "string") -> dict[str, Any]:
    field = {"name": "Value", "type": type_, "versions": "0+"}
    return {
        "type": "data", "name": name, "validVersions": "0-1", "framing": "version",
        "newerVersions": "clamp", "fields": [field],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Definitions of three messages, one of them deeper inside."""
    for path, name in (("Note.json", "Note"), ("sub/Memo.json", "Memo"), ("ID.json", "ACLNote")):
        file = tmp_path / "definitions" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(definition(name)), encoding="utf-8")
    return tmp_path / "definitions"


def test_one_is_printed(kproto: Run, folder: Path, tmp_path: Path) -> None:
    done = kproto("codegen", folder / "Note.json")
    assert done.stderr == b""
    (tmp_path / "note.py").write_bytes(done.stdout)
    note = runpy.run_path(str(tmp_path / "note.py"))["Note"]
    assert note is compile_definition(folder / "Note.json")
    assert issubclass(note, VersionedMessage)
    assert note.from_bytes(bytes.fromhex("0007 0001 61 ffff")) == note(value="a")  # a later version


def test_it_needs_no_ruff(kproto: Run, folder: Path) -> None:
    printed = kproto("codegen", folder / "Note.json").stdout
    assert kproto("codegen", folder / "Note.json", PATH="").stdout == printed


def test_a_folder_gives_a_file_a_message(kproto: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "messages"
    done = kproto("codegen", folder, "--out", out)
    assert done.stdout == b""
    assert f"3 modules written to {out}" in one_line(done.stderr)
    assert sorted(path.name for path in out.iterdir()) == ["acl_note.py", "memo.py", "note.py"]
    use = "from messages.memo import Memo; print(Memo(value='x').to_bytes().hex())"
    command = [sys.executable, "-W", "error", "-c", use]
    ran = subprocess.run(command, cwd=out.parent, capture_output=True, check=True, env=ENVIRONMENT)
    assert ran.stdout == b"0001000178\n"


def test_a_jar_and_some_of_it(kproto: Run, folder: Path, tmp_path: Path) -> None:
    jar = tmp_path / "some.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in folder.rglob("*.json"):
            archive.write(file, f"common/message/{file.name}")
    out = tmp_path / "out"
    kproto("codegen", jar, "--only", "Note", "--only", "Memo", "--out", out)
    assert sorted(path.name for path in out.iterdir()) == ["memo.py", "note.py"]
    assert "Generated from Note.json by" in (out / "note.py").read_text(encoding="utf-8")


def test_check_tells_what_is_out_of_date(kproto: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kproto("codegen", folder, "--out", out)
    assert kproto("codegen", folder, "--out", out, "--check").stdout == b""
    changed = json.dumps(definition("Note", "int64"))
    (folder / "Note.json").write_text(changed, encoding="utf-8")
    (out / "memo.py").unlink()
    before = (out / "note.py").read_bytes()
    done = kproto("codegen", folder, "--out", out, "--check", status=1)
    assert done.stdout.decode().split() == [str(out / "memo.py"), str(out / "note.py")]
    assert "2 files are not as the definitions say" in one_line(done.stderr)
    assert (out / "note.py").read_bytes() == before
    assert not (out / "memo.py").exists()
    kproto("codegen", folder, "--out", out)
    assert kproto("codegen", folder, "--out", out, "--check").stdout == b""


def test_a_file_of_somebody_else_stays(kproto: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "note.py").write_text("# mine\n", encoding="utf-8")
    done = kproto("codegen", folder, "--out", tmp_path, status=1)
    assert "note.py was not written by kproto codegen" in one_line(done.stderr)
    assert (tmp_path / "note.py").read_text(encoding="utf-8") == "# mine\n"
    assert not (tmp_path / "memo.py").exists()


def test_wrong_use(kproto: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for arguments, about in (
        ([folder], "3 messages: --out FOLDER gets a file each"),
        ([folder, "--only", "Notes"], "no definition of 'Notes'; there are: ACLNote, Memo, Note"),
        ([folder, "--check"], "--check compares the files of --out FOLDER"),
        ([tmp_path / "none"], "No such file"),
        ([folder, "--out", tmp_path / "file"], "file"),
        ([folder, "--out", tmp_path / "file", "--check"], "file"),
        ([], "DEFINITIONS"),
    ):
        status = 1 if about == "file" and "--check" in arguments else 2
        assert about in one_line(kproto("codegen", *arguments, status=status).stderr)


def test_what_breaks_a_rule_is_refused(kproto: Run, folder: Path) -> None:
    (folder / "Wrong.json").write_text(json.dumps(definition("Wrong", "int33")), encoding="utf-8")
    said = one_line(kproto("codegen", folder / "Wrong.json", status=1).stderr)
    assert "Wrong.json: Value: " in said
    assert "int33" in said


def test_two_messages_of_one_name(kproto: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "Other.json"
    other.write_text(json.dumps(definition("Note", "int8")), encoding="utf-8")
    done = kproto("codegen", folder, other, "--out", tmp_path / "out", status=1)
    assert "Other.json: a second definition of Note" in one_line(done.stderr)
    other.write_text(json.dumps(definition("AclNote")), encoding="utf-8")
    done = kproto("codegen", folder, other, "--out", tmp_path / "out", status=2)
    assert "two messages would be acl_note.py" in one_line(done.stderr)
    kproto("codegen", folder, folder / "Note.json", "--out", tmp_path / "out")  # twice the same
