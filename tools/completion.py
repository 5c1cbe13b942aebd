"""Run `kproto completion`: print a shell's script, or the words that fit a line."""

from __future__ import annotations

from argparse import Action, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

from .commands.completion import _ASKED, SCRIPTS
from .main import COMMANDS, command_parser

SEPARATOR = "\x1f"  # between the words of a command line, whatever is in them


def run(arguments: Namespace) -> int:
    """Print the script, or a line a candidate: the word, a tab, what it is."""
    if arguments.shell in SCRIPTS:
        print(SCRIPTS[arguments.shell].strip("\n"))
        return 0
    for word, about in candidates((arguments.line or "").split(SEPARATOR)):
        print(f"{word}\t{about}" if about else word)
    return 0


Candidates = Iterator[tuple[str, str]]


def candidates(words: list[str]) -> Candidates:
    """Yield what can take the place of the last of `words`, of which the first is the program;
    nothing where that is the name of a file, or anything.
    """
    *earlier, current = words
    if len(earlier) < 2:
        options = {"--help": "show what there is", "--version": "print the version"}
        matches = iter((options if current.startswith("-") else COMMANDS).items())
    elif earlier[1] in COMMANDS:
        matches = _of_command(earlier[1], earlier[2:], current)
    else:
        return
    yield from ((word, about) for word, about in matches if word.startswith(current))


def _of_command(name: str, earlier: list[str], current: str) -> Candidates:
    _, parser = command_parser(name)
    options = {option: action for action in parser._actions for option in action.option_strings}
    earlier = [word for word in earlier if word != "="]  # bash takes --option=value for three words
    last = options.get(earlier[-1]) if earlier else None
    option, equals, _ = current.partition("=")
    if last is not None and _takes_a_value(last):
        yield from _values(last)
    elif equals and option in options:
        yield from ((f"{option}={word}", about) for word, about in _values(options[option]))
    elif current.startswith("-"):
        yield from ((option, action.help or "") for option, action in options.items())
    else:
        yield from _positional(parser._actions, options, earlier)


def _positional(
    actions: list[Action], options: dict[str, Action], earlier: list[str]
) -> Candidates:
    """Of the argument whose turn it is: one without an option's name."""
    count, value = 0, False
    for word in earlier:
        if not value and not word.startswith("-"):
            count += 1
        value = not value and word in options and _takes_a_value(options[word])
    own = [action for action in actions if not action.option_strings]
    if count < len(own):
        yield from _values(own[count])


def _takes_a_value(action: Action) -> bool:
    return bool(action.option_strings) and action.nargs != 0


def _values(action: Action) -> Candidates:
    with suppress(ImportError):  # of an extra that is not installed
        words = action.choices if action.choices is not None else _names_for(action.dest)
    yield from ((str(word), "") for word in words if word != _ASKED)


def _names_for(destination: str) -> list[str]:
    """Words that are no choices of a parser, because more than these are allowed."""
    return [word for source in _KNOWN.get(destination, ()) for word in _words(*source)]


def _words(module: str, name: str, words: Callable[[Any], Iterable[str]]) -> list[str]:
    """The words of what a module has; each is imported when it is asked for."""
    return list(words(getattr(import_module(module, __package__), name)))


_Source = tuple[str, str, Callable[[Any], Iterable[str]]]
_SIMULATION = "..rebalance.simulation"
_SCENARIOS: _Source = (_SIMULATION, "built_in_scenarios", lambda scenarios: scenarios())
_KNOWN: dict[str, tuple[_Source, ...]] = {
    "name": (("..codec.messages", "MODULES", list),),
    "format": (("..capture.text", "FORMS", lambda forms: [form.name for form in forms]),),
    "code": ((".word_pages", "every_word", lambda words: words()),),
    "names": (_SCENARIOS,),
    "scenario": (_SCENARIOS,),
    "assignor": ((f"{_SIMULATION}.scenarios.assignors", "CATALOGUE", list),),
    "readers": (("..clients.readers", "reader_names", lambda names: ["all", *names()]),),
    "adapters": (("..fuzz.clients", "NAMES", list),),
    "guarantee": (("..fuzz.guarantees.table", "GUARANTEES", lambda rows: [r.id for r in rows]),),
}
