"""What a campaign found: deduplicated, made small, and written so that somebody can act on it."""

from __future__ import annotations

from .finding import Finding as Finding
from .finding import Kind as Kind
from .finding import of_exception as of_exception
from .store import Store as Store
