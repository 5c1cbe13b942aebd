"""From INPUT on the command line to messages."""
