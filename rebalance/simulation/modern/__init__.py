"""Groups of the consumer protocol (KIP-848): the coordinator, its records, and the member."""
