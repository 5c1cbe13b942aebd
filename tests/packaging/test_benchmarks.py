"""The benchmarks run; what they measure is for `make bench`."""

from __future__ import annotations

import subprocess
import sys

import pytest

SMALL = {
    "bench_columnar": ("--rows", "1000"),
    "bench_fleet": ("--megabytes", "2"),
    "bench_text": ("--log", "1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_runs_to_its_end(name: str) -> None:
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *SMALL[name]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    if name == "bench_fleet":  # of a large fleet nothing else would be seen for minutes
        assert done.stderr.startswith("- writing a fleet of 2 MB\n- auditing it")
