"""Fetch what the page is built from, through npm and pip as they are set up on this machine.

    python -m kproto.browser.downloads FOLDER

leaves `FOLDER/npm/NAME/` and `FOLDER/wheels/NAME/`, unpacked. Each archive has the hash that
`downloads.toml` states, or nothing is unpacked.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

PINS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("downloads.toml").read_text(encoding="utf-8")
)


def fetch_all(folder: Path) -> None:
    """Fetch every package of `downloads.toml` into a folder."""
    for name, (version, integrity) in PINS["npm"].items():
        _fetch_npm(folder / "npm", name, version, integrity)
    wheels = dict(PINS["wheels"])
    target = {"platform": wheels.pop("platform"), "python": wheels.pop("python")}
    for name, (version, digest) in wheels.items():
        _fetch_wheel(folder / "wheels", name, version, digest, target)


def _fetch_npm(folder: Path, name: str, version: str, integrity: str) -> None:
    archives = _emptied(folder / f"{name}.archive")
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("make page needs npm (on Debian the packages nodejs and npm)")
    subprocess.run(
        [npm, "pack", "--silent", f"{name}@{version}", "--pack-destination", archives],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (archive,) = archives.iterdir()
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    _check(name, f"sha512-{digest}", integrity)
    with tarfile.open(archive) as archive_file:
        archive_file.extractall(archives, filter="data")
    _put(archives / "package", folder / name)
    shutil.rmtree(archives)


def _fetch_wheel(
    folder: Path, name: str, version: str, digest: str, target: dict[str, str]
) -> None:
    archives = _emptied(folder / f"{name}.archive")
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--only-binary", ":all:", "--platform", target["platform"],
            "--python-version", target["python"], "--dest", archives, f"{name}=={version}",
        ],
        check=True,
    )  # fmt: skip
    (archive,) = archives.iterdir()
    _check(name, f"sha256:{hashlib.sha256(archive.read_bytes()).hexdigest()}", digest)
    with zipfile.ZipFile(archive) as archive_file:
        archive_file.extractall(archives / "unpacked")  # noqa: S202  # of a zip, and of a known hash
    _put(archives / "unpacked", folder / name)
    shutil.rmtree(archives)


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _put(unpacked: Path, place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    unpacked.rename(place)


def _check(name: str, digest: str, pinned: str) -> None:
    if digest != pinned:
        sys.exit(f"{name} has the hash {digest}, and downloads.toml has {pinned}")


if __name__ == "__main__":
    fetch_all(Path(sys.argv[1]))
