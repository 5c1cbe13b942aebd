"""Run `kproto conform`: judge another program by the guarantees."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import time
from argparse import Namespace
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from .. import fuzz
from ..codec.runtime.registry import built_in_names
from ..escaping import escaped, prose
from ..files import read_bounded
from ..fuzz.adapters import ADAPTERS, write_adapter
from ..fuzz.clients import Unavailable, command
from ..fuzz.conformance.endurance import pairs_of
from ..fuzz.conformance.judging import answer_line, conform, parse_question
from ..fuzz.conformance.matrix.matrix_page import page
from ..fuzz.conformance.process import ProcessLimits
from ..fuzz.conformance.remote import NoAdapter, Remote
from ..fuzz.conformance.report import (
    Report,
    run_from_json,
    run_shape,
    to_junit,
    to_sarif,
    to_vectors,
)
from ..fuzz.conformance.results import exit_status, read_expected, to_expected
from ..fuzz.guarantees.cases import derived_cases
from ..fuzz.guarantees.table import BY_ID, Scope, of_scope
from ..fuzz.rehearsal import absent_operations, rehearse
from ..fuzz.subject import CONSUMER_PROTOCOL
from ..inspector.views.stand_ins import NamesToHide
from ..wording import did_you_mean
from . import conform_matrix
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say, unreadable
from .output.json_output import print_json
from .output.terminal import redaction_of, screen
from .output.written import unwritten, write_output

if TYPE_CHECKING:
    from ..fuzz.conformance.process import ProcessLimits
    from ..fuzz.conformance.results import ConformanceRun, Expected
    from ..fuzz.guarantees.cases import Case
    from ..fuzz.guarantees.table import Guarantee
    from ..fuzz.subject import Subject


_MIB = 1 << 20


def run(arguments: Namespace) -> int:
    """Judge, print and write what was asked for; return 1 if a run failed, 3 if one could not ask
    everything.
    """
    if arguments.matrix:
        return conform_matrix.run(arguments)
    if arguments.init:
        return _init(arguments.init, Path(arguments.out or "kproto-adapter"))
    return _run(arguments)


def _run(arguments: Namespace) -> int:
    if arguments.out:
        raise Failure("--out goes with --matrix or --init", WRONG_USE)
    expectations = _read_expectations(arguments.baseline)
    commands = [*map(_built_in, arguments.adapters)]
    if arguments.command:
        commands.append(tuple(arguments.command))
    if arguments.ask is not None:
        if arguments.redact:
            raise Failure("--ask shows what is in the bytes: it goes without --redact", WRONG_USE)
        return _ask(commands, _limits(arguments), arguments)
    runs = [_visible(_saved_run(file), arguments) for file in arguments.kept]
    if not commands and not runs:
        raise Failure("nothing to judge: give -- COMMAND, --adapter or --from", WRONG_USE)
    for option in ("junit", "sarif", "vectors"):
        if getattr(arguments, option) and len(commands) + len(runs) > 1:
            raise Failure(f"--{option} is for one run", WRONG_USE)
    for one_run in runs:
        _show(one_run, expectations, arguments)
    for words in commands:
        runs.append(_visible(_judge(words, arguments), arguments))
        _show(runs[-1], expectations, arguments)
    _write(runs, expectations, arguments)

    statuses = {
        exit_status(one_run, expectations, recommended=arguments.recommended) for one_run in runs
    }
    return REFUSED if REFUSED in statuses else max(statuses)


def _init(language: str, folder: Path) -> int:
    """Write an adapter to start from, and print what to do with it."""
    adapter = ADAPTERS[language]
    try:
        names = write_adapter(language, folder)
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise unwritten(getattr(error, "filename", None) or folder, error) from None
    place = shlex.quote(str(folder))
    print(f"wrote {', '.join(names)} in {escaped(str(folder))}. Next:")
    remark = f": {adapter.remark}" if adapter.remark else ""
    print(f"  1. fill in decode and encode in {escaped(str(folder / adapter.calls))}{remark}")
    commands = [f"cd {place}", *filter(None, [adapter.build]), f"kproto conform -- {adapter.start}"]
    print(f"  2. {' && '.join(commands)}")
    return 0


def _read_expectations(file: str | None) -> tuple[Expected, ...]:
    if file is None:
        return ()
    try:
        return read_expected(_text(file))
    except ValueError as error:
        raise unreadable(file, error) from None


def _text(file: str) -> str:
    try:
        return read_bounded(file).decode()
    except UnicodeDecodeError:
        raise Failure(f"{file} is not UTF-8", NOT_DONE) from None
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise unreadable(file, error) from None


def _built_in(name: str) -> tuple[str, ...]:
    try:
        return command(name)
    except KeyError:
        raise Failure(conform_matrix.no_client(name), WRONG_USE) from None
    except Unavailable as reason:
        raise Failure(f"{name} is not available here: {reason}", NOT_DONE) from None


def _saved_run(file: str) -> ConformanceRun:
    try:
        return run_from_json(json.loads(_text(file)))
    except (ValueError, RecursionError) as error:
        raise unreadable(file, error) from None


def _visible(one_run: ConformanceRun, arguments: Namespace) -> ConformanceRun:
    """Return the run, with --redact under stand-ins for the client's name and for paths."""
    redaction = redaction_of(arguments)
    if redaction is None:
        return one_run
    names = NamesToHide(redaction)
    names.add("client", [one_run.client])
    for word in one_run.command:
        names.add("source", [word, Path(word).name])
    hide = names.hiding()

    def hidden(value: Any) -> Any:
        match value:
            case dict():
                return {key: hidden(item) for key, item in value.items()}
            case list():
                return [hidden(item) for item in value]
            case str():
                return _PATH.sub("<path>", hide(value))
            case _:
                return value

    shape = to_builtins(run_shape(one_run))
    kept = {name: shape[name] for name in ("results", "names", "digest", "seed")}
    texts = {name: value for name, value in shape.items() if name not in kept}
    results = [{**result, "examples": hidden(result["examples"])} for result in kept["results"]]
    return run_from_json({**kept, **hidden(texts), "results": results})


_PATH = re.compile(r"(?<![\w.])(?:/[\w.@+~-]+){2,}")


def _judge(words: tuple[str, ...], arguments: Namespace) -> ConformanceRun:
    if which(words[0]) is None and not Path(words[0]).exists():
        raise Failure(f"{words[0]!r}: {os.strerror(errno.ENOENT)}", WRONG_USE)
    began = time.monotonic()  # what makes inputs is slow to import on a busy machine
    questions = fuzz.questions  # which imports Hypothesis

    guarantees = _guarantees(arguments.guarantee)
    with closing(_started(words, _limits(arguments), began)) as remote:
        unknown = sorted(remote.hello.names - set(built_in_names()))
        if unknown:
            remote.remarks.append(f"no definition of {', '.join(unknown)[:200]}")
        names = remote.hello.names & set(built_in_names())
        if not names or not remote.hello.ops:
            raise _adapter_error(_no_names(remote))
        mistake = rehearse(remote, names)
        if mistake is not None:
            raise _adapter_error(mistake)
        absent = absent_operations(remote, names)
        if not remote.hello.ops <= set(absent):  # else all of it is to be judged, and fails
            remote.leave_out(absent)
        remote.forget()
        cases = questions(names, seed=arguments.seed)
        pairs = None
        if arguments.input:
            cases = _chosen(cases, names, arguments)
            pairs = pairs_of(names, cases)
        lasting = any(guarantee.id == "G02" for guarantee in guarantees)
        return conform(remote, cases, guarantees, seed=arguments.seed, lasting=lasting, pairs=pairs)


def _started(words: tuple[str, ...], limits: ProcessLimits, began: float | None = None) -> Remote:
    """Return the adapter of a command, which has said hello."""
    try:
        return Remote(words, limits, began=began)
    except NoAdapter as error:
        raise _adapter_error(str(error)) from None


def _adapter_error(text: str) -> Failure:
    return Failure(f"adapter error, nothing was judged: {text}", NOT_DONE)


def _no_names(remote: Remote) -> str:
    """Return why nothing can be asked of an adapter, and what to change in its hello."""
    if not remote.hello.ops:
        return 'hello has no "ops": give "decode", "encode" or both'
    names = sorted(remote.hello.names)
    near = did_you_mean(names[0], built_in_names(), lists_all=False) if names else ""
    problem = f"{names[0]!r} is no message that kproto knows{near}" if names else 'no "names"'
    return f"hello: {problem}; give names such as {', '.join(CONSUMER_PROTOCOL)} (kproto schemas)"


def _guarantees(titles: list[str]) -> tuple[Guarantee, ...]:
    """Return the guarantees that are to be judged: those that are named, or all."""
    rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
    ids = {name.partition("-")[0].upper() for name in titles}
    unknown = sorted(ids - {row.id for row in rows})
    if unknown:
        names = [row.id for row in rows]
        own = "; that is one of kproto itself" if unknown[0] in BY_ID else ""
        advice = own or did_you_mean(unknown[0], names)
        raise Failure(f"there is no guarantee {unknown[0]}{advice}", WRONG_USE)
    return tuple(row for row in rows if not ids or row.id in ids)


def _chosen(cases: list[Case], names: Collection[str], arguments: Namespace) -> list[Case]:
    """Return the inputs that are named: questions, messages of a size, and what is made of them."""
    ids = {name.lower() for name in arguments.input}
    sized = [case for pair in pairs_of(names) for case in (pair.small, pair.large)]
    chosen: dict[str, Case] = {}
    for case in chain(cases, sized, derived_cases(cases)):
        if case.id in ids:
            chosen.setdefault(case.id, case)
        if len(chosen) == len(ids):
            break
    unknown = sorted(ids - chosen.keys())
    if unknown:
        why = (
            f"there is no input {unknown[0]} under --seed {arguments.seed}, for these messages; "
            "bytes that the client itself wrote are asked with --ask"
        )
        raise Failure(why, WRONG_USE)
    return list(chosen.values())


def _limits(arguments: Namespace) -> ProcessLimits:
    if not 0 < arguments.timeout <= 10 or arguments.memory < 16 * _MIB:
        raise Failure("--timeout is from 0 to 10 s, --memory at least 16 MiB", WRONG_USE)
    if arguments.give_up < 0:
        raise Failure("--give-up is 0 or more", WRONG_USE)
    return ProcessLimits(
        reply_seconds=arguments.timeout,
        run_seconds=arguments.time,
        memory=arguments.memory,
        failures_of_a_kind=arguments.give_up,
        quotes_errors=not arguments.redact,
    )


def _show(
    one_run: ConformanceRun, expectations: tuple[Expected, ...], arguments: Namespace
) -> None:
    if arguments.json:
        print_json(run_shape(one_run, expectations))
        return

    with screen(arguments) as console:
        console.print(Report(one_run, expectations), crop=False)  # its last lines are whole


def _write(
    runs: list[ConformanceRun], expectations: tuple[Expected, ...], arguments: Namespace
) -> None:
    if arguments.junit:
        _save(arguments.junit, to_junit(runs[0], expectations))
    if arguments.sarif:
        _save(arguments.sarif, to_sarif(runs[0], expectations))
    if arguments.vectors:
        _save(arguments.vectors, to_vectors(runs[0]))
    if arguments.page:
        _save(arguments.page, page(runs, expectations))
    if arguments.write_baseline:
        results = (result for one_run in runs for result in one_run.results)
        _save(arguments.write_baseline, to_expected(results))


def _save(file: str, text: str) -> None:
    write_output(file, text)
    say(f"wrote {file}")


def _ask(commands: Sequence[tuple[str, ...]], limits: ProcessLimits, arguments: Namespace) -> int:
    """Ask each of the clients; return 1 if one refuses, or gives no answer."""
    if not commands:
        raise Failure("--ask needs a client: -- COMMAND or --adapter", WRONG_USE)
    if arguments.name not in built_in_names():
        raise Failure(f"no message {arguments.name!r}; kproto schemas lists them", WRONG_USE)
    put = question(arguments)
    well = True
    for words in commands:
        with closing(_started(words, limits)) as remote:
            answer = put(remote)
        well &= answer.startswith(("reads ", "writes "))
        print(prose(f"{remote.hello.client} {remote.hello.release} {answer}"))
    return 0 if well else REFUSED


def question(arguments: Namespace) -> Callable[[Subject], str]:
    """Return the function that asks a subject what --ask, --as and --body say, and returns its
    answer in a line.
    """
    try:
        case = parse_question(arguments.ask, arguments.name, arguments.body)
    except ValueError:
        raise Failure(f"{arguments.ask[:40]!r} is neither hex nor JSON", WRONG_USE) from None
    return lambda subject: answer_line(subject, case)
