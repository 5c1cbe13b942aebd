"""How the adapters of each language are built and started, by that language's own tools.

Each adapter is a few lines around the client's own code, in the folder of its language, where a
manifest pins the client and its dependencies. A folder is built once, as a whole, into the cache of
`building`; nothing is written into the source tree. Memory is bounded in each runtime's way: a heap
for the JVM and for node, the address space for all others (`limits`).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from pathlib import Path

from ...codec import message_class
from ...codec.runtime.registry import built_in_names
from ...extras import missing
from ..building import JavaUnavailable, Unavailable, cached, compile_java, fetch_jars, run
from ..oracles.java import compile_judge, fetch_kafka, kafka_classes

_SECONDS = 600
"""Seconds for a build, which may wait for a registry and for other builds."""

_HEAP = "--max-old-space-size=512"

_SOURCES = {".go", ".json", ".mjs", ".mod", ".py", ".rs", ".toml", ".txt"}

# The registries' answers are pinned by the manifests; sums and other toolchains are not fetched.
_GO = {"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off", "CGO_ENABLED": "0"}


def _need_package(name: str, oldest: int = 0) -> None:
    """Raise `Unavailable`, with the command that installs it, if a client's package is missing, or
    older than a major release.
    """
    try:
        release = int(version(name).partition(".")[0])
    except PackageNotFoundError:
        release = -1
    if release < oldest:
        raise Unavailable(missing("it", f"{name} {oldest or ''}".rstrip(), "clients"))


def installed(name: str, oldest: int = 0) -> tuple[str, ...]:
    """Return the command of a package of this environment. Raises `Unavailable`."""
    _need_package(name, oldest)
    return (sys.executable, "-m", str(__package__), name)


def go(program: str, *arguments: str) -> tuple[str, ...]:
    """Return the command of a Go program. Raises `Unavailable`."""
    return (str(_go("./...", "go.mod") / program), *arguments)


def go_older(program: str) -> tuple[str, ...]:
    """Return the command of a Go program with an older release of its client. Raises
    `Unavailable`.
    """
    return (str(_go(f"./{program}", "older.mod") / program),)


def _go(packages: str, manifest: str) -> Path:
    def fill(folder: Path) -> None:
        sources = _copy("go", folder.parent / "sources")
        run("go", "build", "-trimpath", "-modfile", manifest, "-o", f"{folder}{os.sep}", packages,
            cwd=sources, seconds=_SECONDS, env=_GO)  # fmt: skip

    return _build("go", fill, packages.encode(), manifest.encode())


def node(script: str, *arguments: str) -> tuple[str, ...]:
    """Return the command of a script for node. Raises `Unavailable`."""

    def fill(folder: Path) -> None:
        _npm(_copy("node", folder))

    script_path = str(_build("node", fill) / script)
    return (_path_of("node"), _HEAP, script_path, *arguments)


def _npm(folder: Path) -> None:
    run("npm", "install", "--prefix", str(folder), "--omit=optional", "--ignore-scripts",
        "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1",
        cwd=folder, seconds=_SECONDS)  # fmt: skip


def rust(folder: str) -> tuple[str, ...]:
    """Return the command of the Rust program in a folder. Raises `Unavailable`."""

    def fill(result: Path) -> None:
        sources, target = (
            _copy(folder, result.parent / "sources"),
            result.parent / "target",
        )
        run("cargo", "build", "--release", "--quiet", "--target-dir", str(target),
            cwd=sources, seconds=_SECONDS)  # fmt: skip
        shutil.copy2(target / "release" / "adapter", result)

    return (str(_build(folder, fill) / "adapter"),)


# librdkafka, by its bindings


def librdkafka(*program: str) -> tuple[str, ...]:
    """Return the command that drives a consumer: a program, or confluent-kafka of this environment.
    Raises `Unavailable`.

    glibc reserves 64 MiB for each thread that allocates, whenever it first does. That would count
    as what an answer takes, so that all threads share one heap.
    """
    if not program:
        _need_package("confluent-kafka")
    return (
        "env", "MALLOC_ARENA_MAX=1", sys.executable, "-m", f"{__package__}.librdkafka", *program,
    )  # fmt: skip


def librdkafka_python(release: str) -> tuple[str, ...]:
    """Return the command that drives that release of confluent-kafka. Raises `Unavailable`."""

    def fill(folder: Path) -> None:
        run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install",
            "--no-deps", "--only-binary", ":all:", "--target", str(folder),
            f"confluent-kafka=={release}",
            cwd=folder, seconds=_SECONDS)  # fmt: skip

    folder = cached("clients/confluent-kafka", release.encode(), sys.version.encode(), fill=fill)
    program = resources.files(__package__) / "consumers" / "confluent_kafka_python.py"
    return librdkafka(sys.executable, "-I", str(program), str(folder))


def librdkafka_go() -> tuple[str, ...]:
    """Return the command that drives confluent-kafka-go. Raises `Unavailable`."""

    def fill(folder: Path) -> None:
        sources = _copy("consumers/go", folder.parent / "sources")
        run("go", "build", "-trimpath", "-o", f"{folder}{os.sep}", ".",
            cwd=sources, seconds=_SECONDS, env={**_GO, "CGO_ENABLED": "1"})  # fmt: skip

    return librdkafka(str(_build("consumers/go", fill) / "consumer"))


def librdkafka_node() -> tuple[str, ...]:
    """Return the command that drives @confluentinc/kafka-javascript. Raises `Unavailable`.

    Its addon is built from the sources in its package: what npm would fetch comes from another
    place than its registry. librdkafka is built without what connections to other brokers need.
    """
    program = _path_of("node")
    headers = Path(program).resolve().parents[1] / "include" / "node"
    if not (headers / "node_version.h").is_file():
        raise Unavailable(f"the headers of node are not in {headers}")

    def fill(folder: Path) -> None:
        _npm(_copy("consumers/node", folder))
        _addon(folder / "node_modules", headers)

    folder = _build("consumers/node", fill, (headers / "node_version.h").read_bytes())
    # A log in a queue fills the heap of young objects, which would count as what an answer takes.
    heap = (_HEAP, "--max-semi-space-size=1")
    return librdkafka(program, *heap, str(folder / "consumer.mjs"))


def _addon(modules: Path, headers: Path) -> None:
    package = modules / "@confluentinc" / "kafka-javascript"
    library, addon = package / "deps" / "librdkafka", package / "build" / "Release"
    without = ("gssapi", "ssl", "curl", "zlib", "zstd", "lz4-ext")
    run(str(library / "configure"), "--enable-static", *(f"--disable-{name}" for name in without),
        cwd=library, seconds=_SECONDS)  # fmt: skip
    run("make", "-j2", "libs", cwd=library, seconds=_SECONDS)
    addon.mkdir(parents=True)
    folders = (headers, package, modules / "nan", library / "src", library / "src-cpp")
    run("g++", "-std=c++20", "-O1", "-w", "-s", "-shared", "-fPIC",
        "-DNODE_GYP_MODULE_NAME=confluent-kafka-javascript", "-DBUILDING_NODE_EXTENSION",
        *(f"-I{folder}" for folder in folders), *map(str, sorted((package / "src").glob("*.cc"))),
        str(library / "src-cpp" / "librdkafka++.a"), str(library / "src" / "librdkafka-static.a"),
        "-lpthread", "-ldl", "-o", str(addon / "confluent-kafka-javascript.node"),
        cwd=package, seconds=_SECONDS)  # fmt: skip
    shutil.rmtree(library)


def librdkafka_rust() -> tuple[str, ...]:
    """Return the command that drives rdkafka. Raises `Unavailable`."""
    return librdkafka(*rust("consumers/rust"))


def python(script: str) -> tuple[str, ...]:
    """Return the command of a script in an environment of its own. Raises `Unavailable`."""

    def fill(folder: Path) -> None:
        _copy("python", folder)
        run(sys.executable, "-m", "venv", str(folder / "venv"), cwd=folder, seconds=_SECONDS)
        run(str(folder / "venv" / "bin" / "python"), "-m", "pip", "--disable-pip-version-check",
            "--quiet", "install", "--requirement", "requirements.txt",
            cwd=folder, seconds=_SECONDS)  # fmt: skip

    folder = _build("python", fill, sys.version.encode(), sys.base_prefix.encode())
    return (str(folder / "venv" / "bin" / "python"), "-I", str(folder / script))


def java_member(release: str) -> tuple[str, ...]:
    """Return the command of a JVM with that release of the consumer. Raises `Unavailable`."""
    return _jvm("MemberAdapter", _pom(release))


def java_group_data(artifact: str, release: str) -> tuple[str, ...]:
    """Return the command of a JVM with that release of Connect or Streams, by the name of the jar
    that has the classes. Raises `Unavailable`.
    """
    pom = _pom(release)
    head, end, rest = pom.partition("</dependency>")
    dependency = head[head.rindex("<dependency>") :].replace("kafka-clients", artifact)
    return _jvm("GroupDataAdapter", f"{head}{end}\n    {dependency}{end}{rest}")


def _pom(release: str) -> str:
    return (_jvm_sources() / "pom.xml").read_text("utf-8").replace("RELEASE", release)


def _jvm_sources() -> Traversable:
    return resources.files(__package__) / "jvm"


def _jvm(program: str, pom: str) -> tuple[str, ...]:
    jvm = _path_of("java", search_path())
    jars = fetch_jars(pom.encode())
    adapter = compile_java((_jvm_sources() / f"{program}.java").read_bytes(), program, jars)
    return (jvm, *OPTIONS, "-cp", f"{adapter}{os.pathsep}{jars}{os.sep}*", program)


# Sources


def _build(folder: str, fill: Callable[[Path], None], *more: bytes) -> Path:
    sources = _texts(resources.files(__package__) / folder)
    texts = [part for name in sorted(sources) for part in (name.encode(), sources[name])]
    return cached(f"clients/{folder}", *texts, *more, fill=fill)


def _copy(folder: str, into: Path) -> Path:
    for name, text in _texts(resources.files(__package__) / folder).items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return into


def _texts(folder: Traversable, inside: str = "") -> dict[str, bytes]:
    """Return the sources by path, without files that an editor or a tool has left among them."""
    sources: dict[str, bytes] = {}
    for file in folder.iterdir():
        path = f"{inside}{file.name}"
        if file.is_dir():
            sources |= _texts(file, f"{path}/")
        elif Path(path).suffix in _SOURCES:
            sources[path] = file.read_bytes()
    return sources


def _path_of(program: str, path: str | None = None) -> str:
    file = shutil.which(program, path=path)
    if file is None:
        raise Unavailable(f"{program} is not installed")
    return file


OPTIONS = ("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
"""JVM options for small and even runs, with no more memory at once than an adapter needs."""


def java_generated() -> tuple[str, ...]:
    """Return the command of a JVM with Kafka's generated classes; the jars are fetched and the
    helpers compiled once. Raises `JavaUnavailable`.
    """
    java = shutil.which("java", path=search_path())
    if java is None:
        raise JavaUnavailable("no Java is installed: install a JDK of 17 or newer")
    jars = fetch_kafka()
    judge = compile_judge(jars)
    source = resources.files(__package__).joinpath("Adapter.java").read_bytes()
    adapter = compile_java(source, "Adapter", jars, classes=judge)
    classpath = os.pathsep.join([str(adapter), str(judge), f"{jars}{os.sep}*"])
    return (java, *OPTIONS, "-cp", classpath, "Adapter", *_generated_classes(jars))


def search_path() -> str | None:
    """Return the path on which a JVM is looked for."""
    home = os.environ.get("JAVA_HOME")
    path = os.environ.get("PATH", os.defpath)
    return f"{home}{os.sep}bin{os.pathsep}{path}" if home else path


def _generated_classes(jars: Path) -> list[str]:
    classes = kafka_classes(sorted(jars.glob("*.jar")))
    arguments = []
    for name in built_in_names():
        framing = message_class(name).FRAMING
        front = "consumer" if framing.newer == "clamp" else framing.kind
        if name in classes and front in ("consumer", "version", "none"):
            arguments.append(f"{name}={classes[name]}={front}")
    return arguments
