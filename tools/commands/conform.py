"""Judge another program's decoder and encoder, guarantee by guarantee, over a line protocol.

COMMAND answers one JSON object a line on standard input and output; docs/reference/conform.md is
the page for its author, in any language. --adapter NAME judges a client whose adapter comes with
kproto. With several, or with runs that were kept with --json, --html shows them side by side;
--matrix measures all clients that are available here, and which of them understand each other.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from ...wording import did_you_mean
from ..options.shared_options import duration, size
from ..output.terminal import add_output, add_redact, add_view

EXTRA = "fuzz"
"""What the command needs beyond the base installation."""

LANGUAGES = ("c", "go", "java", "javascript", "python", "rust", "typescript")
"""What `--init` writes an adapter in."""
_SHORT = {"golang": "go", "js": "javascript", "py": "python", "rs": "rust", "ts": "typescript"}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto conform`."""
    parser.usage = (
        "kproto conform [OPTION]... -- COMMAND [ARGUMENT]...\n"
        "       kproto conform --adapter NAME\n"
        "       kproto conform --guarantee G07 --input ID -- COMMAND\n"
        "       kproto conform --ask HEX -- COMMAND\n"
        "       kproto conform --matrix [--out DIR]\n"
        "       kproto conform --init LANGUAGE [--out DIR]"
    )
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the program to judge")
    parser.add_argument(
        "--adapter", action="append", default=[], metavar="NAME", dest="adapters",
        help="one that comes with kproto, by its client: java, sarama, librdkafka; built when "
        "needed",
    )  # fmt: skip
    parser.add_argument(
        "--guarantee", action="append", default=[], metavar="ID",
        help="judge this guarantee alone, such as G07; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--input", action="append", default=[], metavar="ID",
        help="ask this input alone, by the id that a report shows; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--ask", metavar="HEX",
        help="only show how the client reads these bytes, or writes this value in Kafka's JSON "
        "form",
    )  # fmt: skip
    parser.add_argument(
        "--as", dest="name", default="ConsumerProtocolSubscription", metavar="NAME",
        help="what the bytes of --ask are (default: ConsumerProtocolSubscription)",
    )  # fmt: skip
    parser.add_argument(
        "--body-version", "--body", dest="body", metavar="VERSION", type=int,
        help="the version of --ask's bytes, which have none in front; for a value the version to "
        "write (default 0)",
    )  # fmt: skip
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="all clients, or those that --adapter names, and their pairs",
    )
    parser.add_argument(
        "--init", choices=LANGUAGES, type=_language, metavar="LANGUAGE",
        help="write an adapter to start from, whose two calls are to be filled in with your "
        f"client's code; in {', '.join(LANGUAGES)}",
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="DIR",
        help="write the matrix there as data and as a page; or the adapter of --init (default: "
        "kproto-adapter)",
    )  # fmt: skip
    parser.add_argument(
        "--from", dest="kept", action="append", default=[], metavar="FILE",
        help="read a run that --json wrote",
    )  # fmt: skip
    parser.add_argument(
        "--baseline", metavar="FILE", help="the failures that are known: one that passes is told"
    )
    parser.add_argument(
        "--write-baseline", metavar="FILE", help="write what is broken now as known failures"
    )
    parser.add_argument(
        "--recommended", action="store_true", help="also fail on recommended guarantees"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the generated inputs"
    )
    parser.add_argument(
        "--time", type=duration, default=300.0, metavar="DURATION",
        help="time of a run (default 5m); what was not asked by then makes it incomplete",
    )  # fmt: skip
    parser.add_argument(
        "--give-up", type=int, default=3, metavar="N",
        help="skip a kind of input after N hangs or crashes",
    )  # fmt: skip
    parser.add_argument(
        "--timeout",
        type=duration,
        default=2.0,
        metavar="DURATION",
        help="time for a reply (default 2s)",
    )
    parser.add_argument(
        "--memory", type=size, default=2 << 30, metavar="SIZE",
        help="memory of the program (default 2G): of address space, or resident for a JVM "
        "and for node",
    )  # fmt: skip
    add_output(parser, "one object a run")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--sarif", metavar="FILE", help="write SARIF")
    parser.add_argument(
        "--vectors", metavar="FILE",
        help="write inputs that broke a guarantee, the shortest three of each, with what Apache "
        "Kafka makes of them, as lines of JSON: for tests in the client's own language",
    )  # fmt: skip
    parser.add_argument(
        "--html", dest="page", metavar="FILE", help="write an HTML page of all runs"
    )
    add_redact(parser)
    add_view(parser)


def parse(parser: ArgumentParser, words: list[str]) -> Namespace:
    """Return the arguments; all words behind `--` are the program's, options too."""
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_intermixed_args(words[:end])
    arguments.command += words[end + 1 :]
    return arguments


def _language(text: str) -> str:
    """Return the language of an adapter. Raises ArgumentTypeError where there is none in it."""
    language = _SHORT.get(text.lower(), text.lower())
    if language in LANGUAGES:
        return language
    raise ArgumentTypeError(
        f"no adapter in {text!r} comes with kproto. docs/reference/adapters.md has the lines of "
        "JSON that a program in any language reads and writes; begin with 'An adapter in fifty "
        f"lines' of docs/reference/conform.md, in that language{did_you_mean(text, LANGUAGES)}"
    )
