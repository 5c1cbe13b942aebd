"""Run `kproto schemas`: list, search or draw message definitions."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from ..codec.messages import MODULES, message_class
from ..codec.runtime.message import Message
from ..inspector.shapes import json_schema
from ..inspector.views.layout_diagram import LayoutDiagram
from ..inspector.views.schema_tables import SchemaList, SchemaSearch, SchemaTables
from ..schemas import comments, text
from .input.message_types import find, load
from .output.failures import REFUSED, WRONG_USE, Failure, say
from .output.json_output import print_json_document
from .output.terminal import screen

if TYPE_CHECKING:
    from rich.console import RenderableType


Classes = dict[str, type[Message]]


def run(arguments: Namespace) -> int:
    """Print what is asked for."""
    if arguments.json_output is not None:
        if arguments.name is not None or arguments.search is not None:
            raise Failure(
                "--json-output is about an output: leave out NAME and --search", WRONG_USE
            )
        print_json_document(json_schema(arguments.json_output))
        return 0

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
        return _matches(arguments.search, loaded)
    if arguments.name is None:
        return [SchemaList(_all(loaded).values())]

    cls = find(arguments.name, loaded)
    if arguments.version is None:
        return [SchemaTables(cls)]
    if arguments.version not in cls.VERSIONS:
        message = f"{cls.NAME} has no version {arguments.version}; it has {cls.VERSIONS}"
        raise Failure(message, WRONG_USE)

    return [LayoutDiagram(cls, arguments.version), "", SchemaTables(cls, arguments.version)]


def _all(loaded: Classes) -> Classes:
    built_in = {name: message_class(name) for name in MODULES}
    return dict(sorted({**built_in, **loaded}.items()))


def _matches(word: str, loaded: Classes) -> list[RenderableType]:
    if not word.strip():
        raise Failure("--search needs a word", WRONG_USE)
    classes = _all(loaded)
    texts = {name: comments(text(name)) for name in classes if name not in loaded}
    search = SchemaSearch(word, classes.values(), texts)
    if not search.hits:
        say(f"{word!r} occurs in none of the {len(classes)} definitions")
        return []
    return [search]
