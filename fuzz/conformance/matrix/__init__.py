"""The matrix: many clients measured with the same inputs, and every pair of them in one group."""
