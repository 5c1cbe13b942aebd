"""The command of the package: build the adapters, or become one of them."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version

from ...codec.runtime.registry import built_in_names
from ..guarantees.subjects import GENERATED
from ..line_protocol import OPS, serve
from ..oracles.python_clients import ORACLES, ClientUnavailable, Kio
from . import CLIENTS, INSTALLED, NAMES, Unavailable, command


def _build_all() -> None:
    for name in NAMES:
        try:
            command(name)
            outcome = "ready"
        except Unavailable as reason:
            outcome = f"left out: {reason}"
        print(f"{name:18} {CLIENTS[name].language:10} {outcome}", flush=True)  # noqa: T201


def _become(name: str) -> None:
    if name not in NAMES:
        sys.exit(f"there is no adapter {name!r}; there are: {', '.join(NAMES)}")
    if name in INSTALLED:
        _serve(name)
        return
    try:
        program, *arguments = command(name)
    except Unavailable as reason:
        sys.exit(f"{name}: {reason}")
    os.execvp(program, [program, *arguments])  # noqa: S606


def _serve(name: str) -> None:
    if name == "kproto":
        serve(GENERATED, name, version(name), built_in_names(), OPS)
        return
    try:
        oracle = Kio(bounded=False) if name == "kio" else ORACLES[name]()
    except ClientUnavailable as reason:
        sys.exit(str(reason))
    serve(oracle, oracle.client, oracle.release, oracle.names, ("decode", "encode"))


if __name__ == "__main__":
    if sys.argv[1:]:
        _become(sys.argv[1])
    else:
        _build_all()
