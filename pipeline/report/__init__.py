"""What people and programs read of an audit; all of it is made from the published tables."""

from __future__ import annotations
