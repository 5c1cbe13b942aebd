"""`kproto conform --ask`: one question to a client, to see its answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from ..codec.runtime.registry import built_in_names
from ..escaping import escaped
from ..fuzz.conformance.judging import answer_line, parse_question
from ..fuzz.conformance.remote import NoTestee, Remote
from .output.failures import REFUSED, WRONG_USE, Failure

if TYPE_CHECKING:
    from ..fuzz.conformance.process import Limits
    from ..fuzz.subject import Subject


def run(commands: Sequence[tuple[str, ...]], limits: Limits, arguments: Namespace) -> int:
    """Ask each of the clients; return 1 if one refuses, or gives no answer."""
    if not commands:
        raise Failure("--ask needs a client: -- COMMAND or --testee", WRONG_USE)
    if arguments.name not in built_in_names():
        raise Failure(f"no message {arguments.name!r}; kproto schemas lists them", WRONG_USE)
    ask = question(arguments)
    well = True
    for command in commands:
        try:
            remote = Remote(command, limits)
        except NoTestee as error:
            raise Failure(str(error)) from None
        with closing(remote):
            answer = ask(remote)
        well &= answer.startswith(("reads ", "writes "))
        print(escaped(f"{remote.hello.client} {remote.hello.release} {answer}"))
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
