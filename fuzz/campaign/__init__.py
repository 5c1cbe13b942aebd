"""A campaign: workers on targets until the time is over, findings kept, all of it resumable."""

from __future__ import annotations

from .campaign import Campaign as Campaign
from .distributed import Spread as Spread
from .progress import Progress as Progress
from .progress import final_picture as final_picture
from .state import Settings as Settings
from .state import State as State
