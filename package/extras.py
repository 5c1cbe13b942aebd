"""How to install what an extra brings: from where kproto itself came, by what installed it.

What was installed from a folder, a repository or an archive is in no index under its name, or
something else is. The installer has recorded where it came from, in `direct_url.json` (PEP 610);
without that file it came from an index.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "kproto"


_TOOLS = {
    "pipx_metadata.json": "pipx install --force",
    "uv-receipt.toml": "uv tool install --force",
}
"""What puts a program into an environment of its own, by the file that it leaves there."""


def install_command(extra: str, prefix: str = sys.prefix) -> str:
    """Return the command that installs an extra, from where kproto was installed."""
    return " ".join([_installer(prefix), *map(_quoted, arguments(_direct_url(), extra))])


def missing(what: str, package: str | None, extra: str) -> str:
    """Return the line about a package that something needs and that is not installed."""
    return f"{what} needs {package or 'more packages'}: {install_command(extra)}"


def _installer(prefix: str) -> str:
    for file, command in _TOOLS.items():
        if Path(prefix, file).exists():
            return command
    names = {
        (distribution.read_text("INSTALLER") or "").strip()
        for distribution in distributions(name=NAME)
    }
    return "uv pip install" if "uv" in names else "pip install"


def arguments(origin: Mapping[str, Any], extra: str) -> list[str]:
    """Return pip's arguments for an extra of what came from `origin`, the content of
    `direct_url.json`; an empty origin is an index.

    >>> origin = {"url": "https://host/x.git", "vcs_info": {"vcs": "git", "commit_id": "a1"}}
    >>> arguments(origin, "java")
    ['kproto[java] @ git+https://host/x.git@a1']
    """
    match origin:
        case {"url": str(url), "vcs_info": {"vcs": str(vcs), **revision}}:
            return [f"{NAME}[{extra}] @ {vcs}+{url}{_at(revision)}{_inside(origin)}"]
        case {"url": str(url), "dir_info": {"editable": True}} if _is_local(url):
            return ["--editable", f"{_path(url)}[{extra}]"]
        case {"url": str(url)} if _is_local(url):
            return [f"{_path(url)}[{extra}]"]
        case {"url": str(url)}:
            return [f"{NAME}[{extra}] @ {url}{_inside(origin)}"]
        case _:
            return [f"{NAME}[{extra}]"]


def _direct_url() -> Mapping[str, Any]:
    """Return the origin that the installer recorded; a folder of metadata beside the sources,
    which a build leaves there, has none."""
    for distribution in distributions(name=NAME):
        try:
            origin = json.loads(distribution.read_text("direct_url.json") or "null")
        except ValueError:
            continue
        if isinstance(origin, Mapping):
            return origin
    return {}


def _at(revision: Mapping[Any, object]) -> str:
    """Return the commit that is installed: a branch may have moved since."""
    commit = revision.get("commit_id") or revision.get("requested_revision")
    return f"@{commit}" if commit else ""


def _inside(origin: Mapping[str, object]) -> str:
    return f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "file" and parts.netloc in ("", "localhost")


def _path(url: str) -> str:
    return url2pathname(urlsplit(url).path)


def _quoted(argument: str) -> str:
    return subprocess.list2cmdline([argument]) if os.name == "nt" else shlex.quote(argument)
