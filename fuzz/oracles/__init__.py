"""Oracles: other people's decoders, asked about the same bytes.

An oracle answers how another implementation reads some bytes: its verdict, its value, the bytes
that it leaves unread. Each raises an error of its own if it cannot be had on this machine.
"""
