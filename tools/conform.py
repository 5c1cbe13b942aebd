"""Judge another program's decoder and encoder, guarantee by guarantee, over a line protocol.

COMMAND answers one JSON object a line on standard input and output; docs/reference/conform.md is
the page for its author, in any language. --testee NAME judges a client whose program comes with
kproto. With several, or with runs that were kept with --json, --page shows them side by side;
--matrix measures all clients that are available here, and which of them understand each other.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from .options.durations import duration
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.terminal import add_view

if TYPE_CHECKING:
    from ..fuzz.conformance.client.limits import Limits
    from ..fuzz.conformance.expected_failures import Expected
    from ..fuzz.conformance.results import Run
    from ..fuzz.guarantees.cases import Case
    from ..fuzz.guarantees.table import Guarantee

_MIB = 1 << 20


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto conform`."""
    parser.usage = (
        "kproto conform [OPTION]... -- COMMAND [ARGUMENT]...\n"
        "       kproto conform --testee NAME\n"
        "       kproto conform --guarantee G07 --input ID -- COMMAND\n"
        "       kproto conform --ask HEX -- COMMAND\n"
        "       kproto conform --matrix [--out DIR]"
    )
    parser.epilog = (
        "exit status: 0 everything required holds, and everything was asked; 1 something "
        "required does not hold (with --recommended: or recommended), an expected failure holds, "
        "or there was no answer; 2 wrong use; 3 incomplete: nothing is broken, and not everything "
        "was asked"
    )
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the program to judge")
    parser.add_argument(
        "--testee", action="append", default=[], metavar="NAME",
        help="a client that comes with kproto, such as java, sarama, librdkafka; built when needed",
    )  # fmt: skip
    parser.add_argument(
        "--guarantee", action="append", default=[], metavar="ID",
        help="judge this guarantee alone, such as G07; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--input", action="append", default=[], metavar="ID",
        help="ask this input alone, by the id that a report shows; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--ask", metavar="HEX",
        help="only show how the client reads these bytes, or writes this value in Kafka's JSON "
        "form",
    )  # fmt: skip
    parser.add_argument(
        "--as", dest="name", default="ConsumerProtocolSubscription", metavar="NAME",
        help="what the bytes of --ask are (default: ConsumerProtocolSubscription)",
    )  # fmt: skip
    parser.add_argument(
        "--body-version", "--body", dest="body", metavar="VERSION", type=int,
        help="the version of --ask's bytes, which have none in front; for a value the version to "
        "write (default 0)",
    )  # fmt: skip
    parser.add_argument(
        "--matrix", action="store_true", help="all clients, or those of --testee, and their pairs"
    )
    parser.add_argument("--out", metavar="DIR", help="write the matrix as data and as a page")
    parser.add_argument(
        "--from", dest="kept", action="append", default=[], metavar="FILE",
        help="read a run that --json wrote",
    )  # fmt: skip
    parser.add_argument("--expected", metavar="FILE", help="a file of expected failures")
    parser.add_argument(
        "--recommended", action="store_true", help="a broken recommended guarantee fails, too"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the generated inputs"
    )
    parser.add_argument(
        "--time", type=duration, default=60.0, metavar="10m",
        help="time of a run (default 1m); what was not asked by then makes it incomplete",
    )  # fmt: skip
    parser.add_argument(
        "--give-up", type=int, default=3, metavar="N",
        help="hangs, crashes and floods on one kind of input, after which the rest of that kind is "
        "not asked (default 3; 0: never)",
    )  # fmt: skip
    parser.add_argument(
        "--timeout", type=float, default=2.0, metavar="SECONDS", help="time for a reply (default 2)"
    )
    parser.add_argument(
        "--memory", type=int, default=2048, metavar="MIB",
        help="memory of the program (default 2048): of address space, or resident for a JVM "
        "and for node",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object a run")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--sarif", metavar="FILE", help="write SARIF")
    parser.add_argument("--page", metavar="FILE", help="write an HTML page of all runs")
    add_view(parser)


def parse(parser: ArgumentParser, given: list[str]) -> Namespace:
    """Return the arguments; all words behind `--` are the program's, options too."""
    end = given.index("--") if "--" in given else len(given)
    arguments = parser.parse_intermixed_args(given[:end])
    arguments.command += given[end + 1 :]
    return arguments


def run(arguments: Namespace) -> int:
    """Judge, print and write what was asked for; return 1 if a run failed, 3 if one could not ask
    everything.
    """
    if arguments.matrix:
        from . import conform_matrix

        return conform_matrix.run(arguments)
    if arguments.out:
        raise Failure("--out goes with --matrix", WRONG_USE)
    expected = _expected(arguments.expected)
    commands = [*map(_built_in, arguments.testee)]
    if arguments.command:
        commands.append(tuple(arguments.command))
    if arguments.ask is not None:
        from . import conform_ask

        return conform_ask.run(commands, _limits(arguments), arguments)
    runs = [_kept(file) for file in arguments.kept]
    if not commands and not runs:
        raise Failure("nothing to judge: give -- COMMAND, --testee or --from", WRONG_USE)
    for option in ("junit", "sarif"):
        if getattr(arguments, option) and len(commands) + len(runs) > 1:
            raise Failure(f"--{option} is for one run", WRONG_USE)
    for each in runs:
        _show(each, expected, arguments)
    for command in commands:
        runs.append(_judged(command, arguments))
        _show(runs[-1], expected, arguments)
    _write(runs, expected, arguments)
    from ..fuzz.conformance.expected_failures import exit_status

    found = {exit_status(each, expected, recommended=arguments.recommended) for each in runs}
    return REFUSED if REFUSED in found else max(found)


def _expected(file: str | None) -> tuple[Expected, ...]:
    from ..fuzz.conformance.expected_failures import read_expected

    if file is None:
        return ()
    try:
        return read_expected(_text(file))
    except ValueError as error:
        raise Failure(f"{file}: {error}", WRONG_USE) from None


def _text(file: str) -> str:
    try:
        return Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        raise Failure(f"{file} is not UTF-8", WRONG_USE) from None
    except OSError as error:
        raise Failure(f"{file}: {error.strerror or error}", WRONG_USE) from None


def _built_in(name: str) -> tuple[str, ...]:
    from ..fuzz.testees import NAMES, Unavailable, command

    try:
        return command(name)
    except KeyError:
        known = ", ".join(NAMES)
        raise Failure(f"there is no testee {name!r}; there are: {known}", WRONG_USE) from None
    except Unavailable as reason:
        raise Failure(f"{name} is not available here: {reason}", WRONG_USE) from None


def _kept(file: str) -> Run:

    from ..fuzz.conformance.as_json import run_from_json

    try:
        return run_from_json(json.loads(_text(file)))
    except ValueError as error:
        raise Failure(f"{file}: {error}", WRONG_USE) from None


def _judged(command: tuple[str, ...], arguments: Namespace) -> Run:
    began = time.monotonic()
    try:
        from ..fuzz.conformance.inputs import inputs
    except ImportError as error:
        from ..extras import install_command

        wanted = install_command("fuzz")
        raise Failure(f"{error.name} is not installed: {wanted}", WRONG_USE) from None
    from ..codec.runtime.registry import built_in_names
    from ..fuzz.conformance.client.remote import NoTestee, Remote
    from ..fuzz.conformance.judging import conform

    guarantees = _guarantees(arguments.guarantee)
    limits = _limits(arguments)
    gone = time.monotonic() - began  # what makes inputs is slow to import on a busy machine
    try:
        remote = Remote(command, limits._replace(run_seconds=limits.run_seconds - gone))
    except NoTestee as error:
        raise Failure(str(error)) from None
    with closing(remote):
        unknown = sorted(remote.hello.names - set(built_in_names()))
        if unknown:
            remote.remarks.append(f"no definition of {', '.join(unknown)[:200]}")
        known = remote.hello.names & set(built_in_names())
        if not known or not remote.hello.ops:
            raise Failure(f"{command[0]!r} names no message or operation that kproto knows")
        cases = _chosen(inputs(known, seed=arguments.seed), arguments)
        lasting = not arguments.input and any(each.id == "G02" for each in guarantees)
        return conform(remote, cases, guarantees, seed=arguments.seed, lasting=lasting)


def _guarantees(given: list[str]) -> tuple[Guarantee, ...]:
    """Return the guarantees that are to be judged: those that are named, or all."""
    from ..fuzz.guarantees.table import BY_ID, Scope, of_scope

    rows = of_scope(Scope.REQUIRED, Scope.RECOMMENDED)
    wanted = {name.partition("-")[0].upper() for name in given}
    unknown = sorted(wanted - {row.id for row in rows})
    if unknown:
        known = ", ".join(row.id for row in rows)
        own = "; that is one of kproto itself" if unknown[0] in BY_ID else ""
        raise Failure(f"there is no guarantee {unknown[0]}{own}; there are: {known}", WRONG_USE)
    return tuple(row for row in rows if not wanted or row.id in wanted)


def _chosen(cases: list[Case], arguments: Namespace) -> list[Case]:
    """Return the inputs that are to be asked: those that are named, or all."""
    wanted = {name.lower() for name in arguments.input}
    found = [case for case in cases if not wanted or case.id in wanted]
    unknown = sorted(wanted - {case.id for case in found})
    if unknown:
        why = f"there is no input {unknown[0]} under --seed {arguments.seed}, for these messages"
        raise Failure(why, WRONG_USE)
    return found


def _limits(arguments: Namespace) -> Limits:
    from ..fuzz.conformance.client.limits import Limits

    if not 0 < arguments.timeout <= 10 or arguments.memory < 16:
        raise Failure("--timeout is from 0 to 10 s, --memory at least 16 MiB", WRONG_USE)
    if arguments.give_up < 0:
        raise Failure("--give-up is 0 or more", WRONG_USE)
    return Limits(
        reply_seconds=arguments.timeout,
        run_seconds=arguments.time,
        memory=arguments.memory * _MIB,
        failures_of_a_kind=arguments.give_up,
    )


def _show(each: Run, expected: tuple[Expected, ...], arguments: Namespace) -> None:
    if arguments.json:
        from ..fuzz.conformance.as_json import run_shape
        from .output.json_output import print_json

        print_json(run_shape(each, expected))
        return
    from ..fuzz.conformance.report import Report
    from .output.terminal import screen

    with screen(arguments) as console:
        console.print(Report(each, expected), crop=False)  # its last lines are whole


def _write(runs: list[Run], expected: tuple[Expected, ...], arguments: Namespace) -> None:
    if arguments.junit:
        from ..fuzz.conformance.as_junit import to_junit

        _save(arguments.junit, to_junit(runs[0], expected))
    if arguments.sarif:
        from ..fuzz.conformance.as_sarif import to_sarif

        _save(arguments.sarif, to_sarif(runs[0], expected))
    if arguments.page:
        from ..fuzz.conformance.matrix.page import page

        _save(arguments.page, page(runs, expected))


def _save(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise Failure(f"{file}: {error.strerror or error}", WRONG_USE) from None
    say(f"wrote {file}")
