"""Reading with diagnosis: what `decode` returns, why bytes are refused, and how they deviate."""
