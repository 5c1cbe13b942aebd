"""The tables of an audit: their schemas, how records become rows, how they are published."""

from __future__ import annotations

from .schemas import TABLES, VERSION, empty, page

__all__ = ["TABLES", "VERSION", "empty", "page"]
