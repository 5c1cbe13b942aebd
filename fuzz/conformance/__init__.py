"""Conformance of any client in any language: a program behind a line protocol, judged by
guarantees.

docs/reference/conform.md is the page for authors of such programs.
"""
