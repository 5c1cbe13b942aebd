"""Campaigns: workers on targets until the time is over; findings are kept, and a campaign can be
resumed.
"""

from __future__ import annotations

from .campaign import Campaign as Campaign
from .distributed import DistributedCampaign as DistributedCampaign
from .progress import Progress as Progress
from .progress import final_picture as final_picture
from .state import Settings as Settings
from .state import State as State
