"""`decode`: the version field, the diagnostic reader, deviations, and what `decode` returns."""
