"""Where the packages of this repository are, by the rule of setup.py."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]

FOLDERS = {"kproto": "package"} | {
    f"kproto.{mark.parent.name}": mark.parent.name
    for mark in sorted(ROOT.glob("*/py.typed"))
    if mark.parent.name != "package"
}
"""The folder of each room's package."""
