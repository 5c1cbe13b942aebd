"""The findings of a campaign: deduplicated, minimised, and stored with a test for each."""

from __future__ import annotations

from .finding import Finding as Finding
from .finding import Kind as Kind
from .finding import of_exception as of_exception
from .store import Store as Store
