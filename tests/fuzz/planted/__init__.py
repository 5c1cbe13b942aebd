"""A client with one fault of a real client at a time, and clients without any: what
`kproto conform` has to show, and what it has to leave alone.
"""
