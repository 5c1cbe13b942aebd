"""`decode`: the version label, the diagnostic reader, deviations, and what `decode` returns."""
