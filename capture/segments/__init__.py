"""Log segments: batches, their records, and the records of the offsets topic."""
