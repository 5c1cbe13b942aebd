"""Write a typed Python module for each message definition.

DEFINITIONS are in Kafka's JSON dialect: a file, a folder, a jar or a zip. The class of a module is
the one that kproto.codec.compile_definition makes; editors and type checkers know its fields.

kproto codegen Note.json                               prints the module of one message
kproto codegen definitions/ --out messages             writes messages/*.py
kproto codegen kafka-clients.jar --only FetchRequest --out messages
kproto codegen definitions/ --out messages --check     tells which of them are out of date
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto codegen`."""
    parser.add_argument("definitions", metavar="DEFINITIONS", nargs="+", help="where they are")
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="write one file per message (default: stdout, one message only)",
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", default=[], help="this message; may be repeated"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, and tell which files differ"
    )
