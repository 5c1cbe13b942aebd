"""Run `kproto fuzz`: campaigns, and what is done with their findings."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from random import SystemRandom
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec import structs

from .. import pipeline
from ..codec import KprotoError
from ..escaping import prose
from ..extras import missing
from ..files import read_bounded
from ..fuzz import targets
from ..fuzz.adapter import read_adapter
from ..fuzz.campaign import Campaign, CampaignSettings, DistributedCampaign, State
from ..fuzz.engines import default_engine
from ..fuzz.engines.processes import judge
from ..fuzz.export import export
from ..fuzz.findings import load, view
from ..fuzz.minimisation import minimised_corpus, minimised_finding
from ..fuzz.progress import Progress, final_picture
from ..fuzz.subject import Failure as Unanswered
from ..fuzz.targets import Missing, client_target, form_of, invariant, of_client
from ..fuzz.targets import load as target_of
from ..wording import counted, did_you_mean
from .fuzz_baseline import known_keys, read_faults, write_faults
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say, status_of, unreadable
from .output.terminal import console, lines_for_people
from .output.written import write_output
from .spark import command_session

if TYPE_CHECKING:
    from ..fuzz.campaign import Carry
    from ..fuzz.findings import FuzzFinding

_DEFAULT_TIME = 60.0
_OUT = Path("kproto-fuzz")
_ELSEWHERE = {"columnar-agreement": "kproto.tools.columnar_agreement"}
"""Targets outside `fuzz`, by their module: they check rooms that `fuzz` does not import."""
_MOST_SHOWN = 80
"""Characters of a name that a file has."""


def run(arguments: Namespace) -> int:
    """Run the action; return 1 if there is a finding."""
    try:
        return _ACTIONS[arguments.action](arguments)
    except OSError as error:
        where = error.filename or arguments.out or _OUT
        raise Failure(f"{where}: {error.strerror or error}", status_of(error)) from None


# -- run


def _run(arguments: Namespace) -> int:
    out: Path = arguments.out or _OUT
    faults = read_faults(arguments.baseline) if arguments.baseline else ()
    screen = console("auto")
    campaign = _campaign(arguments, out)
    state = campaign.state
    settings = state.settings
    targets_text = counted(len(settings.targets), "target")
    say(f"{targets_text} under {settings.engine}, seed {settings.seed}, into {out}")
    with Progress(campaign, screen) as progress:
        try:
            campaign.run(progress.tick)
        except KeyboardInterrupt:
            code = [name for name in settings.targets if not _is_built_in(name)]
            words = ["kproto", "fuzz", "run", *code, "--resume", "--out", str(out)]
            say(f"{shlex.join(words)} continues this campaign")
            progress.__exit__()
            final_picture(campaign, screen)
            raise
    known, passes = known_keys(faults, settings.targets, partial(_judge, arguments=arguments))
    final_picture(campaign, screen, known)
    for target in state.targets.values():
        if target.left:
            say(f"{target.target} left out: {target.left}")
    _say_short(state)
    if arguments.write_baseline:
        write_faults(arguments.write_baseline, campaign.store)
        return 0
    new = passes + sum(finding.key not in known for finding in campaign.store)
    if faults:
        say(f"{counted(len(campaign.store), 'finding')}, {new} of them not as in the baseline")
    return REFUSED if new else 0


def _say_short(state: State) -> None:
    """Say which targets had less time than they need, and which time would be enough."""
    short = {target.name: target.short for target in state.targets.values() if target.short}
    if not short:
        return
    enough = 8 * len(state.targets) / state.settings.jobs  # seconds
    for why in dict.fromkeys(short.values()):
        names = ", ".join(name for name, its in short.items() if its == why)
        say(f"nothing new was looked for in {names}: {why}")
    say(f"--time {max(1, round(enough / 60 + 0.5))}m is enough for all of them")


def _campaign(arguments: Namespace, out: Path) -> Campaign:
    """Return a campaign in processes of this machine, or on the executors of Spark."""
    state = _resumed(arguments, out) if arguments.resume else State.new(_settings(arguments))
    if arguments.spark is None:
        return Campaign(state, out, arguments.corpus)
    carry, cores = _on_spark(arguments.spark)
    if not arguments.resume and arguments.jobs is None:
        state.settings = structs.replace(state.settings, jobs=cores)
    return DistributedCampaign(state, out, carry, arguments.corpus)


def _on_spark(master: str) -> tuple[Carry, int]:
    """Return the function that carries out pieces, and how many it carries out at once."""
    try:
        scattered = pipeline.scattered
    except ImportError:
        raise Failure(missing("--spark", "pyspark", "spark"), WRONG_USE) from None

    try:
        spark = command_session(master, "kproto fuzz")
    except KprotoError as error:
        raise Failure(str(error)) from None

    def carry(function: Callable[[bytes], bytes], orders: Sequence[bytes]) -> list[bytes]:
        try:
            return scattered(spark, function, orders)
        except KprotoError as error:
            raise Failure(f"{error}; continue with --resume") from None

    return carry, int(spark.sparkContext.defaultParallelism)


def _resumed(arguments: Namespace, out: Path) -> State:
    try:
        state = State.load(out)
    except (OSError, ValueError) as error:
        raise Failure(
            f"there is no campaign in {out} to resume: {error}", status_of(error)
        ) from None
    progress = state.targets.items()
    for name in {
        *state.settings.targets,
        *(word for key, of in progress for word in (key, of.target)),
    }:
        _named_or_built_in(name, [*arguments.what, arguments.target], f"the campaign in {out}")
    return state


def _settings(arguments: Namespace) -> CampaignSettings:
    names = [*arguments.what, *([arguments.target] if arguments.target else [])]
    targets = [_target_named(name) for name in names or _names()]
    jobs = 1 if arguments.jobs is None else arguments.jobs
    if jobs < 1 or (arguments.runs is not None and arguments.runs < 1):
        raise Failure("--jobs and --runs have to be at least 1", WRONG_USE)
    time = arguments.time or (0.0 if arguments.runs else _DEFAULT_TIME)
    seed = arguments.seed if arguments.seed is not None else SystemRandom().randrange(1, 1 << 31)
    return CampaignSettings(
        targets=tuple(dict.fromkeys(targets)),
        engine=arguments.engine or default_engine(),
        seed=seed,
        seconds=time,
        runs=arguments.runs or 0,
        jobs=jobs,
        timeout=arguments.timeout,
        memory=arguments.memory,
    )


def _names() -> tuple[str, ...]:
    return (*targets.NAMES, *_ELSEWHERE)


def _named_or_built_in(name: str, named: Sequence[str | None], place: str) -> str:
    """Return the target that a file names. One that is not built in is code, and is run only where
    the command line names it, too."""
    if _is_built_in(name) or name in named:
        return name
    line = f"{place} is of {name[:_MOST_SHOWN]!r}, which is code: it is run where --target names it"
    raise Failure(line, WRONG_USE)


def _is_built_in(name: str) -> bool:
    return name in _names() or name in _ELSEWHERE.values()


def _target_named(name: str) -> str:
    """Return the name of a target in `fuzz`: of one that is elsewhere, its module's."""
    target = _ELSEWHERE.get(name, name)
    if target in _names() or of_client(name):
        return target
    if "." not in target or not all(map(str.isidentifier, target.split("."))):
        advice = did_you_mean(name, _names())
        raise Failure(f"there is no target {name!r}{advice}", WRONG_USE)
    try:
        lacks = _lack(import_module(target))
    except ImportError as error:
        raise Failure(f"there is no target {name}: {error}", WRONG_USE) from None
    if lacks:
        raise Failure(f"{name} is not a target: it has no {lacks}", WRONG_USE)
    return target


def _lack(module: ModuleType) -> str:
    """Return what a module lacks to be a target; "" if nothing."""
    if not callable(getattr(module, "check", None)):
        return "check"
    return "" if "" in getattr(module, "FORMS", ()) else 'FORMS with a form under ""'


# -- client


def _client(arguments: Namespace) -> int:
    """Run a campaign on the adapters that are named, once each is known to begin."""
    if not arguments.what or arguments.target or arguments.spark:
        raise Failure("client needs the MODULE of an adapter, such as my_adapter", WRONG_USE)
    modules = [_module(word) for word in arguments.what]
    for module in modules:
        try:
            covered = read_adapter(module).covered
        except ValueError as error:
            raise Failure(str(error), WRONG_USE) from None
        for finding in _judge(client_target(module), b"", arguments):
            if finding.where == Unanswered.ADAPTER.value:
                text = f"adapter error, nothing was fuzzed: {module}: {finding.message}"
                raise Failure(text, NOT_DONE)
        say(f"{module}: branches of {', '.join(covered)} lead the search")
    arguments.what = [client_target(module) for module in modules]
    return _run(arguments)


def _module(word: str) -> str:
    """Return the module that a word names; its file in the current folder serves, too."""
    path = Path(word)
    if path.suffix == ".py":
        if not path.is_file():
            raise Failure(f"there is no file {word}", WRONG_USE)
        if path.resolve().parent != Path.cwd():
            advice = f"cd {shlex.quote(str(path.parent))}, then kproto fuzz client {path.stem}"
            raise Failure(f"{word}: an adapter is run from its own folder: {advice}", WRONG_USE)
        return path.stem
    if path.name != word or (path.is_file() and not path.with_suffix(".py").exists()):
        raise Failure(
            f"{word!r} is no module of Python. A program in another language is judged by kproto "
            f"conform -- {shlex.quote(word)}, and fuzzed by its own language's fuzzer with what "
            "kproto fuzz export writes (docs/how-to/fuzz-your-decoder.md)",
            WRONG_USE,
        )
    return word


# -- export


def _export(arguments: Namespace) -> int:
    out: Path = arguments.out or _OUT
    try:
        counts = export(out, arguments.what, seed=arguments.seed or 0)
    except ValueError as error:
        raise Failure(str(error), WRONG_USE) from None
    for name, count in counts.items():
        print(f"{out / name}: {count} inputs")
    return 0


# -- list


def _list(arguments: Namespace) -> int:
    if arguments.what or arguments.target:
        raise Failure("list takes no TARGET: it lists them all", WRONG_USE)
    width = max(map(len, _names()))
    with lines_for_people("auto", elsewhere=100):
        for name in _names():
            print(f"{name:{width}}  {invariant(_target_named(name))}")
    return 0


# -- replay


def _replay(arguments: Namespace) -> int:
    count = 0
    for file in _files(arguments):
        target, data = _input(file, arguments.target)
        findings = _judge(target, data, arguments)
        print(view(data))
        for finding in findings:
            print(f"finding: {prose(finding.title)}")
        if not findings:
            print(f"{target}: nothing is wrong here")
        count += len(findings)
    return REFUSED if count else 0


def _judge(target: str, data: bytes, arguments: Namespace) -> list[FuzzFinding]:
    try:
        return judge(target, data, seconds=arguments.timeout, memory=arguments.memory)
    except Missing as reason:
        raise Failure(f"{target}: {reason}", WRONG_USE) from None


def _files(arguments: Namespace) -> list[Path]:
    if not arguments.what:
        raise Failure(f"{arguments.action} needs a FILE", WRONG_USE)
    return [Path(name) for name in arguments.what]


def _input(file: Path, target: str | None) -> tuple[str, bytes]:
    """Return the target and the bytes that a file stands for."""
    finding = _finding_in(file)
    if finding is not None:
        name = _named_or_built_in(target or finding.target, [target], str(file))
        return _target_named(name), finding.minimal
    if target is None:
        raise Failure(f"--target says what {file} is an input of", WRONG_USE)
    try:
        return _target_named(target), read_bounded(file)
    except OSError as error:
        raise unreadable(str(file), error) from None


def _finding_in(file: Path) -> FuzzFinding | None:
    """Return the finding of a file or its folder; None if there is no finding.json."""
    for place in (file, file / "finding.json", file.parent / "finding.json"):
        if place.name == "finding.json" and place.is_file():
            try:
                return load(place)
            except ValueError as error:
                raise unreadable(str(place), error) from None
    return None


# -- minimise


def _minimise(arguments: Namespace) -> int:
    if arguments.corpus is not None:
        return _minimise_corpus(arguments)

    for file in _files(arguments):
        target, data = _input(file, arguments.target)
        findings = _judge(target, data, arguments)
        if not findings:
            raise Failure(f"{file} is not a finding: {target} accepts it")
        alone = partial(judge, target, seconds=arguments.timeout)
        tries = arguments.runs or 200
        small = minimised_finding(findings[0], form_of(target), alone, tries=tries).minimal
        smaller = file / f"{file.name}.min" if file.is_dir() else file.with_suffix(".min")
        write_output(smaller, small)
        size = f"{len(small)} of {len(data)} bytes"
        if small == data:
            size = f"{counted(len(data), 'byte')}, already minimal: none smaller shows the finding"
        print(f"{smaller}: {size}: {small.hex()}")
    return 0


def _minimise_corpus(arguments: Namespace) -> int:
    corpus: Path = arguments.corpus
    names = [*arguments.what, *([arguments.target] if arguments.target else [])]
    targets = [_target_named(name) for name in names or _names()]
    names = [name for name in targets if (corpus / name).is_dir()]
    if not names:
        raise Failure(f"{corpus} has no folder of inputs named after a target", WRONG_USE)
    for name in names:
        folder = corpus / name
        try:
            check = target_of(name).check
        except Missing as reason:
            say(f"{name} left out: {reason}")
            continue
        files = {file.read_bytes(): file for file in sorted(folder.iterdir()) if file.is_file()}
        smallest = set(minimised_corpus(name, check, files))
        for data, file in files.items():
            if data not in smallest:
                file.unlink()
        print(f"{name}: {len(smallest)} of {len(files)} inputs reach all that they reach")
    return 0


_ACTIONS: dict[str, Callable[[Namespace], int]] = {
    "run": _run,
    "client": _client,
    "export": _export,
    "list": _list,
    "replay": _replay,
    "minimise": _minimise,
}
