"""The generator of `codec/messages`: what stands there is what the definitions say."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from kproto import codec, schemas
from kproto.codec import messages
from kproto.codec.dialect.names import snake
from kproto.codec.generate import __main__ as generate
from kproto.codec.generate.docstrings import docstrings
from kproto.codec.generate.module import source
from kproto.codec.runtime.registry import built_in_spec


@pytest.fixture
def _own_ruff(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that stands beside this Python, as `make generate` takes it."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("_own_ruff")
def test_written_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {"assignment.py": "A = 1\n", "__init__.py": "B = 2\n"}
    monkeypatch.setattr(generate, "modules", lambda: made)
    (tmp_path / "gone.py").write_text("C = 3\n", encoding="utf-8")
    assert generate.main([str(tmp_path), "--check"]) == 1
    said = capsys.readouterr().out
    assert [name in said for name in ("gone.py", "assignment.py", "make generate")] == [True] * 3
    assert generate.main([str(tmp_path)]) == 0
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == made
    assert generate.main([str(tmp_path), "--check"]) == 0


@pytest.mark.usefixtures("_own_ruff")
def test_as_make_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(str(messages.__file__)).parent
    monkeypatch.setattr(sys, "argv", ["generate", str(folder), "--check"])
    # pytest rewrites the assertions of a package with a plugin, and cannot run its modules.
    plain = [finder for finder in sys.meta_path if not isinstance(finder, AssertionRewritingHook)]
    monkeypatch.setattr(sys, "meta_path", plain)
    monkeypatch.delitem(sys.modules, "kproto.codec.generate.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("kproto.codec.generate", run_name="__main__")
    assert ended.value.code == 0


MODULES = Path(str(messages.__file__)).parent


def test_the_table_of_programs_is_what_the_definitions_say(
    capfd: pytest.CaptureFixture[str],
) -> None:
    made = generate.formatted({"programs.py": generate._programs()})
    assert made == {"programs.py": (MODULES / "programs.py").read_text("utf-8")}
    assert capfd.readouterr() == ("", "")  # `make generate` says in a line what it wrote


@pytest.mark.parametrize(
    "name",
    [
        "ConsumerProtocolSubscription",  # versions in front, nullable bytes
        "SubscriptionInfoData",  # a head of versions to come
        "GroupMetadataKey",  # the type of a record in front
        "OffsetCommitValue",  # tagged fields
        "ConsumerGroupHeartbeatRequest",  # neither in front, nullable structs
    ],
)
def test_a_module_is_what_its_definition_says(name: str) -> None:
    spec = built_in_spec(name)
    docs = docstrings(spec, generate._head(schemas.text(name)))
    module = f"{snake(name)}.py"
    made = generate.formatted({module: source(spec, f"schemas/{name}.json", docs)})
    assert made == {module: (MODULES / module).read_text("utf-8")}


def test_every_message_is_there() -> None:
    for name in codec.built_in_names():
        cls = codec.message_class(name)
        assert name == cls.NAME
        assert getattr(codec, cls.__name__) is cls
