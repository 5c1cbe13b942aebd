"""Which message some bytes are."""
