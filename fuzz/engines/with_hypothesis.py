"""The engine Hypothesis: the same targets and mutations where there is no libFuzzer, and in tests.

Without coverage nothing leads the search; the corpus is what it begins with, and does not grow.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from ..mutators.splices import Form, spliced
from ..targets import Target
from .execution import Execution
from .job import Job

_ROUND = 500  # examples; each round has a seed of its own
_CHANGES = 3


def inputs(form: Form, *, seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Return a strategy for inputs of a form: a seed, mutated up to three times, or any bytes
    behind its head.

    They shrink towards the first seed, unchanged.
    """
    return _inputs(form, tuple(seeds) or (b"",))


@st.composite
def _inputs(draw: st.DrawFn, form: Form, seeds: tuple[bytes, ...]) -> bytes:
    data = draw(st.sampled_from(seeds))
    changes = draw(st.integers(0, _CHANGES + 1))
    if changes > _CHANGES:
        return data[: form.head(data)] + draw(st.binary(max_size=64))
    for _ in range(changes):
        splices = form.splices(data)
        if splices:
            data = spliced(data, splices[draw(st.integers(0, len(splices) - 1))])
    return data


def run(target: Target, execution: Execution, job: Job) -> None:
    """Drive the target until the execution ends the process."""
    files = sorted(file for folder in (job.seeds, job.corpus) for file in folder.iterdir())
    strategy = inputs(target.form, seeds=[file.read_bytes() for file in files])
    number = job.seed
    execution.start()
    while True:
        _round(strategy, execution, number)
        number += 1


def _round(strategy: st.SearchStrategy[bytes], execution: Execution, number: int) -> None:
    @seed(number)
    @settings(
        max_examples=_ROUND,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def test(data: bytes) -> None:
        execution(data)

    test()
