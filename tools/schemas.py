"""List the message definitions, or show the fields of one, a table for each layout it has had."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..codec.messages import MODULES, message_class
from .messages import add_definitions, find, load


def configure(parser: ArgumentParser) -> None:
    """The arguments of `kproto schemas`."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the message to show; default: list all"
    )
    add_definitions(parser)
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto")


def run(arguments: Namespace) -> int:
    """Print the list, or the tables."""
    from ..inspector.schema_list import SchemaList
    from ..inspector.schema_tables import SchemaTables
    from .terminal import console

    loaded = load(arguments.definitions)
    screen = console(arguments.color)
    if arguments.name is not None:
        screen.print(SchemaTables(find(arguments.name, loaded)))
    else:
        built_in = {name: message_class(name) for name in MODULES}
        screen.print(SchemaList(cls for _, cls in sorted({**built_in, **loaded}.items())))
    return 0
