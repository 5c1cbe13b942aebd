"""The engine that runs what is there once, and looks for nothing new.

A campaign begins with it on all its targets: a known input that breaks one shows within seconds,
however short the share of each target is.
"""

from __future__ import annotations

from ..targets import Target, load
from .execution import Execution
from .job import Job


def target_of(job: Job) -> Target:
    """Return the target, without coverage."""
    return load(job.target)


def run(target: Target, execution: Execution, job: Job) -> None:
    """Run every input of the job once, the short ones first; the execution ends the process."""
    execution.start()
    files = [file for folder in (job.seeds, job.corpus) for file in folder.iterdir()]
    for file in sorted(files, key=lambda file: (file.stat().st_size, file.name)):
        execution(file.read_bytes())
    execution.finish()
