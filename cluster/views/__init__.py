"""Groups and lists of groups as `rich` renderables, one a file."""

from __future__ import annotations
