"""Run `kproto page`: write the page where one pastes into a folder."""

from __future__ import annotations

import shutil
from argparse import Namespace
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path

from .output.failures import WRONG_USE, Failure, say


def run(arguments: Namespace) -> int:
    """Copy the page, which the extra brings, into a new or an empty folder."""
    site = files(import_module("kproto_page")).joinpath("site")  # late: it is the extra's
    out: Path = arguments.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Failure(f"--out: '{out}' is there already, and is no empty folder", WRONG_USE)
    with as_file(site) as folder:
        shutil.copytree(folder, out, dirs_exist_ok=True)
    say(f"wrote {out}: serve the folder, or open {out / 'kproto.html'} in a browser")
    return 0
