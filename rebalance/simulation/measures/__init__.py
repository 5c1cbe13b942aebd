"""What a run cost: intervals of ownership, measures, and KIP-429's metrics."""
