"""What happens in groups while a capture is read: members, who owns what, rebalances, stalls."""
