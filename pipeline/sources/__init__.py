"""Where records of the offsets topic come from."""
