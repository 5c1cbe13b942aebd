"""libFuzzer, by way of atheris: led by coverage, its mutations mixed with those of the layout.

libFuzzer's own limits are off: the parent watches time and memory, since a process that libFuzzer
ends cannot say what it was about to find.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..targets import Target, covered, load
from .coverage import Instrumented, traced
from .job import Order

if TYPE_CHECKING:  # it imports what is to be measured
    from .execution import Execution

# Each input is changed once, from one of the corpus: its splices are known by then.
_FLAGS = (
    "-mutate_depth=1", "-detect_leaks=0",
    "-timeout=99999999", "-rss_limit_mb=0", "-malloc_limit_mb=0",
    "-handle_int=0", "-handle_term=0", "-handle_segv=0", "-handle_abrt=0", "-handle_bus=0",
    "-handle_fpe=0", "-handle_ill=0", "-handle_xfsz=0", "-handle_usr1=0", "-handle_usr2=0",
)  # fmt: skip


def target_of(order: Order) -> Target:
    """Return the target, its modules imported so that their branches count."""
    from .branch_counters import COUNTERS, counting

    def trace(function: Any) -> Callable[..., Any]:
        if hasattr(function, "counting"):  # the compiled core counts by itself
            counted: Callable[..., Any] = function.counting(COUNTERS.region(function.places))
            return counted
        return traced(function, counting)

    Instrumented(covered(order.target), counting).install()
    return load(order.target, trace)


def run(target: Target, execution: Execution, order: Order) -> None:
    """Drive it until it ends the process.

    Some seeds are run once before: what they import is known to libFuzzer from the start.
    """
    import atheris

    from ..mutators.picking import mutator
    from .branch_counters import COUNTERS

    for data in _one_of_each(target, order):
        execution.warm(data)
    execution.start()
    atheris.Setup(
        ["kproto", *_flags(target, order)],
        execution.__call__,  # a bound method is called sooner than an object
        custom_mutator=mutator(target.form, _raw),
        internal_libfuzzer=True,
    )
    COUNTERS.begin(_libfuzzer())
    atheris.Fuzz()


def _libfuzzer() -> str:
    """The library's file, loaded as `Fuzz` does: it asks those loaded before for a mutator."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_GLOBAL)
    import_module("atheris.custom_mutator")
    sys.setdlopenflags(flags)
    file = import_module("atheris.core_with_libfuzzer").__file__
    assert file is not None
    return file


def _one_of_each(target: Target, order: Order) -> list[bytes]:
    """The smallest input of each head: between them they import all that will be imported."""
    found: dict[bytes, bytes] = {}
    for file in _sorted(order.seeds, order.corpus):
        data = file.read_bytes()
        found.setdefault(data[: target.form.head(data)], data)
    return list(found.values())


def _raw(data: bytes, max_size: int) -> bytes:
    """libFuzzer's own mutation, looked up late: once `Fuzz` runs, it is another function."""
    import atheris

    changed: bytes = atheris.Mutate(data, max_size)
    return changed


def _flags(target: Target, order: Order) -> list[str]:
    beside = order.board.parent / f"{order.board.stem}.seeds"
    beside.write_text(",".join(map(str, _sorted(order.seeds, order.corpus))))
    words = beside.with_suffix(".dict")
    words.write_text(_dictionary(target))
    flags = [*_FLAGS, f"-seed={order.seed or 1}", f"-max_len={target.max_len}"]
    flags += [f"-dict={words}", f"-artifact_prefix={order.board.parent}/"]
    # Both look at the clock: a run that shall be repeated has neither.
    flags += [f"-reload={int(order.shared)}", f"-entropic={int(not order.runs)}"]
    if beside.stat().st_size:
        flags.append(f"-seed_inputs=@{beside}")  # in this order, whatever the folder's
    return [*flags, str(order.corpus)]


def _sorted(*folders: Path) -> list[Path]:
    files = [file for folder in folders for file in folder.iterdir() if file.is_file()]
    return sorted(files, key=lambda file: (file.stat().st_size, file.name))


def _dictionary(target: Target) -> str:
    tokens: dict[bytes, Any] = dict.fromkeys(token for token in target.form.tokens() if token)
    lines = ("".join(f"\\x{byte:02x}" for byte in token[:60]) for token in tokens)
    return "".join(f'"{line}"\n' for line in lines)
