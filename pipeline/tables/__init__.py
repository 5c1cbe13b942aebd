"""The tables of an audit: what is in them, how records become rows, how they are published."""

from __future__ import annotations

from .schemas import TABLES, VERSION, empty, page

__all__ = ["TABLES", "VERSION", "empty", "page"]
