"""Whole groups: members, a leader, a coordinator; run in time, or explored in every order.

>>> from kproto.rebalance.simulation import built_in_scenarios, measure, read_scenario, run
>>> scenario = read_scenario(built_in_scenarios()["crash"], "crash")
>>> done = run(scenario)
>>> done.findings, measure(done).rebalances
((), 2)
"""

from __future__ import annotations

from .explore import Explored as Explored
from .explore import Finding as Finding
from .explore import explore as explore
from .group_checks import END_CHECKS as END_CHECKS
from .group_checks import STATE_CHECKS as STATE_CHECKS
from .measures import Measures as Measures
from .measures import measure as measure
from .metrics import metrics as metrics
from .model import Setup as Setup
from .planted import PLANTED as PLANTED
from .runs import Run as Run
from .runs import run as run
from .scenario import Scenario as Scenario
from .scenario_files import Overrides as Overrides
from .scenario_files import ScenarioError as ScenarioError
from .scenario_files import built_in_scenarios as built_in_scenarios
from .scenario_files import read_scenario as read_scenario
from .settings import MemberSettings as MemberSettings
