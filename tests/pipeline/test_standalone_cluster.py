"""A master and two workers on two addresses, as a cluster has them: Spark starts a second attempt
at a slow task, and a driver that was killed is started again. The audit stays what it is.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from kproto.pipeline.run import Options, run_audit
from kproto.pipeline.run.units import units_of
from kproto.pipeline.spark.java import NoJava, find_java_home
from kproto.pipeline.tables.publishing import Destination
from tests.benchmarks.fleet import write
from tests.broker.broker import free_ports
from tests.conftest import do_without

from .conftest import QUICK_JAVA
from .test_dying_executors import rows_of

_SECONDS = 300
_DEPLOYED = "org.apache.spark.deploy"


@contextmanager
def running(folder: Path, *command: str) -> Iterator[Path]:
    """A daemon of Spark's; what it says is in the file."""
    import pyspark

    script = Path(pyspark.__file__).parent / "bin" / "spark-class"
    log = folder / f"{command[0]}-{command[2]}.log"
    environment = {**os.environ, **QUICK_JAVA, "JAVA_HOME": str(find_java_home())}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [script, f"{_DEPLOYED}.{command[0]}", *command[1:]],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
    try:
        yield log
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def wait_for(text: str, log: Path) -> None:
    end = time.monotonic() + 120
    while text not in log.read_text(errors="replace"):
        assert time.monotonic() < end, log.read_text(errors="replace")[-2000:]
        time.sleep(0.2)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a master that has two workers with a core each."""
    pytest.importorskip("pyspark")
    try:
        find_java_home()
    except NoJava as reason:
        do_without(reason)
    folder = tmp_path_factory.mktemp("standalone")
    (port,) = free_ports(1)
    url = f"spark://127.0.0.1:{port}"
    with ExitStack() as stack:
        own = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        wait_for("New state: ALIVE", stack.enter_context(running(folder, "master.Master", *own)))
        for host in ("127.0.0.2", "127.0.0.3"):
            has = ("--host", host, "--webui-port", "0", "--cores", "1", "--memory", "1g")
            log = stack.enter_context(
                running(folder, "worker.Worker", *has, "--work-dir", str(folder), url)
            )
            wait_for("Successfully registered", log)
        yield url


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("audits")
    write(made / "fleet", 4, seed=7, partitions=4)
    return made


def audited(folder: Path, name: str, master: str) -> int:
    """Run the program, and return its exit status."""
    program = Path(__file__).with_name("on_dying_executors.py")
    done = subprocess.run(
        [sys.executable, program, folder, folder / "fleet", name, master],
        capture_output=True, text=True, check=False, timeout=_SECONDS, env=os.environ | QUICK_JAVA,
    )  # fmt: skip
    assert done.returncode in (0, -signal.SIGKILL), done.stderr[-3000:]
    return done.returncode


@pytest.mark.long
def test_the_audit_is_the_undisturbed_one(folder: Path, master: str) -> None:
    statuses = [audited(folder, name, master) for name in ("speculation", "driver", "driver")]
    assert statuses == [0, -signal.SIGKILL, 0]
    struck = sorted(path.stem for path in (folder / "struck").iterdir())
    assert struck == ["driver 0", "speculation 0", "speculation 1"]
    clean = folder / "undisturbed"
    units = units_of(str(folder / "fleet"))
    run_audit(units, Destination.new(str(clean), replace=False), Options(cluster_id="c"))
    said = json.loads((clean / "manifest.json").read_text())
    for name in ("speculation", "driver"):
        other = folder / name
        told = json.loads((other / "manifest.json").read_text())
        assert told["records"] == said["records"]
        for table in said["tables"]:
            assert rows_of(clean, said, table) == rows_of(other, told, table), (name, table)
        assert not list(other.glob(".staging*"))
