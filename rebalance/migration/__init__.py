"""Judge whether a classic group can move to the next consumer protocol (KIP-848), by its bytes.

>>> from kproto.rebalance.migration import judge, read_group
>>> group = read_group('{"group": "orders", "protocolType": "consumer", "members": []}')
>>> judge(group).verdict
'ready'
"""

from __future__ import annotations

from .group import ClassicGroup as ClassicGroup
from .group import ClassicMember as ClassicMember
from .group import GroupError as GroupError
from .group import Protocol as Protocol
from .group_json import read_group as read_group
from .judge import Judgement as Judgement
from .judge import judge as judge
from .judge import reasons_of as reasons_of
from .members import is_plain_member as is_plain_member
from .plan import Plan as Plan
from .plan import Step as Step
from .plan import plan_of as plan_of
from .reasons import EXPLANATIONS as EXPLANATIONS
from .reasons import Reason as Reason
from .records import from_record as from_record
from .settings import NAMES as NAMES
from .settings import POLICY as POLICY
from .settings import SettingError as SettingError
from .settings import Settings as Settings
from .settings import read_settings as read_settings
