"""Find out which message some bytes are."""
