"""`import kproto`, `python -m kproto`, and how an extra is installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from kproto.extras import arguments, install_command
from tests.rooms import FOLDERS

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COMMIT = "0c5b1a7f3f9d2f3a8b8f0a3a7d6b9d5e1c2f4a6b"


def python(*arguments: str, cwd: Path | None = None) -> str:
    """What a fresh Python prints."""
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=True, encoding="utf-8")
    return done.stdout


# -- import kproto


def test_the_version_is_that_of_the_project() -> None:
    said = python("-c", "import kproto; print(kproto.__version__)")
    assert said.strip() == PYPROJECT["project"]["version"]


def test_every_subpackage_is_an_attribute() -> None:
    rooms = [name.partition(".")[2] for name in FOLDERS]
    names = [room for room in rooms if room]
    code = f"import kproto; print([getattr(kproto, name).__name__ for name in {names!r}])"
    assert python("-c", code).strip() == str([f"kproto.{name}" for name in names])
    code = "import kproto; print(kproto.codec.ConsumerProtocolSubscription.NAME)"
    assert python("-c", code).strip() == "ConsumerProtocolSubscription"
    shown = python("-c", "import kproto; print(*dir(kproto))").split()
    assert {*names, "__version__"} <= set(shown)


def test_bytes_are_decoded_and_shown_in_a_notebook() -> None:
    code = (
        "import kproto; view = kproto.decode('AAAAAAABAAZvcmRlcnP/////'); "
        "print(view.message.topics, 'owned' in str(view), view._repr_html_()[:4]); "
        "print(kproto.decode('00010000000100066f7264657273ffffffff').message is None)"
    )
    assert python("-c", code).split() == ["('orders',)", "False", "<pre", "True"]


def test_no_other_name_is() -> None:
    code = "import kproto; print([hasattr(kproto, name) for name in ('codecs', '__all__')])"
    assert python("-c", code).strip() == "[False, False]"


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import kproto; print(*set(sys.modules) - before)"
    assert set(python("-c", code).split()) <= {"kproto", "__future__"}


def test_what_is_not_installed_has_no_version(tmp_path: Path) -> None:
    (tmp_path / "kproto").symlink_to(ROOT / "package")
    code = "import kproto; print(hasattr(kproto, '__version__'))"
    assert python("-S", "-c", code, cwd=tmp_path).strip() == "False"


# -- python -m kproto


def test_as_a_module_it_is_the_command(tmp_path: Path) -> None:
    said = python("-m", "kproto", "--version", cwd=tmp_path)
    assert said.startswith(f"kproto {PYPROJECT['project']['version']} ")


def test_in_the_source_tree_too() -> None:
    """No folder there is taken for the package."""
    assert "usage: kproto " in python("-m", "kproto", "--help", cwd=ROOT)


def test_its_exit_status_is_the_command_s(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kproto", "decode", "00"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


# -- how an extra is installed

# What pip and uv write for each way of installing (PEP 610), and what installs from there again.
URL = "https://host.example/team/kproto"
ORIGINS: dict[str, tuple[Any, list[str]]] = {
    "an index": ({}, ["kproto[spark]"]),
    "a folder": (
        {"url": "file:///home/me/kproto", "dir_info": {}},
        ["/home/me/kproto[spark]"],
    ),
    "an editable folder": (
        {"url": "file:///home/me/kproto", "dir_info": {"editable": True}},
        ["--editable", "/home/me/kproto[spark]"],
    ),
    "a folder with a space": (
        {"url": "file:///home/me/my%20work/kproto", "dir_info": {"editable": False}},
        ["/home/me/my work/kproto[spark]"],
    ),
    "a repository": (
        {"url": f"{URL}.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
        [f"kproto[spark] @ git+{URL}.git@{COMMIT}"],
    ),
    "a branch": (
        {
            "url": "ssh://git@host.example/team/kproto.git",
            "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": COMMIT},
        },
        [f"kproto[spark] @ git+ssh://git@host.example/team/kproto.git@{COMMIT}"],
    ),
    "a folder of a repository": (
        {
            "url": f"{URL}.git",
            "subdirectory": "python/kproto",
            "vcs_info": {"vcs": "git", "commit_id": COMMIT},
        },
        [f"kproto[spark] @ git+{URL}.git@{COMMIT}#subdirectory=python/kproto"],
    ),
    "a repository of this machine": (
        {"url": "file:///srv/kproto.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
        [f"kproto[spark] @ git+file:///srv/kproto.git@{COMMIT}"],
    ),
    "a repository, the commit unsaid": (
        {"url": f"{URL}.git", "vcs_info": {"vcs": "hg", "requested_revision": "1.0"}},
        [f"kproto[spark] @ hg+{URL}.git@1.0"],
    ),
    "a repository, nothing said": (
        {"url": f"{URL}.git", "vcs_info": {"vcs": "git"}},
        [f"kproto[spark] @ git+{URL}.git"],
    ),
    "an archive": (
        {"url": f"{URL}-0.1.0.tar.gz", "archive_info": {"hashes": {"sha256": "00"}}},
        [f"kproto[spark] @ {URL}-0.1.0.tar.gz"],
    ),
    "a folder of an archive": (
        {"url": f"{URL}.zip", "archive_info": {}, "subdirectory": "sub"},
        [f"kproto[spark] @ {URL}.zip#subdirectory=sub"],
    ),
    "a wheel of this machine": (
        {"url": "file:///srv/kproto-0.1.0-py3-none-any.whl", "archive_info": {}},
        ["/srv/kproto-0.1.0-py3-none-any.whl[spark]"],
    ),
    "a file of another machine": (
        {"url": "file://server/share/kproto.whl", "archive_info": {}},
        ["kproto[spark] @ file://server/share/kproto.whl"],
    ),
    "a url that is none": ({"url": 7, "dir_info": {}}, ["kproto[spark]"]),
}


@pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")
@pytest.mark.parametrize(("origin", "wanted"), ORIGINS.values(), ids=ORIGINS)
def test_an_extra_comes_from_where_kproto_came(origin: Any, wanted: list[str]) -> None:
    assert arguments(origin, "spark") == wanted
    if " @ " in wanted[-1]:  # as pip reads it
        requirement = Requirement(wanted[-1])
        assert (requirement.name, requirement.extras) == ("kproto", {"spark"})


def installed(place: Path, direct_url: str | None) -> Path:
    """A folder with the metadata of a kproto that was installed from there."""
    metadata = place / "kproto-9.9.9.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: kproto\nVersion: 9.9.9\n")
    if direct_url is not None:
        (metadata / "direct_url.json").write_text(direct_url, encoding="utf-8")
    return place


@pytest.fixture
def hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], str]:
    """Installs kproto from an origin, into the only place that is looked at."""

    def hint(direct_url: str | None) -> str:
        monkeypatch.setattr(sys, "path", [str(installed(tmp_path / "site", direct_url))])
        return install_command("java")

    return hint


@pytest.mark.parametrize("direct_url", [None, "", "{", "[]", "null", "{}", '{"url": null}'])
def test_where_nothing_is_recorded_it_is_an_index(
    hint: Callable[[str | None], str], direct_url: str | None
) -> None:
    assert hint(direct_url) == "pip install 'kproto[java]'"


@pytest.mark.skipif(os.name == "nt", reason="quotes of POSIX")
def test_the_command_is_one_for_a_shell(hint: Callable[[str | None], str]) -> None:
    origin = {"url": "file:///it%27s/here", "dir_info": {"editable": True}}
    assert hint(json.dumps(origin)) == """pip install --editable '/it'"'"'s/here[java]'"""


def test_metadata_of_a_build_in_the_sources_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tmp_path / "sources" / "kproto.egg-info"
    built.mkdir(parents=True)
    (built / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: kproto\nVersion: 9.9.9\n")
    origin = {"url": f"{URL}.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    site = installed(tmp_path / "site", json.dumps(origin))
    monkeypatch.setattr(sys, "path", [str(built.parent), str(site)])
    assert install_command("fuzz") == f"pip install 'kproto[fuzz] @ git+{URL}.git@{COMMIT}'"


CALL = r"(?:install_command\(|missing\([^()]*, )[\"'](\w+)[\"']\)"


def test_every_extra_that_a_message_names_exists() -> None:
    texts = [
        file.read_text(encoding="utf-8")
        for folder in FOLDERS.values()
        for file in (ROOT / folder).rglob("*.py")
    ]
    calls = {name for text in texts for name in re.findall(CALL, text)}
    of_commands = {name for text in texts for name in re.findall(r"(?m)^EXTRA = .(\w+).$", text)}
    assert calls and of_commands
    named = calls | of_commands
    assert named <= PYPROJECT["project"]["optional-dependencies"].keys()
    assert not [text for text in texts if re.search(r"pip install .?kproto", text)]
