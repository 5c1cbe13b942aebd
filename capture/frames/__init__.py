"""Requests and responses: single frames, streams of them, and their pairing."""
