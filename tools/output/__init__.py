"""Where the output of commands goes, and what is printed on the way.

What few calls use is imported when it is first used.
"""

from __future__ import annotations

from ... import late_names

TYPE_CHECKING = False  # importing typing takes longer than all of this
if TYPE_CHECKING:
    from .hidden import hiding as hiding
    from .json_output import print_json as print_json
    from .one_field import field_json as field_json
    from .one_field import field_path as field_path
    from .one_field import is_there as is_there
    from .pager import paged as paged
    from .progress import progress_of as progress_of
    from .wrapping import WrappingOutput as WrappingOutput
    from .written import write_output as write_output

_HOME = {
    "WrappingOutput": "wrapping",
    "field_json": "one_field",
    "field_path": "one_field",
    "hiding": "hidden",
    "is_there": "one_field",
    "paged": "pager",
    "print_json": "json_output",
    "progress_of": "progress",
    "write_output": "written",
}

__getattr__, __dir__ = late_names(__name__, _HOME)
