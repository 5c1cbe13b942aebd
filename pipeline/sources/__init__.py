"""Sources of records of the offsets topic."""
