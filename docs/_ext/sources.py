"""What the site takes from the code, as Markdown; the one place that knows where it is there.

`MAKERS` has a function for each name that a page may put into a mark, see `made`.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tomllib
from argparse import SUPPRESS, Action
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from fnmatch import fnmatchcase
from graphlib import TopologicalSorter
from importlib import import_module
from inspect import isclass, ismodule, isroutine
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from drawings import bytes_row, sequence, states
from machines import draw_machines

from kproto import capture, codec
from kproto.clients import catalog
from kproto.clients.error_pages import error_pages
from kproto.clients.faults import faults
from kproto.clients.group_runs import runs
from kproto.clients.settings import default_of
from kproto.fuzz.guarantees.table import GUARANTEES, Guarantee, Scope
from kproto.history.causes import CAUSES, ROOTS, TRIGGERS
from kproto.history.symptoms import SYMPTOMS
from kproto.inspector.shapes import json_schema
from kproto.pipeline import functions, tables
from kproto.pipeline.audit import RULES
from kproto.pipeline.audit.rules import RULES_OF_LOGS
from kproto.rebalance.client_settings import RULES as SETTING_RULES
from kproto.rebalance.simulation import built_in_scenarios, read_scenario
from kproto.tools.main import COMMANDS, command_parser, main
from kproto.tools.output.failures import STATUSES, statuses_of

ROOT = Path(__file__).parents[2]
_CODE = re.compile(r"(`[^`]*`)")
_SPECIAL = re.compile(r"([\\*_<>\[\]|#])")


def plain(text: str) -> str:
    """Returns text so that Markdown shows it as it is; code in backquotes stays code."""
    parts = _CODE.split(" ".join(text.split()))
    parts[::2] = (_SPECIAL.sub(r"\\\1", part) for part in parts[::2])
    return "".join(part.replace("|", "\\|") if part[:1] == "`" else part for part in parts)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Returns a table; cells are Markdown already."""
    lines = [list(head)]
    lines.append(["---"] * len(lines[0]))
    lines += [list(row) for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fenced(text: str, language: str = "text") -> str:
    """Returns a block of code."""
    return f"````{language}\n{text.rstrip()}\n````"


def printed(*arguments: str) -> str:
    """Returns what the command prints."""
    out = io.StringIO()
    with redirect_stdout(out), patch.object(sys, "stdin", None):  # it is not piped in
        status = main([*arguments])
    assert status == 0, arguments
    return out.getvalue()


# Commands


def command(name: str) -> str:
    """Usage, arguments, options and exit statuses of one command."""
    _, parser = command_parser(name)
    parts = [fenced(re.sub(r"^(usage: | {7})", "", parser.format_usage(), flags=re.MULTILINE))]
    actions = [
        action
        for action in parser._actions
        if action.help is not SUPPRESS and action.dest != "help"
    ]
    rows = [(_flags(action), plain(_helped(action, parser.prog))) for action in actions]
    parts.append(table(["argument or option", "what"], rows))
    of_command = [(str(status), plain(why)) for status, why in statuses_of(name).items()]
    parts.append(table(["exit status", "when"], of_command))
    about = (parser.epilog or "").partition("exit status: ")[0]
    return "\n\n".join([*parts, plain(about)])


def statuses() -> str:
    """What an exit status means in all commands, and what in each."""
    general = table(
        ["exit status", "in every command"],
        [(str(status), plain(why)) for status, why in STATUSES.items()],
    )
    rows = [
        (f"[`kproto {name}`](commands.md#kproto-{name})",
         *(plain(statuses_of(name).get(status, "")) for status in (0, 1, 3)))
        for name in COMMANDS
    ]  # fmt: skip
    return "\n\n".join([general, table(["command", "0", "1", "3"], rows)])


def _flags(action: Action) -> str:
    value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
    if action.choices and not action.metavar:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    if not action.option_strings:
        return f"`{value or action.dest}`"
    shown = f"{', '.join(action.option_strings)} {value}".strip()
    return f"`{shown}`".replace("|", "\\|")


def _helped(action: Action, prog: str) -> str:
    return (action.help or "") % {**vars(action), "prog": prog}


def options() -> str:
    """Every option that several commands have: what it means, and where it is; a row for each text
    by which the commands' own help describes it."""
    uses: dict[str, list[tuple[str, Action]]] = {}
    for name in COMMANDS:
        _, parser = command_parser(name)
        for action in parser._actions:
            if action.help is not SUPPRESS and action.option_strings[-1:] not in ([], ["--help"]):
                uses.setdefault(action.option_strings[-1], []).append((name, action))
    rows = []
    for _, found in sorted(uses.items()):
        if len(found) > 1:
            links: dict[tuple[str, str], list[str]] = {}
            for name, action in found:
                text = _flags(action), plain(_helped(action, f"kproto {name}"))
                links.setdefault(text, []).append(f"[{name}](commands.md#kproto-{name})")
            for text, names in links.items():
                everywhere = len(names) == len(COMMANDS)
                rows.append((*text, "all" if everywhere else ", ".join(names)))
    return table(["option", "what", "commands"], rows)


def commands() -> str:
    """The commands, a line each."""
    return table(
        ["command", "what it is for"],
        [(f"[`kproto {name}`](#kproto-{name})", plain(text)) for name, text in COMMANDS.items()],
    )


def output(*words: str) -> str:
    """A command line and what it prints."""
    return fenced(f"$ kproto {' '.join(words)}\n{printed(*words)}", "console")


# Forms of input


def forms() -> str:
    """Every written form: its name, what writes it, and the same message in it."""
    data = codec.ConsumerProtocolSubscription(topics=["orders"]).to_bytes(version=0)
    parts = []
    for form in capture.FORMS:
        parts.append(f"### {form.name}\n\n{plain(form.about)}.")
        if form.aliases:
            parts.append(f"Other names: {', '.join(f'`{name}`' for name in form.aliases)}.")
        if form.name != "raw":
            parts.append(fenced(_example(form, data)))
    return "\n\n".join(parts)


_BETWEEN = {"lines": "\n", "words": " ", "wrapped": "\n"}
_ROW = 20


def _example(form: capture.Form, data: bytes) -> str:
    """The message in this form; twice, where the form says how several are parted."""
    text = form.write(data)
    kind = form.name.rpartition("-")[2]
    if form.name == "numbered":
        text += text.replace("1.", "\n2.")
    elif kind in _BETWEEN and form.name != "kafka-dump-log":
        if kind == "wrapped":
            text = "\n".join(text[at : at + _ROW] for at in range(0, len(text), _ROW))
        text += _BETWEEN[kind] + text
        read = capture.read(text.encode(), format=form.name)
        assert [chunk.data for chunk in read.chunks] == [data, data], form.name
    return text


# Codes and rules


_RULES = {*RULES, *(rule.id for rule in RULES_OF_LOGS)}


def _pages() -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed("explain", "--json").splitlines()]


def codes() -> str:
    """Every code of `lint`: a table, and a section each."""
    pages = [page for page in _pages() if page["code"] not in _RULES]
    rows = [
        (f"[{page['code']}](#{page['code'].lower()})", page["level"], page["class"],
         plain(page["title"])) for page in pages
    ]  # fmt: skip
    parts = [table(["code", "level", "class", "what"], rows)]
    return "\n\n".join([*parts, *map(_explained, pages)])


def rules() -> str:
    """Every rule of the audit: a table, and a section each."""
    pages = [page for page in _pages() if page["code"] in _RULES]
    rows = [
        (f"[`{page['code']}`](#{page['code']})", page["class"], plain(page["title"]))
        for page in pages
    ]
    parts = [table(["rule", "severity", "what it says"], rows)]
    return "\n\n".join([*parts, *map(_explained, pages)])


def client_settings() -> str:
    """Every rule about clients' settings, and the defaults that they go by."""
    rows = [
        (f"`{rule.code}`", ", ".join(f"`{name}`" for name in rule.settings), plain(rule.title))
        for rule in SETTING_RULES
    ]
    names = sorted({name for rule in SETTING_RULES for name in rule.settings})
    clients = ("kafka-clients", "librdkafka", "kafka-python", "aiokafka", "franz-go", "sarama",
               "kafkajs")  # fmt: skip
    defaults = [
        (f"`{name}`", *(_newest_default(client, name) for client in clients)) for name in names
    ]
    return "\n\n".join(
        [
            table(["rule", "settings", "what happened"], rows),
            "The defaults of the newest releases:",
            table(["setting", *clients], defaults),
        ]
    )


def _newest_default(client: str, name: str) -> str:
    default = default_of(client, "999", name)
    return "" if default is None else default.value.replace(",", ", ")


def causes() -> str:
    """Every cause: a table of triggers, and one of roots."""
    parts = []
    for title, facts in (("Why a rebalance began", TRIGGERS), ("What is wrong", ROOTS)):
        rows = [
            (f"`{word}`", plain(fact.what), plain(fact.proof), fact.in_records or "never",
             ", ".join(f"`{rival}`" for rival in fact.rivals), plain(fact.advice))
            for word, fact in facts.items()
        ]  # fmt: skip
        head = ["cause", "what happened", "certain by", "in records", "rivals", "do first"]
        parts.append(f"## {title}\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def errors() -> str:
    """Every error of a consumer group, a section each."""
    parts = []
    for name, page in error_pages().items():
        causes = [
            f"- `{word}`: {plain(CAUSES[word].what)}" for word in page.causes if word != "unknown"
        ]
        shown = ", ".join(f"`{text}`" for text in page.texts)
        texts = [f"## {name}", plain(page.title).capitalize() + ".", f"In logs: {shown}.",
                 plain(page.what), plain(page.group)]  # fmt: skip
        if causes:
            texts.append("What can be behind it:\n\n" + "\n".join(causes))
        texts += [f"How to tell: {plain(page.apart)}", f"```text\n{page.first}\n```"]
        parts.append("\n\n".join(texts))
    return "\n\n".join(parts)


def known_faults() -> str:
    """Every known fault that makes groups rebalance."""
    rows = [
        (f"[{fault.name}]({fault.report})", fault.program, fault.releases,
         plain(SYMPTOMS[fault.symptom].text.format(who="a member")), plain(fault.what))
        for fault in faults()
    ]  # fmt: skip
    return table(["fault", "program", "releases", "what a group looks like", "what happens"], rows)


def _explained(page: dict[str, Any]) -> str:
    kinds = ", ".join(dict.fromkeys((page["level"], page["class"])))
    parts = [
        f"## {page['code']}",
        f"**{plain(page['title'])}.** {kinds.capitalize()}.",
        plain(page["what"]),
    ]
    for title, text in (
        ("For a running group", page["group"]),
        ("Written by", page["writers"]),
        ("Do first", page["action"]),
        ("See", ", ".join(page["see"])),
    ):
        if text:
            parts.append(f"*{title}:* {plain(text)}")
    if page["prints"]:
        lines = "\n".join(f"- {plain(line)}" for line in page["prints"])
        parts.append(f"*Clients print:*\n\n{lines}")
    if inputs := _measured_inputs(page["code"]):
        parts.append(f"*Measured with:*\n\n{inputs}")
    return "\n\n".join(parts)


def _measured_inputs(code: str) -> str:
    """The bytes that real consumers were given, a line for each."""
    forms = {(run.role, run.input, run.form): None for run in runs(code)}
    return "\n".join(
        f"- as {role}: " + (f"`{text}`" if text else "no bytes") + (f", {form}" if form else "")
        for role, text, form in forms
    )


# Guarantees, targets, functions, tables


def guarantees(scope: str) -> str:
    """The guarantees of a scope."""
    rows = [row for row in GUARANTEES if row.scope is Scope(scope)]
    return table(["id", "statement", "what keeps it", "holds for", "source"], map(_guarantee, rows))


def _guarantee(row: Guarantee) -> Iterator[str]:
    yield row.title
    yield plain(row.statement)
    yield plain(row.fix)
    yield plain(f"{row.families}; versions: {row.versions}")
    yield plain(row.source)


def targets() -> str:
    """The targets of campaigns, each with its invariant."""
    rows = []
    for block in re.split(r"\n(?=\S)", printed("fuzz", "list")):
        name, _, text = block.partition(" ")
        rows.append((f"`{name}`", plain(text)))
    assert rows
    return table(["target", "invariant"], rows)


def spark_functions() -> str:
    """The functions for Spark, each with its message."""
    rows = [
        (f"`{name}`", function.message_name)
        for name, function in vars(functions).items()
        if isinstance(function, functions.Decoder)
    ]
    assert rows
    return table(["function", "message"], rows)


def audit_tables() -> str:
    """Every table of an audit with its columns, from the second heading on."""
    text = tables.page()
    return text[text.index("\n## ") :].replace(
        "see docs/reference/audit.md", "[how it is counted](audit.md#which-group-first)"
    )


# Messages


def messages(*patterns: str) -> str:
    """A section for each message whose name fits: its fields, and its newest version in bytes."""
    names = [name for name in codec.built_in_names() if any(fnmatchcase(name, p) for p in patterns)]
    assert names, patterns
    return "\n\n".join(map(_message, names))


def _message(name: str) -> str:
    kind = codec.message_class(name)
    newest = kind.VERSIONS.highest
    classes = [f".. autoclass:: kproto.codec.{path}" for path in _structs(kind)]
    drawing = printed("schemas", name, "--version", str(newest)).partition(f"\n{name}  ")[0]
    joined = "\n\n".join(classes)
    return (
        f"## {name}\n\n```{{eval-rst}}\n{joined}\n```\n\n"
        f"Version {newest} in bytes:\n\n{fenced(drawing.partition(chr(10))[2])}"
    )


def writers(message: str) -> str:
    """Which releases write which version of a message, as `lint` knows them."""
    rows = []
    for writer in catalog.writers():
        habits = [habit for habit in writer.habits if habit.message == message]
        layouts = sorted({layout for habit in habits for layout in habit.layouts})
        if layouts:
            rows.append((writer.name, plain(writer.releases or "all"), ", ".join(layouts)))
    return table(["client", "releases", "versions"], rows)


def abilities(*names: str) -> str:
    """What clients can do: a row a client, a column for each ability, all where none is named; with
    the releases that were tried."""
    cells = catalog.abilities()
    columns = [name for name in ABILITIES if not names or name in names]
    rows = []
    for client in dict.fromkeys([*catalog.clients(), *(cell.client for cell in cells.values())]):
        row = [cells.get((client, name)) for name in columns]
        if any(row):
            rows.append((client, *map(_ability, row)))
    return table(["client", *(ABILITIES[name] for name in columns)], rows)


ABILITIES: dict[catalog.AbilityName, str] = {
    "cooperative": "cooperative-sticky",
    "both-at-once": "an eager and a cooperative assignor listed together",
    "consumer-protocol": "group.protocol=consumer",
    "static-members": "static members",
    "regular-expressions": "patterns that the broker matches",
    "share-groups": "share groups",
    "streams-groups": "Streams groups",
    "poll-limit": "leaves when its application does not poll",
}


def _ability(cell: catalog.Ability | None) -> str:
    if cell is None:
        return ""
    text = f"since {cell.since}" if cell.since else f"no (up to {cell.absent_in})"
    return plain(text) + ("" if not cell.tried else f"; tried: {', '.join(cell.tried)}")


def evidence() -> str:
    """How each cell of the table of abilities is known, and the test that showed it."""
    rows = [
        (
            cell.client,
            ABILITIES[cell.ability],
            _ability(cell),
            plain(cell.evidence + (f": {cell.refusal}" if cell.refusal else "")),
            "<br>".join(f"`{test.partition('::')[2]}`" for test in cell.shown_by),
        )
        for cell in catalog.abilities().values()
    ]
    return table(["client", "what", "which releases", "how it is known", "shown by"], rows)


def plans(*routes: str) -> str:
    """The plans that tests have carried out, of some routes or of all."""
    rows = [
        (
            walk.route,
            walk.assignor,
            ", ".join(f"{name} {release}" for name, release in walk.members)
            + ", static" * walk.static
            + (f"; fails: {plain(walk.fails)}" if walk.fails else ""),
        )
        for walk in catalog.walks()
        if not routes or walk.route in routes
    ]
    return table(["route", "from", "members"], rows)


def _structs(kind: type) -> Iterator[str]:
    """The class and those inside of it, by their dotted names."""
    yield kind.__qualname__
    for inner in vars(kind).values():
        if isclass(inner) and inner.__qualname__.startswith(f"{kind.__qualname__}."):
            yield from _structs(inner)


# The library


def api(module: str, *names: str) -> str:
    """The reference of public names of a module."""
    room = import_module(module)
    for name in names:
        if ismodule(found := getattr(room, name)):  # a module of the same name was imported first
            setattr(room, name, getattr(found, name))
    return "\n\n".join(_documented(module, name, getattr(room, name)) for name in names)


def _documented(module: str, name: str, found: Any) -> str:
    if not (isclass(found) or isroutine(found)):
        text = _data_doc(module.split(".")[1], name)
        return f"```{{eval-rst}}\n.. py:data:: {module}.{name}\n\n   {text}\n```"
    kind = "class" if isclass(found) else "function"
    if isclass(found) and issubclass(found, BaseException):
        kind = "exception"
    options = "" if kind == "function" else "\n   :members:"
    return f"```{{eval-rst}}\n.. auto{kind}:: {module}.{name}{options}\n```"


def _data_doc(room: str, name: str) -> str:
    """The text below the assignment of a name, which can be in any module of the room."""
    for path in sorted((ROOT / room).rglob("*.py")):
        lines = ast.parse(path.read_text("utf-8")).body
        for line, below in pairwise([*lines, ast.Pass()]):
            targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", 0)]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                    return " ".join(str(below.value.value).split())
                return ""
    raise LookupError(name)


# Simulation


def simulation(*words: str) -> str:
    """A table or a state machine of the simulation."""
    name = " ".join(words)
    text = draw_machines()[name]
    return states(name, text) if text.startswith("```mermaid") else text


def scenarios() -> str:
    """The scenarios that come along."""
    rows = []
    for name, path in sorted(built_in_scenarios().items()):
        scenario = read_scenario(path, name)
        rows.append((f"`{name}`", plain(scenario.summary)))
    return table(["scenario", "what it shows"], rows)


# JSON


def json_shape(name: str, *shown: str) -> str:
    """These objects of a JSON output, key by key, and where its schema is."""
    parts = [f"Its JSON Schema: `kproto schemas --json-output {name}`."]
    objects = json_schema(name)["$defs"]
    for title in shown:
        keys = objects[title]["properties"].items()
        required = set(objects[title].get("required", ()))
        cells = [
            (
                f"`{key if key in required else key + '?'}`",
                f"`{_type_of(part)}`",
                plain(part.get("description", "")),
            )
            for key, part in keys
        ]
        about = plain(objects[title].get("description", "").partition("\n\n")[0])
        parts.append(f"**{title}**: {about}\n\n{table(['key', 'type', 'what'], cells)}")
    return "\n\n".join(parts)


def _type_of(part: dict[str, Any]) -> str:
    if "anyOf" in part:
        return " or ".join(map(_type_of, part["anyOf"]))
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "enum" in part:
        return " or ".join(f'"{value}"' for value in part["enum"])
    if part.get("type") == "array":
        return f"[{_type_of(part.get('items', {}))}]"
    if isinstance(part.get("additionalProperties"), dict):
        return f"{{string: {_type_of(part['additionalProperties'])}}}"
    return str(part.get("type", "any"))


# The house


def rooms() -> str:
    """The rooms on their floors, the highest first, by the import rules that hold them there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [layers] = [
        contract["layers"] for contract in contracts if contract.get("containers") == ["kproto"]
    ]
    rows = []
    for height, layer in zip(range(len(layers) - 1, -1, -1), layers, strict=True):
        names = [part.strip(" ()") for part in layer.split("|")]
        for path in map(_path, names):
            module = ROOT / path / "__init__.py" if path.endswith("/") else ROOT / path
            rows.append((str(height), f"`{path}`", _first_line(module).partition(". ")[0]))
    return table(["floor", "room", "what is in it"], rows)


def inner_rooms() -> str:
    """The rooms inside each room, by who imports whom: what imports none of the others is first."""
    rows = []
    for mark in sorted(ROOT.glob("*/py.typed")):
        room = mark.parent
        parts = sorted(path.parent.name for path in room.glob("*/__init__.py"))
        if parts:
            order = TopologicalSorter({part: _siblings(room, part, parts) for part in parts})
            names = ", ".join(f"`{part}`" for part in order.static_order())
            rows.append((f"`{room.name}/`", names))
    return table(["room", "inner rooms, the lowest first"], rows)


def _siblings(room: Path, part: str, parts: Iterable[str]) -> set[str]:
    """The rooms beside an inner room from which a file of it imports."""
    names = {
        name.partition(".")[0]
        for path in (room / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level == len(path.relative_to(room).parts)
        for name in ([node.module] if node.module else [alias.name for alias in node.names])
    }
    return names & (set(parts) - {part})


def _path(name: str) -> str:
    """Where a module directly under `kproto` is in the tree."""
    return f"{name}/" if (ROOT / name).is_dir() else f"package/{name}.py"


def inner(room: str) -> str:
    """The files and inner rooms of a room, each with the first line of its docstring."""
    rows = []
    for path in sorted((ROOT / room).iterdir()):
        if path.suffix == ".py" and not path.stem.startswith("_"):
            rows.append((f"`{path.name}`", _first_line(path)))
        elif (path / "__init__.py").exists():
            names = [f"`{name}`" for name in _names(path)]
            listed = f": {', '.join(names)}" if len(names) < _MOST_NAMED else ""
            rows.append((f"`{path.name}/`", _first_line(path / "__init__.py") + listed))
    return table(["file or inner room", "what is in it"], rows)


_MOST_NAMED = 40
"""Files of an inner room that are listed; a room with more of them is made of messages."""


def _names(folder: Path) -> list[str]:
    return sorted(
        path.stem if path.suffix else f"{path.name}/"
        for path in folder.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
    )


def _first_line(path: Path) -> str:
    found = re.search(r'^r?"""(.*?)(?:"""|\n\n|\Z)', path.read_text("utf-8"), re.DOTALL)
    return plain(found[1]) if found else ""


def matrix() -> str:
    """The link to the page of the matrix, which is there in the built documentation alone."""
    return "**[The matrix as a page](matrix/index.html)**"


MAKERS: dict[str, Callable[..., str]] = {
    "abilities": abilities,
    "api": api,
    "bytes": bytes_row,
    "codes": codes,
    "command": command,
    "commands": commands,
    "evidence": evidence,
    "matrix": matrix,
    "forms": forms,
    "guarantees": guarantees,
    "inner": inner,
    "inner-rooms": inner_rooms,
    "json": json_shape,
    "messages": messages,
    "options": options,
    "output": output,
    "plans": plans,
    "rooms": rooms,
    "rules": rules,
    "causes": causes,
    "client-settings": client_settings,
    "errors": errors,
    "known-faults": known_faults,
    "scenarios": scenarios,
    "sequence": sequence,
    "simulation": simulation,
    "spark-functions": spark_functions,
    "statuses": statuses,
    "tables": audit_tables,
    "targets": targets,
    "writers": writers,
}
"""What a mark may name."""
