"""The `kproto` command: one thin file a sub-command, and what they share."""
