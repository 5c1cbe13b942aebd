"""Where results and failures go."""
