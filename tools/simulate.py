"""Run `kproto simulate`: play scenarios, compare runs, show them, and write them into files."""

from __future__ import annotations

import os
import sys
import tomllib
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

from rich.padding import Padding
from rich.text import Text

from ..cluster.errors import ClusterError, Rebalancing
from ..cluster.redaction import redacted_group
from ..cluster.saved import read_saved
from ..cluster.what_if import scenario_text
from ..extras import missing
from ..files import write_file
from ..inspector.identification import examine
from ..inspector.shapes.checks import ComparedRun, Measures, Outcome, Violation
from ..inspector.shapes.group_shapes import Group
from ..inspector.views.export import Recorder
from ..inspector.views.inspection import Inspection
from ..inspector.views.redaction import Redaction
from ..rebalance.assignments import shares_of
from ..rebalance.simulation.measures import measure, metrics
from ..rebalance.simulation.run_log import RunTooLongError, SentFrame
from ..rebalance.simulation.scenarios.assignors import (
    CATALOGUE,
    AssignorFailed,
    NoAssignor,
    load_assignor,
)
from ..rebalance.simulation.scenarios.scenario import COMPARED_ON, PROTOCOLS, Run, Scenario
from ..rebalance.simulation.scenarios.scenario import run as play
from ..rebalance.simulation.scenarios.scenario_files import (
    Overrides,
    ScenarioError,
    built_in_scenarios,
    read_scenario,
)
from ..rebalance.simulation.views.packets import as_hex_lines, as_pcap
from ..rebalance.simulation.views.plots import plot_grid, plot_run, plot_runs
from ..rebalance.simulation.views.run_page import comparison_page, page, protocols_page
from ..rebalance.simulation.views.tables import COMPARED, comparison, metrics_table, owners_tables
from ..rebalance.simulation.views.timeline import Timeline, described
from ..wording import did_you_mean
from .commands.simulate import ALL_PROTOCOLS, COMPARE, USUAL
from .input.inputs import MAX_BYTES, read_file
from .output.failures import NOT_DONE, REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json
from .output.terminal import lines_for_people, paged_console, redaction_of
from .output.written import unwritten


def run(arguments: Namespace) -> int:
    """Run scenarios; return 1 if one shows something else than it expects."""
    if arguments.list:
        return list_scenarios(arguments)
    names: list[str] = arguments.names
    if names == [COMPARE, ALL_PROTOCOLS]:
        return compare_protocols(arguments)
    if names and names[0] == COMPARE:
        return compare(names[1:], arguments)
    if len(names) > 1:
        raise Failure(f"one scenario at a time; several: kproto simulate {COMPARE} ...", WRONG_USE)
    return run_scenario(names[0] if names else USUAL, arguments)


def run_scenario(name: str, arguments: Namespace) -> int:
    """Run a scenario; return 1 if it shows something else than it expects. One with variants puts
    them side by side.
    """
    scenario = _load(name, arguments)
    if scenario.variants and not _chosen(arguments, scenario):
        return compare([], arguments, scenario)
    result = _play(scenario)
    _write_files(arguments, result)
    if arguments.json:
        _print_json(result)
    else:
        with paged_console(arguments, is_short=True) as screen:
            _show(arguments, result, screen)
    return 0 if result.as_expected else REFUSED


# -- what is run


def _overrides(arguments: Namespace, **more: Any) -> Overrides:
    overrides = {
        "assignor": _loaded(arguments.assignor),
        "members": arguments.members,
        "partitions": arguments.partitions,
        "seed": arguments.seed,
    }
    return Overrides(**(overrides | more))


def _load(word: str, arguments: Namespace, **more: Any) -> Scenario:
    """Return a built-in scenario, or that of a file; a path wins where it has a / or ends in
    .toml. With --redact a saved group has stand-ins for its names.
    """
    redaction = redaction_of(arguments)
    scenarios = built_in_scenarios()
    if word in scenarios and os.path.sep not in word:
        where, text = word, scenarios[word]
    elif word.endswith(".toml") or os.path.sep in word or os.path.exists(word):  # noqa: PTH110
        where, data = read_file(word, MAX_BYTES)
        if data.lstrip()[:1] == b"{":
            data = _of_group(data, word, redaction).encode()
        elif redaction is not None:
            why = "--redact hides the names of a saved group, not those of a scenario"
            raise Failure(why, WRONG_USE)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise Failure(f"{where}, line {line}: it is not UTF-8", REFUSED) from None
    else:
        advice = did_you_mean(word, [*scenarios, *CATALOGUE], lists_all=False)
        raise Failure(f"there is no scenario {word!r}{advice} (kproto simulate --list)", WRONG_USE)
    name = os.path.basename(where).removesuffix(".toml")  # noqa: PTH119
    if redaction is not None and word not in scenarios:
        name = where = "group"
    name = name if name.isprintable() else "scenario"
    try:
        return read_scenario(text, name, where, _overrides(arguments, **more))
    except ScenarioError as error:
        raise Failure(str(error), REFUSED if error.line else WRONG_USE) from None


def _of_group(data: bytes, where: str, redaction: Redaction | None) -> str:
    """Return the scenario of the group in a file of `kproto group --save`; of several groups, that
    with the most members, if brokers reported what they subscribe to."""
    try:
        saved = read_saved(BytesIO(data), where)
        groups = [saved.describe(name) for name in saved.groups]
        group = max(groups, key=_size)
        return scenario_text(group if redaction is None else redacted_group(group, redaction))
    except Rebalancing as error:
        raise Failure(f"{where}: {error}", NOT_DONE) from None
    except (ClusterError, ValueError) as error:
        raise Failure(f"{where}: no group to simulate: {error}", REFUSED) from None


def _size(group: Group) -> tuple[bool, int]:
    return not group.rebalancing, len(group.members)


def _chosen(arguments: Namespace, scenario: Scenario) -> bool:
    """Return whether --assignor chooses one of the assignors that a scenario compares."""
    compares = any("assignor" in options for options in scenario.variants.values())
    return compares and arguments.assignor is not None


def _play(scenario: Scenario) -> Run:
    try:
        return play(scenario)
    except (AssignorFailed, RunTooLongError) as error:
        raise Failure(str(error)) from None


def list_scenarios(arguments: Namespace) -> int:
    """Print the built-in scenarios, a line each."""
    scenarios = built_in_scenarios()
    width = max(map(len, scenarios))
    with lines_for_people(arguments.pager):
        for name, text in scenarios.items():
            print(f"{name:{width}}  {tomllib.loads(text)['summary']}")
    return 0


# -- side by side


def compare(words: Sequence[str], arguments: Namespace, scenario: Scenario | None = None) -> int:
    """Put the scenarios of some words, or the variants of one, side by side."""
    _refuse_single(arguments)
    scenarios = _compared(words, arguments, scenario)
    runs = {name: _play(scenario_run) for name, scenario_run in scenarios.items()}
    measures = {name: measure(scenario_run) for name, scenario_run in runs.items()}
    _write_comparison(arguments, runs)
    if arguments.json:
        _print_measures(measures, runs)
        return 0

    titles = {scenario_run.summary for scenario_run in scenarios.values()}
    with paged_console(arguments, is_short=True) as screen:
        if len(titles) == 1:
            screen.print(titles.pop())
        screen.print(comparison(measures))
        for table in owners_tables(runs):
            screen.print(table)
        for name, scenario_run in runs.items():
            _show_verdict(scenario_run, screen, f"{name}: ")
    return 0


def _compared(
    words: Sequence[str], arguments: Namespace, scenario: Scenario | None
) -> dict[str, Scenario]:
    """Return the scenarios to put side by side, by title."""
    if scenario is not None:
        return {
            name: _load(arguments.names[0], arguments, options=options)
            for name, options in scenario.variants.items()
        }
    if not words:
        raise Failure("compare needs scenarios, assignors, or key=value,...", WRONG_USE)
    return {word: _scenario_of(word, arguments) for word in words}


def _scenario_of(word: str, arguments: Namespace) -> Scenario:
    """Return the scenario of a word of `compare`: a scenario, an assignor, or settings."""
    if word in PROTOCOLS:
        return _under(word, arguments.scenario, arguments)
    if "=" in word:
        return _load(arguments.scenario, arguments, options=_options(word))
    if word in CATALOGUE or (":" in word and not word.endswith(".toml")):
        return _load(arguments.scenario, arguments, assignor=_loaded(word))
    return _load(word, arguments)


def _loaded(word: str | None) -> str | None:
    """Return a word of the command line, which alone names code; that is looked for in the current
    folder, too."""
    if word is not None and ":" in word:
        if os.getcwd() not in sys.path:  # noqa: PTH109  # importing pathlib costs more
            sys.path.append(os.getcwd())  # noqa: PTH109
        try:
            load_assignor(word)
        except NoAssignor as error:
            raise Failure(str(error), WRONG_USE) from None
    return word


def _under(protocol: str, scenario: str, arguments: Namespace) -> Scenario:
    """Return a scenario under one of the rebalance protocols."""
    options, every_second = PROTOCOLS[protocol]
    more = {"options": dict(options), "every_second": dict(every_second)}
    return _load(scenario, arguments, **more)


def compare_protocols(arguments: Namespace) -> int:
    """Run every protocol on every scenario that protocols are compared on."""
    _refuse_single(arguments)
    runs = {
        scenario: {protocol: _play(_under(protocol, scenario, arguments)) for protocol in PROTOCOLS}
        for scenario in COMPARED_ON
    }
    _plot(arguments, lambda path: plot_grid(runs, path))
    if arguments.html:
        _saved(arguments.html, lambda path: write_file(path, protocols_page(runs).encode()))

    measures = {
        scenario: {name: measure(scenario_run) for name, scenario_run in row.items()}
        for scenario, row in runs.items()
    }
    if arguments.json:
        for scenario, row in runs.items():
            _print_measures(measures[scenario], row)
        return 0
    with paged_console(arguments, is_short=True) as screen:
        for scenario, row in runs.items():
            screen.print(f"{scenario}: {next(iter(row.values())).scenario.summary}")
            screen.print(comparison(measures[scenario], COMPARED))
            for name, scenario_run in row.items():
                _show_verdict(scenario_run, screen, f"{name}: ")
    return 0


def _refuse_single(arguments: Namespace) -> None:
    for option in ("capture", "steps", "bytes", "metrics"):
        if getattr(arguments, option):
            raise Failure(f"--{option} takes a single run", WRONG_USE)


def _print_measures(measures: Mapping[str, Measures], runs: Mapping[str, Run]) -> None:
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
    options: dict[str, Any] = {}
    for pair in word.split(","):
        key, _, value = pair.partition("=")
        try:
            options[key] = tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            options[key] = value.split("+") if "+" in value else value
    assignors = options.get("assignor", [])
    for name in [assignors] if isinstance(assignors, str) else assignors:
        _loaded(name)
    return options


# -- what is shown


def _show(arguments: Namespace, result: Run, screen: Any) -> None:
    screen.print(Text(f"{result.scenario.name}: {result.scenario.summary}\n", "bold"))
    screen.print(Timeline(result))
    if arguments.steps or arguments.bytes:
        _show_steps(arguments, result, screen)
    screen.print(comparison({"": measure(result)}))
    for table in owners_tables({"": result}):
        screen.print(table)
    if arguments.metrics:
        screen.print(metrics_table(metrics(result.record)))
    _show_verdict(result, screen)
    if not result.as_expected:
        expected_checks = ", ".join(sorted(result.scenario.expectation.finds)) or "nothing"
        screen.print(Text(f"This is not what the scenario expects to be found: {expected_checks}."))


def _show_verdict(result: Run, screen: Any, prefix: str = "") -> None:
    for name, sentence in result.findings:
        screen.print(Text(f"✗ {prefix}{name}: {sentence}"))
    for name, error in result.refusals.items():
        more = f" (kproto explain {error})" if error else ""
        screen.print(Text(f"✗ {prefix}{name} was refused for good{more}"))
    for name, mistake in result.idle_mistakes:
        screen.print(Text(f"· {prefix}{name} never came to show its mistake: it {mistake}"))


def _show_steps(arguments: Namespace, result: Run, screen: Any) -> None:
    frames = iter(result.record.frames)
    for event in result.record.events:
        if event.what == "Heartbeat":
            continue
        screen.print(Text(f"{event.at_ms / 1000:9.3f}  {event.who:<11}  {described(event)}"))
        if arguments.bytes and event.what in ("JoinGroup", "SyncGroup"):
            _show_bytes(next(_frames_at(frames, event.at_ms, event.who)), screen)
    screen.print()


def _frames_at(frames: Any, at_ms: float, client_id: str) -> Any:
    for frame in frames:
        if frame.asks and frame.at_ms == at_ms and frame.client_id == client_id:
            yield frame


def _show_bytes(frame: Any, screen: Any) -> None:
    message = frame.message
    inside = [(protocol.name, protocol.metadata) for protocol in getattr(message, "protocols", ())]
    inside += [(entry.member_id, entry.assignment) for entry in getattr(message, "assignments", ())]
    for name, data in inside:
        screen.print(f"           {name}: {data.hex()}", soft_wrap=True)
        screen.print(Padding(Inspection(examine(data), with_hex=False), (0, 0, 1, 13)))


def _print_json(run: Run) -> None:
    for event in run.record.events:
        print_json(event.to_json())
    print_json(
        Outcome(
            event="result",
            scenario=run.scenario.name,
            as_expected=run.as_expected,
            findings=_violations(run),
            failed=list(run.failed),
            owned={name: shares_of(sorted(owned)) for name, owned in run.owned.items()},
            measures=measure(run),
            metrics=metrics(run.record),
        )
    )


def _violations(run: Run) -> list[Violation]:
    return [Violation(code=code, explanation=text) for code, text in run.findings]


# -- files


def _write_files(arguments: Namespace, result: Run) -> None:
    _plot(arguments, lambda path: plot_run(result, path))
    if arguments.html:
        _saved(arguments.html, lambda path: write_file(path, page(result, _open_message).encode()))
    if arguments.capture:
        make = as_pcap if arguments.capture.endswith(".pcap") else as_hex_lines
        _saved(arguments.capture, lambda path: write_file(path, make(result.record.frames)))


def _plot(arguments: Namespace, draw: Callable[[str], None]) -> None:
    for option in ("svg", "png"):
        path = getattr(arguments, option)
        if path and not path.lower().endswith(f".{option}"):
            raise Failure(f"--{option} {path}: the file's name has to end in .{option}", WRONG_USE)
        if path:
            _saved(path, draw)


def _write_comparison(arguments: Namespace, runs: dict[str, Run]) -> None:
    _plot(arguments, lambda path: plot_runs(runs, path))
    if arguments.html:
        _saved(arguments.html, lambda path: write_file(path, comparison_page(runs).encode()))


def _open_message(frame: SentFrame) -> str:
    """Return a message as the inspector shows it, as HTML."""
    message, version = frame.message, frame.api_version
    recorder = Recorder(100)
    inspection = examine(message.to_body(version), type(message), body_version=version)
    recorder.print(Inspection(inspection))
    return recorder.html_block()


def _saved(path: str, write: Any) -> None:
    try:
        write(path)
    except (OSError, ValueError) as error:
        raise unwritten(path, error) from None
    except ModuleNotFoundError as error:
        raise Failure(missing("a picture", error.name, "plot"), WRONG_USE) from None
    say(f"wrote {path}")
