"""Programs that drive consumers (see `driven_consumer`)."""
