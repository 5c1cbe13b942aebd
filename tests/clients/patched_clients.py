"""Releases of clients that can be changed, by the package managers of their languages.

A release is fetched into a folder under build/, tested there, and put behind the line protocol by
the adapter that kproto has for it (fuzz/clients), built against the folder instead of the registry.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from kproto.fuzz.clients import CLIENTS
from kproto.fuzz.clients import command as adapter_command

_ROOT = Path(__file__).parents[2]
SCRATCH = _ROOT / "build" / "patches"
_CLIENTS = _ROOT / "fuzz" / "clients"


def _run(*command: str, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    process = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} failed: {process.stderr[-800:]}")
    return process.stdout


def arguments_of(adapter: str) -> tuple[str, ...]:
    """Return what names an adapter's program to the tools of its language."""
    start = CLIENTS[adapter].start
    assert isinstance(start, partial)
    return tuple(start.args)


class Client(ABC):
    """A release of a client in a folder of its own."""

    def __init__(self, release: str, folder: Path) -> None:
        self.release = release
        self.folder = folder

    @property
    @abstractmethod
    def source(self) -> Path:
        """Where the client's text is, which the paths of a patch begin at."""

    @abstractmethod
    def fetch(self) -> None:
        """Bring the release into the folder."""

    @abstractmethod
    def command(self, adapter: str) -> tuple[str, ...]:
        """Return the command of an adapter of kproto that runs this text."""

    def build(self, adapter: str) -> None:  # noqa: B027 (scripts need none)
        """Build an adapter, where it has to be built."""

    def environment(self) -> Mapping[str, str]:
        """Return the variables for its tests."""
        return {}


class Node(Client):
    """A package of npm; the release is NAME@VERSION, and its tests need jest or node alone."""

    _JEST = "30.2.0"

    @property
    def source(self) -> Path:
        return self.folder / "source"

    def fetch(self) -> None:
        name = self.release.rpartition("@")[0]
        modules = self._install_all()
        installed = json.loads((modules / "node_modules" / name / "package.json").read_text())
        if f"{name}@{installed['version']}" != self.release:
            raise RuntimeError(f"the adapters have {name} {installed['version']}")
        shutil.copytree(modules / "node_modules" / name, self.source, symlinks=True)
        for script in _CLIENTS.glob("node/*.mjs"):
            shutil.copy2(script, self.folder)
        # What the client requires is found from its folder upwards.
        (self.folder / "node_modules").mkdir()
        for module in (modules / "node_modules").iterdir():
            if module.name not in name:
                (self.folder / "node_modules" / module.name).symlink_to(module)
        link = self.folder / "node_modules" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(self.source)
        if "/" in name:
            for module in (modules / "node_modules" / name).parent.iterdir():
                if not (path := link.parent / module.name).exists():
                    path.symlink_to(module)

    def _install_all(self) -> Path:
        """Return the folder with the clients of npm, and jest."""
        modules = SCRATCH / "npm"
        if not (modules / "ready").exists():
            shutil.copytree(_CLIENTS / "node", modules, dirs_exist_ok=True)
            self._install(modules)
            self._install(modules, f"jest@{self._JEST}")
            (modules / "ready").touch()
        return modules

    @staticmethod
    def _install(folder: Path, *packages: str) -> None:
        _run("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund",
             "--omit=optional", "--loglevel=error", *packages, cwd=folder)  # fmt: skip

    def command(self, adapter: str) -> tuple[str, ...]:
        return (
            "node",
            "--max-old-space-size=512",
            str(self.folder / arguments_of(adapter)[0]),
        )

    def environment(self) -> Mapping[str, str]:
        # jest takes nothing for a test that is under a folder node_modules.
        jest = SCRATCH / "npm" / "node_modules" / "jest" / "bin" / "jest.js"
        return {"JEST": f"node {jest} --rootDir {self.source} --config {{}}"}


class NodeAddon(Node):
    """A package of npm with a compiled addon, which the adapter of kproto has built."""

    def fetch(self) -> None:
        self._install_all()
        script = Path(adapter_command("kafka-javascript")[-1])
        shutil.copytree(script.parent, self.folder, symlinks=True, dirs_exist_ok=True)
        package = self.folder / "node_modules" / self.release.rpartition("@")[0]
        package.rename(self.source)
        package.symlink_to(self.source)

    def command(self, adapter: str) -> tuple[str, ...]:
        *command, script = adapter_command(adapter)
        return (*command, str(self.folder / Path(script).name))


class Go(Client):
    """A module; the release is PATH@VERSION."""

    _ENVIRONMENT: Mapping[str, str] = {
        "GOFLAGS": "-mod=mod",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
    }

    @property
    def source(self) -> Path:
        return self.folder / "source"

    def fetch(self) -> None:
        listing = _run("go", "mod", "download", "-json", self.release, cwd=self.folder,
                       env=self._ENVIRONMENT)  # fmt: skip
        shutil.copytree(json.loads(listing)["Dir"], self.source)
        _run("chmod", "-R", "u+w", str(self.source), cwd=self.folder)
        adapters = self.folder / "adapters"
        shutil.copytree(_CLIENTS / "go", adapters)
        path = self.release.partition("@")[0]
        _run("go", "mod", "edit", f"-replace={path}={self.source}", cwd=adapters,
             env=self._ENVIRONMENT)  # fmt: skip

    def build(self, adapter: str) -> None:
        program = self._program(adapter)[0]
        _run("go", "build", "-o", f"{self.folder}{os.sep}", f"./{program}",
             cwd=self.folder / "adapters",
             env={**self._ENVIRONMENT, "CGO_ENABLED": "0"})  # fmt: skip

    def command(self, adapter: str) -> tuple[str, ...]:
        program, *arguments = self._program(adapter)
        return (str(self.folder / program), *arguments)

    @staticmethod
    def _program(adapter: str) -> tuple[str, ...]:
        return arguments_of(adapter)

    def environment(self) -> Mapping[str, str]:
        return self._ENVIRONMENT


class Python(Client):
    """A package of PyPI; the release is NAME==VERSION, with `wheel:` in front where the text is
    that of the wheel, which has the compiled parts.
    """

    @property
    def source(self) -> Path:
        return self.folder / "source"

    def fetch(self) -> None:
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        if self.release.startswith("wheel:"):
            _run(*pip, "install", "--no-deps", "--target", str(self.source),
                 self.release.removeprefix("wheel:"), cwd=self.folder)  # fmt: skip
            return
        _run(*pip, "download", "--no-deps", "--no-binary", ":all:", self.release, cwd=self.folder)
        (archive,) = self.folder.glob("*.tar.gz")
        shutil.unpack_archive(archive, self.folder, filter="data")
        archive.unlink()
        (unpacked,) = self.folder.iterdir()
        unpacked.rename(self.source)

    def command(self, adapter: str) -> tuple[str, ...]:
        first = ("env", f"PYTHONPATH={self.source}", sys.executable)
        script, *_ = arguments_of(adapter)
        if script.endswith(".py"):
            return (*first, str(_CLIENTS / "python" / script))
        return (*first, "-m", "kproto.fuzz.clients", adapter)

    def environment(self) -> Mapping[str, str]:
        # Before the site's own packages, one of which is the same client.
        pytest = f"{sys.executable} -m pytest -p no:cacheprovider --rootdir . -c /dev/null -q"
        return {"PYTHONPATH": str(self.source), "PYTEST": pytest}


class Rust(Client):
    """A crate; the release is NAME@VERSION, and the adapter is the folder of that name."""

    @property
    def source(self) -> Path:
        return self.folder / "source"

    def fetch(self) -> None:
        adapter = self.folder / "adapter"
        name, _, version = self.release.partition("@")
        shutil.copytree(_CLIENTS / ("rust" if name == "kafka-protocol" else name), adapter)
        manifest = json.loads(_run("cargo", "metadata", "--format-version", "1", cwd=adapter))
        (place,) = (
            package["manifest_path"]
            for package in manifest["packages"]
            if package["name"] == name and package["version"] == version
        )
        shutil.copytree(Path(place).parent, self.source)
        with (adapter / "Cargo.toml").open("a") as text:
            text.write(f'\n[patch.crates-io]\n{name} = {{ path = "../source" }}\n')
        # The toolchain that the release names need not be installed; containers are not started.
        (self.source / "rust-toolchain.toml").unlink(missing_ok=True)
        own = self.source / "Cargo.toml"
        sections = re.split(r"(?m)^(?=\[)", own.read_text())
        of_tests = ("[dev-dependencies", "[[test]]")
        own.write_text("".join(part for part in sections if not part.startswith(of_tests)))

    def build(self, adapter: str) -> None:
        _run("cargo", "build", "--release", "--quiet", cwd=self.folder / "adapter",
             env=self.environment())  # fmt: skip

    def command(self, adapter: str) -> tuple[str, ...]:
        return (str(SCRATCH / "cargo" / "release" / "adapter"),)

    def environment(self) -> Mapping[str, str]:
        return {"CARGO_TARGET_DIR": str(SCRATCH / "cargo")}  # one for all, which is built once


LANGUAGES: Mapping[str, type[Client]] = {
    "Go": Go,
    "JavaScript": Node,
    "JavaScript with an addon": NodeAddon,
    "Python": Python,
    "Rust": Rust,
}
