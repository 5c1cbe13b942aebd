"""Spark itself: a session, its Java, and what is registered with it."""
