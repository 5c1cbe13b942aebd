"""The packages of this tree in another folder, where a test may change them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import kproto

ROOT = Path(__file__).parents[1]


class TreeCopy:
    """The packages of this tree below `folder`, with the compiled core but not its sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.packages = folder / "kproto"
        # With their caches, or hundreds of modules are compiled anew.
        shutil.copytree(Path(kproto.__file__).parent, self.packages, dirs_exist_ok=True)

    def run(
        self, module: str, *arguments: object, status: int = 0, text: str = "", **settings: str
    ) -> str:
        """Run a module as `python -m` of the copy, with the programs of this environment, this text
        on its standard input and these variables, and return what it printed."""
        paths = os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")])
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = os.environ | {"PYTHONPATH": paths, "PATH": programs} | settings
        result = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=self.folder, env=environment, input=text,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.returncode == status, result.stdout + result.stderr
        return result.stdout
