"""Options that several sub-commands share."""
