"""The end of the calendar, for those who read times without Arrow, too."""

from __future__ import annotations

LAST_TIME = 253_402_300_799_999
"""The last millisecond of the year 9999: what lies behind it is no time but damage."""
