"""Defaults of options from a file in TOML, `--config FILE` or that of $KPROTO_CONFIG.

    bootstrap-server = "broker:9092"      # for each command that has the option
    command-config = "client.properties"
    color = "never"

    [audit]                               # for this command alone
    fail-on = "critical"
    group = ["orders-*", "payments-*"]

Keys are options without their hyphens in front. A file names no code. The command line comes before
the file, and the table of a command before what is for all. A name that no command has is refused.
"""

from __future__ import annotations

import os
import tomllib
from argparse import Action, ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ...files import read_bounded
from ...long_keys import MOST_PARTS, line_of_long_key
from ...wording import did_you_mean
from ..output.failures import WRONG_USE, Failure, unreadable

OPTION, VARIABLE = "--config", "KPROTO_CONFIG"
_OF_CODE = ("assignor",)
"""Options whose value may be a `module:Class`, which is imported."""
ParserOf: TypeAlias = Callable[[str], ArgumentParser]


def with_config(
    command: str, words: list[str], commands: Iterable[str], parser_of: ParserOf
) -> list[str]:
    """Return the words of a command line behind those that the file stands for. Raises Failure."""
    path = _path(words) or os.environ.get(VARIABLE)
    if not path:
        return words
    options = parser_of(command)._option_string_actions
    stated = {options[word.partition("=")[0]].dest for word in _own(words)
              if word.partition("=")[0] in options}  # fmt: skip
    added: list[str] = []
    for key, value in _settings(path, command, commands, parser_of).items():
        action = options.get(f"--{key}")
        if action is not None and action.dest not in stated:
            added += _words(path, key, value, action)
    return [*added, *words]


def _own(words: list[str]) -> list[str]:
    """Return the words that are not those of another program."""
    return words[: words.index("--")] if "--" in words else words


def _path(words: list[str]) -> str | None:
    own = _own(words)
    for number, word in enumerate(own):
        name, equals, value = word.partition("=")
        if name == OPTION:
            return value if equals else "".join(own[number + 1 : number + 2])
    return None


def _settings(
    path: str, command: str, commands: Iterable[str], parser_of: ParserOf
) -> Mapping[str, Any]:
    """Return what a file has for a command."""
    try:
        content = _content(read_bounded(path).decode())
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(repr(path), error, OPTION) from None
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    for name in tables:
        if name not in commands:
            advice = did_you_mean(name, commands)
            raise Failure(f"{path}: there is no command {name!r}{advice}", WRONG_USE)
    shared = {key: value for key, value in content.items() if key not in tables}
    own = tables.get(command, {})
    names = _options_of(parser_of(command))
    _check(path, own, names)
    if not shared.keys() <= names:
        _check(path, shared, set().union(*(_options_of(parser_of(name)) for name in commands)))
    return {**shared, **own}


def _content(text: str) -> dict[str, Any]:
    if line := line_of_long_key(text):
        raise ValueError(f"line {line}: a dotted key has more than {MOST_PARTS} parts")
    return tomllib.loads(text)


def _options_of(parser: ArgumentParser) -> set[str]:
    options = {name.removeprefix("--") for name in parser._option_string_actions}
    return options - {OPTION.removeprefix("--")}


def _check(path: str, settings: Mapping[str, Any], names: set[str]) -> None:
    for key in settings:
        if key not in names:
            advice = did_you_mean(key, names, lists_all=False)
            raise Failure(f"{path}: there is no option --{key}{advice}", WRONG_USE)


def _words(path: str, key: str, value: Any, action: Action) -> Iterator[str]:
    """Yield the words that a value stands for."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise Failure(f"{path}: {key} is true or false", WRONG_USE)
        yield from [f"--{key}"] if value else []
        return
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise Failure(f"{path}: {key} takes a text or a number", WRONG_USE)
        if key in _OF_CODE and ":" in str(item):
            line = f"{path}: {key} names code, {item}, which is named on the command line alone"
            raise Failure(line, WRONG_USE)
        _check_value(path, key, str(item), action)
        yield f"--{key}={item}"


def _check_value(path: str, key: str, text: str, action: Action) -> None:
    """Raise Failure, which names the file, for a value that the option does not take."""
    try:
        value = action.type(text) if callable(action.type) else text
    except (ArgumentTypeError, TypeError, ValueError) as error:
        raise Failure(f"{path}: {key}: {error}", WRONG_USE) from None
    if action.choices is not None and value not in action.choices:
        choices = ", ".join(map(str, action.choices))
        raise Failure(f"{path}: {key}: {text!r} is none of {choices}", WRONG_USE)
