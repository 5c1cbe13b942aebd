"""Write the page where one pastes: kproto in a browser, for people who may install nothing.

The folder is complete: it needs no network, and sends nothing. Served by any server of files
(python3 -m http.server --directory DIR), index.html loads in seconds and is kept by the browser;
kproto.html has everything inside and is opened as a file, from a USB stick for example.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

EXTRA = "page"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto page`."""
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="a new folder, or an empty one"
    )
