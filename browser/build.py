"""Build the page: `python -m kproto.browser.build DOWNLOADS OUT`.

OUT becomes a folder to serve: `index.html` streams and caches the files beside it. `kproto.html`
has everything inside, for a browser that opens it as a file, from where nothing can be fetched.
`downloads.py` has filled DOWNLOADS; the Python packages are those that are installed here.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from .. import __version__
from ..capture.text.catalogue import FORMS
from ..codec import ConsumerProtocolSubscription
from ..rebalance.simulation.views import sequence

WEB = Path(str(files(__package__).joinpath("web")))
SCRIPTS = (
    "dom.js",
    "worker_client.js",
    "message.js",
    "lists.js",
    "views.js",
    "forms.js",
    "groups.js",
    "page.js",
)
"""In the order in which they are put together: each imports only from those before it."""
PACKAGES = ("construct", "dpkt", "jinja2", "markupsafe", "rich", "typing_extensions")
RECORD_READER = ("codec.py", "errors.py", "structs.py", "record")
"""The parts of aiokafka that read record batches, in Python alone. The others need sockets."""
NOT_NEEDED = {"fuzz", "native", "web", "__pycache__"}
WORDS_OF_FUZZ = ("__init__.py", "contract.py", "guarantees", "subject.py")
"""The parts of `fuzz` that have the names of guarantees, which `explain` explains."""
EXAMPLES = Path(str(files(__package__).joinpath("examples.json")))


def build(downloads: Path, out: Path) -> None:
    """Build the folder anew."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    pyodide = downloads / "npm" / "pyodide"
    with tempfile.TemporaryDirectory(prefix="kproto-page-") as scratch:
        modules, late, stdlib = (Path(scratch) / name for name in ("modules", "late", "stdlib"))
        _collect_modules(modules)
        _copy(downloads / "wheels" / "msgspec" / "msgspec", modules / "msgspec")
        _copy(downloads / "wheels" / "cramjam" / "cramjam", late / "cramjam")
        with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive_file:
            archive_file.extractall(stdlib)
        compiler = WEB.parent / "compile.mjs"
        _run_node(compiler, pyodide, stdlib, modules, late)
        _zip(stdlib, out / "python_stdlib.zip")
        snapshot = Path(scratch) / "snapshot"
        maker, library = WEB.parent / "snapshot.mjs", out / "python_stdlib.zip"
        _run_node(maker, pyodide, library, modules, snapshot)
        (out / "snapshot.pack").write_bytes(gzip.compress(snapshot.read_bytes(), 9, mtime=0))
        (out / "modules.pack").write_bytes(_pack(modules))
        (out / "cramjam.pack").write_bytes(_pack(late))
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        shutil.copy(pyodide / name, out / name)
    site_files = sorted(out.iterdir())
    (out / "index.html").write_text(_page({}), encoding="utf-8")
    (out / "kproto.html").write_text(_page(_inlined(site_files)), encoding="utf-8")
    (out / "LICENSES.txt").write_text(_licenses(), encoding="utf-8")


def _run_node(*words: Path) -> None:
    node = shutil.which("node")
    if node is None:
        sys.exit("make page needs node (on Debian the package nodejs)")
    subprocess.run([node, *words], check=True)


# -- the modules


def _collect_modules(folder: Path) -> None:
    """Copy kproto and the packages that it needs into a folder."""
    for name in ("kproto", *PACKAGES):
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        origin = Path(spec.origin)
        if origin.name == "__init__.py":
            _copy(origin.parent, folder / name)
        else:
            shutil.copy(origin, folder / origin.name)
    fuzz = Path(str(files("kproto.fuzz").joinpath("__init__.py"))).parent
    for part in WORDS_OF_FUZZ:
        _copy(fuzz / part, folder / "kproto" / "fuzz" / part)
    aiokafka = distribution("aiokafka")
    for part in RECORD_READER:
        source = Path(str(aiokafka.locate_file(f"aiokafka/{part}")))
        _copy(source, folder / "aiokafka" / part)
    (folder / "aiokafka" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "aiokafka" / "util.py").write_text("NO_EXTENSIONS = True\n", encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    """Copy what a browser can run of a package, or a file."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        is_needed = NOT_NEEDED.isdisjoint(relative.parts) and (
            path.suffix in {".py", ".json", ".toml", ".jinja"}
            or path.name.endswith("emscripten.so")
        )
        if is_needed and path.is_file():
            (target / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target / relative)


def _pack(folder: Path) -> bytes:
    """Return the files of a folder as one: gzip of a line of JSON, `[[name, size], ...]`, and of
    their bytes, one after the other. A browser unpacks gzip while it arrives, a zip it does not."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    index = [[path.relative_to(folder).as_posix(), path.stat().st_size] for path in paths]
    head = json.dumps(index, separators=(",", ":")).encode() + b"\n"
    return gzip.compress(head + b"".join(path.read_bytes() for path in paths), 9, mtime=0)


def _zip(folder: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive_file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive_file.writestr(entry, path.read_bytes())


# -- the page


def _page(files_inside: Mapping[str, str]) -> str:
    """Return the HTML. `files_inside` has the files that are inside of it, as gzip in base64."""
    style = (WEB / "style.css").read_text(encoding="utf-8")
    script = _script()
    values = {
        "policy": _policy(script, style, is_one_file=bool(files_inside)),
        "version": __version__,
        "style": style,
        "script": script,
        "worker": (WEB / "worker.js").read_text(encoding="utf-8"),
        "examples": _examples(),
        "versions": _versions(),
        "forms": "".join(f"<option>{form.name}</option>" for form in FORMS),
        "files": "\n".join(
            f'<script type="text/plain" data-file="{name}">{text}</script>'
            for name, text in files_inside.items()
        ),
    }
    html = (WEB / "index.html").read_text(encoding="utf-8")
    for name, text in values.items():
        html = html.replace(f"<!--{name}-->", text)
    return html


def _versions() -> str:
    """Return the versions of the consumer protocol, the newest one chosen."""
    *older, newest = ConsumerProtocolSubscription.VERSIONS
    options = "".join(f"<option>{version}</option>" for version in older)
    return f"{options}<option selected>{newest}</option>"


def _script() -> str:
    """Return the modules of the page as one script, without what imports and exports them; with it
    the script of a simulation's page, which acts on the frame's document."""
    lines = ['"use strict"; (() => {']
    for name in SCRIPTS:
        text = (WEB / name).read_text(encoding="utf-8")
        lines += [
            line.removeprefix("export ")
            for line in text.splitlines()
            if not line.startswith("import ")
        ]
    return "\n".join([*lines, f"function play(document) {{{sequence.SCRIPT}}}", "})();", ""])


def _policy(script: str, style: str, *, is_one_file: bool) -> str:
    """Return the Content-Security-Policy, which the worker and the frames inherit."""
    own = "blob:" if is_one_file else "'self' blob:"
    rules = {
        "default-src": "'none'",
        "script-src": f"{own} 'wasm-unsafe-eval' {_hash(script)}",
        "style-src": _hash(style),
        "worker-src": "blob:",
        "connect-src": "'none'" if is_one_file else "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _examples() -> str:
    """Return the examples as JSON, with the files that they name."""
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for example in examples.values():
        if "path" in example:
            data = Path(example.pop("path")).read_bytes()
            example["base64"] = base64.b64encode(data).decode()
    return json.dumps(examples).replace("<", "\\u003c")


def _inlined(paths: Iterable[Path]) -> dict[str, str]:
    return {
        path.name: base64.b64encode(
            path.read_bytes()
            if path.suffix == ".pack"
            else gzip.compress(path.read_bytes(), 9, mtime=0)
        ).decode()
        for path in paths
    }


def _licenses() -> str:
    """Return what is in the folder besides kproto, with the licenses of it."""
    parts = [
        f"kproto {__version__}: Apache-2.0",
        "Pyodide: MPL-2.0, its source is https://github.com/pyodide/pyodide; with CPython: PSF-2.0",
    ]
    for name in ("aiokafka", "cramjam", "msgspec", *PACKAGES):
        package = distribution(name.replace("_", "-"))
        texts = [
            Path(str(path.locate())).read_text(encoding="utf-8")
            for path in package.files or ()
            if path.name.upper().startswith(("LICENSE", "COPYING")) and ".dist-info" in str(path)
        ]
        parts.append("\n\n".join([f"{name} {package.version}", *texts]))
    return f"\n\n{'-' * 80}\n\n".join(parts)


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
