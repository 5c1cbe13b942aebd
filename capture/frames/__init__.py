"""Requests and responses: single frames, and streams of bytes cut into frames."""
