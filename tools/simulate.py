"""Run a consumer group without a cluster: who owns what when, what it costs, on the real bytes.

SCENARIO is a built-in one (kproto simulate --list), a TOML file, or what `kproto group --save`
kept. `kproto simulate compare A B ...` puts runs side by side: each of them a scenario, or what is
tried on the scenario of --scenario: an assignor, settings (key=value,...), or a protocol (eager,
cooperative, mixed, consumer). `kproto simulate compare protocols` compares all of these.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json

if TYPE_CHECKING:
    from ..inspector.shapes.checks import Measures, Violation
    from ..rebalance.simulation.scenarios.runs import Run
    from ..rebalance.simulation.scenarios.scenario import Scenario
    from ..rebalance.simulation.scenarios.scenario_files import Overrides
    from ..rebalance.simulation.world.event_log import SentFrame

USUAL = "rolling-bounce"
COMPARE = "compare"
ALL_PROTOCOLS = "protocols"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto simulate`."""
    parser.epilog = (
        "exit status: 0 as the scenario expects; 1 a check found something else, or the file is "
        "refused; 2 wrong use"
    )
    parser.add_argument("names", metavar="SCENARIO", nargs="*", help=f"default: {USUAL}")
    parser.add_argument("--list", action="store_true", help="list the built-in scenarios")
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        default=USUAL,
        help="the scenario that compare tries settings on",
    )
    parser.add_argument(
        "--assignor", metavar="NAME", help="assignor of all members: a name, or module:Class"
    )
    parser.add_argument("--members", metavar="N", type=_count, help="number of members")
    parser.add_argument("--partitions", metavar="N", type=_count, help="partitions of each topic")
    parser.add_argument("--seed", metavar="N", type=int, help="seed of the delays")
    parser.add_argument("--steps", action="store_true", help="print every event, in order")
    parser.add_argument(
        "--bytes", action="store_true", help="metadata and assignments, opened by the inspector"
    )
    parser.add_argument("--metrics", action="store_true", help="KIP-429's metrics of each member")
    parser.add_argument("--json", action="store_true", help="one JSON object an event")
    parser.add_argument(
        "--plot", metavar="FILE", help="ownership, throughput and lag: .svg or .png"
    )
    parser.add_argument("--html", metavar="FILE", help="write a self-contained HTML page")
    parser.add_argument(
        "--capture",
        metavar="FILE",
        help="every JoinGroup and SyncGroup as bytes: .pcap, else lines of hex",
    )
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto")


def run(arguments: Namespace) -> int:
    """Run scenarios; return 1 if one shows something else than it expects."""
    if arguments.list:
        return _list()
    sys.path.append(os.getcwd())  # noqa: PTH109  # where module:Class of one's own lies
    names: list[str] = arguments.names
    if names == [COMPARE, ALL_PROTOCOLS]:
        return _compare_protocols(arguments)
    if names and names[0] == COMPARE:
        return _compare(names[1:], arguments)
    if len(names) > 1:
        raise Failure(f"one scenario at a time; several: kproto simulate {COMPARE} ...", WRONG_USE)
    scenario = _load(names[0] if names else USUAL, _overrides(arguments))
    if scenario.variants and not _chosen(arguments, scenario):
        return _compare([], arguments, scenario)
    done = _play(scenario)
    _write_files(arguments, done)
    if arguments.json:
        _print_json(done)
    else:
        _show(arguments, done)
    return 0 if done.as_expected else REFUSED


# -- what is run


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to 1000")
    return int(text)


def _overrides(arguments: Namespace, **more: Any) -> Overrides:
    from ..rebalance.simulation.scenarios.scenario_files import Overrides

    given = {
        "assignor": arguments.assignor,
        "members": arguments.members,
        "partitions": arguments.partitions,
        "seed": arguments.seed,
    }
    return Overrides(**(given | more))


def _load(given: str, overrides: Overrides) -> Scenario:
    """Return a built-in scenario, or that of a file; a path wins where it has a / or ends in
    .toml.
    """
    from ..rebalance.simulation.scenarios.scenario_files import (
        ScenarioError,
        built_in_scenarios,
        read_scenario,
    )
    from .input.inputs import MAX_BYTES, read_file

    known = built_in_scenarios()
    if given in known and os.path.sep not in given:
        where, text = given, known[given]
    elif given.endswith(".toml") or os.path.sep in given or os.path.exists(given):  # noqa: PTH110
        where, data = read_file(given, MAX_BYTES)
        if data.lstrip()[:1] == b"{":
            data = _of_group(data, given).encode()
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise Failure(f"{where}, line {line}: it is not UTF-8", REFUSED) from None
    else:
        raise Failure(f"there is no scenario {given!r} (kproto simulate --list)", WRONG_USE)
    name = os.path.basename(where).removesuffix(".toml")  # noqa: PTH119
    name = name if name.isprintable() else "scenario"
    try:
        return read_scenario(text, name, where, overrides)
    except ScenarioError as error:
        raise Failure(str(error), REFUSED if error.line else WRONG_USE) from None


def _of_group(data: bytes, where: str) -> str:
    """Return the scenario of the group in a file of `kproto group --save`; of several groups, that
    with the most members."""
    from io import BytesIO

    from ..cluster.errors import ClusterError
    from ..cluster.future import scenario_text
    from ..cluster.saved import read_saved

    try:
        saved = read_saved(BytesIO(data), where)
        groups = [saved.describe(name) for name in saved.groups]
        return scenario_text(max(groups, key=lambda group: len(group.members)))
    except (ClusterError, ValueError) as error:
        raise Failure(f"{where}: no group to simulate: {error}", REFUSED) from None


def _chosen(arguments: Namespace, scenario: Scenario) -> bool:
    """Return whether --assignor chooses one of the assignors that a scenario compares."""
    compares = any("assignor" in options for options in scenario.variants.values())
    return compares and arguments.assignor is not None


def _play(scenario: Scenario) -> Run:
    from ..rebalance.simulation.scenarios.assignors import AssignorFailed
    from ..rebalance.simulation.scenarios.runs import run as play

    try:
        return play(scenario)
    except AssignorFailed as error:
        raise Failure(str(error)) from None


def _list() -> int:
    import tomllib

    from ..rebalance.simulation.scenarios.scenario_files import built_in_scenarios

    known = built_in_scenarios()
    width = max(map(len, known))
    for name, text in known.items():
        print(f"{name:{width}}  {tomllib.loads(text)['summary']}")
    return 0


# -- side by side


def _compare(words: Sequence[str], arguments: Namespace, scenario: Scenario | None = None) -> int:
    from ..rebalance.simulation.measures.measures import measure

    _refuse_single(arguments)
    scenarios = _compared(words, arguments, scenario)
    runs = {name: _play(each) for name, each in scenarios.items()}
    measures = {name: measure(each) for name, each in runs.items()}
    _write_comparison(arguments, runs)
    if arguments.json:
        _print_measures(measures, runs)
        return 0
    from ..rebalance.simulation.views.owners import owners_tables
    from ..rebalance.simulation.views.tables import comparison
    from .output.terminal import console

    screen = console(arguments.color)
    titles = {each.summary for each in scenarios.values()}
    if len(titles) == 1:
        screen.print(titles.pop())
    screen.print(comparison(measures))
    for table in owners_tables(runs):
        screen.print(table)
    for name, done in runs.items():
        _show_verdict(done, screen, f"{name}: ")
    return 0


def _compared(
    words: Sequence[str], arguments: Namespace, scenario: Scenario | None
) -> dict[str, Scenario]:
    """Return the scenarios to put side by side, by title."""
    if scenario is not None:
        return {
            name: _load(arguments.names[0], _overrides(arguments, options=options))
            for name, options in scenario.variants.items()
        }
    if not words:
        raise Failure("compare needs scenarios, assignors, or key=value,...", WRONG_USE)
    return {word: _meant(word, arguments) for word in words}


def _meant(word: str, arguments: Namespace) -> Scenario:
    """Return the scenario of a word of `compare`: a scenario, an assignor, or settings."""
    from ..rebalance.simulation.scenarios.assignors import CATALOGUE
    from ..rebalance.simulation.scenarios.protocols import PROTOCOLS

    if word in PROTOCOLS:
        return _under(word, arguments.scenario, arguments)
    if "=" in word:
        return _load(arguments.scenario, _overrides(arguments, options=_options(word)))
    if word in CATALOGUE or (":" in word and not word.endswith(".toml")):
        return _load(arguments.scenario, _overrides(arguments, assignor=word))
    return _load(word, _overrides(arguments))


def _under(protocol: str, scenario: str, arguments: Namespace) -> Scenario:
    """Return a scenario under one of the rebalance protocols."""
    from ..rebalance.simulation.scenarios.protocols import PROTOCOLS

    options, every_second = PROTOCOLS[protocol]
    more = {"options": dict(options), "every_second": dict(every_second)}
    return _load(scenario, _overrides(arguments, **more))


def _compare_protocols(arguments: Namespace) -> int:
    """Run every protocol on every scenario that protocols are compared on."""
    from ..rebalance.simulation.measures.measures import measure
    from ..rebalance.simulation.scenarios.protocols import COMPARED_ON, PROTOCOLS

    _refuse_single(arguments)
    runs = {
        scenario: {protocol: _play(_under(protocol, scenario, arguments)) for protocol in PROTOCOLS}
        for scenario in COMPARED_ON
    }
    if arguments.plot:
        from ..rebalance.simulation.views.plots import plot_grid

        _saved(arguments.plot, lambda path: plot_grid(runs, path))
    if arguments.html:
        from ..rebalance.simulation.views.page import protocols_page

        _saved(arguments.html, lambda path: _write(path, protocols_page(runs).encode()))
    from ..rebalance.simulation.views.tables import COMPARED, comparison
    from .output.terminal import console

    screen = console(arguments.color)
    for scenario, row in runs.items():
        measures = {name: measure(done) for name, done in row.items()}
        if arguments.json:
            _print_measures(measures, row)
            continue
        screen.print(f"{scenario}: {next(iter(row.values())).scenario.summary}")
        screen.print(comparison(measures, COMPARED))
        for name, done in row.items():
            _show_verdict(done, screen, f"{name}: ")
    return 0


def _refuse_single(arguments: Namespace) -> None:
    for option in ("capture", "steps", "bytes", "metrics"):
        if getattr(arguments, option):
            raise Failure(f"--{option} takes a single run", WRONG_USE)


def _print_measures(measures: Mapping[str, Measures], runs: Mapping[str, Run]) -> None:
    from ..inspector.shapes.checks import ComparedRun

    for name, run in runs.items():
        print_json(
            ComparedRun(
                run=name,
                scenario=run.scenario.name,
                findings=_violations(run),
                failed=list(run.failed),
                measures=measures[name],
            )
        )


def _options(word: str) -> dict[str, Any]:
    """Return the settings of key=value,key=value with values as in TOML; a bare word is a text."""
    import tomllib

    options: dict[str, Any] = {}
    for pair in word.split(","):
        key, _, value = pair.partition("=")
        try:
            options[key] = tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            options[key] = value.split("+") if "+" in value else value
    return options


# -- what is shown


def _show(arguments: Namespace, done: Run) -> None:
    from rich.text import Text

    from ..rebalance.simulation.measures.measures import measure
    from ..rebalance.simulation.measures.metrics import metrics
    from ..rebalance.simulation.views.owners import owners_tables
    from ..rebalance.simulation.views.tables import comparison, metrics_table
    from ..rebalance.simulation.views.timeline import Timeline
    from .output.terminal import console

    screen = console(arguments.color)
    screen.print(Text(f"{done.scenario.name}: {done.scenario.summary}\n", "bold"))
    screen.print(Timeline(done))
    if arguments.steps or arguments.bytes:
        _show_steps(arguments, done, screen)
    screen.print(comparison({"": measure(done)}))
    for table in owners_tables({"": done}):
        screen.print(table)
    if arguments.metrics:
        screen.print(metrics_table(metrics(done.record)))
    _show_verdict(done, screen)
    if not done.as_expected:
        wanted = ", ".join(sorted(done.scenario.expectation.finds)) or "nothing"
        screen.print(Text(f"This is not what the scenario expects to be found: {wanted}."))


def _show_verdict(done: Run, screen: Any, whose: str = "") -> None:
    from rich.text import Text

    for name, what in done.findings:
        screen.print(Text(f"✗ {whose}{name}: {what}"))
    for name in done.failed:
        screen.print(Text(f"✗ {whose}{name} was refused for good"))
    for name, mistake in done.idle_mistakes:
        screen.print(Text(f"· {whose}{name} never came to show its mistake: it {mistake}"))


def _show_steps(arguments: Namespace, done: Run, screen: Any) -> None:
    from rich.text import Text

    from ..rebalance.simulation.views.timeline import described

    frames = iter(done.record.frames)
    for event in done.record.events:
        if event.what == "Heartbeat":
            continue
        screen.print(Text(f"{event.at_ms / 1000:9.3f}  {event.who:<11}  {described(event)}"))
        if arguments.bytes and event.what in ("JoinGroup", "SyncGroup"):
            _show_bytes(next(_same(frames, event.at_ms, event.who)), screen)
    screen.print()


def _same(frames: Any, at_ms: float, who: str) -> Any:
    for frame in frames:
        if frame.asks and frame.at_ms == at_ms and frame.client_id == who:
            yield frame


def _show_bytes(frame: Any, screen: Any) -> None:
    from rich.padding import Padding

    from ..inspector.identification import examine
    from ..inspector.views.inspection import Inspection

    message = frame.message
    inside = [(protocol.name, protocol.metadata) for protocol in getattr(message, "protocols", ())]
    inside += [(entry.member_id, entry.assignment) for entry in getattr(message, "assignments", ())]
    for name, data in inside:
        screen.print(f"           {name}: {data.hex()}", soft_wrap=True)
        screen.print(Padding(Inspection(examine(data), with_hex=False), (0, 0, 1, 13)))


def _print_json(done: Run) -> None:
    from ..inspector.shapes.checks import Outcome
    from ..rebalance.assignments import shares_of
    from ..rebalance.simulation.measures.measures import measure
    from ..rebalance.simulation.measures.metrics import metrics

    for event in done.record.events:
        print_json(event.to_json())
    print_json(
        Outcome(
            event="result",
            scenario=done.scenario.name,
            as_expected=done.as_expected,
            findings=_violations(done),
            failed=list(done.failed),
            owned={name: shares_of(sorted(owned)) for name, owned in done.owned.items()},
            measures=measure(done),
            metrics=metrics(done.record),
        )
    )


def _violations(run: Run) -> list[Violation]:
    from ..inspector.shapes.checks import Violation

    return [Violation(code=code, explanation=text) for code, text in run.findings]


# -- files


def _write_files(arguments: Namespace, done: Run) -> None:
    if arguments.plot:
        from ..rebalance.simulation.views.plots import plot_run

        _saved(arguments.plot, lambda path: plot_run(done, path))
    if arguments.html:
        from ..rebalance.simulation.views.page import page

        _saved(arguments.html, lambda path: _write(path, page(done, _opened).encode()))
    if arguments.capture:
        from ..rebalance.simulation.views.captures import as_hex_lines, as_pcap

        make = as_pcap if arguments.capture.endswith(".pcap") else as_hex_lines
        _saved(arguments.capture, lambda path: _write(path, make(done.record.frames)))


def _write_comparison(arguments: Namespace, runs: dict[str, Run]) -> None:
    if arguments.plot:
        from ..rebalance.simulation.views.plots import plot_runs

        _saved(arguments.plot, lambda path: plot_runs(runs, path))
    if arguments.html:
        from ..rebalance.simulation.views.page import comparison_page

        _saved(arguments.html, lambda path: _write(path, comparison_page(runs).encode()))


def _opened(frame: SentFrame) -> str:
    """Return a message as the inspector shows it, as HTML."""
    from ..inspector.identification import examine
    from ..inspector.views.export import Recorder
    from ..inspector.views.inspection import Inspection

    message, version = frame.message, frame.api_version
    recorder = Recorder(100)
    seen = examine(message.to_body(version), type(message), body_version=version)
    recorder.print(Inspection(seen))
    return recorder.html_block()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:  # noqa: PTH123  # importing pathlib costs more
        file.write(data)


def _saved(path: str, write: Any) -> None:
    try:
        write(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path}: {reason}", WRONG_USE) from None
    except ModuleNotFoundError as error:
        from ..extras import install_command

        needs = f"{error.name} is missing: {install_command('plot')}"
        raise Failure(needs, WRONG_USE) from None
    say(f"wrote {path}")
