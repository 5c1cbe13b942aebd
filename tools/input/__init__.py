"""The inputs of commands: messages in texts and files, captures, groups, message types.

What reads them is imported when it is first used: a hex string needs none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import late_names

if TYPE_CHECKING:
    from .capture_files import as_one as as_one
    from .capture_files import find_capture as find_capture
    from .captures import read_items as read_items
    from .captures import run_capture as run_capture
    from .frames import FrameJudge as FrameJudge
    from .frames import run_frames as run_frames
    from .frames import show_frames as show_frames
    from .story_sources import open_source as open_source

_HOME = {
    "FrameJudge": "frames",
    "as_one": "capture_files",
    "find_capture": "capture_files",
    "open_source": "story_sources",
    "read_items": "captures",
    "run_capture": "captures",
    "run_frames": "frames",
    "show_frames": "frames",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
