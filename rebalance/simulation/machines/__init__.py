"""Member, leader and coordinator as state machines without time."""
