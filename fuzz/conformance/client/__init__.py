"""A client under test: its process, its limits, and the line protocol."""
