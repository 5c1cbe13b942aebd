"""How to install what an extra brings: from where kproto itself came.

What was installed from a folder, a repository or an archive is in no index under its name, or
something else is. The installer has recorded where it came from, in `direct_url.json` (PEP 610);
without that file it came from an index.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from importlib.metadata import distributions
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

NAME = "kproto"


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from where kproto was installed."""
    return " ".join(["pip install", *map(_quoted, arguments(_direct_url(), extra))])


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
    for found in distributions(name=NAME):
        try:
            origin = json.loads(found.read_text("direct_url.json") or "null")
        except ValueError:
            continue
        if isinstance(origin, Mapping):
            return origin
    return {}


def _at(revision: Mapping[Any, object]) -> str:
    """Return the commit that is installed: a branch may have moved since."""
    found = revision.get("commit_id") or revision.get("requested_revision")
    return f"@{found}" if found else ""


def _inside(origin: Mapping[str, object]) -> str:
    return f"#subdirectory={origin['subdirectory']}" if origin.get("subdirectory") else ""


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "file" and parts.netloc in ("", "localhost")


def _path(url: str) -> str:
    return url2pathname(urlsplit(url).path)


def _quoted(argument: str) -> str:
    return subprocess.list2cmdline([argument]) if os.name == "nt" else shlex.quote(argument)
