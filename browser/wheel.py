"""Make the wheel of the page: `python -m kproto.browser.wheel SITE OUT`.

The page is a distribution of its own, `kproto-page`, which the extra `[page]` of kproto asks for:
40 MB that nobody else has to download. It has the files and no code.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .. import __version__

PROJECT = f"""
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "kproto-page"
version = "{__version__}"
description = "The page of kproto where one pastes, for `kproto page --out DIR`"
readme = "README.md"
requires-python = ">=3.11"
license = "Apache-2.0 AND MPL-2.0 AND PSF-2.0 AND MIT AND BSD-3-Clause"

[tool.setuptools]
packages = ["kproto_page", "kproto_page.site"]
package-data = {{ "kproto_page.site" = ["*"] }}
"""
README = """# kproto-page

The files that `kproto page --out DIR` writes: kproto in a browser's WebAssembly, with Pyodide and
the packages that it needs. `kproto_page/site/LICENSES.txt` lists them. The extra `[page]` of kproto
brings it.
"""


def make_wheel(site: Path, out: Path) -> None:
    """Make the wheel out of the folder that `build.py` has built."""
    with tempfile.TemporaryDirectory(prefix="kproto-page-") as scratch:
        project = Path(scratch)
        (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
        (project / "README.md").write_text(README, encoding="utf-8")
        package = project / "kproto_page"
        shutil.copytree(site, package / "site")
        docstring = '"""The page of kproto, as files."""\n'
        (package / "__init__.py").write_text(docstring, encoding="utf-8")
        builder = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
        subprocess.run([*builder, "--outdir", out, project], check=True)


if __name__ == "__main__":
    make_wheel(Path(sys.argv[1]), Path(sys.argv[2]))
