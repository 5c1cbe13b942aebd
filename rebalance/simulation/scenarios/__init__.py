"""Scenarios: groups and what happens to them, as TOML files and as runs."""
