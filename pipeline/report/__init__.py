"""Reports of an audit, for people and programs; all are made from the published tables."""

from __future__ import annotations
