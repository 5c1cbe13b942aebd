"""Simulated groups of members, a leader and a coordinator: run in time, or explored in every order.

>>> from kproto.rebalance.simulation import built_in_scenarios, measure, read_scenario, run
>>> scenario = read_scenario(built_in_scenarios()["crash"], "crash")
>>> done = run(scenario)
>>> done.findings, measure(done).rebalances
((), 2)
"""

from __future__ import annotations

from ...inspector.shapes.checks import Measures as Measures
from .exploration.explore import END_CHECKS as END_CHECKS
from .exploration.explore import STATE_CHECKS as STATE_CHECKS
from .exploration.explore import ExplorationFinding as ExplorationFinding
from .exploration.explore import Explored as Explored
from .exploration.explore import explore as explore
from .exploration.model import Setup as Setup
from .machines.settings import MemberSettings as MemberSettings
from .measures import measure as measure
from .measures import metrics as metrics
from .scenarios.assignors import find_assignor as find_assignor
from .scenarios.assignors import load_assignor as load_assignor
from .scenarios.scenario import Run as Run
from .scenarios.scenario import Scenario as Scenario
from .scenarios.scenario import run as run
from .scenarios.scenario_files import Overrides as Overrides
from .scenarios.scenario_files import ScenarioError as ScenarioError
from .scenarios.scenario_files import built_in_scenarios as built_in_scenarios
from .scenarios.scenario_files import read_scenario as read_scenario
