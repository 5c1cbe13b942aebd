"""The commands: a file each, with its help and its options.

The module of the same name in `tools` has its `run`. It is imported when the command is run: help
and completion load none of what the commands need.
"""
