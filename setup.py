"""The packages, by a rule: a folder with `py.typed` is a room, the package `kproto.<folder>`;
`package/` is `kproto` itself. It is not called kproto, since Python started in this folder would
then take it for the whole package.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent
ROOMS = sorted(
    file.parent.name for file in ROOT.glob("*/py.typed") if file.parent.name != "package"
)

setup(
    package_dir={"kproto": "package"} | {f"kproto.{room}": room for room in ROOMS},
    packages=[
        "kproto",
        *(
            f"kproto.{name}"
            for name in find_packages(".", include=[*ROOMS, *(f"{room}.*" for room in ROOMS)])
        ),
    ],
)
