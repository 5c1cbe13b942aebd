"""Judge whether a classic group can move to the next consumer protocol (KIP-848), by its bytes, and
plan the way of a group to another protocol.

>>> from kproto.rebalance.migration import judge, read_group
>>> group = read_group('{"group": "orders", "protocolType": "consumer", "members": []}')
>>> judge(group).verdict
'ready'
"""

from __future__ import annotations

from ...inspector.shapes.group_shapes import ClientSupport as ClientSupport
from ...inspector.shapes.group_shapes import Plan as Plan
from ...inspector.shapes.group_shapes import Step as Step
from .described_group import NAMES as NAMES
from .described_group import POLICY as POLICY
from .described_group import ClassicGroup as ClassicGroup
from .described_group import ClassicMember as ClassicMember
from .described_group import Emptied as Emptied
from .described_group import GroupError as GroupError
from .described_group import Protocol as Protocol
from .described_group import SettingError as SettingError
from .described_group import Settings as Settings
from .described_group import from_record as from_record
from .described_group import members_of_distinct_ids as members_of_distinct_ids
from .described_group import read_group as read_group
from .described_group import read_settings as read_settings
from .judge import Readiness as Readiness
from .judge import is_plain_member as is_plain_member
from .judge import judge as judge
from .judge import reasons_of as reasons_of
from .judge import what_keeps as what_keeps
from .last_members import LastMembers as LastMembers
from .members import Answer as Answer
from .members import ClientNameError as ClientNameError
from .members import Running as Running
from .members import StatedClient as StatedClient
from .members import answer_of_all as answer_of_all
from .members import read_stated_client as read_stated_client
from .members import running as running
from .members import told_apart as told_apart
from .plan import GOALS as GOALS
from .plan import Goal as Goal
from .plan import names_of_away as names_of_away
from .plan import note_of_away as note_of_away
from .plan import plan_for_the_rest as plan_for_the_rest
from .plan import plan_to_consumer as plan_to_consumer
from .plan import plan_to_cooperative as plan_to_cooperative
from .plan import refusals_of_both as refusals_of_both
from .reasons import EXPLANATIONS as EXPLANATIONS
from .reasons import NO_ERROR as NO_ERROR
from .reasons import Reason as Reason
