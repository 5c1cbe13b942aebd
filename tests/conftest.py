"""Fixtures that more than one room's tests share."""

from __future__ import annotations

import gc
import os
import random
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from xdist.scheduler import LoadFileScheduling

from kproto.codec.runtime import engine
from kproto.fuzz.building import JavaUnavailable
from kproto.fuzz.oracles import java
from kproto.fuzz.oracles.java import JavaOracle
from kproto.pipeline.spark.java import NoJava
from tests.broker.kerberos import KerberosUnavailable

if TYPE_CHECKING:
    from xdist.remote import Producer

HERE = Path(__file__).parent
LONGEST = (
    "fuzz/test_mutants.py",
    "fuzz/test_adapters.py",
    "fuzz/test_export.py",
    "history/test_taken_apart.py",
    "packaging/test_wheel.py",
    "cluster/test_what_if.py",
    "fuzz/test_conform_adapters.py",
    "fuzz/test_conform_verdicts.py",
    "fuzz/test_campaign.py",
    "tools/test_captures.py",
    "fuzz/test_pytest_plugin_isolated.py",
    "tools/test_costs.py",
    "rebalance/simulation/test_scenarios.py",
    "capture/test_text_evidence.py",
    "tools/test_views_of_decode.py",
    "tools/test_story.py",
    "rebalance/simulation/test_exploration.py",
    "rebalance/simulation/test_consumer_exploration.py",
    "fuzz/test_strategies.py",
    "fuzz/test_conform_reports.py",
    "fuzz/test_conform_clients.py",
    "tools/test_redaction_property.py",
    "tools/test_recipes.py",
    "tools/test_next_version.py",
    "pipeline/test_follow.py",
    "pipeline/test_repetition.py",
    "pipeline/test_audit_sizes.py",
    "fuzz/test_matrix.py",
)
"""Files that take long, which is more than the number of their tests would say."""

SHARED_OUT = (
    "broker/test_audit.py",
    "broker/test_coordinator.py",
    "broker/test_fresh_logs.py",
    "broker/test_group.py",
    "broker/test_migration.py",
    "broker/test_offsets.py",
    "broker/test_plans.py",
    "broker/test_simulated_migration.py",
    "browser/test_first_try.py",
    "browser/test_page.py",
    "browser/test_same_answers.py",
    "capture/logs/test_client_layouts.py",
    "capture/logs/test_layouts.py",
    "capture/logs/test_rows.py",
    "capture/logs/test_wrappings.py",
    "capture/test_pcap.py",
    "capture/test_segments.py",
    "capture/test_text_evidence.py",
    "capture/test_text_json.py",
    "capture/test_text_names.py",
    "capture/test_unfinished_values.py",
    "clients/test_findings_sentences.py",
    "clients/test_readers_accuracy.py",
    "cluster/test_budget.py",
    "cluster/test_changes.py",
    "cluster/test_faults.py",
    "cluster/test_rebalancing_groups.py",
    "cluster/test_several_brokers.py",
    "cluster/test_what_if.py",
    "codec/test_live_java.py",
    "fuzz/test_adapters.py",
    "fuzz/test_campaign.py",
    "fuzz/test_conform_adapters.py",
    "fuzz/test_conform_clients.py",
    "fuzz/test_conform_inputs.py",
    "fuzz/test_conform_reports.py",
    "fuzz/test_conform_verdicts.py",
    "fuzz/test_contract.py",
    "fuzz/test_export.py",
    "fuzz/test_fuzz_client.py",
    "fuzz/test_guarantees.py",
    "fuzz/test_matrix.py",
    "fuzz/test_mutants.py",
    "fuzz/test_pytest_plugin_isolated.py",
    "fuzz/test_strategies.py",
    "fuzz/test_targets.py",
    "history/test_story_of_logs.py",
    "inspector/test_compiled_lines.py",
    "inspector/test_frame_report.py",
    "inspector/test_identification.py",
    "inspector/test_schema_views.py",
    "pipeline/test_audit.py",
    "pipeline/test_audit_captures.py",
    "pipeline/test_audit_sizes.py",
    "pipeline/test_audit_sources.py",
    "pipeline/test_columnar.py",
    "pipeline/test_drawn_groups.py",
    "pipeline/test_follow.py",
    "pipeline/test_functions.py",
    "pipeline/test_group_diagnosis.py",
    "pipeline/test_offsets_source.py",
    "pipeline/test_publishing.py",
    "pipeline/test_repetition.py",
    "pipeline/test_storm_causes.py",
    "rebalance/simulation/test_consumer_exploration.py",
    "rebalance/simulation/test_exploration.py",
    "rebalance/simulation/test_outputs.py",
    "rebalance/simulation/test_records.py",
    "rebalance/simulation/test_regular_expressions.py",
    "rebalance/simulation/test_scenarios.py",
    "rebalance/test_broker_assignors.py",
    "schemas/test_connect.py",
    "schemas/test_streams.py",
    "tools/test_audit.py",
    "tools/test_audit_baseline.py",
    "tools/test_audit_rules.py",
    "tools/test_capture_options.py",
    "tools/test_captures.py",
    "tools/test_costs.py",
    "tools/test_encode.py",
    "tools/test_explain.py",
    "tools/test_helpful_errors.py",
    "tools/test_inputs.py",
    "tools/test_json_outputs.py",
    "tools/test_lint.py",
    "tools/test_main.py",
    "tools/test_migrate.py",
    "tools/test_next_version.py",
    "tools/test_recipes.py",
    "tools/test_redaction_property.py",
    "tools/test_report_inputs.py",
    "tools/test_simulate.py",
    "tools/test_statuses.py",
    "tools/test_story.py",
    "tools/test_views_of_decode.py",
    "tools/test_written.py",
)
"""Files that take most of the time. With KPROTO_SHARE=1/8, `make test`, `make slow` and the short
forms of `make browser` and `make broker` take the first eighth of their tests, by name; `.ci/run`
takes another eighth for each commit. `make shares` and the whole forms take the others. What draws
its examples stays."""


# Tests and what they import are half a million objects. To look through all of them again and again
# for cycles takes a quarter of the time of collecting the tests.
gc.set_threshold(*gc.get_threshold()[:2], 1000)

# readline, and pytest-xdist, state the width of a terminal for the programs that tests start.
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)
    os.unsetenv(_name)


def pytest_report_header() -> str:
    """Say which engine is tested."""
    return f"engine: {engine.ENGINE} {engine.WHY_NOT}".rstrip()


def do_without(reason: JavaUnavailable | NoJava | KerberosUnavailable) -> NoReturn:
    """Skip what needs Java or Kerberos, unless KPROTO_REQUIRE_JAVA=1 or KPROTO_REQUIRE_KERBEROS=1
    forbids it."""
    name = "Kerberos" if isinstance(reason, KerberosUnavailable) else "Java"
    if os.environ.get(f"KPROTO_REQUIRE_{name.upper()}") == "1":
        pytest.fail(f"{name} is required here: {reason}")
    pytest.skip(f"no {name}: {reason}")


@pytest.fixture(scope="session")
def java_oracle() -> JavaOracle:
    """Apache Kafka's own classes; skips without them, unless KPROTO_REQUIRE_JAVA=1 forbids it."""
    # Tests are over before it would pay to optimise.
    java._JVM_OPTIONS = (*java._JVM_OPTIONS, "-XX:TieredStopAtLevel=1")
    try:
        return JavaOracle()
    except JavaUnavailable as reason:
        do_without(reason)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """A generator seeded with KPROTO_SEED and the test's name: the same in every run without it.

    What it gives cannot shrink, so it is for tests in which nothing could: a batch that goes to a
    JVM, a broker or a process at once, a rate or a count over many, one large input. Every such
    test says which. All others draw from strategies.
    """
    return random.Random(f"{os.environ.get('KPROTO_SEED', '')} {request.node.name}")  # noqa: S311


OF_OTHER_TARGETS = ("broker", "browser", "costs", "long", "other_share", "slow", "timing")
NOT_SHARED = ("costs", "long", "timing")
NOT_IN_TEST = f"not ({' or '.join(OF_OTHER_TARGETS)})"
"""The marks of pyproject.toml, which leave nothing of tests/broker and tests/browser."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the folders of which `make test` runs nothing: importing them takes seconds."""
    is_left_out = collection_path.parent == HERE and collection_path.name in ("broker", "browser")
    return True if is_left_out and config.option.markexpr.strip() == NOT_IN_TEST else None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test that draws from `rng`, as Hypothesis marks its own, one of a Spark session, whose
    JVM alone takes as long as a hundred others, and one that another share has."""
    fixtures = getattr(item, "fixturenames", ())
    if "spark" in fixtures:
        item.add_marker("slow")
    if "rng" in fixtures:
        item.add_marker("rng")
    elif _is_left_out(item):
        item.add_marker("other_share")


def _is_left_out(item: pytest.Item) -> bool:
    part, _, parts = os.environ.get("KPROTO_SHARE", "").partition("/")
    draws = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    if not part or draws or os.path.relpath(item.path, HERE) not in SHARED_OUT:
        return False
    if any(item.get_closest_marker(mark) for mark in NOT_SHARED):
        return False
    return zlib.crc32(item.nodeid.encode()) % int(parts) != int(part) - 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in the order in which they are dealt out: what takes longest begins first."""
    sizes = Counter(item.path for item in items)
    items.sort(key=lambda item: (_rank(item.path), -sizes[item.path]))


def _rank(file: Path) -> int:
    if machine := _machine_of(file):
        return _MACHINES.index(machine) - len(_MACHINES)
    name = os.path.relpath(file, HERE)
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


class OneMachine(LoadFileScheduling):  # type: ignore[misc]  # untyped
    """Keeps the tests of a file together, and all files that use the same JVM: that of the Spark
    session, or that of the oracle. They are dealt out in their order."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return _machine_of(self.config.rootpath / file) or file


_MACHINES = ("spark: SparkSession", "java_oracle: JavaOracle")


@cache
def _machine_of(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    return next((fixture for fixture in _MACHINES if fixture in text), "")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneMachine | None:
    return OneMachine(config, log) if config.option.dist == "loadfile" else None


# Three profiles, chosen with HYPOTHESIS_PROFILE:
#   same   what `make test` draws: the same examples in every run, on every machine, in any order
#   fresh  more examples, from a seed that nobody has had before (`make fuzz`)
#   deep   many more of them
# They have no deadline and no health check for slow draws: the machines that run the tests are
# shared, and a slow moment is not a failure.
settings.register_profile(
    "fresh",
    max_examples=int(os.environ.get("KPROTO_EXAMPLES") or 60),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", settings.get_profile("fresh"), max_examples=20_000)
settings.register_profile(
    "same", settings.get_profile("fresh"), max_examples=20, derandomize=True, database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

if settings().derandomize:
    # Hypothesis also draws numbers and strings that it finds in the modules imported so far. Which
    # modules those are depends on the tests that ran before in the same process, so `same` does
    # without them. tests/packaging/test_same_examples.py fails where this has no effect.
    providers._get_local_constants = Constants
