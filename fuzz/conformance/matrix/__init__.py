"""The matrix: many clients, the same inputs, and every pair of them."""
