"""Programs under test: any client in any language, behind a line protocol, judged by guarantees.

docs/conform.md is the page for whoever writes a testee.
"""
