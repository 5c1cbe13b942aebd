"""List the message definitions, search them, or show the fields of one.

With --version the bytes of that version are drawn, with offsets and widths. With --json-output the
JSON Schema of what a command's --json prints is shown instead.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ..codec.messages import MODULES, message_class
from ..codec.runtime.message import Message
from ..inspector.shapes import SHAPES, json_schema
from .input.messages import add_definitions, find, load
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json_document
from .output.terminal import add_view

if TYPE_CHECKING:
    from rich.console import RenderableType

Classes = dict[str, type[Message]]


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto schemas`."""
    parser.epilog = "exit status: 0 shown; 1 --search found nothing; 2 wrong use"
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the message to show; default: list all"
    )
    parser.add_argument(
        "--version", metavar="N", type=int, help="draw the bytes of this version of NAME"
    )
    parser.add_argument(
        "--search", metavar="WORD", help="where WORD stands: in names, fields and comments"
    )
    parser.add_argument(
        "--json-output",
        metavar="OUTPUT",
        choices=list(SHAPES),
        help=f"the JSON Schema of a line of an output: {', '.join(SHAPES)}",
    )
    add_definitions(parser)
    add_view(parser)


def run(arguments: Namespace) -> int:
    """Print what is asked for."""
    if arguments.json_output is not None:
        if arguments.name is not None or arguments.search is not None:
            raise Failure(
                "--json-output is about an output: leave out NAME and --search", WRONG_USE
            )
        print_json_document(json_schema(arguments.json_output))
        return 0
    from .output.terminal import screen

    if arguments.search is not None and arguments.name is not None:
        raise Failure("--search looks through all messages: leave NAME out", WRONG_USE)
    if arguments.version is not None and arguments.name is None:
        raise Failure("--version needs a NAME", WRONG_USE)
    loaded = load(arguments.definitions)
    views = _views(arguments, loaded)
    with screen(arguments) as console:
        for view in views:
            console.print(view)
    return 0 if views else REFUSED


def _views(arguments: Namespace, loaded: Classes) -> list[RenderableType]:
    if arguments.search is not None:
        return _found(arguments.search, loaded)
    if arguments.name is None:
        from ..inspector.views.schema_tables import SchemaList

        return [SchemaList(_all(loaded).values())]
    from ..inspector.views.schema_tables import SchemaTables

    cls = find(arguments.name, loaded)
    if arguments.version is None:
        return [SchemaTables(cls)]
    if arguments.version not in cls.VERSIONS:
        known = f"{cls.NAME} has no version {arguments.version}; it has {cls.VERSIONS}"
        raise Failure(known, WRONG_USE)
    from ..inspector.views.layout_diagram import LayoutDiagram

    return [LayoutDiagram(cls, arguments.version), "", SchemaTables(cls, arguments.version)]


def _all(loaded: Classes) -> Classes:
    built_in = {name: message_class(name) for name in MODULES}
    return dict(sorted({**built_in, **loaded}.items()))


def _found(word: str, loaded: Classes) -> list[RenderableType]:
    from ..codec.dialect.commented_json import comments
    from ..inspector.views.schema_tables import SchemaSearch
    from ..schemas import text

    if not word.strip():
        raise Failure("--search needs a word", WRONG_USE)
    classes = _all(loaded)
    told = {name: comments(text(name)) for name in classes if name not in loaded}
    search = SchemaSearch(word, classes.values(), told)
    if not search.hits:
        say(f"{word!r} stands in none of the {len(classes)} definitions")
        return []
    return [search]
