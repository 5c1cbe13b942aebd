"""Exhaustive exploration of a group's states."""
